// SPDX-License-Identifier: Apache-2.0
#include "analysis/limit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "analysis/amplification.hpp"
#include "analysis/disturbed_pair.hpp"
#include "analysis/linearize.hpp"
#include "language/blueprint.hpp"

namespace chicane {
namespace {

constexpr double kSmall = 0.5;          // [-] |lambda| h of the steps that settle
constexpr std::int64_t kLook = 500;     // ... between looks at how fast the model is
constexpr int kAhead = 2000;            // such steps in which scales are found
constexpr double kFloor = 0.1;          // [-] of a scale, of what the others come to
constexpr double kRoundOff = 1e-11;     // [-] differences below are round-off
constexpr double kSaturated = 200;      // [-] times the disturbance: it has grown, ...
constexpr double kSaturatedFor = 0.05;  // [-] ... when for this part of the frames it is beyond
constexpr double kStillness = 1e-3;     // [-] of the scale: swings below are none
constexpr double kNegligible = 1e-3;    // [-] of the largest difference: not worth looking at
constexpr double kFarMore = 10;         // [-] times the swing of an accurate run
constexpr double kClearly = 1.05;       // times a step that is unstable: there is no doubt
constexpr double kStill = 1e-6;         // [-] of the fastest eigenvalue: as good as zero
constexpr double kFirst = 0.1;          // [-] |lambda| h of the first step tried
constexpr double kScan = 1.1;           // from one step tried to the next
constexpr double kLastScanned = 100;    // [-] |lambda| h, times the largest ratio
constexpr double kMostStep = 200;       // [s] the clock must hold all frames

using Matrix = std::vector<std::vector<double>>;  // by state, in the order of the ModelStructure

// A number that differs from state to state, so that no mode is left out by symmetry: its size is
// between 1/2 and 1, with both signs.
double uneven(std::size_t i) {
  const double golden = static_cast<double>(i + 1) * std::numbers::phi;
  const double part = golden - std::floor(golden);
  return (i % 2 == 0 ? 0.5 : -0.5) * (1 + part);
}

// Whether anything that is judged depends on a state, itself included. What only such a state
// depends on falls with it.
std::vector<bool> read_by_any(const Matrix& A) {
  std::vector<bool> judged(A.size(), true);
  for (bool again = true; again;) {
    again = false;
    for (std::size_t j = 0; j < A.size(); ++j) {
      if (!judged[j]) continue;
      bool read = false;
      for (std::size_t i = 0; i < A.size(); ++i) read = read || (judged[i] && A[i][j] != 0.0);
      if (read) continue;
      judged[j] = false;
      again = true;
    }
  }
  return judged;
}

// Whether a state depends on others, as those of loops do.
std::vector<bool> tied_states(const ModelStructure& s) {
  PerIndex<BlockIndex, std::vector<NativeState>> natives;
  for (const BlockPlace& b : s.blocks)
    natives.push_back(b.native < 0
                          ? std::vector<NativeState>{}
                          : s.natives[static_cast<std::size_t>(b.native)].kind->info().states);
  std::vector<std::size_t> seen(static_cast<std::size_t>(s.blocks.size()));  // states of a block
  std::vector<bool> tied;
  for (const StateInfo& x : s.states) {
    const std::size_t k = seen[static_cast<std::size_t>(x.block.value)]++;
    tied.push_back(k < natives[x.block].size() && natives[x.block][k].tied);
  }
  return tied;
}

// What an undamped motion gives to each state that counts, over the most.
std::vector<double> sizes(const Matrix& A, const std::vector<bool>& counts) {
  Eigen::MatrixXd own = to_eigen(A);
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (!counts[i]) {
      own.row(static_cast<Eigen::Index>(i)).setZero();
      own.col(static_cast<Eigen::Index>(i)).setZero();
    }
  const Eigen::VectorXd d = balance(own);
  std::vector<double> out;
  for (const double size : d) out.push_back(size / d.maxCoeff());
  return out;
}

// A pair of runs, step by step and state by state.
class Record {
 public:
  template <class Pair>
  void add(const Pair& pair) {
    n_ = 0;
    pair.each_state([&](std::size_t, double x, double d) {
      x_.push_back(x);
      d_.push_back(d);
      ++n_;
    });
  }
  [[nodiscard]] std::size_t steps() const { return n_ == 0 ? 0 : d_.size() / n_; }
  // The largest difference of each state, weighted, in steps from first up to last.
  [[nodiscard]] std::vector<double> differences(std::size_t first, std::size_t last) const {
    std::vector<double> most(n_);
    for (std::size_t k = first; k < last; ++k)
      for (std::size_t i = 0; i < n_; ++i) most[i] = std::max(most[i], d_[k * n_ + i]);
    return most;
  }
  // From least to most of each state that was not disturbed.
  [[nodiscard]] std::vector<double> swings(std::size_t first, std::size_t last) const {
    std::vector<double> swing(n_);
    for (std::size_t i = 0; i < n_ && first < last; ++i) {
      double least = x_[first * n_ + i], most = least;
      for (std::size_t k = first; k < last; ++k) {
        least = std::min(least, x_[k * n_ + i]);
        most = std::max(most, x_[k * n_ + i]);
      }
      swing[i] = most - least;
    }
    return swing;
  }

