// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assembly/assemble.hpp"
#include "core/diagnostics.hpp"
#include "language/blueprint.hpp"

namespace chicane {
namespace {

constexpr double kAtRest = 1e-10;  // [unit of the signal] a peak of the reference below is rounding
constexpr double kBesides = 1e-9;  // [-] of the largest peak in the same unit: rounding as well

constexpr double kUnboundedGrowth =
    10;                                // [-] last quarter over second, of an error beyond the peak
constexpr double kTimePerCost = 0.03;  // [s] of CPU time, for a cost
constexpr int kMostTimed = 1000;

// Growth of an error that a bounded run cannot have.
bool grows_without_bound(const std::vector<double>& error) {
  const auto quarter = static_cast<std::ptrdiff_t>(error.size() / 4);
  if (quarter == 0) return false;
  const auto at = error.begin();
  return *std::max_element(at + 3 * quarter, error.end()) >
         kUnboundedGrowth * *std::max_element(at + quarter, at + 2 * quarter);
}

// Since the start: an event, or a change of a memory on which the solution depends.
bool has_acted(const ModelStructure& structure, const State<double>& start,
               const State<double>& now) {
  for (const EventIndex e : structure.events.indices())
    if (now.events[e].fired > 0) return true;
  for (const MemoryIndex m : structure.memory.indices())
    if (!structure.memory[m].bookkeeping && now.memory[m].value != start.memory[m].value)
      return true;
  return false;
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
  void observe(const Point& point) noexcept override {
    if (point.kind != PointKind::full_step) return;
    if (rows_.size() + 1 + signals_.size() > rows_.capacity()) return;
    simulation_.report(point);
    rows_.push_back(point.t);
    for (const SignalInfo* s : signals_) rows_.push_back(s->conversion.from_si(point.value(*s)));
  }
  [[nodiscard]] const std::vector<double>& rows() const { return rows_; }
  [[nodiscard]] std::vector<double> take() { return std::move(rows_); }

 private:
  const Simulation& simulation_;
  std::vector<const SignalInfo*> signals_;
  std::vector<double> rows_;
};

// The most by which a run may differ from the reference at a frame.
class Comparison::Limit {
 public:
  Limit(const Trace& reference, const std::vector<std::string>& units, double most)
      : reference_(reference), width_(units.size() + 1), allowed_(units.size()) {
    for (std::size_t b = 0; b < reference.rows.size(); b += width_)
      for (std::size_t i = 0; i < allowed_.size(); ++i)
        allowed_[i] = std::max(allowed_[i], std::fabs(reference.rows[b + 1 + i]));
    const std::vector<bool> still = at_rest(allowed_, units);
    for (std::size_t i = 0; i < allowed_.size(); ++i)
      allowed_[i] = still[i] ? std::numeric_limits<double>::infinity() : most * allowed_[i];
  }
  // By the last of the rows of a run.
  bool exceeded(const std::vector<double>& rows) {
    if (rows.empty()) return false;
    const double* ours = &rows[rows.size() - width_];
    while (at_ < reference_.rows.size() && reference_.rows[at_] < ours[0]) at_ += width_;
    if (at_ >= reference_.rows.size() || reference_.rows[at_] != ours[0]) return false;
    for (std::size_t i = 0; i < allowed_.size(); ++i)
      if (std::fabs(ours[1 + i] - reference_.rows[at_ + 1 + i]) > allowed_[i]) return true;
    return false;
  }

 private:
  const Trace& reference_;
  std::size_t width_, at_ = 0;
  std::vector<double> allowed_;  // per signal, in its unit
};

Comparison::Comparison(const Spec& spec, std::vector<std::string> signals, std::int64_t until,
                       CpuClock clock)
    : signals_(std::move(signals)),
      until_(until),
      clock_(std::move(clock)),
      references_(std::make_shared<std::vector<std::unique_ptr<Trace>>>()) {
  Diagnostics diag;
  const auto blueprint = make_blueprint(spec, diag);
  if (blueprint) {
    together_ = blueprint->compile(Partition::together(spec), diag);
    apart_ = blueprint->compile(partition_for(SchemeKind::multiframe, spec), diag);
  }
  require(diag.ok(), "the model has faults:\n{}", diag.text());
  require(!signals_.empty(), "a comparison needs at least one signal");
  for (const std::string& name : signals_) {
    const SignalIndex i = together_->find_signal(name);
    require(i.valid(), "there is no signal '{}'", name);
    units_.push_back(together_->signals[i].unit);
  }
}

Comparison::Comparison(const Comparison& other, const Spec& regrouped) : Comparison(other) {
  Diagnostics diag;
  apart_ = together_->blueprint->grouped_as(regrouped)->compile(
      partition_for(SchemeKind::multiframe, regrouped), diag);
  require(diag.ok(), "the model has faults:\n{}", diag.text());
}

Comparison::Trace Comparison::run(const Plan& plan, Limit* limit) const {
  Simulation s(structure(plan.scheme), plan);
  const State<double> start = s.state();
  Tracer tracer(s, signals_, static_cast<std::size_t>(until_ / plan.step) + 2);
  Trace trace{.step = plan.step};
  Status status = Status::ok;
  while (status == Status::ok && !at_end(s)) {
    status = s.step(&tracer);
    trace.acted = trace.acted || has_acted(s.structure(), start, s.state());
    if (limit != nullptr && limit->exceeded(tracer.rows())) status = Status::diverged;
  }
  trace.complete = status == Status::ok || status == Status::interrupted;
  if (trace.complete) s.observe_now(tracer);
  trace.rows = tracer.take();
  return trace;
}

// Events and memory act at frames, so that other frames make another solution. Where nothing acted
// at the finer frames nothing does at the coarser ones, which are among them: one solution has
// both.
const Comparison::Trace& Comparison::reference(std::int64_t step) {
  for (const auto& known : *references_)
    if (known->step == step || (!known->acted && step % known->step == 0)) return *known;
  Trace trace = run({.scheme = SchemeKind::reference, .step = step});
  if (!trace.complete)
    throw std::runtime_error("the reference solution fails: the model itself runs away");
  references_->push_back(std::make_unique<Trace>(std::move(trace)));
  return *references_->back();
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

double Comparison::cost(const Plan& plan) const {
  std::vector<double> costs;  // [us] per simulated second
  double total = 0;
  for (int k = 0; k < kMostTimed && total < kTimePerCost; ++k) {
    Simulation s(structure(plan.scheme), plan);
    const double begin = clock_();
    while (!at_end(s) && s.step() == Status::ok) {
    }
    const double used = clock_() - begin;
    total += used;
    if (s.time() > 0) costs.push_back(1e6 * used / s.time());
  }
  return lower_quarter(costs);
}

PlanQuality Comparison::quality(const Plan& plan, double most) {
  const Trace& ideal = reference(plan.step);
  Limit limit(ideal, units_, most);
  PlanQuality out;
  find_error(run(plan, &limit), ideal, out);
  return out;
}

PlanQuality Comparison::measure(const Plan& plan) {
  PlanQuality out = quality(plan);
  if (out.stable) out.cost_us = cost(plan);
  return out;
}

}  // namespace chicane
