// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assembly/suspension/builder.hpp"

namespace chicane::suspension {

// One of the two, and no negative number: a part that gives energy is none of a vehicle.
void require_law(Keys& keys, std::string_view linear, std::string_view curve, double value,
                 std::string_view owner);

// 'spring', 'damper', 'bump_stop', 'rebound_stop' of both sides, between the chassis and one of
// the parts; those that do not say where act where the one before does, the first at `seat`.
void add_springs(Builder& b, const std::vector<std::string>& parts,
                 std::optional<Seat> seat = std::nullopt);

// 'anti_roll_bar' between one of the parts on either side, at the wheels if it does not say where.
void add_anti_roll_bar(Builder& b, const std::vector<std::string>& parts,
                       const Vec3<double>& spindle);

}  // namespace chicane::suspension
