#include "integrators/multirate/interpolator.hpp"

namespace chicane {

const std::vector<InterpolatorInfo>& interpolators() {
  using enum Interpolator;
  static const std::vector<InterpolatorInfo> list = {
      {.kind = hold, .name = "hold", .samples = "r_n", .points = 1},
      {.kind = extrap1, .name = "extrap1", .samples = "r_n, r_n-1", .points = 2, .back = 1},
      {.kind = extrap2, .name = "extrap2", .samples = "r_n, r_n-1, r_n-2", .points = 3, .back = 2},
      {.kind = interp1, .name = "interp1", .samples = "r_n+1, r_n", .points = 2, .ahead = true},
      {.kind = interp2,
       .name = "interp2",
       .samples = "r_n+1, r_n, r_n-1",
       .points = 3,
       .ahead = true,
       .back = 1},
      {.kind = interp2d,
       .name = "interp2d",
       .samples = "r_n+1, r_n, r'_n",
       .points = 3,
       .ahead = true,
       .rate = true},
      {.kind = interp3,
       .name = "interp3",
       .samples = "r_n+1, r_n, r_n-1, r_n-2",
       .points = 4,
       .ahead = true,
       .back = 2},
  };
  return list;
}

const InterpolatorInfo& info_of(Interpolator kind) {
  return interpolators()[static_cast<std::size_t>(kind)];
}

const InterpolatorInfo* find_interpolator(std::string_view name) {
  for (const InterpolatorInfo& i : interpolators())
    if (i.name == name) return &i;
  return nullptr;
}

std::vector<std::string_view> interpolator_names() {
  std::vector<std::string_view> names;
  for (const InterpolatorInfo& i : interpolators()) names.push_back(i.name);
  return names;
}

}  // namespace chicane
