// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "io/checkpoint.hpp"
#include "io/writer/echo.hpp"

namespace chicane {
namespace {

void add_plan(const RunSpec& run, Fingerprint& to) {
  const std::pair<const char*, const Text*> choices[] = {
      {"scheme", &run.scheme},   {"method", &run.method},   {"step", &run.step},
      {"ratio", &run.ratio},     {"interp", &run.interp},   {"order", &run.order},
      {"startup", &run.startup}, {"history", &run.history}, {"iterations", &run.iterations},
      {"tableau", &run.tableau}};
  for (const auto& [name, text] : choices)
    if (!text->empty()) to.emplace_back(fmt::format("run.{}", name), text->text);
  for (const RunGroupSpec& g : run.groups) {
    if (!g.method.empty())
      to.emplace_back(fmt::format("run.groups.{}.method", g.name), g.method.text);
    if (!g.ratio.empty()) to.emplace_back(fmt::format("run.groups.{}.ratio", g.name), g.ratio.text);
  }
  for (const Assignment& a : run.interps)
    to.emplace_back(fmt::format("run.interps.{}", a.target), a.value.text);
}

// What makes no difference to the motion.
Spec without_words(Spec spec) {
  spec.run = {};
  spec.description.clear();
  spec.provenance.clear();
  spec.metrics.clear();
  spec.terminal.clear();
  for (ParameterSpec& p : spec.parameters) p.description.clear();
  for (InputSpec& i : spec.inputs) i.description.clear();
  return spec;
}

// The lines of an echo by the path of their keys: two blanks are a level.
void add_lines(std::string_view echo, Fingerprint& to) {
  std::vector<std::string> path;
  int item = 0;
  while (!echo.empty()) {
    const std::string_view line = echo.substr(0, echo.find('\n'));
    echo.remove_prefix(std::min(line.size() + 1, echo.size()));
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view words = line.substr(first);
    const std::size_t colon = words.find(':');
    if (words.starts_with("- ") || colon == std::string_view::npos) {
      to.emplace_back(fmt::format("{}[{}]", fmt::join(path, "."), ++item), words);
      continue;
    }
    item = 0;
    path.resize(std::min(path.size(), first / 2));
    path.emplace_back(words.substr(0, colon));
    const std::string_view value = words.substr(std::min(colon + 2, words.size()));
    if (!value.empty()) to.emplace_back(fmt::format("{}", fmt::join(path, ".")), value);
  }
}

}  // namespace

Fingerprint fingerprint_of(const Spec& spec) {
  Fingerprint all;
  add_plan(spec.run, all);
  add_lines(write_model(without_words(spec)), all);
  return all;
}

}  // namespace chicane
