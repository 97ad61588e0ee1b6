// SPDX-License-Identifier: Apache-2.0
#include "multibody/closure/identical_clusters.hpp"

#include <algorithm>

#include "multibody/closure/embed.hpp"
#include "multibody/tree/start_link.hpp"

namespace chicane::multibody {

namespace {

constexpr int kBase = 1;  // what carries the cluster, in the tree of the lanes
constexpr int kLanes = Lanes4::kCount;

// --- which are identical -----------------------------------------------------------------------

bool same_build(const Mechanism& m, const LoopCluster& a, const LoopCluster& b) {
  if (a.links != b.links || a.nv != b.nv || a.rows != b.rows || a.joints.size() != b.joints.size())
    return false;
  for (int k = 0; k < a.links; ++k) {
    const Link &x = m.links[at(a.first + k)], &y = m.links[at(b.first + k)];
    const auto parent = [](const Link& link, const LoopCluster& c) {
      return link.parent == c.base ? -1 : link.parent - c.first;
    };
    if (x.kind != y.kind || x.v - a.v != y.v - b.v || parent(x, a) != parent(y, b)) return false;
  }
  return true;
}

bool same_column(const LoopColumn& x, const LoopCluster& a, const LoopColumn& y,
                 const LoopCluster& b) {
  return x.local == y.local && x.link - a.first == y.link - b.first && x.sign == y.sign;
}

std::vector<LoopColumn> own_columns(const LoopJoint& j) {
  std::vector<LoopColumn> own;
  std::copy_if(j.columns.begin(), j.columns.end(), std::back_inserter(own),
               [](const LoopColumn& x) { return x.local >= 0; });
  return own;
}

bool same_joint(const LoopJoint& x, const LoopCluster& a, const LoopJoint& y,
                const LoopCluster& b) {
  for (const std::size_t side : {0u, 1u})
    if (std::max(x.local[side], -1) != std::max(y.local[side], -1)) return false;
  const auto same = [&](const LoopColumn& p, const LoopColumn& q) {
    return same_column(p, a, q, b);
  };
  const std::vector<LoopColumn> own = own_columns(x), other = own_columns(y);
  return x.rows == y.rows && x.row == y.row && x.axes == y.axes && x.own_axes == y.own_axes &&
         std::equal(own.begin(), own.end(), other.begin(), other.end(), same);
}

bool are_identical(const Mechanism& m, const LoopCluster& a, const LoopCluster& b) {
  return same_build(m, a, b) &&
         std::equal(a.joints.begin(), a.joints.end(), b.joints.begin(),
                    [&](const LoopJoint& x, const LoopJoint& y) { return same_joint(x, a, y, b); });
}

// The driven axis at the end of a cut joint outside the cluster, or -1.
int driven_axis(const LoopJoint& j, std::size_t side) {
  for (const LoopColumn& x : j.columns)
    if (x.local < 0 && x.link == j.link[side]) return x.v;
  return -1;
}

// Nothing hangs on it, nothing in it is driven, and of each way outside at most the end is.
bool may_be_evaluated_side_by_side(const Mechanism& m, const LoopCluster& c) {
  if (c.form != Loops::embedded || c.chain) return false;
  for (int i = c.first; i < c.first + c.links; ++i)
    if (!m.links[at(i)].leaf || m.links[at(i)].driven) return false;
  for (const LoopJoint& j : c.joints)
    for (const LoopColumn& x : j.columns)
      if (x.local < 0 && x.link != j.link[0] && x.link != j.link[1]) return false;
  return true;
}

// What the cluster needs is in place when the turn of the first link has come. Links are numbered
// in the order of the recursion.
bool ready_before(int first, const LoopCluster& c) {
  bool ready = c.base < first;
  for (const LoopJoint& j : c.joints)
    for (const std::size_t side : {0u, 1u})
      ready = ready && (j.local[side] >= 0 || j.link[side] < first);
  return ready;
}

// --- their tree --------------------------------------------------------------------------------

using Pick = std::array<const LoopCluster*, kLanes>;

template <class F>
Lanes4 lanes(F&& number) {
  Lanes4 x;
  for (int lane = 0; lane < kLanes; ++lane) x.set(lane, number(at(lane)));
  return x;
}
template <class F>
Vec3<Lanes4> vectors(F&& v) {
  return {lanes([&](std::size_t i) { return v(i).x; }),
          lanes([&](std::size_t i) { return v(i).y; }),
          lanes([&](std::size_t i) { return v(i).z; })};
}
template <class F>
Mat3<Lanes4> matrices(F&& R) {
  return {vectors([&](std::size_t i) { return R(i).x; }),
          vectors([&](std::size_t i) { return R(i).y; }),
          vectors([&](std::size_t i) { return R(i).z; })};
}
template <class F>
RigidInertia<Lanes4> inertias(F&& I) {
  const auto J = [&](double Sym3<double>::*entry) {
    return lanes([&](std::size_t i) { return I(i).J.*entry; });
  };
  using S = Sym3<double>;
  return {lanes([&](std::size_t i) { return I(i).m; }),
          vectors([&](std::size_t i) { return I(i).h; }),
          {J(&S::xx), J(&S::yy), J(&S::zz), J(&S::xy), J(&S::xz), J(&S::yz)}};
}

LinkOf<Lanes4> link_of_all(const Mechanism& m, const Pick& pick, int k, int first, int q) {
  const LoopCluster& c = *pick[0];
  const Link& one = m.links[at(c.first + k)];
  const auto each = [&](std::size_t lane) -> const Link& {
    return m.links[at(pick[lane]->first + k)];
  };
  LinkOf<Lanes4> link;
  link.kind = one.kind;
  link.parent = one.parent == c.base ? kBase : one.parent - c.first + first;
  link.q = q, link.v = one.v - c.v;
  link.nq = one.nq, link.nv = one.nv;
  link.pitch = lanes([&](std::size_t i) { return each(i).pitch; });
  link.R_PJ = matrices([&](std::size_t i) { return each(i).R_PJ; });
  link.p_PJ = vectors([&](std::size_t i) { return each(i).p_PJ; });
  link.I = inertias([&](std::size_t i) { return each(i).I; });
  return link;
}

LoopJointOf<Lanes4> joint_of_all(const Pick& pick, std::size_t k) {
  const LoopJoint& one = pick[0]->joints[k];
  const auto each = [&](std::size_t lane) -> const LoopJoint& { return pick[lane]->joints[k]; };
  LoopJointOf<Lanes4> j;
  j.axes = one.axes;
  j.distance = one.distance, j.own_axes = one.own_axes, j.pinned = one.pinned;
  j.rows = one.rows, j.row = one.row;
  j.G = one.G, j.width = one.width;
  j.pitch = lanes([&](std::size_t i) { return each(i).pitch; });
  for (std::size_t r = 0; r < one.rows.size(); ++r)
    j.value.push_back(lanes([&](std::size_t i) { return each(i).value[r]; }));
  for (const std::size_t side : {0u, 1u}) {
    j.R_LJ[side] = matrices([&](std::size_t i) { return each(i).R_LJ[side]; });
    j.p_LJ[side] = vectors([&](std::size_t i) { return each(i).p_LJ[side]; });
  }
  return j;
}

// Ends on either side: within the cluster, on its base, or on a link outside.
void place_ends(const Pick& pick, std::size_t k, int first, IdenticalClusters& t,
                LoopJointOf<Lanes4>& j) {
  const LoopCluster& c = *pick[0];
  j.columns = own_columns(c.joints[k]);
  for (LoopColumn& x : j.columns) x.v -= c.v, x.link += first - c.first;
  for (const std::size_t side : {0u, 1u}) {
    const auto end = [&](std::size_t lane) -> const LoopJoint& { return pick[lane]->joints[k]; };
    j.local[side] = c.joints[k].local[side];
    bool on_base = true;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      on_base = on_base && end(lane).local[side] == -1;
    if (j.local[side] >= 0) {
      j.link[side] = first + j.local[side];
    } else if (on_base) {
      j.link[side] = kBase;
    } else {
      j.local[side] = -2;
      j.link[side] = kBase + 1 + static_cast<int>(t.outside.size());
      j.columns.push_back({.v = c.nv + static_cast<int>(t.outside.size()),
                           .link = j.link[side],
                           .local = -1,
                           .sign = side == 0 ? -1.0 : 1.0});
      IdenticalClusters::Outside& out = t.outside.emplace_back();
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        out.link[lane] = end(lane).link[side];
        out.axis[lane] = driven_axis(end(lane), side);
      }
    }
  }
}

int ends_outside(const Pick& pick) {
  int count = 0;
  for (std::size_t k = 0; k < pick[0]->joints.size(); ++k)
    for (const std::size_t side : {0u, 1u})
      count += std::any_of(pick.begin(), pick.end(),
                           [&](const LoopCluster* c) { return c->joints[k].local[side] == -2; });
  return count;
}

IdenticalClusters identical_of(const Mechanism& m, std::vector<int> members) {
  IdenticalClusters t{.clusters = std::move(members), .tree = {}, .outside = {}};
  Pick pick;
  for (int lane = 0; lane < kLanes; ++lane) pick[at(lane)] = &m.clusters[at(t.cluster(lane))];
  const LoopCluster& one = *pick[0];
  const int first = kBase + 1 + ends_outside(pick);
  LoopClusterOf<Lanes4> c{.base = kBase, .first = first, .links = one.links, .nv = one.nv};
  c.rows = one.rows;
  c.entries = one.entries;
  c.conditioning = lanes([&](std::size_t i) { return pick[i]->conditioning; });
  for (std::size_t k = 0; k < one.reach.size(); ++k)
    c.reach.push_back(lanes([&](std::size_t i) { return pick[i]->reach[k]; }));
  for (std::size_t k = 0; k < one.joints.size(); ++k) {
    c.joints.push_back(joint_of_all(pick, k));
    place_ends(pick, k, first, t, c.joints.back());
  }
  c.driven = std::any_of(pick.begin(), pick.end(), [](const LoopCluster* x) { return x->driven; });
  t.tree.clusters.push_back(std::move(c));
  t.tree.links.resize(at(first));
  for (int i = kBase + 1; i < first; ++i) t.tree.links[at(i)].parent = kBase;
  int q = 0;
  for (int k = 0; k < one.links; ++k) {
    t.tree.links.push_back(link_of_all(m, pick, k, first, q));
    q += t.tree.links.back().nq;
  }
  return t;
}

// --- to lanes and back -------------------------------------------------------------------------

// Where the numbers of each lane begin among things of `size` numbers.
template <class Number, class Where>
std::array<Number*, kLanes> places(Number* begin, int size, Where&& where) {
  std::array<Number*, kLanes> all;
  for (int lane = 0; lane < kLanes; ++lane) all[at(lane)] = begin + size * where(lane);
  return all;
}

// Things that are made of numbers only, n for each lane.
template <template <class> class Thing>
constexpr int kNumbers = static_cast<int>(sizeof(Thing<double>) / sizeof(double));

template <template <class> class Thing, class Where>
void bring(const std::vector<Thing<double>>& from, Where&& where, int n, Thing<Lanes4>* to) {
  const auto* numbers = reinterpret_cast<const double*>(from.data());
  gather(places(numbers, kNumbers<Thing>, where), reinterpret_cast<Lanes4*>(to),
         n * kNumbers<Thing>);
}
template <template <class> class Thing, class Where>
void take(const Thing<Lanes4>* from, int n, Where&& where, std::vector<Thing<double>>& to) {
  auto* numbers = reinterpret_cast<double*>(to.data());
  scatter(reinterpret_cast<const Lanes4*>(from), places(numbers, kNumbers<Thing>, where),
          n * kNumbers<Thing>);
}

// Access to the cluster of each lane.
struct Members {
  const Mechanism& m;
  const IdenticalClusters& t;