 private:
  std::size_t n_ = 0;
  std::vector<double> x_, d_;
};

// Two runs at a step, and what of it is compared, per state: the largest difference in the second
// and in the last quarter, and how far it swings there in the run that was not disturbed.
struct Judgement {
  bool finite = false, saturated = false;
  double end = 0;   // [s]
  double size = 1;  // the largest state, over its scale
  std::vector<double> difference_before, difference, swing_before, swing;
};

class StepSearch {
 public:
  StepSearch(const std::shared_ptr<const ModelStructure>& structure, const Plan& plan,
             const LimitSettings& settings)
      : settings_(settings), plan_(plan), together_(all_together(structure)) {
    plan_.threads = 1;  // the same numbers, without waiting for each other
    require(plan.scheme != SchemeKind::reference, "the reference scheme has no step of its own");
    for (const StateIndex i : together_->groups[kAllTogether].states)
      state_at_.push_back(static_cast<std::size_t>(i.value));
    tied_ = tied_states(*together_);
    settle(structure);
  }

  Limit find() {
    Limit out;
    predict(out);
    if (!find_stable(first_tried(), out)) return out;
    if (!find_unstable(last_tried(), out)) return out;
    while (out.unstable - out.stable > settings_.accuracy * out.stable) {
      const double middle = 0.5 * (out.stable + out.unstable);
      (stable(middle) ? out.stable : out.unstable) = middle;
    }
    explain(out);
    if (runs_away_) out.outcome = Limit::Outcome::never_stable;
    return out;
  }

 private:
  // [s] The steps between which the limit is searched for.
  [[nodiscard]] double first_tried() const { return kFirst * unit(); }
  [[nodiscard]] double last_tried() const {
    double ratio = 1;
    for (const Plan::Group& g : plan_.groups) ratio = std::max(ratio, double(g.ratio));
    return std::min(kMostStep, std::max(kLastScanned * ratio * unit(), 1e3 * seconds(plan_.step)));
  }
  [[nodiscard]] double unit() const { return fastest_ > 0 ? 1 / fastest_ : seconds(plan_.step); }

  [[nodiscard]] std::int64_t small_step() const {
    const double h =
        fastest_ > 0 ? std::min(kSmall / fastest_, seconds(plan_.step)) : seconds(plan_.step);
    return std::max<std::int64_t>(2, whole_picoseconds(h).value_or(plan_.step));
  }

  Matrix jacobian_at(const State<double>& at) const {
    const Matrix by_place = jacobian(Model<Dual>(together_), at);
    Matrix A(by_place.size(), std::vector<double>(by_place.size()));
    for (std::size_t i = 0; i < A.size(); ++i)
      for (std::size_t j = 0; j < A.size(); ++j) A[state_at_[i]][state_at_[j]] = by_place[i][j];
    return A;
  }

