// SPDX-License-Identifier: Apache-2.0
#include "assembly/grammar.hpp"

#include <algorithm>

#include "assembly/parts/coupling.hpp"
#include "assembly/parts/registry.hpp"
#include "assembly/suspension/suspension.hpp"

namespace chicane {
namespace {

KeyTable vehicle_table() {
  return {
      "vehicle",
      "",
      {{"chassis", Form::section, "chassis", false, "its body, and where a run ends"},
       {"axles", Form::entries, "axle", false,
        "suspensions, wheels and tires, from the front to the rear: front and rear, with wheels "
        "fl, fr, rl, rr, or any other names, with wheels NAME_l, NAME_r"},
       {"payloads", Form::entries, "payload", false, "what is loaded on it"},
       {"units", Form::entries, "unit", false, "trailers, each with a chassis and axles"},
       {"start", Form::section, "start", false, "where it is at the start, and how fast"},
       {"terrain", Form::section, "terrain", false, "the ground; default flat"},
       {"gravity", Form::quantity, "m/s^2", false, "downward", "", 9.80665},
       {"wind", Form::vector, "m/s", false, "velocity of the air; default none"},
       {"steering", Form::section, "steering", false, "from the steering wheel to the rack"},
       {"brakes", Form::section, "brakes", false,
        "from pedal and hand brake to torques on the wheels"},
       {"powertrain", Form::section, "powertrain", false,
        "from the accelerator to torques on the wheels"},
       {"aerodynamics", Form::section, "aerodynamics", false, "forces of the air on the chassis"},
       {"driver", Form::section, "driver", false,
        "who drives; without one the controls are inputs of the model"},
       {"groups", Form::assignments, "", false, "blocks that belong to another rate group"}},
      "A vehicle. More on its parts is on the pages [Parts of a vehicle](vehicle-parts.md) and "
      "[Suspensions](suspensions.md). Wherever one of its parts is a mapping, `file: NAME` "
      "brings one in from a file of its own. In a model that stands on a base, and in a "
      "manoeuvre, keys that are required may be left to the base."};
}

std::vector<KeyTable> body_tables() {
  return {
      {"chassis",
       "",
       {{"mass", Form::quantity, "kg", true, "its mass"},
        {"com", Form::vector, "m", true, "its centre of mass, from its reference"},
        {"inertia", Form::section, "body-inertia", false, "about the centre of mass; default none"},
        {"reference", Form::vector, "m", false, "always its origin"},
        {"points", Form::vectors, "m", false,
         "of its body: a run ends when one is in the ground; default the centre of mass"},
        {"tilt_limit", Form::quantity, "rad", false,
         "against the vertical: a run ends there; 180 deg: never", "", 1.0471975511965976}},
       "The chassis of a vehicle: x forward, y to the left, z up."},
      {"body-inertia",
       "",
       {{"diagonal", Form::vector, "kg m^2", false, "moments xx, yy, zz"},
        {"products", Form::vector, "kg m^2", false,
         "with a diagonal: products of inertia xy, xz, yz, which are minus the entries of the "
         "matrix"},
        {"full", Form::numbers, "kg m^2", false,
         "instead: entries xx, yy, zz, xy, xz, yz of the matrix, with their signs"}},
       "Moments of inertia of a body of a vehicle."},
      {"unit",
       "",
       {{"coupling", Form::section, "coupling", true, "how it hangs on the unit ahead"},
        {"chassis", Form::section, "chassis", true, "its body, and where a run ends"},
        {"axles", Form::entries, "axle", false, "its axles, by names that no other axle has"},
        {"payloads", Form::entries, "payload", false, "what is loaded on it"}},
       "A unit that hangs on another: a trailer, a dolly. Its points are measured from where it "
       "is coupled."},
      {"axle",
       "",
       {{"at", Form::vector, "m", true, "from where the points of this section are measured"},
        {"suspension", Form::section, "suspension", true, "what holds its wheels"},
        {"wheel", Form::section, "wheel", true, "rim, tire and what of the hub spins"},
        {"tire", Form::section, "tire", true, "what touches the ground"},
        {"compliance", Form::section, "compliance", false, "how its wheels turn under load"},
        {"anti_roll_bar", Form::section, "anti-roll-bar", false, "between its two sides"}},
       "An axle of a vehicle; everything is said of its left side."},
      {"start",
       "",
       {{"position", Form::vector, "m", false, "of the chassis's reference; default the origin"},
        {"heading", Form::quantity, "rad", false, "to the left of the world's x", "", 0.0},
        {"pitch", Form::quantity, "rad", false, "positive: the nose points down", "", 0.0},
        {"speed", Form::quantity, "m/s", false, "along the heading", "", 0.0},
        {"state", Form::choice, "settled|dropped", false,
         "settled: on its springs (default); dropped: as the file has it"},
        {"joints", Form::assignments, "", false,
         "coordinates of joints of the suspension, from where the start is sought"}},
       "Where a vehicle is at the start."}};
}

void hold(const DataSpec& data, const KeyTable& table, Numbers& numbers) {
  if (data.kind != DataSpec::Kind::mapping) return;
  numbers.hold(data, table);
  for (const auto& [name, value] : data.entries) {
    const Key* key = find_key(table, name, data);
    const KeyTable* of = key == nullptr ? nullptr : find_vehicle_table(key->of);
    if (of == nullptr) continue;
    if (key->form == Form::section || key->form == Form::one_or_list) hold(value, *of, numbers);
    if (key->form == Form::list || key->form == Form::one_or_list)
      for (const DataSpec& e : value.list) hold(e, *of, numbers);
    if (key->form == Form::entries)
      for (const auto& [own, e] : value.entries) hold(e, *of, numbers);
  }
}

}  // namespace

const std::vector<KeyTable>& vehicle_grammar() {
  static const std::vector<KeyTable> tables = [] {
    std::vector<KeyTable> all{vehicle_table()};
    part_registry().close();
    for (const auto& more :
         {body_tables(), coupling_grammar(), suspension_grammar(), part_registry().grammar()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return tables;
}

const KeyTable* find_vehicle_table(std::string_view name) {
  const auto& tables = vehicle_grammar();
  const auto it =
      std::find_if(tables.begin(), tables.end(), [&](const KeyTable& t) { return t.name == name; });
  return it == tables.end() ? nullptr : &*it;
}

void hold_to_grammar(const DataSpec& vehicle, Numbers& numbers) {
  hold(vehicle, vehicle_grammar().front(), numbers);
}

}  // namespace chicane
