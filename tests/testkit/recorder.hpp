// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "simulation/simulation.hpp"

namespace testkit {

// The values of some signals wherever it looks.
class Recorder final : public chicane::Observer {
 public:
  Recorder(const chicane::Simulation& s, const std::vector<std::string>& names) : s_(s) {
    for (const std::string& name : names) {
      signals_.push_back(s.structure().find_signal(name));
      EXPECT_TRUE(signals_.back().valid()) << name;
    }
    values.resize(names.size());
  }
  void observe(const chicane::Point& point) noexcept override {
    s_.report(point);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = point.value(s_.structure().signals[signals_[i]]);
      if (i == 0) most = std::max(most, std::fabs(values[0]));
    }
  }
  std::vector<double> values;
  double most = 0;  // of the first

 private:
  const chicane::Simulation& s_;
  std::vector<chicane::SignalIndex> signals_;
};

// Signals as they are now.
inline std::vector<double> seen(chicane::Simulation& s, const std::vector<std::string>& names) {
  Recorder r(s, names);
  s.observe_now(r);
  return r.values;
}
inline double seen(chicane::Simulation& s, const std::string& name) {
  return seen(s, std::vector{name})[0];
}

}  // namespace testkit
