// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "simulation/not_finite.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// Sees whether every event could be decided: where a condition depends on something that is not a
// number, it is neither true nor false.
class EventWatch final : public Observer {
 public:
  explicit EventWatch(const Simulation& simulation) : simulation_(simulation) {}

  [[nodiscard]] bool due() const noexcept override { return false; }
  void observe(const Point& point) noexcept override {
    if (point.kind != PointKind::full_step || has_fault()) return;
    const ModelStructure& s = simulation_.structure();
    for (const GroupIndex g : point.fresh) {
      const Eval<double>& at = *point.evals[static_cast<std::size_t>(g.value)];
      if (!at.accepted) continue;
      for (const EventIndex e : s.groups[g].events)
        if (simulation_.state().events[e].enabled && at.v[s.events[e].condition] == kUnknown) {
          faulty_ = e;
          time_ = point.t;
        }
    }
  }

  [[nodiscard]] bool has_fault() const noexcept { return faulty_.valid(); }
  [[nodiscard]] std::optional<NotFinite> not_finite() const {
    if (!has_fault()) return std::nullopt;
    return NotFinite{
        fmt::format("what event '{}' compares", simulation_.structure().events[faulty_].name),
        time_, std::numeric_limits<double>::quiet_NaN()};
  }

 private:
  const Simulation& simulation_;
  EventIndex faulty_;
  double time_ = 0;
};

}  // namespace chicane
