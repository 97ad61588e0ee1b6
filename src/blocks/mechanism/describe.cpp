// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/describe.hpp"

#include <algorithm>
#include <limits>

#include "blocks/mechanism/laws.hpp"
#include "blocks/mechanism/motion.hpp"
#include "language/sections/keys.hpp"
#include "multibody/check.hpp"

namespace chicane {

namespace {

using namespace multibody;
using namespace dimensions;

class Describer {
 public:
  Describer(const Spec& spec, Diagnostics& diag)
      : spec_(spec), m_(*spec.mechanism), diag_(diag), numbers_(spec, diag) {
    d_.where = m_.where;
  }

  Description run() {
    if (!m_.base.empty()) d_.base = m_.base.text;
    for (const Text& name : m_.cut) d_.cut.push_back(name.text);
    if (m_.loops.text == "multipliers") d_.loops = Loops::multipliers;
    if (const DataSpec* g = m_.parameters.find("gravity"))
      d_.gravity = vector_of(numbers_.list(*g, kAcceleration, 3));
    for (const Text& name : m_.bodies) body(name);
    for (const JointSpec& j : m_.joints) joint(j);
    for (const ForceSpec& f : m_.forces) force(f);
    refuse_unknown("bodies", "body", m_.bodies, [](const Text& b) { return b.text; });
    refuse_unknown("joints", "joint", m_.joints, [](const JointSpec& j) { return j.name; });
    refuse_unknown("forces", "force", m_.forces, [](const ForceSpec& f) { return f.name; });
    return std::move(d_);
  }

 private:
  [[nodiscard]] const DataSpec* numbers_of(std::string_view list, const std::string& name) const {
    const DataSpec* section = m_.parameters.find(list);
    return section == nullptr ? nullptr : section->find(name);
  }

  template <class List, class Name>
  void refuse_unknown(std::string_view section, std::string_view what, const List& list,
                      Name&& name_of) {
    const DataSpec* given = m_.parameters.find(section);
    if (given == nullptr) return;
    std::vector<std::string> names;
    for (const auto& entry : list) names.push_back(name_of(entry));
    const std::vector<std::string_view> known(names.begin(), names.end());
    for (const auto& [name, value] : given->entries)
      if (std::find(names.begin(), names.end(), name) == names.end())
        diag_.error(value.text.where, "the topology has no {} '{}'{}; add it there, or remove this",
                    what, name, did_you_mean(name, known));
  }

  // --- bodies ------------------------------------------------------------------------------------

  void body(const Text& name) {
    BodyDescription b;
    if (!is_name(name.text)) diag_.error(name.where, "'{}' is not a name for a body", name.text);
    if (const DataSpec* data = numbers_of("bodies", name.text)) {
      Keys keys(*data, numbers_, diag_);
      b = read_body(keys);
    } else if (name.text != kGround) {
      diag_.error(name.where, "body '{}' has no numbers: give it a mass under parameters.bodies.{}",
                  name.text, name.text);
    }
    b.name = name.text;
    b.where = name.where;
    d_.bodies.push_back(std::move(b));
  }

  // --- joints ------------------------------------------------------------------------------------

  // What the coordinates of a joint measure.
  static std::vector<Dimension> coordinates(JointKind kind) {
    switch (kind) {
      case JointKind::revolute:
      case JointKind::screw:
        return {kNone};
      case JointKind::translational:
        return {kLength};
      case JointKind::cylindrical:
        return {kNone, kLength};
      case JointKind::universal:
        return {kNone, kNone};
      case JointKind::spherical:
        return {kNone, kNone, kNone};
      case JointKind::planar:
        return {kLength, kLength, kNone};
      case JointKind::free:
        return {kNone, kNone, kNone, kLength, kLength, kLength};
      default:
        return {};
    }
  }

  void joint(const JointSpec& spec) {
    JointDescription j;
    j.name = spec.name;
    j.where = j.numbers = spec.where;
    j.driven = spec.driven;
    if (!is_name(spec.name)) diag_.error(spec.where, "'{}' is not a name for a joint", spec.name);
    const auto kind = joint_kind(spec.type.text);
    if (!kind) return;  // said by the grammar
    j.kind = *kind;
    if (!bodies_of(spec.connects, j.connects, spec.where)) return;
    if (const DataSpec* data = numbers_of("joints", spec.name)) {
      j.numbers = data->text.where;
      joint_numbers(j, Keys(*data, numbers_, diag_));
    } else if (j.kind != JointKind::weld && j.kind != JointKind::free) {
      diag_.error(spec.where, "joint '{}' has no place: give it one under parameters.joints.{}",
                  j.name, j.name);
    }
    // Connected where the mechanism becomes a block, which says what is wrong with it; the start of
    // the loops needs its first values.
    Diagnostics unheard;
    if (const auto motion = j.driven ? read_motion(spec_, spec, unheard) : std::nullopt) {
      const auto [q, v] = start_of_motion(spec_, *motion);
      j.initial = {q}, j.initial_rate = {v};
    }
    d_.joints.push_back(std::move(j));
  }

