// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/mul_add.hpp"

// Vectors and matrices of three dimensions for any scalar. Plain values on the stack; every
// function is a handful of operations, always the same ones.

namespace chicane {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  [[gnu::always_inline]] constexpr Vec3& operator+=(const Vec3& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  [[gnu::always_inline]] constexpr Vec3& operator-=(const Vec3& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }
  [[gnu::always_inline]] friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  [[gnu::always_inline]] friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  [[gnu::always_inline]] friend constexpr Vec3 operator-(const Vec3& a) {
    return {-a.x, -a.y, -a.z};
  }
  [[gnu::always_inline]] friend constexpr Vec3 operator*(const T& s, const Vec3& a) {
    return {s * a.x, s * a.y, s * a.z};
  }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
[[gnu::always_inline]] constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return mul_add(a.z, b.z, mul_add(a.y, b.y, a.x * b.x));
}

template <class T>
[[gnu::always_inline]] constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {mul_add(a.y, b.z, -(a.z * b.y)), mul_add(a.z, b.x, -(a.x * b.z)),
          mul_add(a.x, b.y, -(a.y * b.x))};
}

template <class T>
T norm(const Vec3<T>& a) {
  return sqrt(dot(a, a));
}

// s a + b
template <class T>
[[gnu::always_inline]] constexpr Vec3<T> mul_add(const T& s, const Vec3<T>& a, const Vec3<T>& b) {
  return {mul_add(s, a.x, b.x), mul_add(s, a.y, b.y), mul_add(s, a.z, b.z)};
}
// a x b + c
template <class T>
[[gnu::always_inline]] constexpr Vec3<T> cross_add(const Vec3<T>& a, const Vec3<T>& b,
                                                   const Vec3<T>& c) {
  return {mul_add(a.y, b.z, mul_add(-a.z, b.y, c.x)), mul_add(a.z, b.x, mul_add(-a.x, b.z, c.y)),
          mul_add(a.x, b.y, mul_add(-a.y, b.x, c.z))};
}

// A constant vector for a scalar that carries more than its value.
template <class T>
[[gnu::always_inline]] constexpr Vec3<T> cast(const Vec3<double>& a) {
  return {T(a.x), T(a.y), T(a.z)};
}
template <class T>
[[gnu::always_inline]] constexpr Vec3<real_t<T>> value_of(const Vec3<T>& a) {
  return {value_of(a.x), value_of(a.y), value_of(a.z)};
}

// The columns are the axes of one frame in another: v_A = R_AB v_B.
template <class T>
struct Mat3 {
  Vec3<T> x{}, y{}, z{};  // columns

