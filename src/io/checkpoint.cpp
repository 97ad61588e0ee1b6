// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/build_info.hpp"
#include "core/sha256.hpp"
#include "language/checked_memory.hpp"

namespace chicane {
namespace {

using Json = nlohmann::ordered_json;  // to write: in the order of the model
using Saved = nlohmann::json;         // to read: names are found fast
constexpr std::string_view kFormat = "chicane-checkpoint/2";
constexpr std::int64_t kMostAtoms = 2'000'000 * kAtomsPerSecond;  // [atoms] of any run
constexpr std::int64_t kMostCount = std::int64_t{1} << 53;        // of frames, evaluations

[[noreturn]] void refuse(const std::string& why) { throw std::runtime_error(why); }

// JSON has no words for what is not finite.
Json number(double v) {
  if (std::isfinite(v)) return v;
  return std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
}

double number(const Saved& j) {
  if (j.is_number()) return j.get<double>();
  const std::string word = j.is_string() ? j.get<std::string>() : "";
  if (word == "nan") return std::nan("");
  if (word == "inf" || word == "-inf") return word == "inf" ? HUGE_VAL : -HUGE_VAL;
  refuse("it has something else where a number is needed");
}

double finite(const Saved& j, const std::string& what) {
  const double v = number(j);
  if (!std::isfinite(v)) refuse(fmt::format("{} is not a finite number", what));
  return v;
}

// A whole number within bounds; a fraction, or one beyond 64 bits, is never converted.
std::int64_t whole(const Saved& j, const char* what, std::int64_t least, std::int64_t most) {
  if (!j.is_number_integer() ||
      (j.is_number_unsigned() && j.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) ||
      j.get<std::int64_t>() < least || j.get<std::int64_t>() > most)
    refuse(fmt::format("its {} is no number from {} to {}", what, least, most));
  return j.get<std::int64_t>();
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

// Old rates are finite, as the states are; old signals may be anything.
History<double> history_of(const Saved& j, std::size_t n, bool rates) {
  const int depth = static_cast<int>(whole(j.at("depth"), "depth of history", 0, kMaxOld));
  const Saved& rows = j.at("rows");
  if (!rows.is_array() || rows.size() > static_cast<std::size_t>(depth))
    refuse("its history is damaged");
  History<double> h(depth, static_cast<int>(n));
  for (std::size_t k = rows.size(); k-- > 0;) {
    if (!rows[k].is_array() || rows[k].size() != n) refuse("its history is damaged");
    std::vector<double> row;
    for (const Saved& v : rows[k]) row.push_back(rates ? finite(v, "an old rate") : number(v));
    h.push(row.data(), static_cast<int>(n));
  }
  return h;
}

Method method_of(const Saved& name, const ModelStructure& s) {
  const Method* m = s.find_method(name.get<std::string>());
  if (m == nullptr)
    refuse(fmt::format("it was saved with method '{}', which this model does not know",
                       name.get<std::string>()));
  return *m;
}

// The entries of `object` must be exactly the names of `infos`.
template <class Infos, class Each>
void for_each_named(const Saved& object, const Infos& infos, const char* kind, Each&& each) {
  int i = 0;
  for (const auto& info : infos) {
    if (!object.contains(info.name))
      refuse(fmt::format("it has no {} '{}': it belongs to another model", kind, info.name));
    each(i++, object.at(info.name));
  }
  if (object.size() != static_cast<std::size_t>(i))
    refuse(fmt::format("it has other {} entries than this model", kind));
}

// The text between the checksum's line and the end: what the checksum is of.
constexpr std::string_view kChecksum = " \"sha256\": \"";
struct Parts {
  std::string_view format, checksum, content;
};
std::optional<Parts> parts_of(std::string_view text) {
  const auto line = [&text] {
    const std::string_view l = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(l.size() + 1, text.size()));
    return l;
  };
  constexpr std::string_view kBefore = " \"format\": \"", kAfter = "\",";
  if (line() != "{") return std::nullopt;
  const auto value = [&](std::string_view l, std::string_view before) -> std::string_view {
    if (!l.starts_with(before) || !l.ends_with(kAfter)) return {};
    return l.substr(before.size(), l.size() - before.size() - kAfter.size());
  };
  Parts p;
  p.format = value(line(), kBefore);
  p.checksum = value(line(), kChecksum);
  p.content = text;
  if (p.format.empty()) return std::nullopt;
  return p;
}

void check_text(std::string_view text) {
  const auto parts = parts_of(text);
  if (!parts || !parts->format.starts_with("chicane-checkpoint/")) refuse("this is no checkpoint");
  if (parts->format != kFormat)
    refuse(fmt::format("its format is {}, and this program reads {}: save it anew",
                       parts->format.substr(0, 40), kFormat));
  if (parts->checksum != sha256(parts->content))
    refuse("it is damaged: its content does not fit its checksum");
}

// --- what differs from the model it was saved with ---

Json json_of(const Fingerprint& f) {
  Json list = Json::array();
  for (const auto& [name, value] : f) list.push_back(Json::array({name, value}));
  return list;
}

std::string abbreviated(const std::string& text) {
  constexpr std::size_t kMost = 60;
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

std::vector<std::string> differences(const Saved& saved, const Fingerprint& now) {
  std::map<std::string, std::pair<std::string, std::string>> both;
  for (const Saved& entry : saved)
    both[entry.at(0).get<std::string>()].first += entry.at(1).get<std::string>() + " ";
  for (const auto& [name, value] : now) both[name].second += value + " ";
  std::vector<std::string> list;
  for (auto& [name, values] : both) {
    for (std::string* v : {&values.first, &values.second})
      if (!v->empty()) v->pop_back();
    const auto& [then, here] = values;
    if (then == here) continue;
    list.push_back(here.empty()   ? fmt::format("{} was {} and is gone", name, abbreviated(then))
                   : then.empty() ? fmt::format("{} is new, {}", name, abbreviated(here))
                                  : fmt::format("{} was {} and is {}", name, abbreviated(then),
                                                abbreviated(here)));
  }
  return list;
}

std::string in_words(const std::vector<std::string>& changes) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), kMost); ++i)
    text += (i == 0 ? "" : "; ") + changes[i];
  if (changes.size() > kMost) text += fmt::format("; and {} more", changes.size() - kMost);
  return text;
}

