#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/plot/plot.hpp"
#include "io/run_directory.hpp"
#include "io/sinks/hdf5.hpp"
#include "io/sinks/writer.hpp"
#include "system/plan.hpp"

namespace chicane::cli {

// Rows that stay in memory for pictures and the summary: all of them, or of a very long run every
// second, fourth, ...
class KeptRows {
 public:
  explicit KeptRows(std::size_t width) : width_(width) {}

  void add(std::span<const double> row);
  [[nodiscard]] std::size_t rows() const { return kept_.size() / width_; }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::vector<double> column(std::size_t c) const;

 private:
  static constexpr std::size_t kMost = 16'000'000;  // numbers

  std::vector<double> kept_;
  std::size_t width_, seen_ = 0, stride_ = 1;
};

// Time, and the signals that a run writes.
std::vector<Column> columns_of(const RunPlan& plan, const Structure& structure);

// results.csv and results.h5 of a run, written on a thread of their own.
std::unique_ptr<RowWriter> open_results(const RunDirectory& directory,
                                        const std::vector<Column>& columns,
                                        const Hdf5Sink::Attributes& attributes);

// A picture of all columns over time.
PlotRequest picture_of(const KeptRows& rows, const std::vector<Column>& columns,
                       const std::string& title);

}  // namespace chicane::cli
