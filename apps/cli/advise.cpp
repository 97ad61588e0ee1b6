#include "analysis/advise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/shared.hpp"

namespace chicane::cli {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
Json if_any(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string methods(const Way& way) {
  if (!way.tableau.empty()) return way.tableau;
  if (way.scheme == "pece-multirate") return "ab4-am4";
  if (way.fast_method.empty() || way.fast_method == way.method) return way.method;
  return way.method + "/" + way.fast_method;
}

// [-] how much larger the step could be before it is unstable.
std::optional<double> margin(const Way& way) {
  return way.stable_step ? std::optional(*way.stable_step / way.step) : std::nullopt;
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

std::string command(const AdviseOptions& options, const Way& way) {
  std::vector<std::string> words{"chicane", "run", options.base.model, "--scheme", way.scheme};
  const auto add = [&](const char* option, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(option);
    words.push_back(value);
  };
  add("--method", way.method);
  if (!way.fast_method.empty()) add("--method", way.fast + "=" + way.fast_method);
  add("--tableau", way.tableau);
  if (way.multirate() && way.tableau.empty()) {
    add("--ratio", way.slow + "=1");
    add("--ratio", fmt::format("{}={}", way.fast, way.ratio));
  }
  add("--interp", way.interp);
  add("--step", fmt::format("{:.12g}s", way.step));
  for (const auto& [block, group] : way.moved) add("--group", block + "=" + group);
  for (const auto& [key, value] : options.base.run) add(("--" + key).c_str(), value);
  for (const std::string& set : options.base.set) add("--set", set);
  std::string line;
  for (const std::string& w : words) line += (line.empty() ? "" : " ") + word(w);
  return line;
}

Json json_of(const Way& way) {
  Json moved = Json::object();
  for (const auto& [block, group] : way.moved) moved[block] = group;
  return {{"scheme", way.scheme},
          {"method", methods(way)},
          {"step", way.step},
          {"ratio", way.ratio},
          {"interp", if_any(way.interp)},
          {"moved", moved},
          {"accurate", way.accurate},
          {"error", way.error},
          {"predicted_error", way.predicted_error},
          {"cost_us", way.accurate ? Json(way.cost_us) : Json(nullptr)},
          {"frame_us", way.accurate ? Json(way.frame_us()) : Json(nullptr)},
          {"speedup", way.accurate ? Json(1e6 / way.cost_us) : Json(nullptr)},
          {"stable_step", or_null(way.stable_step)},
          {"margin", or_null(margin(way))}};
}

Json json_of(const std::vector<Way>& ways) {
  Json list = Json::array();
  for (const Way& way : ways) list.push_back(json_of(way));
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

// Why, in a few sentences.
std::vector<std::string> reasons(const Advice& a, const AdviceRequest& request) {
  std::vector<std::string> out;
  if (a.groups.size() == 2) {
    const Advice::Finding &slow = a.groups[0], &fast = a.groups[1];
    out.push_back(fmt::format(
        "{} ({}) has nothing faster than {:.3g} rad/s, {} ({}) goes up to {:.3g} rad/s: {:.3g} "
        "times apart.",
        slow.name, fmt::join(slow.blocks, ", "), slow.speed, fast.name,
        fmt::join(fast.blocks, ", "), fast.speed, fast.speed / slow.speed));
    out.push_back(fmt::format("An evaluation costs {:.3g} us in {} and {:.3g} us in {}.",
                              slow.evaluation_us, slow.name, fast.evaluation_us, fast.name));
  } else {
    out.push_back(
        "The blocks cannot be split into a slow and a fast group: there is one, or they are "
        "equally "
        "fast, or the wiring forbids it.");
  }
  const Way& single = a.single_rate;
  if (a.proposal.multirate() && single.multirate()) {
    out.push_back("No single-rate method came to the accuracy.");
  } else if (a.proposal.multirate()) {
    out.push_back(fmt::format(
        "The best with one rate, {} at {:.4g} s, evaluates both at every step and costs {:.3g} "
        "times as much.",
        single.method, single.step, a.gain));
  } else if (a.multirate) {
    out.push_back(fmt::format(
        "Several rates do not pay here: the best, {} with {} at {:.4g} s, costs {:.3g} times as "
        "much as {} for everything.",
        a.multirate->scheme, methods(*a.multirate), a.multirate->step,
        a.multirate->cost_us / single.cost_us, single.method));
    if (a.groups.size() == 2)
      out.push_back(fmt::format(
          "At best they would save the evaluations of {}, {:.2g} of the cost; what a scheme does "
          "to keep two rates together costs more.",
          a.groups[0].name,
          a.groups[0].evaluation_us / (a.groups[0].evaluation_us + a.groups[1].evaluation_us)));
  } else if (a.groups.size() == 2) {
    out.push_back("No multirate scheme came to the accuracy.");
  }
  if (const auto m = margin(a.proposal))
    out.push_back(*m > 3
                      ? fmt::format("Accuracy limits the step, not stability: it would be stable "
                                    "up to {:.3g} times that.",
                                    *m)
                      : fmt::format("Stability is near: the step may grow by no more than {:.3g} "
                                    "times.",
                                    *m));
  if (request.budget_us)
    out.push_back(fmt::format("A frame takes {:.3g} us of the {:.4g} us there are{}.",
                              a.proposal.frame_us(), *request.budget_us,
                              a.in_budget ? "" : ": too much"));
  return out;
}

void print_table(const Advice& a, const std::string& model, const AdviceRequest& request) {
  fmt::print("{}: error at most {:.3g} of the peak, {} signal{}, {:.6g} s\n\n", model,
             request.accuracy, request.signals.size(), request.signals.size() == 1 ? "" : "s",
             seconds(request.until));
  fmt::print("    {:<16} {:<10} {:>5} {:<8} {:>10} {:>10} {:>10} {:>10} {:>9}\n", "scheme",
             "method", "ratio", "interp", "step [s]", "predicted", "error", "us per s", "margin");
  for (const Way& way : a.tried) {
    const bool proposed = a.found && way.scheme == a.proposal.scheme &&
                          way.step == a.proposal.step && methods(way) == methods(a.proposal) &&
                          way.ratio == a.proposal.ratio && way.interp == a.proposal.interp &&
                          way.moved == a.proposal.moved;
    const std::optional<double> m = proposed ? margin(a.proposal) : std::nullopt;
    fmt::print("  {} {:<16} {:<10} {:>5} {:<8} {:>10.4g} {:>10.2g} {:>10.2g} {:>10} {:>9}\n",
               proposed ? "*" : " ", way.scheme, methods(way),
               way.tableau.empty() && way.multirate() ? std::to_string(way.ratio) : "", way.interp,
               way.step, way.predicted_error, way.error,
               way.accurate ? fmt::format("{:.4g}", way.cost_us) : "-",
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

  const Structure& structure = *trial->structure;
  AdviceRequest request{options.accuracy, {}, trial->run.until, options.budget_us};
  for (const SignalIndex i : trial->run.signals)
    request.signals.push_back(structure.signals[i].name);
  const Advice a = chicane::advise(trial->spec, request, cpu_seconds);
  if (!options.base.json) print_table(a, structure.name, request);
  if (!a.found) {
    const std::string message = fmt::format(
        "nothing that was tried came to an error of {:.3g}: ask for less, name the signals that "
        "matter (--signals), or look for jumps in the model",
        request.accuracy);
    if (options.base.json)
      fmt::print("{}\n", Json({{"status", message}, {"tried", json_of(a.tried)}}).dump(2));
    fmt::print(stderr, "{}: {}\n", structure.name, message);
    return kRunFailed;
  }
  const std::vector<std::string> why = reasons(a, request);
  const std::string line = command(options, a.proposal);
  if (!options.base.json) {
    for (const std::string& sentence : why) fmt::print("  {}\n", sentence);
    fmt::print("\n  {}\n", line);
    return kOk;
  }
  const Json j = {{"status", "ok"},
                  {"model", structure.name},
                  {"accuracy", request.accuracy},
                  {"signals", request.signals},
                  {"proposal", json_of(a.proposal)},
                  {"single_rate", json_of(a.single_rate)},
                  {"multirate", a.multirate ? json_of(*a.multirate) : Json(nullptr)},
                  {"gain", a.gain},
                  {"in_budget", a.in_budget},
                  {"command", line},
                  {"reason", fmt::format("{}", fmt::join(why, " "))},
                  {"groups", json_of(a.groups)},
                  {"blocks", json_of(a.blocks)},
                  {"tried", json_of(a.tried)}};
  fmt::print("{}\n", j.dump(2));
  return kOk;
}

}  // namespace chicane::cli
