// SPDX-License-Identifier: Apache-2.0
#include "language/sections/fields.hpp"

#include <algorithm>
#include <cmath>

namespace chicane {
namespace {

std::string_view words(Field::Bound bound) {
  switch (bound) {
    case Field::Bound::positive:
      return "more than 0";
    case Field::Bound::not_negative:
      return "0 or more";
    case Field::Bound::share:
      return "from 0 to 1";
    case Field::Bound::below_one:
      return "from 0 to below 1";
    case Field::Bound::any:
      break;
  }
  return "a number";
}

bool within(double value, Field::Bound bound) {
  switch (bound) {
    case Field::Bound::positive:
      return value > 0.0;
    case Field::Bound::not_negative:
      return value >= 0.0;
    case Field::Bound::share:
      return value >= 0.0 && value <= 1.0;
    case Field::Bound::below_one:
      return value >= 0.0 && value < 1.0;
    case Field::Bound::any:
      break;
  }
  return std::isfinite(value);
}

// A formula in which the model's parameters occur, and nothing unknown.
bool uses_parameters(const Text& text, const Spec& spec) {
  Diagnostics unheard;
  const auto e = parse_expression(text, unheard);
  if (!e) return false;
  const auto is_parameter = [&](const Node& n) {
    return std::any_of(spec.parameters.begin(), spec.parameters.end(),
                       [&](const ParameterSpec& p) { return p.name == n.name; });
  };
  bool any = false;
  for (const Node& n : e->nodes) {
    if (n.kind != Node::Kind::name) continue;
    if (!is_parameter(n)) return false;
    any = true;
  }
  return any;
}

// Whether the unit stands last.
bool ends_with_unit(const DataSpec& data, const Spec& spec) {
  if (data.list.empty() || data.list.back().kind != DataSpec::Kind::text) return false;
  const Text& last = data.list.back().text;
  return std::holds_alternative<UnitError>(parse_quantity(last.text)) &&
         !uses_parameters(last, spec);
}

std::vector<double> list_of(const DataSpec& data, const Dimension& dimension, Numbers& numbers) {
  const bool unit = ends_with_unit(data, numbers.spec());
  const std::size_t n = data.list.size() - (unit ? 1 : 0);
  return n == 0 ? std::vector<double>{} : numbers.list(data, dimension, n);
}

}  // namespace

std::vector<NativeParameter> read_fields(Keys& keys, std::span<const Field> fields,
                                         std::string_view owner, std::string_view prefix) {
  std::vector<NativeParameter> out;
  for (const Field& f : fields) {
    const Dimension dimension = std::get<Unit>(parse_unit(f.unit)).dimension;
    keys.expect(f.key, {Form::quantity, Form::signal}, {dimension});
    const DataSpec* data = f.otherwise ? keys.find(f.key) : keys.require(f.key, owner);
    double value = f.otherwise.value_or(0.0);
    if (data != nullptr) {
      const int before = keys.diagnostics().errors();
      value = keys.numbers().number(*data, dimension);
      if (keys.diagnostics().errors() == before && !within(value, f.bound))
        keys.diagnostics().error(data->text.where, "'{}' of {} is {}: {} must be {}", f.key, owner,
                                 data->text.text, f.description, words(f.bound));
    }
    out.push_back({fmt::format("{}{}", prefix, f.key), std::string(f.unit), value,
                   std::string(f.description)});
  }
  return out;
}

void add_rows(KeyTable& table, std::span<const Field> fields, std::string_view when) {
  for (const Field& f : fields)
    table.keys.push_back({f.key, Form::quantity, f.unit, !f.otherwise.has_value(), f.description,
                          when, f.otherwise});
}

const TableSpec* find_curve(const Text& name, const Dimension& x, const Dimension& y, Keys& keys) {
  const Spec& spec = keys.numbers().spec();
  Diagnostics& diag = keys.diagnostics();
  std::vector<std::string_view> known;
  for (const TableSpec& t : spec.tables) {
    known.push_back(t.name);
    if (t.name != name.text) continue;
    if (t.two_d) {
      diag.error(name.where, "'{}' is a map; a curve is needed here", t.name);
      return nullptr;
    }
    if (spec.check_units && (t.x.dimension != x || t.y.dimension != y))
      diag.error(name.where, "table '{}' gives {} over {}; here {} over {} is needed", t.name,
                 quantity_name(t.y.dimension), quantity_name(t.x.dimension), quantity_name(y),
                 quantity_name(x));
    return &t;
  }
  diag.error(name.where, "there is no table '{}'{}", name.text, did_you_mean(name.text, known));
  return nullptr;
}

std::optional<CurveData> read_curve(Keys& keys, std::string_view key, const Dimension& x,
                                    const Dimension& y, std::string_view owner, bool required) {
  const DataSpec* data = required ? keys.require(key, owner) : keys.find(key);
  keys.expect(key, {Form::curve, Form::signal, Form::law}, {x, y});
  if (data == nullptr) return std::nullopt;
  if (data->kind == DataSpec::Kind::text) {
    const TableSpec* t = find_curve(data->text, x, y, keys);
    return t == nullptr ? std::nullopt : std::optional(CurveData{t->x.values, t->y.values});
  }
  const DataSpec *xs = data->find("x"), *ys = data->find("y");
  if (xs == nullptr || ys == nullptr || data->entries.size() != 2) {
    keys.diagnostics().error(data->text.where,
                             "'{}' is a curve: the name of a table, or {{x: [..., {}], y: [..., "
                             "{}]}}",
                             key, to_string(x), to_string(y));
    return std::nullopt;
  }
  CurveData curve{list_of(*xs, x, keys.numbers()), list_of(*ys, y, keys.numbers())};
  const auto fault = Table1D::make(curve.x, curve.y);
  if (const auto* message = std::get_if<std::string>(&fault)) {
    keys.diagnostics().error(data->text.where, "'{}': {}", key, *message);
    return std::nullopt;
  }
  return curve;
}

std::vector<double> read_list(Keys& keys, std::string_view key, const Dimension& dimension,
                              std::string_view owner) {
  keys.expect(key, {Form::numbers}, {dimension});
  const DataSpec* data = keys.require(key, owner);
  return data == nullptr ? std::vector<double>{} : list_of(*data, dimension, keys.numbers());
}

}  // namespace chicane
