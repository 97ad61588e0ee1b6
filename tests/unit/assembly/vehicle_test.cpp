// SPDX-License-Identifier: Apache-2.0

// A whole vehicle: the laws that hold whatever its numbers are, and figures of another simulator.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "math/vec3.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/drive.hpp"

namespace vehicle_test {
namespace {

using namespace chicane;

constexpr std::array kWheels{"fl", "fr", "rl", "rr"};
constexpr double kMass = 2573.138, kGravity = 9.81;  // [kg], [m/s^2]

using testkit::Drive, testkit::of_wheels, testkit::Settings;

Spec hmmwv(const std::string& manoeuvre = "", const Settings& set = {}) {
  return testkit::built_in("hmmwv", manoeuvre, set);
}

// It starts where its file puts it, and falls.
Spec dropped(Spec spec) {
  DataSpec* start = spec.vehicle->find("start");
  start->entries.push_back(
      {"state", DataSpec{.kind = DataSpec::Kind::text, .text = {"dropped", {}}}});
  return spec;
}

// --- at rest -------------------------------------------------------------------------------------

TEST(Vehicle, StandsLevelOnItsFourWheels) {
  Drive d(hmmwv("", {{"hand_brake", "1"}}), "ab2", "0.5 ms");
  d.until(20.0);
  const auto loads = d.read(of_wheels("load"));
  EXPECT_NEAR(loads[0] + loads[1] + loads[2] + loads[3], kMass * kGravity, 1e-3);
  EXPECT_NEAR(loads[0], loads[1], 1e-6);
  EXPECT_NEAR(loads[2], loads[3], 1e-6);
  // The centre of mass is 0.05 m ahead of the middle of the axles, 3.3 m apart.
  EXPECT_NEAR((loads[0] + loads[1]) / (kMass * kGravity), 0.5 + 0.0506 / 3.302, 2e-3);
  EXPECT_NEAR(d["chassis.roll"], 0.0, 1e-9);
  EXPECT_NEAR(d["chassis.speed"], 0.0, 1e-6);
}

// The same vehicle in Project Chrono, rolling freely at 18 m/s, one second after it was put on the
// ground: loads 6562.78, 6565.28, 6082.22, 6073.95 N, height 0.58725 m, pitch 0.00143 rad, toe-in
// 0.0203 rad. Its steering link is not symmetric, and its springs are straight between points.
TEST(Vehicle, RollsWithTheLoadsOfAnotherSimulator) {
  Drive d(hmmwv("coast-down", {{"speed", "18 m/s"}}), "ab2", "0.5 ms");
  d.until(8.0);
  const auto loads = d.read(of_wheels("load"));
  EXPECT_NEAR(loads[0], 0.5 * (6562.78 + 6565.28), 0.01 * 6564);
  EXPECT_NEAR(loads[2], 0.5 * (6082.22 + 6073.95), 0.01 * 6078);
  EXPECT_NEAR(d["chassis.z"], 0.58725, 2e-3);
  EXPECT_NEAR(d["chassis.pitch"], 0.00143, 5e-4);
  EXPECT_NEAR(d["wheel.fl.toe"], 0.0203, 1e-3);
}

// Turning in, free rolling, at t = 10 s: yaw rate 0.31765 rad/s at 10.92 m/s, roll 0.01636 rad. The
// pitman arm's 6 degrees on 0.129 m are 13.5 mm of our rack.
TEST(Vehicle, TurnsAsInAnotherSimulator) {
  Diagnostics diag;
  const auto text = [](const std::string& /*path*/) -> std::optional<std::string> {
    return R"(
format: chicane/1
vehicle:
  start: {speed: 18 m/s}
  driver:
    gear: 0
    steering: {type: schedule, angle: {x: [0, 1, 1.2, s], y: [0, 0, 1.618, rad]}}
)";
  };
  const auto spec = read_manoeuvre("turn.yaml", hmmwv(), diag, text);
  ASSERT_TRUE(spec) << diag.text();
  Drive d(*spec, "ab2", "0.5 ms");
  d.until(10.0);
  EXPECT_NEAR(d["chassis.yaw_rate"], 0.31765, 0.05 * 0.31765);
  EXPECT_NEAR(d["chassis.speed"], 10.92, 0.05 * 10.92);
  EXPECT_NEAR(d["chassis.roll"], 0.01636, 2e-3);
  EXPECT_NEAR(d["chassis.yaw"], 3.3609, 0.05 * 3.3609);
}

// --- symmetry ------------------------------------------------------------------------------------

TEST(Vehicle, LeftAndRightAreMirrorImages) {
  Drive left(hmmwv("step-steer", {{"angle", "1 rad"}}), "ab2", "1 ms"),
      right(hmmwv("step-steer", {{"angle", "-1 rad"}}), "ab2", "1 ms");
  left.until(4.0);
  right.until(4.0);
  for (const char* same : {"chassis.x", "chassis.z", "chassis.pitch", "chassis.speed"})
    EXPECT_NEAR(left[same], right[same], 1e-9 * (1.0 + std::fabs(left[same]))) << same;
  for (const char* turned : {"chassis.y", "chassis.yaw", "chassis.roll", "chassis.yaw_rate",
                             "chassis.lateral_acceleration"}) {
    EXPECT_NEAR(left[turned], -right[turned], 1e-9 * (1.0 + std::fabs(left[turned]))) << turned;
    EXPECT_GT(std::fabs(left[turned]), 1e-3) << turned;
  }
  const auto a = left.read(of_wheels("load")), b = right.read(of_wheels("load"));
  for (std::size_t i : {0U, 2U}) {
    EXPECT_NEAR(a[i], b[i + 1], 1e-5);
    EXPECT_NEAR(a[i + 1], b[i], 1e-5);
  }
}

TEST(Vehicle, IsPulledToTheSideOfAWheelThatDrags) {
  Drive left(hmmwv("coast-down", {{"wheel.fl.rolling_resistance", "0.2"}}), "ab2", "1 ms"),
      right(hmmwv("coast-down", {{"wheel.fr.rolling_resistance", "0.2"}}), "ab2", "1 ms");
  left.until(3.0);
  right.until(3.0);
  EXPECT_GT(left["chassis.yaw"], 1e-3);
  EXPECT_NEAR(left["chassis.yaw"], -right["chassis.yaw"], 1e-9);
  EXPECT_NEAR(left["chassis.speed"], right["chassis.speed"], 1e-9);
}

// --- numbers -------------------------------------------------------------------------------------

// Whatever is listed as a parameter can be set, whether the file mentions it or not. (Every fifth,
// for the time it takes.)
TEST(Vehicle, TakesNewValuesForItsParameters) {
  const Spec before = hmmwv();
  Diagnostics diag;
  const auto structure = compile(before, Partition::together(before), diag);
  ASSERT_TRUE(structure) << diag.text();
  int in_sections = 0, before_the_run = 0;
  for (int i = 0; i < structure->parameters.size(); i += 5) {
    const ParameterInfo& p = structure->parameters[ParameterIndex{i}];
    const double value = 0.97 * p.value;
    Spec spec = before;
    ASSERT_TRUE(override_value(spec, p.name,
                               {fmt::format("{} {}", value, to_string(p.dimension)), {}}, diag))
        << p.name << ": " << diag.text();
    const auto changed = compile(spec, Partition::together(spec), diag);
    ASSERT_TRUE(changed) << p.name << ": " << diag.text();
    Simulation s(changed, plan_run(spec, *changed, diag)->plan);
    const ParameterInfo& now = changed->parameters[ParameterIndex{i}];
    ASSERT_EQ(now.name, p.name);
    EXPECT_NEAR(s.state().constants[now.slot], value, 1e-12 * std::fabs(value)) << p.name;
    ++(spec.initial.empty() ? in_sections : before_the_run);
  }
  EXPECT_GT(in_sections, 5);
  EXPECT_GT(before_the_run, 5);
}

// Where and how it starts is set by name, with the section's name before it or not, numbers and
// lists alike; also where its file says nothing of a start.
TEST(Vehicle, TakesNewValuesForItsStart) {
  const Spec set = hmmwv("coast-down", {{"vehicle.start.speed", "12 m/s"},
                                        {"start.heading", "0.3 rad"},
                                        {"vehicle.start.position", "[5, 7, 0.6, m]"},
                                        {"start.joints.lower_arm_fl", "-0.2"}});
  Drive d(set, "ab2", "1 ms");
  EXPECT_NEAR(d["chassis.speed"], 12.0, 1e-9);
  EXPECT_NEAR(d["chassis.yaw"], 0.3, 1e-9);
  EXPECT_NEAR(d["chassis.x"], 5.0, 1e-9);
  EXPECT_NEAR(d["chassis.y"], 7.0, 1e-9);
  Spec bare = hmmwv();
  std::erase_if(bare.vehicle->entries, [](const auto& e) { return e.first == "start"; });
  Diagnostics diag;
  EXPECT_TRUE(override_value(bare, "vehicle.start.speed", {"3 m/s", {}}, diag)) << diag.text();
  ASSERT_NE(bare.vehicle->find("start"), nullptr);
  EXPECT_FALSE(override_value(bare, "vehicle.start.sped", {"3 m/s", {}}, diag));
  EXPECT_TRUE(override_value(bare, "vehicle.wind", {"[3, 0, 0, m/s]", {}}, diag));
  EXPECT_FALSE(override_value(bare, "vehicle.wnid", {"3", {}}, diag));
}

// In a turn to the left the tie rods push the wheel back: the driver holds against them with the
// same torque whichever way the vehicle is heading.
TEST(Vehicle, IsHeldByTheHandInATurn) {
  std::vector<double> felt;
  for (const char* heading : {"0 rad", "2 rad", "-1.3 rad"}) {
    Drive d(hmmwv("step-steer", {{"t_steer", "0.01 s"}, {"start.heading", heading}}), "ab2",
            "1 ms");
    d.until(1.0);
    felt.push_back(d["steering.hand_torque"]);
  }
  EXPECT_GT(felt[0], 2.0);
  EXPECT_NEAR(felt[1], felt[0], 1e-6 * felt[0]);
  EXPECT_NEAR(felt[2], felt[0], 1e-6 * felt[0]);
}

// On the arc of a pitman arm the rack's points go round circles and the rack does not turn: figures
// of Project Chrono's HMMWV (arm of 0.129 m, leaning by 18.5 degrees). What the hand feels does the
// work of the tie rods.
TEST(Vehicle, SteersByAPitmanArm) {
  Diagnostics diag;
  const auto spec = read_manoeuvre("arm.yaml", hmmwv("step-steer"), diag, [](const std::string&) {
    return std::optional<std::string>(R"(
format: chicane/1
parameters: {t_steer: 0.01 s, angle: 6 rad, speed: 5 m/s}
vehicle:
  steering:
    body:
      at: [1.36731, 0.249, 0.06039, m]
      pitman: {pivot: [1.24498, 0.249, 0.101322, m], mass: 1.605 kg, com: [1.30567, 0.249, 0.08101, m]}
)");
  });
  ASSERT_TRUE(spec) << diag.text();
  Drive d(*spec, "ab2", "1 ms");
  const auto place = [&] {  // of the rack's centre and its axis x, seen from the chassis
    const auto v = d.read({"rack.x", "rack.y", "rack.z", "chassis.x", "chassis.y", "chassis.z",
                           "mount.chassis.d_x", "mount.chassis.d_y", "mount.chassis.d_z",
                           "mount.chassis.e_x", "mount.chassis.e_y", "mount.chassis.e_z"});
    const Vec3<double> p{v[0] - v[3], v[1] - v[4], v[2] - v[5]}, x{v[6], v[7], v[8]},
        y{v[9], v[10], v[11]};
    return Vec3<double>{dot(p, x), dot(p, y), dot(p, cross(x, y))};
  };
  const Vec3<double> before = place();
  d.until(1.5);
  const Vec3<double> moved = place() - before;
  const double phi = d["steering.rack"] / 0.129, back = 0.129 * (1 - std::cos(phi));
  EXPECT_NEAR(phi, 6.0 / 120 / 0.129, 1e-3);
  const double lean = 18.5 * M_PI / 180;
  EXPECT_NEAR(moved.y, -0.129 * std::sin(phi), 1e-5);
  EXPECT_NEAR(moved.x, -back * std::cos(lean), 1e-5);
  EXPECT_NEAR(moved.z, back * std::sin(lean), 1e-5);
  const auto turns = d.read({"rack.omega_x", "rack.omega_y", "rack.omega_z", "chassis.omega_x",
                             "chassis.omega_y", "chassis.omega_z"});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(turns[i], turns[i + 3], 1e-9);
  EXPECT_GT(d["steering.hand_torque"], 1.0);
  const auto refused = [&](const std::string& body, const std::string& words) {
    Diagnostics faults;
    auto bad = read_manoeuvre("arm.yaml", hmmwv("step-steer"), faults, [&](const std::string&) {
      return std::optional<std::string>("format: chicane/1\nvehicle: {steering: {body: " + body +
                                        "}}\n");
    });
    if (bad) compile(*bad, Partition::together(*bad), faults);
    EXPECT_NE(faults.text().find(words), std::string::npos) << faults.text();
  };
  refused("{pitman: {mass: 1 kg, com: [1.3, 0, 0, m]}}", "'pivot' is missing");
  refused("{pitman: {pivot: [1.3, 0.5, 0, m], mass: 1 kg, com: [1.3, 0, 0, m]}}", "square");
}

// A gust is an input of the model, in the world, on top of the wind of the file; at the speed of
// the air there is no drag. A tire without overturning moment has none.
TEST(Vehicle, FeelsGustsAndCanDoWithoutOverturningMoments) {
  Diagnostics diag;
  const auto aero = read_manoeuvre("aero.yaml", hmmwv("coast-down"), diag, [](const std::string&) {
    return std::optional<std::string>(
        "format: chicane/1\nvehicle:\n  start: {speed: 20 m/s}\n  wind: [4, 0, 0, m/s]\n"
        "  aerodynamics: {type: simple, area: 4 m^2, C_x: 0.7, C_y: -1}\n"
        "  axles: {front: {tire: {overturning: 0}}}\n");
  });
  ASSERT_TRUE(aero) << diag.text();
  const auto with = [&](const std::string& input, const std::string& wind) {
    Spec spec = *aero;
    Diagnostics unheard;
    EXPECT_TRUE(override_value(spec, input, {wind, {}}, unheard)) << unheard.text();
    Drive d(spec, "ab2", "1 ms");
    auto values = d.read({"aerodynamics.F_x", "aerodynamics.F_y"});
    d.until(0.3);
    for (const char* wheel : {"wheel.fl", "wheel.rl"})
      values.push_back(d[std::string(wheel) + ".overturning_moment"]);
    return values;
  };
  const double drag = 0.5 * 1.225 * 4 * 0.7 * 16 * 16;
  const auto calm = with("wind_x", "0 m/s");
  EXPECT_NEAR(calm[0], -drag, 0.01 * drag);
  EXPECT_NEAR(calm[1], 0, 1e-6);
  EXPECT_EQ(calm[2], 0);
  EXPECT_NE(calm[3], 0);
  EXPECT_NEAR(with("wind_x", "16 m/s")[0], 0, 1e-3 * drag);
  EXPECT_NEAR(with("wind_x", "-16 m/s")[0], -4 * drag, 0.04 * drag);
  EXPECT_GT(with("wind_y", "10 m/s")[1], 100);  // from the right it pushes to the left
}

TEST(Vehicle, TakesNewValuesForItsParametersFromAManoeuvre) {
  Diagnostics diag;
  const auto drag = read_manoeuvre("drag.yaml", hmmwv("coast-down"), diag, [](const std::string&) {
    return std::optional<std::string>(
        "format: chicane/1\nparameters: {wheel.fl.rolling_resistance: 0.2, chassis.mass: 2000 kg, "
        "brakes.friction.way: 0.02}\n");
  });
  ASSERT_TRUE(drag) << diag.text();
  const Spec set = hmmwv("coast-down", {{"wheel.fl.rolling_resistance", "0.2"},
                                        {"chassis.mass", "2000 kg"},
                                        {"brakes.friction.way", "0.02"}});
  Drive a(*drag, "ab2", "1 ms"), b(set, "ab2", "1 ms"), c(hmmwv("coast-down"), "ab2", "1 ms");
  for (Drive* d : {&a, &b, &c}) d->until(1.0);
  EXPECT_EQ(a["chassis.x"], b["chassis.x"]);
  EXPECT_LT(a["chassis.x"], c["chassis.x"] - 0.01);
}

// Nothing is set that nobody reads.
void expect_no_bogus_key(const Spec& spec, const DataSpec& section, const std::string& path) {
  for (const auto& [key, value] : section.entries) {
    if (value.kind != DataSpec::Kind::mapping) continue;
    const std::string inside = path.empty() ? key : path + "." + key;
    Spec changed = spec;
    Diagnostics diag;
    EXPECT_FALSE(override_value(changed, inside + ".bogus", {"1", {"--set", 0, ""}}, diag))
        << inside;
    EXPECT_FALSE(diag.ok()) << inside;
    expect_no_bogus_key(spec, value, inside);
  }
}

TEST(Vehicle, RefusesKeysItDoesNotKnowInEverySection) {
  const Spec spec = hmmwv("double-lane-change");
  expect_no_bogus_key(spec, *spec.vehicle, "");
}

// --- convergence ---------------------------------------------------------------------------------

// Tires in the place of the TMeasy tire, of its size. Forces of the carpet are made up.
constexpr const char* kLinear = "slip_stiffness: 100 kN, cornering_stiffness: 50 kN, trail: 40 mm";
constexpr const char* kFiala =
    "slip_stiffness: 193.929 kN, cornering_stiffness: 50 kN, friction_max: 0.9835, "
    "friction_min: 0.5568, road_friction: 0.8, trail_width: 318 mm";
constexpr const char* kCarpet =
    "load: [4, 8, 16, kN], slip: [0, 0.03, 0.1, 0.3, 1], tan_slip_angle: [0, 0.05, 0.12, 0.25, "
    "0.6], longitudinal_force: [0, 0, 0, 2, 3.9, 7.2, 3.5, 6.8, 12.5, 3.1, 6.1, 11.5, 2.6, 5.2, "
    "9.8, kN], lateral_force: [0, 0, 0, 1.4, 2.5, 4.2, 2.7, 5, 9, 3.2, 6, 11.2, 3.1, 5.8, 10.8, "
    "kN], aligning_moment: [0, 0, 0, 60, 130, 260, 70, 170, 380, 30, 80, 190, 5, 15, 40, N m], "
    "road_friction: 0.8";

Spec with_tire(Spec spec, const std::string& type, const std::string& numbers) {
  Diagnostics diag;
  const auto text = [&](const std::string& /*path*/) -> std::optional<std::string> {
    const std::string tire = fmt::format(
        "{{type: {}, radius: 0.4699 m, width: 0.3175 m, stiffness: 411 kN/m, damping: 3.9 kN s/m, "
        "rolling_resistance: 0.015, {}}}",
        type, numbers);
    return fmt::format(
        "format: chicane/1\nvehicle:\n  axles: {{front: {{tire: {0}}}, rear: {{tire: {0}}}}}\n",
        tire);
  };
  const auto out = read_manoeuvre("tire.yaml", std::move(spec), diag, text);
  EXPECT_TRUE(out) << diag.text();
  return *out;
}

// A swerve: the signals after it, by a step so small that its own error does not count.
struct Ride {
  const char *name, *scheme, *tire, *numbers;
  bool apart = false;  // powertrain and brakes in a group of their own, faster than the wheels
};
class OrderOfAVehicle : public testing::TestWithParam<Ride> {};
INSTANTIATE_TEST_SUITE_P(Rides, OrderOfAVehicle,
                         testing::Values(Ride{"tmeasy", "single-rate", "", ""},
                                         Ride{"tmeasy_in_two_groups", "multiframe", "", ""},
                                         Ride{"tmeasy_in_three_groups", "multiframe", "", "", true},
                                         Ride{"linear", "multiframe", "linear", kLinear},
                                         Ride{"fiala", "multiframe", "fiala", kFiala},
                                         Ride{"carpet", "multiframe", "carpet", kCarpet}),
                         [](const auto& r) { return r.param.name; });

TEST_P(OrderOfAVehicle, IsTwoWithAb2) {
  const Ride& ride = GetParam();
  Spec spec = hmmwv("step-steer", {{"t_steer", "0.2 s"}, {"angle", "0.8 rad"}});
  if (*ride.tire != 0) spec = with_tire(spec, ride.tire, ride.numbers);
  spec.run.ratio = {"2", {}};
  spec.run.interp = {"interp2", {}};
  if (ride.apart) {
    for (BlockSpec& b : spec.blocks)
      if (b.name == "powertrain" || b.name == "brakes") b.group = "driveline";
    spec.run.groups = {{.name = "driveline", .where = {}, .method = {}, .ratio = {"4", {}}}};
  }
  const std::vector<std::string> signals{"chassis.y", "chassis.yaw_rate", "wheel.fl.spin"};
  // One instant says little, where an error passes through 0.
  const auto path = [&](const std::string& step, const std::string& scheme) {
    Spec grouped = spec;
    if (scheme == "single-rate") grouped.run.groups.clear();
    Drive d(grouped, "ab2", step, scheme);
    std::vector<std::vector<double>> values;
    for (int i = 1; i <= 16; ++i) {
      d.until(0.05 * i);
      values.push_back(d.read(signals));
    }
    return values;
  };
  const auto exact = path("0.03125 ms", "single-rate");
  const auto error = [&](const std::string& step, std::size_t signal) {
    const auto found = path(step, ride.scheme);
    double sum = 0.0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      sum += std::fabs(found[i][signal] - exact[i][signal]);
    return sum;
  };
  for (std::size_t i = 0; i < signals.size(); ++i)
    EXPECT_NEAR(std::log2(error("0.5 ms", i) / error("0.25 ms", i)), 2.0, 0.3) << signals[i];
}

// --- energy --------------------------------------------------------------------------------------

// Chassis, suspensions and spins lose what tires, dampers, brakes and shafts take. Without brakes
// and shafts:   E(t) - E(0) + integral of what tires and dampers take = 0,   and tires give nothing
// back that they did not hold.
TEST(Vehicle, PowerOfTiresWheelsAndChassisIsBalanced) {
  Spec spec = dropped(
      hmmwv("coast-down", {{"speed", "15 m/s"}, {"vehicle.start.position", "[0, 0, 0.65, m]"}}));
  std::erase_if(spec.vehicle->entries, [](const auto& e) { return e.first == "powertrain"; });
  std::erase_if(spec.blocks, [](const BlockSpec& b) { return b.name == "powertrain"; });
  Drive d(spec, "rk4", "0.25 ms");

  std::vector<std::string> signals = of_wheels("tire_power");
  for (const char* more : {"tire_energy", "spin_energy"})
    for (const std::string& s : of_wheels(more)) signals.push_back(s);
  signals.emplace_back("energy.total");
  signals.emplace_back("power.dissipated");
  const auto sum = [](const std::vector<double>& v, std::size_t first) {
    return v[first] + v[first + 1] + v[first + 2] + v[first + 3];
  };
  testkit::Recorder reader(d.simulation(), signals);
  const auto look = [&] {
    d.simulation().observe_now(reader);
    return reader.values;
  };
  const auto start = look();
  double taken = 0.0, damped = 0.0;
  auto before = start;
  constexpr double kStep = 0.25e-3;
  for (int i = 0; i < 8000; ++i) {
    ASSERT_EQ(d.simulation().step(), Status::ok);
    const auto now = look();
    taken += 0.5 * kStep * (sum(before, 0) + sum(now, 0));
    damped += 0.5 * kStep * (before[13] + now[13]);
    EXPECT_GE(now[13], 0.0);
    before = now;
  }
  const double lost = start[12] + sum(start, 8) - before[12] - sum(before, 8);
  EXPECT_GT(lost, 1e3);     // rolling resistance has taken some
  EXPECT_GT(damped, 10.0);  // on its springs, after its fall
  EXPECT_NEAR(lost, taken + damped, 1e-6 * (0.5 * kMass * 15 * 15));
  EXPECT_GE(taken, sum(before, 4) - sum(start, 4));
}

// In the air and without gravity, turning over with spinning wheels: nothing from outside, so what
// bodies and spins have of angular momentum stays. The spins turn with their axes.
TEST(Vehicle, KeepsItsAngularMomentumInTheAir) {
  Spec spec = dropped(hmmwv("coast-down", {{"speed", "20 m/s"}, {"gravity", "0 m/s^2"}}));
  for (const char* part : {"powertrain", "brakes"}) {
    std::erase_if(spec.vehicle->entries, [&](const auto& e) { return e.first == part; });
    std::erase_if(spec.blocks, [&](const BlockSpec& b) { return b.name == part; });
  }
  Drive d(spec, "rk4", "0.5 ms");
  auto x = d.simulation().continuous();
  for (int i = 0; i < d.simulation().structure().states.size(); ++i) {
    const std::string& name = d.simulation().structure().states[StateIndex{i}].name;
    if (name == "vehicle.z") x[static_cast<std::size_t>(i)] += 10.0;
    if (name == "vehicle.omega_x") x[static_cast<std::size_t>(i)] = 0.5;
    if (name == "vehicle.omega_z") x[static_cast<std::size_t>(i)] = 0.8;
  }
  d.simulation().set_continuous(x);
  constexpr double kSpinInertia = 7.78782;  // [kg m^2]
  const auto total = [&](const std::string& axis) {
    double sum = d["angular_momentum." + axis];
    for (const char* w : kWheels)
      sum += kSpinInertia * d[std::string("wheel.") + w + ".spin"] *
             d[std::string("mount.") + w + ".e_" + axis];
    return sum;
  };
  const std::array before{total("x"), total("y"), total("z")};
  d.until(1.0);
  EXPECT_NEAR(d["wheel.fl.load"], 0.0, 0.0);
  EXPECT_NEAR(total("x"), before[0], 1e-3);
  EXPECT_NEAR(total("y"), before[1], 1e-3);
  EXPECT_NEAR(total("z"), before[2], 1e-3);
}

// --- standing, rolling, stopping -----------------------------------------------------------------

TEST(Vehicle, StaysWhereItIsParkedOnASlope) {
  Drive d(hmmwv("parked-on-a-slope"), "ab2", "1 ms");
  d.until(10.0);
  const double x = d["chassis.x"];
  d.until(70.0);
  EXPECT_NEAR(d["chassis.x"], x, 1e-3);
}

TEST(Vehicle, StopsAndStands) {
  Drive d(hmmwv("braking"), "ab2", "0.5 ms");
  d.until(8.0);
  EXPECT_NEAR(d["chassis.speed"], 0.0, 1e-3);
  const double x = d["chassis.x"];
  d.until(10.0);
  EXPECT_NEAR(d["chassis.x"], x, 1e-3);
  EXPECT_NEAR(d["chassis.y"], 0.0, 1e-6);
}

// Up a slope and back: what is lost is what rolling resistance takes, and nothing is won.
TEST(Vehicle, CoastsUpAndDownASlopeAndLosesWhatRollingTakes) {
  Drive d(hmmwv("coast-down", {{"speed", "10 m/s"}, {"grade", "0.05"}}), "ab2", "1 ms");
  std::vector<std::string> signals = of_wheels("rolling_moment");
  for (const std::string& s : of_wheels("spin")) signals.push_back(s);
  for (const char* more : {"chassis.x", "chassis.speed"}) signals.emplace_back(more);
  double rolled = 0.0;
  d.until(1.0);  // the suspension has settled
  const auto begin = d.read(signals);
  auto now = begin;
  while (now[8] > begin[8] - 1e-9 || now[9] > 0.0) {
    d.until(d.simulation().time() + 0.01);
    now = d.read(signals);
    for (std::size_t i = 0; i < 4; ++i) rolled -= 0.01 * now[i] * now[i + 4];
    ASSERT_LT(d.simulation().time(), 60.0);
  }
  // Spins count with the mass: 4 (7.79 + shafts) / R^2 add some 10 %.
  const double before = 0.5 * 1.1 * kMass * begin[9] * begin[9],
               after = 0.5 * 1.1 * kMass * now[9] * now[9];
  EXPECT_LT(after, before);
  EXPECT_NEAR(before - after, rolled, 0.1 * rolled);
}

// On two wheels for a while, then on the stops and on the ground again.
TEST(Vehicle, LiftsWheelsAndLandsAgain) {
  Diagnostics diag;
  const auto text = [](const std::string& /*path*/) -> std::optional<std::string> {
    return "format: chicane/1\nvehicle:\n  terrain: {type: bump, begin: 5 m, length: 3 m, height: "
           "0.3 m, friction: 0.9}\n";
  };
  const auto spec =
      read_manoeuvre("bump.yaml", hmmwv("coast-down", {{"speed", "15 m/s"}}), diag, text);
  ASSERT_TRUE(spec) << diag.text();
  Drive over(*spec, "ab2", "0.25 ms");
  bool lifted = false;
  for (int i = 1; i <= 200; ++i) {
    over.until(0.01 * i);
    for (const double load : over.read(of_wheels("load"))) lifted = lifted || load == 0.0;
  }
  EXPECT_TRUE(lifted);
  over.until(8.0);
  double sum = 0.0;
  for (const double load : over.read(of_wheels("load"))) sum += load;
  EXPECT_NEAR(sum, kMass * kGravity, 0.01 * kMass * kGravity);
}

TEST(Vehicle, DrivesBackwards) {
  Drive d(hmmwv("acceleration", {{"driver.gear", "-1"}}), "ab2", "0.5 ms");
  d.until(6.0);
  EXPECT_LT(d["chassis.speed"], -1.0);
  EXPECT_LT(d["wheel.fl.spin"], -2.0);
  EXPECT_NEAR(d["chassis.y"], 0.0, 1e-6);
}

// While a gear is brought to speed it carries what its synchroniser can, a fifth of 3 kN m.
TEST(Vehicle, ShiftsWithoutAJerk) {
  Drive d(hmmwv("acceleration"), "ab2", "1 ms");
  double most = 0.0;
  for (int i = 0; i < 1600; ++i) {
    d.until(2.4 + 0.001 * i);
    most = std::max(most, d["powertrain.gear_torque"]);
  }
  EXPECT_EQ(d["powertrain.gear_in_mesh"], 2.0);
  EXPECT_GT(most, 400.0);
  EXPECT_LT(most, 601.0);
}

TEST(Vehicle, StepsWithoutTheHeap) {
  Drive d(hmmwv("double-lane-change"), "ab2", "0.5 ms");
  d.until(0.1);
  const testkit::AllocationCounter counter;
  d.until(0.3);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace vehicle_test
