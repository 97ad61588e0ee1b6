// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/scalar.hpp"

// Not for headers that are installed: what it does depends on the machine it is compiled for.

namespace chicane {

// a b + c. For double with a single rounding where the machine has that: the compiler is told not
// to contract on its own, so that one formula gives the same bits wherever it is compiled.
[[gnu::always_inline]] inline double mul_add(double a, double b, double c) {
#ifdef __FMA__
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}
template <class A, class B, class C>
[[gnu::always_inline]] constexpr auto mul_add(const A& a, const B& b, const C& c)
    -> decltype(a * b + c) {
  return a * b + c;
}

}  // namespace chicane
