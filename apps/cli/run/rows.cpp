#include "cli/run/rows.hpp"

#include "io/sinks/csv.hpp"

namespace chicane::cli {

std::vector<Column> columns_of(const FrameLayout& layout) {
  std::vector<Column> columns;
  for (const FrameField& f : layout.fields().subspan(FrameLayout::kTime))
    columns.push_back({f.name, f.unit, f.description});
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

PlotRequest picture_of(const Columns& rows, const std::vector<Column>& columns,
                       const std::string& title) {
  PlotRequest request{title, "time", "s", {}};
  for (std::size_t c = 1; c < columns.size(); ++c)
    request.series.push_back({columns[c].name, columns[c].unit, rows[0], rows[c]});
  return request;
}

}  // namespace chicane::cli
