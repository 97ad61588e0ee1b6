// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/block.hpp"
#include "language/sections/keys.hpp"
#include "math/curve.hpp"

namespace chicane {

// One number of a part: a key of its section in the file, and a parameter of its block.
struct Field {
  // share: from 0 to 1; below_one: the same without 1
  enum class Bound { any, positive, not_negative, share, below_one };

  std::string_view key, unit, description;
  Bound bound = Bound::any;
  std::optional<double> otherwise = std::nullopt;  // SI; nothing: the file must give it
};

// The values of all fields, in their order, as parameters called `prefix` + key. What is missing or
// out of bounds is a fault; `owner` says whose it is.
std::vector<NativeParameter> read_fields(Keys& keys, std::span<const Field> fields,
                                         std::string_view owner, std::string_view prefix = "");

// Their rows in a table of keys.
void add_rows(KeyTable& table, std::span<const Field> fields, std::string_view when = "");

// A curve: the name of one of the model's tables, or {x: [..., unit], y: [..., unit]}. Both units
// are checked. Nothing and a fault if it is not there and `required`.
std::optional<CurveData> read_curve(Keys& keys, std::string_view key, const Dimension& x,
                                    const Dimension& y, std::string_view owner,
                                    bool required = true);

// The table of that name, if it is a curve; its units are checked. Otherwise nothing and a fault.
const TableSpec* find_curve(const Text& name, const Dimension& x, const Dimension& y, Keys& keys);

// A list of any length; its unit stands last.
std::vector<double> read_list(Keys& keys, std::string_view key, const Dimension& dimension,
                              std::string_view owner);

}  // namespace chicane
