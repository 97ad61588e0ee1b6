#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/plot/plot.hpp"
#include "io/run_directory.hpp"
#include "io/sinks/hdf5.hpp"
#include "io/sinks/writer.hpp"
#include "session/recorder.hpp"

namespace chicane::cli {

// Time, and the signals that a run writes.
std::vector<Column> columns_of(const FrameLayout& layout);

// results.csv and results.h5 of a run, written on a thread of their own.
std::unique_ptr<RowWriter> open_results(const RunDirectory& directory,
                                        const std::vector<Column>& columns,
                                        const Hdf5Sink::Attributes& attributes);

// A picture of all columns over time.
PlotRequest picture_of(const Columns& rows, const std::vector<Column>& columns,
                       const std::string& title);

}  // namespace chicane::cli
