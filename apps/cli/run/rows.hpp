// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/plot/plot.hpp"
#include "io/run_directory.hpp"
#include "io/sinks/hdf5.hpp"
#include "io/sinks/writer.hpp"
#include "session/recorder.hpp"
#include "simulation/simulation.hpp"

namespace chicane::cli {

// Time, and the signals that a run writes.
std::vector<Column> columns_of(const FrameLayout& layout);

// results.csv and results.h5 of a run, written on a thread of their own.
std::unique_ptr<RowWriter> open_results(const RunDirectory& directory, const Hdf5Content& content);

// The parameters of a model as it starts, in SI.
std::vector<Hdf5Number> parameters_of(const Spec& spec, const Simulation& simulation);

// Pairs of signals, "X,Y", as columns; what is no pair of signals that are written is a fault.
using ColumnPairs = std::vector<std::pair<std::size_t, std::size_t>>;
ColumnPairs pairs_of(const std::vector<std::string>& texts, const std::vector<Column>& columns,
                     Diagnostics& diag);

// What a picture shows.
struct Picture {
  std::string title;
  bool of_vehicle = false;  // what one wants to see of a vehicle first, and not all columns
  ColumnPairs pairs = {};   // that are drawn over each other
};
PlotRequest picture_of(const Columns& rows, const std::vector<Column>& columns,
                       const Picture& picture);

}  // namespace chicane::cli
