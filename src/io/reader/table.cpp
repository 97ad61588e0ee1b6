// SPDX-License-Identifier: Apache-2.0
#include "io/reader/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

#include "io/reader/csv.hpp"
#include "io/reader/include.hpp"
#include "io/reader/parts.hpp"

namespace chicane {
namespace {

std::optional<double> number(const Cursor& c) {
  if (!c.is_scalar()) return std::nullopt;
  const std::string text = c.text().text;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] =
      std::from_chars(text.data() + (text.starts_with('+') ? 1 : 0), end, value);
  if (error == std::errc{} && at == end && std::isfinite(value)) return value;
  return std::nullopt;
}

// The unit that may stand last in a list; it is taken off.
std::optional<Unit> take_unit(std::vector<Cursor>& list, TableSpec::AxisSpec& axis,
                              Diagnostics& diag) {
  if (list.empty() || !list.back().is_scalar() || number(list.back())) return Unit{};
  const Text text = list.back().text();
  const auto parsed = parse_unit(text.text);
  if (const auto* error = std::get_if<UnitError>(&parsed)) {
    diag.error(text.where, "{}", error->message);
    return std::nullopt;
  }
  list.pop_back();
  axis.unit = text.text;
  axis.dimension = std::get<Unit>(parsed).dimension;
  return std::get<Unit>(parsed);
}

void read_numbers(const std::vector<Cursor>& list, const Unit& unit, TableSpec::AxisSpec& axis,
                  const Location& where, Diagnostics& diag) {
  for (const Cursor& c : list) {
    const auto value = number(c);
    if (!value) {
      diag.error(c.where(), "'{}' is not a number; a unit may stand last in the list",
                 c.text().text);
      return;
    }
    axis.values.push_back(unit.to_si(*value));
  }
  if (list.empty()) diag.error(where, "a table needs numbers");
}

void read_axis(const Cursor* c, TableSpec::AxisSpec& axis, Diagnostics& diag) {
  if (c == nullptr) return;
  std::vector<Cursor> list = c->elements();
  if (const auto unit = take_unit(list, axis, diag))
    read_numbers(list, *unit, axis, c->where(), diag);
}

void read_matrix(const Cursor& z, TableSpec& t, Diagnostics& diag) {
  std::vector<Cursor> rows = z.elements();
  const auto unit = take_unit(rows, t.z, diag);
  if (!unit) return;
  for (const Cursor& row : rows)
    if (!row.is_list()) {
      diag.error(row.where(), "z is a list of lists, one per x");
      return;
    }
  if (rows.size() != t.x.values.size() && diag.ok())
    diag.error(z.where(), "z needs one list per x: {} lists, not {}", t.x.values.size(),
               rows.size());
  for (const Cursor& row : rows) {
    const std::size_t before = t.z.values.size();
    read_numbers(row.elements(), *unit, t.z, row.where(), diag);
    if (t.z.values.size() - before != t.y.values.size() && diag.ok())
      diag.error(row.where(), "this list needs one value per y: {}, not {}", t.y.values.size(),
                 t.z.values.size() - before);
  }
}

TableSpec::AxisSpec axis_of(const CsvText::Column& column, std::vector<double> values) {
  return {std::move(values), column.conversion.dimension, column.unit};
}

// Two columns are a curve, three a map.
std::vector<std::size_t> chosen_columns(const CsvText& csv, const Fields& f, Diagnostics& diag) {
  const std::vector<Text> names = words(f.find("columns"), diag);
  std::vector<std::size_t> chosen;
  if (names.empty()) {
    if (csv.columns().size() == 2) return {0, 1};
    diag.error(f.text("file").where,
               "'{}' has {} columns: say which are meant, columns: [x, y] of a curve or [x, y, z] "
               "of a map",
               csv.path(), csv.columns().size());
    return {};
  }
  if (names.size() != 2 && names.size() != 3) {
    diag.error(f.find("columns")->where(), "a curve has two columns, [x, y], a map three");
    return {};
  }
  for (const Text& name : names)
    if (const auto c = csv.choose(name, diag)) chosen.push_back(*c);
  return chosen.size() == names.size() ? chosen : std::vector<std::size_t>{};
}

std::vector<double> sorted_without_repeats(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  return v;
}

// Rows of x, y and z in any order, one for each pair of x and y.
bool fill_map(const CsvText& csv, std::span<const std::size_t> chosen,
              const std::vector<CsvText::Values>& rows, TableSpec& t, Diagnostics& diag) {
  t.two_d = true;
  t.x = axis_of(csv.columns()[chosen[0]], sorted_without_repeats(rows[0].numbers));
  t.y = axis_of(csv.columns()[chosen[1]], sorted_without_repeats(rows[1].numbers));
  const std::size_t nx = t.x.values.size(), ny = t.y.values.size(), n = rows[0].numbers.size();
  if (nx > n || ny > n || nx * ny > n) {
    diag.error({csv.path(), 0, ""},
               "a map needs a row for each pair of {} and {}: {} times {}, but there are {} rows",
               csv.columns()[chosen[0]].name, csv.columns()[chosen[1]].name, nx, ny, n);
    return false;
  }
  std::vector<double> z(nx * ny, std::nan(""));
  for (std::size_t i = 0; i < n; ++i) {
    const auto place = [](const std::vector<double>& axis, double v) {
      return static_cast<std::size_t>(std::lower_bound(axis.begin(), axis.end(), v) - axis.begin());
    };
    double& cell =
        z[place(t.x.values, rows[0].numbers[i]) * ny + place(t.y.values, rows[1].numbers[i])];
    if (!std::isnan(cell)) {
      diag.error({csv.path(), rows[0].lines[i], ""}, "a row above has the same {} and {}",
                 csv.columns()[chosen[0]].name, csv.columns()[chosen[1]].name);
      return false;
    }
    cell = rows[2].numbers[i];
  }
  t.z = axis_of(csv.columns()[chosen[2]], std::move(z));
  return true;
}

bool read_table_file(const Fields& f, bool units, TableSpec& t, Diagnostics& diag,
                     const Loader& load) {
  for (const std::string_view key : {"x", "y", "z"})
    if (const Cursor* own = f.find(key))
      diag.error(own->where(), "the numbers of a table are either in a file or here");
  const auto csv = open_csv(f.text("file"), units, diag, load);
  if (!csv) return false;
  const auto chosen = chosen_columns(*csv, f, diag);
  if (chosen.empty()) return false;
  auto rows = csv->read(chosen, diag);
  if (!rows) return false;
  if (chosen.size() == 3) return fill_map(*csv, chosen, *rows, t, diag);
  if (!rises(*csv, chosen[0], (*rows)[0], diag)) return false;
  t.x = axis_of(csv->columns()[chosen[0]], std::move((*rows)[0].numbers));
  t.y = axis_of(csv->columns()[chosen[1]], std::move((*rows)[1].numbers));
  return true;
}

std::size_t elements(const DataSpec& data) {
  std::size_t n = data.list.size();
  for (const DataSpec& e : data.list) n += elements(e);
  for (const auto& [name, value] : data.entries) n += elements(value);
  return n;
}

}  // namespace

