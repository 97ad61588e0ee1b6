// SPDX-License-Identifier: Apache-2.0

// The built-in methods, as data. Coefficients are exact; tests/order checks their order conditions
// in rational arithmetic and the order observed on a nonlinear problem.

#include <algorithm>
#include <cmath>

#include "integrators/method.hpp"
#include "integrators/order.hpp"

namespace chicane {
namespace {

using Row = std::vector<std::int64_t>;

template <std::size_t n>
void fill(std::array<Rational, n>& out, std::int64_t den, const Row& row, std::size_t first = 0) {
  for (std::size_t i = first; i < row.size(); ++i) out[i - first] = Rational(row[i], den);
}

// x_{n+1} = x_n + h/den (row . [f_n, f_{n-1}, ...])
Coefficients<Rational> adams_bashforth(std::int64_t den, const Row& row) {
  Coefficients<Rational> k;
  k.old = static_cast<int>(row.size()) - 1;
  k.b[0] = Rational(row[0], den);
  fill(k.e, den, row, 1);
  return k;
}

// Two evaluations: predict to t + c h, then correct.
//   X       = x_n + h/pden (predictor . [f_n, f_{n-1}, ...]),   F = f(t_n + c h, X)
//   x_{n+1} = x_n + h/cden (corrector . [F, f_n, f_{n-1}, ...])
Coefficients<Rational> two_pass(Rational c, std::int64_t pden, const Row& predictor,
                                std::int64_t cden, const Row& corrector) {
  Coefficients<Rational> k;
  k.stages = 2;
  k.old = static_cast<int>(std::max(predictor.size(), corrector.size() - 1)) - 1;
  k.c[1] = c;
  k.A[1][0] = Rational(predictor[0], pden);
  fill(k.H[1], pden, predictor, 1);
  k.b = {corrector.size() > 1 ? Rational(corrector[1], cden) : Rational(0),
         Rational(corrector[0], cden)};
  fill(k.e, cden, corrector, 2);
  return k;
}

Coefficients<Rational> runge_kutta(std::int64_t aden, const std::vector<Row>& A, std::int64_t bden,
                                   const Row& b) {
  Coefficients<Rational> k;
  k.stages = static_cast<int>(b.size());
  for (std::size_t i = 0; i < A.size(); ++i) {
    fill(k.A[i], aden, A[i]);
    for (const std::int64_t a : A[i]) k.c[i] = k.c[i] + Rational(a, aden);
  }
  fill(k.b, bden, b);
  return k;
}

constexpr const char* kAdams = "Hairer, Norsett, Wanner, Solving ODEs I, ch. III.1";
constexpr const char* kHowe =
    "Howe, Dynamics of Real-Time Digital Simulation; ADSIM paper on multiple frame rate "
    "integration, sec. 2";

std::vector<MethodTable> make_tables() {
  const Rational half(1, 2);
  const auto memo = [](const char* equations) {
    return "Numerical Integration in VS Math Models (Mechanical Simulation), eqs. " +
           std::string(equations);
  };
  return {
      {"euler", "", memo("2"), "Research and diagnosis; assumes no smoothness at all.", 1,
       adams_bashforth(1, {1})},
      {"ab2", "", memo("3"), "The default: one evaluation a step, 0.5 ms for vehicles.", 2,
       adams_bashforth(2, {3, -1})},
      {"ab3", "", kAdams, "Smooth mechanisms; stable on the imaginary axis to 0.72.", 3,
       adams_bashforth(12, {23, -16, 5})},
      {"ab4", "", kAdams, "Very smooth systems at small steps.", 4,
       adams_bashforth(24, {55, -59, 37, -9})},
      {"am2", "", memo("4-5"), "External models that exchange signals at 1 ms.", 2,
       two_pass(half, 8, {5, -1}, 1, {1})},
      {"am3", "", memo("6-7"), "Smooth conditions in which a larger step is possible.", 3,
       two_pass(half, 24, {17, -7, 2}, 18, {20, -3, 1})},
      {"am4", "", memo("8-9"), "Exceptionally smooth conditions.", 4,
       two_pass(half, 384, {297, -187, 107, -25}, 30, {36, -10, 5, -1})},
      {"rk2", "rtrk2", memo("10-11"), "Discontinuities and sampled inputs that hurt am2.", 2,
       runge_kutta(2, {{}, {1}}, 1, {0, 1})},
      {"am2p", "", kHowe, "Accurate second order off line: error a fifth of ab2's.", 2,
       two_pass(1, 2, {3, -1}, 2, {1, 1})},
      {"am3p", "", kAdams, "Off line, smooth, third order at two evaluations.", 3,
       two_pass(1, 12, {23, -16, 5}, 12, {5, 8, -1})},
      {"am4p", "", kAdams, "Off line, smooth, fourth order at two evaluations (PECE).", 4,
       two_pass(1, 24, {55, -59, 37, -9}, 24, {9, 19, -5, 1})},
      {"heun2", "", "Heun 1900; Hairer, Norsett, Wanner, Solving ODEs I, ch. II.1",
       "Off line, discontinuities at full steps.", 2, runge_kutta(1, {{}, {1}}, 2, {1, 1})},
      {"rtrk3", "", kHowe, "Real time with three samples a step, discontinuities.", 3,
       runge_kutta(3, {{}, {1}, {0, 2}}, 4, {1, 0, 3})},
      {"rk4", "", "Kutta 1901; Hairer, Norsett, Wanner, Solving ODEs I, ch. II.1",
       "Off line, accurate; the start-up of the multistep methods.", 4,
       runge_kutta(2, {{}, {1}, {0, 1}, {0, 0, 2}}, 6, {1, 2, 2, 1})},
      {"rk5", "", "Butcher 1964; Butcher, Numerical Methods for ODEs, ch. 32",
       "Off line, five digits and more; smooth fast groups.", 5,
       runge_kutta(112,
                   {{}, {28}, {14, 14}, {0, -56, 112}, {21, 0, 0, 63}, {-48, 32, 192, -192, 128}},
                   90, {7, 0, 32, 12, 32, 7})},
  };
}

std::vector<Method> make_methods() {
  std::vector<Method> out;
  for (const MethodTable& t : method_tables())
    out.push_back({t.name, t.source, t.use, t.order, to_double(t.k)});
  return out;
}

}  // namespace

const std::vector<MethodTable>& method_tables() {
  static const std::vector<MethodTable> tables = make_tables();
  return tables;
}

Coefficients<double> to_double(const Coefficients<Rational>& k) {
  Coefficients<double> d;
  d.stages = k.stages;
  d.old = k.old;
  for (std::size_t i = 0; i < kMaxStages; ++i) {
    for (std::size_t j = 0; j < kMaxStages; ++j) d.A[i][j] = k.A[i][j].value();
    for (std::size_t j = 0; j < kMaxOld; ++j) d.H[i][j] = k.H[i][j].value();
    d.b[i] = k.b[i].value();
    d.c[i] = k.c[i].value();
  }
  for (std::size_t j = 0; j < kMaxOld; ++j) d.e[j] = k.e[j].value();
  return d;
}

const Method* find_method(std::string_view name) {
  static const std::vector<Method> methods = make_methods();
  const auto& tables = method_tables();
  for (std::size_t i = 0; i < tables.size(); ++i)
    if (!name.empty() && (name == tables[i].name || name == tables[i].alias)) return &methods[i];
  return nullptr;
}

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names;
  for (const MethodTable& t : method_tables()) names.push_back(t.name);
  return names;
}

