// SPDX-License-Identifier: Apache-2.0
#include "multibody/forces/elements.hpp"

#include <numbers>

#include "math/dual.hpp"

namespace chicane::multibody {

namespace {

// A point fixed in a body: r from the body's origin, where it is, and how it moves.
template <class T>
struct PointMotion {
  Vec3<T> r, p, v;
};
template <class T>
PointMotion<T> point(const BodyMotion<T>& B, const Vec3<double>& p_B) {
  const Vec3<T> r = B.R * p_B;
  return {r, B.p + r, at_point(B.V, r).linear};
}

// The force f on the second body at q, and on the first the opposite at the same place.
template <class T>
WrenchPair<T> apart(const Vec3<T>& f, const Vec3<T>& q, const BodyMotion<T>& A,
                    const BodyMotion<T>& B) {
  return {Wrench<T>{cross(q - A.p, -f), -f}, Wrench<T>{cross(q - B.p, f), f}};
}

// The line between two points, or through them along an axis: its direction, the length, and the
// rate of the length.
template <class T>
struct Line {
  PointMotion<T> a, b;
  Vec3<T> e;  // unit vector from a to b; zero where they meet
  T l, rate;
};
template <class T>
Line<T> line(const Points& p, const Axis& axis, const BodyMotion<T>& A, const BodyMotion<T>& B) {
  Line<T> s{point(A, p[0]), point(B, p[1]), {}, {}, {}};
  const Vec3<T> d = s.b.p - s.a.p;
  if (axis) {  // turns with the first body, so that its turning alone changes no length
    s.e = A.R * *axis;
    s.l = dot(s.e, d);
    s.rate = dot(s.e, s.b.v - s.a.v - cross(A.V.angular, d));
    return s;
  }
  const T l2 = dot(d, d);
  const auto apart = l2 > 0.0;
  s.l = select(apart, sqrt(select(apart, l2, T(1.0))), T(0.0));
  s.e = select(apart, T(1.0) / select(apart, s.l, T(1.0)), T(0.0)) * d;
  s.rate = dot(s.e, s.b.v - s.a.v);
  return s;
}

// A frame fixed in a body.
template <class T>
BodyMotion<T> frame(const BodyMotion<T>& B, const Mat3<double>& R, const Vec3<double>& p) {
  const Vec3<T> r = B.R * p;
  return {B.R * R, B.p + r, at_point(B.V, r)};
}

// The rotation vector changes by  J^-1 omega = omega - phi x omega / 2 + k phi x (phi x omega),
//   k = (1 - (a/2) cot (a/2)) / a^2,  a = |phi|
template <class T>
T bend(const Vec3<T>& phi) {
  constexpr double kSmall =
      1e-4;  // a^2 below which the next term, a^4/30240, is less than rounding
  const T a2 = dot(phi, phi);
  const auto large = a2 > kSmall;
  const T a = sqrt(select(large, a2, T(1.0)));
  return select(large, (1.0 - 0.5 * a * cos(0.5 * a) / sin(0.5 * a)) / (a * a),
                1.0 / 12.0 + a2 / 720.0);
}

template <class T>
Deflection<T> deflection_between(const BodyMotion<T>& A, const BodyMotion<T>& B) {
  Deflection<T> x;
  const Vec3<T> r = B.p - A.p;
  x.d = transposed_times(A.R, r);
  x.d_rate = transposed_times(A.R, B.V.linear - at_point(A.V, r).linear);
  x.phi = rotation_vector(transpose(A.R) * B.R);
  x.k = bend(x.phi);
  const Vec3<T> omega = transposed_times(A.R, B.V.angular - A.V.angular);
  const Vec3<T> turn = cross(x.phi, omega);
  x.phi_rate = omega - T(0.5) * turn + x.k * cross(x.phi, turn);
  return x;
}

// The wrench that does the work of f and m along the deflections: f at the origin of frame B, and
// the moment J^-T m.
template <class T>
WrenchPair<T> wrenches(const Vec3<T>& f, const Vec3<T>& m, const Deflection<T>& x,
                       const BodyMotion<T>& frame_A, const BodyMotion<T>& frame_B,
                       const BodyMotion<T>& A, const BodyMotion<T>& B) {
  const Vec3<T> turn = cross(x.phi, m);
  const Vec3<T> M = frame_A.R * (m + T(0.5) * turn + x.k * cross(x.phi, turn));
  WrenchPair<T> w = apart(frame_A.R * f, frame_B.p, A, B);
  w[0].moment -= M;
  w[1].moment += M;
  return w;
}

template <class T>
std::array<T, 6> product(const BushingElement::Matrix& K, const Vec3<T>& d, const Vec3<T>& phi) {
  std::array<T, 6> y{};
  for (std::size_t i = 0; i < 6; ++i)
    y[i] = K[i][0] * d.x + K[i][1] * d.y + K[i][2] * d.z + K[i][3] * phi.x + K[i][4] * phi.y +
           K[i][5] * phi.z;
  return y;
}

}  // namespace

template <class T>
Vec3<T> rotation_vector(const Mat3<T>& R) {
  constexpr double kSmall = 1e-8;  // sin^2 of the angle below which its 4th power is rounding
  const Vec3<T> s{0.5 * (R.y.z - R.z.y), 0.5 * (R.z.x - R.x.z), 0.5 * (R.x.y - R.y.x)};
  const T s2 = dot(s, s);
  const auto large = s2 > kSmall;
  const T sine = sqrt(select(large, s2, T(1.0)));
  const T cosine = 0.5 * (R.x.x + R.y.y + R.z.z - 1.0);
  return select(large, atan2(sine, cosine) / sine, 1.0 + s2 / 6.0) * s;
}

template <class T>
LengthAndRate<T> length_and_rate(const Points& p, const Axis& axis, const BodyMotion<T>& A,
                                 const BodyMotion<T>& B) {
  const Line<T> s = line(p, axis, A, B);
  return {s.l, s.rate};
}

template <class T>
WrenchPair<T> evaluate(const TsdaElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B,
                       const T& command) {
  const Line<T> s = line(e.p, e.axis, A, B);
  return apart(e.push({s.l, s.rate}, command) * s.e, s.b.p, A, B);
}

template <class T>
T energy(const TsdaElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B) {
  return e.law.energy(T(line(e.p, e.axis, A, B).l - e.l_0));
}

template <class T>
WrenchPair<T> evaluate(const BumpStopElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B) {
  const Line<T> s = line(e.p, e.axis, A, B);
  const double inwards = e.rebound ? 1.0 : -1.0;
  const T push = e.law(T(inwards * (s.l - e.l_c)), T(inwards * s.rate));
  return apart(-inwards * push * s.e, s.b.p, A, B);
}

template <class T>
T energy(const BumpStopElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B) {
  return e.law.energy(T((e.rebound ? 1.0 : -1.0) * (line(e.p, e.axis, A, B).l - e.l_c)));
}

template <class T>
RsdaOut<T> evaluate(const RsdaElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B,
                    const T& turns, const T& command) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  const BodyMotion<T> a = frame(A, e.frames.R[0], e.frames.p[0]),
                      b = frame(B, e.frames.R[1], e.frames.p[1]);
  const T wrapped = atan2(dot(a.R.y, b.R.x), dot(a.R.x, b.R.x));
  RsdaOut<T> out;
  out.angle = wrapped + kTurn * round((turns - wrapped) / kTurn);
  out.rate = dot(a.R.z, b.V.angular - a.V.angular);
  out.torque = command - e.law(T(out.angle - e.angle_0), out.rate);
  out.wrench = {Wrench<T>{-out.torque * a.R.z, {}}, Wrench<T>{out.torque * a.R.z, {}}};
  return out;
}