void check_table_sizes(const Spec& spec, Diagnostics& diag) {
  std::size_t n = spec.vehicle ? elements(*spec.vehicle) : 0;
  for (const TableSpec& t : spec.tables)
    n += t.x.values.size() + t.y.values.size() + t.z.values.size();
  if (n > kMostTableNumbers)
    diag.error({spec.where.file, 0, "tables"}, kTooManyNumbers, kMostTableNumbers);
}

std::optional<TableSpec> read_table(const std::string& name, const Fields& f, bool units,
                                    Diagnostics& diag, const Loader& load) {
  TableSpec t;
  t.name = name;
  t.where = f.where();
  const auto word = f.text("interpolation").text;
  t.interpolation = word == "spline"     ? Interpolation::spline
                    : word == "monotone" ? Interpolation::monotone
                    : word == "hold"     ? Interpolation::hold
                                         : Interpolation::linear;
  t.extrapolation =
      f.text("extrapolation").text == "linear" ? Extrapolation::linear : Extrapolation::hold;
  if (f.find("file") != nullptr)
    return read_table_file(f, units, t, diag, load) ? std::optional(std::move(t)) : std::nullopt;
  if (const Cursor* columns = f.find("columns"))
    diag.error(columns->where(), "columns are those of a file: add 'file:'");
  read_axis(f.find("x"), t.x, diag);
  read_axis(f.find("y"), t.y, diag);
  if (const Cursor* z = f.find("z")) {
    t.two_d = true;
    read_matrix(*z, t, diag);
  } else if (t.x.values.size() != t.y.values.size() && diag.ok()) {
    diag.error(t.where, "x has {} values, y has {}", t.x.values.size(), t.y.values.size());
    return std::nullopt;
  }
  return t;
}

}  // namespace chicane
