#include "io/reader/table.hpp"

#include <charconv>
#include <cmath>

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

}  // namespace

std::optional<TableSpec> read_table(const std::string& name, const Fields& f, Diagnostics& diag) {
  TableSpec t;
  t.name = name;
  t.where = f.where();
  const auto word = f.text("interpolation").text;
  t.interpolation = word == "spline"     ? Interpolation::spline
                    : word == "monotone" ? Interpolation::monotone
                                         : Interpolation::linear;
  t.extrapolation =
      f.text("extrapolation").text == "linear" ? Extrapolation::linear : Extrapolation::hold;
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
