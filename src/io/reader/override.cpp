// SPDX-License-Identifier: Apache-2.0

// New values for what a Spec has: --set, and a model that stands on another.

#include "io/reader/override.hpp"

#include <algorithm>

#include "assembly/assemble.hpp"
#include "assembly/grammar.hpp"
#include "blocks/mechanism/block.hpp"
#include "io/reader/data.hpp"
#include "io/reader/reader.hpp"
#include "io/reader/road.hpp"
#include "language/block.hpp"

namespace chicane {

Text as_expression(Text text) {
  const auto parsed = parse_quantity(text.text);
  const auto* q = std::get_if<Quantity>(&parsed);
  if (q != nullptr && !q->unit.empty()) {
    const std::size_t unit = text.text.rfind(q->unit);
    text.text = text.text.substr(0, unit) + "[" + q->unit + "]";
  }
  return text;
}

std::optional<NativeEntry> find_native(Spec& spec, const std::string& full,
                                       std::vector<std::string>* known) {
  for (BlockSpec& b : spec.blocks) {
    if (!b.native) continue;
    const BlockInfo info = b.native->info();
    std::optional<NativeEntry> found;
    const auto among = [&](const auto& list, std::vector<Assignment>& values, bool parameter) {
      for (const auto& entry : list) {
        const std::string name = b.name + "." + entry.name;
        if (known != nullptr) known->push_back(name);
        if (name == full) found = {&values, entry.name, entry.unit, parameter};
      }
    };
    among(info.parameters, b.parameters, true);
    among(info.states, b.initial, false);
    among(info.memory, b.initial, false);
    if (found) return found;
  }
  return std::nullopt;
}

namespace {

// What stands in a text: [1, 2, 3, m] is a list, as in a file.
DataSpec data_of(const Text& value, Diagnostics& diag) {
  DataSpec plain{.kind = DataSpec::Kind::text, .text = value};
  if (!value.text.starts_with('[')) return plain;
  const auto list = parse_yaml(value.text, value.where.file, diag);
  if (!list) return plain;
  DataSpec data = read_data(*list, diag);
  data.text.where = value.where;
  for (DataSpec& e : data.list) e.text.where = value.where;
  return data;
}

// The path of a number in the section of the vehicle, which may be named before it.
std::string_view in_vehicle(std::string_view name) {
  constexpr std::string_view kSection = "vehicle.";
  return name.starts_with(kSection) ? name.substr(kSection.size()) : name;
}

// Something of a vehicle that its file does not mention: a key of a section that has a default, or
// else a parameter or a state of one of the blocks made from it, which gets its value before the
// run. Nothing if it is neither; false and a fault if the section refuses it.
std::optional<bool> set_default(Spec& spec, const std::string& name, const Text& value,
                                Diagnostics& diag, std::vector<std::string>& known) {
  Diagnostics of_key, unheard;
  Spec with_key = spec;
  const std::string_view path = in_vehicle(name);
  if (path.starts_with("start.") && with_key.vehicle->find("start") == nullptr)
    with_key.vehicle->entries.emplace_back(
        "start", DataSpec{.kind = DataSpec::Kind::mapping, .text = {"", value.where}});
  const bool alone = name != path && (path == "wind" || path == "gravity");
  if (alone) with_key.vehicle->entries.emplace_back(path, data_of(value, diag));
  const bool is_key = alone || add_value(*with_key.vehicle, path, data_of(value, diag));
  if (is_key)
    if (const auto made = with_native_blocks(with_key, of_key)) {
      spec = std::move(with_key);
      spec.assembled = made->assembled;
      return true;
    }
  auto made = with_native_blocks(spec, unheard);
  if (made) spec.assembled = made->assembled;
  if (made && find_native(*made, name, &known)) {
    std::erase_if(spec.initial, [&](const Assignment& a) { return a.target == name; });
    spec.initial.push_back({name, as_expression(value)});
    return true;
  }
  if (!is_key) return std::nullopt;
  for (const Diagnostic& d : of_key.all()) diag.add(d);
  return false;
}

}  // namespace

namespace {

// A road file that was set is read where it is named from: the folder of the command.
void change_road(DataSpec& vehicle, std::string_view path, Diagnostics& diag) {
  DataSpec* terrain = vehicle.find("terrain");
  if (terrain == nullptr || path != "terrain.file" || !is_road(terrain->find("file")->text.text))
    return;
  std::erase_if(terrain->entries, [](const auto& e) { return e.first == "sha256"; });
  terrain->find("file")->text.where.file.clear();
  bring_in_road(*terrain, diag, load_file);
}

// Names that end as this one does: whoever says 'mass' may mean that of the chassis.
std::string of_that_end(std::string_view name, const std::vector<std::string_view>& known) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string_view> list;
  for (const std::string_view k : known)
    if (k.size() > name.size() && k.ends_with(name) &&
        std::string_view("._").find(k[k.size() - name.size() - 1]) != std::string_view::npos &&
        list.size() < kMost)
      list.push_back(k);
  return list.empty() ? "" : fmt::format("; there is {}", fmt::join(list, ", "));
}

}  // namespace

