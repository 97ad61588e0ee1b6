// SPDX-License-Identifier: Apache-2.0
#include "io/run_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "io/files.hpp"

namespace chicane {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kManifest = "manifest.json";
constexpr const char* kLock = ".lock";
constexpr std::size_t kLargestManifest = 10'000'000;  // bytes

// What a run wrote before manifests listed it.
const std::vector<std::string> kOldFiles = {"checkpoint.json", "echo.yaml", "log.txt",
                                            "plot.png",        "plot.svg",  "resume.json",
                                            "results.csv",     "results.h5"};

std::string reason(int error) { return std::generic_category().message(error); }

// Nothing but a name: no way out of the directory.
bool is_plain(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// The files that the manifest of a directory says are ours; nothing when it is not a manifest of
// ours.
std::optional<std::vector<std::string>> listed(const fs::path& directory) {
  std::string why;
  const auto text = read_limited((directory / kManifest).string(), kLargestManifest, why);
  const Json j = text ? Json::parse(*text, nullptr, false) : Json();
  if (!j.is_object() || j.value("program", Json()) != "chicane") return std::nullopt;
  if (!j.contains("files") || !j["files"].is_array()) return kOldFiles;
  std::vector<std::string> names;
  for (const Json& name : j["files"])
    if (name.is_string() && is_plain(name.get<std::string>())) names.push_back(name);
  return names;
}

std::string dump(const Json& j) {
  return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::ok:
      return "ok";
    case RunStatus::failed:
      return "failed";
    case RunStatus::interrupted:
      return "interrupted";
  }
  return "";
}

// The lock is the system's, on a file of the directory, and names its holder.
class RunDirectory::Lock {
 public:
  // Nothing, with the reason in `why`, when it cannot be had.
  static std::unique_ptr<Lock> take(const fs::path& directory, std::string& why) {
    const fs::path path = directory / kLock;
    for (;;) {
      const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
      if (file < 0) {
        why = "it cannot be written: " + reason(errno);
        return nullptr;
      }
      std::unique_ptr<Lock> lock(new Lock(path, file));
      if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
        why = errno == EWOULDBLOCK ? "another program writes into it" + lock->holder()
                                   : "it cannot be locked: " + reason(errno);
        return nullptr;
      }
      lock->held_ = true;
      if (!lock->is_in_place()) {  // its last holder has removed it meanwhile
        lock->held_ = false;
        continue;
      }
      const std::string me = fmt::format("{}\n", ::getpid());
      if (::ftruncate(file, 0) != 0 ||
          ::pwrite(file, me.data(), me.size(), 0) != static_cast<ssize_t>(me.size())) {
        why = "it cannot be written: " + reason(errno);
        return nullptr;
      }
      return lock;
    }
  }

