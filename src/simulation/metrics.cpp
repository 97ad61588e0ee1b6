// SPDX-License-Identifier: Apache-2.0
#include "simulation/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace chicane {
namespace {

// What is said of a stretch of time, and of none shorter.
bool needs_the_whole(Reduction r) {
  return r != Reduction::crosses && r != Reduction::initial && r != Reduction::value_at;
}

}  // namespace

void Watch::add(double t, double y) noexcept {
  const Frame now{t, y};
  if (!before_) {
    if (s_.from <= t && t <= s_.until) begin(now);
    before_ = now;
    return;
  }
  const Frame before = std::exchange(*before_, now);
  frame_ = std::max(frame_, t - before.t);
  const double from = std::max(before.t, s_.from), until = std::min(t, s_.until);
  if (from > until) return;
  const auto at = [&](double time) -> Frame {
    if (time == before.t) return before;
    if (time == t) return now;
    return {time, before.y + (y - before.y) * (time - before.t) / (t - before.t)};
  };
  if (!first_) begin(at(from));
  if (from < until) go_on(at(from), at(until));
}

void Watch::note(Frame a) noexcept {
  if (!std::isfinite(a.y) && !undefined_) undefined_ = a;
}

void Watch::begin(Frame a) noexcept {
  note(a);
  first_ = last_ = a;
  min_ = max_ = a.y;
}

void Watch::go_on(Frame a, Frame b) noexcept {
  note(b);
  last_ = b;
  min_ = std::min(min_, b.y);
  max_ = std::max(max_, b.y);
  integral_ += (b.t - a.t) * (a.y + b.y) / 2;
  square_ += (b.t - a.t) * (a.y * a.y + b.y * b.y) / 2;
  if (!crossed_ && is_crossed(a.y, b.y))
    crossed_ = a.t + (b.t - a.t) * (s_.level - a.y) / (b.y - a.y);
}

bool Watch::is_crossed(double a, double b) const noexcept {
  const bool rises = a < s_.level && b >= s_.level, falls = a > s_.level && b <= s_.level;
  return (rises && s_.crossing != Crossing::falling) || (falls && s_.crossing != Crossing::rising);
}

// A run that ends within a frame of `until` has reached it.
bool Watch::has_ended() const noexcept {
  return std::isinf(s_.until) || before_->t + frame_ >= s_.until;
}

std::optional<double> Watch::result() const noexcept {
  if (!first_ || (needs_the_whole(s_.reduction) && !has_ended())) return std::nullopt;
  const double length = last_.t - first_->t;
  switch (s_.reduction) {
    case Reduction::max:
      return max_;
    case Reduction::min:
      return min_;
    case Reduction::range:
      return max_ - min_;
    case Reduction::mean:
      return length > 0 ? integral_ / length : first_->y;
    case Reduction::rms:
      return length > 0 ? std::sqrt(square_ / length) : std::abs(first_->y);
    case Reduction::integral:
      return integral_;
    case Reduction::initial:
    case Reduction::value_at:
      return first_->y;
    case Reduction::final:
      return last_.y;
    case Reduction::crosses:
      return crossed_;
  }
  return std::nullopt;
}

Metrics::Metrics(const Simulation& simulation)
    : simulation_(simulation),
      summary_(&simulation.structure().summary),
      start_(summary_->size),
      values_(summary_->size) {
  const std::vector<double>& constants = simulation.state().constants;
  std::copy(constants.begin(), constants.end(), start_.begin());
  for (const MetricInfo& m : summary_->metrics) {
    Watched& w = watched_.emplace_back();
    if (m.needs.empty())
      w.watch = watch_of(m);
    else
      keeps_ = true;
  }
}

void Metrics::follow(const ModelStructure& before) {
  const ModelStructure& now = simulation_.structure();
  State<double> at_start = simulation_.model().initial_state();
  for (const ParameterIndex p : now.parameters.indices())
    at_start.constants[now.parameters[p].slot] = start_[before.parameters[p].slot];
  simulation_.model().prepare(at_start);
  summary_ = &now.summary;
  start_.assign(summary_->size, 0.0);
  values_.assign(summary_->size, 0.0);
  std::copy(at_start.constants.begin(), at_start.constants.end(), start_.begin());
}

