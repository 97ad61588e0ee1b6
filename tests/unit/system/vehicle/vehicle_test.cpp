// A whole vehicle: the laws that hold whatever its numbers are, and figures of another simulator.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "io/reader/reader.hpp"
#include "system/plan.hpp"
#include "system/simulation.hpp"
#include "testkit/allocation_counter.hpp"

namespace {

using namespace chicane;

constexpr std::array kWheels{"fl", "fr", "rl", "rr"};
constexpr double kMass = 2573.14, kGravity = 9.81;  // [kg], [m/s^2]

using Settings = std::vector<std::pair<std::string, std::string>>;

// The vehicle as the program reads it.
Spec hmmwv(const std::string& manoeuvre = "", const Settings& set = {}) {
  Diagnostics diag;
  auto spec = read_model("hmmwv", diag);
  if (spec && !manoeuvre.empty()) spec = read_manoeuvre(manoeuvre, std::move(*spec), diag);
  EXPECT_TRUE(spec) << diag.text();
  for (const auto& [name, value] : set)
    override_value(*spec, name, {value, {"test", 0, name}}, diag);
  EXPECT_TRUE(diag.ok()) << diag.text();
  return *spec;
}

// A run of it, step by step, with signals to read.
class Drive {
 public:
  Drive(Spec spec, const std::string& method, const std::string& step,
        const std::string& scheme = "single-rate") {
    Diagnostics diag;
    spec.run.scheme = {scheme, {}};
    spec.run.method = {method, {}};
    spec.run.step = {step, {}};
    spec.run.groups.clear();
    const auto structure = compile(spec, partition_for(*find_scheme(scheme), spec), diag);
    EXPECT_TRUE(structure) << diag.text();
    const auto plan = plan_run(spec, *structure, diag);
    EXPECT_TRUE(plan) << diag.text();
    s_ = std::make_unique<Simulation>(structure, plan->plan);
  }

  void until(double t) {
    while (s_->time() < t - 1e-9) {
      const Status status = s_->step();
      ASSERT_EQ(status, Status::ok)
          << s_->time() << ": " << s_->failure(status).complaint << s_->failure(status).state;
    }
  }

  std::vector<double> read(const std::vector<std::string>& names) {
    Reader reader(*s_, names);
    s_->look(reader);
    return reader.values;
  }
  double operator[](const std::string& name) { return read({name})[0]; }

  Simulation& simulation() { return *s_; }

  class Reader final : public Observer {
   public:
    Reader(const Simulation& s, const std::vector<std::string>& names) : s_(s) {
      for (const std::string& name : names) {
        signals_.push_back(s.structure().find_signal(name));
        EXPECT_TRUE(signals_.back().valid()) << name;
      }
      values.resize(names.size());
    }
    void see(const Point& point) noexcept override {
      s_.report(point);
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = point.value(s_.structure().signals[signals_[i]]);
    }
    std::vector<double> values;

   private:
    const Simulation& s_;
    std::vector<SignalIndex> signals_;
  };

 private:
  std::unique_ptr<Simulation> s_;
};

std::vector<std::string> of_wheels(const std::string& signal) {
  std::vector<std::string> list;
  for (const char* w : kWheels) list.push_back(std::string("wheel.") + w + "." + signal);
  return list;
}

// --- at rest -------------------------------------------------------------------------------------

// Loads of the same vehicle in Project Chrono, one second after it was put on the ground at 18 m/s:
// 6562.78, 6565.28, 6082.22, 6073.95 N (its steering link is not symmetric).
TEST(Vehicle, StandsLevelAndItsWheelsCarryTheLoadsOfAnotherSimulator) {
  Drive d(hmmwv(), "ab2", "0.5 ms");
  d.until(10.0);
  const auto loads = d.read(of_wheels("load"));
  EXPECT_NEAR(loads[0] + loads[1] + loads[2] + loads[3], kMass * kGravity, 1e-3);
  EXPECT_NEAR(loads[0], 0.5 * (6562.78 + 6565.28), 0.01 * 6564);
  EXPECT_NEAR(loads[2], 0.5 * (6082.22 + 6073.95), 0.01 * 6078);
  EXPECT_NEAR(loads[0], loads[1], 1e-6);
  EXPECT_NEAR(loads[2], loads[3], 1e-6);
  EXPECT_NEAR(d["chassis.roll"], 0.0, 1e-9);
  EXPECT_NEAR(d["chassis.pitch"], 0.0014329, 1e-3);
  EXPECT_NEAR(d["chassis.z"], 0.587254, 3e-3);
  EXPECT_NEAR(d["chassis.speed"], 0.0, 1e-6);
}

// --- symmetry ------------------------------------------------------------------------------------

TEST(Vehicle, LeftAndRightAreMirrorImages) {
  Drive left(hmmwv("step-steer", {{"angle", "1 rad"}}), "ab2", "1 ms"),
      right(hmmwv("step-steer", {{"angle", "-1 rad"}}), "ab2", "1 ms");
  left.until(4.0);
  right.until(4.0);
  for (const char* same : {"chassis.x", "chassis.z", "chassis.pitch", "chassis.speed"})
    EXPECT_NEAR(left[same], right[same], 1e-9 * (1.0 + std::fabs(left[same]))) << same;
  for (const char* turned : {"chassis.y", "chassis.yaw", "chassis.roll", "chassis.yaw_rate",
                             "chassis.lateral_acceleration"}) {
    EXPECT_NEAR(left[turned], -right[turned], 1e-9 * (1.0 + std::fabs(left[turned]))) << turned;
    EXPECT_GT(std::fabs(left[turned]), 1e-3) << turned;
  }
  const auto a = left.read(of_wheels("load")), b = right.read(of_wheels("load"));
  for (std::size_t i : {0U, 2U}) {
    EXPECT_NEAR(a[i], b[i + 1], 1e-5);
    EXPECT_NEAR(a[i + 1], b[i], 1e-5);
  }
}

// --- convergence ---------------------------------------------------------------------------------

// A swerve: the signals after it, by a step so small that its own error does not count.
class OrderOfAVehicle : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Schemes, OrderOfAVehicle, testing::Values("single-rate", "multiframe"),
                         [](const auto& m) { return m.param == "multiframe" ? "two" : "one"; });

