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
  j["step_ps"] = sim.plan().step / 2;
  j["method"] = sim.plan().method.name;
  j["writing"] = state.writing;
  j["states"] = j["memory"] = j["parameters"] = j["events"] = Json::object();
  for (const StateInfo& x : s.states)
    j["states"][x.name] = number(
        state.groups[static_cast<std::size_t>(x.group.value)].x[static_cast<std::size_t>(x.place)]);
  j["groups"] = Json::array();
  for (std::size_t g = 0; g < state.groups.size(); ++g) {
    const GroupState<double>& group = state.groups[g];
    Json rows = Json::array();
    const int n = static_cast<int>(group.x.size());
    for (int k = 0; k < group.history.count; ++k)
      rows.push_back(numbers(group.history.row(k, n), group.x.size()));
    j["groups"].push_back({{"history", rows},
                           {"depth", group.history.depth},
                           {"accepted", state.accepted[g]},
                           {"evaluations", group.counts.steps},
                           {"startup", group.counts.startup},
                           {"extra", group.counts.extra}});
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
  Checkpoint c{sim.state(), 0, ""};
  State<double>& state = c.state;
  try {
    const Json j = Json::parse(text);
    if (j.at("format") != kFormat)
      throw std::runtime_error("it is not a checkpoint of this version");
    const Json& clock = j.at("clock");
    state.clock = {clock.at("origin"), clock.at("tick"), clock.at("unit")};
    state.frames = j.at("frames");
    state.writing = j.at("writing");
    c.step = 2 * j.at("step_ps").get<std::int64_t>();
    c.method = j.at("method");
    if (c.step <= 0 || state.clock.unit <= 0) throw std::runtime_error("its step is not positive");
    for_each_named(j.at("states"), s.states, "state", [&](int i, const Json& v) {
      const StateInfo& x = s.states[StateIndex{i}];
      state.groups[static_cast<std::size_t>(x.group.value)].x[static_cast<std::size_t>(x.place)] =
          number(v);
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
    if (groups.size() != state.groups.size())
      throw std::runtime_error("it has another number of groups");
    for (std::size_t g = 0; g < groups.size(); ++g) {
      GroupState<double>& group = state.groups[g];
      const int n = static_cast<int>(group.x.size());
      const int depth = groups[g].at("depth");
      const Json& rows = groups[g].at("history");
      if (depth < 0 || depth > kMaxOld || rows.size() > static_cast<std::size_t>(depth))
        throw std::runtime_error("its history is damaged");
      group.history = History<double>(depth, n);
      for (std::size_t k = rows.size(); k-- > 0;) {
        if (rows[k].size() != group.x.size()) throw std::runtime_error("its history is damaged");
        std::vector<double> row;
        for (const Json& v : rows[k]) row.push_back(number(v));
        group.history.push(row.data(), n);
      }
      state.accepted[g] = groups[g].at("accepted");
      group.counts = {groups[g].at("evaluations"), groups[g].at("startup"), groups[g].at("extra")};
    }
    sim.model().prepare(state);
  } catch (const std::exception& e) {
    diag.error({file, 0, "resume"}, "cannot go on from this checkpoint: {}", e.what());
    return std::nullopt;
  }
  return c;
}

}  // namespace chicane
