// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"
#include "testkit/models.hpp"

namespace chicane::checkpoint_test {
namespace {

struct Case {
  Spec spec;
  std::shared_ptr<const ModelStructure> structure;
  RunPlan run;
};

Case load(const std::string& text) {
  Diagnostics diag;
  auto spec = read_model_text(text, "m.yaml", diag);
  EXPECT_TRUE(spec) << diag.text();
  auto structure = compile_for_run(*spec, diag);
  auto run = plan_run(*spec, *structure, diag);
  EXPECT_TRUE(run) << diag.text();
  return {std::move(*spec), std::move(structure), std::move(*run)};
}

constexpr const char* kSpring = R"yaml(
format: chicane/1
run: {method: rk4, step: 1 ms}
parameters: {k: 40 1/s^2, c: 1 1/s}
states:
  x: {der: v, initial: 1 m, unit: m}
  v: {der: "-k*x - c*v", initial: 0 m/s, unit: m/s}
)yaml";

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string fault_of(const std::string& saved, const Case& now, bool with_changes = false) {
  const Simulation simulation(now.structure, now.run.plan);
  Diagnostics diag;
  const auto c =
      read_checkpoint(saved, "c.json", simulation, diag, {fingerprint_of(now.spec), with_changes});
  EXPECT_EQ(c.has_value(), diag.ok());
  return diag.text();
}

std::string saved_after(const Case& c, int steps) {
  Simulation simulation(c.structure, c.run.plan);
  for (int i = 0; i < steps; ++i) EXPECT_EQ(simulation.step(), Status::ok);
  return write_checkpoint(simulation, fingerprint_of(c.spec));
}

TEST(Checkpoints, AreRefusedWhenAnyByteIsAnother) {
  const Case c = load(kSpring);
  const std::string good = saved_after(c, 20);
  EXPECT_EQ(fault_of(good, c), "");
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = bad[i] == '7' ? '8' : '7';
    EXPECT_NE(fault_of(bad, c), "") << i;
  }
  for (std::size_t i = 0; i < good.size(); i += 97) EXPECT_NE(fault_of(good.substr(0, i), c), "");
  EXPECT_NE(fault_of(good + "\n", c), "");
}

TEST(Checkpoints, NameWhatIsNotAsItWasSaved) {
  const Case c = load(kSpring);
  const std::string saved = saved_after(c, 20);
  const auto names = [&](const std::string& from, const std::string& to, const char* named) {
    const std::string fault = fault_of(saved, load(changed(kSpring, from, to)));
    EXPECT_NE(fault.find(named), std::string::npos) << fault;
  };
  names("k: 40", "k: 41", "parameters.k was");
  names("step: 1 ms", "step: 2 ms", "run.step was 1 ms and is 2 ms");
  names("method: rk4", "method: ab2", "run.method was rk4 and is ab2");
  names("-k*x - c*v", "-k*x - 2*c*v", ".states.v was");
  names("states:\n", "inputs: {u: 3 N}\nstates:\n", "inputs.u is new");
  // what is only said or written makes no difference
  EXPECT_EQ(fault_of(saved, load(changed(kSpring, "step: 1 ms", "step: 1 ms, until: 77 s"))), "");
  EXPECT_EQ(fault_of(saved, load(std::string(kSpring) + "description: a spring\n")), "");
  EXPECT_NE(fault_of("{\n \"format\": \"chicane-checkpoint/1\",\n", c).find("save it anew"),
            std::string::npos);
}

TEST(Checkpoints, TakeNewParametersAndTheNewPlanOnRequestOnly) {
  const Case old = load(kSpring);
  const Case stiff = load(changed(kSpring, "k: 40", "k: 90"));
  const std::string saved = saved_after(old, 20);
  Simulation simulation(stiff.structure, stiff.run.plan);
  Diagnostics diag;
  const auto c =
      read_checkpoint(saved, "c.json", simulation, diag, {fingerprint_of(stiff.spec), true});
  ASSERT_TRUE(c) << diag.text();
  ASSERT_EQ(c->changes.size(), 1U);
  simulation.restore(c->state, c->plan);
  EXPECT_EQ(testkit::value_in(simulation, "k"), 90.0);
  EXPECT_EQ(testkit::value_in(simulation, "c"), 1.0);
  EXPECT_EQ(simulation.time(), 0.02);
}

