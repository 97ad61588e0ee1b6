// SPDX-License-Identifier: Apache-2.0
#include "io/reader/metric.hpp"

#include "io/reader/override.hpp"

namespace chicane {
namespace {

// The one key that says what is made of which formula.
void read_reduction(MetricSpec& m, const Fields& f, Diagnostics& diag) {
  std::string_view found;
  std::vector<std::string_view> known;
  for (const auto& [name, reduction] : kReductions) {
    known.push_back(name);
    if (f.find(name) == nullptr) continue;
    if (!found.empty())
      diag.error(f.find(name)->where(),
                 "a metric is either '{}' or '{}'; write two metrics, each with a name of its own",
                 found, name);
    found = name;
    m.reduction = reduction;
    m.value = f.text(name);
  }
  if (found.empty() && diag.ok())
    diag.error(m.where, "this metric says nothing of a signal: it needs one of {}",
               fmt::join(known, ", "));
}

}  // namespace

MetricSpec read_metric(const std::string& name, const Fields& f, Diagnostics& diag) {
  MetricSpec m;
  m.name = name;
  m.where = f.where();
  read_reduction(m, f, diag);
  const auto time_or_level = [&](std::string_view key, bool fits, std::string_view belongs) {
    const Cursor* c = f.find(key);
    if (c != nullptr && !fits) diag.error(c->where(), "'{}' {}", key, belongs);
    return as_expression(f.text(key));
  };
  const bool at = m.reduction == Reduction::value_at, crosses = m.reduction == Reduction::crosses;
  m.from = time_or_level("from", !at, "means nothing to value_at, which has 'at'");
  m.until = time_or_level("until", !at, "means nothing to value_at, which has 'at'");
  m.level = time_or_level("level", crosses, "belongs to crosses");
  m.at = time_or_level("at", at, "belongs to value_at");
  const Text direction = time_or_level("direction", crosses, "belongs to crosses");
  m.crossing = direction.text == "rising"    ? Crossing::rising
               : direction.text == "falling" ? Crossing::falling
                                             : Crossing::any;
  if (crosses && m.level.empty())
    diag.error(m.where, "crosses needs the level that is crossed, e.g. 'level: 0'");
  if (at && m.at.empty()) diag.error(m.where, "value_at needs a time, e.g. 'at: 2 s'");
  m.unit = f.text("unit");
  m.description = f.text("description").text;
  return m;
}

}  // namespace chicane
