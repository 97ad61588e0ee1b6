// SPDX-License-Identifier: Apache-2.0
#include "multibody/check.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace chicane::multibody {

namespace {

// Files give inertias with a few digits: the moments of a thin plate may miss their law by that.
constexpr double kRounding = 1e-3;
constexpr double kPerpendicular = 1e-6;  // cosine
// Beyond these a unit is wrong, mostly.
constexpr double kHeaviest = 1e9, kLightest = 1e-9;  // [kg]
constexpr double kWidest = 1e3;                      // [m]
constexpr double kFarthest = 1e6;                    // [m]

Location inside(Location where, std::string_view key) {
  where.key += fmt::format("{}{}", where.key.empty() ? "" : ".", key);
  return where;
}

// Eigenvalues of a symmetric matrix, in rising order, by the trigonometric formula.
std::array<double, 3> principal(const Sym3<double>& J) {
  const double mean = (J.xx + J.yy + J.zz) / 3.0;
  const double off = J.xy * J.xy + J.xz * J.xz + J.yz * J.yz;
  const double x = J.xx - mean, y = J.yy - mean, z = J.zz - mean;
  const double p = std::sqrt((x * x + y * y + z * z + 2.0 * off) / 6.0);
  if (p == 0.0) return {mean, mean, mean};
  const double det =
      x * (y * z - J.yz * J.yz) - J.xy * (J.xy * z - J.yz * J.xz) + J.xz * (J.xy * J.yz - y * J.xz);
  const double angle = std::acos(std::clamp(det / (2.0 * p * p * p), -1.0, 1.0)) / 3.0;
  const double high = mean + 2.0 * p * std::cos(angle);
  const double low = mean + 2.0 * p * std::cos(angle + 2.0 * std::numbers::pi / 3.0);
  return {low, 3.0 * mean - high - low, high};
}

bool finite(const Vec3<double>& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

int coordinates(JointKind kind) { return is_composite(kind) ? 0 : freedoms(kind); }

bool has_axis(JointKind kind) {
  switch (kind) {
    case JointKind::weld:
    case JointKind::spherical:
    case JointKind::free:
    case JointKind::spherical_spherical:
      return false;
    default:
      return true;
  }
}

class Check {
 public:
  Check(const Description& d, Diagnostics& diag) : d_(d), diag_(diag) {}

  void run() {
    if (d_.bodies.empty()) diag_.error(inside(d_.where, "bodies"), "there are no bodies");
    for (const BodyDescription& b : d_.bodies) body(b);
    for (const JointDescription& j : d_.joints) joint(j);
    for (const ForceDescription& f : d_.forces)
      std::visit([&](const auto& law) { force(f, law); }, f.law);
    if (d_.base) require_body(*d_.base, inside(d_.where, "base"));
    for (const std::string& name : d_.cut) cut(name);
    for (const BodyDescription& b : d_.bodies) tip(b);
  }

 private:
  void body(const BodyDescription& b) {
    if (b.name == kGround)
      diag_.error(b.where, "'ground' is always there and is no body of its own; remove it");
    if (!names_.insert(b.name).second)
      diag_.error(b.where, "body '{}' is declared twice: give the second another name", b.name);
    if (!(b.mass >= 0.0) || !std::isfinite(b.mass))
      diag_.error(inside(b.numbers, "mass"),
                  "the mass of body '{}' is {} kg; it cannot be negative", b.name, b.mass);
    else if (b.mass > kHeaviest || (b.mass > 0.0 && b.mass < kLightest))
      diag_.warning(inside(b.numbers, "mass"),
                    "the mass of body '{}' is {:.4g} kg: is its unit right?", b.name, b.mass);
    point(b.com, inside(b.numbers, "com"));
    inertia(b);
  }

  void inertia(const BodyDescription& b) {
    const auto [low, middle, high] = principal(b.inertia);
    const Location where = inside(b.numbers, "inertia");
    if (!std::isfinite(low + middle + high))
      diag_.error(where, "the inertia of body '{}' is not finite", b.name);
    else if (low < -kRounding * high || high < 0.0)
      diag_.error(where,
                  "the inertia of body '{}' is not positive definite: its principal moments are "
                  "{:.4g}, {:.4g}, {:.4g} kg m^2; check moments and the signs of the products",
                  b.name, low, middle, high);
    else if (high > (low + middle) * (1.0 + kRounding))
      diag_.error(where,
                  "no body can have the inertia of '{}': of the principal moments {:.4g}, {:.4g}, "
                  "{:.4g} kg m^2 the greatest is more than the sum of the others; give those about "
                  "the centre of mass",
                  b.name, low, middle, high);
    else if (b.mass == 0.0 && high > 0.0)
      diag_.warning(inside(b.numbers, "mass"),
                    "body '{}' has moments of inertia but no mass: give it one", b.name);
    else if (b.mass > 0.0 && high > b.mass * kWidest * kWidest)
      diag_.warning(where,
                    "the inertia of body '{}', {:.4g} kg m^2, is that of its {:.4g} kg spread over "
                    "{:.4g} m: are the units right?",
                    b.name, high, b.mass, std::sqrt(high / b.mass));
  }

  // Of a mechanism that is a thousand kilometres wide rounding alone leaves no digits.
  void point(const Vec3<double>& p, const Location& where) {
    if (!finite(p))
      diag_.error(where, "this point is not finite");
    else if (const double away = std::hypot(p.x, p.y, p.z); away > kFarthest)
      diag_.warning(where, "this point is {:.4g} m from the origin: is its unit right?", away);
  }

  void joint(const JointDescription& j) {
    point(j.at, inside(j.numbers, "at"));
    point(j.second_at, inside(j.numbers, "second_at"));
    if (!joints_.insert(j.name).second)
      diag_.error(j.where, "joint '{}' is declared twice: give the second another name", j.name);
    for (const std::string& name : j.connects)
      if (name != kGround) require_body(name, inside(j.where, "connects"));
    if (j.connects[0] == j.connects[1])
      diag_.error(inside(j.where, "connects"),
                  "joint '{}' connects '{}' with itself: name two bodies", j.name, j.connects[0]);
    if (has_axis(j.kind)) axes(j);
    if (j.kind == JointKind::screw && j.pitch == 0.0)
      diag_.error(inside(j.numbers, "pitch"), "a screw needs a pitch, e.g. \"5 mm\" per rad");
    if (is_composite(j.kind) && j.kind != JointKind::spherical_translational && j.at == j.second_at)
      diag_.error(inside(j.numbers, "second_at"),
                  "the two ends of the link '{}' are the same point", j.name);
    if (j.driven && freedoms(j.kind) != 1)
      diag_.error(inside(j.where, "driven"),
                  "joint '{}' is driven, but a {} joint has {} freedoms and not one", j.name,
                  to_string(j.kind), freedoms(j.kind));
    for (const auto& [key, values] :
         {std::pair{"initial", &j.initial}, std::pair{"initial_rate", &j.initial_rate}})
      if (!values->empty() && static_cast<int>(values->size()) != coordinates(j.kind))
        diag_.error(inside(j.numbers, key), "a {} joint has {} coordinates, not {}",
                    to_string(j.kind), coordinates(j.kind), values->size());
  }

  void axes(const JointDescription& j) {
    const double length = norm(j.axis);
    if (!(length > 0.0) || !std::isfinite(length)) {
      diag_.error(inside(j.numbers, "axis"),
                  "the axis of joint '{}' has no direction; e.g. [0, 0, 1]", j.name);
      return;
    }
    if (!j.second_axis) return;
    const double second = norm(*j.second_axis);
    if (!(second > 0.0) || !std::isfinite(second))
      diag_.error(inside(j.numbers, "second_axis"), "this axis has no direction; e.g. [1, 0, 0]");
    else if (std::abs(dot(j.axis, *j.second_axis)) > kPerpendicular * length * second)
      diag_.error(inside(j.numbers, "second_axis"),
                  "the axes of joint '{}' are not perpendicular to each other", j.name);
  }

  // Springs that push away and dampers that drive are possible, but mostly wrong signs.
  void sign(const ForceDescription& f, std::string_view key, double value) {
    if (!std::isfinite(value))
      diag_.error(inside(f.numbers, key), "the {} of force '{}' is not finite", key, f.name);
    else if (value < 0.0)
      diag_.warning(inside(f.numbers, key),
                    "the {} of force '{}' is negative, {:.4g} in SI units: it gives energy to the "
                    "motion that it should hold back; is its sign right?",
                    key, f.name, value);
  }
  template <class Law>
  void signs(const ForceDescription& f, const Law& law) {
    if constexpr (requires { law.stiffness[0][0]; }) {
      for (std::size_t i = 0; i < 6; ++i) {
        sign(f, "stiffness", law.stiffness[i][i]);
        sign(f, "damping", law.damping[i][i]);
      }
    } else if constexpr (requires { law.stiffness; }) {
      sign(f, "stiffness", law.stiffness);
      sign(f, "damping", law.damping);
    }
    if constexpr (requires { law.law.d; }) {
      sign(f, "stiffness", law.law.k);
      sign(f, "damping", law.law.d);
    }
    if constexpr (requires { law.vertical; }) {
      sign(f, "stiffness", law.vertical.k);
      sign(f, "damping", law.vertical.c);
      sign(f, "friction", law.friction.F);
    }
    if constexpr (requires { law.dry; }) {
      sign(f, "friction", law.dry.F);
      sign(f, "damping", law.damping);
    }
  }

  template <class Law>
  void force(const ForceDescription& f, const Law& law) {
    signs(f, law);
    if constexpr (requires { law.points; })
      for (const Vec3<double>& p : law.points) point(p, inside(f.numbers, "points"));
    if constexpr (requires { law.at; }) point(law.at, inside(f.numbers, "at"));
    if constexpr (requires { law.joint; }) {
      require_joint(law.joint, inside(f.where, "joint"));
    } else if constexpr (requires { law.body; }) {
      require_body(law.body, inside(f.where, "connects"));
    } else if constexpr (requires { law.bushing; }) {
      force(f, law.bushing);
    } else {
      for (std::size_t i = 0; i < law.connects.size(); ++i) {
        if (law.connects[i] != kGround) require_body(law.connects[i], inside(f.where, "connects"));
        for (std::size_t k = 0; k < i; ++k)
          if (law.connects[i] == law.connects[k])
            diag_.error(inside(f.where, "connects"), "force '{}' acts twice on '{}'", f.name,
                        law.connects[i]);
      }
    }
  }

  void cut(const std::string& name) {
    require_joint(name, inside(d_.where, "cut"));
    for (const JointDescription& j : d_.joints)
      if (j.name == name && j.driven)
        diag_.error(inside(d_.where, "cut"), "joint '{}' is driven and cannot be cut", name);
  }

  // Nothing resists the motion of a body without mass at the end of a chain.
  void tip(const BodyDescription& b) {
    if (b.mass != 0.0 || b.inertia != Sym3<double>{} || b.name == kGround) return;
    const JointDescription* only = nullptr;
    for (const JointDescription& j : d_.joints) {
      if (j.connects[0] != b.name && j.connects[1] != b.name) continue;
      if (only != nullptr) return;
      only = &j;
    }
    if (only != nullptr && freedoms(only->kind) > 0 && !only->driven)
      diag_.error(inside(b.numbers, "mass"),
                  "body '{}' has no mass and stands at the end of a chain: give it a mass, or weld "
                  "it to its neighbour",
                  b.name);
  }

  void require_body(const std::string& name, const Location& where) {
    std::vector<std::string_view> known{kGround};
    for (const BodyDescription& b : d_.bodies) known.push_back(b.name);
    if (std::find(known.begin() + 1, known.end(), name) == known.end())
      diag_.error(where, "there is no body '{}'{}", name, did_you_mean(name, known));
  }
  void require_joint(const std::string& name, const Location& where) {
    std::vector<std::string_view> known;
    for (const JointDescription& j : d_.joints) known.push_back(j.name);
    if (std::find(known.begin(), known.end(), name) == known.end())
      diag_.error(where, "there is no joint '{}'{}", name, did_you_mean(name, known));
  }

  const Description& d_;
  Diagnostics& diag_;
  std::set<std::string> names_, joints_;
};

}  // namespace

bool check(const Description& description, Diagnostics& diag) {
  const int before = diag.errors();
  Check(description, diag).run();
  return diag.errors() == before;
}

Graph graph_of(const Description& d) {
  Graph g;
  g.where = d.where;
  const auto index = [&](const std::string& name) {
    for (std::size_t i = 0; i < d.bodies.size(); ++i)
      if (d.bodies[i].name == name) return BodyIndex{static_cast<int>(i)};
    return BodyIndex{};
  };
  for (const BodyDescription& b : d.bodies) g.bodies.push_back({b.name, b.where});
  for (const JointDescription& j : d.joints)
    g.joints.push_back({j.name,
                        {index(j.connects[0]), index(j.connects[1])},
                        freedoms(j.kind),
                        j.driven,
                        is_composite(j.kind),
                        std::find(d.cut.begin(), d.cut.end(), j.name) != d.cut.end(),
                        j.where});
  if (d.base) g.base = index(*d.base);
  return g;
}

}  // namespace chicane::multibody
