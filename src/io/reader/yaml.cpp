#include "io/reader/yaml.hpp"

#include <algorithm>

namespace chicane {
namespace {

constexpr std::size_t kLargest = 4'000'000;  // bytes
constexpr int kDeepest = 40;                 // levels

Location inside(const Location& where, const std::string& key) {
  return {where.file, where.line, where.key.empty() ? key : where.key + "." + key};
}

// Brackets and indentation, counted in the text itself: the YAML library recurses as deep as they
// go.
bool too_deep(std::string_view text) {
  int open = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') ++open;
    if (c == ']' || c == '}') open = std::max(0, open - 1);
    if (open > kDeepest) return true;
  }
  // "- - - -" and "? ? ?" and ": : :" open a level per mark, too.
  int marks = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n')
      marks = 0;
    else if ((c == '-' || c == '?' || c == ':') && ++marks > 1000)
      return true;
  }
  return false;
}

bool nested_too_deeply(const YAML::Node& node, int depth, int& budget) {
  if (depth > kDeepest || --budget < 0) return true;
  if (node.IsSequence())
    return std::any_of(node.begin(), node.end(),
                       [&](const auto& n) { return nested_too_deeply(n, depth + 1, budget); });
  if (node.IsMap())
    return std::any_of(node.begin(), node.end(), [&](const auto& n) {
      return nested_too_deeply(n.second, depth + 1, budget);
    });
  return false;
}

std::string_view article(Form form) {
  switch (form) {
    case Form::names:
    case Form::numbers:
    case Form::matrix:
    case Form::actions:
    case Form::rows:
      return "a list";
    case Form::section:
    case Form::entries:
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
    case Form::matrix:
    case Form::actions:
    case Form::rows:
      return value.is_list();
    case Form::section:
    case Form::entries:
    case Form::assignments:
      return value.is_map();
    default:
      return value.is_scalar();
  }
}

void check_choice(const Key& key, const Cursor& value, Diagnostics& diag) {
  const std::string word = value.text().text;
  std::vector<std::string_view> choices;
  std::string_view rest = key.of;
  for (;;) {
    const std::size_t bar = rest.find('|');
    choices.push_back(rest.substr(0, bar));
    if (bar == std::string_view::npos) break;
    rest.remove_prefix(bar + 1);
  }
  if (std::find(choices.begin(), choices.end(), word) != choices.end()) return;
  diag.error(value.where(), "'{}' is not one of {}{}", word, fmt::join(choices, ", "),
             did_you_mean(word, choices));
}

}  // namespace

std::vector<Cursor> Cursor::elements() const {
  std::vector<Cursor> list;
  for (const auto& n : node_)
    list.emplace_back(
        n, Location{where_.file, where_.line, fmt::format("{}[{}]", where_.key, list.size())});
  return list;
}

std::vector<std::pair<std::string, Cursor>> Cursor::entries(Diagnostics& diag) const {
  std::vector<std::pair<std::string, Cursor>> list;
  for (const auto& n : node_) {
    if (!n.first.IsScalar()) {
      diag.error(Cursor(n.first, where_).where(), "a key must be a word");
      continue;
    }
    const std::string key = n.first.Scalar();
    Location here = inside(where_, key);
    here.line = n.first.Mark().line + 1;
    if (std::any_of(list.begin(), list.end(), [&](const auto& e) { return e.first == key; })) {
      diag.error(here, "'{}' stands twice here", key);
      continue;
    }
    list.emplace_back(key, Cursor(n.second, here));
  }
  return list;
}

Fields::Fields(const Cursor& at, const Section& grammar, Diagnostics& diag) : where_(at.where()) {
  if (at.is_scalar() && !grammar.shorthand.empty()) {
    fields_.emplace_back(grammar.shorthand, at);
    return;
  }
  if (!at.is_map()) {
    diag.error(at.where(), "a mapping (key: value) is needed here, with keys such as '{}'",
               grammar.keys[0].name);
    return;
  }
  std::vector<std::string_view> known;
  for (const Key& k : grammar.keys) known.push_back(k.name);
  for (auto& [name, value] : at.entries(diag)) {
    const auto key = std::find_if(grammar.keys.begin(), grammar.keys.end(),
                                  [&n = name](const Key& k) { return k.name == n; });
    if (key == grammar.keys.end()) {
      diag.error(value.where(), "unknown key '{}' in {}{}", name, grammar.name,
                 nearest(name, known).empty()
                     ? fmt::format("; known are {}", fmt::join(known, ", "))
                     : did_you_mean(name, known));
      continue;
    }
    if (!fits(key->form, value)) {
      diag.error(value.where(), "'{}' needs {}", name, article(key->form));
      continue;
    }
    if (key->form == Form::choice) check_choice(*key, value, diag);
    if (key->form == Form::flag && value.text().text != "true" && value.text().text != "false")
      diag.error(value.where(), "'{}' is not true or false", value.text().text);
    fields_.emplace_back(name, std::move(value));
  }
  for (const Key& k : grammar.keys)
    if (k.required && find(k.name) == nullptr && diag.ok())
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
  if (text.size() > kLargest || too_deep(text)) {
    diag.error(whole, "this file is too large ({} bytes at most) or nested too deeply", kLargest);
    return std::nullopt;
  }
  try {
    const YAML::Node root = YAML::Load(std::string(text));
    int budget = 1'000'000;
    if (nested_too_deeply(root, 0, budget)) {
      diag.error(whole, "this file is nested too deeply or refers to itself");
      return std::nullopt;
    }
    if (!root.IsDefined() || root.IsNull()) {
      diag.error(whole, "this file is empty; a model starts with 'format: chicane/1'");
      return std::nullopt;
    }
    return Cursor(root, whole);
  } catch (const YAML::Exception& e) {
    const int line = e.mark.is_null() ? 1 : e.mark.line + 1;
    diag.error({file, line, ""}, "this is not YAML: {}", e.msg);
    return std::nullopt;
  }
}

}  // namespace chicane
