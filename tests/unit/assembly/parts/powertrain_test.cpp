// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "assembly/parts/parts.hpp"
#include "testkit/block_rig.hpp"
#include "testkit/part_file.hpp"
#include "unit/assembly/parts/hmmwv_parts.hpp"
#include "unit/vehicle/powertrain/hmmwv.hpp"

namespace powertrain_test {
namespace {

using namespace chicane;
using namespace testkit;
namespace physics = chicane::powertrain;
using chicane::hmmwv::kRpm;

PowertrainPart read(const std::string& text) { return part_of(text, powertrain_part); }

// Replaces one line of a text, so that a fault is where the test says.
std::string with(std::string text, const std::string& old, const std::string& fresh) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), fresh);
}

// Everything that a powertrain can have.
std::string full() {
  std::string text = testkit::hmmwv::kPowertrain;
  text = with(text, "converter:\n",
              "clutch: {torque: 1600 N m}\nconverter:\n  lock_speed: 1800 rpm\n"
              "  unlock_speed: 1400 rpm\n  lock_gear: 2\n");
  text = with(text, "  shift_time: 0.5 s\n", "  efficiency: 0.96\n  throttle_cut: 0.3\n");
  text = with(text, "front: {ratio: 5,",
              "center: {type: limited-slip, share: 0.4, viscous: 3 N m s/rad, bias: 0.1}\n"
              "front: {type: limited-slip, preload: 100 N m, bias: 0.1, ratio: 5,");
  return with(text, "rear: {ratio: 5,", "rear: {type: locked, ratio: 5,");
}

void anywhere(BlockRig<double>& rig, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto n = [&](double middle, double range) { return middle + range * number(random); };
  rig.t = n(5, 4);
  rig.x = {n(130, 125), n(150, 100), n(0.5, 0.5), n(0, 1), n(0, 1), n(0, 1), n(0, 1), n(0, 1)};
  rig.z = {std::floor(n(2, 2)), std::floor(n(2, 2)), rig.t - n(1, 1), std::floor(n(1, 1)),
           std::floor(n(1, 1))};
  rig.input("starter") = n(0.5, 0.5);
  rig.input("accelerator") = n(0.5, 0.5);
  rig.input("clutch") = n(0.5, 0.5);
  rig.input("gear") = std::floor(n(1.5, 2.5));
  const double omega = n(10, 20);
  for (const char* wheel : {"fl", "fr", "rl", "rr"})
    rig.input(std::string("speed_") + wheel) = omega + n(0, 3);
}

TEST(PowertrainPart, IsDescribed) {
  for (const std::string& text : {full(), std::string(testkit::hmmwv::kPowertrain),
                                  std::string(testkit::hmmwv::kSimplePowertrain),
                                  std::string("type: wheel-torque\nfront: 0.3")})
    expect_is_described(*read(text).kind);
}

TEST(PowertrainPart, EverythingMatters) {
  expect_everything_matters(*read(full()).kind, anywhere, {"clutch"},  // no pedal to a converter
                            {"gear"});
  // No converter, gears without loss, no rest after shifts, open differentials.
  expect_everything_matters(*read(testkit::hmmwv::kSimplePowertrain).kind, anywhere,
                            {"converter.fade", "converter.lock_speed", "converter.unlock_speed",
                             "gearbox.loss_power", "gearbox.shift_rest", "center.friction.damping",
                             "front.friction.damping", "rear.friction.damping"},
                            {"gear"});
  expect_everything_matters(*read("type: wheel-torque").kind,
                            [](BlockRig<double>& rig, std::mt19937&) { rig.u[0] = 500; });
}

TEST(PowertrainPart, ReadsWhatItNamesAndNoHeap) {
  expect_reads_what_it_names(*read(full()).kind, anywhere);
  expect_does_not_allocate(*read(full()).kind, anywhere);
}

TEST(PowertrainPart, DualSlopesAreDifferences) {
  // second derivatives of the friction's law, over differences of 1e-6
  expect_dual_slopes(*read(full()).kind, anywhere, 2e-3);
}

