#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnostics.hpp"
#include "system/spec.hpp"

namespace chicane::cli {

// Exit codes: 0 only for a full success.
inline constexpr int kOk = 0, kBadInput = 1, kUsage = 2, kRunFailed = 3;

struct RunOptions {
  std::string model;
  std::vector<std::pair<std::string, std::string>> run;  // keys of the run section that were given
  std::vector<std::string> set, output, group;
  std::string out, resume;
  bool plot = false, json = false, check_step = false, realtime = false, quiet = false;
  std::vector<std::string> arguments;  // the command line, for the manifest
};

// A grid of plans; what is empty is chosen for the model.
struct CompareOptions {
  RunOptions base;
  std::vector<std::string> schemes, methods, ratios, interps, steps, signals;
  bool limits = false;
};

struct TopologyOptions {
  std::string model, svg;
  std::vector<std::string> set;
  bool json = false, plot = false;
};

int run(const RunOptions& options);
int check(const RunOptions& options);
int limit(const RunOptions& options);
int compare(const CompareOptions& options);
int describe(const std::string& model, bool json);
int topology(const TopologyOptions& options);
int list(const std::string& what, bool json);
int schema(bool markdown);

// Reads a model and applies what the command line says about it.
std::optional<Spec> load(const RunOptions& options, Diagnostics& diag);
// Says all faults on stderr (and as JSON on stdout when asked).
int refuse(const Diagnostics& diag, bool json);

}  // namespace chicane::cli
