// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "integrators/method.hpp"
#include "integrators/multirate/interpolator.hpp"
#include "integrators/multirate/multiframe.hpp"
#include "integrators/tableaus/pairs.hpp"
#include "simulation/model.hpp"

namespace chicane {

enum class SchemeKind {
  single_rate,
  multiframe,
  pece_multirate,
  pece_multirate_parallel,
  prk,
  reference
};

std::string_view scheme_name(SchemeKind scheme);
std::optional<SchemeKind> find_scheme(std::string_view name);
std::vector<std::string_view> scheme_names();

// Which schemes advance all blocks as one group, and which need the groups apart.
constexpr bool is_multirate(SchemeKind s) {
  return s != SchemeKind::single_rate && s != SchemeKind::reference;
}
// The groups of the file, slowest first: by the ratios of its run section and, where those are
// equal, the group called `slow` first, the one called `fast` last, the others as they are written;
// or all blocks together.
Partition partition_for(SchemeKind scheme, const Spec& spec);

// How a model is advanced: a run-time choice, which events and whoever drives a run may change
// between frames.
struct Plan {
  struct Group {
    Method method;
    int ratio = 1;  // steps per frame
  };
  SchemeKind scheme = SchemeKind::single_rate;
  Method method;                            // of single-rate
  PerIndex<GroupIndex, Group> groups = {};  // of multirate schemes, slowest first
  std::int64_t step = 0;                    // [atoms] of the slowest group, even
  Startup startup = Startup::rk4;
  HistoryPolicy history = HistoryPolicy::keep;
  Interpolator interp = Interpolator::interp1;
  std::vector<std::pair<SignalIndex, Interpolator>> signal_interps = {};  // where it differs
  FrameOrder order = FrameOrder::slow_first;
  int inner = 1, outer = 1;  // iterations of the pece schemes
  TableauPair pair = {};     // of prk
  int threads = 1;
  int step_divisor = 1;  // divides every step, those set by events too: for checking a step
  // [atoms] Steps that events ask for are rounded down to a multiple of it: runs that are compared
  // frame by frame take the grain of the finest.
  std::int64_t grain = 2;

  [[nodiscard]] Interpolator interp_of(SignalIndex signal) const;
};

// Every step divided by `factor` more; a step must stay a whole number of picoseconds.
Plan refined(Plan plan, int factor);

// Everything of a state of `from` in a structure of the same model with other groups; histories are
// empty.
State<double> carried_over(const State<double>& state, const ModelStructure& from,
                           const Model<double>& to);

// The order that a plan promises for a model, and what holds it down below its methods' own.
struct PlanOrder {
  int order = 0;
  std::string loss;  // empty where nothing is lost
};
PlanOrder order_of(const Plan& plan, const ModelStructure& structure);

// The evaluations of all groups at a point; `fresh` are those that stand at it, the others at the
// start of their step.
struct Point {
  double t;
  PointKind kind;
  std::span<Eval<double>* const> evals;
  std::span<const GroupIndex> fresh;

  [[nodiscard]] double value(const SignalInfo& signal) const {  // SI
    return evals[static_cast<std::size_t>(signal.group.value)]->v[signal.slot];
  }
};

// Sees every frame (events done), the steps of faster groups inside it and, for real-time methods,
// the points inside a step. Called inside the step: it must not allocate, throw or wait.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void observe(const Point& point) noexcept = 0;
  // Whether it wants the coming frame: asked where showing it costs an evaluation more.
  [[nodiscard]] virtual bool due() const noexcept { return true; }
};

// What stopped a run that could not go on.
struct Failure {
  Status status = Status::ok;
  std::string state, block, group;  // the first state that ran away, and where it belongs
  double time = 0;                  // of the last good frame
  std::string complaint;            // of a block that could not be evaluated
};

// A model in motion: state, plan and scheme. `step` allocates nothing, throws nothing and waits for
// nothing; the schemes that events can ask for are made ahead. (The reference scheme allocates.)
//
// What cannot be done is refused with a UsageError, and then nothing has changed.
class Simulation {
 public:
  // The structure must have been compiled with partition_for(plan.scheme).
  Simulation(std::shared_ptr<const ModelStructure> structure, Plan plan);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // One frame. Status::interrupted: an event ended the run, see stopped().
  Status step(Observer* observer = nullptr) noexcept;
  // Evaluates at the present point, for outputs; nothing advances and no event acts.
  void observe_now(Observer& observer);
  // Computes what only outputs need at a point that was shown.
  void report(const Point& point) const noexcept;
  // The same for what metrics need.
  void watch(const Point& point) const noexcept;

  [[nodiscard]] const Model<double>& model() const { return *model_; }
  [[nodiscard]] const ModelStructure& structure() const { return model_->structure(); }
  [[nodiscard]] const State<double>& state() const { return state_; }
  [[nodiscard]] const Plan& plan() const;
  [[nodiscard]] Inputs<double>& inputs() { return inputs_; }
  [[nodiscard]] double time() const { return state_.clock.time(); }
  // The message of the event that ended the run; nullptr: none has.
  [[nodiscard]] const std::string* stopped() const {
    return is_stopped_ ? &stop_message_ : nullptr;
  }
  [[nodiscard]] Failure failure(Status status) const;
  // What blocks have counted since the plan was last changed from outside, summed over all places
  // where they are evaluated.
  [[nodiscard]] std::vector<BlockScratch::Count> counts() const;

  // All continuous states in the order of the ModelStructure, whatever their groups.
  [[nodiscard]] std::vector<double> continuous() const;
  void set_continuous(std::span<const double> x);  // histories start anew

  // From the next frame on. Parameters that a block was made with cannot be set. Histories go the
  // way of the plan's policy, as when an event sets it.
  void set_parameter(ParameterIndex parameter, double value);

  // Goes on with another plan, from the next frame on: step, ratio, method, interpolator, scheme.
  // Histories that the new plan cannot use start anew, so that no order is lost.
  void replan(Plan plan);
  // The same, with blocks in other groups: a structure of the same Spec, compiled with another
  // partition.
  void regroup(std::shared_ptr<const ModelStructure> structure, Plan plan);
  // Goes on from a saved state, with the plan it was saved under.
  void restore(State<double> state, Plan plan);
  // Fills all scratch with a value; nothing that follows may change.
  void poison(double value);

 private:
  class Schemes;

  void apply(const Requests& requests) noexcept;

  std::unique_ptr<Model<double>> model_;
  State<double> state_;
  Inputs<double> inputs_;
  std::unique_ptr<BoundModel<double>> bound_;
  std::unique_ptr<Schemes> schemes_;
  std::unique_ptr<CoupledGroups<BoundModel<double>>> present_;
  std::string stop_message_;  // with room for every message there is
  bool is_stopped_ = false;
};

}  // namespace chicane