  void joint_numbers(JointDescription& j, Keys keys) {
    const std::string owner = fmt::format("a {} joint", to_string(j.kind));
    const auto dimensions = coordinates(j.kind);
    if (j.kind != JointKind::weld && j.kind != JointKind::free) keys.require("at", owner);
    j.at = keys.vector("at", kLength);
    if (j.kind == JointKind::spherical_spherical || j.kind == JointKind::spherical_revolute) {
      keys.require("second_at", owner);
      j.second_at = keys.vector("second_at", kLength);
    }
    const bool axis = j.kind != JointKind::weld && j.kind != JointKind::spherical &&
                      j.kind != JointKind::free && j.kind != JointKind::spherical_spherical;
    if (axis) {
      keys.require("axis", owner);
      j.axis = keys.vector("axis", kNone, j.axis);
    }
    if (j.kind == JointKind::universal) keys.require("second_axis", owner);
    if (axis && keys.find("second_axis") != nullptr)
      j.second_axis = keys.vector("second_axis", kNone);
    if (j.kind == JointKind::screw) j.pitch = keys.number("pitch", kLength);
    if (!dimensions.empty()) {
      std::vector<Dimension> rates;
      for (const Dimension& d : dimensions) rates.push_back(d / kTime);
      const DataSpec *q = keys.find("initial"), *v = keys.find("initial_rate");
      if (q != nullptr) j.initial = numbers_.list(*q, dimensions), j.initial_where = q->text.where;
      if (v != nullptr) j.initial_rate = numbers_.list(*v, rates), j.rate_where = v->text.where;
      if (j.driven && (q != nullptr || v != nullptr))
        diag_.error((q != nullptr ? q : v)->text.where,
                    "joint '{}' is driven: its motion says where it starts; leave out 'initial' "
                    "and 'initial_rate'",
                    j.name);
    }
    if (j.driven) keys.find("motion");
    keys.refuse_others(owner);
  }

  template <std::size_t n>
  bool bodies_of(const std::vector<Text>& names, std::array<std::string, n>& to,
                 const Location& where) {
    if (names.size() != n) {
      diag_.error(where, "'connects' names {} bodies here, not {}", n, names.size());
      return false;
    }
    for (std::size_t i = 0; i < n; ++i) to[i] = names[i].text;
    return true;
  }

  // --- forces ------------------------------------------------------------------------------------

  void force(const ForceSpec& spec) {
    ForceDescription f;
    f.name = spec.name;
    f.where = spec.where;
    if (!is_name(spec.name)) diag_.error(spec.where, "'{}' is not a name for a force", spec.name);
    const DataSpec* data = numbers_of("forces", spec.name);
    if (data == nullptr) {
      diag_.error(spec.where, "force '{}' has no numbers: give them under parameters.forces.{}",
                  spec.name, spec.name);
      return;
    }
    f.numbers = data->text.where;
    Keys keys(*data, numbers_, diag_);
    const std::string owner = fmt::format("a force of type {}", spec.type.text);
    if (!law(spec, keys, owner, f)) return;
    keys.refuse_others(owner);
    d_.forces.push_back(std::move(f));
  }

  bool law(const ForceSpec& spec, Keys& keys, const std::string& owner, ForceDescription& f) {
    const std::string& type = spec.type.text;
    const bool on_joint = !spec.joint.empty();
    if (on_joint && !spec.connects.empty()) {
      diag_.error(spec.where, "a force has either 'connects' or 'joint', not both");
      return false;
    }
    if (type == "tsda" && !on_joint) return tsda(spec, keys, owner, f);
    if (type == "bump-stop") return bump_stop(spec, keys, owner, f);
    if (type == "bushing") return bushing(spec, keys, owner, f);
    if (type == "leaf-spring") return leaf_spring(spec, keys, owner, f);
    if (type == "anti-roll-bar") return anti_roll_bar(spec, keys, owner, f);
    if (type == "wrench") return wrench(spec, keys, owner, f);
    if (!on_joint) {
      diag_.error(spec.where, "{} acts on a joint: name it with 'joint:'", owner);
      return false;
    }
    const auto kind = kind_of(spec);
    if (!kind) return false;
    if (type == "tsda" || type == "rsda") return joint_spring(spec, keys, *kind, f);
    if (type == "joint-friction") return joint_friction(spec, keys, owner, *kind, f);
    return joint_limit(spec, keys, owner, *kind, f);
  }

