// SPDX-License-Identifier: Apache-2.0
#include "simulation/simulation.hpp"

#include <algorithm>
#include <cmath>

#include "core/diagnostics.hpp"
#include "language/blueprint.hpp"
#include "simulation/any_scheme.hpp"

namespace chicane {
namespace {

using Bound = BoundModel<double>;

// What a scheme shows, passed on to an observer if there is one.
struct ObservePoint {
  Observer* observer;
  [[nodiscard]] bool due() const { return observer != nullptr && observer->due(); }
  void operator()(double t, PointKind kind, std::span<Eval<double>* const> evals,
                  std::span<const GroupIndex> fresh) const {
    if (observer != nullptr) observer->observe({t, kind, evals, fresh});
  }
};

}  // namespace

State<double> carried_over(const State<double>& from, const ModelStructure& old,
                           const Model<double>& model) {
  const ModelStructure& s = model.structure();
  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.name == y.name; });
  };
  require(same(old.states, s.states) && same(old.memory, s.memory) && same(old.events, s.events) &&
              same(old.parameters, s.parameters) && same(old.inputs, s.inputs),
          "blocks can be regrouped only within the same model");
  State<double> to = model.initial_state();
  to.clock = from.clock;
  to.frames = from.frames;
  to.memory = from.memory;
  to.events = from.events;
  to.writing = from.writing;
  for (int i = 0; i < s.parameters.size(); ++i)
    to.constants[s.parameters[ParameterIndex{i}].slot] =
        from.constants[old.parameters[ParameterIndex{i}].slot];
  model.prepare(to);
  for (int i = 0; i < s.states.size(); ++i) {
    const StateInfo &a = old.states[StateIndex{i}], &b = s.states[StateIndex{i}];
    to.groups[b.group].x[static_cast<std::size_t>(b.place)] =
        from.groups[a.group].x[static_cast<std::size_t>(a.place)];
  }
  return to;
}

namespace {
constexpr std::pair<std::string_view, SchemeKind> kSchemes[] = {
    {"single-rate", SchemeKind::single_rate},
    {"multiframe", SchemeKind::multiframe},
    {"pece-multirate", SchemeKind::pece_multirate},
    {"pece-multirate-parallel", SchemeKind::pece_multirate_parallel},
    {"prk", SchemeKind::prk},
    {"reference", SchemeKind::reference},
};
}  // namespace

std::string_view scheme_name(SchemeKind scheme) {
  for (const auto& [name, kind] : kSchemes)
    if (kind == scheme) return name;
  return "";
}

std::optional<SchemeKind> find_scheme(std::string_view name) {
  for (const auto& [known, kind] : kSchemes)
    if (known == name) return kind;
  return std::nullopt;
}

std::vector<std::string_view> scheme_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, kind] : kSchemes) names.push_back(name);
  return names;
}

Partition partition_for(SchemeKind scheme, const Spec& spec) {
  if (!is_multirate(scheme)) return Partition::together(spec);
  const Partition written = Partition::as_written(spec);
  const auto ratio = [&](const std::string& group) {
    for (const RunGroupSpec& g : spec.run.groups)
      if (g.name == group && !g.ratio.empty()) return std::atoi(g.ratio.text.c_str());
    return group == "slow" ? 1 : std::max(1, std::atoi(spec.run.ratio.text.c_str()));
  };
  const auto place = [&](const std::string& group) {
    return std::pair{ratio(group), group == "slow" ? 0 : group == "fast" ? 2 : 1};
  };
  std::vector<std::string> names = written.names;
  std::stable_sort(names.begin(), names.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
  Partition p{names, {}};
  for (const int g : written.group_of_block) {
    const std::string& name = written.names[static_cast<std::size_t>(g)];
    p.group_of_block.push_back(
        static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin()));
  }
  return p;
}

Interpolator Plan::interp_of(SignalIndex signal) const {
  for (const auto& [which, kind] : signal_interps)
    if (which == signal) return kind;
  return interp;
}

