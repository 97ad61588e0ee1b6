// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/vec3.hpp"

// Spatial vectors and inertias. Everything is in world axes, about a point that the name or the
// owner says (the origin of its body, if nothing else): moving it to another point is a shift, and
// no rotation is ever paid for. Accelerations are those of material points, not spatial ones: the
// bias force of a rigid body is then free of its linear velocity.

namespace chicane {

template <class T>
struct Transform {
  Mat3<T> R = Mat3<T>::identity();
  Vec3<T> p{};
};

template <class T>
[[gnu::always_inline]] constexpr Transform<T> operator*(const Transform<T>& X_AB,
                                                        const Transform<T>& X_BC) {
  return {X_AB.R * X_BC.R, X_AB.p + X_AB.R * X_BC.p};
}
template <class T>
[[gnu::always_inline]] constexpr Vec3<T> operator*(const Transform<T>& X_AB, const Vec3<T>& p_B) {
  return X_AB.p + X_AB.R * p_B;
}

// Velocity or acceleration of a body, or a column of a motion subspace.
template <class T>
struct Motion {
  Vec3<T> angular{}, linear{};

  [[gnu::always_inline]] constexpr Motion& operator+=(const Motion& b) {
    angular += b.angular, linear += b.linear;
    return *this;
  }
  [[gnu::always_inline]] friend constexpr Motion operator+(Motion a, const Motion& b) {
    return a += b;
  }
  [[gnu::always_inline]] friend constexpr Motion operator*(const T& s, const Motion& a) {
    return {s * a.angular, s * a.linear};
  }
  friend bool operator==(const Motion&, const Motion&) = default;
};

template <class T>
struct Wrench {
  Vec3<T> moment{}, force{};

  [[gnu::always_inline]] constexpr Wrench& operator+=(const Wrench& b) {
    moment += b.moment, force += b.force;
    return *this;
  }
  [[gnu::always_inline]] constexpr Wrench& operator-=(const Wrench& b) {
    moment -= b.moment, force -= b.force;
    return *this;
  }
  [[gnu::always_inline]] friend constexpr Wrench operator+(Wrench a, const Wrench& b) {
    return a += b;
  }
  [[gnu::always_inline]] friend constexpr Wrench operator-(Wrench a, const Wrench& b) {
    return a -= b;
  }
  [[gnu::always_inline]] friend constexpr Wrench operator*(const T& s, const Wrench& a) {
    return {s * a.moment, s * a.force};
  }
  friend bool operator==(const Wrench&, const Wrench&) = default;
};

// s a + b
template <class T>
[[gnu::always_inline]] constexpr Motion<T> mul_add(const T& s, const Motion<T>& a,
                                                   const Motion<T>& b) {
  return {mul_add(s, a.angular, b.angular), mul_add(s, a.linear, b.linear)};
}
template <class T>
[[gnu::always_inline]] constexpr Wrench<T> mul_add(const T& s, const Wrench<T>& a,
                                                   const Wrench<T>& b) {
  return {mul_add(s, a.moment, b.moment), mul_add(s, a.force, b.force)};
}

// Power, or a generalized force.
template <class T>
[[gnu::always_inline]] constexpr T dot(const Motion<T>& a, const Wrench<T>& f) {
  return mul_add(
      a.linear.z, f.force.z,
      mul_add(a.linear.y, f.force.y, mul_add(a.linear.x, f.force.x, dot(a.angular, f.moment))));
}

// The motion of the same rigid body at a point r away.
template <class T>
[[gnu::always_inline]] constexpr Motion<T> at_point(const Motion<T>& a, const Vec3<T>& r) {
  return {a.angular, cross_add(a.angular, r, a.linear)};
}
// The same wrench about a point from which its own is r away.
template <class T>
[[gnu::always_inline]] constexpr Wrench<T> about(const Wrench<T>& f, const Vec3<T>& r) {
  return {cross_add(r, f.force, f.moment), f.force};
}

// Of a rigid body: mass, first moment h = m c, and inertia J about the point.
template <class T>
struct RigidInertia {
  T m{};
  Vec3<T> h{};
  Sym3<T> J{};

