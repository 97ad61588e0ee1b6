#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "io/sinks/sink.hpp"
#include "system/plan.hpp"

namespace chicane::cli {

// Turns the points a simulation shows into rows of its output signals, in room made beforehand.
class Recorder final : public Observer {
 public:
  Recorder(const Simulation& simulation, const RunPlan& plan, std::size_t rows)
      : simulation_(simulation),
        every_(plan.every),
        signals_(plan.signals),
        width_(1 + plan.signals.size()) {
    rows_.resize(rows * width_);
    const auto n = static_cast<std::size_t>(simulation.structure().signals.size());
    latest_.resize(n);
    least_.assign(n, std::numeric_limits<double>::infinity());
    most_.assign(n, -std::numeric_limits<double>::infinity());
  }

  void see(double t, PointKind kind, Eval<double>& at) noexcept override {
    const bool full = kind == PointKind::full_step;
    if (full) seen_ = t;
    const bool due = every_ == 0 || (full && simulation_.state().frames % every_ == 0);
    if (!due || !simulation_.state().writing || count_ * width_ >= rows_.size()) return;
    const Structure& s = simulation_.structure();
    simulation_.model().report(GroupIndex{0}, at);
    double* row = rows_.data() + count_++ * width_;
    *row++ = t;
    for (const SignalIndex i : signals_) {
      const SignalInfo& signal = s.signals[i];
      const double value = signal.conversion.from_si(at.v[signal.slot]);
      const auto k = static_cast<std::size_t>(i.value);
      least_[k] = std::min(least_[k], value);
      most_[k] = std::max(most_[k], value);
      *row++ = value;
    }
  }

  // Every signal at the present point, and the terminal calculations.
  void see_end(Simulation& simulation) {
    struct Last final : Observer {
      Recorder& to;
      explicit Last(Recorder& r) : to(r) {}
      void see(double t, PointKind kind, Eval<double>& at) noexcept override {
        if (t != to.seen_) to.see(t, kind, at);
        to.simulation_.model().report(GroupIndex{0}, at);
        const Structure& s = to.simulation_.structure();
        for (int i = 0; i < s.signals.size(); ++i) {
          const SignalInfo& signal = s.signals[SignalIndex{i}];
          to.latest_[static_cast<std::size_t>(i)] = signal.conversion.from_si(at.v[signal.slot]);
        }
        for (const TerminalInfo& t_info : s.terminal)
          to.terminal_.push_back(t_info.conversion.from_si(at.v[t_info.slot]));
      }
    } last(*this);
    simulation.look(last);
  }

  template <class Each>
  void drain(Each&& each) {
    for (std::size_t r = 0; r < count_; ++r)
      each(std::span<const double>(rows_.data() + r * width_, width_));
    count_ = 0;
  }

  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] const std::vector<double>& latest() const { return latest_; }
  [[nodiscard]] const std::vector<double>& least() const { return least_; }
  [[nodiscard]] const std::vector<double>& most() const { return most_; }
  [[nodiscard]] const std::vector<double>& terminal() const { return terminal_; }

 private:
  const Simulation& simulation_;
  std::int64_t every_;
  std::vector<SignalIndex> signals_;
  std::size_t width_, count_ = 0;
  std::vector<double> rows_, latest_, least_, most_, terminal_;
  double seen_ = -1;
};

}  // namespace chicane::cli
