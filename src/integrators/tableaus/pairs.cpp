#include "integrators/tableaus/pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "integrators/order.hpp"

namespace chicane {
namespace {

using List = std::initializer_list<double>;

Coefficients<double> tableau(std::initializer_list<List> rows, List b) {
  Coefficients<double> k;
  k.stages = static_cast<int>(b.size());
  std::copy(b.begin(), b.end(), k.b.begin());
  std::size_t i = 1;  // the first row is empty
  for (const List& row : rows) {
    std::copy(row.begin(), row.end(), k.A[i].begin());
    for (const double a : row) k.c[i] += a;
    ++i;
  }
  return k;
}

}  // namespace

const std::vector<TableauPair>& tableau_pairs() {
  static const std::vector<TableauPair> pairs = {
      {"prk25",
       "dual-rate PRK paper, Table 6, with two misprinted entries of the fast tableau restored "
       "from "
       "its order and stability conditions, and all digits refined to satisfy them in double "
       "precision",
       "oscillatory fast parts: imaginary limit 4 per step, 2 slow and 5 fast evaluations", 2,
       tableau({{0},
                {0, 0.5273776903255885},
                {0, 0.9995844716132017, 0},
                {0, 0.5239676813493721, 0, 0.5239676813493721}},
               {0, 0.49979214943879247, 0, 0.5002078505612075, 0}),
       tableau({{0.597906230548284},
                {0.11732777069781461, 0.503378908778944},
                {0.2434306919951773, 0.00023845479134347, 0.15850598830126977},
                {0.182073889859953, 0.5924245997424302, 0.04915701164962088, 0.7729631485893232}},
               {0.43737670784334015, 0.04851405744811054, 0.05112046051270224, 0.2511246252826969,
                0.21186414891315017})},
      {"euler13", "dual-rate PRK paper, Table 3: forward Euler with three fast steps in a slow one",
       "a yardstick: what conventional dual-rate Euler does", 1,
       tableau({{1.0 / 3}, {2.0 / 3, 0}}, {1, 0, 0}),
       tableau({{1.0 / 3}, {1.0 / 3, 1.0 / 3}}, {1.0 / 3, 1.0 / 3, 1.0 / 3})},
  };
  return pairs;
}

const TableauPair* find_pair(std::string_view name) {
  for (const TableauPair& p : tableau_pairs())
    if (p.name == name) return &p;
  return nullptr;
}

std::vector<std::string_view> pair_names() {
  std::vector<std::string_view> names;
  for (const TableauPair& p : tableau_pairs()) names.push_back(p.name);
  return names;
}

std::vector<bool> used_columns(const Coefficients<double>& k) {
  std::vector<bool> used(static_cast<std::size_t>(k.stages), false);
  for (std::size_t j = 0; j < used.size(); ++j) {
    used[j] = k.b[j] != 0.0;
    for (std::size_t i = j + 1; i < used.size(); ++i) used[j] = used[j] || k.A[i][j] != 0.0;
  }
  return used;
}

// Hairer, Norsett and Wanner, Solving ODEs I, II.15: the conditions of rooted trees whose nodes
// have the colour of the part they differentiate, each colour with its own tableau.
int verified_order(const TableauPair& pair, double tolerance) {
  const std::array<const Coefficients<double>*, 2> k = {&pair.slow, &pair.fast};
  const auto trees = rooted_trees(kMostVerifiedPairOrder, 2);
  const auto s = static_cast<std::size_t>(pair.slow.stages);
  std::vector<std::vector<double>> X(trees.size(), std::vector<double>(s)), F = X;
  int order = kMostVerifiedPairOrder;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const Coefficients<double>& own = *k[static_cast<std::size_t>(trees[t].colour)];
    double weight = 0;
    for (std::size_t i = 0; i < s; ++i) {
      F[t][i] = 1;
      for (const int child : trees[t].children) F[t][i] *= X[static_cast<std::size_t>(child)][i];
      for (std::size_t j = 0; j < i; ++j) X[t][i] += own.A[i][j] * F[t][j];
      weight += own.b[i] * F[t][i];
    }
    if (std::fabs(weight - 1.0 / static_cast<double>(trees[t].density)) > tolerance)
      order = std::min(order, trees[t].order - 1);
  }
  return order;
}

std::string fault_of(const TableauPair& pair) {
  if (pair.slow.stages != pair.fast.stages)
    return "both tableaus of a pair have the same number of stages; fill unused columns with zeros";
  for (const auto* k : {&pair.slow, &pair.fast})
    if (std::string fault = fault_of(*k); !fault.empty())
      return (k == &pair.slow ? "slow: " : "fast: ") + fault;
  return {};
}

}  // namespace chicane
