// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/api.hpp"

namespace chicane::cli {

// The whole program: what it is asked for on the command line, and its exit code.
CHICANE_API int program(int argc, char** argv);

}  // namespace chicane::cli
