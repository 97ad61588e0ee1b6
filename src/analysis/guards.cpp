// SPDX-License-Identifier: Apache-2.0
#include "analysis/guards.hpp"

#include <utility>

#include "analysis/guards/engine_guard.hpp"
#include "analysis/guards/step_guard.hpp"
#include "blocks/mechanism/balance_guard.hpp"

namespace chicane {

std::vector<std::unique_ptr<Guard>> make_guards(Simulation& simulation) {
  std::vector<std::unique_ptr<Guard>> guards;
  const auto add = [&guards](std::unique_ptr<Guard> guard) {
    if (guard) guards.push_back(std::move(guard));
  };
  add(make_step_guard(simulation));
  add(make_balance_guard(simulation));
  add(make_engine_guard(simulation));
  return guards;
}

}  // namespace chicane