template <class T>
T energy(const RsdaElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B, const T& turns) {
  return e.law.energy(T(evaluate(e, A, B, turns).angle - e.angle_0));
}

template <class T>
Deflection<T> deflection(const Frames& f, const BodyMotion<T>& A, const BodyMotion<T>& B) {
  return deflection_between(frame(A, f.R[0], f.p[0]), frame(B, f.R[1], f.p[1]));
}

template <class T>
AlongDeflection<T> law_of(const BushingElement& e, const Deflection<T>& x) {
  const auto s = product(e.K, x.d, x.phi), d = product(e.C, x.d_rate, x.phi_rate);
  return {-Vec3<T>{s[0] + d[0], s[1] + d[1], s[2] + d[2]},
          -Vec3<T>{s[3] + d[3], s[4] + d[4], s[5] + d[5]}};
}

template <class T>
WrenchPair<T> evaluate(const BushingElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B) {
  const BodyMotion<T> a = frame(A, e.frames.R[0], e.frames.p[0]),
                      b = frame(B, e.frames.R[1], e.frames.p[1]);
  const Deflection<T> x = deflection_between(a, b);
  const AlongDeflection<T> w = law_of(e, x);
  return wrenches(w.f, w.m, x, a, b, A, B);
}

namespace {

template <class T>
T energy_of(const BushingElement& e, const Deflection<T>& x) {
  const auto s = product(e.K, x.d, x.phi);
  return 0.5 * (x.d.x * s[0] + x.d.y * s[1] + x.d.z * s[2] + x.phi.x * s[3] + x.phi.y * s[4] +
                x.phi.z * s[5]);
}

}  // namespace

