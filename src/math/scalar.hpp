// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

// The vocabulary in which physics is written once for every scalar T: double, Dual, SIMD lanes.
//
// A comparison of scalars gives a mask, and a decision on values is select(mask, a, b), never `if`:
// the lanes of one register may decide differently.  Both arms are therefore always evaluated.
//
//   const T brake = select(speed > 0.0, torque, -torque);
//
// Code in namespace chicane calls elementary functions unqualified: sin(x) is std::sin for double,
// and for other scalars the function beside their definition, found through the argument.

namespace chicane {

using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::cbrt;
using std::ceil;
using std::cos;
using std::cosh;
using std::exp;
using std::fabs;
using std::floor;
using std::fmod;
using std::log;
using std::log10;
using std::pow;
using std::round;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;

// What comparing two T gives: bool, or one bit per lane.
template <class T>
using mask_t = decltype(std::declval<const T&>() < std::declval<const T&>());

// What physics can compute with: the four operations, comparisons, and plain numbers as constants.
template <class T>
concept Scalar = std::copyable<T> && !std::integral<T> && std::convertible_to<double, T> &&
                 requires(const T a, const T b) {
  { a + b } -> std::convertible_to<T>;
  { a - b } -> std::convertible_to<T>;
  { a* b } -> std::convertible_to<T>;
  { a / b } -> std::convertible_to<T>;
  { -a } -> std::convertible_to<T>;
  typename mask_t<T>;
};

// The scalar that holds both, so that constants may be written as plain numbers.
template <class A, class B>
using common_scalar_t = std::common_type_t<A, B>;

// One of two by the mask, lane by lane.
template <class A, class B>
constexpr common_scalar_t<A, B> select(bool mask, const A& if_true, const B& if_false) {
  using C = common_scalar_t<A, B>;
  return mask ? C(if_true) : C(if_false);
}

// The plain number, without what rides along (derivatives).
constexpr double value_of(double x) { return x; }

// What T computes with when nothing rides along: double, but lanes stay lanes.
template <class T>
using real_t = std::remove_cvref_t<decltype(value_of(std::declval<const T&>()))>;

// Neither infinite nor NaN, derivatives included.
inline bool is_finite(double x) { return std::isfinite(x); }

// f(x), given its value and slope at value_of(x).  Dual numbers carry on by the chain rule.
constexpr double chain(double /*x*/, double value, double /*slope*/) { return value; }

// As std::min: of equal ones the first, and its derivative.
template <class A, class B>
constexpr common_scalar_t<A, B> min(const A& a, const B& b) {
  return select(b < a, b, a);
}

// As std::max: of equal ones the first, and its derivative.
template <class A, class B>
constexpr common_scalar_t<A, B> max(const A& a, const B& b) {
  return select(a < b, b, a);
}

// At 0 the slope is that from the right, +1.
inline double abs(double x) { return std::fabs(x); }
template <Scalar T>
constexpr T abs(const T& x) {
  return select(x < 0.0, -x, x);
}

// -1, 0 or 1; NaN stays NaN.
template <Scalar T>
constexpr T sign(const T& x) {
  return select(x > 0.0, T(1.0), select(x < 0.0, T(-1.0), 0.0 * x));
}

// x limited to [lo, hi]; NaN stays NaN.
template <Scalar T, class Lo, class Hi>
constexpr T sat(const T& x, const Lo& lo, const Hi& hi) {
  return select(x < lo, T(lo), select(x > hi, T(hi), x));
}

// What x exceeds [lo, hi] by, with its sign: 0 inside, x - hi above, x - lo below; NaN stays NaN.
template <Scalar T, class Lo, class Hi>
constexpr T deadband(const T& x, const Lo& lo, const Hi& hi) {
  return select(x > hi, T(x - hi), select(x < lo, T(x - lo), 0.0 * x));
}

// Of scalars with no better one of their own it overflows above about 1e154.
inline double hypot(double x, double y) { return std::hypot(x, y); }
template <Scalar T>
T hypot(const T& x, const T& y) {
  return sqrt(x * x + y * y);
}

// The same at a fraction of the cost, for quantities whose squares are no danger: forces, speeds.
inline double magnitude(double x, double y) { return std::sqrt(x * x + y * y); }
template <Scalar T>
T magnitude(const T& x, const T& y) {
  return hypot(x, y);
}

}  // namespace chicane
