// SPDX-License-Identifier: Apache-2.0

// Laws of the built-in models.

#include "testkit/models.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/linearize.hpp"
#include "analysis/stability.hpp"
#include "assembly/assemble.hpp"
#include "io/builtin_models.hpp"
#include "io/reader/reader.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/signals.hpp"

namespace models_test {
namespace {

using namespace chicane;
using testkit::advance;
using testkit::compiled_builtin;
using testkit::compiled_with;
using testkit::plan;
using testkit::Signals;

// The largest h at which no mode that decays grows, by the spectral radius of the method's step.
double limit_of(const std::string& method, const Linearization& l, double slowest) {
  const Method& m = *find_method(method);
  const auto unstable = [&](double h) {
    return std::any_of(l.eigenvalues.begin(), l.eigenvalues.end(), [&](const auto& lambda) {
      return std::abs(lambda) > slowest && growth(m, lambda * h) > 1 + 1e-9;
    });
  };
  double lo = 1e-6, hi = 1;
  while (hi / lo > 1 + 1e-6) (unstable(std::sqrt(lo * hi)) ? hi : lo) = std::sqrt(lo * hi);
  return lo;
}

double limit_of(const std::shared_ptr<const ModelStructure>& structure, double slowest) {
  return limit_of("rk2", linearize(structure, Model<double>(structure).initial_state()), slowest);
}

// Table 7 of the dual-rate paper: 0.1, 0.01, 0.001 s; the parameters were calibrated to give
// 0.1021, 0.01031 and 0.00102 s. The vehicle: 0.0005 s printed, 0.000509 s calibrated.
TEST(StabilityLimits, AreThoseTheModelsWereCalibratedFor) {
  EXPECT_NEAR(limit_of(compiled_builtin("quarter-car-a"), 0), 0.1021, 0.01 * 0.1021);
  EXPECT_NEAR(limit_of(compiled_builtin("quarter-car-b"), 0), 0.01031, 0.01 * 0.01031);
  EXPECT_NEAR(limit_of(compiled_builtin("quarter-car-c"), 0), 0.00102, 0.01 * 0.00102);
  // Modes below 0.1 1/s are where the vehicle is and how fast it goes.
  EXPECT_NEAR(limit_of(compiled_builtin("planar-vehicle"), 0.1), 0.000509, 0.01 * 0.000509);
  EXPECT_NEAR(limit_of(compiled_builtin("planar-vehicle-inertial"), 0.1), 0.000509,
              0.01 * 0.000509);
}

// ... and real runs know it: a disturbance fades on one side of the limit and not on the other.
TEST(StabilityLimits, OfThePlanarVehicleIsWhereRunsChange) {
  const auto disturbance_after = [](double h) {
    const auto structure = compiled_with("planar-vehicle", {{"tire_f.vx", "20.001 m/s"}});
    Simulation s(structure, plan("rk2", h));
    advance(s, 6);
    return std::fabs(Signals(s)["tire_f.vx"] - Signals(s)["chassis.vx"]);
  };
  EXPECT_LT(disturbance_after(0.00050), 1e-9);
  EXPECT_GT(disturbance_after(0.00052), 1e-3);
}

// --- planar vehicle ------------------------------------------------------------------------------

TEST(PlanarVehicle, StartsInASteadyState) {
  const auto structure = compiled_builtin("planar-vehicle");
  Simulation s(structure, plan("rk4", 1e-4));
  const Signals start(s);
  advance(s, 1);
  const Signals later(s);
  for (const char* name : {"chassis.y", "chassis.pitch", "hub_f.y", "hub_r.y", "tire_f.x",
                           "tire_f.y", "tire_f.theta", "tire_r.y", "tire_f.s", "tire_r.s"})
    EXPECT_NEAR(later[name], start[name], 1e-6 * std::fabs(start[name]) + 1e-9) << name;
}

TEST(PlanarVehicle, CarriesItsWeight) {
  for (const char* name : {"planar-vehicle", "planar-vehicle-inertial"}) {
    Simulation s(compiled_builtin(name), plan("rk4", 1e-4));
    advance(s, 0.5);
    const Signals now(s);
    EXPECT_NEAR(now["tire_f.F_N"] + now["tire_r.F_N"], 880 * 9.81, 1e-4) << name;
    EXPECT_NEAR(now["F_sf"] + now["F_sr"], 800 * 9.81, 1e-4) << name;
  }
}

// 26.8214 m/s after 50 s of 40 Nm a wheel from 20 m/s, by an independent program; by hand
// A = (80 - 0.005*880*9.81)/(880*0.3 + 2*0.9/0.3) = 0.13643 m/s^2.
TEST(PlanarVehicle, GainsTheSpeedThatItsTorqueGives) {
  Simulation s(compiled_builtin("planar-vehicle"), plan("rk2", 5e-4));
  advance(s, 50);
  EXPECT_NEAR(Signals(s)["chassis.vx"], 26.8214, 2e-4);
  EXPECT_NEAR(Signals(s)["chassis.vx"], 20 + 50 * (80 - 0.005 * 880 * 9.81) / (264 + 6), 1e-3);
}

// The same motion in both forms. One input differs in time, so that everything moves.
TEST(PlanarVehicle, IsTheSameWithRingsInTheWorldAndRelativeToTheirHubs) {
  const std::vector<std::pair<std::string, std::string>> kick{
      {"T_0", "0 N m"}, {"tire_f.mu", "0.5"}, {"chassis.vy", "-0.3 m/s"}};
  Simulation a(compiled_with("planar-vehicle", kick), plan("rk4", 5e-5));
  Simulation b(compiled_with("planar-vehicle-inertial", kick), plan("rk4", 5e-5));
  const auto road = [](Simulation& s) {
    for (std::size_t i = 0; i < 2; ++i)
      s.inputs().u[i] = 0.003 * std::sin(60 * s.time() - static_cast<double>(i));
  };
  while (a.time() < 0.5) {
    road(a);
    road(b);
    ASSERT_EQ(a.step(), Status::ok);
    ASSERT_EQ(b.step(), Status::ok);
  }
  const Signals rel(a), abs(b);
  for (const char* name : {"chassis.vx", "chassis.y", "chassis.pitch", "hub_f.y", "hub_r.omega",
                           "tire_f.vx", "tire_f.vy", "tire_r.omega", "tire_f.s", "tire_r.F_N"})
    // both runs have the method's error, some 1e-9 of the size, and round differently
    EXPECT_NEAR(rel[name], abs[name], 1e-7 * (1 + std::fabs(abs[name]))) << name;
  EXPECT_NEAR(rel["tire_f.x"], abs["tire_f.x"] - abs["chassis.x"] - 1.4, 1e-9);
  EXPECT_NEAR(rel["tire_r.theta"], abs["tire_r.theta"] - abs["hub_r.theta"], 1e-9);
}

TEST(PlanarVehicle, LeavesTheGroundAndComesBack) {
  Simulation s(compiled_with("planar-vehicle", {{"chassis.vy", "4 m/s"}}), plan("rk4", 1e-4));
  bool flew = false;
  while (s.time() < 15) {  // the body's bounce fades with 1.4 1/s
    ASSERT_EQ(s.step(), Status::ok);
    const auto& x = s.state().groups[GroupIndex{0}].x;
    ASSERT_TRUE(std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); }));
    if (static_cast<int>(s.state().frames) % 100 == 0) flew = flew || Signals(s)["tire_f.F_N"] == 0;
  }
  EXPECT_TRUE(flew);
  EXPECT_NEAR(Signals(s)["tire_f.F_N"] + Signals(s)["tire_r.F_N"], 880 * 9.81, 1.0);
}

