// SPDX-License-Identifier: Apache-2.0
#include "analysis/differentiate.hpp"

#include <algorithm>

#include "core/diagnostics.hpp"

namespace chicane {
namespace {

// A point in dual numbers, all directions zero, and the scratch to evaluate it.
class DualPoint {
 public:
  DualPoint(const Model<Dual>& model, const OperatingPoint& at)
      : model_(model),
        plain_(at),
        state_(model.initial_state()),
        x_(at.state.groups[kAllTogether].x.begin(), at.state.groups[kAllTogether].x.end()),
        dx_(x_.size()),
        eval_(model.make_eval(kAllTogether)) {
    state_.clock = at.state.clock;
    for (const MemoryIndex m : at.state.memory.indices())
      state_.memory[m].value = Dual(at.state.memory[m].value);
    inputs_.u.assign(at.inputs.u.begin(), at.inputs.u.end());
    restore_constants();
  }

  void seed(const Variable& v, std::size_t direction) { number(v).b[direction] = 1.0; }
  void seed(const std::vector<double>& along, std::size_t direction) {
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i].b[direction] = along[i];
  }
  void clear(const Variable& v) {
    number(v).b = {};
    if (v.kind == Variable::Kind::parameter) restore_constants();
  }

  void evaluate(bool parameters) {
    if (parameters) model_.prepare(state_);
    const BoundModel<Dual> bound(model_, state_, inputs_);
    bound.bind(kAllTogether, eval_);
    bound.outputs(kAllTogether, state_.clock.time(), x_, {}, eval_, {});
    bound.derivative(kAllTogether, eval_, {}, dx_);
    model_.report(kAllTogether, eval_);
  }

  [[nodiscard]] const std::vector<Dual>& rates() const { return dx_; }
  [[nodiscard]] const Dual& value(Slot slot) const { return eval_.v[slot]; }

 private:
  Dual& number(const Variable& v) {
    const auto i = static_cast<std::size_t>(v.index);
    switch (v.kind) {
      case Variable::Kind::state:
        return x_[i];
      case Variable::Kind::input:
        return inputs_.u[i];
      case Variable::Kind::parameter:
        break;
    }
    return state_.constants[model_.structure().parameters[ParameterIndex{v.index}].slot];
  }
  void restore_constants() {
    std::copy(plain_.state.constants.begin(), plain_.state.constants.end(),
              state_.constants.begin());
  }

  const Model<Dual>& model_;
  const OperatingPoint& plain_;
  State<Dual> state_;
  Inputs<Dual> inputs_;
  std::vector<Dual> x_, dx_;
  Eval<Dual> eval_;
};

std::vector<Variable> first(Variable::Kind kind, std::size_t n) {
  std::vector<Variable> list;
  for (std::size_t i = 0; i < n; ++i) list.push_back({kind, static_cast<int>(i)});
  return list;
}

}  // namespace

std::vector<Variable> all_states(const ModelStructure& structure) {
  return first(Variable::Kind::state, structure.groups[kAllTogether].states.size());
}

std::vector<Variable> all_inputs(const ModelStructure& structure) {
  return first(Variable::Kind::input, static_cast<std::size_t>(structure.inputs.size()));
}

Derivatives differentiate(const Model<Dual>& model, const OperatingPoint& at,
                          std::span<const Variable> along, std::span<const SignalIndex> signals) {
  const ModelStructure& s = model.structure();
  require(s.groups.size() == 1, "a model is differentiated with all its blocks together");
  DualPoint point(model, at);
  const std::size_t n = point.rates().size(), columns = along.size();
  const auto memory = static_cast<std::size_t>(s.memory.size());
  Derivatives out{std::vector<double>(n), std::vector<double>(signals.size()),
                  RealMatrix(n, std::vector<double>(columns)),
                  RealMatrix(signals.size(), std::vector<double>(columns)),
                  RealMatrix(memory, std::vector<double>(columns))};
  std::size_t begin = 0;
  do {  // as many columns at once as a dual number has directions; values even without columns
    const auto part = along.subspan(begin, std::min(Dual::kDirections, columns - begin));
    for (std::size_t j = 0; j < part.size(); ++j) point.seed(part[j], j);
    point.evaluate(std::any_of(part.begin(), part.end(), [](const Variable& v) {
      return v.kind == Variable::Kind::parameter;
    }));
    const auto take = [&](const Dual& from, std::vector<double>& row) {
      std::copy_n(from.b.begin(), part.size(), row.begin() + static_cast<std::ptrdiff_t>(begin));
      return from.a;
    };
    for (std::size_t i = 0; i < n; ++i) out.rates[i] = take(point.rates()[i], out.rates_by[i]);
    for (std::size_t i = 0; i < signals.size(); ++i)
      out.signals[i] = take(point.value(s.signals[signals[i]].slot), out.signals_by[i]);
    for (std::size_t i = 0; i < memory; ++i)
      take(point.value(s.memory[MemoryIndex{static_cast<int>(i)}].next), out.next_by[i]);
    for (const Variable& v : part) point.clear(v);
    begin += part.size();
  } while (begin < columns);
  return out;
}

void columns_of_rates(
    const Model<Dual>& model, const OperatingPoint& at,
    const std::function<void(std::size_t, std::size_t, const std::vector<Dual>&)>& take) {
  const std::vector<Variable> states = all_states(model.structure());
  DualPoint point(model, at);
  for (std::size_t begin = 0; begin < states.size(); begin += Dual::kDirections) {
    const std::size_t count = std::min(Dual::kDirections, states.size() - begin);
    for (std::size_t j = 0; j < count; ++j) point.seed(states[begin + j], j);
    point.evaluate(false);
    take(begin, count, point.rates());
    for (std::size_t j = 0; j < count; ++j) point.clear(states[begin + j]);
  }
}

RealMatrix rates_along(const Model<Dual>& model, const OperatingPoint& at,
                       std::span<const std::vector<double>> directions) {
  DualPoint point(model, at);
  RealMatrix out(point.rates().size(), std::vector<double>(directions.size()));
  for (std::size_t begin = 0; begin < directions.size(); begin += Dual::kDirections) {
    const std::size_t count = std::min(Dual::kDirections, directions.size() - begin);
    for (std::size_t j = 0; j < count; ++j) point.seed(directions[begin + j], j);
    point.evaluate(false);
    for (std::size_t i = 0; i < out.size(); ++i)
      std::copy_n(point.rates()[i].b.begin(), count,
                  out[i].begin() + static_cast<std::ptrdiff_t>(begin));
  }
  return out;
}

}  // namespace chicane
