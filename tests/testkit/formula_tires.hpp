// SPDX-License-Identifier: Apache-2.0
#pragma once

// A tire as formulas of a file, for tests: Calspan's form (a parabola over load, a cubic of the
// combined slip), with numbers of no tire.

namespace testkit {

inline constexpr const char* kFormulaTire = R"yaml(type: formula
radius: 0.4699 m
width: 0.3175 m
stiffness: 411 kN/m
damping: 3.9 kN s/m
rolling_resistance: 0.015
parameters: {C_0: 8 kN, C_1: 8.2, F_1: 40 kN, C_x: 17, mu_0: 1, mu_1: -0.006 1/kN, thrust: 0.05, trail: 60 mm}
auxiliaries:
  C_y: C_0 + C_1 * load * (1 - load / (2 * F_1))
  grip: "friction * load * max(mu_0 + mu_1 * load, 0.2)"
  side_slip: slip_y - thrust * inclination
  b: "hypot(C_x * load * slip_x, C_y * side_slip) / grip"
  share: "if(b < 3, 1 - b / 3 + b^2 / 27, 1 / max(b, 3))"
longitudinal_force: C_x * load * slip_x * share
lateral_force: C_y * side_slip * share
longitudinal_limit: grip
lateral_limit: grip
aligning_moment: "-trail * max(1 - b / 3, 0) * lateral_force"
)yaml";

}  // namespace testkit