  // What the first coordinate of the joint measures; nothing and a fault when the force does not
  // fit.
  std::optional<LawKind> kind_of(const ForceSpec& spec) {
    const auto j = std::find_if(m_.joints.begin(), m_.joints.end(),
                                [&](const JointSpec& s) { return s.name == spec.joint.text; });
    if (j == m_.joints.end()) {
      std::vector<std::string_view> known;
      for (const JointSpec& s : m_.joints) known.push_back(s.name);
      diag_.error(spec.joint.where, "there is no joint '{}'{}", spec.joint.text,
                  did_you_mean(spec.joint.text, known));
      return std::nullopt;
    }
    const std::string& joint = j->type.text;
    const bool turns = joint == "revolute" || joint == "cylindrical" || joint == "screw";
    const bool slides = joint == "translational";
    const std::string& type = spec.type.text;
    if (turns ? type == "tsda" : !slides || type == "rsda") {
      diag_.error(spec.joint.where, "{} cannot act on a {} joint{}", type, joint,
                  turns ? "; use rsda" : "; it needs one with an axis of its own");
      return std::nullopt;
    }
    return turns ? kRotational : kLinear;
  }

  bool tsda(const ForceSpec& spec, Keys& keys, const std::string& owner, ForceDescription& f) {
    TsdaDescription e;
    if (!bodies_of(spec.connects, e.connects, spec.where) || !read_points(keys, owner, e.points))
      return false;
    e.axis = read_axis(keys);
    read_spring_damper(keys, kLinear, e);
    if (keys.find("free_length") != nullptr) e.free_length = keys.number("free_length", kLength);
    e.force = keys.number("force", kForce);
    f.command = keys.text("command");
    const bool stated = !keys.text("positive").empty();
    if ((e.force != 0.0 || !f.command.empty()) && !stated)
      diag_.warning(
          keys.where(),
          "'force' and 'command' of '{}' push its points apart where they are positive, "
          "as on joints; they used to pull. Change their signs if this file was written for "
          "that, and add 'positive: apart'",
          spec.name);
    f.law = std::move(e);
    return true;
  }

  bool joint_spring(const ForceSpec& spec, Keys& keys, const LawKind& kind, ForceDescription& f) {
    JointSpringDescription e;
    e.joint = spec.joint.text;
    read_spring_damper(keys, kind, e);
    e.rest = keys.number("rest", kind.way);
    e.force = keys.number(kind.way.is_none() ? "torque" : "force", kind.force);
    f.command = keys.text("command");
    f.law = std::move(e);
    return true;
  }

  bool bump_stop(const ForceSpec& spec, Keys& keys, const std::string& owner, ForceDescription& f) {
    BumpStopDescription e;
    if (!bodies_of(spec.connects, e.connects, spec.where) || !read_points(keys, owner, e.points))
      return false;
    e.axis = read_axis(keys);
    keys.require("contact", owner);
    e.contact = keys.number("contact", kLength);
    e.rebound = keys.text("side") == "rebound";
    e.law = read_stop(keys, owner, kLinear);
    f.law = std::move(e);
    return true;
  }

  bool joint_limit(const ForceSpec& spec, Keys& keys, const std::string& owner, const LawKind& kind,
                   ForceDescription& f) {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    JointLimitDescription e;
    e.joint = spec.joint.text;
    e.lower = keys.number("lower", kind.way, -kNever);
    e.upper = keys.number("upper", kind.way, kNever);
    if (!(e.lower < e.upper)) diag_.error(keys.where(), "'lower' must be less than 'upper'");
    e.law = read_stop(keys, owner, kind);
    f.law = std::move(e);
    return true;
  }

  bool joint_friction(const ForceSpec& spec, Keys& keys, const std::string& owner,
                      const LawKind& kind, ForceDescription& f) {
    JointFrictionDescription e;
    e.joint = spec.joint.text;
    keys.require("friction", owner);
    keys.require("presliding", owner);
    e.dry = read_dry_friction(keys, kind);
    e.damping = keys.number("damping", kind.force * kTime / kind.way);
    f.law = e;
    return true;
  }

  bool frame_of(const ForceSpec& spec, Keys& keys, const std::string& owner,
                BushingDescription& e) {
    if (!bodies_of(spec.connects, e.connects, spec.where)) return false;
    keys.require("at", owner);
    e.at = keys.vector("at", kLength);
    e.axis = keys.vector("axis", kNone, e.axis);
    e.second_axis = keys.vector("second_axis", kNone, e.second_axis);
    constexpr double kPerpendicular = 1e-6;  // cosine
    const double a = norm(e.axis), b = norm(e.second_axis);
    if (!(a > 0.0) || !(b > 0.0) || std::abs(dot(e.axis, e.second_axis)) > kPerpendicular * a * b)
      diag_.error(keys.where(), "'axis' and 'second_axis' must be perpendicular, and not zero");
    return true;
  }

