// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <numeric>

#include "core/team.hpp"
#include "integrators/multirate/coupled_groups.hpp"
#include "integrators/multirate/links.hpp"
#include "integrators/multirate/rate_tree.hpp"

namespace chicane {

enum class FrameOrder { slow_first, fast_first };

struct MultiframePlan {
  struct Group {
    Method method;
    int ratio = 1;                      // steps per frame
    std::vector<Interpolator> interps;  // per signal it reads; of use where a slower group gives it
  };
  PerIndex<GroupIndex, Group> groups;
  FrameOrder order = FrameOrder::slow_first;
  Startup startup = Startup::rk4;
  HistoryPolicy history = HistoryPolicy::keep;
  int threads = 1;
};

// Multiple frame rates (R. M. Howe, 004): each group has its own method and its own step, an
// integer part of the frame. Slow first: a group is advanced over its step, then the faster groups
// below it follow and see its signals interpolated. Fast first: the faster groups go ahead and see
// its signals extrapolated. A slow method with stages inside its step sees the signals of faster
// groups there extrapolated from their last two steps (slow first) or interpolated between the ends
// (fast first), linearly.
//
// Order: the least of the methods' orders and of the points of the interpolators in use; at most 2
// where a group that reads a faster one has stages inside its step.
template <GroupSystem System>
class Multiframe {
 public:
  using T = typename System::Scalar;
  using Eval = typename System::Eval;

  Multiframe(const System& system, MultiframePlan plan)
      : plan_(std::move(plan)),
        rk4_(find_method("rk4")->k),
        now_(system),
        ahead_(system),
        start_(system, starter(plan_)) {
    std::vector<int> ratios;
    for (const GroupIndex g : groups_of(system)) {
      const auto& own = plan_.groups[g];
      ratios.push_back(own.ratio);
      finest_ = std::max(finest_, own.ratio);
      all_.push_back(g);
      const int n = system.states(g);
      work_.push_back({.own = Rows(own.method.k),
                       .step = MethodStep<T>(n, std::max(own.method.k.stages, rk4_.k.stages)),
                       .begin = std::vector<T>(static_cast<std::size_t>(n)),
                       .u0 = std::vector<T>(system.sources(g).size()),
                       .ratio = own.ratio,
                       .states = n});
    }
    whole_ = {GroupIndex{0}, 1, all_, ratios, {}};
    tree_ = rate_branches(all_, ratios,
                          [&](GroupIndex a, GroupIndex b) { return reads(system, a, b); });
    for (const GroupIndex g : groups_of(system)) connect(system, g);
    chain_ = tree_.size() <= 1;
    for (const RateNode* n = chain_ && !tree_.empty() ? tree_.data() : nullptr; n != nullptr;
         n = n->branches.empty() ? nullptr : n->branches.data())
      chain_ = chain_ && n->branches.size() <= 1;
    if (plan_.threads > 1 && !chain_ && independent_branches_are_quiet(system, tree_))
      team_ = std::make_unique<Team>(plan_.threads);
  }

  // Makes room in the histories for what methods and interpolators need of them.
  void prepare(GroupStates<T>& s) {
    for (const GroupIndex g : s.indices()) {
      const GroupWork& p = work_[g];
      s[g].history.resize(p.own.k.old, p.states);
      s[g].signals.resize(p.back, static_cast<int>(now_.y(g).size()));
    }
  }

  // One frame. `observe(t, kind, evals, fresh)` sees its start with all groups evaluated, events
  // done, and, where every group has at most one faster one below it, the starts of the faster
  // steps too. On any status but ok the states are those of the frame's start.
  template <class Observer>
  Status step(System& system, Clock& clock, GroupStates<T>& s, Observer&& observe) noexcept {
    const auto observe_point = [&](double t, PointKind kind, std::span<const GroupIndex> fresh) {
      observe(t, kind, now_.evals(), fresh);
    };
    const std::int64_t atoms = kTicksPerFrame * clock.unit;
    const Frame<decltype(observe_point)> f{system,
                                           clock,
                                           s,
                                           observe_point,
                                           seconds(atoms),
                                           static_cast<double>(clock.now()),
                                           static_cast<double>(atoms)};
    for (GroupWork& p : work_)
      for (SlowLink& l : p.slow) l.phase = 0.0;
    if (evaluate(f, whole_, 0) == Accept::interrupt) return Status::interrupted;
    observe_point(clock.time(), PointKind::full_step, all_);
    for (const GroupIndex g : s.indices()) {
      std::copy(s[g].x.begin(), s[g].x.end(), work_[g].begin.begin());
      work_[g].status = Status::ok;
      work_[g].failed = {};
    }
    const Status status = is_starting(s) ? start_up(f) : advance(f, tree_, 0, 1);
    if (status != Status::ok) {
      failed_ = first_failed();
      for (const GroupIndex g : s.indices())
        std::copy(work_[g].begin.begin(), work_[g].begin.end(), s[g].x.begin());
      return status;
    }
    clock.tick += kTicksPerFrame;
    return Status::ok;
  }

