// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/team.hpp"
#include "integrators/multirate/coupled_groups.hpp"
#include "integrators/multirate/links.hpp"

namespace chicane {

struct PecePlan {
  int ratio = 1;                      // r = H / h
  int inner = 1;                      // corrections of a fast step
  int outer = 1;                      // passes over a frame
  std::vector<Interpolator> interps;  // per signal that the fast group reads
  bool parallel = false;              // the two-track algorithm ...
  int threads = 2;                    // ... on one thread or two: the same numbers
  HistoryPolicy history = HistoryPolicy::keep;
};

// Adams methods of order four, predict - evaluate - correct - evaluate, for a slow group with step
// H and a fast one with step h = H / r (002).
//
// Serial: the slow group is predicted over H; the fast group follows in r steps and sees the slow
// signals interpolated up to the prediction; then the slow group is corrected with what the fast
// one gives at the end.
//
// Parallel, two tracks at a time:
//   slow   predict PRED | evaluate with the old fast signals, correct: PRED' | evaluate with round
//          1, correct: COR, evaluate
//   fast                | round 1 with PRED                                  | round 2 with PRED'
// The result is COR and round 2.
//
// Order: 4 with cubic interpolation, 2 with linear; 2 in parallel.
//
// Old derivatives are those of the last evaluations, so the histories have f_n in row 0. Memory and
// events of both groups act at frames.
template <GroupSystem System>
class PeceMultirate {
 public:
  using T = typename System::Scalar;

  PeceMultirate(const System& system, PecePlan plan)
      : plan_(std::move(plan)),
        now_(system),
        start_(system),
        slow_(system, kSlow),
        fast_(system, kFast) {
    std::vector<Link> unused;
    links_of(kFast, system.sources(kFast), plan_.interps, links_, unused);
    for (const Link& l : links_) back_ = std::max(back_, info_of(l.interp).back);
    const std::span<const Source> heard = system.sources(kSlow);
    sources_slow_.assign(heard.begin(), heard.end());
    for (auto* y : {&pred_, &pred2_}) y->resize(now_.y(kSlow).size());
    fast_.published.resize(now_.y(kFast).size());
    fast_.old = History<T>(kRows, fast_.n);
    if (plan_.parallel && plan_.threads > 1) team_ = std::make_unique<Team>(2);
  }

  void prepare(GroupStates<T>& s) {
    for (const GroupIndex g : s.indices()) {
      s[g].history.resize(kRows, static_cast<int>(s[g].x.size()));
      s[g].signals.resize(g == kSlow ? back_ : 0, static_cast<int>(now_.y(g).size()));
    }
  }

  // One frame. On any status but ok the states are those of the frame's start.
  template <class Observer>
  Status step(System& system, Clock& clock, GroupStates<T>& s, Observer&& observe) noexcept {
    const bool due = is_due(observe);
    if (begin(system, clock, s, due) == Accept::interrupt) return Status::interrupted;
    if (due) observe(clock.time(), PointKind::full_step, now_.evals(), kGroups);

    const Frame f{system, clock, s, seconds(kTicksPerFrame * clock.unit)};
    const Status status = is_starting(s) ? start_up(f) : advance(f);
    if (status != Status::ok) return status;
    clock.tick += kTicksPerFrame;
    for (const GroupIndex g : kGroups) system.commit(g, clock.now());
    return Status::ok;
  }

  [[nodiscard]] FailedState failed_state() const { return failed_; }
  void each_eval(auto&& visit) const {
    now_.each_eval(visit);
    visit(slow_.at);
    visit(fast_.at);
  }
  void poison(const T& value) {
    now_.poison(value);
    start_.poison(value);
    slow_.poison(value);
    fast_.poison(value);
    for (auto* y : {&pred_, &pred2_}) std::fill(y->begin(), y->end(), value);
  }

 private:
  static constexpr GroupIndex kSlow{0}, kFast{1};
  static constexpr std::array kGroups{kSlow, kFast};
  static constexpr int kRows = 4;  // f_n ... f_{n-3}

  // One group on its way through a frame: all its own, so that two tracks never meet.
  struct Track {
    Track(const System& system, GroupIndex group)
        : g(group),
          n(system.states(group)),
          at(system.make_eval(group)),
          x(size()),
          p(size()),
          f(size()),
          y(static_cast<std::size_t>(system.published(group))),
          u(system.sources(group).size()) {}

    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(n); }
    void outputs(System& system, double t, std::span<const T> point) noexcept {
      system.outputs(g, t, point, u, at, y);
    }
    void derivative(System& system) noexcept { system.derivative(g, at, u, f); }

