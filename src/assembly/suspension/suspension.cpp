// SPDX-License-Identifier: Apache-2.0
#include "assembly/suspension/suspension.hpp"

#include <algorithm>
#include <array>

#include "assembly/suspension/types.hpp"
#include "language/sections/fields.hpp"
#include "spatial/spatial.hpp"

namespace chicane {

using namespace multibody;
using suspension::Builder;

namespace {

struct Type {
  std::string_view name;
  Axle (*add)(Builder&);
};
constexpr std::array kTypes{Type{"double-wishbone", suspension::double_wishbone},
                            Type{"macpherson", suspension::macpherson},
                            Type{"trailing-arm", suspension::trailing_arm},
                            Type{"twist-beam", suspension::twist_beam},
                            Type{"solid-axle", suspension::solid_axle},
                            Type{"free", suspension::free_carriers}};

const Type* type_of(Keys& keys) {
  const DataSpec* given = keys.require("type", "a suspension");
  if (given == nullptr) return nullptr;
  std::vector<std::string_view> known;
  for (const Type& t : kTypes) {
    if (t.name == given->text.text) return &t;
    known.push_back(t.name);
  }
  keys.diagnostics().error(given->text.where, "there is no suspension '{}'{}; there are {}",
                           given->text.text, did_you_mean(given->text.text, known),
                           fmt::join(known, ", "));
  return nullptr;
}

std::optional<WheelInertia> read_wheel(Keys& axle, const WheelInertia& apart) {
  constexpr auto kPositive = Field::Bound::positive;
  constexpr std::array kFields{Field{"mass", "kg", "the mass", kPositive},
                               Field{"spin_inertia", "kg m^2", "the inertia", kPositive},
                               Field{"cross_inertia", "kg m^2", "the inertia", kPositive}};
  constexpr std::array kDual{Field{"dual_spacing", "m", "between the middles of its two tires",
                                   Field::Bound::not_negative, 0.0}};
  constexpr double kRounding = 1e-3;  // files give inertias with a few digits
  const DataSpec* data = axle.require("wheel", "an axle");
  if (data == nullptr) return std::nullopt;
  Keys keys(*data, axle.numbers(), axle.diagnostics());
  const auto values = read_fields(keys, kFields, "a wheel");
  const auto dual = read_fields(keys, kDual, "a wheel");
  const WheelInertia w{values[0].value, values[1].value, values[2].value, dual[0].value};
  keys.refuse_others("a wheel");
  if (w.spin > 2.0 * w.cross * (1.0 + kRounding))
    axle.diagnostics().error(keys.where(),
                             "no wheel can have a 'spin_inertia' of more than twice its "
                             "'cross_inertia': check the two");
  const WheelInertia left{w.mass - apart.mass, w.spin - apart.spin, w.cross - apart.cross, w.dual};
  if (w.dual > 0.0 && apart.mass > 0.0)
    axle.diagnostics().error(apart.where, "a wheel of two tires ('dual_spacing') has no rings");
  if (!(left.mass > 0.0 && left.spin > 0.0 && left.cross > 0.0))
    axle.diagnostics().error(
        apart.where,
        "the ring of the tire is a part of the wheel and cannot have more than all of it: mass "
        "{:g} of {:g} kg, spin_inertia {:g} of {:g} kg m^2, cross_inertia {:g} of {:g} kg m^2",
        apart.mass, w.mass, apart.spin, w.spin, apart.cross, w.cross);
  return left;
}

// More of a body, with its centre of mass and its inertia about it.
void add_to(BodyDescription& b, double mass, const Vec3<double>& at,
            const Sym3<double>& inertia = {}) {
  const RigidInertia<double> body{b.mass, {}, b.inertia}, more{mass, {}, inertia};
  const double all = b.mass + mass;
  const Vec3<double> com = (1.0 / all) * (b.mass * b.com + mass * at);
  b.inertia = about(body, b.com - com).J + about(more, at - com).J;
  b.mass = all;
  b.com = com;
}

// The wheel turns with its carrier but does not hold it about the spin axis n: cross (1 - n n').
void add_wheel(BodyDescription& b, const WheelMount& mount, const WheelInertia& w) {
  const Vec3<double>& n = mount.axis;
  add_to(b, w.mass, mount.centre,
         {w.cross * (1.0 - n.x * n.x), w.cross * (1.0 - n.y * n.y), w.cross * (1.0 - n.z * n.z),
          -w.cross * n.x * n.y, -w.cross * n.x * n.z, -w.cross * n.y * n.z});
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

BodyDescription* find_body(Description& d, const std::string& name) {
  const auto is = [&](const BodyDescription& b) { return b.name == name; };
  const auto b = std::find_if(d.bodies.begin(), d.bodies.end(), is);
  return b == d.bodies.end() ? nullptr : &*b;
}

}  // namespace

std::optional<Axle> add_suspension(Keys& keys, const AxleNames& names, Description& into,
                                   const WheelInertia& apart) {
  require(find_body(into, names.chassis) != nullptr, "a suspension needs the body it is on");
  const int before = keys.diagnostics().errors();
  const auto wheel = read_wheel(keys, apart);
  keys.require("at", "an axle");
  const Vec3<double> at = keys.vector("at", dimensions::kLength);
  keys.find("anti_roll_bar");  // read with the suspension
  const DataSpec* data = keys.require("suspension", "an axle");
  if (data == nullptr) return std::nullopt;
  Keys section(*data, keys.numbers(), keys.diagnostics());
  const Type* type = type_of(section);
  if (type == nullptr) return std::nullopt;
  Builder b(keys, section, names, at, into);
  Axle axle = type->add(b);
  section.refuse_others(b.owner());
  if (keys.diagnostics().errors() > before) return std::nullopt;

  append(into.bodies, b.made.bodies);
  append(into.joints, b.made.joints);
  append(into.forces, b.made.forces);
  for (const auto& [body, m] : b.masses) add_to(*find_body(into, body), m.mass, m.at);
  for (const WheelMount* mount : {&axle.left, &axle.right})
    add_wheel(*find_body(into, mount->body), *mount, *wheel);
  axle.spin_inertia = wheel->spin;
  axle.dual = wheel->dual;
  return axle;
}

}  // namespace chicane
