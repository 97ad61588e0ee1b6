// SPDX-License-Identifier: Apache-2.0
#include "vehicle/powertrain/gearbox.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace chicane::powertrain {

std::variant<Gearbox, std::string> Gearbox::make(std::vector<double> forward, double reverse,
                                                 RatioMeaning meaning) {
  if (forward.empty()) return std::string("gearbox: no forward ratio");
  const auto inverted = [meaning](double i) {
    return meaning == RatioMeaning::output_over_input ? 1.0 / i : i;
  };
  reverse = inverted(reverse);
  if (!(reverse < 0.0) || !std::isfinite(reverse))
    return std::string("gearbox: the reverse ratio must be less than 0");
  for (std::size_t k = 0; k < forward.size(); ++k) {
    double& i = forward[k];
    i = inverted(i);
    if (!(i > 0.0) || !std::isfinite(i))
      return fmt::format("gearbox: forward ratio [{}] must be greater than 0", k);
    if (k > 0 && i >= forward[k - 1])
      return fmt::format("gearbox: forward ratio [{}] is not higher geared than [{}]", k, k - 1);
  }
  return Gearbox(std::move(forward), reverse);
}

std::variant<ShiftMap, std::string> ShiftMap::make(const Gearbox& gearbox,
                                                   const std::vector<ShiftBand>& bands) {
  if (bands.size() != gearbox.gears())
    return fmt::format("shift map: {} bands for {} gears", bands.size(), gearbox.gears());
  std::vector<Table1D> ups, downs;
  for (std::size_t k = 0; k + 1 < bands.size(); ++k) {
    const CurveData &up_data = bands[k].up, &down_data = bands[k + 1].down;
    auto up = make_curve(fmt::format("up from gear {}", k + 1), up_data);
    auto down = make_curve(fmt::format("down from gear {}", k + 2), down_data);
    if (const auto* fault = first_fault({&up, &down})) return *fault;
    ups.push_back(std::get<Table1D>(std::move(up)));
    downs.push_back(std::get<Table1D>(std::move(down)));

    // Both are straight between breakpoints, so it is enough to look there.
    const double step =
        gearbox.ratio(static_cast<double>(k + 2)) / gearbox.ratio(static_cast<double>(k + 1));
    for (const auto& points : {up_data.x, down_data.x}) {
      const auto hunts = [&](double a) { return ups[k](a) * step <= downs[k](a); };
      const auto at = std::find_if(points.begin(), points.end(), hunts);
      if (at == points.end()) continue;
      return fmt::format(
          "shift map: at accelerator {} the shift from gear {} to {} leads to {:.4g} rad/s, where "
          "gear {} shifts down ({:.4g} rad/s); widen the band",
          *at, k + 1, k + 2, ups[k](*at) * step, k + 2, downs[k](*at));
    }
  }
  return ShiftMap(std::move(ups), std::move(downs));
}

}  // namespace chicane::powertrain
