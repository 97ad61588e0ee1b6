#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chicane {

// The grammar of model files, as data: the reader checks files against it, and the JSON Schema and
// the reference page are written from it.

enum class Form {
  text,         // free text
  name,         // one word
  quantity,     // number with unit
  expression,   // formula
  unit,         // unit alone
  flag,         // true or false
  integer,      // whole number
  choice,       // one of `choices`
  names,        // list of words, or one word
  numbers,      // list of numbers, the unit as its last element
  matrix,       // list of such lists, the unit as the last element
  section,      // mapping with the keys of section `of`
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
  std::string_view of;  // section, or choices separated by |
  bool required = false;
  std::string_view help;
};

struct Section {
  std::string_view name;
  std::string_view shorthand;  // the key that a bare scalar stands for; empty: a mapping is needed
  std::span<const Key> keys;
  std::string_view help;
};

std::vector<std::string_view> choices_of(const Key& key);

std::span<const Section> grammar();
const Section& section(std::string_view name);

std::string json_schema();       // of model files
std::string grammar_markdown();  // the reference page

}  // namespace chicane
