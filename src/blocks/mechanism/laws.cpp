// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/laws.hpp"

#include "language/sections/fields.hpp"

namespace chicane {

using namespace multibody;
using namespace dimensions;

namespace {

Curve curve_of(std::variant<Table1D, std::string> made, const Location& where, Diagnostics& diag) {
  if (auto* table = std::get_if<Table1D>(&made)) return Curve(std::move(*table));
  diag.error(where, "{}", std::get<std::string>(made));
  return {};
}

// Which of the words stands under the key; none if the key is not there, a fault if it is another.
template <class Choice, std::size_t n>
std::optional<Choice> choice_of(Keys& keys, std::string_view key,
                                const std::pair<std::string_view, Choice> (&words)[n]) {
  const DataSpec* given = keys.find(key);
  if (given == nullptr) return std::nullopt;
  std::vector<std::string_view> known;
  for (const auto& [word, choice] : words) {
    if (word == given->text.text) return choice;
    known.push_back(word);
  }
  keys.diagnostics().error(given->text.where, "'{}' is one of {}, not '{}'{}", key,
                           fmt::join(known, ", "), given->text.text,
                           did_you_mean(given->text.text, known));
  return std::nullopt;
}

// How the curves of a section go between their points and beyond them: as it says, or as they do.
struct Course {
  explicit Course(Keys& keys)
      : between(choice_of(keys, "interpolation", kBetween)),
        beyond(choice_of(keys, "extrapolation", kBeyond)) {}

