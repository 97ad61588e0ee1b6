// Accelerations of a vehicle of 14 bodies with closed loops, springs and tires, and of chains and
// trees, by this engine and by Simbody and MuJoCo where they are installed.

#include <benchmark/benchmark.h>

#include <cstdio>

#include "testkit/mechanisms.hpp"
#include "testkit/vehicle.hpp"

namespace {

using namespace chicane;
using namespace chicane::multibody;
using testkit::Evaluation;
namespace vehicle = testkit::vehicle;

struct Vehicle {
  Evaluation<double> e{testkit::compiled(vehicle::description())};
  vehicle::Tires tires{*e.m};

  Status accelerate(double t) {
    e.drives[0] = vehicle::rack<double>(t);
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

}  // namespace