// The same numbers through the file and the block, and straight into the physics.
TEST(PowertrainPart, GivesWhatThePhysicsGives) {
  auto p = chicane::hmmwv::params();
  p.J_e = 1.6, p.J_t = 0.3, p.eta = 1.0, p.t_rest = 1.0, p.T_clutch = 0.0;
  p.omega_lock = 1e6, p.omega_unlock = 0, p.gear_lock = 1;
  p.stall = {0.5 * p.idle.omega, 0.5 * chicane::hmmwv::engine()(p.idle.omega, 1.0)};
  const auto maps = chicane::hmmwv::automatic();
  const auto part = read(testkit::hmmwv::kPowertrain);
  EXPECT_EQ(part.gears, 3);
  std::mt19937 random(1);
  for (int trial = 0; trial < 100; ++trial) {
    BlockRig<double> rig(*part.kind);
    anywhere(rig, random);
    rig.run();
    const auto x =
        std::bit_cast<physics::State<double>>(testing_vehicle::Flat<physics::State<double>>{
            rig.x[0], rig.x[1], rig.x[2], rig.x[3], rig.x[4], rig.x[5], rig.x[6], rig.x[7]});
    const physics::Memory<double> z{{rig.z[0], rig.z[1], rig.z[2]}, rig.z[3], rig.z[4]};
    const physics::In<double> in{
        rig.t, rig.u[0], rig.u[1], rig.u[2], {rig.u[3], rig.u[4], rig.u[5], rig.u[6]}, rig.u[7]};
    const auto [rates, out] = physics::evaluate(maps, p, x, z, in);
    const auto expected = testing_vehicle::flat(rates);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(rig.dx[i], expected[i], 1e-12 * (1 + std::fabs(expected[i])));
    EXPECT_NEAR(rig.output("torque_fl"), out.torque.fl, 1e-9);
    EXPECT_NEAR(rig.output("torque_rr"), out.torque.rr, 1e-9);
    EXPECT_EQ(rig.output("engine_speed"), rig.x[0]);
    EXPECT_EQ(rig.output("gear_in_mesh"), out.gear);
    EXPECT_NEAR(rig.output("prop_torque"), out.T_prop, 1e-9);
    EXPECT_NEAR(rig.output("rear_loss"), out.losses.rear, 1e-9);
    const auto next = physics::next(maps, p, x, z, in);
    EXPECT_EQ(rig.z_next[0], next.gear.gear);
    EXPECT_EQ(rig.z_next[2], next.gear.started);
    EXPECT_EQ(rig.z_next[4], next.running);
  }
}

// At a wheel speed of 1 rad/s the shafts before the 5:1 axles turn at 5 rad/s: (1.0 + 0.5 + 0.5) 25
// and two cases of 0.6, on four wheels.
TEST(PowertrainPart, AddsTheEnergyOfItsShaftsToTheWheels) {
  const auto part = read(testkit::hmmwv::kPowertrain);
  for (const double J : testing_vehicle::flat(part.inertia))
    EXPECT_NEAR(J, (2.0 * 25 + 2 * 0.6) / 4, 1e-12);
}

