#include "multibody/dynamics/inverse_dynamics.hpp"

#include <algorithm>

#include "multibody/closure/choose.hpp"
#include "multibody/closure/loops.hpp"
#include "multibody/closure/orthogonal.hpp"
#include "multibody/joints/joints.hpp"

// Recursive Newton-Euler.  Featherstone, Rigid Body Dynamics Algorithms (2008), section 5.3.
//
//   A_k = X A_parent + c_k + S v'       f_k = I_k A_k + w x J w ... - F_k + sum of the children's
//   tau = S' f

namespace chicane::multibody {

namespace {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Inertia force of a link less the applied one.
template <class T>
Wrench<T> inertia_force(const Link& link, const LinkMotion<T>& own, const Motion<T>& A,
                        const Wrench<T>& applied) {
  const RigidInertia<T> I{T(link.I.m), own.R * link.I.h, rotated(own.R, link.I.J)};
  const Vec3<T>& w = own.V.angular;
  return I * A + Wrench<T>{cross(w, I.J * w), cross(w, cross(w, I.h))} - applied;
}

// The forces that hold the loops: G' lambda = what the rates of the cluster lack.
void solve_multipliers(const LoopCluster& c, ClusterScratch<double>& s,
                       const std::vector<double>& lack, std::vector<double>& lambda) {
  const int n = c.nv;
  std::copy(s.G.begin(), s.G.end(), s.B.begin());
  const int rank =
      orthonormalize(s.B.data(), c.rows, n, kRowTolerance, s.pivot.data(), s.LU.data());
  std::fill(lambda.begin(), lambda.end(), 0.0);
  for (int r = rank - 1; r >= 0; --r) {  // L' lambda = Q lack
    double x = 0.0;
    for (int k = 0; k < n; ++k) x += s.B[at(r * n + k)] * lack[at(k)];
    for (int j = r + 1; j < rank; ++j) x -= s.LU[at(j * c.rows + r)] * lambda[at(s.pivot[at(j)])];
    lambda[at(s.pivot[at(r)])] = x / s.LU[at(r * c.rows + r)];
  }
}

// Generalized force that the links of the cluster lack, without the cut joints.
std::vector<double> lacking(const Mechanism& m, const LoopCluster& c, const Workspace<double>& ws,
                            std::vector<Wrench<double>> f) {
  std::vector<double> lack(at(c.nv));
  for (int i = c.first + c.links - 1; i >= c.first; --i) {
    const Link& link = m.links[at(i)];
    for (int k = 0; k < link.nv; ++k)
      lack[at(link.v - c.v + k)] = dot(ws.S[at(link.v + k)], f[at(i)]) - ws.tau[at(link.v + k)];
    f[at(link.parent)] += about(f[at(i)], ws.motion[at(i)].r);
  }
  return lack;
}

void apply_cut_joints(const Mechanism& m, int cluster, Workspace<double>& ws,
                      std::vector<Wrench<double>>& f, std::vector<Wrench<double>>& cut) {
  const LoopCluster& c = m.clusters[at(cluster)];
  ClusterScratch<double>& s = ws.loops[at(cluster)];
  std::vector<double> lambda(at(c.rows));
  solve_multipliers(c, s, lacking(m, c, ws, f), lambda);
  for (std::size_t k = 0; k < c.joints.size(); ++k) {
    const LoopJoint& j = c.joints[k];
    const LoopFrames<double>& frames = s.frames[k];
    Wrench<double> w{};
    for (std::size_t r = 0; r < j.rows.size(); ++r)
      w += lambda[at(j.row) + r] * row_wrench(j.rows[r], frames, j.pitch);
    cut.push_back(w);
    f[at(j.link[1])] -= about(w, frames.r_B);
    f[at(j.link[0])] += about(w, frames.r_A + frames.d);
  }
}

}  // namespace

template <class T>
void inverse_dynamics(const Mechanism& m, std::span<const T> vdot, Workspace<T>& ws,
                      std::span<T> tau) {
  const int n = static_cast<int>(m.links.size());
  ws.A[0] = {{}, -cast<T>(m.gravity)};
  for (int i = 1; i < n; ++i) {
    const Link& link = m.links[at(i)];
    const LinkMotion<T>& own = ws.motion[at(i)];
    Motion<T> A = at_point(ws.A[at(link.parent)], own.r) + own.c;
    for (int k = 0; k < link.nv; ++k) A += vdot[at(link.v + k)] * ws.S[at(link.v + k)];
    ws.A[at(i)] = A;
    ws.pA[at(i)] = inertia_force(link, own, A, ws.force[at(i)]);
  }
  for (int i = n - 1; i > 0; --i) {
    const Link& link = m.links[at(i)];
    for (int k = 0; k < link.nv; ++k) tau[at(link.v + k)] = dot(ws.S[at(link.v + k)], ws.pA[at(i)]);
    if (link.parent != 0) ws.pA[at(link.parent)] += about(ws.pA[at(i)], ws.motion[at(i)].r);
  }
}

Reactions reactions(const Mechanism& m, Workspace<double>& ws) {
  const int n = static_cast<int>(m.links.size());
  Reactions result;
  result.cut.resize(m.clusters.size());
  std::vector<Wrench<double>>& f = result.link;
  f.resize(at(n));
  for (int i = 1; i < n; ++i)
    f[at(i)] = inertia_force(m.links[at(i)], ws.motion[at(i)], link_acceleration(m, ws, i),
                             ws.force[at(i)]);
  for (std::size_t k = m.units.size(); k-- > 0;) {
    const Unit& unit = m.units[k];
    int last = unit.link;
    if (unit.cluster >= 0) {
      apply_cut_joints(m, unit.cluster, ws, f, result.cut[at(unit.cluster)]);
      last += m.clusters[at(unit.cluster)].links - 1;
    }
    for (int i = last; i >= unit.link; --i)
      f[at(m.links[at(i)].parent)] += about(f[at(i)], ws.motion[at(i)].r);
  }
  return result;
}

template void inverse_dynamics(const Mechanism&, std::span<const double>, Workspace<double>&,
                               std::span<double>);
template void inverse_dynamics(const Mechanism&, std::span<const Dual>, Workspace<Dual>&,
                               std::span<Dual>);

}  // namespace chicane::multibody
