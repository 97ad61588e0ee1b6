// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "assembly/parts/parts.hpp"
#include "math/vec3.hpp"
#include "testkit/block_rig.hpp"
#include "testkit/part_file.hpp"

namespace aerodynamics_test {
namespace {

using namespace chicane;
using namespace testkit;

BlockKindPtr read(const std::string& text) { return part_of(text, aerodynamics_part); }

const std::string kSimple = R"(
type: simple
area: 2.2 m^2
length: 2.7 m
centre_z: 0.4 m
C_x: 0.32
C_y: -2
C_z: 0.1
C_l: 0.2
C_m: 0.05
C_n: -0.3
)";
const std::string kTables = R"(
type: tables
area: 2.2 m^2
length: 2.7 m
centre_x: 0.3 m
centre_z: 0.4 m
sideslip: [0, 20, 60, 180, deg]
C_x: [0.32, 0.36, 0.5, -0.4]
C_y: [0, -0.4, -1.2, 0]
C_m: [0.02, 0.01, -0.03, 0]
C_n: [0, -0.04, -0.1, 0]
)";

// The axes are those of a rotation; the rest is anything.
void anywhere(BlockRig<double>& rig, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  for (double& u : rig.u) u = 10 * number(random);
  rig.input("body.v_x") += 30;
  const double a = number(random), b = number(random);
  const Vec3<double> x{std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b)};
  const Vec3<double> y{-std::sin(a), std::cos(a), 0};
  const auto set = [&](const std::string& axis, const Vec3<double>& v) {
    rig.input("body." + axis + "_x") = v.x;
    rig.input("body." + axis + "_y") = v.y;
    rig.input("body." + axis + "_z") = v.z;
  };
  set("d", x);
  set("e", y);
}

TEST(AerodynamicsPart, KeepsTheLawsOfBlocks) {
  for (const std::string& text : {kSimple, kTables}) {
    SCOPED_TRACE(text);
    const auto part = read(text);
    expect_is_described(*part);
    expect_everything_matters(*part, anywhere);
    expect_reads_what_it_names(*part, anywhere);
    expect_does_not_allocate(*part, anywhere);
    expect_dual_slopes(*part, anywhere, 1e-4);  // smooth but for kinks of the tables
  }
}

// 30 m/s along y of the world through standard air: 1.225/2 900 2.2 0.32 N against it, and its
// lever about the origin.
TEST(AerodynamicsPart, DragsAgainstTheMotionInWorldAxes) {
  for (const std::string& text : {kSimple, kTables}) {
    BlockRig<double> rig(*read(text));
    rig.input("body.d_y") = 1, rig.input("body.e_x") = -1;  // the car looks along y
    rig.input("body.v_y") = 30;
    rig.run();
    EXPECT_NEAR(rig.output("pressure"), 551.25, 1e-9);
    EXPECT_NEAR(rig.output("F_y"), -551.25 * 2.2 * 0.32, 1e-9);
    EXPECT_NEAR(rig.output("F_x"), 0, 1e-9);
  }
}

// Seen from turned axes everything turns: force and moment are vectors.
TEST(AerodynamicsPart, TurnsWithTheWorld) {
  std::mt19937 random(3);
  BlockRig<double> rig(*read(kTables));
  for (int trial = 0; trial < 20; ++trial) {
    anywhere(rig, random);
    rig.run();
    const auto u = rig.u, y = rig.y;
    for (std::size_t i = 0; i < u.size(); i += 3)  // a quarter turn about z
      rig.u[i] = -u[i + 1], rig.u[i + 1] = u[i];
    rig.run();
    for (const std::size_t i : {0U, 3U}) {
      EXPECT_NEAR(rig.y[i], -y[i + 1], 1e-9);
      EXPECT_NEAR(rig.y[i + 1], y[i], 1e-9);
      EXPECT_NEAR(rig.y[i + 2], y[i + 2], 1e-9);
    }
  }
}

TEST(AerodynamicsPart, SaysWhereTheFaultIs) {
  expect_fault("type: table\n", 1, "did you mean 'tables'?", aerodynamics_part);
  expect_fault("type: simple\narea: 0 m^2\nC_x: 0.3", 2, "must be more than 0", aerodynamics_part);
  expect_fault("type: simple\narea: 2 m^2", 1, "'C_x' is missing", aerodynamics_part);
  expect_fault("type: tables\narea: 2 m^2\nsideslip: [0, 20, 10, deg]\nC_x: [1, 1, 1]", 1, "x[",
               aerodynamics_part);
  expect_fault("type: tables\narea: 2 m^2\nsideslip: [0, 20, deg]\nC_x: [1, 1]\nC_y: [1, 1]", 1,
               "C_y must be 0 at beta = 0", aerodynamics_part);
}

}  // namespace
}  // namespace aerodynamics_test
