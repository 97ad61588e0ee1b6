// SPDX-License-Identifier: Apache-2.0
#include "io/writer/echo.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assembly/vehicle.hpp"

namespace chicane {
namespace {

// Always quoted: what was a word, a number or a formula comes back as the same text.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
          out += c;
    }
  }
  return out + "\"";
}

// One line "name: {key: value, ...}" of a mapping.
class Entry {
 public:
  Entry& add(std::string_view key, const std::string& text) {
    if (!text.empty()) raw(key, quoted(text));
    return *this;
  }
  Entry& raw(std::string_view key, const std::string& value) {
    body_ += fmt::format("{}{}: {}", body_.empty() ? "" : ", ", key, value);
    return *this;
  }
  [[nodiscard]] std::string text() const { return "{" + body_ + "}"; }

 private:
  std::string body_;
};

class Writer {
 public:
  std::string write(const Spec& s) {
    out_ = "format: chicane/1\n";
    if (!s.description.empty()) line(0, "description", quoted(s.description));
    if (!s.provenance.empty()) line(0, "provenance", quoted(s.provenance));
    if (!s.check_units) line(0, "units", "none");
    run(s.run);
    methods(s.methods);
    pairs(s.pairs);
    if (s.mechanism) topology(*s.mechanism);
    if (s.vehicle) vehicle(s);
    open("parameters", s.parameters.empty() && !s.mechanism);
    for (const ParameterSpec& p : s.parameters)
      line(1, p.name, Entry().add("value", p.value.text).add("description", p.description).text());
    if (s.mechanism) numbers_of(*s.mechanism);
    open("inputs", s.inputs.empty());
    for (const InputSpec& p : s.inputs)
      line(1, p.name, Entry().add("value", p.value.text).add("description", p.description).text());
    tables(s.tables);
    std::vector<BlockSpec> blocks;
    std::copy_if(s.blocks.begin(), s.blocks.end(), std::back_inserter(blocks),
                 [](const BlockSpec& b) {
                   return b.type.text != kMechanismType && b.type.text != kVehicleType;
                 });
    groups(blocks);
    variables(0, "outputs", s.outputs);
    events(s.events);
    if (!s.initial.empty()) line(0, "initial", assignments(s.initial));
    metrics(s.metrics);
    variables(0, "terminal", s.terminal);
    return std::move(out_);
  }

  std::string write(const TableauPair& pair) {
    out_ = "format: chicane/1\n";
    line(0, "name", pair.name);
    line(0, "order", fmt::format("{}", pair.order));
    if (!pair.source.empty()) line(0, "source", quoted(pair.source));
    if (!pair.use.empty()) line(0, "use", quoted(pair.use));
    for (const auto& [key, k] : {std::pair{"slow", &pair.slow}, std::pair{"fast", &pair.fast}}) {
      open(key, false);
      out_ += "  A:\n";
      for (int i = 0; i < k->stages; ++i)
        out_ += fmt::format("    - {}\n", numbers(k->A[static_cast<std::size_t>(i)], i));
      line(1, "b", numbers(k->b, k->stages));
    }
    return std::move(out_);
  }

 private:
  void line(int level, std::string_view key, const std::string& value) {
    out_ += fmt::format("{:{}}{}: {}\n", "", 2 * level, key, value);
  }
  void open(std::string_view key, bool empty, int level = 0) {
    if (!empty) out_ += fmt::format("{:{}}{}:\n", "", 2 * level, key);
  }

  static std::string names(const std::vector<Text>& list) {
    std::string text;
    for (const Text& t : list) text += (text.empty() ? "" : ", ") + quoted(t.text);
    return "[" + text + "]";
  }

  void topology(const MechanismSpec& m) {
    open("topology", false);
    line(1, "bodies", names(m.bodies));
    if (!m.base.empty()) line(1, "base", quoted(m.base.text));
    if (!m.cut.empty()) line(1, "cut", names(m.cut));
    if (!m.loops.empty()) line(1, "loops", m.loops.text);
    if (!m.group.empty()) line(1, "group", quoted(m.group.text));
    open("joints", m.joints.empty(), 1);
    for (const JointSpec& j : m.joints) {
      Entry e;
      e.raw("type", j.type.text).raw("connects", names(j.connects));
      if (j.driven) e.raw("driven", "true");
      line(2, j.name, e.text());
    }
    open("forces", m.forces.empty(), 1);
    for (const ForceSpec& f : m.forces) {
      Entry e;
      e.raw("type", f.type.text);
      if (!f.connects.empty()) e.raw("connects", names(f.connects));
      line(2, f.name, e.add("joint", f.joint.text).text());
    }
  }

  void vehicle(const Spec& s) {
    open("vehicle", false);
    for (const auto& [name, part] : s.vehicle->entries)
      if (name != "groups") line(1, name, value(part));
    Entry groups;
    for (const BlockSpec& b : s.blocks)
      if (b.type.text == kVehicleType || b.type.text == kMechanismType) groups.add(b.name, b.group);
    line(1, "groups", groups.text());
  }

