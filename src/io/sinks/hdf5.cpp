// SPDX-License-Identifier: Apache-2.0
#include "io/sinks/hdf5.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/diagnostics.hpp"
#include "io/files.hpp"

namespace chicane {

namespace {

// Rows of a chunk, and rows gathered before they are written: fewer where there are many columns,
// so that what is gathered stays below 32 MB.
hsize_t rows_of_block(std::size_t columns, hsize_t most = 512) {
  return std::clamp<hsize_t>(4'000'000 / columns, 16, most);
}

// Of the file at the end: chunks of fewer rows are not worth it, and of more are packed better.
constexpr hsize_t kLeastPacked = 512, kPackedChunk = 8192;
constexpr unsigned kPackedLevel = 1;  // of zlib: more gains 2 % and takes longer

// HDF5 has one state for the whole program, and a build of it may not lock it. While one of these
// lives the library is ours, and it keeps its error messages to itself.
//
// Its clean-up at exit is turned off: it crashes on a file that a full disk kept from closing, and
// we close our files ourselves.
class Exclusive {
 public:
  Exclusive() : lock_(mutex()) {
    static const herr_t no_clean_up = H5dont_atexit();  // must be the first call of all
    static_cast<void>(no_clean_up);
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Exclusive() {
    H5Eclear2(H5E_DEFAULT);  // what is left of it would leak with its thread
    H5Eset_auto2(H5E_DEFAULT, print_, data_);
  }
  Exclusive(const Exclusive&) = delete;
  Exclusive& operator=(const Exclusive&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }

  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

// An identifier that closes itself.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }

  operator hid_t() const { return id_; }  // so that it is passed to HDF5 as it is
  herr_t finish() { return close_(std::exchange(id_, -1)); }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

herr_t keep_first(unsigned n, const H5E_error2_t* error, void* text) {
  if (n == 0 && error->desc) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

// What HDF5 says about its last error; of the long text about a file, only the system's reason.
std::string reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
  constexpr std::string_view kMark = "error message = '";
  if (const auto at = text.find(kMark); at != std::string::npos) {
    text.erase(0, at + kMark.size());
    text.erase(std::min(text.find('\''), text.size()));
  }
  return text.empty() ? "unknown HDF5 error" : text;
}

std::runtime_error failure(const std::string& path) {
  return std::runtime_error(fmt::format("cannot write {}: {}", path, reason()));
}

// One file with all groups and datasets of results, empty at first.
class ResultFile {
 public:
  // `name` is what messages call it.
  ResultFile(const std::string& path, const std::string& name, const Hdf5Content& content,
             hsize_t chunk, bool packed);

  void append(const std::vector<std::vector<double>>& columns);
  // What is known at the end only.
  void add_metrics(const std::vector<Hdf5Number>& metrics);
  void flush() { check(H5Fflush(file_, H5F_SCOPE_GLOBAL)); }
  void close();

  [[nodiscard]] hsize_t rows() const { return rows_; }
  [[nodiscard]] hsize_t chunk() const { return chunk_; }
  // A stretch of a column that was written before.
  void read(std::size_t column, hsize_t from, std::vector<double>& to);

 private:
  // The result of a call of HDF5, or an exception when it failed.
  template <class Result>
  Result check(Result result) const {
    if (result < 0) throw failure(name_);
    return result;
  }
  [[nodiscard]] Handle own(hid_t id, Handle::Close closing) const { return {check(id), closing}; }
  [[nodiscard]] Handle group(const char* name) const {
    return own(H5Gcreate2(file_, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  }
  [[nodiscard]] Handle stretch(hid_t dataset, hsize_t from, hsize_t count) const;
  void add_dataset(hid_t group, const std::string& name, const Column& column, bool packed);
  void add_attribute(hid_t object, const std::string& name, const std::string& value) const;
  void add_number(hid_t group, const Hdf5Number& number) const;

  std::string name_;
  hsize_t chunk_, rows_ = 0;
  Handle file_, metrics_;
  std::vector<Handle> datasets_;  // one for each column
};

// The oldest file layout is used on purpose: newer ones mark the file as open, and a copy of it
// would refuse to be read.
ResultFile::ResultFile(const std::string& path, const std::string& name, const Hdf5Content& content,
                       hsize_t chunk, bool packed)
    : name_(name), chunk_(chunk) {
  const Handle creation = own(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation, false));
  file_ = own(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT), H5Fclose);
  add_attribute(file_, "format", "chicane-results/1");
  for (const auto& [key, value] : content.attributes) add_attribute(file_, key, value);
  add_dataset(file_, "time", content.columns.front(), packed);
  const Handle signals = group("signals");
  for (std::size_t i = 1; i < content.columns.size(); ++i)
    add_dataset(signals, content.columns[i].name, content.columns[i], packed);
  const Handle parameters = group("parameters");
  for (const Hdf5Number& p : content.parameters) add_number(parameters, p);
  metrics_ = group("metrics");
}

void ResultFile::add_dataset(hid_t group, const std::string& name, const Column& column,
                             bool packed) {
  constexpr hsize_t kNone = 0;
  const hsize_t most = H5S_UNLIMITED;
  const Handle space = own(H5Screate_simple(1, &kNone, &most), H5Sclose);

  const Handle creation = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_chunk(creation, 1, &chunk_));
  check(H5Pset_obj_track_times(creation, false));  // no dates
  if (packed) {
    check(H5Pset_shuffle(creation));
    check(H5Pset_deflate(creation, kPackedLevel));
  } else {
    // Space is taken when a dataset grows: the file does not depend on when it was flushed.
    check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY));
  }
  check(H5Pset_fill_time(creation, H5D_FILL_TIME_ALLOC));  // no stale bytes in the last chunk

