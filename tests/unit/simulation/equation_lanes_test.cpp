// SPDX-License-Identifier: Apache-2.0
#include "simulation/equation_lanes.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "testkit/models.hpp"

namespace equation_lanes_test {
namespace {

using namespace chicane;

// A single-track car on two axles with saturating tires, load transfer, a driver's steer and a
// wheel that lifts: sines, arc tangents, a table, decisions.
const char* const kSingleTrack = R"yaml(
format: chicane/1
units: none
parameters: {m: 1500, I: 2500, a: 1.2, b: 1.5, mu: 0.9, C_f: 90e3, C_r: 110e3, h: 0.5, wanted: 20, g: 9.81}
tables:
  drag: {x: [0, 10, 20, 60], y: [0, 40, 160, 1500]}
auxiliaries:
  steer: "if(t < 0.5, 0, 0.06*sin(2*(t - 0.5)))"
  F_x: "sat(2000*(wanted - u), -4000, 3000)"
  F_zf: "max(m*g*b/(a + b) - F_x*h/(a + b), 0)"
  F_zr: "m*g*a/(a + b) + F_x*h/(a + b)"
  alpha_f: "steer - atan2(v + a*r, max(u, 1))"
  alpha_r: "-atan2(v - b*r, max(u, 1))"
  F_yf: "mu*F_zf*tanh(C_f*alpha_f/(mu*max(F_zf, 1)))"
  F_yr: "mu*F_zr*tanh(C_r*alpha_r/(mu*F_zr))"
states:
  u: {der: "(F_x - table(drag, u) - F_yf*sin(steer))/m + v*r", initial: 15}
  v: {der: "(F_yf*cos(steer) + F_yr)/m - u*r"}
  r: {der: "(a*F_yf*cos(steer) - b*F_yr)/I"}
  psi: {der: r}
  x: {der: "u*cos(psi) - v*sin(psi)"}
  y: {der: "u*sin(psi) + v*cos(psi)"}
)yaml";

template <class T, class F>
void rk4_step(double t, double h, std::vector<T>& x, F&& f) {
  const std::size_t n = x.size();
  std::vector<T> k[4], y(n);
  const double c[] = {0.0, 0.5, 0.5, 1.0};
  for (int s = 0; s < 4; ++s) {
    for (std::size_t i = 0; i < n; ++i) y[i] = s == 0 ? x[i] : T(x[i] + c[s] * h * k[s - 1][i]);
    k[s].resize(n);
    f(t + c[s] * h, y, k[s]);
  }
  for (std::size_t i = 0; i < n; ++i)
    x[i] = x[i] + h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
}

// One car alone, by the run time.
struct Alone {
  std::shared_ptr<const ModelStructure> structure;
  Model<double> model{structure};
  State<double> state = model.initial_state();
  Inputs<double> inputs = model.default_inputs();
  BoundModel<double> bound{model, state, inputs};
  Eval<double> at = model.make_eval(GroupIndex{0});

  void rates(double t, const std::vector<double>& x, std::vector<double>& dx) {
    bound.bind(GroupIndex{0}, at);
    bound.outputs(GroupIndex{0}, t, x, {}, at, {});
    bound.derivative(GroupIndex{0}, at, {}, dx);
  }
};

// Parameter p of a lane: up to 20 % off, each lane and parameter in its own way.
double varied(double value, int p, int lane) {
  return value * (1.0 + 0.2 * ((7 * p + 3 * lane) % 11 - 5) / 5.0);
}

// Runs N cars in lanes and each alone; all states are the same, to the bit.
template <int N>
void expect_lanes_equal_cars(const std::shared_ptr<const ModelStructure>& structure, int steps,
                             double h) {
  EquationLanes<N> lanes(structure);
  const int parameters = structure->parameters.size();
  for (int p = 0; p < parameters; ++p)
    for (int lane = 0; lane < N; ++lane)
      lanes.set_parameter(ParameterIndex{p}, lane,
                          varied(structure->parameters[ParameterIndex{p}].value, p, lane));
  std::vector<Lanes<N>> all = lanes.start();
  for (int k = 0; k < steps; ++k)
    rk4_step(k * h, h, all, [&](double t, const auto& x, auto& dx) { lanes.rates(t, x, dx); });

  for (int lane = 0; lane < N; ++lane) {
    Alone car{structure};
    for (int p = 0; p < parameters; ++p) {
      const ParameterInfo& info = structure->parameters[ParameterIndex{p}];
      car.state.constants[info.slot] = varied(info.value, p, lane);
    }
    car.model.prepare(car.state);
    std::vector<double> x = car.state.groups[GroupIndex{0}].x;
    for (int k = 0; k < steps; ++k)
      rk4_step(k * h, h, x, [&](double t, const auto& y, auto& dx) { car.rates(t, y, dx); });
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(all[i][lane], x[i]) << "state " << i << ", lane " << lane;
  }
  // and they do differ
  if (steps > 0) {
    EXPECT_NE(all[0][0], all[0][1]);
  }
}

TEST(EquationLanes, AreCarsThatRunAlone) {
  const auto car = testkit::compiled(kSingleTrack);
  expect_lanes_equal_cars<4>(car, 3000, 1e-3);
  expect_lanes_equal_cars<8>(car, 500, 1e-3);
}

TEST(EquationLanes, AreQuarterCarsThatRunAlone) {
  for (const char* name : {"quarter-car-a", "quarter-car-b", "quarter-car-c"}) {
    const auto structure = testkit::compiled_builtin(name);
    SCOPED_TRACE(name);
    ASSERT_EQ(EquationLanes<4>::obstacle(*structure), "");
    expect_lanes_equal_cars<4>(structure, 400, 1e-3);
  }
}

TEST(EquationLanes, RefuseWhatWouldPart) {
  EXPECT_NE(EquationLanes<4>::obstacle(*testkit::compiled(testkit::kEverything)), "");
  EXPECT_THROW(EquationLanes<4>{testkit::compiled(testkit::kEverything)}, UsageError);
  EXPECT_EQ(EquationLanes<4>::obstacle(*testkit::compiled_builtin("planar-vehicle")),
            "it has blocks written in C++");
}

}  // namespace
}  // namespace equation_lanes_test
