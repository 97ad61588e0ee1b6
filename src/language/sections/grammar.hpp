// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/spec.hpp"
#include "math/units.hpp"

namespace chicane {

// The grammar of files, as data: readers are held to it, and the JSON Schema, the reference page
// and the list of what can be set are written from it.

enum class Form {
  text,         // free text
  name,         // one word
  version,      // of the file format
  quantity,     // number with unit
  expression,   // formula
  unit,         // unit alone
  flag,         // true or false
  integer,      // whole number
  choice,       // one of `choices`
  names,        // list of words, or one word
  numbers,      // list of numbers, the unit as its last element
  vector,       // three numbers, the unit as the fourth element
  vectors,      // list of such lists
  matrix,       // list of lists of numbers, the unit as the last element
  curve,        // name of a table, or {x: numbers, y: numbers}
  signal,       // quantity, or such a curve
  law,          // such a curve, or {polynomial: [...]}, or {table: NAME}
  map,          // name of a table, or {x: numbers, y: numbers, z: matrix}
  section,      // mapping with the keys of section `of`
  list,         // list of such mappings
  one_or_list,  // such a mapping, or a list of them
  entries,      // mapping from the user's names to entries of section `of`
  assignments,  // mapping from names to expressions
  actions,      // list of mappings of section `of`
  rows,         // list of lists of coefficients
  data,         // nested mappings; whoever they are for checks them
  parameters,   // named entries of section `of`; with a topology the keys of "mechanism" too
};

struct Key {
  std::string_view name;
  Form form;
  // Section; or choices separated by |; or the unit of a number, a curve ("rad/s -> N m") or a map
  // ("rad/s, - -> N m"), nothing where any will do, two with | between where either will do.
  std::string_view of;
  bool required = false;
  std::string_view help;
  // Which of the section's words it goes with, "type=path follower=optimal-preview", words
  // separated by |; nothing: all of them.
  std::string_view when = {};
  std::optional<double> otherwise = std::nullopt;  // default of a quantity, SI
};

// The keys of a section.
struct KeyTable {
  std::string_view name;
  std::string_view shorthand;  // the key that a bare scalar stands for; empty: a mapping is needed
  std::vector<Key> keys;
  std::string_view help;
};

// The parts of a text between separators, without blanks around them.
std::vector<std::string_view> split(std::string_view text, std::string_view separator);

std::vector<std::string_view> choices_of(const Key& key);

// What a number, a curve or a map measures: x first, the value last. Nothing where any unit will
// do. Of units that are alternatives the first.
std::vector<Dimension> dimensions_of(const Key& key);

// One condition of a row: `key` is one of `words`.
struct KeyCondition {
  std::string_view key;
  std::vector<std::string_view> words;
};
std::vector<KeyCondition> conditions_of(const Key& key);

// The row of the key that goes with the words of this mapping; a word that is not said is the
// first of its choices. Null: there is none.
const Key* find_key(const KeyTable& table, std::string_view key, const DataSpec& mapping);

// Whether any row is of this key.
bool has(const KeyTable& table, std::string_view key);

// A reader asks for a key, as something that measures `dimensions`. It is a fault of the program
// if the table says otherwise: then it throws.
void expect(const KeyTable& table, std::string_view key);
void expect(const KeyTable& table, std::string_view key, std::span<const Form> forms,
            std::span<const Dimension> dimensions);
void expect_words(const KeyTable& table, std::string_view key,
                  std::span<const std::string_view> words);

}  // namespace chicane
