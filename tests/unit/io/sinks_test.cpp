// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "io/sinks/csv.hpp"
#include "io/sinks/hdf5.hpp"
#include "testkit/messages.hpp"
#include "testkit/program.hpp"

namespace chicane::sinks_test {
namespace {

namespace fs = std::filesystem;

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

class Sinks : public testing::Test {
 protected:
  testkit::TemporaryDirectory temporary_;
  const fs::path folder_ = temporary_.path();
};

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// ---- CSV ----

using CsvFile = Sinks;

TEST_F(CsvFile, HoldsNamesUnitsAndNumbersAndNothingElse) {
  const fs::path path = folder_ / "results.csv";
  {
    CsvSink sink(path, {{"time", "s", "t"}, {"chassis.speed", "m/s", "not in the file"}});
    sink.write(std::array{0.0, 0.1});
    sink.write(std::array{-0.0, 1e300});
    sink.write(std::array{kInf, -kInf});
    sink.write(std::array{kNaN, -kNaN});
    sink.flush();
  }
  EXPECT_EQ(content(path),
            "time,chassis.speed\ns,m/s\n0,0.1\n-0,1e+300\n"
            "inf,-inf\nnan,nan\n");
}

TEST_F(CsvFile, ReadBackGivesTheSameBits) {
  std::mt19937_64 random(7);
  std::vector<double> values{5e-324, std::numeric_limits<double>::min(),
                             std::numeric_limits<double>::max(), -0.0, 1.0 / 3.0};
  while (values.size() < 5000) {
    const double v = std::bit_cast<double>(random());  // every kind of double alike
    if (std::isfinite(v)) values.push_back(v);
  }
  const fs::path path = folder_ / "bits.csv";
  CsvSink sink(path, {{"x", "", ""}});
  for (const double v : values) sink.write(std::array{v});
  sink.flush();

  std::istringstream lines(content(path));
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  for (const double v : values) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(line.c_str(), nullptr)),
              std::bit_cast<std::uint64_t>(v))
        << line;
  }
}

TEST_F(CsvFile, QuotesOnlyFieldsThatNeedIt) {
  const fs::path path = folder_ / "quotes.csv";
  CsvSink sink(path, {{"a,b", "m", ""}, {"say \"x\"", "N m", ""}, {"two\nlines", "it's", ""}});
  sink.flush();
  EXPECT_EQ(content(path), "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\nm,N m,it's\n");
}

TEST_F(CsvFile, SaysWhichFileCannotBeWrittenAndWhy) {
  const fs::path path = folder_ / "missing" / "results.csv";
  const std::string message = testkit::message_of([&] { CsvSink(path, {{"time", "s", ""}}); });
  EXPECT_NE(message.find(path.string()), std::string::npos) << message;
  EXPECT_NE(message.find("No such file"), std::string::npos) << message;
}

TEST_F(CsvFile, ReportsAFullDiskAtFlush) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  CsvSink sink("/dev/full", {{"time", "s", ""}});
  sink.write(std::array{1.0});
  const std::string message = testkit::message_of([&] { sink.flush(); });
  EXPECT_NE(message.find("/dev/full: No space left"), std::string::npos) << message;
}

TEST_F(CsvFile, RefusesARowOfTheWrongWidth) {
  CsvSink sink(folder_ / "width.csv", {{"time", "s", ""}});
  EXPECT_THROW(sink.write(std::array{1.0, 2.0}), UsageError);
}

// ---- HDF5 ----

using Hdf5File = Sinks;

