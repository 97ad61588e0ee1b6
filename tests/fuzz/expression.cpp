// SPDX-License-Identifier: Apache-2.0

// Any bytes as an expression: they are refused with a message, or every part of the tree is sound
// and its dimensions can be inferred.
#include "language/expression/expression.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace chicane;

// Operands come before the operations that use them: evaluation in order is possible.
bool sound(const Expression& e) {
  if (e.nodes.empty()) return false;
  for (std::size_t i = 0; i < e.nodes.size(); ++i)
    for (const int a : e.nodes[i].args)
      if (a < 0 || static_cast<std::size_t>(a) >= i) return false;
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Text text{std::string(reinterpret_cast<const char*>(data), size), {"fuzz.yaml", 1, "x"}};
  Diagnostics diag;
  const auto e = parse_expression(text, diag);
  if (e.has_value() != diag.ok()) std::abort();
  if (!e) return 0;
  if (!sound(*e)) std::abort();

  (void)literal_value(*e, static_cast<int>(e->nodes.size()) - 1);
  const auto measure = infer(
      *e, [](const std::string&, bool) { return Measure{}; },
      [](const std::string&) { return std::vector<Measure>(3); }, diag);
  if (measure.has_value() != diag.ok()) std::abort();
  return 0;
}
