// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace chicane {

// Whether a file must be on the disk, and not only with the system, when it has its name.
enum class Durable { no, yes };

// Writes a file whole or not at all: to a temporary file beside it, which then takes its place.
// What is no regular file, as /dev/stdout, is written as it is. Throws std::runtime_error with the
// system's reason.
void write_whole(const std::filesystem::path& path, std::string_view text,
                 Durable durable = Durable::no);

// What write_whole() calls its temporary file.
std::filesystem::path temporary_of(const std::filesystem::path& path);

// The text of a regular file, or its first `most` bytes; nothing when there is none.
std::optional<std::string> read_start(const std::string& path, std::size_t most);

// The text of a regular file of at most `most` bytes. Nothing, with the reason in `why`: there is
// none, it is no file, or too large. Never reads more than `most` bytes.
std::optional<std::string> read_limited(const std::string& path, std::size_t most,
                                        std::string& why);

// A text file that grows by whole lines: a run that is killed, or a disk that is full, leaves no
// part of one behind. Throws std::runtime_error with the system's reason.
class LineFile {
 public:
  explicit LineFile(const std::filesystem::path& path);
  ~LineFile();  // as flush(), but a failure stays unheard
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  // One or more lines, each with its line break. They are written when there are enough of them.
  void add(std::string_view lines);
  void flush();

 private:
  [[noreturn]] void fail(int error);

  std::string path_, waiting_;
  std::size_t size_ = 0;  // [byte] of whole lines in the file
  int file_ = -1;
};

}  // namespace chicane
