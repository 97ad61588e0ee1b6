// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/free_directions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "blocks/mechanism/choice_code.hpp"
#include "blocks/mechanism/ports.hpp"
#include "core/at.hpp"
#include "multibody/closure/choose.hpp"
#include "multibody/closure/loops.hpp"
#include "multibody/closure/orthogonal.hpp"

// The loops are closed in dual numbers from a change of one independent coordinate or rate; what
// the others then change by is the direction: tangent to Phi(q) = 0 and to G(q) v + b = 0.

namespace chicane {
namespace {

using namespace multibody;

bool has_quaternion(const multibody::Link& link) {
  return link.kind == JointKind::spherical || link.kind == JointKind::free;
}

// A point of a run as the mechanism sees it.
struct MechanismPoint {
  MechanismPoint(const Mechanism& m, std::span<const double> x, std::span<const double> dx,
                 std::span<const double> u)
      : q(x.begin(), x.begin() + m.nq),
        v(x.begin() + m.nq, x.begin() + m.nq + m.nv),
        qdot(dx.begin(), dx.begin() + m.nq),
        drives(m.drives.size()) {
    for (std::size_t d = 0; d < drives.size() && 3 * d + 2 < u.size(); ++d)
      drives[d] = {u[3 * d], u[3 * d + 1], u[3 * d + 2]};
  }
  std::vector<double> q, v, qdot;
  std::vector<Drive<double>> drives;
};

// Whether the rows determine the dependent rates well: what they say of them is neither next to
// nothing nor next to the same.
bool good(const LoopCluster& c, const ClusterScratch<double>& s, const ClusterChoice& choice) {
  constexpr double kLeast = 0.02;
  const int r = static_cast<int>(choice.dependent.size());
  std::vector<double> own, L(at(c.rows * c.rows));
  std::vector<int> order(at(c.rows));
  std::vector<double> G(at(c.rows * c.nv));
  spread_rows(c, s.G, G.data());
  double largest = 0.0, largest_own = 0.0;
  for (int row = 0; row < c.rows; ++row)
    for (const int d : choice.dependent) own.push_back(G[at(row * c.nv + d)]);
  for (const double g : s.G) largest = std::max(largest, std::fabs(g));
  for (const double g : own) largest_own = std::max(largest_own, std::fabs(g));
  return largest_own >= kLeast * largest &&
         orthonormalize(own.data(), c.rows, r, kLeast, order.data(), L.data()) == r;
}

// Independent coordinates: those of the run where loops are embedded. Elsewhere those of the start
// as long as they are good.
Choice choice_at(const Mechanism& m, const MechanismPoint& point, std::span<const double> z) {
  Choice choice = m.choice;
  decode(m, z, choice);
  for (ClusterChoice& c : choice) c.held = false;
  const auto with_multipliers = [](const LoopCluster& c) { return c.form == Loops::multipliers; };
  if (std::none_of(m.clusters.begin(), m.clusters.end(), with_multipliers)) return choice;
  Workspace<double> ws(m);
  std::vector<double> q = point.q, v = point.v;
  if (kinematics<double>(m, choice, q, v, point.drives, ws) != Status::ok) return choice;
  for (std::size_t k = 0; k < m.clusters.size(); ++k) {
    const LoopCluster& c = m.clusters[k];
    if (!with_multipliers(c)) continue;
    loop_residuals(c, ws, ws.loops[k]);
    loop_jacobian(c, ws, ws.loops[k]);
    if (!good(c, ws.loops[k], choice[k])) choose(c, ws.loops[k], choice[k]);
  }
  return choice;
}

// One freedom: a rate of a link, and its coordinate or itself.
struct Seed {
  const multibody::Link* link;
  int k;      // of the link's rates
  bool rate;  // its rate changes; or its coordinate
};

std::vector<Seed> seeds_of(const Mechanism& m, const Choice& choice) {
  std::vector<bool> free(at(m.nv), true);
  for (std::size_t k = 0; k < choice.size(); ++k)
    for (const int i : choice[k].dependent) free[at(m.clusters[k].v + i)] = false;
  std::vector<Seed> seeds;
  for (const bool rate : {false, true})
    for (const multibody::Link& link : m.links)
      for (int k = 0; k < link.nv && !link.driven; ++k)
        if (free[at(link.v + k)]) seeds.push_back({&link, k, rate});
  return seeds;
}

// de = 1/2 e (0, xi), so that xi = 4 (de/dxi)' de for a unit quaternion.
std::array<double, 4> turned(const double* e, int axis) {
  const Vec3<double> unit{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
  const Quaternion<double> q = quaternion_rate(Quaternion<double>{e[0], e[1], e[2], e[3]}, unit);
  return {q.w, q.x, q.y, q.z};
}

FreeDirection own_direction(const Mechanism& m, const std::vector<NativeState>& states,
                            const Seed& seed, const MechanismPoint& point) {
  const multibody::Link& link = *seed.link;
  const bool turns = has_quaternion(link);
  if (seed.rate || !turns || seed.k >= 3) {
    const int state = seed.rate ? m.nq + link.v + seed.k : link.q + seed.k + (turns ? 1 : 0);
    const NativeState& s = states[at(state)];
    return {s.name, s.unit, {{state, 1.0}}, {{state, 1.0}}};
  }
  constexpr std::array kAxes{"x", "y", "z"};
  const std::string& name = m.q_names[at(link.q)];  // JOINT.q_w
  FreeDirection d{
      name.substr(0, name.rfind('.')) + ".rotation_" + kAxes[at(seed.k)], "rad", {}, {}};
  const auto own = turned(point.q.data() + link.q, seed.k),
             rate = turned(point.qdot.data() + link.q, seed.k);
  for (int i = 0; i < 4; ++i) {
    d.along.emplace_back(link.q + i, own[at(i)]);
    d.read.emplace_back(link.q + i, 4.0 * own[at(i)]);
    d.read_rate.emplace_back(link.q + i, 4.0 * rate[at(i)]);
  }
  return d;
}

// Completes `along` of directions by what else of their loops moves.
class Tangents {
 public:
  Tangents(const Mechanism& embedded, const Choice& choice, const MechanismPoint& point)
      : m_(embedded),
        choice_(choice),
        point_(point),
        drives_(point.drives.size()),
        ws_(embedded),
        in_loop_(at(embedded.nq + embedded.nv), false) {
    for (std::size_t d = 0; d < drives_.size(); ++d)
      drives_[d] = {Dual(point.drives[d].q), Dual(point.drives[d].v), Dual(point.drives[d].a)};
    for (const LoopCluster& c : m_.clusters)
      for (int i = c.first; i < c.first + c.links; ++i) {
        const multibody::Link& link = m_.links[at(i)];
        if (link.driven) continue;
        std::fill_n(in_loop_.begin() + link.q, link.nq, true);
        std::fill_n(in_loop_.begin() + m_.nq + link.v, link.nv, true);
      }
  }

  void complete(std::span<FreeDirection> directions) {
    std::vector<FreeDirection*> tied;
    for (FreeDirection& d : directions)
      if (in_loop_[at(d.along.front().first)]) tied.push_back(&d);
    for (std::size_t i = 0; i < tied.size(); i += Dual::kDirections)
      close(std::span(tied).subspan(i, std::min(Dual::kDirections, tied.size() - i)));
  }

 private:
  void close(std::span<FreeDirection* const> directions) {
    std::vector<Dual> q(point_.q.begin(), point_.q.end()), v(point_.v.begin(), point_.v.end());
    const auto state = [&](int i) -> Dual& { return i < m_.nq ? q[at(i)] : v[at(i - m_.nq)]; };
    for (std::size_t j = 0; j < directions.size(); ++j)
      for (const auto& [i, factor] : directions[j]->along) state(i).b[j] = factor;
    if (kinematics<Dual>(m_, choice_, q, v, drives_, ws_) != Status::ok) return;
    for (std::size_t j = 0; j < directions.size(); ++j) {
      FreeDirection::Row& along = directions[j]->along;
      const std::size_t own = along.size();
      for (int i = 0; i < m_.nq + m_.nv; ++i) {
        const auto is_own = [&](const auto& entry) { return entry.first == i; };
        const double change = state(i).b[j];
        if (in_loop_[at(i)] && change != 0.0 &&
            std::none_of(along.begin(), along.begin() + static_cast<std::ptrdiff_t>(own), is_own))
          along.emplace_back(i, change);
      }
    }
  }

  const Mechanism& m_;
  const Choice& choice_;
  const MechanismPoint& point_;
  std::vector<Drive<Dual>> drives_;
  Workspace<Dual> ws_;
  std::vector<bool> in_loop_;  // by state
};

}  // namespace

FreeDirections::FreeDirections(std::shared_ptr<const Mechanism> m)
    : m_(std::move(m)), embedded_(m_) {
  if (std::none_of(m_->clusters.begin(), m_->clusters.end(),
                   [](const LoopCluster& c) { return c.form == Loops::multipliers; }))
    return;
  auto copy = std::make_shared<Mechanism>(*m_);
  for (LoopCluster& c : copy->clusters) c.form = Loops::embedded;
  embedded_ = std::move(copy);
}

std::vector<FreeDirection> FreeDirections::at(std::span<const double> x, std::span<const double> dx,
                                              std::span<const double> z,
                                              std::span<const double> u) const {
  const Mechanism& m = *m_;
  const MechanismPoint point(m, x, dx, u);
  const Choice choice = choice_at(m, point, z);
  const std::vector<NativeState> states = block_info(m, {}).states;
  std::vector<FreeDirection> directions;
  for (const Seed& seed : seeds_of(m, choice))
    directions.push_back(own_direction(m, states, seed, point));
  if (!m.clusters.empty()) Tangents(*embedded_, choice, point).complete(directions);
  for (std::size_t i = 0; i < m.force_states.size(); ++i) {
    const int state = m.nq + m.nv + static_cast<int>(i);
    directions.push_back({states[static_cast<std::size_t>(state)].name,
                          states[static_cast<std::size_t>(state)].unit,
                          {{state, 1.0}},
                          {{state, 1.0}}});
  }
  return directions;
}

}  // namespace chicane
