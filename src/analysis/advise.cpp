// SPDX-License-Identifier: Apache-2.0
#include "analysis/advise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "assembly/assemble.hpp"
#include "integrators/multirate/coupled_groups.hpp"
#include "simulation/plan.hpp"

namespace chicane {
namespace {

constexpr std::size_t kFinalists = 5;      // ways with one rate, and with several, that are run
constexpr int kOfAKind = 2;                // ratios of the same methods among them
constexpr int kCorrections = 8;            // of the step of each
constexpr double kAim = 0.8;               // [-] of the accuracy
constexpr double kFiner = 4;               // frames of the reference in the shortest step
constexpr std::int64_t kLongFrames = 200;  // of a solution that shows whether something acts
constexpr double kMostFrames = 1e6;        // of the reference: it is kept in memory
constexpr double kReferenceTime = 15;      // [s] of CPU time, about
constexpr double kStages = 13;             // evaluations in a frame of the reference, at least
constexpr double kShortest = 8;            // [units] where every step has a reference of its own
constexpr double kBelow = 0.9;             // [-] of a step that was unstable
constexpr double kHopeless = 2;            // [-] times the cost of the best
constexpr double kWorthIt = 1.05;          // [-] gain for which several rates are proposed
constexpr double kRaise = 1.2;             // [-] gain asked for in the next round of the contest
constexpr double kLower = 1.5;             // [-] where no way has that gain
constexpr double kTooDear = 10;            // [-] times the best with one rate: not looked at
constexpr int kRounds = 4;                 // of timing
constexpr double kUseless = 1;             // [-] error of a run that is given up
constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Compiled {
  std::shared_ptr<const ModelStructure> structure;
  Plan plan;
};

// Nothing where a way is none for this model.
std::optional<Compiled> compiled(const Spec& spec, const Candidate& candidate) {
  Diagnostics diag;
  Spec own = applied(spec, candidate);
  auto structure = compile_for_run(own, diag);
  const auto run = structure ? plan_run(own, *structure, diag) : std::nullopt;
  if (!run || !diag.ok()) return std::nullopt;
  return Compiled{std::move(structure), run->plan};
}

Method as_method(const Coefficients<double>& tableau, int order) {
  Method m;
  m.order = order;
  m.k = tableau;
  return m;
}

double least_time(const CpuClock& clock, int batches, int repeats, auto&& work) {
  double least = kInfinite;
  for (int b = 0; b < batches; ++b) {
    const double begin = clock();
    for (int k = 0; k < repeats; ++k) work();
    least = std::min(least, (clock() - begin) / repeats);
  }
  return 1e6 * least;
}

// [us] an evaluation of each group.
std::vector<double> evaluation_costs(const std::shared_ptr<const ModelStructure>& structure,
                                     const CpuClock& clock) {
  constexpr int kBatches = 4, kEvaluations = 1000;
  const Model<double> model(structure);
  State<double> state = model.initial_state();
  const Inputs<double> inputs = model.default_inputs();
  BoundModel<double> bound(model, state, inputs);
  CoupledGroups<BoundModel<double>> coupled(bound);
  std::vector<double> out;
  for (const GroupIndex g : groups_of(bound)) {
    bound.bind(g, coupled.eval(g));
    coupled.outputs(bound, g, 0.0, state.groups[g].x);
  }
  for (const GroupIndex g : groups_of(bound)) {
    std::vector<double> dx(state.groups[g].x.size());
    out.push_back(least_time(clock, kBatches, kEvaluations, [&] {
      coupled.outputs(bound, g, 0.0, state.groups[g].x);
      coupled.derivative(bound, g, dx);
    }));
  }
  return out;
}

// The largest of 1, 2 and 5 times a power of ten that is not larger; at least a picosecond.
double plain_number(double v) {
  const double power = std::pow(10.0, std::floor(std::log10(std::max(v, 1e-12))));
  for (const double digit : {5.0, 2.0})
    if (digit * power <= v) return digit * power;
  return power;
}

// The nearest of ten numbers a decade, each about a quarter larger than the one before (ISO 3).
double preferred_number(double v) {
  constexpr double kDigits[] = {1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0};
  const double power = std::pow(10.0, std::floor(std::log10(v)));
  const auto off = [&](double digit) { return std::fabs(std::log(digit * power / v)); };
  return power * *std::min_element(std::begin(kDigits), std::end(kDigits),
                                   [&](double a, double b) { return off(a) < off(b); });
}

bool in_budget(const Candidate& candidate, std::optional<double> budget_us) {
  return !budget_us || candidate.frame_us() <= *budget_us;
}

class Adviser {
 public:
  Adviser(const Spec& spec, const AdviceRequest& request, const CpuClock& clock)
      : spec_(spec),
        request_(request),
        clock_(clock),
        forecast_(spec, request.signals, request.until),
        splits_(forecast_.splits()) {}

