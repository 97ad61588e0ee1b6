// SPDX-License-Identifier: Apache-2.0

// Types of parts that a program adds: what reads them, what lists them, and a vehicle that has
// them.

#include "assembly/parts/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "assembly/assemble.hpp"
#include "assembly/grammar.hpp"
#include "assembly/parts/data_block.hpp"
#include "assembly/parts/reading.hpp"
#include "assembly/parts/tire_of.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"
#include "testkit/recorder.hpp"
#include "testkit/wide_tire.hpp"

namespace registry_test {
namespace {

using namespace chicane;

// --- brakes whose torque is a signal from outside ------------------------------------------------

template <class T>
class SignalBrakes final : public Block<T> {
 public:
  void run(int, const BlockView<T>& at) const noexcept override {
    for (T& torque : at.y) torque = -at.p[0] * at.u(0) - at.p[1];
  }
};

constexpr std::array kGain{Field{"gain", "-", "torque over the signal", Field::Bound::positive},
                           Field{"bias", "N m", "torque without it", Field::Bound::any, 0.0}};

BlockKindPtr read_signal_brakes(Keys& keys) {
  const int before = keys.diagnostics().errors();
  BlockInfo info;
  info.description = "torques on all wheels from outside";
  info.parameters = read_fields(keys, kGain, "brakes of type test-signal");
  info.inputs = {{"brake_signal", "N m", "torque on each wheel"}};
  info.outputs = wheel_ports("torque", "N m", "torque on a wheel");
  info.tasks = {{.name = "torques", .reads = {0}, .writes = ports(0, 4)}};
  keys.refuse_others("brakes of type test-signal");
  if (keys.diagnostics().errors() > before) return nullptr;
  return make_block_kind<SignalBrakes>(info);
}

PartType signal_brakes() {
  return {"test-signal",
          "torques from outside",
          rows_of(kGain),
          {},
          {{"brake_signal", "0 N m", "torque of the brake on each wheel"}}};
}

// --- a road of one's own: a plane that rises along x ---------------------------------------------

class Rise final : public GroundShape {
 public:
  [[nodiscard]] terrain::Hit<double> query(const terrain::Spot<double>& spot,
                                           const terrain::Hit<double>&) const noexcept override {
    return at(spot.x);
  }
  [[nodiscard]] terrain::Hit<Dual> query(const terrain::Spot<Dual>& spot,
                                         const terrain::Hit<Dual>&) const noexcept override {
    return at(spot.x);
  }

