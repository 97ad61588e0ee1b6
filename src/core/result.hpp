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

  static Error of(const Diagnostics& diag);
};

// A value, or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}  // NOLINT: a value is one
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: so is this

  [[nodiscard]] bool ok() const noexcept { return content_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  // Of a result that is not ok they throw a UsageError with its text.
  [[nodiscard]] T& value() & { return check(), std::get<0>(content_); }
  [[nodiscard]] const T& value() const& { return check(), std::get<0>(content_); }
  [[nodiscard]] T&& value() && { return check(), std::get<0>(std::move(content_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  // Of a result that is not ok.
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
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: an error is a result

  [[nodiscard]] bool ok() const noexcept { return !error_; }
  explicit operator bool() const noexcept { return ok(); }
  [[nodiscard]] const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace chicane
