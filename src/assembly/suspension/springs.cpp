// SPDX-License-Identifier: Apache-2.0
#include "assembly/suspension/springs.hpp"

#include "blocks/mechanism/laws.hpp"

namespace chicane::suspension {

using namespace multibody;
using namespace dimensions;

namespace {

// The same element on both sides, between the points of the seat.
template <class Element>
void add_sides(Builder& b, std::string_view name, const Seat& seat, Element e,
               const Location& where) {
  for (const Side& side : b.sides()) {
    e.connects = {b.chassis(), b.body_of(side, seat.part)};
    e.points = {side.point(seat.points[0]), side.point(seat.points[1])};
    if (seat.axis) e.axis = side.point(*seat.axis);
    b.add(side, name, e, where);
  }
}

TsdaDescription spring(Keys& keys) {
  TsdaDescription e;
  e.stiffness = keys.number("stiffness", kStiffness);
  e.spring = read_law(keys, "spring", kForce, kLength);
  require_law(keys, "stiffness", "spring", e.stiffness, "a spring");
  const DataSpec *length = keys.find("free_length"), *preload = keys.find("preload");
  if ((length == nullptr) == (preload == nullptr))
    keys.diagnostics().error(keys.where(),
                             "a spring has either a 'free_length', or a 'preload': the force with "
                             "which it pushes in the position of the file");
  if (length != nullptr) e.free_length = keys.number("free_length", kLength);
  e.force = keys.number("preload", kForce);
  return e;
}

// 'ends' of a damper: its rates beyond a range of lengths.
std::optional<DamperEnds> damper_ends(Keys& keys, const std::optional<Seat>& seat) {
  auto given = Builder::section(keys, "ends");
  if (!given) return std::nullopt;
  constexpr std::string_view owner = "'ends' of a damper";
  constexpr double kOver = 5e-3;  // [m] enough for no step to leap over it
  DamperEnds e;
  const bool is_short = given->find("shorter_than") != nullptr,
             is_long = given->find("longer_than") != nullptr;
  e.shortest = given->number("shorter_than", kLength, e.shortest);
  e.longest = given->number("longer_than", kLength, e.longest);
  e.over = given->number("over", kLength, kOver);
  e.c = given->number("damping", kDamping);
  e.damper = read_law(*given, "damper", kForce, kSpeed);
  require_law(*given, "damping", "damper", e.c, owner);
  given->refuse_others(owner);
  Diagnostics& diag = given->diagnostics();
  if (!is_short && !is_long)
    diag.error(given->where(), "{} need a length: 'shorter_than' or 'longer_than', or both", owner);
  else if (!(e.shortest < e.longest))
    diag.error(given->where(), "'shorter_than' must be less than 'longer_than'");
  else if (const double l = seat ? seat->length() : 0.0; seat && (l < e.shortest || l > e.longest))
    diag.warning(given->where(),
                 "in the position of the file the damper is {:.4g} mm long, where the rates of its "
                 "'ends' hold: are these lengths right?",
                 1e3 * l);
  if (!(e.over > 0.0)) diag.error(given->where(), "'over' of {} must be more than 0", owner);
  return e;
}

TsdaDescription damper(Keys& keys, const std::optional<Seat>& seat) {
  TsdaDescription e;
  e.damping = keys.number("damping", kDamping);
  e.damper = read_law(keys, "damper", kForce, kSpeed);
  require_law(keys, "damping", "damper", e.damping, "a damper");
  e.ends = damper_ends(keys, seat);
  return e;
}

BumpStopDescription stop(Keys& keys, std::string_view owner, bool rebound) {
  BumpStopDescription e;
  keys.require("contact", owner);
  e.contact = keys.number("contact", kLength);
  e.rebound = rebound;
  e.law = read_stop(keys, owner, kLinear);
  return e;
}

}  // namespace

void require_law(Keys& keys, std::string_view linear, std::string_view curve, double value,
                 std::string_view owner) {
  if (keys.find(linear) == nullptr && keys.find(curve) == nullptr)
    keys.diagnostics().error(keys.where(), "{} needs a '{}' or a '{}'", owner, linear, curve);
  if (value < 0.0)
    keys.diagnostics().error(keys.where(), "'{}' of {} cannot be negative", linear, owner);
}

void add_springs(Builder& b, const std::vector<std::string>& parts, std::optional<Seat> seat) {
  const auto each = [&](std::string_view name, std::string_view owner, auto&& read) {
    auto keys = Builder::section(b.keys(), name);
    if (!keys) return;
    seat = b.seat(*keys, owner, parts, seat);
    auto element = read(*keys, seat);
    keys->refuse_others(owner);
    if (seat) add_sides(b, name, *seat, std::move(element), keys->where());
  };
  each("spring", "a spring", [](Keys& k, const auto&) { return spring(k); });
  each("damper", "a damper", damper);
  each("bump_stop", "a bump stop",
       [](Keys& k, const auto&) { return stop(k, "a bump stop", false); });
  each("rebound_stop", "a rebound stop",
       [](Keys& k, const auto&) { return stop(k, "a rebound stop", true); });
}

void add_anti_roll_bar(Builder& b, const std::vector<std::string>& parts,
                       const Vec3<double>& spindle) {
  auto keys = Builder::section(b.axle(), "anti_roll_bar");
  if (!keys) return;
  keys->require("stiffness", "an anti-roll bar");
  const double k = keys->number("stiffness", kStiffness), c = keys->number("damping", kDamping);
  if (k < 0.0 || c < 0.0)
    b.diagnostics().error(keys->where(),
                          "stiffness and damping of an anti-roll bar cannot be negative");
  const std::string part = b.on(*keys, parts);
  const Vec3<double> p = b.point(*keys, "point", spindle);
  keys->refuse_others("an anti-roll bar");
  const auto& [left, right] = b.sides();
  if (part != "axle") {
    b.add(b.middle(), "anti_roll_bar",
          AntiRollBarDescription{.connects = {b.chassis(), left.name(part), right.name(part)},
                                 .points = {p, right.point(p)},
                                 .stiffness = k,
                                 .damping = c},
          keys->where());
    return;
  }
  // Both ends are on one body, whose rolling by phi lifts one over the other by s phi: a moment
  // of k s^2 phi.
  const double s = 2.0 * p.y;
  BushingDescription e{.connects = {b.chassis(), b.middle().name(part)}, .at = {p.x, 0.0, p.z}};
  e.stiffness[3][3] = k * s * s;
  e.damping[3][3] = c * s * s;
  b.add(b.middle(), "anti_roll_bar", e, keys->where());
}

}  // namespace chicane::suspension
