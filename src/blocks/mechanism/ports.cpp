// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "blocks/mechanism/choice_code.hpp"
#include "core/at.hpp"
#include "language/bundle.hpp"
#include "multibody/forces/shown.hpp"

namespace chicane {
namespace {

using namespace multibody;

constexpr PortInfo port(const char* name, const char* unit, const char* description) {
  return {name, unit, description};
}

const std::vector<PortInfo>& total_ports() {
  static const std::vector<PortInfo> kPorts = {
      port("energy.kinetic", "J", "of all bodies"),
      port("energy.potential", "J", "of gravity and of springs"),
      port("energy.total", "J", "kinetic and potential"),
      port("power.dissipated", "W", "that dampers and friction of force elements take"),
      port("momentum.x", "kg m/s", "of all bodies"),
      port("momentum.y", "kg m/s", "of all bodies"),
      port("momentum.z", "kg m/s", "of all bodies"),
      port("angular_momentum.x", "kg m^2/s", "of all bodies about the global origin"),
      port("angular_momentum.y", "kg m^2/s", "of all bodies about the global origin"),
      port("angular_momentum.z", "kg m^2/s", "of all bodies about the global origin"),
  };
  return kPorts;
}
const std::vector<PortInfo>& power_ports() {
  static const std::vector<PortInfo> kPorts = {
      {"power.drives", "W", "that driven joints bring in", true},
      {"power.applied", "W", "that commands, wrenches and mounts bring in", true},
  };
  return kPorts;
}
const std::vector<PortInfo>& loop_ports() {
  static const std::vector<PortInfo> kPorts = {
      port("loops.residual", "-", "how far the cut joints are open, in m or rad, the worst"),
      port("loops.iterations", "-", "steps of Newton's method in this evaluation"),
      port("loops.conditioning", "-", "smallest pivot in the measure of its rate, the worst loop"),
  };
  return kPorts;
}

// Of every joint, by its first body on its second, about its point there, in global axes.
const std::vector<PortInfo>& joint_ports() {
  static const std::vector<PortInfo> kPorts = {
      port("f_x", "N", "force"),    port("f_y", "N", "force"),    port("f_z", "N", "force"),
      port("m_x", "N m", "moment"), port("m_y", "N m", "moment"), port("m_z", "N m", "moment"),
  };
  return kPorts;
}

bool is_angle(const Link& link, int coordinate) {
  switch (link.kind) {
    case JointKind::translational:
      return false;
    case JointKind::cylindrical:
      return coordinate == 0;
    case JointKind::planar:
      return coordinate == 2;
    case JointKind::free:
      return coordinate < 3;
    default:
      return true;
  }
}
bool has_quaternion(const Link& link) {
  return link.kind == JointKind::spherical || link.kind == JointKind::free;
}

std::vector<NativeState> states_of(const Mechanism& m) {
  std::vector<NativeState> q(at(m.nq)), v(at(m.nv));
  for (const Link& link : m.links) {
    if (link.driven) continue;
    if (link.nv == 0) continue;
    const bool carried = link.joint.valid() && m.joint_kinds[at(link.joint.value)] == link.kind;
    const std::string joint = carried ? " of joint " + m.joint_names[at(link.joint.value)]
                                      : " of body " + m.bodies[at(link.body.value)].name;
    const bool turns = has_quaternion(link);
    for (int k = 0; k < link.nq; ++k) {
      const bool angle = turns ? k < 4 : is_angle(link, k);
      std::string name = m.q_names[at(link.q + k)];
      if (link.nv == 1) name += angle ? ".angle" : ".displacement";
      q[at(link.q + k)] = {name,
                           turns && k < 4 ? "-"
                           : angle        ? "rad"
                                          : "m",
                           m.q[at(link.q + k)], "coordinate" + joint};
    }
    for (int k = 0; k < link.nv; ++k) {
      const bool angle = is_angle(link, k);
      std::string name = turns ? m.v_names[at(link.v + k)] : q[at(link.q + k)].name + "_rate";
      v[at(link.v + k)] = {name, angle ? "rad/s" : "m/s", m.v[at(link.v + k)], "rate" + joint};
    }
  }
  std::vector<NativeState> all = std::move(q);
  all.insert(all.end(), v.begin(), v.end());
  for (const LoopCluster& c : m.clusters)
    for (int i = c.first; i < c.first + c.links; ++i) {
      const Link& link = m.links[at(i)];
      for (int k = 0; k < link.nq && !link.driven; ++k) all[at(link.q + k)].tied = true;
      for (int k = 0; k < link.nv && !link.driven; ++k) all[at(m.nq + link.v + k)].tied = true;
    }
  for (const std::string& force : m.force_states)
    all.push_back({force + ".memory", "-", 0, "what force " + force + " remembers"});
  return all;
}

std::vector<PortInfo> inputs_of(const Mechanism& m) {
  std::vector<PortInfo> ports(3 * m.drives.size());
  for (const Link& link : m.links) {
    if (!link.driven) continue;
    const std::string unit = is_angle(link, 0) ? "rad" : "m";
    const std::string& joint = m.drives[at(link.drive)];
    PortInfo* own = ports.data() + 3 * at(link.drive);
    own[0] = {joint + ".motion", unit, "prescribed motion of joint " + joint};
    own[1] = {joint + ".motion_rate", unit + "/s", "its first derivative"};
    own[2] = {joint + ".motion_acceleration", unit + "/s^2", "its second derivative"};
  }
  for (const ForceElement& element : m.forces)
    std::visit(
        [&](const auto& e) {
          if constexpr (requires { e.command; })
            if (e.command >= 0) {
              using E = std::decay_t<decltype(e)>;
              std::string unit = std::is_same_v<E, OuterWrench> ? "-" : "N";
              if constexpr (std::is_same_v<E, Rsda>) unit = "N m";
              if constexpr (std::is_same_v<E, JointSpring>)
                for (const Link& link : m.links)
                  if (e.v == link.v && link.nv > 0 && is_angle(link, 0)) unit = "N m";
              const std::string& force = m.commands[at(e.command)];
              ports.push_back({force + ".command", unit, "command of force " + force});
            }
        },
        element);
  return ports;
}

// A force that is called like a body or a joint has its signals apart from theirs.
std::string stem_of(const Mechanism& m, const std::string& force) {
  const auto same = [&](const auto& list, auto&& name_of) {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& x) { return name_of(x) == force; });
  };
  const bool taken =
      same(m.bodies, [](const BodyFrame& b) -> const std::string& { return b.name; }) ||
      same(m.joint_names, [](const std::string& name) -> const std::string& { return name; });
  return taken ? "force." + force : force;
}

