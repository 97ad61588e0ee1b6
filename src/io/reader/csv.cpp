// SPDX-License-Identifier: Apache-2.0
#include "io/reader/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/reader/include.hpp"
#include "io/reader/parts.hpp"

namespace chicane {
namespace {

constexpr std::size_t kMostColumns = 10'000;
constexpr int kMostFaults = 10;
constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// Lines that count, one after the other, without their ends.
class Lines {
 public:
  Lines(std::string_view text, std::size_t at, int line) : text_(text), at_(at), line_(line) {}

  bool next(std::string_view& line) {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      line = text_.substr(at_, end - at_);
      at_ = end + 1;
      number_ = line_++;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (const auto content = trimmed(line); !content.empty() && content.front() != '#')
        return true;
    }
    return false;
  }
  [[nodiscard]] int number() const { return number_; }  // of the last line
  [[nodiscard]] std::size_t at() const { return at_; }  // behind it

 private:
  std::string_view text_;
  std::size_t at_;
  int line_, number_ = 0;
};

// The cells of a line, without quotes; false: a quote is not closed, or stands inside a cell.
bool split_cells(std::string_view line, char separator, std::vector<std::string>& cells) {
  cells.clear();
  for (std::size_t at = 0;;) {
    at = std::min(line.find_first_not_of(separator == '\t' ? " " : " \t", at), line.size());
    std::string cell;
    std::size_t end = std::min(line.find(separator, at), line.size());
    if (at < line.size() && line[at] == '"') {
      std::size_t i = at + 1;
      for (;; ++i) {
        if (i >= line.size()) return false;
        if (line[i] != '"')
          cell += line[i];
        else if (i + 1 < line.size() && line[i + 1] == '"')
          cell += line[i++];
        else
          break;
      }
      end = std::min(line.find(separator, i), line.size());
      if (!trimmed(line.substr(i + 1, end - i - 1)).empty()) return false;
    } else {
      cell = trimmed(line.substr(at, end - at));
      if (cell.find('"') != std::string::npos) return false;
    }
    cells.push_back(std::move(cell));
    if (end >= line.size()) return true;
    at = end + 1;
  }
}

std::optional<double> number(std::string_view cell) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (cell.empty() || error != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

// "time [s]"
bool has_bracket(std::string_view cell) { return cell.ends_with(']') && cell.find('[') > 0; }

CsvText::Column column_of(std::string_view cell) {
  CsvText::Column column;
  const std::size_t open = cell.find('[');
  if (!has_bracket(cell) || open == std::string_view::npos) {
    column.name = cell;
    return column;
  }
  column.name = trimmed(cell.substr(0, open));
  column.unit = trimmed(cell.substr(open + 1, cell.size() - open - 2));
  column.has_unit = true;
  return column;
}

// The first of these that the header has.
char separator_of(std::string_view header) {
  for (const char c : {',', ';', '\t'})
    if (header.find(c) != std::string_view::npos) return c;
  return ',';
}

// Turns names of units into units; false and a fault for what is none.
bool resolve_units(std::vector<CsvText::Column>& columns, const std::string& path, int line,
                   Diagnostics& diag) {
  bool ok = true;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!columns[c].has_unit) continue;
    const auto parsed = parse_unit(columns[c].unit);
    if (const auto* error = std::get_if<UnitError>(&parsed)) {
      diag.error({path, line, fmt::format("column {} ({})", c + 1, columns[c].name)}, "{}",
                 error->message);
      ok = false;
    } else {
      columns[c].conversion = std::get<Unit>(parsed);
    }
  }
  return ok;
}

// Faults of one file; after so many the rest is not looked at.
class Faults {
 public:
  Faults(const std::string& path, Diagnostics& diag) : path_(path), diag_(diag) {}

  void add(const Location& where, std::string_view what) {
    if (++count_ <= kMostFaults) diag_.error(where, "{}", what);
    if (count_ == kMostFaults) diag_.error({path_, 0, ""}, "further faults are not listed");
  }
  [[nodiscard]] bool none() const { return count_ == 0; }
  [[nodiscard]] bool enough() const { return count_ >= kMostFaults; }

 private:
  const std::string& path_;
  Diagnostics& diag_;
  int count_ = 0;
};

constexpr std::string_view kBadQuote = "a quote is not closed, or stands inside a cell";

std::string counted(std::size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string_view why_no_number(const std::string& cell, char separator) {
  if (cell.empty()) return "this cell is empty: a number is needed";
  if (number(cell)) return "a finite number is needed here";
  if (separator != ',' && cell.find(',') != std::string::npos)
    return "this is no number: a decimal point is needed, not a comma";
  return "this is no number";
}

}  // namespace

std::optional<CsvText> CsvText::open(std::string text, std::string path, bool units,
                                     Diagnostics& diag) {
  CsvText csv;
  csv.text_ = std::move(text);
  csv.path_ = std::move(path);
  csv.units_ = units;
  const auto refuse = [&](int line, std::string_view why) {
    diag.error({csv.path_, line, ""}, "{}", why);
    return std::nullopt;
  };
  if (csv.text_.size() > kLargestFile)
    return refuse(1,
                  fmt::format("this file is too large: it has more than {} bytes", kLargestFile));
  if (csv.text_.starts_with("\xef\xbb\xbf")) csv.text_.erase(0, 3);
  if (const auto fault = fault_of_text(csv.text_)) return refuse(fault->first, fault->second);
  return csv.read_header(diag) ? std::optional(std::move(csv)) : std::nullopt;
}