  [[nodiscard]] FailedState failed_state() const { return failed_; }
  void each_eval(auto&& visit) const {
    now_.each_eval(visit);
    ahead_.each_eval(visit);
  }
  void poison(const T& value) {
    now_.poison(value);
    ahead_.poison(value);
    start_.poison(value);
    for (GroupWork& p : work_) {
      p.step.poison(value);
      p.is_ahead = false;
      for (auto* v : {&p.begin, &p.u0}) std::fill(v->begin(), v->end(), value);
    }
  }

 private:
  struct SlowLink : Link {
    double steps = 1;               // of the reader in one of the source
    double phase = 0;               // how many of those are done
    int states = 0, published = 0;  // of the source
    Samples<T> samples;
  };
  struct GroupWork {
    Rows own;
    MethodStep<T> step;
    std::vector<T> begin, u0;  // the state at the frame's start; u at the start of the step
    int ratio = 1, states = 0;
    int back = 0;                // old samples of its signals that somebody needs
    std::vector<SlowLink> slow;  // what it reads from slower groups
    std::vector<Link> fast;      // ... and from faster ones
    std::span<T> u, y;           // its signals where it stands
    std::vector<int> state_of;   // the state that each published signal is, or -1
    bool keeps_u = false;        // it needs u0 later in the step
    bool foreseen = false;       // its signals at the end of its step are wanted during it
    bool reuses = false;         // ... and are the same at the start of the next
    bool is_ahead = false;       // the evaluation in ahead_ is the first half of the next one
    Status status = Status::ok;  // of its branch
    FailedState failed;
  };
  template <class ObservePoint>
  struct Frame {
    System& system;
    Clock& clock;
    GroupStates<T>& s;
    const ObservePoint& observe;
    double length;         // [s]
    double begin, atoms_;  // [atoms] of its start, and its length

    // The time of a point `c` of a step after step j of a group with `ratio` steps per frame; the
    // same arithmetic as Clock::time_at.
    [[nodiscard]] double time(int j, double c, int ratio) const {
      return (begin + (j + c) / ratio * atoms_) / static_cast<double>(kAtomsPerSecond);
    }
    [[nodiscard]] std::int64_t atoms(int j, int ratio) const {
      return clock.now() + kTicksPerFrame * clock.unit * j / ratio;
    }
  };

  // The one-step method of highest order among the groups' own, and at least classic Runge-Kutta.
  static const Method& starter(const MultiframePlan& plan) {
    const Method* best = find_method("rk4");
    for (const auto& g : plan.groups)
      if (g.method.k.old == 0 && g.method.order > best->order) best = &g.method;
    return *best;
  }
  static bool reads(const System& system, GroupIndex a, GroupIndex b) {
    for (const Source& s : system.sources(a))
      if (s.group == b) return true;
    return false;
  }
  static bool independent_branches_are_quiet(const System& system,
                                             const std::vector<RateNode>& at) {
    for (const RateNode& n : at) {
      if (at.size() > 1)
        for (const GroupIndex g : n.below)
          if (system.eventful(g)) return false;
      if (!independent_branches_are_quiet(system, n.branches)) return false;
    }
    return true;
  }

  void connect(const System& system, GroupIndex g) {
    GroupWork& p = work_[g];
    const std::span<const Source> sources = system.sources(g);
    p.u = now_.u(g);
    p.y = now_.y(g);
    for (int k = 0; k < system.published(g); ++k)
      p.state_of.push_back(system.state_of_signal(g, k));
    std::vector<Link> slow;
    links_of(g, sources, plan_.groups[g].interps, slow, p.fast);
    for (Link& link : slow) {
      GroupWork& from = work_[link.from];
      SlowLink l{std::move(link)};
      l.steps = static_cast<double>(p.ratio) / from.ratio;
      l.states = from.states;
      l.published = static_cast<int>(from.y.size());
      l.samples = {
          .now = from.y.data(), .next = ahead_.y(l.from).data(), .state_of = from.state_of.data()};
      p.slow.push_back(std::move(l));
    }
    const bool looks_inside = p.own.k.stages > 1,
               slow_first = plan_.order == FrameOrder::slow_first;
    for (const SlowLink& l : p.slow) {
      GroupWork& from = work_[l.from];
      const bool between = l.steps > 1 || looks_inside;  // else it reads the samples themselves
      if (between) from.back = std::max(from.back, info_of(l.interp).back);
      from.foreseen = from.foreseen || info_of(l.interp).ahead;
    }
    p.keeps_u = looks_inside && !slow_first;
    for (const Link& l : p.fast)
      if (looks_inside && slow_first) work_[l.from].back = std::max(work_[l.from].back, 1);
    p.reuses = std::all_of(p.slow.begin(), p.slow.end(), [](const SlowLink& l) { return l.ahead; });
  }

