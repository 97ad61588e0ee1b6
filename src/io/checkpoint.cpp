#include "io/checkpoint.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace chicane {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kFormat = "chicane-checkpoint/1";

// JSON has no words for what is not finite.
Json number(double v) {
  if (std::isfinite(v)) return v;
  return std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
}

double number(const Json& j) {
  if (!j.is_string()) return j.get<double>();
  const auto word = j.get<std::string>();
  if (word == "nan") return std::nan("");
  return word == "inf" ? HUGE_VAL : -HUGE_VAL;
}

Json numbers(const double* first, std::size_t n) {
  Json list = Json::array();
  for (std::size_t i = 0; i < n; ++i) list.push_back(number(first[i]));
  return list;
}

Json rows_of(const History<double>& h, std::size_t n) {
  Json rows = Json::array();
  for (int k = 0; k < h.count; ++k) rows.push_back(numbers(h.row(k, static_cast<int>(n)), n));
  return {{"depth", h.depth}, {"rows", rows}};
}

History<double> history_of(const Json& j, std::size_t n) {
  const int depth = j.at("depth");
  const Json& rows = j.at("rows");
  if (depth < 0 || depth > kMaxOld || rows.size() > static_cast<std::size_t>(depth))
    throw std::runtime_error("its history is damaged");
  History<double> h(depth, static_cast<int>(n));
  for (std::size_t k = rows.size(); k-- > 0;) {
    if (rows[k].size() != n) throw std::runtime_error("its history is damaged");
    std::vector<double> row;
    for (const Json& v : rows[k]) row.push_back(number(v));
    h.push(row.data(), static_cast<int>(n));
  }
  return h;
}

Method method_of(const Json& name, const Structure& s) {
  const Method* m = s.find_method(name.get<std::string>());
  if (m == nullptr)
    throw std::runtime_error(fmt::format(
        "it was saved with method '{}', which this model does not know", name.get<std::string>()));
  return *m;
}

// The entries of `object` must be exactly the names of `infos`.
template <class Infos, class Each>
void for_each_named(const Json& object, const Infos& infos, const char* kind, Each&& each) {
  int i = 0;
  for (const auto& info : infos) {
    if (!object.contains(info.name))
      throw std::runtime_error(
          fmt::format("it has no {} '{}': it belongs to another model", kind, info.name));
    each(i++, object.at(info.name));
  }
  if (object.size() != static_cast<std::size_t>(i))
    throw std::runtime_error(fmt::format("it has other {} entries than this model", kind));
}

}  // namespace

std::string write_checkpoint(const Simulation& sim) {
  const Structure& s = sim.structure();
  const State<double>& state = sim.state();
  Json j;
  j["format"] = kFormat;
  j["model"] = s.name;
  j["time"] = state.clock.time();
  j["clock"] = {
      {"origin", state.clock.origin}, {"tick", state.clock.tick}, {"unit", state.clock.unit}};
  j["frames"] = state.frames;
  j["scheme"] = scheme_name(sim.plan().scheme);
  j["step_ps"] = sim.plan().step / 2;
  j["method"] = sim.plan().method.name;
  j["writing"] = state.writing;
  j["states"] = j["memory"] = j["parameters"] = j["events"] = Json::object();
  for (const StateInfo& x : s.states)
    j["states"][x.name] = number(state.groups[x.group].x[static_cast<std::size_t>(x.place)]);
  j["groups"] = Json::array();
  for (const GroupIndex g : state.groups.indices()) {
    const GroupState<double>& group = state.groups[g];
    Json entry = {{"name", s.groups[g].name},
                  {"history", rows_of(group.history, group.x.size())},
                  {"signals", rows_of(group.signals, s.groups[g].publishes.size())},
                  {"accepted", state.accepted[static_cast<std::size_t>(g.value)]},
                  {"evaluations", group.counts.steps},
                  {"startup", group.counts.startup},
                  {"extra", group.counts.extra}};
    if (is_multirate(sim.plan().scheme)) {
      entry["method"] = sim.plan().groups[g].method.name;
      entry["ratio"] = sim.plan().groups[g].ratio;
    }
    j["groups"].push_back(std::move(entry));
  }
  for (int i = 0; i < s.memory.size(); ++i) {
    const auto& m = state.memory[MemoryIndex{i}];
    j["memory"][s.memory[MemoryIndex{i}].name] = {
        {"value", number(m.value)}, {"next", number(m.next)}, {"commit_at", m.commit_at}};
  }
  for (const ParameterInfo& p : s.parameters)
    j["parameters"][p.name] = number(state.constants[p.slot]);
  for (int i = 0; i < s.events.size(); ++i) {
    const auto& e = state.events[EventIndex{i}];
    j["events"][s.events[EventIndex{i}].name] = {
        {"enabled", e.enabled}, {"was_true", e.was_true}, {"fired", e.fired}, {"last", e.last}};
  }
  return j.dump(1) + "\n";
}

