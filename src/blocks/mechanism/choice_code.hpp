// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "multibody/mechanism.hpp"

// Which coordinates of the loops are independent, as numbers that a memory can hold: for every rate
// of a cluster the row that determines it, or that there is none, in as many bits as it takes; and
// whether it is held.

namespace chicane {

int choice_code_size(const multibody::Mechanism& m);
void encode(const multibody::Mechanism& m, const multibody::Choice& choice, std::span<double> to);
// Whether numbers are such a code, of whatever choice: no row determines two rates, and none is
// missing from the mechanism. What is not must not be decoded.
bool is_choice_code(const multibody::Mechanism& m, std::span<const double> from);
// Does not allocate where `choice` has room for every rate.
void decode(const multibody::Mechanism& m, std::span<const double> from, multibody::Choice& choice);

}  // namespace chicane
