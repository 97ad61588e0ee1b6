#include "io/grammar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "system/expression/expression.hpp"

namespace chicane {
namespace {

constexpr std::string_view kDescription = "what it is, for people";

constexpr Key kModel[] = {
    {"format", Form::name, "", true, "version of the file format: chicane/1"},
    {"description", Form::text, "", false, "one line about the model"},
    {"provenance", Form::text, "", false, "where its equations and figures come from"},
    {"base", Form::name, "", false, "a built-in model or a file that this one starts from"},
    {"units", Form::choice, "SI|none", false,
     "none: all numbers are plain and no dimension is checked (default SI)"},
    {"run", Form::section, "run", false, "defaults of a run"},
    {"parameters", Form::entries, "parameter", false,
     "constants; with a base: new values of its own"},
    {"inputs", Form::entries, "input", false, "signals from outside, held over a step"},
    {"tables", Form::entries, "table", false, "look-up tables"},
    {"groups", Form::entries, "group", false, "rate groups and their equations"},
    {"auxiliaries", Form::entries, "variable", false, "of a model without groups"},
    {"states", Form::entries, "state", false, "of a model without groups"},
    {"memory", Form::entries, "memory", false, "of a model without groups"},
    {"outputs", Form::entries, "variable", false, "signals computed for output only"},
    {"events", Form::entries, "event", false, "conditions tested at full steps, and what they do"},
    {"initial", Form::assignments, "", false, "calculations before the run, in order"},
    {"terminal", Form::entries, "variable", false, "calculations after the run: its metrics"},
    {"methods", Form::entries, "method", false, "integration methods of the file's own"},
    {"tableaus", Form::entries, "tableaus", false, "pairs of tableaus of the file's own"},
    {"equations", Form::section, "equations", false,
     "equations added to this model or to its base"},
    {"replace", Form::assignments, "", false,
     "with a base: other types for its blocks; inputs, parameters and start values stay"},
};

constexpr Key kRun[] = {
    {"scheme", Form::choice,
     "single-rate|multiframe|pece-multirate|pece-multirate-parallel|prk|reference", false,
     "how groups are advanced"},
    {"method", Form::name, "", false, "integration method (chicane list methods), or a file"},
    {"step", Form::quantity, "", false, "frame of the slowest group"},
    {"until", Form::quantity, "", false, "end of the run"},
    {"every", Form::integer, "", false, "write every N-th frame; 0: half steps too"},
    {"ratio", Form::integer, "", false, "fast steps per frame (multirate schemes)"},
    {"interp", Form::name, "", false, "interpolator between groups (chicane list interpolators)"},
    {"interps", Form::assignments, "", false, "interpolators of single signals, by name"},
    {"groups", Form::entries, "run-group", false, "where a group differs: its method, its ratio"},
    {"order", Form::choice, "slow-first|fast-first", false, "who goes ahead in a multiframe"},
    {"iterations", Form::text, "", false, "of the pece schemes, e.g. inner=1,outer=2"},
    {"tableau", Form::name, "", false,
     "pair of tableaus for prk (chicane list tableaus), or a file"},
    {"threads", Form::integer, "", false, "threads for groups that do not depend on each other"},
    {"startup", Form::choice, "rk4|build-up", false, "first steps of a multistep method"},
    {"history", Form::choice, "keep|restart", false, "old derivatives after an event sets a state"},
    {"settle", Form::quantity, "", false, "time to settle before a stability search"},
    {"signals", Form::names, "", false, "patterns of what to write; default everything"},
    {"checkpoint", Form::quantity, "", false, "when to save the state"},
    {"resume", Form::text, "", false, "saved state to go on from"},
};

constexpr Key kRunGroup[] = {
    {"method", Form::name, "", false, "its integration method, or a file"},
    {"ratio", Form::integer, "", false, "its steps per frame of the slowest group"},
};

constexpr Key kParameter[] = {
    {"value", Form::quantity, "", true, "number with unit"},
    {"description", Form::text, "", false, kDescription},
};
constexpr Key kInput[] = {
    {"value", Form::quantity, "", true, "what it is while nobody drives it"},
    {"description", Form::text, "", false, kDescription},
};
constexpr Key kVariable[] = {
    {"value", Form::expression, "", true, "formula"},
    {"unit", Form::unit, "", false, "unit it is written in; default SI"},
    {"description", Form::text, "", false, kDescription},
};
constexpr Key kState[] = {
    {"der", Form::expression, "", true, "its rate"},
    {"initial", Form::expression, "", false, "start value, of parameters and constants; default 0"},
    {"unit", Form::unit, "", false, "its unit; default a plain number"},
    {"limit", Form::quantity, "", false, "size beyond which the run is stopped as diverged"},
    {"description", Form::text, "", false, kDescription},
};
constexpr Key kMemory[] = {
    {"next", Form::expression, "", true, "its next value, from present ones"},
    {"initial", Form::expression, "", false, "start value; default 0"},
    {"unit", Form::unit, "", false, "its unit; default a plain number"},
    {"sample", Form::quantity, "", false, "time between values; default every full step"},
    {"update", Form::choice, "full-step|every-evaluation", false, "when it advances"},
    {"description", Form::text, "", false, kDescription},
};
constexpr Key kTable[] = {
    {"x", Form::numbers, "", true, "rising breakpoints, the unit last"},
    {"y", Form::numbers, "", true, "values of a curve; second breakpoints of a map"},
    {"z", Form::matrix, "", false, "values of a map: one list per x, the unit last"},
    {"interpolation", Form::choice, "linear|monotone|spline", false, "default linear"},
    {"extrapolation", Form::choice, "hold|linear", false, "default hold"},
};
constexpr Key kGroup[] = {
    {"auxiliaries", Form::entries, "variable", false, "named intermediate results"},
    {"states", Form::entries, "state", false, "integrated variables"},
    {"memory", Form::entries, "memory", false, "discrete variables"},
    {"apply", Form::choice, "every-evaluation|full-step", false,
     "full-step: evaluated at full steps, held in between"},
    {"blocks", Form::entries, "block", false, "several blocks instead, each with such keys"},
};
constexpr Key kBlock[] = {
    {"type", Form::name, "", false,
     "a kind of block written in C++ (chicane list blocks); without it the block has equations"},
    {"inputs", Form::assignments, "", false, "with a type: what feeds each of its inputs"},
    {"parameters", Form::assignments, "", false,
     "with a type: quantities or formulas of the model's parameters; each has a default"},
    {"initial", Form::assignments, "", false, "with a type: start values of its states"},
    {"auxiliaries", Form::entries, "variable", false, "named intermediate results"},
    {"states", Form::entries, "state", false, "integrated variables"},
    {"memory", Form::entries, "memory", false, "discrete variables"},
    {"apply", Form::choice, "every-evaluation|full-step", false,
     "full-step: evaluated at full steps, held in between"},
};
constexpr Key kEquations[] = {
    {"group", Form::name, "", false, "rate group they belong to; default that of the first block"},
    {"apply", Form::choice, "every-evaluation|full-step", false,
     "full-step: evaluated at full steps, held in between"},
    {"parameters", Form::entries, "parameter", false, "new constants"},
    {"inputs", Form::entries, "input", false, "new signals from outside"},
    {"tables", Form::entries, "table", false, "new tables"},
    {"drives", Form::assignments, "", false, "inputs of the model that are now given by formulas"},
    {"auxiliaries", Form::entries, "variable", false, "named intermediate results"},
    {"states", Form::entries, "state", false, "integrated variables"},
    {"memory", Form::entries, "memory", false, "discrete variables"},
    {"outputs", Form::entries, "variable", false, "signals computed for output only"},
    {"events", Form::entries, "event", false, "conditions tested at full steps, and what they do"},
    {"initial", Form::assignments, "", false, "calculations before the run, in order"},
    {"terminal", Form::entries, "variable", false, "calculations after the run: its metrics"},
};
constexpr Key kEvent[] = {
    {"when", Form::expression, "", true, "condition on signals or on time t"},
    {"do", Form::actions, "action", true, "what happens, in order"},
    {"repeat", Form::choice, "once|each-time|every-step", false,
     "once; each time the condition becomes true; at every full step while it is true"},
    {"enabled", Form::flag, "", false, "false: waits until another event enables it"},
    {"group", Form::name, "", false, "at whose full steps it is tested; default the slowest"},
};
constexpr Key kAction[] = {
    {"set", Form::assignments, "", false,
     "parameters, states or memory, to formulas of the moment"},
    {"load", Form::text, "", false, "a settings file with a set: section"},
    {"write", Form::choice, "on|off", false, "output rows from here on, or none"},
    {"enable", Form::names, "", false, "events"},
    {"disable", Form::names, "", false, "events"},
    {"step", Form::quantity, "", false, "new step"},
    {"ratio", Form::integer, "", false, "new frame ratio"},
    {"method", Form::name, "", false, "new integration method"},
    {"stop", Form::text, "", false, "end the run, with this message"},
};
constexpr Key kSettings[] = {
    {"format", Form::name, "", true, "version of the file format: chicane/1"},
    {"set", Form::assignments, "", true, "parameters, states or memory, and their values"},
};
constexpr Key kMethodFile[] = {
    {"format", Form::name, "", true, "version of the file format: chicane/1"},
    {"name", Form::name, "", true, "what to call it"},
    {"order", Form::integer, "", true, "order of convergence; it is verified"},
    {"A", Form::rows, "", false, "rows of stage weights, strictly lower triangular"},
    {"b", Form::names, "", true, "weights of the stages"},
    {"c", Form::names, "", false, "abscissae; default the row sums"},
    {"H", Form::rows, "", false, "per stage: weights of old derivatives, newest first"},
    {"e", Form::names, "", false, "weights of old derivatives in the update, newest first"},
    {"source", Form::text, "", false, "where it comes from"},
    {"use", Form::text, "", false, "what it is good for"},
};
constexpr Key kPairFile[] = {
    {"format", Form::name, "", true, "version of the file format: chicane/1"},
    {"name", Form::name, "", true, "what to call it"},
    {"order", Form::integer, "", true, "order of convergence; it is verified"},
    {"slow", Form::section, "tableau", true, "for the slowest group; zero columns cost nothing"},
    {"fast", Form::section, "tableau", true, "for the others, with as many stages"},
    {"source", Form::text, "", false, "where it comes from"},
    {"use", Form::text, "", false, "what it is good for"},
};
constexpr Key kTableau[] = {
    {"A", Form::rows, "", true, "rows of stage weights, strictly lower triangular"},
    {"b", Form::names, "", true, "weights of the stages"},
    {"c", Form::names, "", false, "abscissae; default the row sums"},
};

constexpr std::array kSections = {
    Section{"model", "", kModel, "A model file."},
    Section{"run", "", kRun, "Defaults of a run; the command line overrides them."},
    Section{"parameter", "value", kParameter, "A constant. `w1: 35 rad/s` is short for `value:`."},
    Section{"input", "value", kInput, "A signal from outside."},
    Section{"variable", "value", kVariable,
            "A formula with a name. `e: r - x` is short for `value:`."},
    Section{"state", "", kState, "An integrated variable."},
    Section{"memory", "", kMemory,
            "A discrete variable: it takes its next value at the end of the step."},
    Section{"table", "", kTable, "A curve y(x) or a map z(x, y)."},
    Section{"group", "", kGroup, "A rate group: the equations that share a step."},
    Section{"block", "", kBlock, "A piece of a group that can be moved to another one."},
    Section{"equations", "", kEquations, "Equations added to any model."},
    Section{"event", "", kEvent, "Something that happens at a full step."},
    Section{"action", "", kAction, "What an event does: one key a list element, or several."},
    Section{"settings", "", kSettings, "A settings file, loaded by an event."},
    Section{"method", "", std::span(kMethodFile).subspan(2),
            "An explicit integration method; fractions such as 1/6 are exact."},
    Section{"method file", "", kMethodFile, "A file for --method."},
    Section{"run-group", "", kRunGroup, "What a run says of one group."},
    Section{"tableaus", "", std::span(kPairFile).subspan(2),
            "Two explicit Runge-Kutta tableaus for a partitioned method."},
    Section{"tableau", "", kTableau, "An explicit Runge-Kutta tableau."},
    Section{"tableau file", "", kPairFile, "A file for --tableau."},
};

}  // namespace

std::vector<std::string_view> choices_of(const Key& key) {
  std::vector<std::string_view> choices;
  std::string_view rest = key.of;
  for (std::size_t bar = rest.find('|'); bar != std::string_view::npos; bar = rest.find('|')) {
    choices.push_back(rest.substr(0, bar));
    rest.remove_prefix(bar + 1);
  }
  choices.push_back(rest);
  return choices;
}

std::span<const Section> grammar() { return kSections; }

const Section& section(std::string_view name) {
  return *std::find_if(kSections.begin(), kSections.end(),
                       [&](const Section& s) { return s.name == name; });
}

namespace {

using Json = nlohmann::ordered_json;

Json reference(std::string_view name) { return {{"$ref", fmt::format("#/$defs/{}", name)}}; }

Json schema_of(const Key& key) {
  Json scalar = {{"type", {"string", "number"}}};
  switch (key.form) {
    case Form::text:
    case Form::name:
    case Form::unit:
      return {{"type", "string"}};
    case Form::quantity:
    case Form::expression:
      return scalar;
    case Form::flag:
      return {{"type", "boolean"}};
    case Form::integer:
      return {{"type", "integer"}};
    case Form::choice:
      return {{"enum", choices_of(key)}};
    case Form::names:
      return {{"anyOf", {{{"type", "array"}, {"items", scalar}}, scalar}}};
    case Form::numbers:
      return {{"type", "array"}, {"items", scalar}};
    case Form::matrix:
    case Form::rows:
      return {{"type", "array"}};
    case Form::section:
      return reference(key.of);
    case Form::entries:
      return {{"type", "object"}, {"additionalProperties", reference(key.of)}};
    case Form::assignments:
      return {{"type", "object"}, {"additionalProperties", scalar}};
    case Form::actions:
      return {{"type", "array"}, {"items", reference(key.of)}};
  }
  return {};
}

Json schema_of(const Section& s) {
  Json properties = Json::object(), required = Json::array();
  for (const Key& key : s.keys) {
    Json property = schema_of(key);
    property["description"] = key.help;
    properties[std::string(key.name)] = property;
    if (key.required) required.push_back(key.name);
  }
  Json object = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) object["required"] = required;
  if (s.shorthand.empty()) {
    object["description"] = s.help;
    return object;
  }
  return {{"description", s.help}, {"anyOf", {object, {{"type", {"string", "number"}}}}}};
}

std::string_view form_name(const Key& key) {
  switch (key.form) {
    case Form::text:
      return "text";
    case Form::name:
      return "name";
    case Form::quantity:
      return "quantity";
    case Form::expression:
      return "expression";
    case Form::unit:
      return "unit";
    case Form::flag:
      return "true or false";
    case Form::integer:
      return "whole number";
    case Form::choice:
      return "choice";
    case Form::names:
      return "list";
    case Form::numbers:
      return "numbers";
    case Form::matrix:
    case Form::rows:
      return "list of lists";
    case Form::section:
      return "mapping";
    case Form::entries:
      return "named entries";
    case Form::assignments:
      return "name: expression";
    case Form::actions:
      return "list of actions";
  }
  return "";
}

}  // namespace

