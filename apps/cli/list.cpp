// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/design/prk.hpp"
#include "analysis/stability.hpp"
#include "assembly/parts/registry.hpp"
#include "blocks/registry.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/wrap.hpp"
#include "integrators/method.hpp"
#include "integrators/multirate/interpolator.hpp"
#include "integrators/tableaus/pairs.hpp"
#include "io/builtin_models.hpp"
#include "io/grammar.hpp"
#include "io/reader/reader.hpp"

namespace chicane::cli {
namespace {

using Json = nlohmann::ordered_json;

int list_methods(bool json) {
  Json rows = Json::array();
  if (!json)
    fmt::print("{:<6} {:>5} {:>4} {:>4} {:>3} {:>5} {:>6} {:>6}  {}\n", "method", "order", "half",
               "real", "old", "evals", "real", "imag", "when to use");
  for (const MethodTable& t : method_tables()) {
    const Method& m = *find_method(t.name);
    const double real = real_limit(m), imaginary = imaginary_limit(m);
    if (json)
      rows.push_back({{"name", m.name},
                      {"alias", t.alias},
                      {"order", m.order},
                      {"half_step", m.half_step()},
                      {"real_time", m.real_time()},
                      {"old_steps", m.k.old},
                      {"evaluations", m.k.stages},
                      {"real_limit", real},
                      {"imaginary_limit", imaginary},
                      {"use", m.use},
                      {"source", m.source}});
    else
      print_with_words(
          fmt::format("{:<6} {:>5} {:>4} {:>4} {:>3} {:>5} {:>6.4g} {:>6.4g}", m.name, m.order,
                      m.half_step() ? "yes" : "no", m.real_time() ? "yes" : "no", m.k.old,
                      m.k.stages, real, imaginary),
          m.use);
  }
  if (json)
    print_json(Json{{"methods", rows}});
  else
    fmt::print("\n{}\n",
               wrapped("half: it has a half step. real: for real time, every stage's input is "
                       "at hand when it is needed. old: derivatives of earlier steps that "
                       "it uses. real, imag: stability limits of |lambda| h on the "
                       "negative real and the imaginary axis, per full step. A method of "
                       "your own: --method FILE.",
                       0, 0));
  return kOk;
}

int list_interpolators(bool json) {
  Json rows = Json::array();
  if (!json)
    fmt::print("{:<9} {:<26} {:>6}  {}\n", "name", "samples", "points", "order of the frame");
  for (const InterpolatorInfo& i : kInterpolators)
    if (json)
      rows.push_back(
          {{"name", i.name}, {"samples", i.samples}, {"points", i.points}, {"ahead", i.ahead}});
    else
      fmt::print("{:<9} {:<26} {:>6}  {}\n", i.name, i.samples, i.points,
                 i.ahead ? "slow-first" : "slow-first, fast-first");
  if (json)
    print_json(Json{{"interpolators", rows}});
  else
    fmt::print("\n{}\n",
               wrapped("A run has the least of the order of its methods and of the points of "
                       "its interpolators.",
                       0, 0));
  return kOk;
}

int list_tableaus(bool json) {
  Json rows = Json::array();
  if (!json)
    fmt::print("{:<8} {:>5} {:>5} {:>5} {:>6} {:>6} {:>6}  {}\n", "name", "order", "slow", "fast",
               "real", "imag", "equal", "when to use");
  for (const TableauPair& p : tableau_pairs()) {
    const auto evaluations = [](const Coefficients<double>& k) {
      const auto used = used_columns(k);
      return std::count(used.begin(), used.end(), true);
    };
    const double real = real_limit(p.fast), imaginary = imaginary_limit(p.fast);
    if (json)
      rows.push_back({{"name", p.name},
                      {"order", p.order},
                      {"stages", p.fast.stages},
                      {"slow_evaluations", evaluations(p.slow)},
                      {"fast_evaluations", evaluations(p.fast)},
                      {"real_limit", real},
                      {"imaginary_limit", imaginary},
                      {"consistent", is_consistent(p)},
                      {"error_constant", error_constant(p)},
                      {"use", p.use},
                      {"source", p.source}});
    else
      print_with_words(fmt::format("{:<8} {:>5} {:>5} {:>5} {:>6.4g} {:>6.4g} {:>6}", p.name,
                                   p.order, evaluations(p.slow), evaluations(p.fast), real,
                                   imaginary, is_consistent(p) ? "yes" : "no"),
                       p.use);
  }
  if (json)
    print_json(Json{{"tableaus", rows}});
  else
    fmt::print("\n{}\n",
               wrapped("slow, fast: evaluations. real, imag: stability limits of |lambda| h "
                       "of the fast part. equal: slow and fast stages stand at the same "
                       "times. More pairs: chicane design prk.",
                       0, 0));
  return kOk;
}

int list_files(std::span<const BuiltinModel> files, const char* kind, bool json) {
  Json rows = Json::array();
  for (const BuiltinModel& m : files) {
    Diagnostics diag;
    const std::string description = read_description(m.text, std::string(m.name) + ".yaml", diag);
    if (json)
      rows.push_back({{"name", m.name}, {"description", description}});
    else
      print_with_words(fmt::format("{:<22}", m.name), description);
  }
  if (json)
    print_json(Json{{kind, rows}});
  else if (files.empty())
    fmt::print("no {} are built in\n", kind);
  return kOk;
}

int list_blocks(bool json) {
  Json rows = Json::array();
  for (const std::string& name : block_registry().names()) {
    const BlockInfo info = block_registry().find(name)->info();
    const auto names = [](const auto& list) {
      std::vector<std::string> out;
      for (const auto& entry : list) out.push_back(entry.name);
      return out;
    };
    if (json)
      rows.push_back({{"name", name},
                      {"description", info.description},
                      {"inputs", names(info.inputs)},
                      {"outputs", names(info.outputs)},
                      {"states", names(info.states)},
                      {"parameters", names(info.parameters)}});
    else
      print_with_words(
          fmt::format("{:<26}", name),
          fmt::format("{}\ninputs {}", info.description, fmt::join(names(info.inputs), ", ")));
  }
  if (json) print_json(Json{{"blocks", rows}});
  return kOk;
}

// Types of the parts of a vehicle, section by section.
int list_parts(bool json) {
  Json rows = Json::array();
  for (const PartSection* section : part_registry().sections())
    for (const PartType& t : section->types())
      if (json)
        rows.push_back(
            {{"section", section->name()}, {"type", t.name}, {"description", t.description}});
      else
        fmt::print("{:<13} {:<13} {}\n", section->name(), t.name, t.description);
  if (json)
    print_json(Json{{"parts", rows}});
  else
    fmt::print("\nWhich keys each has: docs/reference/model-file.md, or `chicane schema`.\n");
  return kOk;
}

}  // namespace

int list(const std::string& what, bool json) {
  if (what == "methods") return list_methods(json);
  if (what == "interpolators") return list_interpolators(json);
  if (what == "tableaus") return list_tableaus(json);
  if (what == "blocks") return list_blocks(json);
  if (what == "parts") return list_parts(json);
  if (what == "manoeuvres") return list_files(builtin_manoeuvres(), "manoeuvres", json);
  return list_files(builtin_models(), "models", json);
}

int schema(bool markdown) {
  fmt::print("{}", markdown ? grammar_markdown() : json_schema());
  return kOk;
}

}  // namespace chicane::cli
