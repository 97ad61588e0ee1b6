// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagnostics.hpp"

namespace chicane {

// Why something was not done, in the words that the command line would use.
struct CHICANE_API Error {
  std::string text;                     // whole sentences; several faults are several lines
  std::vector<Diagnostic> faults = {};  // one by one, where they are about files or keys

  static Error of(const Diagnostics& diag);  // all that was found, one line each
};

// A value, or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  // A value and an error each become a result by themselves, so that functions can return them.
  Result(T value) : content_(std::move(value)) {}  // NOLINT: a value is one
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: so is this

  // Whether there is a value.
  [[nodiscard]] bool ok() const noexcept { return content_.index() == 0; }
  // The same: if (result) ...
  explicit operator bool() const noexcept { return ok(); }
  // The value; of a result that is not ok they throw a UsageError with its text.
  [[nodiscard]] T& value() & { return check(), std::get<0>(content_); }
  [[nodiscard]] const T& value() const& { return check(), std::get<0>(content_); }
  [[nodiscard]] T&& value() && { return check(), std::get<0>(std::move(content_)); }
  // The value, as of a pointer, with the same check.
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  // Why there is no value: of a result that is not ok.
  [[nodiscard]] const Error& error() const { return std::get<1>(content_); }

 private:
  void check() const { require(ok(), "{}", ok() ? "" : error().text); }

  std::variant<T, Error> content_;
};

// Done, or the reason why not.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  // An error becomes a result by itself.
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: an error is a result

  // Whether it was done.
  [[nodiscard]] bool ok() const noexcept { return !error_; }
  // The same: if (result) ...
  explicit operator bool() const noexcept { return ok(); }
  // Why not: of a result that is not ok.
  [[nodiscard]] const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace chicane
