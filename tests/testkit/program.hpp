// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace testkit {

struct Outcome {
  int code = -1;  // exit code; -N when ended by signal N
  std::string out, err;
};

// Runs the program at `binary` in `directory` and waits for it.
Outcome run_program(const std::string& binary, const std::vector<std::string>& arguments,
                    const std::string& directory = ".");

// A fresh directory, removed with its contents at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::string read(const std::string& name) const;  // empty when there is none

 private:
  std::string path_;
};

}  // namespace testkit