  static constexpr Mat3 identity() {
    return {{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}};
  }
  [[gnu::always_inline]] constexpr Mat3& operator+=(const Mat3& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  [[gnu::always_inline]] constexpr Mat3& operator-=(const Mat3& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }
  friend bool operator==(const Mat3&, const Mat3&) = default;
};

// The second factor may be a constant: parameters are plain numbers.
template <class T, class U>
[[gnu::always_inline]] constexpr Vec3<T> operator*(const Mat3<T>& R, const Vec3<U>& v) {
  return {mul_add(R.z.x, v.z, mul_add(R.y.x, v.y, R.x.x * v.x)),
          mul_add(R.z.y, v.z, mul_add(R.y.y, v.y, R.x.y * v.x)),
          mul_add(R.z.z, v.z, mul_add(R.y.z, v.y, R.x.z * v.x))};
}
template <class T, class U>
[[gnu::always_inline]] constexpr Mat3<T> operator*(const Mat3<T>& A, const Mat3<U>& B) {
  return {A * B.x, A * B.y, A * B.z};
}
template <class T>
[[gnu::always_inline]] constexpr Mat3<T> operator+(Mat3<T> A, const Mat3<T>& B) {
  return A += B;
}
// R v + c
template <class T, class U>
[[gnu::always_inline]] constexpr Vec3<T> times_add(const Mat3<T>& R, const Vec3<U>& v,
                                                   const Vec3<T>& c) {
  return {mul_add(R.z.x, v.z, mul_add(R.y.x, v.y, mul_add(R.x.x, v.x, c.x))),
          mul_add(R.z.y, v.z, mul_add(R.y.y, v.y, mul_add(R.x.y, v.x, c.y))),
          mul_add(R.z.z, v.z, mul_add(R.y.z, v.y, mul_add(R.x.z, v.x, c.z)))};
}
// R' v
template <class T>
[[gnu::always_inline]] constexpr Vec3<T> transposed_times(const Mat3<T>& R, const Vec3<T>& v) {
  return {dot(R.x, v), dot(R.y, v), dot(R.z, v)};
}
template <class T>
[[gnu::always_inline]] constexpr Mat3<T> transpose(const Mat3<T>& A) {
  return {{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}};
}
// cross_matrix(a) b = a x b
template <class T>
[[gnu::always_inline]] constexpr Mat3<T> cross_matrix(const Vec3<T>& a) {
  return {{T(0), a.z, -a.y}, {-a.z, T(0), a.x}, {a.y, -a.x, T(0)}};
}
template <class T>
[[gnu::always_inline]] constexpr Mat3<T> cast(const Mat3<double>& A) {
  return {cast<T>(A.x), cast<T>(A.y), cast<T>(A.z)};
}

// A symmetric matrix: six entries.
template <class T>
struct Sym3 {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

  [[gnu::always_inline]] constexpr Sym3& operator+=(const Sym3& b) {
    xx += b.xx, yy += b.yy, zz += b.zz, xy += b.xy, xz += b.xz, yz += b.yz;
    return *this;
  }
  [[gnu::always_inline]] constexpr Sym3& operator-=(const Sym3& b) {
    xx -= b.xx, yy -= b.yy, zz -= b.zz, xy -= b.xy, xz -= b.xz, yz -= b.yz;
    return *this;
  }
  [[gnu::always_inline]] friend constexpr Sym3 operator+(Sym3 a, const Sym3& b) { return a += b; }
  [[gnu::always_inline]] friend constexpr Sym3 operator-(Sym3 a, const Sym3& b) { return a -= b; }
  friend bool operator==(const Sym3&, const Sym3&) = default;
};

template <class T>
[[gnu::always_inline]] constexpr Vec3<T> operator*(const Sym3<T>& A, const Vec3<T>& v) {
  return {mul_add(A.xz, v.z, mul_add(A.xy, v.y, A.xx * v.x)),
          mul_add(A.yz, v.z, mul_add(A.yy, v.y, A.xy * v.x)),
          mul_add(A.zz, v.z, mul_add(A.yz, v.y, A.xz * v.x))};
}

// R A R', the matrix in the axes that R leads to. A may be a constant.
template <class T, class U>
[[gnu::always_inline]] constexpr Sym3<T> rotated(const Mat3<T>& R, const Sym3<U>& A) {
  const Vec3<T> x = R * Vec3<U>{A.xx, A.xy, A.xz}, y = R * Vec3<U>{A.xy, A.yy, A.yz},
                z = R * Vec3<U>{A.xz, A.yz, A.zz};  // columns of R A
  const auto row = [](const T& a, const T& b, const T& c, const T& p, const T& q, const T& r) {
    return mul_add(c, r, mul_add(b, q, a * p));
  };
  return {row(x.x, y.x, z.x, R.x.x, R.y.x, R.z.x), row(x.y, y.y, z.y, R.x.y, R.y.y, R.z.y),
          row(x.z, y.z, z.z, R.x.z, R.y.z, R.z.z), row(x.x, y.x, z.x, R.x.y, R.y.y, R.z.y),
          row(x.x, y.x, z.x, R.x.z, R.y.z, R.z.z), row(x.y, y.y, z.y, R.x.z, R.y.z, R.z.z)};
}

// Of a positive definite matrix.
template <class T>
[[gnu::always_inline]] constexpr Sym3<T> inverse(const Sym3<T>& A) {
  const T a = A.yy * A.zz - A.yz * A.yz, b = A.xz * A.yz - A.xy * A.zz,
          c = A.xy * A.yz - A.xz * A.yy;
  const T d = T(1) / (A.xx * a + A.xy * b + A.xz * c);
  return {d * a, d * (A.xx * A.zz - A.xz * A.xz), d * (A.xx * A.yy - A.xy * A.xy), d * b,
          d * c, d * (A.xy * A.xz - A.xx * A.yz)};
}

// Unit quaternion of a rotation: R_AB v_B = q v_B q*.
template <class T>
struct Quaternion {
  T w{1.0}, x{}, y{}, z{};

