// SPDX-License-Identifier: Apache-2.0

// Runs a built-in model, reads signals on the way and prints what was recorded.
#include <chicane/chicane.hpp>
#include <cstdio>

int main() {
  auto opened = chicane::Session::open("pitch-control");
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().text.c_str());
    return 1;
  }
  chicane::Session& session = *opened;

  // A name is looked up once; the handle is quick.
  const auto theta = session.signal("theta");
  if (!theta) return 1;
  if (!session.record({"theta"})) return 1;

  for (int k = 1; k <= 10; ++k) {
    session.run_until(0.1 * k);
    std::printf("%.2f s  %.4f rad\n", session.time(), session.value(*theta));
  }
  if (session.state() == chicane::RunState::failed) {
    std::fprintf(stderr, "%s\n", session.failure().c_str());
    return 3;
  }
  for (const auto& warning : session.warnings()) std::printf("doubt: %s\n", warning.text.c_str());

  const auto column = session.column("theta");
  std::printf("%zu frames recorded\n", column->size());
}