bool Method::half_step() const {
  return std::any_of(k.c.begin(), k.c.begin() + k.stages, [](double c) { return c == 0.5; });
}

bool Method::real_time() const {
  for (int i = 0; i < k.stages; ++i)
    if (k.c[static_cast<std::size_t>(i)] * k.stages > i + 1e-12) return false;
  return true;
}

int verified_order(const Coefficients<double>& k) { return order_of(k, kMostVerifiedOrder); }

std::string fault_of(const Coefficients<double>& k) {
  const auto finite = [](const auto& row) {
    return std::all_of(row.begin(), row.end(), [](double v) { return std::isfinite(v); });
  };
  if (k.stages < 1 || k.stages > kMaxStages)
    return "a method has 1 to " + std::to_string(kMaxStages) + " stages";
  if (k.old < 0 || k.old > kMaxOld)
    return "a method keeps at most " + std::to_string(kMaxOld) + " old derivatives";
  if (!finite(k.b) || !finite(k.c) || !finite(k.e)) return "coefficients must be finite numbers";
  for (std::size_t i = 0; i < static_cast<std::size_t>(k.stages); ++i) {
    if (!finite(k.A[i]) || !finite(k.H[i])) return "coefficients must be finite numbers";
    double sum = 0;
    for (std::size_t j = 0; j < kMaxStages; ++j) {
      if (j >= i && k.A[i][j] != 0.0)
        return "A must be strictly lower triangular (explicit); row " + std::to_string(i + 1) +
               " is not";
      sum += k.A[i][j];
    }
    for (const double v : k.H[i]) sum += v;
    if (std::fabs(sum - k.c[i]) > 1e-9)
      return "row " + std::to_string(i + 1) + " of A (and H) must sum to c" + std::to_string(i + 1);
  }
  return {};
}

}  // namespace chicane
