// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "language/sections/grammar.hpp"
#include "language/spec.hpp"
#include "math/units.hpp"

namespace chicane {

// Numbers of a file from their text, in SI: a quantity, or a formula of the model's
// parameters. Faults go to `diag`, with the place, and give zero.
class Numbers {
 public:
  Numbers(const Spec& spec, Diagnostics& diag);

  double number(const DataSpec& data, const Dimension& dimension);
  // One that may measure anything.
  std::optional<Quantity> quantity(const DataSpec& data);
  // A list; its unit may stand last, for all elements that are plain numbers.
  std::vector<double> list(const DataSpec& data, const Dimension& dimension, std::size_t size);
  // A list whose elements measure different things, each with its own unit; or with one for all.
  std::vector<double> list(const DataSpec& data, const std::vector<Dimension>& dimensions);
  [[nodiscard]] const Spec& spec() const { return spec_; }

  // The table that says what a mapping may hold; readers of its keys are held to it.
  void hold(const DataSpec& mapping, const KeyTable& table) { tables_[&mapping] = &table; }
  [[nodiscard]] const KeyTable* table_of(const DataSpec& mapping) const {
    const auto it = tables_.find(&mapping);
    return it == tables_.end() ? nullptr : it->second;
  }

 private:
  std::optional<Quantity> formula(const Text& text);
  double checked(double value, const Dimension& is, const Dimension& wanted, const Text& text);

  const Spec& spec_;
  Diagnostics& diag_;
  std::map<std::string, Quantity> parameters_;
  std::map<const DataSpec*, const KeyTable*> tables_;
};

}  // namespace chicane
