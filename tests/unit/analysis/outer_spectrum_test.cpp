// SPDX-License-Identifier: Apache-2.0

// Large models: rods whose eigenvalues are known in closed form, and dense matrices.

#include "analysis/outer_spectrum.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "analysis/stability.hpp"
#include "analysis/step_advice.hpp"
#include "testkit/models.hpp"

namespace chicane::outer_spectrum_test {
namespace {

constexpr double kStiffness = 1000;  // of the models below [1/s], [1/s^2]

// x_i' = k (x_{i-1} - 2 x_i + x_{i+1}), held at both ends.
std::string rod(int n) {
  std::string text = "format: chicane/1\nunits: none\nparameters: {k: 1000}\nstates:\n";
  for (int i = 0; i < n; ++i)
    text += fmt::format("  x{}: {{der: \"k*({} - 2*x{} + {})\", initial: 1}}\n", i,
                        i > 0 ? fmt::format("x{}", i - 1) : "0", i,
                        i + 1 < n ? fmt::format("x{}", i + 1) : "0");
  return text;
}
// The same with second derivatives, lightly damped: n/2 masses between springs.
std::string chain(int n) {
  std::string text = "format: chicane/1\nunits: none\nparameters: {k: 1000, c: 0.01}\nstates:\n";
  for (int i = 0; i < n / 2; ++i)
    text += fmt::format(
        "  x{0}: {{der: v{0}, initial: 1}}\n  v{0}: {{der: \"k*({1} - 2*x{0} + "
        "{2}) - c*v{0}\"}}\n",
        i, i > 0 ? fmt::format("x{}", i - 1) : "0",
        i + 1 < n / 2 ? fmt::format("x{}", i + 1) : "0");
  return text;
}
double largest_of_rod(int n) {
  return 4 * kStiffness * std::pow(std::sin(0.5 * std::numbers::pi * n / (n + 1)), 2);
}

std::optional<StepAdvice> advice(const std::shared_ptr<const ModelStructure>& s, double step) {
  return advise_step(s, Model<double>(s).initial_state(), testkit::plan("rk4", step));
}

TEST(OuterSpectrum, SaysWhichStepIsTooLongForALargeModel) {
  const double real = real_limit(*find_method("rk4")),
               imaginary = imaginary_limit(*find_method("rk4"));
  for (const int n : {50, 1000, 5000}) {
    const struct {
      std::string text;
      double limit;
    } cases[] = {{rod(n), real / largest_of_rod(n)},
                 {chain(n), imaginary / std::sqrt(largest_of_rod(n / 2))}};
    for (const auto& [text, limit] : cases) {
      const auto s = testkit::compiled(text);
      const double exact = std::round(limit * 1e9) / 1e9;  // steps are whole picoseconds
      EXPECT_FALSE(advice(s, 0.98 * exact)) << n;
      const auto far = advice(s, 3 * exact);  // which most of the modes cannot bear
      ASSERT_TRUE(far) << n;
      EXPECT_NEAR(far->stable_step, exact, 0.01 * exact) << n;
      const auto said = advice(s, 1.02 * exact);
      ASSERT_TRUE(said) << n;
      EXPECT_NEAR(said->stable_step, exact, 0.01 * exact) << n;
      EXPECT_TRUE(std::any_of(s->states.begin(), s->states.end(), [&](const StateInfo& x) {
        return x.name == said->mode.state;
      })) << said->mode.state;
      EXPECT_EQ(said->mode.group, "main");
      ASSERT_FALSE(said->mode.parameters.empty());
      EXPECT_EQ(said->mode.parameters[0].name, "k");
      EXPECT_NEAR(said->mode.parameters[0].on_frequency(), text == rod(n) ? 1.0 : 0.5, 1e-3) << n;
    }
  }
}

// A matrix like those of parts in a row, each with states in units of its own.
Eigen::MatrixXd some_matrix(Eigen::Index n) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(0.5, 1.5);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    A(i, i) = -2 * number(random);
    if (i > 0) A(i, i - 1) = number(random), A(i - 1, i) = number(random);
  }
  A(n / 3, n / 3) = -30;  // alone, so that it is found to rounding
  Eigen::VectorXd unit(n);
  for (Eigen::Index i = 0; i < n; ++i) unit(i) = i % 2 == 0 ? 1.0 : 1000.0;
  return unit.asDiagonal() * A * unit.cwiseInverse().asDiagonal();
}

TEST(OuterSpectrum, FindsTheMotionThatDenseMatricesHave) {
  const Eigen::MatrixXd A = some_matrix(250);
  const Spectrum dense(A);
  const OuterSpectrum outer(SparseMatrix(A.sparseView()));
  const auto& values = outer.values();
  const auto largest = std::max_element(
      values.begin(), values.end(),
      [](const auto& a, const auto& b) { return std::abs(a.lambda) < std::abs(b.lambda); });
  const Mode& mode = dense.modes().front();
  EXPECT_NEAR(std::abs(largest->lambda - mode.eigenvalue), 0, 1e-6 * std::abs(mode.eigenvalue));
  const auto motion = outer.motion(*largest);
  ASSERT_TRUE(motion);
  EXPECT_NEAR(std::abs(motion->lambda - mode.eigenvalue), 0, 1e-10 * std::abs(mode.eigenvalue));
  EXPECT_LT((A.cast<std::complex<double>>() * motion->v - motion->lambda * motion->v).norm(),
            1e-8 * A.norm() * motion->v.norm());
  EXPECT_NEAR(std::abs((motion->w * motion->v).value() - 1.0), 0, 1e-10);
  const Eigen::VectorXd part = motion->participation();
  for (Eigen::Index i = 0; i < part.size(); ++i)
    EXPECT_NEAR(part(i), mode.participation[static_cast<std::size_t>(i)], 1e-7) << i;
}

// Parts that hand on to the next and hear nothing of it: each has its own eigenvalue, however large
// the matrix is in between.
TEST(OuterSpectrum, TakesTheMatrixApart) {
  constexpr int kStates = 1000;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < kStates; ++i) {
    entries.emplace_back(i, i, -1.0 - i);
    if (i > 0) entries.emplace_back(i, i - 1, 1e6);
  }
  SparseMatrix A(kStates, kStates);
  A.setFromTriplets(entries.begin(), entries.end());
  const OuterSpectrum outer(A);
  ASSERT_EQ(outer.values().size(), static_cast<std::size_t>(kStates));
  double sum = 0;
  for (const auto& value : outer.values()) {
    sum += value.lambda.real();
    EXPECT_EQ(value.lambda.imag(), 0);
  }
  EXPECT_EQ(sum, -kStates * (kStates + 1) / 2.0);
  EXPECT_FALSE(std::any_of(outer.values().begin(), outer.values().end(),
                           [](const auto& v) { return v.lambda.real() > -1; }));
}

TEST(OuterSpectrum, HasTheJacobianWithoutItsZeros) {
  const auto s = testkit::compiled(chain(40));
  const State<double> at = Model<double>(s).initial_state();
  const Model<Dual> model(s);
  const SparseMatrix A = sparse_jacobian(model, with_default_inputs(*s, at));
  EXPECT_EQ(A.nonZeros(), 20 * 3 + 2 * 19 + 0);  // v; x, its neighbours and the damper
  EXPECT_EQ(Eigen::MatrixXd(A), to_eigen(jacobian(model, at)));
}

}  // namespace
}  // namespace chicane::outer_spectrum_test
