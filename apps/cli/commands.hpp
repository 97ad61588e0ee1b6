// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagnostics.hpp"
#include "language/spec.hpp"
#include "session/request.hpp"

namespace chicane::cli {

// Exit codes: 0 only for a full success.
inline constexpr int kOk = 0, kBadInput = 1, kUsage = 2, kRunFailed = 3;

struct RunOptions : ModelRequest {
  std::string out;
  bool plot = false, json = false, realtime = false, quiet = false, strict = false;
  std::vector<std::string> xy;         // "X,Y": signals drawn over each other
  std::vector<std::string> arguments;  // the command line, for the manifest
};

// A grid of plans; what is empty is chosen for the model.
struct CompareOptions {
  RunOptions base;
  std::vector<std::string> schemes, methods, ratios, interps, steps, signals;
  bool limits = false;
};

// Names of methods, files, or the word `interpolators`; what is empty has defaults.
struct StabilityOptions {
  std::vector<std::string> names;
  std::vector<double> zeta, sizes;
  std::vector<int> ratios;
  double omega = 1;  // of the input, over |lambda|
  bool error = false, plot = false, json = false;
  std::string out;
};

struct LinearizeOptions {
  RunOptions base;
  std::string at, every;
  std::vector<std::string> hold, free;
  bool trim = false, along = false;
};

struct AdviseOptions {
  RunOptions base;
  double accuracy = 1e-3;
  std::vector<std::string> signals;
  std::optional<double> budget_us;
};

struct DesignOptions {
  int slow = 2, fast = 5, stages = 5, order = 2;
  std::string axis = "imaginary", out;
  bool consistent = false, json = false;
  double damping = 0;
};

struct DescribeOptions {
  RunOptions base;
  std::string find;  // only what has this in its name or meaning
  bool all = false;  // long lists, too
};

struct TopologyOptions {
  std::string model, manoeuvre, svg;
  std::vector<std::string> set;
  bool json = false, plot = false;
};

struct RigOptions {
  std::string model, manoeuvre, out, travel, rack, zero = "laden";
  std::vector<std::string> set;
  int points = 33;
  bool json = false, plot = false;
};

struct TireOptions {
  std::string file, points, out, side, signs = "iso";
  bool alpha_star = false, turn_slip = false, plot = false, json = false;
};

struct RoadOptions {
  std::string file, points, out, place = "file";
  bool plot = false, json = false;
};

int run(const RunOptions& options);
int check(const RunOptions& options);
int limit(const RunOptions& options);
int bench(const RunOptions& options);
int compare(const CompareOptions& options);
int stability(const StabilityOptions& options);
int linearize(const LinearizeOptions& options);
int advise(const AdviseOptions& options);
int design_pair(const DesignOptions& options);
int design_polynomial(const DesignOptions& options);
int describe(const DescribeOptions& options);
int topology(const TopologyOptions& options);
int tire_file(const TireOptions& options);
int road_file(const RoadOptions& options);
int rig_command(const RigOptions& options);
int list(const std::string& what, bool json);
inline constexpr std::array<std::string_view, 7> kListed{
    "models", "manoeuvres", "methods", "interpolators", "tableaus", "blocks", "parts"};
int schema(bool markdown);

// Says all faults on stderr (and as JSON on stdout when asked).
int refuse(const Diagnostics& diag, bool json);

}  // namespace chicane::cli
