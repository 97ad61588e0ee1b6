// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/ticks.hpp"
#include "integrators/group_system.hpp"
#include "language/model_structure.hpp"

namespace chicane {

// Scratch of a group at one point. Sized once; meaningless between steps.
template <class T>
struct Eval {
  std::vector<T> v;
  std::vector<std::unique_ptr<BlockScratch>> natives = {};  // of blocks that need one
  std::vector<BlockView<T>> views = {};                     // of the blocks of the group on v
  const T* rates = nullptr;                                 // in v, if they stand side by side
  bool full = true;                                         // the point is the start of a full step
  bool accepted = false;  // what events and memory need has been computed, too
  bool watched = false;   // ... and what metrics need
  bool reported = false;  // ... and what only outputs need
};

// Everything a restart needs. Copyable; two runs from equal states go on bit for bit alike.
template <class T>
struct State {
  struct EventState {
    bool enabled = true, was_true = false, firing = false;
    std::int64_t fired = 0, last = 0;  // how often, and when last [atoms]
    friend bool operator==(const EventState&, const EventState&) = default;
  };
  static constexpr std::int64_t kDue = -1;  // `next` is to be found at the next full step
  struct MemoryState {
    T value{}, next{};
    std::int64_t commit_at = kDue;  // [atoms] when `next` becomes the value
    friend bool operator==(const MemoryState&, const MemoryState&) = default;
  };
  Clock clock;
  std::int64_t frames = 0;
  GroupStates<T> groups;
  PerIndex<MemoryIndex, MemoryState> memory;
  std::vector<T> constants;  // literals, parameters, derived constants
  PerIndex<EventIndex, EventState> events;
  std::vector<std::int64_t> accepted;  // [atoms] per group: where its events were last tested
  bool writing = true;                 // outputs are being written

  friend bool operator==(const State&, const State&) = default;
};

// What comes from outside, held over a step.
template <class T>
struct Inputs {
  std::vector<T> u;
};

// What events ask of whoever drives the run, before the step is taken.
struct Requests {
  std::int64_t step = 0;  // [atoms]; 0: no change
  int ratio = 0;
  const std::string* method = nullptr;
  const std::string* stop = nullptr;  // the message
  bool changed = false;               // states or parameters were set as well
  [[nodiscard]] bool any() const { return step != 0 || ratio != 0 || method || stop; }
};

// A ModelStructure made executable for one scalar.
template <class T>
class Model {
 public:
  explicit Model(std::shared_ptr<const ModelStructure> structure);

  [[nodiscard]] const ModelStructure& structure() const { return *structure_; }
  [[nodiscard]] State<T> initial_state() const;
  [[nodiscard]] Inputs<T> default_inputs() const;
  [[nodiscard]] Eval<T> make_eval(GroupIndex g) const;

  // Derived constants after a change of parameters.
  void prepare(State<T>& state) const noexcept;
  // Computes what only events, memory or outputs need; `at` must have been evaluated.
  void report(GroupIndex g, Eval<T>& at) const noexcept;
  // The same for what metrics need, which is less.
  void watch(GroupIndex g, Eval<T>& at) const noexcept;
  void run(const Schedule& schedule, Eval<T>& at) const noexcept {
    run(schedule, at.v.data(), {at.views.data(), at.full});
  }
  // Formulas alone, over values laid out as they want them.
  void run(const Schedule& schedule, T* v) const noexcept { run(schedule, v, Natives{}); }

 private:
  struct Natives {  // what native blocks see of the evaluation
    BlockView<T>* views = nullptr;
    bool full = true;
  };
  void run(const Schedule& schedule, T* v, const Natives& natives) const noexcept;
  void run_all(const Schedule& schedule, T* v, const Natives& natives) const noexcept;
  [[nodiscard]] BlockView<T> view_of(std::size_t native, Eval<T>& at) const;

  std::shared_ptr<const ModelStructure> structure_;
  std::vector<std::unique_ptr<Block<T>>> natives_;
};

// A model together with the state it is at: what a scheme steps. See GroupSystem for the meanings.
template <class T>
class BoundModel {
 public:
  using Scalar = T;
  using Eval = chicane::Eval<T>;

  BoundModel(const Model<T>& model, State<T>& state, const Inputs<T>& inputs)
      : model_(model),
        s_(model.structure()),
        state_(state),
        inputs_(inputs),
        found_(static_cast<std::size_t>(s_.memory.size()), -1) {}

  [[nodiscard]] int groups() const { return s_.groups.size(); }
  [[nodiscard]] int states(GroupIndex g) const {
    return static_cast<int>(s_.groups[g].states.size());
  }
  [[nodiscard]] int published(GroupIndex g) const {
    return static_cast<int>(s_.groups[g].publishes.size());
  }
  [[nodiscard]] std::span<const Source> sources(GroupIndex g) const { return s_.groups[g].sources; }
  [[nodiscard]] int state_of_signal(GroupIndex g, int signal) const {
    return s_.groups[g].published_states[static_cast<std::size_t>(signal)];
  }
  [[nodiscard]] bool eventful(GroupIndex g) const { return !s_.groups[g].events.empty(); }
  [[nodiscard]] bool needs_accept(GroupIndex g) const {
    return eventful(g) || !s_.groups[g].memory.empty() || !s_.groups[g].completed.empty();
  }
  [[nodiscard]] Eval make_eval(GroupIndex g) const { return model_.make_eval(g); }
  [[nodiscard]] std::span<const double> limits(GroupIndex g) const { return s_.groups[g].limits; }

  bool bind(GroupIndex g, Eval& at) const noexcept;
  void outputs(GroupIndex g, double t, std::span<const T> x, std::span<const T> u, Eval& at,
               std::span<T> y) const noexcept;
  void derivative(GroupIndex g, Eval& at, std::span<const T> u, std::span<T> dx) const noexcept;
  Accept accept(GroupIndex g, std::int64_t now, Eval& at) noexcept;
  void after_evaluation(GroupIndex g, Eval& at) noexcept;
  void commit(GroupIndex g, std::int64_t now) noexcept;

  [[nodiscard]] bool has_requests() const { return requests_.any(); }
  [[nodiscard]] Requests take_requests() { return std::exchange(requests_, {}); }

 private:
  void test_events(const GroupLayout& layout, std::int64_t now, Eval& at) noexcept;
  void fire(const EventInfo& event, Eval& at) noexcept;
  void set(const ActionInfo& action, Eval& at) noexcept;

  const Model<T>& model_;
  const ModelStructure& s_;
  State<T>& state_;
  const Inputs<T>& inputs_;
  Requests requests_;
  // [atoms] when `next` was found: it is found again when events of another group have acted since.
  PerIndex<MemoryIndex, std::int64_t> found_;
};

}  // namespace chicane