Plan refined(Plan plan, int factor) {
  plan.step_divisor *= factor;
  plan.grain = std::max<std::int64_t>(plan.grain, 2 * plan.step_divisor);
  plan.step = std::max(plan.grain, plan.step - plan.step % plan.grain);
  return plan;
}

namespace {

void check_plan(const Plan& plan, const ModelStructure& structure) {
  const int groups = structure.groups.size();
  require(is_multirate(plan.scheme) ? plan.groups.size() == groups : groups == 1,
          "the model was compiled for another scheme: use partition_for");
  const bool pece = plan.scheme == SchemeKind::pece_multirate ||
                    plan.scheme == SchemeKind::pece_multirate_parallel;
  require(groups == 2 || (!pece && plan.scheme != SchemeKind::prk),
          "{} advances two groups; this model has {}", scheme_name(plan.scheme), groups);
  require(plan.step_divisor > 0 && plan.grain > 0 && plan.grain % (2 * plan.step_divisor) == 0,
          "steps divided by {} cannot be multiples of {} half picoseconds", plan.step_divisor,
          plan.grain);
  require(plan.step > 0 && plan.step % (2 * plan.step_divisor) == 0,
          "a step must be a whole number of picoseconds");
  for (const Plan::Group& g : plan.groups)
    require(g.ratio >= 1, "a ratio must be at least 1; this one is {}", g.ratio);
  require(plan.inner >= 1 && plan.outer >= 1 && plan.threads >= 1,
          "iterations and threads must be at least 1");
}

// Old derivatives and samples are good for the spacing they were taken at, and f_n of the pece
// schemes stands where others have f_{n-1}. A new method at the same step can use what is there.
void forget_histories(GroupStates<double>& groups) noexcept {
  for (GroupState<double>& g : groups) g.history.count = g.signals.count = 0;
}

bool has_other_ratios(const Plan& a, const Plan& b) noexcept {
  for (int g = 0; g < std::min(a.groups.size(), b.groups.size()); ++g)
    if (a.groups[GroupIndex{g}].ratio != b.groups[GroupIndex{g}].ratio) return true;
  return false;
}

void set_pace(Clock& clock, const Plan& plan) {
  clock.rebase(plan.step / plan.step_divisor / kTicksPerFrame);
}

// A state of another model, or of other groups, would be read beyond its end.
void check_state(const State<double>& state, const ModelStructure& s, const Plan& plan) {
  bool fits = state.groups.size() == s.groups.size() && state.memory.size() == s.memory.size() &&
              state.events.size() == s.events.size() &&
              state.constants.size() == s.constants.size() &&
              state.accepted.size() == static_cast<std::size_t>(s.groups.size());
  for (int g = 0; fits && g < s.groups.size(); ++g)
    fits = state.groups[GroupIndex{g}].x.size() == s.groups[GroupIndex{g}].states.size();
  require(fits, "the state is of another model, or of other groups");
  require(state.clock.unit == plan.step / plan.step_divisor / kTicksPerFrame,
          "the state was saved under another step");
}

}  // namespace

// The scheme of a plan, and of every plan that events can make of it: made ahead, so that changing
// over allocates nothing.
class Simulation::Schemes {
 public:
  using Any = AnyScheme<Bound, ObservePoint>;

  Schemes(const Bound& bound, const ModelStructure& structure, const Plan& plan) {
    check_plan(plan, structure);
    for (const EventInfo& event : structure.events)
      for (const ActionInfo& action : event.actions) {
        if (action.kind == ActionSpec::Kind::ratio && plan.groups.size() > 1)
          add(ratios_, action.ratio);
        if (action.kind == ActionSpec::Kind::method) add(methods_, action.text);
      }
    for (std::size_t m = 0; m <= methods_.size(); ++m)
      for (std::size_t r = 0; r <= ratios_.size(); ++r) {
        Plan changed = plan;
        if (m > 0) {
          const Method* method = structure.find_method(methods_[m - 1]);
          require(method != nullptr, "there is no method '{}'", methods_[m - 1]);
          changed.method = *method;
          for (Plan::Group& g : changed.groups) g.method = *method;
        }
        if (r > 0)
          for (const GroupIndex g : changed.groups.indices())
            if (g.value > 0) changed.groups[g].ratio = ratios_[r - 1];
        auto scheme = chicane::make_scheme<ObservePoint>(bound, changed, structure);
        all_.push_back({std::move(changed), std::move(scheme)});
      }
  }

