// SPDX-License-Identifier: Apache-2.0
#include "io/reader/event.hpp"

#include "io/reader/parts.hpp"

namespace chicane {
namespace {

void read_settings(ActionSpec& action, Diagnostics& diag, const Loader& load) {
  const Text file{action.value.text, action.where};
  action.value = {};
  const auto f = read_part(file, "settings", "settings file", diag, load);
  const Cursor* set = f ? f->find("set") : nullptr;
  if (set != nullptr) assignments(*set, action.assignments, diag);
}

void read_actions(const Cursor& at, std::vector<ActionSpec>& out, Diagnostics& diag,
                  const Loader& load) {
  const Fields f(at, section("action"), diag);
  const std::size_t before = out.size();
  using Kind = ActionSpec::Kind;
  const auto add = [&](std::string_view key, Kind kind) -> ActionSpec* {
    const Cursor* c = f.find(key);
    if (c == nullptr) return nullptr;
    out.push_back({.kind = kind, .where = c->where()});
    if (c->is_scalar()) out.back().value = c->text();
    return &out.back();
  };
  if (ActionSpec* a = add("set", Kind::set)) assignments(*f.find("set"), a->assignments, diag);
  if (ActionSpec* a = add("load", Kind::set)) read_settings(*a, diag, load);
  if (ActionSpec* a = add("write", Kind::write)) a->on = a->value.text == "on";
  for (const auto& [key, kind] : {std::pair{"enable", Kind::enable}, {"disable", Kind::disable}})
    if (ActionSpec* a = add(key, kind))
      for (const Text& word : words(f.find(key), diag)) a->events.push_back(word.text);
  add("step", Kind::step);
  add("ratio", Kind::ratio);
  add("method", Kind::method);
  add("stop", Kind::stop);
  if (out.size() == before && at.is_map() && diag.ok())
    diag.error(at.where(), "this action does nothing; write e.g. 'stop: message' or remove it");
}

}  // namespace

EventSpec read_event(const std::string& name, const Fields& f, Diagnostics& diag,
                     const Loader& load) {
  EventSpec e;
  e.name = name;
  e.when = f.text("when");
  if (e.when.empty()) e.when.where = f.where();
  e.group = f.text("group").text;
  e.enabled = f.text("enabled").text != "false";
  const auto repeat = f.text("repeat").text;
  e.repeat = repeat == "each-time"    ? Repeat::each_time
             : repeat == "every-step" ? Repeat::every_step
                                      : Repeat::once;
  if (const Cursor* actions = f.find("do"))
    for (const Cursor& a : actions->elements()) read_actions(a, e.actions, diag, load);
  return e;
}

}  // namespace chicane
