// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "language/spec.hpp"

namespace testkit {

// A section of a file as the reader hands it over; lines and keys are those of the text, the file
// is test.yaml.
chicane::DataSpec data_of(const std::string& text);

}  // namespace testkit
