// chicane topology, as a user and a script see it.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testkit/program.hpp"

namespace {

using testkit::Outcome;
namespace fs = std::filesystem;

Outcome chicane(const std::vector<std::string>& arguments) {
  return testkit::run_program(CHICANE_BINARY, arguments);
}

TEST(TopologyCommand, GivesTheKeysThatScriptsRelyOn) {
  const Outcome o = chicane({"topology", "double-wishbone", "--json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const auto j = nlohmann::json::parse(o.out);
  for (const char* key :
       {"bodies", "joints", "chains", "loops", "coordinates", "constraints", "freedoms"})
    EXPECT_TRUE(j.at(key).is_number_integer()) << key;
  EXPECT_EQ(j.at("bodies"), 4);
  EXPECT_EQ(j.at("joints"), 6);
  EXPECT_EQ(j.at("loops"), 2);
  EXPECT_EQ(j.at("coordinates"), 5);
  EXPECT_EQ(j.at("constraints"), 4);
  EXPECT_EQ(j.at("freedoms"), 1);  // the rack is driven
  EXPECT_EQ(j.at("cut_joints").size(), 2U);
  EXPECT_TRUE(j.at("redundant").empty());
}

TEST(TopologyCommand, NamesRedundantConstraints) {
  const Outcome o = chicane({"topology", "bricard"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("0 by counting (Gruebler), 1 by rank"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("redundant constraints: P"), std::string::npos) << o.out;
}

TEST(TopologyCommand, DrawsEveryBodyAndJoint) {
  const testkit::TemporaryDirectory directory;
  const fs::path file = fs::path(directory.path()) / "graph.svg";
  const Outcome o = chicane({"topology", "andrews-squeezer", "--svg", file.string()});
  ASSERT_EQ(o.code, 0) << o.err;
  std::ifstream in(file);
  const std::string svg{std::istreambuf_iterator<char>(in), {}};
  for (const char* name : {">ground<", ">K1<", ">K7<", ">O (revolute)<", ">E3 (revolute)<"})
    EXPECT_NE(svg.find(name), std::string::npos) << name;
  EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
}

TEST(TopologyCommand, RefusesWhatHasNoMechanism) {
  const Outcome o = chicane({"topology", "two-scale", "--json"});
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.err.find("this model has no mechanism"), std::string::npos) << o.err;
  EXPECT_TRUE(nlohmann::json::parse(o.out).contains("errors"));
}

TEST(MechanismCommands, CheckAndDescribeWorkAndRunRefuses) {
  const testkit::TemporaryDirectory directory;
  EXPECT_EQ(chicane({"check", "pendulum"}).code, 0);
  const Outcome described = chicane({"describe", "pendulum", "--json"});
  ASSERT_EQ(described.code, 0);
  EXPECT_EQ(nlohmann::json::parse(described.out).at("bodies")[0].at("mass"), 1.0);
  EXPECT_EQ(chicane({"describe", "double-wishbone"}).code, 0);
  const fs::path results = fs::path(directory.path()) / "results";
  const Outcome run = chicane({"run", "pendulum", "--out", results.string()});
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.err.find("cannot be run yet"), std::string::npos) << run.err;
  EXPECT_FALSE(fs::exists(results));
}

}  // namespace
