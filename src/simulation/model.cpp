// SPDX-License-Identifier: Apache-2.0
#include "simulation/model.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "math/lanes.hpp"

namespace chicane {

template <class T>
Model<T>::Model(std::shared_ptr<const ModelStructure> structure)
    : structure_(std::move(structure)) {
  if constexpr (requires(const BlockKind& kind) { kind.make(T{}); })
    for (const NativePlace& n : structure_->natives) natives_.push_back(n.kind->make(T{}));
  else
    require(structure_->natives.empty(), "blocks written in C++ are not made for lanes");
}

template <class T>
void Model<T>::run(const Schedule& schedule, T* v, const Natives& natives) const noexcept {
  const ModelStructure& s = *structure_;
  if (schedule.size() == 1 && schedule.front().block == Call::kArithmetic) {
    const Call& call =
        schedule.front();  // small models are this alone: nothing to save and restore
    return execute_arithmetic<T>({s.code.data() + call.begin, call.end - call.begin}, v);
  }
  run_all(schedule, v, natives);
}

template <class T>
void Model<T>::run_all(const Schedule& schedule, T* v, const Natives& natives) const noexcept {
  const ModelStructure& s = *structure_;
  for (const Call& call : schedule) {
    if (call.block >= 0) {
      const auto which = static_cast<std::size_t>(call.block);
      BlockView<T>& view = natives.views[which];
      view.t = v[call.begin];
      view.full = natives.full;
      natives_[which]->run(call.task, view);
      continue;
    }
    const std::span code(s.code.data() + call.begin, call.end - call.begin);
    if (call.block == Call::kArithmetic)
      execute_arithmetic<T>(code, v);
    else
      execute_functions<T>(code, v, s.tables);
  }
}

template <class T>
BlockView<T> Model<T>::view_of(std::size_t native, Eval<T>& at) const {
  const NativePlace& n = structure_->natives[native];
  T* v = at.v.data();
  return {.p = {v + n.p, n.np},
          .x = {v + n.x, n.nx},
          .z = {v + n.z, n.nz},
          .values = v,
          .wires = n.wires,
          .y = {v + n.y, n.ny},
          .dx = {v + n.dx, n.nx},
          .z_next = {v + n.z_next, n.nz},
          .completed = {v + n.x, n.nx},
          .scratch = {v + n.scratch, n.nscratch},
          .own = at.natives[native].get()};
}

template <class T>
void Model<T>::prepare(State<T>& state) const noexcept {
  run(structure_->prepare, state.constants.data());
}

template <class T>
void Model<T>::report(GroupIndex g, Eval<T>& at) const noexcept {
  if (std::exchange(at.reported, true)) return;
  watch(g, at);
  run(structure_->groups[g].report, at);
}

template <class T>
void Model<T>::watch(GroupIndex g, Eval<T>& at) const noexcept {
  if (std::exchange(at.watched, true)) return;
  if (!at.accepted) run(structure_->groups[g].accept, at);
  run(structure_->groups[g].watch, at);
}

template <class T>
Eval<T> Model<T>::make_eval(GroupIndex g) const {
  Eval<T> at{std::vector<T>(structure_->groups[g].size)};
  const std::vector<Slot>& rates = structure_->groups[g].rates;
  const auto gap =
      std::adjacent_find(rates.begin(), rates.end(), [](Slot a, Slot b) { return b != a + 1; });
  if (!rates.empty() && gap == rates.end()) at.rates = at.v.data() + rates.front();
  for (std::size_t i = 0; i < natives_.size(); ++i) {
    const bool here = structure_->natives[i].group == g;
    at.natives.push_back(here ? natives_[i]->make_scratch() : nullptr);
    at.views.push_back(here ? view_of(i, at) : BlockView<T>{});
  }
  return at;
}

template <class T>
Inputs<T> Model<T>::default_inputs() const {
  Inputs<T> inputs;
  for (const InputInfo& i : structure_->inputs) inputs.u.push_back(T(i.value));
  return inputs;
}

template <class T>
State<T> Model<T>::initial_state() const {
  const ModelStructure& s = *structure_;
  State<T> state;
  state.constants.assign(s.constants.begin(), s.constants.end());
  for (const ParameterInfo& p : s.parameters) state.constants[p.slot] = T(p.value);
  prepare(state);

  // The initial calculations see constants, all states and all memory in one array.
  std::vector<T> v(s.initial_size);
  const auto refresh = [&] {
    std::copy(state.constants.begin(), state.constants.end(), v.begin());
  };
  refresh();
  for (const InitialInfo& i : s.initial) {
    run(i.code, v.data());
    const T value = v[i.target.from];
    const auto index = static_cast<std::uint32_t>(i.target.index);
    switch (i.target.kind) {
      case ActionInfo::Target::Kind::parameter:
        state.constants[s.parameters[ParameterIndex{i.target.index}].slot] = value;
        prepare(state);
        refresh();
        break;
      case ActionInfo::Target::Kind::state:
        v[s.initial_states + index] = value;
        break;
      case ActionInfo::Target::Kind::memory:
        v[s.initial_memory + index] = value;
        break;
    }
  }
  if (s.start) {
    std::copy(s.start->states.begin(), s.start->states.end(), v.begin() + s.initial_states);
    std::copy(s.start->memory.begin(), s.start->memory.end(), v.begin() + s.initial_memory);
  }
  for (const GroupLayout& g : s.groups) {
    GroupState<T> group;
    for (const StateIndex i : g.states)
      group.x.push_back(v[s.initial_states + static_cast<std::uint32_t>(i.value)]);
    state.groups.push_back(std::move(group));
  }
  for (int i = 0; i < s.memory.size(); ++i) {
    const T value = v[s.initial_memory + static_cast<std::uint32_t>(i)];
    state.memory.push_back({value, value, State<T>::kDue});
  }
  for (const EventInfo& e : s.events) state.events.push_back({.enabled = e.enabled});
  state.accepted.assign(static_cast<std::size_t>(s.groups.size()), -1);
  return state;
}

// --- one step seen from the scheme ---------------------------------------------------------------

// Copies where anything is different, to the bit, and says so. Other scalars than plain numbers are
// always copied.
namespace {
template <class T>
bool replace(T* to, const T* from, std::size_t n) noexcept {
  if constexpr (std::is_same_v<T, double>)
    if (n == 0 || std::memcmp(to, from, n * sizeof(double)) == 0) return false;
  std::copy(from, from + n, to);
  return true;
}
}  // namespace

template <class T>
bool BoundModel<T>::bind(GroupIndex g, Eval& at) const noexcept {
  const GroupLayout& layout = s_.groups[g];
  T* v = at.v.data();
  bool changed = replace(v, state_.constants.data(), state_.constants.size());
  changed = replace(v + layout.inputs, inputs_.u.data(), inputs_.u.size()) || changed;
  for (const MemoryIndex m : layout.memory)
    changed = replace(v + s_.memory[m].value, &state_.memory[m].value, 1) || changed;
  at.full = true;
  return changed;
}

template <class T>
void BoundModel<T>::outputs(GroupIndex g, double t, std::span<const T> x, std::span<const T> u,
                            Eval& at, std::span<T> y) const noexcept {
  const GroupLayout& layout = s_.groups[g];
  T* v = at.v.data();
  at.accepted = at.watched = at.reported = false;
  v[layout.t] = T(t);
  std::copy(x.begin(), x.end(), v + layout.x);
  std::copy(u.begin(), u.end(), v + layout.u);
  model_.run(at.full ? layout.outputs : layout.outputs_inner, at);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = v[s_.signals[layout.publishes[i]].slot];
}

template <class T>
void BoundModel<T>::derivative(GroupIndex g, Eval& at, std::span<const T> u,
                               std::span<T> dx) const noexcept {
  const GroupLayout& layout = s_.groups[g];
  T* v = at.v.data();
  std::copy(u.begin(), u.end(), v + layout.u);
  model_.run(at.full ? layout.derivative : layout.derivative_inner, at);
  if (at.rates != nullptr)
    std::copy_n(at.rates, dx.size(), dx.begin());
  else
    for (std::size_t i = 0; i < dx.size(); ++i) dx[i] = v[layout.rates[i]];
}

template <class T>
Accept BoundModel<T>::accept(GroupIndex g, std::int64_t now, Eval& at) noexcept {
  const GroupLayout& layout = s_.groups[g];
  model_.run(layout.accept, at);
  at.accepted = true;
  for (const auto& [place, n] : layout.completed)
    std::copy_n(at.v.data() + layout.x + place, n, state_.groups[g].x.data() + place);
  auto& accepted = state_.accepted[static_cast<std::size_t>(g.value)];
  if (!layout.events.empty() && accepted != now) {
    accepted = now;
    // What was asked for earlier in the frame waits for its end and is no news.
    const bool waiting = requests_.any(), before = std::exchange(requests_.changed, false);
    test_events(layout, now, at);
    const bool changed = std::exchange(requests_.changed, before);
    if (requests_.any() && !waiting) {
      requests_.changed = changed;
      return Accept::interrupt;
    }
    if (changed) return Accept::changed;
  }
  for (const MemoryIndex m : layout.memory) {
    const MemoryInfo& info = s_.memory[m];
    auto& memory = state_.memory[m];
    const bool again = found_[m] == now;
    if ((memory.commit_at != State<T>::kDue && !again) || info.every_evaluation) continue;
    found_[m] = now;
    memory.next = at.v[info.next];
    memory.commit_at = info.sample == 0 ? now : (now / info.sample + 1) * info.sample;
  }
  return Accept::unchanged;
}

// All conditions are tested on the values of this instant, then all actions are taken: an event
// that another one enables waits for the next full step.
template <class T>
void BoundModel<T>::test_events(const GroupLayout& layout, std::int64_t now, Eval& at) noexcept {
  for (const EventIndex e : layout.events) {
    auto& event = state_.events[e];
    const EventInfo& info = s_.events[e];
    const bool holds = value_of(at.v[info.condition]) > kUnknown;
    event.firing = event.enabled && holds && (!event.was_true || info.repeat == Repeat::every_step);
    event.was_true = event.enabled && holds;
  }
  for (const EventIndex e : layout.events) {
    auto& event = state_.events[e];
    if (!std::exchange(event.firing, false)) continue;
    ++event.fired;
    event.last = now;
    if (s_.events[e].repeat == Repeat::once) event.enabled = false;
    fire(s_.events[e], at);
  }
}

template <class T>
void BoundModel<T>::fire(const EventInfo& event, Eval& at) noexcept {
  for (const ActionInfo& a : event.actions) {
    switch (a.kind) {
      case ActionSpec::Kind::set:
        set(a, at);
        break;
      case ActionSpec::Kind::write:
        state_.writing = a.on;
        break;
      case ActionSpec::Kind::enable:
      case ActionSpec::Kind::disable:
        for (const EventIndex e : a.events) {
          state_.events[e].enabled = a.kind == ActionSpec::Kind::enable;
          state_.events[e].was_true = false;
        }
        break;
      case ActionSpec::Kind::step:
        requests_.step = a.step;
        break;
      case ActionSpec::Kind::ratio:
        requests_.ratio = a.ratio;
        break;
      case ActionSpec::Kind::method:
        requests_.method = &a.text;
        break;
      case ActionSpec::Kind::stop:
        requests_.stop = &a.text;
        break;
    }
  }
}

// All right-hand sides first, then all targets: the order of the lines does not matter.
template <class T>
void BoundModel<T>::set(const ActionInfo& action, Eval& at) noexcept {
  model_.run(action.code, at);
  bool parameters = false;
  for (const ActionInfo::Target& target : action.targets) {
    const T value = at.v[target.from];
    switch (target.kind) {
      case ActionInfo::Target::Kind::parameter:
        state_.constants[s_.parameters[ParameterIndex{target.index}].slot] = value;
        parameters = true;
        break;
      case ActionInfo::Target::Kind::state: {
        const StateInfo& x = s_.states[StateIndex{target.index}];
        state_.groups[x.group].x[static_cast<std::size_t>(x.place)] = value;
        break;
      }
      case ActionInfo::Target::Kind::memory:
        state_.memory[MemoryIndex{target.index}].value = value;
        break;
    }
  }
  if (parameters) model_.prepare(state_);
  requests_.changed = true;
}

template <class T>
void BoundModel<T>::after_evaluation(GroupIndex g, Eval& at) noexcept {
  const GroupLayout& layout = s_.groups[g];
  at.full = false;
  if (layout.every.empty()) return;
  model_.run(layout.every, at);
  for (const MemoryIndex m : layout.memory) {
    if (!s_.memory[m].every_evaluation) continue;
    state_.memory[m].value = at.v[s_.memory[m].value] = at.v[s_.memory[m].next];
  }
}

template <class T>
void BoundModel<T>::commit(GroupIndex g, std::int64_t now) noexcept {
  for (const MemoryIndex m : s_.groups[g].memory) {
    auto& memory = state_.memory[m];
    if (memory.commit_at == State<T>::kDue || now < memory.commit_at) continue;
    memory.value = memory.next;
    memory.commit_at = State<T>::kDue;
  }
}

template class Model<double>;
template class Model<Dual>;
template class Model<Lanes<4>>;
template class Model<Lanes<8>>;
template class BoundModel<double>;
template class BoundModel<Dual>;

}  // namespace chicane
