// SPDX-License-Identifier: Apache-2.0

// The session: one door to a model in motion.

#include "session/session.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <thread>

#include "analysis/linearize.hpp"
#include "io/checkpoint.hpp"
#include "session/recorder.hpp"
#include "simulation/simulation.hpp"

namespace session_test {
namespace {

using namespace chicane;

// Two rates, an input, and an event that changes the method and another that changes the ratio.
constexpr const char* kTwoRates = R"(format: chicane/1
run: {scheme: multiframe, method: ab2, step: 10 ms, ratio: 4, until: 2 s}
parameters: {w: 30 rad/s, z: 0.2, k: 2 1/s, gain: 1}
inputs: {push: 0.5 1/s^2}
groups:
  fast:
    states:
      x: {der: v, initial: 1}
      v: {der: -2*z*w*v - w^2*(x - gain*y) + push, unit: 1/s}
  slow:
    states:
      y: {der: -k*(y - x)}
events:
  faster: {when: "t >= 1[s]", do: [{ratio: 8}]}
  finer: {when: "t >= 1.5[s]", do: [{method: am2}, {step: 5 ms}]}
)";

Session two_rates(const std::vector<std::pair<std::string, std::string>>& run = {}) {
  auto session = Session::open({.model = "two-rates", .text = kTwoRates, .run = run});
  EXPECT_TRUE(session) << session.error().text;
  return std::move(*session);
}

double value(const Session& s, std::string_view name) {
  const auto found = s.value(name);
  EXPECT_TRUE(found) << found.error().text;
  return found ? *found : std::nan("");
}

// Bit for bit: the states and everything a restart needs.
bool alike(const Session& a, const Session& b) {
  return a.simulation().state() == b.simulation().state();
}

TEST(Session, RunsAModelToItsEndAsASimulationDoes) {
  Session session = two_rates();
  EXPECT_EQ(session.run(), RunState::at_end);
  EXPECT_EQ(session.time(), 2.0);
  Simulation plain(session.structure(), two_rates().simulation().plan());
  while (plain.time() < 2.0) ASSERT_EQ(plain.step(), Status::ok);
  EXPECT_EQ(session.simulation().state(), plain.state());
}

TEST(Session, FindsTheSameInWhateverPortionsItIsAdvanced) {
  Session whole = two_rates(), single = two_rates(), uneven = two_rates();
  whole.run();
  while (single.step() == RunState::going_on) {
  }
  for (std::size_t n = 1; uneven.advance({.frames = n}) == RunState::going_on; n = n * 3 % 17 + 1) {
  }
  EXPECT_TRUE(alike(whole, single));
  EXPECT_TRUE(alike(whole, uneven));
  EXPECT_EQ(whole.warnings().size(), single.warnings().size());
}

TEST(Session, ReadsAnySignalAtAnyTime) {
  Session session = two_rates();
  ASSERT_TRUE(session.record({"x", "y"}));
  const Signal x = *session.signal("x"), v = *session.signal("v");
  std::vector<double> read{session.value(x)};
  while (session.step() == RunState::going_on) {
    EXPECT_EQ(session.value(v), value(session, "v"));
    read.push_back(session.value(x));
  }
  (void)session.finish();
  const auto recorded = session.column("x");
  ASSERT_TRUE(recorded);
  ASSERT_GE(recorded->size(), read.size());
  for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ((*recorded)[i], read[i]) << i;
}

TEST(Session, RecordsFramesOfOneLayout) {
  Session session = two_rates();
  ASSERT_TRUE(session.record({"y", "x"}, 2));
  const auto fields = session.layout().fields();
  ASSERT_EQ(fields.size(), 5u);
  EXPECT_EQ(fields[3].name, "y");
  EXPECT_EQ(fields[4].offset, 32u);
  std::int64_t sequence = 0;
  session.on_frame([&](const Frame& frame) {
    EXPECT_EQ(frame.sequence(), sequence++);
    EXPECT_EQ(frame.bytes().size(), session.layout().bytes());
    EXPECT_EQ(seconds(frame.tick()), frame.time());
  });
  session.run_until(0.5);
  EXPECT_EQ(sequence, 25);
  EXPECT_EQ(session.column("time")->size(), 25u);
  Session other = two_rates();
  ASSERT_TRUE(other.record({"x", "y"}, 2));
  EXPECT_NE(session.layout().hash(), other.layout().hash()) << "another order";
  EXPECT_FALSE(session.column("v")) << "it is not recorded";
  EXPECT_FALSE(session.record({"nothing"}));
}

TEST(Session, SetsParametersAndInputsWithTheirUnits) {
  Session session = two_rates();
  ASSERT_TRUE(session.set("w", "3000 deg/s"));
  EXPECT_NEAR(session.value(*session.parameter("w")), 3000 * M_PI / 180, 1e-12);
  ASSERT_TRUE(session.set("push", "2 1/s^2"));
  EXPECT_EQ(session.value(*session.input("push")), 2.0);
  const auto refused = session.set("w", "3 kg");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("a mass"), std::string::npos) << refused.error().text;
  EXPECT_FALSE(session.set("w", "nan rad/s"));
  EXPECT_FALSE(session.set(*session.parameter("w"), std::nan("")));
  EXPECT_FALSE(session.set(*session.input("push"), INFINITY));
  const auto unknown = session.set("pusch", "1 1/s^2");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().text.find("did you mean 'push'?"), std::string::npos);
}

