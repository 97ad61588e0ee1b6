// SPDX-License-Identifier: Apache-2.0
#include "assembly/suspension/builder.hpp"

#include <algorithm>
#include <cmath>

#include "assembly/parts/layout.hpp"
#include "blocks/mechanism/laws.hpp"
#include "multibody/check.hpp"

namespace chicane::suspension {

using namespace multibody;
using namespace dimensions;

std::string Side::name(std::string_view part) const { return fmt::format("{}_{}", part, suffix); }

Vec3<double> Side::point(const Vec3<double>& p) const {
  return mirrored ? Vec3<double>{p.x, -p.y, p.z} : p;
}

Vec3<double> Side::turning(const Vec3<double>& axis) const {
  return mirrored ? Vec3<double>{-axis.x, axis.y, -axis.z} : axis;
}

Sym3<double> Side::inertia(const Sym3<double>& J) const {
  return mirrored ? Sym3<double>{J.xx, J.yy, J.zz, -J.xy, J.xz, -J.yz} : J;
}

std::optional<Mat3<double>> arm_frame(const Vec3<double>& front, const Vec3<double>& rear,
                                      const Vec3<double>& outer) {
  const Vec3<double> x = front - rear, z = cross(x, outer - rear);
  if (norm(z) == 0.0) return std::nullopt;
  Mat3<double> R{(1.0 / norm(x)) * x, {}, (1.0 / norm(z)) * z};
  R.y = cross(R.z, R.x);
  return R;
}

double Seat::length() const {
  const Vec3<double> d = points[1] - points[0];
  return axis ? std::abs(dot(*axis, d)) / norm(*axis) : norm(d);
}

Builder::Builder(Keys& axle, Keys& suspension, const AxleNames& names, const Vec3<double>& at,
                 const Description& vehicle)
    : axle_(axle),
      keys_(suspension),
      owner_(fmt::format("a {} suspension", suspension.text("type"))),
      chassis_(names.chassis),
      at_(names.from + at),
      sides_{Side{names.left, false}, Side{names.right, true}},
      middle_{names.axle, false},
      vehicle_(vehicle),
      points_(suspension.where()) {}

// --- reading -------------------------------------------------------------------------------------

std::optional<Keys> Builder::section(Keys& of, std::string_view key, std::string_view owner) {
  const DataSpec* data = owner.empty() ? of.find(key) : of.require(key, owner);
  if (data == nullptr) return std::nullopt;
  return Keys(*data, of.numbers(), of.diagnostics());
}

HardPoints Builder::points(std::initializer_list<std::string> names) {
  HardPoints out;
  for (const std::string& name : names) out[name] = at_;
  auto given = section(keys_, "points", owner_);
  if (!given) return out;
  points_ = given->where();
  for (auto& [name, p] : out) {
    given->require(name, owner_);
    p = point(*given, name, at_);
  }
  given->refuse_others(fmt::format("'points' of {}", owner_));
  return out;
}

Vec3<double> Builder::point(const DataSpec& data) {
  return at_ + vector_of(axle_.numbers().list(data, kLength, 3));
}
Vec3<double> Builder::point(Keys& keys, std::string_view key, const Vec3<double>& otherwise) {
  const DataSpec* data = keys.find(key);
  return data == nullptr ? otherwise : point(*data);
}

BodyDescription Builder::part(std::string_view key, const std::optional<Mat3<double>>& arm) {
  Description alone;
  BodyDescription& b = alone.bodies.emplace_back();
  b.name = key;
  const int before = diagnostics().errors();
  auto given = section(keys_, key, owner_);
  if (!given) return b;
  b.where = b.numbers = given->where();
  given->require("mass", key);
  given->require("com", key);
  b.mass = given->number("mass", kMass);
  b.com = point(*given, "com", at_);
  if (auto inertia = section(*given, "inertia")) {
    b.inertia = read_inertia(*inertia);
    const std::string frame = inertia->text("frame");
    if (frame == "arm" && arm)
      b.inertia = rotated(*arm, b.inertia);
    else if (!frame.empty() && frame != "vehicle")
      diagnostics().error(inertia->find("frame")->text.where,
                          "'frame' of {} is vehicle{}, not '{}'", key, arm ? ", or arm" : "",
                          frame);
    inertia->refuse_others("an inertia");
  }
  given->refuse_others(key);
  if (diagnostics().errors() > before) return b;
  if (b.mass == 0.0) {  // which the check would only warn of
    diagnostics().error(b.numbers, "{} has no mass: give it one, more than 0 kg", key);
    return b;
  }
  check(alone, diagnostics());  // here, as the wheel may hide what is wrong with it
  return b;
}

std::string Builder::body_of(const Side& side, std::string_view part) const {
  return part == "axle" ? middle_.name(part) : side.name(part);
}

std::string Builder::on(Keys& keys, const std::vector<std::string>& parts) {
  const DataSpec* given = keys.find("on");
  if (given == nullptr) return parts.front();
  const std::string& part = given->text.text;
  if (std::find(parts.begin(), parts.end(), part) == parts.end())
    diagnostics().error(given->text.where, "'{}' is no body of this suspension: 'on' may be {}",
                        part, fmt::join(parts, ", "));
  return part;
}

std::optional<Seat> Builder::seat(Keys& keys, std::string_view force,
                                  const std::vector<std::string>& parts,
                                  const std::optional<Seat>& otherwise) {
  Seat seat;
  if (otherwise && keys.find("points") == nullptr && keys.find("on") == nullptr) {
    seat = *otherwise;
  } else {
    seat.part = on(keys, parts);
    if (!read_points(keys, force, seat.points)) return std::nullopt;
    for (Vec3<double>& p : seat.points) p += at_;
  }
  if (keys.find("axis") != nullptr) seat.axis = read_axis(keys);
  return seat;
}

bool Builder::massless_upper() {
  const DataSpec* given = keys_.find("links");
  return given != nullptr && given->text.text == "massless-upper";
}

bool Builder::massless_links(std::initializer_list<std::string_view> bodies) {
  const DataSpec* given = keys_.find("links");
  if (given == nullptr || given->text.text == "bodies") return false;
  if (given->text.text != "massless") {
    diagnostics().error(
        given->text.where,
        "'links' is bodies or massless, or of a double wishbone massless-upper, not '{}'",
        given->text.text);
    return false;
  }
  if (bodies.size() == 0)
    diagnostics().error(given->text.where,
                        "the arms of {} carry the wheels and cannot be massless: remove 'links'",
                        owner_);
  for (const std::string_view body : bodies)
    if (const DataSpec* data = keys_.find(body))
      diagnostics().error(data->text.where,
                          "with massless links there is no body {0}: remove it (its mass may be "
                          "shared out to chassis and carrier), or say 'links: bodies'",
                          body);
  return true;
}

bool Builder::steered(bool rods) {
  const DataSpec* given = keys_.find("steered");
  if (given == nullptr || given->text.text == "false") return false;
  if (given->text.text != "true")
    diagnostics().error(given->text.where, "'steered' is true or false, not '{}'",
                        given->text.text);
  const auto is_rack = [](const BodyDescription& b) { return b.name == kRack; };
  if (rods && std::none_of(vehicle_.bodies.begin(), vehicle_.bodies.end(), is_rack))
    diagnostics().error(given->text.where,
                        "this axle is steered, but the vehicle has no rack: give it a steering, or "
                        "say 'steered: false'");
  if (rods && chassis_ != kFirstUnit)
    diagnostics().error(given->text.where, "the rack is on the first unit: rods cannot steer '{}'",
                        chassis_);
  return true;
}

// Toe turns the front of a wheel inwards, camber its top outwards.
Axle Builder::wheels(std::string_view part, const Vec3<double>& spindle) {
  const double toe = keys_.number("toe", kNone), camber = keys_.number("camber", kNone);
  const Vec3<double> axis{std::sin(toe) * std::cos(camber), std::cos(toe) * std::cos(camber),
                          -std::sin(camber)};
  const auto mount = [&](const Side& side) {
    return WheelMount{body_of(side, part), side.point(spindle), side.turning(axis)};
  };
  return {mount(sides_[0]), mount(sides_[1])};
}

void Builder::steer_about(Axle& axle, const Vec3<double>& lower, std::string_view upper_part,
                          const Vec3<double>& upper) const {
  for (const Side& side : sides_) {
    const std::string on = upper_part == chassis() ? chassis() : side.name(upper_part);
    (side.mirrored ? axle.right : axle.left).pin =
        SteeringAxis{{side.name("carrier"), side.point(lower)}, {on, side.point(upper)}};
  }
}

void Builder::add_rod(const Side& side, const BodyDescription& body,
                      const std::array<std::string, 2>& connects,
                      const std::array<Vec3<double>, 2>& ends) {
  const std::string name = body.name;
  const Vec3<double> along = ends[1] - ends[0];
  const bool lengthwise = std::abs(along.x) > 0.9 * norm(along);
  const Vec3<double> across =
      cross(along, lengthwise ? Vec3<double>{0.0, 1.0, 0.0} : Vec3<double>{1.0, 0.0, 0.0});
  add(side, body);
  add(side, {.name = name,
             .kind = JointKind::universal,
             .connects = {connects[0], side.name(name)},
             .at = ends[0],
             .axis = across,
             .second_axis = cross(along, across)});
  add(side, {.name = name + "_ball",
             .kind = JointKind::spherical,
             .connects = {side.name(name), connects[1]},
             .at = ends[1]});
}

// --- what there is -------------------------------------------------------------------------------

void Builder::add(const Side& side, BodyDescription left) {
  left.name = side.name(left.name);
  left.com = side.point(left.com);
  left.inertia = side.inertia(left.inertia);
  made.bodies.push_back(std::move(left));
}

void Builder::add(const Side& side, const std::string& body, const PointMass& left) {
  masses.emplace_back(body, PointMass{left.mass, side.point(left.at)});
}

void Builder::add(const Side& side, JointDescription left) {
  const bool slides =
      left.kind == JointKind::translational || left.kind == JointKind::spherical_translational;
  left.name = side.name(left.name);
  left.at = side.point(left.at);
  left.second_at = side.point(left.second_at);
  left.axis = slides ? side.point(left.axis) : side.turning(left.axis);
  if (left.second_axis) left.second_axis = side.turning(*left.second_axis);
  left.where = left.numbers = points_;
  made.joints.push_back(std::move(left));
}

void Builder::add(const Side& side, std::string_view name, decltype(ForceDescription::law) law,
                  const Location& where) {
  made.forces.push_back(
      {.name = side.name(name), .law = std::move(law), .where = where, .numbers = where});
}

}  // namespace chicane::suspension
