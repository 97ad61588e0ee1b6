// SPDX-License-Identifier: Apache-2.0
#include "io/reader/include.hpp"

#include <memory>

#include "core/utf8.hpp"
#include "io/files.hpp"
#include "io/reader/road.hpp"

namespace chicane {
namespace {

constexpr int kMostFiles = 200;
constexpr std::size_t kMostBytes = 50'000'000;  // of all files of a model

}  // namespace

// One byte more than is allowed: whoever parses it says that it is too much.
std::optional<std::string> load_file(const std::string& path) {
  return read_start(path, (is_road(path) ? kLargestRoadFile : kLargestFile) + 1);
}

Loader within_budget(const Loader& load, Diagnostics& diag) {
  if (!load) return load;
  struct Used {
    int files = 0;
    std::size_t bytes = 0;
    bool said = false;
  };
  return [&load, &diag,
          used = std::make_shared<Used>()](const std::string& path) -> std::optional<std::string> {
    if (used->files >= kMostFiles || used->bytes >= kMostBytes) {
      if (!used->said)
        diag.error({path, 0, ""}, "a model brings along at most {} files with {} bytes", kMostFiles,
                   kMostBytes);
      used->said = true;
      return std::nullopt;
    }
    auto text = load(path);
    ++used->files;
    if (text) used->bytes += text->size();
    return text;
  };
}

std::optional<std::pair<int, std::string>> fault_of_text(std::string_view text) {
  int line = 1;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (length == 0)
      return std::pair{line,
                       fmt::format("byte 0x{:02x} is not UTF-8; save the file as UTF-8", byte)};
    if (byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r')
      return std::pair{line,
                       fmt::format("this is not a text file: it contains byte 0x{:02x}", byte)};
    line += byte == '\n' ? 1 : 0;
    text.remove_prefix(length);
  }
  return std::nullopt;
}

bool is_of_chicane(std::string_view text, const Location& from, const std::string& path,
                   Diagnostics& diag) {
  if (text.find("chicane/") != std::string_view::npos) return true;
  diag.error(from, "'{}' is no file of chicane: it does not say 'format: chicane/1'", path);
  return false;
}

}  // namespace chicane
