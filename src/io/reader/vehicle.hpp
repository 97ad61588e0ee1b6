// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/reader/reader.hpp"
#include "io/reader/yaml.hpp"
#include "language/spec.hpp"

namespace chicane {

// The `vehicle:` section, laid over the one that the Spec may have. Parts that stand in files of
// their own are brought in.
void read_vehicle_section(const Cursor& at, Spec& spec, Diagnostics& diag, const Loader& load);

}  // namespace chicane
