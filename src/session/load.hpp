// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/diagnostics.hpp"
#include "language/spec.hpp"
#include "session/request.hpp"

namespace chicane {

// Reads a model and applies what the request says about it.
std::optional<Spec> load(const ModelRequest& request, Diagnostics& diag);

// One key of the run section, `ratio: fast=4` included; one block into another group.
void set_run_key(RunSpec& run, const std::string& key, const std::string& value, Diagnostics& diag);
void put_into_group(Spec& spec, const std::string& block, const std::string& group,
                    Diagnostics& diag);

// A time in text; a bare number is seconds.
std::int64_t time_of(const std::string& text, const char* option, std::int64_t least,
                     Diagnostics& diag);

}  // namespace chicane
