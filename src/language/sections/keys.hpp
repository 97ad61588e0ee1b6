// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "language/sections/numbers.hpp"
#include "math/vec3.hpp"

namespace chicane {

inline Vec3<double> vector_of(const std::vector<double>& v) { return {v[0], v[1], v[2]}; }

// The keys of an entry of a file; those that nobody asks for are faults. Faults go to `diag`, with
// the place. Where a table says what the entry may hold, nothing else can be asked for: that would
// be a fault of the program.
class Keys {
 public:
  Keys(const DataSpec& data, Numbers& numbers, Diagnostics& diag)
      : data_(data), table_(numbers.table_of(data)), numbers_(numbers), diag_(diag) {}

  const DataSpec* find(std::string_view key) {
    asked_.insert(std::string(key));
    if (table_ != nullptr) chicane::expect(*table_, key);
    return data_.find(key);
  }
  // What a key that is asked for is, and what it measures; of a curve x first.
  void expect(std::string_view key, std::initializer_list<Form> forms,
              std::initializer_list<Dimension> dimensions) const {
    if (table_ != nullptr) chicane::expect(*table_, key, forms, dimensions);
  }
  const DataSpec* require(std::string_view key, std::string_view owner) {
    const DataSpec* value = find(key);
    if (value == nullptr && !blame_misspelt(key, owner))
      diag_.error(data_.text.where, "'{}' is missing: {} needs it", key, owner);
    return value;
  }
  void expect_words(std::string_view key, std::span<const std::string_view> words) const {
    if (table_ != nullptr) chicane::expect_words(*table_, key, words);
  }
  double number(std::string_view key, const Dimension& dimension, double otherwise = 0.0) {
    expect(key, {Form::quantity}, {dimension});
    const DataSpec* value = find(key);
    return value == nullptr ? otherwise : numbers_.number(*value, dimension);
  }
  Vec3<double> vector(std::string_view key, const Dimension& dimension,
                      const Vec3<double>& otherwise = {}) {
    expect(key, {Form::vector}, {dimension});
    const DataSpec* value = find(key);
    if (value == nullptr) return otherwise;
    return vector_of(numbers_.list(*value, dimension, 3));
  }
  std::string text(std::string_view key) {
    const DataSpec* value = find(key);
    return value == nullptr ? "" : value->text.text;
  }
  // After everything has been asked for.
  void refuse_others(std::string_view owner) {
    for (const auto& [key, value] : data_.entries)
      if (!asked_.contains(key) && key != misspelt_)
        diag_.error(value.text.where, "{} has no '{}'; it has {}", owner, key,
                    fmt::join(asked_, ", "));
  }
  [[nodiscard]] const Location& where() const { return data_.text.where; }
  [[nodiscard]] const KeyTable* table() const { return table_; }
  [[nodiscard]] Numbers& numbers() const { return numbers_; }
  [[nodiscard]] Diagnostics& diagnostics() const { return diag_; }

 private:
  // What is missing may be there by another name: then that is the fault, at its place.
  bool blame_misspelt(std::string_view key, std::string_view owner) {
    for (const auto& [name, value] : data_.entries) {
      if (table_ == nullptr || has(*table_, name) || nearest(name, {key}).empty()) continue;
      diag_.error(value.text.where, "{} has no '{}' (did you mean '{}'?)", owner, name, key);
      misspelt_ = name;
      return true;
    }
    return false;
  }

  const DataSpec& data_;
  const KeyTable* table_;
  Numbers& numbers_;
  Diagnostics& diag_;
  std::set<std::string> asked_;
  std::string misspelt_;
};

}  // namespace chicane