  [[nodiscard]] constexpr Vec3<T> vector() const { return {x, y, z}; }
  friend bool operator==(const Quaternion&, const Quaternion&) = default;
};

template <class T>
constexpr Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  const Vec3<T> v = a.w * b.vector() + b.w * a.vector() + cross(a.vector(), b.vector());
  return {a.w * b.w - dot(a.vector(), b.vector()), v.x, v.y, v.z};
}

template <class T>
Quaternion<T> normalized(const Quaternion<T>& q) {
  const T s = T(1) / sqrt(q.w * q.w + dot(q.vector(), q.vector()));
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

// The one of the two quaternions of a rotation with w >= 0, from its largest component.
template <class T>
Quaternion<T> quaternion_of(const Mat3<T>& R) {
  const T xx = R.x.x, yy = R.y.y, zz = R.z.z;
  Quaternion<T> q;
  if (xx + yy + zz >= T(0))
    q = {T(1) + xx + yy + zz, R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x};
  else if (xx >= yy && xx >= zz)
    q = {R.y.z - R.z.y, T(1) + xx - yy - zz, R.x.y + R.y.x, R.z.x + R.x.z};
  else if (yy >= zz)
    q = {R.z.x - R.x.z, R.x.y + R.y.x, T(1) + yy - xx - zz, R.y.z + R.z.y};
  else
    q = {R.x.y - R.y.x, R.z.x + R.x.z, R.y.z + R.z.y, T(1) + zz - xx - yy};
  if (q.w < T(0)) q = {-q.w, -q.x, -q.y, -q.z};
  return normalized(q);
}

// The rotation for q of any length but zero: a drift of the norm does not bend the frame.
template <class T>
constexpr Mat3<T> rotation(const Quaternion<T>& q) {
  const T s = T(2) / (q.w * q.w + dot(q.vector(), q.vector()));
  const T xs = q.x * s, ys = q.y * s, zs = q.z * s;
  const T wx = q.w * xs, wy = q.w * ys, wz = q.w * zs, xx = q.x * xs, xy = q.x * ys, xz = q.x * zs,
          yy = q.y * ys, yz = q.y * zs, zz = q.z * zs;
  return {{1.0 - (yy + zz), xy + wz, xz - wy},
          {xy - wz, 1.0 - (xx + zz), yz + wx},
          {xz + wy, yz - wx, 1.0 - (xx + yy)}};
}

// dq/dt for the angular velocity omega in the axes that the quaternion leads to (body axes).
template <class T>
constexpr Quaternion<T> quaternion_rate(const Quaternion<T>& q, const Vec3<T>& omega) {
  const T half(0.5);
  return q * Quaternion<T>{T(0), half * omega.x, half * omega.y, half * omega.z};
}

// The rotation by |a| about a, as a quaternion.
inline Quaternion<double> from_rotation_vector(const Vec3<double>& a) {
  const double angle = norm(a);
  const double s = angle > 0.0 ? std::sin(0.5 * angle) / angle : 0.5;
  return {std::cos(0.5 * angle), s * a.x, s * a.y, s * a.z};
}

}  // namespace chicane
