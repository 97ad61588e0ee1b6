// SPDX-License-Identifier: Apache-2.0
#include "analysis/freedoms.hpp"

#include <algorithm>

namespace chicane {
namespace {

// The point evaluated, for what stands in its scratch.
Eval<double> evaluated(const Model<double>& model, const OperatingPoint& at) {
  State<double> state = at.state;
  Eval<double> eval = model.make_eval(kAllTogether);
  std::vector<double> dx(state.groups[kAllTogether].x.size());
  const BoundModel<double> bound(model, state, at.inputs);
  bound.bind(kAllTogether, eval);
  bound.outputs(kAllTogether, state.clock.time(), state.groups[kAllTogether].x, {}, eval, {});
  bound.derivative(kAllTogether, eval, {}, dx);
  return eval;
}

}  // namespace

std::string si_unit(const SignalInfo& signal) {
  const Unit& u = signal.conversion;
  return u.scale_num == u.scale_den ? signal.unit : to_string(u.dimension);
}

void complete(const Model<double>& model, OperatingPoint& at) {
  const GroupLayout& layout = model.structure().groups[kAllTogether];
  if (layout.completed.empty()) return;
  const Eval<double> eval = evaluated(model, at);
  for (const auto& [place, n] : layout.completed)
    std::copy_n(eval.v.data() + layout.x + place, n,
                at.state.groups[kAllTogether].x.data() + place);
}

Freedoms freedoms_at(const Model<double>& model, const OperatingPoint& at,
                     std::span<const double> rates) {
  const ModelStructure& s = model.structure();
  Freedoms out;
  const auto n = static_cast<Eigen::Index>(rates.size());
  const std::vector<double>& x = at.state.groups[kAllTogether].x;
  const Eval<double> eval = evaluated(model, at);
  for (const BlockIndex b : s.blocks.indices()) {
    std::vector<int> places;  // of its states in x
    for (const StateInfo& state : s.states)
      if (state.block == b) places.push_back(state.place);
    std::vector<FreeDirection> own;
    if (const int native = s.blocks[b].native; native >= 0 && !places.empty()) {
      std::vector<double> z, u;
      for (const MemoryIndex m : s.memory.indices())
        if (s.memory[m].block == b) z.push_back(at.state.memory[m].value);
      const auto k = static_cast<std::size_t>(native);
      for (std::size_t i = 0; i < s.natives[k].wires.size(); ++i)
        u.push_back(eval.views[k].u(static_cast<int>(i)));
      const auto first = static_cast<std::size_t>(places.front());
      own = s.natives[k].kind->free_directions(std::span(x).subspan(first, places.size()),
                                               rates.subspan(first, places.size()), z, u);
    }
    out.all = out.all && own.empty();
    for (FreeDirection& d : own) {
      for (FreeDirection::Row* row : {&d.along, &d.read, &d.read_rate})
        for (auto& [place, factor] : *row) place += places.front();
      out.entries.push_back({std::move(d), b});
    }
    for (const int place : own.empty() ? places : std::vector<int>{}) {
      const StateInfo& state =
          s.states[s.groups[kAllTogether].states[static_cast<std::size_t>(place)]];
      out.entries.push_back(
          {{state.name, si_unit(s.signals[state.signal]), {{place, 1.0}}, {{place, 1.0}}}, b});
    }
  }
  std::stable_sort(out.entries.begin(), out.entries.end(),
                   [](const auto& a, const auto& b) { return a.place() < b.place(); });
  const auto m = static_cast<Eigen::Index>(out.entries.size());
  out.B = Eigen::MatrixXd::Zero(n, m);
  out.P = out.P_rate = Eigen::MatrixXd::Zero(m, n);
  for (Eigen::Index j = 0; j < m; ++j) {
    const FreeDirection& d = out.entries[static_cast<std::size_t>(j)].direction;
    for (const auto& [place, factor] : d.along) out.B(place, j) = factor;
    for (const auto& [place, factor] : d.read) out.P(j, place) = factor;
    for (const auto& [place, factor] : d.read_rate) out.P_rate(j, place) = factor;
  }
  return out;
}

}  // namespace chicane
