// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "language/model_structure.hpp"

namespace chicane {

// What a Spec comes to whatever the rate groups: its blocks in C++ are made (mechanisms analysed,
// vehicles assembled) and the values that a settled vehicle starts from are found. Compiling it for
// a partition is quick, so blocks can be moved to other groups while a model runs. Who makes the
// blocks: make_blueprint (assembly/assemble.hpp).
class Blueprint : public std::enable_shared_from_this<Blueprint> {
 public:
  // Of a Spec whose blocks are made.
  static std::shared_ptr<const Blueprint> of(Spec spec, std::optional<StartValues> start = {}) {
    return std::shared_ptr<Blueprint>(new Blueprint(std::move(spec), std::move(start)));
  }

  // The Spec with its blocks made; they name their groups.
  [[nodiscard]] const Spec& spec() const { return spec_; }
  // The same blocks, each in the group that `like` puts the block of its name into, and with the
  // methods of `like`.
  [[nodiscard]] std::shared_ptr<const Blueprint> grouped_as(const Spec& like) const;

  // Nothing, and the faults in `diag`, where the groups cannot be evaluated one after the other.
  [[nodiscard]] std::shared_ptr<const ModelStructure> compile(const Partition& partition,
                                                              Diagnostics& diag) const;

 private:
  Blueprint(Spec spec, std::optional<StartValues> start)
      : spec_(std::move(spec)), start_(std::move(start)) {}

  Spec spec_;
  std::optional<StartValues> start_;
};

// The same model with all blocks in one group.
std::shared_ptr<const ModelStructure> all_together(
    const std::shared_ptr<const ModelStructure>& structure);

}  // namespace chicane
