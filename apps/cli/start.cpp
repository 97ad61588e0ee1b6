// SPDX-License-Identifier: Apache-2.0
#include "cli/program.hpp"

// Apart from all else, which may be a library that the loader chooses to fit the processor.
int main(int argc, char** argv) { return chicane::cli::program(argc, argv); }