  [[nodiscard]] FailedState first_failed() const {
    for (const GroupWork& p : work_)
      if (p.failed.place >= 0) return p.failed;
    return {};
  }

  // --- signals ---

  // What g reads from slower groups, at `c` of its step.
  void read_slow(const GroupWork& p, double c, std::span<T> u) noexcept {
    for (const SlowLink& l : p.slow) blend<T>(l, (l.phase + c) / l.steps, l.samples, u);
  }
  // The same at the end of the step it has just done.
  void read_slow_at_end(const GroupWork& p, std::span<T> u) noexcept {
    for (const SlowLink& l : p.slow)
      blend<T>(l, (l.phase == 0.0 ? l.steps : l.phase) / l.steps, l.samples, u);
  }

  // What g reads from faster groups where they stand.
  void read_fast(GroupIndex g, std::span<T> u) noexcept {
    for (const Link& l : work_[g].fast)
      for (std::size_t i = 0; i < l.to.size(); ++i) u[at(l.to[i])] = now_.y(l.from)[at(l.place[i])];
  }

  // What g reads from faster groups at `c` of its step: from where they stand and where they were
  // one step of theirs before, or from both ends of the step.
  template <class F>
  void foresee_fast(const F& f, GroupIndex g, double c, std::span<T> u) noexcept {
    const GroupWork& p = work_[g];
    for (const Link& l : p.fast) {
      const std::span<const T> y = now_.y(l.from);
      const History<T>& old = f.s[l.from].signals;
      const T* back = old.count > 0 ? old.row(0, static_cast<int>(y.size())) : y.data();
      const double steps = c * work_[l.from].ratio / p.ratio;
      for (std::size_t i = 0; i < l.to.size(); ++i) {
        const std::size_t to = at(l.to[i]), k = at(l.place[i]);
        u[to] = plan_.order == FrameOrder::slow_first ? y[k] + (y[k] - back[k]) * steps
                                                      : p.u0[to] + (y[k] - p.u0[to]) * c;
      }
    }
  }

  // --- the start of a step ---

  // All groups below `node` at the start of its step j, where the steps of all of them begin.
  template <class F>
  Accept evaluate(const F& f, const RateNode& node, int j) noexcept {
    for (;;) {
      for (std::size_t i = 0; i < node.below.size(); ++i)
        outputs(f, node.below[i], j * node.steps[i]);
      for (const GroupIndex g : node.below) derivative(f, g);
      Accept all = Accept::unchanged;
      for (const GroupIndex g : node.below)
        if (f.system.needs_accept(g))
          all = std::max(all, f.system.accept(g, f.atoms(j, node.ratio), now_.eval(g)));
      if (all == Accept::unchanged) return all;
      for (GroupWork& p : work_) p.is_ahead = false;  // events may have moved any group
      for (const GroupIndex g : node.below) {
        ++f.s[g].counts.extra;
        if (plan_.history == HistoryPolicy::restart)
          f.s[g].history.count = f.s[g].signals.count = 0;
      }
      // What concerns the whole run waits for the frame's end unless this is its start.
      if (all == Accept::interrupt && j == 0) return all;
    }
  }

  template <class F>
  void outputs(const F& f, GroupIndex g, int j) noexcept {
    GroupWork& p = work_[g];
    for (SlowLink& l : p.slow)
      if (l.phase == 0.0) {  // its source stands at the start of its step, too
        GroupState<T>& from = f.s[l.from];
        l.samples.look_back(from.signals, l.published);
        l.samples.f_n = from.history.present(l.states);
        l.samples.step = f.length / work_[l.from].ratio;
      }
    read_slow(p, 0.0, p.u);
    const bool is_there = std::exchange(p.is_ahead, false) && !f.system.bind(g, ahead_.eval(g));
    if (is_there) {
      std::swap(now_.eval(g), ahead_.eval(g));
      std::copy(ahead_.y(g).begin(), ahead_.y(g).end(), now_.y(g).begin());
      return;
    }
    f.system.bind(g, now_.eval(g));
    f.system.outputs(g, f.time(j, 0.0, p.ratio), f.s[g].x, now_.u(g), now_.eval(g), now_.y(g));
  }

