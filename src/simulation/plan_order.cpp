// SPDX-License-Identifier: Apache-2.0

// The order that a plan promises for a model.

#include <fmt/format.h>

#include <algorithm>

#include "integrators/multirate/interpolator.hpp"
#include "simulation/simulation.hpp"

namespace chicane {
namespace {

// Whether rates, or what other groups read, are computed from a memory. Where blocks are written in
// C++ that cannot be seen: they are taken to read it.
bool is_used(const MemoryInfo& m, const ModelStructure& structure) {
  const auto runs = [&](const Call& call) {
    if (call.block >= 0) return true;
    return std::any_of(structure.code.begin() + call.begin, structure.code.begin() + call.end,
                       [&](const Instruction& i) {
                         return i.a == m.value || i.b == m.value || i.c == m.value ||
                                i.d == m.value;
                       });
  };
  const GroupLayout& own = structure.groups[m.group];
  const auto in = [](const auto& list, const auto& what) {
    return std::find(list.begin(), list.end(), what) != list.end();
  };
  return std::any_of(own.outputs.begin(), own.outputs.end(), runs) ||
         std::any_of(own.derivative.begin(), own.derivative.end(), runs) ||
         in(own.rates, m.value) || in(own.publishes, m.signal);
}

// The first memory with a sample time that matters; of a signal, the memory that it is.
const MemoryInfo* sampled(const ModelStructure& structure, SignalIndex signal = {}) {
  for (const MemoryInfo& m : structure.memory)
    if (m.sample > 0 && !m.bookkeeping && (!signal.valid() || m.signal == signal) &&
        is_used(m, structure))
      return &m;
  return nullptr;
}

// Memory jumps where it is sampled. Derivatives from before a jump, and values on either side of
// one, are no good for what comes after it: an error of the size of a step stays.
std::string lost_at_samples(const Plan& plan, const ModelStructure& structure) {
  const MemoryInfo* any = sampled(structure);
  if (any == nullptr || plan.scheme == SchemeKind::prk || plan.scheme == SchemeKind::reference)
    return {};
  const auto carries_on = [&](const std::string& method) {
    return fmt::format(
        "{} carries derivatives across the jumps of '{}', which is sampled; rk2 and "
        "rk4 do not",
        method, any->name);
  };
  if (plan.scheme == SchemeKind::single_rate)
    return plan.method.k.old > 0 ? carries_on(plan.method.name) : std::string();
  if (plan.scheme != SchemeKind::multiframe)
    return carries_on(std::string(scheme_name(plan.scheme)));
  for (const GroupIndex g : structure.groups.indices())
    if (plan.groups[g].method.k.old > 0) return carries_on(plan.groups[g].method.name);
  for (const GroupIndex g : structure.groups.indices()) {
    const GroupLayout& layout = structure.groups[g];
    for (std::size_t i = 0; i < layout.reads.size(); ++i) {
      const bool between = layout.sources[i].group < g || plan.groups[g].method.k.stages > 1;
      if (const MemoryInfo* m = sampled(structure, layout.reads[i]); m != nullptr && between)
        return fmt::format("group {} reads '{}', which is sampled, between its jumps, too",
                           layout.name, m->name);
    }
  }
  return {};
}

PlanOrder order_between_samples(const Plan& plan, const ModelStructure& structure) {
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

}  // namespace

PlanOrder order_of(const Plan& plan, const ModelStructure& structure) {
  PlanOrder order = order_between_samples(plan, structure);
  if (order.order > 1)
    if (std::string loss = lost_at_samples(plan, structure); !loss.empty())
      order = {1, std::move(loss)};
  return order;
}

}  // namespace chicane
