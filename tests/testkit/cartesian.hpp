// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "multibody/description.hpp"
#include "spatial/spatial.hpp"

// Another way to the accelerations of a mechanism: six coordinates for every body, every joint as
// constraints between two bodies, one dense system. It reads a Description and shares nothing with
// the engine but that.

namespace testkit {

struct BodyState {
  chicane::Transform<double> X;  // body frame at the centre of mass; global axes at the start
  chicane::Motion<double> V;     // of the centre of mass, world axes
};

struct Drive3 {
  double q = 0, v = 0, a = 0;
};

struct CartesianResult {
  std::map<std::string, chicane::Motion<double>> A;  // of the centres of mass
  // By joint: what its constraints do to its second body, about its point there; one solution where
  // constraints are redundant.
  std::map<std::string, chicane::Wrench<double>> reaction;
  double position_error = 0;  // largest residual of all constraints
  double rate_error = 0;      // and of its rate
  int freedoms = 0;           // 6 bodies less the rank
};

CartesianResult cartesian_accelerations(const chicane::multibody::Description& d,
                                        const std::map<std::string, BodyState>& bodies,
                                        const std::map<std::string, Drive3>& drives);

}  // namespace testkit
