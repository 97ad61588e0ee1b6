// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "assembly/assemble.hpp"
#include "blocks/mechanism/block.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/say.hpp"
#include "cli/shared.hpp"
#include "cli/wrap.hpp"
#include "io/reader/settable.hpp"
#include "multibody/closure/start.hpp"
#include "session/load.hpp"
#include "simulation/model.hpp"
#include "simulation/plan.hpp"

namespace chicane::cli {
namespace {

using Json = nlohmann::ordered_json;

// from -> to: signals
std::map<std::pair<std::string, std::string>, std::vector<std::string>> wires(
    const ModelStructure& s) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> out;
  for (const BlockPlace& b : s.blocks)
    for (const std::string& name : b.reads)
      out[{s.blocks[s.signals[s.find_signal(name)].block].name, b.name}].push_back(name);
  return out;
}

const char* kind_name(SignalInfo::Kind kind) {
  switch (kind) {
    case SignalInfo::Kind::state:
      return "ODE state";
    case SignalInfo::Kind::memory:
      return "memory";
    case SignalInfo::Kind::input:
      return "input";
    case SignalInfo::Kind::auxiliary:
      return "auxiliary";
    case SignalInfo::Kind::output:
      return "output";
  }
  return "";
}

std::string_view name_of(Reduction reduction) {
  for (const auto& [name, kind] : kReductions)
    if (kind == reduction) return name;
  return "";
}

std::optional<double> initial_of(const ModelStructure& s, const State<double>& state,
                                 const SignalInfo& signal) {
  for (const StateInfo& x : s.states)
    if (x.name == signal.name)
      return signal.conversion.from_si(state.groups[x.group].x[static_cast<std::size_t>(x.place)]);
  for (int i = 0; i < s.memory.size(); ++i)
    if (s.memory[MemoryIndex{i}].name == signal.name)
      return signal.conversion.from_si(state.memory[MemoryIndex{i}].value);
  for (const InputInfo& i : s.inputs)
    if (i.name == signal.name) return signal.conversion.from_si(i.value);
  return std::nullopt;
}

// The column of the names of a list, [characters].
template <class List>
std::size_t widest_name(const List& list) {
  std::size_t most = 16;
  for (const auto& entry : list) most = std::max(most, entry.name.size());
  return most;
}

std::string with_unit(const ParameterInfo& p, const State<double>& state) {
  const auto unit = parse_unit(p.unit);
  const auto* known = std::get_if<Unit>(&unit);
  const double si = state.constants[p.slot];
  return fmt::format("{:.6g} {}", known != nullptr ? known->from_si(si) : si, p.unit);
}

// --- what is asked for ------------------------------------------------------------------------

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Whether the text stands in one of these, whatever its case.
bool found(const std::string& text, const std::string& name, const std::string& meaning) {
  const auto in = [&](const std::string& whole) {
    return std::search(whole.begin(), whole.end(), text.begin(), text.end(),
                       [](char a, char b) { return lower(a) == lower(b); }) != whole.end();
  };
  return text.empty() || in(name) || in(meaning);
}

constexpr std::size_t kLongest = 30;  // [rows] of a list that is shown without --all

void print_signals(const ModelStructure& s, const State<double>& state, const std::string& find) {
  const std::size_t widest = widest_name(s.signals);
  for (const SignalInfo& signal : s.signals) {
    if (!found(find, signal.name, signal.description)) continue;
    const auto start = initial_of(s, state, signal);
    print_with_words(
        fmt::format("  {:<{}} {:<7} {:<9} {:>11}", signal.name, widest, signal.unit,
                    kind_name(signal.kind), start ? fmt::format("{:.6g}", *start) : ""),
        signal.description);
  }
}

// Values as the run will have them: a parameter may be a formula, or have been set.
std::vector<Settable> settings(const ModelStructure& s, const State<double>& state,
                               const Spec& spec, const std::string& find) {
  std::vector<Settable> list = settable(spec);
  std::erase_if(list, [&](const Settable& e) { return !found(find, e.name, e.description); });
  for (Settable& e : list)
    for (const ParameterInfo& info : s.parameters)
      if (info.name == e.name) e.value = with_unit(info, state);
  return list;
}

void print_settings(const std::vector<Settable>& list) {
  const std::size_t widest = widest_name(list);
  for (const Settable& e : list)
    print_with_words(fmt::format("  {:<{}} {:<16}", e.name, widest, e.value), e.description);
}

// Only what has the text in its name or meaning.
int print_found(const ModelStructure& s, const State<double>& state, const Spec& spec,
                const std::string& find) {
  const auto list = settings(s, state, spec, find);
  const bool signals = std::any_of(s.signals.begin(), s.signals.end(), [&](const SignalInfo& i) {
    return found(find, i.name, i.description);
  });
  if (signals) fmt::print("signals\n");
  print_signals(s, state, find);
  if (!list.empty()) fmt::print("{}what --set takes\n", signals ? "\n" : "");
  print_settings(list);
  if (signals || !list.empty()) return kOk;
  say("nothing in {} has '{}' in its name or meaning\n", spec.name, find);
  return kBadInput;
}

void print_text(const ModelStructure& s, const State<double>& state, const Spec& spec, bool all) {
  const auto is_long = [&](std::size_t rows) { return rows > kLongest && !all; };
  fmt::print("\nrun: scheme {}, method {}, step {}, until {}\n", spec.run.scheme.text,
             spec.run.method.text, spec.run.step.text, spec.run.until.text);
  fmt::print("\nblocks and groups\n");
  for (const BlockPlace& b : s.blocks) {
    int states = 0, memory = 0;
    for (const StateInfo& x : s.states) states += s.blocks[x.block].name == b.name;
    for (const MemoryInfo& m : s.memory) memory += s.blocks[m.block].name == b.name;
    fmt::print("  {:<14} group {:<10} {} ODE states, {} memory\n", b.name, b.label, states, memory);
  }
  const auto signals = static_cast<std::size_t>(s.signals.size());
  const bool many_signals = is_long(signals);
  if (!many_signals) {
    fmt::print("\nwiring\n");
    for (const auto& [ends, names] : wires(s))
      fmt::print(
          "  {:>14} {}\n", ends.first,
          wrapped(fmt::format("--[ {} ]--> {}", fmt::join(names, ", "), ends.second), 17, 21));
    if (wires(s).empty()) fmt::print("  (one block, nothing to connect)\n");
    fmt::print("\nsignals\n");
    print_signals(s, state, "");
  }
  const auto list = settings(s, state, spec, "");
  const bool many_settings = is_long(list.size());
  if (!many_settings) {
    fmt::print("\nwhat --set takes\n");
    print_settings(list);
  }
  if (many_signals || many_settings)
    fmt::print(
        "\n{} signals, {} values that --set takes\n"
        "  --find TEXT  those with TEXT in their name or meaning, e.g. --find mass\n"
        "  --all        all of them, and the wiring\n",
        signals, list.size());
  if (s.events.size() > 0) fmt::print("\nevents\n");
  for (const EventSpec& e : spec.events) fmt::print("  {:<16} when {}\n", e.name, e.when.text);
  if (!spec.metrics.empty()) fmt::print("\nmetrics\n");
  for (std::size_t i = 0; i < spec.metrics.size(); ++i)
    print_with_words(
        fmt::format("  {:<16} {:<9} {}: {}", spec.metrics[i].name, s.summary.metrics[i].unit,
                    name_of(spec.metrics[i].reduction), spec.metrics[i].value.text),
        spec.metrics[i].description);
}

void describe_json(const ModelStructure& s, const State<double>& state, const Spec& spec,
                   const std::string& find, Json& j) {
  j["run"] = {{"scheme", spec.run.scheme.text},
              {"method", spec.run.method.text},
              {"step", spec.run.step.text},
              {"until", spec.run.until.text}};
  j["blocks"] = j["wiring"] = j["signals"] = j["parameters"] = j["events"] = Json::array();
  for (const BlockPlace& b : s.blocks)
    j["blocks"].push_back({{"name", b.name}, {"group", b.label}});
  for (const auto& [ends, names] : wires(s))
    j["wiring"].push_back({{"from", ends.first}, {"to", ends.second}, {"signals", names}});
  for (const SignalInfo& signal : s.signals) {
    if (!found(find, signal.name, signal.description)) continue;
    Json row = {{"name", signal.name},
                {"kind", kind_name(signal.kind)},
                {"unit", signal.unit},
                {"description", signal.description}};
    if (signal.block.valid()) row["block"] = s.blocks[signal.block].name;
    if (const auto start = initial_of(s, state, signal)) row["initial"] = *start;
    j["signals"].push_back(row);
  }
  auto words = parameter_descriptions(spec);
  for (const ParameterInfo& p : s.parameters)
    if (found(find, p.name, words[p.name]))
      j["parameters"].push_back({{"name", p.name},
                                 {"value", state.constants[p.slot]},
                                 {"unit", to_string(p.dimension)},
                                 {"description", words[p.name]}});
  j["settable"] = Json::array();
  for (const Settable& e : settings(s, state, spec, find))
    j["settable"].push_back({{"name", e.name}, {"value", e.value}, {"description", e.description}});
  for (const EventSpec& e : spec.events)
    j["events"].push_back({{"name", e.name}, {"when", e.when.text}});
  j["metrics"] = Json::array();
  for (std::size_t i = 0; i < spec.metrics.size(); ++i)
    j["metrics"].push_back({{"name", spec.metrics[i].name},
                            {"kind", name_of(spec.metrics[i].reduction)},
                            {"of", spec.metrics[i].value.text},
                            {"unit", s.summary.metrics[i].unit},
                            {"description", spec.metrics[i].description}});
}

// --- mechanisms -------------------------------------------------------------------------------

std::string_view type_of(const Spec& spec, const std::string& force) {
  for (const ForceSpec& f : spec.mechanism->forces)
    if (f.name == force) return f.type.text;
  return "";
}

std::string on(const ForceSpec& f) {
  if (!f.joint.empty()) return "joint " + f.joint.text;
  std::vector<std::string> names;
  for (const Text& t : f.connects) names.push_back(t.text);
  return fmt::format("{}", fmt::join(names, " - "));
}

// Where a joint starts: what is asked of it, and what it has.
struct JointStart {
  const multibody::JointDescription* joint = nullptr;
  multibody::JointValues used;
};

std::vector<JointStart> joint_starts(const multibody::Mechanism& m,
                                     const multibody::Description& d) {
  std::vector<double> q = m.q, v = m.v;
  std::vector<multibody::Drive<double>> drives;
  for (const std::string& name : m.drives)
    for (const multibody::JointDescription& j : d.joints)
      if (j.name == name)
        drives.push_back({j.initial.empty() ? 0.0 : j.initial[0],
                          j.initial_rate.empty() ? 0.0 : j.initial_rate[0], 0.0});
  multibody::Workspace<double> ws(m);
  std::vector<JointStart> list;
  if (multibody::kinematics<double>(m, m.choice, q, v, drives, ws) != Status::ok) return list;
  for (std::size_t i = 0; i < d.joints.size(); ++i)
    if (auto used = values_of(m, multibody::JointIndex{static_cast<int>(i)}, ws); !used.q.empty())
      list.push_back({&d.joints[i], std::move(used)});
  return list;
}

void print_starts(const std::vector<JointStart>& starts, bool all) {
  const auto text = [](const std::vector<double>& asked, const std::vector<double>& used) {
    const std::string want = asked.empty() ? "free" : fmt::format("{:.6g}", fmt::join(asked, ", "));
    return fmt::format("{} -> {:.6g}", want, fmt::join(used, ", "));
  };
  std::string lines;
  for (const auto& [joint, used] : starts) {
    if (!all && joint->initial.empty() && joint->initial_rate.empty()) continue;
    lines += fmt::format("  {:<16} {:<34} {}\n", joint->name, text(joint->initial, used.q),
                         text(joint->initial_rate, used.v));
  }
  if (!lines.empty())
    fmt::print("\nstart of joints    coordinates, asked -> used [rad], [m]  rates\n{}", lines);
}

Json starts_json(const std::vector<JointStart>& starts) {
  Json list = Json::array();
  const auto pair = [](const std::vector<double>& asked, const std::vector<double>& used) {
    return Json{{"asked", asked.empty() ? Json() : Json(asked)}, {"used", used}};
  };
  for (const auto& [joint, used] : starts)
    list.push_back({{"joint", joint->name},
                    {"coordinates", pair(joint->initial, used.q)},
                    {"rates", pair(joint->initial_rate, used.v)}});
  return list;
}

void print_mechanism(const Spec& spec, const multibody::Description& d) {
  fmt::print("\ngravity ({}, {}, {}) m/s^2\n", d.gravity.x, d.gravity.y, d.gravity.z);
  fmt::print("\nbodies               mass [kg]  centre of mass [m]\n");
  for (const multibody::BodyDescription& b : d.bodies)
    fmt::print("  {:<16} {:>11.6g}  ({:.6g}, {:.6g}, {:.6g})\n", b.name, b.mass, b.com.x, b.com.y,
               b.com.z);
  fmt::print("\njoints\n");
  for (const multibody::JointDescription& j : d.joints)
    fmt::print("  {:<16} {:<24} {} - {}{}\n", j.name, multibody::to_string(j.kind), j.connects[0],
               j.connects[1], j.driven ? ", driven" : "");
  if (!spec.mechanism->forces.empty()) fmt::print("\nforces\n");
  for (const ForceSpec& f : spec.mechanism->forces)
    fmt::print("  {:<16} {:<24} {}\n", f.name, f.type.text, on(f));
}

void describe_mechanism_json(const Spec& spec, const multibody::Description& d, Json& j) {
  j["gravity"] = {d.gravity.x, d.gravity.y, d.gravity.z};
  j["bodies"] = j["joints"] = j["forces"] = Json::array();
  for (const multibody::BodyDescription& b : d.bodies)
    j["bodies"].push_back(
        {{"name", b.name}, {"mass", b.mass}, {"com", {b.com.x, b.com.y, b.com.z}}});
  for (const multibody::JointDescription& k : d.joints)
    j["joints"].push_back({{"name", k.name},
                           {"type", multibody::to_string(k.kind)},
                           {"connects", k.connects},
                           {"driven", k.driven}});
  for (const multibody::ForceDescription& f : d.forces)
    j["forces"].push_back({{"name", f.name}, {"type", type_of(spec, f.name)}});
}

}  // namespace