std::optional<Checkpoint> read_checkpoint(std::string_view text, const std::string& file,
                                          const Simulation& sim, Diagnostics& diag) {
  const Structure& s = sim.structure();
  Checkpoint c{sim.state(), sim.plan()};
  State<double>& state = c.state;
  try {
    const Json j = Json::parse(text);
    if (j.at("format") != kFormat)
      throw std::runtime_error("it is not a checkpoint of this version");
    const Json& clock = j.at("clock");
    state.clock = {clock.at("origin"), clock.at("tick"), clock.at("unit")};
    state.frames = j.at("frames");
    state.writing = j.at("writing");
    c.plan.step = 2 * j.at("step_ps").get<std::int64_t>();
    c.plan.method = method_of(j.at("method"), s);
    if (const std::string scheme = j.at("scheme"); scheme != scheme_name(c.plan.scheme))
      throw std::runtime_error(
          fmt::format("it was saved under scheme {}; add --scheme {}", scheme, scheme));
    if (c.plan.step <= 0 || state.clock.unit <= 0)
      throw std::runtime_error("its step is not positive");
    for_each_named(j.at("states"), s.states, "state", [&](int i, const Json& v) {
      const StateInfo& x = s.states[StateIndex{i}];
      state.groups[x.group].x[static_cast<std::size_t>(x.place)] = number(v);
    });
    for_each_named(j.at("memory"), s.memory, "memory", [&](int i, const Json& v) {
      state.memory[MemoryIndex{i}] = {number(v.at("value")), number(v.at("next")),
                                      v.at("commit_at")};
    });
    for_each_named(j.at("parameters"), s.parameters, "parameter", [&](int i, const Json& v) {
      state.constants[s.parameters[ParameterIndex{i}].slot] = number(v);
    });
    for_each_named(j.at("events"), s.events, "event", [&](int i, const Json& v) {
      state.events[EventIndex{i}] = {v.at("enabled"), v.at("was_true"), false, v.at("fired"),
                                     v.at("last")};
    });
    const Json& groups = j.at("groups");
    if (groups.size() != static_cast<std::size_t>(state.groups.size()))
      throw std::runtime_error("it has another number of groups");
    for (const GroupIndex g : state.groups.indices()) {
      GroupState<double>& group = state.groups[g];
      const Json& saved = groups[static_cast<std::size_t>(g.value)];
      if (saved.at("name") != s.groups[g].name) throw std::runtime_error("its groups are others");
      group.history = history_of(saved.at("history"), group.x.size());
      group.signals = history_of(saved.at("signals"), s.groups[g].publishes.size());
      state.accepted[static_cast<std::size_t>(g.value)] = saved.at("accepted");
      group.counts = {saved.at("evaluations"), saved.at("startup"), saved.at("extra")};
      if (!is_multirate(c.plan.scheme)) continue;
      c.plan.groups[g] = {method_of(saved.at("method"), s), saved.at("ratio")};
      if (c.plan.groups[g].ratio < 1) throw std::runtime_error("its ratios are damaged");
    }
    sim.model().prepare(state);
  } catch (const std::exception& e) {
    diag.error({file, 0, "resume"}, "cannot go on from this checkpoint: {}", e.what());
    return std::nullopt;
  }
  return c;
}

}  // namespace chicane
