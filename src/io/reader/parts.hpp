// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/reader/reader.hpp"
#include "io/reader/yaml.hpp"
#include "language/spec.hpp"

// What several sections of model files have in common.

namespace chicane {

// A path that a file names, as seen from that file.
std::string beside(const std::string& file, const std::string& path);

void check_format(const Fields& f, Diagnostics& diag);

// A file that holds one section of another; `what` says which in the message.
std::optional<Fields> read_part(const Text& name, std::string_view grammar, std::string_view what,
                                Diagnostics& diag, const Loader& load);

// One word or a list of them; nothing: none.
std::vector<Text> words(const Cursor* c, Diagnostics& diag);
void assignments(const Cursor& c, std::vector<Assignment>& out, Diagnostics& diag);

// The `run:` section; what it does not say stays as it is.
void read_run(const Fields& f, RunSpec& run, Diagnostics& diag);

}  // namespace chicane