    // x_{n+1} = x_n + h/24 (55 f_n - 59 f_{n-1} + 37 f_{n-2} - 9 f_{n-3})
    void predict(double h, std::span<const T> from, const History<T>& of) noexcept {
      const T *f0 = of.row(0, n), *f1 = of.row(1, n), *f2 = of.row(2, n), *f3 = of.row(3, n);
      for (std::size_t i = 0; i < p.size(); ++i)
        p[i] = from[i] + (f0[i] * 55.0 - f1[i] * 59.0 + f2[i] * 37.0 - f3[i] * 9.0) * (h / 24.0);
    }
    // x_{n+1} = x_n + h/24 (9 f_{n+1} + 19 f_n - 5 f_{n-1} + f_{n-2})
    void correct(double h, std::span<const T> from, const History<T>& of) noexcept {
      const T *f0 = of.row(0, n), *f1 = of.row(1, n), *f2 = of.row(2, n);
      for (std::size_t i = 0; i < p.size(); ++i)
        p[i] = from[i] + (f[i] * 9.0 + f0[i] * 19.0 - f1[i] * 5.0 + f2[i]) * (h / 24.0);
    }
    void poison(const T& value) {
      for (auto* v : {&x, &p, &f, &y, &u}) std::fill(v->begin(), v->end(), value);
      std::fill(at.v.begin(), at.v.end(), value);
    }

    GroupIndex g;
    int n;
    typename System::Eval at;
    std::vector<T> x, p, f;  // where a round stands, the point predicted or corrected, its rates
    std::vector<T> y, u;
    History<T> old;            // of a fast round, until it is taken over
    std::vector<T> published;  // by a fast round at its end, for the slow track
  };
  struct Frame {
    System& system;
    Clock& clock;
    GroupStates<T>& s;
    double H;
  };

  [[nodiscard]] Track& track(GroupIndex g) { return g == kSlow ? slow_ : fast_; }

  [[nodiscard]] bool is_starting(const GroupStates<T>& s) const {
    return s[kSlow].history.count < kRows || s[kFast].history.count < kRows ||
           s[kSlow].signals.count < back_;
  }

  // The point itself. Signals are always wanted; rates only by events, memory and whoever looks on,
  // because f_n is known from the end of the last frame, and at the very beginning.
  Accept begin(System& system, const Clock& clock, GroupStates<T>& s, bool looked_at) noexcept {
    for (bool changed = false, asked = false;;) {
      for (const GroupIndex g : kGroups) {
        system.bind(g, now_.eval(g));
        now_.outputs(system, g, clock.time(), s[g].x);
      }
      const bool fresh = s[kSlow].history.count == 0 || s[kFast].history.count == 0;
      if (!fresh && !changed && !looked_at && !system.needs_accept(kSlow) &&
          !system.needs_accept(kFast))
        return Accept::unchanged;
      for (const GroupIndex g : kGroups) now_.derivative(system, g, start_.first(g));
      Accept all = Accept::unchanged;
      for (const GroupIndex g : kGroups)
        all = std::max(all, system.accept(g, clock.now(), now_.eval(g)));
      for (const GroupIndex g : kGroups) ++(fresh ? s[g].counts.startup : s[g].counts.extra);
      if (all == Accept::unchanged) {
        if (fresh || changed) renew(s, fresh);
        return asked ? Accept::interrupt : all;
      }
      asked = asked || all == Accept::interrupt;
      changed = true;
    }
  }

  // f_n after an event has changed it, or at the very beginning.
  void renew(GroupStates<T>& s, bool fresh) noexcept {
    for (const GroupIndex g : kGroups) {
      const std::span<const T> f_n = start_.first(g);
      History<T>& old = s[g].history;
      if (fresh || plan_.history == HistoryPolicy::restart) old.count = s[g].signals.count = 0;
      if (old.count == 0)
        old.push(f_n.data(), static_cast<int>(f_n.size()));
      else
        std::copy(f_n.begin(), f_n.end(), old.row(0, static_cast<int>(f_n.size())));
    }
  }

  // --- a frame ---

  Status advance(const Frame& f) noexcept {
    GroupState<T>&slow = f.s[kSlow], &fast = f.s[kFast];
    const double end = f.clock.time_at(1.0, kTicksPerFrame);
    f.system.bind(kSlow, slow_.at);
    f.system.bind(kFast, fast_.at);
    slow_.predict(f.H, slow.x, slow.history);
    slow_.outputs(f.system, end, slow_.p);
    std::copy(slow_.y.begin(), slow_.y.end(), pred_.begin());

    for (int pass = 0; pass < plan_.outer; ++pass) {
      if (plan_.parallel) {
        pass_in_two_tracks(f, end, pass == 0 ? now_.y(kFast) : std::span<const T>(fast_.published));
      } else {
        fast_round(f, pred_);
        hear_fast(fast_.published);
        correct_and_evaluate(f, end);
      }
      std::copy(slow_.y.begin(), slow_.y.end(), pred_.begin());
    }
    for (const Track* track : {&slow_, &fast_}) {
      const auto& x = track == &slow_ ? track->p : track->x;
      const Status status = judge<T>(x, f.system.limits(track->g), track->g, failed_);
      if (status != Status::ok) return status;
    }
    slow.signals.push(now_.y(kSlow).data(), static_cast<int>(now_.y(kSlow).size()));
    slow.history.push(slow_.f.data(), slow_.n);
    std::swap(slow.x, slow_.p);
    std::swap(fast.history, fast_.old);
    std::swap(fast.x, fast_.x);
    const int slow_evaluations = plan_.parallel ? 3 : 2, rounds = plan_.parallel ? 2 : 1;
    slow.counts.steps += plan_.outer * slow_evaluations;
    fast.counts.steps +=
        static_cast<std::int64_t>(plan_.outer) * rounds * plan_.ratio * (1 + plan_.inner);
    return Status::ok;
  }

