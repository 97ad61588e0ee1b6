// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "integrators/group_system.hpp"
#include "math/scalar.hpp"

namespace chicane {

// f(i) for all i < n: one after the other if they are few, where the choice of a loop for many
// would cost more than the loop.
template <class F>
[[gnu::always_inline]] inline void for_states(int n, F&& f) {
  switch (n) {
    case 3:
      f(2);
      [[fallthrough]];
    case 2:
      f(1);
      [[fallthrough]];
    case 1:
      f(0);
      return;
    default:
#pragma GCC ivdep  // what is written for one state is read for no other
      for (int i = 0; i < n; ++i) f(i);
  }
}

// One row of a method's coefficients as the terms that are not zero: h (w_1 f_1 + w_2 f_2 + ...).
// sources[i]: the i-th stage derivative; from kMaxStages on, the old derivatives, newest first.
class Combination {
 public:
  template <class Row, class Old>
  Combination(const Row& stages, int s, const Old& old, int r) {
    for (int k = 0; k < r; ++k) add(old[at(k)], kMaxStages + k);
    for (int j = 0; j < s; ++j) add(stages[at(j)], j);
  }

  // out = x + h (...) for n states.
  template <class T>
  void apply(double h, const T* x, const T* const* sources, T* out, int n) const {
    loops<T>().apply(*this, h, x, sources, out, n);
  }
  // x += h (...), with what x was in `before`. Says whether all are within their limits.
  template <class T>
  bool advance(double h, T* x, const T* const* sources, T* before, const double* limits,
               int n) const {
    return loops<T>().advance(*this, h, x, sources, before, limits, n);
  }

 private:
  static constexpr int kMaxTerms = kMaxStages + kMaxOld;

  // The loops over the states: for one to five terms each its own, and one for more.
  template <class T>
  struct Loops {
    void (*apply)(const Combination&, double, const T*, const T* const*, T*, int);
    bool (*advance)(const Combination&, double, T*, const T* const*, T*, const double*, int);

    template <int terms>
    static constexpr Loops of() {
      return {apply_terms<terms, T>, advance_terms<terms, T>};
    }
    static constexpr std::array<Loops, 6> all() {
      return {of<1>(), of<2>(), of<3>(), of<4>(), of<5>(), of<kMaxTerms>()};
    }
  };
  template <class T>
  [[nodiscard]] const Loops<T>& loops() const {
    static constexpr std::array<Loops<T>, 6> kAll = Loops<T>::all();
    return kAll[std::min(at(count_), kAll.size()) - 1];
  }

  // The increment of state i.
  template <int terms, class T>
  [[gnu::always_inline]] T increment(double h, const T* const* sources, int i) const {
    const int count = terms < kMaxTerms ? terms : count_;
    T sum = sources[source_[0]][i] * weight_[0];
    for (int m = 1; m < count; ++m) sum += sources[source_[at(m)]][i] * weight_[at(m)];
    return sum * h;
  }
  template <int terms, class T>
  static void apply_terms(const Combination& row, double h, const T* x, const T* const* sources,
                          T* out, int n) {
    for_states(
        n, [&](int i) __attribute__((always_inline)) {
          out[i] = x[i] + row.increment<terms>(h, sources, i);
        });
  }
  template <int terms, class T>
  static bool advance_terms(const Combination& row, double h, T* x, const T* const* sources,
                            T* before, const double* limits, int n) {
    std::int64_t bad = 0;
    for_states(
        n, [&](int i) __attribute__((always_inline)) {
          const T was = x[i];
          before[i] = was;
          const T now = was + row.increment<terms>(h, sources, i);
          x[i] = now;
          bad |= std::int64_t{!(std::fabs(value_of(now)) <= limits[i])};
        });
    return bad == 0;
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

// A step of one group by its method: F_1 is f_n and lies in the group's history already; the other
// stages and the new state are scratch.
template <class T>
class MethodStep {
 public:
  MethodStep(int n, int most_stages)
      : n_(n),
        x_(static_cast<std::size_t>(n)),
        F_(static_cast<std::size_t>(n * std::max(0, most_stages - 1))) {
    for (int i = 1; i < most_stages; ++i) f_[at(i)] = F_.data() + (i - 1) * n_;
  }
  MethodStep(MethodStep&&) noexcept = default;
  MethodStep& operator=(MethodStep&&) noexcept = default;

  // Begins: finds where f_n and the old derivatives stand. Those that are missing are taken as the
  // oldest there is (build-up).
  void begin(const Rows& m, GroupState<T>& s) {
    f_[0] = s.history.present(n_);
    s.history.each_row_or_oldest(m.k.old, n_,
                                 [&](int k, const T* row) { f_[at(kMaxStages + k)] = row; });
  }
  // Where the derivative of stage i >= 1 goes.
  [[nodiscard]] std::span<T> F(int i) { return {F_.data() + (i - 1) * n_, at(n_)}; }
  // X_i = x_n + h (sum_j a_ij F_j + sum_k h_ik f_{n-k})
  std::span<const T> point(const Rows& m, int i, double h, const GroupState<T>& s) {
    m.stage[at(i)].template apply<T>(h, s.x.data(), f_.data(), x_.data(), n_);
    return {x_.data(), at(n_)};
  }
  // x_{n+1} = x_n + h (sum_i b_i F_i + sum_k e_k f_{n-k}), in place; x_n can be had back.
  Status update(const Rows& m, double h, GroupState<T>& s, std::span<const double> limits,
                GroupIndex g, FailedState& failed) {
    if (m.update.template advance<T>(h, s.x.data(), f_.data(), x_.data(), limits.data(), n_))
      return Status::ok;
    return judge<T>(s.x, limits, g, failed);
  }
  // The new state stands: f_n becomes an old derivative.
  void keep(GroupState<T>& s) { s.history.push(); }
  // The new state does not: x_n is back.
  void undo(GroupState<T>& s) { std::swap(s.x, x_); }
  void poison(const T& value) {
    std::fill(x_.begin(), x_.end(), value);
    std::fill(F_.begin(), F_.end(), value);
  }

 private:
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  int n_;
  std::vector<T> x_, F_;
  std::array<const T*, kMaxStages + kMaxOld> f_{};
};

}  // namespace chicane
