// SPDX-License-Identifier: Apache-2.0
#include "language/sections/map.hpp"

#include "language/sections/fields.hpp"

namespace chicane {
namespace {

std::optional<GridData> named_map(const Text& name, const MapDimensions& d, Keys& keys) {
  const Spec& spec = keys.numbers().spec();
  Diagnostics& diag = keys.diagnostics();
  std::vector<std::string_view> maps;
  for (const TableSpec& t : spec.tables) {
    if (!t.two_d) continue;
    maps.push_back(t.name);
    if (t.name != name.text) continue;
    if (spec.check_units && (t.x.dimension != d.x || t.y.dimension != d.y || t.z.dimension != d.z))
      diag.error(name.where, "table '{}' gives {} over {} and {}; here {} over {} and {} is needed",
                 t.name, quantity_name(t.z.dimension), quantity_name(t.x.dimension),
                 quantity_name(t.y.dimension), quantity_name(d.z), quantity_name(d.x),
                 quantity_name(d.y));
    return GridData{t.x.values, t.y.values, t.z.values};
  }
  diag.error(name.where, "there is no table '{}' of two variables{}", name.text,
             did_you_mean(name.text, maps));
  return std::nullopt;
}

// Rows of `columns` numbers; their unit stands last, after the rows.
std::vector<double> rows_of(const DataSpec& data, const Dimension& dimension, std::size_t columns,
                            Numbers& numbers) {
  const bool unit = !data.list.empty() && data.list.back().kind == DataSpec::Kind::text;
  std::vector<double> out;
  for (std::size_t i = 0; i + (unit ? 1 : 0) < data.list.size(); ++i) {
    DataSpec row = data.list[i];
    if (unit) row.list.push_back(data.list.back());
    const auto values = numbers.list(row, dimension, columns);
    out.insert(out.end(), values.begin(), values.end());
  }
  return out;
}

}  // namespace

std::optional<GridData> read_map(Keys& keys, std::string_view key, const MapDimensions& d,
                                 std::string_view owner, bool required) {
  keys.expect(key, {Form::map}, {d.x, d.y, d.z});
  const DataSpec* data = required ? keys.require(key, owner) : keys.find(key);
  if (data == nullptr) return std::nullopt;
  if (data->kind == DataSpec::Kind::text) return named_map(data->text, d, keys);
  const DataSpec* z = data->find("z");
  if (data->find("x") == nullptr || data->find("y") == nullptr || z == nullptr ||
      data->entries.size() != 3) {
    keys.diagnostics().error(data->text.where,
                             "'{}' is a map: the name of a table, or {{x: [..., {}], y: [..., {}], "
                             "z: [[...], ..., {}]}}, a row for each x",
                             key, to_string(d.x), to_string(d.y), to_string(d.z));
    return std::nullopt;
  }
  Keys axes(*data, keys.numbers(), keys.diagnostics());
  GridData map{read_list(axes, "x", d.x, key), read_list(axes, "y", d.y, key), {}};
  const int before = keys.diagnostics().errors();
  if (!map.y.empty()) map.z = rows_of(*z, d.z, map.y.size(), keys.numbers());
  if (keys.diagnostics().errors() > before) return std::nullopt;
  const auto table = Table2D::make(map.x, map.y, map.z);
  if (const auto* fault = std::get_if<std::string>(&table)) {
    keys.diagnostics().error(data->text.where, "'{}': {}", key, *fault);
    return std::nullopt;
  }
  return map;
}

}  // namespace chicane
