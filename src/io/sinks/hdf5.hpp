#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/sinks/sink.hpp"

namespace chicane {

// The results as HDF5, format "chicane-results/1":
//   /                 attributes: format, and the given ones (model, method, ...)
//   /time             the first column
//   /signals/<name>   every other column; dots in names are part of the name
// Each dataset is a vector of float64 with the attributes unit and description. Equal runs give
// equal files.
//
// HDF5 keeps a file that is being written in no order: killed, it leaves what nobody can read. So
// the file is written beside, and a copy takes its place at every flush: whoever opens it finds
// what was last flushed, all columns of one length, while the run goes on or after a crash.
class Hdf5Sink : public Sink {
 public:
  using Attributes = std::vector<std::pair<std::string, std::string>>;

  Hdf5Sink(const std::filesystem::path& path, const std::vector<Column>& columns,
           const Attributes& attributes = {});
  ~Hdf5Sink() override;

  void write(std::span<const double> row) override;
  void flush() override;
  void close() override;

 private:
  struct File;  // keeps HDF5's types out of this header
  std::unique_ptr<File> file_;
};

}  // namespace chicane
