// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/block.hpp"
#include "language/sections/fields.hpp"
#include "language/spec.hpp"
#include "vehicle/tire/magic_formula/law.hpp"

// Tires of type magic-formula. A .tir file that a section `tire` names becomes the keys that the
// section would have without it, so that what is read does not depend on the file any more.

namespace chicane {

// The section that the text of a .tir file stands for; nothing and faults if it is none. `where`:
// who named it.
std::optional<DataSpec> tir_section(std::string_view text, const std::string& file,
                                    const Location& where, Diagnostics& diag);

// Where a Magic Formula tire gets its numbers: coefficients from its section, pressure and friction
// from the parameters of the block.
struct FromCoefficients {
  template <class T>
  using Model = tire::MagicLaw<T>;
  template <class T>
  [[nodiscard]] tire::MagicLaw<T> model(std::span<const T> p) const {
    return {set.get(), p[0], p[1]};
  }
  std::shared_ptr<const tire::MagicSet> set;
};

// `list`: the common parameters, to which those of this type are added.
std::optional<FromCoefficients> read_magic_formula(Keys& keys, const std::string& owner,
                                                   std::vector<NativeParameter>& list);
std::vector<Key> magic_formula_rows();

}  // namespace chicane
