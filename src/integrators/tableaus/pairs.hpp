// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "integrators/method.hpp"

namespace chicane {

// Two tableaus with the same number of stages, for a slow and a fast part of a system.
struct TableauPair {
  std::string name, source, use;
  int order = 1;
  Coefficients<double> slow, fast;
};

const std::vector<TableauPair>& tableau_pairs();
const TableauPair* find_pair(std::string_view name);
std::vector<std::string_view> pair_names();

// Columns of a tableau that anything depends on: the derivatives that have to be evaluated.
std::vector<bool> used_columns(const Coefficients<double>& k);

// The order of a pair for coupled autonomous systems: up to which all conditions of trees with
// nodes of two colours hold, to `tolerance`. Nothing is asked of c beyond c_i = sum_j a_ij.
int verified_order(const TableauPair& pair, double tolerance = 1e-7);
inline constexpr int kMostVerifiedPairOrder = 4;

// The fault of a pair given by a user; empty when there is none.
std::string fault_of(const TableauPair& pair);

}  // namespace chicane
