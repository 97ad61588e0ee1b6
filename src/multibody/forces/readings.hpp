// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/at.hpp"
#include "multibody/mechanism.hpp"

// What force elements read of a mechanism.

namespace chicane::multibody {

template <class T>
BodyMotion<T> motion(const Workspace<T>& ws, int link) {
  const LinkMotion<T>& m = ws.motion[at(link)];
  return {m.R, m.p, m.V};
}

// A state or command of an element; `otherwise` where it has none.
template <class T>
T value_at(std::span<const T> values, int i, double otherwise = 0.0) {
  return i < 0 || values.empty() ? T(otherwise) : values[at(i)];
}

}  // namespace chicane::multibody
