// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/expression/expression.hpp"

namespace chicane::compiling {

// The condition with three values: 0 false, 1/2 neither (kUnknown), because something is not a
// number, 1 true.
Expression three_valued(const Expression& condition);

}  // namespace chicane::compiling
