// SPDX-License-Identifier: Apache-2.0
#include "cli/run/job.hpp"

#include <algorithm>
#include <chrono>

#include "cli/advice.hpp"
#include "cli/run/interrupt.hpp"
#include "cli/run/progress.hpp"
#include "cli/say.hpp"
#include "cli/shared.hpp"
#include "core/build_info.hpp"
#include "io/writer/echo.hpp"
#include "realtime/pacer.hpp"

namespace chicane::cli {

using Wall = std::chrono::steady_clock;

namespace {

Session recording(Prepared prepared) {
  const std::int64_t every = prepared.plan.every;
  Session session(std::move(prepared));
  const auto recorded = session.record({}, every);
  require(recorded.ok(), "the signals of a plan are there");
  return session;
}

// Rows of a chunk are gathered in the meantime: fewer frames where there are many signals.
std::size_t frames_per_chunk(std::size_t signals) {
  return std::clamp<std::size_t>(2'000'000 / (signals + 1), 1, 256);
}

}  // namespace

Job::Job(const RunOptions& options, Prepared prepared)
    : options_(options),
      resumed_from_(std::move(prepared.checkpoint)),
      changes_(std::move(prepared.changes)),
      checkpoint_every_(prepared.checkpoint_every),
      checkpoint_at_(prepared.plan.checkpoint),
      session_(recording(std::move(prepared))),
      report_{simulation_,
              session_.run_plan(),
              session_.recorder(),
              session_.columns(),
              session_.spec().run.scheme.text,
              how(session_.run_plan().plan, simulation_.structure())} {}

int Job::go(Diagnostics& diag) {
  pairs_ = pairs_of(options_.xy, columns_of(session_.layout()), diag);
  if (!diag.ok() || !open_directory(diag)) return refuse(diag, options_.json);
  report_.start = simulation_.time();
  report_.first_frame = simulation_.state().frames;
  const Interrupts interrupts;
  try {
    carry_out(diag);
  } catch (const std::exception& e) {  // a full disk, say
    fail(fmt::format("{}: stopped at t = {:.9g} s: {}.\nThe outputs in {} are not whole",
                     session_.name(), simulation_.time(), e.what(), directory_->path().string()));
    writer_.reset();
    try {
      log("{}", report_.reason);
    } catch (const std::exception&) {  // on a full disk the log is cut short, too
    }
  }
  return tell();
}

bool Job::open_directory(Diagnostics& diag) {
  RunDirectory::Request request{.out = options_.out,
                                .name = session_.name(),
                                .files = {"echo.yaml", "log.txt", "results.csv", "results.h5",
                                          "checkpoint.json", "resume.json", "plot.png", "plot.svg"},
                                .facts = start_facts(options_.arguments).dump()};
  if (!resumed_from_.empty()) request.first.emplace_back("resume.json", resumed_from_);
  directory_ = RunDirectory::open(request, diag);
  if (directory_) report_.directory = directory_->path();
  return directory_ != nullptr;
}

void Job::carry_out(const Diagnostics& diag) {
  log_.emplace(directory_->file("log.txt"));
  log("{} {}", "chicane", version_text());
  log("model {}: {}", session_.name(), simulation_.structure().description);
  log("{}, step {} s, until {} s", report_.how, seconds(simulation_.plan().step), session_.end());
  directory_->write("echo.yaml", echo());
  for (const Diagnostic& d : diag.all()) warn(RunWarning{.text = d.message, .where = d.where});
  const std::vector<Column> columns = columns_of(session_.layout());
  const auto metrics = std::make_shared<std::vector<Hdf5Number>>();
  writer_ = open_results(*directory_, {.columns = columns,
                                       .attributes = attributes(),
                                       .parameters = parameters_of(session_.spec(), simulation_),
                                       .metrics = metrics});
  session_.on_frame([this](const Frame& frame) { writer_->push(frame.row()); });
  advance();
  report_.metrics = session_.finish();
  for (const MetricValue& m : report_.metrics)
    if (m.value) metrics->push_back({m.name, m.unit, "", *m.value});
  report_.accounts = session_.accounts();
  pass_on_warnings();
  writer_->finish();
  explain();
  if ((options_.plot || !pairs_.empty()) && report_.status != RunStatus::interrupted) plot(columns);
  if (options_.check_step && report_.reason.empty()) compare_with_half_the_step();
}

std::vector<std::pair<std::string, std::string>> Job::attributes() const {
  return {{"model", session_.name()},
          {"description", simulation_.structure().description},
          {"scheme", session_.spec().run.scheme.text},
          {"method", session_.run_plan().plan.method.name},
          {"step", session_.spec().run.step.text},
          {"version", std::string(build_info().version)},
          {"commit", std::string(build_info().commit)}};
}

void Job::warn(RunWarning warning) {
  const std::string words = in_words(warning);
  log("{}", words);
  cli::say("{}\n", words);
  report_.warnings.push_back(std::move(warning));
}

// What is found on the way ends a strict run.
void Job::pass_on_warnings() {
  for (; warned_ < session_.warnings().size(); ++warned_) {
    warn(session_.warnings()[warned_]);
    doubted_ = options_.strict;
  }
}

// The echo alone repeats the run; what it resumes from stands beside it.
std::string Job::echo() const {
  std::string text = "# Everything as used: chicane run echo.yaml repeats the run.\n";
  for (const std::string& change : changes_) text += "# Resumed with a change: " + change + "\n";
  Spec echo = session_.spec();
  if (!resumed_from_.empty()) echo.run.resume.text = "resume.json";
  return text + write_model(echo);
}

void Job::write_log(const std::string& line) {
  if (!log_) return;
  log_->add(line + "\n");
  log_->flush();
}

void Job::advance() {
  Progress progress(!options_.json && !options_.quiet);
  Pacer pacer(Overrun::catch_up);
  const auto begin = Wall::now();
  const std::size_t chunk =
      options_.realtime ? 1 : frames_per_chunk(session_.run_plan().signals.size());
  next_checkpoint_ = checkpoint_at_.value_or(kNever);
  if (checkpoint_every_ > 0)
    next_checkpoint_ =
        std::min(next_checkpoint_, simulation_.state().clock.now() + checkpoint_every_);
  save_checkpoint_if_due();
  RunState motion = RunState::going_on;
  while (motion == RunState::going_on && !doubted_ && Interrupts::asked() == 0) {
    const std::int64_t step = simulation_.plan().step;  // to the first frame that is not before it
    const std::int64_t until = next_checkpoint_ == kNever ? kNever : next_checkpoint_ + step - 1;
    motion = session_.advance({.frames = chunk, .until = until, .halt = &Interrupts::flag()});
    report_.cpu = session_.cost();
    note_events();
    if (motion != RunState::failed) save_checkpoint_if_due();
    pass_on_warnings();
    if (options_.realtime && motion != RunState::failed)
      pacer.wait(std::chrono::duration_cast<Pacer::Clock::duration>(
          std::chrono::duration<double>(seconds(simulation_.plan().step))));
    report_.wall = std::chrono::duration<double>(Wall::now() - begin).count();
    progress.show(simulation_.time(), report_.start, session_.end(), report_.wall);
  }
  if (options_.realtime) report_.late = pacer.late();
  if (simulation_.stopped() != nullptr)
    log("stopped by an event at t = {} s: {}", simulation_.time(), session_.stop_message());
}

void Job::save_checkpoint() {
  directory_->write("checkpoint.json", session_.checkpoint(), true);
  log("checkpoint at t = {} s", simulation_.time());
}

void Job::save_checkpoint_if_due() {
  const std::int64_t now = simulation_.state().clock.now();
  if (now < next_checkpoint_) return;
  save_checkpoint();
  if (checkpoint_at_ && *checkpoint_at_ <= now) checkpoint_at_.reset();
  next_checkpoint_ = checkpoint_at_.value_or(kNever);
  if (checkpoint_every_ > 0) next_checkpoint_ = std::min(next_checkpoint_, now + checkpoint_every_);
}

void Job::note_events() {
  const auto& events = simulation_.state().events;
  fired_.resize(static_cast<std::size_t>(events.size()));
  for (int i = 0; i < events.size(); ++i) {
    const std::int64_t now = events[EventIndex{i}].fired;
    auto& before = fired_[static_cast<std::size_t>(i)];
    if (now != before)
      log("event {} at t = {} s{}", simulation_.structure().events[EventIndex{i}].name,
          seconds(events[EventIndex{i}].last),
          now - before == 1 ? std::string() : fmt::format(", the last of {} times", now - before));
    before = now;
  }
}

void Job::explain() {
  const std::string kept =
      fmt::format(".\nOutputs up to the last good frame are in {}", report_.directory.string());
  if (session_.state() == RunState::failed) {
    report_.culprit = session_.failed_mode();
    fail(session_.failure() + kept);
  } else if (doubted_) {
    fail(fmt::format("{}: stopped at t = {:.9g} s, because of --strict: {}{}", session_.name(),
                     simulation_.time(), report_.warnings.back().text, kept));
  } else if (Interrupts::asked() != 0 && session_.state() == RunState::going_on) {
    save_checkpoint();
    interrupt(fmt::format("the run goes on with --resume {}",
                          directory_->file("checkpoint.json").string()));
  }
  if (!report_.reason.empty()) log("{}", report_.reason);
}

void Job::fail(const std::string& reason) {
  report_.status = RunStatus::failed;
  report_.reason = reason;
}

void Job::interrupt(const std::string& what) {
  report_.status = RunStatus::interrupted;
  report_.reason = fmt::format("{}: {} at t = {:.9g} s; {}", session_.name(),
                               signal_name(Interrupts::asked()), simulation_.time(), what);
}

// Without a picture the results are as good.
void Job::plot(const std::vector<Column>& columns) try {
  const Spec& spec = session_.spec();
  const Picture picture{
      .title = fmt::format("{} ({}, step {})", session_.name(), report_.how, spec.run.step.text),
      .of_vehicle = spec.vehicle.has_value() && options_.output.empty(),
      .pairs = pairs_};
  write_plot(picture_of(session_.columns(), columns, picture), directory_->path() / "plot");
  report_.plotted = true;
} catch (const std::runtime_error& e) {
  warn(RunWarning{.text = e.what()});
}

void Job::compare_with_half_the_step() {
  report_.agreement = check_step(session_.structure(), session_.run_plan(), simulation_.inputs(),
                                 [] { return Interrupts::asked() != 0; });
  if (report_.agreement)
    log("half the step agrees to {:.1f} digits (least: {})", report_.agreement->digits,
        report_.agreement->signal);
  else
    interrupt("the run was over, and was being repeated with half the step");
}

// In the directory, and to whoever started the run.
int Job::tell() {
  try {
    directory_->finish(report_.status, report_.reason,
                       end_facts(report_, options_.arguments).dump());
  } catch (const std::exception& e) {
    if (report_.status != RunStatus::failed) fail(e.what());
  }
  if (options_.json)
    print_json(to_json(report_));
  else if (!options_.quiet)
    print_summary(report_);
  if (report_.status == RunStatus::ok) return kOk;
  cli::say("{}\n", report_.reason);
  return report_.status == RunStatus::interrupted ? 128 + Interrupts::asked() : kRunFailed;
}

}  // namespace chicane::cli
