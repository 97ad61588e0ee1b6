// SPDX-License-Identifier: Apache-2.0
#include <chicane/core/build_info.hpp>
#include <chicane/io/builtin_models.hpp>
#include <cstdio>

int main() {
  const chicane::BuildInfo& info = chicane::build_info();
  std::printf("chicane %.*s\n", static_cast<int>(info.version.size()), info.version.data());
  std::printf("flags %.*s\n", static_cast<int>(info.flags.size()), info.flags.data());
  for (const chicane::BuiltinModel& model : chicane::builtin_models()) {
    std::printf("  %.*s\n", static_cast<int>(model.name.size()), model.name.data());
  }
  return 0;
}
