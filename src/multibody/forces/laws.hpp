// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <variant>
#include <vector>

#include "math/scalar.hpp"
#include "math/table.hpp"

// Laws of force elements along one line or about one axis: a force over a displacement and its
// rate. x is positive where the element is longer than at rest, and a positive force pulls back.

namespace chicane::multibody {

// A force over x: nothing, a polynomial c_1 x + c_2 x^2 + ... or a table.
class Curve {
 public:
  Curve() = default;
  explicit Curve(std::vector<double> c) : law_(std::move(c)) {}
  explicit Curve(Table1D table) : law_(std::move(table)) {}

  [[nodiscard]] bool empty() const {
    const auto* c = std::get_if<std::vector<double>>(&law_);
    return c != nullptr && c->empty();
  }

  template <class T>
  T operator()(const T& x) const {
    if (const auto* table = std::get_if<Table1D>(&law_)) return (*table)(x);
    const auto& c = std::get<std::vector<double>>(law_);
    T y(0.0);
    for (std::size_t i = c.size(); i-- > 0;) y = x * (c[i] + y);
    return y;
  }

  // From 0 to x.
  template <class T>
  T integral(const T& x) const {
    if (const auto* table = std::get_if<Table1D>(&law_))
      return chain(x, table->integral(value_of(x)) - table->integral(0.0), (*table)(value_of(x)));
    const auto& c = std::get<std::vector<double>>(law_);
    T y(0.0);
    for (std::size_t i = c.size(); i-- > 0;) y = x * (c[i] / static_cast<double>(i + 2) + y);
    return x * y;
  }

 private:
  std::variant<std::vector<double>, Table1D> law_;
};

// Spring and damper, both linear with a curve added, and a constant force.
//   k x + spring(x) + c dx/dt + damper(dx/dt) + F
struct SpringDamper {
  double k = 0.0;  // [N/m], [N m/rad]
  double c = 0.0;  // [N s/m], [N m s/rad]
  double F = 0.0;  // [N], [N m]
  Curve spring{}, damper{};

  template <class T>
  T operator()(const T& x, const T& dx) const {
    return k * x + spring(x) + c * dx + damper(dx) + F;
  }
  template <class T>
  T damping(const T& dx) const {
    return c * dx + damper(dx);
  }
  template <class T>
  T energy(const T& x) const {
    return x * (0.5 * k * x + F) + spring.integral(x);
  }
};

// Other rates near the ends of a damper's stroke: beyond a range of lengths they take the place of
// those within it, little by little over a way outwards.
struct DamperEnds {
  double shortest = -std::numeric_limits<double>::infinity();  // [m]
  double longest = std::numeric_limits<double>::infinity();    // [m]
  double over = 1.0;                                           // [m], more than 0
  double c = 0.0;                                              // [N s/m]
  Curve damper{};

  // What they add at length l to a damper that alone gives `within`: nothing within the range.
  template <class T>
  T operator()(const T& l, const T& dl, const T& within) const {
    const T share = min(max(max(T(shortest - l), T(l - longest)) / over, 0.0), 1.0);
    return share * (c * dl + damper(dl) - within);
  }
};

// A stop: nothing before contact; then a spring over the depth, with damping that grows with its
// force, so that the force neither jumps nor pulls (Hunt and Crossley, 1975).
//   max(0, (k x + spring(x)) (1 + d dx/dt))    for x > 0
struct Stop {
  double k = 0.0;  // [N/m], [N m/rad]
  double d = 0.0;  // [s/m], [s/rad]
  Curve spring{};

  template <class T>
  T operator()(const T& depth, const T& rate) const {
    const T x = max(depth, 0.0);
    return max((k * x + spring(x)) * (1.0 + d * rate), 0.0);
  }
  template <class T>
  T energy(const T& depth) const {
    const T x = max(depth, 0.0);
    return 0.5 * k * x * x + spring.integral(x);
  }
};

// Dry friction with a memory z of the direction it came from, -1 to 1 (Dahl, 1968). A load below F
// is held without creeping; reversing takes a way of the order of s.
//   F z        dz/dt = (v - |v| z) / s
struct DryFriction {
  double F = 0.0;  // [N], [N m]
  double s = 1.0;  // [m], [rad]

  template <class T>
  T operator()(const T& z) const {
    return F * z;
  }
  template <class T>
  T rate(const T& z, const T& v) const {
    return (v - abs(v) * z) / s;
  }
};

}  // namespace chicane::multibody
