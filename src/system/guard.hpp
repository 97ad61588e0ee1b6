#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "system/simulation.hpp"

namespace chicane {

// Something that makes the results of a run doubtful: what, since when, where, and what helps.
struct RunWarning {
  std::string text;                    // cause and remedy, in full
  std::optional<double> time = {};     // [s] since when; nothing: before the run
  std::string signal = {}, part = {};  // what it is about: a signal; a loop, block or group
  Location where = {};                 // in a file, if that is where it comes from
};

// Watches a run for one kind of trouble. It sees the frames as any observer does, inside the step;
// what needs time or memory it does between frames.
class Guard : public Observer {
 public:
  // It is content with what is evaluated anyway.
  [[nodiscard]] bool due() const noexcept override { return false; }
  void see(const Point& /*point*/) noexcept override {}
  // Between two frames, every so often.
  virtual void between_frames(Simulation& /*simulation*/) {}
  // After the last frame, also of a run that failed.
  virtual void at_end(Simulation& /*simulation*/) {}
  // What it has found since it was last asked.
  [[nodiscard]] virtual std::vector<RunWarning> take_findings() = 0;
};

}  // namespace chicane