  // Histories with room for all of them and set for the present one.
  void prepare(GroupStates<double>& groups) const {
    for (const Entry& e : all_) {
      GroupStates<double> needs = groups;
      e.scheme->prepare(needs);
      for (const GroupIndex g : groups.indices()) {
        groups[g].history.rows.reserve(needs[g].history.rows.size());
        groups[g].signals.rows.reserve(needs[g].signals.rows.size());
      }
    }
    scheme().prepare(groups);
  }

  // Goes over to what events ask for. Says whether the frame has another length now.
  bool change_over(const Requests& requests, GroupStates<double>& groups) noexcept {
    const std::size_t was = at_, per_method = ratios_.size() + 1;
    const std::int64_t step = plan().step;
    const std::size_t m =
        requests.method == nullptr ? was / per_method : 1 + place(methods_, *requests.method);
    const std::size_t r = requests.ratio == 0 || ratios_.empty()
                              ? was % per_method
                              : 1 + place(ratios_, requests.ratio);
    at_ = m * per_method + r;
    Plan& now = all_[at_].plan;
    now.step =
        requests.step == 0 ? step : std::max(now.grain, requests.step - requests.step % now.grain);
    if (now.step != step || has_other_ratios(all_[was].plan, now)) forget_histories(groups);
    scheme().prepare(groups);
    if (at_ != was) scheme().poison(0.0);  // it keeps nothing of when it was last used
    return now.step != step;
  }

  [[nodiscard]] const Plan& plan() const { return all_[at_].plan; }
  [[nodiscard]] Any& scheme() const { return *all_[at_].scheme; }
  void each_eval(const std::function<void(const Eval<double>&)>& visit) const {
    for (const Entry& e : all_) e.scheme->each_eval(visit);
  }
  void poison(double value) const {
    for (const Entry& e : all_) e.scheme->poison(value);
  }

 private:
  struct Entry {
    Plan plan;
    std::unique_ptr<Any> scheme;
  };

  template <class T>
  static std::size_t place(const std::vector<T>& list, const T& item) noexcept {
    return static_cast<std::size_t>(std::find(list.begin(), list.end(), item) - list.begin());
  }
  template <class T>
  static void add(std::vector<T>& list, const T& item) {
    if (place(list, item) == list.size()) list.push_back(item);
  }

  std::vector<std::string> methods_;  // that events ask for ...
  std::vector<int> ratios_;           // ... by themselves, or one after the other
  std::vector<Entry> all_;            // [method][ratio]; those of the given plan come first
  std::size_t at_ = 0;
};

Simulation::Simulation(std::shared_ptr<const ModelStructure> structure, Plan plan)
    : model_(std::make_unique<Model<double>>(std::move(structure))),
      state_(model_->initial_state()),
      inputs_(model_->default_inputs()),
      bound_(std::make_unique<Bound>(*model_, state_, inputs_)),
      schemes_(std::make_unique<Schemes>(*bound_, this->structure(), plan)),
      present_(std::make_unique<CoupledGroups<Bound>>(*bound_)) {
  set_pace(state_.clock, plan);
  schemes_->prepare(state_.groups);
  for (const EventInfo& event : this->structure().events)
    for (const ActionInfo& action : event.actions)
      stop_message_.reserve(std::max(stop_message_.capacity(), action.text.size()));
}

Simulation::~Simulation() = default;

