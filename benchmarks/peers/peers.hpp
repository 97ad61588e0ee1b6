// SPDX-License-Identifier: Apache-2.0
#pragma once

// The vehicle in other engines, for the same positions and velocities. Plain data: not every
// engine's headers are C++20.

namespace peers {

struct Point {
  double x = 0, y = 0, z = 0;
};
inline Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

struct BodyData {
  double mass = 0;
  Point com;
  double J[6] = {};  // about com: xx yy zz xy xz yz
};

struct CornerData {
  BodyData lca, uca, carrier;
  Point lower_hinge, lower_axis, lower_ball, upper_hinge, upper_axis, upper_ball;
  Point spring_top, spring_foot, tie_inner, tie_outer, wheel;
  double spring_length = 0, tie_length = 0;
};

struct TireForce {
  Point force, contact;
};

struct VehicleData {
  BodyData chassis, rack;
  Point rack_at;
  CornerData corner[4];
  double spring = 0, damper = 0, gravity = 0, rack_amplitude = 0, rack_frequency = 0;
  TireForce (*tire)(const Point& p, const Point& v, const Point& axis) = nullptr;
};

// Positions and velocities all engines can be put into: of the chassis (origin of the body frame,
// world axes) and of the joints of the spanning tree, corner by corner. Ball joints: quaternion and
// angular velocity of the carrier relative to the lower arm, in axes of the carrier that are
// parallel to the vehicle's at the start.
struct VehicleState {
  double t = 0;
  double chassis_q[7];  // quaternion, position
  double chassis_v[6];  // angular velocity and velocity of the origin, in world axes
  struct Corner {
    double lca, uca, ball[4];
    double lca_v, uca_v, ball_v[3];
  } corner[4];
};

// Angular acceleration of the chassis and acceleration of its origin, world axes.
struct ChassisAcceleration {
  double a[6];
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual ChassisAcceleration accelerate(const VehicleState& s) = 0;
};

Peer* simbody_vehicle(const VehicleData& data);
Peer* mujoco_vehicle(const VehicleData& data);

}  // namespace peers
