// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/files.hpp"
#include "io/sinks/sink.hpp"

namespace chicane {

// A row of names, a row of units, then the numbers, each with the fewest digits with which reading
// it back gives the same bits. Equal runs give equal files: no date, path or timing is written. The
// file grows by whole lines.
class CsvSink : public Sink {
 public:
  CsvSink(const std::filesystem::path& path, const std::vector<Column>& columns);

  void write(std::span<const double> row) override;
  void flush() override;

 private:
  std::string path_;
  std::size_t width_;
  LineFile file_;
  fmt::memory_buffer line_;
};

}  // namespace chicane
