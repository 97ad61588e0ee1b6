// SPDX-License-Identifier: Apache-2.0
#include "analysis/linearize.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "assembly/assemble.hpp"
#include "blocks/mechanism/describe.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"
#include "testkit/models.hpp"

namespace linearize_test {
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

// Through the loops, whose dependent states are found anew at every point.
TEST(JacobianOfAMechanism, EqualsCentralDifferencesAlongItsRun) {
  for (const std::string& name : testkit::mechanism_models()) {
    Diagnostics diag;
    auto spec = read_model(name, diag);
    const auto structure = compile_for_run(*spec, diag);
    const auto plan = plan_run(*spec, *structure, diag);
    Simulation s(structure, plan->plan);
    const bool large = structure->states.size() > 100;  // of those a part will do
    for (int point = 0; point < (large ? 1 : 2); ++point) {
      for (int k = 0; k < 97; ++k) ASSERT_EQ(s.step(), Status::ok) << name;
      const auto A = jacobian(Model<Dual>(structure), s.state());
      const auto& x0 = s.state().groups[GroupIndex{0}].x;
      for (std::size_t j = 0; j < A.size(); j += large ? 17 : 1) {
        const double h = 2e-5 * (1 + std::fabs(x0[j]));
        const auto at = [&](double shift) {
          auto x = x0;
          x[j] += shift;
          return rates(s.model(), s.state(), x);
        };
        const auto up = at(h), down = at(-h), up2 = at(2 * h), down2 = at(-2 * h);
        for (std::size_t i = 0; i < A.size(); ++i) {
          const double difference = (8 * (up[i] - down[i]) - (up2[i] - down2[i])) / (12 * h);
          // Loops are closed to some 1e-13 m, which accelerations magnify; derivatives through them
          // to some 1e-10 of the largest.
          double largest = 0;
          for (const double a : A[i]) largest = std::max(largest, std::fabs(a));
          const double rounding = 1e-13 * (1 + std::fabs(up[i])) / h + 1e-10 * largest;
          EXPECT_NEAR(A[i][j], difference, 1e-6 * (1 + std::fabs(A[i][j])) + rounding)
              << name << " " << structure->states[structure->groups[GroupIndex{0}].states[i]].name
              << " by " << structure->states[structure->groups[GroupIndex{0}].states[j]].name;
        }
      }
    }
  }
}

// Through loops, tires, brakes and powertrain. Braking, where no law has a kink: in a curve's knot
// the two would be different slopes.
TEST(JacobianOfAVehicle, EqualsCentralDifferences) {
  Diagnostics diag;
  auto spec = read_model("hmmwv", diag);
  spec = read_manoeuvre("braking", std::move(*spec), diag);
  ASSERT_TRUE(spec) << diag.text();
  ASSERT_TRUE(override_value(*spec, "pedal", {"0.2", {}}, diag));
  const auto structure = compile_for_run(*spec, diag);
  const auto plan = plan_run(*spec, *structure, diag);
  Simulation s(structure, plan->plan);
  while (s.time() < 1.6) ASSERT_EQ(s.step(), Status::ok);
  const auto A = jacobian(Model<Dual>(structure), s.state());
  const auto& x0 = s.state().groups[GroupIndex{0}].x;
  const auto name = [&](std::size_t i) {
    return structure->states[structure->groups[GroupIndex{0}].states[i]].name;
  };
  std::size_t kinks = 0;
  for (std::size_t j = 0; j < A.size(); ++j) {
    // In neutral engine and turbine turn alike, just where the converter's law bends (its curvature
    // jumps): there differences miss the slope of omega_t by 10 h of the largest, 2e-6 with this h.
    const double h = 2e-7 * (1 + std::fabs(x0[j]));
    const auto at = [&](double shift) {
      auto x = x0;
      x[j] += shift;
      return rates(s.model(), s.state(), x);
    };
    const auto up = at(h), down = at(-h), here = at(0.0);
    for (std::size_t i = 0; i < A.size(); ++i) {
      double largest = 1.0;
      for (const double a : A[i]) largest = std::max(largest, std::fabs(a));
      const auto off = [&](double slope) { return std::fabs(A[i][j] - slope); };
      const double sides = std::min(off((up[i] - here[i]) / h), off((here[i] - down[i]) / h));
      const double both = off((up[i] - down[i]) / (2 * h));
      EXPECT_LT(std::min(both, sides), 1e-5 * largest) << name(i) << " by " << name(j);
      kinks += both > 1e-5 * largest ? 1 : 0;
    }
  }
  EXPECT_LT(kinks, 4 * A.size());  // four brakes, nothing else
}

// Two states for each freedom: what depends on others, and the length of quaternions, is left out.
TEST(LinearMechanism, HasTwoStatesForEachFreedom) {
  for (const std::string& name : testkit::mechanism_models()) {
    Diagnostics diag;
    const auto spec = read_model(name, diag);
    const auto m = compile_mechanism(*spec, diag);
    const auto structure = testkit::compiled_builtin(name);
    const Linearization l = linearize(structure, Model<double>(structure).initial_state());
    EXPECT_EQ(l.states.size(), 2 * static_cast<std::size_t>(m->freedoms) + m->force_states.size())
        << name;
    EXPECT_EQ(l.A.size(), l.states.size());
    EXPECT_EQ(l.eigenvalues.size(), l.states.size()) << name;
  }
}

// A top that stands upright and spins: with z = x + i y of its tip in the world
//   I z'' - i J w z' - m g l z = 0
// and in its own axes, in which the states turn, every root is less by i w.
TEST(LinearMechanism, OfASleepingTopHasItsTwoFrequencies) {
  const double m = 2, l = 0.3, I = 0.25, J = 0.04, w = 300, g = 9.81;
  const auto structure =
      testkit::compiled(fmt::format(R"(
format: chicane/1
topology:
  bodies: [top]
  joints: {{tip: {{type: spherical, connects: [ground, top]}}}}
parameters:
  gravity: [0, 0, -{}, m/s^2]
  bodies:
    top: {{mass: {} kg, com: [0, 0, {}, m], inertia: {{diagonal: [{}, {}, {}, kg m^2]}}}}
  joints: {{tip: {{at: [0, 0, 0, m], initial_rate: [0, 0, {}, rad/s]}}}}
)",
                                    g, m, l, I - m * l * l, I - m * l * l, J, w));
  const Linearization lin = linearize(structure, Model<double>(structure).initial_state());
  ASSERT_EQ(lin.states.size(), 6U);
  const double root = std::sqrt(J * J * w * w - 4 * I * m * g * l);
  const double nutation = (J * w + root) / (2 * I), precession = (J * w - root) / (2 * I);
  std::vector<double> found;
  for (const auto& lambda : lin.eigenvalues) {
    EXPECT_NEAR(lambda.real(), 0, 1e-6 * w);
    if (lambda.imag() > 1e-3) found.push_back(lambda.imag());
  }
  std::sort(found.begin(), found.end());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0], w - nutation, 1e-9 * w);
  EXPECT_NEAR(found[1], w - precession, 1e-9 * w);
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

