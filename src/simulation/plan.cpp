// SPDX-License-Identifier: Apache-2.0
#include "simulation/plan.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "core/time_base.hpp"
#include "simulation/highlights.hpp"

namespace chicane {
namespace {

class Planner {
 public:
  Planner(Spec& spec, const ModelStructure& structure, Diagnostics& diag)
      : spec_(spec), run_(spec.run), file_(spec.where.file), s_(structure), diag_(diag) {}

  std::optional<RunPlan> plan() {
    default_to(run_.scheme, "scheme", "single-rate");
    default_to(run_.method, "method", "ab2");
    default_to(run_.step, "step", "0.5 ms");
    default_to(run_.until, "until", "10 s");
    default_to(run_.every, "every", "1");
    default_to(run_.startup, "startup", "rk4");
    default_to(run_.history, "history", "keep");

    RunPlan out;
    if (const auto scheme = find_scheme(run_.scheme.text))
      out.plan.scheme = *scheme;
    else
      diag_.error(run_.scheme.where, "'{}' is not one of {}{}", run_.scheme.text,
                  fmt::join(scheme_names(), ", "), did_you_mean(run_.scheme.text, scheme_names()));
    out.plan.startup =
        choice<Startup>(run_.startup, {{"rk4", Startup::rk4}, {"build-up", Startup::build_up}});
    out.plan.history = choice<HistoryPolicy>(
        run_.history, {{"keep", HistoryPolicy::keep}, {"restart", HistoryPolicy::restart}});
    out.plan.method = method(run_.method);
    out.plan.step = duration(run_.step, "a step");
    out.until = duration(run_.until, "the end of a run");
    if (!run_.settle.empty()) out.settle = duration(run_.settle, "the time to settle", 0);
    out.every = whole(run_.every);
    if (!run_.checkpoint.empty())
      out.checkpoint = duration(run_.checkpoint, "the time of a checkpoint");
    if (out.checkpoint && *out.checkpoint > out.until)
      diag_.error(run_.checkpoint.where, "the checkpoint at {} is after the end of the run at {}",
                  run_.checkpoint.text, run_.until.text);
    if (diag_.ok() && out.plan.step > out.until)
      diag_.error(run_.until.where,
                  "the run has no frame: it ends at {}, before the first step of {} is over; take "
                  "a later end or a smaller step",
                  run_.until.text, run_.step.text);
    check_values();
    if (is_multirate(out.plan.scheme) && diag_.ok()) plan_multirate(out.plan);
    if (!run_.threads.empty()) out.plan.threads = thread_count(run_.threads, diag_);
    warn_of_unused(out.plan.scheme);
    check_samples(out.plan);
    warn_of_order(out.plan);
    warn_of_ratios(out.plan);
    select(out);
    if (!diag_.ok()) return std::nullopt;
    return out;
  }

 private:
  void default_to(Text& text, const char* key, const char* value) const {
    if (text.empty()) text = {value, {file_, 1, std::string("run.") + key}};
  }

  template <class E>
  E choice(const Text& text, std::initializer_list<std::pair<std::string_view, E>> choices) {
    std::vector<std::string_view> words;
    for (const auto& [word, value] : choices) {
      if (text.text == word) return value;
      words.push_back(word);
    }
    diag_.error(text.where, "'{}' is not one of {}{}", text.text, fmt::join(words, ", "),
                did_you_mean(text.text, words));
    return choices.begin()->second;
  }

  // A bare number on the command line is seconds; it gets its unit here, for the echo.
  std::int64_t duration(Text& text, std::string_view what, std::int64_t least = 1) {
    const auto parsed = parse_quantity(text.text);
    if (const auto* error = std::get_if<UnitError>(&parsed)) {
      diag_.error(text.where, "{}", error->message);
      return 0;
    }
    const auto& q = std::get<Quantity>(parsed);
    const bool bare = text.where.line == 0 && q.unit.empty();
    if (q.dimension != dimensions::kTime && !bare) {
      diag_.error(text.where, "{} is a time, e.g. \"0.5 ms\"; '{}' is {}", what, text.text,
                  quantity_name(q.dimension));
      return 0;
    }
    const auto atoms = stated_picoseconds(q.value);
    if (!atoms || *atoms < least) {
      if (whole_picoseconds(q.value).value_or(0) > 0)
        diag_.error(text.where, "{} is counted in picoseconds: '{}' is finer than that", what,
                    text.text);
      else
        diag_.error(text.where, "{} must be at least {} ps and below 2e6 s, '{}' is not", what,
                    least, text.text);
      return 0;
    }
    if (bare) text.text += " s";
    return *atoms;
  }

