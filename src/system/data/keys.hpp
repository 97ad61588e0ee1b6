#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "math/vec3.hpp"
#include "system/data/numbers.hpp"

namespace chicane {

inline Vec3<double> vector_of(const std::vector<double>& v) { return {v[0], v[1], v[2]}; }

// The keys of an entry of a file; those that nobody asks for are faults. Faults go to `diag`, with
// the place.
class Keys {
 public:
  Keys(const DataSpec& data, Numbers& numbers, Diagnostics& diag)
      : data_(data), numbers_(numbers), diag_(diag) {}

  const DataSpec* find(std::string_view key) {
    asked_.insert(std::string(key));
    return data_.find(key);
  }
  const DataSpec* require(std::string_view key, std::string_view owner) {
    const DataSpec* value = find(key);
    if (value == nullptr) diag_.error(data_.text.where, "'{}' is missing: {} needs it", key, owner);
    return value;
  }
  double number(std::string_view key, const Dimension& dimension, double otherwise = 0.0) {
    const DataSpec* value = find(key);
    return value == nullptr ? otherwise : numbers_.number(*value, dimension);
  }
  Vec3<double> vector(std::string_view key, const Dimension& dimension,
                      const Vec3<double>& otherwise = {}) {
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
      if (!asked_.contains(key))
        diag_.error(value.text.where, "{} has no '{}'; it has {}", owner, key,
                    fmt::join(asked_, ", "));
  }
  [[nodiscard]] const Location& where() const { return data_.text.where; }
  [[nodiscard]] Numbers& numbers() const { return numbers_; }
  [[nodiscard]] Diagnostics& diagnostics() const { return diag_; }

 private:
  const DataSpec& data_;
  Numbers& numbers_;
  Diagnostics& diag_;
  std::set<std::string> asked_;
};

}  // namespace chicane
