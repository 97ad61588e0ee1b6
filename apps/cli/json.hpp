// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "simulation/guard.hpp"

namespace chicane::cli {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
inline Json if_any(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

// A warning as every command gives it: "text", and what else is known of it.
Json to_json(const RunWarning& warning);
Json to_json(const Diagnostic& warning);
template <class W>
Json to_json(const std::vector<W>& warnings) {
  Json list = Json::array();
  for (const W& w : warnings) list.push_back(to_json(w));
  return list;
}
// "model.yaml:3: warning: ..." or "warning: at t = 2 s: ..."
std::string in_words(const RunWarning& warning);

// The one object that a command answers with; text that is no UTF-8 is replaced.
void print_json(const Json& object);
// An answer to what could not be done.
Json failure(const std::string& status, const Diagnostics& faults);
Json failure(const std::string& message);

// What a command found: one object on stdout, or its text.
void show(const Json& found, bool as_json, const std::function<void()>& print);

}  // namespace chicane::cli
