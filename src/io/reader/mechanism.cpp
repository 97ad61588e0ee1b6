// SPDX-License-Identifier: Apache-2.0
#include "io/reader/mechanism.hpp"

#include <algorithm>

#include "io/reader/data.hpp"
#include "io/reader/parts.hpp"

namespace chicane {
namespace {

DataSpec data_of(const Cursor& at, Diagnostics& diag) {
  using Kind = DataSpec::Kind;
  DataSpec data{.kind = Kind::text, .text = at.text()};
  if (at.is_list()) {
    data.kind = Kind::list;
    for (const Cursor& e : at.elements()) data.list.push_back(data_of(e, diag));
  } else if (at.is_map()) {
    diag.error(at.where(), "a value or a list is needed here");
  }
  return data;
}

DataSpec data_of(const Cursor& at, const Key& key, Diagnostics& diag);

DataSpec section_of(const Cursor& at, const KeyTable& grammar, Diagnostics& diag) {
  const Fields f(at, grammar, diag);
  DataSpec data{.kind = DataSpec::Kind::mapping, .text = {"", at.where()}};
  for (const Key& key : grammar.keys)
    if (const Cursor* c = f.find(key.name))
      data.entries.emplace_back(key.name, data_of(*c, key, diag));
  return data;
}

DataSpec data_of(const Cursor& at, const Key& key, Diagnostics& diag) {
  if (key.form == Form::section) return section_of(at, section(key.of), diag);
  if (key.form != Form::entries) return data_of(at, diag);
  DataSpec data{.kind = DataSpec::Kind::mapping, .text = {"", at.where()}};
  for (const auto& [name, entry] : at.entries(diag))
    data.entries.emplace_back(name, section_of(entry, section(key.of), diag));
  return data;
}

const Key& key_of(std::string_view name) {
  const KeyTable& s = section("mechanism");
  return *std::find_if(s.keys.begin(), s.keys.end(), [&](const Key& k) { return k.name == name; });
}

}  // namespace

MechanismSpec read_topology(const Fields& f, Diagnostics& diag) {
  MechanismSpec m;
  m.where = f.where();
  m.parameters.kind = DataSpec::Kind::mapping;
  m.bodies = words(f.find("bodies"), diag);
  m.base = f.text("base");
  m.loops = f.text("loops");
  m.group = f.text("group");
  m.cut = words(f.find("cut"), diag);
  const auto each = [&](std::string_view key, std::string_view grammar, auto&& add) {
    if (const Cursor* c = f.find(key))
      for (const auto& [name, entry] : c->entries(diag))
        add(name, Fields(entry, section(grammar), diag));
  };
  each("joints", "joint", [&](const std::string& name, const Fields& j) {
    m.joints.push_back({name, j.where(), j.text("type"), words(j.find("connects"), diag),
                        j.text("driven").text == "true"});
  });
  each("forces", "force", [&](const std::string& name, const Fields& e) {
    m.forces.push_back(
        {name, e.where(), e.text("type"), words(e.find("connects"), diag), e.text("joint")});
  });
  return m;
}

bool is_mechanism_key(std::string_view key) {
  const KeyTable& s = section("mechanism");
  return std::any_of(s.keys.begin(), s.keys.end(), [&](const Key& k) { return k.name == key; });
}

void read_mechanism_key(const std::string& key, const Cursor& at, MechanismSpec& mechanism,
                        Diagnostics& diag) {
  const Key& k = key_of(key);
  if (k.form == Form::entries ? !at.is_map() : !at.is_list()) {
    diag.error(
        at.where(), "'{}' of a mechanism needs a {}", key,
        k.form == Form::entries ? "mapping (name: {...})" : "list, e.g. [0, 0, -9.81, m/s^2]");
    return;
  }
  DataSpec data{.kind = DataSpec::Kind::mapping, .text = {"", at.where()}};
  data.entries.emplace_back(key, data_of(at, k, diag));
  merge(mechanism.parameters, std::move(data));
}

}  // namespace chicane
