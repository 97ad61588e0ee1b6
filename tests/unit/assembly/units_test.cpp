// SPDX-License-Identifier: Apache-2.0

// Vehicles with any number of axles and units: what their names, payloads and couplings come to,
// and the built-in tractor-semitrailer.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "assembly/vehicle.hpp"
#include "multibody/mechanism.hpp"
#include "testkit/drive.hpp"

namespace units_test {
namespace {

using namespace chicane;

using testkit::Settings;

// A built-in vehicle with another text laid over it.
Spec read(const std::string& base, const std::string& more = "", const std::string& manoeuvre = "",
          const Settings& set = {}) {
  Diagnostics diag;
  const std::string text = "format: chicane/1\nbase: " + base + "\n" + more;
  auto spec = read_model_text(text, "over.yaml", diag);
  return testkit::with(std::move(spec), manoeuvre, set, diag);
}

// A run of one of which there is nothing to say.
struct Drive : testkit::Drive {
  explicit Drive(const Spec& spec, const std::string& method = "ab2",
                 const std::string& step = "0.5 ms")
      : testkit::Drive(spec, method, step) {
    EXPECT_TRUE(said.all().empty()) << said.text();
  }
};

const Settings kTurn{{"speed", "40 mph"}, {"angle", "40 deg"}, {"t_steer", "1 s"}};

Settings to_the_right(Settings s) {
  s[1].second = "-40 deg";
  return s;
}

std::vector<std::string> wheels(const std::string& signal) {
  std::vector<std::string> list;
  for (const char* w : {"fl", "fr", "drive_1_l", "drive_1_r", "drive_2_l", "drive_2_r",
                        "trailer_1_l", "trailer_1_r", "trailer_2_l", "trailer_2_r"})
    list.push_back(fmt::format("wheel.{}.{}", w, signal));
  return list;
}

// --- the tractor-semitrailer ---------------------------------------------------------------------

// The benchmark of the RTRD paper has twelve bodies and no loop. Freedoms: six of the tractor, one
// of the cab, one each of plate and kingpin, six of each of five axles.
TEST(TractorSemitrailer, HasTwelveBodiesAndNoLoop) {
  Diagnostics diag;
  const auto m = compile_mechanism(read("tractor-semitrailer"), diag);
  ASSERT_TRUE(m) << diag.text();
  EXPECT_EQ(m->bodies.size(), 12u);
  EXPECT_TRUE(m->clusters.empty());
  const auto d = describe_mechanism(read("tractor-semitrailer"), diag);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->joints.size(), 12u);
  int free = 0;
  for (const auto& j : d->joints) free += j.driven ? 0 : multibody::freedoms(j.kind);
  EXPECT_EQ(free, 6 + 1 + 1 + 1 + 5 * 6);
}

TEST(TractorSemitrailer, StandsWithTheLoadsOfItsClass) {
  Drive d(read("tractor-semitrailer", "", "", {{"hand_brake", "1"}}));
  d.until(2.0);
  const auto loads = d.read(wheels("load"));
  const double weight = (7950 + 120 + 4200 + 1500 + 22500) * 9.81;
  double sum = 0.0;
  for (const double f : loads) sum += f;
  EXPECT_NEAR(sum, weight, 1e-4 * weight);
  for (std::size_t i = 0; i < loads.size(); i += 2) EXPECT_NEAR(loads[i], loads[i + 1], 1e-6);
  const auto axle = [&](std::size_t i) { return (loads[2 * i] + loads[2 * i + 1]) / 9.81; };
  EXPECT_NEAR(axle(0), 5443, 60);              // 12,000 lb
  EXPECT_NEAR(axle(1) + axle(2), 15422, 100);  // 34,000 lb
  EXPECT_NEAR(axle(3) + axle(4), 15405, 100);
  EXPECT_NEAR(d["chassis.speed"], 0.0, 1e-4);
  EXPECT_NEAR(d["wheel.drive_1_l.load_outer"] + d["wheel.drive_1_l.load_inner"], loads[2], 1e-6);
}

// To the left and to the right are mirror images.
TEST(TractorSemitrailer, MirrorsItself) {
  Drive left(read("tractor-semitrailer", "", "step-steer", kTurn)),
      right(read("tractor-semitrailer", "", "step-steer", to_the_right(kTurn)));
  left.until(4.0), right.until(4.0);
  for (const char* odd : {"chassis.y", "chassis.yaw", "chassis.roll", "semitrailer.articulation",
                          "semitrailer.y", "semitrailer.lateral_acceleration"}) {
    EXPECT_NEAR(left[odd], -right[odd], 1e-9 * std::max(1.0, std::fabs(left[odd]))) << odd;
    EXPECT_GT(std::fabs(left[odd]), 1e-3) << odd;
  }
  for (const char* even : {"chassis.x", "chassis.z", "chassis.speed", "semitrailer.x"})
    EXPECT_NEAR(left[even], right[even], 1e-9 * std::max(1.0, std::fabs(left[even]))) << even;
}

// The benchmark, shorter: the trailer settles behind the tractor, and the way is a circle about one
// point, on which the same vehicle goes with a method of fourth order and half the step.
TEST(TractorSemitrailer, GoesRoundACircle) {
  Drive d(read("tractor-semitrailer", "", "step-steer", kTurn));
  d.until(20.0);
  const double before = d["semitrailer.articulation"];
  const auto centre = [&] {
    const auto v = d.read({"chassis.x", "chassis.y", "chassis.yaw", "chassis.speed",
                           "chassis.side_speed", "chassis.yaw_rate"});
    const double c = std::cos(v[2]), s = std::sin(v[2]);
    return std::pair{v[0] - (s * v[3] + c * v[4]) / v[5], v[1] + (c * v[3] - s * v[4]) / v[5]};
  };
  const auto first = centre();
  const double radius = d["chassis.ground_speed"] / d["chassis.yaw_rate"];
  EXPECT_NEAR(radius, 168.0, 3.0);  // [m] 4.6 m over 2 degrees is 132 m: it understeers
  d.until(40.0);
  const auto second = centre();
  EXPECT_LT(std::hypot(first.first - second.first, first.second - second.second), 0.02 * radius);
  EXPECT_NEAR(d["semitrailer.articulation"], before, 0.01 * before);
  EXPECT_GT(before, 0.05);  // a turn to the left
  EXPECT_NEAR(d["semitrailer.articulation_rate"], 0.0, 1e-4);

  Drive exact(read("tractor-semitrailer", "", "step-steer", kTurn), "rk4", "0.25 ms");
  exact.until(20.0);
  EXPECT_NEAR(exact["chassis.ground_speed"] / exact["chassis.yaw_rate"], radius, 1e-4 * radius);
}

// --- names, payloads, couplings ------------------------------------------------------------------

DataSpec* entry(Spec& spec, const std::vector<std::string>& path) {
  DataSpec* at = &*spec.vehicle;
  for (const std::string& key : path) at = at == nullptr ? nullptr : at->find(key);
  EXPECT_NE(at, nullptr);
  return at;
}

// A vehicle whose axles have other names is the same vehicle, to the bit.
TEST(Axles, NamesAreOnlyNames) {
  Spec plain = read("hmmwv", "", "step-steer"), renamed = plain;
  for (Spec* s : {&plain, &renamed})
    std::erase_if(s->vehicle->entries, [](const auto& e) { return e.first == "brakes"; });
  auto& axles = entry(renamed, {"axles"})->entries;
  axles[0].first = "first", axles[1].first = "second";
  DataSpec list{.kind = DataSpec::Kind::list, .text = {}};
  for (const char* name : {"first", "second"})
    list.list.push_back({.kind = DataSpec::Kind::text, .text = {name, {}}});
  entry(renamed, {"powertrain"})->entries.emplace_back("axles", list);
  for (auto& [name, value] : entry(renamed, {"start", "joints"})->entries)
    name = fmt::format("{}_{}_{}", "lower_arm", name[10] == 'f' ? "first" : "second", name[11]);
  declare_vehicle(plain), declare_vehicle(renamed);
  Drive a(plain), b(renamed);
  a.until(4.0), b.until(4.0);
  for (const char* s : {"chassis.x", "chassis.y", "chassis.z", "chassis.yaw", "chassis.roll"})
    EXPECT_EQ(a[s], b[s]) << s;
  EXPECT_EQ(a["wheel.rl.load"], b["wheel.second_l.load"]);
}

// What is fixed to the chassis is part of it: one body of both moves alike.
TEST(Payloads, AreAsIfTheChassisHadThem) {
  const double m1 = 2086.52, m2 = 400.0, x1 = 0.056, z1 = 0.213, x2 = -0.6, z2 = 0.5;
  const double m = m1 + m2, x = (m1 * x1 + m2 * x2) / m, z = (m1 * z1 + m2 * z2) / m;
  const double r = m1 * m2 / m, dx = x2 - x1, dz = z2 - z1;
  Drive apart(read("hmmwv",
                   "vehicle:\n  payloads: {load: {mass: 400 kg, com: [-0.6, 0, 0.5, m], inertia: "
                   "{diagonal: [20, 30, 40, kg m^2]}}}\n",
                   "step-steer"));
  Drive together(
      read("hmmwv",
           fmt::format("vehicle:\n  chassis: {{mass: {:.17g} kg, com: [{:.17g}, 0, "
                       "{:.17g}, m], inertia: {{diagonal: [{:.17g}, {:.17g}, {:.17g}, kg "
                       "m^2], products: [0, {:.17g}, 0, kg m^2]}}}}\n",
                       m, x, z, 1078.52 + 20 + r * dz * dz, 2955.66 + 30 + r * (dx * dx + dz * dz),
                       3570.2 + 40 + r * dx * dx, r * dx * dz),
           "step-steer"));
  apart.until(4.0), together.until(4.0);
  for (const char* s :
       {"chassis.x", "chassis.y", "chassis.z", "chassis.yaw", "chassis.roll", "wheel.rr.load"})
    EXPECT_NEAR(apart[s], together[s], 1e-8 * std::max(1.0, std::fabs(together[s]))) << s;
}

const char* const kTrailer = R"(
vehicle:
  units:
    trailer:
      coupling: {type: COUPLING, at: [-2.2, 0, -0.1, m]}
      chassis: {mass: 700 kg, com: [-2.4, 0, 0.5, m], inertia: {diagonal: [200, 900, 950, kg m^2]}}
      axles:
        trailing:
          at: [-2.5, 0, -0.05, m]
          suspension:
            type: solid-axle
            points: {spindle: [0, 0.8, 0, m]}
            axle: {mass: 90 kg, com: [0, 0, 0, m], inertia: {diagonal: [20, 2, 20, kg m^2]}}
            leaf_spring: {at: [0, 0.5, 0.1, m], stiffness: 60 kN/m, damping: 4 kN s/m, load: 3 kN, longitudinal_stiffness: 1 MN/m, lateral_stiffness: 1 MN/m, wind_up_stiffness: 20 kN m/rad}
          wheel: {mass: 30 kg, spin_inertia: 1.5 kg m^2, cross_inertia: 0.9 kg m^2}
          tire: {type: fiala, radius: 0.4699 m, width: 0.2 m, stiffness: 250 kN/m, damping: 500 N s/m, rolling_resistance: 0.012, slip_stiffness: 80 kN, cornering_stiffness: 50 kN, friction_max: 1, friction_min: 0.8, trail_width: 0.15 m}
  brakes: {type: by-axle, axles: {front: {torque: 4 kN m}, rear: {torque: 4 kN m}, trailing: {torque: 1 kN m}}}
)";