// Reads a results file; every call must succeed.
class Reader {
 public:
  explicit Reader(const fs::path& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    EXPECT_GE(file_, 0);
  }
  ~Reader() { H5Fclose(file_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  [[nodiscard]] std::vector<double> values(const std::string& name, int dimensions = 1) const {
    const hid_t data = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    EXPECT_GE(data, 0) << name;
    const hid_t space = H5Dget_space(data);
    EXPECT_EQ(H5Sget_simple_extent_ndims(space), dimensions) << name;
    std::vector<double> v(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v.data()), 0);
    H5Sclose(space);
    H5Dclose(data);
    return v;
  }
  [[nodiscard]] std::string attribute(const std::string& object, const std::string& name) const {
    const hid_t attribute = H5Aopen_by_name(file_, object.c_str(), name.c_str(), 0, 0);
    EXPECT_GE(attribute, 0) << object << " " << name;
    const hid_t type = H5Aget_type(attribute);
    std::string text(H5Tget_size(type), '\0');
    EXPECT_GE(H5Aread(attribute, type, text.data()), 0);
    H5Tclose(type);
    H5Aclose(attribute);
    return text.c_str();  // up to the final zero
  }
  [[nodiscard]] hsize_t signals() const {
    H5G_info_t info{};
    EXPECT_GE(H5Gget_info_by_name(file_, "signals", &info, H5P_DEFAULT), 0);
    return info.nlinks;
  }

 private:
  hid_t file_;
};

const std::vector<Column> kColumns{{"time", "s", "time of the frame"},
                                   {"wheel.fl.slip", "1", "slip angle, \xC2\xB5 and more"},
                                   {"speed", "m/s", ""}};

std::array<double, 3> row_of(int k) { return {0.001 * k, std::sin(0.1 * k), -k / 3.0}; }

void write_rows(Sink& sink, int begin, int end) {
  for (int k = begin; k < end; ++k) sink.write(row_of(k));
}

void expect_rows(const fs::path& path, std::size_t count) {
  const Reader file(path);
  const std::array columns{file.values("/time"), file.values("/signals/wheel.fl.slip"),
                           file.values("/signals/speed")};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    ASSERT_EQ(columns[i].size(), count);
    for (std::size_t k = 0; k < count; ++k) {
      ASSERT_EQ(columns[i][k], row_of(static_cast<int>(k))[i]) << "row " << k << ", column " << i;
    }
  }
}

TEST_F(Hdf5File, GivesBackEveryRowAcrossBlocksAndFlushes) {
  const fs::path path = folder_ / "results.h5";
  {
    Hdf5Sink sink(path, {.columns = kColumns});
    write_rows(sink, 0, 100);  // flushed amid a block, then over the end of several
    sink.flush();
    write_rows(sink, 100, 2000);
    sink.flush();
    sink.flush();
    write_rows(sink, 2000, 2345);  // the rest is written when the sink closes
  }
  expect_rows(path, 2345);
}

TEST_F(Hdf5File, CarriesUnitsDescriptionsAndTheFactsOfTheRun) {
  const fs::path path = folder_ / "results.h5";
  {
    Hdf5Sink(path, {.columns = kColumns,
                    .attributes = {{"model", "sedan"}, {"method", ""}},
                    .parameters = {{"chassis.mass", "kg", "of the body", 2086.5}}});
  }
  const Reader file(path);
  EXPECT_EQ(file.attribute("/", "format"), "chicane-results/1");
  EXPECT_EQ(file.attribute("/", "model"), "sedan");
  EXPECT_EQ(file.attribute("/", "method"), "");
  EXPECT_EQ(file.attribute("/time", "unit"), "s");
  EXPECT_EQ(file.attribute("/signals/wheel.fl.slip", "unit"), "1");
  EXPECT_EQ(file.attribute("/signals/wheel.fl.slip", "description"),
            "slip angle, \xC2\xB5 and more");
  EXPECT_EQ(file.values("/parameters/chassis.mass", 0), std::vector{2086.5});
  EXPECT_EQ(file.attribute("/parameters/chassis.mass", "unit"), "kg");
  EXPECT_EQ(file.attribute("/parameters/chassis.mass", "description"), "of the body");
  EXPECT_EQ(file.signals(), 2u);  // dots make no groups
  EXPECT_TRUE(file.values("/time").empty());
}

