// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

// A validator for the part of JSON Schema (2020-12) that the program writes. Any other keyword is
// an error of the test, so that nothing in a schema is passed over.

namespace testkit {

using Json = nlohmann::ordered_json;

// As an editor reads it: plain words are texts, but for numbers, true and false.
inline Json json_of(const YAML::Node& node) {
  if (node.IsMap()) {
    Json object = Json::object();
    for (const auto& entry : node) object[entry.first.Scalar()] = json_of(entry.second);
    return object;
  }
  if (node.IsSequence()) {
    Json list = Json::array();
    for (const auto& e : node) list.push_back(json_of(e));
    return list;
  }
  if (!node.IsScalar()) return nullptr;
  const std::string text = node.Scalar();
  if (node.Tag() == "!") return text;  // in quotes
  if (text == "true" || text == "false") return text == "true";
  static const std::regex number(R"([-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)");
  static const std::regex integer(R"([-+]?\d{1,15})");
  if (std::regex_match(text, integer)) return std::stoll(text);
  if (std::regex_match(text, number)) return std::stod(text);
  return text;
}

class Schema {
 public:
  explicit Schema(const std::string& text) : root_(Json::parse(text)) {}

  // Where the instance is wrong: paths as the program gives them, "vehicle.axles.front.at[3]".
  [[nodiscard]] std::set<std::string> faults(const Json& instance) const {
    std::set<std::string> found;
    check(root_, instance, "", &found);
    return found;
  }

 private:
  using Faults = std::set<std::string>;

  static std::string inside(const std::string& at, const std::string& key) {
    return at.empty() ? key : at + "." + key;
  }

  static bool is_a(const Json& value, const std::string& type) {
    if (type == "string") return value.is_string();
    if (type == "number") return value.is_number();
    if (type == "integer") return value.is_number_integer();
    if (type == "boolean") return value.is_boolean();
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    throw std::logic_error("type " + type);
  }

  [[nodiscard]] const std::regex& regex(const std::string& pattern) const {
    auto it = patterns_.find(pattern);
    if (it == patterns_.end()) it = patterns_.emplace(pattern, std::regex(pattern)).first;
    return it->second;
  }

  // True if it is right; faults are noted if somebody wants them.
  bool check(const Json& schema, const Json& x, const std::string& at, Faults* faults) const {
    if (schema.is_boolean()) {
      if (!schema.get<bool>() && faults != nullptr) faults->insert(at);
      return schema.get<bool>();
    }
    bool right = true;
    const auto fault = [&](const std::string& where) {
      right = false;
      if (faults != nullptr) faults->insert(where);
    };
    const auto within = [&](const Json& s, const Json& value, const std::string& where) {
      if (!check(s, value, where, faults)) right = false;
    };
    for (const auto& [word, rule] : schema.items()) {
      if (word == "$ref") {
        within(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), x, at);
      } else if (word == "type") {
        const bool any = rule.is_array() ? std::any_of(rule.begin(), rule.end(),
                                                       [&](const Json& t) { return is_a(x, t); })
                                         : is_a(x, rule);
        if (!any) fault(at);
      } else if (word == "enum") {
        if (std::find(rule.begin(), rule.end(), x) == rule.end()) fault(at);
      } else if (word == "const") {
        if (rule != x) fault(at);
      } else if (word == "pattern") {
        if (x.is_string() && !std::regex_search(x.get<std::string>(), regex(rule))) fault(at);
      } else if (word == "minimum") {
        if (x.is_number() && x.get<double>() < rule.get<double>()) fault(at);
      } else if (word == "maximum") {
        if (x.is_number() && x.get<double>() > rule.get<double>()) fault(at);
      } else if (word == "minItems") {
        if (x.is_array() && x.size() < rule.get<std::size_t>()) fault(at);
      } else if (word == "maxItems") {
        if (x.is_array() && x.size() > rule.get<std::size_t>()) fault(at);
      } else if (word == "required") {
        for (const Json& key : rule)
          if (x.is_object() && !x.contains(key.get<std::string>())) fault(at);
      } else if (word == "properties") {
        for (const auto& [key, s] : rule.items())
          if (x.is_object() && x.contains(key)) within(s, x.at(key), inside(at, key));
      } else if (word == "additionalProperties") {
        if (!x.is_object()) continue;
        for (const auto& [key, value] : x.items())
          if (!schema.contains("properties") || !schema.at("properties").contains(key))
            within(rule, value, inside(at, key));
      } else if (word == "items" || word == "prefixItems") {
        for (std::size_t i = 0; x.is_array() && i < x.size(); ++i)
          if (word == "items" || i < rule.size())
            within(word == "items" ? rule : rule.at(i), x[i], at + "[" + std::to_string(i) + "]");
      } else if (word == "contains") {
        if (x.is_array() && std::none_of(x.begin(), x.end(), [&](const Json& e) {
              return check(rule, e, at, nullptr);
            }))
          fault(at);
      } else if (word == "anyOf") {
        if (std::none_of(rule.begin(), rule.end(),
                         [&](const Json& s) { return check(s, x, at, nullptr); }))
          fault(at);
      } else if (word == "allOf") {
        for (const Json& s : rule) within(s, x, at);
      } else if (word == "if") {
        const char* branch = check(rule, x, at, nullptr) ? "then" : "else";
        if (schema.contains(branch)) within(schema.at(branch), x, at);
      } else if (word != "then" && word != "else" && word != "description" && word != "title" &&
                 word != "$schema" && word != "$id" && word != "$defs" &&
                 word != "patternErrorMessage") {
        throw std::logic_error("this validator does not know the keyword " + word);
      }
    }
    return right;
  }

  Json root_;
  mutable std::map<std::string, std::regex> patterns_;
};

}  // namespace testkit
