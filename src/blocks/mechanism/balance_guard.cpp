// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/balance_guard.hpp"

#include <algorithm>
#include <cmath>

#include "blocks/mechanism/power_balance.hpp"
#include "blocks/mechanism/watched.hpp"
#include "multibody/closure/gaps.hpp"
#include "multibody/dynamics/power.hpp"

namespace chicane {
namespace {

using namespace multibody;

// [m], [rad] and, for a unit of speed, [m/s], [rad/s] that cut joints may be open.
constexpr double kMostOpen = 1e-6;
// A loop with so much of its conditioning at the start is near a singular position.
constexpr double kNear = 0.2;

class BalanceGuard final : public Guard {
 public:
  BalanceGuard(const Simulation& simulation, std::size_t native, const Mechanism& m, bool closed)
      : simulation_(simulation),
        native_(native),
        group_(simulation.structure().natives[native].group),
        m_(m),
        closed_(closed),
        balance_(energy_at_rest(m), closed ? PowerBalance::kClosed : PowerBalance::kMost) {
    const ModelStructure& s = simulation.structure();
    for (const BlockPlace& b : s.blocks)
      if (b.native == static_cast<int>(native)) block_ = b.name;
    for (const EventIndex e : s.events.indices())
      if (sets_states(s.events[e])) events_.push_back(e);
    // Where showing a frame costs an evaluation, few are asked for.
    const SchemeKind scheme = simulation.plan().scheme;
    asks_ = is_multirate(scheme) && scheme != SchemeKind::multiframe;
  }

  [[nodiscard]] bool due() const noexcept override {
    return asks_ && simulation_.state().frames >= next_;
  }

  void observe(const Point& point) noexcept override {
    if (point.kind == PointKind::inner_stage ||
        std::find(point.fresh.begin(), point.fresh.end(), group_) == point.fresh.end())
      return;
    const bool skip = asks_ ? !due() : --waits_ > 0;
    if (skip && !last_) return;
    constexpr int kSeldom = 16;
    next_ = simulation_.state().frames + kSeldom;
    sample(point);
    waits_ = balance_.stride();
  }

  void at_end(Simulation& simulation) override {
    last_ = true;
    gaps_in_ = 0;
    simulation.observe_now(*this);
    balance_.finish();
  }

  [[nodiscard]] std::vector<RunWarning> take_findings() override {
    std::vector<RunWarning> list;
    while (const auto found = balance_.take()) list.push_back(warning(*found));
    if (last_ && balance_.jumps() > 1 && !std::exchange(counted_, true))
      list.push_back({.text = fmt::format("the energy of the mechanism has jumped {} times in all",
                                          balance_.jumps()),
                      .signal = "energy.total",
                      .part = block_});
    if (gap_joint_.valid() && !std::exchange(said_, true)) list.push_back(gap_warning());
    return list;
  }

  // Of loops, where one that was lost goes on in another branch; in a tree energy that drifts is
  // only that.
  [[nodiscard]] std::optional<std::string> verdict() const override {
    if (!balance_.loss() || m_.clusters.empty()) return std::nullopt;
    const PowerBalance::Loss& lost = *balance_.loss();
    const bool near = lost.jump && lost.loop >= 0 && lost.conditioning < kNear;
    return fmt::format(
        "{:.3g} J of the energy of the mechanism, {:.2g} of the {:.3g} J in play, {} at t = {:.6g} "
        "s{}, and what comes after has nothing to do with it. {}",
        std::fabs(lost.amount), std::fabs(lost.amount) / lost.in_play, lost.in_play,
        lost.amount > 0.0 ? "have come from nowhere" : "are lost", lost.time,
        near ? fmt::format(", where the loop through joint '{}' passes a singular position",
                           loop_name(lost.loop))
             : std::string(),
        remedy());
  }

