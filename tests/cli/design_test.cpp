// SPDX-License-Identifier: Apache-2.0

// chicane design, and what designed pairs do to a vehicle.

#include <cmath>
#include <complex>

#include "testkit/cli.hpp"

namespace design_test {
namespace {

using Json = nlohmann::json;
using testkit::CliTest;

class Design : public CliTest {
 protected:
  // Error over peak of a transient of planar-vehicle: a jump of the wheel torques, chassis heaving
  // and pitching. And the evaluations a run of it takes.
  [[nodiscard]] std::vector<std::string> transient() const {
    return {"planar-vehicle",
            "--until",
            "1s",
            "--set",
            "T_f=-140 N m",
            "--set",
            "T_r=-140 N m",
            "--set",
            "chassis.vy=-0.3 m/s",
            "--set",
            "chassis.q=0.3 1/s",
            "--tableau"};
  }
  double error(const std::string& tableau, const std::string& step) const {
    std::vector<std::string> arguments{"compare"};
    for (const std::string& a : transient()) arguments.push_back(a);
    for (const std::string& a :
         {tableau, std::string("--schemes"), std::string("prk"), std::string("--steps"), step,
          std::string("--signals"),
          std::string("chassis.vx,chassis.vy,chassis.q,hub_f.vy,tire_f.y,tire_f.s,tire_f.F_x")})
      arguments.push_back(a);
    return json(arguments)["rows"][0]["error"].get<double>();
  }
  int evaluations(const std::string& tableau, const std::string& step) const {
    std::vector<std::string> arguments{"run"};
    for (const std::string& a : transient()) arguments.push_back(a);
    for (const std::string& a :
         {tableau, std::string("--scheme"), std::string("prk"), std::string("--step"), step})
      arguments.push_back(a);
    const Json counted = json(arguments)["evaluations"];
    return counted["slow"].get<int>() + counted["fast"].get<int>();
  }
};

TEST_F(Design, PrintsAPairWhoseConditionsHold) {
  const Json j = json({"design", "prk", "--slow", "2", "--fast", "4", "--consistent"});
  EXPECT_EQ(j["status"], "ok");
  EXPECT_EQ(j["order"], 2);
  EXPECT_LT(j["residual"].get<double>(), 1e-13);
  EXPECT_NEAR(j["imaginary_limit"].get<double>(), std::sqrt(8.0), 1e-6);
  EXPECT_NEAR(j["real_limit"].get<double>(), 2.785293563, 1e-6);
  EXPECT_EQ(j["file"], nullptr);
  int used = 0;
  for (const char* group : {"slow", "fast"}) {
    const auto A = j[group]["A"].get<std::vector<std::vector<double>>>();
    const auto b = j[group]["b"].get<std::vector<double>>();
    ASSERT_EQ(A.size(), 4u);
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      ASSERT_EQ(A[i].size(), 4u);
      double c = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        c += A[i][k];
        if (k >= i) {
          EXPECT_EQ(A[i][k], 0.0);
        }
      }
      EXPECT_NEAR(j["slow"]["c"][i].get<double>(), c, 1e-15);
      EXPECT_NEAR(j["fast"]["c"][i].get<double>(), c, 1e-15);
      sum += b[i] * c;
    }
    EXPECT_NEAR(sum, 0.5, 1e-14);
    if (group == std::string("slow"))
      for (std::size_t k = 0; k < 4; ++k) {
        bool column = b[k] != 0.0;
        for (const auto& row : A) column = column || row[k] != 0.0;
        used += column ? 1 : 0;
      }
  }
  EXPECT_EQ(used, 2);
}

TEST_F(Design, WritesAFileThatRunTakesAsItIs) {
  const auto made = chicane({"design", "prk", "--slow", "3", "--fast", "4", "--order", "3",
                             "--consistent", "--out", "pair.yaml"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.out.find("order 3, 3 slow and 4 fast"), std::string::npos) << made.out;
  const Json run = json({"run", "kpr", "--scheme", "prk", "--tableau", "pair.yaml", "--step", "1ms",
                         "--until", "1s"});
  EXPECT_EQ(run["status"], "ok");
  EXPECT_EQ(run["order"], 3);
  EXPECT_EQ(run["evaluations"]["slow"], 3000);
  EXPECT_EQ(run["evaluations"]["fast"], 4000);
}

TEST_F(Design, GivesPolynomials) {
  const Json j = json({"design", "polynomial", "--stages", "4", "--order", "1", "--axis", "real"});
  EXPECT_NEAR(j["limit"].get<double>(), 32, 1e-8);
  EXPECT_EQ(j["polynomial"].size(), 5u);
}

TEST_F(Design, RefusesWithTheReason) {
  const auto few = chicane({"design", "prk", "--slow", "2", "--fast", "5", "--order", "3"});
  EXPECT_EQ(few.code, 1);
  EXPECT_NE(few.err.find("needs at least 3 stages, and the slow one has 2"), std::string::npos)
      << few.err;
  EXPECT_EQ(chicane({"design", "prk", "--slow", "5", "--fast", "3"}).code, 1);
  EXPECT_EQ(chicane({"design", "prk", "--slow", "2", "--fast", "40"}).code, 1);
  EXPECT_EQ(chicane({"design", "polynomial", "--stages", "5", "--damping", "2"}).code, 1);
  EXPECT_EQ(chicane({"design", "prk", "--slow", "2", "--fast", "5", "--axis", "z"}).code, 2);
  EXPECT_EQ(chicane({"design", "prk", "--fast", "5"}).code, 2);
}

// The trap of unequal abscissae and its cure: with ring positions in the world, prk25 loses a good
// part of the speed or fails at 2 ms, which its linear limit allows; a consistent pair keeps it.
TEST_F(Design, ConsistentPairsRunWithPositionsInTheWorld) {
  const std::vector<std::string> base{"run", "planar-vehicle-inertial", "--until", "4s"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = base;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const double reference = json(with(
      {"--scheme", "single-rate", "--method", "rk4", "--step", "0.1ms"}))["final"]["chassis.vx"];
  for (const char* pair : {"prk25c", "prk26c", "prk36c"}) {
    const Json run = json(with({"--scheme", "prk", "--tableau", pair, "--step", "2ms"}));
    EXPECT_NEAR(run["final"]["chassis.vx"].get<double>(), reference, 2e-3) << pair;
  }
  EXPECT_EQ(chicane(with({"--scheme", "prk", "--step", "2ms", "--json"})).code, 3);
}

// The question the paper ends with: do pairs of third order pay? At an error of a thousandth they
// need half the evaluations of prk25 and less. At an error of a hundredth they do not: the step is
// bounded by stability, which both have.
TEST_F(Design, PairsOfThirdOrderNeedFewerEvaluationsForSmallErrors) {
  const double second = error("prk25", "0.5ms");
  EXPECT_LT(second, 1.5e-3);  // so that "a thousandth" is what is compared
  EXPECT_GT(second, 0.5e-3);
  for (const auto& [pair, step] : {std::pair{"prk35c", "1ms"}, std::pair{"prk36c", "1.25ms"}}) {
    EXPECT_LT(error(pair, step), second) << pair;
    EXPECT_LT(evaluations(pair, step), 0.6 * evaluations("prk25", "0.5ms")) << pair;
  }
  EXPECT_LT(error("prk25", "1.6ms"), 0.015);
  EXPECT_GT(evaluations("prk36c", "2ms"), 0.95 * evaluations("prk25", "1.6ms"));
}

}  // namespace
}  // namespace design_test
