// SPDX-License-Identifier: Apache-2.0

// Changes how a model is advanced while it runs, and compares two futures of one state.
#include <chicane/chicane.hpp>
#include <cmath>
#include <cstdio>

namespace {

// Says why something was refused; the session then is as it was.
bool done(const char* what, const chicane::Result<void>& result) {
  std::printf("%s: %s\n", what, result ? "done" : result.error().text.c_str());
  return result.ok();
}

}  // namespace

int main() {
  auto opened = chicane::Session::open(
      {.model = "pitch-control", .run = {{"scheme", "multiframe"}, {"step", "10 ms"}}});
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().text.c_str());
    return 1;
  }
  chicane::Session& coarse = *opened;
  coarse.run_until(0.5);

  // Two futures of one state: as it is, and with finer steps of the fast group.
  chicane::Session fine = coarse.branch();
  if (!done("ratio 8", fine.change("ratio", "8"))) return 1;
  if (!done("step 5 ms", fine.change("step", "5 ms"))) return 1;
  if (done("step 5 km", fine.change("step", "5 km"))) return 1;

  coarse.run_until(2.0);
  fine.run_until(2.0);
  const double a = coarse.value("theta").value(), b = fine.value("theta").value();
  std::printf("theta at 2 s: %.5f and %.5f rad\n", a, b);
  return std::fabs(a - b) < 0.01 ? 0 : 3;
}