// A run whose parameter was set is the run of the model that has it from the start.
TEST(Session, AParameterSetBeforeTheFirstFrameIsThatOfTheFile) {
  Session set = two_rates();
  ASSERT_TRUE(set.set("z", "0.4"));
  auto given = Session::open({.model = "two-rates", .text = kTwoRates, .set = {"z=0.4"}});
  ASSERT_TRUE(given);
  set.run();
  given->run();
  EXPECT_EQ(value(set, "x"), value(*given, "x"));
}

TEST(Session, HandlesServeTheirOwnModelAndItsBranches) {
  Session session = two_rates(), other = two_rates();
  const Signal x = *session.signal("x");
  EXPECT_EQ(session.branch().value(x), session.value(x));
  EXPECT_THROW((void)other.value(x), UsageError);
  EXPECT_FALSE(session.signal("xx"));
}

TEST(Session, FaultsAreThoseOfTheCommandLine) {
  const auto session =
      Session::open({.model = "m", .text = "format: chicane/1\nstates: {x: {der: y}}\n"});
  ASSERT_FALSE(session);
  ASSERT_EQ(session.error().faults.size(), 1u);
  EXPECT_EQ(session.error().faults[0].where.line, 2);
  EXPECT_NE(session.error().text.find("m:2: states.x.der"), std::string::npos)
      << session.error().text;
  EXPECT_FALSE(Session::open("no-such-model"));
}

TEST(Session, ABranchGoesOnBitForBit) {
  for (const double at : {0.0, 0.37, 1.2, 1.77}) {
    Session session = two_rates();
    session.run_until(at);
    ASSERT_TRUE(session.set("push", "3 1/s^2"));
    Session branch = session.branch();
    EXPECT_EQ(session.run(), RunState::at_end);
    EXPECT_EQ(branch.run(), RunState::at_end);
    EXPECT_TRUE(alike(session, branch)) << at;
  }
}

TEST(Session, GoesBackToASavedState) {
  Session session = two_rates();
  session.run_until(0.6);
  const Session::Snapshot early = session.save();
  session.run_until(1.3);  // events have changed the ratio
  ASSERT_TRUE(session.change("method", "rk4"));
  ASSERT_TRUE(session.move("slow", "other"));
  session.run_until(1.4);
  ASSERT_TRUE(session.restore(early));
  EXPECT_NEAR(session.time(), 0.6, 1e-12);
  session.run();
  Session straight = two_rates();
  straight.run();
  EXPECT_TRUE(alike(session, straight));
  Session other = two_rates();
  EXPECT_FALSE(other.restore(early)) << "a snapshot of another model";
  EXPECT_FALSE(other.restore(Session::Snapshot()));
}

TEST(Session, ACheckpointIsText) {
  Session session = two_rates(), second = two_rates();
  session.run_until(0.9);
  const std::string text = session.checkpoint();
  ASSERT_TRUE(second.restore(text));
  session.run();
  second.run();
  EXPECT_TRUE(alike(session, second));
  EXPECT_FALSE(second.restore(text.substr(0, text.size() / 2)));
  EXPECT_TRUE(alike(session, second)) << "a refused checkpoint changes nothing";
}

