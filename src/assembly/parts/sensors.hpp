// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assembly/parts/ground.hpp"
#include "assembly/parts/parts.hpp"
#include "math/vec3.hpp"

// Blocks without states that say what people want to know of a vehicle. Axes and signs of ISO 8855.

namespace chicane {

// Yaw, pitch, roll (R = Rz Ry Rx), speeds and rates of the chassis; accelerations of the point
// `com`, in its axes and along its path; how far it is tilted, and how high the lowest of some
// points of the body is over the ground.
//   in   the pose `chassis` of its mount; the acceleration `chassis` of the body
struct ChassisSensors {
  Vec3<double> com;                  // [m]
  std::vector<Vec3<double>> points;  // [m] of the body
  Ground<double> ground;
};
BlockKindPtr chassis_part(ChassisSensors sensors);

// Steer angle, toe, camber and height of each wheel in the vehicle; left and right take turns.
//   in   the pose `chassis`; of each wheel the pose NAME of its hub
BlockKindPtr wheel_angles_part(std::vector<std::string> wheels);

// How far a unit is turned against the one ahead: yaw of that one less its own, so that it is
// positive in a turn to the left. Its signals are UNIT.articulation and UNIT.articulation_rate.
//   in   the poses `ahead` and `unit`
BlockKindPtr articulation_part(const std::string& unit);

// The least of the wheels' loads, whatever wheels there are: wheels.least_load.
//   in   load_NAME [N] of each wheel
BlockKindPtr loads_part(const std::vector<std::string>& wheels);

// Names of these blocks, of each unit.
std::string wheels_block(const std::string& unit);
std::string articulation_block(const std::string& unit);
inline constexpr std::string_view kLoadsBlock = "loads";

}  // namespace chicane
