// SPDX-License-Identifier: Apache-2.0
#include "io/sinks/csv.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "core/diagnostics.hpp"

namespace chicane {

namespace {

// RFC 4180: a field with a comma, quote or line break stands in quotes, its own quotes doubled.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

// The fewest digits that are read back as the same number.
void append(fmt::memory_buffer& line, double value) {
  std::array<char, 32> digits;                      // 24 are enough
  if (std::isnan(value)) value = std::fabs(value);  // the sign of no number means nothing
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  line.append(digits.data(), end);
}

}  // namespace

CsvSink::CsvSink(const std::filesystem::path& path, const std::vector<Column>& columns)
    : path_(path.string()), width_(columns.size()), file_(path) {
  require(!columns.empty(), "{}: no columns to write", path_);
  for (std::string Column::*text : {&Column::name, &Column::unit}) {
    line_.clear();
    for (const Column& column : columns) {
      line_.append(field(column.*text));
      line_.push_back(&column == &columns.back() ? '\n' : ',');
    }
    file_.add({line_.data(), line_.size()});
  }
}

void CsvSink::write(std::span<const double> row) {
  require(row.size() == width_, "{}: a row of {} numbers for {} columns", path_, row.size(),
          width_);
  line_.clear();
  for (const double value : row) {
    append(line_, value);
    line_.push_back(',');
  }
  line_[line_.size() - 1] = '\n';
  file_.add({line_.data(), line_.size()});
}

void CsvSink::flush() { file_.flush(); }

}  // namespace chicane
