#include "system/mechanism/block.hpp"

#include <algorithm>
#include <limits>

#include "multibody/closure/project.hpp"
#include "multibody/dynamics/mass_matrix.hpp"
#include "multibody/dynamics/reactions.hpp"
#include "system/mechanism/choice_code.hpp"
#include "system/mechanism/describe.hpp"

namespace chicane {
namespace {

using namespace multibody;

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

// --- what it looks like from outside -------------------------------------------------------------

enum Task { kKinematics, kDynamics, kBodies, kAccelerations, kTotals, kReactions, kChoice };

constexpr PortInfo port(const char* name, const char* unit, const char* description) {
  return {name, unit, description};
}

// Of every body, of its frame's origin, in global axes.
const std::vector<PortInfo>& body_ports() {
  static const std::vector<PortInfo> kPorts = {
      port("x", "m", "position"),
      port("y", "m", "position"),
      port("z", "m", "position"),
      port("q_w", "-", "orientation"),
      port("q_x", "-", "orientation"),
      port("q_y", "-", "orientation"),
      port("q_z", "-", "orientation"),
      port("v_x", "m/s", "velocity"),
      port("v_y", "m/s", "velocity"),
      port("v_z", "m/s", "velocity"),
      port("omega_x", "rad/s", "turning rate"),
      port("omega_y", "rad/s", "turning rate"),
      port("omega_z", "rad/s", "turning rate"),
      port("a_x", "m/s^2", "acceleration"),
      port("a_y", "m/s^2", "acceleration"),
      port("a_z", "m/s^2", "acceleration"),
      port("alpha_x", "rad/s^2", "turning acceleration"),
      port("alpha_y", "rad/s^2", "turning acceleration"),
      port("alpha_z", "rad/s^2", "turning acceleration"),
  };
  return kPorts;
}
constexpr int kPlaces = 13;  // of those, before the accelerations

const std::vector<PortInfo>& total_ports() {
  static const std::vector<PortInfo> kPorts = {
      port("energy.kinetic", "J", "of all bodies"),
      port("energy.potential", "J", "of gravity and of springs"),
      port("energy.total", "J", "kinetic and potential"),
      port("momentum.x", "kg m/s", "of all bodies"),
      port("momentum.y", "kg m/s", "of all bodies"),
      port("momentum.z", "kg m/s", "of all bodies"),
      port("angular_momentum.x", "kg m^2/s", "of all bodies about the global origin"),
      port("angular_momentum.y", "kg m^2/s", "of all bodies about the global origin"),
      port("angular_momentum.z", "kg m^2/s", "of all bodies about the global origin"),
  };
  return kPorts;
}
const std::vector<PortInfo>& loop_ports() {
  static const std::vector<PortInfo> kPorts = {
      port("loops.residual", "-", "how far the cut joints are open, in m or rad, the worst"),
      port("loops.iterations", "-", "steps of Newton's method in this evaluation"),
      port("loops.conditioning", "-", "smallest pivot over largest, the worst loop"),
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
    const std::string joint =
        link.nv == 0 ? "" : " of joint " + m.joint_names[at(link.joint.value)];
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

// --- what it does --------------------------------------------------------------------------------

template <class T>
struct MechanismScratch final : BlockScratch {
  explicit MechanismScratch(const Mechanism& mechanism)
      : ws(mechanism),
        q(at(mechanism.nq)),
        v(at(mechanism.nv)),
        drives(mechanism.drives.size()),
        command(mechanism.commands.size()),
        reaction(mechanism.joint_names.size()),
        choice(mechanism.choice),
        next(mechanism.choice),
        code(at(choice_code_size(mechanism))),
        m(mechanism) {
    for (Choice* c : {&choice, &next})
      for (std::size_t k = 0; k < c->size(); ++k)
        for (auto* list : {&(*c)[k].independent, &(*c)[k].dependent, &(*c)[k].rows})
          list->reserve(at(std::max(m.clusters[k].nv, m.clusters[k].rows)));
    encode(m, choice, code);
  }

  Workspace<T> ws;
  std::vector<T> q, v;
  std::vector<Drive<T>> drives;
  std::vector<T> command;
  std::vector<Wrench<T>> reaction;
  Choice choice, next;       // of this evaluation, and for those after the step
  std::vector<double> code;  // of `choice`
  Status status = Status::ok;
  double residual = 0.0;  // the largest
  const Mechanism& m;
  std::int64_t evaluations = 0, iterations = 0, choices = 0;

  [[nodiscard]] std::string complaint() const override {
    if (status == Status::ok) return {};
    if (m.clusters.empty())
      return "accelerations are not determined there: look for a body without inertia";
    if (status != Status::loop_open) {
      const auto poorest = std::min_element(
          ws.loops.begin(), ws.loops.end(),
          [](const auto& a, const auto& b) { return a.conditioning < b.conditioning; });
      const LoopCluster& c = m.clusters[static_cast<std::size_t>(poorest - ws.loops.begin())];
      return fmt::format(
          "the loop through joint '{}' does not determine accelerations: the mechanism is at the "
          "end "
          "of its way, or can go on in two ways",
          m.joint_names[at(c.joints.front().joint.value)]);
    }
    double worst = -1.0;
    std::string_view joint;
    for (std::size_t k = 0; k < m.clusters.size(); ++k)
      for (const LoopJoint& j : m.clusters[k].joints)
        for (std::size_t r = 0; r < j.rows.size(); ++r) {
          const double open = std::fabs(value_of(ws.loops[k].residual[at(j.row) + r]));
          if (open > worst || joint.empty()) worst = open, joint = m.joint_names[at(j.joint.value)];
        }
    return fmt::format(
        "the loop through joint '{}' cannot be closed, {:.3g} m or rad stay open: the mechanism "
        "may "
        "be at the end of its way, or the step too long",
        joint, worst);
  }
  [[nodiscard]] std::vector<Count> counts() const override {
    if (m.clusters.empty()) return {};
    return {{"loop evaluations", evaluations},
            {"Newton iterations", iterations},
            {"new choices of coordinates", choices},
            {"evaluations with multipliers", ws.multiplier_evaluations}};
  }
};

template <class T>
class MechanismBlock final : public Block<T> {
 public:
  explicit MechanismBlock(std::shared_ptr<const Mechanism> m) : m_(std::move(m)) {}

  [[nodiscard]] std::unique_ptr<BlockScratch> make_scratch() const override {
    return std::make_unique<MechanismScratch<T>>(*m_);
  }

  void run(int task, const BlockView<T>& view) const noexcept override {
    auto& s = static_cast<MechanismScratch<T>&>(*view.own);
    if (task >= kBodies && task <= kReactions && s.status != Status::ok)
      return fill_with_nan(view.y);
    switch (task) {
      case kKinematics:
        return complete(view, s);
      case kDynamics:
        return accelerate(view, s);
      case kBodies:
        return show_places(view, s);
      case kAccelerations:
        return show_accelerations(view, s);
      case kTotals:
        return show_totals(view, s);
      case kReactions:
        return show_reactions(view, s);
      case kChoice:
        return encode_next(view, s);
      default:
        return;
    }
  }

 private:
  using View = BlockView<T>;
  using Scratch = MechanismScratch<T>;

  static void fill_with_nan(std::span<T> list) {
    std::fill(list.begin(), list.end(), T(std::numeric_limits<double>::quiet_NaN()));
  }
  [[nodiscard]] std::size_t nq() const { return at(m_->nq); }
  [[nodiscard]] std::size_t nv() const { return at(m_->nv); }

  // Coordinates and rates that the loops allow, and where everything is.
  void complete(const View& view, Scratch& s) const noexcept {
    read_choice(view, s);
    for (std::size_t d = 0; d < s.drives.size(); ++d)
      for (std::size_t k = 0; k < 3; ++k)
        (k == 0   ? s.drives[d].q
         : k == 1 ? s.drives[d].v
                  : s.drives[d].a) = view.u(static_cast<int>(3 * d + k));
    std::copy_n(view.x.begin(), nq(), s.q.begin());
    std::copy_n(view.x.begin() + m_->nq, nv(), s.v.begin());
    place(view, s);
    ++s.evaluations;
    if (s.status != Status::ok) return;
    s.residual = 0.0;
    for (const ClusterScratch<T>& c : s.ws.loops)
      for (const T& r : c.residual) s.residual = std::max(s.residual, std::fabs(value_of(r)));
    std::copy(s.q.begin(), s.q.end(), view.completed.begin());
    std::copy(s.v.begin(), s.v.end(), view.completed.begin() + m_->nq);
  }

  // Within a step loops are closed as well as derivatives need it. At its start the state is
  // brought back to where it belongs, and other coordinates are chosen where that is due.
  void place(const View& view, Scratch& s) const noexcept {
    if constexpr (std::is_same_v<T, double>) {
      if (view.full) {
        s.next = s.choice;
        const Projection p = project(*m_, s.next, s.q, s.v, s.drives, s.ws);
        s.status = p.status;
        s.iterations += p.iterations;
        if (p.chosen && p.status == Status::ok)  // choosing has used the scratch
          s.status = kinematics<T>(*m_, s.choice, s.q, s.v, s.drives, s.ws);
        return;
      }
    }
    normalize<T>(*m_, s.q);
    s.status = kinematics<T>(*m_, s.choice, s.q, s.v, s.drives, s.ws);
    s.iterations += s.ws.iterations;
  }

  void read_choice(const View& view, Scratch& s) const noexcept {
    bool same = true;
    for (std::size_t i = 0; i < s.code.size(); ++i) {
      same = same && s.code[i] == value_of(view.z[i]);
      s.code[i] = value_of(view.z[i]);
    }
    if (!same) decode(*m_, s.code, s.choice);
  }

  void accelerate(const View& view, Scratch& s) const noexcept {
    const std::size_t first_command = 3 * s.drives.size();
    for (std::size_t i = 0; i < s.command.size(); ++i)
      s.command[i] = view.u(static_cast<int>(first_command + i));
    const std::span<const T> z = view.x.subspan(nq() + nv());
    if (s.status == Status::ok) {
      apply_forces<T>(*m_, s.ws, {s.command, z});
      s.status = accelerations<T>(*m_, s.choice, s.ws, view.dx.subspan(nq(), nv()));
    }
    if (s.status != Status::ok) {  // the scheme finds it there and stops
      return fill_with_nan(view.dx);
    }
    coordinate_rates<T>(*m_, s.q, s.v, view.dx.first(nq()));
    force_rates<T>(*m_, s.ws, z, view.dx.subspan(nq() + nv()));
  }

  void show_places(const View& view, Scratch& s) const noexcept {
    for (std::size_t b = 0; b < m_->bodies.size(); ++b) {
      const BodyIndex body{static_cast<int>(b)};
      const Transform<T> X = pose(*m_, body, s.ws);
      const Quaternion<T> e = quaternion_of(X.R);
      const Motion<T> V = velocity(*m_, body, s.ws);
      const T values[] = {X.p.x,       X.p.y,       X.p.z,      e.w,        e.x,
                          e.y,         e.z,         V.linear.x, V.linear.y, V.linear.z,
                          V.angular.x, V.angular.y, V.angular.z};
      std::copy(std::begin(values), std::end(values), view.y.begin() + first_output(b));
    }
  }

  void show_accelerations(const View& view, Scratch& s) const noexcept {
    for (std::size_t b = 0; b < m_->bodies.size(); ++b) {
      const Motion<T> A = acceleration(*m_, BodyIndex{static_cast<int>(b)}, s.ws);
      const T values[] = {A.linear.x,  A.linear.y,  A.linear.z,
                          A.angular.x, A.angular.y, A.angular.z};
      std::copy(std::begin(values), std::end(values), view.y.begin() + first_output(b) + kPlaces);
    }
  }

  void show_totals(const View& view, Scratch& s) const noexcept {
    const T kinetic = kinetic_energy(*m_, s.ws), potential = potential_energy(*m_, s.ws);
    const Wrench<T> p = momentum(*m_, s.ws);
    const T values[] = {kinetic,    potential,     kinetic + potential, p.force.x,
                        p.force.y,  p.force.z,     p.moment.x,          p.moment.y,
                        p.moment.z, T(s.residual), T(s.ws.iterations),  T(s.ws.conditioning)};
    const auto n = total_ports().size() + (m_->clusters.empty() ? 0 : loop_ports().size());
    std::copy_n(std::begin(values), n, view.y.end() - static_cast<std::ptrdiff_t>(n));
  }

  void show_reactions(const View& view, Scratch& s) const noexcept {
    reactions<T>(*m_, s.ws, s.reaction);
    auto y = view.y.begin() + first_output(m_->bodies.size());
    for (const Wrench<T>& w : s.reaction)
      for (const T& value : {w.force.x, w.force.y, w.force.z, w.moment.x, w.moment.y, w.moment.z})
        *y++ = value;
  }

  // Takes effect at the next full step: where a coordinate becomes independent it goes on from the
  // value that was just found for it.
  void encode_next(const View& view, Scratch& s) const noexcept {
    std::copy(view.z.begin(), view.z.end(), view.z_next.begin());
    if constexpr (std::is_same_v<T, double>) {
      if (s.status != Status::ok || s.next == s.choice) return;
      encode(*m_, s.next, view.z_next);
      ++s.choices;
    }
  }

  static std::ptrdiff_t first_output(std::size_t body) {
    return static_cast<std::ptrdiff_t>(body * body_ports().size());
  }

  std::shared_ptr<const Mechanism> m_;
};

class MechanismKind final : public BlockKind {
 public:
  explicit MechanismKind(std::shared_ptr<const Mechanism> m) : m_(std::move(m)) {}

  [[nodiscard]] BlockInfo info() const override {
    BlockInfo info;
    info.description = "a multibody mechanism";
    info.states = states_of(*m_);
    std::vector<double> code(at(choice_code_size(*m_)));
    encode(*m_, m_->choice, code);
    for (std::size_t i = 0; i < code.size(); ++i)
      info.memory.push_back({.name = fmt::format("loops.choice_{}", i + 1),
                             .unit = "-",
                             .initial = code[i],
                             .description = "which coordinates of the loops are independent",
                             .internal = true});
    info.inputs = inputs_of(*m_);
    add_outputs(info);
    return info;
  }
  // Turning about the axes of a ball's own frame instead of four numbers of length one; of loops
  // the independent coordinates and rates.
  [[nodiscard]] std::vector<FreeDirection> free_directions(
      std::span<const double> x, std::span<const double> dx,
      std::span<const double> z) const override {
    const std::vector<bool> free = free_rates(z);
    const std::vector<NativeState> states = states_of(*m_);
    std::vector<FreeDirection> coordinates, rates;
    const auto plain = [&](std::vector<FreeDirection>& list, int state) {
      const NativeState& s = states[at(state)];
      list.push_back({s.name, s.unit, {{state, 1.0}}, {{state, 1.0}}});
    };
    for (const Link& link : m_->links) {
      if (link.driven) continue;
      const int turns = has_quaternion(link) ? 3 : 0;
      for (int k = 0; k < link.nv; ++k) {
        if (!free[at(link.v + k)]) continue;
        if (k < turns)
          coordinates.push_back(turning(link, k, x, dx));
        else
          plain(coordinates, link.q + k + (turns > 0 ? 1 : 0));
        plain(rates, m_->nq + link.v + k);
      }
    }
    for (std::size_t i = 0; i < m_->force_states.size(); ++i)
      plain(rates, m_->nq + m_->nv + static_cast<int>(i));
    coordinates.insert(coordinates.end(), rates.begin(), rates.end());
    return coordinates;
  }
  [[nodiscard]] std::unique_ptr<Block<double>> make(double) const override {
    return std::make_unique<MechanismBlock<double>>(m_);
  }
  [[nodiscard]] std::unique_ptr<Block<Dual>> make(Dual) const override {
    return std::make_unique<MechanismBlock<Dual>>(m_);
  }

 private:
  // Embedded loops find the others.
  [[nodiscard]] std::vector<bool> free_rates(std::span<const double> z) const {
    std::vector<bool> free(at(m_->nv), true);
    Choice choice = m_->choice;
    decode(*m_, z, choice);
    for (std::size_t k = 0; k < choice.size(); ++k)
      if (m_->clusters[k].form == Loops::embedded)
        for (const int i : choice[k].dependent) free[at(m_->clusters[k].v + i)] = false;
    return free;
  }

  // de = 1/2 e (0, xi), so that xi = 4 (de/dxi)' de for a unit quaternion.
  [[nodiscard]] FreeDirection turning(const Link& link, int axis, std::span<const double> x,
                                      std::span<const double> dx) const {
    constexpr std::array kAxes{"x", "y", "z"};
    FreeDirection d{
        m_->joint_names[at(link.joint.value)] + ".rotation_" + kAxes[at(axis)], "rad", {}, {}};
    const Vec3<double> unit{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
    const auto column = [&](std::span<const double> e) {
      const Quaternion<double> q =
          quaternion_rate(Quaternion<double>{e[0], e[1], e[2], e[3]}, unit);
      return std::array{q.w, q.x, q.y, q.z};
    };
    const auto own = column(x.subspan(at(link.q), 4)), rate = column(dx.subspan(at(link.q), 4));
    for (int i = 0; i < 4; ++i) {
      d.along.emplace_back(link.q + i, own[at(i)]);
      d.read.emplace_back(link.q + i, 4.0 * own[at(i)]);
      d.read_rate.emplace_back(link.q + i, 4.0 * rate[at(i)]);
    }
    return d;
  }

  void add_outputs(BlockInfo& info) const {
    TaskInfo kinematics{.name = "kinematics", .completes = true},
        dynamics{.name = "dynamics", .after = {kKinematics}, .rates = true},
        bodies{.name = "bodies", .after = {kKinematics}},
        accelerations{.name = "accelerations", .after = {kDynamics}},
        totals{.name = "totals", .after = {kKinematics}},
        reactions{.name = "reactions", .after = {kDynamics, kTotals}},
        choice{.name = "choice", .after = {kKinematics}, .memory = true};
    for (std::size_t i = 0; i < info.inputs.size(); ++i)
      (i < 3 * m_->drives.size() ? kinematics : dynamics).reads.push_back(static_cast<int>(i));
    for (const BodyFrame& b : m_->bodies)
      for (int k = 0; k < static_cast<int>(body_ports().size()); ++k) {
        const PortInfo& p = body_ports()[at(k)];
        (k < kPlaces ? bodies : accelerations)
            .writes.push_back(static_cast<int>(info.outputs.size()));
        info.outputs.push_back(
            {b.name + "." + p.name, p.unit, p.description + " of body " + b.name, true});
      }
    for (const std::string& joint : m_->joint_names)
      for (const PortInfo& p : joint_ports()) {
        reactions.writes.push_back(static_cast<int>(info.outputs.size()));
        info.outputs.push_back(
            {joint + "." + p.name, p.unit, p.description + " in joint " + joint, true});
      }
    const auto add_totals = [&](const std::vector<PortInfo>& ports) {
      for (const PortInfo& p : ports) {
        totals.writes.push_back(static_cast<int>(info.outputs.size()));
        info.outputs.push_back(p);
      }
    };
    add_totals(total_ports());
    if (!m_->clusters.empty()) add_totals(loop_ports());
    info.tasks = {kinematics, dynamics, bodies, accelerations, totals, reactions, choice};
    if (info.memory.empty()) info.tasks.pop_back();
  }

  std::shared_ptr<const Mechanism> m_;
};

// What feeds the inputs: formulas of the file.
std::vector<Assignment> wiring_of(const MechanismSpec& spec, Diagnostics& diag) {
  std::vector<Assignment> wiring;
  const auto entry = [&](std::string_view section, const std::string& name, std::string_view key) {
    const DataSpec* list = spec.parameters.find(section);
    const DataSpec* own = list == nullptr ? nullptr : list->find(name);
    return own == nullptr ? nullptr : own->find(key);
  };
  for (const JointSpec& j : spec.joints) {
    if (!j.driven) continue;
    const DataSpec* motion = entry("joints", j.name, "motion");
    if (motion == nullptr || motion->list.size() != 3) {
      diag.error(motion == nullptr ? j.where : motion->text.where,
                 "joint '{0}' is driven: give its motion, rate and acceleration as formulas under "
                 "parameters.joints.{0}, e.g. motion: [a*t, a, 0]",
                 j.name);
      continue;
    }
    const char* suffixes[] = {".motion", ".motion_rate", ".motion_acceleration"};
    for (std::size_t k = 0; k < 3; ++k)
      wiring.push_back({j.name + suffixes[k], motion->list[k].text});
  }
  for (const ForceSpec& f : spec.forces)
    if (const DataSpec* command = entry("forces", f.name, "command"))
      wiring.push_back({f.name + ".command", command->text});
  return wiring;
}

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

std::shared_ptr<const BlockKind> mechanism_kind(std::shared_ptr<const Mechanism> m) {
  return std::make_shared<MechanismKind>(std::move(m));
}

std::optional<Spec> with_mechanism_block(const Spec& spec, Diagnostics& diag) {
  auto m = compile_mechanism(spec, diag);
  if (!m) return std::nullopt;
  std::vector<Assignment> wiring = wiring_of(*spec.mechanism, diag);
  if (!diag.ok()) return std::nullopt;
  Spec out = spec;
  for (BlockSpec& b : out.blocks) {
    if (b.type.text != kMechanismType) continue;
    b.native = mechanism_kind(std::move(m));
    b.wiring = std::move(wiring);
    gather_parameters(spec.mechanism->parameters, spec, b.made_of);
  }
  return out;
}

}  // namespace chicane