// Outputs that are tasks of their own, each written where it is named.
class ShownOutputs {
 public:
  ShownOutputs(BlockInfo& info, std::vector<TaskInfo>& tasks) : info_(info), tasks_(tasks) {}

  void add(const std::string& stem, const std::vector<ShownValue>& values, const std::string& of,
           int after) {
    TaskInfo task{.name = stem, .after = {after}};
    for (const ShownValue& v : values) {
      task.writes.push_back(static_cast<int>(info_.outputs.size()));
      info_.outputs.push_back({stem + "." + v.name, v.unit, v.what + of, true});
    }
    tasks_.push_back(std::move(task));
  }

 private:
  BlockInfo& info_;
  std::vector<TaskInfo>& tasks_;
};

void add_shown(const Mechanism& m, BlockInfo& info, std::vector<TaskInfo>& tasks) {
  ShownOutputs outputs(info, tasks);
  for (std::size_t i = 0; i < m.forces.size(); ++i) {
    const std::string& force = m.force_names[i];
    const Shown values = shown(m, m.forces[i]);
    outputs.add(stem_of(m, force), values.measures, ", force " + force, kKinematics);
    outputs.add(stem_of(m, force), values.forces, ", force " + force, kDynamics);
  }
  for (const LoopCluster& c : m.clusters)
    for (const LoopJoint& j : c.joints) {
      const std::string& joint = m.joint_names[at(j.joint.value)];
      outputs.add(joint, shown(m, j), " " + joint, kKinematics);
    }
}

// Outputs that are a bundle, written where it is named.
std::vector<int> bundled(BundleInfo::Kind kind, const std::string& name, const std::string& of,
                         BlockInfo& info) {
  std::vector<int> list(at(size_of(kind)));
  std::iota(list.begin(), list.end(), add_bundle(kind, name, of, info.outputs, info.gives, true));
  return list;
}