// --- A, B, C, D ---

struct Values {
  std::vector<double> rates, signals;
};

// Rates and signals of a model in plain numbers, for the differences.
Values evaluated(const Model<double>& model, OperatingPoint at,
                 const std::vector<SignalIndex>& signals) {
  const ModelStructure& s = model.structure();
  BoundModel<double> bound(model, at.state, at.inputs);
  Eval<double> eval = model.make_eval(GroupIndex{0});
  const std::vector<double> x = at.state.groups[GroupIndex{0}].x;
  Values out{std::vector<double>(x.size()), {}};
  bound.bind(GroupIndex{0}, eval);
  evaluate<BoundModel<double>>(bound, GroupIndex{0}, at.state.clock.time(), x, eval, out.rates);
  model.report(GroupIndex{0}, eval);
  for (const SignalIndex i : signals) out.signals.push_back(eval.v[s.signals[i].slot]);
  return out;
}

// One column by central differences of fourth order, and what it may be off by.
void expect_column(const std::function<std::vector<double>(double)>& f, double size,
                   const RealMatrix& matrix, std::size_t column, const std::string& what) {
  const double h = 1e-4 * size;  // truncation 1e-16, rounding 1e-12 of the scale
  const auto up = f(h), down = f(-h), up2 = f(2 * h), down2 = f(-2 * h);
  for (std::size_t i = 0; i < up.size(); ++i) {
    const double difference = (8 * (up[i] - down[i]) - (up2[i] - down2[i])) / (12 * h);
    double scale = std::fabs(up[i]) / size;
    for (const double v : matrix[i]) scale = std::max(scale, std::fabs(v));
    EXPECT_NEAR(matrix[i][column], difference, 1e-6 * scale) << what << " row " << i;
  }
}

