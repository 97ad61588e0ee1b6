// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace chicane {

// One column of the results. The first column is always time.
struct Column {
  std::string name;
  std::string unit;
  std::string description;
};

// Where rows go. Used by one thread at a time; failures are thrown as std::runtime_error.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(std::span<const double> row) = 0;
  virtual void flush() = 0;          // what was written so far survives the end of the program
  virtual void close() { flush(); }  // the same, and nothing more will come
};

}  // namespace chicane
