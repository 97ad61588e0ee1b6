// SPDX-License-Identifier: Apache-2.0

// Mechanisms in files: numbers, units, formulas, parts in other files, and the way back.

#include <gtest/gtest.h>

#include <map>

#include "assembly/assemble.hpp"
#include "blocks/mechanism/describe.hpp"
#include "io/builtin_models.hpp"
#include "io/reader/reader.hpp"
#include "io/writer/echo.hpp"
#include "language/model_structure.hpp"
#include "simulation/plan.hpp"
#include "testkit/files.hpp"

namespace mechanism_test {
namespace {

using namespace chicane;
using multibody::Description;
using testkit::Files;
using testkit::read;

constexpr const char* kTopology = R"yaml(
topology:
  bodies: [arm, tip]
  joints:
    hinge: {type: cylindrical, connects: [ground, arm]}
    wrist: {type: spherical, connects: [arm, tip]}
  forces:
    pull: {type: tsda, connects: [ground, tip]}
    twist: {type: rsda, joint: hinge}
    mount: {type: bushing, connects: [ground, tip]}
)yaml";
constexpr const char* kParameters = R"yaml(
parameters:
  l: {value: 1.2 m, description: length}
  rho: 2 kg/m
  gravity: [0, 0, -9.81, m/s^2]
  bodies:
    arm: {mass: rho*l, com: [600, 0, 0, mm], inertia: {diagonal: [0, rho*l^3/12, rho*l^3/12]}}
    tip: {mass: 500 g, com: ["l + 100[mm]", 0, 0], inertia: {full: [2, 3, 4, 0.5, 0, -0.5, g m^2]}}
  joints:
    hinge: {at: [0, 0, 0], axis: [0, 3, 0], initial: [90 deg, 5 mm], initial_rate: [2 rad/s, 0]}
    wrist: {at: [l, 0, 0], initial: [0, 0.1, 0, rad]}
  forces:
    pull: {points: [[0, 0, 1, m], [l, 0, 0]], spring: {polynomial: [2 kN/m, 0, 3 MN/m^3]}, damping: 4 kN s/m, command: 2*u}
    twist: {spring: {table: soft}, torque: 5 N m}
    mount: {at: [l, 0, 0], stiffness: [1, 2, 3, kN/mm], rotational_damping: [4, 5, 6, N m s/rad]}
)yaml";
constexpr const char* kTables = "\ntables: {soft: {x: [-90, 90, deg], y: [-3, 3, N m]}}\n";

Files whole() {
  return {{{"m.yaml", std::string("format: chicane/1") + kTopology + kParameters + kTables}}};
}

void expect_same(const Description& a, const Description& b) {
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].name, b.bodies[i].name);
    EXPECT_EQ(a.bodies[i].mass, b.bodies[i].mass);
    EXPECT_EQ(a.bodies[i].com, b.bodies[i].com);
    EXPECT_EQ(a.bodies[i].inertia, b.bodies[i].inertia);
  }
  ASSERT_EQ(a.joints.size(), b.joints.size());
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    EXPECT_EQ(a.joints[i].kind, b.joints[i].kind);
    EXPECT_EQ(a.joints[i].connects, b.joints[i].connects);
    EXPECT_EQ(a.joints[i].at, b.joints[i].at);
    EXPECT_EQ(a.joints[i].axis, b.joints[i].axis);
    EXPECT_EQ(a.joints[i].initial, b.joints[i].initial);
    EXPECT_EQ(a.joints[i].driven, b.joints[i].driven);
  }
  ASSERT_EQ(a.forces.size(), b.forces.size());
  for (std::size_t i = 0; i < a.forces.size(); ++i) {
    EXPECT_EQ(a.forces[i].law.index(), b.forces[i].law.index());
    EXPECT_EQ(a.forces[i].command, b.forces[i].command);
  }
  EXPECT_EQ(a.gravity, b.gravity);
}