  std::int64_t whole(const Text& text) {
    std::int64_t n = -1;
    const char* end = text.text.data() + text.text.size();
    const auto [at, error] = std::from_chars(text.text.data(), end, n);
    if (error == std::errc{} && at == end && n >= 0) return n;
    diag_.error(text.where, "a whole number from 0 on is needed, not '{}'", text.text);
    return 1;
  }

  Method method(const Text& name) {
    if (const Method* m = s_.find_method(name.text)) return *m;
    diag_.error(name.where, "there is no method '{}'{} ('chicane list methods' lists them)",
                name.text, did_you_mean(name.text, method_names()));
    return {};
  }

  // --- what a scheme does not heed ---

  // Whatever is given must make sense, whether or not the scheme heeds it.
  void check_values() {
    std::vector<std::string_view> names;
    for (const BlockPlace& b : s_.blocks) names.push_back(b.label);
    for (const RunGroupSpec& g : run_.groups) {
      if (std::find(names.begin(), names.end(), g.name) == names.end())
        diag_.error(g.where, "there is no group '{}'{}", g.name, did_you_mean(g.name, names));
      if (!g.method.empty()) method(g.method);
      if (!g.ratio.empty()) positive(g.ratio);
    }
    if (!run_.ratio.empty()) positive(run_.ratio);
    if (!run_.interp.empty()) interpolator(run_.interp);
    for (const Assignment& a : run_.interps) {
      interpolator(a.value);
      if (!s_.find_signal(a.target).valid())
        diag_.error(a.value.where, "'{}' is not a signal between groups", a.target);
    }
    if (!run_.order.empty()) frame_order();
    Plan unused;
    if (!run_.iterations.empty()) plan_iterations(unused);
    if (!run_.tableau.empty()) plan_tableau(unused);
  }

  // A file may hold what other schemes want. Who asks for it on the command line expects more.
  void warn_of_unused(SchemeKind scheme) {
    const auto is = [scheme](auto... those) { return ((scheme == those) || ...); };
    using enum SchemeKind;
    const bool pece = is(pece_multirate, pece_multirate_parallel);
    const bool threads =
        is(multiframe, pece_multirate_parallel) || spec_.mechanism || spec_.vehicle;
    const auto look = [&](const Text& text, std::string_view key, bool used) {
      if (used || text.where.file != fmt::format("--{}", key)) return;
      diag_.warning({}, "--{} is not used by scheme {} and changes nothing", key,
                    scheme_name(scheme));
    };
    look(run_.method, "method", is(single_rate, multiframe));
    look(run_.startup, "startup", is(single_rate, multiframe));
    look(run_.ratio, "ratio", pece || is(multiframe));
    look(run_.interp, "interp", pece || is(multiframe));
    look(run_.order, "order", is(multiframe));
    look(run_.iterations, "iterations", pece);
    look(run_.tableau, "tableau", is(prk));
    look(run_.threads, "threads", threads);
    for (const RunGroupSpec& g : run_.groups) {
      look(g.method, "method", is(multiframe));
      look(g.ratio, "ratio", pece || is(multiframe));
    }
    for (const Assignment& a : run_.interps) look(a.value, "interp", pece || is(multiframe));
  }

  FrameOrder frame_order() {
    return choice<FrameOrder>(run_.order, {{"slow-first", FrameOrder::slow_first},
                                           {"fast-first", FrameOrder::fast_first}});
  }

  // --- several rates ---

