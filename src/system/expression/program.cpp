#include "system/expression/program.hpp"

#include "math/dual.hpp"

namespace chicane {
namespace {

// Truth values are 1 and 0 among the other numbers.
template <class T, class Mask>
T truth(const Mask& mask) {
  return select(mask, T(1.0), T(0.0));
}

}  // namespace

template <class T>
void execute(std::span<const Instruction> code, T* v, const Tables& tables) noexcept {
  for (const Instruction& i : code) {
    const T& a = v[i.a];
    const T& b = v[i.b];
    T& to = v[i.to];
    switch (i.op) {
      case Op::copy:
        to = a;
        break;
      case Op::negate:
        to = -a;
        break;
      case Op::add:
        to = a + b;
        break;
      case Op::subtract:
        to = a - b;
        break;
      case Op::multiply:
        to = a * b;
        break;
      case Op::divide:
        to = a / b;
        break;
      case Op::power:
        to = pow(a, b);
        break;
      case Op::square:
        to = a * a;
        break;
      case Op::multiply_add:
        to = a * b + v[i.c];
        break;
      case Op::subtract_from:
        to = v[i.c] - a * b;
        break;
      case Op::less:
        to = truth<T>(a < b);
        break;
      case Op::less_equal:
        to = truth<T>(a <= b);
        break;
      case Op::greater:
        to = truth<T>(a > b);
        break;
      case Op::greater_equal:
        to = truth<T>(a >= b);
        break;
      case Op::equal:
        to = truth<T>(a == b);
        break;
      case Op::not_equal:
        to = truth<T>(a != b);
        break;
      case Op::logical_and:
        to = select(a != T(0.0), truth<T>(b != T(0.0)), T(0.0));
        break;
      case Op::logical_or:
        to = select(a != T(0.0), T(1.0), truth<T>(b != T(0.0)));
        break;
      case Op::logical_not:
        to = truth<T>(a == T(0.0));
        break;
      case Op::select:
        to = select(a != T(0.0), b, v[i.c]);
        break;
      case Op::sat:
        to = sat(a, b, v[i.c]);
        break;
      case Op::deadband:
        to = deadband(a, b, v[i.c]);
        break;
      case Op::min:
        to = min(a, b);
        break;
      case Op::max:
        to = max(a, b);
        break;
      case Op::abs:
        to = abs(a);
        break;
      case Op::sign:
        to = sign(a);
        break;
      case Op::sqrt:
        to = sqrt(a);
        break;
      case Op::exp:
        to = exp(a);
        break;
      case Op::log:
        to = log(a);
        break;
      case Op::log10:
        to = log10(a);
        break;
      case Op::sin:
        to = sin(a);
        break;
      case Op::cos:
        to = cos(a);
        break;
      case Op::tan:
        to = tan(a);
        break;
      case Op::asin:
        to = asin(a);
        break;
      case Op::acos:
        to = acos(a);
        break;
      case Op::atan:
        to = atan(a);
        break;
      case Op::atan2:
        to = atan2(a, b);
        break;
      case Op::sinh:
        to = sinh(a);
        break;
      case Op::cosh:
        to = cosh(a);
        break;
      case Op::tanh:
        to = tanh(a);
        break;
      case Op::hypot:
        to = hypot(a, b);
        break;
      case Op::floor:
        to = floor(a);
        break;
      case Op::ceil:
        to = ceil(a);
        break;
      case Op::round:
        to = round(a);
        break;
      case Op::mod:
        to = fmod(a, b);
        break;
      case Op::table1:
        to = tables.one[i.c](a);
        break;
      case Op::table2:
        to = tables.two[i.c](a, b);
        break;
    }
  }
}

template void execute(std::span<const Instruction>, double*, const Tables&) noexcept;
template void execute(std::span<const Instruction>, Dual*, const Tables&) noexcept;

}  // namespace chicane