  Advice go() {
    const std::vector<Candidate> one = with_expected_cost(single_rate_candidates());
    const std::vector<Candidate> several = with_expected_cost(multirate_candidates());
    set_unit(one, several);
    set_references();
    std::vector<Candidate> tried = best(one);
    const auto to_beat = least_cost(tried);
    const std::vector<Candidate> finalists =
        to_beat ? contest(several, *to_beat) : cheapest(several);
    for (Candidate& candidate : best(finalists)) tried.push_back(std::move(candidate));
    time_in_turns(tried);
    Advice out = choose(std::move(tried), request_.budget_us);
    for (std::optional<Candidate>* candidate : {&out.single_rate, &out.multirate})
      if (*candidate) (*candidate)->stable_step = stable_step_of(**candidate);
    if (out.found) out.proposal = out.proposal.multirate() ? *out.multirate : *out.single_rate;
    describe(out);
    return out;
  }

 private:
  // --- which ways there are ---

  [[nodiscard]] std::vector<Candidate> single_rate_candidates() const {
    std::vector<Candidate> candidates;
    for (const std::string_view name : method_names()) {
      Candidate candidate;
      candidate.scheme = "single-rate";
      candidate.method = name;
      candidates.push_back(std::move(candidate));
    }
    return candidates;
  }

  [[nodiscard]] std::vector<Candidate> multirate_candidates() const {
    std::vector<Candidate> candidates;
    for (const Split& split : splits_) {
      Candidate candidate;
      candidate.moved = split.moved;
      candidate.slow = split.slow.name;
      candidate.fast = split.fast.name;
      for (const TableauPair& pair : tableau_pairs()) {
        candidate.scheme = "prk";
        candidate.tableau = pair.name;
        candidates.push_back(candidate);
      }
      candidate.tableau.clear();
      for (const int ratio : {2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32}) {
        if (ratio > 2 && ratio > 2 * split.apart()) break;
        candidate.ratio = ratio;
        add_multiframes(candidate, candidates);
        candidate.scheme = "pece-multirate";
        candidate.method = candidate.fast_method = "";
        for (const char* interp : {"interp1", "interp3"}) {
          candidate.interp = interp;
          candidates.push_back(candidate);
        }
      }
    }
    return candidates;
  }

  // Methods without stages inside the slow step, which would need what the fast group does there.
  static void add_multiframes(Candidate candidate, std::vector<Candidate>& candidates) {
    candidate.scheme = "multiframe";
    const std::pair<const char*, const char*> slow[] = {
        {"ab2", "interp1"}, {"ab3", "interp2"}, {"ab4", "interp3"}};
    for (const auto& [method, interp] : slow)
      for (const char* fast : {method, "rk4", "am3", "rk5", "rtrk3"}) {
        candidate.method = method;
        candidate.fast_method = fast;
        candidate.interp = interp;
        candidates.push_back(candidate);
      }
  }

  // --- what theory expects of them ---

  [[nodiscard]] std::vector<GroupMethod> parts(const Candidate& candidate) const {
    if (!candidate.multirate()) return {forecast_.everything(*find_method(candidate.method))};
    const Split& split = *std::find_if(splits_.begin(), splits_.end(),
                                       [&](const Split& s) { return s.moved == candidate.moved; });
    Method slow = *find_method("am4p"), fast = slow;  // what the pece scheme does
    if (candidate.scheme == "prk") {
      const TableauPair& pair = *find_pair(candidate.tableau);
      slow = as_method(pair.slow, pair.order);
      fast = as_method(pair.fast, pair.order);
    } else if (candidate.scheme == "multiframe") {
      slow = *find_method(candidate.method);
      fast = *find_method(candidate.fast_method);
    }
    return {GroupMethod(slow, 1, split.slow.states, split.slow.eigenvalues),
            GroupMethod(fast, candidate.ratio, split.fast.states, split.fast.eigenvalues)};
  }
  [[nodiscard]] static std::optional<Interpolator> interp(const Candidate& candidate) {
    const InterpolatorInfo* info = find_interpolator(candidate.interp);
    return info == nullptr ? std::nullopt : std::optional(info->kind);
  }