const Plan& Simulation::plan() const { return schemes_->plan(); }

Status Simulation::step(Observer* observer) noexcept {
  for (;;) {
    const Status status =
        schemes_->scheme().step(*bound_, state_.clock, state_.groups, ObservePoint{observer});
    if (status == Status::ok) ++state_.frames;
    if (status != Status::ok && status != Status::interrupted) return status;
    if (status == Status::ok && !bound_->has_requests()) return status;
    // Events ask for something before the frame, or faster groups have asked for it during it.
    const Requests requests = bound_->take_requests();
    if (requests.stop != nullptr) {
      stop_message_.assign(*requests.stop);
      is_stopped_ = true;
      return Status::interrupted;
    }
    apply(requests);
    if (status == Status::ok) return status;
  }
}

void Simulation::apply(const Requests& requests) noexcept {
  if (requests.changed && plan().history == HistoryPolicy::restart) forget_histories(state_.groups);
  if (schemes_->change_over(requests, state_.groups)) set_pace(state_.clock, plan());
}

void Simulation::set_parameter(ParameterIndex parameter, double value) {
  const ParameterInfo& p = structure().parameters[parameter];
  require(std::isfinite(value), "'{}' cannot be set to a value that is not finite", p.name);
  for (const BlockSpec& b : structure().blueprint->spec().blocks)
    require(std::find(b.made_of.begin(), b.made_of.end(), p.name) == b.made_of.end(),
            "'{}' cannot be set: the {} is made with it before the run; change it in the file or "
            "on the command line",
            p.name, b.name);
  state_.constants[p.slot] = value;
  model_->prepare(state_);
  if (plan().history == HistoryPolicy::restart) forget_histories(state_.groups);
}

void Simulation::replan(Plan plan) {
  auto schemes = std::make_unique<Schemes>(*bound_, structure(), plan);
  State<double> state = state_;
  const Plan& before = this->plan();
  if (plan.step != before.step || plan.scheme != before.scheme || has_other_ratios(before, plan))
    forget_histories(state.groups);
  if (plan.step != before.step || plan.step_divisor != before.step_divisor)
    set_pace(state.clock, plan);
  schemes->prepare(state.groups);
  state_ = std::move(state);
  schemes_ = std::move(schemes);
}

void Simulation::regroup(std::shared_ptr<const ModelStructure> structure, Plan plan) {
  auto model = std::make_unique<Model<double>>(std::move(structure));
  State<double> state = carried_over(state_, this->structure(), *model);
  auto bound = std::make_unique<Bound>(*model, state_, inputs_);
  auto schemes = std::make_unique<Schemes>(*bound, model->structure(), plan);
  auto present = std::make_unique<CoupledGroups<Bound>>(*bound);
  if (plan.step != this->plan().step || plan.step_divisor != this->plan().step_divisor)
    set_pace(state.clock, plan);
  schemes->prepare(state.groups);
  // Nothing fails from here on.
  model_ = std::move(model);
  state_ = std::move(state);
  bound_ = std::move(bound);
  schemes_ = std::move(schemes);
  present_ = std::move(present);
}

void Simulation::observe_now(Observer& observer) {
  std::vector<GroupIndex> all;
  for (const GroupIndex g : state_.groups.indices()) {
    bound_->bind(g, present_->eval(g));
    present_->outputs(*bound_, g, time(), state_.groups[g].x);
    all.push_back(g);
  }
  for (const GroupIndex g : all) {
    std::vector<double> dx(state_.groups[g].x.size());
    present_->derivative(*bound_, g, dx);
  }
  observer.observe({time(), PointKind::full_step, present_->evals(), all});
}

void Simulation::report(const Point& point) const noexcept {
  for (const GroupIndex g : point.fresh)
    model_->report(g, *point.evals[static_cast<std::size_t>(g.value)]);
}

void Simulation::watch(const Point& point) const noexcept {
  for (const GroupIndex g : point.fresh)
    model_->watch(g, *point.evals[static_cast<std::size_t>(g.value)]);
}

