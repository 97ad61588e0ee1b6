// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"
#include "simulation/simulation.hpp"
#include "testkit/recorder.hpp"

// Vehicles as the program reads them, and runs of them.

namespace testkit {

using Settings = std::vector<std::pair<std::string, std::string>>;

// What was read, with a manoeuvre and settings over it.
inline chicane::Spec with(std::optional<chicane::Spec> spec, const std::string& manoeuvre,
                          const Settings& set, chicane::Diagnostics& diag) {
  if (spec && !manoeuvre.empty()) spec = read_manoeuvre(manoeuvre, std::move(*spec), diag);
  EXPECT_TRUE(spec) << diag.text();
  for (const auto& [name, value] : set)
    override_value(*spec, name, {value, {"test", 0, name}}, diag);
  EXPECT_TRUE(diag.ok()) << diag.text();
  return *spec;
}
inline chicane::Spec built_in(const std::string& model, const std::string& manoeuvre = "",
                              const Settings& set = {}) {
  chicane::Diagnostics diag;
  auto spec = chicane::read_model(model, diag);
  return with(std::move(spec), manoeuvre, set, diag);
}

// A run, step by step, with signals to read.
class Drive {
 public:
  // As its file says, with all groups together.
  explicit Drive(chicane::Spec spec) { make(spec, chicane::SchemeKind::single_rate); }

  // Without a method: that of the file, or of the scheme.
  Drive(chicane::Spec spec, const std::string& method, const std::string& step,
        const std::string& scheme = "single-rate") {
    spec.run.scheme = {scheme, {}};
    if (!method.empty()) spec.run.method = {method, {}};
    spec.run.step = {step, {}};
    make(spec, *chicane::find_scheme(scheme));
  }

  void until(double t) {
    while (s_->time() < t - 1e-9) {
      const chicane::Status status = s_->step();
      ASSERT_EQ(status, chicane::Status::ok)
          << s_->time() << ": " << s_->failure(status).complaint << s_->failure(status).state;
    }
  }
  bool step() { return s_->step() == chicane::Status::ok && !s_->stopped(); }
  [[nodiscard]] double time() const { return s_->time(); }

  std::vector<double> read(const std::vector<std::string>& names) {
    Recorder reader(*s_, names);
    s_->observe_now(reader);
    return reader.values;
  }
  double operator[](const std::string& name) { return read({name})[0]; }

  chicane::Simulation& simulation() { return *s_; }

  chicane::Diagnostics said;  // when it was compiled

 private:
  void make(chicane::Spec& spec, chicane::SchemeKind scheme) {
    const auto structure = compile(spec, partition_for(scheme, spec), said);
    EXPECT_TRUE(structure) << said.text();
    const auto plan = plan_run(spec, *structure, said);
    EXPECT_TRUE(plan) << said.text();
    s_ = std::make_unique<chicane::Simulation>(structure, plan->plan);
  }

  std::unique_ptr<chicane::Simulation> s_;
};

// "wheel.fl.SIGNAL" and the other three.
inline std::vector<std::string> of_wheels(const std::string& signal) {
  std::vector<std::string> list;
  for (const char* w : {"fl", "fr", "rl", "rr"})
    list.push_back(std::string("wheel.") + w + "." + signal);
  return list;
}

}  // namespace testkit