bool override_value(Spec& spec, const std::string& name, const Text& value, Diagnostics& diag) {
  std::vector<std::string_view> known;
  const auto replaced = [&](auto& list, auto field) {
    for (auto& entry : list) {
      known.push_back(entry.name);
      if (entry.name != name) continue;
      Text& old = entry.*field;
      const auto was = parse_quantity(old.text), is = parse_quantity(value.text);
      const auto *a = std::get_if<Quantity>(&was), *b = std::get_if<Quantity>(&is);
      if (a && b && a->dimension != b->dimension && spec.check_units && !old.empty())
        diag.error(value.where, "'{}' is {}, but {} is {}, e.g. \"{}\"", value.text,
                   quantity_name(b->dimension), name, quantity_name(a->dimension), old.text);
      old = value;
      return true;
    }
    return false;
  };
  if (replaced(spec.parameters, &ParameterSpec::value) || replaced(spec.inputs, &InputSpec::value))
    return true;
  const Text formula = as_expression(value);
  std::vector<std::string> native_names;
  if (const auto entry = find_native(spec, name, &native_names)) {
    const auto unit = parse_unit(entry->unit);
    const auto parsed = parse_quantity(value.text);
    const auto* u = std::get_if<Unit>(&unit);
    const auto* q = std::get_if<Quantity>(&parsed);
    if (u && q && q->dimension != u->dimension && spec.check_units &&
        !(q->value == 0.0 && q->dimension.is_none()))
      diag.error(value.where, "'{}' is {}, but {} is {}, e.g. \"1{}\"", value.text,
                 quantity_name(q->dimension), name, quantity_name(u->dimension),
                 u->dimension.is_none() ? "" : " " + entry->unit);
    std::erase_if(*entry->list, [&](const Assignment& a) { return a.target == entry->name; });
    entry->list->push_back({entry->name, entry->parameter ? value : formula});
    return true;
  }
  for (DataSpec* section : {spec.mechanism ? &spec.mechanism->parameters : nullptr,
                            spec.vehicle ? &*spec.vehicle : nullptr})
    if (section != nullptr)
      if (DataSpec* number = find_value(
              *section, spec.vehicle && section == &*spec.vehicle ? in_vehicle(name) : name,
              &native_names)) {
        *number = data_of(value, diag);
        if (spec.vehicle && section == &*spec.vehicle)
          change_road(*section, in_vehicle(name), diag);
        return true;
      }
  if (spec.vehicle)
    if (const auto done = set_default(spec, name, value, diag, native_names)) return *done;
  known.insert(known.end(), native_names.begin(), native_names.end());
  for (BlockSpec& b : spec.blocks) {
    for (StateSpec& x : b.states) {
      known.push_back(x.name);
      if (x.name == name) return x.initial = formula, true;
    }
    for (MemorySpec& z : b.memory) {
      known.push_back(z.name);
      if (z.name == name) return z.initial = formula, true;
    }
  }
  diag.error(value.where, "there is no parameter, input, state or memory '{}' to set{}{}", name,
             did_you_mean(name, known), of_that_end(name, known));
  return false;
}

}  // namespace chicane
