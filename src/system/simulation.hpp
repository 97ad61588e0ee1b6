#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "integrators/method.hpp"
#include "system/model.hpp"

namespace chicane {

enum class SchemeKind { single_rate, reference };

// How a model is advanced: a run-time choice that events may change.
struct Plan {
  SchemeKind scheme = SchemeKind::single_rate;
  Method method;
  std::int64_t step = 0;  // [atoms] of the slowest group, even
  Startup startup = Startup::rk4;
  HistoryPolicy history = HistoryPolicy::keep;
  int refine = 1;  // divides every step, those set by events too: for checking a step
};

// Sees every full step (events done) and, for real-time methods, the points between. Called inside
// the step: it must not allocate, throw or wait.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void see(double t, PointKind kind, Eval<double>& at) noexcept = 0;
};

// What stopped a run that could not go on.
struct Failure {
  Status status = Status::ok;
  std::string state, block, group;  // the first state that ran away, and where it belongs
  double time = 0;                  // of the last good frame
};

// A model in motion: state, plan and scheme. `step` allocates nothing unless an event changes the
// plan.
class Simulation {
 public:
  Simulation(std::shared_ptr<const Structure> structure, Plan plan);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // One frame. Status::interrupted: an event ended the run, see stopped().
  Status step(Observer* observer = nullptr) noexcept;
  // Evaluates at the present point, for outputs; nothing advances and no event acts.
  void look(Observer& observer);

  [[nodiscard]] const Model<double>& model() const { return model_; }
  [[nodiscard]] const Structure& structure() const { return model_.structure(); }
  [[nodiscard]] const State<double>& state() const { return state_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] Inputs<double>& inputs() { return inputs_; }
  [[nodiscard]] double time() const { return state_.clock.time(); }
  [[nodiscard]] const std::optional<std::string>& stopped() const { return stopped_; }
  [[nodiscard]] Failure failure(Status status) const;

  // Goes on from a saved state, with the plan it was saved under.
  void restore(State<double> state, std::int64_t step, const Method& method);
  // Fills all scratch with a value; nothing that follows may change.
  void poison(double value);

 private:
  class Scheme;
  template <class Kind>
  class SchemeOf;

  void apply(const Requests& requests);
  void make_scheme();

  Model<double> model_;
  Plan plan_;
  State<double> state_;
  Inputs<double> inputs_;
  BoundModel<double> bound_;
  std::unique_ptr<Scheme> scheme_;
  Eval<double> look_;
  std::optional<std::string> stopped_;
};

}  // namespace chicane