bool CsvText::read_header(Diagnostics& diag) {
  const auto refuse = [&](int line, std::string_view why) {
    diag.error({path_, line, ""}, "{}", why);
    return false;
  };
  Lines lines(text_, 0, 1);
  std::string_view header, second;
  if (!lines.next(header)) return refuse(1, "this file is empty; a header and numbers are needed");
  const int line = lines.number();
  separator_ = separator_of(header);
  std::vector<std::string> cells;
  if (!split_cells(header, separator_, cells)) return refuse(line, kBadQuote);
  if (cells.size() > kMostColumns)
    return refuse(line, fmt::format("more than {} columns", kMostColumns));
  for (const std::string& cell : cells) columns_.push_back(column_of(cell));
  if (std::all_of(cells.begin(), cells.end(), number))
    return refuse(line,
                  "a header is needed, with a name and a unit for each column: time [s], x [mm]");
  body_ = lines.at();
  line_ = line + 1;
  const bool brackets =
      std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return c.has_unit; });
  int unit_line = line;
  if (!brackets && lines.next(second) && split_cells(second, separator_, cells) &&
      std::any_of(cells.begin(), cells.end(), [](const std::string& c) { return !number(c); })) {
    unit_line = lines.number();
    if (cells.size() != columns_.size())
      return refuse(unit_line,
                    fmt::format("{} units for {} columns", cells.size(), columns_.size()));
    for (std::size_t c = 0; c < cells.size(); ++c) {
      columns_[c].unit = cells[c];
      columns_[c].has_unit = true;
    }
    body_ = lines.at();
    line_ = unit_line + 1;
  }
  return resolve_units(columns_, path_, unit_line, diag);
}

std::optional<std::size_t> CsvText::choose(const Text& name, Diagnostics& diag) const {
  std::optional<std::size_t> found;
  std::vector<std::string_view> known;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    known.push_back(columns_[c].name);
    if (columns_[c].name != name.text) continue;
    if (found) {
      diag.error(name.where, "'{}' has two columns '{}'", path_, name.text);
      return std::nullopt;
    }
    found = c;
  }
  if (!found)
    diag.error(name.where, "'{}' has no column '{}'{}", path_, name.text,
               did_you_mean(name.text, known));
  return found;
}

Location CsvText::place(std::size_t column, int line) const {
  return {path_, line, fmt::format("column {} ({})", column + 1, columns_[column].name)};
}

std::optional<std::vector<CsvText::Values>> CsvText::read(const std::vector<std::size_t>& chosen,
                                                          Diagnostics& diag) const {
  for (const std::size_t c : chosen)
    if (units_ && !columns_[c].has_unit) {
      diag.error(place(c, 1),
                 "the unit is missing: write '{} [unit]' in the header, or the units of all "
                 "columns in a second line; a plain number has the unit [-]",
                 columns_[c].name);
      return std::nullopt;
    }
  std::vector<Values> values(chosen.size());
  std::vector<std::string> cells;
  Lines lines(text_, body_, line_);
  Faults faults(path_, diag);
  for (std::string_view line; !faults.enough() && lines.next(line);) {
    const int n = lines.number();
    if (!split_cells(line, separator_, cells)) {
      faults.add({path_, n, ""}, kBadQuote);
    } else if (cells.size() != columns_.size()) {
      faults.add({path_, n, ""},
                 fmt::format("{}, but the header has {}", counted(cells.size(), "cell"),
                             counted(columns_.size(), "column")));
    } else if ((values[0].numbers.size() + 1) * chosen.size() > kMostTableNumbers) {
      diag.error({path_, n, ""}, kTooManyNumbers, kMostTableNumbers);
      return std::nullopt;
    } else {
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        const std::string& cell = cells[chosen[k]];
        const double si = columns_[chosen[k]].conversion.to_si(number(cell).value_or(std::nan("")));
        if (!std::isfinite(si)) faults.add(place(chosen[k], n), why_no_number(cell, separator_));
        values[k].numbers.push_back(si);
        values[k].lines.push_back(n);
      }
    }
  }
  if (!faults.none()) return std::nullopt;
  if (values[0].numbers.empty()) {
    diag.error({path_, line_, ""}, "there are no numbers below the header");
    return std::nullopt;
  }
  return values;
}

std::optional<CsvText> open_csv(const Text& name, bool units, Diagnostics& diag,
                                const Loader& load) {
  const std::string path = name.where.line > 0 ? beside(name.where.file, name.text) : name.text;
  if (!is_csv(path)) {
    diag.error(name.where, "'{}' is no CSV file: its name must end in .csv", path);
    return std::nullopt;
  }
  auto text = load ? load(path) : std::nullopt;
  if (!text) {
    diag.error(name.where, "cannot read the file '{}'{}", path,
               name.where.line > 0 ? "; paths start at this file" : "");
    return std::nullopt;
  }
  return CsvText::open(std::move(*text), path, units, diag);
}

bool is_csv(std::string_view path) {
  constexpr std::string_view kEnding = ".csv";
  return path.size() > kEnding.size() &&
         std::equal(
             kEnding.begin(), kEnding.end(), path.end() - kEnding.size(),
             [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b); });
}

bool rises(const CsvText& csv, std::size_t column, const CsvText::Values& values,
           Diagnostics& diag) {
  for (std::size_t i = 1; i < values.numbers.size(); ++i) {
    const double before = values.numbers[i - 1], now = values.numbers[i];
    if (now > before) continue;
    diag.error(csv.place(column, values.lines[i]), "{}: numbers of this column must rise",
               now == before ? "the same number as in the row before"
                             : "a smaller number than in the row before");
    return false;
  }
  return true;
}

}  // namespace chicane
