// SPDX-License-Identifier: Apache-2.0

// Accelerations of a vehicle of 14 bodies with closed loops, springs and tires, and of chains and
// trees, by this engine and by Simbody and MuJoCo where they are installed.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>

#include "peers/peers.hpp"
#include "testkit/mechanisms.hpp"
#include "testkit/vehicle.hpp"

namespace {

using namespace chicane;
using namespace chicane::multibody;
using testkit::Evaluation;
namespace vehicle = testkit::vehicle;

struct Vehicle {
  bool rack_moves = true;
  Evaluation<double> e{testkit::compiled(vehicle::description())};
  vehicle::Tires tires{*e.m};

  Status accelerate(double t) {
    if (rack_moves) e.drives[0] = vehicle::rack<double>(t);
    if (const Status s = e.kinematics(); s != Status::ok) return s;
    apply_forces(*e.m, e.ws);
    tires.apply(e.ws);
    return accelerations<double>(*e.m, e.choice, e.ws, e.vdot);
  }
};

struct Snapshot {
  double t;
  std::vector<double> q, v;
};

// Positions along two seconds at 15 m/s over a bumpy road, rack to and fro.
std::vector<Snapshot> drive(Vehicle& car) {
  constexpr double h = 0.5e-3;
  std::vector<Snapshot> shots;
  car.e.v[3] = 15.0;
  double t = 0.0;
  for (int k = 0; k < 4000; ++k) {  // semi-implicit Euler: enough to get somewhere
    if (car.accelerate(t) != Status::ok) break;
    if (k % 62 == 0) shots.push_back({t, car.e.q, car.e.v});
    for (std::size_t i = 0; i < car.e.v.size(); ++i) car.e.v[i] += h * car.e.vdot[i];
    coordinate_rates<double>(*car.e.m, car.e.q, car.e.v, car.e.qdot);
    for (std::size_t i = 0; i < car.e.q.size(); ++i) car.e.q[i] += h * car.e.qdot[i];
    normalize<double>(*car.e.m, car.e.q);
    t += h;
  }
  return shots;
}

void vehicle_accelerations(benchmark::State& loop) {
  Vehicle car;
  const std::vector<Snapshot> shots = drive(car);
  std::size_t k = 0;
  int iterations = 0;
  for (auto _ : loop) {
    const Snapshot& s = shots[k++ % shots.size()];
    car.e.q = s.q;
    car.e.v = s.v;
    const Status status = car.accelerate(s.t);
    benchmark::DoNotOptimize(status);
    benchmark::DoNotOptimize(car.e.vdot.data());
    iterations += car.e.ws.iterations;
  }
  loop.counters["newton"] = static_cast<double>(iterations) / static_cast<double>(k);
}
BENCHMARK(vehicle_accelerations);

std::size_t link_of(const Mechanism& m, const std::string& joint) {
  for (std::size_t i = 1; i < m.links.size(); ++i)
    if (m.links[i].joint.valid() &&
        m.joint_names[static_cast<std::size_t>(m.links[i].joint.value)] == joint)
      return i;
  return 0;
}

peers::VehicleState common_state(const Mechanism& m, const Snapshot& s) {
  peers::VehicleState x{};
  x.t = s.t;
  std::copy_n(s.q.begin(), 7, x.chassis_q);
  std::copy_n(s.v.begin(), 6, x.chassis_v);
  const Vec3<double> w = rotation(Quaternion<double>{s.q[0], s.q[1], s.q[2], s.q[3]}) *
                         Vec3<double>{s.v[0], s.v[1], s.v[2]};
  x.chassis_v[0] = w.x, x.chassis_v[1] = w.y, x.chassis_v[2] = w.z;
  for (std::size_t c = 0; c < 4; ++c) {
    const std::string corner = std::string("_") + vehicle::kCorner[c];
    const Link& lca = m.links[link_of(m, "lca" + corner)];
    const Link& uca = m.links[link_of(m, "uca" + corner)];
    const Link& ball = m.links[link_of(m, "lower" + corner)];
    const auto q = [&](const Link& link) { return s.q.begin() + link.q; };
    const auto v = [&](const Link& link) { return s.v.begin() + link.v; };
    auto& to = x.corner[c];
    to.lca = *q(lca), to.uca = *q(uca), to.lca_v = *v(lca), to.uca_v = *v(uca);
    std::copy_n(q(ball), 4, to.ball);
    std::copy_n(v(ball), 3, to.ball_v);
  }
  return x;
}

peers::Point point(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

peers::BodyData body(const BodyDescription& b) {
  const Sym3<double>& J = b.inertia;
  return {b.mass, point(b.com), {J.xx, J.yy, J.zz, J.xy, J.xz, J.yz}};
}

peers::VehicleData vehicle_data() {
  const Description d = vehicle::description();
  peers::VehicleData data;
  data.chassis = body(d.bodies[0]);
  data.rack = body(d.bodies[1]);
  data.rack_at = point(vehicle::kRackAt);
  for (int c = 0; c < 4; ++c) {
    const vehicle::Corner k = vehicle::corner(c);
    const auto part = [&](int i) { return body(d.bodies[static_cast<std::size_t>(3 * c + i)]); };
    data.corner[c] = {part(2),
                      part(3),
                      part(4),
                      point(k.lower_hinge()),
                      point(k.lower_axis()),
                      point(k.lower_ball()),
                      point(k.upper_hinge()),
                      point(k.upper_axis()),
                      point(k.upper_ball()),
                      point(k.spring_top()),
                      point(k.spring_foot()),
                      point(k.tie_inner()),
                      point(k.tie_outer()),
                      point(k.wheel()),
                      norm(k.spring_top() - k.spring_foot()) + vehicle::kPreload,
                      norm(k.tie_outer() - k.tie_inner())};
  }
  data.spring = vehicle::kSpring;
  data.damper = vehicle::kDamper;
  data.gravity = vehicle::kGravity;
  data.rack_amplitude = vehicle::kRackAmplitude;
  data.rack_frequency = vehicle::kRackFrequency;
  data.tire = [](const peers::Point& p, const peers::Point& v, const peers::Point& a) {
    const vehicle::TireForce t = vehicle::tire({p.x, p.y, p.z}, {v.x, v.y, v.z}, {a.x, a.y, a.z});
    return peers::TireForce{point(t.force), point(t.contact)};
  };
  return data;
}

// The same positions in another engine; `difference` is the largest of the chassis' accelerations,
// relative to the largest acceleration. An engine that cannot prescribe the rack gets it at rest.
[[maybe_unused]] void peer_accelerations(benchmark::State& loop,
                                         peers::Peer* (*make)(const peers::VehicleData&),
                                         bool rack_moves) {
  Vehicle car{rack_moves};
  const std::vector<Snapshot> shots = drive(car);
  std::vector<peers::VehicleState> states;
  for (const Snapshot& s : shots) states.push_back(common_state(*car.e.m, s));
  const std::unique_ptr<peers::Peer> peer(make(vehicle_data()));
  double difference = 0, largest = 1;
  for (std::size_t k = 0; k < shots.size(); ++k) {
    car.e.q = shots[k].q;
    car.e.v = shots[k].v;
    if (car.accelerate(shots[k].t) != Status::ok) loop.SkipWithError("no acceleration");
    const Motion<double> a = acceleration(*car.e.m, BodyIndex{0}, car.e.ws);
    const double ours[6] = {a.angular.x, a.angular.y, a.angular.z,
                            a.linear.x,  a.linear.y,  a.linear.z};
    const peers::ChassisAcceleration theirs = peer->accelerate(states[k]);
    for (int i = 0; i < 6; ++i) {
      largest = std::max(largest, std::fabs(ours[i]));
      difference = std::max(difference, std::fabs(ours[i] - theirs.a[i]));
    }
  }
  std::size_t k = 0;
  for (auto _ : loop) benchmark::DoNotOptimize(peer->accelerate(states[k++ % states.size()]));
  loop.counters["difference"] = difference / largest;
}
#ifdef CHICANE_SIMBODY
BENCHMARK_CAPTURE(peer_accelerations, simbody, peers::simbody_vehicle, true);
#endif
#ifdef CHICANE_MUJOCO
BENCHMARK_CAPTURE(peer_accelerations, mujoco, peers::mujoco_vehicle, false);
#endif

// Hinges about x, y, z in turn; a chain, or a tree with two branches at each body.
Description hinges(int n, int branches) {
  Description d;
  d.gravity = {0, 0, -9.81};
  std::vector<Vec3<double>> at;
  for (int i = 0; i < n; ++i) {
    const int parent = i == 0 ? -1 : branches == 1 ? i - 1 : (i - 1) / branches;
    const double side = branches > 1 && i % 2 == 1 ? -1 : 1;
    at.push_back(parent < 0 ? Vec3<double>{}
                            : at[static_cast<std::size_t>(parent)] +
                                  Vec3<double>{0.05 * side, 0.02, -0.3});
    const std::string name = "b" + std::to_string(i);
    d.bodies.push_back(
        {name, 1.0, at.back() + Vec3<double>{0.01, 0.02, -0.15}, {0.02, 0.03, 0.025, 0, 0, 0}});
    d.joints.push_back(
        {.name = "j" + std::to_string(i),
         .kind = JointKind::revolute,
         .connects = {parent < 0 ? "ground" : "b" + std::to_string(parent), name},
         .at = at.back(),
         .axis = {i % 3 == 0 ? 1.0 : 0.0, i % 3 == 1 ? 1.0 : 0.0, i % 3 == 2 ? 1.0 : 0.0},
         .initial = {std::sin(i + 1.0)},
         .initial_rate = {std::cos(2 * i + 1.0)}});
  }
  return d;
}

void hinge_accelerations(benchmark::State& loop) {
  const int n = static_cast<int>(loop.range(0));
  Evaluation<double> e(testkit::compiled(hinges(n, static_cast<int>(loop.range(1)))));
  for (auto _ : loop) {
    benchmark::DoNotOptimize(e.q.data());
    const Status status = e();
    benchmark::DoNotOptimize(status);
    benchmark::DoNotOptimize(e.vdot.data());
  }
  loop.counters["ns_per_body"] = benchmark::Counter(
      n * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(hinge_accelerations)->ArgsProduct({{10, 40, 160}, {1, 2}});

// Chains of hinges on one floating body: where a second thread begins to pay.
Description bundle(int chains, int n) {
  Description d = hinges(n, 1);
  const Description chain = d;
  d.bodies = {{"carrier", 10.0, {}, {1, 1, 1, 0, 0, 0}}};
  d.joints.clear();
  for (int c = 0; c < chains; ++c) {
    const std::string mark = "_" + std::to_string(c);
    for (BodyDescription b : chain.bodies) {
      b.name += mark;
      d.bodies.push_back(b);
    }
    for (JointDescription j : chain.joints) {
      j.name += mark;
      for (std::string& body : j.connects) body = body == "ground" ? "carrier" : body + mark;
      d.joints.push_back(j);
    }
  }
  return d;
}

void bundle_accelerations(benchmark::State& loop) {
  Evaluation<double> e(
      testkit::compiled(bundle(static_cast<int>(loop.range(0)), static_cast<int>(loop.range(1)))));
  Team team(static_cast<int>(loop.range(2)));
  if (team.members() > 1) e.ws.use(*e.m, &team);
  for (auto _ : loop) {
    benchmark::DoNotOptimize(e.q.data());
    const Status status = e();
    benchmark::DoNotOptimize(status);
    benchmark::DoNotOptimize(e.vdot.data());
  }
}
BENCHMARK(bundle_accelerations)
    ->ArgNames({"chains", "bodies", "threads"})
    ->ArgsProduct({{2, 4}, {1, 3, 10, 40}, {1, 2}})
    ->UseRealTime();

}  // namespace
