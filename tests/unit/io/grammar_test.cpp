// SPDX-License-Identifier: Apache-2.0
#include "io/grammar.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include "io/builtin_models.hpp"

namespace chicane::grammar_test {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream in(std::string(CHICANE_SOURCE_DIR) + "/" + path, std::ios::binary);
  EXPECT_TRUE(in) << "cannot read " << path;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Grammar, SchemaFileIsUpToDate) {
  EXPECT_EQ(read_text("schema/chicane-1.json"), json_schema())
      << "regenerate it: build/release/bin/chicane schema > schema/chicane-1.json";
}

TEST(Grammar, ReferencePageIsUpToDate) {
  EXPECT_EQ(read_text("docs/reference/model-file.md"), grammar_markdown())
      << "regenerate it: build/release/bin/chicane schema --markdown > "
         "docs/reference/model-file.md";
}

// Keys at the left edge of a YAML text.
std::set<std::string> top_keys(std::string_view text) {
  std::set<std::string> keys;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || line[0] == ' ' || line[0] == '#') continue;
    keys.insert(line.substr(0, colon));
  }
  return keys;
}

TEST(Grammar, SchemaKnowsTheTopLevelKeysOfEveryBuiltinModel) {
  const auto schema = nlohmann::json::parse(json_schema()).at("$defs").at("model");
  EXPECT_EQ(schema.at("additionalProperties"), false);
  ASSERT_FALSE(builtin_models().empty());
  for (const BuiltinModel& model : builtin_models()) {
    const std::set<std::string> keys = top_keys(model.text);
    for (const std::string& key : keys)
      EXPECT_TRUE(schema.at("properties").contains(key)) << model.name << ": " << key;
    for (const auto& key : schema.at("required"))
      EXPECT_TRUE(keys.contains(key.get<std::string>())) << model.name << " has no " << key;
  }
}

// A key may have several rows if they go with different words.
TEST(Grammar, NamesASectionAndAKeyOnlyOnce) {
  std::set<std::string_view> sections;
  for (const KeyTable& s : grammar()) {
    EXPECT_TRUE(sections.insert(s.name).second) << s.name;
    std::set<std::string_view> keys;
    std::set<std::pair<std::string_view, std::string_view>> rows;
    for (const Key& key : s.keys) {
      EXPECT_TRUE(rows.insert({key.name, key.when}).second) << s.name << "." << key.name;
      EXPECT_TRUE(keys.insert(key.name).second || !key.when.empty()) << s.name << "." << key.name;
    }
    EXPECT_TRUE(s.shorthand.empty() || keys.contains(s.shorthand)) << s.name;
  }
}

TEST(Grammar, RefersOnlyToSectionsThatExist) {
  for (const KeyTable& s : grammar())
    for (const Key& key : s.keys) {
      if (key.form != Form::section && key.form != Form::entries && key.form != Form::actions &&
          key.form != Form::list && key.form != Form::one_or_list)
        continue;
      EXPECT_TRUE(std::any_of(grammar().begin(), grammar().end(),
                              [&](const KeyTable& other) { return other.name == key.of; }))
          << s.name << "." << key.name << " refers to " << key.of;
    }
}

TEST(Grammar, RowsDependOnWordsThatTheSectionHas) {
  for (const KeyTable& s : grammar())
    for (const Key& key : s.keys)
      for (const KeyCondition& c : conditions_of(key)) {
        std::set<std::string_view> words;
        for (const Key& other : s.keys) {
          if (other.name != c.key) continue;
          if (other.form == Form::flag) words = {"true", "false"};
          if (other.form == Form::choice)
            for (const std::string_view w : choices_of(other)) words.insert(w);
        }
        for (const std::string_view w : c.words)
          EXPECT_TRUE(words.contains(w)) << s.name << "." << key.name << ": " << c.key << "=" << w;
      }
}

TEST(Grammar, ReadersAreHeldToIt) {
  const KeyTable table{"part", "", {{"mass", Form::quantity, "kg", false, ""}}, ""};
  const Form quantity[] = {Form::quantity}, vector[] = {Form::vector};
  const Dimension mass[] = {dimensions::kMass}, time[] = {dimensions::kTime};
  EXPECT_NO_THROW(expect(table, "mass", quantity, mass));
  EXPECT_THROW(expect(table, "mas"), std::logic_error);
  EXPECT_THROW(expect(table, "mass", vector, mass), std::logic_error);
  EXPECT_THROW(expect(table, "mass", quantity, time), std::logic_error);
}

TEST(Grammar, SchemaRefersOnlyToDefinitionsItHas) {
  const auto schema = nlohmann::json::parse(json_schema());
  const auto visit = [&](auto&& self, const nlohmann::json& at) -> void {
    if (at.is_object() && at.contains("$ref")) {
      const auto target = at.at("$ref").get<std::string>();
      ASSERT_TRUE(target.starts_with("#/$defs/")) << target;
      EXPECT_TRUE(schema.at("$defs").contains(target.substr(8))) << target;
    }
    if (at.is_structured())
      for (const auto& inner : at) self(self, inner);
  };
  visit(visit, schema);
}

}  // namespace
}  // namespace chicane::grammar_test
