// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/sinks/sink.hpp"

namespace chicane {

// A number with a name, of a run as a whole.
struct Hdf5Number {
  std::string name, unit, description;
  double value = 0;  // in its unit
};

struct Hdf5Content {
  std::vector<Column> columns;  // time first
  std::vector<std::pair<std::string, std::string>> attributes = {};
  std::vector<Hdf5Number> parameters = {};
  // Filled by the time the file is closed.
  std::shared_ptr<const std::vector<Hdf5Number>> metrics = nullptr;
};

// The results as HDF5, format "chicane-results/1":
//   /                    attributes: format, and the given ones (model, method, version, ...)
//   /time                the first column
//   /signals/<name>      every other column; dots in names are part of the name
//   /parameters/<name>   a single number each
//   /metrics/<name>      likewise, of a run that came to its end
// Each dataset is float64 and has the attributes unit and description. Equal runs give equal files.
//
// HDF5 keeps a file that is being written in no order: killed, it leaves what nobody can read. So
// the file is written beside, and a copy takes its place at every flush: whoever opens it finds
// what was last flushed, all columns of one length, while the run goes on or after a crash. At the
// end columns of some length are compressed (zlib): the file is then written anew, in one go.
class Hdf5Sink : public Sink {
 public:
  Hdf5Sink(const std::filesystem::path& path, const Hdf5Content& content);
  ~Hdf5Sink() override;

  void write(std::span<const double> row) override;
  void flush() override;
  void close() override;

 private:
  struct File;  // keeps HDF5's types out of this header
  std::unique_ptr<File> file_;
};

}  // namespace chicane
