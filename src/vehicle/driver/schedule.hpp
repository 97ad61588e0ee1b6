// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "math/scalar.hpp"
#include "math/table.hpp"

// Open-loop driving: a signal over time. Docs: docs/theory/driver.md.

namespace chicane::driver {

enum class Between { linear, hold };  // hold: the value of the last point reached

class Schedule {
 public:
  // Before the first point and after the last one the value there.
  static std::variant<Schedule, std::string> make(std::vector<double> t, std::vector<double> value,
                                                  Between between = Between::linear);

  template <class T>
  T operator()(const T& t) const {
    if (between_ == Between::linear) return linear_(t);
    const std::size_t reached = times_.count_up_to(value_of(t));
    return T(values_[reached == 0 ? 0 : reached - 1]);
  }

 private:
  Schedule(Table1D linear, std::vector<double> t, std::vector<double> values, Between between)
      : linear_(std::move(linear)),
        times_(std::move(t)),
        values_(std::move(values)),
        between_(between) {}

  Table1D linear_;
  TableAxis times_;
  std::vector<double> values_;
  Between between_;
};

}  // namespace chicane::driver