  [[gnu::always_inline]] constexpr RigidInertia& operator+=(const RigidInertia& b) {
    m += b.m, h += b.h, J += b.J;
    return *this;
  }
  friend bool operator==(const RigidInertia&, const RigidInertia&) = default;
};

template <class T>
[[gnu::always_inline]] constexpr Wrench<T> operator*(const RigidInertia<T>& I, const Motion<T>& a) {
  return {cross_add(I.h, a.linear, I.J * a.angular), cross_add(a.angular, I.h, I.m * a.linear)};
}

// I times a turning about the point.
template <class T>
[[gnu::always_inline]] constexpr Wrench<T> turning_times(const RigidInertia<T>& I,
                                                         const Vec3<T>& alpha) {
  return {I.J * alpha, cross(alpha, I.h)};
}

// -(r~ b~ + b~ r~), the inertia that a mass at r adds when b is half its first moment there.
template <class T>
[[gnu::always_inline]] constexpr Sym3<T> steiner(const Vec3<T>& r, const Vec3<T>& b) {
  const T xx = r.x * b.x, yy = r.y * b.y, zz = r.z * b.z;
  return {T(2) * (yy + zz),
          T(2) * (xx + zz),
          T(2) * (xx + yy),
          -mul_add(r.x, b.y, r.y * b.x),
          -mul_add(r.x, b.z, r.z * b.x),
          -mul_add(r.y, b.z, r.z * b.y)};
}

// The inertia about a point from which its own is r away: h' = h + m r, and with b = h + m r / 2
//   J' = J - r~ h~ - h~ r~ - m r~ r~ = J - (r~ b~ + b~ r~)
template <class T>
[[gnu::always_inline]] constexpr RigidInertia<T> about(const RigidInertia<T>& I, const Vec3<T>& r) {
  const Vec3<T> mr = I.m * r;
  return {I.m, I.h + mr, I.J + steiner(r, I.h + T(0.5) * mr)};
}

// Of a body with others hanging on it by joints, symmetric, 21 entries:
//   moment = J alpha + H a       force = H' alpha + M a
template <class T>
struct ArticulatedInertia {
  Sym3<T> J{};
  Mat3<T> H{};
  Sym3<T> M{};

  constexpr ArticulatedInertia() = default;
  constexpr ArticulatedInertia(const Sym3<T>& angular, const Mat3<T>& cross_part,
                               const Sym3<T>& linear)
      : J(angular), H(cross_part), M(linear) {}
  constexpr explicit ArticulatedInertia(const RigidInertia<T>& I)
      : J(I.J), H(cross_matrix(I.h)), M{I.m, I.m, I.m, T(0), T(0), T(0)} {}

