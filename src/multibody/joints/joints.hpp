// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/description.hpp"
#include "multibody/mechanism.hpp"

// The joints that can carry a body: a closed set with fixed sizes, visited in one place.
//
//   pose   from the coordinates: axes R of the body's frame L, and d, from the origin of J to that
//          of L; both in world axes, R_WJ being given
//   axes   columns S of the motion subspace, about the origin of L
//   bias   for axes that turn one another: what that adds to the angular acceleration
//   rate   dq/dt from the rates
//   moved  coordinates after a small displacement along the rates, for Newton's method
//
// Linear axes are fixed in J, so that the bias of the linear part is the same for all.

namespace chicane::multibody {

// R turned by an angle about its own z.
template <class T>
Mat3<T> turned_about_z(const Mat3<T>& R, const T& angle) {
  const T c = cos(angle), s = sin(angle);
  return {mul_add(c, R.x, s * R.y), mul_add(c, R.y, -s * R.x), R.z};
}
template <class T>
Mat3<T> turned_about_y(const Mat3<T>& R, const T& angle) {
  const T c = cos(angle), s = sin(angle);
  return {mul_add(c, R.x, -s * R.z), R.y, mul_add(c, R.z, s * R.x)};
}

struct Axes {  // which columns of S turn, or slide
  int begin = 0, end = 0;
  [[nodiscard]] constexpr bool any() const { return begin < end; }
};

// Coordinates that are the integrals of the rates.
template <int n>
struct PlainCoordinates {
  static constexpr int nq = n, nv = n;
  static constexpr bool kQuaternion = false;
  static constexpr bool kAxesTurn = false;
  template <class T>
  static void rate(const T*, const T* v, T* qdot) {
    for (int k = 0; k < n; ++k) qdot[k] = v[k];
  }
  template <class T>
  static void moved(T* q, const T* dv) {
    for (int k = 0; k < n; ++k) q[k] += dv[k];
  }
};

template <class T>
Quaternion<T> quaternion(const T* q) {
  return {q[0], q[1], q[2], q[3]};
}
template <class T>
void store(const Quaternion<T>& e, T* q) {
  q[0] = e.w, q[1] = e.x, q[2] = e.y, q[3] = e.z;
}

struct Weld : PlainCoordinates<0> {
  static constexpr Axes kTurns{}, kSlides{};
  template <class T>
  static void pose(const Mat3<T>& R_WJ, const T*, const numbers_t<T>&, Mat3<T>& R, Vec3<T>& d) {
    R = R_WJ;
    d = {};
  }
  template <class T>
  static void axes(const Mat3<T>&, const Mat3<T>&, const numbers_t<T>&, Motion<T>*) {}
};

struct Revolute : PlainCoordinates<1> {
  static constexpr Axes kTurns{0, 1}, kSlides{};
  template <class T>
  static void pose(const Mat3<T>& R_WJ, const T* q, const numbers_t<T>&, Mat3<T>& R, Vec3<T>& d) {
    R = turned_about_z(R_WJ, q[0]);
    d = {};
  }
  template <class T>
  static void axes(const Mat3<T>& R_WJ, const Mat3<T>&, const numbers_t<T>&, Motion<T>* S) {
    S[0] = {R_WJ.z, {}};
  }
};

struct Translational : PlainCoordinates<1> {
  static constexpr Axes kTurns{}, kSlides{0, 1};
  template <class T>
  static void pose(const Mat3<T>& R_WJ, const T* q, const numbers_t<T>&, Mat3<T>& R, Vec3<T>& d) {
    R = R_WJ;
    d = q[0] * R_WJ.z;
  }
  template <class T>
  static void axes(const Mat3<T>& R_WJ, const Mat3<T>&, const numbers_t<T>&, Motion<T>* S) {
    S[0] = {{}, R_WJ.z};
  }
};

struct Cylindrical : PlainCoordinates<2> {  // angle, displacement
  static constexpr Axes kTurns{0, 1}, kSlides{1, 2};
  template <class T>
  static void pose(const Mat3<T>& R_WJ, const T* q, const numbers_t<T>&, Mat3<T>& R, Vec3<T>& d) {
    R = turned_about_z(R_WJ, q[0]);
    d = q[1] * R_WJ.z;
  }
  template <class T>
  static void axes(const Mat3<T>& R_WJ, const Mat3<T>&, const numbers_t<T>&, Motion<T>* S) {
    S[0] = {R_WJ.z, {}};
    S[1] = {{}, R_WJ.z};
  }
};

struct Screw : PlainCoordinates<1> {
  static constexpr Axes kTurns{0, 1}, kSlides{0, 1};
  template <class T>
  static void pose(const Mat3<T>& R_WJ, const T* q, const numbers_t<T>& pitch, Mat3<T>& R,
                   Vec3<T>& d) {
    R = turned_about_z(R_WJ, q[0]);
    d = (pitch * q[0]) * R_WJ.z;
  }
  template <class T>
  static void axes(const Mat3<T>& R_WJ, const Mat3<T>&, const numbers_t<T>& pitch, Motion<T>* S) {
    S[0] = {R_WJ.z, T(pitch) * R_WJ.z};
  }
};

struct Universal : PlainCoordinates<2> {  // about z of J, then about y of L
  static constexpr bool kAxesTurn = true;
  static constexpr Axes kTurns{0, 2}, kSlides{};
  template <class T>
  static void pose(const Mat3<T>& R_WJ, const T* q, const numbers_t<T>&, Mat3<T>& R, Vec3<T>& d) {
    R = turned_about_y(turned_about_z(R_WJ, q[0]), q[1]);
    d = {};
  }
  template <class T>
  static void axes(const Mat3<T>& R_WJ, const Mat3<T>& R, const numbers_t<T>&, Motion<T>* S) {
    S[0] = {R_WJ.z, {}};
    S[1] = {R.y, {}};
  }
  template <class T>
  static Vec3<T> bias(const Motion<T>* S, const T* v) {
    return (v[0] * v[1]) * cross(S[0].angular, S[1].angular);
  }
};

struct Planar : PlainCoordinates<3> {  // along x and y of J, then about z
  static constexpr Axes kTurns{2, 3}, kSlides{0, 2};
  template <class T>
  static void pose(const Mat3<T>& R_WJ, const T* q, const numbers_t<T>&, Mat3<T>& R, Vec3<T>& d) {
    R = turned_about_z(R_WJ, q[2]);
    d = q[0] * R_WJ.x + q[1] * R_WJ.y;
  }
  template <class T>
  static void axes(const Mat3<T>& R_WJ, const Mat3<T>&, const numbers_t<T>&, Motion<T>* S) {
    S[0] = {{}, R_WJ.x};
    S[1] = {{}, R_WJ.y};
    S[2] = {R_WJ.z, {}};
  }
};

struct Spherical {  // quaternion of R_JL; rates: angular velocity in the axes of L
  static constexpr int nq = 4, nv = 3;
  static constexpr bool kQuaternion = true;
  static constexpr bool kAxesTurn = false;
  static constexpr Axes kTurns{0, 3}, kSlides{};
  template <class T>
  static void pose(const Mat3<T>& R_WJ, const T* q, const numbers_t<T>&, Mat3<T>& R, Vec3<T>& d) {
    R = R_WJ * rotation(quaternion(q));
    d = {};
  }
  template <class T>
  static void axes(const Mat3<T>&, const Mat3<T>& R, const numbers_t<T>&, Motion<T>* S) {
    S[0] = {R.x, {}};
    S[1] = {R.y, {}};
    S[2] = {R.z, {}};
  }
  template <class T>
  static void rate(const T* q, const T* v, T* qdot) {
    store(quaternion_rate(quaternion(q), Vec3<T>{v[0], v[1], v[2]}), qdot);
  }
  template <class T>
  static void moved(T* q, const T* dv) {
    const Quaternion<T> e = quaternion(q), de = quaternion_rate(e, Vec3<T>{dv[0], dv[1], dv[2]});
    store(normalized(Quaternion<T>{e.w + de.w, e.x + de.x, e.y + de.y, e.z + de.z}), q);
  }
};

struct Free {  // quaternion of R_JL, p_JL in J; rates: angular velocity in L, dp/dt in J
  static constexpr int nq = 7, nv = 6;
  static constexpr bool kQuaternion = true;
  static constexpr bool kAxesTurn = false;
  static constexpr Axes kTurns{0, 3}, kSlides{3, 6};
  template <class T>
  static void pose(const Mat3<T>& R_WJ, const T* q, const numbers_t<T>&, Mat3<T>& R, Vec3<T>& d) {
    R = R_WJ * rotation(quaternion(q));
    d = R_WJ * Vec3<T>{q[4], q[5], q[6]};
  }
  template <class T>
  static void axes(const Mat3<T>& R_WJ, const Mat3<T>& R, const numbers_t<T>&, Motion<T>* S) {
    Spherical::axes(R_WJ, R, 0.0, S);
    S[3] = {{}, R_WJ.x};
    S[4] = {{}, R_WJ.y};
    S[5] = {{}, R_WJ.z};
  }
  template <class T>
  static void rate(const T* q, const T* v, T* qdot) {
    Spherical::rate(q, v, qdot);
    for (int k = 0; k < 3; ++k) qdot[4 + k] = v[3 + k];
  }
  template <class T>
  static void moved(T* q, const T* dv) {
    Spherical::moved(q, dv);
    for (int k = 0; k < 3; ++k) q[4 + k] += dv[3 + k];
  }
};

// f(J{}) for the joint of that kind. A switch, so that each case is compiled in place.
template <class F>
[[gnu::always_inline]] inline decltype(auto) visit_joint(JointKind kind, F&& f) {
  switch (kind) {
    case JointKind::revolute:
      return f(Revolute{});
    case JointKind::spherical:
      return f(Spherical{});
    case JointKind::translational:
      return f(Translational{});
    case JointKind::cylindrical:
      return f(Cylindrical{});
    case JointKind::screw:
      return f(Screw{});
    case JointKind::universal:
      return f(Universal{});
    case JointKind::planar:
      return f(Planar{});
    case JointKind::free:
      return f(Free{});
    default:
      return f(Weld{});
  }
}

// Sums of S v over the axes that turn or slide; there is at least one.
template <class J, class T>
[[gnu::always_inline]] inline Vec3<T> turning(const Motion<T>* S, const T* v) {
  Vec3<T> w = v[J::kTurns.begin] * S[J::kTurns.begin].angular;
  for (int k = J::kTurns.begin + 1; k < J::kTurns.end; ++k) w = mul_add(v[k], S[k].angular, w);
  return w;
}
template <class J, class T>
[[gnu::always_inline]] inline Vec3<T> sliding(const Motion<T>* S, const T* v) {
  Vec3<T> w = v[J::kSlides.begin] * S[J::kSlides.begin].linear;
  for (int k = J::kSlides.begin + 1; k < J::kSlides.end; ++k) w = mul_add(v[k], S[k].linear, w);
  return w;
}

// Position of a link from that of its parent.
template <class J, class T>
[[gnu::always_inline]] inline void place(const LinkOf<numbers_t<T>>& link, const T* q,
                                         const LinkMotion<T>& P, LinkMotion<T>& own, Motion<T>* S) {
  const Mat3<T> R_WJ = P.R * link.R_PJ;
  Vec3<T> d;
  J::pose(R_WJ, q, link.pitch, own.R, d);
  own.r = P.R * link.p_PJ;
  if constexpr (J::kSlides.any()) own.r += d;
  own.p = P.p + own.r;
  J::axes(R_WJ, own.R, link.pitch, S);
}

// Velocity and bias acceleration of a link from the velocity of its parent.
template <class J, class T>
[[gnu::always_inline]] inline void move(const LinkMotion<T>& P, const Motion<T>* S, const T* v,
                                        LinkMotion<T>& own) {
  const Vec3<T>& w_P = P.V.angular;
  const Vec3<T> w_r = cross(w_P, own.r);
  own.V.angular = w_P;
  own.V.linear = P.V.linear + w_r;
  own.c.linear = cross(w_P, w_r);
  own.c.angular = {};
  if constexpr (J::kTurns.any()) {
    const Vec3<T> w_rel = turning<J>(S, v);
    own.V.angular += w_rel;
    own.c.angular = cross(w_P, w_rel);
    if constexpr (J::kAxesTurn) own.c.angular += J::bias(S, v);
  }
  if constexpr (J::kSlides.any()) {
    const Vec3<T> v_rel = sliding<J>(S, v);
    own.V.linear += v_rel;
    own.c.linear += T(2) * cross(w_P, v_rel);
  }
}

}  // namespace chicane::multibody
