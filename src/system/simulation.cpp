#include "system/simulation.hpp"

#include "core/diagnostics.hpp"
#include "integrators/reference/reference.hpp"
#include "integrators/single_rate/single_rate.hpp"

namespace chicane {

namespace {

constexpr GroupIndex kAll{0};
constexpr std::int64_t kTicksPerStep = 2;  // a tick is half a step

}  // namespace

// The schemes behind one interface, so that an event can exchange them.
class Simulation::Scheme {
 public:
  virtual ~Scheme() = default;
  virtual Status step(BoundModel<double>& bound, State<double>& state, Observer* observer) = 0;
  [[nodiscard]] virtual int culprit() const = 0;
  [[nodiscard]] virtual int old_steps() const = 0;
  virtual void poison(double value) = 0;
};

template <class Kind>
class Simulation::SchemeOf final : public Simulation::Scheme {
 public:
  template <class... Args>
  explicit SchemeOf(Args&&... args) : scheme_(std::forward<Args>(args)...) {}

  Status step(BoundModel<double>& bound, State<double>& state, Observer* observer) override {
    return scheme_.step(bound, state.clock, kTicksPerStep, state.groups.front(),
                        [observer](Eval<double>& at, double t, PointKind kind) {
                          if (observer != nullptr) observer->see(t, kind, at);
                        });
  }
  [[nodiscard]] int culprit() const override { return scheme_.culprit(); }
  [[nodiscard]] int old_steps() const override { return scheme_.old_steps(); }
  void poison(double value) override {
    if constexpr (requires { scheme_.poison(value); }) scheme_.poison(value);
  }

 private:
  Kind scheme_;
};

Simulation::Simulation(std::shared_ptr<const Structure> structure, Plan plan)
    : model_(std::move(structure)),
      plan_(std::move(plan)),
      state_(model_.initial_state()),
      inputs_(model_.default_inputs()),
      bound_(model_, state_, inputs_),
      look_(model_.make_eval(kAll)) {
  require(this->structure().groups.size() == 1,
          "these schemes advance all blocks together: compile with Partition::together");
  require(plan_.step > 0 && plan_.step % (2 * plan_.refine) == 0,
          "a step must be a whole number of picoseconds");
  state_.clock.rebase(plan_.step / plan_.refine / kTicksPerStep);
  make_scheme();
}

Simulation::~Simulation() = default;

void Simulation::make_scheme() {
  using Bound = BoundModel<double>;
  if (plan_.scheme == SchemeKind::reference)
    scheme_ = std::make_unique<SchemeOf<ReferenceScheme<Bound>>>(bound_, plan_.history);
  else
    scheme_ = std::make_unique<SchemeOf<SingleRate<Bound>>>(bound_, plan_.method, plan_.startup,
                                                            plan_.history);
  for (GroupState<double>& g : state_.groups)
    g.history = g.history.resized(scheme_->old_steps(), static_cast<int>(g.x.size()));
}

Status Simulation::step(Observer* observer) noexcept {
  for (;;) {
    const Status status = scheme_->step(bound_, state_, observer);
    if (status == Status::ok) ++state_.frames;
    if (status != Status::interrupted) return status;
    const Requests requests = bound_.take_requests();
    if (requests.stop != nullptr) {
      stopped_ = *requests.stop;
      return status;
    }
    apply(requests);
  }
}

// A new step makes old derivatives useless: they have the old spacing. A new method keeps them.
void Simulation::apply(const Requests& requests) {
  const bool restart =
      requests.step != 0 || (requests.changed && plan_.history == HistoryPolicy::restart);
  if (requests.step != 0) {
    plan_.step = requests.step;
    state_.clock.rebase(plan_.step / plan_.refine / kTicksPerStep);
  }
  if (restart)
    for (GroupState<double>& g : state_.groups) g.history.count = 0;
  if (requests.method != nullptr) {
    plan_.method = *structure().find_method(*requests.method);
    make_scheme();
  }
}

void Simulation::look(Observer& observer) {
  const GroupState<double>& s = state_.groups.front();
  std::vector<double> dx(s.x.size());
  bound_.bind(kAll, look_);
  evaluate<BoundModel<double>>(bound_, kAll, time(), s.x, look_, dx);
  observer.see(time(), PointKind::full_step, look_);
}

Failure Simulation::failure(Status status) const {
  Failure f{.status = status, .time = time()};
  const int place = scheme_->culprit();
  const auto& states = structure().groups[kAll].states;
  if (place < 0 || place >= static_cast<int>(states.size())) return f;
  const StateInfo& x = structure().states[states[static_cast<std::size_t>(place)]];
  f.state = x.name;
  f.block = structure().blocks[x.block].name;
  f.group = structure().blocks[x.block].label;
  return f;
}

void Simulation::restore(State<double> state, std::int64_t step, const Method& method) {
  state_ = std::move(state);
  plan_.step = step;
  plan_.method = method;
  make_scheme();
}

void Simulation::poison(double value) {
  scheme_->poison(value);
  std::fill(look_.v.begin(), look_.v.end(), value);
}

}  // namespace chicane
