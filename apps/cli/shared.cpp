#include "cli/shared.hpp"

#include <fmt/format.h>

#include <fstream>

#include "cli/prepare.hpp"

namespace chicane::cli {

namespace fs = std::filesystem;

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.flush();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

fs::path make_directory(const std::string& out, const std::string& model) {
  if (!out.empty()) {
    fs::create_directories(out);
    return out;
  }
  for (int n = 1; n < 1'000'000; ++n) {
    fs::path path = fs::path("runs") / fmt::format("{}-{:03}", model, n);
    fs::create_directories(path.parent_path());
    if (fs::create_directory(path)) return path;
  }
  throw std::runtime_error("no free directory under runs/");
}

std::string report_directory(bool plot, const std::string& out, const std::string& model) {
  return plot || !out.empty() ? make_directory(out, model).string() : "";
}

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::optional<Trial> load_trial(const RunOptions& options, const std::vector<std::string>& signals,
                                Diagnostics& diag) {
  std::optional<Spec> spec;
  auto run = prepare(options, diag, [&](Spec& base) {
    if (!signals.empty()) base.run.signals.clear();
    for (const std::string& pattern : signals)
      base.run.signals.push_back({pattern, {"--signals", 0, ""}});
    spec = base;
    base.run.scheme = {"single-rate", {"run", 0, ""}};
  });
  if (!run) return std::nullopt;
  return Trial{std::move(*spec), std::move(run->structure), std::move(run->plan)};
}

std::string how(const Plan& plan, const Structure& structure) {
  std::string text(scheme_name(plan.scheme));
  if (plan.scheme == SchemeKind::single_rate) return text + " with " + plan.method.name;
  if (plan.scheme == SchemeKind::prk) return text + " with " + plan.pair.name;
  if (plan.scheme == SchemeKind::reference) return text;
  for (const GroupIndex g : plan.groups.indices())
    text +=
        fmt::format("{} {}{} x{}", g.value == 0 ? ":" : ",", structure.groups[g].name,
                    plan.scheme == SchemeKind::multiframe ? " " + plan.groups[g].method.name : "",
                    plan.groups[g].ratio);
  return fmt::format("{}, {}", text, info_of(plan.interp).name);
}

}  // namespace chicane::cli