void expect_differences(const std::shared_ptr<const ModelStructure>& structure,
                        const OperatingPoint& at) {
  const Model<double> model(structure);
  std::vector<SignalIndex> signals;
  for (const SignalIndex i : structure->signals.indices()) signals.push_back(i);
  const Linearization l = linearize(structure, at, {signals, false});
  const auto check = [&](auto number, std::size_t n, const RealMatrix& rates_by,
                         const RealMatrix& signals_by, const char* name) {
    for (std::size_t j = 0; j < n; ++j) {
      OperatingPoint point = at;
      // As large as the value, or as what moves a rate by about 1: forces count in newtons.
      double largest = 0.0;
      for (const auto& row : rates_by) largest = std::max(largest, std::fabs(row[j]));
      const double value = number(point, j);
      const double seen = value == 0.0 && largest > 0.0 ? std::min(1.0 / largest, 1e4) : 0.0;
      const double size = std::max({std::fabs(value), seen, 1e-3});
      const std::string what =
          fmt::format("{} t = {} {} column {}", structure->name, at.state.clock.time(), name, j);
      for (const auto& [part, matrix] :
           {std::pair{&Values::rates, &rates_by}, {&Values::signals, &signals_by}})
        expect_column(
            [&, part = part](double shift) {
              number(point, j) = value + shift;
              return evaluated(model, point, signals).*part;
            },
            size, *matrix, j, what);
    }
  };
  check([](OperatingPoint& p,
           std::size_t j) -> double& { return p.state.groups[GroupIndex{0}].x[j]; },
        l.states.size(), l.A, l.C, "state");
  check([](OperatingPoint& p, std::size_t j) -> double& { return p.inputs.u[j]; }, l.inputs.size(),
        l.B, l.D, "input");
}

TEST(Matrices, EqualCentralDifferencesOnEveryBuiltInModelAlongARun) {
  for (const std::string& name : testkit::equation_models()) {
    Diagnostics diag;
    auto spec = read_model(name, diag);
    spec->run.scheme = {"single-rate", {}};
    spec->run.method = {"rk4", {}};
    const auto structure = compile_for_run(*spec, diag);
    const auto plan = plan_run(*spec, *structure, diag);
    Simulation s(structure, plan->plan);
    for (int point = 0; point < 5; ++point) {
      expect_differences(structure, {s.state(), s.inputs()});
      for (int k = 0; k < 211; ++k) ASSERT_EQ(s.step(), Status::ok);
    }
  }
}

TEST(Matrices, EqualCentralDifferencesWithEventsMemoryAndTables) {
  for (const char* text : {testkit::kEverything, testkit::kTwoRates}) {
    const auto structure = testkit::compiled(text);
    Simulation s(structure, testkit::plan("rk4", 1e-3));
    for (int point = 0; point < 4; ++point) {  // the start is a knot of the table
      for (int k = 0; k < 107; ++k) ASSERT_EQ(s.step(), Status::ok);
      expect_differences(structure, {s.state(), s.inputs()});
    }
  }
}

const char* const kPushed = R"(
format: chicane/1
parameters: {m: 2 kg, k: 800 N/m, c: 8 N s/m}
inputs: {F: 5 N}
groups:
  main:
    states:
      x: {der: v, unit: mm}
      v: {der: (F - k*x - c*v)/m, unit: m/s}
outputs: {a: {value: der(v), unit: m/s^2}, x_mm: {value: x, unit: mm}}
)";