  // Those that the model permits, the cheapest first.
  [[nodiscard]] std::vector<Candidate> with_expected_cost(std::vector<Candidate> candidates) const {
    for (Candidate& candidate : candidates)
      candidate.step = forecast_.step(request_.accuracy, parts(candidate), interp(candidate));
    const std::vector<double> frame = frame_costs(candidates);
    for (std::size_t i = 0; i < candidates.size(); ++i)
      candidates[i].cost_us = frame[i] / candidates[i].step;
    std::erase_if(candidates,
                  [](const Candidate& candidate) { return !std::isfinite(candidate.cost_us); });
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost_us < b.cost_us; });
    return candidates;
  }

  // The first of a list, not too many of a kind.
  [[nodiscard]] static std::vector<Candidate> cheapest(const std::vector<Candidate>& candidates) {
    std::vector<Candidate> out;
    std::map<std::string, int> of_kind;
    for (const Candidate& candidate : candidates) {
      if (out.size() == kFinalists) break;
      const std::string kind = candidate.scheme + candidate.method + candidate.fast_method +
                               candidate.tableau + candidate.interp;
      if (of_kind[kind]++ < kOfAKind) out.push_back(candidate);
    }
    return out;
  }

  // [us] CPU time of a frame of each, whatever its length, timed in turns; infinite where a way is
  // none for this model.
  [[nodiscard]] std::vector<double> frame_costs(const std::vector<Candidate>& candidates) const {
    constexpr int kBatches = 6, kFrames = 50;
    constexpr std::int64_t kShort = 1'000'000;  // [atoms]
    std::vector<std::unique_ptr<Simulation>> runs;
    for (const Candidate& candidate : candidates) {
      auto c = compiled(spec_, candidate);
      if (c) c->plan.step = std::min(kShort, c->plan.step);
      runs.push_back(c ? std::make_unique<Simulation>(c->structure, c->plan) : nullptr);
    }
    std::vector<double> least(candidates.size(), kInfinite);
    for (int batch = 0; batch < kBatches; ++batch)
      for (std::size_t i = 0; i < candidates.size(); ++i)
        if (runs[i])
          least[i] = std::min(least[i], least_time(clock_, 1, kFrames, [&] { runs[i]->step(); }));
    return least;
  }

  // --- what they are worth ---

  // All steps are multiples of one, so that a single reference solution does for all. It is not
  // finer than what the cheapest ways need, nor than there is time for.
  void set_unit(const std::vector<Candidate>& one, const std::vector<Candidate>& several) {
    double least = kInfinite, frame_us = kInfinite;
    for (const std::vector<Candidate>& candidates : {cheapest(one), cheapest(several)})
      for (const Candidate& candidate : candidates) least = std::min(least, candidate.step);
    for (const Candidate& candidate : one)
      frame_us = std::min(frame_us, candidate.cost_us * candidate.step);
    const double most_frames = std::min(kMostFrames, kReferenceTime / (kStages * 1e-6 * frame_us));
    unit_ = plain_number(std::max(least / kFiner, seconds(request_.until) / most_frames));
  }
  // Where something acts at frames there is a reference solution for each step: then steps are
  // preferred numbers, ten a decade, of which there are few. That it acts, long frames mostly show.
  void set_references() {
    base_ = std::make_unique<Comparison>(spec_, request_.signals, request_.until, clock_);
    few_steps_ = !base_->share_reference(std::max<std::int64_t>(1, request_.until / kLongFrames)) ||
                 !base_->share_reference(whole_picoseconds(unit_).value());
  }
  [[nodiscard]] double whole(double h) const {
    if (few_steps_) return preferred_number(std::max(h, kShortest * unit_));
    return unit_ * std::max(1.0, std::round(h / unit_));
  }
  [[nodiscard]] double next_larger(double h) const {
    return few_steps_ ? preferred_number(1.25 * h) : h + unit_;
  }
  [[nodiscard]] double not_longer(double h) const {
    const double near = whole(h);
    if (near <= h) return near;
    return few_steps_ ? preferred_number(near / 1.25) : whole(near - unit_);
  }