// --- what it holds ---

// Names are known to differ: they are not looked for, which would take a time that grows with the
// square of their number.
template <class Infos, class Value>
Json by_name(const Infos& infos, Value value) {
  Json::object_t object;
  int i = 0;
  for (const auto& info : infos) object.emplace_back(info.name, value(i++));
  return object;
}

Json parameters_of(const ModelStructure& s, const std::vector<double>& constants) {
  return by_name(s.parameters,
                 [&](int i) { return number(constants[s.parameters[ParameterIndex{i}].slot]); });
}

class Restorer {
 public:
  Restorer(const Saved& j, const Simulation& sim, const ResumeRequest& request)
      : j_(j), sim_(sim), s_(sim.structure()), request_(request), c_{sim.state(), sim.plan(), {}} {}

  Checkpoint restore() {
    if (const std::string scheme = j_.at("scheme"); scheme != scheme_name(c_.plan.scheme))
      refuse(fmt::format("it was saved under scheme {}; add --scheme {}", scheme, scheme));
    compare();
    read_plan();
    read_clock();
    read_values();
    read_events();
    read_groups();
    check_memory();
    sim_.model().prepare(c_.state);
    return std::move(c_);
  }

 private:
  void compare() {
    if (request_.fingerprint.empty()) return;
    c_.changes = differences(j_.at("model"), request_.fingerprint);
    if (c_.changes.empty() || request_.with_changes) return;
    refuse(fmt::format(
        "it was saved with another model or plan: {}. Run the echo.yaml beside it instead, or give "
        "the same options, or say --resume-with-changes",
        in_words(c_.changes)));
  }