// F = m a: all four matrices by hand, in SI whatever the units of the file.
TEST(Matrices, OfAMassOnASpringAreThoseOfNewton) {
  const auto s = testkit::compiled(kPushed);
  const OperatingPoint at = with_default_inputs(*s, Model<double>(s).initial_state());
  const Linearization l = linearize(s, at, {{s->find_signal("a"), s->find_signal("x_mm")}, false});
  EXPECT_EQ(l.states, (std::vector<std::string>{"x", "v"}));
  EXPECT_EQ(l.units, (std::vector<std::string>{"m", "m/s"}));
  EXPECT_EQ(l.A, (RealMatrix{{0, 1}, {-400, -4}}));
  EXPECT_EQ(l.B, (RealMatrix{{0}, {0.5}}));
  EXPECT_EQ(l.C, (RealMatrix{{-400, -4}, {1, 0}}));
  EXPECT_EQ(l.D, (RealMatrix{{0.5}, {0}}));
  EXPECT_EQ(l.inputs[0].unit, "N");
  EXPECT_EQ(l.outputs[0].unit, "m/s^2");
  EXPECT_EQ(l.outputs[1].unit, "m");
}

TEST(Matrices, OfAModelWithoutStatesAreEmptyButForD) {
  const auto s = testkit::compiled(
      "format: chicane/1\nunits: none\ninputs: {u: 3}\noutputs: {y: {value: u^2}}\n");
  const OperatingPoint at = with_default_inputs(*s, Model<double>(s).initial_state());
  const Linearization l = linearize(s, at, {{s->find_signal("y")}, true});
  EXPECT_TRUE(l.states.empty() && l.A.empty() && l.eigenvalues.empty() && l.modes.empty());
  EXPECT_EQ(l.D, (RealMatrix{{6}}));
}

// --- groups and blocks ---

TEST(Groups, HaveBlocksThatMakeUpTheJacobianAndEigenvaluesOfTheirOwn) {
  const auto s = testkit::compiled_builtin("two-scale");
  const Linearization l = linearize(s, Model<double>(s).initial_state());
  for (const std::string& to : l.groups)
    for (const std::string& from : l.groups) {
      const RealMatrix J = l.coupling(to, from);
      const auto rows = l.states_in(to), cols = l.states_in(from);
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < cols.size(); ++j) EXPECT_EQ(J[i][j], l.A[rows[i]][cols[j]]);
    }
  // x'' + 2 z w x' + w^2 x: the group with its neighbour held.
  const auto fast = l.eigenvalues_of("fast");
  EXPECT_NEAR(std::abs(fast[0]), 35, 1e-12);
  EXPECT_NEAR(fast[0].real(), -0.3 * 35, 1e-12);
}

// The figures that go with the calibrated parameters of the planar vehicle.
TEST(Groups, OfThePlanarVehicleHaveThePublishedEigenvalues) {
  for (const auto& [name, slow] :
       {std::pair{"planar-vehicle", 40.0}, {"planar-vehicle-inertial", 189.0}}) {
    const auto s = testkit::compiled_builtin(name);
    const Linearization l = linearize(s, Model<double>(s).initial_state());
    const auto fast = l.eigenvalues_of("fast").front();
    EXPECT_NEAR(std::abs(fast), 1965, 1) << name;
    EXPECT_NEAR(-fast.real() / std::abs(fast), 0.088, 0.0005) << name;
    EXPECT_NEAR(std::abs(l.eigenvalues_of("slow").front()), slow, 0.5) << name;
  }
}

TEST(Participations, OfStatesBlocksAndGroupsSumToOneOnEveryBuiltInModel) {
  for (const std::string& name : testkit::equation_models()) {
    const auto s = testkit::compiled_builtin(name);
    const Linearization l = linearize(s, Model<double>(s).initial_state());
    std::size_t eigenvalues = 0;
    for (const Mode& mode : l.modes) {
      double states = 0, blocks = 0, groups = 0;
      for (const double p : mode.participation) states += p;
      for (const std::string& b : l.blocks) blocks += l.participation_of_block(mode, b);
      for (const std::string& g : l.groups) groups += l.participation_of_group(mode, g);
      EXPECT_NEAR(states, 1, 1e-12) << name;
      EXPECT_NEAR(blocks, 1, 1e-12) << name;
      EXPECT_NEAR(groups, 1, 1e-12) << name;
      eigenvalues += mode.swings() ? 2 : 1;
    }
    EXPECT_EQ(eigenvalues, l.states.size()) << name;
  }
}

// --- parameters behind a mode ---

