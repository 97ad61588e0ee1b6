// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnostics.hpp"
#include "math/lanes.hpp"
#include "simulation/model.hpp"

// N copies of a model, each with its own parameters and states, in one evaluation: a model made of
// equations with lanes for a scalar. Each lane has the bits of the model evaluated alone.

namespace chicane {

template <int N>
class EquationLanes {
 public:
  using T = Lanes<N>;

  // Why a model cannot be run in lanes; empty: it can.
  static std::string obstacle(const ModelStructure& s) {
    if (!s.natives.empty()) return "it has blocks written in C++";
    if (s.groups.size() != 1) return "it has several rate groups";
    if (s.events.size() != 0) return "it has events: lanes would part";
    if (s.memory.size() != 0) return "it has memory";
    return {};
  }

  explicit EquationLanes(std::shared_ptr<const ModelStructure> structure)
      : model_((check(*structure), std::move(structure))),
        state_(model_.initial_state()),
        inputs_(model_.default_inputs()),
        at_(model_.make_eval(GroupIndex{0})) {
    bind();
  }

  [[nodiscard]] int states() const { return static_cast<int>(layout().states.size()); }
  // Where every copy begins; does not follow parameters that are set later.
  [[nodiscard]] const std::vector<T>& start() const { return state_.groups[GroupIndex{0}].x; }

  void set_parameter(ParameterIndex p, int lane, double value) {
    state_.constants[model_.structure().parameters[p].slot].set(lane, value);
    model_.prepare(state_);
    bind();
  }

  void rates(double t, std::span<const T> x, std::span<T> dx) noexcept {
    T* v = at_.v.data();
    v[layout().t] = T(t);
    std::copy(x.begin(), x.end(), v + layout().x);
    model_.run(layout().outputs, at_);
    model_.run(layout().derivative, at_);
    for (std::size_t i = 0; i < dx.size(); ++i) dx[i] = v[layout().rates[i]];
  }

 private:
  static void check(const ModelStructure& s) {
    const std::string why = obstacle(s);
    require(why.empty(), "a model cannot be run in lanes: {}", why);
  }
  [[nodiscard]] const GroupLayout& layout() const {
    return model_.structure().groups[GroupIndex{0}];
  }
  void bind() {
    std::copy(state_.constants.begin(), state_.constants.end(), at_.v.begin());
    std::copy(inputs_.u.begin(), inputs_.u.end(), at_.v.begin() + layout().inputs);
  }

  Model<T> model_;
  State<T> state_;
  Inputs<T> inputs_;
  Eval<T> at_;
};

}  // namespace chicane