std::string trailer(const std::string& coupling) {
  std::string text = kTrailer;
  text.replace(text.find("COUPLING"), 8, coupling);
  return text;
}

// A trailer on a short drawbar follows: in the steady turn its wheels and those of the vehicle go
// about one point, and the angle is that of the geometry but for slips.
TEST(Units, ATrailerFollows) {
  for (const std::string coupling : {"ball", "hinge"}) {
    Drive d(read("hmmwv", trailer(coupling), "step-steer",
                 {{"speed", "4 m/s"}, {"angle", "3 rad"}, {"t_steer", "0.5 s"}}));
    d.until(12.0);
    const double r = d["chassis.speed"] / d["chassis.yaw_rate"];
    const double hitch = std::atan((-2.2 + 1.65) / r);  // of the velocity there, against the rear
    const double angle = std::asin(2.5 / std::hypot(r, 2.2 - 1.65)) - hitch;
    EXPECT_NEAR(d["trailer.articulation"], angle, 0.05 * angle) << coupling;
    EXPECT_NEAR(d["trailer.yaw_rate"], d["chassis.yaw_rate"], 1e-4) << coupling;
    EXPECT_NEAR(d["chassis.yaw"] - d["trailer.yaw"], d["trailer.articulation"], 1e-9) << coupling;
  }
}

