// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "io/reader/reader.hpp"
#include "io/reader/yaml.hpp"
#include "language/spec.hpp"

namespace chicane {

// An entry of a model's `events:`. A settings file that it loads is read here, once; the event then
// only sets values.
EventSpec read_event(const std::string& name, const Fields& f, Diagnostics& diag,
                     const Loader& load);

}  // namespace chicane
