#include "cli/run/job.hpp"

#include <chrono>

#include "analysis/guards.hpp"
#include "cli/advice.hpp"
#include "cli/run/explain.hpp"
#include "cli/run/interrupt.hpp"
#include "cli/run/progress.hpp"
#include "cli/say.hpp"
#include "cli/shared.hpp"
#include "core/build_info.hpp"
#include "io/checkpoint.hpp"
#include "io/writer/echo.hpp"
#include "realtime/pacer.hpp"
#include "system/vehicle/limits.hpp"

namespace chicane::cli {

using Wall = std::chrono::steady_clock;

Job::Job(const RunOptions& options, Prepared prepared)
    : options_(options),
      prepared_(std::move(prepared)),
      chunk_(frames_per_chunk(plan_.signals.size())),
      recorder_(simulation_, plan_, rows_of(chunk_, plan_.every, simulation_.plan())),
      rows_(recorder_.width()),
      report_{simulation_,
              plan_,
              recorder_,
              rows_,
              spec_.run.scheme.text,
              how(plan_.plan, *structure_)},
      guards_(make_guards(simulation_, &spec_)) {}

int Job::go(Diagnostics& diag) {
  if (!open_directory(diag)) return refuse(diag, options_.json);
  report_.start = simulation_.time();
  report_.first_frame = simulation_.state().frames;
  const Interrupts interrupts;
  try {
    carry_out(diag);
  } catch (const std::exception& e) {  // a full disk, say
    fail(fmt::format("{}: stopped at t = {:.9g} s: {}.\nThe outputs in {} are not whole",
                     structure_->name, simulation_.time(), e.what(), directory_->path().string()));
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
                                .name = structure_->name,
                                .files = {"echo.yaml", "log.txt", "results.csv", "results.h5",
                                          "checkpoint.json", "resume.json", "plot.png", "plot.svg"},
                                .facts = start_facts(options_.arguments).dump()};
  if (!prepared_.checkpoint.empty())
    request.first.emplace_back("resume.json", prepared_.checkpoint);
  directory_ = RunDirectory::open(request, diag);
  if (directory_) report_.directory = directory_->path();
  return directory_ != nullptr;
}

void Job::carry_out(const Diagnostics& diag) {
  log_.emplace(directory_->file("log.txt"));
  log("{} {}", "chicane", build_info().version);
  log("model {}: {}", structure_->name, structure_->description);
  log("{}, step {} s, until {} s", report_.how, seconds(simulation_.plan().step),
      seconds(plan_.until));
  directory_->write("echo.yaml", echo());
  warn(diag);
  const std::vector<Column> columns = columns_of(plan_, *structure_);
  writer_ = open_results(*directory_, columns,
                         {{"model", structure_->name},
                          {"scheme", spec_.run.scheme.text},
                          {"method", plan_.plan.method.name}});
  Metrics metrics(simulation_);
  EventWatch events(simulation_);
  const Status status = advance(metrics, events);
  const bool whole = status == Status::ok && !not_finite_ && Interrupts::asked() == 0;
  if (status == Status::ok && !not_finite_) recorder_.see_end(simulation_);
  if (whole) report_.metrics = metrics.finish(simulation_);
  if (status == Status::ok && !not_finite_) note_fault(metrics, events);
  push_rows();
  writer_->finish();
  explain(status);
  if (options_.plot) plot(columns);
  if (options_.check_step && report_.reason.empty()) compare_with_half_the_step();
}

// Their rows are gathered in the meantime: fewer frames where there are many signals.
std::size_t Job::frames_per_chunk(std::size_t signals) {
  return std::clamp<std::size_t>(2'000'000 / (signals + 1), 1, 256);
}

// Every frame, and with every = 0 what lies inside it.
std::size_t Job::rows_of(std::size_t frames, std::int64_t every, const Plan& plan) {
  int inside = kMaxStages;
  for (const Plan::Group& g : plan.groups) inside = std::max(inside, g.ratio + 1);
  return frames * static_cast<std::size_t>(every == 0 ? inside : 1) + 1;
}

void Job::warn(const Diagnostics& diag) {
  for (const Diagnostic& d : diag.all()) warn(RunWarning{.text = d.message, .where = d.where});
}

void Job::warn(RunWarning warning) {
  say(warning);
  report_.warnings.push_back(std::move(warning));
}

void Job::say(const RunWarning& warning) {
  const std::string words = in_words(warning);
  log("{}", words);
  if (!options_.quiet) cli::say("{}\n", words);
}

// The echo alone repeats the run; what it resumes from stands beside it.
std::string Job::echo() const {
  std::string text = "# Everything as used: chicane run echo.yaml repeats the run.\n";
  for (const std::string& change : prepared_.changes)
    text += "# Resumed with a change: " + change + "\n";
  Spec echo = spec_;
  if (!prepared_.checkpoint.empty()) echo.run.resume.text = "resume.json";
  return text + write_model(echo);
}

void Job::write_log(const std::string& line) {
  if (!log_) return;
  log_->add(line + "\n");
  log_->flush();
}

bool Job::at_end() const {
  const Clock& c = simulation_.state().clock;
  return simulation_.plan().step > plan_.until - c.now();
}

Status Job::advance(Metrics& metrics, EventWatch& events) {
  Observers observer{&recorder_, &metrics, &events};
  for (const auto& guard : guards_) observer.add(*guard);
  Progress progress(!options_.json && !options_.quiet);
  Pacer pacer(Overrun::catch_up);
  const auto begin = Wall::now();
  Status status = Status::ok;
  if (plan_.checkpoint) next_checkpoint_ = *plan_.checkpoint;
  if (prepared_.checkpoint_every > 0)
    next_checkpoint_ =
        std::min(next_checkpoint_, simulation_.state().clock.now() + prepared_.checkpoint_every);
  save_checkpoint_if_due();
  while (status == Status::ok && !at_end() && !doubted_ && !not_finite_ &&
         Interrupts::asked() == 0) {
    metrics.make_room(chunk_);
    recorder_.make_room(rows_of(chunk_, plan_.every, simulation_.plan()));
    const double before = cpu_seconds();
    const std::size_t frames = options_.realtime ? 1 : chunk_;
    for (std::size_t k = 0;
         k < frames && status == Status::ok && !at_end() &&
         simulation_.state().clock.now() < next_checkpoint_ && Interrupts::asked() == 0;
         ++k) {
      status = simulation_.step(&observer);
      if (recorder_.has_fault() || metrics.has_fault() || events.has_fault()) break;
    }
    note_fault(metrics, events);
    const double used = cpu_seconds() - before;
    report_.cpu += used - std::min(used, recorder_.take_spent());
    note_events();
    push_rows();
    if (status == Status::ok) save_checkpoint_if_due();
    for (const auto& guard : guards_) guard->between_frames(simulation_);
    ask_guards();
    if (options_.realtime && status == Status::ok)
      pacer.wait(std::chrono::duration_cast<Pacer::Clock::duration>(
          std::chrono::duration<double>(seconds(simulation_.plan().step))));
    report_.wall = std::chrono::duration<double>(Wall::now() - begin).count();
    progress.show(simulation_.time(), report_.start, seconds(plan_.until), report_.wall);
  }
  if (options_.realtime) report_.late = pacer.late();
  for (const auto& guard : guards_) guard->at_end(simulation_);
  ask_guards();
  if (status != Status::interrupted) return status;
  log("stopped by an event at t = {} s: {}", simulation_.time(), *simulation_.stopped());
  if (auto beyond = beyond_limits(simulation_)) {
    left_model_ = true;
    warn(RunWarning{.text = std::move(*beyond), .time = simulation_.time(), .part = "chassis"});
  }
  return Status::ok;
}

void Job::note_fault(const Metrics& metrics, const EventWatch& events) {
  not_finite_ = recorder_.has_fault() ? recorder_.not_finite()
                : metrics.has_fault() ? metrics.not_finite()
                                      : events.not_finite();
}

// What they find ends a strict run.
void Job::ask_guards() {
  for (const auto& guard : guards_)
    for (RunWarning& found : guard->take_findings()) {
      warn(std::move(found));
      doubted_ = options_.strict;
    }
}

void Job::save_checkpoint() {
  directory_->write("checkpoint.json", write_checkpoint(simulation_, prepared_.fingerprint), true);
  log("checkpoint at t = {} s", simulation_.time());
}

void Job::save_checkpoint_if_due() {
  const std::int64_t now = simulation_.state().clock.now();
  if (now < next_checkpoint_) return;
  save_checkpoint();
  if (plan_.checkpoint && *plan_.checkpoint <= now) plan_.checkpoint.reset();
  next_checkpoint_ = plan_.checkpoint.value_or(kNever);
  if (prepared_.checkpoint_every > 0)
    next_checkpoint_ = std::min(next_checkpoint_, now + prepared_.checkpoint_every);
}

void Job::note_events() {
  const auto& events = simulation_.state().events;
  fired_.resize(static_cast<std::size_t>(events.size()));
  for (int i = 0; i < events.size(); ++i) {
    const std::int64_t now = events[EventIndex{i}].fired;
    auto& before = fired_[static_cast<std::size_t>(i)];
    if (now != before)
      log("event {} at t = {} s{}", structure_->events[EventIndex{i}].name,
          seconds(events[EventIndex{i}].last),
          now - before == 1 ? std::string() : fmt::format(", the last of {} times", now - before));
    before = now;
  }
}

void Job::push_rows() {
  recorder_.drain([this](std::span<const double> row) {
    writer_->push(row);
    rows_.add(row);
  });
  if (recorder_.lost() > 0)
    throw std::runtime_error("there was no room for all rows inside a frame whose ratio grew");
}

void Job::explain(Status status) {
  const std::string kept =
      fmt::format(".\nOutputs up to the last good frame are in {}", report_.directory.string());
  if (left_model_) {
    fail(fmt::format("{}: stopped at t = {:.9g} s: {}{}", structure_->name, simulation_.time(),
                     report_.warnings.back().text, kept));
  } else if (status == Status::ok && not_finite_) {
    fail(cli::explain(*structure_, *not_finite_) + kept);
  } else if (doubted_) {
    fail(fmt::format("{}: stopped at t = {:.9g} s, because of --strict: {}{}", structure_->name,
                     simulation_.failure(status).time, report_.warnings.back().text, kept));
  } else if (status != Status::ok) {
    Explanation e = cli::explain(structure_, simulation_, spec_, status);
    report_.culprit = std::move(e.culprit);
    fail(e.text + kept);
  } else if (Interrupts::asked() != 0) {
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
  report_.reason = fmt::format("{}: {} at t = {:.9g} s; {}", structure_->name,
                               signal_name(Interrupts::asked()), simulation_.time(), what);
}

// Without a picture the results are as good.
void Job::plot(const std::vector<Column>& columns) try {
  const std::string title =
      fmt::format("{} ({}, step {})", structure_->name, report_.how, spec_.run.step.text);
  write_plot(picture_of(rows_, columns, title), directory_->path() / "plot");
  report_.plotted = true;
} catch (const std::runtime_error& e) {
  warn(RunWarning{.text = e.what()});
}

void Job::compare_with_half_the_step() {
  report_.agreement =
      check_step(structure_, plan_, simulation_.inputs(), [] { return Interrupts::asked() != 0; });
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
