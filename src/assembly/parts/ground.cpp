// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/ground.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "assembly/parts/reading.hpp"
#include "assembly/parts/registry.hpp"
#include "assembly/parts/roads.hpp"
#include "language/sections/contents.hpp"
#include "language/sections/fields.hpp"
#include "vehicle/terrain/crg.hpp"
#include "vehicle/terrain/iso8608.hpp"

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

// A road that answers for both scalars and never moves.
template <class Road>
class RoadShape final : public GroundShape {
 public:
  explicit RoadShape(Road road) : road_(std::move(road)) {}
  [[nodiscard]] terrain::Hit<double> query(
      const terrain::Spot<double>& at,
      const terrain::Hit<double>& previous) const noexcept override {
    return road_.template query<double>(at.x, at.y, previous);
  }
  [[nodiscard]] terrain::Hit<Dual> query(
      const terrain::Spot<Dual>& at, const terrain::Hit<Dual>& previous) const noexcept override {
    return road_.template query<Dual>(at.x, at.y, previous);
  }

 private:
  Road road_;
};

Ground<double> read_crg_road(Keys& keys, const Cover<double>& cover) {
  const DataSpec* file = keys.require("file", "a terrain of type crg");
  keys.find("sha256");
  const auto place = read_word(keys, "place", {"start", "line", "file"}, "a road", false);
  const double begin = keys.number("begin", kLength), offset = keys.number("offset", kLength);
  if (file == nullptr || !place) return terrain::Flat<double>{};
  Diagnostics& diag = keys.diagnostics();
  const std::string* bytes = carried(*file, file->text.text);
  if (bytes == nullptr) {
    diag.error(file->text.where, "'{}' is no road file that was read: its name ends in .crg",
               file->text.text);
    return terrain::Flat<double>{};
  }
  const auto load = [&](const std::string& path) {
    const std::string* named = carried(*file, path);
    return named == nullptr ? std::nullopt : std::optional(*named);
  };
  auto read = terrain::read_crg(*bytes, file->text.text, diag, load);
  using By = terrain::CrgPlace::By;
  constexpr std::array<By, 3> kBy{By::start, By::line, By::file};
  auto road =
      read ? terrain::CrgRoad::make(std::move(*read),
                                    {.by = kBy[*place], .begin = begin, .offset = offset}, diag)
           : std::nullopt;
  if (!road) return terrain::Flat<double>{};
  road->cover = cover;
  return OwnGround<double>{std::make_shared<RoadShape<terrain::CrgRoad>>(std::move(*road))};
}

// A number of the section that must lie within limits.
double read_within(Keys& keys, std::string_view key, const Dimension& dimension, double otherwise,
                   double low, double high) {
  const double value = keys.number(key, dimension, otherwise);
  if (!(value >= low && value <= high))
    keys.diagnostics().error(keys.find(key)->text.where,
                             "'{}' is {}: it must lie from {:g} to {:g}", key, value, low, high);
  return value;
}

Ground<double> read_random_road(Keys& keys, const Cover<double>& cover) {
  terrain::Iso8608 iso;
  const auto road_class =
      read_word(keys, "class", {"A", "B", "C", "D", "E", "F", "G", "H"}, "a random road", false);
  const DataSpec* given = keys.find("roughness");
  if (given != nullptr && keys.find("class") != nullptr)
    keys.diagnostics().error(given->text.where,
                             "a random road has a class or a roughness, not both");
  constexpr double kRoughest = 1.0;  // [m^3], four times class H
  if (road_class) iso.roughness = terrain::iso_roughness(static_cast<char>('A' + *road_class));
  iso.roughness = read_within(keys, "roughness", kVolume, iso.roughness, 0.0, kRoughest);
  iso.waviness = read_within(keys, "waviness", kNone, iso.waviness, 0.0, 6.0);
  iso.spread = read_within(keys, "spread", kNone, iso.spread, 0.0, 5.0);
  iso.length = read_within(keys, "length", kLength, iso.length, 10.0, terrain::kLongestIsoRoad);
  iso.width = read_within(keys, "width", kLength, iso.width, 1.0, 30.0);
  const double seed = read_within(keys, "seed", kNone, 1.0, 0.0, 1e15);
  if (seed != std::floor(seed))
    keys.diagnostics().error(keys.find("seed")->text.where, "a seed is a whole number, not {}",
                             seed);
  if (!keys.diagnostics().ok()) return terrain::Flat<double>{};
  iso.seed = static_cast<std::uint64_t>(seed);
  auto road = terrain::CrgRoad::make(terrain::make_iso8608(iso),
                                     {.by = terrain::CrgPlace::By::start}, keys.diagnostics());
  if (!road) return terrain::Flat<double>{};
  road->cover = cover;
  return OwnGround<double>{std::make_shared<RoadShape<terrain::CrgRoad>>(std::move(*road))};
}

std::vector<Key> random_road_rows() {
  return {
      {"class", Form::choice, "A|B|C|D|E|F|G|H", false, "of ISO 8608; default A"},
      {"roughness", Form::quantity, "m^3", false,
       "in place of the class: spectral density at 0.1 cycles/m"},
      {"waviness", Form::quantity, "-", false, "exponent of the spectrum", "", 2.0},
      {"spread", Form::quantity, "-", false,
       "of lateral wave numbers over those along; 0: both tracks are the same", "", 0.45},
      {"length", Form::quantity, "m", false, "after which it repeats", "", 819.2},
      {"width", Form::quantity, "m", false, "beyond which it stays as at its edge", "", 8.0},
      {"seed", Form::quantity, "-", false, "whole number; the same seed, the same road", "", 1.0}};
}

std::vector<Key> crg_rows() {
  return {
      {"file", Form::text, "", true, "road surface in OpenCRG form, beside the model file"},
      {"sha256", Form::text, "", false, "of the file; one with other bytes is refused"},
      {"place", Form::choice, "start|line|file", false,
       "what lies in the origin: the begin of the road, along x; or as the file's modifiers say, "
       "without a word on v the reference line, or the right edge; default start"},
      {"begin", Form::quantity, "m", false, "with start: from the begin of the road", "", 0.0},
      {"offset", Form::quantity, "m", false, "with start: to the left of its line", "", 0.0}};
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
      .add({"bump", "one bump across the way", rows_of(kBump)}, reader_of("bump", read_bump))
      .add({"crg", "a road surface from an OpenCRG file", crg_rows()},
           reader_of("crg", read_crg_road))
      .add({"iso8608", "a random road after ISO 8608", random_road_rows()},
           reader_of("iso8608", read_random_road));
  return types;
}

void ask_for_road_files(
    const std::string& bytes, const std::string& path,
    const std::function<std::optional<std::string>(const std::string& path)>& load) {
  Diagnostics unheard;
  (void)terrain::read_crg(bytes, path, unheard, load);
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
