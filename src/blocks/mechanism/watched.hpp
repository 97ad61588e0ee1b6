// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

namespace chicane {

// The scratch of a mechanism's block as somebody sees it who watches the run: the last evaluation.
class WatchedMechanism {
 public:
  virtual ~WatchedMechanism() = default;
  [[nodiscard]] virtual const multibody::Mechanism& mechanism() const noexcept = 0;
  // After accelerations; null where the evaluation has no result. Null for other scalars.
  [[nodiscard]] virtual multibody::Workspace<double>* evaluated() noexcept = 0;
  // Nothing gives or takes energy: no drive, command, mount, damper or friction.
  [[nodiscard]] virtual bool closed() const noexcept = 0;
  // [J] what springs hold, in that evaluation.
  [[nodiscard]] virtual double spring_energy() const noexcept = 0;
  // [W] that mounts and commands bring in or take out, each without its sign.
  [[nodiscard]] virtual double exchange() const noexcept = 0;
};

}  // namespace chicane