int describe(const DescribeOptions& what) {
  const RunOptions& options = what.base;
  Diagnostics diag;
  auto spec = load(options, diag);
  const auto apart = spec ? compile_for_run(*spec, diag) : nullptr;
  if (!apart || !plan_run(*spec, *apart, diag)) return refuse(diag, options.json);
  const auto& made = *apart->blueprint;
  const auto structure = made.compile(Partition::together(made.spec()), diag);
  if (!structure) return refuse(diag, options.json);
  const auto state = Model<double>(structure).initial_state();
  std::optional<multibody::Description> mechanism;
  std::vector<JointStart> starts;
  if (has_mechanism(*spec)) {
    spec->assembled = structure->blueprint->spec().assembled;  // nothing is made twice
    mechanism = describe_mechanism(*spec, diag);
    const auto m = mechanism ? compile_mechanism(*spec, diag) : nullptr;
    // What is asked of the joints of a vehicle that settles is only where its search begins.
    if (m && !structure->start) starts = joint_starts(*m, *mechanism);
    spec = with_native_blocks(*spec, diag);
  }
  if (!spec) return refuse(diag, options.json);
  const bool drawn = mechanism && !spec->vehicle;
  if (options.json) {
    Json j = {{"model", spec->name},
              {"description", spec->description},
              {"provenance", spec->provenance}};
    if (drawn) describe_mechanism_json(*spec, *mechanism, j);
    if (mechanism) j["start"] = starts_json(starts);
    if (spec->vehicle) j["settled"] = structure->start.has_value();
    describe_json(*structure, state, *spec, what.find, j);
    print_json(j);
    return kOk;
  }
  if (!what.find.empty()) return print_found(*structure, state, *spec, what.find);
  fmt::print("{}\n", wrapped(spec->name + ": " + spec->description, 0, 2));
  if (!spec->provenance.empty())
    fmt::print("  {}\n", wrapped("source: " + spec->provenance.substr(
                                                  0, spec->provenance.find_last_not_of(" \n") + 1),
                                 2, 2));
  if (drawn) print_mechanism(*spec, *mechanism);
  print_starts(starts, drawn);
  if (structure->start)
    fmt::print(
        "\nstart: settled; where joints, wheels and engine are is among the signals below\n");
  print_text(*structure, state, *spec, what.all);
  return kOk;
}

}  // namespace chicane::cli
