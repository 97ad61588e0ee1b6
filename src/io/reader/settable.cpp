// SPDX-License-Identifier: Apache-2.0
#include "io/reader/settable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "assembly/grammar.hpp"
#include "language/block.hpp"

namespace chicane {
namespace {

std::string text_of(const DataSpec& data) {
  if (data.kind == DataSpec::Kind::text) return data.text.text;
  std::vector<std::string> parts;
  for (const DataSpec& e : data.list) parts.push_back(text_of(e));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string inside(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

// What a key that is not said is.
std::string default_of(const Key& key) {
  if (key.otherwise)
    return key.of == "-" ? fmt::format("{:.6g}", *key.otherwise)
                         : fmt::format("{:.6g} {}", *key.otherwise, key.of);
  if (key.form == Form::choice) return std::string(choices_of(key).front());
  return key.form == Form::flag ? "false" : "";
}

// A key that holds one value, not keys of its own.
bool is_value(Form form) {
  switch (form) {
    case Form::quantity:
    case Form::signal:
    case Form::choice:
    case Form::flag:
    case Form::vector:
    case Form::numbers:
      return true;
    default:
      return false;
  }
}

class Settables {
 public:
  explicit Settables(const Spec& spec) : spec_(spec) {}

  std::vector<Settable> all() {
    for (const ParameterSpec& p : spec_.parameters) add(p.name, p.value.text, p.description);
    for (const InputSpec& i : spec_.inputs) add(i.name, i.value.text, i.description);
    for (const BlockSpec& b : spec_.blocks) {
      for (const StateSpec& x : b.states) add(x.name, x.initial.text, start(x.description));
      for (const MemorySpec& z : b.memory) add(z.name, z.initial.text, start(z.description));
    }
    if (spec_.mechanism) values("", spec_.mechanism->parameters);
    if (spec_.vehicle) section("", *spec_.vehicle, vehicle_grammar().front());
    for (const BlockSpec& b : spec_.blocks)
      if (b.native && (spec_.vehicle || b.type.text != kMechanismType)) native(b);
    return std::move(list_);
  }

 private:
  // The first of a name is the one that is set.
  void add(const std::string& name, const std::string& value, const std::string& description) {
    if (names_.insert(name).second) list_.push_back({name, value, description});
  }

  static std::string start(const std::string& description) {
    return description.empty() ? "start value" : "start value: " + description;
  }

  // Whatever has a value; nothing is known of what it means.
  void values(const std::string& path, const DataSpec& data) {
    if (data.kind != DataSpec::Kind::mapping) return add(path, text_of(data), "");
    for (const auto& [name, value] : data.entries) values(inside(path, name), value);
  }

  // Of the user's names, each with a section of its own, if that is known.
  void entries(const std::string& path, const DataSpec& data, const KeyTable* of) {
    for (const auto& [name, value] : data.entries)
      if (of != nullptr && value.kind == DataSpec::Kind::mapping)
        section(inside(path, name), value, *of);
      else
        values(inside(path, name), value);
  }

  void section(const std::string& path, const DataSpec& data, const KeyTable& table) {
    std::set<std::string_view> done;
    for (const Key& row : table.keys) {
      const Key* key = find_key(table, row.name, data);
      if (key == nullptr || !done.insert(key->name).second) continue;
      const DataSpec* given = data.find(key->name);
      const std::string here = inside(path, key->name);
      const KeyTable* of = find_vehicle_table(key->of);
      if (given != nullptr && of != nullptr && given->kind == DataSpec::Kind::mapping &&
          key->form != Form::entries)
        section(here, *given, *of);
      else if (given != nullptr && given->kind == DataSpec::Kind::mapping)
        entries(here, *given, of);
      else if (given != nullptr)
        add(here, text_of(*given), std::string(key->help));
      else if (of != nullptr)
        absent(path, here, *key, *of);
      else if (is_value(key->form))
        add(path.empty() ? "vehicle." + here : here, default_of(*key), std::string(key->help));
    }
  }

  // A section that the file does not have can be begun by one of its keys if it needs none.
  void absent(const std::string& path, const std::string& here, const Key& key,
              const KeyTable& table) {
    const bool begun =
        std::none_of(table.keys.begin(), table.keys.end(), [](const Key& k) { return k.required; });
    if (key.form != Form::section || !begun || (path.empty() && key.name != "start")) return;
    section(here, {.kind = DataSpec::Kind::mapping, .text = {}}, table);
  }

  void native(const BlockSpec& b) {
    const BlockInfo info = b.native->info();
    const auto given = [](const std::vector<Assignment>& list, const std::string& name) {
      const auto it = std::find_if(list.begin(), list.end(),
                                   [&](const Assignment& a) { return a.target == name; });
      return it == list.end() ? std::string() : it->value.text;
    };
    const auto value = [&](const std::vector<Assignment>& list, const std::string& name,
                           double otherwise, const std::string& unit) {
      if (const std::string text = given(list, name); !text.empty()) return text;
      return unit == "-" ? fmt::format("{:.6g}", otherwise)
                         : fmt::format("{:.6g} {}", otherwise, unit);
    };
    for (const NativeParameter& p : info.parameters)
      add(b.name + "." + p.name, value(b.parameters, p.name, p.value, p.unit), p.description);
    for (const NativeState& x : info.states) {
      if (x.tied) continue;
      add(b.name + "." + x.name, value(b.initial, x.name, x.initial, x.unit), start(x.description));
    }
    for (const NativeState& z : info.memory)
      if (!z.internal)
        add(b.name + "." + z.name, value(b.initial, z.name, z.initial, z.unit),
            start(z.description));
  }

  const Spec& spec_;
  std::vector<Settable> list_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<Settable> settable(const Spec& spec) { return Settables(spec).all(); }

}  // namespace chicane
