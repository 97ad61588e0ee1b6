// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/api.hpp"
#include "language/block.hpp"

namespace chicane {

// One number of a frame: eight bytes, at a multiple of eight.
struct FrameField {
  // What the eight bytes are, in the byte order of the machine.
  enum class Type { float64, int64 };
  std::string name, unit, description;  // of the signal
  Type type = Type::float64;            // int64: sequence and tick
  std::size_t offset = 0;               // [byte]
};

// Numbers of a frame that are one thing and stand side by side, as a body's pose does.
struct FrameBundle {
  BundleInfo::Kind kind = BundleInfo::Kind::pose;  // what it is, and so how many numbers
  std::string name;                                // its fields are called NAME.x, ...
  std::size_t first = 0;                           // [cell] where it begins
};

// What stands where in a frame: plain bytes, no pointers. Sequence, tick and time come first, the
// chosen signals after them; so all from the time on is one row of float64.
class CHICANE_API FrameLayout {
 public:
  // A signal that is to be in the frames.
  struct Signal {
    std::string name, unit, description;  // as the model has them
  };
  // Of these signals, in this order; `bundles` of them that are there as a whole.
  explicit FrameLayout(std::span<const Signal> signals, std::vector<FrameBundle> bundles = {});

  // [cell] where each begins.
  static constexpr std::size_t kSequence = 0, kTick = 1, kTime = 2, kSignals = 3;

  // One a cell, in the order of the bytes.
  [[nodiscard]] std::span<const FrameField> fields() const { return fields_; }
  // Poses, accelerations and wrenches whose numbers are all there, one after the other.
  [[nodiscard]] std::span<const FrameBundle> bundles() const { return bundles_; }
  // Numbers in a frame.
  [[nodiscard]] std::size_t cells() const { return fields_.size(); }
  // Size of a frame.
  [[nodiscard]] std::size_t bytes() const { return sizeof(double) * cells(); }
  // How many signals there are; sequence, tick and time do not count.
  [[nodiscard]] std::size_t signals() const { return cells() - kSignals; }
  // Of names, units, types, places and bundles: two layouts with the same one are the same.
  [[nodiscard]] const std::string& hash() const { return hash_; }

 private:
  std::vector<FrameField> fields_;
  std::vector<FrameBundle> bundles_;
  std::string hash_;
};

// A look at one frame in memory that somebody else owns.
class Frame {
 public:
  // Of as many cells as its layout has.
  explicit Frame(std::span<const double> cells) : cells_(cells) {}

  // Counts the frames that were recorded, from 0.
  [[nodiscard]] std::int64_t sequence() const { return whole(FrameLayout::kSequence); }
  [[nodiscard]] std::int64_t tick() const { return whole(FrameLayout::kTick); }  // [0.5 ps]
  [[nodiscard]] double time() const { return cells_[FrameLayout::kTime]; }       // [s]
  // Time and signals, each in its unit.
  [[nodiscard]] std::span<const double> row() const { return cells_.subspan(FrameLayout::kTime); }
  // One of the layout's bundles: its numbers, in their units.
  [[nodiscard]] std::span<const double> bundle(const FrameBundle& which) const {
    return cells_.subspan(which.first, static_cast<std::size_t>(size_of(which.kind)));
  }
  // All of it, as it goes into files and memory that is shared.
  [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(cells_); }

 private:
  [[nodiscard]] std::int64_t whole(std::size_t cell) const {
    return std::bit_cast<std::int64_t>(cells_[cell]);
  }
  std::span<const double> cells_;
};

}  // namespace chicane
