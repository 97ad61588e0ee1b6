// SPDX-License-Identifier: Apache-2.0
#include "vehicle/aero/aerodynamics.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "assembly/parts/data_block.hpp"
#include "assembly/parts/parts.hpp"
#include "assembly/parts/reading.hpp"
#include "assembly/parts/registry.hpp"
#include "language/bundle.hpp"

namespace chicane::aero {
namespace {

using namespace dimensions;
using Bound = Field::Bound;

// --- block ------------------------------------------------------------------------------------

constexpr int kBody = 0, kWind = 15;  // inputs

template <class T>
struct Shown {
  Vec3<T> F, M;
  T q, beta;
};

template <class T, class C>
void run_aerodynamics(const C& coefficients, const BlockView<T>& at) {
  const auto p = from_values<Params<T>>(at.p.first(sizeof(Params<T>) / sizeof(T)));
  const Vec3<T> x = input3(at, kBody + pose::kAhead), y = input3(at, kBody + pose::kAcross);
  const Motion<T> V{.angular = input3(at, kBody + pose::kOmega),
                    .linear = input3(at, kBody + pose::kVelocity)};
  const Mat3<T> R{x, y, cross(x, y)};
  const auto out = evaluate(coefficients, p, In<T>{R, V, input3(at, kWind)});
  to_values(Shown<T>{R * out.B.force, R * out.B.moment, out.q, out.beta}, at.y);
}

template <class T>
class TableAerodynamics final : public DataBlock<T, aero::Coefficients> {
 public:
  using DataBlock<T, aero::Coefficients>::DataBlock;
  void run(int /*task*/, const BlockView<T>& at) const noexcept override {
    run_aerodynamics(this->data(), at);
  }
};

template <class T>
class SimpleAerodynamics final : public Block<T> {
 public:
  void run(int /*task*/, const BlockView<T>& at) const noexcept override {
    constexpr std::size_t n = sizeof(Params<T>) / sizeof(T);
    run_aerodynamics(from_values<FirstHarmonics<T>>(at.p.subspan(n)), at);
  }
};

std::vector<PortInfo> vector_ports(std::string_view prefix, std::string_view unit,
                                   std::string_view description) {
  std::vector<PortInfo> list;
  for (const char axis : {'x', 'y', 'z'})
    list.push_back({fmt::format("{}_{}", prefix, axis), std::string(unit),
                    fmt::format("{}, {} in the world", description, axis)});
  return list;
}

BlockInfo described() {
  BlockInfo info;
  info.description = "aerodynamic forces on a body";
  const auto add = [](std::vector<PortInfo>& to, const std::vector<PortInfo>& list) {
    to.insert(to.end(), list.begin(), list.end());
  };
  add_bundle(BundleInfo::Kind::pose, "body", "the body", info.inputs, info.takes);
  add(info.inputs, vector_ports("wind", "m/s", "velocity of the air"));
  add(info.outputs, vector_ports("F", "N", "force on the body"));
  add(info.outputs, vector_ports("M", "N m", "moment about the body's origin"));
  info.outputs.push_back({"pressure", "Pa", "dynamic pressure", true});
  info.outputs.push_back({"sideslip", "rad", "sideslip of the air", true});
  std::vector<int> reads =
      pose_parts(kBody, {pose::kAhead, pose::kAcross, pose::kVelocity, pose::kOmega});
  for (const int i : ports(kWind, 3)) reads.push_back(i);
  info.tasks = {{.name = "forces",
                 .reads = std::move(reads),
                 .writes = ports(0, static_cast<int>(info.outputs.size()))}};
  return info;
}

// --- file -------------------------------------------------------------------------------------

// Rows of these tables stand in the order of the members of Params and FirstHarmonics.
constexpr double kDensity15C = 1.225;  // [kg/m^3] standard atmosphere at sea level, ISO 2533
constexpr std::array kFields{
    Field{"density", "kg/m^3", "density of the air", Bound::positive, kDensity15C},
    Field{"area", "m^2", "frontal area", Bound::positive},
    Field{"length", "m", "reference length of the moments", Bound::positive, 1.0},
    Field{"centre_x", "m", "aerodynamic centre before the body's origin", Bound::any, 0.0},
    Field{"centre_y", "m", "aerodynamic centre to the left of it", Bound::any, 0.0},
    Field{"centre_z", "m", "aerodynamic centre above it", Bound::any, 0.0}};
constexpr std::array kHarmonicFields{
    Field{"C_x", "-", "drag straight ahead", Bound::any},
    Field{"C_y", "-", "side force over sideslip", Bound::any, 0.0},
    Field{"C_z", "-", "lift", Bound::any, 0.0},
    Field{"C_l", "-", "roll moment over sideslip", Bound::any, 0.0},
    Field{"C_m", "-", "pitch moment straight ahead", Bound::any, 0.0},
    Field{"C_n", "-", "yaw moment over sideslip", Bound::any, 0.0}};
constexpr std::string_view kOwner = "aerodynamics";

std::optional<aero::Coefficients> read_tables(Keys& keys) {
  const auto sides = read_word(keys, "sides", {"alike", "different"}, kOwner, false);
  CoefficientData data;
  data.beta = read_list(keys, "sideslip", kNone, kOwner);
  for (const auto& [key, values] : {std::pair{"C_x", &data.C_x},
                                    {"C_y", &data.C_y},
                                    {"C_z", &data.C_z},
                                    {"C_l", &data.C_l},
                                    {"C_m", &data.C_m},
                                    {"C_n", &data.C_n}})
    *values = keys.find(key) == nullptr ? std::vector<double>(data.beta.size())
                                        : read_list(keys, key, kNone, kOwner);
  if (!sides) return std::nullopt;
  return made_of(
      *sides == 0 ? aero::Coefficients::make_symmetric(data) : aero::Coefficients::make(data),
      keys.where(), keys.diagnostics());
}

BlockKindPtr read_simple(Keys& keys) {
  const int before = keys.diagnostics().errors();
  BlockInfo info = described();
  info.parameters = read_fields(keys, kFields, kOwner);
  const auto C = read_fields(keys, kHarmonicFields, kOwner);
  info.parameters.insert(info.parameters.end(), C.begin(), C.end());
  keys.refuse_others(kOwner);
  if (keys.diagnostics().errors() > before) return nullptr;
  return make_block_kind<SimpleAerodynamics>(info);
}

BlockKindPtr read_with_tables(Keys& keys) {
  const int before = keys.diagnostics().errors();
  BlockInfo info = described();
  info.parameters = read_fields(keys, kFields, kOwner);
  const auto tables = read_tables(keys);
  keys.refuse_others(kOwner);
  if (keys.diagnostics().errors() > before) return nullptr;
  return make_block_kind<TableAerodynamics>(info, *tables);
}

}  // namespace
}  // namespace chicane::aero

namespace chicane {

decltype(PartRegistry::aerodynamics) built_in_aerodynamics() {
  using namespace aero;
  KeyTable common{"aerodynamics",
                  "",
                  {{"type", Form::choice, "", true, "of where its coefficients come from"}},
                  "Forces of the air on the chassis."};
  add_rows(common, kFields);
  std::vector<Key> tables{{"sides", Form::choice, "alike|different", false,
                           "alike: tables are of one side, the other mirrors it (default)"},
                          {"sideslip", Form::numbers, "rad", true, "angles of the tables"}};
  for (const Field& f : kHarmonicFields)
    tables.push_back({f.key, Form::numbers, f.unit, false, f.description});
  decltype(PartRegistry::aerodynamics) types(std::string(kOwner), common);
  types
      .add({"simple", "coefficients of the first order in the sideslip", rows_of(kHarmonicFields)},
           read_simple)
      .add({"tables", "coefficients over the sideslip", tables}, read_with_tables);
  return types;
}

BlockKindPtr aerodynamics_part(Keys& keys) { return part_registry().aerodynamics.read(keys); }

}  // namespace chicane
