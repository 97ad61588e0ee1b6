// SPDX-License-Identifier: Apache-2.0
#include "io/reader/parts.hpp"

#include <filesystem>

#include "io/reader/include.hpp"
#include "io/reader/override.hpp"

namespace chicane {
namespace {

void set(Text& to, const Text& from) {
  if (!from.empty()) to = from;
}

RunGroupSpec& run_group(RunSpec& run, const std::string& name, const Location& where) {
  for (RunGroupSpec& g : run.groups)
    if (g.name == name) return g;
  return run.groups.emplace_back(RunGroupSpec{name, where, {}, {}});
}

void check_time(const Text& text, Diagnostics& diag) {
  const auto parsed = parse_quantity(text.text);
  if (const auto* error = std::get_if<UnitError>(&parsed))
    diag.error(text.where, "{}", error->message);
  else if (const Quantity& q = std::get<Quantity>(parsed); q.dimension != dimensions::kTime)
    diag.error(text.where, "this is a time, e.g. \"2 s\"; '{}' is {}", text.text,
               quantity_name(q.dimension));
}

}  // namespace

std::string beside(const std::string& file, const std::string& path) {
  const std::filesystem::path p(path);
  return p.is_absolute() ? path : (std::filesystem::path(file).parent_path() / p).string();
}

void check_format(const Fields& f, Diagnostics& diag) {
  const Text format = f.text("format");
  if (!format.empty() && format.text != "chicane/1")
    diag.error(format.where, "this program reads format 'chicane/1', not '{}'", format.text);
}

std::optional<Fields> read_part(const Text& name, std::string_view grammar, std::string_view what,
                                Diagnostics& diag, const Loader& load) {
  const std::string path = beside(name.where.file, name.text);
  const auto text = load ? load(path) : std::nullopt;
  if (!text) {
    diag.error(name.where, "cannot read the {} '{}'; paths start at this file", what, path);
    return std::nullopt;
  }
  if (!is_of_chicane(*text, name.where, path, diag)) return std::nullopt;
  const auto root = parse_yaml(*text, path, diag);
  if (!root) return std::nullopt;
  std::optional<Fields> f(std::in_place, *root, section(grammar), diag);
  check_format(*f, diag);
  return f;
}

std::vector<Text> words(const Cursor* c, Diagnostics& diag) {
  if (c == nullptr) return {};
  if (c->is_scalar()) return {c->text()};
  std::vector<Text> list;
  for (const Cursor& e : c->elements()) {
    if (e.is_scalar())
      list.push_back(e.text());
    else
      diag.error(e.where(), "a single word is needed here");
  }
  return list;
}

void assignments(const Cursor& c, std::vector<Assignment>& out, Diagnostics& diag) {
  for (const auto& [name, value] : c.entries(diag)) {
    if (value.is_scalar())
      out.push_back({name, as_expression(value.text())});
    else
      diag.error(value.where(), "a formula or a quantity is needed here");
  }
}

void read_run(const Fields& f, RunSpec& r, Diagnostics& diag) {
  set(r.scheme, f.text("scheme"));
  set(r.method, f.text("method"));
  set(r.step, f.text("step"));
  set(r.until, f.text("until"));
  set(r.every, f.text("every"));
  set(r.ratio, f.text("ratio"));
  set(r.interp, f.text("interp"));
  set(r.startup, f.text("startup"));
  set(r.history, f.text("history"));
  set(r.settle, f.text("settle"));
  set(r.order, f.text("order"));
  set(r.iterations, f.text("iterations"));
  set(r.tableau, f.text("tableau"));
  set(r.threads, f.text("threads"));
  if (const Cursor* groups = f.find("groups"))
    for (const auto& [name, entry] : groups->entries(diag)) {
      const Fields g(entry, section("run-group"), diag);
      RunGroupSpec& group = run_group(r, name, g.where());
      set(group.method, g.text("method"));
      set(group.ratio, g.text("ratio"));
    }
  if (const Cursor* interps = f.find("interps")) assignments(*interps, r.interps, diag);
  set(r.checkpoint, f.text("checkpoint"));
  set(r.resume, f.text("resume"));
  if (!r.resume.empty() && f.find("resume") != nullptr)
    r.resume.text = beside(r.resume.where.file, r.resume.text);
  if (const Cursor* signals = f.find("signals")) r.signals = words(signals, diag);
  if (const Text settle = f.text("settle"); !settle.empty()) check_time(settle, diag);
}

}  // namespace chicane