template <class T>
T energy(const BushingElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B) {
  return energy_of(e, deflection(e.frames, A, B));
}

template <class T>
T energy(const LeafSpringElement& e, const BodyMotion<T>& A, const BodyMotion<T>& B) {
  const Deflection<T> x = deflection(e.bushing.frames, A, B);
  return energy_of(e.bushing, x) + e.vertical.energy(x.d.z);
}

template <class T>
AlongDeflection<T> law_of(const LeafSpringElement& e, const Deflection<T>& x, const T& z) {
  AlongDeflection<T> w = law_of(e.bushing, x);
  w.f.z -= e.vertical(x.d.z, x.d_rate.z) + e.friction(z);
  return w;
}

template <class T>
LeafSpringOut<T> evaluate(const LeafSpringElement& e, const BodyMotion<T>& A,
                          const BodyMotion<T>& B, const T& z) {
  const Frames& frames = e.bushing.frames;
  const BodyMotion<T> a = frame(A, frames.R[0], frames.p[0]),
                      b = frame(B, frames.R[1], frames.p[1]);
  const Deflection<T> x = deflection_between(a, b);
  const AlongDeflection<T> w = law_of(e, x, z);
  return {wrenches(w.f, w.m, x, a, b, A, B), e.friction.rate(z, x.d_rate.z)};
}

// Seen from the chassis: its own motion moves the axis, and the points on it.
template <class T>
Twist<T> twist(const AntiRollBarElement& e, const BodyMotion<T>& chassis, const BodyMotion<T>& left,
               const BodyMotion<T>& right) {
  const Vec3<T> axis = chassis.R * e.axis;
  const PointMotion<T> l = point(left, e.p_left), r = point(right, e.p_right);
  const Vec3<T> d = l.p - r.p;
  const Vec3<T> d_rate = l.v - r.v - cross(chassis.V.angular, d);
  const T x = dot(axis, d) - e.rest, rate = dot(axis, d_rate);
  return {x, rate, -(e.k * x + e.c * rate)};
}

template <class T>
std::array<Wrench<T>, 3> evaluate(const AntiRollBarElement& e, const BodyMotion<T>& chassis,
                                  const BodyMotion<T>& left, const BodyMotion<T>& right) {
  const PointMotion<T> l = point(left, e.p_left), r = point(right, e.p_right);
  const Vec3<T> f = twist(e, chassis, left, right).force * (chassis.R * e.axis);
  const WrenchPair<T> on_left = apart(f, l.p, chassis, left),
                      on_right = apart(-f, r.p, chassis, right);
  return {on_left[0] + on_right[0], on_left[1], on_right[1]};
}

template <class T>
T energy(const AntiRollBarElement& e, const BodyMotion<T>& chassis, const BodyMotion<T>& left,
         const BodyMotion<T>& right) {
  const Vec3<T> d = point(left, e.p_left).p - point(right, e.p_right).p;
  const T x = dot(chassis.R * e.axis, d) - e.rest;
  return 0.5 * e.k * x * x;
}

template <class T>
Wrench<T> evaluate(const WrenchElement& e, const BodyMotion<T>& B, const T& command) {
  const Mat3<T> R = e.follows ? B.R : Mat3<T>::identity();
  const Wrench<T> f{command * (R * e.f.moment), command * (R * e.f.force)};
  return about(f, B.R * e.p);
}

template LengthAndRate<double> length_and_rate(const Points&, const Axis&,
                                               const BodyMotion<double>&,
                                               const BodyMotion<double>&);
template Deflection<double> deflection(const Frames&, const BodyMotion<double>&,
                                       const BodyMotion<double>&);
template AlongDeflection<double> law_of(const BushingElement&, const Deflection<double>&);
template AlongDeflection<double> law_of(const LeafSpringElement&, const Deflection<double>&,
                                        const double&);
template Twist<double> twist(const AntiRollBarElement&, const BodyMotion<double>&,
                             const BodyMotion<double>&, const BodyMotion<double>&);
