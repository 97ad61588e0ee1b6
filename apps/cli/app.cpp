// SPDX-License-Identifier: Apache-2.0
#include "cli/app.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/documents.hpp"
#include "cli/help.hpp"
#include "core/build_info.hpp"
#include "vehicle/tire/magic_formula/signs.hpp"

namespace chicane::cli {
namespace {

constexpr const char* kFooter =
    "MODEL is a built-in name (chicane list models) or a file.\n"
    "Start with:  chicane run two-scale --plot";

// What is run, or looked at.
template <class Options>
void add_model(CLI::App& app, Options& o) {
  app.add_option("model", o.model, "built-in model or file")->required()->type_name("MODEL");
  app.add_option("--manoeuvre,--maneuver", o.manoeuvre,
                 "lay a manoeuvre over the model: a name (chicane list manoeuvres) or a file")
      ->type_name("NAME|FILE");
}

// An option that overrides a key of the model's run section.
void add_run_option(CLI::App& app, RunOptions& o, const std::string& key, const std::string& type,
                    const std::string& help) {
  app.add_option_function<std::vector<std::string>>(
         "--" + key,
         [&o, key](const std::vector<std::string>& values) {
           for (const std::string& value : values) o.run.emplace_back(key, value);
         },
         help)
      ->type_name(type)
      ->allow_extra_args(false)
      ->take_all();
}

void add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& to,
                  const std::string& type, const std::string& help) {
  app.add_option(name, to, help + "; may be repeated")
      ->type_name(type)
      ->allow_extra_args(false)
      ->take_all();
}

void add_group(CLI::App& app, RunOptions& o) {
  app.add_option("--group", o.group, "put a block into another rate group; may be repeated")
      ->type_name("BLOCK=GROUP")
      ->allow_extra_args(false)
      ->take_all();
}

// How a model is advanced.
void add_scheme_options(CLI::App& app, RunOptions& o) {
  add_run_option(app, o, "scheme", "NAME",
                 "single-rate, multiframe, pece-multirate, pece-multirate-parallel, prk or "
                 "reference (adaptive, tight tolerance)");
  add_run_option(
      app, o, "method", "[GROUP=]NAME|FILE",
      "integration method, of all groups or of one: a name (chicane list methods) or a file");
  add_run_option(app, o, "step", "TIME", "step of the slowest group, e.g. 0.5ms");
  add_run_option(app, o, "ratio", "[GROUP=]N", "steps of the faster groups, or of one, per frame");
  add_run_option(app, o, "interp", "[SIGNAL=]NAME",
                 "how faster groups see slower ones between samples (chicane list interpolators)");
  add_run_option(app, o, "order", "ORDER", "of a multiframe: slow-first (default) or fast-first");
  add_run_option(app, o, "iterations", "inner=I,outer=K", "of the pece schemes");
  add_run_option(app, o, "tableau", "NAME|FILE",
                 "pair of tableaus of prk (chicane list tableaus), or a file");
  add_run_option(
      app, o, "threads", "N",
      "threads for groups, and branches of a mechanism, that do not depend on each other");
  add_group(app, o);
}

template <class Options>
void add_set(CLI::App& app, Options& o) {
  app.add_option("--set", o.set, "set a parameter, an input or an initial value; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->take_all();
}

void add_startup(CLI::App& app, RunOptions& o) {
  add_run_option(app, o, "startup", "KIND",
                 "first steps of a multistep method: rk4 (default) or build-up");
}

void add_limit(CLI::App& app, RunOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand("limit", "Find the largest stable step by running the model");
  add_model(*c, o);
  add_scheme_options(*c, o);
  add_startup(*c, o);
  add_run_option(*c, o, "settle", "TIME", "leave the model to itself before the search");
  add_set(*c, o);
  c->add_flag("--json", o.json, "print one JSON object");
  c->callback([&] { exit_code = limit(o); });
}

void add_bench(CLI::App& app, RunOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand("bench", "Measure what a frame costs, and each block of it");
  add_model(*c, o);
  add_run_option(*c, o, "until", "TIME", "end of the run that is measured");
  add_scheme_options(*c, o);
  add_startup(*c, o);
  add_set(*c, o);
  c->add_flag("--json", o.json, "print one JSON object");
  c->callback([&] { exit_code = bench(o); });
}

void add_linearize(CLI::App& app, LinearizeOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand(
      "linearize", "Matrices, eigenvalues and modes of a model, and the parameters behind them");
  RunOptions& base = o.base;
  add_model(*c, base);
  c->add_option("--at", o.at, "run to this time first (default: the initial state)")
      ->type_name("TIME");
  c->add_flag("--trim", o.trim, "find a steady motion from there");
  add_repeated(*c, "--hold", o.hold, "STATE=VALUE", "with --trim: a state that is given");
  add_repeated(*c, "--free", o.free, "NAME",
               "with --trim: an input or parameter that may change instead");
  c->add_flag("--along", o.along, "eigenvalues during a run from there to the end");
  c->add_option("--every", o.every, "with --along: time between them (default: a hundredth)")
      ->type_name("TIME");
  add_run_option(*c, base, "until", "TIME", "end of the run of --along");
  add_run_option(*c, base, "method", "NAME|FILE",
                 "method of --at and --along (default: the reference scheme)");
  add_run_option(*c, base, "step", "TIME", "step of --at and --along: events and memory act at it");
  add_repeated(*c, "--output", base.output, "PATTERN", "signals of C and D");
  add_group(*c, base);
  add_set(*c, base);
  c->add_flag("--plot", base.plot, "draw the eigenvalues to eigenvalues.png and .svg");
  c->add_option("--out", base.out, "directory for pictures and matrices (default runs/MODEL-NNN)")
      ->type_name("DIR");
  c->add_flag("--json", base.json, "print one JSON object instead of the table");
  c->callback([&] { exit_code = linearize(o); });
}

template <class T>
void add_list(CLI::App& app, const std::string& name, std::vector<T>& to, const std::string& type,
              const std::string& help) {
  app.add_option(name, to, help + "; separated by commas, or repeated")
      ->type_name(type)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->take_all();
}

void add_compare(CLI::App& app, CompareOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand(
      "compare", "Error, cost and stable step of several schemes beside the reference solution");
  RunOptions& base = o.base;
  add_model(*c, base);
  add_run_option(*c, base, "until", "TIME", "end of the runs, e.g. 10s");
  add_list(*c, "--schemes", o.schemes, "NAMES", "schemes to compare");
  add_list(*c, "--methods", o.methods, "NAMES", "methods of single-rate and multiframe");
  add_list(*c, "--ratios", o.ratios, "N", "steps of the faster groups per frame");
  add_list(*c, "--interps", o.interps, "NAMES", "interpolators of multirate schemes");
  add_list(*c, "--steps", o.steps, "TIMES", "steps of the slowest group");
  add_list(*c, "--signals", o.signals, "PATTERNS", "signals that are compared");
  add_startup(*c, base);
  add_run_option(*c, base, "order", "ORDER", "of a multiframe: slow-first or fast-first");
  add_run_option(*c, base, "iterations", "inner=I,outer=K", "of the pece schemes");
  add_run_option(*c, base, "tableau", "NAME|FILE", "pair of tableaus of prk, or a file");
  add_group(*c, base);
  add_set(*c, base);
  c->add_flag("--limits", o.limits, "find the largest stable step of each, too");
  c->add_flag("--plot", base.plot, "draw error over cost to compare.png and compare.svg");
  c->add_option("--out", base.out, "directory for picture and table (default runs/MODEL-NNN)")
      ->type_name("DIR");
  c->add_flag("--json", base.json, "print one JSON object instead of the table");
  c->callback([&] { exit_code = compare(o); });
}

void add_stability(CLI::App& app, StabilityOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand(
      "stability", "Stability limits, region and dynamic errors of integration methods");
  c->add_option("method", o.names,
                "methods or pairs of tableaus, by name or file; or `interpolators`")
      ->required()
      ->type_name("METHOD|FILE");
  c->add_flag("--error", o.error, "exact and asymptotic errors of roots and responses, too");
  add_list(*c, "--zeta", o.zeta, "Z", "damping ratios, 0 to 1");
  add_list(*c, "--sizes", o.sizes, "S", "steps |lambda| h of --error; omega T of interpolators");
  c->add_option("--omega", o.omega, "frequency of the sine of --error, over |lambda| (default 1)")
      ->type_name("R");
  add_list(*c, "--ratio", o.ratios, "N", "fast steps in a slow one, of interpolators");
  c->add_flag("--plot", o.plot, "draw the region to stability.png and stability.svg");
  c->add_option("--out", o.out, "directory for pictures and table (default runs/stability-NNN)")
      ->type_name("DIR");
  c->add_flag("--json", o.json, "print one JSON object instead of the tables");
  c->callback([&] { exit_code = stability(o); });
}

void add_advise(CLI::App& app, AdviseOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand(
      "advise",
      "Propose groups, method, ratio and step for an accuracy, and verify them by running");
  RunOptions& base = o.base;
  add_model(*c, base);
  c->add_option("--accuracy", o.accuracy, "largest error over the peak of a signal")
      ->type_name("E")
      ->capture_default_str();
  add_list(*c, "--signals", o.signals, "PATTERNS", "signals that must be accurate");
  c->add_option("--budget-us", o.budget_us, "CPU time that one frame may take [us]")
      ->type_name("US");
  add_run_option(*c, base, "until", "TIME", "end of the runs that verify, e.g. 10s");
  add_set(*c, base);
  c->add_flag("--json", base.json, "print one JSON object instead of the table");
  c->callback([&] { exit_code = advise(o); });
}

// One of a few words; another one that is near is named.
CLI::Validator one_of(std::vector<std::string_view> words) {
  return CLI::Validator(
      [words = std::move(words)](const std::string& given) {
        if (std::find(words.begin(), words.end(), given) != words.end()) return std::string();
        return fmt::format("'{}' is not one of {}{}", given, fmt::join(words, ", "),
                           did_you_mean(given, words));
      },
      "", "");
}

// What the designs have in common.
void add_design_options(CLI::App& app, DesignOptions& o) {
  app.add_option("--order", o.order, "order, 1 to 4")->type_name("P")->capture_default_str();
  app.add_option("--axis", o.axis, "imaginary or real: where stability reaches furthest")
      ->check(one_of({"imaginary", "real"}))
      ->type_name("AXIS")
      ->capture_default_str();
  app.add_option("--damping", o.damping, "how far |R| stays below 1 away from the origin, 0 to 0.4")
      ->type_name("EPS")
      ->capture_default_str();
  app.add_flag("--json", o.json, "print one JSON object");
}

void add_design(CLI::App& app, DesignOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand("design", "Compute coefficients of integration methods");
  c->require_subcommand(1);
  CLI::App* prk = c->add_subcommand("prk", "A pair of Runge-Kutta tableaus for scheme prk");
  prk->add_option("--slow", o.slow, "evaluations of the slow group a step")
      ->required()
      ->type_name("M");
  prk->add_option("--fast", o.fast, "evaluations of the fast groups a step")
      ->required()
      ->type_name("N");
  add_design_options(*prk, o);
  prk->add_flag("--consistent", o.consistent, "slow and fast stages at the same times");
  prk->add_option("--out", o.out, "write the pair as a file for run --tableau")->type_name("FILE");
  prk->callback([&] { exit_code = design_pair(o); });
  CLI::App* polynomial =
      c->add_subcommand("polynomial", "The stability polynomial with the longest limit");
  polynomial->add_option("--stages", o.stages, "its degree")->required()->type_name("S");
  add_design_options(*polynomial, o);
  polynomial->callback([&] { exit_code = design_polynomial(o); });
}

void add_topology(CLI::App& app, TopologyOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand(
      "topology", "Show the tree, cut joints, loops, chains and freedoms of a mechanism");
  add_model(*c, o);
  add_set(*c, o);
  c->add_option("--svg", o.svg, "draw the graph to this file")->type_name("FILE");
  c->add_flag("--plot", o.plot, "draw the graph to MODEL-topology.svg");
  c->add_flag("--json", o.json, "print one JSON object");
  c->callback([&] { exit_code = topology(o); });
}

void add_tire(CLI::App& app, TireOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand("tire", "Show a Magic Formula tire file, or evaluate points");
  c->add_option("file", o.file, "tire property file (.tir)")->required()->type_name("FILE");
  c->add_option("--points", o.points,
                "CSV with columns Fz, kappa, alpha, gamma, phit, Vx and, if need be, P")
      ->type_name("CSV");
  c->add_flag("--alpha-star", o.alpha_star, "tan(alpha) and sin(gamma) in place of the angles");
  c->add_flag("--turn-slip", o.turn_slip, "with the turn slip phit");
  c->add_option("--signs", o.signs, "axes of the coefficients: iso, sae or adapted-sae")
      ->check(one_of({tire::kTirSigns.begin(), tire::kTirSigns.end()}))
      ->type_name("AXES")
      ->capture_default_str();
  c->add_option("--side", o.side, "left or right: where it is mounted (default as measured)")
      ->check(one_of({"left", "right"}))
      ->type_name("SIDE");
  c->add_flag("--plot", o.plot, "draw the force maps also with --json");
  c->add_option("--out", o.out,
                "directory of the force maps (default runs/tire-NNN); with --points the CSV file "
                "(default standard output)")
      ->type_name("PATH");
  c->add_flag("--json", o.json, "print one JSON object");
  c->callback([&] { exit_code = tire_file(o); });
}

void add_road(CLI::App& app, RoadOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand("road", "Show a road surface file, or evaluate points");
  c->add_option("file", o.file, "road surface file (.crg)")->required()->type_name("FILE");
  c->add_option("--points", o.points, "CSV with columns u, v or x, y")->type_name("CSV");
  c->add_option("--place", o.place,
                "what lies in the origin where the file says no v: file, the right edge as by "
                "ASAM's C API, or line, the reference line")
      ->check(one_of({"file", "line"}))
      ->type_name("WHAT")
      ->capture_default_str();
  c->add_flag("--plot", o.plot, "draw map and profiles also with --json");
  c->add_option("--out", o.out,
                "directory of map and profiles (default runs/road-NNN); with --points the CSV file "
                "(default standard output)")
      ->type_name("PATH");
  c->add_flag("--json", o.json, "print one JSON object");
  c->callback([&] { exit_code = road_file(o); });
}

void add_rig(CLI::App& app, RigOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand(
      "rig", "Show how suspensions move and yield: travel, roll, steer and loads");
  add_model(*c, o);
  c->add_option("--travel", o.travel, "of the wheels, each way (default 80mm)")
      ->type_name("LENGTH");
  c->add_option("--rack", o.rack, "way of the rack, each way (default to its stops, at most 80mm)")
      ->type_name("LENGTH");
  c->add_option("--zero", o.zero,
                "where travel is 0: laden (wheels carry the vehicle) or file (its position there)")
      ->check(one_of({"laden", "file"}))
      ->type_name("POSITION")
      ->capture_default_str();
  c->add_option("--points", o.points, "of each sweep, an odd number")
      ->type_name("N")
      ->capture_default_str();
  add_set(*c, o);
  c->add_flag("--plot", o.plot, "draw the sweeps, and write all columns as CSV");
  c->add_option("--out", o.out, "directory for pictures and tables (default runs/rig-NNN)")
      ->type_name("DIR");
  c->add_flag("--json", o.json, "print one JSON object");
  c->callback([&] { exit_code = rig_command(o); });
}

// Everything that says what a run is.
void add_run_options(CLI::App& app, RunOptions& o) {
  add_model(app, o);
  add_run_option(app, o, "until", "TIME",
                 "end of the run, e.g. 10s; the last whole frame before it is the last");
  add_scheme_options(app, o);
  add_run_option(app, o, "every", "N", "write every N-th frame; 0 writes half steps too");
  add_startup(app, o);
  add_run_option(app, o, "history", "KIND",
                 "old derivatives after an event sets a state: keep (default) or restart");
  add_run_option(app, o, "checkpoint", "TIME", "save the state at this time as checkpoint.json");
  app.add_option("--checkpoint-every", o.checkpoint_every,
                 "save the state again and again, each time after this much simulated time")
      ->type_name("TIME");
  app.add_option("--resume", o.resume, "go on from a saved state")->type_name("FILE");
  app.add_flag("--resume-with-changes", o.resume_with_changes,
               "go on even if the model or the plan is not as it was saved");
  add_set(app, o);
  add_repeated(app, "--inputs", o.inputs, "FILE",
               "drive inputs from a CSV file: times, then a column for each input");
  app.add_flag("--hold-inputs", o.hold_inputs,
               "hold the values of a row until the next one (default: straight lines between)");
  app.add_option("--output", o.output, "write only signals that match; may be repeated")
      ->type_name("PATTERN")
      ->allow_extra_args(false)
      ->take_all();
}

void add_check(CLI::App& app, RunOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand("check", "Find all faults of a model and its run beforehand");
  add_run_options(*c, o);
  c->add_flag("--json", o.json, "print one JSON object");
  c->callback([&] { exit_code = check(o); });
}

void add_run(CLI::App& app, RunOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand("run", "Run a model and write its results");
  add_run_options(*c, o);
  c->add_option("--out", o.out, "directory for the results (default runs/MODEL-NNN)")
      ->type_name("DIR");
  c->add_flag("--check-step", o.check_step,
              "repeat with half the step: to how many digits do results agree?");
  c->add_flag("--strict", o.strict, "stop at the first doubt about the results: an error then");
  c->add_flag("--plot", o.plot, "draw the signals to plot.png and plot.svg");
  add_repeated(*c, "--xy", o.xy, "X,Y", "draw signal Y over signal X, too");
  c->add_flag("--realtime", o.realtime, "hold the run to real time");
  c->add_flag("--json", o.json, "print one JSON object instead of the summary");
  c->add_flag("--quiet", o.quiet, "print no summary, only warnings");
  c->callback([&] { exit_code = run(o); });
}

void add_describe(CLI::App& app, DescribeOptions& o, int& exit_code) {
  CLI::App* c =
      app.add_subcommand("describe", "Show blocks, groups, states, parameters, signals, wiring");
  add_model(*c, o.base);
  add_set(*c, o.base);
  c->add_option("--find", o.find,
                "only signals and settings with this text in their name or meaning")
      ->type_name("TEXT");
  c->add_flag("--all", o.all, "long lists, too");
  c->add_flag("--json", o.base.json, "print one JSON object");
  c->callback([&] { exit_code = describe(o); });
}

void add_list_command(CLI::App& app, std::string& what, bool& json, int& exit_code) {
  CLI::App* c = app.add_subcommand("list", "List what is built in");
  c->add_option("what", what,
                "models, manoeuvres, methods, interpolators, tableaus, blocks or parts")
      ->type_name("WHAT")
      ->check(one_of({kListed.begin(), kListed.end()}));
  c->add_flag("--json", json, "print one JSON object");
  c->callback([&] {
    if (what.empty()) throw CLI::RequiredError(fmt::format("one of {}", fmt::join(kListed, ", ")));
    exit_code = list(what, json);
  });
}

// "" is no value of anything.
void refuse_empty_values(CLI::App& app) {
  const CLI::Validator filled(
      [](const std::string& value) { return std::string(value.empty() ? "an empty value" : ""); },
      "", "");
  for (CLI::Option* option : app.get_options())
    if (option->get_items_expected_max() > 0) option->check(filled);
  for (CLI::App* command : app.get_subcommands(nullptr)) refuse_empty_values(*command);
}

}  // namespace

Program::Program(int argc, char** argv)
    : app("chicane: real-time simulation of vehicles and other systems with several time scales",
          "chicane") {
  app.footer(kFooter);
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  app.set_version_flag("--version", "chicane " + version_text());
  run.arguments.assign(argv + 1, argv + argc);
  add_run(app, run, exit_code);
  add_check(app, run, exit_code);
  add_limit(app, run, exit_code);
  add_bench(app, run, exit_code);
  add_linearize(app, linearization, exit_code);
  add_compare(app, comparison, exit_code);
  add_advise(app, advice, exit_code);
  add_stability(app, stability, exit_code);
  add_design(app, design, exit_code);
  add_topology(app, graph, exit_code);
  add_tire(app, tire, exit_code);
  add_road(app, road, exit_code);
  add_rig(app, rig, exit_code);
  add_describe(app, description, exit_code);
  add_list_command(app, listed, json, exit_code);
  CLI::App* schema =
      app.add_subcommand("schema", "Print the grammar of model files as a JSON Schema");
  schema->add_flag("--markdown", markdown, "as the page of the reference manual");
  schema->callback([this] { exit_code = cli::schema(markdown); });
  CLI::App* completion =
      app.add_subcommand("completion", "Print a script that completes words in a shell");
  completion->add_option("shell", shell, "bash, zsh or fish")
      ->required()
      ->type_name("SHELL")
      ->check(one_of({kShells.begin(), kShells.end()}));
  completion->callback([this] { exit_code = print_completion(app, shell); });
  CLI::App* manual = app.add_subcommand("manual", "Print the manual page");
  manual->callback([this] { exit_code = print_manual(app); });
  refuse_empty_values(app);
}

}  // namespace chicane::cli
