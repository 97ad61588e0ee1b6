// SPDX-License-Identifier: Apache-2.0

// Any bytes as a road surface file: a road that can be asked anywhere, or faults; never both, never
// neither, and not more memory than the file can fill.
#include "vehicle/terrain/crg.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace chicane;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  Diagnostics diag;
  auto file = terrain::read_crg(bytes, "fuzz.crg", diag);
  if (file.has_value() != diag.ok()) std::abort();
  if (!file) return 0;
  if (file->z.size() > size) std::abort();  // a number has four bytes at least
  const auto road = terrain::CrgRoad::make(std::move(*file), {}, diag);
  if (road.has_value() != diag.ok()) std::abort();
  if (!road) return 0;
  for (const double x : {0.0, 1.0, -1e9, 1e300})
    for (const double y : {0.5, -1e3}) (void)road->query<double>(x, y, {});
  for (const double u : {road->u_first(), road->u_last(), 1e9})
    (void)road->height(terrain::Uv<double>{u, 0.1});
  return 0;
}
