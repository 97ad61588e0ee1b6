// SPDX-License-Identifier: Apache-2.0
#include "io/reader/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/reader/csv.hpp"
#include "io/reader/table.hpp"

namespace chicane {
namespace {

constexpr std::string_view kTables = "inputs.";  // what tables of inputs are called: inputs.NAME

const VariableSpec* find_formula(const Spec& spec, std::string_view name) {
  for (const BlockSpec& b : spec.blocks)
    for (const VariableSpec& v : b.auxiliaries)
      if (v.name == name) return &v;
  return nullptr;
}

std::vector<InputSpec>::iterator find_input(Spec& spec, std::string_view name) {
  return std::find_if(spec.inputs.begin(), spec.inputs.end(),
                      [&](const InputSpec& i) { return i.name == name; });
}

void refuse_input(const Spec& spec, std::string_view name, const Location& where,
                  Diagnostics& diag) {
  std::vector<std::string_view> known;
  for (const InputSpec& i : spec.inputs) known.push_back(i.name);
  if (const VariableSpec* formula = find_formula(spec, name))
    diag.error(where, "'{}' is no input any more: it is given at {}:{}", name,
               formula->value.where.file, formula->value.where.line);
  else if (known.empty())
    diag.error(where, "there is no input '{}' to drive: the model has no inputs", name);
  else
    diag.error(where, "there is no input '{}' to drive{}; inputs are {}", name,
               did_you_mean(name, known), fmt::join(known, ", "));
}

// Whether a column measures what the input does.
bool fits(const InputSpec& input, const CsvText& csv, std::size_t column, bool check_units,
          Diagnostics& diag) {
  const auto parsed = parse_quantity(input.value.text);
  const auto* is = std::get_if<Quantity>(&parsed);
  const Dimension& given = csv.columns()[column].conversion.dimension;
  if (!csv.columns()[column].has_unit || input.value.empty() || is == nullptr || !check_units ||
      is->dimension == given)
    return true;
  diag.error(csv.place(column, 1), "this column is {}, but the input '{}' is {}",
             quantity_name(given), input.name, quantity_name(is->dimension));
  return false;
}

bool is_time(const CsvText& csv, bool check_units, Diagnostics& diag) {
  const CsvText::Column& first = csv.columns().front();
  if (!check_units || !first.has_unit || first.conversion.dimension == dimensions::kTime)
    return true;
  diag.error(csv.place(0, 1), "the first column must have the times of the rows; this one is {}",
             quantity_name(first.conversion.dimension));
  return false;
}

// The block whose formulas are inputs from files.
BlockSpec& block_of_inputs(Spec& spec, const Location& where) {
  for (BlockSpec& b : spec.blocks)
    if (b.name == "inputs" && !b.native && b.states.empty() && b.memory.empty()) return b;
  std::string name = "inputs";
  for (int n = 2; std::any_of(spec.blocks.begin(), spec.blocks.end(),
                              [&](const BlockSpec& b) { return b.name == name; });
       ++n)
    name = fmt::format("inputs{}", n);
  BlockSpec block{.name = name,
                  .group = spec.blocks.empty() ? "main" : spec.blocks.front().group,
                  .where = where};
  // beside the others of its group
  const auto at = std::find_if(spec.blocks.begin(), spec.blocks.end(),
                               [&](const BlockSpec& b) { return b.group != block.group; });
  return *spec.blocks.insert(at, std::move(block));
}

// The columns have been looked at; the rows have not.
void drive(Spec& spec, const CsvText& csv, const std::string& input, std::size_t column,
           const InputFile& from, Diagnostics& diag) {
  const auto it = find_input(spec, input);
  if (it == spec.inputs.end()) return refuse_input(spec, input, csv.place(column, 1), diag);
  if (!fits(*it, csv, column, spec.check_units, diag)) return;
  auto rows = csv.read({0, column}, diag);
  if (!rows || !rises(csv, 0, (*rows)[0], diag)) return;
  if (it->value.empty()) it->value.text = "0 " + csv.columns()[column].unit;
  const auto axis = [&](std::size_t c, std::size_t k) {
    return TableSpec::AxisSpec{std::move((*rows)[k].numbers), csv.columns()[c].conversion.dimension,
                               csv.columns()[c].unit};
  };
  TableSpec table{.name = std::string(kTables) + input, .where = from.file.where};
  table.x = axis(0, 0);
  table.y = axis(column, 1);
  table.interpolation = from.interpolation;
  const Text formula{fmt::format("table({}, t)", table.name), from.file.where};
  spec.tables.push_back(std::move(table));
  drive_by_formula(spec, {input, formula}, block_of_inputs(spec, from.file.where), diag);
}

}  // namespace

void drive_by_formula(Spec& spec, const Assignment& a, BlockSpec& block, Diagnostics& diag) {
  const auto it = find_input(spec, a.target);
  if (it == spec.inputs.end()) return refuse_input(spec, a.target, a.value.where, diag);
  const auto parsed = parse_quantity(it->value.text);
  const auto* q = std::get_if<Quantity>(&parsed);
  block.auxiliaries.push_back(
      {a.target, a.value, {q ? q->unit : "", a.value.where}, it->description});
  spec.inputs.erase(it);
}

void drive_from_file(Spec& spec, const std::string& input, const InputFile& from, Diagnostics& diag,
                     const Loader& load) {
  const auto csv = open_csv(from.file, spec.check_units, diag, load);
  if (!csv || !is_time(*csv, spec.check_units, diag)) return;
  const Text name = from.column.empty() ? Text{input, from.file.where} : from.column;
  const auto column = csv->choose(name, diag);
  if (column && *column == 0)
    diag.error(name.where, "the first column of '{}' has the times", csv->path());
  else if (column)
    drive(spec, *csv, input, *column, from, diag);
}

void drive_all_from_file(Spec& spec, const InputFile& from, Diagnostics& diag, const Loader& load) {
  const auto csv = open_csv(from.file, spec.check_units, diag, load);
  if (!csv || !is_time(*csv, spec.check_units, diag)) return;
  if (csv->columns().size() < 2)
    diag.error({csv->path(), 1, ""}, "a column of times and one for each input are needed");
  for (std::size_t c = 1; c < csv->columns().size(); ++c)
    drive(spec, *csv, csv->columns()[c].name, c, from, diag);
  check_table_sizes(spec, diag);
}

void warn_of_missing_times(const Spec& spec, Diagnostics& diag) {
  const auto parsed = parse_quantity(spec.run.until.text);
  const auto* until = std::get_if<Quantity>(&parsed);
  for (const TableSpec& t : spec.tables) {
    if (!t.name.starts_with(kTables) || t.x.values.empty()) continue;
    const std::string_view input = std::string_view(t.name).substr(kTables.size());
    const double first = t.x.values.front(), last = t.x.values.back();
    if (first > 0)
      diag.warning(t.where,
                   "the rows of input '{}' begin at t = {:.9g} s: before it the first one "
                   "is held",
                   input, first);
    if (until != nullptr && until->value > last)
      diag.warning(t.where,
                   "the rows of input '{}' end at t = {:.9g} s: from then on the last one "
                   "is held",
                   input, last);
  }
}

}  // namespace chicane