template Vec3<double> rotation_vector(const Mat3<double>&);
template WrenchPair<double> evaluate(const TsdaElement&, const BodyMotion<double>&,
                                     const BodyMotion<double>&, const double&);
template WrenchPair<double> evaluate(const BumpStopElement&, const BodyMotion<double>&,
                                     const BodyMotion<double>&);
template RsdaOut<double> evaluate(const RsdaElement&, const BodyMotion<double>&,
                                  const BodyMotion<double>&, const double&, const double&);
template WrenchPair<double> evaluate(const BushingElement&, const BodyMotion<double>&,
                                     const BodyMotion<double>&);
template LeafSpringOut<double> evaluate(const LeafSpringElement&, const BodyMotion<double>&,
                                        const BodyMotion<double>&, const double&);
template std::array<Wrench<double>, 3> evaluate(const AntiRollBarElement&,
                                                const BodyMotion<double>&,
                                                const BodyMotion<double>&,
                                                const BodyMotion<double>&);
template Wrench<double> evaluate(const WrenchElement&, const BodyMotion<double>&, const double&);

template LengthAndRate<Dual> length_and_rate(const Points&, const Axis&, const BodyMotion<Dual>&,
                                             const BodyMotion<Dual>&);
template Deflection<Dual> deflection(const Frames&, const BodyMotion<Dual>&,
                                     const BodyMotion<Dual>&);
template AlongDeflection<Dual> law_of(const BushingElement&, const Deflection<Dual>&);
template AlongDeflection<Dual> law_of(const LeafSpringElement&, const Deflection<Dual>&,
                                      const Dual&);
template Twist<Dual> twist(const AntiRollBarElement&, const BodyMotion<Dual>&,
                           const BodyMotion<Dual>&, const BodyMotion<Dual>&);
template Vec3<Dual> rotation_vector(const Mat3<Dual>&);
template WrenchPair<Dual> evaluate(const TsdaElement&, const BodyMotion<Dual>&,
                                   const BodyMotion<Dual>&, const Dual&);
template WrenchPair<Dual> evaluate(const BumpStopElement&, const BodyMotion<Dual>&,
                                   const BodyMotion<Dual>&);
template RsdaOut<Dual> evaluate(const RsdaElement&, const BodyMotion<Dual>&,
                                const BodyMotion<Dual>&, const Dual&, const Dual&);
template WrenchPair<Dual> evaluate(const BushingElement&, const BodyMotion<Dual>&,
                                   const BodyMotion<Dual>&);
template LeafSpringOut<Dual> evaluate(const LeafSpringElement&, const BodyMotion<Dual>&,
                                      const BodyMotion<Dual>&, const Dual&);
template std::array<Wrench<Dual>, 3> evaluate(const AntiRollBarElement&, const BodyMotion<Dual>&,
                                              const BodyMotion<Dual>&, const BodyMotion<Dual>&);
template Wrench<Dual> evaluate(const WrenchElement&, const BodyMotion<Dual>&, const Dual&);

template double energy(const TsdaElement&, const BodyMotion<double>&, const BodyMotion<double>&);
template double energy(const BumpStopElement&, const BodyMotion<double>&,
                       const BodyMotion<double>&);
template double energy(const RsdaElement&, const BodyMotion<double>&, const BodyMotion<double>&,
                       const double&);
template double energy(const BushingElement&, const BodyMotion<double>&, const BodyMotion<double>&);
template double energy(const LeafSpringElement&, const BodyMotion<double>&,
                       const BodyMotion<double>&);
template double energy(const AntiRollBarElement&, const BodyMotion<double>&,
                       const BodyMotion<double>&, const BodyMotion<double>&);
template Dual energy(const TsdaElement&, const BodyMotion<Dual>&, const BodyMotion<Dual>&);
template Dual energy(const BumpStopElement&, const BodyMotion<Dual>&, const BodyMotion<Dual>&);
template Dual energy(const RsdaElement&, const BodyMotion<Dual>&, const BodyMotion<Dual>&,
                     const Dual&);
template Dual energy(const BushingElement&, const BodyMotion<Dual>&, const BodyMotion<Dual>&);
template Dual energy(const LeafSpringElement&, const BodyMotion<Dual>&, const BodyMotion<Dual>&);
template Dual energy(const AntiRollBarElement&, const BodyMotion<Dual>&, const BodyMotion<Dual>&,
                     const BodyMotion<Dual>&);

}  // namespace chicane::multibody
