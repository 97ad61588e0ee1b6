// SPDX-License-Identifier: Apache-2.0
#include "language/sections/numbers.hpp"

#include <cmath>

#include "language/expression/derivative.hpp"

namespace chicane {

namespace {

std::optional<double> plain(const DataSpec& data) {
  if (data.kind != DataSpec::Kind::text) return std::nullopt;
  const auto parsed = parse_quantity(data.text.text);
  const auto* q = std::get_if<Quantity>(&parsed);
  if (q == nullptr || !q->unit.empty()) return std::nullopt;
  return q->value;
}

}  // namespace

Numbers::Numbers(const Spec& spec, Diagnostics& diag) : spec_(spec), diag_(diag) {
  for (const ParameterSpec& p : spec.parameters) {
    const auto parsed = parse_quantity(p.value.text);
    if (const auto* error = std::get_if<UnitError>(&parsed))
      diag.error(p.value.where, "{}", error->message);
    else
      parameters_.emplace(p.name, std::get<Quantity>(parsed));
  }
}

double Numbers::checked(double value, const Dimension& is, const Dimension& wanted,
                        const Text& text) {
  if (!spec_.check_units || is == wanted || (value == 0.0 && is.is_none())) return value;
  if (is.is_none())
    diag_.error(text.where, "'{}' has no unit: this is {}, e.g. \"{} {}\"", text.text,
                quantity_name(wanted), text.text, to_string(wanted));
  else
    diag_.error(text.where, "'{}' is {}, but this is {}", text.text, quantity_name(is),
                quantity_name(wanted));
  return 0.0;
}

double Numbers::number(const DataSpec& data, const Dimension& dimension) {
  const auto q = quantity(data);
  if (!q) return 0.0;
  if (std::holds_alternative<Quantity>(parse_quantity(data.text.text)))
    return checked(q->value, q->dimension, dimension, data.text);
  if (spec_.check_units && q->dimension != dimension &&
      !(q->value == 0.0 && q->dimension.is_none()))
    diag_.error(data.text.where, "'{}' is {} ({}), but this is {} ({})", data.text.text,
                quantity_name(q->dimension), to_string(q->dimension), quantity_name(dimension),
                to_string(dimension));
  return q->value;
}

std::optional<Quantity> Numbers::quantity(const DataSpec& data) {
  if (data.kind != DataSpec::Kind::text) {
    diag_.error(data.text.where, "a single value is needed here");
    return std::nullopt;
  }
  const auto parsed = parse_quantity(data.text.text);
  if (const auto* q = std::get_if<Quantity>(&parsed)) return *q;
  if (looks_like_quantity(data.text.text)) {
    diag_.error(data.text.where, "{}", std::get<UnitError>(parsed).message);
    return std::nullopt;
  }
  return formula(data.text);
}

std::optional<Quantity> Numbers::formula(const Text& text) {
  const auto e = parse_expression(text, diag_);
  if (!e) return std::nullopt;
  for (const Node& node : e->nodes) {
    const bool known_name = node.kind == Node::Kind::name && parameters_.contains(node.name);
    if (node.kind == Node::Kind::number || node.kind == Node::Kind::operation || known_name)
      continue;
    std::vector<std::string_view> known;
    for (const auto& [name, value] : parameters_) known.push_back(name);
    diag_.error(text.where, "'{}' is no parameter of the model{} ({})", node.name,
                did_you_mean(node.name, known), at_column(text, node.column));
    return std::nullopt;
  }
  const double value =
      evaluate(*e, [&](const std::string& name) { return parameters_.at(name).value; });
  if (!std::isfinite(value)) {
    diag_.error(text.where, "'{}' has no finite value", text.text);
    return std::nullopt;
  }
  if (!spec_.check_units) return Quantity{value, {}, ""};
  const auto measure = infer(
      *e, [&](const std::string& name, bool) { return Measure{parameters_.at(name).dimension}; },
      [](const std::string&) { return std::vector<Measure>(1); }, diag_);
  if (!measure) return std::nullopt;
  const Dimension dimension = measure->any ? Dimension{} : measure->dimension;  // 0 fits all
  return Quantity{value, dimension, to_string(dimension)};
}

std::vector<double> Numbers::list(const DataSpec& data, const Dimension& dimension,
                                  std::size_t size) {
  return list(data, std::vector<Dimension>(size, dimension));
}

std::vector<double> Numbers::list(const DataSpec& data, const std::vector<Dimension>& dimensions) {
  const std::size_t n = dimensions.size();
  std::vector<double> values(n, 0.0);
  std::vector<DataSpec> elements = data.list;
  if (data.kind == DataSpec::Kind::text) elements = {data};
  Unit unit;
  const bool has_unit = elements.size() == n + 1 && elements.back().kind == DataSpec::Kind::text;
  if (has_unit) {
    const Text text = elements.back().text;
    const auto parsed = parse_unit(text.text);
    if (const auto* error = std::get_if<UnitError>(&parsed)) {
      diag_.error(text.where, "{}", error->message);
      return values;
    }
    unit = std::get<Unit>(parsed);
    elements.pop_back();
  }
  if (elements.size() != n) {
    diag_.error(data.text.where, "{} number{} and a unit are needed here, e.g. [{}{}]", n,
                n == 1 ? "" : "s", fmt::join(std::vector<int>(n, 1), ", "),
                dimensions[0].is_none() ? "" : ", " + to_string(dimensions[0]));
    return values;
  }
  const auto fault = [&](const Dimension& wanted) {
    if (!has_unit)
      diag_.error(data.text.where,
                  "the unit is missing: {} is needed here; it stands last, e.g. [..., {}]",
                  quantity_name(wanted), to_string(wanted));
    else
      diag_.error(data.text.where, "'{}' is {}, but this is {}", data.list.back().text.text,
                  quantity_name(unit.dimension), quantity_name(wanted));
  };
  for (std::size_t i = 0; i < n; ++i) {
    const auto alone = plain(elements[i]);
    if (alone && spec_.check_units && unit.dimension != dimensions[i] &&
        (has_unit || *alone != 0.0)) {
      fault(dimensions[i]);
      return values;
    }
    values[i] = alone ? unit.to_si(*alone) : number(elements[i], dimensions[i]);
  }
  return values;
}

}  // namespace chicane
