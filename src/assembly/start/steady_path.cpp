// SPDX-License-Identifier: Apache-2.0

// The path that a driver follows, as far as a steady motion has to know it.

#include <algorithm>
#include <cmath>

#include "assembly/start/steady_motion.hpp"

namespace chicane {

// What the driver sees of his path where the vehicle would be so far from where it starts.
double SteadyMotion::offset_at(double forward, double left) {
  const double c = std::cos(start_.heading), s = std::sin(start_.heading);
  place_.x = start_.position.x + c * forward - s * left;
  place_.y = start_.position.y + s * forward + c * left;
  evaluate();
  place_ = start_.position;
  return signal("driver.path_offset");
}
// The distance grows fastest across the path.
double SteadyMotion::path_heading_at(double forward, double left) {
  constexpr double kBeside = 0.01;  // [m]
  const double along = offset_at(forward + kBeside, left) - offset_at(forward - kBeside, left),
               across = offset_at(forward, left + kBeside) - offset_at(forward, left - kBeside);
  return std::atan2(-along, across);
}

void SteadyMotion::find_path() {
  constexpr double kNear = 0.05, kAligned = 0.02;  // [m], [rad] he is on it
  constexpr double kStraight = 1e-3;               // [m] off an arc: he need not see it
  constexpr double kChord = 1.0;                   // [m]
  constexpr int kMostSteps = 1000, kLooks = 8;
  if (place_of("driver.hand_angle") < 0) return;
  const Values before = now();
  const MemoryIndex foot = find_memory("driver.foot");
  double way = 1.0;
  for (int k = 0; k < kMostSteps && std::fabs(way) > 1e-9; ++k) {  // it may begin far behind
    evaluate();
    way = eval_.v[s_.memory[foot].next] - state_.memory[foot].value;
    state_.memory[foot].value = state_.memory[foot].next = eval_.v[s_.memory[foot].next];
  }
  const auto at_foot = state_.memory[foot];
  Arc arc{path_heading_at(0.0, 0.0), 0.0, offset_at(0.0, 0.0), parameter("driver.steering.ahead")};
  const double c = std::cos(arc.heading), s = std::sin(arc.heading);
  arc.curvature = (path_heading_at(kChord * c, kChord * s) - arc.heading) / kChord;
  const double sight = std::max(start_.speed * parameter("driver.steering.preview_time"),
                                parameter("driver.steering.preview_min"));
  bool seen = std::fabs(arc.offset) < kNear && std::fabs(arc.heading) < kAligned;
  for (int k = 1; k <= kLooks && seen; ++k) {
    const double along = sight * k / kLooks, half = 0.5 * arc.curvature * along;
    const double chord = half == 0.0 ? along : along * std::sin(half) / half;
    const double off =
        offset_at(chord * std::cos(arc.heading + half), chord * std::sin(arc.heading + half)) -
        arc.offset;
    seen = std::fabs(off) < kStraight;
  }
  if (seen) path_ = arc;
  go_back_to(before);
  state_.memory[foot] = at_foot;
  evaluate();
}

}  // namespace chicane
