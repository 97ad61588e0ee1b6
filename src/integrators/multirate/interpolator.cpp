// SPDX-License-Identifier: Apache-2.0
#include "integrators/multirate/interpolator.hpp"

namespace chicane {

const InterpolatorInfo* find_interpolator(std::string_view name) {
  for (const InterpolatorInfo& i : kInterpolators)
    if (i.name == name) return &i;
  return nullptr;
}

std::vector<std::string_view> interpolator_names() {
  std::vector<std::string_view> names;
  for (const InterpolatorInfo& i : kInterpolators) names.push_back(i.name);
  return names;
}

}  // namespace chicane
