// SPDX-License-Identifier: Apache-2.0
#include "language/expression/program.hpp"

#include "math/dual.hpp"
#include "math/lanes.hpp"

namespace chicane {
namespace {

// Truth values are 1 and 0 among the other numbers.
template <class T, class Mask>
T truth(const Mask& mask) {
  return select(mask, T(1.0), T(0.0));
}

// One instruction of plain arithmetic. Inlined into each of its calls below, so that each has a
// branch predictor's entry of its own for what comes next: that halves the time of short programs.
template <class T>
[[gnu::always_inline]] inline T arithmetic(const Instruction& i, const T& last, const T* v) {
  const T& a = v[i.a];
  const T& b = v[i.b];
  switch (i.op) {
    case Op::copy:
      return a;
    case Op::negate:
      return -a;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::square:
      return a * a;
    case Op::multiply_add:
      return a * b + v[i.c];
    case Op::subtract_from:
      return v[i.c] - a * b;
    case Op::add_products:
      return a * b + v[i.c] * v[i.d];
    case Op::subtract_products:
      return a * b - v[i.c] * v[i.d];
    case Op::sum_plus_product:
      return a + b + v[i.c] * v[i.d];
    case Op::sum_minus_product:
      return a + b - v[i.c] * v[i.d];
    case Op::difference_plus_product:
      return a - b + v[i.c] * v[i.d];
    case Op::difference_minus_product:
      return a - b - v[i.c] * v[i.d];
    case Op::add_last:
      return last + b;
    case Op::subtract_last:
      return last - b;
    case Op::last_subtracted:
      return a - last;
    case Op::multiply_last:
      return last * b;
    case Op::divide_last:
      return last / b;
    case Op::multiply_add_last:
      return a * b + last;
    case Op::subtract_from_last:
      return last - a * b;
    case Op::scale_last_add:
      return last * b + v[i.c];
    case Op::less:
      return truth<T>(a < b);
    case Op::less_equal:
      return truth<T>(a <= b);
    case Op::greater:
      return truth<T>(a > b);
    case Op::greater_equal:
      return truth<T>(a >= b);
    case Op::equal:
      return truth<T>(a == b);
    case Op::not_equal:
      return truth<T>(a != b);
    case Op::logical_and:
      return select(a != T(0.0), truth<T>(b != T(0.0)), T(0.0));
    case Op::logical_or:
      return select(a != T(0.0), T(1.0), truth<T>(b != T(0.0)));
    case Op::logical_not:
      return truth<T>(a == T(0.0));
    case Op::select:
      return select(a != T(0.0), b, v[i.c]);
    case Op::sat:
      return sat(a, b, v[i.c]);
    case Op::deadband:
      return deadband(a, b, v[i.c]);
    case Op::min:
      return min(a, b);
    case Op::max:
      return max(a, b);
    case Op::abs:
      return abs(a);
    case Op::sign:
      return sign(a);
    default:
      __builtin_unreachable();
  }
}

// Lanes may be in different intervals of a table: one after the other.
template <class Table, class... T>
auto look_up(const Table& table, const T&... at) {
  return table(at...);
}
template <int N>
Lanes<N> look_up(const Table1D& table, const Lanes<N>& x) {
  return lane_by_lane(x, [&](double at) { return table(at); });
}
template <int N>
Lanes<N> look_up(const Table2D& table, const Lanes<N>& x, const Lanes<N>& y) {
  return lane_by_lane(x, y, [&](double a, double b) { return table(a, b); });
}

// One function.
template <class T>
T function(const Instruction& i, const T* v, const Tables& tables) {
  const T& a = v[i.a];
  const T& b = v[i.b];
  switch (i.op) {
    case Op::power:
      return pow(a, b);
    case Op::sqrt:
      return sqrt(a);
    case Op::exp:
      return exp(a);
    case Op::log:
      return log(a);
    case Op::log10:
      return log10(a);
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::tan:
      return tan(a);
    case Op::asin:
      return asin(a);
    case Op::acos:
      return acos(a);
    case Op::atan:
      return atan(a);
    case Op::atan2:
      return atan2(a, b);
    case Op::sinh:
      return sinh(a);
    case Op::cosh:
      return cosh(a);
    case Op::tanh:
      return tanh(a);
    case Op::hypot:
      return hypot(a, b);
    case Op::floor:
      return floor(a);
    case Op::ceil:
      return ceil(a);
    case Op::round:
      return round(a);
    case Op::mod:
      return fmod(a, b);
    case Op::table1:
      return look_up(tables.one[i.c], a);
    case Op::table2:
      return look_up(tables.two[i.c], a, b);
    default:
      __builtin_unreachable();
  }
}

}  // namespace

template <class T>
void execute_arithmetic(std::span<const Instruction> code, T* v) noexcept {
  T last{};  // the last result: chains of operations need not wait for memory
  const Instruction* i = code.data();
  const Instruction* const end = i + code.size();
  const auto one = [&](const Instruction& at) __attribute__((always_inline)) {
    v[at.to] = last = arithmetic(at, last, v);
  };
  for (; end - i >= 4; i += 4) {
    one(i[0]);
    one(i[1]);
    one(i[2]);
    one(i[3]);
  }
  if (i == end) return;
  one(i[0]);
  if (i + 1 == end) return;
  one(i[1]);
  if (i + 2 == end) return;
  one(i[2]);
}

template <class T>
void execute_functions(std::span<const Instruction> code, T* v, const Tables& tables) noexcept {
  for (const Instruction& i : code) v[i.to] = function(i, v, tables);
}

template void execute_arithmetic(std::span<const Instruction>, double*) noexcept;
template void execute_arithmetic(std::span<const Instruction>, Dual*) noexcept;
template void execute_functions(std::span<const Instruction>, double*, const Tables&) noexcept;
template void execute_functions(std::span<const Instruction>, Dual*, const Tables&) noexcept;
template void execute_arithmetic(std::span<const Instruction>, Lanes<4>*) noexcept;
template void execute_functions(std::span<const Instruction>, Lanes<4>*, const Tables&) noexcept;
template void execute_arithmetic(std::span<const Instruction>, Lanes<8>*) noexcept;
template void execute_functions(std::span<const Instruction>, Lanes<8>*, const Tables&) noexcept;

}  // namespace chicane