// The natural frequency is sqrt(k/m), the damping ratio c / (2 sqrt(k m)).
TEST(Parameters, BehindAMassOnASpringAreTheMassAndTheSpring) {
  const auto s = testkit::compiled(kPushed);
  const OperatingPoint at = with_default_inputs(*s, Model<double>(s).initial_state());
  const Linearization l = linearize(s, at, {{}, true});
  ASSERT_EQ(l.parameters.size(), 1U);
  for (const ParameterEffect& e : l.parameters[0]) {
    const double frequency = e.name == "k" ? 0.5 : e.name == "m" ? -0.5 : 0.0;
    const double damping = 0.1 * (e.name == "c" ? 1 : -0.5);  // zeta = 0.1
    EXPECT_NEAR(e.on_frequency(), frequency, 1e-9) << e.name;
    EXPECT_NEAR(e.on_damping(l.modes[0].eigenvalue), damping, 1e-9) << e.name;
  }
}

// Linear models, so that the states they start from do not matter.
TEST(Parameters, HaveTheEffectThatLinearisingAgainShows) {
  for (const char* name : {"pitch-control", "two-scale", "quarter-car-b", "quarter-car-c"}) {
    Diagnostics diag;
    const auto spec = read_model(name, diag);
    const auto with = [&](const ParameterInfo* p, double factor) {
      Spec changed = *spec;
      if (p != nullptr)
        override_value(changed, p->name,
                       {fmt::format("{:.17g} {}", p->value * factor, to_string(p->dimension)), {}},
                       diag);
      const auto s = compile(changed, Partition::together(changed), diag);
      EXPECT_TRUE(s) << diag.text();
      return linearize(s, with_default_inputs(*s, Model<double>(s).initial_state()), {{}, true});
    };
    const Linearization l = with(nullptr, 1);
    const auto s = testkit::compiled_builtin(name);
    for (const ParameterInfo& p : s->parameters) {
      const double h = 1e-5;
      const Linearization up = with(&p, 1 + h), down = with(&p, 1 - h);
      for (std::size_t k = 0; k < l.modes.size(); ++k) {
        const auto difference =
            (up.modes[k].eigenvalue - down.modes[k].eigenvalue) / (2 * h * l.modes[k].eigenvalue);
        std::complex<double> effect = 0;
        for (const ParameterEffect& e : l.parameters[k])
          if (e.name == p.name) effect = e.sensitivity;
        EXPECT_LT(std::abs(effect - difference), 1e-7) << name << " " << p.name << " " << k;
      }
    }
  }
}

TEST(Parameters, OfBlocksInCppAreFound) {
  const auto s = testkit::compiled_builtin("planar-spacecraft");
  const OperatingPoint at = with_default_inputs(*s, Model<double>(s).initial_state());
  const Linearization l = linearize(s, at, {{}, true});
  const auto mode = find_mode(l, "panels.theta_R");
  ASSERT_TRUE(mode);
  for (const ParameterEffect& e : named(l, *mode).parameters) {
    if (e.name != "k") continue;
    EXPECT_NEAR(e.on_frequency(), 0.5, 1e-8);  // nothing else is a spring
    return;
  }
  FAIL() << "k is not among them";
}

// Along one mode alone, in a fraction of the time: the same effects, and none of the strong ones
// forgotten.
TEST(Parameters, BehindOneModeAreTheStrongestOfAll) {
  constexpr std::size_t kStrong = 3;  // as many as are named
  for (const char* name : {"pitch-control", "quarter-car-b", "planar-vehicle", "double-wishbone"}) {
    const auto s = testkit::compiled_builtin(name);
    const OperatingPoint at = with_default_inputs(*s, Model<double>(s).initial_state());
    const Linearization l = linearize(s, at, {}), all = linearize(s, at, {{}, true});
    for (std::size_t k = 0; k < l.modes.size(); ++k) {
      const NamedMode one = explained(s, at, l, k);
      const auto same = find_mode(all, one.eigenvalue, one.state);
      ASSERT_TRUE(same);
      const auto& effects = all.parameters[*same];
      for (std::size_t i = 0; i < std::min(kStrong, effects.size()); ++i) {
        const auto it = std::find_if(one.parameters.begin(), one.parameters.end(),
                                     [&](const auto& e) { return e.name == effects[i].name; });
        ASSERT_NE(it, one.parameters.end()) << name << " " << k << " " << effects[i].name;
        EXPECT_LT(std::abs(it->sensitivity - effects[i].sensitivity), 1e-6) << name << " " << k;
      }
    }
  }
}

}  // namespace
}  // namespace linearize_test
