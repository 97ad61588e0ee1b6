// SPDX-License-Identifier: Apache-2.0
#include "analysis/guards/step_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "analysis/guards/twice.hpp"
#include "analysis/step_advice.hpp"

namespace chicane {
namespace {

// Which frames are looked at depends on counts alone, so that two runs alike find the same.
constexpr std::int64_t kPeriod = 128, kBurst = 16;  // [frames] differences: first of each period
constexpr std::int64_t kChunk = 256;                // [frames] between decisions
constexpr std::int64_t kFewest = 16;                // [frames] shorter runs are not judged
constexpr std::int64_t kWidest = 16384;             // [frames] between windows, at most
// Before the first decision, and at no round number: there manoeuvres begin, with a jump.
constexpr std::int64_t kEarly[] = {16, 144};  // [frames] of windows
constexpr double kFree = 200;                 // [frames] of work that is always allowed ...
constexpr double kShare = 0.015;              // [-] ... and beyond it, of the frames so far
constexpr std::int64_t kRipe = 2048;          // [frames] in which ranges get their size
constexpr int kBetween = 16;                  // [frames] from a window to its confirmation

constexpr double kUnresolved = 0.1;  // [-] error over way within a window: the motion is not right
constexpr double kMatters = 0.1;     // [-] error over range of a state: garbage that can be seen
constexpr double kDoubtful = 0.01;   // [-] ... and that may be seen: metrics decide
constexpr double kJitters = 1e-3;    // [-] to and fro over range: worth a window
constexpr double kFaint = 1e-5;      // [-], [SI] ranges below decide no metric
constexpr double kWorthALook = 0.1;  // [-] of what is too inaccurate: the same
constexpr double kWrong = 0.02;      // [-] error of a metric that is worth a warning
constexpr double kLeast = 1e-3;      // [their unit] metrics below are as good as zero
constexpr std::int64_t kLong = 200'000;  // [frames] of a run that is not repeated
constexpr std::int64_t kBrief = 4'000;   // [frames] of a run that is repeated in any case
constexpr double kShown = 0.01;          // [-] the same of a block's output
constexpr double kAlternates = 3;  // [-] third over first differences; 4 where every sign changes
constexpr double kInaccurate = 0.05;  // [-] error over way of all windows
constexpr double kSmooth = 0.5;  // [-] third over first differences of a motion that is resolved
constexpr double kMoves = 0.01;  // [-] mean error over range below which it is nothing
constexpr int kEnough = 4;       // windows for a verdict on accuracy
constexpr double kSeen = 1e-3;   // [-] of a state's size: ranges below are not seen beside it
constexpr double kNoise = 1e-9;  // [-], [SI] ranges below are none
constexpr double kRounding =
    1e-12;                       // [-], [SI] of the sizes of states: what arithmetic makes of them
constexpr double kHolds = 0.01;  // [-] error over range at a step that holds
constexpr int kHalvings = 7;     // ... which is searched for

// Differences of the states of a group from frame to frame, within bursts.
struct Differences {
  std::vector<double> x, d1, d2;   // the latest values, first and second differences
  std::vector<double> sum1, sum3;  // of first and third differences within a burst
  std::vector<double> all1, all3;  // ... of all bursts before
  std::vector<double> jitter;  // mean first difference of a burst that goes to and fro, at most ...
  std::vector<double> recent;  // ... and in the last one
  std::vector<double> least, most;

  explicit Differences(std::size_t n)
      : x(n),
        d1(n),
        d2(n),
        sum1(n),
        sum3(n),
        all1(n),
        all3(n),
        jitter(n),
        recent(n),
        least(n, std::numeric_limits<double>::infinity()),
        most(n, -std::numeric_limits<double>::infinity()) {}

  // `place`: how many frames before were added one after the other.
  void add(const std::vector<double>& now, int place) noexcept {
    const double counts = place >= 3 ? 1.0 : 0.0;  // until then there are no third differences
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double first = now[i] - x[i], second = first - d1[i], third = second - d2[i];
      sum1[i] += counts * std::fabs(first);
      sum3[i] += counts * std::fabs(third);
      least[i] = std::min(least[i], now[i]);
      most[i] = std::max(most[i], now[i]);
      x[i] = now[i];
      d1[i] = first;
      d2[i] = second;
    }
  }

