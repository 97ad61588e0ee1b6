// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "integrators/tableaus/rational.hpp"

namespace chicane {

inline constexpr int kMaxStages = 16;
inline constexpr int kMaxOld = 8;

// Every explicit fixed-step method we have is of one form: s stages and r old derivatives,
//
//   X_i     = x_n + h ( sum_{j<i} A_ij F_j + sum_{k=1..r} H_ik f_{n-k} ),   F_i = f(t_n + c_i h,
//   X_i) x_{n+1} = x_n + h ( sum_j     b_j  F_j + sum_{k=1..r} e_k  f_{n-k} ),   f_n = F_1
//
// Runge-Kutta methods have r = 0, Adams-Bashforth s = 1, predictor-corrector and half-step
// Adams-Moulton s = 2. The first stage is always the point itself (c_1 = 0).
template <class R>
struct Coefficients {
  int stages = 1;  // s
  int old = 0;     // r
  std::array<std::array<R, kMaxStages>, kMaxStages> A{};
  std::array<std::array<R, kMaxOld>, kMaxStages> H{};
  std::array<R, kMaxStages> b{}, c{};
  std::array<R, kMaxOld> e{};
};

struct Method {
  std::string name, source, use;
  int order = 1;
  Coefficients<double> k;

  [[nodiscard]] bool half_step() const;  // evaluates at t + h/2
  // Every stage's input is at hand when its turn comes in real time, the stages dividing the step
  // evenly: c_i <= (i-1)/s. (R. M. Howe's notion of a real-time method.)
  [[nodiscard]] bool real_time() const;
};

// The built-in methods as exact data.
struct MethodTable {
  std::string name, alias, source, use;
  int order = 1;
  Coefficients<Rational> k;
};
const std::vector<MethodTable>& method_tables();
Coefficients<double> to_double(const Coefficients<Rational>& k);

// By name or alias; nullptr when there is none.
const Method* find_method(std::string_view name);
std::vector<std::string_view> method_names();

// The fault of coefficients given by a user (A not strictly lower, row sums that are not c); empty
// when there is none.
std::string fault_of(const Coefficients<double>& k);

inline constexpr int kMostVerifiedOrder = 6;
// The order that coefficients have, or kMostVerifiedOrder where it is at least that.
int verified_order(const Coefficients<double>& k);

}  // namespace chicane