// Under a right checksum, too, nothing gets in that no run can have.
TEST(Checkpoints, AreLookedThroughBeforeTheyAreUsed) {
  const Case c = load(kSpring);
  const std::string good = saved_after(c, 20);
  const auto refused = [&](const std::string& from, const std::string& to) {
    const std::string fault = fault_of(with_checksum(changed(good, from, to)), c);
    EXPECT_NE(fault, "") << from << " -> " << to;
  };
  EXPECT_EQ(fault_of(with_checksum(good), c), "");
  refused("\"tick\": 40", "\"tick\": 1e300");
  refused("\"tick\": 40", "\"tick\": -1");
  refused("\"tick\": 40", "\"tick\": 9223372036854775807");
  refused("\"tick\": 40", "\"tick\": 18446744073709551615");
  refused("\"unit\": ", "\"unit\": 1");
  refused("\"unit\": ", "\"unit\": -");
  refused("\"origin\": 0", "\"origin\": 4.5");
  refused("\"frames\": 20", "\"frames\": \"many\"");
  refused("\"step_ps\": ", "\"step_ps\": 1");
  refused("\"depth\": ", "\"depth\": 1");
  refused("\"x\": ", "\"x\": \"nan\", \"y\": ");
  refused("\"v\": -", "\"v\": 1e999 -");
  refused("\"method\": \"rk4\"", "\"method\": \"none\"");
  refused("\"groups\": [", "\"groups\": [0, ");
}

// The choice of coordinates of a mechanism is a code, which indexes rows.
TEST(Checkpoints, RefuseAChoiceOfCoordinatesThatIsNone) {
  const auto structure = testkit::compiled_builtin("four-bar");
  Simulation simulation(structure, testkit::plan("rk4", 1e-3));
  for (int i = 0; i < 5; ++i) ASSERT_EQ(simulation.step(), Status::ok);
  const std::string good = write_checkpoint(simulation);
  const std::size_t at = good.find("\"value\": ", good.find("loops.choice_1")) + 9;
  const std::size_t end = good.find_first_of(",\n", at);
  for (const char* code : {"\"nan\"", "-1", "0.5", "1e300", "0", "4503599627370495", "1"}) {
    const std::string bad = with_checksum(good.substr(0, at) + code + good.substr(end));
    Diagnostics diag;
    EXPECT_FALSE(read_checkpoint(bad, "c.json", simulation, diag)) << code;
  }
}

// Whatever is changed under a right checksum is refused, or is a state a run goes on from without
// harm: sanitizers watch it.
TEST(Checkpoints, NeverDoHarm) {
  std::mt19937 random(5);
  const auto structure = testkit::compiled(testkit::kEverything);
  Simulation simulation(structure, testkit::plan("ab3", 1e-3));
  for (int i = 0; i < 50; ++i) ASSERT_EQ(simulation.step(), Status::ok);
  const std::string good = write_checkpoint(simulation);
  constexpr std::string_view kBytes = "0123456789-+.e\",:[]{}nt \n";
  int taken = 0;
  for (int k = 0; k < 400; ++k) {
    std::string bad = good;
    for (int edits = 1 + static_cast<int>(random() % 3); edits > 0; --edits)
      bad[120 + random() % (bad.size() - 120)] = kBytes[random() % kBytes.size()];
    Diagnostics diag;
    Simulation other(structure, testkit::plan("ab3", 1e-3));
    const auto c = read_checkpoint(with_checksum(bad), "c.json", other, diag);
    ASSERT_EQ(c.has_value(), diag.ok());
    if (!c) continue;
    ++taken;
    other.restore(c->state, c->plan);
    for (int i = 0; i < 3; ++i) (void)other.step();
  }
  EXPECT_GT(taken, 20);  // digits of numbers, mostly
}

}  // namespace
}  // namespace chicane::checkpoint_test
