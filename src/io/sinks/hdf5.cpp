#include "io/sinks/hdf5.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
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
hsize_t rows_of_block(std::size_t columns) {
  return std::clamp<hsize_t>(4'000'000 / columns, 16, 512);
}

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

}  // namespace

struct Hdf5Sink::File {
  std::string path;
  Handle file;
  std::vector<Handle> datasets;              // one for each column
  std::vector<std::vector<double>> columns;  // rows not yet written, by column
  hsize_t block = 0;                         // rows, see rows_of_block
  hsize_t written = 0;                       // rows in the file
  bool broken = false;                       // a failed append left columns of unequal length
  bool closed = false;

  [[nodiscard]] hsize_t gathered() const { return columns.front().size(); }

  // The result of a call of HDF5, or an exception when it failed.
  template <class Result>
  Result check(Result result) const {
    if (result < 0) throw std::runtime_error(fmt::format("cannot write {}: {}", path, reason()));
    return result;
  }
  [[nodiscard]] Handle own(hid_t id, Handle::Close closing) const { return {check(id), closing}; }

  File() = default;
  ~File() {  // what was not closed is no result
    std::error_code ignored;
    std::filesystem::remove(working(), ignored);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] std::filesystem::path working() const { return temporary_of(path); }
  void show() const noexcept;
  void close();
  void create(const std::filesystem::path& where);
  void add_dataset(hid_t group, const std::string& name, const Column& column);
  void add_attribute(hid_t object, const std::string& name, const std::string& value) const;
  void append();
};

// The oldest file layout is used on purpose: newer ones mark the file as open, and a copy of it
// would refuse to be read.
void Hdf5Sink::File::create(const std::filesystem::path& where) {
  path = where.string();
  const Handle creation = own(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation, false));
  file = own(H5Fcreate(working().c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT), H5Fclose);
}

void Hdf5Sink::File::add_dataset(hid_t group, const std::string& name, const Column& column) {
  constexpr hsize_t kNone = 0;
  const hsize_t most = H5S_UNLIMITED;
  const Handle space = own(H5Screate_simple(1, &kNone, &most), H5Sclose);

  const Handle creation = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_chunk(creation, 1, &block));
  check(H5Pset_obj_track_times(creation, false));  // no dates
  // Space is taken when a dataset grows, so that the file does not depend on when it was flushed.
  check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY));
  check(H5Pset_fill_time(creation, H5D_FILL_TIME_ALLOC));  // no stale bytes in the last chunk

  // Blocks fill whole chunks in order: one chunk is all the cache that is of use.
  const Handle access = own(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  check(H5Pset_chunk_cache(access, 1, block * sizeof(double), 1.0));

  datasets.push_back(
      own(H5Dcreate2(group, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, access),
          H5Dclose));
  add_attribute(datasets.back(), "unit", column.unit);
  add_attribute(datasets.back(), "description", column.description);
  columns.emplace_back().reserve(block);
}

void Hdf5Sink::File::add_attribute(hid_t object, const std::string& name,
                                   const std::string& value) const {
  const Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, value.size() + 1));  // with its final zero
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  const Handle space = own(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute =
      own(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute, type, value.c_str()));
}

void Hdf5Sink::File::append() {
  const hsize_t count = gathered();
  if (count == 0) return;
  if (broken) throw std::runtime_error(fmt::format("cannot write {}: it failed before", path));
  broken = true;  // until all columns are done
  const hsize_t size = written + count;
  const Handle rows = own(H5Screate_simple(1, &count, nullptr), H5Sclose);
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    check(H5Dset_extent(datasets[i], &size));
    const Handle target = own(H5Dget_space(datasets[i]), H5Sclose);
    check(H5Sselect_hyperslab(target, H5S_SELECT_SET, &written, nullptr, &count, nullptr));
    check(H5Dwrite(datasets[i], H5T_NATIVE_DOUBLE, rows, target, H5P_DEFAULT, columns[i].data()));
  }
  broken = false;
  written = size;
  for (std::vector<double>& column : columns) column.clear();
}

Hdf5Sink::Hdf5Sink(const std::filesystem::path& path, const std::vector<Column>& columns,
                   const Attributes& attributes) {
  require(!columns.empty(), "{}: no columns to write", path.string());
  for (const Column& column : columns) {
    require(!column.name.empty() && column.name != "." &&
                column.name.find_first_of(std::string_view("/\0", 2)) == std::string::npos,
            "{}: '{}' cannot be the name of a dataset", path.string(), column.name);
  }

  const Exclusive hdf5;
  auto file = std::make_unique<File>();
  file->block = rows_of_block(columns.size());
  file->create(path);
  file->add_attribute(file->file, "format", "chicane-results/1");
  for (const auto& [name, value] : attributes) file->add_attribute(file->file, name, value);

  file->add_dataset(file->file, "time", columns.front());
  const Handle signals =
      file->own(H5Gcreate2(file->file, "signals", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  for (std::size_t i = 1; i < columns.size(); ++i) {
    file->add_dataset(signals, columns[i].name, columns[i]);
  }
  file_ = std::move(file);
}

// A copy in place of the last one. Where there is no room for it that one stays, and the run, which
// may not need it, goes on.
void Hdf5Sink::File::show() const noexcept try {
  namespace fs = std::filesystem;
  const fs::path draft = temporary_of(working());
  std::error_code error;
  fs::copy_file(working(), draft, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(draft, path, error);
  if (error) fs::remove(draft, error);
} catch (const std::exception&) {  // no memory for a name
}

void Hdf5Sink::File::close() {
  append();
  check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  datasets.clear();
  check(file.finish());
  std::error_code error;
  std::filesystem::rename(working(), path, error);
  if (error) throw std::runtime_error(fmt::format("cannot write {}: {}", path, error.message()));
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
  if ((file_->written + file_->gathered()) % file_->block == 0) {
    const Exclusive hdf5;
    file_->append();
  }
}

void Hdf5Sink::flush() {
  const Exclusive hdf5;
  file_->append();
  file_->check(H5Fflush(file_->file, H5F_SCOPE_GLOBAL));
  file_->show();
}

void Hdf5Sink::close() {
  const Exclusive hdf5;
  file_->close();
}

}  // namespace chicane
