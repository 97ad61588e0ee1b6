// SPDX-License-Identifier: Apache-2.0
#include "cli/report_files.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/say.hpp"

namespace chicane::cli {

bool ReportFiles::open(bool plot, const std::string& out, const std::string& name,
                       const std::vector<std::string>& files, bool json) {
  if (!plot && out.empty()) return true;
  Diagnostics diag;
  directory_ = RunDirectory::open({.out = out, .name = name, .files = files}, diag);
  if (!directory_) refuse(diag, json);
  return directory_ != nullptr;
}

std::string ReportFiles::place() const { return directory_ ? directory_->path().string() : ""; }

void ReportFiles::write(const std::string& name, const std::string& text) const {
  if (directory_) directory_->write(name, text);
}

void ReportFiles::draw(const std::string& name, const PlotRequest& request) {
  try_to([&] { write_plot(request, directory_->path() / name); });
}

void ReportFiles::draw(const std::string& name, const PlanePicture& picture) {
  try_to([&] { write_plane(picture, directory_->path() / name); });
}

void ReportFiles::try_to(const std::function<void()>& draw) try {
  draw();
} catch (const std::runtime_error& e) {
  warnings_.emplace_back(e.what());
  say("warning: {}\n", e.what());
}

void ReportFiles::describe(Json& j) const {
  if (directory_) j["out"] = place();
  for (const std::string& text : warnings_) j["warnings"].push_back({{"text", text}});
}

void ReportFiles::finish() const {
  if (directory_) directory_->finish(RunStatus::ok);
}

}  // namespace chicane::cli
