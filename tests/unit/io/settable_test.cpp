// SPDX-License-Identifier: Apache-2.0
#include "io/reader/settable.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "assembly/assemble.hpp"
#include "blocks/mechanism/block.hpp"
#include "blocks/mechanism/describe.hpp"
#include "io/reader/reader.hpp"

namespace chicane::settable_test {
namespace {

std::vector<Settable> settable_of(const std::string& model, Spec& spec) {
  Diagnostics diag;
  auto read = read_model(model, diag);
  EXPECT_TRUE(read) << diag.text();
  spec = std::move(*read);
  const auto made = has_mechanism(spec) ? with_native_blocks(spec, diag) : std::optional(spec);
  EXPECT_TRUE(made) << diag.text();
  return settable(*made);
}

bool has(const std::vector<Settable>& list, const std::string& name) {
  return std::any_of(list.begin(), list.end(), [&](const Settable& e) { return e.name == name; });
}

TEST(Settable, NamesWhatAVehicleHasAndWhatItCouldHave) {
  Spec spec;
  const auto list = settable_of("hmmwv", spec);
  for (const char* name :
       {"driver_mass", "chassis.mass", "chassis.com", "terrain.friction", "gravity", "vehicle.wind",
        "axles.front.tire.radius", "axles.rear.tire.camber_slip", "axles.front.suspension.toe",
        "axles.front.suspension.spring.interpolation", "powertrain.gearbox.friction.way",
        "start.speed", "brakes.line_time", "wheel.fl.rolling_resistance", "wheel.fl.spin"})
    EXPECT_TRUE(has(list, name)) << name;
  EXPECT_FALSE(has(list, "axles.front.tire.friction_max"));  // of another type
  for (const char* model : {"two-scale", "pendulum"})
    EXPECT_FALSE(settable_of(model, spec).empty());
}

// To set all of them is to build a vehicle for each: these are spread over the list.
TEST(Settable, IsTakenBySet) {
  for (const char* model : {"hmmwv", "pendulum", "quarter-car-a"}) {
    Spec spec;
    const auto list = settable_of(model, spec);
    const std::size_t stride = std::max<std::size_t>(1, list.size() / 40);
    for (std::size_t i = 0; i < list.size(); i += stride) {
      const Settable& e = list[i];
      if (e.value.empty()) continue;
      Spec changed = spec;
      Diagnostics diag;
      EXPECT_TRUE(override_value(changed, e.name, {e.value, {"--set", 0, e.name}}, diag) &&
                  diag.ok())
          << e.name << " = " << e.value << ": " << diag.text();
    }
  }
}

}  // namespace
}  // namespace chicane::settable_test
