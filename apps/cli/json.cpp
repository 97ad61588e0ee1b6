// SPDX-License-Identifier: Apache-2.0
#include "cli/json.hpp"

#include <fmt/format.h>

namespace chicane::cli {

void print_json(const Json& object) {
  fmt::print("{}\n", object.dump(2, ' ', false, Json::error_handler_t::replace));
}

Json failure(const std::string& status, const Diagnostics& faults) {
  Json errors = Json::array();
  for (const Diagnostic& d : faults.all())
    errors.push_back({{"severity", d.severity == Severity::error ? "error" : "warning"},
                      {"file", d.where.file},
                      {"line", d.where.line},
                      {"key", d.where.key},
                      {"message", d.message}});
  return {{"status", status}, {"errors", std::move(errors)}};
}

Json failure(const std::string& message) {
  Diagnostics fault;
  fault.error({}, "{}", message);
  return failure(message, fault);
}

void show(const Json& found, bool as_json, const std::function<void()>& print) {
  if (as_json)
    print_json(found);
  else
    print();
}

Json to_json(const RunWarning& warning) {
  Json j = {{"text", warning.text}};
  if (warning.time) j["time"] = *warning.time;
  if (!warning.signal.empty()) j["signal"] = warning.signal;
  if (!warning.part.empty()) j["part"] = warning.part;
  if (!warning.where.file.empty()) j["file"] = warning.where.file;
  if (warning.where.line > 0) j["line"] = warning.where.line;
  if (!warning.where.key.empty()) j["key"] = warning.where.key;
  return j;
}

Json to_json(const Diagnostic& warning) {
  return to_json(RunWarning{.text = warning.message, .where = warning.where});
}

std::string in_words(const RunWarning& warning) {
  const std::string since = warning.time ? fmt::format("at t = {:.6g} s: ", *warning.time) : "";
  return to_string(Diagnostic{Severity::warning, warning.where, since + warning.text});
}

}  // namespace chicane::cli
