// SPDX-License-Identifier: Apache-2.0
#include "session/frame.hpp"

#include <fmt/format.h>

#include "core/sha256.hpp"

namespace chicane {

FrameLayout::FrameLayout(std::span<const Signal> signals, std::vector<FrameBundle> bundles)
    : bundles_(std::move(bundles)) {
  using Type = FrameField::Type;
  const auto add = [this](Signal s, Type type) {
    const std::size_t offset = sizeof(double) * fields_.size();
    fields_.push_back(
        {std::move(s.name), std::move(s.unit), std::move(s.description), type, offset});
  };
  add({"sequence", "", "how many frames were recorded before this one"}, Type::int64);
  add({"tick", "", "time as a whole number of half picoseconds"}, Type::int64);
  add({"time", "s", "simulated time"}, Type::float64);
  for (const Signal& s : signals) add(s, Type::float64);
  std::string all;
  for (const FrameField& f : fields_)
    all += fmt::format("{}\n{}\n{}\n{}\n", f.name, f.unit,
                       f.type == Type::int64 ? "int64" : "float64", f.offset);
  for (const FrameBundle& b : bundles_)
    all += fmt::format("{}\n{}\n{}\n", b.name, static_cast<int>(b.kind), b.first);
  hash_ = sha256(all);
}

}  // namespace chicane
