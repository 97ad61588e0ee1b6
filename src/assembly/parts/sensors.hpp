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

}  // namespace chicane