TEST(MechanismFile, GivesNumbersInSi) {
  Diagnostics diag;
  const auto spec = read(whole(), "m.yaml", diag);
  ASSERT_TRUE(spec) << diag.text();
  EXPECT_EQ(spec->parameters.size(), 2U);  // l and rho; the rest is the mechanism's
  const auto d = describe_mechanism(*spec, diag);
  ASSERT_TRUE(d) << diag.text();
  EXPECT_EQ(d->gravity.z, -9.81);
  EXPECT_EQ(d->bodies[0].mass, 2.4);
  EXPECT_EQ(d->bodies[0].com.x, 0.6);
  EXPECT_NEAR(d->bodies[0].inertia.yy, 2.0 * 1.728 / 12.0, 1e-16);
  EXPECT_EQ(d->bodies[1].mass, 0.5);
  EXPECT_NEAR(d->bodies[1].com.x, 1.3, 1e-15);
  EXPECT_EQ(d->bodies[1].inertia.xy, 0.0005);
  EXPECT_EQ(d->bodies[1].inertia.yz, -0.0005);
  EXPECT_NEAR(d->joints[0].initial[0], 1.5707963267948966, 1e-15);
  EXPECT_EQ(d->joints[0].initial[1], 0.005);
  EXPECT_EQ(d->joints[0].initial_rate[0], 2.0);
  EXPECT_EQ(d->joints[1].initial[1], 0.1);
  const auto& pull = std::get<multibody::TsdaDescription>(d->forces[0].law);
  EXPECT_NEAR(pull.spring(0.1), 200.0 + 3000.0, 1e-9);
  EXPECT_EQ(pull.damping, 4000.0);
  EXPECT_EQ(d->forces[0].command, "2*u");
  const auto& twist = std::get<multibody::JointSpringDescription>(d->forces[1].law);
  EXPECT_NEAR(twist.spring(0.7853981633974483), 1.5, 1e-14);
  EXPECT_EQ(twist.force, 5.0);
  const auto& mount = std::get<multibody::BushingDescription>(d->forces[2].law);
  EXPECT_EQ(mount.stiffness[2][2], 3e6);
  EXPECT_EQ(mount.damping[5][5], 6.0);
}

TEST(MechanismFile, MayBeThreeFiles) {
  Diagnostics diag;
  const auto one = read(whole(), "m.yaml", diag);
  const Files parts{
      {{"dir/m.yaml",
        "format: chicane/1\ntopology: {file: parts/t.yaml}\n"
        "parameters: {file: parts/p.yaml, bodies: {tip: {mass: 700 g}}}\n"},
       {"dir/parts/t.yaml", std::string("format: chicane/1") + kTopology},
       {"dir/parts/p.yaml", std::string("format: chicane/1") + kParameters + kTables}}};
  auto three = read(parts, "dir/m.yaml", diag);
  ASSERT_TRUE(one && three) << diag.text();
  const auto heavier = describe_mechanism(*three, diag);
  ASSERT_TRUE(heavier) << diag.text();
  EXPECT_EQ(heavier->bodies[1].mass, 0.7);  // what stands beside the file prevails
  ASSERT_TRUE(override_value(*three, "bodies.tip.mass", {"500 g", {"--set", 0, ""}}, diag));
  const auto a = describe_mechanism(*one, diag), b = describe_mechanism(*three, diag);
  ASSERT_TRUE(a && b) << diag.text();
  expect_same(*a, *b);
}

TEST(MechanismFile, StandsOnABaseAndTakesNewNumbers) {
  Files files = whole();
  files.text["heavy.yaml"] =
      "format: chicane/1\nbase: m.yaml\nparameters: {rho: 5 kg/m, bodies: {tip: {mass: 3 kg}}}\n";
  Diagnostics diag;
  const auto spec = read(files, "heavy.yaml", diag);
  ASSERT_TRUE(spec) << diag.text();
  const auto d = describe_mechanism(*spec, diag);
  ASSERT_TRUE(d) << diag.text();
  EXPECT_EQ(d->bodies[0].mass, 6.0);
  EXPECT_EQ(d->bodies[1].mass, 3.0);
  EXPECT_NEAR(d->bodies[1].com.x, 1.3, 1e-15);
}

