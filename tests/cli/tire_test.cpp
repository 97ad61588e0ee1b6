// SPDX-License-Identifier: Apache-2.0

// chicane tire, and tires of type magic-formula in vehicles, as users meet them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "testkit/cli.hpp"
#include "testkit/magic_tires.hpp"

namespace tire_test {
namespace {

using Json = nlohmann::json;

constexpr const char* kVehicle = R"yaml(
format: chicane/1
base: hmmwv
vehicle:
  axles:
    front: {tire: {type: magic-formula, file: t.tir}}
    rear: {tire: {type: magic-formula, file: t.tir}}
)yaml";

class TireFile : public testkit::CliTest {
 protected:
  void SetUp() override {
    testkit::CliTest::SetUp();
    dir_.write("t.tir", testkit::kMagic61);
  }
  void refused(const std::vector<std::string>& arguments, const std::string& part) const {
    const auto outcome = chicane(arguments);
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }
  static std::vector<double> row(const std::string& line) {
    std::vector<double> values;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) values.push_back(std::stod(cell));
    return values;
  }
};

TEST_F(TireFile, IsSummedUpAndDrawn) {
  const Json j = json({"tire", "t.tir", "--plot", "--out", "maps"});
  EXPECT_EQ(j.at("status"), "ok");
  EXPECT_EQ(j.at("version"), "6.1");
  EXPECT_EQ(j.at("side"), "right");
  EXPECT_EQ(j.at("use_mode").at("forces"), 4);
  EXPECT_TRUE(j.at("unknown").empty());
  EXPECT_GT(j.at("defaulted").size(), 20U);  // the scaling factors
  EXPECT_GT(j.at("nominal").at("corner").at("friction"), 0.9);
  EXPECT_FALSE(dir_.read("maps/manifest.json").empty());
}

TEST_F(TireFile, EvaluatesPoints) {
  const auto& [in, out] = testkit::kReference61TurnSlip[0];
  std::string csv = "Fz,kappa,alpha,gamma,phit,Vx,P\n";
  for (int i = 0; i < 7; ++i) csv += fmt::format("{}{}", in[i], i < 6 ? "," : "\n");
  dir_.write("in.csv", csv);
  const Json j = json(
      {"tire", "t.tir", "--points", "in.csv", "--out", "out.csv", "--alpha-star", "--turn-slip"});
  EXPECT_EQ(j.at("points"), 1);
  std::istringstream lines(dir_.read("out.csv"));
  std::string header, line;
  std::getline(lines, header);
  EXPECT_TRUE(header.starts_with("Fz,kappa,alpha,gamma,phit,Vx,P,Fx,Fy,Mx,My,Mz,Re,rho,Rl,"));
  std::getline(lines, line);
  const auto values = row(line);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(values[i], in[i]);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(values[7 + i], out[i], (i < 5 ? 1e-9 : 1e-6) * std::fabs(out[i])) << i;
}

// Inputs of a table with results: those marked count, whatever stands beside them.
TEST_F(TireFile, ReadsTheMarkedInputsOfATable) {
  dir_.write("plain.csv", "Fz,kappa,alpha,gamma,phit,Vx,P\n4000,0.01,0.02,0,0,16,0\n");
  dir_.write("marked.csv",
             "Fz_in,kappa_in,alpha_in,gamma_in,phit_in,Vx_in,P_in,Fx,kappa\n"
             "4000,0.01,0.02,0,0,16,0,1,0.5\n");
  json({"tire", "t.tir", "--points", "plain.csv", "--out", "a.csv"});
  json({"tire", "t.tir", "--points", "marked.csv", "--out", "b.csv"});
  EXPECT_EQ(dir_.read("a.csv"), dir_.read("b.csv"));
}

TEST_F(TireFile, SaysWhereForcesAreNotFinite) {
  std::string text = testkit::kMagic61;
  const std::size_t at = text.find("PKX3 =");
  dir_.write("wild.tir",
             text.substr(0, at) + "PKX3 = 1e11\n" + text.substr(text.find('\n', at) + 1));
  dir_.write("in.csv", "Fz,kappa,alpha,gamma,phit,Vx,P\n9000,0.01,0.02,0,0,16,0\n");
  refused({"tire", "wild.tir", "--points", "in.csv"}, "at 1 of 1 points they are not finite");
}

TEST_F(TireFile, IsRefusedWithLineAndKey) {
  std::string text = testkit::kMagic61;
  const std::size_t at = text.find("PCX1 =");
  dir_.write("bad.tir", text.substr(0, at) + "PCX1 = much\n" + text.substr(text.find('\n', at)));
  refused({"tire", "bad.tir"}, "PCX1: 'much' is not a finite number");
  refused({"tire", "nothing.tir"}, "there is no");
  dir_.write("points.csv", "Fz,kappa\n1,2\n");
  refused({"tire", "t.tir", "--points", "points.csv"}, "alpha");
  refused({"tire", "t.tir", "--signs", "adapted-sae"}, "--signs iso would fit");
}

TEST_F(TireFile, CarriesAVehicleAndIsInItsEcho) {
  dir_.write("car.yaml", kVehicle);
  const Json j = json({"run", "car.yaml", "--until", "0.2", "--out", "first"});
  EXPECT_EQ(j.at("status"), "ok");
  std::filesystem::remove(std::filesystem::path(dir_.path()) / "t.tir");
  const Json again = json({"run", "first/echo.yaml", "--out", "second"});
  EXPECT_EQ(dir_.read("first/results.csv"), dir_.read("second/results.csv"));
  EXPECT_EQ(again.at("status"), "ok");
  refused({"run", "car.yaml"}, "cannot read the tire file");
}

}  // namespace
}  // namespace tire_test
