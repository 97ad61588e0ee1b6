// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "assembly/suspension/suspension.hpp"
#include "testkit/data.hpp"

// An axle of every type of suspension, as sections of a model file.

namespace testkit::axles {

using namespace chicane;

// The front corner of models/mechanisms/double-wishbone.yaml; its spindle is the wheel.
inline const std::string kWheel =
    "wheel: {mass: 14.705 kg, spin_inertia: 0.07352 kg m^2, "
    "cross_inertia: 0.04117 kg m^2}\n";
inline const std::string kWishbonePoints = R"yaml(
  points:
    spindle: [-0.040, 0.910, -0.026, m]
    upper_front: [-0.048, 0.446, 0.245, m]
    upper_rear: [-0.268, 0.478, 0.196, m]
    upper_outer: [-0.053, 0.716, 0.215, m]
    lower_front: [0.223, 0.307, 0, m]
    lower_rear: [-0.223, 0.307, 0, m]
    lower_outer: [-0.036, 0.787, -0.118, m]
    tie_rod_inner: [-0.250, 0.448, 0.054, m]
    tie_rod_outer: [-0.176, 0.821, -0.016, m]
  carrier: {mass: 19.450 kg, com: [-0.040, 0.751, -0.026, m], inertia: {diagonal: [0.1656, 0.1934, 0.04367, kg m^2]}}
)yaml";
inline const std::string kWishboneArms = R"yaml(
  upper_arm: {mass: 5.813 kg, com: [-0.106, 0.589, 0.218, m], inertia: {diagonal: [0.03138, 0.03138, 0.06276, kg m^2]}}
  lower_arm: {mass: 23.965 kg, com: [0, 0.547, -0.059, m], inertia: {diagonal: [0.4469, 0.4469, 0.8938, kg m^2]}}
)yaml";
inline const std::string kWishbone = kWheel + R"yaml(
at: [0, 0, 0, m]
suspension:
  type: double-wishbone
  steered: true
)yaml" + kWishbonePoints + kWishboneArms;
inline const std::string kMasslessWishbone = kWheel + R"yaml(
at: [0, 0, 0, m]
suspension:
  type: double-wishbone
  links: massless
  steered: true
)yaml" + kWishbonePoints;

inline const std::string kWishboneLinked = kWheel + R"yaml(
at: [0, 0, 0, m]
suspension:
  type: double-wishbone
  links: massless-upper
  steered: true
)yaml" + kWishbonePoints + kWishboneArms.substr(kWishboneArms.find("  lower_arm"));

// The same with a mass for the upper arm.
inline const std::string kWishboneShared = kWheel + R"yaml(
at: [0, 0, 0, m]
suspension:
  type: double-wishbone
  links: massless-upper
  steered: true
)yaml" + kWishbonePoints + kWishboneArms;

// Of a small car; our own numbers.
inline const std::string kMacphersonPoints = R"yaml(
  points:
    spindle: [0, 0.740, 0.300, m]
    lower_front: [0.010, 0.360, 0.230, m]
    lower_rear: [-0.310, 0.370, 0.240, m]
    lower_outer: [0.005, 0.690, 0.200, m]
    strut_top: [-0.030, 0.560, 0.840, m]
    strut_bottom: [-0.005, 0.620, 0.330, m]
    tie_rod_inner: [-0.140, 0.330, 0.270, m]
    tie_rod_outer: [-0.130, 0.680, 0.260, m]
  carrier: {mass: 18 kg, com: [0, 0.69, 0.31, m], inertia: {diagonal: [0.3, 0.35, 0.2, kg m^2], products: [0.01, -0.02, 0.03, kg m^2]}}
)yaml";
inline const std::string kMacpherson = kWheel + R"yaml(
at: [1.3, 0, 0, m]
suspension:
  type: macpherson
  steered: true
  lower_arm: {mass: 4 kg, com: [-0.1, 0.5, 0.22, m], inertia: {diagonal: [0.05, 0.04, 0.08, kg m^2], frame: arm}}
  strut: {mass: 3 kg, com: [-0.02, 0.58, 0.7, m], inertia: {diagonal: [0.02, 0.02, 0.002, kg m^2]}}
  spring: {stiffness: 25 kN/m, preload: 3.5 kN}
  damper: {damper: {x: [-1, 0, 1, m/s], y: [-800, 0, 1600, N]}}
)yaml" + kMacphersonPoints;
inline const std::string kMasslessMacpherson = kWheel + R"yaml(
at: [1.3, 0, 0, m]
suspension:
  type: macpherson
  links: massless
  steered: true
)yaml" + kMacphersonPoints;

inline const std::string kTrailingArm = kWheel + R"yaml(
at: [-1.2, 0, 0, m]
suspension:
  type: trailing-arm
  toe: 0.2 deg
  camber: -1 deg
  points: {spindle: [0, 0.72, 0.3, m], hinge_inner: [0.35, 0.30, 0.32, m], hinge_outer: [0.42, 0.65, 0.30, m]}
  arm: {mass: 12 kg, com: [0.15, 0.6, 0.3, m], inertia: {diagonal: [0.2, 0.3, 0.4, kg m^2], products: [0.01, -0.02, 0.03, kg m^2]}}
  spring: {points: [[0.1, 0.55, 0.6, m], [0.1, 0.55, 0.3, m]], stiffness: 30 kN/m, free_length: 400 mm}
anti_roll_bar: {stiffness: 12 kN/m}
)yaml";