  void close_burst() noexcept {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (sum3[i] > kAlternates * sum1[i]) recent[i] = std::max(recent[i], sum1[i] / (kBurst - 3));
      all1[i] += std::exchange(sum1[i], 0.0);
      all3[i] += std::exchange(sum3[i], 0.0);
    }
  }
};

class StepGuard final : public Guard {
 public:
  explicit StepGuard(const Simulation& simulation)
      : simulation_(simulation),
        start_(simulation.state()),
        plan_(simulation.plan()),
        rough_(simulation.state()),
        scores_(static_cast<std::size_t>(simulation.structure().states.size())) {
    for (const GroupState<double>& g : simulation.state().groups) seen_.emplace_back(g.x.size());
    early_.resize(std::size(kEarly), simulation.state());
  }

  void observe(const Point& point) noexcept override {
    if (point.kind != PointKind::full_step) return;
    const State<double>& s = simulation_.state();
    if (origin_ < 0) origin_ = s.frames;
    if (kept_ < early_.size() && s.frames - origin_ == kEarly[kept_]) early_[kept_++] = s;
    if (s.frames % kPeriod >= kBurst) return;
    place_ = s.frames == last_ + 1 ? place_ + 1 : 0;  // some schemes show only frames that are due
    last_ = s.frames;
    std::size_t g = 0;
    for (const GroupState<double>& group : s.groups) seen_[g++].add(group.x, place_);
    if (place_ != kBurst - 1) return;
    for (Differences& d : seen_) d.close_burst();
    keep_if_rough(s);
  }

  void between_frames(Simulation& s) override {
    const std::int64_t now = s.state().frames;
    if (!begun_) begin(s);
    if (!judges() || now < next_) return;
    judge_early(s);
    if (now - origin_ >= kRipe) conclude(s);
    if (!judges() || pending_) return;
    next_ = (now / kChunk + 1) * kChunk;
    const bool changed = structure_changed(s.state()), rough = roughest_ > 0;
    if (changed) every_ = kChunk;
    if (now < due_ && !changed && !rough) return;
    if (spent_ > kFree + kShare * static_cast<double>(now - origin_)) return;
    due_ = now + every_;
    every_ = std::min(2 * every_, kWidest);
    if (rough)
      judge_rough(s);
    else
      judge(s, s.state());
  }

  void at_end(Simulation& s) override {
    if (!begun_) begin(s);
    if (judges()) judge_early(s);
    if (done_ || s.state().frames - origin_ < kFewest) return;
    conclude(s);
    if (judges() && roughest_ > 0) judge_rough(s);
    conclude(s);
    if (judges()) judge(s, s.state());
    conclude(s);
    if (done_) return;
    if (s.structure().summary.metrics.empty())
      judge_accuracy(s);
    else
      judge_metrics(s);
  }

  [[nodiscard]] std::vector<RunWarning> take_findings() override {
    return std::exchange(findings_, {});
  }

  // What the step does to a state, where metrics are right all the same.
  [[nodiscard]] std::optional<RunAccount> account() const override {
    if (!found_ || !settled_by_metrics_) return std::nullopt;
    const Suspect& suspect = found_->suspect;
    return RunAccount{
        .name = "resolution",
        .figures = {{"time", found_->from.clock.time()},
                    {"state_error", suspect.score},
                    {"metrics_apart", most_apart_}},
        .words = fmt::format("the step does not resolve {}, from t = {:.4g} s on: {:.0f} % of its "
                             "range against half the step; metrics agree to {:.2g} %",
                             in_words(info(suspect.state)), found_->from.clock.time(),
                             100 * std::min(suspect.score, 10.0), 100 * most_apart_)};
  }

 private:
  struct Score {
    double error = 0, way = 0;  // sums over all windows
    double lasting = 0;         // the largest error that two windows have one after the other
  };
  struct Suspect {
    StateIndex state;
    double score = 0;  // error over range
  };
  struct Pending {
    Suspect suspect;
    double error = 0;
    State<double> from;
  };