TEST(PlanarVehicle, StepDoesNotTouchTheHeap) {
  Simulation s(compiled_builtin("planar-vehicle"), plan("rk2", 4e-4));
  ASSERT_EQ(s.step(), Status::ok);
  const testkit::AllocationCounter heap;
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(s.step(), Status::ok);
  EXPECT_EQ(heap.count(), 0);
}

// --- other systems -------------------------------------------------------------------------------

TEST(PlanarSpacecraft, ConservesEnergyMomentumAndSpin) {
  Simulation s(compiled_builtin("planar-spacecraft"), plan("rk4", 1e-4));
  const Signals start(s);
  EXPECT_NEAR(start["energy"], 0.5 * 5.8e4 * 0.05 * 0.05, 1e-12);
  advance(s, 5);
  const Signals end(s);
  EXPECT_NEAR(end["energy"], start["energy"], 1e-6);  // RK4 loses some 4e-7 at this step
  for (const char* name : {"momentum_x", "momentum_y", "spin"}) EXPECT_NEAR(end[name], 0, 1e-9);
}

// The fastest mode under-resolves a frame of 10 ms, as it was calibrated to.
TEST(PlanarSpacecraft, HasItsFastestModeAt142RadiansPerSecond) {
  const auto structure = compiled_builtin("planar-spacecraft");
  const auto l = linearize(structure, Model<double>(structure).initial_state());
  EXPECT_NEAR(std::abs(l.eigenvalues[0]) * 0.01, 1.42, 0.01);
}

TEST(Kpr, FollowsItsExactSolutionWithTheOrderOfTheMethod) {
  double before = 0;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    Simulation s(compiled_builtin("kpr"), plan("rk4", h));
    double worst = 0;
    while (s.time() < 5 - 1e-9) {
      ASSERT_EQ(s.step(), Status::ok);
      const auto& x = s.state().groups[GroupIndex{0}].x;
      worst = std::max(worst, std::fabs(x[0] - std::sqrt(1 + 0.5 * std::cos(s.time()))));
      worst = std::max(worst, std::fabs(x[1] - std::sqrt(2 + std::cos(100 * s.time()))));
    }
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / worst), 4.0, 0.2);
    }
    before = worst;
  }
  EXPECT_LT(before, 1e-8);
}

// --- every model ---------------------------------------------------------------------------------

TEST(EveryModel, SaysWhatItIsAndWhereItComesFrom) {
  for (const BuiltinModel& m : builtin_models()) {
    Diagnostics diag;
    const auto spec = read_model(std::string(m.name), diag);
    ASSERT_TRUE(spec) << diag.text();
    EXPECT_FALSE(spec->description.empty()) << m.name;
    EXPECT_FALSE(spec->provenance.empty()) << m.name;
  }
}

// A run of group-wise evaluations is possible: no slow output waits for a fast one.
TEST(EveryModel, CanBeAdvancedInTheGroupsOfItsFile) {
  for (const BuiltinModel& m : builtin_models()) {
    Diagnostics diag;
    const auto spec = read_model(std::string(m.name), diag);
    ASSERT_TRUE(spec) << diag.text();
    EXPECT_NE(compile(*spec, Partition::as_written(*spec), diag), nullptr) << diag.text();
  }
}

}  // namespace
}  // namespace models_test
