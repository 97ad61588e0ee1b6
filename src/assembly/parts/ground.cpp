#include "assembly/parts/ground.hpp"

#include "assembly/parts/grammar.hpp"
#include "language/sections/fields.hpp"

namespace chicane {
namespace {

using namespace dimensions;
using terrain::Cover;

constexpr Field kWave[] = {
    {"amplitude", "m", "height of a wave over the mean"},
    {"length", "m", "from crest to crest", Field::Bound::positive},
    {"heading", "rad", "direction in which the waves follow each other", Field::Bound::any, 0.0},
    {"phase", "rad", "angle at the origin", Field::Bound::any, 0.0}};
constexpr Field kBump[] = {{"begin", "m", "where it begins, along the heading"},
                           {"length", "m", "from its begin to its end", Field::Bound::positive},
                           {"height", "m", "of its top"},
                           {"heading", "rad", "across which it lies", Field::Bound::any, 0.0}};

std::optional<Cover<double>> read_cover(Keys& keys) {
  const double friction = keys.number("friction", kNone, 1.0);
  constexpr double kMost = 3.0;  // of any rubber on any road
  if (friction > 0.0 && friction <= kMost) return Cover<double>{.friction = friction};
  keys.diagnostics().error(
      keys.find("friction")->text.where,
      "'friction' of the terrain is {}: it must be more than 0, and at most {}", friction, kMost);
  return std::nullopt;
}

terrain::SumOfSines<double> read_sines(Keys& keys, const Cover<double>& cover) {
  terrain::SumOfSines<double> ground{.waves = {}, .cover = cover};
  const DataSpec* waves = keys.require("waves", "a sum of sines");
  if (waves == nullptr) return ground;
  for (const DataSpec& wave : waves->list) {
    Keys own(wave, keys.numbers(), keys.diagnostics());
    const auto p = read_fields(own, kWave, "a wave");
    own.refuse_others("a wave");
    const double k = 2.0 * std::numbers::pi / p[1].value;
    ground.waves.push_back({.a = p[0].value,
                            .k_x = k * std::cos(p[2].value),
                            .k_y = k * std::sin(p[2].value),
                            .phi = p[3].value});
  }
  if (ground.waves.empty())
    keys.diagnostics().error(waves->text.where,
                             "a list of waves is needed here, e.g. [{{amplitude: 20 mm, length: 5 "
                             "m}}]");
  return ground;
}

template <class T>
Cover<T> as(const Cover<double>& c) {
  return {T(c.friction), c.surface};
}

}  // namespace

std::vector<KeyTable> ground_grammar() {
  KeyTable terrain{
      "terrain",
      "",
      {{"type", Form::choice, "flat|slope|sines|bump", false, "its shape; default flat"},
       {"friction", Form::quantity, "-", false, "coefficient, more than 0", "", 1.0},
       {"height", Form::quantity, "m", false, "at the origin", "type=flat|slope", 0.0},
       {"along", Form::quantity, "-", false, "rise along the world's x", "type=slope", 0.0},
       {"across", Form::quantity, "-", false, "rise along the world's y", "type=slope", 0.0},
       {"waves", Form::list, "wave", true, "that are added up", "type=sines"}},
      "The ground of a vehicle."};
  add_rows(terrain, kBump, "type=bump");
  KeyTable wave{"wave", "", {}, "A wave of the ground."};
  add_rows(wave, kWave);
  return {terrain, wave};
}

std::optional<Ground<double>> read_ground(Keys& keys) {
  const int before = keys.diagnostics().errors();
  const std::string type = keys.find("type") == nullptr ? "flat" : keys.text("type");
  const auto cover = read_cover(keys);
  if (!cover) return std::nullopt;
  Ground<double> ground;
  if (type == "flat") {
    ground = terrain::Flat<double>{keys.number("height", kLength), *cover};
  } else if (type == "slope") {
    ground = terrain::Plane<double>{
        {keys.number("height", kLength), keys.number("along", kNone), keys.number("across", kNone)},
        *cover};
  } else if (type == "sines") {
    ground = read_sines(keys, *cover);
  } else if (type == "bump") {
    const auto p = read_fields(keys, kBump, "a bump");
    ground = terrain::Bump<double>{p[0].value, p[1].value, p[2].value, p[3].value, *cover};
  } else {
    keys.diagnostics().error(
        keys.find("type")->text.where,
        "there is no terrain of type '{}'{}; there are bump, flat, sines, slope", type,
        did_you_mean(type, {"bump", "flat", "sines", "slope"}));
    return std::nullopt;
  }
  keys.refuse_others("a terrain of type " + type);
  if (keys.diagnostics().errors() > before) return std::nullopt;
  return ground;
}

template <class T>
Ground<T> ground_of(const Ground<double>& ground) {
  struct To {
    Ground<T> operator()(const terrain::Flat<double>& g) const {
      return terrain::Flat<T>{T(g.height), as<T>(g.cover)};
    }
    Ground<T> operator()(const terrain::Plane<double>& g) const {
      return terrain::Plane<T>{{T(g.z.height), T(g.z.along_x), T(g.z.along_y)}, as<T>(g.cover)};
    }
    Ground<T> operator()(const terrain::SumOfSines<double>& g) const {
      terrain::SumOfSines<T> out{.waves = {}, .cover = as<T>(g.cover)};
      for (const auto& w : g.waves) out.waves.push_back({T(w.a), T(w.k_x), T(w.k_y), T(w.phi)});
      return out;
    }
    Ground<T> operator()(const terrain::Bump<double>& g) const {
      return terrain::Bump<T>{T(g.d_0), T(g.l), T(g.h), T(g.psi), as<T>(g.cover)};
    }
  };
  return std::visit(To{}, ground);
}

template Ground<double> ground_of<double>(const Ground<double>&);
template Ground<Dual> ground_of<Dual>(const Ground<double>&);

}  // namespace chicane
