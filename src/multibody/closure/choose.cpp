// SPDX-License-Identifier: Apache-2.0
#include "multibody/closure/choose.hpp"

#include <algorithm>
#include <cmath>

#include "core/at.hpp"
#include "multibody/closure/cholesky.hpp"
#include "multibody/closure/loops.hpp"
#include "multibody/closure/orthogonal.hpp"
#include "multibody/joints/joints.hpp"

namespace chicane::multibody {

std::vector<double> reach_of_rates(const Mechanism& m, const LoopCluster& c,
                                   const Workspace<double>& ws, const ClusterScratch<double>& s) {
  double turn = 0.0;
  for (std::size_t k = 0; k < c.joints.size(); ++k) {
    const LoopJoint& j = c.joints[k];
    const Vec3<double> p_B = ws.motion[at(j.link[1])].p + s.frames[k].r_B;
    for (const LoopColumn& x : j.columns)
      if (const Motion<double>& S = ws.S[at(x.v)]; x.local >= 0 && norm(S.angular) > 0.0)
        turn = std::max(turn, norm(at_point(S, p_B - ws.motion[at(x.link)].p).linear));
  }
  if (turn == 0.0) turn = 1.0;  // only angles
  std::vector<double> reach(at(c.nv), 1.0);
  for (int i = c.first; i < c.first + c.links; ++i) {
    const Link& link = m.links[at(i)];
    if (!link.driven)
      visit_joint(link.kind, [&]<class J>(J) {
        for (int k = J::kTurns.begin; k < J::kTurns.end; ++k) reach[at(link.v - c.v + k)] = turn;
      });
  }
  return reach;
}

namespace {

void take_the_rest_as_independent(const LoopCluster& c, ClusterChoice& choice) {
  std::sort(choice.dependent.begin(), choice.dependent.end());
  choice.independent.clear();
  for (int k = 0; k < c.nv; ++k)
    if (!std::binary_search(choice.dependent.begin(), choice.dependent.end(), k))
      choice.independent.push_back(k);
}

// Elimination along a chain of loops: the rows of one joint after the other, each time the largest
// entry that is left of them, its rate being in its measure. A row that is done reaches no farther
// than the rows it was made of.
class Elimination {
 public:
  Elimination(const LoopCluster& c, ClusterScratch<double>& s) : c_(c), s_(s) {}

  void choose(ClusterChoice& choice) {
    std::fill(s_.position.begin(), s_.position.end(), kNone);
    double longest = 0.0;
    for (const LoopJoint& j : c_.joints)
      for (int r = 0; r < static_cast<int>(j.rows.size()); ++r)
        for_own_columns(j, [&](int local, int entry) {
          longest = std::max(longest, std::fabs(own_entry(j, r, local, entry)));
        });
    for (const LoopJoint& j : c_.joints) take(j, kRowTolerance * longest);
    if (rank_ < static_cast<int>(choice.rows.size())) return;
    choice.rows.clear();
    choice.dependent.clear();
    for (int k = 0; k < c_.nv; ++k)
      if (s_.position[at(k)] != kNone) choice.dependent.push_back(k);
    for (int p = 0; p < rank_; ++p) choice.rows.push_back(number(p));
    std::sort(choice.rows.begin(), choice.rows.end());
    take_the_rest_as_independent(c_, choice);
  }

 private:
  static constexpr int kNone = -1;

  // What is left of a row: numbers from column first to last - 1; where it came from.
  double* row(int p) { return s_.B.data() + p * c_.nv; }
  int& first(int p) { return s_.extent[at(3 * p)]; }
  int& last(int p) { return s_.extent[at(3 * p + 1)]; }
  int& number(int p) { return s_.extent[at(3 * p + 2)]; }

  [[nodiscard]] double own_entry(const LoopJoint& j, int r, int local, int entry) const {
    return s_.G[at(j.G + r * j.width + entry)] / c_.reach[at(local)];
  }

  void take(const LoopJoint& j, double least) {
    const int end = rank_ + static_cast<int>(j.rows.size());
    for (int p = rank_; p < end; ++p) {
      bring(j, p - rank_, p);
      reduce(p);
    }
    while (rank_ < end) {
      int best = kNone, column = kNone;
      double most = least;
      for (int p = rank_; p < end; ++p)
        for (int k = first(p); k < last(p); ++k)
          if (const double size = std::fabs(row(p)[k]); size > most)
            most = size, best = p, column = k;
      if (best == kNone) return;
      exchange(best, rank_);
      s_.position[at(column)] = rank_;
      for (int p = rank_ + 1; p < end; ++p) subtract(rank_, column, p);
      ++rank_;
    }
  }

  void bring(const LoopJoint& j, int r, int p) {
    first(p) = c_.nv, last(p) = 0, number(p) = j.row + r;
    for_own_columns(j, [&](int local, int entry) {
      extend(p, local, local + 1);
      row(p)[local] = own_entry(j, r, local, entry);
    });
  }

