// SPDX-License-Identifier: Apache-2.0
#include "multibody/closure/project.hpp"

#include <algorithm>
#include <cmath>

#include "multibody/closure/assemble.hpp"
#include "multibody/closure/bridge.hpp"
#include "multibody/closure/cholesky.hpp"
#include "multibody/closure/choose.hpp"
#include "multibody/closure/identical_clusters.hpp"

namespace chicane::multibody {

namespace {

// What some products and sums may round [1].
constexpr double kRounding = 1e-14;

// A dependent rate that is more than this times an independent one, each in its measure
// (LoopCluster::reach), changes places with it. It then is smaller by this factor: they do not
// change back and forth. Motion as a function of an independent coordinate has a pole where that
// one turns back, and a method loses its order as it comes near: so it has to change early.
constexpr double kPoorRates = 1.25;
// Where the conditioning, relative to that at the start, is less than this other rows may do
// better. They must be better by this factor.
constexpr double kPoorConditioning = 0.02;
constexpr double kBetterChoice = 2.0;
// A motion that turns by more than this in a step [rad] is held with multipliers, until it turns
// by less than that over the factor. Joints that go in circles are smooth functions of time; but as
// functions of one of them they have a pole where that one turns back, a fraction of the radius
// away.
constexpr double kFastTurn = 0.02;
constexpr double kLetGo = 2.0;

void normalize_what_is_not(const Mechanism& m, std::span<double> q) {
  for (const Link& link : m.links)
    visit_joint(link.kind, [&]<class J>(J) {
      if constexpr (J::kQuaternion) {
        double* e = q.data() + link.q;
        const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
        if (std::fabs(square - 1.0) > kRounding) store(normalized(quaternion(e)), e);
      }
    });
}

bool differ(std::span<const double> x, const double* old) {
  double size = 1.0, change = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    size = std::max(size, std::fabs(old[i]));
    change = std::max(change, std::fabs(x[i] - old[i]));
  }
  return change > kRounding * size;
}

// Inertias of the links with all that they carry, as if it were welded on.
void compose_inertias(const Mechanism& m, Workspace<double>& ws) {
  const int n = static_cast<int>(m.links.size());
  for (int i = 1; i < n; ++i) {
    const LinkMotion<double>& own = ws.motion[at(i)];
    const RigidInertia<double>& I = m.links[at(i)].I;
    ws.I[at(i)] = {I.m, own.R * I.h, rotated(own.R, I.J)};
  }
  for (int i = n - 1; i > 0; --i)
    if (const int parent = m.links[at(i)].parent; parent != 0)
      ws.I[at(parent)] += about(ws.I[at(i)], ws.motion[at(i)].r);
}

// Inertia of the rates of a cluster while all others rest, and its factors, in s.D. False: it is
// not positive.
bool factor_inertia(const Mechanism& m, const LoopCluster& c, Workspace<double>& ws,
                    ClusterScratch<double>& s) {
  std::fill(s.D.begin(), s.D.end(), 0.0);
  for (int i = c.first; i < c.first + c.links; ++i) {
    const Link& link = m.links[at(i)];
    for (int k = 0; k < link.nv; ++k) {
      Wrench<double> F = ws.I[at(i)] * ws.S[at(link.v + k)];
      for (int j = i; j >= c.first; j = m.links[at(j)].parent) {
        const Link& other = m.links[at(j)];
        for (int l = 0; l < other.nv; ++l)
          s.D[at((link.v - c.v + k) * c.nv + other.v - c.v + l)] = dot(ws.S[at(other.v + l)], F);
        F = about(F, ws.motion[at(j)].r);
      }
    }
  }
  return factor_cholesky(s.D.data(), c.nv);
}

// Brings clusters that this evaluation solved with multipliers back by the shortest way, in the
// metric of their inertia: what errors of a step have put off the loops is taken away as an impulse
// would, and does no work to first order. Gives how many there were, or -1 if one stays open.
int close_by_the_shortest_way(const Mechanism& m, Workspace<double>& ws) {
  int moved = 0;
  for (std::size_t k = 0; k < m.clusters.size(); ++k) {
    if (!ws.loops[k].multipliers) continue;
    if (moved == 0) compose_inertias(m, ws);
    const double* L =
        factor_inertia(m, m.clusters[k], ws, ws.loops[k]) ? ws.loops[k].D.data() : nullptr;
    // To rounding: near a singular position gaps are magnified in the coordinates.
    const double closed = kRounding * std::max(1.0, norm(ws.motion[at(m.clusters[k].base)].p));
    if (!assemble_cluster(m, static_cast<int>(k), closed, ws, L)) return -1;
    project_cluster_rates(m, static_cast<int>(k), ws, L);
    ++moved;
  }
  return moved;
}

// Dependent rates are large beside the independent ones.
bool leads_badly(const LoopCluster& c, const ClusterChoice& choice, std::size_t k,
                 const Workspace<double>& ws) {
  if (!used(ws, c)) return largest_rate(c, choice, ws.loops[k].R.data()) > kPoorRates;
  const std::vector<Lanes4>& R = ws.identical[at(c.identical)].ws.loops[0].R;
  const std::size_t f = choice.independent.size();
  for (const int d : choice.dependent)
    for (std::size_t x = 0; x < f; ++x)
      if (std::fabs(R[at(d) * f + x][c.lane]) * c.reach[at(d)] >
          kPoorRates * c.reach[at(choice.independent[x])])
        return true;
  return false;
}

// Lets the dependent rate that is largest beside an independent one change places with it, until
// none is too large. Each time the determinant of G_d grows by that factor: there is an end.
void exchange_rates(const LoopCluster& c, ClusterScratch<double>& s, ClusterChoice& choice) {
  const std::size_t f = choice.independent.size();
  for (int count = 0; count <= c.nv && factor_dependent(c, choice, s); ++count) {
    find_rates(c, choice, s);
    double most = kPoorRates;
    int *dependent = nullptr, *independent = nullptr;
    for (int& d : choice.dependent)
      for (std::size_t k = 0; k < f; ++k) {
        int& own = choice.independent[k];
        const double rate = std::fabs(s.R[at(d) * f + k]) * c.reach[at(d)] / c.reach[at(own)];
        if (rate > most) most = rate, dependent = &d, independent = &own;
      }
    if (dependent == nullptr) return;
    std::swap(*dependent, *independent);
    std::sort(choice.dependent.begin(), choice.dependent.end());
    std::sort(choice.independent.begin(), choice.independent.end());
  }
}

// All anew, if that is better by far.
void choose_better(const LoopCluster& c, ClusterScratch<double>& s, const ClusterChoice& old,
                   ClusterChoice& choice) {
  choose(c, s, choice);
  factor_dependent(c, choice, s);
  const double conditioning = s.conditioning;
  factor_dependent(c, old, s);
  if (!(conditioning > kBetterChoice * s.conditioning)) choice = old;
}

// By how much rates of a cluster turn more than an angle in a step, the independent ones being
// constant: gamma is then the acceleration of each. In the measure of speeds.
template <class T>
T turn_beyond(const LoopClusterOf<numbers_t<T>>& c, const T* v, const std::vector<T>& gamma,
              double step, double angle) {
  T speed(0.0), turn(0.0);
  for (int k = 0; k < c.nv; ++k) {
    speed = max(speed, abs(v[k]) * c.reach[at(k)]);
    turn = max(turn, abs(gamma[at(k)]) * c.reach[at(k)]);
  }
  return step * turn - angle * speed;
}

// A cluster that is held is led by coordinates again, the best that there are, where these do. Says
// whether it is.
bool let_go_where_slow(const Mechanism& m, const LoopCluster& c, double step, Workspace<double>& ws,
                       ClusterScratch<double>& s, ClusterChoice& choice) {
  ws.trial = choice;
  choose(c, s, choice);
  exchange_rates(c, s, choice);
  choice.held = !factor_dependent(c, choice, s);
  if (!choice.held) {
    dependent_accelerations(m, c, choice, ws, s);
    choice.held = turn_beyond(c, ws.v.data() + c.v, s.gamma, step, kFastTurn / kLetGo) > 0.0;
  }
  if (choice.held) choice = ws.trial;
  return !choice.held;
}

// This evaluation goes on with the old choice: its factors and rates are in s again.
bool choose_where_poor(const Mechanism& m, double step, Workspace<double>& ws, Choice& choice) {
  bool chosen = false;
  for (std::size_t k = 0; k < m.clusters.size(); ++k) {
    const LoopCluster& c = m.clusters[k];
    ClusterScratch<double>& s = ws.loops[k];
    if (c.form != Loops::embedded || s.bridged) continue;
    if (choice[k].held) {
      chosen = let_go_where_slow(m, c, step, ws, s, choice[k]) || chosen;
      continue;
    }
    const bool poor = s.multipliers || s.conditioning < kPoorConditioning * c.conditioning;
    if (!poor && !leads_badly(c, choice[k], k, ws)) continue;
    if (c.identical >= 0) loop_residuals(c, ws, s), loop_jacobian(c, ws, s);
    ws.trial = choice[k];
    const ClusterChoice& old = ws.trial;
    if (poor) choose_better(c, s, old, choice[k]);
    exchange_rates(c, s, choice[k]);
    choice[k].held = s.multipliers;
    if (!s.multipliers && factor_dependent(c, old, s)) find_rates(c, old, s);
    chosen = chosen || choice[k] != old;
  }
  return chosen;
}

bool hold_identical(const Mechanism& m, const IdenticalClusters& t, const Workspace<double>& ws,
                    double step, Choice& choice) {
  const LoopClusterOf<Lanes4>& all = t.tree.clusters[0];
  const Workspace<Lanes4>& w = ws.identical[at(m.clusters[at(t.clusters[0])].identical)].ws;
  const Lanes4 beyond = turn_beyond(all, w.v.data(), w.loops[0].gamma, step, kFastTurn);
  if (!any(beyond > 0.0)) return false;
  bool held = false;
  for (std::size_t lane = 0; lane < t.clusters.size(); ++lane) {
    const int k = t.clusters[lane];
    if (beyond[static_cast<int>(lane)] > 0.0 && !m.clusters[at(k)].driven)
      choice[at(k)].held = held = true;
  }
  return held;
}

}  // namespace

