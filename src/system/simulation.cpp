#include "system/simulation.hpp"

#include <algorithm>

#include "core/diagnostics.hpp"
#include "system/any_scheme.hpp"

namespace chicane {
namespace {

using Bound = BoundModel<double>;

// What a scheme shows, passed on to an observer if there is one.
struct Show {
  Observer* observer;
  [[nodiscard]] bool due() const { return observer != nullptr && observer->due(); }
  void operator()(double t, PointKind kind, std::span<Eval<double>* const> evals,
                  std::span<const GroupIndex> fresh) const {
    if (observer != nullptr) observer->see({t, kind, evals, fresh});
  }
};

// Everything of `from` in a structure of the same Spec and another partition.
State<double> carried_over(const State<double>& from, const Structure& old,
                           const Model<double>& model) {
  const Structure& s = model.structure();
  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.name == y.name; });
  };
  require(same(old.states, s.states) && same(old.memory, s.memory) && same(old.events, s.events) &&
              same(old.parameters, s.parameters),
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

}  // namespace

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

PlanOrder order_of(const Plan& plan, const Structure& structure) {
  if (plan.scheme == SchemeKind::reference) return {8, ""};
  if (plan.scheme == SchemeKind::single_rate) return {plan.method.order, ""};
  if (plan.scheme == SchemeKind::prk) return {plan.pair.order, ""};
  PlanOrder out{4, ""};
  const auto hold_down = [&out](int order, std::string why) {
    if (order < out.order) out = {order, std::move(why)};
  };
  const bool pece = plan.scheme != SchemeKind::multiframe;
  if (!pece)
    out.order = std::min_element(plan.groups.begin(), plan.groups.end(), [](auto& a, auto& b) {
                  return a.method.order < b.method.order;
                })->method.order;
  if (plan.scheme == SchemeKind::pece_multirate_parallel)
    hold_down(2, "the two-track algorithm predicts with fast signals of the frame before");
  for (const GroupIndex g : structure.groups.indices()) {
    const GroupLayout& layout = structure.groups[g];
    for (std::size_t i = 0; i < layout.reads.size(); ++i) {
      const GroupIndex from = layout.sources[i].group;
      const std::string& signal = structure.signals[layout.reads[i]].name;
      if (from < g) {
        const InterpolatorInfo& interp = info_of(plan.interp_of(layout.reads[i]));
        hold_down(interp.points, fmt::format("{} of '{}' has {} point{}", interp.name, signal,
                                             interp.points, interp.points == 1 ? "" : "s"));
      } else if (!pece && plan.groups[g].method.k.stages > 1) {
        hold_down(2, fmt::format("{} of group {} has stages inside its step, where '{}' of the "
                                 "faster group {} is only extrapolated linearly",
                                 plan.groups[g].method.name, layout.name, signal,
                                 structure.groups[from].name));
      }
    }
  }
  return out;
}

// Its own type only because the header need not know what the schemes look like.
struct Simulation::Scheme {
  std::unique_ptr<AnyScheme<Bound, Show>> any;
};

Simulation::Simulation(std::shared_ptr<const Structure> structure, Plan plan)
    : model_(std::make_unique<Model<double>>(std::move(structure))),
      plan_(std::move(plan)),
      state_(model_->initial_state()),
      inputs_(model_->default_inputs()),
      bound_(std::make_unique<Bound>(*model_, state_, inputs_)) {
  check_plan();
  state_.clock.rebase(plan_.step / plan_.refine / kTicksPerFrame);
  make_scheme();
}

Simulation::~Simulation() = default;

void Simulation::check_plan() const {
  const int groups = structure().groups.size();
  require(is_multirate(plan_.scheme) ? plan_.groups.size() == groups : groups == 1,
          "the model was compiled for another scheme: use partition_for");
  require(plan_.step > 0 && plan_.step % (2 * plan_.refine) == 0,
          "a step must be a whole number of picoseconds");
}

void Simulation::make_scheme() {
  look_ = std::make_unique<Joint<Bound>>(*bound_);
  scheme_ =
      std::make_unique<Scheme>(Scheme{chicane::make_scheme<Show>(*bound_, plan_, structure())});
  scheme_->any->prepare(state_.groups);
}