  void plan_multirate(Plan& plan) {
    default_to(run_.ratio, "ratio", "1");
    default_to(run_.interp, "interp", "interp1");
    default_to(run_.order, "order", "slow-first");
    const bool parallel = plan.scheme == SchemeKind::pece_multirate_parallel;
    default_to(run_.threads, "threads", parallel ? "2" : "1");
    plan.order = frame_order();
    plan_groups(plan);
    plan_interpolators(plan);
    const bool pece = parallel || plan.scheme == SchemeKind::pece_multirate;
    if (pece) plan_pece(plan);
    if (plan.scheme == SchemeKind::prk) plan_prk(plan);
  }

  void warn_of_order(const Plan& plan) {
    if (!diag_.ok()) return;
    const PlanOrder order = order_of(plan, s_);
    if (!order.loss.empty())
      diag_.warning(plan.scheme == SchemeKind::single_rate ? run_.method.where : run_.scheme.where,
                    "this run has order {}, not {}: {}", order.order, least_order(plan),
                    order.loss);
  }

  static int least_order(const Plan& plan) {
    if (plan.scheme == SchemeKind::single_rate) return plan.method.order;
    if (plan.scheme != SchemeKind::multiframe) return 4;
    int least = 99;
    for (const Plan::Group& g : plan.groups) least = std::min(least, g.method.order);
    return least;
  }

  void plan_groups(Plan& plan) {
    const int common = positive(run_.ratio);
    for (const GroupIndex g : s_.groups.indices()) {
      Plan::Group group{plan.method, g.value == 0 ? 1 : common};
      const Text* ratio = &run_.ratio;
      for (const RunGroupSpec& own : run_.groups) {
        if (own.name != s_.groups[g].name) continue;
        if (!own.method.empty()) group.method = method(own.method);
        if (own.ratio.empty()) continue;
        ratio = &own.ratio;
        group.ratio = positive(own.ratio);
      }
      const int before = g.value == 0 ? 1 : plan.groups[GroupIndex{g.value - 1}].ratio;
      if (g.value == 0 && group.ratio != 1)
        diag_.error(ratio->where,
                    "group '{}' is the slowest: its ratio is 1, and --step is its step",
                    s_.groups[g].name);
      else if (group.ratio % before != 0)
        diag_.error(
            ratio->where,
            "ratios are nested: that of group '{}', {}, must be a multiple of that of '{}', {}",
            s_.groups[g].name, group.ratio, s_.groups[GroupIndex{g.value - 1}].name, before);
      if (plan.scheme == SchemeKind::prk) group.ratio = 1;  // one step, two tableaus
      plan.groups.push_back(std::move(group));
    }
    if (plan.scheme != SchemeKind::multiframe && s_.groups.size() < 2)
      diag_.error(run_.scheme.where,
                  "scheme {} needs a slow and a fast group; this model has one: write its fast "
                  "blocks under another group",
                  run_.scheme.text);
    const std::int64_t finest = plan.groups.empty() ? 1 : (plan.groups.end() - 1)->ratio;
    if (plan.step > 0 && plan.step / finest < 2)
      diag_.error(run_.step.where, "the step of the fastest group would be below 1 ps");
  }

  Interpolator interpolator(const Text& name) {
    if (const InterpolatorInfo* i = find_interpolator(name.text)) return i->kind;
    diag_.error(name.where,
                "there is no interpolator '{}'{} ('chicane list interpolators' lists them)",
                name.text, did_you_mean(name.text, interpolator_names()));
    return Interpolator::hold;
  }

  void plan_interpolators(Plan& plan) {
    if (plan.scheme == SchemeKind::prk) return;
    plan.interp = interpolator(run_.interp);
    std::vector<std::string_view> between;
    for (const GroupLayout& g : s_.groups)
      for (const SignalIndex i : g.reads) between.push_back(s_.signals[i].name);
    for (const Assignment& a : run_.interps) {
      const SignalIndex signal = s_.find_signal(a.target);
      if (std::find(between.begin(), between.end(), a.target) == between.end())
        diag_.error(a.value.where, "'{}' is not a signal between groups{}", a.target,
                    did_you_mean(a.target, between));
      // the last word on a signal counts
      plan.signal_interps.insert(plan.signal_interps.begin(), {signal, interpolator(a.value)});
    }
    for (const GroupIndex g : s_.groups.indices()) {
      const GroupLayout& layout = s_.groups[g];
      for (std::size_t i = 0; i < layout.reads.size(); ++i)
        if (layout.sources[i].group < g)
          check_interpolator(plan, layout.reads[i], layout.sources[i]);
    }
  }

