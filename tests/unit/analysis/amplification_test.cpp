// SPDX-License-Identifier: Apache-2.0
#include "analysis/amplification.hpp"

#include <gtest/gtest.h>

#include "analysis/limit.hpp"
#include "analysis/linearize.hpp"
#include "analysis/modes.hpp"
#include "analysis/stability.hpp"
#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"

namespace chicane::amplification_test {
namespace {

struct Choice {
  std::string model, scheme, method = "ab2", ratio = "4", interp = "interp1", order = "slow-first";
};

std::ostream& operator<<(std::ostream& out, const Choice& c) {
  return out << c.model << ' ' << c.scheme << ' ' << c.method << ' ' << c.ratio << ' ' << c.interp
             << ' ' << c.order;
}

struct Chosen {
  Spec spec;
  std::shared_ptr<const ModelStructure> structure;
  Plan plan;

  explicit Chosen(const Choice& c) {
    Diagnostics diag;
    spec = *read_model(c.model, diag);
    spec.run.scheme = {c.scheme, {}};
    spec.run.method = {c.method, {}};
    if (is_multirate(*find_scheme(c.scheme)) && c.scheme != "prk") {
      spec.run.ratio = {c.ratio, {}};
      spec.run.interp = {c.interp, {}};
    }
    if (c.scheme == "multiframe") spec.run.order = {c.order, {}};
    structure = compile_for_run(spec, diag);
    const auto run = structure ? plan_run(spec, *structure, diag) : std::nullopt;
    EXPECT_TRUE(run) << diag.text();
    plan = run->plan;
  }
  [[nodiscard]] Beginning beginning() const {
    return {structure, plan, Simulation(structure, plan).state()};
  }
};

Eigen::MatrixXd jacobian_of(const Chosen& c) {
  // State by state as the groups have them, which is the order of the frame map.
  Diagnostics diag;
  const auto together = compile(c.spec, Partition::together(c.spec), diag);
  const Linearization l = linearize(together, Model<double>(together).initial_state());
  std::vector<StateIndex> order;
  for (const GroupLayout& g : c.structure->groups)
    order.insert(order.end(), g.states.begin(), g.states.end());
  const auto place = [&](StateIndex s) {
    const std::string& name = c.structure->states[s].name;
    return static_cast<std::size_t>(std::find(l.states.begin(), l.states.end(), name) -
                                    l.states.begin());
  };
  const auto n = static_cast<Eigen::Index>(order.size());
  Eigen::MatrixXd J(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      J(i, j) =
          l.A[place(order[static_cast<std::size_t>(i)])][place(order[static_cast<std::size_t>(j)])];
  return J;
}

// Of a linear model with one rate for all, every mode goes through the recurrence of its method by
// itself.
TEST(FrameMap, OfASingleRateHasTheRootsOfTheMethodForEveryMode) {
  constexpr double kStep = 0.02;
  for (const std::string_view name : method_names()) {
    const Method& method = *find_method(name);
    const Chosen c({"pitch-control", "single-rate", method.name});
    double expected = 0;
    for (const auto& lambda : eigenvalues(jacobian_of(c)))
      expected = std::max(expected, growth(method, lambda * kStep));
    EXPECT_NEAR(frame_growth(c.beginning(), kStep).factor, expected, 1e-9) << method.name;
  }
}

// S of document 000, equation 22: with K and L the stages of both groups,
//   (K, L) = J~ (e x_s + h A_s K, e x_f + h A_f L),   x+ = x + h (b_s K, b_f L).
// A is strictly lower triangular: stage after stage. (lazyProduct: small, and soon compiled.)
Eigen::MatrixXd prk_stability_matrix(const TableauPair& pair, const Eigen::MatrixXd& J,
                                     Eigen::Index slow, double h) {
  const Eigen::Index n = J.rows();
  const auto own = [&](Eigen::Index state) -> const Coefficients<double>& {
    return state < slow ? pair.slow : pair.fast;
  };
  const auto stages = static_cast<std::size_t>(pair.slow.stages);
  std::vector<Eigen::MatrixXd> rates;  // of each stage, as factors of x
  for (std::size_t i = 0; i < stages; ++i) {
    Eigen::MatrixXd at = Eigen::MatrixXd::Identity(n, n);
    for (std::size_t k = 0; k < i; ++k)
      for (Eigen::Index j = 0; j < n; ++j) at.row(j) += h * own(j).A[i][k] * rates[k].row(j);
    rates.emplace_back(J.lazyProduct(at));
  }
  Eigen::MatrixXd S = Eigen::MatrixXd::Identity(n, n);
  for (std::size_t i = 0; i < stages; ++i)
    for (Eigen::Index j = 0; j < n; ++j) S.row(j) += h * own(j).b[i] * rates[i].row(j);
  return S;
}

TEST(FrameMap, OfAPartitionedRungeKuttaPairIsItsStabilityMatrix) {
  for (const char* model : {"two-scale", "pitch-control", "quarter-car-c"}) {
    const Chosen c({model, "prk"});
    const double h = model == std::string("quarter-car-c") ? 0.003 : 0.05;
    const auto M = FrameMap(c.beginning(), h).next();
    ASSERT_TRUE(M) << model;
    const auto slow = static_cast<Eigen::Index>(c.structure->groups[GroupIndex{0}].states.size());
    const Eigen::MatrixXd S = prk_stability_matrix(c.plan.pair, jacobian_of(c), slow, h);
    EXPECT_LE((*M - S).cwiseAbs().maxCoeff(), 1e-12 * S.cwiseAbs().maxCoeff()) << model;
  }
}

class EveryScheme : public testing::TestWithParam<Choice> {};

// On a linear model the difference of two runs, of any size, goes through the map frame by frame.
TEST_P(EveryScheme, CarriesDifferencesAsTheirRunsDo) {
  constexpr int kLead = 8, kFrames = 20;
  const Chosen c(GetParam());
  const double h = 0.02;
  Plan plan = c.plan;
  plan.step = whole_picoseconds(h).value();
  Simulation a(c.structure, plan), b(c.structure, plan);
  for (int k = 0; k < kLead; ++k)
    for (Simulation* s : {&a, &b}) ASSERT_EQ(s->step(), Status::ok);
  State<double> state = b.state();
  const auto n = static_cast<Eigen::Index>(state.groups[GroupIndex{0}].x.size());
  state.groups[GroupIndex{0}].x[0] += 1.0;  // the first number of the map
  b.restore(state, plan);

  FrameMap frame({c.structure, plan, Simulation(c.structure, plan).state()}, h);
  const auto M = frame.next();
  ASSERT_TRUE(M);
  Eigen::VectorXd z = Eigen::VectorXd::Unit(M->rows(), 0);
  for (int k = 0; k < kFrames; ++k) {
    z = M->lazyProduct(z).eval();
    ASSERT_EQ(a.step(), Status::ok);
    ASSERT_EQ(b.step(), Status::ok);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      EXPECT_NEAR(b.state().groups[GroupIndex{0}].x[at] - a.state().groups[GroupIndex{0}].x[at],
                  z(i), 1e-9 * z.cwiseAbs().maxCoeff())
          << "frame " << k << ", state " << i;
    }
  }
}

// What the frame says, and what running finds by bisection to a thousandth.
TEST_P(EveryScheme, PredictsTheMarginalStepWithinAPercent) {
  const Chosen c(GetParam());
  const Limit limit = find_limit(c.structure, c.plan);
  ASSERT_EQ(limit.outcome, Limit::Outcome::found);
  ASSERT_TRUE(limit.predicted);
  EXPECT_NEAR(*limit.predicted, limit.stable, 0.01 * limit.stable);
}

// An infinitely small disturbance does what a small one does.
TEST_P(EveryScheme, FollowsATangentAsItDoesADifference) {
  const Chosen c(GetParam());
  const Beginning from = c.beginning();
  const auto n = static_cast<std::size_t>(c.structure->states.size());
  std::vector<double> offset(n), weight(n, 1.0);
  for (std::size_t i = 0; i < n; ++i) offset[i] = 1e-3 * static_cast<double>(1 + i);
  const std::int64_t step = whole_picoseconds(0.02).value();
  DisturbedPair pair(from, step, offset, weight);
  TangentRun tangent(from, step, offset, weight);
  for (int k = 0; k < 30; ++k) {
    ASSERT_EQ(pair.step(), Status::ok);
    ASSERT_EQ(tangent.step(), Status::ok);
    EXPECT_NEAR(tangent.difference(), pair.difference(), 1e-9 * pair.difference()) << "frame " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Linear, EveryScheme,
    testing::Values(Choice{"two-scale", "single-rate", "am3"},
                    Choice{"two-scale", "multiframe", "ab2", "5", "hold"},
                    Choice{"two-scale", "multiframe", "ab2", "5", "extrap1"},
                    Choice{"two-scale", "multiframe", "ab3", "5", "extrap2"},
                    Choice{"two-scale", "multiframe", "ab3", "5", "interp2"},
                    Choice{"pitch-control", "multiframe", "ab2", "7", "interp1"},
                    Choice{"pitch-control", "multiframe", "ab2", "7", "interp2d"},
                    Choice{"pitch-control", "multiframe", "ab4", "3", "interp3"},
                    Choice{"pitch-control", "multiframe", "rk4", "3", "interp1"},
                    Choice{"pitch-control", "multiframe", "am2p", "3", "interp1"},
                    Choice{"pitch-control", "multiframe", "ab2", "3", "extrap1", "fast-first"},
                    Choice{"pitch-control", "prk"}, Choice{"quarter-car-b", "prk"},
                    Choice{"two-scale", "pece-multirate", "", "4", "interp1"},
                    Choice{"pitch-control", "pece-multirate", "", "4", "interp3"},
                    Choice{"pitch-control", "pece-multirate-parallel", "", "4", "interp1"}));

// Nonlinear, and moving: the frame is linearised where the run is, stages and all, so that it sees
// what unequal abscissae of a pair do to inertial positions.
class NonlinearModel : public testing::TestWithParam<Choice> {};

TEST_P(NonlinearModel, HasItsStepPredictedWithinFivePercent) {
  const Chosen c(GetParam());
  const Limit limit = find_limit(c.structure, c.plan);
  ASSERT_TRUE(limit.predicted);
  EXPECT_NEAR(*limit.predicted, limit.stable, 0.05 * limit.stable);
}

INSTANTIATE_TEST_SUITE_P(
    Predicted, NonlinearModel,
    testing::Values(Choice{"planar-spacecraft", "single-rate", "ab2"},
                    Choice{"planar-spacecraft", "multiframe", "am3", "3", "interp1"},
                    Choice{"kpr", "single-rate", "ab2"}, Choice{"kpr", "prk"},
                    Choice{"planar-vehicle", "single-rate", "rk2"}, Choice{"planar-vehicle", "prk"},
                    Choice{"planar-vehicle", "multiframe", "ab3", "4", "interp2"},
                    Choice{"planar-vehicle-inertial", "prk"}));

}  // namespace
}  // namespace chicane::amplification_test
