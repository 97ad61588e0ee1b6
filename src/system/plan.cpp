#include "system/plan.hpp"

#include <algorithm>
#include <charconv>

namespace chicane {
namespace {

class Planner {
 public:
  Planner(Spec& spec, const Structure& structure, Diagnostics& diag)
      : run_(spec.run), file_(spec.where.file), s_(structure), diag_(diag) {}

  std::optional<RunPlan> plan() {
    default_to(run_.scheme, "scheme", "single-rate");
    default_to(run_.method, "method", "ab2");
    default_to(run_.step, "step", "0.5 ms");
    default_to(run_.until, "until", "10 s");
    default_to(run_.every, "every", "1");
    default_to(run_.startup, "startup", "rk4");
    default_to(run_.history, "history", "keep");

    RunPlan out;
    out.plan.scheme = choice<SchemeKind>(run_.scheme, {{"single-rate", SchemeKind::single_rate},
                                                       {"reference", SchemeKind::reference}});
    out.plan.startup =
        choice<Startup>(run_.startup, {{"rk4", Startup::rk4}, {"build-up", Startup::build_up}});
    out.plan.history = choice<HistoryPolicy>(
        run_.history, {{"keep", HistoryPolicy::keep}, {"restart", HistoryPolicy::restart}});
    if (const Method* m = s_.find_method(run_.method.text))
      out.plan.method = *m;
    else
      diag_.error(run_.method.where,
                  "there is no method '{}'{} ('chicane list methods' lists them)", run_.method.text,
                  did_you_mean(run_.method.text, method_names()));
    out.plan.step = duration(run_.step, "a step");
    out.until = duration(run_.until, "the end of a run");
    out.every = whole(run_.every);
    if (!run_.checkpoint.empty())
      out.checkpoint = duration(run_.checkpoint, "the time of a checkpoint");
    if (out.checkpoint && *out.checkpoint > out.until)
      diag_.error(run_.checkpoint.where, "the checkpoint at {} is after the end of the run at {}",
                  run_.checkpoint.text, run_.until.text);
    check_samples(out.plan.step);
    warn_of_ratios();
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
  std::int64_t duration(Text& text, std::string_view what) {
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
    const auto atoms = whole_picoseconds(q.value);
    if (!atoms || *atoms <= 0) {
      diag_.error(text.where, "{} must be at least 1 ps and below 2e6 s, '{}' is not", what,
                  text.text);
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

  void check_samples(std::int64_t step) {
    if (step <= 0) return;
    for (const MemoryInfo& m : s_.memory)
      if (m.sample % step != 0)
        diag_.error(
            run_.step.where,
            "the sample time of '{}', {} s, is not a multiple of the step, {} s; take a step that "
            "divides it",
            m.name, seconds(m.sample), seconds(step));
  }

  void warn_of_ratios() {
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
      if (run_.signals.empty() ||
          std::any_of(run_.signals.begin(), run_.signals.end(), [&](const Text& p) {
            return matches(p.text, names[static_cast<std::size_t>(i)]);
          }))
        out.signals.push_back(SignalIndex{i});
  }

  RunSpec& run_;
  std::string file_;
  const Structure& s_;
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

std::optional<RunPlan> plan_run(Spec& spec, const Structure& structure, Diagnostics& diag) {
  return Planner(spec, structure, diag).plan();
}

}  // namespace chicane
