// SPDX-License-Identifier: Apache-2.0
#include "assembly/assemble.hpp"

#include "assembly/start/settle.hpp"
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

std::optional<multibody::Description> describe_mechanism(const Spec& spec, Diagnostics& diag) {
  require(has_mechanism(spec), "this model has no mechanism");
  std::optional<multibody::Description> d;
  if (!spec.vehicle)
    d = describe_topology(spec, diag);
  else if (auto vehicle = read_vehicle(spec, diag))
    d = std::move(vehicle->mechanism);
  return checked(std::move(d), diag);
}

std::shared_ptr<const multibody::Mechanism> compile_mechanism(const Spec& spec, Diagnostics& diag) {
  const auto description = describe_mechanism(spec, diag);
  return description ? multibody::compile(*description, diag) : nullptr;
}

std::optional<Spec> with_native_blocks(const Spec& spec, Diagnostics& diag, VehicleStart* start) {
  VehicleModel model;
  if (spec.vehicle) {
    auto vehicle = read_vehicle(spec, diag);
    if (!vehicle) return std::nullopt;
    model = std::move(*vehicle);
  }
  auto m = spec.vehicle ? compile_mechanism(std::optional(model.mechanism), diag)
                        : compile_mechanism(spec, diag);
  if (!m) return std::nullopt;
  std::vector<Assignment> wiring;
  if (spec.mechanism) wiring = mechanism_wiring(spec, diag);
  const int threads = spec.run.threads.empty() ? 1 : thread_count(spec.run.threads, diag);
  if (!diag.ok()) return std::nullopt;
  wiring.insert(wiring.end(), model.mechanism_wiring.begin(), model.mechanism_wiring.end());
  if (start != nullptr) *start = model.start;

  Spec out = spec;
  for (BlockSpec& b : out.blocks) {
    if (b.type.text == kMechanismType) {
      b.native = mechanism_kind(m, threads, model.mounts);
      b.wiring = wiring;
    } else if (b.type.text == kVehicleType) {
      VehicleModel::PartBlock& part = model.part(b.name);
      b.native = std::move(part.kind);
      b.wiring = std::move(part.wiring);
    } else {
      continue;
    }
    if (spec.mechanism) gather_parameters(spec.mechanism->parameters, spec, b.made_of);
    if (spec.vehicle) gather_parameters(*spec.vehicle, spec, b.made_of);
  }
  if (spec.vehicle) add_limits(out, model.limits);
  return out;
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