// A rate of a loop follows from the others: another one, under a right checksum, is no state of a
// run.
TEST(Session, DoesNotGoBackToATornLoop) {
  auto session = Session::open({.model = "four-bar"});
  ASSERT_TRUE(session) << session.error().text;
  session->run_until(0.1);
  const std::string good = session->checkpoint(), key = "\"D.angle_rate\": ";
  const std::size_t at = good.find(key) + key.size();
  std::size_t digits = 0;
  const double rate = std::stod(good.substr(at), &digits);
  const std::string torn =
      with_checksum(good.substr(0, at) + fmt::format("{}", 1.01 * rate) + good.substr(at + digits));
  const Session before = session->branch();
  const auto refused = session->restore(torn);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("its states do not belong together: 'D.angle_rate' is "),
            std::string::npos)
      << refused.error().text;
  EXPECT_TRUE(alike(*session, before));
  EXPECT_TRUE(session->restore(good));
}

// What is refused: why, and that the run is what it would have been.
TEST(Session, ARefusedChangeLeavesItAsItWas) {
  const std::pair<std::string, std::string> changes[] = {{"step", "5 km"},
                                                         {"step", "0 s"},
                                                         {"step", "0.5 ps"},
                                                         {"step", ""},
                                                         {"ratio", "0"},
                                                         {"ratio", "-3"},
                                                         {"ratio", "middle=2"},
                                                         {"method", "rk44"},
                                                         {"interp", "interp9"},
                                                         {"scheme", "double"},
                                                         {"interp", "nothing=hold"},
                                                         {"until", "1 s"},
                                                         {"iterations", "inner=0"},
                                                         {"tableau", "none"},
                                                         {"order", "sideways"},
                                                         {"nonsense", "1"}};
  Session session = two_rates();
  session.run_until(0.31);
  Session undisturbed = session.branch();
  for (const auto& [key, value] : changes) {
    const auto refused = session.change(key, value);
    EXPECT_FALSE(refused) << key << " " << value;
    if (!refused) {
      EXPECT_FALSE(refused.error().text.empty()) << key;
    }
    EXPECT_TRUE(alike(session, undisturbed)) << key << " " << value;
  }
  EXPECT_FALSE(session.move("nowhere", "slow"));
  EXPECT_FALSE(session.move("slow", ""));
  session.run();
  undisturbed.run();
  EXPECT_TRUE(alike(session, undisturbed));
}

TEST(Session, ChangesWhatRunsWithoutAJump) {
  Session session = two_rates({{"until", "0.95 s"}});
  Session exact = two_rates(
      {{"scheme", "single-rate"}, {"method", "rk4"}, {"step", "0.1 ms"}, {"until", "0.95 s"}});
  const std::pair<std::string, std::string> changes[] = {
      {"ratio", "8"},    {"step", "5 ms"},        {"interp", "interp2"}, {"method", "fast=rk4"},
      {"method", "am2"}, {"scheme", "prk"},       {"step", "2.5 ms"},    {"scheme", "single-rate"},
      {"step", "1 ms"},  {"scheme", "multiframe"}};
  for (const auto& [key, value] : changes) {
    session.run_until(session.time() + 0.08);
    const double before = session_test::value(session, "x");
    const auto done = session.change(key, value);
    ASSERT_TRUE(done) << key << ": " << done.error().text;
    EXPECT_EQ(session_test::value(session, "x"), before) << key;
  }
  session.run();
  exact.run();
  // 10 ms and ab2 on a mode of 30 rad/s in the first part: some thousandths.
  EXPECT_NEAR(session_test::value(session, "y"), session_test::value(exact, "y"), 5e-3);
}

