// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/coupling.hpp"

#include <algorithm>
#include <utility>

#include "assembly/parts/reading.hpp"
#include "blocks/mechanism/laws.hpp"
#include "language/expression/expression.hpp"

namespace chicane {
namespace {

using namespace dimensions;
using multibody::Description;
using multibody::JointKind;
using References = std::vector<std::pair<std::string, Vec3<double>>>;

enum CouplingType { kFifthWheel, kBall, kHinge };

void add_joint(Description& into, const std::string& name, JointKind kind, const std::string& ahead,
               const std::string& behind, const Vec3<double>& at, const Vec3<double>& axis,
               const Location& where) {
  into.joints.push_back({.name = name,
                         .kind = kind,
                         .connects = {ahead, behind},
                         .at = at,
                         .axis = axis,
                         .where = where,
                         .numbers = where});
}

// The plate lies on the unit ahead and pitches about y; its centre of mass is measured from the
// coupling.
std::string add_plate(Keys& keys, const std::string& unit, const Coupling& c, Description& into) {
  const DataSpec* given = keys.require("plate", "a fifth wheel");
  const std::string name = unit + "_plate";
  if (given == nullptr) return name;
  Keys own(*given, keys.numbers(), keys.diagnostics());
  into.bodies.push_back(read_body(own));
  into.bodies.back().name = name;
  into.bodies.back().com += c.at;
  into.bodies.back().reference.reset();
  own.refuse_others("the plate of a fifth wheel");
  add_joint(into, name, JointKind::revolute, c.ahead, name, c.at, {0.0, 1.0, 0.0}, own.where());
  return name;
}

Coupling place_of(Keys& keys, const References& references) {
  Coupling c{references.back().first, {}};
  if (const DataSpec* to = keys.find("to")) c.ahead = to->text.text;
  std::vector<std::string_view> known;
  for (const auto& [name, at] : references) {
    known.push_back(name);
    if (name == c.ahead) c.at = at;
  }
  if (std::find(known.begin(), known.end(), c.ahead) == known.end())
    keys.diagnostics().error(keys.find("to")->text.where,
                             "there is no unit '{}'{} before this one; there are {}", c.ahead,
                             did_you_mean(c.ahead, known), fmt::join(known, ", "));
  keys.require("at", "a coupling");
  c.at += keys.vector("at", kLength);
  return c;
}

}  // namespace

Coupling add_coupling(Keys& keys, const std::string& unit, const References& references,
                      Description& into) {
  const auto type = read_word(keys, "type", {"fifth-wheel", "ball", "hinge"}, "a coupling", true);
  const Coupling c = place_of(keys, references);
  const double damping = keys.number("damping", kTorque * kTime);
  if (damping < 0.0)
    keys.diagnostics().error(keys.find("damping")->text.where,
                             "'damping' of a coupling cannot be negative");
  const std::string name = unit + "_coupling";
  const std::string on = type == kFifthWheel ? add_plate(keys, unit, c, into) : c.ahead;
  add_joint(into, name, type == kBall ? JointKind::spherical : JointKind::revolute, on, unit, c.at,
            {0.0, 0.0, 1.0}, keys.where());
  if (damping > 0.0 && type == kBall)
    keys.diagnostics().error(keys.find("damping")->text.where,
                             "a ball has no 'damping': it turns all ways");
  else if (damping > 0.0)
    into.forces.push_back(
        {.name = name + "_damper",
         .law = multibody::JointSpringDescription{.joint = name, .damping = damping},
         .where = keys.where(),
         .numbers = keys.where()});
  if (const DataSpec* plate = keys.find("plate"); plate != nullptr && type && type != kFifthWheel)
    keys.diagnostics().error(plate->text.where, "only a fifth wheel has a 'plate'");
  keys.refuse_others("a coupling");
  return c;
}

void add_payloads(Keys& of, const std::string& unit, const Vec3<double>& reference,
                  Description& into) {
  const DataSpec* payloads = of.find("payloads");
  if (payloads == nullptr) return;
  for (const auto& [name, data] : payloads->entries) {
    Diagnostics& diag = of.diagnostics();
    if (!is_name(name)) diag.error(data.text.where, "'{}' is not a name for a payload", name);
    const auto taken = [&, &name = name](const auto& b) { return b.name == name; };
    if (std::any_of(into.bodies.begin(), into.bodies.end(), taken))
      diag.error(data.text.where, "there is another body '{}': give the payload a name of its own",
                 name);
    Keys keys(data, of.numbers(), diag);
    multibody::BodyDescription body = read_body(keys);
    keys.refuse_others("a payload");
    body.name = name;
    body.com += reference;
    body.reference.reset();
    into.bodies.push_back(std::move(body));
    add_joint(into, name + "_fastening", JointKind::weld, unit, name, {}, {0.0, 0.0, 1.0},
              data.text.where);
  }
}

std::vector<KeyTable> coupling_grammar() {
  const auto body = [](std::string_view name, std::string_view com, std::string_view help) {
    return KeyTable{name,
                    "",
                    {{"mass", Form::quantity, "kg", true, "its mass"},
                     {"com", Form::vector, "m", true, com},
                     {"inertia", Form::section, "body-inertia", false,
                      "about the centre of mass; default none"},
                     {"reference", Form::vector, "m", false, "always its centre of mass"}},
                    help};
  };
  return {{"coupling",
           "",
           {{"type", Form::choice, "fifth-wheel|ball|hinge", true,
             "fifth-wheel: pitch and yaw; ball: all three angles; hinge: yaw alone"},
            {"to", Form::name, "", false, "unit that it hangs on; default the one before"},
            {"at", Form::vector, "m", true, "on that unit, from its reference"},
            {"plate", Form::section, "plate", true, "what pitches on the unit ahead",
             "type=fifth-wheel"},
            {"damping", Form::quantity, "N m s/rad", false, "torque over the rate of yaw",
             "type=fifth-wheel|hinge", 0.0}},
           "How a unit hangs on one ahead of it: there is the reference of the unit."},
          body("plate", "its centre of mass, from the coupling", "The plate of a fifth wheel."),
          body("payload", "its centre of mass, from the reference of the unit",
               "What is loaded on a unit and fixed to it.")};
}

}  // namespace chicane
