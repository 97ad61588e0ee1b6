// SPDX-License-Identifier: Apache-2.0
#include "session/session.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/time_base.hpp"
#include "session/run.hpp"

namespace chicane {
namespace {

std::uint64_t next_model() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

// The place of a name in a list, or the fault that there is none.
template <class List>
Result<int> find(const List& list, std::string_view name, std::string_view what) {
  std::vector<std::string_view> known;
  for (const auto& entry : list) {
    if (entry.name == name) return static_cast<int>(known.size());
    known.push_back(entry.name);
  }
  return Error{fmt::format("there is no {} '{}'{}", what, name, did_you_mean(name, known))};
}

}  // namespace

Result<Session> Session::open(const ModelRequest& request) {
  Diagnostics diag;
  auto prepared = prepare_run(request, diag);
  if (!prepared) return Error::of(diag);
  Session session(std::move(*prepared));
  for (const Diagnostic& d : diag.all())
    session.run_->warnings.push_back({.text = d.message, .where = d.where});
  return session;
}

Session::Session(Prepared prepared)
    : run_(std::make_unique<Run>(std::move(prepared), next_model())) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

// --- what there is ---

const std::string& Session::name() const { return run_->prepared.structure->name; }

std::vector<Named> Session::signals() const {
  std::vector<Named> out;
  for (const SignalInfo& s : run_->prepared.structure->signals)
    out.push_back({s.name, s.unit, s.description});
  return out;
}

std::vector<Named> Session::parameters() const {
  std::vector<Named> out;
  for (const ParameterInfo& p : run_->prepared.structure->parameters)
    out.push_back({p.name, p.unit, ""});
  return out;
}

std::vector<Named> Session::inputs() const {
  const ModelStructure& s = *run_->prepared.structure;
  std::vector<Named> out;
  for (const InputInfo& i : s.inputs)
    out.push_back({i.name, s.signals[i.signal].unit, s.signals[i.signal].description});
  return out;
}

Result<Signal> Session::signal(std::string_view name) const {
  const auto i = find(run_->prepared.structure->signals, name, "signal");
  if (!i) return i.error();
  return Signal(*i, run_->model);
}

Result<Parameter> Session::parameter(std::string_view name) const {
  const auto i = find(run_->prepared.structure->parameters, name, "parameter");
  if (!i) return i.error();
  return Parameter(*i, run_->model);
}

Result<Input> Session::input(std::string_view name) const {
  const auto i = find(run_->prepared.structure->inputs, name, "input");
  if (!i) return i.error();
  return Input(*i, run_->model);
}

// --- values ---

double Session::time() const { return simulation().time(); }
double Session::end() const { return seconds(run_->prepared.plan.until); }
std::int64_t Session::frames() const { return simulation().state().frames; }

namespace {
void check_model(std::uint64_t of_handle, std::uint64_t of_session) {
  require(of_handle == of_session, "the handle is of another model");
}
}  // namespace

double Session::value(Signal signal) const {
  check_model(signal.model_, run_->model);
  return run_->values()[static_cast<std::size_t>(signal.index_)];
}

double Session::value(Parameter parameter) const {
  check_model(parameter.model_, run_->model);
  const ParameterInfo& p = run_->prepared.structure->parameters[ParameterIndex{parameter.index_}];
  return simulation().state().constants[p.slot];
}

double Session::value(Input input) const {
  check_model(input.model_, run_->model);
  return simulation().inputs().u[static_cast<std::size_t>(input.index_)];
}

Result<double> Session::value(std::string_view name) const {
  const auto handle = signal(name);
  if (!handle) return handle.error();
  return value(*handle);
}

Result<void> Session::set(Parameter parameter, double si) {
  check_model(parameter.model_, run_->model);
  try {
    run_->prepared.simulation->set_parameter(ParameterIndex{parameter.index_}, si);
  } catch (const UsageError& e) {
    return Error{e.what()};
  }
  run_->moved();
  return {};
}

Result<void> Session::set(Input input, double si) {
  check_model(input.model_, run_->model);
  if (!std::isfinite(si))
    return Error{fmt::format("'{}' cannot be set to a value that is not finite",
                             run_->prepared.structure->inputs[InputIndex{input.index_}].name)};
  simulation().inputs().u[static_cast<std::size_t>(input.index_)] = si;
  run_->moved();
  return {};
}

Result<void> Session::set(std::string_view name, std::string_view value) {
  const ModelStructure& s = *run_->prepared.structure;
  const auto parsed = parse_quantity(value);
  if (const auto* error = std::get_if<UnitError>(&parsed)) return Error{error->message};
  const Quantity& q = std::get<Quantity>(parsed);
  const auto mismatch = [&](const Dimension& wanted) {
    return Error{fmt::format("'{}' is {}, but {} is {}", value, quantity_name(q.dimension), name,
                             quantity_name(wanted))};
  };
  if (const auto p = parameter(name)) {
    const Dimension& wanted = s.parameters[ParameterIndex{p->index_}].dimension;
    return q.dimension == wanted || !spec().check_units ? set(*p, q.value) : mismatch(wanted);
  }
  if (const auto i = input(name)) {
    const Dimension& wanted =
        s.signals[s.inputs[InputIndex{i->index_}].signal].conversion.dimension;
    return q.dimension == wanted || !spec().check_units ? set(*i, q.value) : mismatch(wanted);
  }
  std::vector<std::string_view> known;
  for (const ParameterInfo& p : s.parameters) known.push_back(p.name);
  for (const InputInfo& i : s.inputs) known.push_back(i.name);
  return Error{
      fmt::format("there is no parameter and no input '{}'{}", name, did_you_mean(name, known))};
}

// --- moving ---

RunState Session::advance(const Advance& how) { return run_->advance(how); }

RunState Session::run_until(double t) {
  constexpr std::size_t kFrames = 256;  // between looks at guards
  const auto until = whole_picoseconds(t);
  require(until.has_value(), "a run cannot go to {} s", t);
  for (;;) {
    const std::int64_t before = frames();
    const RunState motion = advance({.frames = kFrames, .until = *until});
    if (motion != RunState::going_on || frames() == before) return motion;
  }
}

RunState Session::run() { return run_until(end()); }

RunState Session::state() const { return run_->run_state; }

const std::string& Session::stop_message() const {
  static const std::string none;
  return simulation().stopped() != nullptr ? *simulation().stopped() : none;
}

const std::string& Session::failure() const { return run_->failure; }
const std::optional<NamedMode>& Session::failed_mode() const { return run_->failed_mode; }
const std::vector<RunWarning>& Session::warnings() const { return run_->warnings; }
const std::vector<RunAccount>& Session::accounts() const { return run_->accounts; }
std::vector<MetricValue> Session::finish() { return run_->finish(); }

// --- recording ---

Result<void> Session::record(const std::vector<std::string>& patterns, std::int64_t every) {
  if (every < 0) return Error{fmt::format("a record of every {}th frame makes no sense", every)};
  const ModelStructure& s = *run_->prepared.structure;
  std::vector<SignalIndex> signals;
  if (patterns.empty()) signals = run_->prepared.plan.signals;
  std::vector<bool> taken(static_cast<std::size_t>(s.signals.size()));
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (const SignalIndex i : s.signals.indices()) {
      if (!matches(pattern, s.signals[i].name)) continue;
      any = true;
      if (!taken[static_cast<std::size_t>(i.value)]) signals.push_back(i);
      taken[static_cast<std::size_t>(i.value)] = true;
    }
    if (!any) {
      std::vector<std::string_view> known;
      for (const SignalInfo& signal : s.signals) known.push_back(signal.name);
      return Error{fmt::format("no signal matches '{}'{}", pattern, did_you_mean(pattern, known))};
    }
  }
  run_->record(std::move(signals), every);
  return {};
}

void Session::on_frame(std::function<void(const Frame&)> take) { run_->take = std::move(take); }

const Recorder& Session::recorder() const {
  require(run_->recorder.has_value(), "nothing is recorded: call record() first");
  return *run_->recorder;
}

const Columns& Session::columns() const {
  require(run_->columns.has_value(), "nothing is recorded: call record() first");
  return *run_->columns;
}
const FrameLayout& Session::layout() const { return recorder().layout(); }

Result<std::span<const double>> Session::column(std::string_view name) const {
  if (!run_->recorder) return Error{"nothing is recorded: call record() first"};
  const auto fields = layout().fields().subspan(FrameLayout::kTime);
  const auto i = find(fields, name, "recorded signal");
  if (!i) return i.error();
  return std::span<const double>(columns()[static_cast<std::size_t>(*i)]);
}

// --- for those who know the library's inside ---

const Spec& Session::spec() const { return run_->prepared.spec; }
const RunPlan& Session::run_plan() const { return run_->prepared.plan; }
Simulation& Session::simulation() const { return *run_->prepared.simulation; }
const std::shared_ptr<const ModelStructure>& Session::structure() const {
  return run_->prepared.structure;
}
double Session::cost() const { return run_->cost; }

}  // namespace chicane