void add_outputs(const Mechanism& m, const std::vector<Mount>& mounts, BlockInfo& info) {
  TaskInfo kinematics{.name = "kinematics", .completes = true},
      dynamics{.name = "dynamics", .after = {kKinematics}, .rates = true},
      totals{.name = "totals", .after = {kKinematics}},
      reactions{.name = "reactions", .after = {kDynamics, kTotals}},
      choice{.name = "choice", .after = {kDynamics}, .memory = !info.memory.empty()},
      power{.name = "power", .after = {kDynamics}};
  std::vector<TaskInfo> of_bodies;
  using Kind = BundleInfo::Kind;
  for (std::size_t i = 0; i < info.inputs.size(); ++i)
    (i < 3 * m.drives.size() ? kinematics : dynamics).reads.push_back(static_cast<int>(i));
  for (const BodyFrame& b : m.bodies) {
    of_bodies.push_back({.name = b.name,
                         .writes = bundled(Kind::body, b.name, "body " + b.name, info),
                         .after = {kKinematics}});
    of_bodies.push_back({.name = b.name + ".acceleration",
                         .writes = bundled(Kind::acceleration, b.name, "body " + b.name, info),
                         .after = {kDynamics}});
  }
  for (const std::string& joint : m.joint_names)
    for (const PortInfo& p : joint_ports()) {
      reactions.writes.push_back(static_cast<int>(info.outputs.size()));
      info.outputs.push_back(
          {joint + "." + p.name, p.unit, p.description + " in joint " + joint, true});
    }
  for (const Mount& mount : mounts)
    for (const int y : bundled(Kind::pose, mount_port(mount.name), "mount " + mount.name, info))
      kinematics.writes.push_back(y);
  add_shown(m, info, of_bodies);
  for (const PortInfo& p : power_ports()) {
    power.writes.push_back(static_cast<int>(info.outputs.size()));
    info.outputs.push_back(p);
  }
  const auto add_totals = [&](const std::vector<PortInfo>& ports) {
    for (const PortInfo& p : ports) {
      totals.writes.push_back(static_cast<int>(info.outputs.size()));
      info.outputs.push_back(p);
    }
  };
  add_totals(total_ports());
  if (!m.clusters.empty()) add_totals(loop_ports());
  info.tasks = {kinematics, dynamics, totals, reactions, choice, power};
  info.tasks.insert(info.tasks.end(), of_bodies.begin(), of_bodies.end());
}

}  // namespace

int MechanismOutputs::mounts(const Mechanism& m) {
  return kOfABody * static_cast<int>(m.bodies.size()) +
         static_cast<int>(joint_ports().size() * m.joint_names.size());
}

int MechanismOutputs::totals(const Mechanism& m) {
  return static_cast<int>(total_ports().size() + (m.clusters.empty() ? 0 : loop_ports().size()));
}

ShownPlaces shown_places(const Mechanism& m, const std::vector<Mount>& mounts) {
  ShownPlaces places;
  std::size_t next = at(MechanismOutputs::mounts(m)) + mounts.size() * at(Mount::kOutputs);
  const auto place = [&](std::size_t count) {
    const ShownPlaces::Place p{next, count};
    next += count;
    return p;
  };
  for (const ForceElement& element : m.forces) {
    const Shown values = shown(m, element);
    places.measures.push_back(place(values.measures.size()));
    places.forces.push_back(place(values.forces.size()));
  }
  for (const LoopCluster& c : m.clusters)
    for (const LoopJoint& j : c.joints) places.cuts.push_back({&j, place(shown(m, j).size())});
  places.power = place(power_ports().size());
  return places;
}

BlockInfo block_info(const Mechanism& m, const std::vector<Mount>& mounts) {
  BlockInfo info;
  info.description = "a multibody mechanism";
  info.states = states_of(m);
  std::vector<double> code(at(choice_code_size(m)));
  encode(m, m.choice, code);
  for (std::size_t i = 0; i < code.size(); ++i)
    info.memory.push_back({.name = fmt::format("loops.choice_{}", i + 1),
                           .unit = "-",
                           .initial = code[i],
                           .description = "which coordinates of the loops are independent",
                           .internal = true,
                           .bookkeeping = true});
  if (!code.empty())
    info.memory.push_back({.name = "loops.choice_time",
                           .unit = "s",
                           .initial = -1.0,
                           .description = "when they were chosen; negative: before the start",
                           .internal = true,
                           .bookkeeping = true});
  info.inputs = inputs_of(m);
  for (const Mount& mount : mounts)
    add_bundle(BundleInfo::Kind::wrench, mount_port(mount.name), "mount " + mount.name, info.inputs,
               info.takes);
  add_outputs(m, mounts, info);
  return info;
}

}  // namespace chicane
