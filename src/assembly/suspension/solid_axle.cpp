// SPDX-License-Identifier: Apache-2.0
#include "assembly/suspension/springs.hpp"
#include "assembly/suspension/types.hpp"
#include "blocks/mechanism/laws.hpp"

namespace chicane::suspension {

using namespace multibody;

namespace {

using Sides = std::vector<Side>;

// Each rod on each of these sides; how many there are.
int add_rods(Builder& b, const std::string& key, const Sides& sides) {
  const DataSpec* rods = b.keys().find(key);
  if (rods == nullptr) return 0;
  for (const auto& [name, data] : rods->entries) {
    if (!is_name(name))
      b.diagnostics().error(data.text.where, "'{}' is not a name for a rod", name);
    Keys keys(data, b.keys().numbers(), b.diagnostics());
    const auto seat = b.seat(keys, "a rod", {"axle"}, std::nullopt);
    keys.refuse_others("a rod");
    if (!seat) continue;
    for (const Side& side : sides)
      b.add(side, {.name = name,
                   .kind = JointKind::spherical_spherical,
                   .connects = {b.chassis(), b.body_of(side, "axle")},
                   .at = seat->points[0],
                   .second_at = seat->points[1]});
  }
  return static_cast<int>(rods->entries.size() * sides.size());
}

bool add_leaf_springs(Builder& b) {
  auto keys = Builder::section(b.keys(), "leaf_spring");
  if (!keys) return false;
  keys->require("at", "a leaf spring");
  const Vec3<double> pad = b.point(*keys, "at", {});
  LeafSpringDescription e;
  read_leaf_spring(*keys, e);
  keys->refuse_others("a leaf spring");
  for (const Side& side : b.sides()) {
    e.bushing.connects = {b.body_of(side, "axle"), b.chassis()};  // it carries the second one
    e.bushing.at = side.point(pad);
    b.add(side, "leaf_spring", e, keys->where());
  }
  return true;
}

// Of six freedoms four rods leave bounce and roll. Leaf springs leave all six.
void add_location(Builder& b) {
  constexpr int kRods = 4;
  const int rods = add_rods(b, "rods", {b.sides().begin(), b.sides().end()}) +
                   add_rods(b, "single_rods", {b.middle()});
  const bool leaves = add_leaf_springs(b);
  if (leaves ? rods > kRods : rods != kRods)
    b.diagnostics().error(b.keys().where(),
                          "{} rods locate this axle ('rods' count twice): it needs {}four, which "
                          "leave bounce and roll{}",
                          rods, leaves ? "at most " : "",
                          leaves ? "" : "; or leaf springs (leaf_spring)");
}

// 'linkage': what turns the knuckles. rods: a drag link moves the left one, a tie rod takes the
// right one along. none: the steering turns both kingpins, which closes no loop.
bool has_rods(Builder& b) {
  const DataSpec* given = b.keys().find("linkage");
  if (given == nullptr || given->text.text == "rods") return true;
  if (given->text.text != "none")
    b.diagnostics().error(given->text.where, "'linkage' is rods or none, not '{}'",
                          given->text.text);
  return false;
}

Axle add_knuckles(Builder& b, const HardPoints& p, bool rods) {
  const auto& [left, right] = b.sides();
  const BodyDescription carrier = b.part("carrier");
  const Vec3<double>&lower = p.at("kingpin_lower"), &upper = p.at("kingpin_upper");
  for (const Side& side : b.sides()) {
    b.add(side, carrier);
    b.add(side, {.name = "kingpin",
                 .kind = JointKind::revolute,
                 .connects = {b.body_of(side, "axle"), side.name("carrier")},
                 .at = 0.5 * (lower + upper),
                 .axis = upper - lower,
                 .driven = !rods});
  }
  if (rods) {
    b.add(b.middle(), {.name = "tie_rod",
                       .kind = JointKind::spherical_spherical,
                       .connects = {left.name("carrier"), right.name("carrier")},
                       .at = p.at("tie_rod_outer"),
                       .second_at = right.point(p.at("tie_rod_outer"))});
    b.add(b.middle(), {.name = "drag_link",
                       .kind = JointKind::spherical_spherical,
                       .connects = {kRack, left.name("carrier")},
                       .at = p.at("drag_link_inner"),
                       .second_at = p.at("drag_link_outer")});
  }
  Axle axle = b.wheels("carrier", p.at("spindle"));
  b.steer_about(axle, lower, "carrier", upper);
  return axle;
}

}  // namespace

Axle solid_axle(Builder& b) {
  const bool rods = has_rods(b), steered = b.steered(rods);
  const HardPoints p = !steered ? b.points({"spindle"})
                       : rods   ? b.points({"spindle", "kingpin_lower", "kingpin_upper",
                                            "tie_rod_outer", "drag_link_inner", "drag_link_outer"})
                                : b.points({"spindle", "kingpin_lower", "kingpin_upper"});
  const BodyDescription axle = b.part("axle");
  b.add(b.middle(), axle);
  b.add(b.middle(), {.name = "axle_motion",
                     .kind = JointKind::free,
                     .connects = {b.chassis(), b.middle().name("axle")},
                     .at = axle.com});
  add_location(b);
  add_springs(b, {"axle"});
  add_anti_roll_bar(b, {"axle"}, p.at("spindle"));
  return steered ? add_knuckles(b, p, rods) : b.wheels("axle", p.at("spindle"));
}

}  // namespace chicane::suspension
