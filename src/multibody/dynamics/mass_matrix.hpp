// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/mechanism.hpp"

namespace chicane::multibody {

// Mass matrix of the open tree, nv x nv by rows, after kinematics.
template <class T>
void mass_matrix(const Mechanism& m, Workspace<T>& ws, std::span<T> M);

// Kinetic energy and momentum of all bodies, after kinematics; the moment about the world origin.
template <class T>
T kinetic_energy(const Mechanism& m, const Workspace<T>& ws);
template <class T>
Wrench<T> momentum(const Mechanism& m, const Workspace<T>& ws);
// Of gravity and of the springs among the force elements.
template <class T>
T potential_energy(const Mechanism& m, const Workspace<T>& ws, std::span<const T> z = {});

}  // namespace chicane::multibody
