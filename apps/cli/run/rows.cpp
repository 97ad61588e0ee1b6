#include "cli/run/rows.hpp"

#include <algorithm>

#include "io/sinks/csv.hpp"

namespace chicane::cli {

void KeptRows::add(std::span<const double> row) {
  if (seen_++ % stride_ != 0) return;
  kept_.insert(kept_.end(), row.begin(), row.end());
  if (kept_.size() < kMost) return;
  const std::size_t n = rows();
  for (std::size_t r = 0; 2 * r < n; ++r)
    std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(2 * r * width_), width_,
                kept_.begin() + static_cast<std::ptrdiff_t>(r * width_));
  kept_.resize((n + 1) / 2 * width_);
  stride_ *= 2;
}

std::vector<double> KeptRows::column(std::size_t c) const {
  std::vector<double> y;
  y.reserve(rows());
  for (std::size_t r = 0; r < rows(); ++r) y.push_back(kept_[r * width_ + c]);
  return y;
}

std::vector<Column> columns_of(const RunPlan& plan, const Structure& structure) {
  std::vector<Column> columns{{"time", "s", "simulated time"}};
  for (const SignalIndex i : plan.signals) {
    const SignalInfo& s = structure.signals[i];
    columns.push_back({s.name, s.unit, s.description});
  }
  return columns;
}

std::unique_ptr<RowWriter> open_results(const RunDirectory& directory,
                                        const std::vector<Column>& columns,
                                        const Hdf5Sink::Attributes& attributes) {
  std::vector<std::unique_ptr<Sink>> sinks;
  sinks.push_back(std::make_unique<CsvSink>(directory.file("results.csv"), columns));
  sinks.push_back(std::make_unique<Hdf5Sink>(directory.file("results.h5"), columns, attributes));
  return std::make_unique<RowWriter>(columns.size(), std::move(sinks));
}

PlotRequest picture_of(const KeptRows& rows, const std::vector<Column>& columns,
                       const std::string& title) {
  PlotRequest request{title, "time", "s", {}};
  const std::vector<double> time = rows.column(0);
  for (std::size_t c = 1; c < columns.size(); ++c)
    request.series.push_back({columns[c].name, columns[c].unit, time, rows.column(c)});
  return request;
}

}  // namespace chicane::cli
