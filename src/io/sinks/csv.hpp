#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/sinks/sink.hpp"

namespace chicane {

// A row of names, a row of units, then the numbers with 17 digits, so that reading them back gives
// the same bits. Equal runs give equal files: no date, path or timing is written.
class CsvSink : public Sink {
 public:
  CsvSink(const std::filesystem::path& path, const std::vector<Column>& columns);

  void write(std::span<const double> row) override;
  void flush() override;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void put(const fmt::memory_buffer& text);
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::size_t width_;
  std::unique_ptr<std::FILE, Close> file_;
  fmt::memory_buffer line_;
};

}  // namespace chicane
