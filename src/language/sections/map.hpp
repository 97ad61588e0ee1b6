// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "language/sections/keys.hpp"

namespace chicane {

struct GridData {
  std::vector<double> x, y;
  std::vector<double> z;  // a row for each x
};

// What a map measures.
struct MapDimensions {
  Dimension x, y, z;
};

// A map z(x, y): the name of one of the model's tables, or {x: [..., unit], y: [..., unit], z:
// [[...],
// ..., unit]} with a row for each x. All units are checked. Nothing and a fault if it is not there
// and `required`.
std::optional<GridData> read_map(Keys& keys, std::string_view key, const MapDimensions& dimensions,
                                 std::string_view owner, bool required = true);

}  // namespace chicane