bool hold_where_fast(const Mechanism& m, Choice& choice, const Workspace<double>& ws, double step) {
  bool held = false;
  for (std::size_t k = 0; k < m.clusters.size(); ++k) {
    const LoopCluster& c = m.clusters[k];
    const ClusterScratch<double>& s = ws.loops[k];
    if (used(ws, c)) {
      if (c.lane == 0)
        held = hold_identical(m, m.identical[at(c.identical)], ws, step, choice) || held;
    } else if (c.form == Loops::embedded && !c.driven && !s.multipliers && !s.bridged &&
               turn_beyond(c, ws.v.data() + c.v, s.gamma, step, kFastTurn) > 0.0) {
      choice[k].held = held = true;
    }
  }
  return held;
}

Projection project(const Mechanism& m, Choice& choice, std::span<double> q, std::span<double> v,
                   std::span<const Drive<double>> drives, Workspace<double>& ws, double step) {
  Projection result;
  std::copy(q.begin(), q.end(), ws.given.begin());
  std::copy(v.begin(), v.end(), ws.given.begin() + m.nq);
  normalize_what_is_not(m, q);
  ws.close_to_rounding = true;
  result.status = kinematics<double>(m, choice, q, v, drives, ws);
  ws.close_to_rounding = false;
  if (result.status != Status::ok) return result;
  result.iterations = ws.iterations;
  if (const int moved = close_by_the_shortest_way(m, ws); moved != 0) {
    std::copy_n(ws.q.begin(), q.size(), q.begin());
    std::copy_n(ws.v.begin(), v.size(), v.begin());
    for (const ClusterScratch<double>& s : ws.loops)
      if (s.multipliers) result.iterations += s.iterations;
    result.status = moved < 0 ? Status::loop_open : kinematics<double>(m, choice, q, v, drives, ws);
    if (result.status != Status::ok) return result;
  }
  result.chosen = choose_where_poor(m, step, ws, choice);
  result.changed = differ(q, ws.given.data()) || differ(v, ws.given.data() + m.nq);
  return result;
}

}  // namespace chicane::multibody
