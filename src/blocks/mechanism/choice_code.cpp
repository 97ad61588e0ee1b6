// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/choice_code.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace chicane {
namespace {

using namespace multibody;

constexpr int kBitsOfNumber = 52;
// Behind them, in the first number of a cluster.
constexpr std::uint64_t kHeld = std::uint64_t{1} << kBitsOfNumber;

// How the rates of a cluster are packed.
struct Packing {
  explicit Packing(const LoopCluster& c)
      : bits(static_cast<int>(std::bit_width(static_cast<unsigned>(c.rows)))),
        per_number(kBitsOfNumber / bits) {}
  [[nodiscard]] int numbers(int rates) const { return (rates + per_number - 1) / per_number; }
  int bits, per_number;
};

}  // namespace

int choice_code_size(const Mechanism& m) {
  int size = 0;
  for (const LoopCluster& c : m.clusters) size += Packing(c).numbers(c.nv);
  return size;
}

void encode(const Mechanism& m, const Choice& choice, std::span<double> to) {
  std::size_t at = 0;
  for (std::size_t k = 0; k < m.clusters.size(); ++k) {
    const LoopCluster& c = m.clusters[k];
    const Packing packing(c);
    for (int first = 0; first < c.nv; first += packing.per_number) {
      std::uint64_t word = first == 0 && choice[k].held ? kHeld : 0;
      for (std::size_t i = 0; i < choice[k].dependent.size(); ++i) {
        const int place = choice[k].dependent[i] - first;
        if (place >= 0 && place < packing.per_number)
          word |= static_cast<std::uint64_t>(choice[k].rows[i] + 1) << (place * packing.bits);
      }
      to[at++] = static_cast<double>(word);
    }
  }
}

bool is_choice_code(const Mechanism& m, std::span<const double> from) {
  if (from.size() != static_cast<std::size_t>(choice_code_size(m))) return false;
  constexpr auto kBeyond = static_cast<double>(2 * kHeld);
  for (const double word : from)
    if (!(word >= 0.0 && word < kBeyond && word == std::floor(word))) return false;
  Choice choice(m.clusters.size());
  decode(m, from, choice);
  for (std::size_t k = 0; k < m.clusters.size(); ++k) {
    std::vector<bool> taken(static_cast<std::size_t>(m.clusters[k].rows));
    if (choice[k].dependent.size() < m.choice[k].dependent.size()) return false;
    for (const int row : choice[k].rows) {
      if (row >= m.clusters[k].rows || taken[static_cast<std::size_t>(row)]) return false;
      taken[static_cast<std::size_t>(row)] = true;
    }
  }
  std::vector<double> again(from.size());  // bits that mean nothing are zero
  encode(m, choice, again);
  return std::equal(from.begin(), from.end(), again.begin());
}

void decode(const Mechanism& m, std::span<const double> from, Choice& choice) {
  std::size_t at = 0;
  for (std::size_t k = 0; k < m.clusters.size(); ++k) {
    const LoopCluster& c = m.clusters[k];
    const Packing packing(c);
    for (auto* list : {&choice[k].independent, &choice[k].dependent, &choice[k].rows})
      list->clear();
    choice[k].held = c.nv > 0 && (static_cast<std::uint64_t>(from[at]) & kHeld) != 0;
    for (int rate = 0; rate < c.nv; ++rate) {
      const auto word = static_cast<std::uint64_t>(
          from[at + static_cast<std::size_t>(rate / packing.per_number)]);
      const int row = static_cast<int>(word >> (rate % packing.per_number * packing.bits) &
                                       ((std::uint64_t{1} << packing.bits) - 1)) -
                      1;
      if (row < 0) {
        choice[k].independent.push_back(rate);
      } else {
        choice[k].dependent.push_back(rate);
        choice[k].rows.push_back(row);
      }
    }
    at += static_cast<std::size_t>(packing.numbers(c.nv));
  }
}

}  // namespace chicane
