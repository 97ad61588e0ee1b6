// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <variant>

#include "math/dual.hpp"
#include "testkit/random.hpp"
#include "testkit/tires.hpp"

namespace models_test {
namespace {

using namespace chicane;
using namespace chicane::tire;
using testkit::for_every_model;
using testkit::kNominalLoad;

Load<double> loaded(double F_z, double mu = 0.8) { return {F_z, mu, 0.2}; }

template <class M>
Planar<double> force(const M& model, double F_z, double s_x, double s_y, double mu = 0.8) {
  return steady(model, loaded(F_z, mu), Slip<double>{s_x, s_y});
}

// --- what holds for every model ----------------------------------------------------------------

TEST(TireModels, AreMirrorImagesOfThemselvesToTheBit) {
  testkit::Random random{11};
  for_every_model<double>([&](const char* name, const auto& model) {
    for (int i = 0; i < 300; ++i) {
      const double F_z = random(0, 30000), x = random(-1.5, 1.5), y = random(-1.5, 1.5);
      const auto F = force(model, F_z, x, y), back = force(model, F_z, -x, y),
                 left = force(model, F_z, x, -y);
      EXPECT_EQ(F.x, -back.x) << name;
      EXPECT_EQ(F.y, back.y) << name;
      EXPECT_EQ(F.x, left.x) << name;
      EXPECT_EQ(F.y, -left.y) << name;
      EXPECT_EQ(trail(model, loaded(F_z), y), trail(model, loaded(F_z), -y)) << name;
    }
    EXPECT_EQ(force(model, 8000, 0, 0).x, 0) << name;
    EXPECT_EQ(force(model, 8000, 0, 0).y, 0) << name;
  });
}

// The slip takes power: force and slip velocity never point the same way, so each force has the
// sign of its slip.
TEST(TireModels, TakePowerInEverySlip) {
  testkit::Random random{11};
  for_every_model<double>([&](const char* name, const auto& model) {
    for (int i = 0; i < 1000; ++i) {
      const double x = random(-3, 3), y = random(-3, 3);
      const auto F = force(model, random(0, 40000), x, y, random(0.1, 1.2));
      EXPECT_GE(F.x * x, 0) << name;
      EXPECT_GE(F.y * y, 0) << name;
    }
  });
}

// Largest force over load: of the ground, or the model's own at the ground it was measured on.
double largest_friction(const std::string& name, double mu) {
  if (name == "linear") return mu;
  if (name == "fiala") return 0.9835 * mu / 0.8;
  // carpet and TMeasy bend down with load: the largest quotient is that of no load,
  //   TMeasy: d/dq of the parabola at 0 is (2 F_N - F_2N / 2) / F_N
  if (name == "tmeasy") return (2 * 0.89965 - 0.77751) * mu / 0.8;
  return 3500.0 / 4000.0 * mu / 0.8;
}

TEST(TireModels, StayWithinTheFriction) {
  testkit::Random random{11};
  for_every_model<double>([&](const char* name, const auto& model) {
    for (int i = 0; i < 2000; ++i) {
      const double F_z = random(0, 40000), mu = random(0.1, 1.2);
      const auto F = force(model, F_z, random(-2, 2), random(-2, 2), mu);
      // C1 interpolation over load may pass the first node's chord by a few percent
      const double slack = std::string(name) == "carpet" ? 1.05 : 1 + 1e-12;
      EXPECT_LE(std::hypot(F.x, F.y), slack * largest_friction(name, mu) * F_z) << name;
    }
  });
}

TEST(TireModels, GiveNothingWithoutLoadAndNoNaN) {
  for_every_model<Dual>([&](const char* name, const auto& model) {
    for (const double s : {0.0, 0.1, 2.0}) {
      const Load<Dual> none{Dual::variable(0, 0), 0.8, 0.2};
      const auto F = steady(model, none, Slip<Dual>{Dual::variable(s, 1), Dual::variable(-s, 2)});
      EXPECT_EQ(F.x.a, 0) << name;
      EXPECT_EQ(F.y.a, 0) << name;
      EXPECT_TRUE(is_finite(F.x) && is_finite(F.y)) << name;
      EXPECT_TRUE(is_finite(trail(model, none, Dual::variable(s, 2)))) << name;
    }
  });
}

// A central difference over 2e-6 is off by 1e-12 third derivatives and by 1e-16/1e-6 forces: 1e-5
// relative to the stiffest slope covers both.
TEST(TireModels, HaveTheSlopesOfTheirForces) {
  testkit::Random random{11};
  const double h = 1e-6;
  for_every_model<Dual>([&](const char* name, const auto& dual) {
    for_every_model<double>([&](const char* same, const auto& model) {
      if (std::string(name) != same) return;
      for (int i = 0; i < 100; ++i) {
        const double F_z = random(2000, 15000), x = random(-1, 1), y = random(-1, 1);
        const auto F = steady(dual, Load<Dual>{Dual::variable(F_z, 2), 0.8, 0.2},
                              Slip<Dual>{Dual::variable(x, 0), Dual::variable(y, 1)});
        const auto along_x = [&](double d) { return force(model, F_z, x + d, y); };
        const auto along_y = [&](double d) { return force(model, F_z, x, y + d); };
        const auto along_z = [&](double d) { return force(model, F_z + d, x, y); };
        const double tol = 1e-5 * 3e5;
        EXPECT_NEAR(F.x.b[0], (along_x(h).x - along_x(-h).x) / (2 * h), tol) << name;
        EXPECT_NEAR(F.y.b[0], (along_x(h).y - along_x(-h).y) / (2 * h), tol) << name;
        EXPECT_NEAR(F.y.b[1], (along_y(h).y - along_y(-h).y) / (2 * h), tol) << name;
        EXPECT_NEAR(F.y.b[2], (along_z(1e-2).y - along_z(-1e-2).y) / 2e-2, 1e-5) << name;
      }
    });
  });
}

// Slope at no slip against what the parameters say.
TEST(TireModels, HaveTheirStiffnessAtNoSlip) {
  const auto slope = [](const auto& model, double F_z, double s) {
    return Planar<double>{force(model, F_z, s, 0).x / s, force(model, F_z, 0, s).y / s};
  };
  const double s = 1e-5;  // curvature: relative error s / s_M or s C / (3 mu F_z) below 1e-3
  EXPECT_NEAR(slope(testkit::linear<double>(), 8000, s).x, 150000, 1e-6);
  EXPECT_NEAR(slope(testkit::linear<double>(), 8000, s).y, 60000, 1e-6);
  EXPECT_NEAR(slope(testkit::fiala<double>(), 8000, s).x, 193929, 1e-6);
  EXPECT_NEAR(slope(testkit::fiala<double>(), 8000, s).y, 50000, 50);
  EXPECT_NEAR(slope(testkit::tmeasy<double>(), kNominalLoad, s).x, 17.7764 * kNominalLoad, 150);
  EXPECT_NEAR(slope(testkit::tmeasy<double>(), kNominalLoad, s).y, 7.4013 * kNominalLoad, 60);
}

// --- linear -------------------------------------------------------------------------------------

TEST(Linear, IsProportionalUpToTheGroundsFriction) {
  const auto m = testkit::linear<double>();
  EXPECT_DOUBLE_EQ(force(m, 8000, 0.01, -0.02).x, 1500);
  EXPECT_DOUBLE_EQ(force(m, 8000, 0.01, -0.02).y, -1200);
  const auto F = force(m, 8000, 0.3, 0.4);
  EXPECT_NEAR(std::hypot(F.x, F.y), 0.8 * 8000, 1e-9);
  EXPECT_NEAR(F.y / F.x, 60000 * 0.4 / (150000 * 0.3), 1e-12);
}

// --- Fiala --------------------------------------------------------------------------------------

// The cubic multiplied out, as textbooks print it:
//   F = C t - C^2 t^2 / (3 mu F_z) + C^3 t^3 / (27 (mu F_z)^2)
TEST(Fiala, IsThePrintedCubic) {
  auto p = testkit::fiala<double>();
  p.mu_min = p.mu_max = 0.8;  // no fall: mu F_z is constant
  const double C = p.C_alpha, N = 0.8 * 8000, all = 3 * N / C;
  for (double t = 0; t < 2 * all; t += all / 20) {
    const double printed =
        t < all ? C * t - C * C * t * t / (3 * N) + C * C * C * t * t * t / (27 * N * N) : N;
    EXPECT_NEAR(force(p, 8000, 0, t).y, printed, 1e-9) << t;
  }
}

// Aligning torque of the brush: with no slip the trail is a third of w, the torque is largest where
// a quarter of the slip range is used (d/dH of H^3 (1 - H) = 0 at H = 3/4), and none in sliding.
TEST(Fiala, AlignsAsABrush) {
  auto p = testkit::fiala<double>();
  p.mu_min = p.mu_max = 0.8;
  const double all = 3 * 0.8 * 8000 / p.C_alpha;
  EXPECT_NEAR(trail(p, loaded(8000), 0.0), 0.318 / 3, 1e-15);
  EXPECT_EQ(trail(p, loaded(8000), 1.01 * all), 0);
  const auto torque = [&](double t) { return trail(p, loaded(8000), t) * force(p, 8000, 0, t).y; };
  EXPECT_NEAR(torque(all / 4), 0.8 * 8000 * 0.318 * 27.0 / 256, 1e-9);
  EXPECT_GT(torque(all / 4), torque(all / 4 * 1.01));
  EXPECT_GT(torque(all / 4), torque(all / 4 * 0.99));
}

// With the fall of friction: all of U at full slip, half of it where the straight part ends.
TEST(Fiala, SaturatesAtItsFriction) {
  const auto p = testkit::fiala<double>();
  EXPECT_NEAR(force(p, 8000, 0, 1).y, 0.5568 * 8000, 1e-9);
  EXPECT_NEAR(force(p, 8000, 0, 5).y, 0.5568 * 8000, 1e-9);
  // F_x at kappa = 1: U F_z (1 - U F_z / (4 C))
  EXPECT_NEAR(force(p, 8000, -1, 0).x, -0.5568 * 8000 * (1 - 0.5568 * 8000 / (4 * 193929)), 1e-9);
  EXPECT_NEAR(force(p, 8000, 0.01, 0).x, 1939.29, 1e-9);
}

// --- TMeasy -------------------------------------------------------------------------------------

// The numbers of the data are the points of the curve, at both loads and in both directions.
TEST(Tmeasy, GoesThroughItsPoints) {
  const auto m = testkit::tmeasy<double>();
  const double N = kNominalLoad;
  EXPECT_NEAR(force(m, N, 0.10811, 0).x, 0.89965 * N, 1e-8);
  EXPECT_NEAR(force(m, N, 0.66667, 0).x, 0.46183 * N, 1e-8);
  EXPECT_NEAR(force(m, N, 3, 0).x, 0.46183 * N, 1e-8);
  EXPECT_NEAR(force(m, N, 0, 0.33167).y, 0.75876 * N, 1e-8);
  EXPECT_NEAR(force(m, N, 0, 1.0296).y, 0.68276 * N, 1e-8);
  EXPECT_NEAR(force(m, 2 * N, 0.12389, 0).x, 0.77751 * 2 * N, 1e-8);
  EXPECT_NEAR(force(m, 2 * N, 0.66667, 0).x, 0.42349 * 2 * N, 1e-8);
  EXPECT_NEAR(force(m, 2 * N, 0, 0.33216).y, 0.72628 * 2 * N, 1e-8);
  EXPECT_NEAR(force(m, 2 * N, 0, 1.0296).y, 0.65319 * 2 * N, 1e-8);
  // the slope bends by (dF_0 s_M / F_M - 2) s / s_M < 1e-4 up to here
  EXPECT_NEAR(force(m, 2 * N, 1e-5, 0).x / 1e-5, 14.5301 * 2 * N, 1e-4 * 14.53 * 2 * N);
  EXPECT_NEAR(force(m, 2 * N, 0, 1e-5).y / 1e-5, 6.8505 * 2 * N, 1e-4 * 6.85 * 2 * N);
}

TEST(Tmeasy, IsLargestAtTheSlipOfTheLargestForce) {
  const auto m = testkit::tmeasy<double>();
  for (double s = 0.005; s < 2; s += 0.005) {
    EXPECT_LE(force(m, kNominalLoad, s, 0).x, 0.89965 * kNominalLoad + 1e-8) << s;
    EXPECT_LE(force(m, kNominalLoad, 0, s).y, 0.75876 * kNominalLoad + 1e-8) << s;
  }
}

// Both slopes of the two sides of every joint of the pieces agree.
TEST(Tmeasy, HasContinuousSlopes) {
  const auto m = testkit::tmeasy<Dual>();
  for (const bool longitudinal : {true, false}) {
    double last = 0;
    for (double s = 0.01; s < 1.5; s += 1e-4) {
      const Dual v = Dual::variable(s, 0), zero(0.0);
      const Load<Dual> load{kNominalLoad, 0.8, 0.2};
      const auto F = steady(m, load, longitudinal ? Slip<Dual>{v, zero} : Slip<Dual>{zero, v});
      const double slope = (longitudinal ? F.x : F.y).b[0] / kNominalLoad;
      // second derivative, over F_N: at most 2 dF_0^2 / F_M = 700
      if (s > 0.01) {
        EXPECT_NEAR(slope, last, 700 * 1e-4) << s;
      }
      last = slope;
    }
  }
}

// Degressive: per load, less force the more load; and 0 at none.
TEST(Tmeasy, BendsDownWithLoad) {
  const auto m = testkit::tmeasy<double>();
  double last = 1e9;
  for (double q = 0.1; q < 3; q += 0.1) {
    const double mu = force(m, q * kNominalLoad, 0, 0.33).y / (q * kNominalLoad);
    EXPECT_LT(mu, last);
    last = mu;
  }
  // loads above the largest count as that
  EXPECT_EQ(force(m, 30000, 0.1, 0.1).x, force(m, 50000, 0.1, 0.1).x);
}

// A slippery ground lowers the points of force and slip alike, not the slope at no slip.
TEST(Tmeasy, KeepsItsSlopeOnAnotherGround) {
  const auto m = testkit::tmeasy<double>();
  for (const double mu : {0.2, 0.8, 0.9}) {
    const double k = mu / 0.8;
    EXPECT_NEAR(force(m, kNominalLoad, 0, k * 0.33167, mu).y, k * 0.75876 * kNominalLoad, 1e-8);
    EXPECT_NEAR(force(m, kNominalLoad, 1e-5, 0, mu).x / 1e-5, 17.7764 * kNominalLoad,
                2e-3 * 17.8 * kNominalLoad);
  }
}

// With a longitudinal slip added the lateral force goes down, and in full sliding the forces lie
// on the ellipse of the sliding forces.
TEST(Tmeasy, CombinesSlips) {
  const auto m = testkit::tmeasy<double>();
  double last = 1e9;
  for (double x = 0; x < 0.5; x += 0.05) {
    const double y = force(m, kNominalLoad, x, 0.1).y;
    EXPECT_LT(y, last);
    last = y;
  }
  const auto F = force(m, kNominalLoad, 20, 30);
  const double phi = std::atan2(F.y, F.x);
  EXPECT_NEAR(std::hypot(F.x, F.y),
              kNominalLoad * std::hypot(0.46183 * std::cos(phi), 0.68276 * std::sin(phi)), 1e-8);
}

TEST(Tmeasy, TrailGoesThroughItsPoints) {
  const auto m = testkit::tmeasy<double>();
  const Load<double> N = loaded(kNominalLoad), N2 = loaded(2 * kNominalLoad);
  EXPECT_NEAR(trail(m, N, 0.0), 0.178 * 0.2, 1e-15);
  EXPECT_NEAR(trail(m, N2, 0.0), 0.19 * 0.2, 1e-15);
  EXPECT_NEAR(trail(m, N, 0.36484), 0, 1e-15);
  EXPECT_GT(trail(m, N, 0.35), 0);
  EXPECT_LT(trail(m, N, 0.5), 0);  // it is behind, then before the point
  EXPECT_NEAR(trail(m, N, 1.0296), 0, 1e-15);
  EXPECT_EQ(trail(m, N, 2.0), 0);
}

// Errors of the kind that are made when files are written.
TEST(Tmeasy, SaysWhatIsWrongWithItsPoints) {
  const auto fault = [](auto change) {
    auto m = testkit::tmeasy<double>();
    change(m);
    return fault_in(m).value_or("");
  };
  EXPECT_EQ(fault([](auto&) {}), "");
  EXPECT_EQ(fault([](auto& m) { m.F_N = 0; }), "F_N must be positive and not above F_max");
  EXPECT_EQ(fault([](auto& m) { m.at_N.x.F_S = 9000; }),
            "longitudinal F_S must be positive and not above F_M at F_N");
  EXPECT_EQ(fault([](auto& m) { m.at_2N.y.s_M = 2; }),
            "lateral s_M must be positive and below s_S at 2 F_N");
  EXPECT_EQ(fault([](auto& m) { m.at_N.trail.s_0 = 0; }),
            "trail's s_0 must be positive and not above s_E at F_N");
  // forgot to multiply by 2 F_N: the parabola comes down too soon
  EXPECT_EQ(fault([](auto& m) { m.at_2N.x = m.at_N.x; }),
            "longitudinal dF_0 must be positive at F_max");
}

// --- carpet -------------------------------------------------------------------------------------

TEST(Carpet, ReturnsItsNodes) {
  const auto d = testkit::carpet_data();
  const auto m = testkit::carpet();
  for (std::size_t i = 0; i < d.kappa.size(); ++i)
    for (std::size_t j = 0; j < d.load.size(); ++j) {
      const double F_z = d.load[j];
      EXPECT_NEAR(force(m, F_z, d.kappa[i], 0).x, d.F_x[i * 3 + j], 1e-9);
      EXPECT_NEAR(force(m, F_z, 0, d.tan_alpha[i]).y, d.F_y[i * 3 + j], 1e-9);
      EXPECT_NEAR(trail(m, loaded(F_z), d.tan_alpha[i]) * force(m, F_z, 0, d.tan_alpha[i]).y,
                  d.M_z[i * 3 + j], 1e-9);
    }
}

TEST(Carpet, RisesWhereItsNodesRise) {
  const auto m = testkit::carpet();
  double last = -1;
  for (double s = 0; s <= 0.25; s += 0.001) {
    EXPECT_GT(force(m, 8000, 0, s).y, last);
    last = force(m, 8000, 0, s).y;
  }
  last = -1;
  for (double F_z = 0; F_z <= 16000; F_z += 50) {
    EXPECT_GT(force(m, F_z, 0, 0.12).y, last);
    last = force(m, F_z, 0, 0.12).y;
  }
}

TEST(Carpet, SaysWhatIsWrongWithItsTables) {
  const auto fault = [](auto change) {
    auto d = testkit::carpet_data();
    change(d);
    const auto made = Carpet::make(d);
    const auto* message = std::get_if<std::string>(&made);
    return message ? *message : "";
  };
  EXPECT_EQ(fault([](auto&) {}), "");
  EXPECT_EQ(fault([](auto& d) { d.F_x[4] = -1; }), "F_x[4] must not be negative");
  EXPECT_EQ(fault([](auto& d) { d.F_y[1] = 5; }), "F_y[1] must be 0: no slip");
  EXPECT_EQ(fault([](auto& d) { d.M_z.pop_back(); }), "M_z has 14 entries, needs 15");
  EXPECT_EQ(fault([](auto& d) { d.kappa[0] = 0.01; }),
            "kappa must begin at 0 and have at least 2 entries");
  EXPECT_EQ(fault([](auto& d) { d.mu_0 = 0; }), "mu_0 must be positive");
  EXPECT_EQ(fault([](auto& d) { d.load[0] = 0; }), "F_x[3] must be 0: no load");
  EXPECT_NE(fault([](auto& d) { d.load[1] = 3000; }).find("F_x"), std::string::npos);
}

}  // namespace
}  // namespace models_test