  [[nodiscard]] std::optional<RunAccount> account() const override {
    const double in_play = balance_.in_play(), part = balance_.worst() / in_play;
    RunAccount a{.name = "balance",
                 .figures = {{"error", balance_.worst()},
                             {"time", balance_.worst_time()},
                             {"in_play", in_play},
                             {"relative", part},
                             {"allowed", balance_.allowed()},
                             {"unsure", balance_.unsure()}},
                 .words = fmt::format("energy balance: {:.2g} of the {:.3g} J in play unexplained "
                                      "at most (allowed: {:.0e})",
                                      part, in_play, balance_.allowed())};
    if (m_.clusters.empty()) return a;
    a.figures.emplace_back("loop_gap", most_open_);
    a.figures.emplace_back("loop_gap_rate", fastest_opening_);
    a.words += fmt::format("; loops open by {:.1e} m or rad at most", most_open_);
    return a;
  }

 private:
  // So slow that nobody minds: 1 mm/s. A vehicle that starts settled exchanges less for seconds.
  static double energy_at_rest(const Mechanism& m) {
    double mass = 0.0;
    for (const multibody::Link& link : m.links) mass += link.I.m;
    return 0.5 * mass * 1e-6;
  }

  [[nodiscard]] bool sets_states(const EventInfo& event) const {
    const ModelStructure& s = simulation_.structure();
    for (const ActionInfo& action : event.actions)
      for (const ActionInfo::Target& target : action.targets)
        if (target.kind == ActionInfo::Target::Kind::state) {
          const int block = s.blocks[s.states[StateIndex{target.index}].block].native;
          if (block == static_cast<int>(native_)) return true;
        }
    return false;
  }

  // Impacts and the like change the energy as they please.
  [[nodiscard]] bool was_set() noexcept {
    std::int64_t fired = 0;
    for (const EventIndex e : events_) fired += simulation_.state().events[e].fired;
    return std::exchange(fired_, fired) != fired;
  }

  void sample(const Point& point) noexcept {
    BlockScratch* scratch =
        point.evals[static_cast<std::size_t>(group_.value)]->natives[native_].get();
    if (scratch != scratch_) {
      scratch_ = scratch;
      watched_ = dynamic_cast<WatchedMechanism*>(scratch);
    }
    if (!events_.empty() && was_set()) balance_.interrupt();
    Workspace<double>* ws = watched_ == nullptr ? nullptr : watched_->evaluated();
    if (ws == nullptr) return balance_.interrupt();
    const MotionEnergy<double> E = motion_energy(m_, *ws);
    PowerBalance::Sample s{.t = point.t, .kinetic = E.kinetic, .potential = E.potential};
    if (closed_) {
      s.potential += watched_->spring_energy();
    } else {
      const double drives = drive_power(m_, *ws);
      s.power = applied_power(m_, *ws) + drives;
      s.exchange = watched_->exchange() + std::fabs(drives);
    }
    for (std::size_t k = 0; k < m_.clusters.size(); ++k) {
      const double near = ws->loops[k].conditioning / m_.clusters[k].conditioning;
      if (s.loop < 0 || near < s.conditioning) s.loop = static_cast<int>(k), s.conditioning = near;
    }
    balance_.add(s);
    look_at_gaps(point.t, *ws);
  }

  void look_at_gaps(double t, Workspace<double>& ws) noexcept {
    constexpr int kSeldom = 16;
    if (m_.clusters.empty() || gaps_in_-- > 0) return;
    gaps_in_ = kSeldom;
    double speed = 1.0;
    for (const LinkMotion<double>& link : ws.motion)
      speed = std::max({speed, norm(link.V.linear), norm(link.V.angular)});
    const LoopGaps gaps = worst_gaps(m_, ws);
    most_open_ = std::max(most_open_, gaps.position);
    fastest_opening_ = std::max(fastest_opening_, gaps.rate);
    if (gap_joint_.valid()) return;
    const bool open = !(gaps.position <= kMostOpen), opening = !(gaps.rate <= kMostOpen * speed);
    if (!open && !opening) return;
    gap_joint_ = open ? gaps.open : gaps.opening;
    gap_ = gaps;
    gap_time_ = t;
    gap_is_rate_ = !open;
  }

  [[nodiscard]] std::string loop_name(int cluster) const {
    const LoopCluster& c = m_.clusters[static_cast<std::size_t>(cluster)];
    return m_.joint_names[static_cast<std::size_t>(c.joints.front().joint.value)];
  }