// A car of 2600 kg on rolling wheels, full throttle from rest, through shifts and lock-up: what the
// engine gives is in the car, in the shafts, or was lost.
TEST(PowertrainPart, KeepsAccountOfEnergyOverARun) {
  const auto part = read(full());
  BlockRig<double> rig(*part.kind);
  const double J_car = 2600 * 0.47 * 0.47, h = 2e-4;
  struct Run {
    std::vector<double> x;
    double omega = 0, engine = 0, lost = 0;
  };
  const auto rates = [&](double t, const Run& at) {
    rig.t = t, rig.x = at.x;
    rig.input("accelerator") = 1, rig.input("gear") = 1;
    for (std::size_t i = 3; i < 7; ++i) rig.u[i] = at.omega;
    rig.run();
    double torque = 0, lost = 0;
    for (std::size_t i = 0; i < 4; ++i) torque += rig.y[i];
    for (const auto& port : rig.info.outputs)
      if (port.name.ends_with("_loss")) lost += rig.output(port.name);
    return Run{rig.dx, torque / J_car, rig.output("engine_torque") * at.x[0], lost};
  };
  const auto moved = [](Run x, double step, const Run& k) {
    for (std::size_t i = 0; i < x.x.size(); ++i) x.x[i] += step * k.x[i];
    x.omega += step * k.omega, x.engine += step * k.engine, x.lost += step * k.lost;
    return x;
  };
  Run x{rig.x};
  const auto stored = [&] {
    return 0.5 * (1.6 * x.x[0] * x.x[0] + 0.3 * x.x[1] * x.x[1] + J_car * x.omega * x.omega);
  };
  const double before = stored();
  for (int n = 0; n < 60000; ++n) {
    const double t = n * h;
    const Run k1 = rates(t, x);
    rig.z = rig.z_next;
    const Run k2 = rates(t + h / 2, moved(x, h / 2, k1)),
              k3 = rates(t + h / 2, moved(x, h / 2, k2)), k4 = rates(t + h, moved(x, h, k3));
    x = moved(moved(moved(moved(x, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
  EXPECT_EQ(rig.memory("gear_chosen"), 3);
  EXPECT_EQ(rig.memory("locked_up"), 1);
  EXPECT_GT(x.engine, 5e5);
  // the account is kept by the same method: what is left is its error where slopes jump, 5e-11 here
  EXPECT_NEAR(x.engine, stored() - before + x.lost, 1e-8 * x.engine);
}

// A map over the throttle with a row for each speed, at no and at full throttle, is the same engine
// as the two curves; so is a table of the model by its name.
TEST(PowertrainPart, TakesAnEngineAsAMap) {
  const std::string simple = testkit::hmmwv::kSimplePowertrain;
  const auto curves = simple.find("  full:"), clutch = simple.find("clutch:");
  const auto engine_as = [&](const std::string& map) {
    return simple.substr(0, curves) + "  map: " + map + "\n" + simple.substr(clutch);
  };
  const std::string inline_map =
      "{x: [0, 100, 200, rad/s], y: [0, 1], z: [[0, 400], [-20, 900], [-50, 1100], N m]}";
  const std::string two_curves = simple.substr(0, curves) +
                                 "  full: {x: [0, 100, 200, rad/s], y: [400, 900, 1100, N m]}\n"
                                 "  motoring: {x: [0, 100, 200, rad/s], y: [0, -20, -50, N m]}\n" +
                                 simple.substr(clutch);
  Spec spec;
  spec.tables.push_back({.name = "torques",
                         .x = {{0, 100, 200}, dimensions::kRate, "rad/s"},
                         .y = {{0, 1}, dimensions::kNone, ""},
                         .z = {{0, 400, -20, 900, -50, 1100}, dimensions::kTorque, "N m"},
                         .two_d = true});
  PartFile named(engine_as("torques"), spec);
  const auto by_name = powertrain_part(named.keys);
  ASSERT_TRUE(named.diag.ok()) << named.diag.text();
  BlockRig<double> a(*read(two_curves).kind), b(*read(engine_as(inline_map)).kind),
      c(*by_name.kind);
  std::mt19937 random(4);
  for (int trial = 0; trial < 50; ++trial) {
    anywhere(a, random);
    for (auto* rig : {&b, &c}) rig->t = a.t, rig->x = a.x, rig->z = a.z, rig->u = a.u;
    a.run(), b.run(), c.run();
    EXPECT_NEAR(b.output("engine_torque"), a.output("engine_torque"), 1e-9);
    EXPECT_EQ(b.results(), c.results());
  }
  PartFile wrong(engine_as("torque"), spec);
  powertrain_part(wrong.keys);
  EXPECT_NE(wrong.diag.text().find("did you mean 'torques'?"), std::string::npos)
      << wrong.diag.text();
}

TEST(PowertrainPart, WheelTorqueIsSplit) {
  BlockRig<double> rig(*read("type: wheel-torque\nfront: 0.25").kind);
  rig.input("wheel_torque") = 800;
  rig.run();
  EXPECT_EQ(rig.y, (std::vector<double>{100, 100, 300, 300}));
}

// A manual gearbox begins in the gear that its driver has in hand, with engine and wheels at one
// speed; his foot on the clutch, or a car too slow for its first gear, leaves the engine idling.
TEST(PowertrainPart, StartsInTheGearOfItsDriver) {
  const std::string simple = testkit::hmmwv::kSimplePowertrain;
  const std::string manual =
      simple.substr(0, simple.find("shift:")) + simple.substr(simple.find("shafts:"));
  const auto start = [&](const RollingStart& from) {
    const auto part =
        part_of(manual, [&](Keys& keys) { return rolling_powertrain_part(keys, from); });
    EXPECT_TRUE(part.manual);
    return BlockRig<double>(*part.kind);
  };
  const double idle = 800 * kRpm, spin = 20.0;  // first gear: 20 * 5 / 0.1708 rad/s
  auto third = start({.spin = spin, .gear = 3});
  EXPECT_EQ(third.memory("gear_chosen"), 3);
  EXPECT_NEAR(third.state("omega_e"), spin * 5 / 0.4218, 1e-9);
  EXPECT_EQ(third.state("omega_e"), third.state("omega_t"));
  EXPECT_NEAR(start({.spin = spin, .gear = 3, .clutch = 1}).state("omega_e"), idle, 1e-9);
  auto standing = start({.spin = 0, .drives = true});
  EXPECT_EQ(standing.memory("gear_chosen"), 1);
  EXPECT_EQ(standing.state("closed"), 0);
  EXPECT_NEAR(standing.state("omega_e"), idle, 1e-9);
  auto rolling = start({.spin = spin, .drives = true});
  EXPECT_GT(rolling.memory("gear_chosen"), 1);
  EXPECT_GT(rolling.state("omega_e"), idle);
  EXPECT_LT(rolling.state("omega_e"), 3 * idle);
  EXPECT_EQ(rolling.state("omega_e"), rolling.state("omega_t"));
  rolling.input("gear") = rolling.memory("gear_chosen");
  rolling.run();
  EXPECT_EQ(rolling.z_next, rolling.z);  // and nothing is to be changed
}

TEST(PowertrainPart, SaysWhereTheFaultIs) {
  const auto fault = [](const std::string& old, const std::string& fresh, int line,
                        const std::string& words) {
    expect_fault(with(testkit::hmmwv::kPowertrain, old, fresh), line, words, powertrain_part);
  };
  fault("type: engine", "type: engin", 2, "did you mean 'engine'?");
  fault("  inertia: 1.6 kg m^2 ", "  inertia: -1.6 kg m^2 ", 4, "must be more than 0");
  fault("  inertia: 1.6 kg m^2 ", "  inertia: 1.6 kg ", 4, "mass");
  fault("  losses: {x: [-50, 0, 50,", "  losses: {x: [-50, 60, 50,", 11, "x[2]");
  fault("  losses:", "  loses:", 3, "'losses' is missing");
  fault("  idle_speed: 800 rpm", "  idle_speed: 800 rpm\n  stall_speed: 800 rpm", 6,
        "'stall_speed' must be below 'idle_speed'");
  fault("  reverse: -0.1", "  reverse: 0.1", 15, "reverse ratio must be less than 0");
  fault("forward: [0.2, 0.4, 0.8]", "forward: [0.2, 0.8, 0.4]", 15, "forward ratio [2]");
  fault("up: 2500 rpm", "up: 2300 rpm", 23, "widen the band");
  fault("shift: {down: 1200 rpm, up: 2500 rpm}", "shift: [{up: 2500 rpm}]", 23, "each of 3 gears");
  fault("front: {ratio: 5,", "front: {ratio: 5, bias: 0.1,", 25, "take limited-slip");
  fault("front: {ratio: 5,", "front: {type: limited-slip, ratio: 5,", 25, "needs 'viscous'");
  fault("front: {ratio: 5,", "front: {type: opne, ratio: 5,", 25, "did you mean 'open'?");
  fault("converter:", "converter:\n  lock_speed: 1800 rpm", 12, "both 'lock_speed' and");
  fault("  ratios: output/input", "  ratios: upside-down", 20, "input/output, output/input");
  fault("shafts: {prop", "shafts: {pop", 24, "the shafts has no 'pop'");
  expect_fault(with(testkit::hmmwv::kSimplePowertrain, "clutch: {torque: 2600 N m}", ""), 2,
               "'clutch' is missing", powertrain_part);
}

}  // namespace
}  // namespace powertrain_test