  // Leaves the model to itself, then looks ahead for the scales of its states.
  void settle(const std::shared_ptr<const ModelStructure>& apart) {
    const State<double> initial = Model<double>(together_).initial_state();
    fastest_ = fastest(linearize(together_, initial));
    Simulation s(together_, {.method = *find_method("rk4"), .step = small_step()});
    for (std::int64_t k = 1; s.time() < settings_.settle; ++k) {
      if (k % kLook == 0) keep_small(s);
      const Status status = s.step();
      if (status == Status::interrupted)
        throw std::runtime_error(
            fmt::format("the model does not settle: an event ends the run at "
                        "t = {:.6g} s; take a shorter settle time",
                        s.time()));
      if (status != Status::ok)
        throw std::runtime_error(
            fmt::format("the model does not settle: state '{}' runs away at "
                        "t = {:.6g} s",
                        s.failure(status).state, s.time()));
    }
    const State<double> settled = s.state();
    modes_ = linearize(together_, settled);
    fastest_ = std::max(fastest_, fastest(modes_));

    State<double> ahead;
    const std::vector<double> peak = look_ahead(settled, ahead);
    Matrix A = jacobian_at(settled);
    for (const State<double>& at : {initial, ahead}) {
      const Matrix B = jacobian_at(at);
      for (std::size_t i = 0; i < A.size(); ++i)
        for (std::size_t j = 0; j < A.size(); ++j)
          A[i][j] = std::max(std::fabs(A[i][j]), std::fabs(B[i][j]));
    }
    judged_ = read_by_any(A);
    std::vector<bool> counts = judged_;
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = counts[i] && !tied_[i];
    set_scales(peak, sizes(A, counts), counts);
    Plan small = s.plan();
    small.step = 2 * settled.clock.unit;
    accurate_ = {together_, small, settled};
    s.regroup(apart, plan_);
    beginning_ = {apart, plan_, s.state()};
  }

  // A model can become faster while it settles: a gear is engaged.
  void keep_small(Simulation& s) {
    fastest_ = std::max(fastest_, fastest(linearize(together_, s.state())));
    Plan plan = s.plan();
    if (plan.step <= small_step()) return;
    plan.step = small_step();
    s.replan(plan);
  }

  static double fastest(const Linearization& l) {
    return l.eigenvalues.empty() ? 0.0 : std::abs(l.eigenvalues.front());
  }

  // The largest magnitude of each state in an accurate run from the settled state, and its end.
  std::vector<double> look_ahead(const State<double>& settled, State<double>& end) const {
    Plan plan{.method = *find_method("rk4"), .step = 2 * settled.clock.unit};
    Simulation s(together_, plan);
    s.restore(settled, plan);
    std::vector<double> peak(static_cast<std::size_t>(together_->states.size()));
    for (int k = 0; k <= kAhead; ++k) {
      const std::vector<double> x = s.continuous();
      for (std::size_t i = 0; i < x.size(); ++i) peak[i] = std::max(peak[i], std::fabs(x[i]));
      if (s.step() != Status::ok) break;
    }
    end = s.state();
    return peak;
  }

  // A state that depends on others has no scale but its own.
  void set_scales(const std::vector<double>& peak, const std::vector<double>& size,
                  const std::vector<bool>& counts) {
    double common = 0;  // the largest motion, in units of `size`
    for (std::size_t i = 0; i < peak.size(); ++i)
      if (counts[i]) common = std::max(common, peak[i] / size[i]);
    if (common == 0) common = 1 / kFloor;  // a model at rest
    for (std::size_t i = 0; i < peak.size(); ++i) {
      const double scale = tied_[i] ? peak[i] : std::max(peak[i], kFloor * common * size[i]);
      offset_.push_back(settings_.disturbance * scale * uneven(i));
      weight_.push_back(judged_[i] && scale > 0 ? 1 / scale : 0.0);
    }
  }

  // From the linearised frame: what a difference grows by between the two quarters that are
  // compared. Where the model's motion decides, from the linearised frames along it.
  void predict(Limit& out) {
    if (fastest_ == 0) return;
    out.predicted = marginal_step(beginning_, modes_.eigenvalues, first_tried(), last_tried(),
                                  std::pow(settings_.allowance, 2.0 / settings_.frames));
    if (!out.predicted) out.predicted = marginal_step_in_motion();
  }

