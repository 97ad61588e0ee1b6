// SPDX-License-Identifier: Apache-2.0

// The adviser, as scripts meet it.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "testkit/program.hpp"

namespace advise_test {
namespace {

using Json = nlohmann::json;

class Advise : public testing::Test {
 protected:
  testkit::Outcome chicane(const std::vector<std::string>& arguments) const {
    return testkit::run_program(CHICANE_BINARY, arguments, dir_.path());
  }
  testkit::TemporaryDirectory dir_;
};

// The command that is given runs, and its run ends where an accurate one does.
TEST_F(Advise, GivesACommandThatIsAsAccurateAsAsked) {
  const auto outcome = chicane({"advise", "two-scale", "--accuracy", "1e-3", "--signals", "x1,x3",
                                "--until", "8s", "--set", "z2=0.8", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json j = Json::parse(outcome.out);
  for (const char* key : {"proposal", "single_rate"}) {
    const Json& way = j.at(key);
    EXPECT_LE(way.at("error").get<double>(), 1e-3) << key;
    EXPECT_GT(way.at("cost_us").get<double>(), 0) << key;
    EXPECT_GT(way.at("step").get<double>(), 0) << key;
  }
  EXPECT_NEAR(j.at("gain").get<double>(),
              j.at("single_rate").at("cost_us").get<double>() /
                  j.at("proposal").at("cost_us").get<double>(),
              1e-9);
  EXPECT_GE(j.at("gain").get<double>(), 1.0);
  EXPECT_FALSE(j.at("reason").get<std::string>().empty());
  // A frame is evaluations and what the scheme does besides: those of rk5 are six, of everything.
  for (const Json& way : j.at("tried")) {
    const Json& of = way.at("evaluations");
    if (way.at("method") == "rk5") {
      EXPECT_EQ(of.at("all").at("count"), 6.0);
    }
    if (way.at("scheme") == "pece-multirate") {
      EXPECT_EQ(of.at("slow").at("count"), 2.0);
      EXPECT_EQ(of.at("fast").at("count").get<double>(), 2 * way.at("ratio").get<double>());
    }
  }
  EXPECT_GE(j.at("tried").size(), 6u);
  EXPECT_EQ(j.at("blocks").size(), 2u);

  std::istringstream line(j.at("command").get<std::string>());
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  ASSERT_GT(words.size(), 3u);
  EXPECT_EQ(words[0], "chicane");
  words.erase(words.begin());
  words.emplace_back("--json");
  const auto run = chicane(words);
  ASSERT_EQ(run.code, 0) << run.err;
  const Json found = Json::parse(run.out);
  const auto reference = chicane({"run", "two-scale", "--scheme", "reference", "--step", "10ms",
                                  "--until", "8s", "--set", "z2=0.8", "--json"});
  const Json accurate = Json::parse(reference.out);
  // Frames need not end at the same instant: x3 moves by at most 1 a second.
  const double apart = 8.0 - found.at("end_time").get<double>();
  EXPECT_NEAR(found.at("final").at("x3").get<double>(), accurate.at("final").at("x3").get<double>(),
              2e-3 + apart);
}

TEST_F(Advise, SaysWhatIsWrong) {
  const auto accuracy = chicane({"advise", "two-scale", "--accuracy", "2"});
  EXPECT_EQ(accuracy.code, 1);
  EXPECT_NE(accuracy.err.find("--accuracy"), std::string::npos) << accuracy.err;
  const auto budget = chicane({"advise", "two-scale", "--budget-us", "0"});
  EXPECT_EQ(budget.code, 1);
  EXPECT_NE(budget.err.find("--budget-us"), std::string::npos) << budget.err;
  const auto signal = chicane({"advise", "two-scale", "--signals", "nothing"});
  EXPECT_EQ(signal.code, 1);
  EXPECT_NE(signal.err.find("nothing"), std::string::npos) << signal.err;
}

// Whatever a frame takes here: what is proposed fits where anything fits, and the answer says
// whether.
TEST_F(Advise, KeepsTheBudgetWhereItCan) {
  const std::vector<std::string> question{"advise",  "two-scale", "--accuracy", "1e-2",
                                          "--until", "2s",        "--json"};
  const auto asked = [&](double budget) {
    std::vector<std::string> words = question;
    words.insert(words.end(), {"--budget-us", std::to_string(budget)});
    const auto outcome = chicane(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  };
  const Json free = Json::parse(chicane(question).out);
  EXPECT_TRUE(free.at("in_budget").get<bool>());
  const double frame = free.at("proposal").at("frame_us").get<double>();
  for (const double budget : {10 * frame, 0.5 * frame}) {
    const Json j = asked(budget);
    bool any = false;
    for (const Json& way : j.at("tried"))
      any = any || (way.at("accurate").get<bool>() && way.at("frame_us").get<double>() <= budget);
    EXPECT_EQ(j.at("in_budget").get<bool>(), any);
    EXPECT_EQ(j.at("proposal").at("frame_us").get<double>() <= budget, any);
  }
  const Json impossible = asked(1e-6);
  EXPECT_FALSE(impossible.at("in_budget").get<bool>());
  EXPECT_NE(impossible.at("reason").get<std::string>().find("too much"), std::string::npos);
}

TEST_F(Advise, SaysWhenNothingIsAccurate) {
  // A jump that no frame meets.
  dir_.write("jump.yaml",
             "format: chicane/1\nunits: none\nrun: {until: 1 s}\n"
             "states: {x: {der: \"if(t < 0.1234567, 0, 1e6*sign(sin(1e5*t)))\"}}\n");
  const auto outcome = chicane({"advise", "jump.yaml", "--accuracy", "1e-9"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_FALSE(outcome.err.empty());
}

}  // namespace
}  // namespace advise_test