  void numbers_of(const MechanismSpec& m) {
    for (const auto& [section, data] : m.parameters.entries) {
      if (data.kind != DataSpec::Kind::mapping) {
        line(1, section, value(data));
        continue;
      }
      open(section, data.entries.empty(), 1);
      for (const auto& [name, entry] : data.entries) line(2, name, value(entry));
    }
  }

  static std::string value(const DataSpec& data) {
    std::string text;
    switch (data.kind) {
      case DataSpec::Kind::list:
        for (const DataSpec& e : data.list) text += (text.empty() ? "" : ", ") + value(e);
        return "[" + text + "]";
      case DataSpec::Kind::mapping: {
        Entry e;
        for (const auto& [key, entry] : data.entries) e.raw(key, value(entry));
        return e.text();
      }
      default:
        return quoted(data.text.text);
    }
  }

  void run(const RunSpec& r) {
    Entry e;
    e.add("scheme", r.scheme.text).add("method", r.method.text).add("step", r.step.text);
    e.add("until", r.until.text).add("every", r.every.text).add("ratio", r.ratio.text);
    e.add("interp", r.interp.text).add("startup", r.startup.text).add("history", r.history.text);
    e.add("settle", r.settle.text)
        .add("checkpoint", r.checkpoint.text)
        .add("resume", r.resume.text);
    e.add("order", r.order.text).add("iterations", r.iterations.text);
    e.add("tableau", r.tableau.text).add("threads", r.threads.text);
    if (!r.interps.empty()) e.raw("interps", assignments(r.interps));
    std::string groups;
    for (const RunGroupSpec& g : r.groups)
      groups += fmt::format("{}{}: {}", groups.empty() ? "" : ", ", g.name,
                            Entry().add("method", g.method.text).add("ratio", g.ratio.text).text());
    if (!groups.empty()) e.raw("groups", "{" + groups + "}");
    if (!r.signals.empty()) e.raw("signals", names(r.signals));
    line(0, "run", e.text());
  }

  template <class Row>
  static std::string numbers(const Row& row, int n) {
    std::string list;
    for (int i = 0; i < n; ++i)
      list += fmt::format("{}{}", i ? ", " : "", row[static_cast<std::size_t>(i)]);
    return "[" + list + "]";
  }
  template <class Rows>
  static std::string matrix(const Rows& rows, int n, int width) {
    std::string list;
    for (int i = 0; i < n; ++i)
      list += (i ? ", " : "") + numbers(rows[static_cast<std::size_t>(i)], width < 0 ? i : width);
    return "[" + list + "]";
  }

  void pairs(const std::vector<TableauPair>& list) {
    open("tableaus", list.empty());
    const auto tableau = [](const Coefficients<double>& k) {
      return Entry()
          .raw("A", matrix(k.A, k.stages, -1))
          .raw("b", numbers(k.b, k.stages))
          .raw("c", numbers(k.c, k.stages))
          .text();
    };
    for (const TableauPair& p : list)
      line(1, p.name,
           Entry()
               .raw("order", fmt::format("{}", p.order))
               .raw("slow", tableau(p.slow))
               .raw("fast", tableau(p.fast))
               .add("source", p.source)
               .add("use", p.use)
               .text());
  }

  void methods(const std::vector<Method>& list) {
    open("methods", list.empty());
    for (const Method& m : list) {
      Entry e;
      e.raw("order", fmt::format("{}", m.order)).raw("A", matrix(m.k.A, m.k.stages, -1));
      e.raw("b", numbers(m.k.b, m.k.stages)).raw("c", numbers(m.k.c, m.k.stages));
      if (m.k.old > 0)
        e.raw("H", matrix(m.k.H, m.k.stages, m.k.old)).raw("e", numbers(m.k.e, m.k.old));
      line(1, m.name, e.add("source", m.source).add("use", m.use).text());
    }
  }

  // Values are SI inside; the echo gives them so.
  static std::string axis(const TableSpec::AxisSpec& a) {
    std::string list;
    for (const double v : a.values) list += fmt::format("{}, ", v);
    return "[" + list + quoted(to_string(a.dimension)) + "]";
  }

  void tables(const std::vector<TableSpec>& list) {
    open("tables", list.empty());
    for (const TableSpec& t : list) {
      Entry e;
      e.raw("x", axis(t.x)).raw("y", axis(t.y));
      if (t.two_d) {
        std::string rows;
        const std::size_t width = t.y.values.size();
        for (std::size_t i = 0; i < t.x.values.size(); ++i)
          rows += numbers(t.z.values.data() + i * width, static_cast<int>(width)) + ", ";
        e.raw("z", "[" + rows + quoted(to_string(t.z.dimension)) + "]");
      }
      e.raw("interpolation", t.interpolation == Interpolation::linear     ? "linear"
                             : t.interpolation == Interpolation::monotone ? "monotone"
                             : t.interpolation == Interpolation::hold     ? "hold"
                                                                          : "spline");
      e.raw("extrapolation", t.extrapolation == Extrapolation::hold ? "hold" : "linear");
      line(1, t.name, e.text());
    }
  }

