// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "assembly/assemble.hpp"
#include "blocks/mechanism/describe.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/say.hpp"
#include "cli/shared.hpp"
#include "io/files.hpp"
#include "io/plot/graph.hpp"
#include "session/load.hpp"

namespace chicane::cli {
namespace {

using namespace multibody;
using Json = nlohmann::ordered_json;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A mechanism by the names of its file.
struct Named {
  const Description& d;
  const Mechanism& m;
  const Topology& t = m.topology;

  [[nodiscard]] std::string link(LinkIndex i) const {
    const BodyIndex body = t.links[at(i.value)].body;
    return body.valid() ? d.bodies[at(body.value)].name : std::string(kGround);
  }
  template <class List>
  [[nodiscard]] std::vector<std::string> links(const List& list) const {
    std::vector<std::string> names;
    for (const LinkIndex i : list) names.push_back(link(i));
    return names;
  }
  [[nodiscard]] const JointDescription& joint(JointIndex j) const { return d.joints[at(j.value)]; }
  // "revolute 'hinge'", or what carries a body that no joint does.
  [[nodiscard]] std::string carried_by(const TreeLink& l) const {
    if (!l.joint.valid() || l.detached) return "floats";
    return fmt::format("{}{} '{}'", joint(l.joint).driven ? "driven " : "",
                       to_string(joint(l.joint).kind), joint(l.joint).name);
  }
  [[nodiscard]] std::vector<std::string> cut_joints() const {
    std::vector<std::string> names;
    for (const CutJoint& c : t.cuts) names.push_back(joint(c.joint).name);
    return names;
  }
  [[nodiscard]] std::vector<std::string> redundant() const {
    std::set<std::string> seen;
    std::vector<std::string> names;
    for (const RedundantRow& r : m.redundant)
      if (seen.insert(r.joint).second) names.push_back(r.joint);
    return names;
  }
  [[nodiscard]] std::vector<LinkIndex> backward_path() const {
    auto path = t.forward_path();
    std::reverse(path.begin(), path.end());
    return path;
  }
};

std::string list_or_none(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

void print_branch(const Named& n, LinkIndex i, const std::string& indent) {
  std::vector<LinkIndex> children;
  for (int k = 1; k < static_cast<int>(n.t.links.size()); ++k)
    if (n.t.links[at(k)].parent == i) children.push_back(LinkIndex{k});
  for (const LinkIndex c : children) {
    const bool last = c == children.back();
    fmt::print("{}{} {}  ({})\n", indent, last ? "`--" : "|--", n.link(c),
               n.carried_by(n.t.links[at(c.value)]));
    print_branch(n, c, indent + (last ? "    " : "|   "));
  }
}

void print_cuts(const Named& n) {
  fmt::print("\ncut joints\n");
  if (n.t.cuts.empty()) fmt::print("  none: a tree\n");
  for (const CutJoint& c : n.t.cuts)
    fmt::print("  {:<16} {}, between {} and {}: {} constraint{}; the loop meets at {}\n",
               n.joint(c.joint).name, to_string(n.joint(c.joint).kind), n.link(c.links[0]),
               n.link(c.links[1]), c.rows, c.rows == 1 ? "" : "s", n.link(c.base));
  if (n.t.clusters.empty()) return;
  fmt::print("\nclusters of loops, each solved by itself\n");
  for (std::size_t k = 0; k < n.t.clusters.size(); ++k) {
    const Cluster& c = n.t.clusters[k];
    fmt::print("  {}: on {}: {}; {} coordinates, {} constraints\n", k + 1, n.link(c.base),
               fmt::join(n.links(c.links), ", "), c.coordinates, c.rows);
  }
}

void print_text(const Named& n, const std::string& model) {
  fmt::print("{}: {}, {}, {}\n", model, counted(n.d.bodies.size(), "body", "bodies"),
             counted(n.d.joints.size(), "joint", "joints"),
             counted(n.d.forces.size(), "force", "forces"));
  fmt::print("\nbase: {}\n\ntree\n  ground\n", n.link(n.t.base));
  print_branch(n, LinkIndex{0}, "  ");
  print_cuts(n);
  fmt::print("\nchains that leave the base\n");
  for (std::size_t k = 0; k < n.t.chains.size(); ++k)
    fmt::print("  {}: {}\n", k + 1, fmt::join(n.links(n.t.chains[k]), ", "));
  fmt::print("junctions: {}\n", list_or_none(n.links(n.t.junctions)));
  fmt::print("\ncomputational paths\n  forward:  {}\n  backward: {}\n",
             fmt::join(n.links(n.t.forward_path()), ", "),
             fmt::join(n.links(n.backward_path()), ", "));
  fmt::print("  non-zero blocks of the mass matrix: {} of {}\n", n.t.mass_pattern().size(),
             n.d.bodies.size() * (n.d.bodies.size() + 1) / 2);
  fmt::print("\n{} coordinates, {} constraints\n", n.t.coordinates, n.t.constraints);
  fmt::print("freedoms: {} by counting (Gruebler), {} by rank in the initial position\n",
             n.t.freedoms(), n.m.freedoms);
  fmt::print("redundant constraints: {}\n", list_or_none(n.redundant()));
}

Json json_of(const Named& n, const std::string& model) {
  const auto names = [&](const auto& list) { return n.links(list); };
  Json tree = Json::array(), chains = Json::array(), clusters = Json::array(),
       pattern = Json::array();
  for (std::size_t i = 1; i < n.t.links.size(); ++i) {
    const TreeLink& l = n.t.links[i];
    tree.push_back(
        {{"body", n.link(LinkIndex{static_cast<int>(i)})},
         {"parent", n.link(l.parent)},
         {"joint", l.joint.valid() && !l.detached ? Json(n.joint(l.joint).name) : Json()},
         {"freedoms", l.freedoms}});
  }
  for (const auto& c : n.t.chains) chains.push_back(names(c));
  for (const Cluster& c : n.t.clusters)
    clusters.push_back({{"base", n.link(c.base)},
                        {"bodies", names(c.links)},
                        {"coordinates", c.coordinates},
                        {"constraints", c.rows}});
  for (const auto& [a, b] : n.t.mass_pattern()) pattern.push_back({n.link(a), n.link(b)});
  return {{"status", "ok"},
          {"model", model},
          {"bodies", n.d.bodies.size()},
          {"joints", n.d.joints.size()},
          {"forces", n.d.forces.size()},
          {"chains", n.t.chains.size()},
          {"loops", n.t.cuts.size()},
          {"coordinates", n.t.coordinates},
          {"constraints", n.t.constraints},
          {"freedoms", n.m.freedoms},
          {"gruebler", n.t.freedoms()},
          {"base", n.link(n.t.base)},
          {"cut_joints", n.cut_joints()},
          {"redundant", n.redundant()},
          {"junctions", names(n.t.junctions)},
          {"tree", tree},
          {"chain_bodies", chains},
          {"clusters", clusters},
          {"forward_path", names(n.t.forward_path())},
          {"backward_path", names(n.backward_path())},
          {"mass_pattern", pattern}};
}

GraphPicture picture_of(const Named& n, const std::string& model) {
  GraphPicture p;
  p.title =
      fmt::format("{}: {}, {}, {} cut, {}", model, counted(n.d.bodies.size(), "body", "bodies"),
                  counted(n.d.joints.size(), "joint", "joints"), n.t.cuts.size(),
                  counted(static_cast<std::size_t>(n.m.freedoms), "freedom", "freedoms"));
  for (std::size_t i = 0; i < n.t.links.size(); ++i) {
    const TreeLink& l = n.t.links[i];
    std::string edge = "floats";
    if (l.joint.valid() && !l.detached)
      edge = fmt::format("{} ({})", n.joint(l.joint).name, to_string(n.joint(l.joint).kind));
    p.nodes.push_back(
        {n.link(LinkIndex{static_cast<int>(i)}), i == 0 ? -1 : l.parent.value, edge, i == 0});
  }
  for (const CutJoint& c : n.t.cuts)
    p.edges.push_back(
        {c.links[0].value, c.links[1].value,
         fmt::format("{} ({})", n.joint(c.joint).name, to_string(n.joint(c.joint).kind))});
  return p;
}

}  // namespace

int topology(const TopologyOptions& o) {
  Diagnostics diag;
  const auto spec = load({.model = o.model, .manoeuvre = o.manoeuvre, .set = o.set}, diag);
  if (spec && !has_mechanism(*spec))
    diag.error({o.model, 0, ""},
               "this model has no mechanism: only one with 'topology:' or 'vehicle:' has a tree");
  if (!diag.ok()) return refuse(diag, o.json);
  const auto description = describe_mechanism(*spec, diag);
  const auto mechanism = description ? multibody::compile(*description, diag) : nullptr;
  if (!mechanism) return refuse(diag, o.json);
  say("{}", diag.text());
  const Named named{*description, *mechanism};
  std::string svg = o.svg;
  if (svg.empty() && o.plot) svg = spec->name + "-topology.svg";
  if (!svg.empty()) write_whole(svg, draw_svg(picture_of(named, spec->name)));
  if (o.json) {
    Json out = json_of(named, spec->name);
    if (!svg.empty()) out["svg"] = svg;
    print_json(out);
    return kOk;
  }
  print_text(named, spec->name);
  if (!svg.empty()) fmt::print("\nwrote {}\n", svg);
  return kOk;
}

}  // namespace chicane::cli
