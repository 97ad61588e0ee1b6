// SPDX-License-Identifier: Apache-2.0
#include "vehicle/tire/tmeasy.hpp"

#include <utility>

namespace chicane::tire {

namespace {

std::optional<std::string> fault_in_curve(const TmeasyCurve<double>& c) {
  if (!(c.dF_0 > 0.0)) return "dF_0 must be positive";
  if (!(c.F_S > 0.0 && c.F_S <= c.F_M)) return "F_S must be positive and not above F_M";
  if (!(c.s_M > 0.0 && c.s_M < c.s_S)) return "s_M must be positive and below s_S";
  return std::nullopt;
}

std::optional<std::string> fault_at(const Tmeasy<double>& p, double q) {
  if (auto fault = fault_in_curve(at_load(p.at_N.x, p.at_2N.x, q, 1.0)))
    return "longitudinal " + *fault;
  if (auto fault = fault_in_curve(at_load(p.at_N.y, p.at_2N.y, q, 1.0))) return "lateral " + *fault;
  const auto t = at_load(p.at_N.trail, p.at_2N.trail, q);
  if (!(t.s_0 > 0.0 && t.s_0 <= t.s_E)) return "trail's s_0 must be positive and not above s_E";
  return std::nullopt;
}

}  // namespace

// Each point goes with the load on a straight line or a parabola through 0: if it is right at both
// ends of the loads in use, it is right between.
std::optional<std::string> fault_in(const Tmeasy<double>& p) {
  if (!(p.F_N > 0.0 && p.F_N <= p.F_max)) return "F_N must be positive and not above F_max";
  if (!(p.mu_0 > 0.0)) return "mu_0 must be positive";
  const std::pair<double, const char*> loads[] = {{1.0, " at F_N"},
                                                  {2.0, " at 2 F_N"},
                                                  {kNoLoad, " near no load"},
                                                  {p.F_max / p.F_N, " at F_max"}};
  for (const auto& [q, where] : loads)
    if (auto fault = fault_at(p, q)) return *fault + where;
  return std::nullopt;
}

}  // namespace chicane::tire
