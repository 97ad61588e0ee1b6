// SPDX-License-Identifier: Apache-2.0
#include "simulation/start.hpp"

#include <algorithm>
#include <cmath>

namespace chicane {
namespace {

constexpr int kMost = 3;  // faults of one kind: the others mostly have the same cause

class Start final : public Observer {
 public:
  Start(const Simulation& simulation, const Spec& spec, std::span<const SignalIndex> written,
        Diagnostics& diag)
      : simulation_(simulation),
        s_(simulation.structure()),
        spec_(spec),
        written_(written),
        diag_(diag) {}

  // What the evaluation begins with.
  void check_values() {
    const State<double>& state = simulation_.state();
    for (const ParameterInfo& p : s_.parameters)
      if (const double value = state.constants[p.slot]; !std::isfinite(value))
        fault(p.name, "parameter '{}' is {} at the start; {}", p.name, what_it_is(value),
              kRemedyOfUndefined);
    for (const StateInfo& x : s_.states)
      check(x, state.groups[x.group].x[static_cast<std::size_t>(x.place)]);
    for (const MemoryIndex i : s_.memory.indices())
      if (const double value = state.memory[i].value; !std::isfinite(value))
        fault(s_.memory[i].name, "memory '{}' is {} at the start; {}", s_.memory[i].name,
              what_it_is(value), kRemedyOfUndefined);
  }

  void observe(const Point& point) noexcept override {
    for (const Eval<double>* at : point.evals)
      for (const auto& native : at->natives)
        if (native && complaint_.empty()) complaint_ = native->complaint();
    for (const StateInfo& x : s_.states)
      rates_.push_back(point.evals[place(x.group)]->v[s_.groups[x.group].rates[place(x.place)]]);
    simulation_.report(point);
    for (const SignalInfo& signal : s_.signals) values_.push_back(point.value(signal));
  }

  // What it came to.
  void judge() {
    if (!complaint_.empty()) {
      diag_.error(place_of(spec_, ""), "at the start {}", complaint_);
      return;
    }
    for (const StateIndex i : s_.states.indices())
      if (const double rate = rates_[place(i.value)]; !std::isfinite(rate))
        fault(rate_of(s_.states[i].name), "the rate of state '{}' is {} at the start{}; {}",
              s_.states[i].name, what_it_is(rate), in_block(s_.states[i].block),
              kRemedyOfUndefined);
    if (!diag_.ok()) return;
    for (const SignalIndex i : written_)
      if (const double value = values_[place(i.value)]; !std::isfinite(value))
        fault(s_.signals[i].name, "'{}' is {} at the start; {}", s_.signals[i].name,
              what_it_is(value), kRemedyOfUndefined);
  }

 private:
  static std::size_t place(int i) { return static_cast<std::size_t>(i); }
  static std::size_t place(GroupIndex g) { return static_cast<std::size_t>(g.value); }

  void check(const StateInfo& x, double value) {
    const SignalInfo& signal = s_.signals[x.signal];
    const auto written = [&](double si) {
      return fmt::format("{:.6g} {}", signal.conversion.from_si(si), signal.unit);
    };
    if (!std::isfinite(value))
      fault(x.name, "state '{}' is {} at the start; {}", x.name, what_it_is(value),
            kRemedyOfUndefined);
    else if (std::fabs(value) > x.limit)
      fault(x.name,
            "state '{}' starts at {}, beyond its limit of {}: start within it, or give the state "
            "another limit",
            x.name, written(value), written(x.limit));
  }

  // ", because 'a' is": the first signal of the block without a value.
  [[nodiscard]] std::string in_block(BlockIndex block) const {
    for (const SignalIndex i : s_.signals.indices()) {
      const SignalInfo& signal = s_.signals[i];
      if (signal.block == block && signal.kind == SignalInfo::Kind::auxiliary &&
          !std::isfinite(values_[place(i.value)]))
        return fmt::format(", and so is '{}'", signal.name);
    }
    return "";
  }

