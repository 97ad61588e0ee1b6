// SPDX-License-Identifier: Apache-2.0

// What holds for every tire, whatever its law, found by a search over random states: forces and
// moments do not jump, stay within the friction, vanish with the load and make no power.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "assembly/parts/formula_tire.hpp"
#include "assembly/parts/tire_of.hpp"
#include "assembly/parts/wheel_block.hpp"
#include "testkit/formula_tires.hpp"
#include "testkit/magic_points.hpp"
#include "testkit/part_file.hpp"
#include "testkit/random.hpp"
#include "testkit/tires.hpp"
#include "vehicle/tire/magic_formula/law.hpp"
#include "vehicle/tire/magic_formula/tir.hpp"

namespace tire_laws_test {
namespace {

using namespace chicane;
using namespace chicane::tire;
using testkit::Random;

constexpr int kStates = 100'000;

// A wheel over flat ground.
struct WheelState {
  double delta, v_x, v_y, spin, gamma, turning, mu;
};

Contact<double> contact_of(const Params<double>& p, const WheelState& s) {
  const Vec3<double> e{0, std::cos(s.gamma), std::sin(s.gamma)};
  const Wheel<double> w{
      .centre = {0, 0, (p.R_0 - s.delta) * std::cos(s.gamma)},
      .e_spin = e,
      .V = {.angular = s.spin * e + Vec3<double>{0, 0, s.turning}, .linear = {s.v_x, s.v_y, 0}}};
  Contact<double> c =
      contact(w, terrain::touch(terrain::Flat<double>{.height = 0, .cover = {s.mu, 0}}, w.centre, e,
                                p.R_0, terrain::Hit<double>{}));
  c.v_x = s.v_x, c.v_y = s.v_y, c.delta_rate = 0;
  return c;
}

// All speeds and slips that there are, rolling, sliding, standing and in reverse.
WheelState anywhere(Random& random, double R_0) {
  const auto any = [&] { return random(-1, 1) < 0 ? -1.0 : 1.0; };
  WheelState s{};
  s.delta = random(-1, 1) < -0.8 ? std::pow(10, random(-7, -2)) : random(0, 0.04);
  s.v_x = any() * std::pow(10, random(-4, 1.6));
  s.v_y = any() * std::fabs(s.v_x) * std::pow(10, random(-4, 0.5));
  s.spin = s.v_x / R_0 * (1 + any() * std::pow(10, random(-4, 0.3)));
  s.gamma = random(-1, 1) < 0 ? 0 : random(-0.1, 0.1);
  s.mu = random(0.3, 1.0);
  return s;
}

// Calls what(name, parameters, law, by how much its own peaks may be passed). The weights of the
// Magic Formula pass the ellipse of its peaks where both slips are large, by up to 5 % (6.x) or 20
// % (5.2) on its own ground; they do not know of a slippery one, where they pass it by more, and
// there nothing is asked of them here.
template <class F>
void for_every_tire(F&& what) {
  const auto p = testkit::tire_params<double>();
  testkit::for_every_model<double>(
      [&](const char* name, const auto& law) { what(name, p, law, 1e-9); });
  struct File {
    const char *name, *text;
    bool turn_slip = false;
  };
  const File files[] = {{"5.2", testkit::kMagic52},
                        {"6.1", testkit::kMagic61},
                        {"6.2", testkit::kMagic62},
                        {"6.1 with turn slip", testkit::kMagic61, true},
                        {"6.2 with turn slip", testkit::kMagic62, true}};
  for (const auto& [name, text, turn_slip] : files) {
    Diagnostics diag;
    const auto file = read_tir(text, "x.tir", diag);
    ASSERT_TRUE(file) << diag.text();
    MagicSet set;
    set.k = file->k;
    set.turn_slip = turn_slip;
    Params<double> q = p;
    q.R_0 = file->k.UNLOADED_RADIUS, q.w = file->k.WIDTH;
    q.vertical = {file->k.VERTICAL_STIFFNESS, 0, 500, 0.005, 1.0, 0};
    q.sigma = 0.06;
    what(name, q, MagicLaw<double>{&set, file->k.INFLPRES, 1.0},
         std::string(name) == "5.2" ? 0.2 : 0.05);
  }
  testkit::PartFile file(testkit::kFormulaTire);
  auto list = read_fields(file.keys, wheel_block::common_fields(), "a tire");
  const auto made = read_formula_tire(file.keys, "a tire", list);
  ASSERT_TRUE(made) << file.diag.text();
  std::vector<double> values;
  for (const NativeParameter& n : list) values.push_back(n.value);
  const std::span<const double> all(values);
  what("formula", from_values<Params<double>>(all),
       made->model<double>(all.subspan(wheel_block::kTireParameters<double>)), 1e-9);
}

// How far a force goes towards the limit: of its direction (grip.hpp), or the ellipse of the peaks,
// which lies within where they differ.
double share_of_limit(const Grip<double>& g, const Forces<double>& F) {
  const double size = F.F_x * F.F_x + F.F_y * F.F_y;
  if (size < 1e-6) return 0.0;
  return std::min(size / std::hypot(g.limit_x * F.F_x, g.limit_y * F.F_y),
                  std::hypot(F.F_x / g.limit_x, F.F_y / g.limit_y));
}

// Slipping and rolling never give power; no force is beyond the limits of the law.
TEST(EveryTire, MakesNoPowerAndKeepsTheFriction) {
  for_every_tire([](const std::string& name, const auto& p, const auto& law, double beyond) {
    Random random{17};
    for (int i = 0; i < kStates; ++i) {
      WheelState s = anywhere(random, p.R_0);
      if (beyond > 1e-6) s.mu = 1.0;
      const auto c = contact_of(p, s);
      const auto x = settled(p, law, c);
      const auto F = forces(p, law, c, x);
      const auto v = sliding(p, law, c);
      const double rolling = F.M_y + (v.R_e - c.at.r_S) * F.F_x;
      const double power = F.F_x * v.v_sx + F.F_y * v.v_sy + rolling * c.omega;
      // Shifts of the Magic Formula live on its rolling resistance, which fades below FZMIN, 100 N.
      const double shifts = F.F_z < 100 ? 1e-5 * F.F_z * std::fabs(s.v_x) : 0.0;
      ASSERT_LE(power, 1e-9 + shifts) << name << " v " << s.v_x << " v_y " << s.v_y << " spin "
                                      << s.spin << " gamma " << s.gamma;
      const auto r = response(p, law, footprint(p, law, c, F.F_z, v, slip_of(v), x, 1.0));
      ASSERT_LE(share_of_limit(r.grip, F), 1 + beyond) << name << " v " << s.v_x;
    }
  });
}

// However near two states are, forces and moments differ by as little: a change that stays while
// the states are brought together is a jump.
TEST(EveryTire, IsContinuous) {
  for_every_tire([](const std::string& name, const auto& p, const auto& law, double) {
    Random random{18};
    const auto at = [&](const WheelState& s) {
      const auto c = contact_of(p, s);
      const auto F = forces(p, law, c, settled(p, law, c));
      return std::array{F.F_x, F.F_y, F.F_z, F.M_x, F.M_y, F.M_z};
    };
    for (int i = 0; i < kStates; ++i) {
      WheelState a = anywhere(random, p.R_0);
      if (i % 2 == 0) a.turning = random(-1, 1);
      WheelState b = a;
      const double way = std::pow(10, random(-5, -1));
      b.delta += 0.02 * way * random(-1, 1), b.gamma += way * random(-1, 1);
      b.v_x += way * random(-1, 1), b.v_y += way * random(-1, 1);
      b.spin += way / p.R_0 * random(-1, 1), b.mu += 0.1 * way * random(-1, 1);
      b.turning += way * random(-1, 1);
      if (i % 4 == 0) b.v_x = -a.v_x;  // through standstill
      auto F_a = at(a), F_b = at(b);
      const auto differ = [](const auto& m, const auto& n) {
        double most = 0;
        for (std::size_t k = 0; k < m.size(); ++k)
          most = std::max(most, std::fabs(m[k] - n[k]) * (k < 3 ? 1.0 : 5.0));
        return most;
      };
      constexpr double kSmall = 10.0;  // [N], 2 N m: a thousandth of what a wheel carries
      int halvings = 0;
      for (; differ(F_a, F_b) > kSmall && halvings < 50; ++halvings) {
        const WheelState m{0.5 * (a.delta + b.delta), 0.5 * (a.v_x + b.v_x),
                           0.5 * (a.v_y + b.v_y),     0.5 * (a.spin + b.spin),
                           0.5 * (a.gamma + b.gamma), 0.5 * (a.turning + b.turning),
                           0.5 * (a.mu + b.mu)};
        const auto F_m = at(m);
        if (differ(F_a, F_m) > differ(F_m, F_b))
          b = m, F_b = F_m;
        else
          a = m, F_a = F_m;
      }
      ASSERT_LT(halvings, 50) << name << " v " << a.v_x << " v_y " << a.v_y << " spin " << a.spin
                              << " delta " << a.delta << " gamma " << a.gamma << ": "
                              << differ(F_a, F_b);
    }
  });
}

// Forces are not more than a number times the load, moments not more than that times a length.
TEST(EveryTire, VanishesWithTheLoad) {
  for_every_tire([](const std::string& name, const auto& p, const auto& law, double) {
    Random random{19};
    for (int i = 0; i < 20'000; ++i) {
      WheelState s = anywhere(random, p.R_0);
      s.delta = std::pow(10, random(-9, -4));
      const auto c = contact_of(p, s);
      const auto F = forces(p, law, c, settled(p, law, c));
      ASSERT_LE(std::hypot(F.F_x, F.F_y), 3 * F.F_z) << name << " " << s.delta;
      ASSERT_LE(std::fabs(F.M_x) + std::fabs(F.M_z), 2 * F.F_z * p.R_0) << name << " " << s.delta;
      s.delta = -0.05;  // tires grow with spin
      const auto air = contact_of(p, s);
      const auto none = forces(p, law, air, settled(p, law, air));
      ASSERT_EQ(std::fabs(none.F_x) + std::fabs(none.F_y) + std::fabs(none.F_z) +
                    std::fabs(none.M_z) + std::fabs(none.M_x),
                0)
          << name;
    }
  });
}

// A parked wheel that is turned is held by a bounded moment against the turn, and gives back less
// than it took.
TEST(EveryTire, HoldsAgainstTurningOnTheSpot) {
  for_every_tire([](const std::string& name, const auto& p, const auto& law, double) {
    States<double> x{};
    double taken = 0, largest = 0, F_z = 0;
    const double h = 1e-3;
    for (int i = 0; i < 8000; ++i) {  // to one side by 1 rad, and back
      const double rate = i < 4000 ? 0.25 : -0.25;
      const auto c = contact_of(p, {0.02, 0, 0, 0, 0, rate, 0.9});
      const auto e = evaluate(p, law, c, x);
      x.turn += h * e.rates.turn;
      taken -= h * e.F.M_z * rate;
      largest = std::max(largest, std::fabs(e.F.M_z));
      F_z = e.F.F_z;
      if (i == 3999) {
        EXPECT_LT(e.F.M_z, -0.01 * F_z * p.w) << name;
      }
    }
    EXPECT_GT(largest, 0.02 * F_z * p.w) << name;
    EXPECT_LT(largest, F_z * p.w) << name;
    EXPECT_GT(taken, 0) << name;
  });
}

// A wheel that rolls backwards is braked and guided as one that rolls forward.
TEST(EveryTire, OpposesSlipInReverse) {
  for_every_tire([](const std::string& name, const auto& p, const auto& law, double) {
    for (const double v : {-10.0, -1.0, -0.1, -0.001}) {
      const auto side = contact_of(p, {0.02, v, 0.2 * std::fabs(v), v / p.R_0, 0, 0, 0.9});
      EXPECT_LT(forces(p, law, side, settled(p, law, side)).F_y, -1000) << name << v;
      const auto locked = contact_of(p, {0.02, v, 0, 0, 0, 0, 0.9});
      EXPECT_GT(forces(p, law, locked, settled(p, law, locked)).F_x, 1000) << name << v;
    }
  });
}

}  // namespace
}  // namespace tire_laws_test