  [[nodiscard]] const LoopCluster& operator[](int lane) const {
    return m.clusters[at(t.cluster(lane))];
  }
  [[nodiscard]] const LoopClusterOf<Lanes4>& all() const { return t.tree.clusters[0]; }
  [[nodiscard]] auto base() const {
    return [this](int lane) { return (*this)[lane].base; };
  }
  [[nodiscard]] auto first() const {
    return [this](int lane) { return (*this)[lane].first; };
  }
  [[nodiscard]] auto rates() const {
    return [this](int lane) { return (*this)[lane].v; };
  }
  [[nodiscard]] auto coordinates(int k) const {
    return [this, k](int lane) { return m.links[at((*this)[lane].first + k)].q; };
  }
};

void bring_outside(const Members& of, const Workspace<double>& ws, Workspace<Lanes4>& w) {
  const int nv = of.all().nv;
  for (std::size_t k = 0; k < of.t.outside.size(); ++k) {
    const IdenticalClusters::Outside& out = of.t.outside[k];
    LinkMotion<Lanes4>& own = w.motion[at(kBase + 1) + k];
    bring<LinkMotion>(
        ws.motion, [&](int lane) { return out.link[at(lane)]; }, 1, &own);
    Motion<Lanes4>& S = w.S[at(nv) + k];
    Lanes4& v = w.v[at(nv) + k];
    for (int lane = 0; lane < kLanes; ++lane) {
      const auto i = at(of.t.cluster(lane));
      const Motion<double> c =
          acceleration_at_rest(of.m, of[lane], ws, ws.loops[i], out.link[at(lane)]);
      const int axis = out.axis[at(lane)];
      const Motion<double> s = axis < 0 ? Motion<double>{} : ws.S[at(axis)];
      const auto set = [lane](Vec3<Lanes4>& to, const Vec3<double>& from) {
        to.x.set(lane, from.x), to.y.set(lane, from.y), to.z.set(lane, from.z);
      };
      set(own.c.angular, c.angular), set(own.c.linear, c.linear);
      set(S.angular, s.angular), set(S.linear, s.linear);
      v.set(lane, axis < 0 ? 0.0 : ws.v[at(axis)]);
    }
  }
}

void bring_coordinates(const Members& of, const Workspace<double>& ws, Workspace<Lanes4>& w) {
  bring<LinkMotion>(ws.motion, of.base(), 1, &w.motion[kBase]);
  for (int k = 0; k < of.all().links; ++k) {
    const LinkOf<Lanes4>& link = of.t.tree.links[at(of.all().first + k)];
    gather(places(ws.q.data(), 1, of.coordinates(k)), w.q.data() + link.q, link.nq);
  }
  gather(places(ws.v.data(), 1, of.rates()), w.v.data(), of.all().nv);
}

void take_motion(const Members& of, const Workspace<Lanes4>& w, Workspace<double>& ws) {
  const LoopClusterOf<Lanes4>& c = of.all();
  take<LinkMotion>(&w.motion[at(c.first)], c.links, of.first(), ws.motion);
  take<Motion>(w.S.data(), c.nv, of.rates(), ws.S);
  scatter(w.v.data(), places(ws.v.data(), 1, of.rates()), c.nv);
  for (int k = 0; k < c.links; ++k) {
    const LinkOf<Lanes4>& link = of.t.tree.links[at(c.first + k)];
    scatter(w.q.data() + link.q, places(ws.q.data(), 1, of.coordinates(k)), link.nq);
  }
  const ClusterScratch<Lanes4>& all = w.loops[0];
  for (int lane = 0; lane < kLanes; ++lane) {
    ClusterScratch<double>& s = ws.loops[at(of.t.cluster(lane))];
    s.multipliers = s.bridged = false;
    s.iterations = static_cast<int>(all.iterations[lane]);
    s.conditioning = all.conditioning[lane];
    for (std::size_t r = 0; r < s.residual.size(); ++r) s.residual[r] = all.residual[r][lane];
  }
}

bool move_identical(const Members& of, const Choice& choice, Workspace<double>& ws,
                    Workspace<Lanes4>& w) {
  const ClusterChoice& one = choice[at(of.t.clusters[0])];
  for (const int k : of.t.clusters)  // what is not dependent is independent
    if (choice[at(k)].dependent != one.dependent || choice[at(k)].rows != one.rows ||
        choice[at(k)].held)
      return false;
  bring_coordinates(of, ws, w);
  bring_outside(of, ws, w);
  w.close_to_rounding = ws.close_to_rounding;
  const LoopClusterOf<Lanes4>& c = of.all();
  ClusterScratch<Lanes4>& s = w.loops[0];
  s.iterations = 0;
  s.conditioning = 1.0;
  s.multipliers = false;
  if (embed_cluster(of.t.tree, c, one, w, s) != Status::ok) return false;
  for (int i = c.first; i < c.first + c.links; ++i)
    move_link<Lanes4>(of.t.tree.links[at(i)], {}, w, i);
  take_motion(of, w, ws);
  return true;
}

Vec3<double> lane_of(const Vec3<Lanes4>& a, int lane) { return {a.x[lane], a.y[lane], a.z[lane]}; }
Sym3<double> lane_of(const Sym3<Lanes4>& A, int lane) {
  return {A.xx[lane], A.yy[lane], A.zz[lane], A.xy[lane], A.xz[lane], A.yz[lane]};
}
Mat3<double> lane_of(const Mat3<Lanes4>& A, int lane) {
  return {lane_of(A.x, lane), lane_of(A.y, lane), lane_of(A.z, lane)};
}

}  // namespace

