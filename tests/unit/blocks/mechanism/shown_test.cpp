// SPDX-License-Identifier: Apache-2.0

// Signals of force elements, cut joints and power; and one sign for forces and commands.

#include <gtest/gtest.h>

#include <cmath>

#include "assembly/assemble.hpp"
#include "blocks/mechanism/describe.hpp"
#include "io/reader/reader.hpp"
#include "testkit/models.hpp"
#include "testkit/recorder.hpp"

namespace shown_test {
namespace {

using namespace chicane;
using testkit::compiled;
using testkit::compiled_builtin;
using testkit::plan;
using testkit::seen;

// --- signs ---------------------------------------------------------------------------------------

// A cart or a wheel of 2 kg or 2 kg m^2 on a joint, and a force upon it.
std::string one_body(const std::string& type, const std::string& connects, const std::string& force,
                     const std::string& numbers) {
  return fmt::format(R"(
format: chicane/1
parameters:
  gravity: [0, 0, 0, m/s^2]
  F: {{value: 6 N}}
  T: {{value: 6 N m}}
  bodies: {{body: {{mass: 2 kg, com: [0, 0, 0, m], inertia: {{diagonal: [2, 2, 2, kg m^2]}}}}}}
  joints: {{j: {{at: [0, 0, 0, m], axis: [1, 0, 0]}}}}
  forces: {{f: {{{3}}}}}
topology:
  bodies: [body]
  joints: {{j: {{type: {0}, connects: {1}}}}}
  forces: {{f: {{{2}}}}}
)",
                     type, connects, force, numbers);
}

// Whatever it acts on and whichever body comes first: a positive one makes the coordinate grow.
TEST(SignOfForces, IsTheSameEverywhere) {
  const std::string points = "points: [[-1, 0, 0, m], [0, 0, 0, m]], positive: apart, ",
                    swapped = "points: [[0, 0, 0, m], [1, 0, 0, m]], positive: apart, ";
  struct Case {
    std::string type, connects, force, numbers, coordinate;
  };
  for (const Case& c : {
           Case{"translational", "[ground, body]", "type: tsda, connects: [ground, body]",
                points + "force: 6 N", "displacement"},
           {"translational", "[ground, body]", "type: tsda, connects: [ground, body]",
            points + "command: F", "displacement"},
           {"translational", "[body, ground]", "type: tsda, connects: [body, ground]",
            swapped + "command: F", "displacement"},
           {"translational", "[ground, body]", "type: tsda, joint: j", "force: 6 N",
            "displacement"},
           {"translational", "[ground, body]", "type: tsda, joint: j", "command: F",
            "displacement"},
           {"translational", "[body, ground]", "type: tsda, joint: j", "command: F",
            "displacement"},
           {"revolute", "[ground, body]", "type: rsda, joint: j", "torque: 6 N m", "angle"},
           {"revolute", "[ground, body]", "type: rsda, joint: j", "command: T", "angle"},
           {"revolute", "[body, ground]", "type: rsda, joint: j", "torque: 6 N m", "angle"},
           {"revolute", "[body, ground]", "type: rsda, joint: j", "command: T", "angle"},
       }) {
    Simulation s(compiled(one_body(c.type, c.connects, c.force, c.numbers)), plan("rk4", 1e-3));
    const std::string force = c.coordinate == "angle" ? "f.torque" : "f.force";
    EXPECT_DOUBLE_EQ(seen(s, force), 6.0) << c.force << c.numbers;
    for (int i = 0; i < 100; ++i) ASSERT_EQ(s.step(), Status::ok);
    const auto end = seen(s, {"j." + c.coordinate, "j." + c.coordinate + "_rate", "f.rate"});
    EXPECT_NEAR(end[0], 0.5 * 3.0 * 0.01, 1e-12) << c.force << " " << c.numbers << c.connects;
    EXPECT_NEAR(end[1], 0.3, 1e-12);
    EXPECT_NEAR(end[2], 0.3, 1e-12);  // of the element: longer, further
  }
}

TEST(SignOfForces, IsAWarningWhereAFileMayBeOlder) {
  const auto warnings = [](const std::string& numbers) {
    Diagnostics diag;
    const auto spec = read_model_text(
        one_body("translational", "[ground, body]", "type: tsda, connects: [ground, body]",
                 "points: [[-1, 0, 0, m], [0, 0, 0, m]], " + numbers),
        "test.yaml", diag);
    EXPECT_TRUE(spec) << diag.text();
    EXPECT_TRUE(compile_mechanism(*spec, diag)) << diag.text();
    std::string text;
    for (const Diagnostic& d : diag.all()) text += d.message;
    return text;
  };
  for (const char* old : {"force: 6 N", "command: F", "stiffness: 3 N/m, force: 6 N"})
    EXPECT_NE(warnings(old).find("positive: apart"), std::string::npos) << old;
  for (const char* known : {"force: 6 N, positive: apart", "stiffness: 3 N/m", "damping: 3 N s/m"})
    EXPECT_EQ(warnings(known), "") << known;
}

// --- cut joints ----------------------------------------------------------------------------------

// The same mechanism with its loop opened at one joint or another: a joint shows the same angle and
// rate whether it is a state or not.
TEST(ShownSignals, OfACutJointAreThoseOfAJointOfTheTree) {
  const auto model = [](const std::string& cut) {
    return compiled(R"(
format: chicane/1
parameters:
  bodies:
    crank: {mass: 1 kg, com: [0, 0.15, 0, m], inertia: {diagonal: [0.02, 0.02, 0.02, kg m^2]}}
    rod: {mass: 1 kg, com: [0.3, 0.2, 0, m], inertia: {diagonal: [0.02, 0.02, 0.02, kg m^2]}}
    block: {mass: 1 kg, com: [0.6, 0, 0, m], inertia: {diagonal: [0.02, 0.02, 0.02, kg m^2]}}
  joints:
    A: {at: [0, 0, 0, m], axis: [0, 0, 1], initial_rate: 3 rad/s}
    B: {at: [0, 0.3, 0, m], axis: [0, 0, 1]}
    C: {at: [0.6, 0, 0, m], axis: [0, 0, 1]}
    D: {at: [0.6, 0, 0, m], axis: [1, 0, 0]}
topology:
  bodies: [crank, rod, block]
  joints:
    A: {type: revolute, connects: [ground, crank]}
    B: {type: revolute, connects: [crank, rod]}
    C: {type: revolute, connects: [block, rod]}
    D: {type: translational, connects: [ground, block]}
  cut: [)" + cut + "]\n");
  };
  const std::vector<std::string> names{
      "A.angle",      "B.angle",      "C.angle",      "D.displacement",
      "A.angle_rate", "B.angle_rate", "C.angle_rate", "D.displacement_rate"};
  std::vector<double> first;
  for (const char* cut : {"A", "B", "C", "D"}) {
    Simulation s(model(cut), plan("rk4", 1e-3));
    for (int i = 0; i < 200; ++i) ASSERT_EQ(s.step(), Status::ok);
    const auto values = seen(s, names);
    if (first.empty()) first = values;
    for (std::size_t i = 0; i < names.size(); ++i)
      EXPECT_NEAR(values[i], first[i], 1e-7) << names[i] << " with " << cut << " cut";
    EXPECT_GT(std::fabs(values[2]), 0.05);
  }
}

// --- vehicles ------------------------------------------------------------------------------------

TEST(ShownSignals, OfSpringsAndDampersOfAVehicle) {
  Simulation s(compiled_builtin("hmmwv"), plan("rk4", 1e-3));
  for (int i = 0; i < 300; ++i) ASSERT_EQ(s.step(), Status::ok);
  const auto spring = seen(s, {"spring_fl.force", "spring_fl.length", "spring_fl.travel",
                               "spring_fl.rate", "damper_fl.rate", "damper_fl.force"});
  EXPECT_GT(spring[0], 1e3);  // it carries the vehicle
  EXPECT_GT(spring[1], 0.1);
  EXPECT_LT(std::fabs(spring[2]), 0.2);
  EXPECT_LE(spring[5] * spring[4], 0.0);  // a damper takes
  for (const SignalInfo& signal : s.structure().signals)
    if (signal.name.rfind("spring_fl.", 0) == 0) {
      EXPECT_TRUE(signal.on_request) << signal.name;
    }
}

// --- power ---------------------------------------------------------------------------------------

// d(energy.total)/dt = power.applied + power.drives - power.dissipated, integrated by the scheme.
TEST(ShownSignals, PowerIsTheRateOfTheEnergy) {
  Simulation s(compiled(R"(
format: chicane/1
parameters:
  w: {value: 3 rad/s}
  tau: {value: 3 N m}
  F: {value: 5 N}
  bodies:
    crank: {mass: 2 kg, com: [0.3, 0, 0, m], inertia: {diagonal: [0.1, 0.1, 0.1, kg m^2]}}
    arm: {mass: 1 kg, com: [0.9, 0, 0, m], inertia: {diagonal: [0.1, 0.1, 0.1, kg m^2]}}
  joints:
    motor: {at: [0, 0, 0, m], axis: [0, 1, 0], motion: [sin(w*t), w*cos(w*t), -w^2*sin(w*t)]}
    elbow: {at: [0.6, 0, 0, m], axis: [0, 1, 0]}
  forces:
    servo: {damping: 0.4 N m s/rad, stiffness: 2 N m/rad, command: tau*sin(w*t)}
    jack: {points: [[2, 0, 1, m], [1, 0, 0, m]], damping: 2 N s/m, command: F, positive: apart}
    jet: {at: [1.2, 0, 0, m], force: [0, 0, 2, N], axes: body}
topology:
  bodies: [crank, arm]
  joints:
    motor: {type: revolute, connects: [ground, crank], driven: true}
    elbow: {type: revolute, connects: [crank, arm]}
  forces:
    servo: {type: rsda, joint: elbow}
    jack: {type: tsda, connects: [ground, arm]}
    jet: {type: wrench, connects: [arm]}
equations:
  states: {work: {der: power.applied + power.drives - power.dissipated, unit: J}}
)"),
               plan("rk4", 1e-3));
  const double before = seen(s, "energy.total");
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(s.step(), Status::ok);
  const auto after = seen(s, {"energy.total", "work", "power.drives"});
  EXPECT_NEAR(after[0] - before, after[1], 1e-7);
  EXPECT_GT(std::fabs(after[0] - before), 0.1);
}

}  // namespace
}  // namespace shown_test
