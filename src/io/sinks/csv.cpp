#include "io/sinks/csv.hpp"

#include <cerrno>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <system_error>

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

void append(fmt::memory_buffer& line, double value) {
  if (std::isnan(value)) {
    line.append(std::string_view("nan"));  // without its sign, which means nothing
  } else {
    fmt::format_to(std::back_inserter(line), "{:.17g}", value);
  }
}

}  // namespace

CsvSink::CsvSink(const std::filesystem::path& path, const std::vector<Column>& columns)
    : path_(path.string()), width_(columns.size()) {
  require(!columns.empty(), "{}: no columns to write", path_);
  file_.reset(std::fopen(path_.c_str(), "wb"));
  if (!file_) fail(errno);

  for (std::string Column::*text : {&Column::name, &Column::unit}) {
    line_.clear();
    for (const Column& column : columns) {
      line_.append(field(column.*text));
      line_.push_back(&column == &columns.back() ? '\n' : ',');
    }
    put(line_);
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
  put(line_);
}

void CsvSink::flush() {
  if (std::fflush(file_.get()) != 0) fail(errno);
}

void CsvSink::put(const fmt::memory_buffer& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail(errno);
}

void CsvSink::fail(int error) const {
  throw std::runtime_error(
      fmt::format("cannot write {}: {}", path_, std::generic_category().message(error)));
}

}  // namespace chicane