 private:
  template <class T>
  static terrain::Hit<T> at(const T& x) {
    return terrain::hit<T>({0.05 * x, T(0.05), T(0.0)}, {T(1.0), 0});
  }
};

// --- a tire of one's own -------------------------------------------------------------------------

constexpr Field kConicity[] = {{"conicity", "-", "force over load without slip"}};

std::shared_ptr<const TireKind> read_wide_tire(Keys& keys, Keys*) {
  const int before = keys.diagnostics().errors();
  const std::string owner = "a tire of type test-wide";
  auto list = read_fields(keys, wheel_block::common_fields(), owner);
  const double conicity = read_fields(keys, kConicity, owner)[0].value;
  const testkit::WideTire<double> law{.conicity = conicity};
  std::array<double, sizeof law / sizeof(double)> numbers{};
  to_values(law, std::span<double>(numbers));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    list.push_back({fmt::format("law_{}", i), "-", numbers[i], "of the law"});
  keys.refuse_others(owner);
  if (keys.diagnostics().errors() > before) return nullptr;
  using Source = wheel_block::Parametric<testkit::WideTire>;
  return std::make_shared<wheel_block::TireOf<Source>>(Source{}, list, nullptr);
}

// Before anything is loaded.
class OwnParts final : public testing::Environment {
 public:
  void SetUp() override {
    part_registry().brakes.add(signal_brakes(), read_signal_brakes);
    part_registry().tires.add({"test-wide", "all that a law can have", rows_of(kConicity)},
                              read_wide_tire);
    part_registry().terrain.add({"test-rise", "a plane"}, [](Keys& keys) {
      keys.refuse_others("a terrain of type test-rise");
      return std::optional<Ground<double>>(OwnGround<double>{std::make_shared<Rise>()});
    });
  }
};
const auto* const kOwnParts = testing::AddGlobalTestEnvironment(new OwnParts);

DataSpec text(const std::string& value) {
  return {.kind = DataSpec::Kind::text, .text = {value, {"test", 1}}};
}

using Entries = std::vector<std::pair<std::string, DataSpec>>;

// The HMMWV with another section in place of one of its own.
Spec hmmwv(const std::string& section, const Entries& entries) {
  Diagnostics diag;
  auto spec = read_model("hmmwv", diag);
  EXPECT_TRUE(spec) << diag.text();
  override_value(*spec, "start.speed", {"15 m/s", {"test", 1}}, diag);
  DataSpec own{.kind = DataSpec::Kind::mapping, .text = {"", {"test", 1}}, .entries = entries};
  if (DataSpec* there = spec->vehicle->find(section))
    *there = own;
  else
    spec->vehicle->entries.emplace_back(section, own);
  EXPECT_TRUE(diag.ok()) << diag.text();
  declare_vehicle(*spec);
  return *spec;
}

std::vector<double> after(const Spec& spec, int steps, const std::vector<std::string>& signals) {
  Diagnostics diag;
  Spec own = spec;
  own.run.method = {"ab2", {}}, own.run.step = {"1 ms", {}};
  const auto structure = compile_for_run(own, diag);
  EXPECT_TRUE(structure) << diag.text();
  const auto plan = structure ? plan_run(own, *structure, diag) : std::nullopt;
  if (!plan) return std::vector<double>(signals.size());
  Simulation simulation(structure, plan->plan);
  for (int i = 0; i < steps; ++i) EXPECT_EQ(simulation.step(), Status::ok);
  testkit::Recorder reader(simulation, signals);
  simulation.observe_now(reader);
  return reader.values;
}

const Key* find_row(const std::vector<KeyTable>& tables, std::string_view table,
                    std::string_view key) {
  for (const KeyTable& t : tables)
    for (const Key& k : t.keys)
      if (t.name == table && k.name == key) return &k;
  return nullptr;
}

TEST(PartRegistry, TakesANameOnceAndInTime) {
  PartRegistry registry;
  registry.brakes.add(signal_brakes(), read_signal_brakes);
  EXPECT_THROW(registry.brakes.add(signal_brakes(), read_signal_brakes), UsageError);
  EXPECT_THROW(registry.brakes.add({"simple", ""}, read_signal_brakes), UsageError);
  EXPECT_THROW(registry.brakes.add({"a|b", ""}, read_signal_brakes), UsageError);
  EXPECT_THROW(registry.brakes.add({"none", ""}, nullptr), UsageError);
  EXPECT_EQ(registry.brakes.types().size(), 5u);
  registry.close();
  EXPECT_THROW(registry.brakes.add({"late", ""}, read_signal_brakes), UsageError);
  vehicle_grammar();
  EXPECT_THROW(part_registry().tires.add(
                   {"late", ""}, [](Keys&, Keys*) { return std::shared_ptr<const TireKind>(); }),
               UsageError);
}

TEST(PartRegistry, TablesHaveTheRowsOfEveryType) {
  PartRegistry registry;
  registry.brakes.add(signal_brakes(), read_signal_brakes);
  const auto tables = registry.grammar();
  EXPECT_EQ(find_row(tables, "brakes", "type")->of, "simple|pedal|pressure|by-axle|test-signal");
  EXPECT_EQ(find_row(tables, "brakes", "gain")->when, "type=test-signal");
  EXPECT_EQ(find_row(tables, "brakes", "gain_front")->when, "type=pedal|pressure");
  EXPECT_EQ(find_row(tables, "steering", "frequency")->when, "type=rack|kingpins");
  EXPECT_EQ(find_row(tables, "driver", "type")->of, "standard");
  ASSERT_NE(find_vehicle_table("brakes"), nullptr);
  EXPECT_NE(find_row(vehicle_grammar(), "brakes", "gain"), nullptr)
      << "of the one files are read by";
}

TEST(PartRegistry, AVehicleHasBrakesThatWereAdded) {
  Spec spec = hmmwv("brakes", {{"type", text("test-signal")}, {"gain", text("2")}});
  const std::vector<std::string> signals{"chassis.speed", "brakes.torque_rl"};
  const auto free = after(spec, 500, signals);
  const auto input = std::find_if(spec.inputs.begin(), spec.inputs.end(),
                                  [](const InputSpec& i) { return i.name == "brake_signal"; });
  ASSERT_NE(input, spec.inputs.end());
  input->value.text = "300 N m";
  const auto braked = after(spec, 500, signals);
  input->value.text = "150 N m";
  const auto half = after(spec, 500, signals);
  EXPECT_EQ(free[1], 0.0);
  EXPECT_EQ(braked[1], -600.0);
  EXPECT_EQ(half[1], -300.0);
  // 4 x 600 N m for half a second on wheels that roll at 0.46 m slow down 2573 kg, and what turns
  // with them: as much as a fifth of that at most. Twice the torque does twice as much.
  const double most = 4 * 600.0 / 0.46 * 0.5 / 2573.0, slower = free[0] - braked[0];
  EXPECT_LT(slower, most);
  EXPECT_GT(slower, most / 1.2);
  EXPECT_NEAR(free[0] - half[0], 0.5 * slower, 0.01 * slower);
}

TEST(PartRegistry, DefaultsOfATypeCanBeSetFromOutside) {
  Spec spec = hmmwv("brakes", {{"type", text("test-signal")}, {"gain", text("2")}});
  Diagnostics diag;
  ASSERT_TRUE(override_value(spec, "brakes.bias", {"50 N m", {"--set", 0}}, diag)) << diag.text();
  EXPECT_EQ(after(spec, 1, {"brakes.torque_fl"})[0], -50.0);
  EXPECT_FALSE(override_value(spec, "brakes.bias", {"50 kg", {"--set", 0, "brakes.bias"}}, diag) &&
               compile_for_run(spec, diag));
  EXPECT_NE(diag.text().find("--set: brakes.bias"), std::string::npos) << diag.text();
}

TEST(PartRegistry, WhatATypeDoesNotHaveIsRefused) {
  const Spec spec = hmmwv("brakes", {{"type", text("test-signal")}, {"torque_front", text("2")}});
  Diagnostics diag;
  EXPECT_FALSE(compile_for_run(spec, diag));
  EXPECT_NE(diag.text().find("'gain' is missing"), std::string::npos) << diag.text();
  EXPECT_NE(diag.text().find("torque_front"), std::string::npos) << diag.text();
}

TEST(PartRegistry, AVehicleStandsOnAGroundThatWasAdded) {
  const std::vector<std::string> signals{"chassis.speed", "mount.chassis.x", "wheel.fl.load",
                                         "wheel.rr.load"};
  const auto own = after(hmmwv("terrain", {{"type", text("test-rise")}}), 300, signals);
  const auto slope =
      after(hmmwv("terrain", {{"type", text("slope")}, {"along", text("0.05")}}), 300, signals);
  const auto flat = after(hmmwv("terrain", {{"type", text("flat")}}), 300, signals);
  for (std::size_t i = 0; i < signals.size(); ++i)
    EXPECT_NEAR(own[i], slope[i], 1e-7 * std::fabs(slope[i])) << signals[i];
  EXPECT_GT(flat[0] - own[0], 0.1) << "it rolls uphill";
}

// A law that is no secant, in a vehicle: the sides are mirror images, and the car goes straight.
TEST(PartRegistry, AVehicleRollsOnATireThatWasAdded) {
  const auto on_tires = [](const std::string& front, const std::string& rear) {
    Diagnostics diag;
    auto spec = read_model("hmmwv", diag);
    override_value(*spec, "start.speed", {"15 m/s", {"test", 1}}, diag);
    for (const std::string axle : {"front", "rear"})
      *spec->vehicle->find("axles")->find(axle)->find("tire") = {
          .kind = DataSpec::Kind::mapping,
          .text = {"", {"test", 1}},
          .entries = {{"type", text("test-wide")},
                      {"radius", text("470 mm")},
                      {"width", text("318 mm")},
                      {"stiffness", text("411 kN/m")},
                      {"damping", text("3.9 kN s/m")},
                      {"conicity", text(axle == "front" ? front : rear)}}};
    EXPECT_TRUE(diag.ok()) << diag.text();
    declare_vehicle(*spec);
    return *spec;
  };
  const std::vector<std::string> signals{"wheel.fl.lateral_force", "wheel.fr.lateral_force",
                                         "wheel.fl.load",          "mount.chassis.y",
                                         "wheel.fl.turn_slip",     "wheel.fr.turn_slip"};
  const auto v = after(on_tires("0.03", "0.01"), 500, signals),
             w = after(on_tires("0.01", "0.01"), 500, signals);
  EXPECT_NEAR(v[0] / v[2] - w[0] / w[2], 0.02, 0.004);  // the suspension yields a little
  EXPECT_NEAR(v[0] + v[1], 0, 1e-8 * v[2]);
  EXPECT_NEAR(v[3], 0, 1e-9);
  EXPECT_NEAR(v[4], -v[5], 1e-9);
}

}  // namespace
}  // namespace registry_test
