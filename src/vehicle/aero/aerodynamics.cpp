// SPDX-License-Identifier: Apache-2.0
#include "vehicle/aero/aerodynamics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace chicane::aero {
namespace {

// The right side put before the left: factor 1 for what both sides share, -1 for mirrored values.
std::vector<double> with_mirror(const std::vector<double>& left, double factor) {
  std::vector<double> both;
  for (std::size_t i = left.size(); i-- > 1;) both.push_back(factor * left[i]);
  both.insert(both.end(), left.begin(), left.end());
  return both;
}

std::string fault_in_halves(const CoefficientData& left) {
  if (left.beta.empty() || left.beta.front() != 0.0)
    return "aerodynamics: beta must begin at 0 where both sides are alike";
  for (const auto& [name, values] :
       {std::pair{"C_y", &left.C_y}, {"C_l", &left.C_l}, {"C_n", &left.C_n}}) {
    if (values->empty() || values->front() != 0.0)
      return fmt::format("aerodynamics: {} must be 0 at beta = 0 where both sides are alike", name);
  }
  return {};
}

}  // namespace

std::variant<Coefficients, std::string> Coefficients::make(const CoefficientData& data) {
  const auto curve = [&](const char* name, const std::vector<double>& y) {
    return make_curve(name, {data.beta, y});
  };
  auto x = curve("C_x", data.C_x), y = curve("C_y", data.C_y), z = curve("C_z", data.C_z),
       l = curve("C_l", data.C_l), m = curve("C_m", data.C_m), n = curve("C_n", data.C_n);
  if (const auto* fault = first_fault({&x, &y, &z, &l, &m, &n}))
    return fmt::format("aerodynamics: {}", *fault);
  const auto table = [](CurveOrFault& of) { return std::get<Table1D>(std::move(of)); };
  return Coefficients{table(x), table(y), table(z), table(l), table(m), table(n)};
}

std::variant<Coefficients, std::string> Coefficients::make_symmetric(const CoefficientData& left) {
  if (auto fault = fault_in_halves(left); !fault.empty()) return fault;
  return make({.beta = with_mirror(left.beta, -1.0),
               .C_x = with_mirror(left.C_x, 1.0),
               .C_y = with_mirror(left.C_y, -1.0),
               .C_z = with_mirror(left.C_z, 1.0),
               .C_l = with_mirror(left.C_l, -1.0),
               .C_m = with_mirror(left.C_m, 1.0),
               .C_n = with_mirror(left.C_n, -1.0)});
}

}  // namespace chicane::aero
