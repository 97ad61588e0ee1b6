// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/diagnostics.hpp"
#include "language/spec.hpp"

namespace chicane {

// Gets the text of a file that another file names; nothing when there is none. Paths in a model
// file are relative to that file.
using Loader = std::function<std::optional<std::string>(const std::string& path)>;

// A file's text, or nothing. The Loader of every command.
std::optional<std::string> load_file(const std::string& path);

// Reads a model: a built-in name or a file. Every fault goes to `diag`, with file, line and key.
std::optional<Spec> read_model(const std::string& name_or_path, Diagnostics& diag,
                               const Loader& load = load_file);
std::optional<Spec> read_model_text(std::string_view text, const std::string& file,
                                    Diagnostics& diag, const Loader& load = load_file);

// Lays a manoeuvre over a model: a built-in name or a file that says what a file with a base may
// say, and brings parameters of its own.
std::optional<Spec> read_manoeuvre(const std::string& name_or_path, Spec model, Diagnostics& diag,
                                   const Loader& load = load_file);

// What a file of either kind says about itself.
std::string read_description(std::string_view text, const std::string& file, Diagnostics& diag);

// A method, or a pair of tableaus, of the user's own; its order is verified.
std::optional<Method> read_method_text(std::string_view text, const std::string& file,
                                       Diagnostics& diag);

std::optional<TableauPair> read_pair_text(std::string_view text, const std::string& file,
                                          Diagnostics& diag);

// Either of them by its built-in name or its file; a file with `slow:` or `fast:` has a pair.
using MethodOrPair = std::variant<Method, TableauPair>;
std::optional<MethodOrPair> read_method_or_pair(const std::string& name_or_path, Diagnostics& diag,
                                                const Loader& load = load_file);

// Methods and tableaus that the run section names and that are files are read and become the Spec's
// own; names that are neither known nor files are faults.
void resolve_run_files(Spec& spec, Diagnostics& diag, const Loader& load = load_file);

// Overrides a parameter, an input or an initial value, as --set does. False and a fault when the
// Spec has nothing of that name.
bool override_value(Spec& spec, const std::string& name, const Text& value, Diagnostics& diag);

}  // namespace chicane
