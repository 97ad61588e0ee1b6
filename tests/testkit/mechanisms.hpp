// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "multibody/mechanism.hpp"
#include "testkit/cartesian.hpp"

// Mechanisms for tests, and an evaluation of one as a test wants it.

namespace testkit {

using chicane::Dual;
using chicane::Motion;
using chicane::Status;
using chicane::Sym3;
using chicane::Transform;
using chicane::Vec3;
namespace multibody = chicane::multibody;

// Random numbers that are the same everywhere.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double lo, double hi) {  // std::uniform_real_distribution may differ
    return lo + (hi - lo) * (static_cast<double>(engine_() >> 11) * 0x1.0p-53);
  }
  int whole(int lo, int hi) {  // hi included
    return lo + static_cast<int>(engine_() % static_cast<std::uint64_t>(hi - lo + 1));
  }
  Vec3<double> vector(double size) {
    return {number(-size, size), number(-size, size), number(-size, size)};
  }

 private:
  std::mt19937_64 engine_;
};

// `n` bodies; each hangs on an earlier one, or on ground, by a joint of any kind. With `floating`
// none is joined to ground.
multibody::Description random_tree(Random& random, int n, bool floating);

// Closes loops in it: a cut joint of any kind, or a massless link, between two bodies, as long as
// something can move.
void add_random_loops(multibody::Description& d, Random& random, int loops,
                      bool only_links = false);

// A crank, a coupler and a rocker in the plane of x and z, and gravity.
multibody::Description four_bar();

// Six hinges, five unit rods and ground along the edges of a cube: one freedom, though Gruebler
// counts none.  IFToMM benchmark library, Bricard's mechanism.
multibody::Description bricard();

// Unit rods: n + 1 stand on ground, n lie across them. When all lie in one line the rods could
// fold, and the loops lose rank.  IFToMM benchmark A02 (N-four-bar).
multibody::Description windows(int n, multibody::Loops form);

// Compiled, with state and scratch.
template <class T>
struct Evaluation {
  std::shared_ptr<const multibody::Mechanism> m;
  multibody::Choice choice;
  std::vector<T> q, v, vdot, qdot;
  std::vector<multibody::Drive<T>> drives;
  multibody::Workspace<T> ws;

  explicit Evaluation(std::shared_ptr<const multibody::Mechanism> mechanism)
      : m(std::move(mechanism)),
        choice(m->choice),
        q(m->q.begin(), m->q.end()),
        v(m->v.begin(), m->v.end()),
        vdot(v.size()),
        qdot(q.size()),
        drives(m->drives.size()),
        ws(*m) {}

  Status kinematics() { return multibody::kinematics<T>(*m, choice, q, v, drives, ws); }
  Status operator()() {
    if (const Status s = kinematics(); s != Status::ok) return s;
    multibody::apply_forces(*m, ws);
    const Status s = multibody::accelerations<T>(*m, choice, ws, vdot);
    multibody::coordinate_rates<T>(*m, q, v, qdot);
    return s;
  }
};

// Throws with all faults if the description is refused.
std::shared_ptr<const multibody::Mechanism> compiled(const multibody::Description& d);

// Bodies as they are after kinematics, for cartesian_accelerations; com must be the reference.
std::map<std::string, BodyState> body_states(const multibody::Mechanism& m,
                                             const multibody::Workspace<double>& ws);

// Largest difference of the bodies' accelerations, relative to the largest acceleration.
double difference(const multibody::Mechanism& m, const multibody::Workspace<double>& ws,
                  const CartesianResult& other);

// NaN wherever an evaluation may not look before it writes.
template <class T>
void spoil(multibody::Workspace<T>& ws);

// One step of the classic Runge-Kutta method over coordinates and rates; dependent ones are found
// again. Drives are taken from drive(t).
template <class DriveAt>
Status rk4(Evaluation<double>& e, double t, double h, DriveAt&& drive) {
  const std::vector<double> q0 = e.q, v0 = e.v;
  std::vector<double> dq(q0.size(), 0.0), dv(v0.size(), 0.0);
  constexpr double kAt[4] = {0.0, 0.5, 0.5, 1.0}, kWeight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (int stage = 0; stage < 4; ++stage) {
    drive(t + kAt[stage] * h, e.drives);
    if (stage > 0)
      for (std::size_t i = 0; i < q0.size(); ++i) e.q[i] = q0[i] + kAt[stage] * h * e.qdot[i];
    if (stage > 0)
      for (std::size_t i = 0; i < v0.size(); ++i) e.v[i] = v0[i] + kAt[stage] * h * e.vdot[i];
    if (const Status s = e(); s != Status::ok) return s;
    for (std::size_t i = 0; i < q0.size(); ++i) dq[i] += kWeight[stage] * e.qdot[i];
    for (std::size_t i = 0; i < v0.size(); ++i) dv[i] += kWeight[stage] * e.vdot[i];
  }
  for (std::size_t i = 0; i < q0.size(); ++i) e.q[i] = q0[i] + h * dq[i];
  for (std::size_t i = 0; i < v0.size(); ++i) e.v[i] = v0[i] + h * dv[i];
  multibody::normalize<double>(*e.m, e.q);
  return Status::ok;
}
inline Status rk4(Evaluation<double>& e, double h) {
  return rk4(e, 0.0, h, [](double, auto&) {});
}

// Kinetic and potential, after kinematics.
double energy(const Evaluation<double>& e);
// How far the loops are open, the worst row.
double loop_error(const Evaluation<double>& e);

}  // namespace testkit