  // Those that cost least at the steps that are right for them.
  std::vector<Candidate> best(std::vector<Candidate> candidates) {
    double least = kInfinite;
    for (Candidate& candidate : candidates) {
      const double frame = candidate.cost_us * candidate.step;
      put_right(candidate, frame / (kHopeless * least));
      candidate.cost_us = frame / candidate.step;
      if (candidate.accurate) least = std::min(least, candidate.cost_us);
    }
    cheapest_first(candidates);
    candidates.resize(std::min(candidates.size(), kFinalists));
    return candidates;
  }
  static void cheapest_first(std::vector<Candidate>& candidates) {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) {
                       return a.accurate != b.accurate ? a.accurate : a.cost_us < b.cost_us;
                     });
  }

  // [us] The least cost of an accurate way, within the budget.
  std::optional<double> least_cost(const std::vector<Candidate>& candidates) {
    std::optional<double> least;
    for (Candidate candidate : candidates) {
      if (!candidate.accurate) continue;
      candidate.cost_us = comparison(candidate).cost(compiled(spec_, candidate)->plan);
      if (in_budget(candidate, request_.budget_us) && !(least && *least < candidate.cost_us))
        least = candidate.cost_us;
    }
    return least;
  }

  // Theory is poor at what two rates do to each other, and a run is cheap: each way must be
  // accurate at the step at which it costs little more than the best with one rate, or, where none
  // is, at smaller ones; then at larger ones. Those that go furthest, then those that fell last.
  std::vector<Candidate> contest(std::vector<Candidate> candidates, double to_beat) {
    for (Candidate& candidate : candidates) candidate.cost_us *= candidate.step;  // of a frame
    double cost = kRaise * to_beat;
    while (cost < kTooDear * to_beat && !any_accurate_at(candidates, cost)) cost *= kLower;
    for (;; cost /= kRaise) {
      std::vector<Candidate> left, fallen;
      for (Candidate& candidate : candidates) {
        const bool accurate = accurate_at(candidate, candidate.cost_us / cost);
        (accurate ? left : fallen).push_back(std::move(candidate));
      }
      if (left.size() <= kFinalists) {
        left.insert(left.end(), fallen.begin(), fallen.end());
        for (Candidate& candidate : left) candidate.cost_us /= candidate.step;
        return cheapest(left);
      }
      candidates = std::move(left);
    }
  }
  bool any_accurate_at(const std::vector<Candidate>& candidates, double cost) {
    return std::any_of(candidates.begin(), candidates.end(), [&](Candidate candidate) {
      return accurate_at(candidate, candidate.cost_us / cost);
    });
  }
  // Then it has that step, or the next that is whole.
  bool accurate_at(Candidate& candidate, double step) {
    Candidate trial = candidate;
    trial.step = whole(step);
    if (trial.step < (1 - 1e-9) * step) trial.step = next_larger(trial.step);
    if (trial.step > seconds(request_.until)) return false;
    const auto c = compiled(spec_, trial);
    if (!c) return false;  // a step that the model does not take, beside what it samples
    const PlanQuality q = comparison(trial).quality(c->plan, request_.accuracy);
    if (!q.stable || q.error > request_.accuracy) return false;
    candidate = trial;
    return true;
  }

  void time_in_turns(std::vector<Candidate>& candidates) {
    for (Candidate& candidate : candidates) {
      candidate.predicted_error =
          forecast_.error(candidate.step, parts(candidate), interp(candidate));
      candidate.cost_us = kInfinite;
      if (candidate.accurate) count_evaluations(candidate);
    }
    for (int round = 0; round < kRounds; ++round)
      for (Candidate& candidate : candidates) {
        if (!candidate.accurate) continue;
        const auto c = compiled(spec_, candidate);
        candidate.cost_us = std::min(candidate.cost_us, comparison(candidate).cost(c->plan));
        const std::vector<double> us = evaluation_costs(c->structure, clock_);
        for (std::size_t g = 0; g < us.size(); ++g)
          candidate.evaluations[g].us = std::min(candidate.evaluations[g].us, us[g]);
      }
    cheapest_first(candidates);
  }

  // In frames that follow the start-up.
  void count_evaluations(Candidate& candidate) const {
    constexpr int kStartup = 10, kFrames = 10;
    const auto c = compiled(spec_, candidate);
    Simulation s(c->structure, c->plan);
    for (int k = 0; k < kStartup; ++k) s.step();
    const State<double> before = s.state();
    for (int k = 0; k < kFrames; ++k) s.step();
    const State<double> after = s.state();
    for (const GroupIndex g : c->structure->groups.indices()) {
      const Counts &a = before.groups[g].counts, &b = after.groups[g].counts;
      const auto count = static_cast<double>(b.steps + b.extra - a.steps - a.extra);
      candidate.evaluations.push_back({c->structure->groups[g].name, count / kFrames, kInfinite});
    }
  }

  Comparison& comparison(const Candidate& candidate) {
    auto& known = comparisons_[candidate.moved];
    if (!known) {
      known = std::make_unique<Comparison>(*base_, applied(spec_, candidate));
    }
    return *known;
  }

  // The largest step found that is as accurate as asked for, and not at the edge of stability; the
  // most accurate where none is. Steps below `shortest` [s] are not worth a run.
  void put_right(Candidate& candidate, double shortest) {
    const auto c = compiled(spec_, candidate);
    const double order = std::max(1, order_of(c->plan, *c->structure).order);
    const double longest = seconds(request_.until);  // a run without a frame has no error
    double good = 0, bad = kInfinite;                // [s] steps that were, and were not
    double unstable = kInfinite;                     // [s] the least that was
    double h = whole(std::max(candidate.step, shortest));
    candidate.error = kInfinite;
    for (int k = 0; k < kCorrections && h > good && h < bad && h <= longest; ++k) {
      const Candidate trial = tried_at(candidate, h);
      const bool stable = std::isfinite(trial.error);
      (trial.accurate ? good : bad) = h;
      if (!stable) unstable = std::min(unstable, h);
      if (trial.accurate || (good == 0 && trial.error <= candidate.error)) candidate = trial;
      const double wanted =
          stable ? h * std::pow(kAim * request_.accuracy / std::max(trial.error, 1e-15), 1 / order)
                 : 0.5 * h;
      h = whole(std::clamp(wanted, 0.2 * h, 2 * h));
      if (h >= bad || (h <= good && bad < kInfinite)) h = whole(0.5 * (good + bad));
      if (h < shortest) break;
    }
    if (!candidate.accurate || candidate.step <= kBelow * unstable) return;
    if (const Candidate safer = tried_at(candidate, not_longer(kBelow * unstable)); safer.accurate)
      candidate = safer;
  }
  // The error is infinite where the run is of no use.
  Candidate tried_at(Candidate candidate, double step) {
    candidate.step = step;
    const PlanQuality q = comparison(candidate).quality(compiled(spec_, candidate)->plan, kUseless);
    candidate.error = q.stable ? q.error : kInfinite;
    candidate.worst = q.worst;
    candidate.accurate = candidate.error <= request_.accuracy;
    return candidate;
  }

  // --- what is proposed ---

  // [s] The largest step whose run is of use, as are those below it; not looked for further than is
  // worth knowing.
  double stable_step_of(const Candidate& candidate) {
    constexpr double kScan = 1.1, kFarthest = 4;  // [-] times the step
    const double most = std::min(kFarthest * candidate.step, seconds(request_.until));
    const auto stable_at = [&](double h) { return std::isfinite(tried_at(candidate, h).error); };
    double stable = candidate.step, next = stable;
    while (stable_at(next)) {
      stable = next;
      next = std::max(next_larger(stable), whole(kScan * stable));
      if (next > most) return stable;
    }
    for (double h = next_larger(stable); h < 0.999 * next && stable_at(h); h = next_larger(h))
      stable = h;
    return stable;
  }

  void describe(Advice& out) const {
    const Split* split = splits_.empty() ? nullptr : &splits_.front();
    for (const Split& s : splits_)
      if (out.multirate && s.moved == out.multirate->moved) split = &s;
    if (split != nullptr)
      for (const Split::Group* g : {&split->slow, &split->fast})
        out.groups.push_back({g->name, g->blocks, g->speed, evaluation_cost(out, *split, *g)});
    describe_blocks(out);
  }

  [[nodiscard]] double evaluation_cost(const Advice& out, const Split& split,
                                       const Split::Group& group) const {
    if (out.multirate)
      for (const Candidate::Evaluations& e : out.multirate->evaluations)
        if (e.group == group.name) return e.us;
    Diagnostics diag;
    const Spec spec = regrouped(spec_, split.moved);
    const auto structure = compile(spec, partition_for(SchemeKind::multiframe, spec), diag);
    const std::vector<double> cost = evaluation_costs(structure, clock_);
    for (const GroupIndex i : structure->groups.indices())
      if (structure->groups[i].name == group.name) return cost[static_cast<std::size_t>(i.value)];
    return 0;
  }

  // Each block as a group of its own, where the wiring permits that.
  void describe_blocks(Advice& out) const {
    const auto blocks = forecast_.blocks();  // slowest first
    Partition alone;
    for (const auto& [speed, name] : blocks) alone.names.push_back(name);
    for (const BlockSpec& b : spec_.blocks)
      alone.group_of_block.push_back(static_cast<int>(
          std::find(alone.names.begin(), alone.names.end(), b.name) - alone.names.begin()));
    Diagnostics diag;
    const auto structure = compile(spec_, alone, diag);
    if (!structure) return;
    const std::vector<double> cost = evaluation_costs(structure, clock_);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      out.blocks.push_back({blocks[i].second, {blocks[i].second}, blocks[i].first, cost[i]});
  }

  const Spec& spec_;
  const AdviceRequest& request_;
  CpuClock clock_;
  LinearForecast forecast_;
  std::vector<Split> splits_;
  double unit_ = 0;  // [s] of the steps
  bool few_steps_ = false;
  std::unique_ptr<Comparison> base_;  // the groups of the file
  std::map<Moves, std::unique_ptr<Comparison>> comparisons_;
};

}  // namespace

