#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace chicane::cli {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
inline Json if_any(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

// What a command found: one object on stdout, or its text.
void show(const Json& found, bool as_json, const std::function<void()>& print);

}  // namespace chicane::cli
