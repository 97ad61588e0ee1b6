// SPDX-License-Identifier: Apache-2.0
#include "math/scalar.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <type_traits>

#include "math/dual.hpp"

namespace chicane::scalar_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
class ScalarTest : public testing::Test {};
using Scalars = testing::Types<double, Dual, DualN<1>>;
TYPED_TEST_SUITE(ScalarTest, Scalars);

static_assert(std::is_same_v<mask_t<double>, bool> && std::is_same_v<mask_t<Dual>, bool>);
static_assert(!Scalar<int> && !Scalar<bool>);
static_assert(std::is_same_v<decltype(select(true, 1.0, Dual(2.0))), Dual>);
static_assert(select(false, 1.0, 2.0) == 2.0);
static_assert(sat(5.0, 0.0, 1.0) == 1.0 && deadband(5.0, 0.0, 1.0) == 4.0);

TYPED_TEST(ScalarTest, SelectTakesOneArm) {
  const TypeParam x(2.0);
  EXPECT_EQ(value_of(select(x > 1.0, x, 0.0)), 2.0);
  EXPECT_EQ(value_of(select(x < 1.0, x, 0.0)), 0.0);
}

TYPED_TEST(ScalarTest, MinMaxAbsSignFollowTheirDefinitions) {
  for (const double x : {-2.5, -1.0, 0.0, 0.5, 3.0}) {
    const TypeParam t(x);
    EXPECT_EQ(value_of(abs(t)), std::fabs(x));
    EXPECT_EQ(value_of(sign(t) * abs(t)), x);
    EXPECT_EQ(value_of(min(t, 1.0)), std::min(x, 1.0));
    EXPECT_EQ(value_of(max(0.25, t)), std::max(x, 0.25));
    EXPECT_EQ(value_of(min(t, TypeParam(1.0)) + max(t, TypeParam(1.0))), x + 1.0);
  }
}

TYPED_TEST(ScalarTest, SatAndDeadbandAddUpToTheIdentity) {
  for (const double x : {-3.0, -1.0, -0.5, 0.0, 2.0, 7.0}) {
    const TypeParam t(x);
    EXPECT_EQ(value_of(sat(t, -1.0, 2.0) + deadband(t, -1.0, 2.0)), x);
  }
  EXPECT_EQ(value_of(deadband(TypeParam(1.5), -1.0, 2.0)), 0.0);
  EXPECT_EQ(value_of(deadband(TypeParam(2.5), -1.0, 2.0)), 0.5);
  EXPECT_EQ(value_of(deadband(TypeParam(-3.0), -1.0, 2.0)), -2.0);
}

TYPED_TEST(ScalarTest, DoesNotHideNaN) {
  const TypeParam nan(kNaN);
  EXPECT_FALSE(is_finite(sign(nan)));
  EXPECT_FALSE(is_finite(sat(nan, 0.0, 1.0)));
  EXPECT_FALSE(is_finite(deadband(nan, 0.0, 1.0)));
  EXPECT_FALSE(is_finite(abs(nan)));
  EXPECT_FALSE(is_finite(TypeParam(kInf)));
  EXPECT_TRUE(is_finite(TypeParam(1e308)));
}

TYPED_TEST(ScalarTest, HypotIsPythagorean) {
  EXPECT_EQ(value_of(hypot(TypeParam(3.0), TypeParam(-4.0))), 5.0);
  EXPECT_DOUBLE_EQ(value_of(hypot(TypeParam(3e200), TypeParam(4e200))), 5e200);
}

// The way physics is written: one template, unqualified functions, plain numbers as constants.
template <class T>
T pacejka(const T& slip) {
  const T bx = 10.0 * slip;
  return select(abs(slip) > 1.0, sign(slip), sin(1.9 * atan(bx - 0.97 * (bx - atan(bx)))));
}

TYPED_TEST(ScalarTest, OneTemplateServesEveryScalar) {
  EXPECT_EQ(value_of(pacejka(TypeParam(0.1))), pacejka(0.1));
  EXPECT_EQ(value_of(pacejka(TypeParam(-2.0))), -1.0);
}

TEST(Scalar, AbsOfMinusZeroIsZero) { EXPECT_FALSE(std::signbit(abs(-0.0))); }

}  // namespace
}  // namespace chicane::scalar_test
