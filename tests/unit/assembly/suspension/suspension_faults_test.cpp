// SPDX-License-Identifier: Apache-2.0

// What is said of an axle that cannot be.

#include <gtest/gtest.h>

#include <algorithm>

#include "testkit/axles.hpp"

namespace suspension_faults_test {
namespace {

using namespace chicane;
using multibody::Description;
using namespace testkit::axles;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string faults(const std::string& text) {
  const Made m(text);
  EXPECT_FALSE(m.diag.ok());
  EXPECT_FALSE(m.axle);
  EXPECT_EQ(m.d.bodies.size(), 2u);  // nothing was added
  return m.diag.text();
}

// A damper whose 'ends' say that.
std::string with_ends(const std::string& text) {
  return replaced(kMacpherson, "damper: {damper:", "damper: {ends: {" + text + "}, damper:");
}

// Its lengths are wrong where it is at its end in the position of the file.
TEST(SuspensionFaults, ADamperThatIsAtItsEndFromTheStartIsWarnedOf) {
  for (const auto& [ends, warned] : {std::pair{"longer_than: 600 mm, damping: 1 kN s/m", false},
                                     std::pair{"longer_than: 60 mm, damping: 1 kN s/m", true},
                                     std::pair{"shorter_than: 600 mm, damping: 1 kN s/m", true}}) {
    const Made m(with_ends(ends));
    EXPECT_TRUE(m.axle);
    EXPECT_EQ(m.diag.text().find("are these lengths right?") != std::string::npos, warned) << ends;
  }
}

TEST(SuspensionFaults, NamePlaceAndRemedy) {
  const struct {
    std::string text, where, says;
    int number = 1;  // of faults: none brings others along
  } cases[] = {
      {replaced(kWishbone, "    upper_rear: [-0.268, 0.478, 0.196, m]\n", ""),
       "test.yaml:", "'upper_rear' is missing: a double-wishbone suspension needs it"},
      {replaced(kWishbone, "lower_rear:", "lower_back:"),
       "test.yaml:14: suspension.points.lower_back",
       "'points' of a double-wishbone suspension has no 'lower_back'; it has lower_front, ", 2},
      {replaced(kWishbone, "lower_outer: [-0.036, 0.787, -0.118, m]",
                "lower_outer: [0, 0.307, 0, m]"),
       "suspension.points", "lower_front, lower_rear and lower_outer lie on one line"},
      {replaced(kWishbone, "double-wishbone", "double-whishbone"), "test.yaml:5: suspension.type",
       "(did you mean 'double-wishbone'?); there are double-wishbone, macpherson"},
      {replaced(kTrailingArm, "arm: {mass: 12 kg", "arm: {mass: -12 kg"), "suspension.arm.mass",
       "the mass of body 'arm' is -12 kg; it cannot be negative"},
      {replaced(kTrailingArm, "arm: {mass: 12 kg", "arm: {mass: 0 kg"), "suspension.arm",
       "has no mass: give it one"},
      {replaced(kTrailingArm, "[0.2, 0.3, 0.4, kg m^2]", "[0.2, 0.3, 0.6, kg m^2]"),
       "suspension.arm.inertia", "no body can have the inertia of 'arm'"},
      {replaced(kTrailingArm, "  toe:", "  links: massless\n  toe:"), "suspension.links",
       "cannot be massless: remove 'links'"},
      {replaced(kTrailingArm, "  toe:", "  steered: true\n  toe:"), "suspension.steered",
       "a trailing-arm suspension has no 'steered'; it has arm, "},
      {replaced(kTrailingArm, "stiffness: 30 kN/m", "stiffness: 30 kN"), "spring.stiffness",
       "'30 kN' is a force"},
      {replaced(kTrailingArm, "stiffness: 30 kN/m, ", ""), "suspension.spring",
       "a spring needs a 'stiffness' or a 'spring'"},
      {replaced(kTrailingArm, "free_length: 400 mm", "on: arm"), "suspension.spring",
       "a spring has either a 'free_length', or a 'preload'"},
      {replaced(kTrailingArm, "free_length", "on: wheel, free_length"), "suspension.spring.on",
       "'on' may be arm"},
      {replaced(kTrailingArm, "free_length", "axis: [0, 0, 0], free_length"),
       "suspension.spring.axis", "this axis has no direction"},
      {with_ends("shorter_than: 0.4, damping: 1 kN s/m"), "ends.shorter_than",
       "'0.4' has no unit: this is a length"},
      {with_ends("shorter_than: 0.4 m"), "damper.ends", "needs a 'damping' or a 'damper'"},
      {with_ends("damping: 1 kN s/m"), "damper.ends", "'shorter_than' or 'longer_than', or both"},
      {with_ends("longer_than: 0.4 m, shorter_than: 0.5 m, damping: 1 kN s/m"), "damper.ends",
       "'shorter_than' must be less than 'longer_than'"},
      {with_ends("longer_than: 0.6 m, damping: -1 kN s/m"), "damper.ends", "cannot be negative"},
      {with_ends("longer_than: 0.6 m, damping: 1 kN s/m, over: 0 mm"), "damper.ends",
       "'over' of 'ends' of a damper must be more than 0"},
      {with_ends("longest: 0.6 m, longer_than: 0.6 m, damping: 1 kN s/m"), "ends.longest",
       "'ends' of a damper has no 'longest'"},
      {replaced(kTrailingArm, "spin_inertia: 0.07352", "spin_inertia: 0.7352"), "wheel",
       "more than twice its 'cross_inertia'"},
      {replaced(kTrailingArm, "stiffness: 12 kN/m", "stiffness: -12 kN/m"), "anti_roll_bar",
       "cannot be negative"},
      {replaced(kWishbone, "type: double-wishbone", "type: double-wishbone\n  links: massless"),
       "suspension.upper_arm", "with massless links there is no body upper_arm", 2},
      {replaced(kWishboneShared, "5.813 kg, com: [-0.106, 0.589", "5.813 kg, com: [-0.106, 0.789"),
       "suspension.upper_arm", "as a mass at its ball, upper_arm would weigh"},
      {replaced(kWishbone, "steered: true", "steered: perhaps"), "suspension.steered",
       "'steered' is true or false"},
      {replaced(kMacpherson, "frame: arm", "frame: strut"), "lower_arm.inertia",
       "'frame' of lower_arm is vehicle, or arm, not 'strut'"},
      {replaced(kSolidAxle, "    upper: {points: [[0.50, 0.25, 0.52, m], [0.05, 0.10, 0.50, m]]}\n",
                ""),
       "suspension", "2 rods locate this axle ('rods' count twice): it needs four"},
      {replaced(kTwistBeam, "stiffness: 2400 N m/rad", "stiffness: 2400 N/m"), "beam.stiffness",
       "'2400 N/m' is a stiffness"},
      {replaced(kTrackBarBeam, "    track_bar_axle: [-0.08, 0.52, 0.31, m]\n", ""),
       "suspension.points", "'track_bar_axle' is missing: a twist-beam suspension needs it"},
      {replaced(kTwistBeam, "hinge: [", "track_bar_axle: [0, 0, 0, m], hinge: ["),
       "points.track_bar_axle", "has no 'track_bar_axle'"},
      {kWheel + "at: [0, 0, 0, m]\nsuspension: {type: free, carriers: [chasis, rack], "
                "centres: [[0, 1, 0, m], [0, -1, 0, m]]}\n",
       "suspension.carriers", "there is no body 'chasis' (did you mean 'chassis'?)"},
  };
  for (const auto& c : cases) {
    const std::string all = faults(c.text);
    EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), c.number) << all;
    EXPECT_NE(all.find(c.where), std::string::npos) << c.where << "\n" << all;
    EXPECT_NE(all.find(c.says), std::string::npos) << c.says << "\n" << all;
  }
}

TEST(SuspensionFaults, ASteeredAxleNeedsARack) {
  Diagnostics diag;
  Description d;
  d.bodies.emplace_back().name = "chassis";
  const Spec spec;
  const DataSpec data = testkit::data_of(kWishbone);
  Numbers numbers(spec, diag);
  Keys keys(data, numbers, diag);
  EXPECT_FALSE(add_suspension(keys, kNames, d));
  EXPECT_NE(diag.text().find("the vehicle has no rack: give it a steering"), std::string::npos)
      << diag.text();
}

}  // namespace
}  // namespace suspension_faults_test