  void check_interpolator(const Plan& plan, SignalIndex signal, const Source& from) {
    const InterpolatorInfo& interp = info_of(plan.interp_of(signal));
    const std::string& name = s_.signals[signal].name;
    const Location& where = run_.interp.where;
    if (interp.ahead && plan.order == FrameOrder::fast_first)
      diag_.error(run_.order.where,
                  "{} of '{}' needs the slow group to be ahead; with fast-first take hold, extrap1 "
                  "or extrap2",
                  interp.name, name);
    if (interp.rate &&
        s_.groups[from.group].published_states[static_cast<std::size_t>(from.place)] < 0)
      diag_.error(where,
                  "{} needs the rate of '{}', which is not a state; take interp2 for it "
                  "(--interp {}=interp2)",
                  interp.name, name, name);
    const bool pece = plan.scheme != SchemeKind::multiframe;
    if (pece && (!interp.ahead || interp.rate))
      diag_.error(where,
                  "scheme {} interpolates up to its prediction: take interp1, interp2 or interp3",
                  run_.scheme.text);
  }

  // "inner=2,outer=1"
  void plan_iterations(Plan& plan) {
    std::string_view rest = run_.iterations.text;
    while (!rest.empty()) {
      const std::string_view part = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), part.size() + 1));
      const std::size_t equals = part.find('=');
      const std::string_view key = part.substr(0, equals);
      int* to = key == "inner" ? &plan.inner : key == "outer" ? &plan.outer : nullptr;
      if (to == nullptr || equals == std::string_view::npos) {
        diag_.error(run_.iterations.where, "'{}' is not of the form inner=1,outer=2",
                    run_.iterations.text);
        return;
      }
      *to = positive({std::string(part.substr(equals + 1)), run_.iterations.where});
    }
  }

  void plan_pece(Plan& plan) {
    default_to(run_.iterations, "iterations", "inner=1,outer=1");
    plan_iterations(plan);
    if (s_.groups.size() != 2)
      diag_.error(run_.scheme.where,
                  "scheme {} advances two groups, this model has {}; put its blocks into two with "
                  "--group BLOCK=GROUP",
                  run_.scheme.text, s_.groups.size());
    for (const BlockSpec& b : spec_.blocks)
      if (b.full_step_only)
        diag_.error(run_.scheme.where,
                    "scheme {} has no evaluation that block '{}' could be held from (apply: "
                    "full-step); take another scheme",
                    run_.scheme.text, b.name);
    for (const MemoryInfo& m : s_.memory)
      if (m.every_evaluation)
        diag_.error(run_.scheme.where,
                    "scheme {} evaluates points again and again; '{}' cannot advance at every "
                    "evaluation: take another scheme",
                    run_.scheme.text, m.name);
  }

  void plan_prk(Plan& plan) {
    default_to(run_.tableau, "tableau", "prk25");
    plan_tableau(plan);
  }

  void plan_tableau(Plan& plan) {
    const TableauPair* pair = find_pair(run_.tableau.text);
    for (const TableauPair& own : spec_.pairs)
      if (own.name == run_.tableau.text) pair = &own;
    if (pair != nullptr) {
      plan.pair = *pair;
      return;
    }
    diag_.error(run_.tableau.where,
                "there is no tableau '{}'{} ('chicane list tableaus' lists them)",
                run_.tableau.text, did_you_mean(run_.tableau.text, pair_names()));
  }

  int positive(const Text& text) {
    constexpr int kMost = 1'000'000;
    const std::int64_t n = whole(text);
    if (n >= 1 && n <= kMost) return static_cast<int>(n);
    if (diag_.ok())
      diag_.error(text.where, "a whole number from 1 to {} is needed, not '{}'", kMost, text.text);
    return 1;
  }

  void check_samples(const Plan& plan) {
    if (plan.step <= 0) return;
    for (const MemoryInfo& m : s_.memory) {
      const bool own = is_multirate(plan.scheme) && plan.scheme == SchemeKind::multiframe;
      const std::int64_t ratio = own && plan.groups.size() > 0 ? plan.groups[m.group].ratio : 1;
      if (m.sample * ratio % plan.step != 0)
        diag_.error(
            run_.step.where,
            "the sample time of '{}', {} s, is not a multiple of the step, {} s; take a step that "
            "divides it",
            m.name, seconds(m.sample), seconds(plan.step) / static_cast<double>(ratio));
    }
  }

  void warn_of_ratios(const Plan& plan) {
    if (is_multirate(plan.scheme) && plan.scheme != SchemeKind::prk) return;
    for (const EventInfo& e : s_.events)
      for (const ActionInfo& a : e.actions)
        if (a.kind == ActionSpec::Kind::ratio)
          diag_.warning(run_.scheme.where,
                        "event '{}' sets a frame ratio, which means nothing to scheme {}", e.name,
                        run_.scheme.text);
  }

  void select(RunPlan& out) {
    std::vector<std::string_view> names;
    for (const SignalInfo& s : s_.signals) names.push_back(s.name);
    for (const Text& pattern : run_.signals)
      if (std::none_of(names.begin(), names.end(),
                       [&](auto n) { return matches(pattern.text, n); }))
        diag_.error(pattern.where, "no signal is called '{}'{}", pattern.text,
                    did_you_mean(pattern.text, names));
    for (int i = 0; i < s_.signals.size(); ++i)
      if ((run_.signals.empty() && !s_.signals[SignalIndex{i}].on_request) ||
          first_pattern(names[static_cast<std::size_t>(i)]) < run_.signals.size())
        out.signals.push_back(SignalIndex{i});
    sort(out.signals);
  }

  [[nodiscard]] std::size_t first_pattern(std::string_view signal) const {
    return static_cast<std::size_t>(
        std::find_if(run_.signals.begin(), run_.signals.end(),
                     [&](const Text& p) { return matches(p.text, signal); }) -
        run_.signals.begin());
  }

  // Those that are named come first, in their order; of a vehicle then what one wants to see first.
  void sort(std::vector<SignalIndex>& signals) const {
    const auto place = [&](SignalIndex i) {
      const std::string& name = s_.signals[i].name;
      const std::size_t pattern = first_pattern(name);
      const bool named = pattern < run_.signals.size() && run_.signals[pattern].text == name;
      return std::tuple(named ? pattern : run_.signals.size(),
                        spec_.vehicle ? highlight_rank(name) : 0, pattern, i.value);
    };
    std::vector<std::pair<decltype(place({})), SignalIndex>> sorted;
    for (const SignalIndex i : signals) sorted.emplace_back(place(i), i);
    std::sort(sorted.begin(), sorted.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t k = 0; k < sorted.size(); ++k) signals[k] = sorted[k].second;
  }

  const Spec& spec_;
  RunSpec& run_;
  std::string file_;
  const ModelStructure& s_;
  Diagnostics& diag_;
};

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++p;
      ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::optional<RunPlan> plan_run(Spec& spec, const ModelStructure& structure, Diagnostics& diag) {
  return Planner(spec, structure, diag).plan();
}

int thread_count(const Text& text, Diagnostics& diag) {
  constexpr int kMost = 64;
  int n = 0;
  const char* end = text.text.data() + text.text.size();
  const auto [at, error] = std::from_chars(text.text.data(), end, n);
  if (error == std::errc{} && at == end && n >= 1 && n <= kMost) return n;
  diag.error(text.where, "a number of threads is a whole number from 1 to {}, not '{}'", kMost,
             text.text);
  return 1;
}

}  // namespace chicane