  template <class F>
  void derivative(const F& f, GroupIndex g) noexcept {
    GroupWork& p = work_[g];
    const std::span<T> u = now_.u(g);
    read_fast(g, u);
    if (p.keeps_u) std::copy(u.begin(), u.end(), p.u0.begin());
    f.system.derivative(g, now_.eval(g), u, {f.s[g].history.present(p.states), at(p.states)});
  }

  // --- the step ---

  // All branches over step j of whoever stands above them, which does `ratio` steps per frame.
  template <class F>
  Status advance(const F& f, const std::vector<RateNode>& branches, int j, int ratio,
                 bool alone = true) noexcept {
    const auto one = [&](int i) noexcept {
      const RateNode& node = branches[at(i)];
      Status& status = work_[node.group].status;
      const int steps = node.ratio / ratio;
      for (int k = 0; k < steps && status == Status::ok; ++k) {
        const int own = j * steps + k;
        if (k > 0) {
          evaluate(f, node, own);
          if (chain_) f.observe(f.time(own, 0.0, node.ratio), PointKind::sub_step, node.below);
        }
        status = advance_node(f, node, own, alone && branches.size() == 1);
      }
    };
    const int n = static_cast<int>(branches.size());
    if (team_ && n > 1 && alone)
      team_->run(n, one);
    else
      for (int i = 0; i < n; ++i) one(i);
    for (const RateNode& node : branches)
      if (work_[node.group].status != Status::ok) return work_[node.group].status;
    return Status::ok;
  }

  template <class F>
  Status advance_node(const F& f, const RateNode& node, int j, bool alone) noexcept {
    const GroupIndex g = node.group;
    const bool slow_first = plan_.order == FrameOrder::slow_first;
    Status status = slow_first ? advance_group(f, g, j) : Status::ok;
    if (status == Status::ok) status = advance(f, node.branches, j, node.ratio, alone);
    if (status == Status::ok && !slow_first) {
      if (work_[g].own.k.stages > 1) refresh(f, node, j);
      status = advance_group(f, g, j);
    }
    if (work_[g].back > 0)
      f.s[g].signals.push(now_.y(g).data(), static_cast<int>(now_.y(g).size()));
    return status;
  }

  template <class F>
  Status advance_group(const F& f, GroupIndex g, int j) noexcept {
    GroupWork& p = work_[g];
    GroupState<T>& s = f.s[g];
    Eval& at_point = now_.eval(g);
    const bool starting = plan_.startup == Startup::rk4 && s.history.count < p.own.k.old;
    const Rows& m = starting ? rk4_ : p.own;
    (starting ? s.counts.startup : s.counts.steps) += m.k.stages;
    const double h = f.length / p.ratio;

    p.step.begin(m, s);
    // The time of a stage is found one stage ahead: its divisions need not be waited for.
    const auto time = [&](int i) {
      return i < m.k.stages ? f.time(j, m.k.c[at(i)], p.ratio) : 0.0;
    };
    double t = time(1);
    for (int i = 1; i < m.k.stages; ++i) {
      const double c = m.k.c[at(i)];
      f.system.after_evaluation(g, at_point);
      read_slow(p, c, p.u);
      if (!p.fast.empty()) foresee_fast(f, g, c, p.u);
      f.system.outputs(g, t, p.step.point(m, i, h, s), p.u, at_point, ahead_.y(g));
      t = time(i + 1);
      f.system.derivative(g, at_point, p.u, p.step.F(i));
    }
    f.system.after_evaluation(g, at_point);
    const Status status = p.step.update(m, h, s, f.system.limits(g), g, p.failed);
    if (status != Status::ok) return status;
    p.step.keep(s);
    if (f.system.needs_accept(g)) f.system.commit(g, f.atoms(j + 1, p.ratio));
    if (p.foreseen) {
      f.system.bind(g, ahead_.eval(g));
      read_slow(p, 1.0, ahead_.u(g));
      f.system.outputs(g, f.time(j, 1.0, p.ratio), s.x, ahead_.u(g), ahead_.eval(g), ahead_.y(g));
      p.is_ahead = p.reuses;
    }
    for (SlowLink& l : p.slow)
      if (++l.phase == l.steps) l.phase = 0.0;
    return Status::ok;
  }

