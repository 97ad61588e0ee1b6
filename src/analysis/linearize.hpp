#pragma once

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "system/model.hpp"

namespace chicane {

// dx'/dx of all blocks together at a state, exact (dual numbers). Row i is the rate of state i.
struct Linearization {
  std::vector<std::string> states;
  std::vector<std::vector<double>> A;
  std::vector<std::complex<double>> eigenvalues;  // largest magnitude first
  std::vector<int> leading;  // per eigenvalue: the state that moves most in its mode
};

Linearization linearize(const std::shared_ptr<const Structure>& structure, const State<double>& at);

// The rates and, column by column, their derivatives.
std::vector<std::vector<double>> jacobian(const Model<Dual>& model, const State<double>& at);

// Clock, parameters and memory of a state for dual numbers, all directions zero.
State<Dual> lifted(const Model<Dual>& model, const State<double>& at);

}  // namespace chicane