// Of a signal that hardly changes little is left; long or short, it reads back as it was written.
TEST_F(Hdf5File, PacksLongColumnsAndHasMetricsWhenItIsClosed) {
  const auto metrics = std::make_shared<std::vector<Hdf5Number>>();
  for (const int rows : {100, 60'000}) {
    const fs::path path = folder_ / std::to_string(rows);
    Hdf5Sink sink(path, {.columns = {{"time", "s", ""}, {"x", "m", ""}}, .metrics = metrics});
    for (int k = 0; k < rows; ++k) sink.write(std::array{0.001 * k, std::floor(k / 1000.0)});
    sink.flush();
    const auto shown = fs::file_size(path);
    *metrics = {{"peak", "m", "", 59.0}};
    sink.close();
    EXPECT_EQ(Reader(path).values("/metrics/peak", 0), std::vector{59.0});
    EXPECT_EQ(Reader(path).attribute("/metrics/peak", "unit"), "m");
    const auto x = Reader(path).values("/signals/x");
    ASSERT_EQ(x.size(), static_cast<std::size_t>(rows));
    for (int k = 0; k < rows; ++k)
      ASSERT_EQ(x[static_cast<std::size_t>(k)], std::floor(k / 1000.0));
    EXPECT_EQ(2 * fs::file_size(path) < shown, rows > 1000) << fs::file_size(path) << " " << shown;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()),
              rows > 1000 ? 2 : 1);  // nothing is left beside
  }
}

TEST_F(Hdf5File, EqualRunsGiveEqualBytesWheneverTheyWereFlushed) {
  for (const int every : {10'000, 300}) {
    Hdf5Sink sink(folder_ / std::to_string(every), {.columns = kColumns});
    for (int k = 0; k < 3000; k += 100) {
      write_rows(sink, k, k + 100);
      if (k % every == 0) sink.flush();
    }
  }
  EXPECT_TRUE(content(folder_ / "10000") == content(folder_ / "300"));
}

TEST_F(Hdf5File, OpensAfterACrashWithWhatWasFlushed) {
  const fs::path path = folder_ / "crash.h5";
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto* sink = new Hdf5Sink(path, {.columns = kColumns});
    write_rows(*sink, 0, 700);
    sink->flush();
    write_rows(*sink, 700, 800);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  expect_rows(path, 700);
}

TEST_F(Hdf5File, SaysWhichFileCannotBeWrittenAndWhyAndPrintsNothing) {
  const fs::path path = folder_ / "missing" / "results.h5";
  testing::internal::CaptureStderr();
  const std::string message = testkit::message_of([&] { Hdf5Sink(path, {.columns = kColumns}); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(message, "cannot write " + path.string() + ": No such file or directory");
}

// A limit on the size of files stands in for a full disk.
[[noreturn]] void run_into_a_full_disk(const fs::path& path) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{50'000, 50'000};  // [byte] room for the head and a few of the 100 blocks
  setrlimit(RLIMIT_FSIZE, &limit);
  const std::string message = testkit::message_of([&] {
    Hdf5Sink sink(path, {.columns = kColumns});
    write_rows(sink, 0, 50'000);
    sink.flush();
  });
  std::exit(message == "cannot write " + path.string() + ": File too large" ? 0 : 1);
}

TEST_F(Hdf5File, ReportsAFullDiskAndLetsTheProgramEndInPeace) {
  EXPECT_EXIT(run_into_a_full_disk(folder_ / "full.h5"), testing::ExitedWithCode(0), "^$");
}

TEST_F(Hdf5File, RefusesNamesThatWouldMakeGroupsAndRowsOfTheWrongWidth) {
  EXPECT_THROW(Hdf5Sink(folder_ / "a.h5", {.columns = {{"time", "s", ""}, {"a/b", "m", ""}}}),
               UsageError);
  EXPECT_THROW(Hdf5Sink(folder_ / "b.h5", {.columns = {{"time", "s", ""}, {"", "m", ""}}}),
               UsageError);
  Hdf5Sink sink(folder_ / "c.h5", {.columns = kColumns});
  EXPECT_THROW(sink.write(std::array{1.0}), UsageError);
}

}  // namespace
}  // namespace chicane::sinks_test