  [[nodiscard]] bool judges() const { return !done_ && !found_; }

  void begin(Simulation& s) {
    begun_ = true;
    inputs_ = s.inputs().u;
    if (s.plan().scheme == SchemeKind::reference || s.structure().states.empty()) done_ = true;
    for (const auto& m : s.state().memory) memory_.push_back(m.value);
  }

  // A gear, a switch: memory that goes from one whole number to another.
  bool structure_changed(const State<double>& state) {
    bool changed = false;
    std::size_t k = 0;
    for (const auto& m : state.memory) {
      double& before = memory_[k++];
      changed = changed || (m.value != before && m.value == std::round(m.value) &&
                            before == std::round(before));
      before = m.value;
    }
    return changed;
  }

  [[nodiscard]] const StateInfo& info(StateIndex i) const {
    return simulation_.structure().states[i];
  }
  [[nodiscard]] double range(const StateInfo& x) const {
    const Differences& d = seen_[static_cast<std::size_t>(x.group.value)];
    const auto i = static_cast<std::size_t>(x.place);
    return std::max(0.0, d.most[i] - d.least[i]);
  }
  // What an error of a state is held against: its range, and where that is small some of its size.
  // A state that stays where it is, as in a steady motion, has next to no range.
  [[nodiscard]] double scale(const StateInfo& x) const { return range(x) + kSeen * size(x); }
  [[nodiscard]] double size(const StateInfo& x) const {
    const Differences& d = seen_[static_cast<std::size_t>(x.group.value)];
    const auto i = static_cast<std::size_t>(x.place);
    const double most = std::max(std::fabs(d.most[i]), std::fabs(d.least[i]));
    return std::isfinite(most) ? most : 0.0;
  }
  // What is no more than rounding, in a model of this size, or another share of it. Where nothing
  // moves but a battery by its own discharge, ranges alone would call rounding a motion.
  [[nodiscard]] double noise(double share = kNoise) const {
    double moves = 0, is = 0;
    for (const StateInfo& x : simulation_.structure().states) {
      moves = std::max(moves, range(x));
      is = std::max(is, size(x));
    }
    return std::max(share * std::min(1.0, moves), kRounding * std::min(1.0, is));
  }

  // A burst is over. Where a state went to and fro in it by as much as may matter, the run's state
  // is kept until there is time for a window: what goes to and fro may soon be over. Inside the
  // step: a state that does not fit into the room there is is not kept.
  void keep_if_rough(const State<double>& s) noexcept {
    const double floor = noise(kFaint);
    double most = 0;
    for (const StateInfo& x : simulation_.structure().states) {
      Differences& d = seen_[static_cast<std::size_t>(x.group.value)];
      const auto i = static_cast<std::size_t>(x.place);
      most = std::max(most, d.recent[i] / (scale(x) + floor));
      d.jitter[i] = std::max(d.jitter[i], std::exchange(d.recent[i], 0.0));
    }
    if (most <= std::max(kJitters, roughest_)) return;
    for (const GroupIndex g : s.groups.indices()) {
      const GroupState<double>&from = s.groups[g], &to = rough_.groups[g];
      if (from.history.rows.size() > to.history.rows.capacity() ||
          from.signals.rows.size() > to.signals.rows.capacity())
        return;
    }
    roughest_ = most;
    rough_ = s;
  }

  void judge_rough(Simulation& s) {
    roughest_ = 0;
    judge(s, rough_);
  }

  // What the first frames were like: a start can be the worst of a run.
  void judge_early(Simulation& s) {
    for (; judged_ < kept_ && !pending_; ++judged_) judge(s, early_[judged_]);
  }

  // Early in a run ranges are small, and nearly everything is large beside them.
  void conclude(Simulation& s) {
    if (!pending_) return;
    Pending p = *std::exchange(pending_, std::nullopt);
    p.suspect.score = p.error / (scale(info(p.suspect.state)) + noise());
    if (p.suspect.score <= kMatters) return;
    found_ = std::move(p);
    if (s.structure().summary.metrics.empty() || !repeats(s)) report(s);
  }