  // Multipliers know no independent coordinates, whose turning back a long step comes too near to;
  // loops that are not driven are held with them where that matters.
  [[nodiscard]] std::string remedy() const {
    const bool embedded =
        std::any_of(m_.clusters.begin(), m_.clusters.end(),
                    [](const LoopCluster& c) { return c.form == Loops::embedded && c.driven; });
    return fmt::format("Take a smaller step or a method of higher order{}",
                       embedded ? ", or solve the loops with 'loops: multipliers'" : "");
  }

  [[nodiscard]] RunWarning warning(const PowerBalance::Finding& f) const {
    const double part = std::fabs(f.amount) / f.in_play;
    RunWarning w{.text = {}, .time = f.until, .signal = "energy.total", .part = block_};
    if (f.kind == PowerBalance::Finding::Kind::drift) {
      w.time = f.from;
      w.text = fmt::format(
          "the energy of the mechanism drifts: {:.3g} J at t = {:.6g} s are not explained by "
          "forces and drives, {:.2g} of the {:.3g} J in play (allowed: {:.0e}; more than that "
          "since t = {:.6g} s). {}",
          f.amount, f.until, part, f.in_play, f.allowed, f.from, remedy());
      return w;
    }
    w.time = f.from;
    const bool near = f.loop >= 0 && f.conditioning < kNear;
    if (f.loop >= 0) w.part = loop_name(f.loop);
    w.text = fmt::format(
        "the energy of the mechanism jumps: {:.3g} J between t = {:.6g} s and {:.6g} s are not "
        "explained by forces and drives, {:.2g} of the {:.3g} J in play (allowed: "
        "{:.0e}).{} {}",
        f.amount, f.from, f.until, part, f.in_play, f.allowed,
        near
            ? fmt::format(" The loop through joint '{}' passes a singular position there, and what "
                          "comes after is doubtful.",
                          w.part)
            : std::string(),
        remedy());
    return w;
  }

  [[nodiscard]] RunWarning gap_warning() const {
    const std::string& joint = m_.joint_names[static_cast<std::size_t>(gap_joint_.value)];
    return {.text = fmt::format(
                "the loop through joint '{}' {} by {:.3g} {} at t = {:.6g} s (allowed: "
                "{:.0e}): take a smaller step",
                joint, gap_is_rate_ ? "opens" : "is open", gap_is_rate_ ? gap_.rate : gap_.position,
                gap_is_rate_ ? "m/s or rad/s" : "m or rad", gap_time_, kMostOpen),
            .time = gap_time_,
            .signal = "loops.residual",
            .part = joint};
  }

  const Simulation& simulation_;
  std::size_t native_;
  GroupIndex group_;
  const Mechanism& m_;
  std::string block_;
  bool closed_;  // nothing gives or takes energy
  PowerBalance balance_;
  std::vector<EventIndex> events_;  // that set states of the mechanism
  std::int64_t fired_ = 0;
  BlockScratch* scratch_ = nullptr;
  WatchedMechanism* watched_ = nullptr;
  bool asks_ = false;      // frames are shown only where it asks
  std::int64_t next_ = 0;  // frame to ask for
  int waits_ = 0;          // points to let pass
  int gaps_in_ = 0;
  bool last_ = false, counted_ = false, said_ = false;
  double most_open_ = 0.0, fastest_opening_ = 0.0;
  LoopGaps gap_{};
  JointIndex gap_joint_{};
  double gap_time_ = 0.0;
  bool gap_is_rate_ = false;
};

}  // namespace

std::unique_ptr<Guard> make_balance_guard(const Simulation& simulation) {
  const ModelStructure& s = simulation.structure();
  for (std::size_t i = 0; i < s.natives.size(); ++i) {
    const Eval<double> eval = simulation.model().make_eval(s.natives[i].group);
    if (auto* w = dynamic_cast<WatchedMechanism*>(eval.natives[i].get()))
      return std::make_unique<BalanceGuard>(simulation, i, w->mechanism(), w->closed());
  }
  return nullptr;
}

}  // namespace chicane
