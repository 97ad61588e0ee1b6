// SPDX-License-Identifier: Apache-2.0
#include "cli/run/rows.hpp"

#include <algorithm>

#include "cli/shared.hpp"
#include "io/sinks/csv.hpp"
#include "math/units.hpp"
#include "simulation/highlights.hpp"
#include "simulation/plan.hpp"

namespace chicane::cli {

std::vector<Column> columns_of(const FrameLayout& layout) {
  std::vector<Column> columns;
  for (const FrameField& f : layout.fields().subspan(FrameLayout::kTime))
    columns.push_back({f.name, f.unit, f.description});
  return columns;
}

std::unique_ptr<RowWriter> open_results(const RunDirectory& directory, const Hdf5Content& content) {
  std::vector<std::unique_ptr<Sink>> sinks;
  sinks.push_back(std::make_unique<CsvSink>(directory.file("results.csv"), content.columns));
  sinks.push_back(std::make_unique<Hdf5Sink>(directory.file("results.h5"), content));
  return std::make_unique<RowWriter>(content.columns.size(), std::move(sinks));
}

std::vector<Hdf5Number> parameters_of(const Spec& spec, const Simulation& simulation) {
  std::vector<Hdf5Number> list;
  auto words = parameter_descriptions(spec);
  for (const ParameterInfo& p : simulation.structure().parameters)
    list.push_back(
        {p.name, to_string(p.dimension), words[p.name], simulation.state().constants[p.slot]});
  return list;
}

ColumnPairs pairs_of(const std::vector<std::string>& texts, const std::vector<Column>& columns,
                     Diagnostics& diag) {
  std::vector<std::string_view> names;
  for (const Column& c : columns) names.push_back(c.name);
  const auto find = [&](const std::string& name) -> std::size_t {
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end())
      diag.error({"--xy", 0, ""}, "no signal that is written is called '{}'{}", name,
                 did_you_mean(name, names));
    return static_cast<std::size_t>(it - names.begin());
  };
  ColumnPairs pairs;
  for (const std::string& text : texts) {
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos || comma == 0 || comma + 1 == text.size())
      diag.error({"--xy", 0, ""}, "write --xy X,Y, two signals");
    else
      pairs.emplace_back(find(text.substr(0, comma)), find(text.substr(comma + 1)));
  }
  return pairs;
}

namespace {

std::vector<double> converted(const std::vector<double>& values, const std::string& from,
                              std::string_view to) {
  const Unit was = std::get<Unit>(parse_unit(from)), is = std::get<Unit>(parse_unit(to));
  std::vector<double> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(),
                 [&](double v) { return is.from_si(was.to_si(v)); });
  return out;
}

bool is_length(const std::string& unit) {
  const auto parsed = parse_unit(unit);
  const auto* u = std::get_if<Unit>(&parsed);
  return u != nullptr && u->dimension == dimensions::kLength;
}

PlotPlane plane_of(const Columns& rows, const std::vector<Column>& columns, std::size_t x,
                   std::size_t y) {
  return {.x_label = columns[x].name,
          .x_unit = columns[x].unit,
          .line = {columns[y].name, columns[y].unit, rows[x], rows[y]},
          .one_scale = is_length(columns[x].unit) && columns[x].unit == columns[y].unit};
}

// "fl" of "wheel.fl.load": beside others of its panel the rest goes without saying.
std::string short_name(const std::string& name) {
  const std::size_t first = name.find('.'), last = name.rfind('.');
  const std::string word =
      first == last ? name.substr(last + 1) : name.substr(first + 1, last - first - 1);
  return word.substr(0, word.find('_'));
}

std::optional<std::size_t> column_of(const std::vector<Column>& columns, std::string_view name) {
  for (std::size_t c = 1; c < columns.size(); ++c)
    if (columns[c].name == name) return c;
  return std::nullopt;
}

void add_highlights(const Columns& rows, const std::vector<Column>& columns, PlotRequest& request) {
  const auto x = column_of(columns, kPathX), y = column_of(columns, kPathY);
  if (x && y) {
    request.planes.push_back(plane_of(rows, columns, *x, *y));
    request.planes.back().x_label = "x";
    request.planes.back().line.name = "path, y";
  }
  for (const Highlight& h : vehicle_highlights()) {
    if (h.pattern == kPathX || h.pattern == kPathY) continue;
    for (std::size_t c = 1; c < columns.size(); ++c)
      if (matches(h.pattern, columns[c].name))
        request.series.push_back({short_name(columns[c].name), std::string(h.unit), rows[0],
                                  converted(rows[c], columns[c].unit, h.unit),
                                  std::string(h.panel)});
  }
  request.columns = 2;
}

}  // namespace

PlotRequest picture_of(const Columns& rows, const std::vector<Column>& columns,
                       const Picture& picture) {
  PlotRequest request{picture.title, "time", "s", {}};
  for (const auto& [x, y] : picture.pairs) request.planes.push_back(plane_of(rows, columns, x, y));
  if (picture.of_vehicle) add_highlights(rows, columns, request);
  if (!request.series.empty()) return request;
  for (std::size_t c = 1; c < columns.size(); ++c)
    request.series.push_back({columns[c].name, columns[c].unit, rows[0], rows[c]});
  return request;
}

}  // namespace chicane::cli
