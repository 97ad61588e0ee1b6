// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "multibody/forces/laws.hpp"
#include "spatial/spatial.hpp"

// Force elements between bodies: from the motion of the bodies to the wrenches on them. Points and
// axes are fixed in the bodies and given in their axes, from their origins. What one body receives
// the others give: force and moment of all wrenches together are zero. energy() is what springs
// hold; where nothing else acts, wrenches are minus its gradient.

namespace chicane::multibody {

// Of a body or link, in world axes, about its origin.
template <class T>
struct BodyMotion {
  Mat3<T> R = Mat3<T>::identity();  // R_WB
  Vec3<T> p{};                      // p_WB
  Motion<T> V{};
};

// On the first and second body, in world axes, about their origins.
template <class T>
using WrenchPair = std::array<Wrench<T>, 2>;

// A point on each of two bodies.
using Points = std::array<Vec3<double>, 2>;
// Fixed in the first of them, of unit length; none: the line between the points.
using Axis = std::optional<Vec3<double>>;

// A frame on each of two bodies, which coincide when the element is at rest.
struct Frames {
  std::array<Mat3<double>, 2> R{Mat3<double>::identity(), Mat3<double>::identity()};
  Points p{};
};

// --- along a line -------------------------------------------------------------------------------

// The distance of the points, and its rate; with an axis how far the second is along it from the
// first, as seen from the first body.
template <class T>
struct LengthAndRate {
  T length, rate;
};
template <class T>
LengthAndRate<T> length_and_rate(const Points& p, const Axis& axis, const BodyMotion<T>& A,
                                 const BodyMotion<T>& B);

// Translational spring, damper and actuator: pushes with
//   command - law(l - l_0, dl/dt) - ends(l, dl/dt)
struct TsdaElement {
  Points p{};
  SpringDamper law{};
  double l_0 = 0.0;     // [m]
  double design = 0.0;  // [m] length in the position of the description
  Axis axis{};
  std::optional<DamperEnds> ends{};