  [[nodiscard]] std::optional<double> marginal_step_in_motion() {
    const auto holds = [&](double h) {
      TangentRun run(beginning_, whole_picoseconds(h).value(), offset_, weight_);
      return stable(judge(run, h), h);
    };
    double good = 0, bad = first_tried();
    for (; holds(bad); bad *= kScan) {
      good = bad;
      if (kScan * bad > last_tried()) return std::nullopt;
    }
    if (good == 0) return std::nullopt;
    while (bad - good > settings_.accuracy * good) {
      const double middle = 0.5 * (good + bad);
      (holds(middle) ? good : bad) = middle;
    }
    return good;
  }

  // --- one step ---

  // Pair: a DisturbedPair or a TangentRun.
  template <class Pair>
  [[nodiscard]] Judgement judge(Pair& pair, double h) const {
    const double initial = pair.difference();
    Judgement j;
    Record record;
    int far = 0;
    for (int k = 0; k < settings_.frames; ++k) {
      const Status status = pair.step();
      if (status == Status::interrupted) break;
      if (status != Status::ok) return j;
      record.add(pair);
      j.size = std::max(j.size, pair.size());
      if (pair.difference() > kSaturated * initial) ++far;
    }
    const std::size_t steps = record.steps(), quarter = steps / 4;
    if (quarter < 10)
      throw std::runtime_error(fmt::format(
          "an event ends the run after {} frames of {:.4g} s: too few to judge", steps, h));
    j.finite = true;
    // Both runs may end in one and the same cycle, with no difference left: what counts is that
    // they once were far apart, and not only at a jump of the model.
    j.saturated = far > kSaturatedFor * static_cast<double>(steps);
    j.end = h * static_cast<double>(steps);
    j.difference_before = record.differences(quarter, 2 * quarter);
    j.difference = record.differences(3 * quarter, steps);
    j.swing_before = record.swings(quarter, 2 * quarter);
    j.swing = record.swings(3 * quarter, steps);
    return j;
  }

  // Stable where the largest difference does not grow. It may also grow because the model's own
  // does, by a slow motion or a drift: then no state that grows and is worth looking at is
  // further apart than in an accurate run.
  [[nodiscard]] bool stable(const Judgement& j, double h) {
    if (!j.finite) {
      reach_accurately(h * settings_.frames);  // to know whether the model itself runs away
      return false;
    }
    const std::vector<double>&before = j.difference_before, &last = j.difference;
    const double largest = *std::max_element(last.begin(), last.end());
    const bool bounded =
        largest <= settings_.allowance * *std::max_element(before.begin(), before.end()) ||
        largest <= kRoundOff * j.size;
    if (bounded && !j.saturated) return !cycles(j);
    if (!reach_accurately(j.end)) return false;
    const auto own =
        accurate_record_.differences(accurate_step(0.75 * j.end), accurate_step(j.end));
    for (std::size_t i = 0; i < last.size(); ++i) {
      const double right = j.saturated ? own[i] : std::max(before[i], own[i]);
      if (last[i] > kNegligible * largest && last[i] > settings_.allowance * right) return false;
    }
    return true;
  }

  // Whether both runs go round in a cycle that accurate runs do not have, with a difference that
  // does not grow: some state swings far more than it should, and goes on doing so.
  bool cycles(const Judgement& j) {
    const auto lasting = [&](std::size_t i) {
      const double swing = weight_[i] * j.swing[i];
      return swing > kStillness && settings_.allowance * j.swing[i] > j.swing_before[i];
    };
    bool any = false;
    for (std::size_t i = 0; i < weight_.size(); ++i) any = any || lasting(i);
    if (!any || !reach_accurately(j.end)) return false;
    const auto right = accurate_record_.swings(accurate_step(0.75 * j.end), accurate_step(j.end));
    for (std::size_t i = 0; i < weight_.size(); ++i)
      if (lasting(i) && j.swing[i] > kFarMore * right[i]) return true;
    return false;
  }
  [[nodiscard]] bool stable(const Beginning& from, double h) {
    DisturbedPair pair(from, whole_picoseconds(h).value(), offset_, weight_);
    return stable(judge(pair, h), h);
  }
  [[nodiscard]] bool stable(double h) { return stable(beginning_, h); }