Watch Metrics::watch_of(const MetricInfo& m) {
  simulation_.model().run(m.code, start_.data());
  Watch::Settings s{.reduction = m.reduction, .crossing = m.crossing};
  if (m.from) s.from = start_[*m.from];
  if (m.until) s.until = start_[*m.until];
  if (m.level) s.level = start_[*m.level];
  if (m.at) s.from = s.until = start_[*m.at];
  return Watch(s);
}

void Metrics::make_room(std::size_t frames) {
  if (!keeps_) return;
  const auto extend = [frames](std::vector<double>& list) {
    if (list.capacity() < list.size() + frames) list.reserve(2 * list.size() + frames);
  };
  extend(times_);
  for (Watched& w : watched_)
    if (!w.watch) extend(w.history);
}

void Metrics::observe(const Point& point) noexcept {
  if (point.kind != PointKind::full_step) return;
  simulation_.watch(point);
  const std::vector<double>& constants = simulation_.state().constants;
  std::copy(constants.begin(), constants.end(), values_.begin());
  for (const Summary::Source& s : summary_->sources)
    values_[s.to] = point.evals[static_cast<std::size_t>(s.group.value)]->v[s.from];
  values_[summary_->t] = point.t;
  simulation_.model().run(summary_->watch, values_.data());
  if (keeps_) times_.push_back(point.t);
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const double y = values_[summary_->metrics[i].watched];
    if (auto& watch = watched_[i].watch) {
      watch->add(point.t, y);
      if (watch->undefined()) note_fault(i, *watch->undefined());
    } else {
      watched_[i].history.push_back(y);
    }
  }
}

void Metrics::note_fault(std::size_t i, const Watch::Frame& frame) noexcept {
  if (has_fault()) return;
  faulty_ = static_cast<int>(i);
  fault_ = frame;
}

std::optional<NotFinite> Metrics::not_finite() const {
  if (!has_fault()) return std::nullopt;
  const auto i = static_cast<std::size_t>(faulty_), metrics = summary_->metrics.size();
  return NotFinite{i < metrics ? fmt::format("what metric '{}' watches", summary_->metrics[i].name)
                               : fmt::format("terminal '{}'", summary_->terminal[i - metrics].name),
                   fault_.t, fault_.y};
}

bool Metrics::has_all(const std::vector<int>& metrics) const {
  return std::all_of(metrics.begin(), metrics.end(), [this](int m) {
    return watched_[static_cast<std::size_t>(m)].result.has_value();
  });
}

void Metrics::find(std::size_t i) {
  const MetricInfo& m = summary_->metrics[i];
  Watched& w = watched_[i];
  if (!has_all(m.needs)) return;
  if (!w.watch) {
    w.watch = watch_of(m);
    for (std::size_t k = 0; k < times_.size(); ++k) w.watch->add(times_[k], w.history[k]);
  }
  if (w.watch->undefined()) note_fault(i, *w.watch->undefined());
  w.result = w.watch->result();
  if (w.result && !std::isfinite(*w.result)) w.result.reset();
  if (w.result) start_[m.result] = values_[m.result] = *w.result;
}

std::vector<Metrics::Result> Metrics::finish(Simulation& simulation) {
  simulation.observe_now(*this);
  for (std::size_t i = 0; i < watched_.size(); ++i) find(i);
  simulation_.model().run(summary_->finish, values_.data());
  std::vector<Result> results;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const MetricInfo& m = summary_->metrics[i];
    results.push_back({m.name, m.unit, watched_[i].result});
    if (auto& value = results.back().value) value = m.conversion.from_si(*value);
  }
  for (const TerminalInfo& t : summary_->terminal) {
    results.push_back({t.name, t.unit, std::nullopt});
    if (!has_all(t.needs)) continue;
    if (const double value = values_[t.slot]; std::isfinite(value))
      results.back().value = t.conversion.from_si(value);
    else
      note_fault(results.size() - 1, {simulation.time(), value});
  }
  return results;
}

}  // namespace chicane
