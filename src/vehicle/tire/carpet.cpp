// SPDX-License-Identifier: Apache-2.0
#include "vehicle/tire/carpet.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace chicane::tire {

namespace {

using Values = std::vector<double>;

// A row of zeros at no load, unless there is one.
void add_no_load(CarpetData& d) {
  if (d.load.front() == 0.0) return;
  for (Values* table : {&d.F_x, &d.F_y, &d.M_z}) {
    const std::size_t columns = d.load.size(), rows = table->size() / columns;
    Values wider;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto row = table->begin() + static_cast<std::ptrdiff_t>(i * columns);
      wider.push_back(0.0);
      wider.insert(wider.end(), row, row + static_cast<std::ptrdiff_t>(columns));
    }
    *table = std::move(wider);
  }
  d.load.insert(d.load.begin(), 0.0);
}

std::optional<std::string> fault_in_table(const char* slip, const Values& slips, const char* name,
                                          const Values& z, const Values& load,
                                          bool may_be_negative = false) {
  const std::string table(name);
  const std::size_t loads = load.size();
  if (slips.size() < 2 || slips.front() != 0.0)
    return std::string(slip) + " must begin at 0 and have at least 2 entries";
  if (z.size() != slips.size() * loads)
    return table + " has " + std::to_string(z.size()) + " entries, needs " +
           std::to_string(slips.size() * loads);
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (!may_be_negative && !(z[i] >= 0.0))
      return table + "[" + std::to_string(i) + "] must not be negative";
    if (i < loads && z[i] != 0.0) return table + "[" + std::to_string(i) + "] must be 0: no slip";
    if (load.front() == 0.0 && i % loads == 0 && z[i] != 0.0)
      return table + "[" + std::to_string(i) + "] must be 0: no load";
  }
  return std::nullopt;
}

std::optional<std::string> fault_in(const CarpetData& d) {
  if (d.load.empty() || d.load.front() < 0.0) return "load must not be empty or negative";
  if (!(d.mu_0 > 0.0)) return "mu_0 must be positive";
  if (auto f = fault_in_table("kappa", d.kappa, "F_x", d.F_x, d.load)) return f;
  if (auto f = fault_in_table("tan_alpha", d.tan_alpha, "F_y", d.F_y, d.load)) return f;
  if (auto f = fault_in_table("tan_alpha", d.tan_alpha, "M_z", d.M_z, d.load, true)) return f;
  return std::nullopt;
}

Values peaks(const Values& table, std::size_t loads) {
  Values peak(loads, 0.0);
  for (std::size_t i = 0; i < table.size(); ++i)
    peak[i % loads] = std::max(peak[i % loads], table[i]);
  return peak;
}

}  // namespace

std::variant<Carpet, std::string> Carpet::make(CarpetData d) {
  if (auto fault = fault_in(d)) return *std::move(fault);
  add_no_load(d);

  constexpr auto kC1 = Interpolation::monotone;
  auto F_x = Table2D::make(d.kappa, d.load, d.F_x, kC1);
  auto F_y = Table2D::make(d.tan_alpha, d.load, d.F_y, kC1);
  auto M_z = Table2D::make(d.tan_alpha, d.load, d.M_z, kC1);
  auto peak_x = Table1D::make(d.load, peaks(d.F_x, d.load.size()), kC1);
  auto peak_y = Table1D::make(d.load, peaks(d.F_y, d.load.size()), kC1);
  if (auto* e = std::get_if<std::string>(&F_x)) return "F_x: " + *e;
  if (auto* e = std::get_if<std::string>(&F_y)) return "F_y: " + *e;
  if (auto* e = std::get_if<std::string>(&M_z)) return "M_z: " + *e;
  return Carpet(std::get<Table2D>(std::move(F_x)), std::get<Table2D>(std::move(F_y)),
                std::get<Table2D>(std::move(M_z)), std::get<Table1D>(std::move(peak_x)),
                std::get<Table1D>(std::move(peak_y)), d.mu_0);
}

}  // namespace chicane::tire