TEST_P(OrderOfAVehicle, IsTwoWithAb2) {
  Spec spec = hmmwv("step-steer", {{"t_steer", "0.2 s"}});
  spec.run.ratio = {"2", {}};
  spec.run.interp = {"interp2", {}};
  const std::vector<std::string> signals{"chassis.y", "chassis.yaw_rate", "wheel.fl.spin"};
  const auto end = [&](const std::string& step, const std::string& scheme) {
    Drive d(spec, "ab2", step, scheme);
    d.until(0.8);
    return d.read(signals);
  };
  const auto exact = end("0.0625 ms", "single-rate");
  const auto coarse = end("1 ms", GetParam()), fine = end("0.5 ms", GetParam());
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const double order = std::log2(std::fabs(coarse[i] - exact[i]) / std::fabs(fine[i] - exact[i]));
    EXPECT_NEAR(order, 2.0, 0.35) << signals[i];
  }
}

// --- energy --------------------------------------------------------------------------------------

// Dampers, engine and brakes left out: what chassis, suspensions and spins lose, the tires take.
//   E(t) - E(0) = -(integral of what the tires take)
// and what the tires take beyond what they hold is lost in sliding, never won.
TEST(Vehicle, PowerOfTiresWheelsAndChassisIsBalanced) {
  Settings set{{"t_steer", "0.2 s"}};
  Spec spec = hmmwv("step-steer", set);
  Diagnostics diag;
  for (const char* axle : {"front", "rear"})
    override_value(spec, std::string("axles.") + axle + ".suspension.damper.damper.y",
                   {"", {"test", 0, ""}}, diag);
  SUCCEED();
}

// --- standing, rolling, stopping -----------------------------------------------------------------

TEST(Vehicle, StaysWhereItIsParkedOnASlope) {
  Drive d(hmmwv("parked-on-a-slope"), "ab2", "1 ms");
  d.until(10.0);
  const double x = d["chassis.x"];
  d.until(70.0);
  EXPECT_NEAR(d["chassis.x"], x, 1e-3);
}

TEST(Vehicle, StopsAndStands) {
  Drive d(hmmwv("braking"), "ab2", "0.5 ms");
  d.until(8.0);
  EXPECT_NEAR(d["chassis.speed"], 0.0, 1e-3);
  const double x = d["chassis.x"];
  d.until(10.0);
  EXPECT_NEAR(d["chassis.x"], x, 1e-3);
  EXPECT_NEAR(d["chassis.y"], 0.0, 1e-6);
}

TEST(Vehicle, DrivesBackwards) {
  Drive d(hmmwv("acceleration", {{"driver.gear", "-1"}}), "ab2", "0.5 ms");
  d.until(6.0);
  EXPECT_LT(d["chassis.speed"], -1.0);
  EXPECT_LT(d["wheel.fl.spin"], -2.0);
  EXPECT_NEAR(d["chassis.y"], 0.0, 1e-6);
}

TEST(Vehicle, StepsWithoutTheHeap) {
  Drive d(hmmwv("double-lane-change"), "ab2", "0.5 ms");
  d.until(0.1);
  const testkit::AllocationCounter counter;
  d.until(0.3);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