  // Accurate runs up to a time after the beginning; false where they run away or would be too long.
  bool reach_accurately(double time) {
    constexpr std::size_t kMostNumbers = 20'000'000;
    const std::size_t steps = accurate_step(time);
    if (steps * weight_.size() > kMostNumbers) return false;
    if (!accurate_pair_)
      accurate_pair_ =
          std::make_unique<DisturbedPair>(accurate_, accurate_.plan.step, offset_, weight_);
    while (accurate_record_.steps() < steps) {
      const Status status = accurate_pair_->step();
      runs_away_ = status != Status::ok && status != Status::interrupted;
      if (status != Status::ok) return false;
      accurate_record_.add(*accurate_pair_);
    }
    return true;
  }

  // The step behind a time.
  [[nodiscard]] std::size_t accurate_step(double time) const {
    return static_cast<std::size_t>(time / seconds(accurate_.plan.step)) + 1;
  }

  bool find_stable(double first, Limit& out) {
    double h = first;
    for (int tries = 0; tries < 4; ++tries, h /= 10) {
      if (h < 1e-12) break;
      if (stable(h)) {
        out.stable = h;
        return true;
      }
      out.unstable = h;
    }
    out.outcome = Limit::Outcome::never_stable;
    explain(out);
    return false;
  }

  bool find_unstable(double most, Limit& out) {
    for (double h = out.stable * kScan; h <= most; h *= kScan) {
      out.unstable = h;
      if (!stable(h)) return true;
      out.stable = h;
    }
    out.outcome = Limit::Outcome::stable_throughout;
    out.unstable = 0;
    return false;
  }

  // --- what grows ---

  // Differences of all states, frame by frame, as long as they are small.
  [[nodiscard]] std::vector<std::vector<double>> recorded(double h) const {
    DisturbedPair pair(beginning_, whole_picoseconds(h).value(), offset_, weight_);
    const double initial = pair.difference();
    std::vector<std::vector<double>> d;
    for (int k = 0; k < settings_.frames && pair.step() == Status::ok; ++k) {
      d.push_back(pair.differences());
      if (pair.difference() > kSaturated * initial) break;
    }
    return d;
  }

  void explain(Limit& out) {
    const auto clear = recorded(kClearly * out.unstable);  // what grows stands out
    if (clear.empty()) return;
    const std::vector<double>& d = clear.back();
    std::size_t most = 0;
    for (std::size_t i = 0; i < weight_.size(); ++i)
      if (weight_[i] * std::fabs(d[i]) > weight_[most] * std::fabs(d[most])) most = i;
    out.group = too_slow(out.unstable);
    const StateInfo& state = together_->states[StateIndex{static_cast<int>(most)}];
    out.state = state.name;
    out.block = together_->blocks[state.block].name;
    find_mode(d, out);
    for (const StateIndex i : together_->states.indices())
      if (together_->states[i].name == out.state) most = static_cast<std::size_t>(i.value);
    if (out.group.empty()) out.group = label_of_block(out.block);
    if (out.eigenvalue) out.parameters = parameters_behind(*out.eigenvalue, out.state);
    out.seen = swings(recorded(out.unstable), most, out.unstable);
  }

  // The parameters behind a mode of the settled model.
  [[nodiscard]] std::vector<ParameterEffect> parameters_behind(std::complex<double> eigenvalue,
                                                               const std::string& state) const {
    const Linearization l = linearize(together_, with_default_inputs(*together_, accurate_.state),
                                      {.parameters = true});
    const auto mode = chicane::find_mode(l, eigenvalue, state);
    return mode ? named(l, *mode).parameters : std::vector<ParameterEffect>{};
  }

  [[nodiscard]] const std::string& label_of_block(const std::string& name) const {
    return std::find_if(together_->blocks.begin(), together_->blocks.end(),
                        [&](const BlockPlace& b) { return b.name == name; })
        ->label;
  }