  static constexpr std::pair<std::string_view, Interpolation> kBetween[] = {
      {"linear", Interpolation::linear},
      {"monotone", Interpolation::monotone},
      {"spline", Interpolation::spline}};
  static constexpr std::pair<std::string_view, Extrapolation> kBeyond[] = {
      {"hold", Extrapolation::hold}, {"linear", Extrapolation::linear}};
  std::optional<Interpolation> between;
  std::optional<Extrapolation> beyond;
};

Curve named_law(const Text& name, const Dimension& y, const Dimension& x, Keys& keys) {
  const TableSpec* t = find_curve(name, x, y, keys);
  if (t == nullptr) return {};
  const Course course(keys);
  return curve_of(Table1D::make(t->x.values, t->y.values, course.between.value_or(t->interpolation),
                                course.beyond.value_or(t->extrapolation)),
                  t->where, keys.diagnostics());
}

Curve polynomial_law(const DataSpec& polynomial, const Dimension& y, const Dimension& x,
                     Keys& keys) {
  const std::size_t n =
      polynomial.kind == DataSpec::Kind::list ? polynomial.list.size() : std::size_t{1};
  std::vector<Dimension> units;
  Dimension unit = y;
  for (std::size_t i = 0; i < n; ++i) units.push_back(unit = unit / x);
  return n == 0 ? Curve{} : Curve(keys.numbers().list(polynomial, units));
}

}  // namespace

Sym3<double> read_inertia(Keys& inertia) {
  Numbers& numbers = inertia.numbers();
  inertia.expect("diagonal", {Form::vector}, {kInertia});
  const DataSpec *diagonal = inertia.find("diagonal"), *products = inertia.find("products"),
                 *full = inertia.find("full");
  if ((diagonal == nullptr) == (full == nullptr) || (products != nullptr && full != nullptr)) {
    inertia.diagnostics().error(
        inertia.where(),
        "an inertia is either 'diagonal', with 'products' if there are any, or 'full'");
    return {};
  }
  if (full != nullptr) {
    const auto J = numbers.list(*full, kInertia, 6);
    return {J[0], J[1], J[2], J[3], J[4], J[5]};
  }
  const auto J = numbers.list(*diagonal, kInertia, 3);
  const auto P =
      products != nullptr ? numbers.list(*products, kInertia, 3) : std::vector<double>(3, 0.0);
  return {J[0], J[1], J[2], -P[0], -P[1], -P[2]};
}

BodyDescription read_body(Keys& keys) {
  BodyDescription b;
  b.where = b.numbers = keys.where();
  keys.require("mass", "a body");
  keys.require("com", "a body");
  b.mass = keys.number("mass", kMass);
  b.com = keys.vector("com", kLength);
  if (const DataSpec* inertia = keys.find("inertia")) {
    Keys moments(*inertia, keys.numbers(), keys.diagnostics());
    b.inertia = read_inertia(moments);
    moments.refuse_others("an inertia");
  }
  if (keys.find("reference") != nullptr) b.reference = keys.vector("reference", kLength);
  return b;
}

bool read_points(Keys& keys, std::string_view owner, std::array<Vec3<double>, 2>& to) {
  keys.expect("points", {Form::vectors}, {kLength});
  const DataSpec* points = keys.require("points", owner);
  if (points == nullptr) return false;
  if (points->kind != DataSpec::Kind::list || points->list.size() != 2) {
    keys.diagnostics().error(points->text.where,
                             "two points are needed here: [[x, y, z, m], [x, y, z, m]]");
    return false;
  }
  for (std::size_t i = 0; i < 2; ++i)
    to[i] = vector_of(keys.numbers().list(points->list[i], kLength, 3));
  return true;
}

std::optional<Vec3<double>> read_axis(Keys& keys) {
  const DataSpec* given = keys.find("axis");
  if (given == nullptr) return std::nullopt;
  const Vec3<double> axis = keys.vector("axis", kNone);
  if (norm(axis) > 0.0) return axis;
  keys.diagnostics().error(given->text.where, "this axis has no direction; e.g. [0, 0, 1]");
  return std::nullopt;
}

Curve read_law(Keys& keys, std::string_view key, const Dimension& y, const Dimension& x) {
  keys.expect(key, {Form::law}, {x, y});
  const DataSpec* data = keys.find(key);
  if (data == nullptr) return {};
  const DataSpec *polynomial = data->find("polynomial"), *table = data->find("table");
  if (data->kind == DataSpec::Kind::text) table = data;
  if (table == nullptr && data->find("x") != nullptr) {
    const auto curve = read_curve(keys, key, x, y, "");
    if (!curve) return {};
    const Course course(keys);
    return curve_of(
        Table1D::make(curve->x, curve->y, course.between.value_or(Interpolation::linear),
                      course.beyond.value_or(Extrapolation::linear)),
        data->text.where, keys.diagnostics());
  }
  if ((polynomial == nullptr) == (table == nullptr)) {
    keys.diagnostics().error(data->text.where, "a curve is either a 'polynomial' or a 'table'");
    return {};
  }
  return table != nullptr ? named_law(table->text, y, x, keys)
                          : polynomial_law(*polynomial, y, x, keys);
}

SpringDamper read_spring_damper(Keys& keys, const LawKind& kind) {
  return {.k = keys.number("stiffness", kind.force / kind.way),
          .c = keys.number("damping", kind.force * kTime / kind.way),
          .spring = read_law(keys, "spring", kind.force, kind.way),
          .damper = read_law(keys, "damper", kind.force, kind.way / kTime)};
}

Stop read_stop(Keys& keys, std::string_view owner, const LawKind& kind) {
  Stop law;
  law.k = keys.number("stiffness", kind.force / kind.way);
  law.spring = read_law(keys, "spring", kind.force, kind.way);
  law.d = keys.number("dissipation", kTime / kind.way);
  if (law.k == 0.0 && law.spring.empty())
    keys.diagnostics().error(keys.where(), "{} needs a 'stiffness' or a 'spring'", owner);
  if (law.spring(0.0) != 0.0)
    keys.diagnostics().error(keys.where(),
                             "the spring of a stop must have no force at contact: begin at 0");
  return law;
}

DryFriction read_dry_friction(Keys& keys, const LawKind& kind) {
  DryFriction law;
  law.F = keys.number("friction", kind.force);
  law.s = keys.number("presliding", kind.way, law.s);
  if (law.F < 0.0) keys.diagnostics().error(keys.where(), "friction cannot be negative");
  if (!(law.s > 0.0)) keys.diagnostics().error(keys.where(), "'presliding' must be more than 0");
  return law;
}

void read_leaf_spring(Keys& keys, LeafSpringDescription& e) {
  e.vertical = read_spring_damper(keys, kLinear);
  e.vertical.F = -keys.number("load", kForce);
  e.friction = read_dry_friction(keys, kLinear);
  auto& K = e.bushing.stiffness;
  K[0][0] = keys.number("longitudinal_stiffness", kStiffness);
  K[1][1] = keys.number("lateral_stiffness", kStiffness);
  K[4][4] = keys.number("wind_up_stiffness", kTorque);
}

}  // namespace chicane