  void read_plan() {
    c_.plan.step = 2 * whole(j_.at("step_ps"), "step", 1, kMostAtoms / 2);
    c_.plan.method = method_of(j_.at("method"), s_);
  }

  void read_clock() {
    const Saved& clock = j_.at("clock");
    Clock& c = c_.state.clock;
    c.unit = whole(clock.at("unit"), "unit of time", 1, kMostAtoms);
    if (c.unit != c_.plan.step / c_.plan.step_divisor / kTicksPerFrame)
      refuse("its unit of time does not fit its step");
    c.origin = whole(clock.at("origin"), "origin of time", 0, kMostAtoms);
    c.tick = whole(clock.at("tick"), "time", 0, (kMostAtoms - c.origin) / c.unit);
    c_.state.frames = whole(j_.at("frames"), "number of frames", 0, kMostCount);
    c_.state.writing = j_.at("writing").get<bool>();
    now_ = c.now();
  }

  void read_values() {
    for_each_named(j_.at("states"), s_.states, "state", [&](int i, const Saved& v) {
      const StateInfo& x = s_.states[StateIndex{i}];
      c_.state.groups[x.group].x[static_cast<std::size_t>(x.place)] =
          finite(v, fmt::format("state '{}'", x.name));
    });
    for_each_named(j_.at("memory"), s_.memory, "memory", [&](int i, const Saved& v) {
      const MemoryInfo& m = s_.memory[MemoryIndex{i}];
      const bool plain = s_.blocks[m.block].native < 0;  // formulas take any number
      const auto value = [&](const char* key) {
        return plain ? number(v.at(key)) : finite(v.at(key), fmt::format("memory '{}'", m.name));
      };
      c_.state.memory[MemoryIndex{i}] = {
          value("value"), value("next"),
          whole(v.at("commit_at"), "time of a memory", State<double>::kDue, 2 * kMostAtoms)};
    });
    const std::vector<double> declared = sim_.model().initial_state().constants;
    const Saved& then = j_.at("declared");
    for_each_named(j_.at("parameters"), s_.parameters, "parameter", [&](int i, const Saved& v) {
      const ParameterInfo& p = s_.parameters[ParameterIndex{i}];
      const bool changed = request_.with_changes && number(then.at(p.name)) != declared[p.slot];
      c_.state.constants[p.slot] = changed ? declared[p.slot] : number(v);
    });
  }

  void read_events() {
    for_each_named(j_.at("events"), s_.events, "event", [&](int i, const Saved& v) {
      c_.state.events[EventIndex{i}] = {v.at("enabled").get<bool>(), v.at("was_true").get<bool>(),
                                        false,
                                        whole(v.at("fired"), "count of an event", 0, kMostCount),
                                        whole(v.at("last"), "time of an event", 0, now_)};
    });
  }

  void read_groups() {
    const Saved& groups = j_.at("groups");
    if (!groups.is_array() || groups.size() != static_cast<std::size_t>(s_.groups.size()))
      refuse("it has another number of groups");
    int before = 1;
    for (const GroupIndex g : c_.state.groups.indices()) {
      GroupState<double>& group = c_.state.groups[g];
      const Saved& saved = groups[static_cast<std::size_t>(g.value)];
      if (saved.at("name") != s_.groups[g].name) refuse("its groups are others");
      group.history = history_of(saved.at("history"), group.x.size(), true);
      group.signals = history_of(saved.at("signals"), s_.groups[g].publishes.size(), false);
      c_.state.accepted[static_cast<std::size_t>(g.value)] =
          whole(saved.at("accepted"), "time of its events", -1, now_);
      group.counts = {whole(saved.at("evaluations"), "count", 0, kMostCount),
                      whole(saved.at("startup"), "count", 0, kMostCount),
                      whole(saved.at("extra"), "count", 0, kMostCount)};
      if (!is_multirate(c_.plan.scheme)) continue;
      const int ratio = static_cast<int>(whole(saved.at("ratio"), "ratio", 1, kMostRatio));
      if (ratio % before != 0) refuse("its ratios do not fit each other");
      c_.plan.groups[g] = {method_of(saved.at("method"), s_), before = ratio};
    }
  }

