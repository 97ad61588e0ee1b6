#include "cli/run/job.hpp"

#include <chrono>

#include "analysis/guards.hpp"
#include "cli/advice.hpp"
#include "cli/run/explain.hpp"
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
      recorder_(simulation_, plan_, rows_per_chunk(plan_)),
      rows_(recorder_.width()),
      report_{simulation_,
              plan_,
              recorder_,
              rows_,
              spec_.run.scheme.text,
              how(plan_.plan, *structure_)},
      guards_(make_guards(simulation_, &spec_)) {}

int Job::go(const Diagnostics& diag) {
  report_.start = simulation_.time();
  report_.first_frame = simulation_.state().frames;
  report_.directory = make_directory(options_.out, structure_->name);
  log("{} {}", "chicane", build_info().version);
  log("model {}: {}", structure_->name, structure_->description);
  log("{}, step {} s, until {} s", report_.how, seconds(simulation_.plan().step),
      seconds(plan_.until));
  warn(diag);
  write_echo();
  const std::vector<Column> columns = columns_of(plan_, *structure_);
  writer_ = open_results(report_.directory, columns,
                         {{"model", structure_->name},
                          {"scheme", spec_.run.scheme.text},
                          {"method", plan_.plan.method.name}});
  Metrics metrics(simulation_);
  EventWatch events(simulation_);
  const Status status = advance(metrics, events);
  if (status == Status::ok && !not_finite_) {
    recorder_.see_end(simulation_);
    report_.metrics = metrics.finish(simulation_);
    note_fault(metrics, events);
  }
  push_rows();
  writer_->finish();
  explain(status);
  if (options_.plot) {
    write_plot(picture_of(rows_, columns,
                          fmt::format("{} ({}, step {})", structure_->name, report_.how,
                                      spec_.run.step.text)),
               report_.directory / "plot");
    report_.plotted = true;
  }
  if (options_.check_step && report_.reason.empty()) compare_with_half_the_step();
  return tell();
}

// Every frame, and with every = 0 what lies inside it.
std::size_t Job::rows_per_chunk(const RunPlan& plan) {
  int inside = kMaxStages;
  for (const Plan::Group& g : plan.plan.groups) inside = std::max(inside, g.ratio + 1);
  return kChunk * static_cast<std::size_t>(plan.every == 0 ? inside : 1) + 1;
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
void Job::write_echo() {
  Spec echo = spec_;
  if (!prepared_.checkpoint.empty()) {
    write_file(report_.directory / "resume.json", prepared_.checkpoint);
    echo.run.resume.text = "resume.json";
  }
  std::string text = "# Everything as used: chicane run echo.yaml repeats the run.\n";
  text += write_model(echo);
  write_file(report_.directory / "echo.yaml", text);
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
  save_checkpoint();
  while (status == Status::ok && !at_end() && !doubted_ && !not_finite_) {
    metrics.make_room(kChunk);
    const double before = cpu_seconds();
    const std::size_t frames = options_.realtime || plan_.checkpoint ? 1 : kChunk;
    for (std::size_t k = 0; k < frames && status == Status::ok && !at_end(); ++k) {
      status = simulation_.step(&observer);
      if (recorder_.has_fault() || metrics.has_fault() || events.has_fault()) break;
    }
    note_fault(metrics, events);
    const double used = cpu_seconds() - before;
    report_.cpu += used - std::min(used, recorder_.take_spent());
    note_events();
    push_rows();
    if (status == Status::ok) save_checkpoint();
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
  if (!plan_.checkpoint || simulation_.state().clock.now() < *plan_.checkpoint) return;
  write_file(report_.directory / "checkpoint.json", write_checkpoint(simulation_));
  log("checkpoint at t = {} s", simulation_.time());
  plan_.checkpoint.reset();
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
}

void Job::explain(Status status) {
  if (status == Status::ok && !not_finite_ && !doubted_ && !left_model_) return;
  if (left_model_) {
    report_.reason = fmt::format("{}: stopped at t = {:.9g} s: {}", structure_->name,
                                 simulation_.time(), report_.warnings.back().text);
  } else if (status == Status::ok && not_finite_) {
    report_.reason = cli::explain(*structure_, *not_finite_);
  } else if (doubted_) {
    report_.reason =
        fmt::format("{}: stopped at t = {:.9g} s, because of --strict: {}", structure_->name,
                    simulation_.failure(status).time, report_.warnings.back().text);
  } else {
    Explanation e = cli::explain(structure_, simulation_, spec_, status);
    report_.reason = std::move(e.text);
    report_.culprit = std::move(e.culprit);
  }
  report_.reason +=
      fmt::format(".\nOutputs up to the last good frame are in {}", report_.directory.string());
  log("{}", report_.reason);
}

void Job::compare_with_half_the_step() {
  report_.agreement = check_step(structure_, plan_, simulation_.inputs());
  log("half the step agrees to {:.1f} digits (least: {})", report_.agreement->digits,
      report_.agreement->signal);
}

// In the directory, and to whoever started the run.
int Job::tell() {
  write_file(report_.directory / "manifest.json",
             manifest_of(report_, options_.arguments).dump(2) + "\n");
  write_file(report_.directory / "log.txt", log_);
  if (options_.json)
    print_json(to_json(report_));
  else if (!options_.quiet)
    print_summary(report_);
  if (report_.reason.empty()) return kOk;
  cli::say("{}\n", report_.reason);
  return kRunFailed;
}

}  // namespace chicane::cli
