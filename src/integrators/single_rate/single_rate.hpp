#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "integrators/group_system.hpp"
#include "math/scalar.hpp"

namespace chicane {

// One row of a method's coefficients as the terms that are not zero: x + h (w_1 f_1 + w_2 f_2 +
// ...).
class Combination {
 public:
  template <class Row, class Old>
  Combination(const Row& stages, int s, const Old& old, int r) {
    for (int j = 0; j < s; ++j) add(stages[static_cast<std::size_t>(j)], j);
    for (int k = 0; k < r; ++k) add(old[static_cast<std::size_t>(k)], s + k);
  }

  // sources[i]: the i-th stage derivative, then the old derivatives, newest first.
  template <class T>
  void apply(double h, std::span<const T> x, const T* const* sources, std::span<T> out) const {
    switch (count_) {  // known numbers of terms, so that the loops over the states are tight
      case 1:
        return apply_terms<1>(h, x, sources, out);
      case 2:
        return apply_terms<2>(h, x, sources, out);
      case 3:
        return apply_terms<3>(h, x, sources, out);
      case 4:
        return apply_terms<4>(h, x, sources, out);
      case 5:
        return apply_terms<5>(h, x, sources, out);
      default:
        return apply_terms<kMaxTerms>(h, x, sources, out);
    }
  }

 private:
  static constexpr int kMaxTerms = kMaxStages + kMaxOld;

  template <int n, class T>
  void apply_terms(double h, std::span<const T> x, const T* const* sources,
                   std::span<T> out) const {
    const int count = n < kMaxTerms ? n : count_;
    std::array<const T*, n> f;
    for (int m = 0; m < count; ++m) f[at(m)] = sources[source_[at(m)]];
    for (std::size_t i = 0; i < x.size(); ++i) {
      T sum = f[0][i] * weight_[0];
      for (int m = 1; m < count; ++m) sum += f[at(m)][i] * weight_[at(m)];
      out[i] = x[i] + sum * h;
    }
  }

  static constexpr std::size_t at(int m) { return static_cast<std::size_t>(m); }
  void add(double weight, int source) {
    if (weight == 0.0 && !(source == 0 && count_ == 0)) return;
    if (count_ == 1 && weight_[0] == 0.0) count_ = 0;  // a leading zero kept only while alone
    weight_[at(count_)] = weight;
    source_[at(count_++)] = at(source);
  }
  int count_ = 0;
  std::array<double, kMaxTerms> weight_{};
  std::array<std::size_t, kMaxTerms> source_{};
};

// A method ready to run: its rows as combinations.
struct Rows {
  explicit Rows(const Coefficients<double>& m) : k(m), update(m.b, m.stages, m.e, m.old) {
    for (int i = 0; i < m.stages; ++i) {
      const auto row = static_cast<std::size_t>(i);
      stage.emplace_back(m.A[row], m.stages, m.H[row], m.old);
    }
  }
  Coefficients<double> k;
  std::vector<Combination> stage;
  Combination update;
};

// All groups together with one method (003, 004). The only allocations are in the constructor.
template <GroupSystem System>
class SingleRate {
 public:
  using T = typename System::Scalar;

  SingleRate(const System& system, const Method& method, Startup startup, HistoryPolicy policy)
      : n_(system.states(kAll)),
        own_(method.k),
        rk4_(find_method("rk4")->k),
        real_time_(method.real_time()),
        startup_(startup),
        policy_(policy),
        at_(system.make_eval(kAll)),
        x_(static_cast<std::size_t>(n_)),
        F_(static_cast<std::size_t>(n_ * std::max(own_.k.stages, rk4_.k.stages))) {}

  // One step of `ticks` ticks from s at clock. `observe(eval, t, kind)` sees the point itself,
  // events done, and the inner points of real-time methods. On any status but ok nothing has
  // advanced.
  template <class Observer>
  Status step(System& system, Clock& clock, std::int64_t ticks, GroupState<T>& s,
              Observer&& observe) noexcept {
    if (begin_step(system, kAll, clock.time(), policy_, at_, s, span_of(F(0))) == Accept::interrupt)
      return Status::interrupted;
    observe(at_, clock.time(), PointKind::full_step);

    const bool starting = startup_ == Startup::rk4 && s.history.count < own_.k.old;
    const Rows& m = starting ? rk4_ : own_;
    (starting ? s.counts.startup : s.counts.steps) += m.k.stages;
    return advance(system, clock, ticks, m, s, observe);
  }

  [[nodiscard]] int culprit() const { return culprit_; }  // the state behind a bad status
  [[nodiscard]] int old_steps() const { return own_.k.old; }
  // Scratch means nothing between calls; a test fills it with garbage to prove that.
  void poison(const T& value) {
    std::fill(x_.begin(), x_.end(), value);
    std::fill(F_.begin(), F_.end(), value);
    std::fill(at_.v.begin(), at_.v.end(), value);
  }

 private:
  static constexpr GroupIndex kAll{0};

  std::span<T> span_of(T* first) const { return {first, static_cast<std::size_t>(n_)}; }

  // Stages 2, 3, ... and the update; F_1 is there.
  template <class Observer>
  Status advance(System& system, Clock& clock, std::int64_t ticks, const Rows& m, GroupState<T>& s,
                 Observer&& observe) noexcept {
    if (const std::int64_t atoms = ticks * clock.unit; atoms != step_) {
      step_ = atoms;
      h_ = seconds(atoms);
    }
    const bool shown = real_time_ && &m == &own_;
    std::array<const T*, kMaxStages + kMaxOld> f;
    for (int i = 0; i < m.k.stages; ++i) f[static_cast<std::size_t>(i)] = F(i);
    for (int k = 0; k < m.k.old; ++k)  // build-up: what is missing is taken as the oldest there is
      f[static_cast<std::size_t>(m.k.stages) + static_cast<std::size_t>(k)] =
          k < s.history.count   ? s.history.row(k, n_)
          : s.history.count > 0 ? s.history.row(s.history.count - 1, n_)
                                : F(0);

    for (int i = 1; i < m.k.stages; ++i) {
      const auto stage = static_cast<std::size_t>(i);
      system.staged(kAll, at_);
      m.stage[stage].template apply<T>(h_, s.x, f.data(), x_);
      const double t = clock.time_at(m.k.c[stage], ticks);
      evaluate<System>(system, kAll, t, x_, at_, span_of(F(i)));
      if (shown) observe(at_, t, PointKind::inner_stage);
    }
    system.staged(kAll, at_);
    m.update.template apply<T>(h_, s.x, f.data(), x_);

    const Status status = judge<T>(x_, system.limits(kAll), culprit_);
    if (status != Status::ok) return status;
    s.history.push(F(0), n_);
    std::swap(s.x, x_);
    clock.tick += ticks;
    system.commit(kAll);
    return Status::ok;
  }

  T* F(int stage) { return F_.data() + stage * n_; }

  int n_;
  Rows own_, rk4_;
  bool real_time_;
  Startup startup_;
  HistoryPolicy policy_;
  typename System::Eval at_;
  std::vector<T> x_, F_;
  std::int64_t step_ = 0;  // [atoms] for which h_ is
  double h_ = 0;
  int culprit_ = -1;
};

}  // namespace chicane
