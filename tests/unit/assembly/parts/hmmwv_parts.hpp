// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parts of a HMMWV as sections of a model file; figures as read from Project Chrono's model of it
// (BSD-3). What that has not is chosen: idle control, what clutch and gear can carry, the time of a
// shift.

namespace testkit::hmmwv {

inline constexpr const char* kPowertrain = R"(
type: engine
engine:
  inertia: 1.6 kg m^2            # engine 1.1, input of the transmission 0.5
  idle_speed: 800 rpm
  gross:
    x: [-100, 800, 900, 1000, 1100, 1200, 1300, 1400, 1500, 1600,
        1700, 1800, 1900, 2000, 2100, 2200, 2300, 2400, 2500, 2700, rpm]
    y: [300, 382, 490, 579, 650, 706, 746, 774, 789, 793,
        788, 774, 754, 728, 697, 664, 628, 593, 558, -400, N m]
  losses: {x: [-50, 0, 50, 1000, 2000, 3000, rpm], y: [30, 0, -30, -50, -70, -90, N m]}
converter:
  capacity: {x: [0, 0.25, 0.5, 0.75, 0.9, 1.0], y: [15, 15, 15, 16, 18, 35, rad/s/(N m)^(1/2)]}
  torque_ratio: {x: [0, 0.25, 0.5, 0.75, 1.0], y: [2.0, 1.8, 1.5, 1.15, 1.0]}
gearbox:
  inertia: 0.3 kg m^2
  torque: 3 kN m
  forward: [0.2, 0.4, 0.8]
  reverse: -0.1
  ratios: output/input
  shift_time: 0.5 s
  shift_rest: 1 s
shift: {down: 1200 rpm, up: 2500 rpm}
shafts: {prop: 1.0 kg m^2, front: 0.5 kg m^2, rear: 0.5 kg m^2}
front: {ratio: 5, inertia: 0.6 kg m^2}
rear: {ratio: 5, inertia: 0.6 kg m^2}
)";

// The other engine and transmission of the same model: curves at full and at no throttle, six gears
// and no converter.
inline constexpr const char* kSimplePowertrain = R"(
type: engine
engine:
  inertia: 1.6 kg m^2
  idle_speed: 800 rpm
  full:
    x: [-10.472, 83.776, 104.72, 125.664, 146.608, 167.552, 188.496, 209.44, 230.383, 251.327, 282.743, rad/s]
    y: [406.7, 517.9, 926.0, 1216.2, 1300.2, 1300.2, 1227.0, 1136.2, 1041.3, -271.2, -800, N m]
  motoring:
    x: [-10.472, 83.776, 104.72, 125.664, 146.608, 167.552, 188.496, 209.44, 230.383, 251.327, 282.743, rad/s]
    y: [0, -20, -20, -30, -30, -30, -40, -50, -70, -100, -800, N m]
clutch: {torque: 2600 N m}
gearbox:
  inertia: 0.3 kg m^2
  torque: 4 kN m
  forward: [0.1708, 0.2791, 0.4218, 0.6223, 1.0173, 1.5361]
  reverse: -0.2
  ratios: output/input
shift:
  - {down: 1000 rpm, up: 2226 rpm}
  - {down: 1000 rpm, up: 2225 rpm}
  - {down: 1000 rpm, up: 2210 rpm}
  - {down: 1000 rpm, up: 2226 rpm}
  - {down: 1000 rpm, up: 2225 rpm}
  - {down: 1000 rpm, up: 2700 rpm}
shafts: {prop: 1.0 kg m^2, front: 0.5 kg m^2, rear: 0.5 kg m^2}
front: {ratio: 5, inertia: 0.6 kg m^2}
rear: {ratio: 5, inertia: 0.6 kg m^2}
)";

inline constexpr const char* kBrakes = R"(
type: simple
torque_front: 4 kN m
torque_rear: 4 kN m
)";

}  // namespace testkit::hmmwv
