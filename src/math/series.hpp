// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace chicane {

// A power series c_0 + c_1 t + c_2 t^2 + ..., cut off behind t^kDegree.
template <class C>
class Series {
 public:
  static constexpr std::size_t kDegree = 28;

  Series(C constant = {}) { c_[0] = constant; }  // NOLINT: constants are series
  static Series linear(C slope) {                // slope t
    Series s;
    s.c_[1] = slope;
    return s;
  }
  C& operator[](std::size_t k) { return c_[k]; }
  const C& operator[](std::size_t k) const { return c_[k]; }

  friend Series operator+(Series a, const Series& b) {
    for (std::size_t k = 0; k <= kDegree; ++k) a.c_[k] += b.c_[k];
    return a;
  }
  friend Series operator-(Series a, const Series& b) {
    for (std::size_t k = 0; k <= kDegree; ++k) a.c_[k] -= b.c_[k];
    return a;
  }
  friend Series operator*(const Series& a, const Series& b) {
    Series p;
    for (std::size_t i = 0; i <= kDegree; ++i)
      for (std::size_t j = 0; i + j <= kDegree; ++j) p.c_[i + j] += a.c_[i] * b.c_[j];
    return p;
  }
  // Where both begin with t, it is cancelled; the last coefficient is then lost, and zero.
  friend Series operator/(Series a, Series b) {
    if (a.c_[0] == C{} && b.c_[0] == C{}) {
      a = a.over_t();
      b = b.over_t();
    }
    Series q;
    for (std::size_t k = 0; k <= kDegree; ++k) {
      C rest = a.c_[k];
      for (std::size_t i = 1; i <= k; ++i) rest -= b.c_[i] * q.c_[k - i];
      q.c_[k] = rest / b.c_[0];
    }
    return q;
  }

  // e^s for s that begins with t: p' = s' p.
  friend Series exp(const Series& s) {
    Series p(C(1));
    for (std::size_t k = 1; k <= kDegree; ++k) {
      C sum{};
      for (std::size_t i = 1; i <= k; ++i) sum += number(i) * s.c_[i] * p.c_[k - i];
      p.c_[k] = sum / number(k);
    }
    return p;
  }
  // log s for s that begins with 1: s l' = s'.
  friend Series log(const Series& s) {
    Series l;
    for (std::size_t k = 1; k <= kDegree; ++k) {
      C sum = number(k) * s.c_[k];
      for (std::size_t i = 1; i < k; ++i) sum -= number(i) * l.c_[i] * s.c_[k - i];
      l.c_[k] = sum / number(k);
    }
    return l;
  }

  [[nodiscard]] Series over_t() const {  // without c_0
    Series s;
    std::copy(c_.begin() + 1, c_.end(), s.c_.begin());
    return s;
  }

 private:
  static C number(std::size_t k) { return C(static_cast<double>(k)); }

  std::array<C, kDegree + 1> c_{};
};

}  // namespace chicane