TEST(Units, FaultsAreNamed) {
  const auto fault = [](const std::string& more) {
    Diagnostics diag;
    const auto spec = read_model_text("format: chicane/1\nbase: hmmwv\n" + more, "over.yaml", diag);
    if (spec) compile(*spec, partition_for(SchemeKind::single_rate, *spec), diag);
    return diag.text();
  };
  const auto expect = [&](const std::string& more, const std::string& words) {
    const std::string said = fault(more);
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  expect(trailer("rope"), "cannot be 'rope'");
  expect(trailer("fifth-wheel"), "'plate' is missing");
  std::string text = trailer("ball");
  text.replace(text.find("at: [-2.2"), 9, "to: nobody, at: [-2.2");
  expect(text, "there is no unit 'nobody'");
  text = trailer("ball");
  text.replace(text.find("trailing:"), 9, "rear:");
  expect(text, "there are two axles 'rear'");
  text = trailer("ball");
  text.replace(text.find("  brakes: "), 10, "#");
  expect(text, "take type by-axle");
  expect("vehicle: {powertrain: {axles: [front, middle]}}\n", "there is no axle 'middle'");
  expect("vehicle: {steering: {type: kingpins, ratio: 16}}\n", "kingpins");
  text = trailer("ball");
  text.replace(text.find("    trailer:\n"), 12, "    driver:\n");
  expect(text, "rename the unit");
}

}  // namespace
}  // namespace units_test
