// SPDX-License-Identifier: Apache-2.0

// chicane bench, as a user and a script see it. Times differ from machine to machine: what must
// hold is what they are the times of.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "testkit/program.hpp"

namespace bench_test {
namespace {

using testkit::Outcome;

Outcome chicane(const std::vector<std::string>& arguments) {
  return testkit::run_program(CHICANE_BINARY, arguments);
}

TEST(Bench, MeasuresTheFrameAndEveryBlockOfAVehicle) {
  const Outcome o = chicane({"bench", "hmmwv", "--until", "0.2s", "--step", "0.5ms", "--json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const auto j = nlohmann::json::parse(o.out);
  EXPECT_EQ(j.at("step"), 0.5e-3);
  std::set<std::string> names;
  double frame = 0, speedup = 0;
  for (const auto& row : j.at("rows")) {
    const std::string name = row.at("name");
    EXPECT_GT(row.at("value").get<double>(), 0.0) << name;
    EXPECT_EQ(row.at("unit"), name == "speedup" ? "1" : "us");
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    if (name == "frame") frame = row.at("value");
    if (name == "speedup") speedup = row.at("value");
  }
  EXPECT_NEAR(speedup * frame, 500.0, 1e-6);
  for (const char* block : {"mechanism", "wheel.fl", "wheel.rr", "powertrain", "brakes"})
    EXPECT_TRUE(names.contains(std::string("block.") + block)) << block;
}

TEST(Bench, FormulasAreOneBlock) {
  const Outcome o = chicane({"bench", "two-scale", "--scheme", "multiframe", "--ratio", "3"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("multiframe"), std::string::npos);
  EXPECT_NE(o.out.find("equations"), std::string::npos);
}

// At the step of a scheme for several rates a run with one rate would not get there.
TEST(Bench, MeasuresBlocksWhereTheRunItselfComes) {
  const std::vector<std::vector<std::string>> runs{
      {"planar-vehicle", "--scheme", "prk", "--step", "2ms"},
      {"two-scale", "--scheme", "multiframe", "--ratio", "4", "--step", "40ms"}};
  for (std::vector<std::string> run : runs) {
    run.insert(run.begin(), "bench");
    const Outcome o = chicane(run);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("equations"), std::string::npos) << o.out;
  }
}

TEST(Bench, SaysWhatItCannotMeasure) {
  const Outcome adaptive = chicane({"bench", "two-scale", "--scheme", "reference"});
  EXPECT_EQ(adaptive.code, 1);
  EXPECT_NE(adaptive.err.find("--scheme"), std::string::npos) << adaptive.err;
  const Outcome brief = chicane({"bench", "two-scale", "--until", "10ms", "--step", "1ms"});
  EXPECT_EQ(brief.code, 3);
  EXPECT_NE(brief.err.find("20 frames"), std::string::npos) << brief.err;
}

}  // namespace
}  // namespace bench_test
