// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace chicane {
namespace {

// A row of a section's table and the types that have it.
struct Row {
  Key key;
  std::vector<std::string_view> types;
};

bool alike(const Key& a, const Key& b) {
  return a.name == b.name && a.form == b.form && a.of == b.of && a.required == b.required &&
         a.help == b.help && a.when == b.when && a.otherwise == b.otherwise;
}

bool is_word(std::string_view text) {
  return !text.empty() && text.find_first_of(" |=,:'\"") == std::string_view::npos;
}

}  // namespace

void PartSection::describe(PartType type) {
  require(!closed_, "'{}' comes too late: types of {} are added before the first model is loaded",
          type.name, what_);
  require(is_word(type.name), "'{}' is no name for a type of {}", type.name, what_);
  for (const PartType& t : types_)
    require(t.name != type.name, "there is already {} of type '{}'", what_, type.name);
  types_.push_back(std::move(type));
}

std::optional<std::size_t> PartSection::type_of(Keys& keys) const {
  const DataSpec* data =
      common_.keys.front().required ? keys.require("type", what_) : keys.find("type");
  if (data == nullptr)
    return common_.keys.front().required ? std::nullopt : std::optional<std::size_t>(0);
  std::vector<std::string_view> names;
  for (const PartType& t : types_) {
    if (t.name == data->text.text) return names.size();
    names.push_back(t.name);
  }
  std::sort(names.begin(), names.end());
  keys.diagnostics().error(data->text.where, "there is no {} of type '{}'{}; there are {}",
                           std::string_view(what_).substr(what_.find(' ') + 1), data->text.text,
                           did_you_mean(data->text.text, names), fmt::join(names, ", "));
  return std::nullopt;
}

std::vector<KeyTable> PartSection::grammar() const {
  std::vector<Row> rows;
  std::vector<std::string_view> names;
  for (const PartType& t : types_) {
    names.push_back(t.name);
    for (const Key& k : t.keys) {
      const auto row =
          std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return alike(r.key, k); });
      if (row == rows.end())
        rows.push_back({k, {t.name}});
      else
        row->types.push_back(t.name);
    }
  }
  KeyTable table = common_;
  table.keys.front().of = keep(fmt::format("{}", fmt::join(names, "|")));
  for (Row& row : rows) {
    const std::string types = fmt::format("type={}", fmt::join(row.types, "|"));
    row.key.when = keep(row.key.when.empty() ? types : fmt::format("{} {}", types, row.key.when));
    table.keys.push_back(row.key);
  }
  std::vector<KeyTable> all{std::move(table)};
  const auto add = [&](const std::vector<KeyTable>& tables) {
    for (const KeyTable& t : tables)
      if (std::none_of(all.begin(), all.end(), [&](const KeyTable& a) { return a.name == t.name; }))
        all.push_back(t);
  };
  add(tables_);
  for (const PartType& t : types_) add(t.tables);
  return all;
}

PartRegistry::PartRegistry()
    : tires(built_in_tires()),
      steering(built_in_steering()),
      brakes(built_in_brakes()),
      powertrain(built_in_powertrains()),
      aerodynamics(built_in_aerodynamics()),
      driver(built_in_drivers()),
      terrain(built_in_terrains()) {}

std::vector<const PartSection*> PartRegistry::sections() const {
  return {&tires, &terrain, &steering, &brakes, &powertrain, &aerodynamics, &driver};
}

std::vector<KeyTable> PartRegistry::grammar() const {
  std::vector<KeyTable> all;
  for (const PartSection* s : sections())
    for (KeyTable& t : s->grammar()) all.push_back(std::move(t));
  return all;
}

std::vector<PartInput> PartRegistry::inputs_of(const DataSpec& vehicle) const {
  std::vector<PartInput> list;
  for (const PartSection* s : sections()) {
    const DataSpec* section = vehicle.find(s->name());
    const DataSpec* said = section == nullptr ? nullptr : section->find("type");
    if (said == nullptr) continue;
    for (const PartType& t : s->types()) {
      if (t.name != said->text.text) continue;
      for (const PartInput& i : t.inputs) {
        const DataSpec* word = i.key.empty() ? nullptr : section->find(i.key);
        if (i.key.empty() || (word != nullptr && word->text.text == i.word)) list.push_back(i);
      }
    }
  }
  return list;
}

void PartRegistry::close() {
  tires.close(), steering.close(), brakes.close(), powertrain.close(), aerodynamics.close(),
      driver.close(), terrain.close();
}

PartRegistry& part_registry() {
  static PartRegistry registry;
  return registry;
}

}  // namespace chicane
