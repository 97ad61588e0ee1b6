#include "analysis/linearize.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "testkit/models.hpp"

namespace {

using namespace chicane;

// Rates of all states at x, for the differences.
std::vector<double> rates(const Model<double>& model, State<double> state,
                          const std::vector<double>& x) {
  const Inputs<double> inputs = model.default_inputs();
  BoundModel<double> bound(model, state, inputs);
  Eval<double> eval = model.make_eval(GroupIndex{0});
  std::vector<double> dx(x.size());
  bound.bind(GroupIndex{0}, eval);
  evaluate<BoundModel<double>>(bound, GroupIndex{0}, state.clock.time(), x, eval, dx);
  return dx;
}

// Far from the start, where wheels are in the air, and near to it, where they are not.
class JacobianAt : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Distances, JacobianAt, testing::Values(1.0, 1e-3));

TEST_P(JacobianAt, EqualsCentralDifferencesOnEveryBuiltInModel) {
  for (const std::string& name : testkit::equation_models()) {
    const auto structure = testkit::compiled_builtin(name);
    const Model<double> model(structure);
    State<double> state = model.initial_state();
    for (std::size_t i = 0; i < state.groups[GroupIndex{0}].x.size(); ++i)
      state.groups[GroupIndex{0}].x[i] += GetParam() * (0.1 + 0.01 * static_cast<double>(i));
    const auto A = jacobian(Model<Dual>(structure), state);
    for (std::size_t j = 0; j < A.size(); ++j) {
      const double h = 1e-5;
      const auto at = [&](double shift) {
        auto x = state.groups[GroupIndex{0}].x;
        x[j] += shift;
        return rates(model, state, x);
      };
      const auto up = at(h), down = at(-h), up2 = at(2 * h), down2 = at(-2 * h);
      for (std::size_t i = 0; i < A.size(); ++i) {  // fourth order: no error but rounding is left
        const double difference = (8 * (up[i] - down[i]) - (up2[i] - down2[i])) / (12 * h);
        const double rounding = 1e-15 * std::fabs(up[i]) / h;
        EXPECT_NEAR(A[i][j], difference, 1e-6 * (1 + std::fabs(A[i][j])) + rounding)
            << name << " " << i << "," << j;
      }
    }
  }
}

TEST(Eigenvalues, OfPitchControlAreThePublishedOnes) {
  const auto structure = testkit::compiled_builtin("pitch-control");
  const Linearization l = linearize(structure, Model<double>(structure).initial_state());
  ASSERT_EQ(l.eigenvalues.size(), 5U);
  EXPECT_NEAR(l.eigenvalues[0].real(), -15.92, 0.005);  // printed with two and three decimals
  EXPECT_NEAR(std::fabs(l.eigenvalues[0].imag()), 26.37, 0.005);
  EXPECT_NEAR(l.eigenvalues[2].real(), -1.274, 0.0005);
  EXPECT_NEAR(std::fabs(l.eigenvalues[2].imag()), 4.674, 0.0005);
  EXPECT_NEAR(l.eigenvalues[4].real(), -0.5, 1e-5);  // the free root of the calibration
}

TEST(Eigenvalues, OfTwoScaleAreThePublishedOnesAndNameTheirStates) {
  const auto structure = testkit::compiled_builtin("two-scale");
  const Linearization l = linearize(structure, Model<double>(structure).initial_state());
  EXPECT_NEAR(l.eigenvalues[0].real(), -10.507, 0.001);
  EXPECT_NEAR(std::fabs(l.eigenvalues[0].imag()), 33.378, 0.001);
  EXPECT_NEAR(l.eigenvalues[2].real(), -0.263, 0.001);
  EXPECT_NEAR(std::fabs(l.eigenvalues[2].imag()), 0.915, 0.001);
  const auto leader = [&](std::size_t k) {
    return l.states[static_cast<std::size_t>(l.leading[k])];
  };
  EXPECT_TRUE(leader(0) == "x1" || leader(0) == "x2");  // the fast mode belongs to the actuator
  EXPECT_TRUE(leader(2) == "x3" || leader(2) == "x4");  // the slow one to the plant
}

}  // namespace
