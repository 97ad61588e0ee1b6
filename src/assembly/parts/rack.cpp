// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/rack.hpp"

#include <cmath>

#include "blocks/mechanism/laws.hpp"

namespace chicane {
namespace {

using namespace dimensions;
using multibody::JointKind;

// Slides on the chassis.
RackWay add_slide(const Vec3<double>& at, const Vec3<double>& axis, bool driven,
                  const Location& where, multibody::Description& into) {
  into.joints.push_back({.name = "rack",
                         .kind = JointKind::translational,
                         .connects = {"chassis", "rack"},
                         .at = at,
                         .axis = axis,
                         .driven = driven,
                         .where = where,
                         .numbers = where});
  return {.driven = driven, .t = (1.0 / norm(axis)) * axis};
}

// Pitman arm and idler are equal and parallel: every point of the rack goes round a circle of their
// length, and the rack does not turn. So it hangs on the arm and turns back on it by the same
// angle. Its way s is that along the arc, the angle is s/r; the tangent is
//   cos(s/r) axis + sin(s/r) u        u from the rack to the pivot
RackWay add_pitman(Keys& pitman, const Vec3<double>& at, const Vec3<double>& axis,
                   multibody::Description& into) {
  constexpr double kSquare = 1e-3;  // files give points with a few digits
  const Location where = pitman.where();
  pitman.require("pivot", "a pitman arm");
  const Vec3<double> to_pivot = pitman.vector("pivot", kLength) - at;
  into.bodies.push_back(read_body(pitman));
  into.bodies.back().name = "pitman";
  pitman.refuse_others("a pitman arm");
  const double r = norm(to_pivot);
  if (!(r > 0.0) || !(norm(axis) > 0.0) ||
      std::fabs(dot(to_pivot, axis)) > kSquare * r * norm(axis)) {
    pitman.diagnostics().error(where,
                               "the way from 'at' of the rack to the 'pivot' of its pitman arm "
                               "must be square to the rack's axis, and not 0");
    return {};
  }
  const Vec3<double> u = (1.0 / r) * to_pivot, t = (1.0 / norm(axis)) * axis;
  const Vec3<double> n = cross(t, u);  // n x (at - pivot) is along t
  const auto hinge = [&](const std::string& name, const std::string& on, const Vec3<double>& p) {
    into.joints.push_back({.name = name,
                           .kind = JointKind::revolute,
                           .connects = {on, name},
                           .at = p,
                           .axis = n,
                           .driven = true,
                           .where = where,
                           .numbers = where});
  };
  hinge("pitman", "chassis", at + to_pivot);
  hinge("rack", "pitman", at);
  return {.t = t, .arm = r, .u = u};
}

}  // namespace

RackWay add_rack(Keys& body, const SteeringPart& part, multibody::Description& into) {
  const Vec3<double> at = body.vector("at", kLength);
  const Vec3<double> axis = body.vector("axis", kNone, {0.0, 1.0, 0.0});
  const DataSpec* pitman = body.find("pitman");
  into.bodies.push_back(read_body(body));
  into.bodies.back().name = "rack";
  into.bodies.back().mass += part.rack_mass;
  body.refuse_others("a rack");
  if (pitman == nullptr) return add_slide(at, axis, part.driven, body.where(), into);
  Keys arm(*pitman, body.numbers(), body.diagnostics());
  if (!part.driven)
    body.diagnostics().error(pitman->text.where,
                             "a rack that moves by itself slides: take a steering of type rack or "
                             "rack-signal, or leave out 'pitman'");
  return add_pitman(arm, at, axis, into);
}

}  // namespace chicane