  // A window from a state of the run, and another a little later where that is suspect: what
  // happens once, like an event that comes half a step sooner or later, is no sign of the step.
  void judge(Simulation& s, const State<double>& from) {
    if (!twice_) twice_ = std::make_unique<Twice>(s);
    const auto suspect = look(s, from);
    if (!suspect) return;
    const double error = twice_->error(info(suspect->state));
    spent_ += kBetween;
    if (!twice_->go_on(kBetween)) return;
    const State<double> later = twice_->state();
    const auto again = look(s, later);
    if (!again) return;
    const double both = std::min(error, twice_->error(info(suspect->state)));
    Score& sum = scores_[static_cast<std::size_t>(suspect->state.value)];
    sum.lasting = std::max(sum.lasting, both);
    if (std::min(suspect->score, again->score) > kMatters)
      pending_ = Pending{*suspect, error, from};
  }

  // One window. The state that is most wrong, if that can be seen.
  std::optional<Suspect> look(Simulation& s, const State<double>& from) {
    spent_ += Twice::kCost;
    if (!twice_->window(s, from)) return std::nullopt;  // it fails: so will the run
    const double floor = noise();
    Suspect most;
    for (const StateIndex i : s.structure().states.indices()) {
      const StateInfo& x = info(i);
      const double error = twice_->error(x), way = twice_->way(i);
      Score& sum = scores_[static_cast<std::size_t>(i.value)];
      sum.error += error;
      sum.way += way;
      const double score = error / (scale(x) + floor);
      if (error > kUnresolved * way && score > std::max(kDoubtful, most.score) && shows(s, x))
        most = {i, score};
    }
    ++windows_;
    return most.score > 0 ? std::optional(most) : std::nullopt;
  }

  // Whether anything outside its block can see that a state is wrong. A state of an equation is
  // itself a result; one of a native block may be of no consequence, like the bend of a brake that
  // is not applied.
  bool shows(Simulation& s, const StateInfo& x) {
    const int native = s.structure().blocks[x.block].native;
    if (native < 0) return true;
    const auto& [first, second] = twice_->outputs(native);
    if (first.empty()) return true;
    for (std::size_t k = 0; k < first.size(); ++k) {
      const double size = std::max(std::fabs(first[k]), std::fabs(second[k]));
      if (std::fabs(first[k] - second[k]) > kShown * size + kNoise * kNoise) return true;
    }
    return false;
  }

  // --- words ---

  // What was found; where metrics are the reason to say it, which.
  void report(Simulation& s, const std::string& metrics = "") {
    done_ = true;
    const auto& [suspect, error, from] = *found_;
    const StateInfo& x = info(suspect.state);
    const auto [step, healthy] = step_that_holds(s, from);
    findings_.push_back(
        {.text = fmt::format(
             "the step of {:.4g} s is too large: {}within {} frames {} (group {}) goes wrong by "
             "{:.0f} % of its range so far, against half the step, and again after them{}{}",
             seconds(s.plan().step), metrics.empty() ? "" : metrics + "; ", Twice::kFrames,
             in_words(x), s.structure().blocks[x.block].label, 100 * std::min(suspect.score, 10.0),
             cause(s, healthy, x.name),
             step ? fmt::format("; a step of about {:.3g} s holds", *step)
                  : "; no step that was tried holds"),
         .time = from.clock.time(),
         .signal = x.name,
         .part = block_of(x)});
  }
  [[nodiscard]] const std::string& block_of(const StateInfo& x) const {
    return simulation_.structure().blocks[x.block].name;
  }
  [[nodiscard]] std::string in_words(const StateInfo& x) const {
    return fmt::format("state '{}' of block '{}'", x.name, block_of(x));
  }

  // A step at which windows agree, once what the present one has stirred up has died away; and the
  // state there, which is right.
  std::pair<std::optional<double>, State<double>> step_that_holds(Simulation& s,
                                                                  const State<double>& from) {
    double h = seconds(s.plan().step);
    for (int k = 1; k <= kHalvings; ++k) {
      h /= 2;
      if (!twice_->settled_window(s, from, k)) continue;
      const double floor = noise();
      const bool holds = std::all_of(
          s.structure().states.begin(), s.structure().states.end(),
          [&](const StateInfo& x) { return twice_->error(x) <= kHolds * (scale(x) + floor); });
      if (holds) return {h, twice_->state()};
    }
    return {std::nullopt, from};
  }

