// SPDX-License-Identifier: Apache-2.0
#include "assembly/assemble.hpp"

#include "assembly/start/settle.hpp"
#include "assembly/wiring.hpp"
#include "blocks/mechanism/block.hpp"
#include "blocks/mechanism/describe.hpp"
#include "simulation/plan.hpp"

namespace chicane {
namespace {

// The model's parameters in the formulas of the mechanism's numbers.
void gather_parameters(const DataSpec& data, const Spec& spec, std::vector<std::string>& names) {
  for (const DataSpec& element : data.list) gather_parameters(element, spec, names);
  for (const auto& [key, value] : data.entries)
    if (key != "command" && key != "motion") gather_parameters(value, spec, names);
  if (data.kind != DataSpec::Kind::text) return;
  Diagnostics unheard;  // whoever computed the number has said what is wrong with it
  const auto e = parse_expression(data.text, unheard);
  if (!e) return;
  for (const Node& node : e->nodes)
    for (const ParameterSpec& p : spec.parameters)
      if (node.kind == Node::Kind::name && node.name == p.name) names.push_back(p.name);
}

}  // namespace

// What came of a vehicle, and all that its readers looked at.
struct Assembled {
  explicit Assembled(const Spec& spec)
      : vehicle(spec.vehicle),
        mechanism(spec.mechanism),
        parameters(spec.parameters),
        tables(spec.tables),
        until(spec.run.until),
        check_units(spec.check_units) {}

  [[nodiscard]] bool is_of(const Spec& spec) const {
    return vehicle == spec.vehicle && mechanism == spec.mechanism &&
           parameters == spec.parameters && tables == spec.tables && until == spec.run.until &&
           check_units == spec.check_units;
  }

  std::optional<DataSpec> vehicle;
  std::optional<MechanismSpec> mechanism;
  std::vector<ParameterSpec> parameters;
  std::vector<TableSpec> tables;
  Text until;
  bool check_units;

  VehicleModel model;
  std::shared_ptr<const multibody::Mechanism> compiled;
  std::vector<Diagnostic> said;  // warnings
};

namespace {

// Of a Spec with a vehicle: what was made of it before, or else what is made of it now.
std::shared_ptr<const Assembled> assembled(const Spec& spec, Diagnostics& diag) {
  if (spec.assembled && spec.assembled->is_of(spec)) {
    for (const Diagnostic& d : spec.assembled->said) diag.add(d);
    return spec.assembled;
  }
  Diagnostics said;
  auto made = std::make_shared<Assembled>(spec);
  if (auto vehicle = read_vehicle(spec, said)) {
    made->model = std::move(*vehicle);
    made->compiled = compile_mechanism(std::optional(made->model.mechanism), said);
  }
  for (const Diagnostic& d : said.all()) diag.add(d);
  made->said = said.all();
  return made->compiled ? made : nullptr;
}

}  // namespace

std::optional<multibody::Description> describe_mechanism(const Spec& spec, Diagnostics& diag) {
  require(has_mechanism(spec), "this model has no mechanism");
  std::optional<multibody::Description> d;
  if (!spec.vehicle)
    d = describe_topology(spec, diag);
  else if (spec.assembled && spec.assembled->is_of(spec))
    d = spec.assembled->model.mechanism;
  else if (auto vehicle = read_vehicle(spec, diag))
    d = std::move(vehicle->mechanism);
  return checked(std::move(d), diag);
}

std::shared_ptr<const multibody::Mechanism> compile_mechanism(const Spec& spec, Diagnostics& diag) {
  if (spec.vehicle) {
    const auto made = assembled(spec, diag);
    return made ? made->compiled : nullptr;
  }
  const auto description = describe_mechanism(spec, diag);
  return description ? multibody::compile(*description, diag) : nullptr;
}

std::optional<Spec> with_native_blocks(const Spec& spec, Diagnostics& diag, VehicleStart* start) {
  const auto vehicle = spec.vehicle ? assembled(spec, diag) : nullptr;
  const auto m = !spec.vehicle ? compile_mechanism(spec, diag)
                 : vehicle     ? vehicle->compiled
                               : nullptr;
  if (!m) return std::nullopt;
  const VehicleModel none, &model = vehicle ? vehicle->model : none;
  std::vector<Assignment> wiring;
  if (spec.mechanism) wiring = mechanism_wiring(spec, diag);
  const int threads = spec.run.threads.empty() ? 1 : thread_count(spec.run.threads, diag);
  if (!diag.ok()) return std::nullopt;
  if (start != nullptr) *start = model.start;

  Spec out = spec;
  out.assembled = vehicle;
  for (BlockSpec& b : out.blocks) {
    if (b.type.text == kMechanismType) {
      b.native = mechanism_kind(m, threads, model.mounts);
      b.wiring = wiring;
    } else if (b.type.text == kVehicleType) {
      b.native = model.part(b.name).kind;
    } else {
      continue;
    }
    if (spec.mechanism) gather_parameters(spec.mechanism->parameters, spec, b.made_of);
    if (spec.vehicle) gather_parameters(*spec.vehicle, spec, b.made_of);
  }
  if (!spec.vehicle) return out;
  connect_vehicle(out, model, diag);
  add_limits(out, model.limits);
  add_battery_limit(out, spec.vehicle->text.where);
  return diag.ok() ? std::optional(std::move(out)) : std::nullopt;
}

// A vehicle starts as it would go on, whatever its groups: the motion is found with all of them
// together.
std::shared_ptr<const Blueprint> make_blueprint(const Spec& spec, Diagnostics& diag) {
  if (!diag.ok()) return nullptr;
  if (!has_mechanism(spec)) return Blueprint::of(spec);
  VehicleStart start;
  auto made = with_native_blocks(spec, diag, &start);
  if (!made) return nullptr;
  auto blueprint = Blueprint::of(std::move(*made));
  if (!start.settled) return blueprint;
  Diagnostics said;
  const auto together = blueprint->compile(Partition::together(spec), said);
  if (!together) {
    for (const Diagnostic& d : said.all()) diag.add(d);
    return nullptr;
  }
  auto values = settle(together, start, diag);
  return values ? Blueprint::of(blueprint->spec(), std::move(values)) : nullptr;
}

std::shared_ptr<const ModelStructure> compile(const Spec& spec, const Partition& partition,
                                              Diagnostics& diag) {
  const auto blueprint = make_blueprint(spec, diag);
  return blueprint ? blueprint->compile(partition, diag) : nullptr;
}

std::shared_ptr<const ModelStructure> compile_for_run(const Spec& spec, Diagnostics& diag) {
  const SchemeKind scheme = find_scheme(spec.run.scheme.text).value_or(SchemeKind::single_rate);
  return compile(spec, partition_for(scheme, spec), diag);
}

}  // namespace chicane
