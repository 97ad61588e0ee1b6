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
constexpr Transform<T> operator*(const Transform<T>& X_AB, const Transform<T>& X_BC) {
  return {X_AB.R * X_BC.R, X_AB.p + X_AB.R * X_BC.p};
}
template <class T>
constexpr Vec3<T> operator*(const Transform<T>& X_AB, const Vec3<T>& p_B) {
  return X_AB.p + X_AB.R * p_B;
}

// Velocity or acceleration of a body, or a column of a motion subspace.
template <class T>
struct Motion {
  Vec3<T> angular{}, linear{};

  constexpr Motion& operator+=(const Motion& b) {
    angular += b.angular, linear += b.linear;
    return *this;
  }
  friend constexpr Motion operator+(Motion a, const Motion& b) { return a += b; }
  friend constexpr Motion operator*(const T& s, const Motion& a) {
    return {s * a.angular, s * a.linear};
  }
  friend constexpr bool operator==(const Motion&, const Motion&) = default;
};

template <class T>
struct Wrench {
  Vec3<T> moment{}, force{};

  constexpr Wrench& operator+=(const Wrench& b) {
    moment += b.moment, force += b.force;
    return *this;
  }
  constexpr Wrench& operator-=(const Wrench& b) {
    moment -= b.moment, force -= b.force;
    return *this;
  }
  friend constexpr Wrench operator+(Wrench a, const Wrench& b) { return a += b; }
  friend constexpr Wrench operator-(Wrench a, const Wrench& b) { return a -= b; }
  friend constexpr Wrench operator*(const T& s, const Wrench& a) {
    return {s * a.moment, s * a.force};
  }
  friend constexpr bool operator==(const Wrench&, const Wrench&) = default;
};

// Power, or a generalized force.
template <class T>
constexpr T dot(const Motion<T>& a, const Wrench<T>& f) {
  return dot(a.angular, f.moment) + dot(a.linear, f.force);
}

// The motion of the same rigid body at a point r away.
template <class T>
constexpr Motion<T> at_point(const Motion<T>& a, const Vec3<T>& r) {
  return {a.angular, a.linear + cross(a.angular, r)};
}
// The same wrench about a point from which its own is r away.
template <class T>
constexpr Wrench<T> about(const Wrench<T>& f, const Vec3<T>& r) {
  return {f.moment + cross(r, f.force), f.force};
}

// Of a rigid body: mass, first moment h = m c, and inertia J about the point.
template <class T>
struct RigidInertia {
  T m{};
  Vec3<T> h{};
  Sym3<T> J{};

  constexpr RigidInertia& operator+=(const RigidInertia& b) {
    m += b.m, h += b.h, J += b.J;
    return *this;
  }
  friend constexpr bool operator==(const RigidInertia&, const RigidInertia&) = default;
};

template <class T>
constexpr Wrench<T> operator*(const RigidInertia<T>& I, const Motion<T>& a) {
  return {I.J * a.angular + cross(I.h, a.linear), I.m * a.linear + cross(a.angular, I.h)};
}

// I times a turning about the point.
template <class T>
constexpr Wrench<T> turning_times(const RigidInertia<T>& I, const Vec3<T>& alpha) {
  return {I.J * alpha, cross(alpha, I.h)};
}

// -(r~ b~ + b~ r~), the inertia that a mass at r adds when b is half its first moment there.
template <class T>
constexpr Sym3<T> steiner(const Vec3<T>& r, const Vec3<T>& b) {
  const T xx = r.x * b.x, yy = r.y * b.y, zz = r.z * b.z;
  return {T(2) * (yy + zz),         T(2) * (xx + zz),         T(2) * (xx + yy),
          -(r.x * b.y + r.y * b.x), -(r.x * b.z + r.z * b.x), -(r.y * b.z + r.z * b.y)};
}

// The inertia about a point from which its own is r away: h' = h + m r, and with b = h + m r / 2
//   J' = J - r~ h~ - h~ r~ - m r~ r~ = J - (r~ b~ + b~ r~)
template <class T>
constexpr RigidInertia<T> about(const RigidInertia<T>& I, const Vec3<T>& r) {
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

  constexpr ArticulatedInertia& operator+=(const ArticulatedInertia& b) {
    J += b.J, H += b.H, M += b.M;
    return *this;
  }
  constexpr ArticulatedInertia& operator+=(const RigidInertia<T>& b) {
    J += b.J;
    H.x.y += b.h.z, H.x.z -= b.h.y, H.y.x -= b.h.z, H.y.z += b.h.x, H.z.x += b.h.y, H.z.y -= b.h.x;
    M.xx += b.m, M.yy += b.m, M.zz += b.m;
    return *this;
  }
  friend constexpr bool operator==(const ArticulatedInertia&, const ArticulatedInertia&) = default;
};

template <class T>
constexpr Wrench<T> operator*(const ArticulatedInertia<T>& I, const Motion<T>& a) {
  return {I.J * a.angular + I.H * a.linear, transposed_times(I.H, a.angular) + I.M * a.linear};
}

template <class T>
constexpr Wrench<T> turning_times(const ArticulatedInertia<T>& I, const Vec3<T>& alpha) {
  return {I.J * alpha, transposed_times(I.H, alpha)};
}

// I - u v', for v = u times a number: what is left of the inertia when a freedom gives way.
template <class T>
constexpr void subtract(ArticulatedInertia<T>& I, const Wrench<T>& u, const Wrench<T>& v) {
  const auto take = [](Sym3<T>& A, const Vec3<T>& a, const Vec3<T>& b) {
    A.xx -= a.x * b.x, A.yy -= a.y * b.y, A.zz -= a.z * b.z;
    A.xy -= a.x * b.y, A.xz -= a.x * b.z, A.yz -= a.y * b.z;
  };
  take(I.J, u.moment, v.moment);
  take(I.M, u.force, v.force);
  I.H.x -= v.force.x * u.moment;
  I.H.y -= v.force.y * u.moment;
  I.H.z -= v.force.z * u.moment;
}

// The inertia about a point from which its own is r away:
//   H' = H + r~ M       J' = J - H r~ + r~ H''
template <class T>
constexpr ArticulatedInertia<T> about(const ArticulatedInertia<T>& I, const Vec3<T>& r) {
  ArticulatedInertia<T> B = I;
  B.H.x += cross(r, Vec3<T>{I.M.xx, I.M.xy, I.M.xz});
  B.H.y += cross(r, Vec3<T>{I.M.xy, I.M.yy, I.M.yz});
  B.H.z += cross(r, Vec3<T>{I.M.xz, I.M.yz, I.M.zz});
  // Columns of -H r~ : r~ e_x = (0, r.z, -r.y) ...; rows of r~ H'' : r x (row of H').
  const Mat3<T>&H = I.H, &G = B.H;
  B.J.xx += H.z.x * r.y - H.y.x * r.z + r.y * G.z.x - r.z * G.y.x;
  B.J.yy += H.x.y * r.z - H.z.y * r.x + r.z * G.x.y - r.x * G.z.y;
  B.J.zz += H.y.z * r.x - H.x.z * r.y + r.x * G.y.z - r.y * G.x.z;
  B.J.xy += H.x.x * r.z - H.z.x * r.x + r.y * G.z.y - r.z * G.y.y;
  B.J.xz += H.y.x * r.x - H.x.x * r.y + r.y * G.z.z - r.z * G.y.z;
  B.J.yz += H.y.y * r.x - H.x.y * r.y + r.z * G.x.z - r.x * G.z.z;
  return B;
}

}  // namespace chicane
