// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "language/block.hpp"
#include "language/sections/fields.hpp"

// What the readers of the parts of a vehicle have in common.

namespace chicane {

// Of a vehicle with the axles front and rear.
inline const std::vector<std::string> kWheelNames{"fl", "fr", "rl", "rr"};

// Ports PREFIX_fl to PREFIX_rr, or those of other wheels.
std::vector<PortInfo> wheel_ports(std::string_view prefix, std::string_view unit,
                                  std::string_view description,
                                  std::span<const std::string> wheels = kWheelNames);

// The indices first, first + 1, ... first + count - 1: ports of a task.
std::vector<int> ports(int first, int count);

// A section within a section; where the file does not have it, one without keys in its place. Its
// numbers become parameters PREFIX + key.
class Section {
 public:
  Section(Keys& parent, std::string_view key, std::string owner, std::string prefix);
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  [[nodiscard]] bool given() const { return given_; }
  [[nodiscard]] Keys& keys() { return keys_; }
  [[nodiscard]] const std::string& owner() const { return owner_; }
  void read(std::span<const Field> fields, std::vector<NativeParameter>& into) {
    const auto read = read_fields(keys_, fields, owner_, prefix_);
    into.insert(into.end(), read.begin(), read.end());
  }
  void refuse_others() { keys_.refuse_others(owner_); }

 private:
  bool given_;
  DataSpec none_;  // where the file does not have it
  Keys keys_;
  std::string owner_, prefix_;
};

// Rows of a table for these fields, and for rows and fields one after the other.
std::vector<Key> rows_of(std::span<const Field> fields, std::string_view when = "");
std::vector<Key> joined(std::vector<Key> first, const std::vector<Key>& then);

// Numbers of dry friction (vehicle/friction/bristle.hpp) in a section `friction` of another one.
struct FrictionDefaults {
  std::string_view unit;  // of the way
  double s, zeta_e, tau, t_r;
};
KeyTable friction_table(std::string_view name, const FrictionDefaults& defaults);
void read_friction(Keys& parent, const std::string& prefix, const FrictionDefaults& defaults,
                   std::vector<NativeParameter>& into);

// Which of `words` stands under `key`; another word is a fault and gives nothing. No word: the
// first, or a fault if it is `required`.
std::optional<std::size_t> read_word(Keys& keys, std::string_view key,
                                     const std::vector<std::string_view>& words,
                                     std::string_view owner, bool required);

// Whether a value is a curve or the name of one, and not a number.
bool is_curve(const DataSpec& data, const Spec& spec);

// A number, as a curve of one point; or a curve.
std::optional<CurveData> read_number_or_curve(Keys& keys, std::string_view key, const Dimension& x,
                                              const Dimension& y, std::string_view owner,
                                              bool required = true);

// The thing that was to be made of data; otherwise nothing, and why.
template <class Thing>
std::optional<Thing> made_of(std::variant<Thing, std::string> result, const Location& where,
                             Diagnostics& diag) {
  if (auto* thing = std::get_if<Thing>(&result)) return std::move(*thing);
  diag.error(where, "{}", std::get<std::string>(result));
  return std::nullopt;
}

}  // namespace chicane
