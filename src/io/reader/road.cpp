// SPDX-License-Identifier: Apache-2.0
#include "io/reader/road.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "assembly/parts/roads.hpp"
#include "core/sha256.hpp"
#include "io/reader/include.hpp"
#include "io/reader/parts.hpp"
#include "language/sections/contents.hpp"

namespace chicane {

bool is_road(std::string_view path) {
  constexpr std::array<std::string_view, 2> kEnds{".crg", ".CRG"};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return path.ends_with(end); });
}

void bring_in_road(DataSpec& section, Diagnostics& diag, const Loader& load) {
  DataSpec& file = *section.find("file");
  const Text name = file.text;
  std::string path = beside(name.where.file, name.text);
  if (std::filesystem::exists(path))
    path = std::filesystem::absolute(path).lexically_normal().string();
  FileContents contents;
  const auto take = [&](const std::string& from) -> std::optional<std::string> {
    auto bytes = load ? load(from) : std::nullopt;
    if (bytes && bytes->size() > kLargestRoadFile) {
      diag.error({from, 0, ""}, "a road file has at most {} bytes", kLargestRoadFile);
      return std::nullopt;
    }
    if (bytes) contents[from] = *bytes;
    return bytes;
  };
  const auto bytes = take(path);
  if (!bytes)
    return diag.error(name.where, "cannot read the road file '{}'; paths start at this file", path);
  ask_for_road_files(*bytes, path, take);
  std::string hashes;
  for (const auto& [from, text] : contents) hashes += sha256(text);
  const std::string hash = contents.size() == 1 ? hashes : sha256(hashes);
  const DataSpec* was = section.find("sha256");
  if (was == nullptr)
    section.entries.emplace_back(
        "sha256", DataSpec{.kind = DataSpec::Kind::text, .text = {hash, name.where}});
  else if (was->text.text != hash)
    return diag.error(was->text.where,
                      "'{}' has other bytes than those with this hash: it has changed; if that is "
                      "meant, remove 'sha256'",
                      path);
  DataSpec& own = *section.find("file");
  own.text.text = path;
  carry(own, contents);
}

}  // namespace chicane
