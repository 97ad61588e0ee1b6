// SPDX-License-Identifier: Apache-2.0
#include "io/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace chicane {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void cannot(const char* what, const fs::path& path, int error) {
  throw std::runtime_error(fmt::format("cannot {} {}: {}", what, path.string(), reason(error)));
}

// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }
  int close() { return number_ < 0 ? 0 : ::close(std::exchange(number_, -1)); }

 private:
  int number_;
};

// All of it, or what was wrong: an error number. Gives how much was written.
std::pair<std::size_t, int> write_all(int file, std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n > 0) done += static_cast<std::size_t>(n);
    if (n == 0) return {done, ENOSPC};
    if (n < 0 && errno != EINTR) return {done, errno};
  }
  return {done, 0};
}

void write_directly(const fs::path& path, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file < 0) cannot("write", path, errno);
  if (const int error = write_all(file, text).second) cannot("write", path, error);
  if (file.close() != 0) cannot("write", path, errno);
}

void write_draft(const fs::path& draft, const fs::path& path, std::string_view text,
                 Durable durable) {
  Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file < 0) cannot("write", path, errno);
  if (const int error = write_all(file, text).second) cannot("write", path, error);
  if (durable == Durable::yes && ::fsync(file) != 0) cannot("write", path, errno);
  if (file.close() != 0) cannot("write", path, errno);
  if (::rename(draft.c_str(), path.c_str()) != 0) cannot("write", path, errno);
}

void sync_directory(const fs::path& path) {
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const Descriptor directory(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot sync a directory; then there is nothing more to be done.
  if (directory >= 0 && ::fsync(directory) != 0 && errno != EINVAL) cannot("sync", parent, errno);
}

// Up to `most` bytes of a regular file, or why there are none.
std::optional<std::string> read_bytes(const std::string& path, std::size_t most, std::string& why) {
  // O_NONBLOCK: a pipe without a writer must not hold us up before we see what it is.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file < 0) {
    why = reason(errno);
    return std::nullopt;
  }
  struct stat info {};
  if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
    why = "it is not a file";
    return std::nullopt;
  }
  std::string text;
  while (text.size() < most) {
    const std::size_t had = text.size(), room = std::min<std::size_t>(1 << 16, most - had);
    text.resize(had + room);
    const ssize_t n = ::read(file, text.data() + had, room);
    const int error = n < 0 ? errno : 0;
    text.resize(had + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    if (n == 0) break;
    if (error != 0 && error != EINTR) {
      why = reason(error);
      return std::nullopt;
    }
  }
  return text;
}

}  // namespace

fs::path temporary_of(const fs::path& path) {
  fs::path draft = path;
  draft += ".tmp";
  return draft;
}

void write_whole(const fs::path& path, std::string_view text, Durable durable) {
  struct stat there {};
  if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode))
    return write_directly(path, text);
  const fs::path draft = temporary_of(path);
  try {
    write_draft(draft, path, text, durable);
  } catch (...) {
    ::unlink(draft.c_str());
    throw;
  }
  if (durable == Durable::yes) sync_directory(path);
}

std::optional<std::string> read_limited(const std::string& path, std::size_t most,
                                        std::string& why) {
  auto text = read_bytes(path, most + 1, why);
  if (!text || text->size() <= most) return text;
  why = fmt::format("it is too large: more than {} bytes", most);
  return std::nullopt;
}

std::optional<std::string> read_start(const std::string& path, std::size_t most) {
  std::string why;
  return read_bytes(path, most, why);
}

LineFile::LineFile(const fs::path& path) : path_(path.string()) {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail(errno);
}

LineFile::~LineFile() {
  if (!waiting_.empty()) try {
      flush();
    } catch (const std::exception&) {  // the caller who wants to know has called flush
    }
  if (file_ >= 0) ::close(file_);
}

void LineFile::add(std::string_view lines) {
  constexpr std::size_t kEnough = 1 << 16;  // bytes
  waiting_ += lines;
  if (waiting_.size() >= kEnough) flush();
}

// A program that is killed while the system writes for it stops at the end of a page. So the lines
// of a page go in one call, and the one that reaches into the next in another: only there, and only
// for the moment between two pages, can a line be cut. At the end of the space the system takes a
// part, too: that is taken back to the last line break.
void LineFile::flush() {
  constexpr std::size_t kPage = 4096;  // bytes
  std::string_view rest = waiting_;
  while (!rest.empty()) {
    const std::size_t room = kPage - size_ % kPage;
    std::size_t lines = rest.substr(0, room).rfind('\n') + 1;  // npos + 1 is none
    if (lines == 0) lines = std::min(rest.find('\n', room), rest.size() - 1) + 1;
    const auto [done, error] = write_all(file_, rest.substr(0, lines));
    if (error != 0) {
      size_ += rest.substr(0, done).rfind('\n') + 1;
      static_cast<void>(!::ftruncate(file_, static_cast<off_t>(size_)));
      waiting_.clear();
      fail(error);
    }
    size_ += lines;
    rest.remove_prefix(lines);
  }
  waiting_.clear();
}

void LineFile::fail(int error) { cannot("write", path_, error); }

}  // namespace chicane
