// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/units.hpp"

// The names that parse_unit knows, and what it says about those it does not.

namespace chicane::unit_names {

struct NamedUnit {
  std::string_view name;
  Unit unit;
  bool takes_prefix = false;
};
std::span<const NamedUnit> known_units();
std::vector<std::string_view> known_prefixes();

// A unit by its name, with or without an SI prefix.  A whole name goes before a prefix: "min" is a
// minute and no milli-inch, "ft" a foot and no femtotonne.
std::optional<Unit> find_unit(std::string_view name);

// Why `name` is refused, with the unit that was probably meant.
std::string unknown_unit(std::string_view name);

// `text` in quotes and fit for a log: short, no control characters, well-formed UTF-8.
std::string quoted(std::string_view text);

}  // namespace chicane::unit_names