  template <class... Args>
  void fault(const std::string& name, fmt::format_string<Args...> text, Args&&... args) {
    fault(place_of(spec_, name), text, std::forward<Args>(args)...);
  }
  template <class... Args>
  void fault(const Location& where, fmt::format_string<Args...> text, Args&&... args) {
    if (++faults_ <= kMost) diag_.error(where, text, std::forward<Args>(args)...);
  }
  [[nodiscard]] Location rate_of(const std::string& state) const {
    for (const BlockSpec& b : spec_.blocks)
      for (const StateSpec& x : b.states)
        if (x.name == state) return x.der.where;
    return place_of(spec_, state);
  }

  const Simulation& simulation_;
  const ModelStructure& s_;
  const Spec& spec_;
  std::span<const SignalIndex> written_;
  Diagnostics& diag_;
  std::string complaint_;
  std::vector<double> rates_, values_;
  int faults_ = 0;
};

// States as an evaluation leaves them.
class Evaluated final : public Observer {
 public:
  explicit Evaluated(const Simulation& simulation) : s_(simulation.structure()) {}
  void observe(const Point& point) noexcept override {
    for (const StateInfo& x : s_.states) values_.push_back(point.value(s_.signals[x.signal]));
  }
  [[nodiscard]] double operator[](StateIndex i) const {
    return values_[static_cast<std::size_t>(i.value)];
  }

 private:
  const ModelStructure& s_;
  std::vector<double> values_;
};

}  // namespace

std::string_view what_it_is(double value) {
  return std::isnan(value) ? "not a number" : "infinite";
}

Location place_of(const Spec& spec, std::string_view name) {
  const auto among = [&](const auto& list, auto&& where) -> std::optional<Location> {
    for (const auto& entry : list)
      if (entry.name == name) return where(entry);
    return std::nullopt;
  };
  const auto of_value = [](const auto& entry) { return entry.value.where; };
  for (const Assignment& a : spec.initial)
    if (a.target == name) return a.value.where;
  if (const auto found = among(spec.parameters, of_value)) return *found;
  if (const auto found = among(spec.outputs, of_value)) return *found;
  if (const auto found = among(spec.inputs, of_value)) return *found;
  for (const BlockSpec& b : spec.blocks) {
    if (const auto found = among(b.states, [](const StateSpec& x) {
          return x.initial.empty() ? x.der.where : x.initial.where;
        }))
      return *found;
    if (const auto found = among(b.auxiliaries, of_value)) return *found;
    if (const auto found = among(b.memory, [](const MemorySpec& z) {
          return z.initial.empty() ? z.next.where : z.initial.where;
        }))
      return *found;
    if (b.native && name.starts_with(b.name + ".")) return b.where;
  }
  if (spec.vehicle) return spec.vehicle->text.where;
  if (spec.mechanism) return spec.mechanism->where;
  return spec.where;
}

std::string misfit_of_state(Simulation& simulation) {
  constexpr double kClosed = 1e-6;  // loops of a run are closed to rounding
  const ModelStructure& s = simulation.structure();
  Evaluated evaluated(simulation);
  simulation.observe_now(evaluated);
  for (const StateIndex i : s.states.indices()) {
    const StateInfo& x = s.states[i];
    const double is = simulation.state().groups[x.group].x[static_cast<std::size_t>(x.place)];
    if (std::fabs(evaluated[i] - is) > kClosed * std::max(1.0, std::fabs(is)))
      return fmt::format(
          "its states do not belong together: '{}' is {:.9g}, and what it depends on makes it "
          "{:.9g}",
          x.name, is, evaluated[i]);
  }
  return "";
}

void check_start(Simulation& simulation, const Spec& spec, std::span<const SignalIndex> written,
                 Diagnostics& diag) {
  Start start(simulation, spec, written, diag);
  start.check_values();
  if (!diag.ok()) return;
  simulation.observe_now(start);
  start.judge();
}

}  // namespace chicane
