// SPDX-License-Identifier: Apache-2.0
#include "io/reader/vehicle.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assembly/parts/magic_formula.hpp"
#include "assembly/vehicle.hpp"
#include "io/reader/csv.hpp"
#include "io/reader/data.hpp"
#include "io/reader/parts.hpp"
#include "io/reader/road.hpp"

namespace chicane {
namespace {

constexpr int kMostNestedFiles = 8;  // files that name files

DataSpec list_of(const CsvText::Column& column, const std::vector<double>& values,
                 const Location& where) {
  DataSpec list{.kind = DataSpec::Kind::list, .text = {"", where}};
  for (const double v : values)
    list.list.push_back({.kind = DataSpec::Kind::text, .text = {fmt::format("{}", v), where}});
  if (!column.conversion.dimension.is_none())
    list.list.push_back(
        {.kind = DataSpec::Kind::text, .text = {to_string(column.conversion.dimension), where}});
  return list;
}

// A curve from the two columns of a CSV file, or those that `columns` names.
void bring_in_curve(DataSpec& data, bool units, Diagnostics& diag, const Loader& load) {
  const Location where = data.text.where;
  const auto csv = open_csv(data.find("file")->text, units, diag, load);
  const DataSpec* names = data.find("columns");
  for (const auto& [key, value] : data.entries)
    if (key != "file" && key != "columns")
      diag.error(value.text.where, "a curve in a CSV file has no '{}' beside it", key);
  std::vector<std::size_t> chosen{0, 1};
  if (csv && names != nullptr) {
    chosen.clear();
    for (const DataSpec& name : names->list)
      if (const auto c = csv->choose(name.text, diag)) chosen.push_back(*c);
    if (names->list.size() != 2) diag.error(names->text.where, "a curve has two columns: [x, y]");
  } else if (csv && csv->columns().size() != 2) {
    diag.error(where, "'{}' has {} columns: say which are meant, columns: [x, y]", csv->path(),
               csv->columns().size());
  }
  data = DataSpec{.kind = DataSpec::Kind::mapping, .text = {"", where}};
  if (!diag.ok()) return;
  const auto rows = csv->read(chosen, diag);
  if (!rows || !rises(*csv, chosen[0], (*rows)[0], diag)) return;
  for (const std::size_t k : {0U, 1U})
    data.entries.emplace_back(k == 0 ? "x" : "y",
                              list_of(csv->columns()[chosen[k]], (*rows)[k].numbers, where));
}

bool is_tir(std::string_view path) { return path.ends_with(".tir") || path.ends_with(".TIR"); }

// A tire from its property file, with the other keys laid over it.
void bring_in_tir(DataSpec& data, Diagnostics& diag, const Loader& load) {
  const Text name = data.find("file")->text;
  const std::string path = beside(name.where.file, name.text);
  const auto text = load ? load(path) : std::nullopt;
  if (!text)
    return diag.error(name.where, "cannot read the tire file '{}'; paths start at this file", path);
  auto whole = tir_section(*text, path, data.text.where, diag);
  if (!whole) return;
  std::erase_if(data.entries, [](const auto& e) { return e.first == "file"; });
  merge(*whole, std::move(data));
  data = std::move(*whole);
}

// A mapping with a key `file` is what stands there, with the other keys laid over it.
void bring_in_files(DataSpec& data, bool units, Diagnostics& diag, const Loader& load,
                    int depth = 0) {
  if (const DataSpec* file = data.find("file")) {
    const Text name = file->text;
    if (is_csv(name.text)) return bring_in_curve(data, units, diag, load);
    if (is_tir(name.text)) return bring_in_tir(data, diag, load);
    if (is_road(name.text)) return bring_in_road(data, diag, load);
    if (depth == kMostNestedFiles) {
      diag.error(name.where, "'{}': files name each other too deeply, or in a circle", name.text);
      return;
    }
    std::erase_if(data.entries, [](const auto& e) { return e.first == "file"; });
    const auto part = read_part(name, "part file", "part file", diag, load);
    const Cursor* content = part ? part->find("part") : nullptr;
    if (content == nullptr) return;
    DataSpec whole = read_data(*content, diag);
    merge(whole, std::move(data));
    data = std::move(whole);
    return bring_in_files(data, units, diag, load, depth + 1);
  }
  for (DataSpec& e : data.list) bring_in_files(e, units, diag, load, depth);
  for (auto& [name, value] : data.entries) bring_in_files(value, units, diag, load, depth);
}

}  // namespace

void read_vehicle_section(const Cursor& at, Spec& spec, Diagnostics& diag, const Loader& load) {
  const Fields f(at, section("vehicle"), diag);
  if (!diag.ok()) return;
  DataSpec own = read_data(at, diag);
  bring_in_files(own, spec.check_units, diag, load);
  if (!spec.vehicle)
    spec.vehicle = std::move(own);
  else
    merge(*spec.vehicle, std::move(own));
  declare_vehicle(spec);
}

}  // namespace chicane
