#pragma once

#include <algorithm>
#include <array>
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
    for (int k = 0; k < r; ++k) add(old[static_cast<std::size_t>(k)], kMaxStages + k);
  }

  // For n states. sources[i]: the i-th stage derivative; from kMaxStages on, the old derivatives,
  // newest first.
  template <class T>
  void apply(double h, const T* x, const T* const* sources, T* out, int n) const {
    switch (count_) {  // known numbers of terms, so that the loops over the states are tight
      case 1:
        return apply_terms<1>(h, x, sources, out, n);
      case 2:
        return apply_terms<2>(h, x, sources, out, n);
      case 3:
        return apply_terms<3>(h, x, sources, out, n);
      case 4:
        return apply_terms<4>(h, x, sources, out, n);
      case 5:
        return apply_terms<5>(h, x, sources, out, n);
      default:
        return apply_terms<kMaxTerms>(h, x, sources, out, n);
    }
  }

 private:
  static constexpr int kMaxTerms = kMaxStages + kMaxOld;

  template <int terms, class T>
  void apply_terms(double h, const T* x, const T* const* sources, T* out, int n) const {
    const int count = terms < kMaxTerms ? terms : count_;
    std::array<const T*, terms> f;
    for (int m = 0; m < count; ++m) f[at(m)] = sources[source_[at(m)]];
#pragma GCC ivdep  // out is none of the others
    for (int i = 0; i < n; ++i) {
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
    for (int k = 0; k < m.k.old; ++k) f_[at(kMaxStages + k)] = s.history.row_or_oldest(k, n_);
  }
  // Where the derivative of stage i >= 1 goes.
  [[nodiscard]] std::span<T> F(int i) { return {F_.data() + (i - 1) * n_, at(n_)}; }
  // X_i = x_n + h (sum_j a_ij F_j + sum_k h_ik f_{n-k})
  std::span<const T> point(const Rows& m, int i, double h, const GroupState<T>& s) {
    m.stage[at(i)].template apply<T>(h, s.x.data(), f_.data(), x_.data(), n_);
    return {x_.data(), at(n_)};
  }
  // x_{n+1} = x_n + h (sum_i b_i F_i + sum_k e_k f_{n-k})
  std::span<const T> update(const Rows& m, double h, const GroupState<T>& s) {
    m.update.template apply<T>(h, s.x.data(), f_.data(), x_.data(), n_);
    return {x_.data(), at(n_)};
  }
  // The update becomes the state, f_n an old derivative.
  void keep(GroupState<T>& s) {
    s.history.push();
    std::swap(s.x, x_);
  }
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