  void variables(int level, std::string_view key, const std::vector<VariableSpec>& list) {
    open(key, list.empty(), level);
    for (const VariableSpec& v : list)
      line(level + 1, v.name,
           Entry()
               .add("value", v.value.text)
               .add("unit", v.unit.text)
               .add("description", v.description)
               .text());
  }

  void metrics(const std::vector<MetricSpec>& list) {
    open("metrics", list.empty());
    for (const MetricSpec& m : list) {
      Entry e;
      for (const auto& [name, reduction] : kReductions)
        if (reduction == m.reduction) e.add(name, m.value.text);
      e.add("from", m.from.text).add("until", m.until.text).add("at", m.at.text);
      e.add("level", m.level.text)
          .add("direction", m.crossing == Crossing::rising    ? "rising"
                            : m.crossing == Crossing::falling ? "falling"
                                                              : "");
      line(1, m.name, e.add("unit", m.unit.text).add("description", m.description).text());
    }
  }

  // Blocks of one group need not stand together in a Spec, but must in a file.
  void groups(const std::vector<BlockSpec>& blocks) {
    open("groups", blocks.empty());
    std::vector<std::string> done;
    for (const BlockSpec& first : blocks) {
      if (std::find(done.begin(), done.end(), first.group) != done.end()) continue;
      done.push_back(first.group);
      open(first.group, false, 1);
      open("blocks", false, 2);
      for (const BlockSpec& b : blocks)
        if (b.group == first.group) block(b);
    }
  }

  void block(const BlockSpec& b) {
    const bool bare = !b.full_step_only && b.auxiliaries.empty() && b.states.empty() &&
                      b.memory.empty() && !b.native;
    if (bare) return line(3, b.name, "{}");
    open(b.name, false, 3);
    if (b.native) {
      line(4, "type", quoted(b.type.text));
      if (!b.wiring.empty()) line(4, "inputs", assignments(b.wiring));
      if (!b.parameters.empty()) line(4, "parameters", assignments(b.parameters));
      if (!b.initial.empty()) line(4, "initial", assignments(b.initial));
    }
    if (b.full_step_only) line(4, "apply", "full-step");
    variables(4, "auxiliaries", b.auxiliaries);
    open("states", b.states.empty(), 4);
    for (const StateSpec& x : b.states)
      line(5, x.name,
           Entry()
               .add("der", x.der.text)
               .add("initial", x.initial.text)
               .add("unit", x.unit.text)
               .add("limit", x.limit.text)
               .add("description", x.description)
               .text());
    open("memory", b.memory.empty(), 4);
    for (const MemorySpec& z : b.memory)
      line(5, z.name,
           Entry()
               .add("next", z.next.text)
               .add("initial", z.initial.text)
               .add("unit", z.unit.text)
               .add("sample", z.sample.text)
               .add("update", z.every_evaluation ? "every-evaluation" : "")
               .add("description", z.description)
               .text());
  }

  static std::string assignments(const std::vector<Assignment>& list) {
    Entry e;
    for (const Assignment& a : list) e.raw(a.target, quoted(a.value.text));
    return e.text();
  }

  static std::string action(const ActionSpec& a) {
    const auto names = [&] {
      std::string list;
      for (const std::string& n : a.events) list += (list.empty() ? "" : ", ") + n;
      return "[" + list + "]";
    };
    using Kind = ActionSpec::Kind;
    switch (a.kind) {
      case Kind::set:
        return Entry().raw("set", assignments(a.assignments)).text();
      case Kind::write:
        return Entry().raw("write", a.on ? "\"on\"" : "\"off\"").text();
      case Kind::enable:
        return Entry().raw("enable", names()).text();
      case Kind::disable:
        return Entry().raw("disable", names()).text();
      case Kind::step:
        return Entry().raw("step", quoted(a.value.text)).text();
      case Kind::ratio:
        return Entry().raw("ratio", quoted(a.value.text)).text();
      case Kind::method:
        return Entry().raw("method", quoted(a.value.text)).text();
      case Kind::stop:
        return Entry().raw("stop", quoted(a.value.text)).text();
    }
    return {};
  }

  void events(const std::vector<EventSpec>& list) {
    open("events", list.empty());
    for (const EventSpec& e : list) {
      std::string actions;
      for (const ActionSpec& a : e.actions) actions += (actions.empty() ? "" : ", ") + action(a);
      Entry entry;
      entry.raw("when", quoted(e.when.text)).raw("do", "[" + actions + "]");
      entry.raw("repeat", e.repeat == Repeat::once        ? "once"
                          : e.repeat == Repeat::each_time ? "each-time"
                                                          : "every-step");
      if (!e.enabled) entry.raw("enabled", "false");
      line(1, e.name, entry.add("group", e.group).text());
    }
  }

  std::string out_;
};

}  // namespace

std::string write_model(const Spec& spec) { return Writer().write(spec); }
std::string write_pair(const TableauPair& pair) { return Writer().write(pair); }

}  // namespace chicane