TEST(MechanismFile, SetReachesItsNumbersAndNamesNearOnes) {
  Diagnostics diag;
  auto spec = read(whole(), "m.yaml", diag);
  ASSERT_TRUE(spec);
  EXPECT_TRUE(override_value(*spec, "forces.pull.damping", {"7 N s/m", {"--set", 0, ""}}, diag));
  EXPECT_FALSE(override_value(*spec, "bodies.tip.mas", {"7 kg", {"--set", 0, ""}}, diag));
  EXPECT_NE(diag.text().find("did you mean 'bodies.tip.mass'?"), std::string::npos) << diag.text();
  Diagnostics fresh;
  const auto d = describe_mechanism(*spec, fresh);
  ASSERT_TRUE(d) << fresh.text();
  EXPECT_EQ(std::get<multibody::TsdaDescription>(d->forces[0].law).damping, 7.0);
}

TEST(MechanismFile, IsReadBackAsItWasWritten) {
  std::vector<std::string> texts{whole().text.at("m.yaml")};
  for (const BuiltinModel& m : builtin_models()) texts.emplace_back(m.text);
  int mechanisms = 0;
  for (const std::string& text : texts) {
    Diagnostics diag;
    const auto spec = read_model_text(text, "model.yaml", diag);
    ASSERT_TRUE(spec) << diag.text();
    if (!spec->mechanism) continue;
    const auto again = read_model_text(write_model(*spec), "model.yaml", diag);
    ASSERT_TRUE(again) << diag.text();
    const auto a = describe_mechanism(*spec, diag), b = describe_mechanism(*again, diag);
    ASSERT_TRUE(a && b) << diag.text();
    expect_same(*a, *b);
    ++mechanisms;
  }
  EXPECT_EQ(mechanisms, 12);
}

TEST(MechanismFile, WithoutUnitsTakesPlainNumbers) {
  Diagnostics diag;
  const auto spec = read_model_text(
      "format: chicane/1\nunits: none\ntopology: {bodies: [a], joints: {j: {type: revolute, "
      "connects: [ground, a]}}}\nparameters: {bodies: {a: {mass: 2, com: [1, 0, 0]}}, joints: {j: "
      "{at: [0, 0, 0], axis: [0, 0, 1]}}}\n",
      "m.yaml", diag);
  ASSERT_TRUE(spec) << diag.text();
  const auto d = describe_mechanism(*spec, diag);
  ASSERT_TRUE(d) << diag.text();
  EXPECT_EQ(d->bodies[0].mass, 2.0);
}

TEST(MechanismFile, SaysAllFaultsAtOnce) {
  std::string text = whole().text.at("m.yaml");
  const auto replace = [&](const std::string& a, const std::string& b) {
    const std::size_t at = text.find(a);
    ASSERT_NE(at, std::string::npos) << a;
    text.replace(at, a.size(), b);
  };
  replace("500 g", "500 mm");
  replace("[0, 3, 0]", "[0, 3]");
  replace("4 kN s/m", "4 kN");
  Diagnostics diag;
  const auto spec = read_model_text(text, "m.yaml", diag);
  ASSERT_TRUE(spec) << diag.text();
  EXPECT_FALSE(describe_mechanism(*spec, diag));
  EXPECT_EQ(diag.errors(), 3) << diag.text();
}

// Freedoms of known mechanisms: literature's, not ours.
TEST(Mechanisms, HaveTheFreedomsTheyAreKnownFor) {
  const std::map<std::string, std::pair<int, int>> known{
      // name, freedoms by rank and by counting
      {"four-bar", {1, -2}}, {"slider-crank", {1, 1}},   {"andrews-squeezer", {1, -8}},
      {"bricard", {1, 0}},   {"n-four-bar", {1, -119}},  {"flyball-governor", {4, 4}},
      {"heavy-top", {3, 3}}, {"double-wishbone", {1, 1}}};
  for (const auto& [name, freedoms] : known) {
    Diagnostics diag;
    const auto spec = read_model(name, diag);
    ASSERT_TRUE(spec) << diag.text();
    const auto m = compile_mechanism(*spec, diag);
    ASSERT_TRUE(m) << diag.text();
    EXPECT_EQ(m->freedoms, freedoms.first) << name;
    EXPECT_EQ(m->topology.freedoms(), freedoms.second) << name;
    EXPECT_EQ(m->redundant.empty(), freedoms.first == freedoms.second) << name;
  }
}

}  // namespace
}  // namespace mechanism_test
