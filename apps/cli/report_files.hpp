// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/json.hpp"
#include "io/plot/plane.hpp"
#include "io/plot/plot.hpp"
#include "io/run_directory.hpp"

namespace chicane::cli {

// The files of a command that reports something: none, unless --plot or --out DIR asks for them.
class ReportFiles {
 public:
  // False: the directory cannot be had, and that has been said.
  bool open(bool plot, const std::string& out, const std::string& name,
            const std::vector<std::string>& files, bool json);
  // Where they are; empty: nowhere.
  [[nodiscard]] std::string place() const;
  void write(const std::string& name, const std::string& text) const;
  // Draws NAME.png and NAME.svg. A picture that cannot be drawn costs a warning and nothing else.
  void draw(const std::string& name, const PlotRequest& request);
  void draw(const std::string& name, const PlanePicture& picture);
  // Into the JSON object of the command: where the files are, and what could not be drawn.
  void describe(Json& j) const;
  // The last word, when all are written.
  void finish() const;

 private:
  void try_to(const std::function<void()>& draw);

  std::unique_ptr<RunDirectory> directory_;
  std::vector<std::string> warnings_;
};

}  // namespace chicane::cli
