// SPDX-License-Identifier: Apache-2.0
#include "spatial/spatial.hpp"

#include <gtest/gtest.h>

#include "testkit/mechanisms.hpp"

namespace chicane::spatial_test {
namespace {

using testkit::Random;

constexpr double kRounding = 1e-13;  // a few operations on numbers of size 1 to 10

RigidInertia<double> random_body(Random& random) {
  const RigidInertia<double> at_com{random.number(0.5, 2),
                                    {},
                                    rotated(rotation(from_rotation_vector(random.vector(2))),
                                            Sym3<double>{0.3, 0.4, 0.5, 0, 0, 0})};
  return about(at_com, random.vector(1));
}

double distance(const Wrench<double>& a, const Wrench<double>& b) {
  return norm(a.moment - b.moment) + norm(a.force - b.force);
}

TEST(Spatial, PowerDoesNotDependOnThePoint) {
  Random random(1);
  for (int k = 0; k < 100; ++k) {
    const Motion<double> V{random.vector(2), random.vector(2)};
    const Wrench<double> f{random.vector(2), random.vector(2)};
    const Vec3<double> r = random.vector(1);
    EXPECT_NEAR(dot(at_point(V, r), f), dot(V, about(f, r)), kRounding);
  }
}

TEST(Spatial, ShiftedInertiasGiveTheWrenchThatIsShifted) {
  Random random(2);
  for (int k = 0; k < 100; ++k) {
    const RigidInertia<double> I = random_body(random);
    ArticulatedInertia<double> A(I);
    const Wrench<double> u{random.vector(1), random.vector(1)};
    subtract(A, u, 0.3 * u);  // no rigid body any more
    const Vec3<double> r = random.vector(1);
    const Motion<double> a{random.vector(2), random.vector(2)};
    EXPECT_LT(distance(about(I, r) * a, about(I * at_point(a, r), r)), kRounding);
    EXPECT_LT(distance(about(A, r) * a, about(A * at_point(a, r), r)), kRounding);
    EXPECT_LT(distance(ArticulatedInertia<double>(I) * a, I * a), kRounding);
    const ArticulatedInertia<double> mass({}, {}, A.M);
    EXPECT_LT(distance(mass_at(A.M, r) * a, about(mass, r) * a), kRounding);
    EXPECT_LT(distance(turning_times(A, a.angular), A * Motion<double>{a.angular, {}}), kRounding);
    EXPECT_LT(distance(turning_times(I, a.angular), I * Motion<double>{a.angular, {}}), kRounding);
    // A freedom that gives way takes its share: u (0.3 u . a)
    EXPECT_LT(distance(A * a, I * a - (0.3 * dot(a, u)) * u), kRounding);
  }
}

TEST(Spatial, KineticEnergyOfABodyDoesNotDependOnThePoint) {
  Random random(3);
  const RigidInertia<double> I = random_body(random);
  const Motion<double> V{random.vector(2), random.vector(2)};
  const Vec3<double> r = random.vector(1);
  // I is about a point r away from where V is that of the body.
  EXPECT_NEAR(dot(V, about(I, r) * V), dot(at_point(V, r), I * at_point(V, r)), kRounding);
}

TEST(Quaternion, TurnsAsItsRotationVectorSays) {
  const Mat3<double> R = rotation(from_rotation_vector({0, 0, 0.5}));
  EXPECT_NEAR(R.x.x, std::cos(0.5), kRounding);
  EXPECT_NEAR(R.x.y, std::sin(0.5), kRounding);
  Random random(4);
  const Quaternion<double> a = from_rotation_vector(random.vector(2)),
                           b = from_rotation_vector(random.vector(2));
  const Vec3<double> v = random.vector(1);
  EXPECT_LT(norm(rotation(a * b) * v - rotation(a) * (rotation(b) * v)), kRounding);
  const Quaternion<double> longer{3 * a.w, 3 * a.x, 3 * a.y, 3 * a.z};
  EXPECT_LT(norm(rotation(longer) * v - rotation(a) * v), kRounding);
}

TEST(Sym3, InverseAndRotationAreThoseOfTheMatrix) {
  Random random(5);
  const Mat3<double> R = rotation(from_rotation_vector(random.vector(2)));
  const Sym3<double> A = rotated(R, Sym3<double>{1, 2, 3, 0, 0, 0});
  const Vec3<double> v = random.vector(1);
  EXPECT_LT(norm(inverse(A) * (A * v) - v), kRounding);
  const Vec3<double> b = transposed_times(R, v);
  EXPECT_LT(norm(A * v - R * Vec3<double>{b.x, 2 * b.y, 3 * b.z}), kRounding);
}

}  // namespace
}  // namespace chicane::spatial_test