  // The mode that the step makes grow where all is well but for the step; or that of the state.
  [[nodiscard]] std::string cause(const Simulation& s, const State<double>& at,
                                  const std::string& state) const {
    const auto structure = unowned(s.structure());
    if (const auto advice = advise_step(structure, at, s.plan()))
      return fmt::format("; {} makes {} grow{}", s.plan().method.name,
                         chicane::in_words(advice->mode), parameters_behind(advice->mode));
    const auto mode = mode_of_state(structure, at, state);
    return mode ? fmt::format("; it belongs to {}{}", chicane::in_words(*mode),
                              parameters_behind(*mode))
                : "";
  }

  // The state that moves least accurately of those that move smoothly, by sums of errors beyond
  // these shares of ways and ranges.
  [[nodiscard]] Suspect least_accurate(double of_way, double of_range) const {
    Suspect most;
    if (windows_ < kEnough) return most;
    const double floor = noise(kFaint);
    for (const StateIndex i : simulation_.structure().states.indices()) {
      const StateInfo& x = info(i);
      const Score& sum = scores_[static_cast<std::size_t>(i.value)];
      const Differences& d = seen_[static_cast<std::size_t>(x.group.value)];
      const auto k = static_cast<std::size_t>(x.place);
      const double share = sum.error / (sum.way + floor);
      const bool smooth = d.all3[k] < kSmooth * d.all1[k];
      const bool moves = sum.error > windows_ * of_range * (scale(x) + floor);
      if (smooth && moves && share > std::max(of_way, most.score)) most = {i, share};
    }
    return most;
  }

  // A step that is stable and yet too coarse for what the model does.
  void judge_accuracy(const Simulation& s) {
    const Suspect most = least_accurate(kInaccurate, kMoves);
    if (most.score == 0) return;
    const StateInfo& x = info(most.state);
    const double h = seconds(s.plan().step);
    const int order = std::max(1, order_of(s.plan(), s.structure()).order);
    findings_.push_back(
        {.text = fmt::format(
             "the step of {:.4g} s is coarse for what the model does: {} moves with an error of "
             "{:.2g} % against half the step; try --step {:.2g}s",
             h, in_words(x), 100 * most.score,
             h * std::pow(0.25 * kInaccurate / most.score, 1.0 / order)),
         .time = s.time(),
         .signal = x.name,
         .part = block_of(x)});
  }

  // The state whose errors are too small to tell by themselves whether results are wrong.
  [[nodiscard]] std::optional<StateIndex> doubtful() const {
    const double floor = noise(kFaint);
    Suspect most;
    for (const StateIndex i : simulation_.structure().states.indices()) {
      const StateInfo& x = info(i);
      const Differences& d = seen_[static_cast<std::size_t>(x.group.value)];
      double doubt = scores_[static_cast<std::size_t>(i.value)].lasting / kDoubtful;
      if (simulation_.structure().blocks[x.block].native < 0)  // it shows by itself
        doubt = std::max(doubt, d.jitter[static_cast<std::size_t>(x.place)] / kJitters);
      const double score = doubt / (scale(x) + floor);
      if (score > std::max(1.0, most.score)) most = {i, score};
    }
    if (most.score == 0) most = least_accurate(kWorthALook * kInaccurate, kWorthALook * kMoves);
    return most.score > 0 ? std::optional(most.state) : std::nullopt;
  }

