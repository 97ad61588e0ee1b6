// SPDX-License-Identifier: Apache-2.0
#include "io/reader/data.hpp"

#include <fmt/format.h>

#include <functional>

namespace chicane {
namespace {

void each_value(DataSpec& data, const std::string& path,
                const std::function<void(const std::string&, DataSpec&)>& visit) {
  if (data.kind != DataSpec::Kind::mapping) return visit(path, data);
  for (auto& [name, value] : data.entries)
    each_value(value, path.empty() ? name : fmt::format("{}.{}", path, name), visit);
}

bool changes_type(const DataSpec& into, const DataSpec& from) {
  const DataSpec *was = into.find("type"), *is = from.find("type");
  return is != nullptr && (was == nullptr || was->text.text != is->text.text);
}

}  // namespace

DataSpec read_data(const Cursor& at, Diagnostics& diag) {
  using Kind = DataSpec::Kind;
  if (at.is_list()) {
    DataSpec data{.kind = Kind::list, .text = {"", at.where()}};
    for (const Cursor& e : at.elements()) data.list.push_back(read_data(e, diag));
    return data;
  }
  if (!at.is_map()) {
    if (at.text().empty())
      diag.error(at.where(), "this has no value: give it one, or remove the key");
    return {.kind = Kind::text, .text = at.text()};
  }
  DataSpec data{.kind = Kind::mapping, .text = {"", at.where()}};
  for (const auto& [name, entry] : at.entries(diag))
    data.entries.emplace_back(name, read_data(entry, diag));
  return data;
}

void merge(DataSpec& into, DataSpec from) {
  if (into.kind != DataSpec::Kind::mapping || from.kind != DataSpec::Kind::mapping ||
      changes_type(into, from)) {
    into = std::move(from);
    return;
  }
  into.text.where = from.text.where;  // whoever spoke last is told what is wrong
  for (auto& [name, value] : from.entries) {
    if (DataSpec* old = into.find(name))
      merge(*old, std::move(value));
    else
      into.entries.emplace_back(name, std::move(value));
  }
}

DataSpec* find_value(DataSpec& data, std::string_view path, std::vector<std::string>* known) {
  DataSpec* found = nullptr;
  each_value(data, "", [&](const std::string& name, DataSpec& value) {
    if (known != nullptr) known->push_back(name);
    if (name == path) found = &value;
  });
  return found;
}

bool add_value(DataSpec& data, std::string_view path, const DataSpec& value) {
  const std::size_t dot = path.find('.');
  if (dot == path.npos) return false;
  DataSpec* at = data.find(path.substr(0, dot));
  for (path.remove_prefix(dot + 1); at != nullptr && at->kind == DataSpec::Kind::mapping;) {
    const std::size_t end = path.find('.');
    const std::string_view key = path.substr(0, end);
    DataSpec* next = at->find(key);
    if (end == path.npos) {
      if (next != nullptr) return false;  // a section, as a value it would have been found
      at->entries.emplace_back(key, value);
      return true;
    }
    if (next == nullptr) {
      at->entries.emplace_back(
          key, DataSpec{.kind = DataSpec::Kind::mapping, .text = {"", value.text.where}});
      next = &at->entries.back().second;
    }
    at = next;
    path.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace chicane
