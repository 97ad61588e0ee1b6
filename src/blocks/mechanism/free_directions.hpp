// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "language/block.hpp"
#include "multibody/mechanism.hpp"

namespace chicane {

// The freedoms of a mechanism at a point of a run, two directions for each: its independent
// coordinates, then their rates, each with what it moves in its loops. A ball turns about the axes
// of its own frame, instead of four numbers of length one. Loops with multipliers have as many
// freedoms as embedded ones.
class FreeDirections {
 public:
  explicit FreeDirections(std::shared_ptr<const multibody::Mechanism> m);
  // States, their rates, memory and inputs of the block; without inputs driven joints are at zero.
  [[nodiscard]] std::vector<FreeDirection> at(std::span<const double> x, std::span<const double> dx,
                                              std::span<const double> z,
                                              std::span<const double> u) const;

 private:
  std::shared_ptr<const multibody::Mechanism> m_, embedded_;  // the same with no multipliers
};

}  // namespace chicane