  template <class T>
  T push(const LengthAndRate<T>& s, const T& command) const {
    const T alone = command - law(T(s.length - l_0), s.rate);
    return ends ? T(alone - (*ends)(s.length, s.rate, law.damping(s.rate))) : alone;
  }
};
template <class T>
WrenchPair<T> evaluate(const TsdaElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B,
                       const T& command = T(0.0));
template <class T>
T energy(const TsdaElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B);

// Pushes when the points are nearer than l_c, or pulls when they are farther.
struct BumpStopElement {
  Points p{};
  Stop law{};
  double l_c = 0.0;  // [m] length at contact
  bool rebound = false;
  double design = 0.0;  // [m] length in the position of the description
  Axis axis{};
};
template <class T>
WrenchPair<T> evaluate(const BumpStopElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B);
template <class T>
T energy(const BumpStopElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B);

// --- about an axis
// --------------------------------------------------------------------------------

// Rotational spring, damper and actuator about the z axis that both frames share. The angle counts
// revolutions: turns is a state that follows the rate, and only says how often the angle has gone
// round. Turns B with  command - law(angle - angle_0, rate)  about z.
struct RsdaElement {
  Frames frames{};
  SpringDamper law{};
  double angle_0 = 0.0;  // [rad] free angle
};
template <class T>
struct RsdaOut {
  WrenchPair<T> wrench;
  T angle, rate;  // of B relative to A; rate is also the rate of turns
  T torque;       // on B
};
template <class T>
RsdaOut<T> evaluate(const RsdaElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B,
                    const T& turns, const T& command = T(0.0));
template <class T>
T energy(const RsdaElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B, const T& turns);

// --- in all directions
// ------------------------------------------------------------------------------

// How frame B stands to frame A, in the axes of A, and the rates of that.
template <class T>
struct Deflection {
  Vec3<T> d, phi, d_rate, phi_rate;  // displacement, rotation vector
  T k;                               // of the derivative of the rotation vector
};
template <class T>
Deflection<T> deflection(const Frames& f, const BodyMotion<T>& A, const BodyMotion<T>& B);

// Force and moment upon B that go with the deflections.
template <class T>
struct AlongDeflection {
  Vec3<T> f, m;
};

// Six deflections x of frame B in the axes of A: displacement, rotation vector. The energy is
// x'Kx/2, and the wrench its gradient; damping is C dx/dt.
struct BushingElement {
  using Matrix = std::array<std::array<double, 6>, 6>;
  Frames frames{};
  Matrix K{}, C{};
};
template <class T>
AlongDeflection<T> law_of(const BushingElement& e, const Deflection<T>& x);
template <class T>
WrenchPair<T> evaluate(const BushingElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B);
template <class T>
T energy(const BushingElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B);

// A leaf spring seen at its pad: bushing stiffness along (x), across (y) and against wind-up, and
// upwards (z of the frames) a spring under load with friction between the leaves, whose memory z is
// a state.
struct LeafSpringElement {
  BushingElement bushing{};  // without z
  SpringDamper vertical{};   // F is the load in the position of rest, negative: it pushes
  DryFriction friction{};
};
template <class T>
struct LeafSpringOut {
  WrenchPair<T> wrench;
  T dz;  // rate of z
};
template <class T>
AlongDeflection<T> law_of(const LeafSpringElement& e, const Deflection<T>& x, const T& z);
template <class T>
LeafSpringOut<T> evaluate(const LeafSpringElement& e, const BodyMotion<T>& A,
                          const BodyMotion<T>& B, const T& z);
template <class T>
T energy(const LeafSpringElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B);

// A bar that twists when the two sides move differently along an axis of the chassis: pushes the
// side that is higher down, the other up, and the chassis back.
struct AntiRollBarElement {
  Vec3<double> axis{0.0, 0.0, 1.0};  // on the chassis, of unit length
  Vec3<double> p_left{}, p_right{};  // on the sides
  double k = 0.0, c = 0.0;           // [N/m], [N s/m] per difference of the sides
  double rest = 0.0;                 // [m] difference at rest
};
// By how much the left side is higher than at rest against the right one, its rate, and the force
// upon the left side along the axis.
template <class T>
struct Twist {
  T difference, rate, force;
};
template <class T>
Twist<T> twist(const AntiRollBarElement& e, const BodyMotion<T>& chassis, const BodyMotion<T>& left,
               const BodyMotion<T>& right);
template <class T>
std::array<Wrench<T>, 3> evaluate(const AntiRollBarElement& e, const BodyMotion<T>& chassis,
                                  const BodyMotion<T>& left, const BodyMotion<T>& right);
template <class T>
T energy(const AntiRollBarElement& e, const BodyMotion<T>& chassis, const BodyMotion<T>& left,
         const BodyMotion<T>& right);

// A force and moment on a body, fixed in the world or in the body, times the command.
struct WrenchElement {
  Vec3<double> p{};
  Wrench<double> f{};
  bool follows = false;  // turns with the body
};
template <class T>
Wrench<T> evaluate(const WrenchElement& e, const BodyMotion<T>& B, const T& command = T(1.0));

// --- on the coordinate of a joint
// ----------------------------------------------------------------- These give the force or torque
// along the rate.

// Stops at either end of the range.
struct JointLimit {
  double lower = 0.0, upper = 0.0;  // infinite: none
  Stop law{};

  template <class T>
  T operator()(const T& q, const T& v) const {
    return law(T(lower - q), T(-v)) - law(T(q - upper), v);
  }
  template <class T>
  T energy(const T& q) const {
    return law.energy(T(lower - q)) + law.energy(T(q - upper));
  }
};

// Dry and viscous.
struct JointFriction {
  DryFriction dry{};
  double c = 0.0;

  template <class T>
  T operator()(const T& v, const T& z) const {
    return -(dry(z) + c * v);
  }
};

// The rotation vector of a rotation of less than half a turn.
template <class T>
Vec3<T> rotation_vector(const Mat3<T>& R);

}  // namespace chicane::multibody
