// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/design/prk.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/shared.hpp"
#include "core/diagnostics.hpp"
#include "io/files.hpp"
#include "io/writer/echo.hpp"

namespace chicane::cli {
namespace {

using Json = nlohmann::ordered_json;

StabilityAxis axis_of(const DesignOptions& o) {
  return o.axis == "real" ? StabilityAxis::real : StabilityAxis::imaginary;
}

Json json_of(const Coefficients<double>& k) {
  const auto s = static_cast<std::ptrdiff_t>(k.stages);
  const auto list = [s](const auto& row) {
    return std::vector<double>(row.begin(), row.begin() + s);
  };
  Json A = Json::array();
  for (std::ptrdiff_t i = 0; i < s; ++i) A.push_back(list(k.A[static_cast<std::size_t>(i)]));
  return {{"A", A}, {"b", list(k.b)}, {"c", list(k.c)}};
}

void print(const char* title, const Coefficients<double>& k) {
  fmt::print("\n{}\n", title);
  const auto s = static_cast<std::size_t>(k.stages);
  const auto row = [s](const auto& values, std::size_t n) {
    for (std::size_t j = 0; j < s; ++j)
      fmt::print(" {:>12}", j < n ? fmt::format("{:.9f}", values[j]) : std::string());
    fmt::print("\n");
  };
  for (std::size_t i = 0; i < s; ++i) {
    fmt::print("  {:>12.9f} |", k.c[i]);
    row(k.A[i], i);
  }
  fmt::print("  {:>12} |", "b");
  row(k.b, s);
}

void print_polynomial(const StabilityPolynomial& p) {
  fmt::print("  R(z) = 1");
  for (std::size_t k = 1; k < p.beta.size(); ++k)
    fmt::print(" {} {:.10g} z{}", p.beta[k] < 0 ? '-' : '+', std::fabs(p.beta[k]),
               k == 1 ? "" : fmt::format("^{}", k));
  fmt::print("\n");
}

// What a user asked for cannot be had: said like the faults of a file.
template <class Design>
int answer(bool json, Design&& design) {
  Diagnostics diag;
  try {
    return design();
  } catch (const UsageError& e) {
    diag.error({"chicane design", 0, ""}, "{}", e.what());
  } catch (const NoPair& e) {
    diag.error({"chicane design", 0, ""}, "{}", e.what());
  }
  return refuse(diag, json);
}

}  // namespace

int design_pair(const DesignOptions& o) {
  return answer(o.json, [&] {
    PrkDesign d = design_prk({.slow = o.slow,
                              .fast = o.fast,
                              .order = o.order,
                              .axis = axis_of(o),
                              .consistent = o.consistent,
                              .damping = o.damping});
    const TableauPair& pair = d.pair;
    if (!o.out.empty()) write_whole(o.out, write_pair(pair));
    if (o.json) {
      const Json j = {{"status", "ok"},
                      {"name", pair.name},
                      {"order", pair.order},
                      {"consistent", is_consistent(pair)},
                      {"slow", json_of(pair.slow)},
                      {"fast", json_of(pair.fast)},
                      {"polynomial", d.polynomial.beta},
                      {"residual", d.residual},
                      {"conditions", d.conditions},
                      {"unknowns", d.unknowns},
                      {"imaginary_limit", d.imaginary_limit},
                      {"real_limit", d.real_limit},
                      {"error_constant", d.error_constant},
                      {"file", o.out.empty() ? Json(nullptr) : Json(o.out)}};
      print_json(j);
      return kOk;
    }
    fmt::print("{}: order {}, {} slow and {} fast evaluations a step, {}\n", pair.name, pair.order,
               o.slow, o.fast,
               is_consistent(pair) ? "stages at equal times" : "stages at times of their own");
    print("slow", pair.slow);
    print("fast", pair.fast);
    fmt::print("\n");
    print_polynomial(d.polynomial);
    fmt::print(
        "  limits of the fast part   imaginary {:.6g}, real {:.6g}; per evaluation {:.4g}, "
        "{:.4g}\n",
        d.imaginary_limit, d.real_limit, d.imaginary_limit / o.fast, d.real_limit / o.fast);
    fmt::print("  conditions                {} for {} unknowns, met to {:.2g}\n", d.conditions,
               d.unknowns, d.residual);
    fmt::print("  error constant            {:.4g}\n", d.error_constant);
    if (o.out.empty())
      fmt::print("  all digits: --json, or --out FILE for run --scheme prk --tableau FILE\n");
    else
      fmt::print("  written to {}: run MODEL --scheme prk --tableau {}\n", o.out, o.out);
    return kOk;
  });
}

int design_polynomial(const DesignOptions& o) {
  return answer(o.json, [&] {
    const StabilityPolynomial p = optimal_polynomial(
        {.stages = o.stages, .order = o.order, .axis = axis_of(o), .damping = o.damping});
    if (o.json) {
      const Json j = {{"status", "ok"},  {"stages", o.stages},   {"order", o.order},
                      {"axis", o.axis},  {"damping", o.damping}, {"polynomial", p.beta},
                      {"limit", p.limit}};
      print_json(j);
      return kOk;
    }
    fmt::print("{} stages, order {}: limit {:.10g} on the {} axis, {:.4g} per stage\n", o.stages,
               o.order, p.limit, o.axis, p.limit / o.stages);
    print_polynomial(p);
    return kOk;
  });
}

}  // namespace chicane::cli
