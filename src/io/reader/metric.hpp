// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "io/reader/yaml.hpp"
#include "language/spec.hpp"

namespace chicane {

// An entry of `metrics:`.
MetricSpec read_metric(const std::string& name, const Fields& f, Diagnostics& diag);

}  // namespace chicane
