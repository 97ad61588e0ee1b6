// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/block.hpp"

#include <algorithm>
#include <limits>

#include "blocks/mechanism/choice_code.hpp"
#include "blocks/mechanism/free_directions.hpp"
#include "blocks/mechanism/motion.hpp"
#include "blocks/mechanism/ports.hpp"
#include "blocks/mechanism/watched.hpp"
#include "core/at.hpp"
#include "language/checked_memory.hpp"
#include "multibody/closure/project.hpp"
#include "multibody/dynamics/mass_matrix.hpp"
#include "multibody/dynamics/power.hpp"
#include "multibody/dynamics/reactions.hpp"
#include "multibody/forces/shown.hpp"

namespace chicane {
namespace {

using namespace multibody;

// --- what it does --------------------------------------------------------------------------------

template <class T>
struct MechanismScratch final : BlockScratch, WatchedMechanism {
  MechanismScratch(const Mechanism& mechanism, int threads, const std::vector<Mount>& on)
      : ws(mechanism),
        q(at(mechanism.nq)),
        v(at(mechanism.nv)),
        drives(mechanism.drives.size()),
        command(mechanism.commands.size()),
        reaction(mechanism.joint_names.size()),
        mounts(on),
        mounted(on.size()),
        outside(outside_elements(mechanism)),
        z(mechanism.force_states.size()),
        choice(mechanism.choice),
        next(mechanism.choice),
        code(at(choice_code_size(mechanism))),
        m(mechanism) {
    for (Choice* c : {&choice, &next})
      for (std::size_t k = 0; k < c->size(); ++k)
        for (auto* list : {&(*c)[k].independent, &(*c)[k].dependent, &(*c)[k].rows})
          list->reserve(at(std::max(m.clusters[k].nv, m.clusters[k].rows)));
    encode(m, choice, code);
    if (threads > 1 && m.branches.size() > 1) {
      team = std::make_unique<Team>(threads);
      ws.use(m, team.get());
    }
  }

  std::unique_ptr<Team> team;  // for the branches
  Workspace<T> ws;
  std::vector<T> q, v;
  std::vector<Drive<T>> drives;
  std::vector<T> command;
  std::vector<Wrench<T>> reaction;
  const std::vector<Mount>& mounts;
  std::vector<Wrench<T>> mounted;  // what mounts bring, about the origins of their links
  std::vector<int> outside;        // force elements that bring power in
  std::vector<T> z;                // what forces remember, in this evaluation
  Choice choice, next;             // of this evaluation, and for those after the step
  bool chosen = false;             // they differ
  std::vector<double> code;        // of `choice`
  Status status = Status::ok;
  double residual = 0.0;  // the largest
  const Mechanism& m;
  std::int64_t evaluations = 0, iterations = 0, choices = 0;

  [[nodiscard]] T mount_power(std::size_t i) const {
    return dot(ws.motion[at(mounts[i].link)].V, mounted[i]);
  }

  [[nodiscard]] const Mechanism& mechanism() const noexcept override { return m; }
  [[nodiscard]] Workspace<double>* evaluated() noexcept override {
    if constexpr (std::is_same_v<T, double>) return status == Status::ok ? &ws : nullptr;
    return nullptr;
  }
  [[nodiscard]] bool closed() const noexcept override {
    return mounts.empty() && keeps_its_energy(m);
  }
  [[nodiscard]] double spring_energy() const noexcept override {
    return m.forces.empty() ? 0.0 : value_of(force_energy<T>(m, ws, z));
  }
  [[nodiscard]] double exchange() const noexcept override {
    double sum = 0.0;
    for (std::size_t i = 0; i < mounts.size(); ++i) sum += std::fabs(value_of(mount_power(i)));
    if (!outside.empty())
      sum += std::fabs(value_of(outside_power<T>(m, outside, ws, {command, {}})));
    return sum;
  }

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
            {"evaluations over singular positions", ws.bridged_evaluations},
            {"evaluations with multipliers", ws.multiplier_evaluations}};
  }
};

