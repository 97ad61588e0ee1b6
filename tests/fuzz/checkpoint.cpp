// SPDX-License-Identifier: Apache-2.0

// Any bytes as a checkpoint, and as changes to a good one under the right checksum: it is refused
// with a message, or it is a state that a run goes on from without harm.
#include "io/checkpoint.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assembly/assemble.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"

namespace {

using namespace chicane;

// Memory, an event, old derivatives and signals of two rate groups.
constexpr const char* kTwoRates = R"yaml(
format: chicane/1
units: none
run: {scheme: multiframe, method: ab3, step: 10 ms, ratio: 4, interp: interp2}
parameters: {k: 4}
groups:
  slow:
    blocks:
      plant:
        states: {x: {der: "y - k*x", initial: 1}}
        memory: {peak: {next: "max(peak, x)"}, held: {next: x, sample: 30 ms}}
  fast:
    blocks:
      actuator: {states: {y: {der: "-20*(y - held)"}}}
events: {near: {when: "x < 0.8", do: [{set: {k: 5}}], repeat: once}}
)yaml";

struct Subject {
  std::shared_ptr<const ModelStructure> structure;
  Plan plan;
  std::string saved;
};

Subject prepared(std::optional<Spec> spec, Diagnostics& diag) {
  const auto structure = spec ? compile_for_run(*spec, diag) : nullptr;
  const auto run = structure ? plan_run(*spec, *structure, diag) : std::nullopt;
  if (!run) std::abort();
  Simulation simulation(structure, run->plan);
  for (int k = 0; k < 12; ++k)
    if (simulation.step() != Status::ok) std::abort();
  return {structure, run->plan, write_checkpoint(simulation)};
}

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = [] {
    Diagnostics diag;
    return std::vector<Subject>{prepared(read_model_text(kTwoRates, "two.yaml", diag), diag),
                                prepared(read_model("four-bar", diag), diag)};
  }();
  return all;
}

void try_out(const Subject& model, const std::string& text) {
  Simulation simulation(model.structure, model.plan);
  Diagnostics diag;
  const auto checkpoint = read_checkpoint(text, "fuzz.json", simulation, diag);
  if (checkpoint.has_value() != diag.ok()) std::abort();
  if (!checkpoint) return;
  try {
    simulation.restore(checkpoint->state, checkpoint->plan);
  } catch (const UsageError&) {
    return;
  }
  for (int k = 0; k < 3; ++k)
    if (simulation.step() != Status::ok) return;
}

}  // namespace

// Three bytes are a change: where, in two of them, and to what.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const Subject& model : subjects()) {
    try_out(model, std::string(reinterpret_cast<const char*>(data), size));
    std::string text = model.saved;
    for (std::size_t i = 0; i + 3 <= size; i += 3)
      text[(data[i] + 256U * data[i + 1]) % text.size()] = static_cast<char>(data[i + 2]);
    try {
      text = with_checksum(text);
    } catch (const UsageError&) {  // its head is not one any more
    }
    try_out(model, text);
  }
  return 0;
}
