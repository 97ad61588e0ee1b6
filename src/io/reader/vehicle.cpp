#include "io/reader/vehicle.hpp"

#include <algorithm>

#include "assembly/vehicle.hpp"
#include "io/reader/data.hpp"
#include "io/reader/parts.hpp"

namespace chicane {
namespace {

constexpr int kMostNestedFiles = 8;  // files that name files

// A mapping with a key `file` is what stands there, with the other keys laid over it.
void bring_in_files(DataSpec& data, Diagnostics& diag, const Loader& load, int depth = 0) {
  if (const DataSpec* file = data.find("file")) {
    const Text name = file->text;
    if (depth == kMostNestedFiles) {
      diag.error(name.where, "'{}': files name each other too deeply, or in a circle", name.text);
      return;
    }
    std::erase_if(data.entries, [](const auto& e) { return e.first == "file"; });
    const auto part = read_part(name, "part file", "part file", diag, load);
    const Cursor* content = part ? part->find("part") : nullptr;
    if (content == nullptr) return;
    DataSpec whole = read_data(*content, diag);
    merge(whole, std::move(data));
    data = std::move(whole);
    return bring_in_files(data, diag, load, depth + 1);
  }
  for (DataSpec& e : data.list) bring_in_files(e, diag, load, depth);
  for (auto& [name, value] : data.entries) bring_in_files(value, diag, load, depth);
}

}  // namespace

void read_vehicle_section(const Cursor& at, Spec& spec, Diagnostics& diag, const Loader& load) {
  const Fields f(at, section("vehicle"), diag);
  if (!diag.ok()) return;
  DataSpec own = read_data(at, diag);
  bring_in_files(own, diag, load);
  if (!spec.vehicle)
    spec.vehicle = std::move(own);
  else
    merge(*spec.vehicle, std::move(own));
  declare_vehicle(spec);
}

}  // namespace chicane
