// SPDX-License-Identifier: Apache-2.0
#include "testkit/mechanisms.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "multibody/closure/assemble.hpp"
#include "multibody/closure/start.hpp"
#include "multibody/dynamics/mass_matrix.hpp"
#include "multibody/joints/joints.hpp"

namespace testkit {

using namespace chicane;
using namespace chicane::multibody;

namespace {

constexpr std::array kTreeKinds{
    JointKind::weld,        JointKind::revolute, JointKind::translational,
    JointKind::cylindrical, JointKind::screw,    JointKind::universal,
    JointKind::spherical,   JointKind::planar,   JointKind::free};

BodyDescription random_body(Random& random, const std::string& name) {
  BodyDescription b{.name = name, .mass = random.number(0.5, 3.0), .com = random.vector(1.0)};
  // Principal moments of a box, in turned axes.
  const double x = random.number(0.1, 0.4), y = random.number(0.1, 0.4),
               z = random.number(0.1, 0.4);
  const Sym3<double> box{b.mass * (y + z) / 3, b.mass * (x + z) / 3, b.mass * (x + y) / 3, 0, 0, 0};
  b.inertia = rotated(rotation(from_rotation_vector(random.vector(2.0))), box);
  return b;
}

JointDescription random_joint(Random& random, const std::string& name, JointKind kind,
                              const std::string& a, const std::string& b) {
  JointDescription j{.name = name, .kind = kind, .connects = {a, b}, .at = random.vector(1.0)};
  j.second_at = random.vector(1.0);
  do j.axis = random.vector(1.0);
  while (norm(j.axis) < 0.3);
  const Vec3<double> other = cross(j.axis, Vec3<double>{0.3, -0.5, 0.8});
  j.second_axis = other;
  j.pitch = random.number(0.05, 0.3);
  return j;
}

void give_motion(JointDescription& j, Random& random, double size) {
  for (int k = 0; k < freedoms(j.kind); ++k) {
    j.initial.push_back(random.number(-size, size));
    j.initial_rate.push_back(random.number(-1.0, 1.0));
  }
}

void give_values(Description& d, const Mechanism& m, JointIndex joint,
                 const Workspace<double>& ws) {
  JointValues own = values_of(m, joint, ws);
  JointDescription& j = d.joints[static_cast<std::size_t>(joint.value)];
  j.initial = std::move(own.q), j.initial_rate = std::move(own.v);
}

// Start values of all joints that the loops allow: a closed position near that of the description.
void fit_start(Description& d, Random& random) {
  for (JointDescription& j : d.joints) j.initial.clear(), j.initial_rate.clear();
  Diagnostics unheard;
  const auto m = compile(d, unheard);
  if (!m) return;
  Evaluation<double> e(m);
  for (const chicane::multibody::Link& link : m->links)
    visit_joint(link.kind, [&]<class J>(J) {
      std::array<double, static_cast<std::size_t>(J::nv)> move{};
      for (double& x : move) x = random.number(-0.1, 0.1);
      if (!link.driven) J::moved(e.q.data() + link.q, move.data());
    });
  for (double& v : e.v) v = random.number(-1.0, 1.0);
  if (!assemble(*m, e.q, e.drives, e.ws)) return;
  project_rates(*m, e.v, e.drives, e.ws);
  if (e.kinematics() != Status::ok) return;
  for (int j = 0; j < static_cast<int>(d.joints.size()); ++j)
    give_values(d, *m, JointIndex{j}, e.ws);
}

}  // namespace

Description random_tree(Random& random, int n, bool floating) {
  Description d;
  d.gravity = random.vector(10.0);
  for (int i = 0; i < n; ++i) {
    const std::string name = "body" + std::to_string(i);
    d.bodies.push_back(random_body(random, name));
    if (i == 0 && floating) continue;
    const int parent = random.whole(floating ? 0 : -1, i - 1);
    const std::string on = parent < 0 ? std::string(kGround) : "body" + std::to_string(parent);
    const JointKind kind = kTreeKinds[static_cast<std::size_t>(random.whole(0, 8))];
    JointDescription j = random_joint(random, "joint" + std::to_string(i), kind, on, name);
    give_motion(j, random, 0.5);
    d.joints.push_back(j);
  }
  return d;
}

void add_random_loops(Description& d, Random& random, int loops, bool only_links) {
  constexpr std::array kinds{JointKind::revolute,
                             JointKind::translational,
                             JointKind::cylindrical,
                             JointKind::screw,
                             JointKind::universal,
                             JointKind::spherical,
                             JointKind::planar,
                             JointKind::spherical_spherical,
                             JointKind::spherical_revolute,
                             JointKind::spherical_translational};
  const int n = static_cast<int>(d.bodies.size());
  for (int k = 0; k < loops; ++k) {
    const int b = random.whole(0, n - 1), a = random.whole(-1, n - 1);
    if (a == b) continue;
    const std::string on = a < 0 ? std::string(kGround) : "body" + std::to_string(a);
    d.joints.push_back(
        random_joint(random, "loop" + std::to_string(k),
                     kinds[static_cast<std::size_t>(random.whole(only_links ? 7 : 0, 9))], on,
                     "body" + std::to_string(b)));
  }
  fit_start(d, random);
}

Description four_bar() {
  Description d;
  d.gravity = {0, 0, -9.81};
  const Vec3<double> A{0, 0, 0}, B{0, 0, 0.3}, C{1.0, 0, 0.8}, D{1.1, 0, 0};
  const auto bar = [&](const char* name, const Vec3<double>& a, const Vec3<double>& b, double m) {
    const double l = norm(b - a), I = m * l * l / 12;
    d.bodies.push_back({name, m, 0.5 * (a + b), {I, I, I, 0, 0, 0}});
  };
  const auto hinge = [&](const char* name, const char* a, const char* b, const Vec3<double>& at) {
    d.joints.push_back({.name = name,
                        .kind = JointKind::revolute,
                        .connects = {a, b},
                        .at = at,
                        .axis = {0, 1, 0}});
  };
  bar("crank", A, B, 1.0);
  bar("coupler", B, C, 2.0);
  bar("rocker", C, D, 1.5);
  hinge("a", "ground", "crank", A);
  hinge("b", "crank", "coupler", B);
  hinge("c", "coupler", "rocker", C);
  hinge("d", "ground", "rocker", D);
  d.joints[0].initial_rate = {4.0};
  return d;
}

Description bricard() {
  Description d;
  d.gravity = {0, 0, -9.81};
  const Vec3<double> V[6] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
  const Vec3<double> axis[6] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  const auto rod = [](int k) { return k == 0 ? std::string("ground") : "rod" + std::to_string(k); };
  for (int k = 1; k < 6; ++k) {
    const Vec3<double> a = V[k], b = V[(k + 1) % 6], u = b - a;
    d.bodies.push_back(
        {rod(k),
         1.0,
         0.5 * (a + b),
         {(1 - u.x * u.x) / 12, (1 - u.y * u.y) / 12, (1 - u.z * u.z) / 12, 0, 0, 0}});
  }
  for (int k = 0; k < 6; ++k)
    d.joints.push_back({.name = "hinge" + std::to_string(k),
                        .kind = JointKind::revolute,
                        .connects = {rod((k + 5) % 6), rod(k)},
                        .at = V[k],
                        .axis = axis[k]});
  return d;
}

Description windows(int n, Loops form) {
  Description d;
  d.gravity = {0, -9.81, 0};
  d.loops = form;
  const auto rod = [&](const std::string& name, const Vec3<double>& a, const Vec3<double>& b) {
    const Vec3<double> u = b - a;
    d.bodies.push_back({name,
                        1.0,
                        0.5 * (a + b),
                        {(1 - u.x * u.x) / 12, (1 - u.y * u.y) / 12, 1.0 / 12, 0, 0, 0}});
  };
  const auto hinge = [&](const std::string& name, const std::string& a, const std::string& b,
                         const Vec3<double>& at, double rate) {
    d.joints.push_back({.name = name,
                        .kind = JointKind::revolute,
                        .connects = {a, b},
                        .at = at,
                        .initial_rate = {rate}});
  };
  for (int k = 0; k <= n; ++k) {
    const std::string i = std::to_string(k);
    rod("post" + i, {1.0 * k, 0, 0}, {1.0 * k, 1, 0});
    hinge("foot" + i, "ground", "post" + i, {1.0 * k, 0, 0}, -1.0);
  }
  for (int k = 0; k < n; ++k) {
    const std::string i = std::to_string(k), next = std::to_string(k + 1);
    rod("beam" + i, {1.0 * k, 1, 0}, {k + 1.0, 1, 0});
    hinge("left" + i, "post" + i, "beam" + i, {1.0 * k, 1, 0}, 1.0);
    hinge("right" + i, "beam" + i, "post" + next, {k + 1.0, 1, 0}, 0.0);
    d.joints.back().initial_rate.clear();
  }
  return d;
}

std::shared_ptr<const Mechanism> compiled(const Description& d) {
  Diagnostics diag;
  auto m = compile(d, diag);
  if (!m) throw std::runtime_error(diag.text());
  return m;
}

std::map<std::string, BodyState> body_states(const Mechanism& m, const Workspace<double>& ws) {
  std::map<std::string, BodyState> states;
  for (int b = 0; b < static_cast<int>(m.bodies.size()); ++b)
    states[m.bodies[static_cast<std::size_t>(b)].name] = {pose(m, BodyIndex{b}, ws),
                                                          velocity(m, BodyIndex{b}, ws)};
  return states;
}

double difference(const Mechanism& m, const Workspace<double>& ws, const CartesianResult& other) {
  double largest = 1.0, error = 0.0;  // gravity is some 10 m/s^2
  for (int b = 0; b < static_cast<int>(m.bodies.size()); ++b) {
    const Motion<double> ours = acceleration(m, BodyIndex{b}, ws);
    const Motion<double>& theirs = other.A.at(m.bodies[static_cast<std::size_t>(b)].name);
    largest = std::max({largest, norm(theirs.angular), norm(theirs.linear)});
    error =
        std::max({error, norm(ours.angular - theirs.angular), norm(ours.linear - theirs.linear)});
  }
  return error / largest;
}

template <class T>
void spoil(Workspace<T>& ws) {
  const T nan(std::nan(""));
  const Vec3<T> v{nan, nan, nan};
  const Mat3<T> R{v, v, v};
  const Sym3<T> J{nan, nan, nan, nan, nan, nan};
  const Motion<T> a{v, v};
  const Wrench<T> f{v, v};
  const auto fill = [](auto& to, const auto& with) { std::fill(to.begin(), to.end(), with); };
  fill(ws.motion, LinkMotion<T>{R, v, v, a, a});
  fill(ws.S, a);
  fill(ws.q, nan);
  fill(ws.v, nan);
  fill(ws.force, f);
  fill(ws.tau, nan);
  fill(ws.I, RigidInertia<T>{nan, v, J});
  fill(ws.IA, ArticulatedInertia<T>(J, R, J));
  fill(ws.pA, f);
  fill(ws.A, a);
  fill(ws.U, f);
  fill(ws.u, nan);
  fill(ws.vdot, nan);
  fill(ws.given, nan);
  for (auto& D : ws.Dinv) D.fill(nan);
  for (ClusterScratch<T>& s : ws.loops) {
    fill(s.frames, LoopFrames<T>{R, R, v, v, v, v, nan, nan});
    for (auto* numbers :
         {&s.residual, &s.G, &s.b, &s.LU, &s.R, &s.gamma, &s.D, &s.u, &s.a, &s.B, &s.z})
      fill(*numbers, nan);
    for (auto* motions : {&s.C, &s.E, &s.S}) fill(*motions, a);
    fill(s.U, f);
    fill(s.Y, f);
    if constexpr (std::is_same_v<T, double>) fill(s.pivot, -1);
  }
  for (IdenticalScratch& s : ws.identical) spoil(s.ws);
}
template void spoil(Workspace<double>&);

double energy(const Evaluation<double>& e) {
  return kinetic_energy(*e.m, e.ws) + potential_energy(*e.m, e.ws);
}

double loop_error(const Evaluation<double>& e) {
  double largest = 0.0;
  for (const auto& s : e.ws.loops)
    for (const double r : s.residual) largest = std::max(largest, std::fabs(r));
  return largest;
}

}  // namespace testkit
