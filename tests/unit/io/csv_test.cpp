// SPDX-License-Identifier: Apache-2.0

// Numbers from CSV files: what is read is what stands there, in SI; what is wrong is named with
// file, line and column.

#include "io/reader/csv.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "assembly/assemble.hpp"
#include "io/reader/include.hpp"
#include "io/reader/inputs.hpp"
#include "io/writer/echo.hpp"
#include "simulation/plan.hpp"

namespace chicane::csv_test {
namespace {

struct Read {
  std::vector<std::vector<double>> columns;
  std::string faults;
};

// All columns of a text.
Read read(const std::string& text, bool units = true) {
  Diagnostics diag;
  Read out;
  if (const auto csv = CsvText::open(text, "a.csv", units, diag)) {
    std::vector<std::size_t> all(csv->columns().size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    if (const auto values = csv->read(all, diag))
      for (const CsvText::Values& v : *values) out.columns.push_back(v.numbers);
  }
  out.faults = diag.text();
  return out;
}

using Columns = std::vector<std::vector<double>>;

TEST(Csv, HasItsUnitsInTheHeaderOrInASecondLine) {
  const Columns expected{{0, 0.1}, {0.002, 0.0025}};
  for (const char* text : {
           "t [s], x [mm]\n0, 2\n0.1, 2.5\n",
           "t,x\ns,mm\n0,2\n0.1,2.5\n",                                 // as results.csv has them
           "\xef\xbb\xbft [s];x [mm]\r\n0;2\r\n0.1;2.5\r\n",            // as a spreadsheet has them
           "# measured\n\nt [ms]\tx [mm]\n0\t+2\n# pause\n\n100\t2.5",  // tabs, and no last line
                                                                        // end
           "\"t [s]\",\"x [mm]\"\n\"0\",2\n.1,25e-1\n",
       }) {
    const Read r = read(text);
    EXPECT_EQ(r.faults, "") << text;
    EXPECT_EQ(r.columns, expected) << text;
  }
}

TEST(Csv, PlainNumbersSaySo) {
  EXPECT_EQ(read("a [-], b []\n1, 2\n").columns, (Columns{{1}, {2}}));
  EXPECT_EQ(read("time,mu\ns,\n1,2\n").columns, (Columns{{1}, {2}}));
  EXPECT_NE(read("a,b [m]\n1,2\n").faults.find("a.csv:1: column 1 (a): the unit is missing"),
            std::string::npos);
  EXPECT_NE(read("a,b\n1,2\n").faults.find("the unit is missing"), std::string::npos);
  EXPECT_EQ(read("a,b\n1,2\n", false).columns, (Columns{{1}, {2}}));  // of a model without units
}

TEST(Csv, FaultsNameLineAndColumn) {
  const std::string head = "t [s], x [m]\n0, 0\n";
  for (const auto& [text, fault] : std::vector<std::pair<std::string, std::string>>{
           {head + "1, two\n", "a.csv:3: column 2 (x): this is no number"},
           {head + "1, 0x10\n", "a.csv:3: column 2 (x): this is no number"},
           {head + "1,\n", "a.csv:3: column 2 (x): this cell is empty"},
           {head + "1, nan\n", "a.csv:3: column 2 (x): a finite number is needed"},
           {head + "-inf, 1\n", "a.csv:3: column 1 (t): a finite number is needed"},
           {head + "1, 1e999\n", "a.csv:3: column 2 (x): this is no number"},
           {head + "1\n", "a.csv:3: 1 cell, but the header has 2 columns"},
           {head + "1,2,3\n", "a.csv:3: 3 cells, but the header has 2 columns"},
           {head + "1, \"2\n", "a.csv:3: a quote is not closed"},
           {"t [s];x [m]\n0;1,5\n", "a.csv:2: column 2 (x): this is no number: a decimal point"},
           {"t [s], x [furlong]\n0, 0\n", "a.csv:1: column 2 (x): "},
           {"t,x\ns\n0,0\n", "a.csv:2: 1 units for 2 columns"},
           {"0,0\n1,1\n", "a.csv:1: a header is needed"},
           {"", "a.csv:1: this file is empty"},
           {"\n# nothing\n", "a.csv:1: this file is empty"},
           {"t [s], x [m]\n", "there are no numbers below the header"},
           {head + std::string("1,\0 2\n", 6), "a.csv:3: this is not a text file"},
           {"\xff\xfet", "a.csv:1: byte 0xff is not UTF-8"},
           {std::string(kLargestFile + 1, '1'), "a.csv:1: this file is too large"},
       }) {
    const Read r = read(text);
    EXPECT_TRUE(r.columns.empty());
    EXPECT_NE(r.faults.find(fault), std::string::npos) << fault << "\nis not in\n" << r.faults;
  }
}

TEST(Csv, WithManyFaultsListsTheFirst) {
  std::string text = "t [s], x [m]\n";
  for (int k = 0; k < 5000; ++k) text += "1\n";
  const std::string faults = read(text).faults;
  EXPECT_EQ(std::count(faults.begin(), faults.end(), '\n'), 11) << faults;
  EXPECT_NE(faults.find("further faults are not listed"), std::string::npos);
}

// Whatever the bytes: values or faults, never both or neither.
TEST(Csv, OfAnyBytesIsReadOrRefused) {
  std::mt19937 random(5);
  const std::string letters = "019.,;\t \n\r\"#[]+-em s\\xff";
  for (int k = 0; k < 20'000; ++k) {
    std::string text = k % 2 == 0 ? "a [s], b [m]\n1, 2\n" : "";
    for (auto n = random() % 40; n > 0; --n) text += letters[random() % letters.size()];
    const Read r = read(text);
    EXPECT_EQ(r.columns.empty(), !r.faults.empty()) << text;
  }
}

// --- tables ------------------------------------------------------------------------------------

using Files = std::map<std::string, std::string>;

std::optional<Spec> model(const std::string& tables, const Files& files, Diagnostics& diag) {
  const std::string text =
      "format: chicane/1\ntables:\n" + tables + "states: {x: {der: '0*t', unit: s}}\n";
  return read_model_text(text, "dir/m.yaml", diag, [&](const std::string& path) {
    const auto it = files.find(path);
    return it == files.end() ? std::nullopt : std::optional(it->second);
  });
}

TEST(TableFile, IsACurveOrAMapAndItsEchoNeedsNoFile) {
  const Files files{
      {"dir/c.csv", "slip [%], force [kN]\n0, 0\n10, 3\n20, 2.5\n"},
      // in any order, among other columns
      {"dir/m.csv", "note,v [m/s],x [mm],F [N]\nok,1,50,4\nok,0,-50,1\nok,1,-50,3\nok,0,50,2\n"}};
  Diagnostics diag;
  const auto spec = model(
      "  c: {file: c.csv, interpolation: hold}\n  r: {file: c.csv, columns: [slip, force]}\n"
      "  m: {file: m.csv, columns: [v, x, F]}\n",
      files, diag);
  ASSERT_TRUE(spec) << diag.text();
  EXPECT_EQ(spec->tables[0].x.values, (std::vector{0.0, 0.1, 0.2}));
  EXPECT_EQ(spec->tables[1].y.values, (std::vector{0.0, 3000.0, 2500.0}));
  EXPECT_EQ(spec->tables[2].x.values, (std::vector{0.0, 1.0}));
  EXPECT_EQ(spec->tables[2].y.values, (std::vector{-0.05, 0.05}));
  EXPECT_EQ(spec->tables[2].z.values, (std::vector{1.0, 2.0, 3.0, 4.0}));
  const std::string echo = write_model(*spec);
  const auto again = read_model_text(echo, "m.yaml", diag, {});
  ASSERT_TRUE(again) << diag.text();
  EXPECT_EQ(write_model(*again), echo);
  EXPECT_EQ(again->tables[0].interpolation, Interpolation::hold);
  EXPECT_TRUE(compile(*again, Partition::together(*again), diag)) << diag.text();
}

TEST(TableFile, FaultsNameTheirPlace) {
  const Files files{{"dir/c.csv", "a [s], b [N], c [m]\n0, 1, 1\n1, 2, 2\n1, 3, 1\n"},
                    {"dir/down.csv", "a [s], b [N]\n0, 1\n2, 2\n1, 3\n"},
                    {"dir/twice.csv", "a [s], a [N]\n0, 1\n"},
                    {"dir/passwd", "root:x:0:0\n"}};
  for (const auto& [table, fault] : std::vector<std::pair<std::string, std::string>>{
           {"{file: no.csv}", "dir/m.yaml:3: tables.t.file: cannot read the file 'dir/no.csv'"},
           {"{file: passwd}", "dir/m.yaml:3: tables.t.file: 'dir/passwd' is no CSV file"},
           {"{file: c.csv}", "dir/m.yaml:3: tables.t.file: 'dir/c.csv' has 3 columns"},
           {"{file: c.csv, columns: [a, bb]}",
            "tables.t.columns[1]: 'dir/c.csv' has no column 'bb'"},
           {"{file: c.csv, columns: [a]}", "dir/m.yaml:3: tables.t.columns: a curve has two"},
           {"{file: c.csv, columns: [a, b]}",
            "dir/c.csv:4: column 1 (a): the same number as in the row before"},
           {"{file: c.csv, columns: [a, c, b]}", "a map needs a row for each pair of a and c"},
           {"{file: down.csv}", "dir/down.csv:4: column 1 (a): a smaller number"},
           {"{file: twice.csv, columns: [a, a]}", "'dir/twice.csv' has two columns 'a'"},
           {"{file: down.csv, x: [1, s]}", "dir/m.yaml:3: tables.t.x: the numbers of a table are"},
           {"{x: [0, 1, s], y: [1, 2, m], columns: [a, b]}", "columns are those of a file"},
           {"{y: [1, 2, m]}", "'x' is missing"},
       }) {
    Diagnostics diag;
    EXPECT_FALSE(model("  t: " + table + "\n", files, diag));
    EXPECT_NE(diag.text().find(fault), std::string::npos) << fault << "\nis not in\n"
                                                          << diag.text();
    EXPECT_EQ(diag.text().find("root"), std::string::npos);
  }
}

// Of a model with more numbers the echo could not be read.
TEST(TableFile, WithTooManyNumbersIsRefusedAndWithFewerItsEchoCanBeRead) {
  const auto rows = [](std::size_t n) {
    std::string text = "t [deg], x [mm]\n";
    for (std::size_t k = 0; k < n; ++k)
      text += std::to_string(k) + "," + std::to_string(0.1 + 0.3 * static_cast<double>(k)) + "\n";
    return text;
  };
  Diagnostics diag;
  const std::size_t most = kMostTableNumbers / 2;
  EXPECT_FALSE(model("  t: {file: a.csv}\n", {{"dir/a.csv", rows(most + 1)}}, diag));
  EXPECT_NE(diag.text().find("dir/a.csv:60002: the tables of a model have at most"),
            std::string::npos)
      << diag.text();
  Diagnostics two;
  EXPECT_FALSE(
      model("  t: {file: a.csv}\n  u: {file: a.csv}\n", {{"dir/a.csv", rows(most / 2 + 1)}}, two));
  EXPECT_NE(two.text().find("have at most"), std::string::npos) << two.text();
  Diagnostics none;
  const auto spec = model("  t: {file: a.csv}\n", {{"dir/a.csv", rows(most)}}, none);
  ASSERT_TRUE(spec) << none.text();
  const std::string echo = write_model(*spec);
  EXPECT_LT(echo.size(), kLargestFile);
  EXPECT_TRUE(read_model_text(echo, "m.yaml", none, {})) << none.text();
}

// --- curves of vehicles ------------------------------------------------------------------------

TEST(VehicleCurve, MayStandInACsvFile) {
  const Files files{
      {"steer.csv", "time [s], angle [deg], note [-]\n0, 0, 1\n1, 0, 1\n1.5, 90, 1\n"}};
  const auto read_it = [&](const std::string& angle, Diagnostics& diag) {
    return read_model_text(
        "format: chicane/1\nbase: hmmwv\nvehicle: {driver: {steering: {type: "
        "schedule, angle: " +
            angle + "}}}\n",
        "m.yaml", diag, [&](const std::string& path) {
          const auto it = files.find(path);
          return it == files.end() ? std::nullopt : std::optional(it->second);
        });
  };
  Diagnostics diag;
  const auto spec = read_it("{file: steer.csv, columns: [time, angle]}", diag);
  ASSERT_TRUE(spec) << diag.text();
  const std::string echo = write_model(*spec);
  EXPECT_NE(echo.find("1.5707963267948966"), std::string::npos);
  EXPECT_EQ(echo.find("steer.csv"), std::string::npos);
  EXPECT_TRUE(read_model_text(echo, "e.yaml", diag, {})) << diag.text();
  for (const auto& [angle, fault] : std::vector<std::pair<std::string, std::string>>{
           {"{file: steer.csv}", "'steer.csv' has 3 columns"},
           {"{file: steer.csv, columns: [angle, time]}", "the same number as in the row before"},
           {"{file: steer.csv, columns: [time, angel]}", "did you mean 'angle'?"},
           {"{file: steer.csv, columns: [time, angle], y: [1, rad]}", "has no 'y' beside it"},
           {"{file: none.csv}", "cannot read the file 'none.csv'"}}) {
    Diagnostics wrong;
    EXPECT_FALSE(read_it(angle, wrong)) << angle;
    EXPECT_NE(wrong.text().find(fault), std::string::npos) << wrong.text();
  }
}

}  // namespace
}  // namespace chicane::csv_test
