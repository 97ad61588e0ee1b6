// SPDX-License-Identifier: Apache-2.0
#include "io/reader/yaml.hpp"

#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "core/utf8.hpp"
#include "io/reader/include.hpp"

namespace chicane {
namespace {

constexpr int kDeepestLevel = 40;  // levels; the YAML library itself stops at 500

Location inside(const Location& where, const std::string& key) {
  return {where.file, where.line, where.key.empty() ? key : where.key + "." + key};
}

// Hears a document and keeps the line it starts in.
class Listener final : public YAML::EventHandler {
 public:
  int line = 0;

  void OnDocumentStart(const YAML::Mark& mark) override { line = mark.line + 1; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// The line of a second document, or 0: YAML::Load takes the first and is silent about the rest,
// YAML::LoadAll finds documents without end in some texts.
int second_document(std::string_view text) {
  std::istringstream in{std::string(text)};
  YAML::Parser parser(in);
  Listener first, second;
  return parser.HandleNextDocument(first) && parser.HandleNextDocument(second) ? second.line : 0;
}

// The indentation of a line contains a tab, which YAML does not allow.
bool tab_indents(std::string_view text, int line) {
  for (; line > 1 && text.find('\n') != std::string_view::npos; --line)
    text.remove_prefix(text.find('\n') + 1);
  return text.substr(0, text.find_first_not_of(" \t")).find('\t') != std::string_view::npos;
}

// What the YAML library says, and what it mostly means.
std::string explained(const YAML::Exception& e, std::string_view text) {
  struct Remedy {
    std::string_view said, advice;
  };
  constexpr std::string_view kQuotes =
      "put text that contains one of , : [ ] { } # in quotes, as in \"-x/1[s]\"";
  constexpr Remedy kRemedies[] = {
      {"end of map flow not found", kQuotes},
      {"end of sequence flow not found", kQuotes},
      {"illegal flow end", kQuotes},
      {"illegal map value", kQuotes},
      {"unknown escape character", "in \"double quotes\" a backslash is written \\\\"},
      {"illegal EOF in scalar", "a quoted text that was opened further up is not closed"},
      {"end of map not found", "keys of one mapping begin in the same column"},
      {"end of sequence not found", "elements of one list begin in the same column"},
      {"illegal block entry", "a list begins on a line of its own, with '- ' before each element"},
      {"bad file", "it is nested too deeply"},
      {"the referenced anchor is not defined", "text that begins with * stands in quotes"},
  };
  if (!e.mark.is_null() && tab_indents(text, e.mark.line + 1))
    return "a line is indented by blanks, not by tabs";
  for (const Remedy& r : kRemedies)
    if (e.msg.starts_with(r.said)) return fmt::format("{} ({})", e.msg, r.advice);
  return e.msg;
}

int line_of(const YAML::Node& node, int otherwise) {
  const YAML::Mark mark = node.Mark();
  return mark.is_null() ? otherwise : mark.line + 1;
}

// The line of a text that is not UTF-8, or 0. The file is, but the YAML library turns the escapes
// \N and \_ into single bytes.
int not_utf8(const YAML::Node& node) {
  if (node.IsScalar()) {
    for (std::string_view text = node.Scalar(); !text.empty();) {
      const std::size_t length = utf8_length(text);
      if (length == 0) return line_of(node, 1);
      text.remove_prefix(length);
    }
  }
  for (const auto& n : node) {
    const int line = node.IsMap() ? std::max(not_utf8(n.first), not_utf8(n.second)) : not_utf8(n);
    if (line > 0) return line;
  }
  return 0;
}

bool nested_too_deeply(const YAML::Node& node, int depth, int& budget) {
  if (depth > kDeepestLevel || --budget < 0) return true;
  if (node.IsSequence())
    return std::any_of(node.begin(), node.end(),
                       [&](const auto& n) { return nested_too_deeply(n, depth + 1, budget); });
  if (node.IsMap())
    return std::any_of(node.begin(), node.end(), [&](const auto& n) {
      return nested_too_deeply(n.first, depth + 1, budget) ||
             nested_too_deeply(n.second, depth + 1, budget);
    });
  return false;
}

// YAML takes these words for nothing at all.
bool is_null_word(std::string_view word) {
  return word == "null" || word == "Null" || word == "NULL";
}

// "outputs: {y: max(x, 0)}" has the keys 'y' and '0)'.
std::string_view split_formula(std::string_view key) {
  return is_name(key) ? "" : "; if it belongs to the formula before it, put that in quotes";
}

std::string_view article(Form form) {
  switch (form) {
    case Form::names:
    case Form::numbers:
    case Form::vector:
    case Form::vectors:
    case Form::matrix:
    case Form::list:
    case Form::actions:
    case Form::rows:
      return "a list";
    case Form::section:
    case Form::entries:
    case Form::parameters:
    case Form::data:
    case Form::assignments:
      return "a mapping (key: value)";
    default:
      return "a single value";
  }
}

bool fits(Form form, const Cursor& value) {
  switch (form) {
    case Form::names:
      return value.is_list() || value.is_scalar();
    case Form::numbers:
    case Form::vector:
    case Form::vectors:
    case Form::matrix:
    case Form::list:
    case Form::actions:
    case Form::rows:
      return value.is_list();
    case Form::section:
    case Form::entries:
    case Form::parameters:
    case Form::data:
    case Form::assignments:
      return value.is_map();
    default:
      return value.is_scalar();
  }
}

void check_choice(const Key& key, const Cursor& value, Diagnostics& diag) {
  const std::string word = value.text().text;
  const std::vector<std::string_view> choices = choices_of(key);
  if (std::find(choices.begin(), choices.end(), word) != choices.end()) return;
  diag.error(value.where(), "'{}' is not one of {}{}", word, fmt::join(choices, ", "),
             did_you_mean(word, choices));
}

void check_integer(const Cursor& value, Diagnostics& diag) {
  const std::string text = value.text().text;
  const std::size_t digits = text.starts_with('-') ? 1 : 0;
  if (text.size() == digits || text.find_first_not_of("0123456789", digits) != std::string::npos)
    diag.error(value.where(), "a whole number is needed here, not '{}'", text);
}

// A whole file, which has a format, of which no key is known or nearly so. What stands in it is
// nobody's business.
bool is_of_something_else(const std::vector<std::pair<std::string, Cursor>>& entries,
                          const std::vector<std::string_view>& known) {
  return std::find(known.begin(), known.end(), "format") != known.end() && !entries.empty() &&
         std::all_of(entries.begin(), entries.end(),
                     [&](const auto& entry) { return nearest(entry.first, known).empty(); });
}

std::string advice(const std::string& name, const std::vector<std::string_view>& known) {
  if (!is_name(name)) return std::string(split_formula(name));
  if (nearest(name, known).empty()) return fmt::format("; known are {}", fmt::join(known, ", "));
  return did_you_mean(name, known);
}

}  // namespace

std::vector<Cursor> Cursor::elements() const {
  std::vector<Cursor> list;
  for (const auto& n : node_)
    list.emplace_back(n, Location{where_.file, line_of(n, where_.line),
                                  fmt::format("{}[{}]", where_.key, list.size())});
  return list;
}

std::vector<std::pair<std::string, Cursor>> Cursor::entries(Diagnostics& diag) const {
  std::vector<std::pair<std::string, Cursor>> list;
  std::set<std::string> seen;
  for (const auto& n : node_) {
    const int line = line_of(n.first, where_.line);
    if (!n.first.IsScalar() || n.first.Scalar() == "~" || is_null_word(n.first.Scalar())) {
      diag.error({where_.file, line, where_.key}, "a key must be a word, and not 'null'");
      continue;
    }
    const std::string key = n.first.Scalar();
    Location here = inside(where_, key);
    here.line = line;
    if (!seen.insert(key).second) {
      diag.error(here, "'{}' stands twice here", key);
      continue;
    }
    list.emplace_back(key, Cursor(n.second, here));
  }
  return list;
}

Fields::Fields(const Cursor& at, const KeyTable& grammar, Diagnostics& diag) : where_(at.where()) {
  if (at.is_scalar() && !grammar.shorthand.empty()) {
    fields_.emplace_back(grammar.shorthand, at);
    return;
  }
  if (at.is_null()) {
    const std::string key = at.where().key.substr(at.where().key.rfind('.') + 1);
    diag.error(at.where(), "'{}' has no value{}", key, split_formula(key));
    return;
  }
  if (!at.is_map()) {
    diag.error(at.where(), "a mapping (key: value) is needed here, with keys such as '{}'",
               grammar.keys[0].name);
    return;
  }
  std::vector<std::string_view> known;
  std::vector<std::string> given;  // known keys, whether or not their values are good
  for (const Key& k : grammar.keys) known.push_back(k.name);
  auto entries = at.entries(diag);
  if (is_of_something_else(entries, known)) {
    diag.error(where_, "this is no {}: 'format' is missing, and not one of its keys is here",
               grammar.name);
    return;
  }
  for (auto& [name, value] : entries) {
    const auto key = std::find_if(grammar.keys.begin(), grammar.keys.end(),
                                  [&n = name](const Key& k) { return k.name == n; });
    if (key == grammar.keys.end()) {
      diag.error(value.where(), "unknown key '{}' in {}{}", name, grammar.name,
                 advice(name, known));
      given.emplace_back(nearest(name, known));  // so that it is not called missing as well
      continue;
    }
    given.push_back(name);
    const bool blank = value.is_scalar() && value.text().empty() && key->form != Form::text;
    if (value.is_null() || blank) {
      diag.error(value.where(), "'{}' has no value: give it one, or remove the key", name);
      continue;
    }
    if (!fits(key->form, value)) {
      diag.error(value.where(), "'{}' needs {}", name, article(key->form));
      continue;
    }
    if (key->form == Form::choice) check_choice(*key, value, diag);
    if (key->form == Form::integer) check_integer(value, diag);
    if (key->form == Form::flag && value.text().text != "true" && value.text().text != "false")
      diag.error(value.where(), "'{}' is not true or false", value.text().text);
    fields_.emplace_back(name, std::move(value));
  }
  // A file stands for what is required.
  const bool in_file = std::find(given.begin(), given.end(), "file") != given.end();
  for (const Key& k : grammar.keys)
    if (k.required && !in_file && std::find(given.begin(), given.end(), k.name) == given.end())
      diag.error(where_, "'{}' is missing: {}", k.name, k.help);
}

const Cursor* Fields::find(std::string_view key) const {
  const auto it =
      std::find_if(fields_.begin(), fields_.end(), [&](const auto& f) { return f.first == key; });
  return it == fields_.end() ? nullptr : &it->second;
}

Text Fields::text(std::string_view key) const {
  const Cursor* c = find(key);
  return c == nullptr ? Text{} : c->text();
}

std::optional<Cursor> parse_yaml(std::string_view text, const std::string& file,
                                 Diagnostics& diag) {
  const Location whole{file, 1, ""};
  if (text.size() > kLargestFile) {
    diag.error(whole, "this file is too large: it has more than {} bytes", kLargestFile);
    return std::nullopt;
  }
  if (const auto fault = fault_of_text(text)) {
    diag.error({file, fault->first, ""}, "{}", fault->second);
    return std::nullopt;
  }
  // The YAML library misses an open quote when the file ends in line breaks.
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  try {
    const YAML::Node root = YAML::Load(std::string(text));
    if (root.IsNull()) {
      diag.error(whole, "this file is empty; a model starts with 'format: chicane/1'");
      return std::nullopt;
    }
    if (const int line = second_document(text); line > 0) {
      diag.error({file, line, ""},
                 "a second document starts here; a file is one document, with nothing after it");
      return std::nullopt;
    }
    int budget = 1'000'000;
    if (nested_too_deeply(root, 0, budget)) {
      diag.error(whole, "this file is nested too deeply or refers to itself");
      return std::nullopt;
    }
    if (const int line = not_utf8(root); line > 0) {
      diag.error({file, line, ""}, "the escapes \\N and \\_ are not known; write \\x85 and \\xa0");
      return std::nullopt;
    }
    return Cursor(root, {file, line_of(root, 1), ""});
  } catch (const YAML::Exception& e) {
    const int line = e.mark.is_null() ? 1 : e.mark.line + 1;
    diag.error({file, line, ""}, "this is not YAML: {}", explained(e, text));
    return std::nullopt;
  }
}

}  // namespace chicane
