// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "core/at.hpp"
#include "multibody/check.hpp"
#include "multibody/closure/choose.hpp"
#include "multibody/closure/identical_clusters.hpp"
#include "multibody/closure/loops.hpp"
#include "multibody/closure/start.hpp"
#include "multibody/mechanism.hpp"

namespace chicane::multibody {

namespace {

int coordinates(JointKind kind) {
  return freedoms(kind) + (kind == JointKind::spherical || kind == JointKind::free ? 1 : 0);
}

bool has_axis(JointKind kind) {
  return kind != JointKind::weld && kind != JointKind::spherical && kind != JointKind::free &&
         kind != JointKind::spherical_spherical;
}

Vec3<double> unit(const Vec3<double>& a) { return (1.0 / norm(a)) * a; }

// Some direction perpendicular to a unit vector.
Vec3<double> perpendicular(const Vec3<double>& z) {
  const Vec3<double> e = std::fabs(z.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  return unit(cross(cross(z, e), z));
}

Sym3<double> in_link_axes(const Mat3<double>& R_WL, const Sym3<double>& J) {
  return rotated(transpose(R_WL), J);
}

class Compiler {
 public:
  Compiler(const Description& d, Diagnostics& diag) : d_(d), diag_(diag) {}

  std::shared_ptr<const Mechanism> run() {
    const int before = diag_.errors();
    if (!check(d_, diag_)) return nullptr;
    number();
    auto topology = analyse(graph_of(d_), diag_);
    if (!topology) return nullptr;
    m_.topology = std::move(*topology);
    make_links();
    make_clusters();
    make_nodes();
    make_branches();
    make_forces();
    if (diag_.errors() > before) return nullptr;
    gather_start();
    if (!assemble_and_choose()) return nullptr;
    return std::make_shared<const Mechanism>(std::move(m_));
  }

 private:
  // --- names and numbers --------------------------------------------------------------------

  void number() {
    for (const BodyDescription& b : d_.bodies)
      body_.emplace(b.name, BodyIndex{static_cast<int>(body_.size())});
    for (const JointDescription& j : d_.joints) {
      joint_.emplace(j.name, JointIndex{static_cast<int>(joint_.size())});
      m_.joint_names.push_back(j.name);
      m_.joint_kinds.push_back(j.kind);
    }
  }

  // --- links --------------------------------------------------------------------------------

  // The joint's frame in the position of the description. Turned over when the tree goes from the
  // second body to the first: coordinates keep their meaning, the second relative to the first.
  static Mat3<double> joint_axes(const JointDescription& j, bool reversed) {
    if (!has_axis(j.kind)) return Mat3<double>::identity();
    Vec3<double> z = unit(j.axis);
    Vec3<double> x = j.second_axis ? unit(*j.second_axis) : perpendicular(z);
    if (j.kind == JointKind::universal) {
      Vec3<double> y = x;  // the second axis is y
      if (reversed) std::swap(y, z), y = -y, z = -z;
      return {cross(y, z), y, z};
    }
    if (reversed) z = -z;
    return {x, cross(z, x), z};
  }

  void make_links() {
    m_.bodies.resize(d_.bodies.size());
    m_.gravity = d_.gravity;
    R_WL_.assign(m_.topology.links.size(), Mat3<double>::identity());
    p_WL_.assign(m_.topology.links.size(), {});
    m_.links.resize(m_.topology.links.size());
    for (int i = 1; i < static_cast<int>(m_.links.size()); ++i) make_link(i);
    // Driven joints come after all others.
    for (Link& link : m_.links)
      if (link.driven) link.q = m_.nq + link.drive, link.v = m_.nv + link.drive;
  }

  void make_link(int i) {
    const TreeLink& t = m_.topology.links[at(i)];
    const BodyDescription& body = d_.bodies[at(t.body.value)];
    Link& link = m_.links[at(i)];
    link.body = t.body;
    link.joint = t.joint;
    link.reversed = t.reversed;
    link.parent = t.parent.value;
    std::string name = body.name + ".free";  // where no joint of the file carries it
    Vec3<double> origin = body.reference.value_or(body.com);
    link.kind = JointKind::free;
    if (t.joint.valid() && !t.detached) {
      const JointDescription& j = d_.joints[at(t.joint.value)];
      name = j.name;
      origin = j.at;
      link.kind = j.kind;
      link.driven = j.driven;
      link.pitch = j.pitch;
      R_WL_[at(i)] = joint_axes(j, t.reversed);
    }
    p_WL_[at(i)] = origin;
    place_in_parent(link, i, body);
    number_coordinates(link, name);
    m_.bodies[at(t.body.value)] = {body.name, i, transpose(R_WL_[at(i)]),
                                   local(i, body.reference.value_or(body.com))};
  }

  [[nodiscard]] Vec3<double> local(int link, const Vec3<double>& p) const {
    return transposed_times(R_WL_[at(link)], p - p_WL_[at(link)]);
  }

  void place_in_parent(Link& link, int i, const BodyDescription& body) {
    const Mat3<double>& R = R_WL_[at(i)];
    link.R_PJ = transpose(R_WL_[at(link.parent)]) * R;
    link.p_PJ = local(link.parent, p_WL_[at(i)]);
    RigidInertia<double> I{body.mass, {}, in_link_axes(R, body.inertia)};
    link.I = about(I, local(i, body.com));
  }

  void number_coordinates(Link& link, const std::string& name) {
    if (link.driven) {
      link.drive = static_cast<int>(m_.drives.size());
      m_.drives.push_back(name);
      return;
    }
    link.q = m_.nq;
    link.v = m_.nv;
    link.nv = freedoms(link.kind);
    link.nq = coordinates(link.kind);
    m_.nq += link.nq;
    m_.nv += link.nv;
    const auto add = [&](std::vector<std::string>& to, std::initializer_list<const char*> parts) {
      for (const char* part : parts) to.push_back(*part ? name + "." + part : name);
    };
    switch (link.kind) {
      case JointKind::cylindrical:
        add(m_.q_names, {"angle", "displacement"});
        break;
      case JointKind::universal:
        add(m_.q_names, {"first", "second"});
        break;
      case JointKind::planar:
        add(m_.q_names, {"x", "y", "angle"});
        break;
      case JointKind::spherical:
        add(m_.q_names, {"q_w", "q_x", "q_y", "q_z"});
        add(m_.v_names, {"omega_x", "omega_y", "omega_z"});
        return;
      case JointKind::free:
        add(m_.q_names, {"q_w", "q_x", "q_y", "q_z", "x", "y", "z"});
        add(m_.v_names, {"omega_x", "omega_y", "omega_z", "v_x", "v_y", "v_z"});
        return;
      default:
        if (link.nv == 1) add(m_.q_names, {""});
    }
    for (int k = 0; k < link.nv; ++k)
      m_.v_names.push_back(m_.q_names[m_.q_names.size() - at(link.nv) + at(k)]);
  }

  // --- loops --------------------------------------------------------------------------------

  static std::vector<LoopRow> rows_of(JointKind kind) {
    using Type = LoopRow::Type;
    constexpr int x = 0, y = 1, z = 2;
    const LoopRow px{Type::offset, x}, py{Type::offset, y}, pz{Type::offset, z};
    const LoopRow yz{Type::angle, y, z}, zx{Type::angle, z, x}, xy{Type::angle, x, y};
    const LoopRow xz{Type::angle, x, z}, zy{Type::angle, z, y}, length{Type::distance};
    switch (kind) {
      case JointKind::weld:
        return {px, py, pz, yz, zx, xy};
      case JointKind::revolute:
        return {px, py, pz, xz, yz};
      case JointKind::translational:
        return {px, py, yz, zx, xy};
      case JointKind::cylindrical:
        return {px, py, xz, yz};
      case JointKind::screw:
        return {px, py, xz, yz, {Type::thread}};
      case JointKind::universal:
        return {px, py, pz, zy};
      case JointKind::spherical:
        return {px, py, pz};
      case JointKind::planar:
        return {pz, zx, zy};
      case JointKind::free:
        return {};
      case JointKind::spherical_spherical:
        return {length};
      case JointKind::spherical_revolute:
        return {pz, length};
      case JointKind::spherical_translational:
        return {px, py};
    }
    return {};
  }

  void make_clusters() {
    for (const Cluster& t : m_.topology.clusters) {
      LoopCluster c;
      c.base = t.base.value;
      c.first = t.links.front().value;
      c.links = static_cast<int>(t.links.size());
      c.nv = t.coordinates;
      c.rows = t.rows;
      c.form = d_.loops;
      c.v = m_.nv;
      for (const LinkIndex i : t.links)
        if (const Link& link = m_.links[at(i.value)]; link.nv > 0) c.v = std::min(c.v, link.v);
      int row = 0;
      for (const int k : t.cuts) {
        c.joints.push_back(loop_joint(c, m_.topology.cuts[at(k)], row));
        for (const LoopColumn& x : c.joints.back().columns) c.driven = c.driven || x.local < 0;
        row += static_cast<int>(c.joints.back().rows.size());
      }
      lay_out_rows(c);
      m_.clusters.push_back(std::move(c));
    }
  }

  // Of a large cluster whose joints each touch few of its rates, G has only what they touch.
  static void lay_out_rows(LoopCluster& c) {
    constexpr int kLarge = 12, kFew = 3;  // rates; a part of them
    int most = 0;
    for (LoopJoint& j : c.joints) {
      j.width = 0;
      for (LoopColumn& x : j.columns)
        if (x.local >= 0) x.entry = j.width++;
      most = std::max(most, j.width);
    }
    c.chain = c.nv >= kLarge && kFew * most <= c.nv;
    for (int k = 0; k < static_cast<int>(c.joints.size()); ++k) {
      LoopJoint& j = c.joints[at(k)];
      if (c.chain) {
        c.joint_of_row.resize(c.joint_of_row.size() + j.rows.size(), k);
      } else {
        j.width = c.nv;
        for (LoopColumn& x : j.columns) x.entry = x.local;
      }
      j.G = c.entries;
      c.entries += j.width * static_cast<int>(j.rows.size());
    }
  }

  LoopJoint loop_joint(const LoopCluster& c, const CutJoint& cut, int row) {
    const JointDescription& j = d_.joints[at(cut.joint.value)];
    if (j.driven)
      diag_.error(j.where, "driven joint '{}' closes a loop of driven joints: drive fewer", j.name);
    LoopJoint loop{.joint = cut.joint, .pitch = j.pitch, .rows = rows_of(j.kind), .row = row};
    // A massless link with an axis: that is on the second body, which then is A.
    const bool swapped =
        j.kind == JointKind::spherical_revolute || j.kind == JointKind::spherical_translational;
    loop.swapped = swapped;
    std::array<Vec3<double>, 2> points{j.at, j.at};
    if (j.kind == JointKind::spherical_spherical || j.kind == JointKind::spherical_revolute)
      points[1] = j.second_at;
    const Mat3<double> R = joint_axes(j, false);
    for (const std::size_t side : {0u, 1u}) {
      const std::size_t from = swapped ? 1 - side : side;
      loop.link[side] = cut.links[from].value;
      const int local_link = loop.link[side] - c.first;
      loop.local[side] = loop.link[side] == c.base                 ? -1
                         : local_link >= 0 && local_link < c.links ? local_link
                                                                   : -2;
      for (const LinkIndex i : cut.path[from]) add_columns(loop, c, i.value, side == 0 ? -1 : 1);
      loop.R_LJ[side] = transpose(R_WL_[at(loop.link[side])]) * R;
      loop.p_LJ[side] = local(loop.link[side], points[from]);
    }
    using Type = LoopRow::Type;
    for (const LoopRow& r : loop.rows) {
      loop.distance = loop.distance || r.type == Type::distance;
      loop.axes[0] = loop.axes[0] || r.type != Type::distance;
      loop.axes[1] = loop.axes[1] || r.type == Type::angle || r.type == Type::thread;
    }
    loop.own_axes = j.kind == JointKind::spherical;  // any will do
    loop.pinned = loop.rows.size() >= 3 && loop.rows[2].type == Type::offset;
    const Vec3<double> d = swapped ? points[0] - points[1] : points[1] - points[0];
    for (const LoopRow& r : loop.rows) {
      const bool offset = r.type == Type::offset && is_composite(j.kind);
      loop.value.push_back(r.type == Type::distance ? norm(d)
                           : offset                 ? dot(axis(R, r.e), d)
                                                    : 0.0);
    }
    return loop;
  }

  void add_columns(LoopJoint& loop, const LoopCluster& c, int i, double sign) const {
    const Link& link = m_.links[at(i)];
    if (link.driven) loop.columns.push_back({link.v, i, -1, sign});
    for (int k = 0; k < link.nv; ++k)
      loop.columns.push_back({link.v + k, i, link.v + k - c.v, sign});
  }

  void make_nodes() {
    for (int i = 1; i < static_cast<int>(m_.links.size());) {
      const int cluster = m_.topology.cluster_of[at(i)];
      m_.nodes.push_back({i, cluster});
      if (cluster < 0) {
        m_.links[at(m_.links[at(i)].parent)].leaf = false;
        ++i;
      } else {
        m_.links[at(m_.clusters[at(cluster)].base)].leaf = false;
        i += m_.clusters[at(cluster)].links;
      }
    }
  }

  // The trunk goes on as long as one unit carries all that follow; what is welded to it or driven
  // belongs to it, as loops of several branches may end there.
  void make_branches() {
    std::vector<int> unit_of(m_.links.size(), -1), carrier;
    for (int u = 0; u < static_cast<int>(m_.nodes.size()); ++u) {
      const TreeNode& node = m_.nodes[at(u)];
      const bool single = node.cluster < 0;
      const int links = single ? 1 : m_.clusters[at(node.cluster)].links;
      for (int i = node.link; i < node.link + links; ++i) unit_of[at(i)] = u;
      carrier.push_back(unit_of[at(single ? m_.links[at(node.link)].parent
                                          : m_.clusters[at(node.cluster)].base)]);
    }
    const int n = static_cast<int>(carrier.size());
    for (;; ++m_.trunk) {
      m_.branches.clear();
      for (int u = m_.trunk; u < n; ++u)
        if (carrier[at(u)] < m_.trunk) m_.branches.push_back({u, n});
      const bool prescribed = m_.trunk < n && m_.nodes[at(m_.trunk)].cluster < 0 &&
                              m_.links[at(m_.nodes[at(m_.trunk)].link)].nv == 0;
      if (m_.branches.size() != 1 && !prescribed) break;
    }
    for (std::size_t b = 1; b < m_.branches.size(); ++b)
      m_.branches[b - 1].last = m_.branches[b].first;
  }

  // --- forces -------------------------------------------------------------------------------

  void make_forces() {
    for (const ForceDescription& f : d_.forces) {
      m_.force_names.push_back(f.name);
      std::visit([&](const auto& law) { make_force(law, f); }, f.law);
    }
  }

  [[nodiscard]] int link_of(const std::string& body) const {
    return body == kGround ? 0 : m_.bodies[at(body_.at(body).value)].link;
  }
  template <std::size_t n>
  [[nodiscard]] std::array<int, n> links_of(const std::array<std::string, n>& bodies) const {
    std::array<int, n> links{};
    for (std::size_t i = 0; i < n; ++i) links[i] = link_of(bodies[i]);
    return links;
  }
  [[nodiscard]] Points local(const std::array<int, 2>& link, const Points& p) const {
    return {local(link[0], p[0]), local(link[1], p[1])};
  }
  [[nodiscard]] Frames frames(const std::array<int, 2>& link, const Mat3<double>& R,
                              const Vec3<double>& p) const {
    return {{transpose(R_WL_[at(link[0])]) * R, transpose(R_WL_[at(link[1])]) * R},
            local(link, {p, p})};
  }

  int command(const ForceDescription& f) {
    if (f.command.empty()) return -1;
    m_.commands.push_back(f.name);
    return static_cast<int>(m_.commands.size()) - 1;
  }
  int state(const ForceDescription& f) {
    m_.force_states.push_back(f.name);
    return static_cast<int>(m_.force_states.size()) - 1;
  }

  // Along which axis, in those of the first link, and how long it is. A length counts from the
  // first point to the second, whichever way the axis was written.
  struct LineOfAction {
    Axis axis;
    double length;
  };
  template <class Law>
  [[nodiscard]] LineOfAction line_of_action(const Law& law, int first) const {
    const Vec3<double> d = law.points[1] - law.points[0];
    if (!law.axis) return {std::nullopt, norm(d)};
    const Vec3<double> along = unit(*law.axis), back = -along;
    const Vec3<double>& axis = dot(along, d) < 0.0 ? back : along;
    return {transposed_times(R_WL_[at(first)], axis), dot(axis, d)};
  }

  void make_force(const TsdaDescription& law, const ForceDescription& f) {
    Tsda e{.link = links_of(law.connects)};
    const LineOfAction line = line_of_action(law, e.link[0]);
    if (!law.axis && !(line.length > 0.0))
      diag_.error(f.where, "the points of force '{}' coincide: it has no direction", f.name);
    e.law = {local(e.link, law.points),
             {law.stiffness, law.damping, -law.force, law.spring, law.damper},
             law.free_length.value_or(line.length),
             line.length,
             line.axis,
             law.ends};
    e.command = command(f);
    m_.forces.emplace_back(std::move(e));
  }

  void make_force(const BumpStopDescription& law, const ForceDescription&) {
    BumpStop e{.link = links_of(law.connects)};
    const LineOfAction line = line_of_action(law, e.link[0]);
    e.law = {local(e.link, law.points), law.law, law.contact, law.rebound, line.length, line.axis};
    m_.forces.emplace_back(std::move(e));
  }

  BushingElement bushing(const BushingDescription& law, const std::array<int, 2>& link) const {
    const Vec3<double> z = unit(law.axis), x = unit(law.second_axis);
    return {frames(link, {x, cross(z, x), z}, law.at), law.stiffness, law.damping};
  }
  void make_force(const BushingDescription& law, const ForceDescription&) {
    const auto link = links_of(law.connects);
    m_.forces.emplace_back(Bushing{link, bushing(law, link)});
  }
  void make_force(const LeafSpringDescription& law, const ForceDescription& f) {
    const auto link = links_of(law.bushing.connects);
    m_.forces.emplace_back(
        LeafSpring{link, {bushing(law.bushing, link), law.vertical, law.friction}, state(f)});
  }

  void make_force(const AntiRollBarDescription& law, const ForceDescription&) {
    AntiRollBar e{.link = links_of(law.connects)};
    const Vec3<double> axis = unit(law.axis);
    e.law = {transposed_times(R_WL_[at(e.link[0])], axis),
             local(e.link[1], law.points[0]),
             local(e.link[2], law.points[1]),
             law.stiffness,
             law.damping,
             dot(axis, law.points[0] - law.points[1])};
    m_.forces.emplace_back(e);
  }

  void make_force(const WrenchDescription& law, const ForceDescription& f) {
    OuterWrench e{.link = link_of(law.body)};
    const Mat3<double>& R = R_WL_[at(e.link)];
    e.law = {local(e.link, law.at), {law.moment, law.force}, law.follows};
    if (law.follows) e.law.f = {transposed_times(R, law.moment), transposed_times(R, law.force)};
    e.command = command(f);
    m_.forces.emplace_back(e);
  }

  // The link whose first rate is that of the joint; null where the joint is cut or driven.
  [[nodiscard]] const Link* link_at(const std::string& joint) const {
    for (const Link& link : m_.links)
      if (link.joint == joint_.at(joint) && !link.driven && link.nv > 0 &&
          link.kind == d_.joints[at(link.joint.value)].kind)
        return &link;
    return nullptr;
  }

  const Link* need_link(const std::string& joint, const ForceDescription& f) {
    const Link* link = link_at(joint);
    if (link == nullptr)
      diag_.error(f.where,
                  "force '{}' acts on joint '{}', which is cut or driven: make another joint of "
                  "its loop the one that is cut, with 'cut:'",
                  f.name, joint);
    return link;
  }

  void make_force(const JointSpringDescription& law, const ForceDescription& f) {
    const SpringDamper own{law.stiffness, law.damping, -law.force, law.spring, law.damper};
    const JointDescription& j = d_.joints[at(joint_.at(law.joint).value)];
    if (j.kind != JointKind::translational && !j.driven && link_at(law.joint) == nullptr) {
      Rsda e{.link = links_of(j.connects)};
      e.law = {frames(e.link, joint_axes(j, false), j.at), own, law.rest};
      e.command = command(f);
      e.z = state(f);
      m_.forces.emplace_back(std::move(e));
    } else if (const Link* link = need_link(law.joint, f)) {
      m_.forces.emplace_back(JointSpring{link->v, link->q, own, law.rest, command(f)});
    }
  }
  void make_force(const JointLimitDescription& law, const ForceDescription& f) {
    if (const Link* link = need_link(law.joint, f))
      m_.forces.emplace_back(JointStop{link->v, link->q, {law.lower, law.upper, law.law}});
  }
  void make_force(const JointFrictionDescription& law, const ForceDescription& f) {
    if (const Link* link = need_link(law.joint, f))
      m_.forces.emplace_back(JointDrag{link->v, {law.dry, law.damping}, state(f)});
  }

  // --- the start ----------------------------------------------------------------------------

  // What is asked of the joints, and where driven ones begin.
  void gather_start() {
    m_.q.assign(at(m_.nq), 0.0);
    m_.v.assign(at(m_.nv), 0.0);
    drives_.resize(m_.drives.size());
    for (const Link& link : m_.links) {
      if (link.kind == JointKind::spherical || link.kind == JointKind::free) m_.q[at(link.q)] = 1.0;
      if (!link.joint.valid()) continue;
      const JointDescription& j = d_.joints[at(link.joint.value)];
      if (link.driven) {
        if (!j.initial.empty()) drives_[at(link.drive)].q = j.initial[0];
        if (!j.initial_rate.empty()) drives_[at(link.drive)].v = j.initial_rate[0];
      } else if (j.kind == link.kind) {  // not a massless link
        ask(link.joint);
      }
    }
    for (const CutJoint& cut : m_.topology.cuts) ask(cut.joint);
  }

  void ask(JointIndex joint) {
    const JointDescription& j = d_.joints[at(joint.value)];
    if (!j.initial.empty() || !j.initial_rate.empty())
      asked_.push_back({joint, {j.initial, j.initial_rate}});
  }

  bool assemble_and_choose() {
    Workspace<double> ws(m_);
    if (const Start start = hold(m_, asked_, m_.q, m_.v, drives_, ws); !start.ok()) {
      if (!start.closed) report_open_loops(ws);
      for (const StartMiss& miss : start.misses) report(miss, start);
      return false;
    }
    m_.freedoms = m_.nv;
    for (std::size_t k = 0; k < m_.clusters.size(); ++k) {
      LoopCluster& c = m_.clusters[k];
      c.reach = reach_of_rates(m_, c, ws, ws.loops[k]);
      ClusterChoice choice;
      choose(c, ws.loops[k], choice);
      m_.freedoms -= static_cast<int>(choice.dependent.size());
      note_redundant(c, static_cast<int>(k), choice);
      m_.choice.push_back(std::move(choice));
    }
    measure_conditioning(ws);
    find_identical_clusters(m_);
    share_choices();
    return true;
  }

  // IdenticalClusters are evaluated side by side while they have the same independent coordinates:
  // those of the first, where they are nearly as good for the others as their own.
  void share_choices() {
    constexpr double kNearly = 0.5;
    Workspace<double> ws(m_);
    std::vector<double> q = m_.q, v = m_.v;
    for (const IdenticalClusters& t : m_.identical)
      for (const int k : t.clusters) {
        const ClusterChoice &first = m_.choice[at(t.clusters[0])], &own = m_.choice[at(k)];
        if (own == first || !std::is_permutation(own.rows.begin(), own.rows.end(),
                                                 first.rows.begin(), first.rows.end()))
          continue;
        Choice shared = m_.choice;
        shared[at(k)] = first;
        if (kinematics<double>(m_, shared, q, v, drives_, ws) == Status::ok &&
            ws.loops[at(k)].conditioning >= kNearly * m_.clusters[at(k)].conditioning)
          m_.choice = std::move(shared);
      }
  }

  // A start near a singular position is no measure of what is good.
  void measure_conditioning(Workspace<double>& ws) {
    std::vector<double> q = m_.q, v = m_.v;
    kinematics<double>(m_, m_.choice, q, v, drives_, ws);
    for (std::size_t k = 0; k < m_.clusters.size(); ++k)
      m_.clusters[k].conditioning = std::clamp(ws.loops[k].conditioning, 0.05, 1.0);
  }

  void report_open_loops(const Workspace<double>& ws) {
    for (std::size_t k = 0; k < m_.clusters.size(); ++k)
      for (const LoopJoint& j : m_.clusters[k].joints) {
        double gap = 0.0;
        for (std::size_t r = 0; r < j.rows.size(); ++r)
          gap = std::max(gap, std::fabs(ws.loops[k].residual[at(j.row) + r]));
        const JointDescription& joint = d_.joints[at(j.joint.value)];
        if (gap > kLoopTolerance)
          diag_.error(joint.where,
                      "joint '{}' stays open by {:.3g} m or rad where the driven joints of its "
                      "loop begin: change their motion, or the places of its joints",
                      joint.name, gap);
      }
  }

  // The values that are asked together, and how far they are from what the loops allow.
  void report(const StartMiss& miss, const Start& start) {
    const JointDescription& j = d_.joints[at(miss.joint.value)];
    const char* key = miss.rate ? "initial_rate" : "initial";
    Location where = miss.rate ? j.rate_where : j.initial_where;
    if (where.line == 0) {
      where = j.numbers;
      where.key += fmt::format("{}{}", where.key.empty() ? "" : ".", key);
    }
    std::string others;
    for (const StartMiss& other : start.misses)
      if (other.joint != miss.joint)
        others += fmt::format("{}'{}' {:.6g}", others.empty() ? " beside " : ", ",
                              d_.joints[at(other.joint.value)].name, fmt::join(other.asked, ", "));
    diag_.error(where,
                "joint '{}' cannot start with {} {:.6g}{}: its loop comes as near as {:.6g} and "
                "misses by {:.3g}; ask for what it can reach{}",
                j.name, key, fmt::join(miss.asked, ", "), others, fmt::join(miss.nearest, ", "),
                miss.distance(), others.empty() ? "" : ", or leave some of these values out");
  }

  void note_redundant(const LoopCluster& c, int cluster, const ClusterChoice& choice) {
    for (const LoopJoint& j : c.joints)
      for (int r = j.row; r < j.row + static_cast<int>(j.rows.size()); ++r)
        if (std::find(choice.rows.begin(), choice.rows.end(), r) == choice.rows.end())
          m_.redundant.push_back({m_.joint_names[at(j.joint.value)], cluster, r});
  }

  const Description& d_;
  Diagnostics& diag_;
  std::map<std::string, BodyIndex> body_;
  std::map<std::string, JointIndex> joint_;
  std::vector<Mat3<double>> R_WL_;  // in the position of the description
  std::vector<Vec3<double>> p_WL_;
  std::vector<StartValue> asked_;
  std::vector<Drive<double>> drives_;  // where they begin
  Mechanism m_;
};

}  // namespace

std::shared_ptr<const Mechanism> compile(const Description& description, Diagnostics& diag) {
  return Compiler(description, diag).run();
}

}  // namespace chicane::multibody
