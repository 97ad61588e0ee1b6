// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulation/run_warning.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// Watches a run for one kind of trouble. It sees the frames as any observer does, inside the step;
// what needs time or memory it does between frames.
class Guard : public Observer {
 public:
  // It is content with what is evaluated anyway.
  [[nodiscard]] bool due() const noexcept override { return false; }
  void observe(const Point& /*point*/) noexcept override {}
  // Between two frames, every so often.
  virtual void between_frames(Simulation& /*simulation*/) {}
  // After the last frame, also of a run that failed.
  virtual void at_end(Simulation& /*simulation*/) {}
  // What it has found since it was last asked.
  [[nodiscard]] virtual std::vector<RunWarning> take_findings() = 0;
  // Why a run must not go on, once it must not.
  [[nodiscard]] virtual std::optional<std::string> verdict() const { return std::nullopt; }
  // After `at_end`.
  [[nodiscard]] virtual std::optional<RunAccount> account() const { return std::nullopt; }
};

}  // namespace chicane