  // Blocks that hold more than numbers in their memory look at it themselves.
  void check_memory() const {
    for (const BlockIndex b : s_.blocks.indices()) {
      const BlockPlace& block = s_.blocks[b];
      if (block.native < 0) continue;
      const NativePlace& native = s_.natives[static_cast<std::size_t>(block.native)];
      const auto* checker = dynamic_cast<const ChecksMemory*>(native.kind.get());
      if (checker == nullptr) continue;
      std::vector<double> value, next;
      for (const MemoryIndex i : s_.memory.indices())
        if (s_.memory[i].block == b) {
          value.push_back(c_.state.memory[i].value);
          next.push_back(c_.state.memory[i].next);
        }
      for (const auto* z : {&value, &next})
        if (const std::string fault = checker->fault_of_memory(*z); !fault.empty())
          refuse(fmt::format("block '{}': {}", block.name, fault));
    }
  }

  static constexpr std::int64_t kMostRatio = 1'000'000;

  const Saved& j_;
  const Simulation& sim_;
  const ModelStructure& s_;
  const ResumeRequest& request_;
  Checkpoint c_;
  std::int64_t now_ = 0;
};

}  // namespace

std::string write_checkpoint(const Simulation& sim, const Fingerprint& of) {
  const ModelStructure& s = sim.structure();
  const State<double>& state = sim.state();
  Json j;
  j["format"] = kFormat;
  j["sha256"] = "";
  j["version"] = build_info().version;
  j["name"] = s.name;
  j["time"] = state.clock.time();
  j["clock"] = {
      {"origin", state.clock.origin}, {"tick", state.clock.tick}, {"unit", state.clock.unit}};
  j["frames"] = state.frames;
  j["scheme"] = scheme_name(sim.plan().scheme);
  j["step_ps"] = sim.plan().step / 2;
  j["method"] = sim.plan().method.name;
  j["writing"] = state.writing;
  j["states"] = by_name(s.states, [&](int i) {
    const StateInfo& x = s.states[StateIndex{i}];
    return number(state.groups[x.group].x[static_cast<std::size_t>(x.place)]);
  });
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
  j["memory"] = by_name(s.memory, [&](int i) {
    const auto& m = state.memory[MemoryIndex{i}];
    return Json{{"value", number(m.value)}, {"next", number(m.next)}, {"commit_at", m.commit_at}};
  });
  j["parameters"] = parameters_of(s, state.constants);
  j["declared"] = parameters_of(s, sim.model().initial_state().constants);
  j["events"] = by_name(s.events, [&](int i) {
    const auto& e = state.events[EventIndex{i}];
    return Json{
        {"enabled", e.enabled}, {"was_true", e.was_true}, {"fired", e.fired}, {"last", e.last}};
  });
  j["model"] = json_of(of);
  return with_checksum(j.dump(1) + "\n");
}

std::string with_checksum(std::string_view text) {
  const auto parts = parts_of(text);
  require(parts.has_value(), "this is no checkpoint");
  return fmt::format("{{\n \"format\": \"{}\",\n{}{}\",\n{}", parts->format, kChecksum,
                     sha256(parts->content), parts->content);
}

std::optional<Checkpoint> read_checkpoint(std::string_view text, const std::string& file,
                                          const Simulation& sim, Diagnostics& diag,
                                          const ResumeRequest& request) {
  try {
    check_text(text);
    const Saved j = Saved::parse(text);
    return Restorer(j, sim, request).restore();
  } catch (const Saved::exception&) {
    diag.error({file, 0, "resume"}, "cannot go on from this checkpoint: it is not made as one is");
  } catch (const std::exception& e) {
    diag.error({file, 0, "resume"}, "cannot go on from this checkpoint: {}", e.what());
  }
  return std::nullopt;
}

}  // namespace chicane