  // Blocks fill whole chunks in order: one chunk is all the cache that is of use.
  const Handle access = own(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  check(H5Pset_chunk_cache(access, 1, chunk_ * sizeof(double), 1.0));

  datasets_.push_back(
      own(H5Dcreate2(group, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, access),
          H5Dclose));
  add_attribute(datasets_.back(), "unit", column.unit);
  add_attribute(datasets_.back(), "description", column.description);
}

void ResultFile::add_attribute(hid_t object, const std::string& name,
                               const std::string& value) const {
  const Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, value.size() + 1));  // with its final zero
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  const Handle space = own(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute =
      own(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute, type, value.c_str()));
}

void ResultFile::add_number(hid_t group, const Hdf5Number& number) const {
  const Handle space = own(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle creation = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation, false));
  const Handle dataset = own(H5Dcreate2(group, number.name.c_str(), H5T_IEEE_F64LE, space,
                                        H5P_DEFAULT, creation, H5P_DEFAULT),
                             H5Dclose);
  check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &number.value));
  add_attribute(dataset, "unit", number.unit);
  add_attribute(dataset, "description", number.description);
}

void ResultFile::add_metrics(const std::vector<Hdf5Number>& metrics) {
  for (const Hdf5Number& m : metrics) add_number(metrics_, m);
}

Handle ResultFile::stretch(hid_t dataset, hsize_t from, hsize_t count) const {
  Handle space = own(H5Dget_space(dataset), H5Sclose);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, nullptr, &count, nullptr));
  return space;
}

void ResultFile::append(const std::vector<std::vector<double>>& columns) {
  const hsize_t count = columns.front().size(), size = rows_ + count;
  const Handle rows = own(H5Screate_simple(1, &count, nullptr), H5Sclose);
  for (std::size_t i = 0; i < datasets_.size(); ++i) {
    check(H5Dset_extent(datasets_[i], &size));
    const Handle target = stretch(datasets_[i], rows_, count);
    check(H5Dwrite(datasets_[i], H5T_NATIVE_DOUBLE, rows, target, H5P_DEFAULT, columns[i].data()));
  }
  rows_ = size;
}

void ResultFile::read(std::size_t column, hsize_t from, std::vector<double>& to) {
  const hsize_t count = to.size();
  const Handle rows = own(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle source = stretch(datasets_[column], from, count);
  check(H5Dread(datasets_[column], H5T_NATIVE_DOUBLE, rows, source, H5P_DEFAULT, to.data()));
}

void ResultFile::close() {
  flush();
  datasets_.clear();
  metrics_ = {};
  check(file_.finish());
}

}  // namespace

struct Hdf5Sink::File {
  std::string path;
  Hdf5Content content;
  std::optional<ResultFile> working;         // at working_path(), not packed
  std::vector<std::vector<double>> columns;  // rows not yet written, by column
  bool broken = false;                       // a failed append left columns of unequal length
  bool closed = false;