void find_identical_clusters(Mechanism& m) {
  for (std::size_t i = 0; i < m.clusters.size(); ++i) {
    const LoopCluster& first = m.clusters[i];
    if (first.identical >= 0 || !may_be_evaluated_side_by_side(m, first) ||
        !ready_before(first.first, first))
      continue;
    std::vector<int> members{static_cast<int>(i)};
    for (std::size_t k = i + 1; k < m.clusters.size() && members.size() < kLanes; ++k) {
      const LoopCluster& c = m.clusters[k];
      if (c.identical < 0 && c.first > first.first && may_be_evaluated_side_by_side(m, c) &&
          are_identical(m, first, c) && ready_before(first.first, c))
        members.push_back(static_cast<int>(k));
    }
    if (members.size() < 2) continue;
    std::sort(members.begin(), members.end(),
              [&](int a, int b) { return m.clusters[at(a)].first < m.clusters[at(b)].first; });
    for (std::size_t lane = 0; lane < members.size(); ++lane) {
      m.clusters[at(members[lane])].identical = static_cast<int>(m.identical.size());
      m.clusters[at(members[lane])].lane = static_cast<int>(lane);
    }
    m.identical.push_back(identical_of(m, std::move(members)));
  }
}

bool moved_side_by_side(const Mechanism& m, const LoopCluster& c, const Choice& choice,
                        Workspace<double>& ws) {
  if (c.identical < 0 || ws.identical.empty() || ws.team != nullptr) return false;
  IdenticalScratch& s = ws.identical[at(c.identical)];
  if (c.lane == 0) s.used = move_identical({m, m.identical[at(c.identical)]}, choice, ws, s.ws);
  return s.used;
}

