// SPDX-License-Identifier: Apache-2.0

// The JSON Schema and the readers, held against each other.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "assembly/grammar.hpp"
#include "assembly/vehicle.hpp"
#include "io/builtin_models.hpp"
#include "io/grammar.hpp"
#include "io/reader/reader.hpp"
#include "io/writer/echo.hpp"
#include "testkit/json_schema.hpp"

namespace chicane::schema_test {
namespace {

using testkit::Json;
using testkit::json_of;

const testkit::Schema& schema() {
  static const testkit::Schema s(json_schema());
  return s;
}

Json load(const std::string& text) { return json_of(YAML::Load(text)); }

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << "cannot read " << path;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string builtin(std::string_view name) {
  for (const BuiltinModel& m : builtin_models())
    if (m.name == name) return std::string(m.text);
  ADD_FAILURE() << "no model " << name;
  return "";
}

std::string list(const std::set<std::string>& faults) {
  std::string text;
  for (const std::string& f : faults) text += f + "\n";
  return text;
}

// --- what is right passes ---------------------------------------------------------------------

TEST(Schema, PassesEveryModelAndManoeuvre) {
  for (const auto& files : {builtin_models(), builtin_manoeuvres()})
    for (const BuiltinModel& m : files)
      EXPECT_EQ(list(schema().faults(load(std::string(m.text)))), "") << m.name;
}

TEST(Schema, PassesTheEchoOfEveryModelUnderEveryManoeuvre) {
  for (const BuiltinModel& m : builtin_models()) {
    Diagnostics diag;
    const auto spec = read_model(std::string(m.name), diag);
    ASSERT_TRUE(spec) << diag.text();
    EXPECT_EQ(list(schema().faults(load(write_model(*spec)))), "") << m.name;
    if (!spec->vehicle) continue;
    for (const BuiltinModel& manoeuvre : builtin_manoeuvres()) {
      const auto both = read_manoeuvre(std::string(manoeuvre.name), *spec, diag);
      ASSERT_TRUE(both) << diag.text();
      EXPECT_EQ(list(schema().faults(load(write_model(*both)))), "") << manoeuvre.name;
    }
  }
}

TEST(Schema, PassesTheFilesOfTheExamples) {
  int files = 0;
  for (const char* folder : {"examples", "tests/testkit"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(CHICANE_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".yaml") {
        EXPECT_EQ(list(schema().faults(load(read_text(entry.path())))), "") << entry.path();
        ++files;
      }
  EXPECT_GT(files, 4);
}

// --- what is wrong fails, where the program says so -------------------------------------------

// "a.b[2]" is of a.b
std::string without_element(const std::string& path) { return path.substr(0, path.find('[')); }

std::set<std::string> faults_of_check(const Json& model) {
  Diagnostics diag;
  const auto spec = read_model_text(model.dump(1), "model.yaml", diag);
  if (spec && spec->vehicle) read_vehicle(*spec, diag);
  std::set<std::string> places;
  for (const Diagnostic& d : diag.all()) places.insert(without_element(d.where.key));
  return places;
}

// The schema has its fault there and nowhere else, and the program has one there.
void expect_fault_at(const std::string& path, const Json& model) {
  std::set<std::string> said;
  for (const std::string& f : schema().faults(model)) said.insert(without_element(f));
  EXPECT_TRUE(said.contains(path)) << path << " is right for the schema";
  EXPECT_EQ(said, std::set<std::string>{path});
  const auto checked = faults_of_check(model);
  EXPECT_TRUE(checked.contains(path)) << path << " is right for the program; it says:\n"
                                      << list(checked);
}

TEST(Schema, FailsWhatAnEditorIsToShow) {
  const auto with = [](const char* pointer, const Json& value) {
    Json model = load(builtin("hmmwv"));
    model[Json::json_pointer(pointer)] = value;
    return model;
  };
  expect_fault_at("vehicle.axles.front.tire.type",
                  with("/vehicle/axles/front/tire/type", "pacejka"));
  expect_fault_at("vehicle.axles.front.tire.radus",
                  with("/vehicle/axles/front/tire/radus", "0.4 m"));
  expect_fault_at("format", with("/format", "chicane/9"));
  expect_fault_at("vehicle.terrain.type", with("/vehicle/terrain/type", "moon"));
  expect_fault_at("vehicle.terrain.waves", with("/vehicle/terrain/waves", Json::array()));
  const Json step = with("/run/step", "5 kg");
  EXPECT_EQ(list(schema().faults(step)), "run.step\n");
}

// Keys of these are names that the user gives, or names of tables.
bool is_of_names(const std::string& key) {
  return key == "joints" || key == "groups" || key == "rods" || key == "single_rods";
}

using Visit = std::function<void(const std::string& path, Json& mapping, const std::string& key)>;

// Every key of every mapping.
void each_key(const std::string& path, Json& mapping, const Visit& visit) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : mapping.items()) keys.push_back(key);
  for (const std::string& key : keys) {
    if (!path.ends_with(".axles")) visit(path + "." + key, mapping, key);  // names of the user's
    if (mapping.at(key).is_object() && !is_of_names(key))
      each_key(path + "." + key, mapping.at(key), visit);
  }
}

// A letter twice: no key is called like that.
std::string misspelt(const std::string& key) { return key.substr(0, 2) + key.substr(1); }

// The same with another kind of value, which no key of a vehicle takes.
Json mistyped(const Json& value) {
  if (value.is_object()) return "7 A";  // a word could be the name of a table
  if (value.is_boolean()) return "maybe";
  if (!value.is_array()) return "7 A";
  if (value.front().is_array()) return Json::array({mistyped(value.front())});
  Json changed = value;
  if (changed.back().is_string())
    changed.back() = "A";
  else
    changed.push_back("A");
  return changed;
}

// Vehicles that have between them every type of part: each is a change of one.
std::vector<Json> vehicles() {
  const Json hmmwv = load(builtin("hmmwv"));
  const Json hatchback =
      load(read_text(std::filesystem::path(CHICANE_SOURCE_DIR) / "tests/testkit/hatchback.yaml"));
  std::vector<Json> all{hmmwv, hatchback};
  for (const char* change : {
           "terrain: {type: slope, along: 0.1, across: 0.02, height: 1 m}",
           "terrain: {type: bump, begin: 5 m, length: 2 m, height: 5 cm, heading: 2 deg}",
           "steering: {type: power-assist, body: {mass: 5 kg, com: [1, 0, 0.3, m]}, ratio: 120 "
           "rad/m, travel: 8 cm, wheel_inertia: 0.04 kg m^2, friction: {way: 0.1 mm}}",
           "brakes: {type: pedal, torque_front: {x: [0, 10, MPa], y: [0, 4, kN m]}, torque_rear: "
           "{x: [0, 10, MPa], y: [0, 4, kN m]}, pressure: {x: [0, 1], y: [0, 10, MPa]}, line_time: "
           "50 ms, friction: {damping: 5 ms}}",
           "powertrain: {type: wheel-torque, front: 0.5}",
           "aerodynamics: {type: tables, area: 2 m^2, sides: alike, sideslip: [0, 10, 20, deg], "
           "C_x: [0.3, 0.3, 0.4]}",
           "driver: {gear: drive, steering: {type: path, follower: optimal-preview, mass: 2000 kg, "
           "yaw_inertia: 3000 kg m^2, front_axle: 1.2 m, rear_axle: 1.3 m, front_cornering: 80 "
           "kN/rad, rear_cornering: 80 kN/rad, steering_ratio: 17, lag: 0.1 s, path: {x: [0, 100, "
           "200, m], y: [0, 0, 1, m]}}, speed: {type: control, output: pedals, speed: 20 m/s, "
           "gain: "
           "0.5 s/m}}",
           "driver: {hand_brake: 0.5, steering: {type: schedule, angle: {x: [0, 1, s], y: [0, 5, "
           "deg]}}, speed: {type: schedule, accelerator: 0.3, brake: 0}}",
       }) {
    Json changed = hmmwv;
    const Json part = load(change);
    for (const auto& [key, value] : part.items()) changed["vehicle"][key] = value;
    all.push_back(changed);
  }
  return all;
}

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kOneOf = 5;  // keys, where each takes ten times as long
#else
constexpr std::size_t kOneOf = 1;
#endif

TEST(Schema, FailsMisspeltAndMistypedKeysOfAVehicleWhereTheProgramDoes) {
  int cases = 0;
  std::set<std::string> done;
  std::vector<Json> all = vehicles();
  for (Json& model : all) {
    ASSERT_EQ(list(schema().faults(model)), "");
    ASSERT_EQ(list(faults_of_check(model)), "");
    each_key(
        "vehicle", model["vehicle"],
        [&](const std::string& path, Json& mapping, const std::string& key) {
          const Json was = mapping;
          const Json value = was.at(key);
          // The rear axle is as the front one; one value of a key is enough.
          if (path.find(".rear.") != std::string::npos || !done.insert(path + value.dump()).second)
            return;
          if (done.size() % kOneOf != 0) return;
          // A curve whose x or y is misspelt is none: that is said of the curve.
          if (key.size() > 1) {
            Json changed = Json::object();
            for (const auto& [name, v] : was.items())
              changed[name == key ? misspelt(key) : name] = v;
            mapping = changed;
            expect_fault_at(path.substr(0, path.rfind('.') + 1) + misspelt(key), model);
            mapping = was;
            ++cases;
          }
          mapping[key] = mistyped(value);
          expect_fault_at(path, model);
          mapping = was;
          ++cases;
        });
  }
  EXPECT_GT(cases, 300 / static_cast<int>(kOneOf));
  std::printf("%d misspelt and mistyped keys\n", cases);
}

// --- every key of the tables is one that is read ----------------------------------------------

Json value_of(const Key& key);

// A section with what it needs.
Json section_of(std::string_view name) {
  Json section = Json::object();
  const KeyTable& table = *find_vehicle_table(name);
  for (const Key& key : table.keys)
    if (key.required && key.when.empty()) section[std::string(key.name)] = value_of(key);
  return section;
}

Json numbers(std::string_view unit, int n) {
  Json values = Json::array();
  for (int i = 0; i < n; ++i) values.push_back(i + 1);
  if (unit != "-") values.push_back(unit);
  return values;
}

Json value_of(const Key& key) {
  const auto sides = split(split(key.of, "|").front(), "->");
  const Json quantity = sides.back() == "-" ? Json(1) : Json(fmt::format("1 {}", sides.back()));
  switch (key.form) {
    case Form::quantity:
    case Form::signal:
      return quantity;
    case Form::numbers:
      return numbers(sides[0], 2);
    case Form::vector:
      return numbers(sides[0], 3);
    case Form::vectors:
      return Json::array({numbers(sides[0], 3), numbers(sides[0], 3)});
    case Form::curve:
    case Form::law:
      return {{"x", numbers(sides[0], 2)}, {"y", numbers(sides[1], 2)}};
    case Form::choice:
      return split(key.of, "|").front();
    case Form::flag:
      return false;
    case Form::section:
    case Form::one_or_list:
      return section_of(key.of);
    default:
      return Json::object();
  }
}

// What is read only beside another key, or not at all where the vehicle has another part.
bool depends(std::string_view table, std::string_view key) {
  static const std::set<std::pair<std::string_view, std::string_view>> others{
      {"engine", "motoring"},       // with 'full'
      {"engine", "losses"},         // with 'gross'
      {"spring", "interpolation"},  // with a curve
      {"spring", "extrapolation"},
      {"damper", "interpolation"},
      {"damper", "extrapolation"},
      {"stop", "interpolation"},
      {"stop", "extrapolation"},
      {"beam", "interpolation"},
      {"beam", "extrapolation"},
      {"leaf-spring", "interpolation"},
      {"leaf-spring", "extrapolation"}};
  return others.contains({table, key});
}

void each_section(const std::string& path, Json& mapping, const KeyTable& table,
                  const std::function<void(const std::string&, Json&, const KeyTable&)>& visit) {
  visit(path, mapping, table);
  DataSpec words{.kind = DataSpec::Kind::mapping, .text = {}};
  for (const auto& [name, value] : mapping.items())
    words.entries.emplace_back(
        name, DataSpec{.kind = DataSpec::Kind::text,
                       .text = {value.is_string() ? value.get<std::string>() : value.dump(), {}}});
  for (auto& [name, value] : mapping.items()) {
    const Key* key = find_key(table, name, words);
    if (key != nullptr && key->form == Form::section && value.is_object())
      each_section(path + "." + name, value, *find_vehicle_table(key->of), visit);
  }
}

TEST(Schema, HasNoKeyOfAVehicleThatIsNotRead) {
  std::set<std::string> tried;
  std::vector<Json> all = vehicles();
  for (Json& model : all)
    each_section(
        "vehicle", model["vehicle"], *find_vehicle_table("vehicle"),
        [&](const std::string& path, Json& mapping, const KeyTable& table) {
          const Json was = mapping;
          for (const Key& key : table.keys) {
            const std::string name(key.name);
            if (was.contains(name) || depends(table.name, name)) continue;
            // A word that is not said here may be said in a base: the schema leaves it open.
            const auto conditions = conditions_of(key);
            if (std::any_of(conditions.begin(), conditions.end(), [&](const KeyCondition& c) {
                  return !was.contains(std::string(c.key));
                }))
              continue;
            const std::string row = fmt::format("{}.{} {}", table.name, name, key.when);
            if (tried.contains(row)) continue;
            mapping[name] = value_of(key);
            if (schema().faults(model).empty()) {
              tried.insert(row);
              Diagnostics diag;
              const auto spec = read_model_text(model.dump(1), "model.yaml", diag);
              if (spec) read_vehicle(*spec, diag);
              for (const Diagnostic& d : diag.all())
                EXPECT_EQ(d.message.find(fmt::format("has no '{}'", name)), std::string::npos)
                    << path << "." << name << ": " << d.message;
            }
            mapping = was;
          }
        });
  EXPECT_GT(tried.size(), 100u);
}

TEST(Schema, SaysWhatItIs) {
  const auto s = nlohmann::json::parse(json_schema());
  EXPECT_EQ(s.at("$id"), "urn:chicane:schema:chicane-1");
}

}  // namespace
}  // namespace chicane::schema_test
