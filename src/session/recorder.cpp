// SPDX-License-Identifier: Apache-2.0
#include "session/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/cpu_time.hpp"

namespace chicane {
namespace {

std::vector<FrameLayout::Signal> described(const ModelStructure& s,
                                           const std::vector<SignalIndex>& signals) {
  std::vector<FrameLayout::Signal> out;
  for (const SignalIndex i : signals)
    out.push_back({s.signals[i].name, s.signals[i].unit, s.signals[i].description});
  return out;
}

// Those that these signals have as a whole, one after the other.
std::vector<FrameBundle> bundled(const ModelStructure& s, const std::vector<SignalIndex>& signals) {
  std::vector<FrameBundle> out;
  for (const SignalBundle& b : s.bundles) {
    const auto first = std::find(signals.begin(), signals.end(), b.first);
    const auto n = static_cast<std::ptrdiff_t>(size_of(b.kind));
    if (signals.end() - first < n) continue;
    bool whole = true;
    for (int k = 0; k < n; ++k) whole = whole && first[k].value == b.first.value + k;
    if (whole)
      out.push_back({b.kind, b.name,
                     FrameLayout::kSignals + static_cast<std::size_t>(first - signals.begin())});
  }
  return out;
}

// Points that a frame shows: itself, and with every = 0 what lies inside it.
std::size_t points_of(const Plan& plan, std::int64_t every) {
  if (every != 0) return 1;
  int inside = kMaxStages;
  for (const Plan::Group& g : plan.groups) inside = std::max(inside, g.ratio + 1);
  return static_cast<std::size_t>(inside);
}

}  // namespace

Recorder::Recorder(const Simulation& simulation, std::vector<SignalIndex> signals,
                   std::int64_t every)
    : simulation_(simulation),
      signals_(std::move(signals)),
      every_(every),
      layout_(described(simulation.structure(), signals_),
              bundled(simulation.structure(), signals_)) {
  const auto n = static_cast<std::size_t>(simulation.structure().signals.size());
  latest_.resize(n);
  least_.assign(n, std::numeric_limits<double>::infinity());
  most_.assign(n, -std::numeric_limits<double>::infinity());
}

void Recorder::make_room(std::size_t frames) {
  const std::size_t rows = count_ + frames * points_of(simulation_.plan(), every_) + 1;
  cells_.resize(std::max(cells_.size(), rows * layout_.cells()));
}

void Recorder::observe(const Point& point) noexcept {
  const bool full = point.kind == PointKind::full_step;
  if (full) seen_ = point.t;
  if (!due() || (!full && every_ != 0)) return;
  if ((count_ + 1) * layout_.cells() > cells_.size()) {
    ++lost_;
    return;
  }
  const double begin = cpu_seconds();
  record(point);
  spent_ += cpu_seconds() - begin;
}

void Recorder::record(const Point& point) noexcept {
  const ModelStructure& s = simulation_.structure();
  simulation_.report(point);
  double* cell = cells_.data() + count_++ * layout_.cells();
  const std::int64_t tick = point.kind == PointKind::full_step
                                ? simulation_.state().clock.now()
                                : std::llround(point.t * static_cast<double>(kAtomsPerSecond));
  *cell++ = std::bit_cast<double>(sequence_++);
  *cell++ = std::bit_cast<double>(tick);
  *cell++ = point.t;
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
    *cell++ = latest_[k];
  }
}

void Recorder::see_end(Simulation& simulation) {
  struct Last final : Observer {
    Recorder& to;
    explicit Last(Recorder& r) : to(r) {}
    void observe(const Point& point) noexcept override {
      if (point.t != to.seen_) to.observe(point);
      to.simulation_.report(point);
      const ModelStructure& s = to.simulation_.structure();
      for (const SignalIndex i : s.signals.indices()) {
        const SignalInfo& signal = s.signals[i];
        to.latest_[static_cast<std::size_t>(i.value)] =
            signal.conversion.from_si(point.value(signal));
      }
    }
  } last(*this);
  make_room(1);
  simulation.observe_now(last);
}

std::optional<NotFinite> Recorder::not_finite() const {
  if (!has_fault()) return std::nullopt;
  return NotFinite{fmt::format("'{}'", simulation_.structure().signals[faulty_].name), fault_.time,
                   fault_.value};
}

void Columns::add(std::span<const double> row) {
  if (seen_++ % stride_ != 0) return;
  for (std::size_t c = 0; c < columns_.size(); ++c) columns_[c].push_back(row[c]);
  if (rows() * columns_.size() < kMost) return;
  for (std::vector<double>& column : columns_) {
    for (std::size_t r = 0; 2 * r < column.size(); ++r) column[r] = column[2 * r];
    column.resize((column.size() + 1) / 2);
  }
  stride_ *= 2;
}

}  // namespace chicane