std::vector<double> Simulation::continuous() const {
  std::vector<double> x;
  for (const StateInfo& s : structure().states)
    x.push_back(state_.groups[s.group].x[static_cast<std::size_t>(s.place)]);
  return x;
}

void Simulation::set_continuous(std::span<const double> x) {
  for (const StateIndex i : structure().states.indices()) {
    const StateInfo& s = structure().states[i];
    state_.groups[s.group].x[static_cast<std::size_t>(s.place)] =
        x[static_cast<std::size_t>(i.value)];
  }
  forget_histories(state_.groups);
  schemes_->poison(0.0);  // no scheme keeps anything of the state before
}

Failure Simulation::failure(Status status) const {
  Failure f{.status = status, .time = time()};
  schemes_->each_eval([&](const Eval<double>& at) {
    for (const auto& native : at.natives)
      if (native && f.complaint.empty()) f.complaint = native->complaint();
  });
  const FailedState failed = schemes_->scheme().failed_state();
  if (failed.place < 0) return f;
  const auto& states = structure().groups[failed.group].states;
  const StateInfo& x = structure().states[states[static_cast<std::size_t>(failed.place)]];
  f.state = x.name;
  f.block = structure().blocks[x.block].name;
  f.group = structure().blocks[x.block].label;
  return f;
}

std::vector<BlockScratch::Count> Simulation::counts() const {
  std::vector<BlockScratch::Count> sums;
  schemes_->each_eval([&](const Eval<double>& at) {
    for (const auto& native : at.natives) {
      if (!native) continue;
      for (const BlockScratch::Count& c : native->counts()) {
        const auto known =
            std::find_if(sums.begin(), sums.end(), [&](const auto& s) { return s.name == c.name; });
        if (known == sums.end())
          sums.push_back(c);
        else
          known->number += c.number;
      }
    }
  });
  return sums;
}

namespace {

bool same(const Coefficients<double>& a, const Coefficients<double>& b) {
  return a.stages == b.stages && a.old == b.old && a.A == b.A && a.H == b.H && a.b == b.b &&
         a.c == b.c && a.e == b.e;
}

// Whether a scheme made for one serves the other.
bool same(const Plan& a, const Plan& b) {
  bool groups = a.groups.size() == b.groups.size();
  for (int g = 0; groups && g < a.groups.size(); ++g) {
    const Plan::Group &x = a.groups[GroupIndex{g}], &y = b.groups[GroupIndex{g}];
    groups = x.ratio == y.ratio && same(x.method.k, y.method.k);
  }
  return groups && a.scheme == b.scheme && same(a.method.k, b.method.k) && a.step == b.step &&
         a.startup == b.startup && a.history == b.history && a.interp == b.interp &&
         a.signal_interps == b.signal_interps && a.order == b.order && a.inner == b.inner &&
         a.outer == b.outer && same(a.pair.slow, b.pair.slow) && same(a.pair.fast, b.pair.fast) &&
         a.threads == b.threads && a.step_divisor == b.step_divisor && a.grain == b.grain;
}

}  // namespace

void Simulation::restore(State<double> state, Plan plan) {
  check_state(state, structure(), plan);
  std::unique_ptr<Schemes> schemes;
  if (!same(plan, this->plan())) schemes = std::make_unique<Schemes>(*bound_, structure(), plan);
  auto bound = std::make_unique<Bound>(*model_, state_, inputs_);  // it knows what it last did when
  (schemes ? *schemes : *schemes_).prepare(state.groups);
  if (!schemes) schemes_->poison(0.0);  // no scheme keeps anything of the state before
  state_ = std::move(state);
  bound_ = std::move(bound);
  if (schemes) schemes_ = std::move(schemes);
  is_stopped_ = false;
}

void Simulation::poison(double value) {
  schemes_->poison(value);
  present_->poison(value);
}

}  // namespace chicane
