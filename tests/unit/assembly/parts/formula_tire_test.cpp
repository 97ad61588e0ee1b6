// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/formula_tire.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "assembly/parts/tire_of.hpp"
#include "assembly/parts/wheel.hpp"
#include "assembly/parts/wheel_block.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/formula_tires.hpp"
#include "testkit/part_file.hpp"
#include "testkit/random.hpp"

namespace formula_tire_test {
namespace {

using namespace chicane;
using namespace chicane::formula_tire;

std::string changed(const std::string& from, const std::string& to) {
  std::string text = testkit::kFormulaTire;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// A law with the numbers of its block.
struct Tire {
  explicit Tire(const std::string& text) : file(text) {
    numbers = read_fields(file.keys, wheel_block::common_fields(), "a tire");
    const auto made = read_formula_tire(file.keys, "a tire", numbers);
    EXPECT_TRUE(made && file.diag.ok()) << file.diag.text();
    if (made) set = made->set;
    for (const NativeParameter& p : numbers) values.push_back(p.value);
  }
  template <class T>
  FormulaLaw<T> law(const std::vector<T>& own) const {
    return {set.get(), own[0], std::span<const T>(own).subspan(1)};
  }
  template <class T>
  std::vector<T> own() const {
    return {values.begin() + wheel_block::kTireParameters<double>, values.end()};
  }
  [[nodiscard]] tire::Params<double> params() const {
    return from_values<tire::Params<double>>(std::span<const double>(values));
  }

  testkit::PartFile file;
  std::vector<NativeParameter> numbers;
  std::vector<double> values;
  std::shared_ptr<const FormulaSet> set;
};

template <class T>
tire::Footprint<T> footprint(const T& load, const T& x, const T& y, const T& inclination,
                             double mu = 0.9) {
  return {.load = {load, T(mu), T(0.2)},
          .slip = {x, y},
          .trail_slip = y,
          .turn_slip = T(0.0),
          .sin_gamma = inclination,
          .deflection = T(0.02),
          .pressure = T(0.0),
          .v_x = T(10.0),
          .v_T = T(10.0),
          .omega = T(20.0)};
}

// The same law, written in C++.
struct Calspan {
  double F_x, F_y, M_z;
};
Calspan calspan(double F, double x, double y, double gamma, double mu = 0.9) {
  const double C_y = 8000 + 8.2 * F * (1 - F / 80000), C_x = 17 * F;
  const double grip = mu * F * std::max(1 - 6e-6 * F, 0.2), side = y - 0.05 * gamma;
  const double b = std::sqrt(C_x * x * C_x * x + C_y * side * C_y * side) / grip;
  const double share = b < 3 ? 1 - b / 3 + b * b / 27 : 1 / b;
  const double F_y = C_y * side * share;
  return {C_x * x * share, F_y, -0.06 * std::max(1 - b / 3, 0.0) * F_y};
}

TEST(FormulaTire, IsWhatItsFormulasSay) {
  const Tire t(testkit::kFormulaTire);
  EXPECT_TRUE(t.file.diag.all().empty()) << t.file.diag.text();
  const auto p = t.params();
  const auto own = t.own<double>();
  testkit::Random random{3};
  for (int i = 0; i < 2000; ++i) {
    const double F = random(10, 25000), gamma = random(-0.1, 0.1);
    const double x = std::pow(10, random(-5, 0.5)) * (i % 2 ? 1 : -1), y = random(-0.5, 0.5);
    const auto at = footprint(F, x, y, std::sin(gamma));
    const auto r = response(p, t.law(own), at);
    const auto S = tire::steady(r, at.slip);
    const Calspan c = calspan(F, x, y, gamma);
    EXPECT_NEAR(S.x, c.F_x, 1e-12 * F);
    EXPECT_NEAR(S.y, c.F_y, 1e-12 * F);
    EXPECT_GE(r.grip.f_x, 0);
    const auto m = moments(p, t.law(own), at, r, S);
    EXPECT_NEAR(m.z, std::tanh(20.0) * c.M_z, 1e-12 * F);
  }
}

// At no slip the secant is the slope; the relaxation length is the one that is asked for.
TEST(FormulaTire, HasItsSlopeAndItsRelaxationLengthAtNoSlip) {
  const Tire t(std::string(testkit::kFormulaTire) +
               "lateral_relaxation: 0.3 m\nlongitudinal_relaxation: \"1[m] * load / F_1\"\n");
  const auto own = t.own<double>();
  const auto r = response(t.params(), t.law(own), footprint(8000.0, 0.0, 0.0, 0.0));
  const double C_y = 8000 + 8.2 * 8000 * 0.9;
  EXPECT_NEAR(r.grip.f_x, 17 * 8000, 1e-3 * 17 * 8000);
  EXPECT_NEAR(r.grip.f_y, C_y, 1e-3 * C_y);
  // both are bounded by the stiffness of the patch alone, a few micrometres
  EXPECT_NEAR(tire::relaxation_lengths(r).x, 0.2, 2e-4);
  EXPECT_NEAR(tire::relaxation_lengths(r).y, 0.3, 3e-4);
}

TEST(FormulaTire, HasTheSlopesOfItsForcesForDuals) {
  const Tire t(changed("side_slip: slip_y", "side_slip: 0.9 * slip_y - 0.1 * slip_angle"));
  const auto own = t.own<double>();
  const auto duals = t.own<Dual>();
  const auto p = t.params();
  tire::Params<Dual> q;
  std::vector<Dual> all(t.values.begin(), t.values.end());
  q = from_values<tire::Params<Dual>>(std::span<const Dual>(all));
  testkit::Random random{4};
  for (int i = 0; i < 200; ++i) {
    const double F = random(2000, 20000), x = random(-0.3, 0.3), y = random(-0.3, 0.3), h = 1e-6;
    const auto at =
        footprint(Dual::variable(F, 2), Dual::variable(x, 0), Dual::variable(y, 1), Dual(0.0));
    const auto S = tire::steady(response(q, t.law(duals), at), at.slip);
    const auto force = [&](double dx, double dy, double dF) {
      const auto near = footprint(F + dF, x + dx, y + dy, 0.0);
      return tire::steady(response(p, t.law(own), near), near.slip);
    };
    EXPECT_NEAR(S.x.b[0], (force(h, 0, 0).x - force(-h, 0, 0).x) / (2 * h), 3.0);
    EXPECT_NEAR(S.y.b[0], (force(h, 0, 0).y - force(-h, 0, 0).y) / (2 * h), 3.0);
    EXPECT_NEAR(S.y.b[1], (force(0, h, 0).y - force(0, -h, 0).y) / (2 * h), 3.0);
    EXPECT_NEAR(S.y.b[2], (force(0, 0, 1e-2).y - force(0, 0, -1e-2).y) / 2e-2, 1e-5);
  }
}

TEST(FormulaTire, TakesNoMemoryInAStep) {
  const Tire t(testkit::kFormulaTire);
  const auto own = t.own<double>();
  const auto p = t.params();
  const auto law = t.law(own);
  const auto at = footprint(8000.0, 0.05, 0.02, 0.01);
  const testkit::AllocationCounter counter;
  double sum = 0;
  for (int i = 0; i < 100; ++i) {
    const auto r = response(p, law, at);
    sum += moments(p, law, at, r, tire::steady(r, at.slip)).z;
  }
  EXPECT_EQ(counter.count(), 0);
  EXPECT_TRUE(std::isfinite(sum));
}

// --- what is wrong with a section ----------------------------------------------------------------

void expect_said(const std::string& text, int line, const std::string& words, bool fault = true) {
  testkit::PartFile file(text);
  const auto tire = read_tire(file.keys, nullptr);
  EXPECT_EQ(tire == nullptr, fault) << file.diag.text();
  const std::string said = file.diag.text();
  EXPECT_NE(said.find("part.yaml:" + std::to_string(line) + ":"), std::string::npos) << said;
  EXPECT_NE(said.find(words), std::string::npos) << said;
}

TEST(FormulaTire, SaysWhatIsWrong) {
  expect_said(changed("lateral_force: C_y * side_slip * share", "lateral_force: side_slip * share"),
              15, "but this is");
  expect_said(changed("C_x * load * slip_x * share", "C_x * load * slip_z * share"), 14,
              "did you mean 'slip_x'?");
  expect_said(changed("hypot(C_x * load * slip_x,", "hypot(C_x * slip_x,"), 12, "cannot compare");
  expect_said(changed("trail: 60 mm", "load: 60 mm"), 7, "has a meaning already");
  expect_said(changed("side_slip: slip_y", "friction: slip_y"), 11, "has a meaning");
  expect_said(changed("aligning_moment: \"-trail * max(1 - b / 3, 0) * lateral_force\"\n", ""), 1,
              "'aligning_moment' is missing");
  expect_said(changed("grip: \"friction * load", "grip: \"friction * load * pressure / 1[bar]"), 1,
              "'pressure' is missing");
  expect_said(std::string(testkit::kFormulaTire) + "rolling_radius: \"0.45[m] * (1 + slip_x)\"\n",
              19, "cannot depend on a slip");
  expect_said(std::string(testkit::kFormulaTire) + "camber_slip: 1\n", 19, "no use for");
  expect_said(std::string(testkit::kFormulaTire) + "rolling_moment: \"-1[mm] * load\"\n", 6,
              "'rolling_moment' says it");
  expect_said(changed("longitudinal_limit: grip", "longitudinal_limit: table(none, load)"), 16,
              "no table 'none'");
}

// Laws that break what holds for tires run, with a warning at the line of the formula.
TEST(FormulaTire, WarnsOfBrokenLaws) {
  const auto warned = [](const std::string& from, const std::string& to, int line,
                         const std::string& words) {
    expect_said(changed(from, to), line, words, false);
  };
  warned("lateral_force: C_y * side_slip", "lateral_force: -C_y * side_slip", 15, "makes power");
  warned("longitudinal_force: C_x * load * slip_x * share",
         "longitudinal_force: C_x * load * slip_x", 14, "beyond the limit");
  warned("longitudinal_force: C_x * load * slip_x * share",
         "longitudinal_force: 0.5 * grip * sign(slip_x)", 14, "longitudinal force jumps");
  warned("lateral_force: C_y * side_slip * share",
         "lateral_force: \"C_y * side_slip * share * if(load > 9[kN], 1, 0.7)\"", 15, "over load");
  warned("lateral_force: C_y * side_slip * share",
         "lateral_force: \"sat(C_0 * side_slip, -2[kN], 2[kN])\"", 1, "with no load");
  warned("aligning_moment: \"-trail *", "aligning_moment: \"-trail * sign(slip_y) *", 18,
         "aligning moment jumps");
  warned("b: \"hypot(C_x", "b: \"log(slip_x) * hypot(C_x", 1, "not finite");
  expect_said(changed("rolling_resistance: 0.015\n", "") + "rolling_moment: \"6[mm] * load\"\n", 18,
              "drives the wheel", false);
}

}  // namespace
}  // namespace formula_tire_test
