// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/reading.hpp"

#include <algorithm>
#include <numeric>

namespace chicane {
namespace {

// An empty mapping where the section, or else the parent, stands.
DataSpec nothing(Keys& parent, std::string_view key) {
  const DataSpec* data = parent.find(key);
  if (data != nullptr && data->kind != DataSpec::Kind::mapping)
    parent.diagnostics().error(data->text.where, "'{}' needs keys of its own: {}: {{...}}", key,
                               key);
  DataSpec none{.kind = DataSpec::Kind::mapping, .text = {}};
  none.text.where = data == nullptr ? parent.where() : data->text.where;
  return none;
}

// The section's own data, or that.
const DataSpec& data_of(Keys& parent, std::string_view key, const DataSpec& otherwise) {
  const DataSpec* data = parent.find(key);
  return data != nullptr && data->kind == DataSpec::Kind::mapping ? *data : otherwise;
}

}  // namespace

std::vector<PortInfo> wheel_ports(std::string_view prefix, std::string_view unit,
                                  std::string_view description,
                                  std::span<const std::string> wheels) {
  std::vector<PortInfo> list;
  for (const std::string_view wheel : wheels)
    list.push_back({fmt::format("{}_{}", prefix, wheel), std::string(unit),
                    fmt::format("{}, {}", description, wheel)});
  return list;
}

std::vector<int> ports(int first, int count) {
  std::vector<int> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), first);
  return list;
}

Section::Section(Keys& parent, std::string_view key, std::string owner, std::string prefix)
    : given_(parent.find(key) != nullptr),
      none_(nothing(parent, key)),
      keys_(data_of(parent, key, none_), parent.numbers(), parent.diagnostics()),
      owner_(std::move(owner)),
      prefix_(std::move(prefix)) {}

namespace {

std::array<Field, 4> friction_fields(const FrictionDefaults& d) {
  using Bound = Field::Bound;
  return {Field{"way", d.unit, "way from rest to full force", Bound::positive, d.s},
          Field{"elastic", "-", "share of the force below which nothing slides", Bound::below_one,
                d.zeta_e},
          Field{"damping", "s", "damping time of the bristles", Bound::not_negative, d.tau},
          Field{"answer", "s", "shortest time in which sliding bristles answer",
                Bound::not_negative, d.t_r}};
}

}  // namespace

KeyTable friction_table(std::string_view name, const FrictionDefaults& d) {
  KeyTable table{name, "", {}, "Dry friction, as bristles that bend and slide."};
  add_rows(table, friction_fields(d));
  return table;
}

void read_friction(Keys& parent, const std::string& prefix, const FrictionDefaults& d,
                   std::vector<NativeParameter>& into) {
  Section friction(parent, "friction", "friction", prefix + "friction.");
  friction.read(friction_fields(d), into);
  friction.refuse_others();
}

std::vector<Key> rows_of(std::span<const Field> fields, std::string_view when) {
  KeyTable table;
  add_rows(table, fields, when);
  return std::move(table.keys);
}

std::vector<Key> joined(std::vector<Key> first, const std::vector<Key>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

std::optional<std::size_t> read_word(Keys& keys, std::string_view key,
                                     const std::vector<std::string_view>& words,
                                     std::string_view owner, bool required) {
  keys.expect_words(key, words);
  const DataSpec* data = required ? keys.require(key, owner) : keys.find(key);
  if (data == nullptr) return required ? std::nullopt : std::optional<std::size_t>(0);
  const auto at = std::find(words.begin(), words.end(), data->text.text);
  if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
  keys.diagnostics().error(data->text.where, "'{}' of {} cannot be '{}'{}: it is one of {}", key,
                           owner, data->text.text, did_you_mean(data->text.text, words),
                           fmt::join(words, ", "));
  return std::nullopt;
}

bool is_curve(const DataSpec& data, const Spec& spec) {
  if (data.kind != DataSpec::Kind::text) return true;
  return std::any_of(spec.tables.begin(), spec.tables.end(),
                     [&](const TableSpec& t) { return t.name == data.text.text; });
}

std::optional<CurveData> read_number_or_curve(Keys& keys, std::string_view key, const Dimension& x,
                                              const Dimension& y, std::string_view owner,
                                              bool required) {
  keys.expect(key, {Form::signal}, {x, y});
  const DataSpec* data = required ? keys.require(key, owner) : keys.find(key);
  if (data == nullptr) return std::nullopt;
  if (is_curve(*data, keys.numbers().spec())) return read_curve(keys, key, x, y, owner, required);
  return CurveData{{0.0}, {keys.numbers().number(*data, y)}};
}

}  // namespace chicane
