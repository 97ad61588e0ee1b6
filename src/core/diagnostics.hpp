// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/api.hpp"

namespace chicane {

// Where in the user's text something stands. `key` is the path of keys, "groups.fast.states.x1".
struct Location {
  std::string file;
  int line = 0;  // 1-based; 0: the file as a whole, or no file
  std::string key;
};

enum class Severity { warning, error };

struct Diagnostic {
  Severity severity = Severity::error;
  Location where;
  std::string message;
};

// "model.yaml:12: groups.fast.states.x1.der: unknown name 'x9'"
CHICANE_API std::string to_string(const Diagnostic&);

// Collects every fault of a file, so that the user sees them all at once.
class CHICANE_API Diagnostics {
 public:
  template <class... Args>
  void error(const Location& where, fmt::format_string<Args...> text, Args&&... args) {
    add({Severity::error, where, fmt::format(text, std::forward<Args>(args)...)});
  }
  template <class... Args>
  void warning(const Location& where, fmt::format_string<Args...> text, Args&&... args) {
    add({Severity::warning, where, fmt::format(text, std::forward<Args>(args)...)});
  }
  void add(Diagnostic d);

  [[nodiscard]] bool ok() const { return errors_ == 0; }
  [[nodiscard]] int errors() const { return errors_; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }
  [[nodiscard]] std::string text() const;  // one fault a line

 private:
  std::vector<Diagnostic> all_;
  int errors_ = 0;
};

// The caller of the library is wrong: thrown while setting up, never in a step.
class CHICANE_API UsageError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

template <class... Args>
void require(bool holds, fmt::format_string<Args...> text, Args&&... args) {
  if (!holds) throw UsageError(fmt::format(text, std::forward<Args>(args)...));
}

// The candidate most like `word`, or empty when none is near: for "did you mean".
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

// " (did you mean 'x'?)" or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace chicane
