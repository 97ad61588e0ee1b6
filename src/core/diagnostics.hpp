// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/api.hpp"

namespace chicane {

// Where in the user's text something stands.
struct Location {
  std::string file;  // as the user named it; empty: no file
  int line = 0;      // 1-based; 0: the file as a whole, or no file
  std::string key;   // the path of keys, "groups.fast.states.x1"
};

// A model with an error is refused, one with a warning is not.
enum class Severity { warning, error };

// One fault of what the user wrote.
struct Diagnostic {
  Severity severity = Severity::error;  // refused, or only doubtful
  Location where;                       // file, line and key
  std::string message;                  // what is wrong, and what would be right
};

// "model.yaml:12: groups.fast.states.x1.der: unknown name 'x9'"
CHICANE_API std::string to_string(const Diagnostic&);

// Collects every fault of a file, so that the user sees them all at once.
class CHICANE_API Diagnostics {
 public:
  // A fault with a text in the manner of fmt::format.
  template <class... Args>
  void error(const Location& where, fmt::format_string<Args...> text, Args&&... args) {
    add({Severity::error, where, fmt::format(text, std::forward<Args>(args)...)});
  }
  // The same for something that is only doubtful.
  template <class... Args>
  void warning(const Location& where, fmt::format_string<Args...> text, Args&&... args) {
    add({Severity::warning, where, fmt::format(text, std::forward<Args>(args)...)});
  }
  void add(Diagnostic d);  // one that was found elsewhere

  [[nodiscard]] bool ok() const { return errors_ == 0; }  // warnings do not count
  [[nodiscard]] int errors() const { return errors_; }    // how many, warnings aside
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }  // as they were found
  [[nodiscard]] std::string text() const;                                    // one fault a line

 private:
  std::vector<Diagnostic> all_;
  int errors_ = 0;
};

// The caller of the library is wrong: thrown while setting up, never in a step.
class CHICANE_API UsageError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Throws a UsageError with that text unless the condition holds.
template <class... Args>
void require(bool holds, fmt::format_string<Args...> text, Args&&... args) {
  if (!holds) throw UsageError(fmt::format(text, std::forward<Args>(args)...));
}

// The candidate most like `word`, or empty when none is near: for "did you mean".
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

// " (did you mean 'x'?)" or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace chicane
