// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <variant>

#include "math/dual.hpp"

// Runs and derivatives of physics whose states are structs of numbers.

namespace chicane::testing_vehicle {

template <class S>
using Flat = std::array<double, sizeof(S) / sizeof(double)>;

template <class S>
Flat<S> flat(const S& x) {
  return std::bit_cast<Flat<S>>(x);
}

// x + h k, member by member.
template <class S>
S moved(const S& x, double h, const S& k) {
  auto a = flat(x);
  const auto b = flat(k);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += h * b[i];
  return std::bit_cast<S>(a);
}

// One step of the classical Runge-Kutta method; rates(t, x).
template <class S, class F>
S rk4_step(const S& x, double t, double h, F&& rates) {
  const S k1 = rates(t, x), k2 = rates(t + h / 2, moved(x, h / 2, k1)),
          k3 = rates(t + h / 2, moved(x, h / 2, k2)), k4 = rates(t + h, moved(x, h, k3));
  return moved(moved(moved(moved(x, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
}

template <class S, class F>
S run(S x, double until, double h, F&& rates) {
  const int steps = static_cast<int>(std::lround(until / h));
  for (int n = 0; n < steps; ++n) x = rk4_step(x, n * h, h, rates);
  return x;
}

// f: array of numbers -> array of numbers, for any scalar. Its dual derivatives equal central
// differences at x to `tolerance`, relative to 1 + |slope|.
template <std::size_t n, class F>
void expect_dual_slopes(const std::array<double, n>& x, double h, double tolerance, F&& f) {
  for (std::size_t k = 0; k < n; ++k) {
    std::array<Dual, n> dual;
    for (std::size_t i = 0; i < n; ++i) dual[i] = i == k ? Dual::variable(x[i], 0) : Dual(x[i]);
    auto up = x, down = x;
    up[k] += h, down[k] -= h;
    const auto y = f(dual);
    const auto y_up = f(up), y_down = f(down);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double slope = (y_up[i] - y_down[i]) / (2 * h);
      EXPECT_NEAR(y[i].b[0], slope, tolerance * (1 + std::fabs(slope)))
          << "output " << i << ", input " << k;
    }
  }
}

// The thing that was to be made, or a failed test with the reason.
template <class Thing>
Thing made(std::variant<Thing, std::string> result) {
  if (const auto* fault = std::get_if<std::string>(&result)) ADD_FAILURE() << *fault;
  return std::get<Thing>(std::move(result));
}

// What was refused says why.
template <class Thing>
void expect_refused(const std::variant<Thing, std::string>& result, const std::string& why) {
  const auto* fault = std::get_if<std::string>(&result);
  ASSERT_NE(fault, nullptr) << "accepted, but: " << why;
  EXPECT_NE(fault->find(why), std::string::npos) << *fault;
}

}  // namespace chicane::testing_vehicle
