#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/program.hpp"
#include "cli/say.hpp"
#include "core/build_info.hpp"

namespace {

using namespace chicane;

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
void add_run_option(CLI::App& app, cli::RunOptions& o, const std::string& key,
                    const std::string& type, const std::string& help) {
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

void add_group(CLI::App& app, cli::RunOptions& o) {
  app.add_option("--group", o.group, "put a block into another rate group; may be repeated")
      ->type_name("BLOCK=GROUP")
      ->allow_extra_args(false)
      ->take_all();
}

// How a model is advanced.
void add_scheme_options(CLI::App& app, cli::RunOptions& o) {
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

void add_startup(CLI::App& app, cli::RunOptions& o) {
  add_run_option(app, o, "startup", "KIND",
                 "first steps of a multistep method: rk4 (default) or build-up");
}

void add_limit(CLI::App& app, cli::RunOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand("limit", "Find the largest stable step by running the model");
  add_model(*c, o);
  add_scheme_options(*c, o);
  add_startup(*c, o);
  add_run_option(*c, o, "settle", "TIME", "leave the model to itself before the search");
  add_set(*c, o);
  c->add_flag("--json", o.json, "print one JSON object");
  c->callback([&] { exit_code = cli::limit(o); });
}

void add_bench(CLI::App& app, cli::RunOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand("bench", "Measure what a frame costs, and each block of it");
  add_model(*c, o);
  add_run_option(*c, o, "until", "TIME", "end of the run that is measured");
  add_scheme_options(*c, o);
  add_startup(*c, o);
  add_set(*c, o);
  c->add_flag("--json", o.json, "print one JSON object");
  c->callback([&] { exit_code = cli::bench(o); });
}

void add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& to,
                  const std::string& type, const std::string& help) {
  app.add_option(name, to, help + "; may be repeated")
      ->type_name(type)
      ->allow_extra_args(false)
      ->take_all();
}

void add_linearize(CLI::App& app, cli::LinearizeOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand(
      "linearize", "Matrices, eigenvalues and modes of a model, and the parameters behind them");
  cli::RunOptions& base = o.base;
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
  c->callback([&] { exit_code = cli::linearize(o); });
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

void add_compare(CLI::App& app, cli::CompareOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand(
      "compare", "Error, cost and stable step of several schemes beside the reference solution");
  cli::RunOptions& base = o.base;
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
  c->callback([&] { exit_code = cli::compare(o); });
}

void add_stability(CLI::App& app, cli::StabilityOptions& o, int& exit_code) {
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
  c->callback([&] { exit_code = cli::stability(o); });
}

void add_advise(CLI::App& app, cli::AdviseOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand(
      "advise",
      "Propose groups, method, ratio and step for an accuracy, and verify them by running");
  cli::RunOptions& base = o.base;
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
  c->callback([&] { exit_code = cli::advise(o); });
}

// What the designs have in common.
void add_design_options(CLI::App& app, cli::DesignOptions& o) {
  app.add_option("--order", o.order, "order, 1 to 4")->type_name("P")->capture_default_str();
  app.add_option("--axis", o.axis, "imaginary or real: where stability reaches furthest")
      ->check(CLI::IsMember({"imaginary", "real"}))
      ->type_name("AXIS")
      ->capture_default_str();
  app.add_option("--damping", o.damping, "how far |R| stays below 1 away from the origin, 0 to 0.4")
      ->type_name("EPS")
      ->capture_default_str();
  app.add_flag("--json", o.json, "print one JSON object");
}

void add_design(CLI::App& app, cli::DesignOptions& o, int& exit_code) {
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
  prk->callback([&] { exit_code = cli::design_pair(o); });
  CLI::App* polynomial =
      c->add_subcommand("polynomial", "The stability polynomial with the longest limit");
  polynomial->add_option("--stages", o.stages, "its degree")->required()->type_name("S");
  add_design_options(*polynomial, o);
  polynomial->callback([&] { exit_code = cli::design_polynomial(o); });
}

void add_topology(CLI::App& app, cli::TopologyOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand(
      "topology", "Show the tree, cut joints, loops, chains and freedoms of a mechanism");
  add_model(*c, o);
  add_set(*c, o);
  c->add_option("--svg", o.svg, "draw the graph to this file")->type_name("FILE");
  c->add_flag("--plot", o.plot, "draw the graph to MODEL-topology.svg");
  c->add_flag("--json", o.json, "print one JSON object");
  c->callback([&] { exit_code = cli::topology(o); });
}

// Everything that says what a run is.
void add_run_options(CLI::App& app, cli::RunOptions& o) {
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
  app.add_option("--output", o.output, "write only signals that match; may be repeated")
      ->type_name("PATTERN")
      ->allow_extra_args(false)
      ->take_all();
}

void add_check(CLI::App& app, cli::RunOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand("check", "Find all faults of a model and its run beforehand");
  add_run_options(*c, o);
  c->add_flag("--json", o.json, "print one JSON object");
  c->callback([&] { exit_code = cli::check(o); });
}

void add_run(CLI::App& app, cli::RunOptions& o, int& exit_code) {
  CLI::App* c = app.add_subcommand("run", "Run a model and write its results");
  add_run_options(*c, o);
  c->add_option("--out", o.out, "directory for the results (default runs/MODEL-NNN)")
      ->type_name("DIR");
  c->add_flag("--check-step", o.check_step,
              "repeat with half the step: to how many digits do results agree?");
  c->add_flag("--strict", o.strict, "stop at the first doubt about the results: an error then");
  c->add_flag("--plot", o.plot, "draw the signals to plot.png and plot.svg");
  c->add_flag("--realtime", o.realtime, "hold the run to real time");
  c->add_flag("--json", o.json, "print one JSON object instead of the summary");
  c->add_flag("--quiet", o.quiet, "print no summary");
  c->callback([&] { exit_code = cli::run(o); });
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

// Files that are opened later must not take the place of stdin, stdout or stderr. What is written
// to a stdout that is closed fails, as it should.
void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) {
      const int dummy = open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
      if (dummy >= 0 && dummy != stream) {
        dup2(dummy, stream);
        close(dummy);
      }
    }
}

// Parses, does what is asked, and answers: with `--json` in one object, whatever happens.
int answered(CLI::App& app, int argc, char** argv, const int& exit_code) {
  const bool json = std::any_of(
      argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
  const auto failed = [json](int code, const std::string& words, const std::string& message) {
    cli::say("{}", words);
    try {
      if (json) cli::print_json(cli::failure(message));
    } catch (const std::exception&) {  // nobody listens there either
    }
    return code;
  };
  int code = exit_code;
  try {
    app.parse(argc, argv);
    code = exit_code;
  } catch (const CLI::ParseError& e) {
    std::ostringstream out, err;
    if (app.exit(e, out, err) != 0) {
      code = failed(cli::kUsage, err.str(), e.what());
    } else {
      const std::string text = out.str();
      std::fwrite(text.data(), 1, text.size(), stdout);
    }
  } catch (const std::exception& e) {
    code = failed(cli::kRunFailed, fmt::format("chicane: {}\n", e.what()), e.what());
  }
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  if (errno != EPIPE) cli::say("chicane: cannot write to standard output\n");
  return code == cli::kOk ? cli::kRunFailed : code;
}

}  // namespace

int chicane::cli::program(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a write that fails says so
  std::signal(SIGXFSZ, SIG_IGN);  // and so does one beyond the limit of a file's size
  hold_standard_streams();
  CLI::App app{
      "chicane: real-time simulation of vehicles and other systems with several time scales",
      "chicane"};
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string(build_info().version));
  int exit_code = cli::kOk;

  cli::RunOptions options;
  options.arguments.assign(argv + 1, argv + argc);
  add_run(app, options, exit_code);
  add_check(app, options, exit_code);
  add_limit(app, options, exit_code);
  add_bench(app, options, exit_code);
  cli::LinearizeOptions linearization;
  add_linearize(app, linearization, exit_code);
  cli::CompareOptions comparison;
  add_compare(app, comparison, exit_code);
  cli::AdviseOptions advice;
  add_advise(app, advice, exit_code);
  cli::StabilityOptions stability;
  add_stability(app, stability, exit_code);

  cli::DesignOptions design;
  add_design(app, design, exit_code);

  cli::TopologyOptions graph;
  add_topology(app, graph, exit_code);

  std::string what;
  bool json = false, markdown = false;
  CLI::App* describe =
      app.add_subcommand("describe", "Show blocks, groups, states, parameters, signals, wiring");
  cli::DescribeOptions describe_options;
  add_model(*describe, describe_options.base);
  add_set(*describe, describe_options.base);
  describe
      ->add_option("--find", describe_options.find,
                   "only signals and settings with this text in their name or meaning")
      ->type_name("TEXT");
  describe->add_flag("--all", describe_options.all, "long lists, too");
  describe->add_flag("--json", describe_options.base.json, "print one JSON object");
  describe->callback([&] { exit_code = cli::describe(describe_options); });

  CLI::App* list = app.add_subcommand("list", "List what is built in");
  list->add_option("what", what,
                   "models, manoeuvres, methods, interpolators, tableaus, blocks or parts")
      ->required()
      ->check(CLI::IsMember(
          {"models", "manoeuvres", "methods", "interpolators", "tableaus", "blocks", "parts"}));
  list->add_flag("--json", json, "print one JSON object");
  list->callback([&] { exit_code = cli::list(what, json); });

  CLI::App* schema =
      app.add_subcommand("schema", "Print the grammar of model files as a JSON Schema");
  schema->add_flag("--markdown", markdown, "as the page of the reference manual");
  schema->callback([&] { exit_code = cli::schema(markdown); });

  refuse_empty_values(app);
  return answered(app, argc, argv, exit_code);
}
