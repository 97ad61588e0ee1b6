// SPDX-License-Identifier: Apache-2.0

// Any bytes as a model file: they are refused with a message, or they compile, run, and come back
// from their echo as the same model.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "io/writer/echo.hpp"
#include "simulation/plan.hpp"

namespace {

using namespace chicane;

std::optional<std::string> no_file(const std::string&) { return std::nullopt; }

[[noreturn]] void fail(const char* what, const Diagnostics& diag, const std::string& echo) {
  std::fprintf(stderr, "%s\n%s\n%s", what, diag.text().c_str(), echo.c_str());
  std::abort();
}

struct Loaded {
  Spec spec;
  std::shared_ptr<const ModelStructure> structure;
  RunPlan plan;
};

std::optional<Loaded> load(std::string_view text, Diagnostics& diag) {
  auto spec = read_model_text(text, "fuzz.yaml", diag, no_file);
  if (!spec) return std::nullopt;
  auto structure = compile(*spec, Partition::together(*spec), diag);
  if (!structure) return std::nullopt;
  auto plan = plan_run(*spec, *structure, diag);
  if (!plan) return std::nullopt;
  return Loaded{std::move(*spec), std::move(structure), std::move(*plan)};
}

void take_steps(const Loaded& model) {
  constexpr int kMostSignals = 2000;  // more only cost time
  const Plan& plan = model.plan.plan;
  // The reference is another library's integrator: slow on wild equations, and not under test.
  if (model.structure->signals.size() > kMostSignals || plan.scheme == SchemeKind::reference)
    return;
  Simulation simulation(model.structure, plan);
  for (int k = 0; k < 3; ++k) {
    if (simulation.plan().step > model.plan.until - simulation.state().clock.now()) return;
    if (simulation.step() != Status::ok) return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Diagnostics diag;
  const auto model = load(text, diag);
  if (!model) {
    if (diag.ok()) fail("refused without a message", diag, {});
    return 0;
  }
  if (!diag.ok()) fail("accepted in spite of faults", diag, {});
  take_steps(*model);

  const std::string echo = write_model(model->spec);
  Diagnostics again;
  const auto copy = load(echo, again);
  if (!copy) fail("the echo is refused", again, echo);
  if (write_model(copy->spec) != echo) fail("the echo of the echo differs", again, echo);
  if (copy->structure->code.size() != model->structure->code.size())
    fail("the echo compiles to other code", again, echo);
  return 0;
}
