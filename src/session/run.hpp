// SPDX-License-Identifier: Apache-2.0
#pragma once

// The inside of a Session. Not for users.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/linearize.hpp"
#include "session/prepare.hpp"
#include "session/recorder.hpp"
#include "session/session.hpp"
#include "simulation/event_watch.hpp"
#include "simulation/guard.hpp"
#include "simulation/metrics.hpp"

namespace chicane {

// Shows a run to several observers.
class Observers final : public Observer {
 public:
  void clear() { all_.clear(); }
  void add(Observer& observer) { all_.push_back(&observer); }
  [[nodiscard]] bool due() const noexcept override {
    for (const Observer* o : all_)
      if (o->due()) return true;
    return false;
  }
  void observe(const Point& point) noexcept override {
    for (Observer* o : all_) o->observe(point);
  }

 private:
  std::vector<Observer*> all_;
};

class Session::Run {
 public:
  Run(Prepared prepared, std::uint64_t model);

  RunState advance(const Advance& how);
  std::vector<MetricValue> finish();
  void record(std::vector<SignalIndex> signals, std::int64_t every);
  // The values of all signals at the present point, SI.
  const std::vector<double>& values();

  // The simulation goes on from elsewhere, or in other groups.
  void moved() { values_.clear(); }
  void begin_anew();
  void follow_groups(const ModelStructure& before);

  std::uint64_t model;  // whose handles fit
  Prepared prepared;
  RunState run_state = RunState::going_on;
  std::string failure;
  std::optional<NamedMode> failed_mode;
  std::vector<RunWarning> warnings;
  std::vector<RunAccount> accounts;
  std::optional<Recorder> recorder;
  std::optional<Columns> columns;
  std::function<void(const Frame&)> take;
  double cost = 0;  // [s]

 private:
  static constexpr std::int64_t kFramesPerLook = 256;  // at what guards find

  [[nodiscard]] bool at_end() const;
  [[nodiscard]] bool may_step(const Advance& how, std::size_t left) const;
  Status step_on(const Advance& how, std::size_t& left);
  [[nodiscard]] bool has_fault() const {
    return (recorder && recorder->has_fault()) || metrics_->has_fault() || events_.has_fault();
  }
  void watch();
  void ask_guards();
  void hand_over_frames();
  void judge(Status status);
  void fail_with_fault();

  EventWatch events_;
  std::optional<Metrics> metrics_;
  std::vector<std::unique_ptr<Guard>> guards_;
  Observers observers_;
  std::vector<double> values_;  // empty: not evaluated
  bool finished_ = false, halted_ = false;
};

}  // namespace chicane