Status Simulation::step(Observer* observer) noexcept {
  for (;;) {
    const Status status = scheme_->any->step(*bound_, state_.clock, state_.groups, Show{observer});
    if (status == Status::ok) ++state_.frames;
    if (status != Status::ok && status != Status::interrupted) return status;
    if (status == Status::ok && !bound_->has_requests()) return status;
    // Events ask for something before the frame, or faster groups have asked for it during it.
    const Requests requests = bound_->take_requests();
    if (requests.stop != nullptr) {
      stopped_ = *requests.stop;
      return Status::interrupted;
    }
    apply(requests);
    if (status == Status::ok) return status;
  }
}

void Simulation::apply(const Requests& requests) {
  Plan plan = plan_;
  if (requests.step != 0) plan.step = requests.step;
  if (requests.ratio != 0)
    for (const GroupIndex g : plan.groups.indices())
      if (g.value > 0) plan.groups[g].ratio = requests.ratio;
  if (requests.method != nullptr) {
    plan.method = *structure().find_method(*requests.method);
    for (Plan::Group& g : plan.groups) g.method = plan.method;
  }
  if (requests.changed && plan_.history == HistoryPolicy::restart)
    for (GroupState<double>& g : state_.groups) g.history.count = g.signals.count = 0;
  replan(std::move(plan));
}

// Old derivatives and samples are good for the spacing they were taken at, and f_n of the pece
// schemes stands where others have f_{n-1}. A new method at the same step can use what is there.
void Simulation::replan(Plan plan) {
  bool respaced = plan.step != plan_.step || plan.scheme != plan_.scheme;
  for (const GroupIndex g : plan_.groups.indices())
    if (g.value < plan.groups.size())
      respaced = respaced || plan.groups[g].ratio != plan_.groups[g].ratio;
  if (respaced)
    for (GroupState<double>& g : state_.groups) g.history.count = g.signals.count = 0;
  const bool rebase = plan.step != plan_.step || plan.refine != plan_.refine;
  plan_ = std::move(plan);
  check_plan();
  if (rebase) state_.clock.rebase(plan_.step / plan_.refine / kTicksPerFrame);
  make_scheme();
}

void Simulation::regroup(std::shared_ptr<const Structure> structure, Plan plan) {
  auto model = std::make_unique<Model<double>>(std::move(structure));
  State<double> state = carried_over(state_, this->structure(), *model);
  scheme_.reset();
  look_.reset();
  model_ = std::move(model);
  state_ = std::move(state);
  bound_ = std::make_unique<Bound>(*model_, state_, inputs_);
  replan(std::move(plan));
}

void Simulation::look(Observer& observer) {
  std::vector<GroupIndex> all;
  for (const GroupIndex g : state_.groups.indices()) {
    bound_->bind(g, look_->eval(g));
    look_->outputs(*bound_, g, time(), state_.groups[g].x);
    all.push_back(g);
  }
  for (const GroupIndex g : all) {
    std::vector<double> dx(state_.groups[g].x.size());
    look_->derivative(*bound_, g, dx);
  }
  observer.see({time(), PointKind::full_step, look_->evals(), all});
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
  for (GroupState<double>& g : state_.groups) g.history.count = g.signals.count = 0;
  make_scheme();
}

Failure Simulation::failure(Status status) const {
  Failure f{.status = status, .time = time()};
  scheme_->any->each_eval([&](const Eval<double>& at) {
    for (const auto& native : at.natives)
      if (native && f.complaint.empty()) f.complaint = native->complaint();
  });
  const Culprit culprit = scheme_->any->culprit();
  if (culprit.place < 0) return f;
  const auto& states = structure().groups[culprit.group].states;
  const StateInfo& x = structure().states[states[static_cast<std::size_t>(culprit.place)]];
  f.state = x.name;
  f.block = structure().blocks[x.block].name;
  f.group = structure().blocks[x.block].label;
  return f;
}

std::vector<BlockScratch::Count> Simulation::counts() const {
  std::vector<BlockScratch::Count> sums;
  scheme_->any->each_eval([&](const Eval<double>& at) {
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
         a.threads == b.threads && a.refine == b.refine;
}

}  // namespace

void Simulation::restore(State<double> state, Plan plan) {
  const bool scheme_serves = same(plan, plan_);
  state_ = std::move(state);
  bound_ = std::make_unique<Bound>(*model_, state_, inputs_);  // it knows when it last did what
  plan_ = std::move(plan);
  check_plan();
  if (!scheme_serves) {
    make_scheme();
    return;
  }
  scheme_->any->prepare(state_.groups);
  scheme_->any->poison(0.0);  // it keeps nothing of the state before
}

void Simulation::poison(double value) {
  scheme_->any->poison(value);
  look_->poison(value);
}

}  // namespace chicane
