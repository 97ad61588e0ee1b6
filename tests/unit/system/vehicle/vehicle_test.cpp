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
constexpr double kMass = 2573.138, kGravity = 9.81;  // [kg], [m/s^2]

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

TEST(Vehicle, StandsLevelOnItsFourWheels) {
  Drive d(hmmwv("", {{"hand_brake", "1"}}), "ab2", "0.5 ms");
  d.until(20.0);
  const auto loads = d.read(of_wheels("load"));
  EXPECT_NEAR(loads[0] + loads[1] + loads[2] + loads[3], kMass * kGravity, 1e-3);
  EXPECT_NEAR(loads[0], loads[1], 1e-6);
  EXPECT_NEAR(loads[2], loads[3], 1e-6);
  // The centre of mass is 0.05 m ahead of the middle of the axles, 3.3 m apart.
  EXPECT_NEAR((loads[0] + loads[1]) / (kMass * kGravity), 0.5 + 0.0506 / 3.302, 2e-3);
  EXPECT_NEAR(d["chassis.roll"], 0.0, 1e-9);
  EXPECT_NEAR(d["chassis.speed"], 0.0, 1e-6);
}

// The same vehicle in Project Chrono, rolling freely at 18 m/s, one second after it was put on the
// ground: loads 6562.78, 6565.28, 6082.22, 6073.95 N, height 0.58725 m, pitch 0.00143 rad, toe-in
// 0.0203 rad. Its steering link is not symmetric, and its springs are straight between points.
TEST(Vehicle, RollsWithTheLoadsOfAnotherSimulator) {
  Drive d(hmmwv("coast-down", {{"speed", "18 m/s"}}), "ab2", "0.5 ms");
  d.until(8.0);
  const auto loads = d.read(of_wheels("load"));
  EXPECT_NEAR(loads[0], 0.5 * (6562.78 + 6565.28), 0.01 * 6564);
  EXPECT_NEAR(loads[2], 0.5 * (6082.22 + 6073.95), 0.01 * 6078);
  EXPECT_NEAR(d["chassis.z"], 0.58725, 2e-3);
  EXPECT_NEAR(d["chassis.pitch"], 0.00143, 5e-4);
  EXPECT_NEAR(d["wheel.fl.toe"], 0.0203, 1e-3);
}

// Turning in, free rolling, at t = 10 s: yaw rate 0.31765 rad/s at 10.92 m/s, roll 0.01636 rad. The
// pitman arm's 6 degrees on 0.129 m are 13.5 mm of our rack.
TEST(Vehicle, TurnsAsInAnotherSimulator) {
  Diagnostics diag;
  const auto text = [](const std::string& /*path*/) -> std::optional<std::string> {
    return R"(
format: chicane/1
vehicle:
  start: {speed: 18 m/s}
  driver:
    gear: 0
    steering: {type: schedule, angle: {x: [0, 1, 1.2, s], y: [0, 0, 1.618, rad]}}
)";
  };
  const auto spec = read_manoeuvre("turn.yaml", hmmwv(), diag, text);
  ASSERT_TRUE(spec) << diag.text();
  Drive d(*spec, "ab2", "0.5 ms");
  d.until(10.0);
  EXPECT_NEAR(d["chassis.yaw_rate"], 0.31765, 0.05 * 0.31765);
  EXPECT_NEAR(d["chassis.speed"], 10.92, 0.05 * 10.92);
  EXPECT_NEAR(d["chassis.roll"], 0.01636, 2e-3);
  EXPECT_NEAR(d["chassis.yaw"], 3.3609, 0.05 * 3.3609);
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
  const auto exact = end("0.03125 ms", "single-rate");
  const auto coarse = end("0.5 ms", GetParam()), fine = end("0.25 ms", GetParam());
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const double order = std::log2(std::fabs(coarse[i] - exact[i]) / std::fabs(fine[i] - exact[i]));
    EXPECT_NEAR(order, 2.0, 0.35) << signals[i];
  }
}

// --- energy --------------------------------------------------------------------------------------

// Chassis, suspensions and spins lose what tires, dampers, brakes and shafts take. Without dampers,
// in neutral:   E(t) - E(0) + integral of what the tires take = 0,   and tires give nothing back
// that they did not hold.
TEST(Vehicle, PowerOfTiresWheelsAndChassisIsBalanced) {
  Spec spec = hmmwv("coast-down", {{"speed", "15 m/s"}});
  for (const char* axle : {"front", "rear"}) {
    DataSpec* suspension = spec.vehicle->find("axles")->find(axle)->find("suspension");
    std::erase_if(suspension->entries, [](const auto& e) { return e.first == "damper"; });
  }
  std::erase_if(spec.vehicle->entries, [](const auto& e) { return e.first == "powertrain"; });
  std::erase_if(spec.blocks, [](const BlockSpec& b) { return b.name == "powertrain"; });
  Drive d(spec, "rk4", "0.25 ms");

  std::vector<std::string> signals = of_wheels("tire_power");
  for (const char* more : {"tire_energy", "spin_energy"})
    for (const std::string& s : of_wheels(more)) signals.push_back(s);
  signals.emplace_back("energy.total");
  const auto sum = [](const std::vector<double>& v, std::size_t first) {
    return v[first] + v[first + 1] + v[first + 2] + v[first + 3];
  };
  Drive::Reader reader(d.simulation(), signals);
  const auto look = [&] {
    d.simulation().look(reader);
    return reader.values;
  };
  const auto start = look();
  double taken = 0.0;
  auto before = start;
  constexpr double kStep = 0.25e-3;
  for (int i = 0; i < 8000; ++i) {
    ASSERT_EQ(d.simulation().step(), Status::ok);
    const auto now = look();
    taken += 0.5 * kStep * (sum(before, 0) + sum(now, 0));
    before = now;
  }
  const double lost = start[12] + sum(start, 8) - before[12] - sum(before, 8);
  EXPECT_GT(lost, 1e3);  // rolling resistance has taken some
  EXPECT_NEAR(lost, taken, 1e-6 * (0.5 * kMass * 15 * 15));
  EXPECT_GE(taken, sum(before, 4) - sum(start, 4));
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
