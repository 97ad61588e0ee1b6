// SPDX-License-Identifier: Apache-2.0

// Where the model of a vehicle ends, and what its sensors say when it slides or stands.

#include "assembly/limits.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"
#include "testkit/recorder.hpp"

namespace limits_test {
namespace {

using namespace chicane;

using Settings = std::vector<std::pair<std::string, std::string>>;

struct Car {
  Car(const std::string& manoeuvre, const Settings& set, const std::string& more = "") {
    Diagnostics diag;
    auto spec = read_model("hmmwv", diag);
    if (spec) spec = read_manoeuvre(manoeuvre, std::move(*spec), diag);
    if (spec && !more.empty())
      spec = read_manoeuvre("more.yaml", std::move(*spec), diag,
                            [&](const std::string&) { return std::optional(more); });
    EXPECT_TRUE(spec) << diag.text();
    for (const auto& [name, value] : set)
      override_value(*spec, name, {value, {"test", 0, name}}, diag);
    EXPECT_TRUE(diag.ok()) << diag.text();
    structure = compile_for_run(*spec, diag);
    EXPECT_TRUE(structure) << diag.text();
    simulation = std::make_unique<Simulation>(structure, plan_run(*spec, *structure, diag)->plan);
  }
  std::shared_ptr<const ModelStructure> structure;
  std::unique_ptr<Simulation> simulation;
};

// --- the end of the model
// --------------------------------------------------------------------------

TEST(VehicleLimits, ATiltedVehicleEndsTheRun) {
  Car parked("parked-on-a-slope", {{"grade", "0.2"}, {"chassis.tilt_limit", "10 deg"}});
  EXPECT_EQ(parked.simulation->step(), Status::interrupted);
  const auto why = beyond_limits(*parked.simulation);
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("rolled over"), std::string::npos) << *why;
  EXPECT_NE(why->find("10 deg"), std::string::npos) << *why;

  Car within("parked-on-a-slope", {{"grade", "0.2"}, {"chassis.tilt_limit", "13 deg"}});
  EXPECT_EQ(within.simulation->step(), Status::ok);
  EXPECT_FALSE(beyond_limits(*within.simulation));
}

TEST(VehicleLimits, ABodyInTheGroundEndsTheRun) {
  const auto with_point = [](const char* z) {
    return std::string("format: chicane/1\nvehicle: {chassis: {points: [[1, 0, ") + z + ", m]]}}\n";
  };
  Car above("braking", {}, with_point("-0.4"));
  EXPECT_EQ(above.simulation->step(), Status::ok);
  Car below("braking", {}, with_point("-0.8"));  // the reference is 0.59 m over the ground
  EXPECT_EQ(below.simulation->step(), Status::interrupted);
  const auto why = beyond_limits(*below.simulation);
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("in the ground"), std::string::npos) << *why;
}

TEST(VehicleLimits, AnEventOfTheFileIsNoLimit) {
  Car stopped("braking", {},
              "format: chicane/1\nequations: {events: {enough: {when: 't > 0 [s]', do: [{stop: "
              "enough}]}}}\n");
  Status status = Status::ok;
  for (int k = 0; k < 10 && status == Status::ok; ++k) status = stopped.simulation->step();
  EXPECT_EQ(status, Status::interrupted);
  EXPECT_FALSE(beyond_limits(*stopped.simulation));
}

// --- sensors
// ---------------------------------------------------------------------------------------

// Slip is over the faster of rolling and travel: wheels that lock slip by -1 and no more, one that
// its brake springs back by less than 2, a wheel at rest by 0; the ground speed is that of the
// vehicle wherever it points, and the path acceleration its rate.
TEST(VehicleSensors, SlipsAreBoundedAndSpeedsAgree) {
  Car run("braking",
          {{"pedal", "1"}, {"t_brake", "0.1 s"}, {"speed", "4 m/s"}, {"terrain.friction", "0.5"}});
  Simulation& s = *run.simulation;
  const std::vector<std::string> names{
      "wheel.fl.slip",        "wheel.rl.slip", "wheel.fl.slip_angle", "chassis.sideslip",
      "chassis.ground_speed", "chassis.speed", "chassis.side_speed",  "chassis.path_acceleration",
      "wheel.fl.spin",        "wheel.rl.spin"};
  testkit::Recorder reader(s, names);
  double least = 0.0, before = 4.0, worst = 0.0;
  while (s.time() < 5.0) {
    ASSERT_EQ(s.step(&reader), Status::ok);
    const auto& v = reader.values;
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_LE(std::fabs(v[i]), v[8 + i] * v[5] >= 0.0 ? 1.0 + 1e-12 : 2.0) << s.time();
    EXPECT_LE(std::fabs(v[2]), 1.58);
    EXPECT_NEAR(v[4], std::hypot(v[5], v[6]), 1e-12);
    // until it stops; the reference is not the centre of mass, which pitches
    if (v[4] > 1.0) worst = std::max(worst, std::fabs((v[4] - before) / 5e-4 - v[7]));
    before = v[4];
    least = std::min(least, v[0]);
  }
  EXPECT_LT(least, -0.9);  // it locks
  EXPECT_LT(worst, 1.5);
  EXPECT_NEAR(reader.values[0], 0.0, 1e-2);  // it stands
  EXPECT_NEAR(reader.values[3], 0.0, 1e-2);
  EXPECT_LT(reader.values[4], 1e-3);
}

}  // namespace
}  // namespace limits_test