  [[gnu::always_inline]] constexpr ArticulatedInertia& operator+=(const ArticulatedInertia& b) {
    J += b.J, H += b.H, M += b.M;
    return *this;
  }
  [[gnu::always_inline]] constexpr ArticulatedInertia& operator+=(const RigidInertia<T>& b) {
    J += b.J;
    H.x.y += b.h.z, H.x.z -= b.h.y, H.y.x -= b.h.z, H.y.z += b.h.x, H.z.x += b.h.y, H.z.y -= b.h.x;
    M.xx += b.m, M.yy += b.m, M.zz += b.m;
    return *this;
  }
  friend bool operator==(const ArticulatedInertia&, const ArticulatedInertia&) = default;
};

template <class T>
[[gnu::always_inline]] constexpr Wrench<T> operator*(const ArticulatedInertia<T>& I,
                                                     const Motion<T>& a) {
  const auto six = [](const T& a0, const T& b0, const T& a1, const T& b1, const T& a2, const T& b2,
                      const T& c) { return mul_add(a0, b0, mul_add(a1, b1, mul_add(a2, b2, c))); };
  const Vec3<T>&w = a.angular, &v = a.linear;
  const Vec3<T> m = times_add(I.H, v, I.J * w), f = I.M * v;
  return {m,
          {six(I.H.x.x, w.x, I.H.x.y, w.y, I.H.x.z, w.z, f.x),
           six(I.H.y.x, w.x, I.H.y.y, w.y, I.H.y.z, w.z, f.y),
           six(I.H.z.x, w.x, I.H.z.y, w.y, I.H.z.z, w.z, f.z)}};
}

template <class T>
[[gnu::always_inline]] constexpr Wrench<T> turning_times(const ArticulatedInertia<T>& I,
                                                         const Vec3<T>& alpha) {
  return {I.J * alpha, transposed_times(I.H, alpha)};
}

// I - u v', for v = u times a number: what is left of the inertia when a freedom gives way.
template <class T>
[[gnu::always_inline]] constexpr void subtract(ArticulatedInertia<T>& I, const Wrench<T>& u,
                                               const Wrench<T>& v) {
  const auto take = [](Sym3<T>& A, const Vec3<T>& a, const Vec3<T>& b) {
    A.xx = mul_add(a.x, b.x, A.xx), A.yy = mul_add(a.y, b.y, A.yy), A.zz = mul_add(a.z, b.z, A.zz);
    A.xy = mul_add(a.x, b.y, A.xy), A.xz = mul_add(a.x, b.z, A.xz), A.yz = mul_add(a.y, b.z, A.yz);
  };
  const Vec3<T> m = -u.moment, f = -u.force;
  take(I.J, m, v.moment);
  take(I.M, f, v.force);
  I.H.x = mul_add(v.force.x, m, I.H.x);
  I.H.y = mul_add(v.force.y, m, I.H.y);
  I.H.z = mul_add(v.force.z, m, I.H.z);
}

// The inertia about a point from which its own is r away:
//   H' = H + r~ M       J' = J - H r~ + r~ H''
template <class T>
[[gnu::always_inline]] constexpr ArticulatedInertia<T> about(const ArticulatedInertia<T>& I,
                                                             const Vec3<T>& r) {
  ArticulatedInertia<T> B = I;
  B.H.x = cross_add(r, Vec3<T>{I.M.xx, I.M.xy, I.M.xz}, I.H.x);
  B.H.y = cross_add(r, Vec3<T>{I.M.xy, I.M.yy, I.M.yz}, I.H.y);
  B.H.z = cross_add(r, Vec3<T>{I.M.xz, I.M.yz, I.M.zz}, I.H.z);
  // Entries of -H r~ and of r~ H'': each a sum of two products with components of r.
  const Mat3<T>&H = I.H, &G = B.H;
  const auto four = [](const T& a, const T& b, const T& c, const T& d, const T& e, const T& f,
                       const T& g, const T& h, const T& sum) {
    return mul_add(a, b, mul_add(-c, d, mul_add(e, f, mul_add(-g, h, sum))));
  };
  B.J.xx = four(H.z.x, r.y, H.y.x, r.z, r.y, G.z.x, r.z, G.y.x, I.J.xx);
  B.J.yy = four(H.x.y, r.z, H.z.y, r.x, r.z, G.x.y, r.x, G.z.y, I.J.yy);
  B.J.zz = four(H.y.z, r.x, H.x.z, r.y, r.x, G.y.z, r.y, G.x.z, I.J.zz);
  B.J.xy = four(H.x.x, r.z, H.z.x, r.x, r.y, G.z.y, r.z, G.y.y, I.J.xy);
  B.J.xz = four(H.y.x, r.x, H.x.x, r.y, r.y, G.z.z, r.z, G.y.z, I.J.xz);
  B.J.yz = four(H.y.y, r.x, H.x.y, r.y, r.z, G.x.z, r.x, G.z.z, I.J.yz);
  return B;
}

// The inertia of a mass alone, r away, that need not be the same in all directions:
//   H = r~ M       J = r~ H' = -r~ M r~
template <class T>
[[gnu::always_inline]] constexpr ArticulatedInertia<T> mass_at(const Sym3<T>& M, const Vec3<T>& r) {
  const Mat3<T> H{cross(r, Vec3<T>{M.xx, M.xy, M.xz}), cross(r, Vec3<T>{M.xy, M.yy, M.yz}),
                  cross(r, Vec3<T>{M.xz, M.yz, M.zz})};
  const auto two = [](const T& a, const T& b, const T& c, const T& d) {
    return mul_add(a, b, -(c * d));
  };
  const Sym3<T> J{two(r.y, H.z.x, r.z, H.y.x), two(r.z, H.x.y, r.x, H.z.y),
                  two(r.x, H.y.z, r.y, H.x.z), two(r.y, H.z.y, r.z, H.y.y),
                  two(r.y, H.z.z, r.z, H.y.z), two(r.z, H.x.z, r.x, H.z.z)};
  return {J, H, M};
}

}  // namespace chicane
