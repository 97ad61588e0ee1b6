// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/simulation.hpp"

namespace testkit {

// A built-in model with values that `--set` would give, all blocks together.
inline std::shared_ptr<const chicane::ModelStructure> compiled_with(
    const std::string& model, const std::vector<std::pair<std::string, std::string>>& set) {
  chicane::Diagnostics diag;
  auto spec = chicane::read_model(model, diag);
  for (const auto& [name, value] : set)
    chicane::override_value(*spec, name, {value, {"--set", 0, name}}, diag);
  auto structure = chicane::compile(*spec, chicane::Partition::together(*spec), diag);
  EXPECT_NE(structure, nullptr) << diag.text();
  return structure;
}

// The signals of a simulation where it stands.
class Signals final : public chicane::Observer {
 public:
  explicit Signals(chicane::Simulation& s) : simulation_(s) { s.observe_now(*this); }
  void observe(const chicane::Point& point) noexcept override {
    simulation_.report(point);
    for (const chicane::SignalInfo& s : simulation_.structure().signals)
      values_[s.name] = point.value(s);
  }
  double operator[](const std::string& name) const { return values_.at(name); }

 private:
  const chicane::Simulation& simulation_;
  std::map<std::string, double> values_;
};

inline void advance(chicane::Simulation& s, double until) {
  while (s.time() < until - 1e-12) ASSERT_EQ(s.step(), chicane::Status::ok) << s.time();
}

}  // namespace testkit