  // Metrics decide what states are worth that leave a doubt: those of the run against those with
  // half the step; or that were found wrong: against a quarter of it, because where a step is
  // unstable half of it may be, too. A run of few frames, which are long ones, is worth a quarter
  // in any case: an event falls upon the same frame of the run and of every second with half the
  // step half the time.
  void judge_metrics(Simulation& s) {
    const auto doubt = found_ ? std::optional(found_->suspect.state) : doubtful();
    const std::int64_t frames = s.state().frames - origin_;
    if (!doubt && frames > kBrief) return;
    const std::string wrong = frames > kLong || (found_ && !repeats(s))
                                  ? kNotRepeated
                                  : compare_metrics(s, found_ || frames <= kBrief ? 4 : 2);
    if (wrong.empty()) {
      settled_by_metrics_ = doubt;
    } else if (found_) {
      report(s, wrong);
    } else {
      RunWarning w{.text = fmt::format("the step of {:.4g} s is too large for what is measured: {}",
                                       seconds(plan_.step), wrong),
                   .time = s.time()};
      if (doubt) {
        w.signal = info(*doubt).name;
        w.part = block_of(info(*doubt));
        w.text += fmt::format("; {} is not resolved", in_words(info(*doubt)));
      }
      findings_.push_back(std::move(w));
    }
  }

  // Which metric changes with the step divided, in words; nothing where all agree.
  std::string compare_metrics(Simulation& s, int factor) {
    const char* finer_step = factor == 2 ? "half" : "a quarter";
    const double same = kWrong * (1.0 - 1.0 / factor);  // an error that goes with h changes so much
    const std::int64_t until = s.state().clock.now();
    const auto now = metrics_again(s, start_, plan_, until, 1);
    const auto finer = metrics_again(s, start_, plan_, until, factor);
    if (!now) return "the run fails when it is repeated";
    if (!finer) return fmt::format("a run with {} of it fails", finer_step);
    for (std::size_t k = 0; k < now->size(); ++k) {
      const std::optional<double> a = (*now)[k].value, b = (*finer)[k].value;
      const double differ = a && b ? apart(*a, *b) : a || b ? HUGE_VAL : 0.0;
      if (differ > same)
        return fmt::format("metric '{}' is {} with it and {} with {} of it", (*now)[k].name,
                           in_words(a), in_words(b), finer_step);
      most_apart_ = std::max(most_apart_, differ);
    }
    return "";
  }
  [[nodiscard]] static double apart(double a, double b) {
    const double size = std::max(std::fabs(a), std::fabs(b));
    return size < kLeast ? 0.0 : std::fabs(a - b) / size;
  }
  [[nodiscard]] static std::string in_words(const std::optional<double>& v) {
    return v ? fmt::format("{:.4g}", *v) : "without a value";
  }

  static constexpr const char* kNotRepeated =
      "in a run that is too long, or was changed too much on its way, to be repeated for its "
      "metrics";

  // Whether the run from its start on would be this one: nobody has changed anything since.
  [[nodiscard]] bool repeats(Simulation& s) const {
    return s.plan().step == plan_.step && s.plan().scheme == plan_.scheme &&
           s.state().constants == start_.constants && s.inputs().u == inputs_;
  }

  const Simulation& simulation_;
  const State<double> start_;  // where the run began, and how
  const Plan plan_;
  std::vector<double> inputs_;     // as it began
  State<double> rough_;            // where a state went to and fro most since the last decision ...
  double roughest_ = 0;            // ... by how much of its range; 0: nowhere
  std::vector<Differences> seen_;  // per group
  std::vector<Score> scores_;      // per state
  std::vector<double> memory_;     // at the last decision
  std::unique_ptr<Twice> twice_;
  std::int64_t last_ = -1;  // frame seen
  int place_ = 0;
  std::optional<Pending> pending_, found_;
  std::optional<StateIndex> settled_by_metrics_;  // wrong or doubtful, and nothing is said of it
  double most_apart_ = 0;                         // [-] metrics from those of a smaller step
  std::vector<State<double>> early_;  // room made beforehand for states of the first frames
  std::size_t kept_ = 0, judged_ = 0;
  std::int64_t origin_ = -1;  // [frames] where the run began
  bool begun_ = false;
  std::int64_t next_ = 0, due_ = 0, every_ = kChunk;  // [frames]
  double spent_ = 0;                                  // [frames] of work
  int windows_ = 0;
  bool done_ = false;
  std::vector<RunWarning> findings_;
};

}  // namespace

std::unique_ptr<Guard> make_step_guard(const Simulation& simulation) {
  return std::make_unique<StepGuard>(simulation);
}

}  // namespace chicane
