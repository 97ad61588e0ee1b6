// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assembly/parts/ground.hpp"
#include "core/diagnostics.hpp"
#include "language/model_structure.hpp"

namespace chicane {

// How a vehicle starts, as its file says it.
struct VehicleStart {
  bool settled = false;     // not dropped; false: nothing is solved for
  double speed = 0;         // [m/s] along the road
  double heading = 0;       // [rad]
  Vec3<double> position{};  // [m] of the chassis's reference; its height is solved for
  double wheel_radius = 0;  // [m] of the unloaded wheels, the mean
  Ground<double> ground{};
  std::vector<std::string> blocks{};  // of the vehicle, by name
  std::vector<std::string>
      wheels{};  // of its first unit, from the front to the rear, left before right
  Location where{};
};

// The steady motion of a vehicle at the start of a run: heights, attitude, joints, tire
// deflections, wheel speeds, gear, engine, and what the driver does, such that nothing changes but
// where the vehicle is. `structure` has all blocks together.
//
// Unknowns are the height z, pitch and roll of the chassis, its side speed and yaw rate, the free
// coordinates of the suspensions, and the states of wheels, steering, brakes, powertrain and
// driver; nothing in the vehicle moves against the chassis. The equations are those of motion:
//   dv/dt = omega x v + a t,    domega/dt = 0,    dw/dt = 0,    dx/dt = a dx/du
// v and omega of the chassis, w the rates of the suspensions, x all other states, t the direction
// of travel and u the speed along it. a is 0 where a driver holds the speed (his integral then is
// what is solved for) or where brakes hold the vehicle; else it is what the road and the pedals
// leave, and what turns with the wheels slows down with them, to first order in a. Newton's method
// with exact derivatives; each step is the shortest one where several would do: at standstill, how
// four braked wheels share what they hold. Docs: docs/theory/vehicle.md.
//
// Nothing, and an error that names what does not balance, where there is no such motion.
std::optional<StartValues> settle(const std::shared_ptr<const ModelStructure>& structure,
                                  const VehicleStart& start, Diagnostics& diag);

}  // namespace chicane
