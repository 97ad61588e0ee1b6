// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "math/vec3.hpp"

namespace testkit {

// Numbers that look random and are the same in every run.
struct Random {
  explicit Random(unsigned seed) : engine(seed) {}
  double operator()(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(engine);
  }
  chicane::Vec3<double> vec(double size) {
    const double x = (*this)(-size, size), y = (*this)(-size, size), z = (*this)(-size, size);
    return {x, y, z};
  }
  std::mt19937 engine;
};

}  // namespace testkit
