// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/diagnostics.hpp"
#include "math/vec3.hpp"
#include "multibody/forces/laws.hpp"

// What a file says of a mechanism: bodies, joints and forces by name, and all points, axes and
// inertias in one global frame, for one position of the mechanism, near equilibrium. In that
// position every joint coordinate is zero and every body frame is parallel to the global one.

namespace chicane::multibody {

inline constexpr std::string_view kGround = "ground";

enum class JointKind {
  weld,
  revolute,
  translational,
  cylindrical,
  screw,
  universal,
  spherical,
  planar,
  free,
  // A massless link between the bodies, with a joint at either end.
  spherical_spherical,
  spherical_revolute,
  spherical_translational,
};

// Freedoms that the joint leaves to its bodies.
int freedoms(JointKind kind);
// Of massless links: they close a loop, and do not carry a body.
bool is_composite(JointKind kind);
std::string_view to_string(JointKind kind);
std::optional<JointKind> joint_kind(std::string_view name);
std::vector<std::string_view> joint_kind_names();

struct BodyDescription {
  std::string name;
  double mass = 0.0;                      // [kg]
  Vec3<double> com{};                     // [m]
  Sym3<double> inertia{};                 // [kg m^2] about com
  std::optional<Vec3<double>> reference;  // [m] origin of the body frame; com if not given
  Location where{}, numbers{};            // where it is named, and where its numbers stand
};

// Coordinates and rates say how the second body moves relative to the first.
//
// kind            points and axes                                  coordinates
// weld            -                                                -
// revolute        at, axis                                         angle
// translational   at, axis                                         displacement
// cylindrical     at, axis                                         angle, displacement
// screw           at, axis, pitch                                  angle
// universal       at, axis (on the first body), second_axis        two angles
// spherical       at                                               rotation vector
// planar          at, axis (normal), second_axis (first direction) two displacements, angle
// free            at                                               rotation vector, displacement
// spherical_spherical      at (first body), second_at              (a rod: none)
// spherical_revolute       at (centre of the ball, first body), second_at and axis (hinge, second)
// spherical_translational  at (centre of the ball, first body), axis (slide, second body)
struct JointDescription {
  std::string name;
  JointKind kind = JointKind::weld;
  std::array<std::string, 2> connects;        // bodies; ground is one
  Vec3<double> at{};                          // [m]
  Vec3<double> second_at{};                   // [m]
  Vec3<double> axis{0.0, 0.0, 1.0};           // of any length
  std::optional<Vec3<double>> second_axis{};  // perpendicular to axis; any such if not given
  double pitch = 0.0;                         // [m/rad] of a screw
  // Offsets from the global position at the start, which are held. Empty: zero, or in a loop what
  // the others leave. Of a driven joint: where its motion begins.
  std::vector<double> initial{}, initial_rate{};
  bool driven = false;  // motion is prescribed: the caller gives value, rate and acceleration
  Location where{}, numbers{};
  Location initial_where{}, rate_where{};  // of the values; unknown: among the numbers
};

// Force elements. Laws are those of multibody/forces/; a curve adds to the linear term. A command
// is a signal that adds to the force of an actuator, or multiplies a wrench.

// One sign for all: F and command are positive where they push two points apart, or where they push
// or turn the second body of a joint along its coordinate. Springs and dampers act against that.

// Spring, damper and actuator between a point on each of two bodies: they push each other with
//   -(k (l - l_0) + spring(l - l_0) + c dl/dt + damper(dl/dt)) + F + command
// along the line between the points, or along an axis of the first body, whatever its sign.
struct TsdaDescription {
  std::array<std::string, 2> connects;
  std::array<Vec3<double>, 2> points{};  // [m]
  double stiffness = 0.0;                // [N/m]
  double damping = 0.0;                  // [N s/m]
  std::optional<double> free_length;     // [m]; that of the global position if not given
  double force = 0.0;                    // [N] constant push
  Curve spring{}, damper{};
  std::optional<Vec3<double>> axis{};  // of any length; none: the line between the points
  std::optional<DamperEnds> ends{};
};

// Spring, damper and actuator on the first coordinate of a joint: a force or torque of
//   -(k (q - q_0) + spring(q - q_0) + c dq/dt + damper(dq/dt)) + F + command
struct JointSpringDescription {
  std::string joint;
  double stiffness = 0.0;  // [N/m], [N m/rad]
  double damping = 0.0;    // [N s/m], [N m s/rad]
  double rest = 0.0;       // [m], [rad]
  double force = 0.0;      // [N], [N m]
  Curve spring{}, damper{};
};

// Between two points; contact begins where their distance is `contact`, below it or above.
struct BumpStopDescription {
  std::array<std::string, 2> connects;
  std::array<Vec3<double>, 2> points{};  // [m]
  double contact = 0.0;                  // [m]
  bool rebound = false;                  // stops at a long distance, not at a short one
  Stop law{};
  std::optional<Vec3<double>> axis{};  // as above
};

// On the first coordinate of a joint.
struct JointLimitDescription {
  std::string joint;
  double lower = 0.0, upper = 0.0;  // [m], [rad]; infinite: none
  Stop law{};
};
struct JointFrictionDescription {
  std::string joint;
  DryFriction dry{};
  double damping = 0.0;  // [N s/m], [N m s/rad] viscous
};

// Frames at a point; axes as of a joint: axis is z, second_axis is x.
struct BushingDescription {
  using Matrix = std::array<std::array<double, 6>, 6>;
  std::array<std::string, 2> connects;
  Vec3<double> at{};  // [m]
  Vec3<double> axis{0.0, 0.0, 1.0};
  Vec3<double> second_axis{1.0, 0.0, 0.0};
  Matrix stiffness{}, damping{};  // SI, of displacement and rotation vector
};

// The bushing holds the axle along and across; upwards there is a spring with friction.
struct LeafSpringDescription {
  BushingDescription bushing{};  // axle and what it carries, at the pad; axis is upwards
  SpringDamper vertical{};       // F: minus the load in the global position
  DryFriction friction{};
};

// Two sides against the chassis, along an axis of it.
struct AntiRollBarDescription {
  std::array<std::string, 3> connects;  // chassis, left, right
  std::array<Vec3<double>, 2> points{};
  Vec3<double> axis{0.0, 0.0, 1.0};
  double stiffness = 0.0, damping = 0.0;  // [N/m], [N s/m] per difference of the sides
};

struct WrenchDescription {
  std::string body;
  Vec3<double> at{};               // [m]
  Vec3<double> force{}, moment{};  // [N], [N m]; global axes in the global position
  bool follows = false;            // turns with the body
};

struct ForceDescription {
  std::string name;
  std::variant<TsdaDescription, JointSpringDescription, BumpStopDescription, JointLimitDescription,
               JointFrictionDescription, BushingDescription, LeafSpringDescription,
               AntiRollBarDescription, WrenchDescription>
      law;
  std::string command{};        // formula of the model's signals; empty: none
  Location where{}, numbers{};  // where it is named, and where its numbers stand
};

enum class Loops { embedded, multipliers };

struct Description {
  std::vector<BodyDescription> bodies;
  std::vector<JointDescription> joints;
  std::vector<ForceDescription> forces;
  Vec3<double> gravity{0.0, 0.0, -9.80665};  // [m/s^2]
  Loops loops = Loops::embedded;
  std::optional<std::string> base;  // the body that floats; chosen if not given
  std::vector<std::string> cut;     // joints that must be cut
  Location where{};
};

}  // namespace chicane::multibody