bool eliminate_side_by_side(const Mechanism& m, const LoopCluster& c, const Choice& choice,
                            Workspace<double>& ws, ArticulatedInertia<double>& I,
                            Wrench<double>& p) {
  IdenticalScratch& s = ws.identical[at(c.identical)];
  const Members of{m, m.identical[at(c.identical)]};
  if (c.lane == static_cast<int>(of.t.clusters.size()) - 1) {
    const LoopClusterOf<Lanes4>& all = of.all();
    bring<Wrench>(ws.force, of.first(), all.links, &s.ws.force[at(all.first)]);
    gather(places<const double>(ws.tau.data(), 1, of.rates()), s.ws.tau.data(), all.nv);
    for (int i = all.first; i < all.first + all.links; ++i)
      start_link(of.t.tree.links[at(i)], s.ws, i);
    if (!eliminate_cluster(of.t.tree, 0, choice[at(of.t.clusters[0])], s.ws, s.I, s.p))
      return false;
  }
  I = {lane_of(s.I.J, c.lane), lane_of(s.I.H, c.lane), lane_of(s.I.M, c.lane)};
  p = {lane_of(s.p.moment, c.lane), lane_of(s.p.force, c.lane)};
  return true;
}

void accelerate_side_by_side(const Mechanism& m, const LoopCluster& c, const Choice& choice,
                             Workspace<double>& ws, std::span<double> vdot) {
  if (c.lane != 0) return;
  Workspace<Lanes4>& w = ws.identical[at(c.identical)].ws;
  const Members of{m, m.identical[at(c.identical)]};
  bring<Motion>(ws.A, of.base(), 1, &w.A[kBase]);
  accelerate_cluster<Lanes4>(of.t.tree, 0, choice[at(of.t.clusters[0])], w, w.vdot);
  scatter(w.vdot.data(), places(vdot.data(), 1, of.rates()), of.all().nv);
}

}  // namespace chicane::multibody