template <class T>
class MechanismBlock final : public Block<T> {
 public:
  MechanismBlock(std::shared_ptr<const Mechanism> m, int threads, std::vector<Mount> mounts)
      : m_(std::move(m)),
        threads_(threads),
        mounts_(std::move(mounts)),
        shown_(shown_places(*m_, mounts_)) {}

  [[nodiscard]] std::unique_ptr<BlockScratch> make_scratch() const override {
    return std::make_unique<MechanismScratch<T>>(*m_, threads_, mounts_);
  }

  void run(int task, const BlockView<T>& view) const noexcept override {
    auto& s = static_cast<MechanismScratch<T>&>(*view.own);
    const bool shows = task != kKinematics && task != kDynamics && task != kChoice;
    if (shows && s.status != Status::ok) return fill_with_nan(view.y);
    switch (task) {
      case kKinematics:
        return complete(view, s);
      case kDynamics:
        return accelerate(view, s);
      case kTotals:
        return show_totals(view, s);
      case kReactions:
        return show_reactions(view, s);
      case kChoice:
        return encode_next(view, s);
      case kPower:
        return show_power(view, s);
      default:
        return show_one(at(task - kBodies), view, s);
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
    std::size_t place = at(MechanismOutputs::mounts(*m_));
    for (const Mount& mount : mounts_) {
      write_outputs(mount, s.ws, view.y.subspan(place, Mount::kOutputs));
      place += Mount::kOutputs;
    }
  }

  // Since the last full step [s]; zero: unknown.
  [[nodiscard]] static double step_before(const View& view, const Scratch& s) {
    if (s.code.empty()) return 0.0;
    const double last = value_of(view.z[s.code.size()]), now = value_of(view.t);
    return last >= 0.0 && now > last ? now - last : 0.0;
  }

  // Within a step loops are closed as well as derivatives need it. At its start the state is
  // brought back to where it belongs, and other coordinates are chosen where that is due.
  void place(const View& view, Scratch& s) const noexcept {
    if constexpr (std::is_same_v<T, double>) {
      if (view.full) {
        if (s.chosen) s.next = s.choice;
        const Projection p = project(*m_, s.next, s.q, s.v, s.drives, s.ws, step_before(view, s));
        s.status = p.status;
        s.iterations += p.iterations;
        s.chosen = p.chosen;
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
    if (same) return;
    decode(*m_, s.code, s.choice);
    s.next = s.choice;
  }

  void accelerate(const View& view, Scratch& s) const noexcept {
    const std::size_t first_command = 3 * s.drives.size();
    for (std::size_t i = 0; i < s.command.size(); ++i)
      s.command[i] = view.u(static_cast<int>(first_command + i));
    const std::span<const T> z = view.x.subspan(nq() + nv());
    std::copy(z.begin(), z.end(), s.z.begin());
    if (s.status == Status::ok) {
      apply_forces<T>(*m_, s.ws, {s.command, z});
      load_mounts(view, s);
      s.status = accelerations<T>(*m_, s.choice, s.ws, view.dx.subspan(nq(), nv()));
    }
    if constexpr (std::is_same_v<T, double>)
      if (view.full && s.status == Status::ok)
        s.chosen = hold_where_fast(*m_, s.next, s.ws, step_before(view, s)) || s.chosen;
    if (s.status != Status::ok) {  // the scheme finds it there and stops
      return fill_with_nan(view.dx);
    }
    coordinate_rates<T>(*m_, s.q, s.v, view.dx.first(nq()));
    force_rates<T>(*m_, s.ws, z, view.dx.subspan(nq() + nv()));
  }

  void load_mounts(const View& view, Scratch& s) const noexcept {
    auto input = static_cast<int>(3 * s.drives.size() + s.command.size());
    for (std::size_t i = 0; i < mounts_.size(); ++i) {
      const auto vec = [&](int k) { return Vec3<T>{view.u(k), view.u(k + 1), view.u(k + 2)}; };
      s.mounted[i] = on_link(mounts_[i], {.moment = vec(input + 3), .force = vec(input)}, s.ws);
      s.ws.force[at(mounts_[i].link)] += s.mounted[i];
      input += Mount::kInputs;
    }
  }

  // Of a body, a force element or a cut joint.
  void show_one(std::size_t task, const View& view, Scratch& s) const noexcept {
    const std::size_t which = task / 2, bodies = m_->bodies.size(), forces = m_->forces.size();
    const auto to = [&](const ShownPlaces::Place& p) { return view.y.subspan(p.first, p.count); };
    const std::span<const T> z = view.x.subspan(nq() + nv());
    if (which < bodies) {
      const BodyIndex body{static_cast<int>(which)};
      return task % 2 == 0 ? show_place(body, view, s) : show_acceleration(body, view, s);
    }
    if (which < bodies + forces) {
      const std::size_t i = which - bodies;
      if (task % 2 == 0) return measure<T>(m_->forces[i], s.ws, z, to(shown_.measures[i]));
      return show_forces<T>(m_->forces[i], s.ws, {s.command, z}, to(shown_.forces[i]));
    }
    const ShownPlaces::Cut& cut = shown_.cuts[task - 2 * (bodies + forces)];
    if (cut.place.count > 0) measure<T>(*m_, *cut.joint, s.ws, to(cut.place));
  }

  void show_power(const View& view, Scratch& s) const noexcept {
    view.y[shown_.power.first] = drive_power(*m_, s.ws);
    T applied = outside_power<T>(*m_, s.outside, s.ws, {s.command, {}});
    for (std::size_t i = 0; i < mounts_.size(); ++i) applied += s.mount_power(i);
    view.y[shown_.power.first + 1] = applied;
  }

  void show_place(BodyIndex body, const View& view, Scratch& s) const noexcept {
    const Transform<T> X = pose(*m_, body, s.ws);
    const Quaternion<T> e = quaternion_of(X.R);
    const Motion<T> V = velocity(*m_, body, s.ws);
    const T values[] = {X.p.x,       X.p.y,       X.p.z,      e.w,        e.x,
                        e.y,         e.z,         V.linear.x, V.linear.y, V.linear.z,
                        V.angular.x, V.angular.y, V.angular.z};
    std::copy(std::begin(values), std::end(values), view.y.begin() + first_output(at(body.value)));
  }

  void show_acceleration(BodyIndex body, const View& view, Scratch& s) const noexcept {
    const Motion<T> A = acceleration(*m_, body, s.ws);
    const T values[] = {A.linear.x, A.linear.y, A.linear.z, A.angular.x, A.angular.y, A.angular.z};
    std::copy(std::begin(values), std::end(values),
              view.y.begin() + first_output(at(body.value)) + MechanismOutputs::kPlaces);
  }

  void show_totals(const View& view, Scratch& s) const noexcept {
    const std::span<const T> z = view.x.subspan(nq() + nv());
    const T kinetic = kinetic_energy(*m_, s.ws), potential = potential_energy(*m_, s.ws, z);
    const Wrench<T> p = momentum(*m_, s.ws);
    const T dissipated = dissipated_power<T>(*m_, s.ws, z);
    const T values[] = {
        kinetic,       potential,          kinetic + potential, dissipated, p.force.x,
        p.force.y,     p.force.z,          p.moment.x,          p.moment.y, p.moment.z,
        T(s.residual), T(s.ws.iterations), T(s.ws.conditioning)};
    const auto n = static_cast<std::size_t>(MechanismOutputs::totals(*m_));
    std::copy_n(std::begin(values), n, view.y.end() - static_cast<std::ptrdiff_t>(n));
  }

  void show_reactions(const View& view, Scratch& s) const noexcept {
    reactions<T>(*m_, s.choice, s.ws, s.reaction);
    auto y = view.y.begin() + first_output(m_->bodies.size());
    for (const Wrench<T>& w : s.reaction)
      for (const T& value : {w.force.x, w.force.y, w.force.z, w.moment.x, w.moment.y, w.moment.z})
        *y++ = value;
  }

  // Takes effect at the next full step: where a coordinate becomes independent it goes on from the
  // value that was just found for it.
  void encode_next(const View& view, Scratch& s) const noexcept {
    std::copy(view.z.begin(), view.z.end(), view.z_next.begin());
    if (!s.code.empty()) view.z_next[s.code.size()] = view.t;
    if constexpr (std::is_same_v<T, double>) {
      if (s.status != Status::ok || !s.chosen || s.next == s.choice) return;
      encode(*m_, s.next, view.z_next);
      ++s.choices;
    }
  }

  static std::ptrdiff_t first_output(std::size_t body) {
    return static_cast<std::ptrdiff_t>(body) * MechanismOutputs::kOfABody;
  }

  std::shared_ptr<const Mechanism> m_;
  int threads_;
  std::vector<Mount> mounts_;
  ShownPlaces shown_;
};

class MechanismKind final : public BlockKind, public ChecksMemory {
 public:
  MechanismKind(std::shared_ptr<const Mechanism> m, int threads, std::vector<Mount> mounts)
      : m_(std::move(m)), threads_(threads), mounts_(std::move(mounts)) {}

  [[nodiscard]] BlockInfo info() const override { return block_info(*m_, mounts_); }
  [[nodiscard]] std::vector<FreeDirection> free_directions(
      std::span<const double> x, std::span<const double> dx, std::span<const double> z,
      std::span<const double> u) const override {
    return FreeDirections(m_).at(x, dx, z, u);
  }
  [[nodiscard]] std::string fault_of_memory(std::span<const double> z) const override {
    const std::size_t code = z.empty() ? 0 : z.size() - 1;  // behind it: when it was made
    return is_choice_code(*m_, z.first(code)) ? "" : "its choice of coordinates is none";
  }
  [[nodiscard]] std::unique_ptr<Block<double>> make(double) const override {
    return std::make_unique<MechanismBlock<double>>(m_, threads_, mounts_);
  }
  [[nodiscard]] std::unique_ptr<Block<Dual>> make(Dual) const override {
    return std::make_unique<MechanismBlock<Dual>>(m_, 1, mounts_);
  }

 private:
  std::shared_ptr<const Mechanism> m_;
  int threads_;
  std::vector<Mount> mounts_;
};

}  // namespace

std::shared_ptr<const BlockKind> mechanism_kind(std::shared_ptr<const Mechanism> m, int threads,
                                                const std::vector<MountDescription>& mounts) {
  std::vector<Mount> own = on_links(*m, mounts);
  return std::make_shared<MechanismKind>(std::move(m), threads, std::move(own));
}

std::vector<Assignment> mechanism_wiring(const Spec& model, Diagnostics& diag) {
  const MechanismSpec& spec = *model.mechanism;
  std::vector<Assignment> wiring;
  const auto entry = [&](std::string_view section, const std::string& name, std::string_view key) {
    const DataSpec* list = spec.parameters.find(section);
    const DataSpec* own = list == nullptr ? nullptr : list->find(name);
    return own == nullptr ? nullptr : own->find(key);
  };
  for (const JointSpec& j : spec.joints) {
    if (!j.driven) continue;
    const auto motion = read_motion(model, j, diag);
    if (!motion) continue;
    const char* suffixes[] = {".motion", ".motion_rate", ".motion_acceleration"};
    for (std::size_t k = 0; k < 3; ++k) wiring.push_back({j.name + suffixes[k], (*motion)[k]});
  }
  for (const ForceSpec& f : spec.forces)
    if (const DataSpec* command = entry("forces", f.name, "command"))
      wiring.push_back({f.name + ".command", command->text});
  return wiring;
}

}  // namespace chicane
