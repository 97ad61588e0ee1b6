// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace chicane {

// What is asked for: a model and what is to be different from its file. Every text is as it would
// stand on the command line.
struct ModelRequest {
  std::string model = {};      // a built-in name or a file
  std::string text = {};       // or what would stand in it; `model` is then its name in messages
  std::string manoeuvre = {};  // the same, laid over it
  std::vector<std::pair<std::string, std::string>> run = {};  // keys of the run section: step, 1 ms
  std::vector<std::string> set = {};                          // NAME=VALUE
  std::vector<std::string> inputs = {};                       // CSV files that drive inputs
  bool hold_inputs = false;              // their rows are held, not joined by straight lines
  std::vector<std::string> output = {};  // patterns of the signals that are written
  std::vector<std::string> group = {};   // BLOCK=GROUP
  std::string resume = {};               // a checkpoint's file
  std::string checkpoint_every = {};     // a time
  bool check_step = false;               // the run is to be repeated with half the step
  bool resume_with_changes = false;      // a checkpoint of a model that differs may be taken
};

}  // namespace chicane
