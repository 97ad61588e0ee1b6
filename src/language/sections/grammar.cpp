// SPDX-License-Identifier: Apache-2.0
#include "language/sections/grammar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace chicane {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

Dimension dimension_of(std::string_view unit) {
  return std::get<Unit>(parse_unit(split(unit, "|").front())).dimension;
}

// Whether the condition holds, as far as the mapping says.
bool holds(const KeyCondition& c, const KeyTable& table, const DataSpec& mapping) {
  std::string_view word;
  if (const DataSpec* said = mapping.find(c.key)) {
    word = said->text.text;
  } else {
    const auto row = std::find_if(table.keys.begin(), table.keys.end(),
                                  [&](const Key& k) { return k.name == c.key; });
    // what is not said is the first word, a flag is false
    if (row == table.keys.end() || row->required) return false;
    word = row->form == Form::flag ? "false" : choices_of(*row).front();
  }
  return std::find(c.words.begin(), c.words.end(), word) != c.words.end();
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find(separator); at != std::string_view::npos;
       at = text.find(separator)) {
    parts.push_back(trimmed(text.substr(0, at)));
    text.remove_prefix(at + separator.size());
  }
  parts.push_back(trimmed(text));
  return parts;
}

std::vector<std::string_view> choices_of(const Key& key) { return split(key.of, "|"); }

std::vector<Dimension> dimensions_of(const Key& key) {
  std::vector<Dimension> list;
  if (key.of.empty()) return list;
  for (const std::string_view side : split(key.of, "->"))
    for (const std::string_view unit : split(side, ",")) list.push_back(dimension_of(unit));
  return list;
}

std::vector<KeyCondition> conditions_of(const Key& key) {
  std::vector<KeyCondition> list;
  if (key.when.empty()) return list;
  for (const std::string_view clause : split(key.when, " ")) {
    const std::size_t equals = clause.find('=');
    list.push_back({clause.substr(0, equals), split(clause.substr(equals + 1), "|")});
  }
  return list;
}

const Key* find_key(const KeyTable& table, std::string_view key, const DataSpec& mapping) {
  for (const Key& row : table.keys) {
    if (row.name != key) continue;
    const auto conditions = conditions_of(row);
    if (std::all_of(conditions.begin(), conditions.end(),
                    [&](const KeyCondition& c) { return holds(c, table, mapping); }))
      return &row;
  }
  return nullptr;
}

bool has(const KeyTable& table, std::string_view key) {
  return std::any_of(table.keys.begin(), table.keys.end(),
                     [&](const Key& k) { return k.name == key; });
}

void expect(const KeyTable& table, std::string_view key) {
  if (!has(table, key))
    throw std::logic_error(fmt::format("the grammar of '{}' has no '{}'", table.name, key));
}

void expect(const KeyTable& table, std::string_view key, std::span<const Form> forms,
            std::span<const Dimension> dimensions) {
  expect(table, key);
  for (const Key& row : table.keys) {
    if (row.name != key || std::find(forms.begin(), forms.end(), row.form) == forms.end()) continue;
    const auto said = dimensions_of(row);
    // of a signal that is a number only the value counts
    const std::size_t n = std::min(said.size(), dimensions.size());
    if (said.empty() || std::equal(dimensions.end() - static_cast<std::ptrdiff_t>(n),
                                   dimensions.end(), said.end() - static_cast<std::ptrdiff_t>(n)))
      return;
  }
  std::vector<std::string> units;
  for (const Dimension& d : dimensions) units.push_back(to_string(d));
  throw std::logic_error(fmt::format("'{}' of '{}' is read as '{}', which the grammar does not say",
                                     key, table.name, fmt::join(units, ", ")));
}

void expect_words(const KeyTable& table, std::string_view key,
                  std::span<const std::string_view> words) {
  expect(table, key);
  for (const Key& row : table.keys)
    if (row.name == key && row.form == Form::choice && std::ranges::equal(choices_of(row), words))
      return;
  throw std::logic_error(
      fmt::format("'{}' of '{}' is read as one of {}, which the grammar does "
                  "not say",
                  key, table.name, fmt::join(words, ", ")));
}

}  // namespace chicane
