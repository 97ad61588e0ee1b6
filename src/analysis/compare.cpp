#include "analysis/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/diagnostics.hpp"

namespace chicane {
namespace {

constexpr double kAtRest = 1e-10;  // [unit of the signal] a peak of the reference below is rounding
constexpr double kBesides = 1e-9;  // [-] of the largest peak in the same unit: rounding as well

constexpr double kUnboundedGrowth =
    10;                          // [-] last quarter over second, of an error beyond the peak
constexpr double kTimed = 0.03;  // [s] of CPU time, for a cost
constexpr int kMostTimed = 1000;

// Growth of an error that a bounded run cannot have.
bool grows_without_bound(const std::vector<double>& error) {
  const auto quarter = static_cast<std::ptrdiff_t>(error.size() / 4);
  if (quarter == 0) return false;
  const auto at = error.begin();
  return *std::max_element(at + 3 * quarter, error.end()) >
         kUnboundedGrowth * *std::max_element(at + quarter, at + 2 * quarter);
}

}  // namespace

std::vector<bool> at_rest(const std::vector<double>& peaks, const std::vector<std::string>& units) {
  std::map<std::string, double> most;  // by unit
  for (std::size_t i = 0; i < peaks.size(); ++i)
    most[units[i]] = std::max(most[units[i]], peaks[i]);
  std::vector<bool> still;
  for (std::size_t i = 0; i < peaks.size(); ++i)
    still.push_back(peaks[i] < std::max(kAtRest, kBesides * most[units[i]]));
  return still;
}

// Keeps rows in room made beforehand.
class Comparison::Tracer final : public Observer {
 public:
  Tracer(const Simulation& simulation, const std::vector<std::string>& signals, std::size_t rows)
      : simulation_(simulation) {
    for (const std::string& name : signals)
      signals_.push_back(&simulation.structure().signals[simulation.structure().find_signal(name)]);
    rows_.reserve(rows * (1 + signals_.size()));
  }
  void see(const Point& point) noexcept override {
    if (point.kind != PointKind::full_step) return;
    if (rows_.size() + 1 + signals_.size() > rows_.capacity()) return;
    simulation_.report(point);
    rows_.push_back(point.t);
    for (const SignalInfo* s : signals_) rows_.push_back(s->conversion.from_si(point.value(*s)));
  }
  [[nodiscard]] std::vector<double> take() { return std::move(rows_); }

 private:
  const Simulation& simulation_;
  std::vector<const SignalInfo*> signals_;
  std::vector<double> rows_;
};

Comparison::Comparison(const Spec& spec, std::vector<std::string> signals, std::int64_t until,
                       CpuClock clock)
    : signals_(std::move(signals)), until_(until), clock_(std::move(clock)) {
  Diagnostics diag;
  together_ = compile(spec, Partition::together(spec), diag);
  apart_ = compile(spec, partition_for(SchemeKind::multiframe, spec), diag);
  require(diag.ok(), "the model has faults:\n{}", diag.text());
  require(!signals_.empty(), "a comparison needs at least one signal");
  for (const std::string& name : signals_) {
    const SignalIndex i = together_->find_signal(name);
    require(i.valid(), "there is no signal '{}'", name);
    units_.push_back(together_->signals[i].unit);
  }
}

Comparison::Trace Comparison::run(const Plan& plan) const {
  Simulation s(structure(plan.scheme), plan);
  Tracer tracer(s, signals_, static_cast<std::size_t>(until_ / plan.step) + 2);
  Status status = Status::ok;
  while (status == Status::ok && !at_end(s)) status = s.step(&tracer);
  const bool complete = status == Status::ok || status == Status::interrupted;
  if (complete) s.look(tracer);
  return {plan.step, complete, tracer.take()};
}

// Events and memory act at frames, so that other frames make another solution; without them, a
// solution at finer frames has the coarser ones.
const Comparison::Trace& Comparison::reference(std::int64_t step) {
  for (const auto& known : references_)
    if (known->step == step || (!acts_at_frames() && step % known->step == 0)) return *known;
  Trace trace = run({.scheme = SchemeKind::reference, .step = step});
  if (!trace.complete)
    throw std::runtime_error("the reference solution fails: the model itself runs away");
  references_.push_back(std::make_unique<Trace>(std::move(trace)));
  return *references_.back();
}

void Comparison::share_reference(std::int64_t step) {
  if (!acts_at_frames()) reference(step);
}

void Comparison::find_error(const Trace& run, const Trace& reference, PlanQuality& out) const {
  const std::size_t n = signals_.size(), width = n + 1;
  // The frames that both have: an event may have changed the step of one.
  std::vector<std::pair<const double*, const double*>> frames;
  for (std::size_t a = 0, b = 0; a < run.rows.size(); a += width) {
    while (b < reference.rows.size() && reference.rows[b] < run.rows[a]) b += width;
    if (b >= reference.rows.size()) break;
    if (reference.rows[b] == run.rows[a])
      frames.emplace_back(&run.rows[a + 1], &reference.rows[b + 1]);
  }
  std::vector<double> peaks(n), largest(frames.size());  // largest: per frame, of all signals
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (const auto& [ours, theirs] : frames) {
      peaks[i] = std::max(peaks[i], std::fabs(theirs[i]));
      sum += std::fabs(ours[i] - theirs[i]);
    }
    out.mean_abs_error.push_back(sum / std::max(1.0, static_cast<double>(frames.size())));
  }
  const std::vector<bool> still = at_rest(peaks, units_);
  for (std::size_t i = 0; i < n; ++i) {
    if (still[i]) continue;
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const double error = std::fabs(frames[k].first[i] - frames[k].second[i]) / peaks[i];
      largest[k] = std::max(largest[k], error);
      if (!(error > out.error)) continue;
      out.error = error;
      out.worst = signals_[i];
    }
  }
  out.stable =
      run.complete && std::isfinite(out.error) && (out.error < 1 || !grows_without_bound(largest));
}

// Not the least: a clock of processor time may stand still during a short run.
double Comparison::cost(const Plan& plan) const {
  std::vector<double> costs;  // [us] per simulated second
  double total = 0;
  for (int k = 0; k < kMostTimed && total < kTimed; ++k) {
    Simulation s(structure(plan.scheme), plan);
    const double begin = clock_();
    while (!at_end(s) && s.step() == Status::ok) {
    }
    const double used = clock_() - begin;
    total += used;
    if (s.time() > 0) costs.push_back(1e6 * used / s.time());
  }
  if (costs.empty()) return std::numeric_limits<double>::infinity();
  const auto quarter = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 4);
  std::nth_element(costs.begin(), quarter, costs.end());
  return *quarter;
}

PlanQuality Comparison::quality(const Plan& plan) {
  PlanQuality out;
  find_error(run(plan), reference(plan.step), out);
  return out;
}

PlanQuality Comparison::measure(const Plan& plan) {
  PlanQuality out = quality(plan);
  if (out.stable) out.cost_us = cost(plan);
  return out;
}

}  // namespace chicane
