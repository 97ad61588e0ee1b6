// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagnostics.hpp"

namespace chicane {

// How far a run has come, as its manifest says. A manifest that says `running` in a directory that
// nobody holds is of a run that was killed.
enum class RunStatus { running, ok, failed, interrupted };
std::string_view name_of(RunStatus status);

// A directory that one program at a time writes its files into: of a run, or of another command.
//
// While it is held it is locked; the lock ends with the program, however that ends. Its
// manifest.json lists the files, and says first `running`, and what came of it last of all: files
// beside a manifest that does not say `ok` are not the whole result.
class RunDirectory {
 public:
  struct Request {
    std::string out;                 // the directory; empty: runs/NAME-001, -002, ...
    std::string name;                //
    std::vector<std::string> files;  // all that may be written, beside the manifest
    std::string facts = "{}";        // a JSON object, for the manifest
    // Written before the files of the last run are removed: what this one comes from.
    std::vector<std::pair<std::string, std::string>> first = {};
  };

  // Nothing and a fault, when somebody else holds it, has put files of these names there, or it
  // cannot be written. The files of the last run, and only those, are removed.
  static std::unique_ptr<RunDirectory> open(const Request& request, Diagnostics& diag);
  ~RunDirectory();  // what was not finished has failed
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Where a file of the request is written.
  [[nodiscard]] std::filesystem::path file(const std::string& name) const;
  // A whole file, see write_whole(). Throws std::runtime_error.
  void write(const std::string& name, std::string_view text, bool durable = false) const;
  // The manifest's last word. Throws std::runtime_error when it cannot be written; it says `failed`
  // then, if there is any way.
  void finish(RunStatus status, const std::string& reason = {}, const std::string& facts = "{}");

 private:
  class Lock;

  RunDirectory(std::filesystem::path path, std::unique_ptr<Lock> lock,
               std::vector<std::string> files);
  void begin(const Request& request, const std::vector<std::string>& old);
  void check_ours() const;
  void write_manifest(RunStatus status, const std::string& reason, const std::string& facts,
                      const std::vector<std::string>& files) const;
  void mark_failed(const std::string& reason) const noexcept;

  std::filesystem::path path_;
  std::unique_ptr<Lock> lock_;
  std::vector<std::string> files_;
  bool finished_ = false;
};

}  // namespace chicane