  ~Lock() {
    if (held_ && is_in_place()) ::unlink(path_.c_str());
    ::close(file_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  // The file of this lock still stands where others look for it.
  [[nodiscard]] bool is_in_place() const {
    struct stat mine {
    }, there{};
    return ::fstat(file_, &mine) == 0 && ::stat(path_.c_str(), &there) == 0 &&
           mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
  }

 private:
  Lock(fs::path path, int file) : path_(std::move(path)), file_(file) {}

  [[nodiscard]] std::string holder() const {
    char text[16] = {};
    const ssize_t n = ::pread(file_, text, sizeof text - 1, 0);
    const std::string number(text, n > 0 ? static_cast<std::size_t>(n) : 0);
    const std::size_t digits = number.find_first_not_of("0123456789");
    return digits == 0 || number.empty() ? ""
                                         : fmt::format(" (process {})", number.substr(0, digits));
  }

  fs::path path_;
  int file_;
  bool held_ = false;
};

std::unique_ptr<RunDirectory> RunDirectory::open(const Request& request, Diagnostics& diag) {
  const Location where{request.out.empty() ? "runs" : "--out", 0, request.out};
  std::string why;
  fs::path path = request.out;
  std::unique_ptr<Lock> lock;
  try {
    if (!request.out.empty()) {
      fs::create_directories(path);
      lock = Lock::take(path, why);
    }
    for (int n = 1; request.out.empty() && !lock && n < 1'000'000; ++n) {
      path = fs::path("runs") / fmt::format("{}-{:03}", request.name, n);
      fs::create_directories(path.parent_path());
      if (fs::create_directory(path)) lock = Lock::take(path, why);
    }
  } catch (const fs::filesystem_error& e) {
    diag.error(where, "it cannot be made: {}; choose another directory", e.code().message());
    return nullptr;
  }
  if (!lock) {
    diag.error(where, "{}; wait, or choose another directory", why.empty() ? "none is free" : why);
    return nullptr;
  }

  const auto ours = listed(path);
  const std::vector<std::string> old = ours.value_or(std::vector<std::string>{});
  std::vector<std::string> wanted = request.files;
  if (!ours) wanted.emplace_back(kManifest);
  for (const std::string& name : wanted)
    if (std::find(old.begin(), old.end(), name) == old.end() && is_there(path / name)) {
      diag.error(where,
                 "it has a file '{}' that no run has written, for no manifest.json lists it; move "
                 "it away, or choose another directory",
                 name);
      return nullptr;
    }
  std::unique_ptr<RunDirectory> directory(new RunDirectory(path, std::move(lock), request.files));
  try {
    directory->begin(request, old);
  } catch (const std::exception& e) {
    directory->finished_ = true;  // nothing has begun
    diag.error(where, "{}", e.what());
    return nullptr;
  }
  return directory;
}

RunDirectory::RunDirectory(fs::path path, std::unique_ptr<Lock> lock,
                           std::vector<std::string> files)
    : path_(std::move(path)), lock_(std::move(lock)), files_(std::move(files)) {}

RunDirectory::~RunDirectory() {
  if (!finished_) mark_failed("the program ended early");
}

// From the first word of the new manifest on, nothing here passes for the last run's.
void RunDirectory::begin(const Request& request, const std::vector<std::string>& old) {
  std::vector<std::string> all = files_;
  for (const std::string& name : old)
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  write_manifest(RunStatus::running, {}, request.facts, all);
  for (const auto& [name, text] : request.first) write(name, text, true);
  for (const std::string& name : all) {
    const bool written = std::any_of(request.first.begin(), request.first.end(),
                                     [&](const auto& f) { return f.first == name; });
    std::error_code error;
    const fs::path draft = temporary_of(path_ / name);
    for (const fs::path& left : {draft, temporary_of(draft)}) fs::remove(left, error);
    if (!written && !fs::is_directory(fs::symlink_status(path_ / name, error)))
      fs::remove(path_ / name);
  }
}

fs::path RunDirectory::file(const std::string& name) const {
  require(std::find(files_.begin(), files_.end(), name) != files_.end(),
          "'{}' is not among the files of this directory", name);
  return path_ / name;
}

void RunDirectory::write(const std::string& name, std::string_view text, bool durable) const {
  check_ours();
  write_whole(file(name), text, durable ? Durable::yes : Durable::no);
}

void RunDirectory::finish(RunStatus status, const std::string& reason, const std::string& facts) {
  finished_ = true;
  std::vector<std::string> written;
  std::copy_if(files_.begin(), files_.end(), std::back_inserter(written),
               [&](const std::string& name) { return is_there(path_ / name); });
  try {
    check_ours();
    write_manifest(status, reason, facts, written);
  } catch (const std::exception& e) {
    mark_failed(reason.empty() ? e.what() : reason);
    throw;
  }
}

void RunDirectory::check_ours() const {
  if (!lock_->is_in_place())
    throw std::runtime_error(
        fmt::format("{} was removed or replaced while it was written into", path_.string()));
}

void RunDirectory::write_manifest(RunStatus status, const std::string& reason,
                                  const std::string& facts,
                                  const std::vector<std::string>& files) const {
  Json j = {{"program", "chicane"}, {"status", name_of(status)}};
  if (!reason.empty()) j["reason"] = reason;
  j.update(Json::parse(facts));
  j["files"] = files;
  write_whole(path_ / kManifest, dump(j));
}

// On a full disk there is no room for another manifest: then the one that is there is overwritten.
void RunDirectory::mark_failed(const std::string& reason) const noexcept try {
  if (!lock_->is_in_place()) return;
  Json j = {{"program", "chicane"},
            {"status", name_of(RunStatus::failed)},
            {"reason", reason},
            {"files", files_}};
  const fs::path path = path_ / kManifest;
  try {
    return write_whole(path, dump(j));
  } catch (const std::exception&) {
  }
  const auto room = static_cast<std::size_t>(fs::file_size(path));
  std::string text = dump(j);
  if (text.size() > room) {
    j.erase("reason");
    text = dump(j);
  }
  if (text.size() > room) return;  // `running` it says still, which nobody takes for a result
  text.insert(text.size() - 1, room - text.size(), ' ');
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(!::pwrite(file, text.data(), text.size(), 0));
  ::close(file);
} catch (...) {  // NOLINT(bugprone-empty-catch): there is nobody left to tell
}

}  // namespace chicane