  // With the rows that are done, in their order.
  void reduce(int p) {
    for (int done = kNone;;) {
      int next = rank_, column = kNone;
      for (int k = first(p); k < last(p); ++k)
        if (const int by = s_.position[at(k)]; by > done && by < next && row(p)[k] != 0.0)
          next = by, column = k;
      if (column == kNone) return;
      subtract(next, column, p);
      done = next;
    }
  }

  // Row `by` from row p, so that nothing is left in the column.
  void subtract(int by, int column, int p) {
    if (column < first(p) || column >= last(p) || row(p)[column] == 0.0) return;
    extend(p, first(by), last(by));
    const double l = row(p)[column] / row(by)[column];
    for (int k = first(by); k < last(by); ++k) row(p)[k] -= l * row(by)[k];
    row(p)[column] = 0.0;
  }

  void extend(int p, int from, int to) {
    if (first(p) >= last(p)) first(p) = last(p) = from;
    for (; first(p) > from; --first(p)) row(p)[first(p) - 1] = 0.0;
    for (; last(p) < to; ++last(p)) row(p)[last(p)] = 0.0;
  }

  void exchange(int p, int q) {
    if (p == q) return;
    const int from = std::min(first(p), first(q)), to = std::max(last(p), last(q));
    std::swap_ranges(row(p) + from, row(p) + to, row(q) + from);
    for (int i = 0; i < 3; ++i) std::swap(s_.extent[at(3 * p + i)], s_.extent[at(3 * q + i)]);
  }

  const LoopCluster& c_;
  ClusterScratch<double>& s_;
  int rank_ = 0;
};

}  // namespace

void choose(const LoopCluster& c, ClusterScratch<double>& s, ClusterChoice& choice) {
  if (c.chain) return Elimination(c, s).choose(choice);
  const int n = c.nv;
  for (int r = 0; r < c.rows; ++r)
    for (int k = 0; k < n; ++k) s.B[at(r * n + k)] = s.G[at(r * n + k)] / c.reach[at(k)];
  const int rank =
      orthonormalize(s.B.data(), c.rows, n, kRowTolerance, s.pivot.data(), s.LU.data());
  if (rank < static_cast<int>(choice.rows.size())) return;
  choice.rows.assign(s.pivot.begin(), s.pivot.begin() + rank);

  // Complete pivoting: the column of each pivot is dependent.
  choice.dependent.clear();
  for (int r = 0; r < rank; ++r) {
    int row = r, column = 0;
    double best = -1.0;
    for (int i = r; i < rank; ++i)
      for (int k = 0; k < n; ++k)
        if (const double size = std::fabs(s.B[at(i * n + k)]); size > best)
          best = size, row = i, column = k;
    std::swap_ranges(s.B.begin() + r * n, s.B.begin() + (r + 1) * n, s.B.begin() + row * n);
    choice.dependent.push_back(column);
    for (int i = r + 1; i < rank; ++i) {
      const double l = s.B[at(i * n + column)] / s.B[at(r * n + column)];
      for (int k = 0; k < n; ++k) s.B[at(i * n + k)] -= l * s.B[at(r * n + k)];
      for (const int done : choice.dependent) s.B[at(i * n + done)] = 0.0;
    }
  }
  take_the_rest_as_independent(c, choice);
}

void choose(const Mechanism& m, Workspace<double>& ws, Choice& choice) {
  for (std::size_t k = 0; k < m.clusters.size(); ++k)
    if (m.clusters[k].form == Loops::embedded) choose(m.clusters[k], ws.loops[k], choice[k]);
}

void shortest_step(const LoopCluster& c, const std::vector<double>& rows, ClusterScratch<double>& s,
                   const double* L) {
  const int n = c.nv;
  spread_rows(c, s.G, s.B.data());
  for (int r = 0; r < c.rows && L != nullptr; ++r) solve_lower(L, n, s.B.data() + r * n);
  const int rank =
      orthonormalize(s.B.data(), c.rows, n, kRowTolerance, s.pivot.data(), s.LU.data());
  std::fill(s.gamma.begin(), s.gamma.end(), 0.0);
  for (int r = 0; r < rank; ++r) {
    double z = -rows[at(s.pivot[at(r)])];
    for (int j = 0; j < r; ++j) z -= s.LU[at(r * c.rows + j)] * s.a[at(j)];
    s.a[at(r)] = z / s.LU[at(r * c.rows + r)];
    for (int k = 0; k < n; ++k) s.gamma[at(k)] += s.a[at(r)] * s.B[at(r * n + k)];
  }
  if (L != nullptr) solve_upper(L, n, s.gamma.data());
}

}  // namespace chicane::multibody