  // The fastest group for which half its steps would allow a clearly larger frame: the one at
  // fault, whoever shows the growth at the frames, where a fast motion may look like a slow one.
  // Empty where groups have no steps of their own.
  [[nodiscard]] std::string too_slow(double frame) {
    if (plan_.groups.empty() || plan_.scheme == SchemeKind::prk) return "";
    Beginning finer = beginning_;
    for (int g = plan_.groups.size() - 1; g > 0; --g) {
      finer.plan.groups[GroupIndex{g}].ratio *= 2;
      if (stable(finer, kScan * frame)) return finer.structure->groups[GroupIndex{g}].name;
    }
    return finer.structure->groups[GroupIndex{0}].name;
  }

  // The mode of the linearised model that the difference has most of, and the state that takes part
  // in it most: of the group at fault, where that is known. The linearised model has the ways in
  // which the states are free to change; most of them are states, by name.
  void find_mode(const std::vector<double>& difference, Limit& out) const {
    if (modes_.eigenvalues.empty()) return;
    const auto n = static_cast<Eigen::Index>(modes_.states.size());
    Eigen::VectorXd d = Eigen::VectorXd::Zero(n), weight = d;
    for (const StateIndex i : together_->states.indices()) {
      const auto at =
          std::find(modes_.states.begin(), modes_.states.end(), together_->states[i].name);
      if (at == modes_.states.end()) continue;
      d(at - modes_.states.begin()) = difference[static_cast<std::size_t>(i.value)];
      weight(at - modes_.states.begin()) = weight_[static_cast<std::size_t>(i.value)];
    }
    double largest = 0;
    for (const Eigenmotion& m : Spectrum::motions(to_eigen(modes_.A))) {
      // A mode that does not move is none that a step makes grow, and several may be one; nor is
      // one that grows by itself, where others have a limit.
      if (m.lambda.imag() < 0 || std::abs(m.lambda) < kStill * fastest_) continue;
      if (out.outcome == Limit::Outcome::found && m.lambda.real() > kStill * std::abs(m.lambda))
        continue;
      const double part = std::abs((m.w * d).value()) *
                          m.v.cwiseProduct(weight.cast<std::complex<double>>()).norm();
      Eigen::Index leading = 0;
      m.participation().maxCoeff(&leading);
      const auto state = static_cast<std::size_t>(leading);
      if (!(part > largest) || (!out.group.empty() && modes_.group_of[state] != out.group))
        continue;
      largest = part;
      out.state = modes_.states[state];
      out.block = modes_.block_of[state];
      out.eigenvalue = m.lambda;
    }
  }

  // Swings per second in the latter half, by changes of sign.
  static std::optional<double> swings(const std::vector<std::vector<double>>& d, std::size_t state,
                                      double h) {
    const std::size_t from = d.size() / 2;
    std::size_t changes = 0, first = 0, last = 0;
    for (std::size_t k = from + 1; k < d.size(); ++k) {
      if (std::signbit(d[k][state]) == std::signbit(d[k - 1][state])) continue;
      if (changes++ == 0) first = k;
      last = k;
    }
    if (changes < 3) return std::nullopt;
    return static_cast<double>(changes - 1) / (2 * h * static_cast<double>(last - first));
  }

  LimitSettings settings_;
  Plan plan_;
  std::shared_ptr<const ModelStructure> together_;
  std::vector<std::size_t> state_at_;  // place in the one group -> state
  Linearization modes_;
  double fastest_ = 0;  // [1/s]
  std::vector<bool> judged_, tied_;
  std::vector<double> offset_, weight_;
  Beginning beginning_, accurate_;
  std::unique_ptr<DisturbedPair> accurate_pair_;
  Record accurate_record_;
  bool runs_away_ = false;  // the model itself
};

}  // namespace

Limit find_limit(const std::shared_ptr<const ModelStructure>& structure, const Plan& plan,
                 const LimitSettings& settings) {
  return StepSearch(structure, plan, settings).find();
}

}  // namespace chicane