  // Fast first: the signals of the groups below `node` at the end of its step j, where they stand.
  template <class F>
  void refresh(const F& f, const RateNode& node, int j) noexcept {
    for (const GroupIndex g : std::span(node.below).subspan(1)) {
      const GroupWork& p = work_[g];
      const int last = (j + 1) * p.ratio / node.ratio - 1;
      f.system.bind(g, ahead_.eval(g));
      read_slow_at_end(p, ahead_.u(g));
      f.system.outputs(g, f.time(last, 1.0, p.ratio), f.s[g].x, ahead_.u(g), ahead_.eval(g),
                       now_.y(g));
    }
  }

  // --- start-up ---

  [[nodiscard]] bool is_starting(const GroupStates<T>& s) const {
    if (plan_.startup != Startup::rk4) return false;
    for (const GroupIndex g : s.indices())
      if (s[g].history.count < work_[g].own.k.old || s[g].signals.count < work_[g].back)
        return true;
    return false;
  }

  // A frame by Runge-Kutta of all groups together, which fills the histories at the steps of each.
  template <class F>
  Status start_up(const F& f) noexcept {
    for (int j = 0; j < finest_; ++j) {
      const auto begins = [&](GroupIndex g, int at_step) {
        return at_step % (finest_ / work_[g].ratio) == 0;
      };
      if (j > 0) evaluate_jointly(f, j, begins);
      for (const GroupIndex g : f.s.indices()) {
        if (!begins(g, j)) continue;
        const std::span<const T> f_n = start_.first(g), y = now_.y(g);
        if (j > 0) std::copy(f_n.begin(), f_n.end(), f.s[g].history.present(work_[g].states));
        std::copy(y.begin(), y.end(), f.s[g].signals.present(static_cast<int>(y.size())));
      }
      if (j == 0)
        for (const GroupIndex g : f.s.indices())
          std::copy_n(f.s[g].history.present(work_[g].states), work_[g].states,
                      start_.first(g).begin());
      const Status status = start_.step(
          f.system, now_, f.length / finest_, [&](double c) { return f.time(j, c, finest_); }, f.s,
          failed_);
      if (status != Status::ok) {
        work_[failed_.group].failed = failed_;
        return status;
      }
      for (const GroupIndex g : f.s.indices()) {
        if (!begins(g, j + 1)) continue;
        f.s[g].history.push();
        f.s[g].signals.push();
        f.system.commit(g, f.atoms(j + 1, finest_));
      }
    }
    return Status::ok;
  }

  template <class F, class Begins>
  void evaluate_jointly(const F& f, int j, Begins&& begins) noexcept {
    for (bool again = true; again;) {
      again = false;
      for (const GroupIndex g : f.s.indices()) {
        if (begins(g, j)) f.system.bind(g, now_.eval(g));
        now_.outputs(f.system, g, f.time(j, 0.0, finest_), f.s[g].x);
      }
      for (const GroupIndex g : f.s.indices()) now_.derivative(f.system, g, start_.first(g));
      for (const GroupIndex g : f.s.indices())
        if (begins(g, j) &&
            f.system.accept(g, f.atoms(j, finest_), now_.eval(g)) != Accept::unchanged)
          again = true;
      for (const GroupIndex g : f.s.indices()) {
        if (again) ++f.s[g].counts.extra;
        if (again && begins(g, j) && plan_.history == HistoryPolicy::restart)
          f.s[g].history.count = f.s[g].signals.count = 0;
      }
    }
    if (!chain_) return;
    for (const RateNode* n = tree_.data(); n != nullptr;
         n = n->branches.empty() ? nullptr : n->branches.data())
      if (begins(n->group, j)) {
        f.observe(f.time(j, 0.0, finest_), PointKind::sub_step, n->below);
        return;
      }
  }

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  MultiframePlan plan_;
  Rows rk4_;
  CoupledGroups<System> now_,
      ahead_;  // where the groups stand; what they publish at the end of their step
  CoupledStart<System> start_;
  PerIndex<GroupIndex, GroupWork> work_;
  std::vector<GroupIndex> all_;
  std::vector<RateNode> tree_;
  RateNode whole_;     // all groups, at the start of a frame, where events of one act on any other
  bool chain_ = true;  // no group has more than one branch below it
  int finest_ = 1;     // steps per frame of the fastest
  std::unique_ptr<Team> team_;
  FailedState failed_;
};

}  // namespace chicane
