// SPDX-License-Identifier: Apache-2.0
#include "analysis/guards/engine_guard.hpp"

#include <fmt/format.h>

#include <optional>

namespace chicane {
namespace {

constexpr double kRpm = 9.549296585513721;  // of 1 rad/s

struct Signals {
  SignalInfo running, speed, limit, gear;
};

class EngineGuard final : public Guard {
 public:
  explicit EngineGuard(Signals signals) : of_(std::move(signals)) {}

  void observe(const Point& point) noexcept override {
    const Seen now{point.t, point.value(of_.speed), point.value(of_.limit), point.value(of_.gear)};
    if (!stall_ && point.value(of_.running) < 0.5) stall_ = now;
    if (!overrun_ && now.speed > kBeyond * now.limit) overrun_ = now;
  }

  [[nodiscard]] std::vector<RunWarning> take_findings() override {
    std::vector<RunWarning> list;
    if (stall_ && !told_stall_) list.push_back(stalled(*stall_));
    if (overrun_ && !told_overrun_) list.push_back(overran(*overrun_));
    told_stall_ = stall_.has_value(), told_overrun_ = overrun_.has_value();
    return list;
  }

 private:
  static constexpr double kBeyond = 1.05;  // curves end where engines are governed, not broken
  struct Seen {
    double t, speed, limit, gear;
  };

  [[nodiscard]] RunWarning stalled(const Seen& at) const {
    return {.text = fmt::format(
                "the engine stalled in gear {:.0f}: its load brought it below its 'stall_speed'. "
                "Press the clutch or shift down before that ('gear: drive' of a "
                "driver does both), start it again with 'starter', or say 'stall_speed: 0 rpm' for "
                "an engine that never stalls",
                at.gear),
            .time = at.t,
            .signal = of_.running.name,
            .part = "powertrain"};
  }
  [[nodiscard]] RunWarning overran(const Seen& at) const {
    return {.text = fmt::format(
                "the engine turns at {:.0f} rpm in gear {:.0f}, beyond {:.0f} rpm, "
                "where its torque is known: shift up earlier ('gear: drive' of a driver does), or "
                "give its curves more points",
                at.speed * kRpm, at.gear, at.limit * kRpm),
            .time = at.t,
            .signal = of_.speed.name,
            .part = "powertrain"};
  }

  Signals of_;
  std::optional<Seen> stall_, overrun_;
  bool told_stall_ = false, told_overrun_ = false;
};

}  // namespace

std::unique_ptr<Guard> make_engine_guard(const Simulation& simulation) {
  const ModelStructure& s = simulation.structure();
  Signals found;
  for (const auto& [name, to] : {std::pair{"powertrain.engine_running", &found.running},
                                 {"powertrain.engine_speed", &found.speed},
                                 {"powertrain.engine_speed_limit", &found.limit},
                                 {"powertrain.gear_in_mesh", &found.gear}}) {
    const SignalIndex signal = s.find_signal(name);
    if (!signal.valid()) return nullptr;
    *to = s.signals[signal];
  }
  return std::make_unique<EngineGuard>(std::move(found));
}

}  // namespace chicane