std::string json_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Chicane model file"}};
  schema.update(schema_of(section("model")));
  Json defs = Json::object();
  for (const Section& s : kSections)
    if (s.name != "model" && s.name != "settings" && s.name != "method file" &&
        s.name != "tableau file")
      defs[std::string(s.name)] = schema_of(s);
  schema["$defs"] = defs;
  return schema.dump(2) + "\n";
}

std::string grammar_markdown() {
  std::string page =
      "# Model files\n\n"
      "This page is written by `chicane schema --markdown`; `schema/chicane-1.json` is the same as "
      "a JSON\n"
      "Schema, for editors. Files are YAML. Keys that are not listed here are errors. Quantities "
      "carry their\n"
      "unit (`330 mm`); lists carry it as their last element (`[0, 10, 20, mm]`).\n";
  for (const Section& s : kSections) {
    page += fmt::format("\n## {}\n\n{}\n\n| key | form | meaning |\n| --- | --- | --- |\n", s.name,
                        s.help);
    for (const Key& key : s.keys) {
      std::string form{form_name(key)};
      if (key.form == Form::choice) {
        form = fmt::format("`{}`", fmt::join(choices_of(key), "`, `"));
      } else if (!key.of.empty()) {
        form += fmt::format(" ([{0}](#{1}))", key.of, key.of);
      }
      page += fmt::format("| `{}`{} | {} | {} |\n", key.name, key.required ? " (required)" : "",
                          form, key.help);
    }
  }
  page +=
      "\n## Functions\n\nIn expressions, loose to tight: `c ? a : b`, `or`, `and`, `not`, "
      "comparisons, `+ -`, "
      "`* /`, unary `-`, `^`.\nA literal may carry a unit in brackets, `300[mm]`. The number 0 "
      "fits every "
      "unit. `t` is time, `pi` is pi.\n\n| function | meaning |\n| --- | --- |\n";
  for (const FunctionInfo& f : function_list())
    page += fmt::format("| `{}({})` | {} |\n", f.name, f.arguments, f.meaning);
  return page;
}

}  // namespace chicane
