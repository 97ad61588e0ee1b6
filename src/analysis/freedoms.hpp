// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "analysis/differentiate.hpp"

namespace chicane {

// The ways in which the states of all blocks are free to change: dx = B xi, xi = P dx.
struct Freedoms {
  struct Entry {
    FreeDirection direction;
    BlockIndex block;
    // The state that names it, in x; several where it turns a ball.
    [[nodiscard]] int place() const { return direction.along.front().first; }
    [[nodiscard]] bool plain() const { return direction.read.size() == 1; }
  };
  std::vector<Entry> entries;
  bool all = true;  // every state is free
  Eigen::MatrixXd B, P, P_rate;

  // Of dx' = A dx in the free changes: xi' = P A B xi + P' B xi.
  [[nodiscard]] Eigen::MatrixXd of(const Eigen::MatrixXd& A) const {
    return all ? A : Eigen::MatrixXd(P * A * B + P_rate * B);
  }
  [[nodiscard]] Eigen::MatrixXd of_change(const Eigen::MatrixXd& dA) const {
    return all ? dA : Eigen::MatrixXd(P * dA * B);
  }
  // d(P x')/dxi: where P turns with the states, P(dx) x' = -P(x') dx.
  [[nodiscard]] Eigen::MatrixXd of_rates(const Eigen::MatrixXd& A) const {
    return all ? A : Eigen::MatrixXd(P * A * B - P_rate * B);
  }
};

// At a point of a model compiled with all blocks together; `rates` are those of the states there.
Freedoms freedoms_at(const Model<double>& model, const OperatingPoint& at,
                     std::span<const double> rates);

// States that depend on others as those say: loops closed, quaternions of length one.
void complete(const Model<double>& model, OperatingPoint& at);

// Units as written where they are SI, so that rad/s stays what it is.
std::string si_unit(const SignalInfo& signal);

}  // namespace chicane