inline const std::string kTwistBeam = kWheel + R"yaml(
at: [-1.2, 0, 0, m]
suspension:
  type: twist-beam
  points: {spindle: [0, 0.72, 0.3, m], hinge: [0.42, 0.55, 0.32, m]}
  arm: {mass: 12 kg, com: [0.15, 0.5, 0.3, m], inertia: {diagonal: [0.2, 0.3, 0.4, kg m^2]}}
  beam: {stiffness: 2400 N m/rad}
)yaml";

// Hubs bolted to its ends, and one bar that holds it sideways.
inline const std::string kTrackBarBeam = kWheel + R"yaml(
at: [-1.2, 0, 0, m]
suspension:
  type: twist-beam
  points:
    spindle: [0, 0.72, 0.3, m]
    hinge: [0.42, 0.55, 0.32, m]
    track_bar_chassis: [-0.08, -0.5, 0.36, m]
    track_bar_axle: [-0.08, 0.52, 0.31, m]
  arm: {mass: 12 kg, com: [0.15, 0.5, 0.3, m], inertia: {diagonal: [0.2, 0.3, 0.4, kg m^2]}}
  carrier: {mass: 6 kg, com: [0, 0.66, 0.3, m], inertia: {diagonal: [0.03, 0.03, 0.03, kg m^2]}}
  track_bar: {mass: 2 kg, com: [-0.08, 0.01, 0.335, m], inertia: {diagonal: [0.17, 0.01, 0.17, kg m^2]}}
  beam: {stiffness: 2400 N m/rad}
)yaml";
inline const std::string kTieRodBody =
    "  tie_rod: {mass: 0.6 kg, com: [-0.13, 0.5, 0.26, m], inertia: {diagonal: [0.006, 0.001, "
    "0.006, kg m^2]}}\n";

inline const std::string kAxleBody =
    "  axle: {mass: 120 kg, com: [0, 0, 0.35, m], inertia: {diagonal: [18, 1.5, 18, kg m^2]}}\n";
inline const std::string kRods = R"yaml(
  rods:
    lower: {points: [[0.55, 0.45, 0.30, m], [0.02, 0.48, 0.27, m]]}
    upper: {points: [[0.50, 0.25, 0.52, m], [0.05, 0.10, 0.50, m]]}
)yaml";
inline const std::string kSolidAxle = kWheel + R"yaml(
at: [-1.4, 0, 0, m]
anti_roll_bar: {stiffness: 9 kN/m, point: [-0.1, 0.5, 0.35, m]}
suspension:
  type: solid-axle
  points: {spindle: [0, 0.75, 0.35, m]}
)yaml" + kAxleBody + kRods;
inline const std::string kPanhardAxle = kWheel + R"yaml(
at: [-1.4, 0, 0, m]
suspension:
  type: solid-axle
  points: {spindle: [0, 0.75, 0.35, m]}
  rods:
    lower: {points: [[0.55, 0.45, 0.30, m], [0.02, 0.48, 0.27, m]]}
  single_rods:
    torque_link: {points: [[0.50, 0, 0.52, m], [0.05, 0, 0.50, m]]}
    panhard: {points: [[-0.1, 0.5, 0.38, m], [-0.1, -0.5, 0.36, m]]}
)yaml" + kAxleBody;
inline const std::string kLeafAxle = kWheel + R"yaml(
at: [-1.4, 0, 0, m]
suspension:
  type: solid-axle
  points: {spindle: [0, 0.75, 0.35, m]}
  leaf_spring: {at: [0, 0.5, 0.4, m], stiffness: 80 kN/m, load: 9 kN, longitudinal_stiffness: 2 MN/m,
                lateral_stiffness: 500 kN/m, wind_up_stiffness: 20 kN m/rad, friction: 300 N, presliding: 1 mm}
)yaml" + kAxleBody;
inline const std::string kSteeredAxle = kWheel + R"yaml(
at: [1.4, 0, 0, m]
suspension:
  type: solid-axle
  steered: true
  points:
    spindle: [0, 0.95, 0.45, m]
    kingpin_lower: [0.01, 0.86, 0.36, m]
    kingpin_upper: [-0.01, 0.84, 0.54, m]
    tie_rod_outer: [-0.2, 0.80, 0.38, m]
    drag_link_inner: [0.15, 0.30, 0.55, m]
    drag_link_outer: [0.18, 0.80, 0.55, m]
  carrier: {mass: 30 kg, com: [0, 0.88, 0.45, m], inertia: {diagonal: [0.4, 0.4, 0.4, kg m^2]}}
)yaml" + kAxleBody + kRods;

inline const AxleNames kNames{"f", "fl", "fr"};

// A chassis that stands still, and a rack that is moved; then the axle.
struct Made {
  Diagnostics diag;
  multibody::Description d;
  std::optional<Axle> axle;

  explicit Made(const std::string& text) {
    for (const char* name : {"chassis", "rack"}) {
      auto& b = d.bodies.emplace_back();
      b.name = name;
      b.mass = 10.0;
    }
    d.joints.push_back(
        {.name = "chassis", .kind = multibody::JointKind::weld, .connects = {"ground", "chassis"}});
    d.joints.push_back({.name = "rack",
                        .kind = multibody::JointKind::translational,
                        .connects = {"chassis", "rack"},
                        .axis = {0, 1, 0},
                        .driven = true});
    const Spec spec;
    const DataSpec data = testkit::data_of(text);
    Numbers numbers(spec, diag);
    Keys keys(data, numbers, diag);
    axle = add_suspension(keys, kNames, d);
    keys.refuse_others("an axle");
  }
};

}  // namespace testkit::axles
