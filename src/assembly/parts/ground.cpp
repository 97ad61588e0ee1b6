// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/ground.hpp"

#include <cmath>
#include <numbers>

#include "assembly/parts/reading.hpp"
#include "assembly/parts/registry.hpp"
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

Ground<double> read_sines(Keys& keys, const Cover<double>& cover) {
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

using MadeGround = std::optional<Ground<double>>;

// A ground of one type: its cover, then what `read_shape` makes of the other keys.
template <class ReadShape>
auto reader_of(std::string_view type, ReadShape read_shape) {
  return [type, read_shape](Keys& keys) -> MadeGround {
    const int before = keys.diagnostics().errors();
    const auto cover = read_cover(keys);
    if (!cover) return std::nullopt;
    Ground<double> ground = read_shape(keys, *cover);
    keys.refuse_others(fmt::format("a terrain of type {}", type));
    if (keys.diagnostics().errors() > before) return std::nullopt;
    return ground;
  };
}

Ground<double> read_flat(Keys& keys, const Cover<double>& cover) {
  return terrain::Flat<double>{keys.number("height", kLength), cover};
}
Ground<double> read_slope(Keys& keys, const Cover<double>& cover) {
  return terrain::Plane<double>{
      {keys.number("height", kLength), keys.number("along", kNone), keys.number("across", kNone)},
      cover};
}
Ground<double> read_bump(Keys& keys, const Cover<double>& cover) {
  const auto p = read_fields(keys, kBump, "a bump");
  return terrain::Bump<double>{p[0].value, p[1].value, p[2].value, p[3].value, cover};
}

}  // namespace

double sharpest(const Ground<double>& ground) {
  if (const auto* bump = std::get_if<terrain::Bump<double>>(&ground)) {
    const double k = 2.0 * std::numbers::pi / bump->l;
    return 0.5 * std::fabs(bump->h) * k * k;
  }
  double sum = 0.0;
  if (const auto* sines = std::get_if<terrain::SumOfSines<double>>(&ground))
    for (const auto& w : sines->waves) sum += std::fabs(w.a) * (w.k_x * w.k_x + w.k_y * w.k_y);
  return sum;
}

decltype(PartRegistry::terrain) built_in_terrains() {
  decltype(PartRegistry::terrain) types(
      "a terrain", {"terrain",
                    "",
                    {{"type", Form::choice, "", false, "its shape; default flat"},
                     {"friction", Form::quantity, "-", false, "coefficient, more than 0", "", 1.0}},
                    "The ground of a vehicle."});
  const Key height{"height", Form::quantity, "m", false, "at the origin", "", 0.0};
  KeyTable wave{"wave", "", {}, "A wave of the ground."};
  add_rows(wave, kWave);
  types.add({"flat", "level", {height}}, reader_of("flat", read_flat))
      .add({"slope",
            "a plane",
            {height,
             {"along", Form::quantity, "-", false, "rise along the world's x", "", 0.0},
             {"across", Form::quantity, "-", false, "rise along the world's y", "", 0.0}}},
           reader_of("slope", read_slope))
      .add({"sines",
            "a sum of waves",
            {{"waves", Form::list, "wave", true, "that are added up"}},
            {wave}},
           reader_of("sines", read_sines))
      .add({"bump", "one bump across the way", rows_of(kBump)}, reader_of("bump", read_bump));
  return types;
}

MadeGround read_ground(Keys& keys) { return part_registry().terrain.read(keys); }

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
    Ground<T> operator()(const OwnGround<double>& g) const { return OwnGround<T>{g.shape}; }
  };
  return std::visit(To{}, ground);
}

template Ground<double> ground_of<double>(const Ground<double>&);
template Ground<Dual> ground_of<Dual>(const Ground<double>&);

}  // namespace chicane