  void pass_in_two_tracks(const Frame& f, double end, std::span<const T> old_fast) noexcept {
    const auto both = [&](auto&& slow_track, auto&& fast_track) {
      const auto one = [&](int i) noexcept { i == 0 ? slow_track() : fast_track(); };
      if (team_) {
        team_->run(2, one);
      } else {
        one(0);
        one(1);
      }
    };
    hear_fast(old_fast);
    both(
        [&] {  // PRED'
          correct_slow(f, end);
          std::copy(slow_.y.begin(), slow_.y.end(), pred2_.begin());
        },
        [&] { fast_round(f, pred_); });
    hear_fast(fast_.published);
    both([&] { correct_and_evaluate(f, end); }, [&] { fast_round(f, pred2_); });
  }

  // What the slow group reads; its own signals do not depend on it.
  void hear_fast(std::span<const T> y) noexcept {
    for (std::size_t i = 0; i < slow_.u.size(); ++i)
      slow_.u[i] = y[static_cast<std::size_t>(sources_slow_[i].place)];
  }
  // E and C: from the point where the slow group is to the corrected one.
  void correct_slow(const Frame& f, double end) noexcept {
    slow_.derivative(f.system);
    slow_.correct(f.H, f.s[kSlow].x, f.s[kSlow].history);
    slow_.outputs(f.system, end, slow_.p);
  }

  // ... and the last E.
  void correct_and_evaluate(const Frame& f, double end) noexcept {
    correct_slow(f, end);
    slow_.derivative(f.system);
  }

  // The fast group over the frame, with slow signals that end in `next`.
  void fast_round(const Frame& f, std::span<const T> next) noexcept {
    const GroupState<T>& s = f.s[kFast];
    const double h = f.H / plan_.ratio;
    fast_.old = s.history;
    std::copy(s.x.begin(), s.x.end(), fast_.x.begin());
    Samples<T> r{.now = now_.y(kSlow).data(), .next = next.data(), .step = f.H};
    r.look_back(f.s[kSlow].signals, static_cast<int>(next.size()));
    for (int j = 1; j <= plan_.ratio; ++j) {
      const double a = static_cast<double>(j) / plan_.ratio;
      const double t = f.clock.time_at(a, kTicksPerFrame);
      for (const Link& l : links_) blend<T>(l, a, r, fast_.u);
      fast_.predict(h, fast_.x, fast_.old);
      fast_.outputs(f.system, t, fast_.p);
      fast_.derivative(f.system);
      for (int k = 0; k < plan_.inner; ++k) {
        fast_.correct(h, fast_.x, fast_.old);
        fast_.outputs(f.system, t, fast_.p);
        fast_.derivative(f.system);
      }
      std::swap(fast_.x, fast_.p);
      fast_.old.push(fast_.f.data(), fast_.n);
    }
    fast_.published = fast_.y;
  }

  // --- start-up ---

  // A frame of Runge-Kutta steps of length h, until there are enough old derivatives at H.
  Status start_up(const Frame& f) noexcept {
    f.s[kSlow].signals.push(now_.y(kSlow).data(), static_cast<int>(now_.y(kSlow).size()));
    for (const GroupIndex g : kGroups) {
      const std::span<T> first = start_.first(g);
      const T* f_n = f.s[g].history.row(0, static_cast<int>(first.size()));
      std::copy_n(f_n, first.size(), first.begin());
      std::copy(f.s[g].x.begin(), f.s[g].x.end(), track(g).x.begin());
    }
    for (int j = 0; j < plan_.ratio; ++j) {
      const auto time = [&](double c) {
        return f.clock.time_at((j + c) / plan_.ratio, kTicksPerFrame);
      };
      const Status status = start_.step(f.system, now_, f.H / plan_.ratio, time, f.s, failed_);
      if (status != Status::ok) {
        for (const GroupIndex g : kGroups)
          std::copy(track(g).x.begin(), track(g).x.end(), f.s[g].x.begin());
        return status;
      }
      for (const GroupIndex g : kGroups) now_.outputs(f.system, g, time(1.0), f.s[g].x);
      for (const GroupIndex g : kGroups) {
        now_.derivative(f.system, g, start_.first(g));
        if (g == kFast || j + 1 == plan_.ratio)
          f.s[g].history.push(start_.first(g).data(), static_cast<int>(start_.first(g).size()));
      }
    }
    return Status::ok;
  }

  PecePlan plan_;
  CoupledGroups<System> now_;
  CoupledStart<System> start_;
  Track slow_, fast_;
  std::vector<Link> links_;  // what the fast group reads
  std::vector<Source> sources_slow_;
  int back_ = 0;
  std::vector<T> pred_, pred2_;  // slow signals at PRED and PRED'
  std::unique_ptr<Team> team_;
  FailedState failed_;
};

}  // namespace chicane
