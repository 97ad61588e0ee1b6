// SPDX-License-Identifier: Apache-2.0
#include "analysis/advise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/say.hpp"
#include "cli/shared.hpp"
#include "cli/wrap.hpp"

namespace chicane::cli {
namespace {

std::string methods(const Candidate& candidate) {
  if (!candidate.tableau.empty()) return candidate.tableau;
  if (candidate.scheme == "pece-multirate") return "ab4-am4";
  if (candidate.fast_method.empty() || candidate.fast_method == candidate.method)
    return candidate.method;
  return candidate.method + "/" + candidate.fast_method;
}

// [-] how much larger the step could be before it is unstable.
std::optional<double> margin(const Candidate& candidate) {
  return candidate.stable_step ? std::optional(*candidate.stable_step / candidate.step)
                               : std::nullopt;
}

// A word of a shell, quoted where it must be.
std::string word(const std::string& text) {
  const bool plain = text.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789._-=/:,+") == std::string::npos;
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string command(const AdviseOptions& options, const Candidate& candidate) {
  std::vector<std::string> words{"chicane", "run", options.base.model};
  const auto add = [&](const char* option, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(option);
    words.push_back(value);
  };
  add("--manoeuvre", options.base.manoeuvre);
  add("--scheme", candidate.scheme);
  add("--method", candidate.method);
  if (!candidate.fast_method.empty()) add("--method", candidate.fast + "=" + candidate.fast_method);
  add("--tableau", candidate.tableau);
  if (candidate.multirate() && candidate.tableau.empty()) {
    add("--ratio", candidate.slow + "=1");
    add("--ratio", fmt::format("{}={}", candidate.fast, candidate.ratio));
  }
  add("--interp", candidate.interp);
  add("--step", fmt::format("{:.12g}s", candidate.step));
  for (const auto& [block, group] : candidate.moved) add("--group", block + "=" + group);
  for (const auto& [key, value] : options.base.run) add(("--" + key).c_str(), value);
  for (const std::string& set : options.base.set) add("--set", set);
  std::string line;
  for (const std::string& w : words) line += (line.empty() ? "" : " ") + word(w);
  return line;
}

Json json_of(const Candidate& candidate) {
  Json moved = Json::object(), evaluations = Json::object();
  for (const Candidate::Evaluations& e : candidate.evaluations)
    evaluations[e.group] = {{"count", e.count}, {"us", e.us}};
  for (const auto& [block, group] : candidate.moved) moved[block] = group;
  return {{"scheme", candidate.scheme},
          {"method", methods(candidate)},
          {"step", candidate.step},
          {"ratio", candidate.ratio},
          {"interp", if_any(candidate.interp)},
          {"moved", moved},
          {"accurate", candidate.accurate},
          {"error", std::isfinite(candidate.error) ? Json(candidate.error) : Json(nullptr)},
          {"predicted_error", candidate.predicted_error},
          {"cost_us", candidate.accurate ? Json(candidate.cost_us) : Json(nullptr)},
          {"frame_us", candidate.accurate ? Json(candidate.frame_us()) : Json(nullptr)},
          {"evaluations", evaluations},
          {"speedup", candidate.accurate ? Json(1e6 / candidate.cost_us) : Json(nullptr)},
          {"stable_step", or_null(candidate.stable_step)},
          {"margin", or_null(margin(candidate))}};
}

Json json_of(const std::vector<Candidate>& candidates) {
  Json list = Json::array();
  for (const Candidate& candidate : candidates) list.push_back(json_of(candidate));
  return list;
}

Json json_of(const std::vector<Advice::Finding>& findings) {
  Json list = Json::array();
  for (const Advice::Finding& f : findings)
    list.push_back({{"name", f.name},
                    {"blocks", f.blocks},
                    {"fastest", f.speed},
                    {"evaluation_us", f.evaluation_us}});
  return list;
}

// "2 of slow, 9 of fast"
std::string evaluations_in_words(const std::vector<Candidate::Evaluations>& list) {
  std::string text;
  for (const Candidate::Evaluations& e : list)
    text += fmt::format("{}{:.3g} of {}", text.empty() ? "" : ", ", e.count, e.group);
  return text;
}

std::string frame_of(const Candidate& candidate) {
  return fmt::format("takes {:.3g} us, {:.3g} us of that in evaluations ({})", candidate.frame_us(),
                     candidate.evaluation_us(), evaluations_in_words(candidate.evaluations));
}

// Why several rates cost more than one: a frame of their step may take as long as one rate takes to
// go as far.
std::string why_dearer(const Candidate& several, const Candidate& single) {
  const double even = single.cost_us * several.step;  // [us]
  return fmt::format(
      "Its frame {}; one of {}, {:.4g} s long, {}. To break even, a frame of {:.4g} s may take "
      "{:.3g} us: {}.",
      frame_of(several), single.method, single.step, frame_of(single), several.step, even,
      several.evaluation_us() > even
          ? "the evaluations alone take longer, so that the step is too small"
          : "the evaluations would do with that, so that what the scheme does besides makes the "
            "frame too dear");
}

void explain_groups(const Advice& a, std::vector<std::string>& out) {
  if (a.groups.size() != 2) {
    out.emplace_back(
        "The blocks cannot be split into a slow and a fast group: there is one, or they are "
        "equally fast, or the wiring forbids it.");
    return;
  }
  const Advice::Finding &slow = a.groups[0], &fast = a.groups[1];
  out.push_back(fmt::format(
      "{} ({}) has nothing faster than {:.3g} rad/s, {} ({}) goes up to {:.3g} rad/s: {:.3g} "
      "times apart.",
      slow.name, fmt::join(slow.blocks, ", "), slow.speed, fast.name, fmt::join(fast.blocks, ", "),
      fast.speed, fast.speed / slow.speed));
  out.push_back(fmt::format("An evaluation costs {:.3g} us in {} and {:.3g} us in {}.",
                            slow.evaluation_us, slow.name, fast.evaluation_us, fast.name));
}

bool too_long(const Candidate& candidate, const AdviceRequest& request) {
  return request.budget_us && candidate.frame_us() > *request.budget_us;
}

void explain_rates(const Advice& a, const AdviceRequest& request, std::vector<std::string>& out) {
  if (!a.single_rate) {
    out.emplace_back("No way with one rate that was tried came to the accuracy.");
    return;
  }
  if (!a.multirate) {
    if (a.groups.size() == 2) out.emplace_back("No multirate scheme came to the accuracy.");
    return;
  }
  const Candidate &single = *a.single_rate, &several = *a.multirate;
  const double ratio = several.cost_us / single.cost_us;
  const std::string best =
      fmt::format("{} with {} at {:.4g} s", several.scheme, methods(several), several.step);
  if (a.proposal.multirate()) {
    out.push_back(fmt::format(
        "The best with one rate, {} at {:.4g} s, costs {:.3g} times as much. Its frame {}{}; that "
        "of the proposal {}.",
        single.method, single.step, 1 / ratio, frame_of(single),
        too_long(single, request) ? ", more than there are" : "", frame_of(several)));
  } else if (too_long(several, request) && !too_long(single, request)) {
    out.push_back(
        fmt::format("The best with several rates, {}, costs {:.3g} times as much, but "
                    "its frame {}, more than there are.",
                    best, ratio, frame_of(several)));
  } else if (ratio < 1) {
    out.push_back(fmt::format(
        "The best with several rates, {}, costs {:.3g} times as much: too little to be gained.",
        best, ratio));
  } else {
    out.push_back(fmt::format(
        "Several rates do not pay here: the best, {}, costs {:.3g} times as much as {} for "
        "everything.",
        best, ratio, single.method));
    out.push_back(why_dearer(several, single));
  }
}

// Why, in a few sentences.
std::vector<std::string> reasons(const Advice& a, const AdviceRequest& request) {
  std::vector<std::string> out;
  explain_groups(a, out);
  explain_rates(a, request, out);
  if (const auto m = margin(a.proposal))
    out.push_back(*m > 3
                      ? fmt::format("Accuracy limits the step, not stability: a step {:.3g} times "
                                    "as large is still stable.",
                                    *m)
                      : fmt::format("Stability is near: no step more than {:.3g} times as large "
                                    "was stable.",
                                    *m));
  if (request.budget_us)
    out.push_back(fmt::format("A frame takes {:.3g} us of the {:.4g} us there are{}.",
                              a.proposal.frame_us(), *request.budget_us,
                              a.in_budget ? "" : ": too much"));
  return out;
}

// How near those came that were tried, and what kept them off.
std::string nearest(const std::vector<Candidate>& tried) {
  const auto best =
      std::min_element(tried.begin(), tried.end(),
                       [](const Candidate& a, const Candidate& b) { return a.error < b.error; });
  if (best == tried.end() || !std::isfinite(best->error)) return "";
  return fmt::format(" (the nearest: {:.2g}, {} at {:.4g} s, of {})", best->error, methods(*best),
                     best->step, best->worst);
}

void print_table(const Advice& a, const std::string& model, const AdviceRequest& request) {
  fmt::print("{}: error at most {:.3g} of the peak, {} signal{}, {:.6g} s\n\n", model,
             request.accuracy, request.signals.size(), request.signals.size() == 1 ? "" : "s",
             seconds(request.until));
  fmt::print("    {:<16} {:<10} {:>5} {:<8} {:>10} {:>10} {:>10} {:>10} {:>9}\n", "scheme",
             "method", "ratio", "interp", "step [s]", "predicted", "error", "us per s", "margin");
  for (const Candidate& candidate : a.tried) {
    const bool proposed =
        a.found && candidate.scheme == a.proposal.scheme && candidate.step == a.proposal.step &&
        methods(candidate) == methods(a.proposal) && candidate.ratio == a.proposal.ratio &&
        candidate.interp == a.proposal.interp && candidate.moved == a.proposal.moved;
    const std::optional<double> m = proposed ? margin(a.proposal) : std::nullopt;
    fmt::print(
        "  {} {:<16} {:<10} {:>5} {:<8} {:>10.4g} {:>10} {:>10} {:>10} {:>9}\n",
        proposed ? "*" : " ", candidate.scheme, methods(candidate),
        candidate.tableau.empty() && candidate.multirate() ? std::to_string(candidate.ratio) : "",
        candidate.interp, candidate.step,
        candidate.predicted_error < 1 ? fmt::format("{:.2g}", candidate.predicted_error) : ">1",
        std::isfinite(candidate.error) ? fmt::format("{:.2g}", candidate.error) : "unstable",
        candidate.accurate ? fmt::format("{:.4g}", candidate.cost_us) : "-",
        m ? fmt::format("{:.2f}", *m) : "");
  }
  fmt::print("\n");
}

}  // namespace

int advise(const AdviseOptions& options) {
  Diagnostics diag;
  const auto trial = load_trial(options.base, options.signals, diag);
  if (trial && !(options.accuracy > 0 && options.accuracy < 1))
    diag.error({"--accuracy", 0, ""}, "must be between 0 and 1, e.g. 1e-3");
  if (trial && options.budget_us && !(*options.budget_us > 0))
    diag.error({"--budget-us", 0, ""}, "must be positive: microseconds for one frame, e.g. 500");
  if (!trial || !diag.ok()) return refuse(diag, options.base.json);

  const ModelStructure& structure = *trial->structure;
  AdviceRequest request{options.accuracy, {}, trial->run.until, options.budget_us};
  for (const SignalIndex i : trial->run.signals)
    request.signals.push_back(structure.signals[i].name);
  const Advice a = chicane::advise(trial->spec, request, cpu_seconds);
  if (!options.base.json) print_table(a, structure.name, request);
  if (!a.found) {
    const std::string message = fmt::format(
        "nothing that was tried came to an error of {:.3g}{}: ask for less, name the signals that "
        "matter (--signals), or look for jumps in the model",
        request.accuracy, nearest(a.tried));
    if (options.base.json) print_json(Json({{"status", message}, {"tried", json_of(a.tried)}}));
    say("{}: {}\n", structure.name, message);
    return kRunFailed;
  }
  const std::vector<std::string> why = reasons(a, request);
  const std::string line = command(options, a.proposal);
  const Json j = {{"status", "ok"},
                  {"model", structure.name},
                  {"accuracy", request.accuracy},
                  {"signals", request.signals},
                  {"proposal", json_of(a.proposal)},
                  {"single_rate", a.single_rate ? json_of(*a.single_rate) : Json(nullptr)},
                  {"multirate", a.multirate ? json_of(*a.multirate) : Json(nullptr)},
                  {"gain", or_null(a.gain)},
                  {"in_budget", a.in_budget},
                  {"command", line},
                  {"reason", fmt::format("{}", fmt::join(why, " "))},
                  {"groups", json_of(a.groups)},
                  {"blocks", json_of(a.blocks)},
                  {"tried", json_of(a.tried)}};
  show(j, options.base.json, [&] {
    for (const std::string& sentence : why) fmt::print("  {}\n", wrapped(sentence, 2, 2));
    fmt::print("\n  {}\n", line);
  });
  return kOk;
}

}  // namespace chicane::cli