  File(const std::filesystem::path& where, Hdf5Content what)
      : path(where.string()), content(std::move(what)) {
    const hsize_t block = rows_of_block(content.columns.size());
    working.emplace(working_path().string(), path, content, block, false);
    columns.resize(content.columns.size());
    for (std::vector<double>& c : columns) c.reserve(block);
  }
  ~File() {  // what was not closed is no result
    working.reset();
    std::error_code ignored;
    std::filesystem::remove(working_path(), ignored);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] std::filesystem::path working_path() const { return temporary_of(path); }
  [[nodiscard]] hsize_t gathered() const { return columns.front().size(); }
  void append();
  void show() const noexcept;
  void close();
  bool pack(const std::filesystem::path& to) noexcept;
};

void Hdf5Sink::File::append() {
  if (gathered() == 0) return;
  if (broken) throw std::runtime_error(fmt::format("cannot write {}: it failed before", path));
  broken = true;  // until all columns are done
  working->append(columns);
  broken = false;
  for (std::vector<double>& column : columns) column.clear();
}

Hdf5Sink::Hdf5Sink(const std::filesystem::path& path, const Hdf5Content& content) {
  require(!content.columns.empty(), "{}: no columns to write", path.string());
  const auto check_name = [&](const std::string& name) {
    require(!name.empty() && name != "." &&
                name.find_first_of(std::string_view("/\0", 2)) == std::string::npos,
            "{}: '{}' cannot be the name of a dataset", path.string(), name);
  };
  for (const Column& column : content.columns) check_name(column.name);
  for (const Hdf5Number& p : content.parameters) check_name(p.name);

  const Exclusive hdf5;
  file_ = std::make_unique<File>(path, content);
}

// A copy in place of the last one. Where there is no room for it that one stays, and the run, which
// may not need it, goes on.
void Hdf5Sink::File::show() const noexcept try {
  namespace fs = std::filesystem;
  const fs::path draft = temporary_of(working_path());
  std::error_code error;
  fs::copy_file(working_path(), draft, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(draft, path, error);
  if (error) fs::remove(draft, error);
} catch (const std::exception&) {  // no memory for a name
}

// The same results in less room, written in one go; false where that is not possible.
bool Hdf5Sink::File::pack(const std::filesystem::path& to) noexcept try {
  const hsize_t chunk = rows_of_block(columns.size(), kPackedChunk);
  if (std::min(chunk, working->rows()) < kLeastPacked || H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0)
    return false;
  ResultFile packed(to.string(), path, content, chunk, true);
  for (hsize_t from = 0; from < working->rows(); from += chunk) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      columns[c].resize(std::min(chunk, working->rows() - from));
      working->read(c, from, columns[c]);
    }
    packed.append(columns);
  }
  if (content.metrics) packed.add_metrics(*content.metrics);
  packed.close();
  return true;
} catch (const std::exception&) {  // no room for two: the one that is there will do
  std::error_code ignored;
  std::filesystem::remove(to, ignored);
  return false;
}

void Hdf5Sink::File::close() {
  append();
  working->flush();
  const std::filesystem::path draft = temporary_of(working_path());
  const bool packed = pack(draft);
  if (!packed && content.metrics) working->add_metrics(*content.metrics);
  working->close();
  std::error_code error;
  std::filesystem::rename(packed ? draft : working_path(), path, error);
  if (error) throw std::runtime_error(fmt::format("cannot write {}: {}", path, error.message()));
  std::filesystem::remove(working_path(), error);  // of what was packed
  closed = true;
}

Hdf5Sink::~Hdf5Sink() {
  const Exclusive hdf5;
  try {
    if (!file_->broken && !file_->closed) file_->close();
  } catch (const std::exception&) {  // the caller who wants to know has called close
  }
  file_.reset();
}

void Hdf5Sink::write(std::span<const double> row) {
  std::vector<std::vector<double>>& columns = file_->columns;
  require(row.size() == columns.size(), "{}: a row of {} numbers for {} columns", file_->path,
          row.size(), columns.size());
  for (std::size_t i = 0; i < row.size(); ++i) columns[i].push_back(row[i]);

  // After an early flush the next block is shorter, so that blocks and chunks stay in step.
  if ((file_->working->rows() + file_->gathered()) % file_->working->chunk() == 0) {
    const Exclusive hdf5;
    file_->append();
  }
}

void Hdf5Sink::flush() {
  const Exclusive hdf5;
  file_->append();
  file_->working->flush();
  file_->show();
}

void Hdf5Sink::close() {
  const Exclusive hdf5;
  file_->close();
}

}  // namespace chicane
