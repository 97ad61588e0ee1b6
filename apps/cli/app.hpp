// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/commands.hpp"

namespace chicane::cli {

// All commands with their options, and where the values of a command line go. Help, completion and
// the manual page are written from it.
struct Program {
  Program(int argc, char** argv);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  CLI::App app;
  int exit_code = kOk;
  RunOptions run;
  LinearizeOptions linearization;
  CompareOptions comparison;
  AdviseOptions advice;
  StabilityOptions stability;
  DesignOptions design;
  TopologyOptions graph;
  TireOptions tire;
  RoadOptions road;
  RigOptions rig;
  DescribeOptions description;
  std::string listed, shell;
  bool json = false, markdown = false;
};

}  // namespace chicane::cli
