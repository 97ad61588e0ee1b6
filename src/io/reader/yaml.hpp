// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnostics.hpp"
#include "io/grammar.hpp"
#include "language/expression/expression.hpp"

namespace chicane {

// A node of a YAML file that knows its file, the line of its key and the path of keys.
class Cursor {
 public:
  Cursor(const YAML::Node& node, Location where) : node_(node), where_(std::move(where)) {}

  [[nodiscard]] const Location& where() const { return where_; }
  [[nodiscard]] bool is_scalar() const { return node_.IsScalar(); }
  [[nodiscard]] bool is_list() const { return node_.IsSequence(); }
  [[nodiscard]] bool is_map() const { return node_.IsMap(); }
  [[nodiscard]] bool is_null() const { return node_.IsNull(); }
  [[nodiscard]] Text text() const { return {node_.IsScalar() ? node_.Scalar() : "", where_}; }
  [[nodiscard]] std::vector<Cursor> elements() const;
  // Keys in file order; `diag` hears of keys that are no words or stand twice.
  [[nodiscard]] std::vector<std::pair<std::string, Cursor>> entries(Diagnostics& diag) const;

 private:
  YAML::Node node_;
  Location where_;
};

// A mapping that has been checked against its section of the grammar.
class Fields {
 public:
  // Unknown, missing and repeated keys and wrong forms go to `diag`. A bare scalar where the
  // section has a shorthand is taken as that key.
  Fields(const Cursor& at, const KeyTable& grammar, Diagnostics& diag);

  [[nodiscard]] const Cursor* find(std::string_view key) const;
  [[nodiscard]] Text text(std::string_view key) const;  // empty where absent
  [[nodiscard]] const Location& where() const { return where_; }

 private:
  Location where_;
  std::vector<std::pair<std::string, Cursor>> fields_;
};

// The root of a file, or nothing and a fault: no text, bad YAML, too large, nested too deeply.
std::optional<Cursor> parse_yaml(std::string_view text, const std::string& file, Diagnostics& diag);

}  // namespace chicane
