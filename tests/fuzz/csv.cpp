// SPDX-License-Identifier: Apache-2.0

// Any bytes as a CSV file that a model names: a table and inputs, or faults; and what was read is
// in the echo, which says the same.
#include "io/reader/csv.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "io/reader/inputs.hpp"
#include "io/writer/echo.hpp"

namespace {

using namespace chicane;

constexpr const char* kModel = R"yaml(
format: chicane/1
inputs: {F: 0 N, a: 0}
tables: {t: {file: fuzz.csv}}
states: {x: {der: "F*1[s/kg]", unit: m}}
)yaml";

constexpr const char* kDriven = R"yaml(
format: chicane/1
inputs: {F: 0 N, a: 0}
states: {x: {der: "F*1[s/kg]", unit: m}}
)yaml";

void check(const std::optional<Spec>& spec, const Diagnostics& diag) {
  if (spec.has_value() != diag.ok()) std::abort();
  if (!spec) return;
  Diagnostics none;
  const std::string echo = write_model(*spec);
  const auto again = read_model_text(echo, "echo.yaml", none, {});
  if (!again || write_model(*again) != echo) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const Loader load = [&](const std::string&) { return std::optional(bytes); };
  Diagnostics of_table;
  check(read_model_text(kModel, "model.yaml", of_table, load), of_table);
  Diagnostics of_inputs;
  auto spec = read_model_text(kDriven, "model.yaml", of_inputs, {});
  drive_all_from_file(*spec, {.file = {"fuzz.csv", {"--inputs", 0, ""}}}, of_inputs, load);
  check(of_inputs.ok() ? spec : std::nullopt, of_inputs);
  return 0;
}
