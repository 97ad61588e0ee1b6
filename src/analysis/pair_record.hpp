// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace chicane {

// A pair of runs, step by step and state by state.
class PairRecord {
 public:
  template <class Pair>
  void add(const Pair& pair) {
    n_ = 0;
    pair.each_state([&](std::size_t, double x, double d) {
      x_.push_back(x);
      d_.push_back(d);
      ++n_;
    });
  }
  [[nodiscard]] std::size_t steps() const { return n_ == 0 ? 0 : d_.size() / n_; }
  // After so many steps, and between them: a state of the run that was not disturbed, and its
  // difference, weighted.
  [[nodiscard]] double state(double step, std::size_t i) const { return between(x_, step, i); }
  [[nodiscard]] double difference(double step, std::size_t i) const { return between(d_, step, i); }
  // The largest difference of each state, weighted, in steps from first up to last.
  [[nodiscard]] std::vector<double> differences(std::size_t first, std::size_t last) const {
    std::vector<double> most(n_);
    for (std::size_t k = first; k < last; ++k)
      for (std::size_t i = 0; i < n_; ++i) most[i] = std::max(most[i], d_[k * n_ + i]);
    return most;
  }
  // From least to most of each state that was not disturbed.
  [[nodiscard]] std::vector<double> swings(std::size_t first, std::size_t last) const {
    std::vector<double> swing(n_);
    for (std::size_t i = 0; i < n_ && first < last; ++i) {
      double least = x_[first * n_ + i], most = least;
      for (std::size_t k = first; k < last; ++k) {
        least = std::min(least, x_[k * n_ + i]);
        most = std::max(most, x_[k * n_ + i]);
      }
      swing[i] = most - least;
    }
    return swing;
  }

 private:
  [[nodiscard]] double between(const std::vector<double>& of, double step, std::size_t i) const {
    const double at = std::clamp(step - 1, 0.0, static_cast<double>(steps() - 1));
    const auto k = static_cast<std::size_t>(at), next = std::min(k + 1, steps() - 1);
    const double part = at - static_cast<double>(k);
    return (1 - part) * of[k * n_ + i] + part * of[next * n_ + i];
  }

  std::size_t n_ = 0;
  std::vector<double> x_, d_;
};

}  // namespace chicane