double Candidate::evaluation_us() const {
  double sum = 0;
  for (const Evaluations& e : evaluations) sum += e.count * e.us;
  return sum;
}

Spec applied(const Spec& spec, const Candidate& candidate) {
  Spec out = regrouped(spec, candidate.moved);
  RunSpec& run = out.run;
  const auto text = [](const std::string& words) { return Text{words, {"advice", 0, ""}}; };
  run.scheme = text(candidate.scheme);
  run.step = text(fmt::format("{:.12g} s", candidate.step));
  run.method = text(candidate.method);
  run.interp = text(candidate.interp);
  run.tableau = text(candidate.tableau);
  run.ratio = text(
      candidate.multirate() && candidate.tableau.empty() ? std::to_string(candidate.ratio) : "");
  run.order = run.iterations = run.threads = {};
  run.groups.clear();
  run.interps.clear();
  if (!candidate.multirate()) return out;
  RunGroupSpec slow{.name = candidate.slow}, fast{.name = candidate.fast};
  if (candidate.tableau.empty()) {
    slow.ratio = text("1");
    fast.ratio = run.ratio;
  }
  if (!candidate.fast_method.empty()) fast.method = text(candidate.fast_method);
  run.groups = {slow, fast};
  return out;
}

Advice choose(std::vector<Candidate> tried, std::optional<double> budget_us) {
  Advice out;
  out.tried = std::move(tried);
  const auto fits = [&](const Candidate& candidate) { return in_budget(candidate, budget_us); };
  for (const Candidate& candidate : out.tried) {
    if (!candidate.accurate) continue;
    std::optional<Candidate>& best = candidate.multirate() ? out.multirate : out.single_rate;
    if (!best || (!fits(*best) && fits(candidate))) best = candidate;
  }
  const std::optional<Candidate>&one = out.single_rate, &several = out.multirate;
  out.found = one || several;
  if (!out.found) return out;
  bool several_rates = several.has_value();
  if (one && several)
    several_rates =
        fits(*one) != fits(*several) ? fits(*several) : one->cost_us > kWorthIt * several->cost_us;
  out.proposal = several_rates ? *several : *one;
  if (one) out.gain = one->cost_us / out.proposal.cost_us;
  out.in_budget = fits(out.proposal);
  return out;
}

Advice advise(const Spec& spec, const AdviceRequest& request, const CpuClock& clock) {
  return Adviser(spec, request, clock).go();
}

}  // namespace chicane
