// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/reader/reader.hpp"
#include "math/units.hpp"

namespace chicane {

// Columns of numbers with names and units, as in results.csv or as a spreadsheet writes them:
//
//   time [s], steer [deg]        or      time,steer
//   0, 0                                 s,deg
//   0.1, 2.5                             0,0
//
// Commas, semicolons or tabs stand between cells; empty lines and lines that begin with # do not
// count. Faults name file, line and column, and quote nothing but names and units of the header.
class CsvText {
 public:
  struct Column {
    std::string name, unit;
    bool has_unit = false;
    Unit conversion;
  };
  // One column in SI, and the line on which each number stands.
  struct Values {
    std::vector<double> numbers;
    std::vector<int> lines;
  };

  // The header. `units`: a column that is read needs one.
  static std::optional<CsvText> open(std::string text, std::string path, bool units,
                                     Diagnostics& diag);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  // The column of that name; nothing and a fault if there is none, or several.
  std::optional<std::size_t> choose(const Text& name, Diagnostics& diag) const;
  // "column 2 (steer)" of a line.
  [[nodiscard]] Location place(std::size_t column, int line) const;

  // The chosen columns of all rows; nothing and faults if a row is not right.
  [[nodiscard]] std::optional<std::vector<Values>> read(const std::vector<std::size_t>& chosen,
                                                        Diagnostics& diag) const;

 private:
  CsvText() = default;
  bool read_header(Diagnostics& diag);

  std::string text_, path_;
  std::vector<Column> columns_;
  char separator_ = ',';
  std::size_t body_ = 0;  // where the rows begin
  int line_ = 1;          // of that place
  bool units_ = true;
};

// The file that `name` names, seen from where the name stands.
std::optional<CsvText> open_csv(const Text& name, bool units, Diagnostics& diag,
                                const Loader& load);

// Whether a path ends in .csv, in small or capital letters.
bool is_csv(std::string_view path);

// False and a fault at the first number that is not greater than the one before.
bool rises(const CsvText& csv, std::size_t column, const CsvText::Values& values,
           Diagnostics& diag);

}  // namespace chicane
