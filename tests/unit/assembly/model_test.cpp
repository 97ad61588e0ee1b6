// SPDX-License-Identifier: Apache-2.0

// Parts of a vehicle as blocks of a model that is compiled and run.

#include <gtest/gtest.h>

#include <cmath>

#include "assembly/assemble.hpp"
#include "assembly/parts/parts.hpp"
#include "io/reader/reader.hpp"
#include "simulation/simulation.hpp"
#include "testkit/models.hpp"
#include "testkit/part_file.hpp"
#include "unit/assembly/parts/hmmwv_parts.hpp"

namespace model_test {
namespace {

using namespace chicane;
using namespace testkit;

// A car on a straight road whose wheels do not slip: only the parts are not equations.
const char* const kRoad = R"(
format: chicane/1
description: A car on a straight road.
parameters: {m: 2600 kg, R: 0.47 m}
groups:
  car:
    auxiliaries:
      omega: v/R
      drive: powertrain.torque_fl + powertrain.torque_fr + powertrain.torque_rl + powertrain.torque_rr
      hold: brakes.torque_fl + brakes.torque_fr + brakes.torque_rl + brakes.torque_rr
    states:
      x: {der: v, unit: m}
      v: {der: ((drive + hold)/R + aerodynamics.F_x)/m, unit: m/s}
)";

void add(Spec& spec, const std::string& name, const BlockKindPtr& kind,
         const std::vector<std::pair<std::string, std::string>>& wires) {
  BlockSpec block{.name = name, .group = "car"};
  block.native = kind;
  block.type.text = name;
  for (const PortInfo& input : kind->info().inputs) {
    std::string from = "0";
    for (const auto& [to, formula] : wires)
      if (input.name == to || (to == "speed_*" && input.name.starts_with("speed_"))) from = formula;
    block.wiring.push_back({input.name, {from, {}}});
  }
  spec.blocks.push_back(std::move(block));
}

std::shared_ptr<const ModelStructure> car(const std::string& driver) {
  Diagnostics diag;
  auto spec = read_model_text(kRoad, "road.yaml", diag);
  EXPECT_TRUE(spec) << diag.text();
  const auto powertrain = part_of(testkit::hmmwv::kPowertrain, powertrain_part);
  const auto read_driver = [&](Keys& keys) { return driver_part(keys, powertrain.gears); };
  add(*spec, "driver", part_of(driver, read_driver), {{"x", "x"}, {"speed", "v"}});
  add(*spec, "powertrain", powertrain.kind,
      {{"accelerator", "driver.accelerator"}, {"gear", "driver.gear"}, {"speed_*", "omega"}});
  add(*spec, "brakes", part_of(testkit::hmmwv::kBrakes, brakes_part),
      {{"pedal", "driver.brake"}, {"speed_*", "omega"}});
  add(*spec, "aerodynamics", part_of("type: simple\narea: 4 m^2\nC_x: 0.7", aerodynamics_part),
      {{"body.d_x", "1"}, {"body.e_y", "1"}, {"body.v_x", "v"}});
  auto structure = compile(*spec, Partition::together(*spec), diag);
  EXPECT_NE(structure, nullptr) << diag.text();
  return structure;
}

void run(Simulation& s, double until) {
  while (s.time() < until) ASSERT_EQ(s.step(), Status::ok) << s.time();
}

// A driver who wants 15 m/s gets there, through a gear, and stays; one who brakes then stands, and
// the brakes hold the creeping converter.
TEST(VehicleModel, DrivesAndStops) {
  const auto structure = car(R"(
speed: {type: control, speed: {x: [0, 30, 31, s], y: [15, 15, 0, m/s]}}
)");
  ASSERT_NE(structure, nullptr);
  Simulation s(structure, plan("rk4", 1e-3));
  run(s, 30);
  EXPECT_NEAR(value_in(s, "v"), 15, 0.1);
  EXPECT_EQ(value_in(s, "powertrain.gear_chosen"), 3);
  run(s, 45);
  EXPECT_NEAR(value_in(s, "v"), 0, 0.05);
  EXPECT_EQ(value_in(s, "powertrain.gear_chosen"), 1);
  EXPECT_NEAR(value_in(s, "powertrain.omega_e"), 800 * M_PI / 30, 5);
}

// Full throttle: a step half as long ends in the same place, with shifts where the steps let them.
TEST(VehicleModel, DoesNotDependOnTheStep) {
  const auto structure = car("speed: {type: schedule, accelerator: 1}");
  ASSERT_NE(structure, nullptr);
  const auto end = [&](double h) {
    Simulation s(structure, plan("rk4", h));
    run(s, 10);
    return value_in(s, "v");
  };
  const double v = end(1e-3);
  EXPECT_GT(v, 10);
  EXPECT_NEAR(end(5e-4), v, 1e-2);  // a shift one step earlier: 1 ms at 3 m/s^2
}

}  // namespace
}  // namespace model_test
