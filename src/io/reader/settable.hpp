// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "language/spec.hpp"

namespace chicane {

// Something that `--set` and `parameters:` over a base can change.
struct Settable {
  std::string name, value;  // the value as it is written; empty: it depends on others
  std::string description;
};

// All of them, of a Spec whose blocks are made (with_native_blocks): parameters, inputs, start
// values, numbers of a mechanism, and of a vehicle what its file says and what it could say.
std::vector<Settable> settable(const Spec& spec);

}  // namespace chicane
