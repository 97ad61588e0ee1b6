#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "io/sinks/sink.hpp"
#include "system/not_finite.hpp"
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

  // Between frames.
  void make_room(std::size_t rows) { rows_.resize(std::max(rows_.size(), rows * width_)); }
  // Rows for which there was no room.
  [[nodiscard]] std::int64_t lost() const { return lost_; }

  [[nodiscard]] bool due() const noexcept override {
    return (every_ == 0 || simulation_.state().frames % every_ == 0) && simulation_.state().writing;
  }

  // Signals of groups that do not stand at the point keep their last value.
  void see(const Point& point) noexcept override {
    const bool full = point.kind == PointKind::full_step;
    if (full) seen_ = point.t;
    if (!due() || (!full && every_ != 0)) return;
    if ((count_ + 1) * width_ > rows_.size()) {
      ++lost_;
      return;
    }
    const auto begin = Wall::now();
    record(point);
    spent_ += std::chrono::duration<double>(Wall::now() - begin).count();
  }

  // [s] since the last call: what results cost beside the run.
  [[nodiscard]] double take_spent() { return std::exchange(spent_, 0.0); }

  // Every signal at the present point.
  void see_end(Simulation& simulation) {
    struct Last final : Observer {
      Recorder& to;
      explicit Last(Recorder& r) : to(r) {}
      void see(const Point& point) noexcept override {
        if (point.t != to.seen_) to.see(point);
        to.simulation_.report(point);
        const Structure& s = to.simulation_.structure();
        for (const SignalIndex i : s.signals.indices()) {
          const SignalInfo& signal = s.signals[i];
          to.latest_[static_cast<std::size_t>(i.value)] =
              signal.conversion.from_si(point.value(signal));
        }
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

  // The first value written that is none.
  [[nodiscard]] bool has_fault() const noexcept { return faulty_.valid(); }
  [[nodiscard]] std::optional<NotFinite> not_finite() const {
    if (!has_fault()) return std::nullopt;
    return NotFinite{fmt::format("'{}'", simulation_.structure().signals[faulty_].name),
                     fault_.time, fault_.value};
  }

  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] const std::vector<double>& latest() const { return latest_; }
  [[nodiscard]] const std::vector<double>& least() const { return least_; }
  [[nodiscard]] const std::vector<double>& most() const { return most_; }

 private:
  using Wall = std::chrono::steady_clock;

  void record(const Point& point) noexcept {
    const Structure& s = simulation_.structure();
    simulation_.report(point);
    double* row = rows_.data() + count_++ * width_;
    *row++ = point.t;
    for (const SignalIndex i : signals_) {
      const SignalInfo& signal = s.signals[i];
      const auto k = static_cast<std::size_t>(i.value);
      if (std::find(point.fresh.begin(), point.fresh.end(), signal.group) != point.fresh.end()) {
        latest_[k] = signal.conversion.from_si(point.value(signal));
        least_[k] = std::min(least_[k], latest_[k]);
        most_[k] = std::max(most_[k], latest_[k]);
        if (!std::isfinite(latest_[k]) && !has_fault()) {
          faulty_ = i;
          fault_ = {"", point.t, latest_[k]};
        }
      }
      *row++ = latest_[k];
    }
  }

  const Simulation& simulation_;
  std::int64_t every_;
  std::vector<SignalIndex> signals_;
  std::size_t width_, count_ = 0;
  std::vector<double> rows_, latest_, least_, most_;
  double seen_ = -1, spent_ = 0;
  SignalIndex faulty_;
  NotFinite fault_;
  std::int64_t lost_ = 0;
};

// Shows a run to several observers.
class Observers final : public Observer {
 public:
  Observers(std::initializer_list<Observer*> all) : all_(all) {}
  void add(Observer& observer) { all_.push_back(&observer); }
  [[nodiscard]] bool due() const noexcept override {
    return std::any_of(all_.begin(), all_.end(), [](const Observer* o) { return o->due(); });
  }
  void see(const Point& point) noexcept override {
    for (Observer* o : all_) o->see(point);
  }

 private:
  std::vector<Observer*> all_;
};

}  // namespace chicane::cli
