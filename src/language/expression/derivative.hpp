// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "language/expression/expression.hpp"

namespace chicane {

// dE/dt of a formula of t and of names that stay as they are, as a formula again. Nothing where a
// name is neither (`constant` says no), or where there is a table.
std::optional<std::string> time_derivative(const Expression& e,
                                           const std::function<bool(std::string_view)>& constant);

// The value of a formula without tables and rates; `value_of` knows the names.
double evaluate(const Expression& e, const std::function<double(const std::string&)>& value_of);

}  // namespace chicane