  bool bushing(const ForceSpec& spec, Keys& keys, const std::string& owner, ForceDescription& f) {
    BushingDescription e;
    if (!frame_of(spec, keys, owner, e)) return false;
    e.stiffness = matrix(keys, "stiffness", kForce / kLength, kTorque);
    e.damping = matrix(keys, "damping", kForce * kTime / kLength, kTorque * kTime);
    f.law = e;
    return true;
  }

  // Three and three numbers on the diagonal, or six rows in SI units.
  BushingDescription::Matrix matrix(Keys& keys, const std::string& key, const Dimension& linear,
                                    const Dimension& rotational) {
    BushingDescription::Matrix K{};
    const DataSpec *along = keys.find(key), *about = keys.find("rotational_" + key),
                   *rows = keys.find(key + "_matrix");
    if (rows != nullptr && (along != nullptr || about != nullptr)) {
      diag_.error(rows->text.where, "'{0}_matrix' stands instead of '{0}' and 'rotational_{0}'",
                  key);
      return K;
    }
    for (std::size_t part = 0; part < 2; ++part) {
      const DataSpec* diagonal = part == 0 ? along : about;
      if (diagonal == nullptr) continue;
      const auto k = numbers_.list(*diagonal, part == 0 ? linear : rotational, 3);
      for (std::size_t i = 0; i < 3; ++i) K[3 * part + i][3 * part + i] = k[i];
    }
    if (rows == nullptr) return K;
    if (rows->list.size() != 6) {
      diag_.error(rows->text.where, "six rows of six numbers are needed here, in SI units");
      return K;
    }
    for (std::size_t i = 0; i < 6; ++i) {
      const auto row = numbers_.list(rows->list[i], kNone, 6);
      std::copy(row.begin(), row.end(), K[i].begin());
      for (std::size_t k = 0; k < i; ++k)
        if (K[i][k] != K[k][i])
          diag_.error(rows->list[i].text.where, "the matrix must be symmetric: {} and {} differ",
                      K[i][k], K[k][i]);
    }
    return K;
  }

  bool leaf_spring(const ForceSpec& spec, Keys& keys, const std::string& owner,
                   ForceDescription& f) {
    LeafSpringDescription e;
    if (!frame_of(spec, keys, owner, e.bushing)) return false;
    read_leaf_spring(keys, e);
    f.law = std::move(e);
    return true;
  }

  bool anti_roll_bar(const ForceSpec& spec, Keys& keys, const std::string& owner,
                     ForceDescription& f) {
    AntiRollBarDescription e;
    if (!bodies_of(spec.connects, e.connects, spec.where) || !read_points(keys, owner, e.points))
      return false;
    keys.require("stiffness", owner);
    e.stiffness = keys.number("stiffness", kStiffness);
    e.damping = keys.number("damping", kDamping);
    e.axis = keys.vector("axis", kNone, e.axis);
    if (!(norm(e.axis) > 0.0)) diag_.error(keys.where(), "'axis' has no direction");
    f.law = e;
    return true;
  }

  bool wrench(const ForceSpec& spec, Keys& keys, const std::string& owner, ForceDescription& f) {
    WrenchDescription e;
    std::array<std::string, 1> body;
    if (!bodies_of(spec.connects, body, spec.where)) return false;
    e.body = body[0];
    keys.require("at", owner);
    e.at = keys.vector("at", kLength);
    e.force = keys.vector("force", kForce);
    e.moment = keys.vector("moment", kTorque);
    e.follows = keys.text("axes") == "body";
    f.command = keys.text("command");
    f.law = e;
    return true;
  }

  const Spec& spec_;
  const MechanismSpec& m_;
  Diagnostics& diag_;
  Numbers numbers_;
  Description d_;
};

}  // namespace

std::optional<Description> describe_topology(const Spec& spec, Diagnostics& diag) {
  const int before = diag.errors();
  Description d = Describer(spec, diag).run();
  if (diag.errors() > before) return std::nullopt;
  return d;
}

std::optional<Description> checked(std::optional<Description> d, Diagnostics& diag) {
  const int before = diag.errors();
  if (d) check(*d, diag);
  if (diag.errors() > before) return std::nullopt;
  return d;
}

std::shared_ptr<const Mechanism> compile_mechanism(std::optional<Description> description,
                                                   Diagnostics& diag) {
  description = checked(std::move(description), diag);
  return description ? multibody::compile(*description, diag) : nullptr;
}

}  // namespace chicane