// Errors at the end of runs that change on their way, at a step and at half of it: all methods here
// are of order two, and none of the changes may cost one.
TEST(Session, KeepsItsOrderAcrossChanges) {
  constexpr const char* kModel = R"(format: chicane/1
run: {scheme: multiframe, method: ab2, interp: interp1, step: 1 ms, ratio: 4, until: 2 s}
parameters: {c: 0.4 1/s, w: 20 1/s, f: 2 1/s, k: 1 1/s}
groups:
  fast:
    states:
      x: {der: v, initial: 1}
      v: {der: -c*v - w^2*(x + 0.1*x^3 - y), unit: 1/s}
  slow:
    states:
      y: {der: f*cos(f*t) - k*(y - x)}
)";
  using Changes = std::vector<std::pair<std::string, std::string>>;
  // Over and over, every 10 ms at a step of 1 ms: what one change costs adds up to an order.
  const auto at_end = [&](const Changes& run, const Changes& changes, double pause) {
    auto session = Session::open({.model = "m", .text = kModel, .run = run});
    EXPECT_TRUE(session) << session.error().text;
    for (std::size_t i = 0; !changes.empty() && static_cast<double>(i + 2) * pause < 2.0; ++i) {
      session->run_until(static_cast<double>(i + 1) * pause);
      const auto& [key, value] = changes[i % changes.size()];
      const auto done = key == "move" ? session->move("slow", value) : session->change(key, value);
      EXPECT_TRUE(done) << key << ": " << done.error().text;
    }
    EXPECT_EQ(session->run(), RunState::at_end);
    EXPECT_NEAR(session->time(), 2.0, 1e-9);
    return std::pair{value(*session, "x"), value(*session, "y")};
  };
  const auto exact =
      at_end({{"scheme", "single-rate"}, {"method", "rk4"}, {"step", "0.05 ms"}}, {}, 1.0);
  for (const Changes& changes :
       {Changes{{"ratio", "8"}, {"ratio", "2"}}, Changes{{"method", "fast=rk2"}, {"method", "am2"}},
        Changes{{"interp", "interp2"}, {"ratio", "4"}, {"interp", "interp1"}},
        Changes{{"scheme", "single-rate"}, {"scheme", "multiframe"}},
        Changes{{"step", "half"}, {"step", "whole"}}, Changes{{"move", "middle"}, {"move", "slow"}},
        Changes{{"scheme", "prk"}, {"method", "ab2"}, {"scheme", "multiframe"}}}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      const double step = k == 0 ? 1.0 : 0.5;  // [ms]
      Changes own = changes;
      for (auto& [key, value] : own)
        if (key == "step") value = fmt::format("{} ms", value == "half" ? step / 2 : step);
      const auto [x, y] = at_end({{"step", fmt::format("{} ms", step)}}, own, 0.01 * step);
      error[k] = std::hypot(x - exact.first, y - exact.second);
    }
    EXPECT_GT(std::log2(error[0] / error[1]), 1.8) << changes.front().first << " " << error[0];
    EXPECT_GT(error[1], 1e-9) << "nothing to tell an order from";
  }
}

TEST(Session, MovesABlockToAnotherGroup) {
  Session session = two_rates();
  session.run_until(0.2);
  const double before = value(session, "y");
  ASSERT_TRUE(session.move("slow", "middle"));
  EXPECT_EQ(value(session, "y"), before);
  EXPECT_EQ(session.structure()->groups.size(), 2);
  EXPECT_EQ(session.run(), RunState::at_end) << session.failure();
}

TEST(Session, MetricsGoOnAcrossChangesOfGroups) {
  const std::string text = std::string(kTwoRates) + "metrics: {peak: {max: x}, mean: {mean: y}}\n";
  const auto open = [&] { return std::move(*Session::open({.model = "m", .text = text})); };
  Session plain = open(), moved = open();
  plain.run();
  moved.run_until(0.5);
  ASSERT_TRUE(moved.change("interp", "interp1"));
  ASSERT_TRUE(moved.move("slow", "other"));
  moved.run();
  const auto a = plain.finish(), b = moved.finish();
  ASSERT_EQ(a.size(), 2u);
  ASSERT_EQ(b.size(), 2u);
  EXPECT_EQ(*a[0].value, *b[0].value) << "the peak was before the change";
  EXPECT_NEAR(*a[1].value, *b[1].value, 1e-3);
}

TEST(Session, SaysWhyItCannotGoOn) {
  auto session = Session::open({.model = "m", .text = R"(format: chicane/1
run: {method: ab2, step: 10 ms, until: 10 s}
states: {x: {der: "x^2/1[s]", initial: 1}}
)"});
  ASSERT_TRUE(session) << session.error().text;
  EXPECT_EQ(session->run(), RunState::failed);
  EXPECT_NE(session->failure().find("state 'x'"), std::string::npos) << session->failure();
  EXPECT_EQ(session->step(), RunState::failed) << "it stays where it is";
}

TEST(Session, TwoThreadsRunTwoSessions) {
  Session a = two_rates(), b = a.branch();
  std::thread beside([&] { b.run(); });
  a.run();
  beside.join();
  EXPECT_TRUE(alike(a, b));
}

TEST(Session, ComesAndGoesAThousandTimes) {
  Session first = two_rates();
  first.run_until(0.1);
  for (int i = 0; i < 1000; ++i) {
    Session again = i % 2 == 0 ? first.branch() : two_rates();
    again.run_until(0.1);
    ASSERT_TRUE(alike(again, first)) << i;
  }
}

}  // namespace
}  // namespace session_test
