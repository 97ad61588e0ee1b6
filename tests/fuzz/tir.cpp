// SPDX-License-Identifier: Apache-2.0

// Any bytes as a tire property file: coefficients with which everything can be evaluated, or
// faults; never both, never neither.
#include "vehicle/tire/magic_formula/tir.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "assembly/parts/magic_formula.hpp"
#include "vehicle/tire/magic_formula/evaluate.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace chicane;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  Diagnostics diag;
  const auto t = tire::read_tir(bytes, "fuzz.tir", diag);
  if (t.has_value() != diag.ok()) std::abort();
  Diagnostics again;
  if (tir_section(bytes, "fuzz.tir", {}, again).has_value() != t.has_value()) std::abort();
  if (!t) return 0;
  // Extreme coefficients may overflow a formula; they may not hang it or break it.
  for (const double slip : {0.0, 0.1, -1.0})
    (void)tire::evaluate(
        t->k,
        tire::MagicPoint<double>{t->k.FNOMIN, slip, slip, 0.05, 0.01, t->k.LONGVL, t->k.NOMPRES},
        {.alpha_star = true, .turn_slip = true});
  return 0;
}
