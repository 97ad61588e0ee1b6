// SPDX-License-Identifier: Apache-2.0
#include "session/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/guards.hpp"
#include "assembly/limits.hpp"
#include "core/cpu_time.hpp"
#include "session/explain.hpp"

namespace chicane {

Session::Run::Run(Prepared of, std::uint64_t model_id)
    : model(model_id), prepared(std::move(of)), events_(*prepared.simulation) {
  begin_anew();
}

// From where the simulation stands: nothing is known of what was before.
void Session::Run::begin_anew() {
  moved();
  run_state = RunState::going_on;
  failure.clear();
  failed_mode.reset();
  finished_ = halted_ = false;
  accounts.clear();
  metrics_.emplace(*prepared.simulation);
  watch();
}

void Session::Run::follow_groups(const ModelStructure& before) {
  moved();
  metrics_->follow(before);
  watch();
}

void Session::Run::watch() {
  guards_ = make_guards(*prepared.simulation);
  observers_.clear();
  if (recorder) observers_.add(*recorder);
  observers_.add(*metrics_);
  observers_.add(events_);
  for (const auto& guard : guards_) observers_.add(*guard);
}

void Session::Run::record(std::vector<SignalIndex> signals, std::int64_t every) {
  recorder.emplace(*prepared.simulation, std::move(signals), every);
  columns.emplace(recorder->layout().signals() + 1);
  watch();
}

bool Session::Run::at_end() const {
  const Simulation& s = *prepared.simulation;
  return s.plan().step > prepared.plan.until - s.state().clock.now();
}

RunState Session::Run::advance(const Advance& how) {
  if (run_state == RunState::failed || run_state == RunState::stopped) return run_state;
  moved();
  run_state = RunState::going_on;
  metrics_->make_room(how.frames);
  if (recorder) recorder->make_room(how.frames);
  std::size_t left = how.frames;
  Status status = Status::ok;
  while (status == Status::ok && failure.empty() && may_step(how, left)) {
    status = step_on(how, left);
    if (prepared.simulation->state().frames % kFramesPerLook == 0) {
      for (const auto& guard : guards_) guard->between_frames(*prepared.simulation);
      ask_guards();
    }
  }
  halted_ = how.halt != nullptr && how.halt->load(std::memory_order_relaxed) != 0;
  judge(status);
  hand_over_frames();
  return run_state;
}

bool Session::Run::may_step(const Advance& how, std::size_t left) const {
  const Simulation& s = *prepared.simulation;
  return left > 0 && !at_end() && !has_fault() &&
         s.plan().step <= how.until - s.state().clock.now() &&
         (how.halt == nullptr || how.halt->load(std::memory_order_relaxed) == 0);
}

// To the next look at the guards: whoever drives a session, and in whatever portions, they find the
// same.
Status Session::Run::step_on(const Advance& how, std::size_t& left) {
  Simulation& simulation = *prepared.simulation;
  const double before = cpu_seconds();
  Status status = Status::ok;
  do {
    status = simulation.step(&observers_);
    --left;
  } while (status == Status::ok && simulation.state().frames % kFramesPerLook != 0 &&
           may_step(how, left));
  const double used = cpu_seconds() - before;
  cost += used - std::min(used, recorder ? recorder->take_spent() : 0.0);
  return status;
}

void Session::Run::judge(Status status) {
  Simulation& simulation = *prepared.simulation;
  if (!failure.empty()) {  // by a guard
    run_state = RunState::failed;
  } else if (has_fault()) {
    fail_with_fault();
  } else if (status == Status::interrupted) {
    run_state = RunState::stopped;
    if (auto beyond = beyond_limits(simulation)) {
      run_state = RunState::failed;
      failure = fmt::format("{}: stopped at t = {:.9g} s: {}", prepared.structure->name,
                            simulation.time(), *beyond);
      warnings.push_back(
          {.text = std::move(*beyond), .time = simulation.time(), .part = "chassis"});
    }
  } else if (status != Status::ok) {
    run_state = RunState::failed;
    Explanation why = explain(prepared.structure, simulation, status);
    failure = std::move(why.text);
    failed_mode = std::move(why.mode);
  } else if (at_end()) {
    run_state = RunState::at_end;
  }
}

void Session::Run::fail_with_fault() {
  run_state = RunState::failed;
  failure =
      explain(*prepared.structure, *(recorder && recorder->has_fault() ? recorder->not_finite()
                                     : metrics_->has_fault()           ? metrics_->not_finite()
                                                                       : events_.not_finite()));
}

void Session::Run::hand_over_frames() {
  if (!recorder) return;
  recorder->drain([this](const Frame& frame) {
    if (take) take(frame);
    columns->add(frame.row());
  });
  require(recorder->lost() == 0, "there was no room for all rows inside a frame whose ratio grew");
}

void Session::Run::ask_guards() {
  for (const auto& guard : guards_)
    for (RunWarning& found : guard->take_findings()) warnings.push_back(std::move(found));
  for (const auto& guard : guards_)
    if (const auto why = guard->verdict(); why && failure.empty())
      failure = fmt::format("{}: stopped at t = {:.9g} s: {}", prepared.structure->name,
                            prepared.simulation->time(), *why);
}

std::vector<MetricValue> Session::Run::finish() {
  Simulation& simulation = *prepared.simulation;
  if (finished_) return {};
  finished_ = true;
  if (!halted_)  // a last judgement may take as long as the run
    for (const auto& guard : guards_) guard->at_end(simulation);
  ask_guards();
  if (!failure.empty()) run_state = RunState::failed;
  for (const auto& guard : guards_)
    if (auto account = guard->account()) accounts.push_back(std::move(*account));
  std::vector<MetricValue> out;
  if (run_state == RunState::failed) return out;
  if (recorder) recorder->see_end(simulation);
  if (run_state != RunState::going_on)
    for (Metrics::Result& m : metrics_->finish(simulation))
      out.push_back({std::move(m.name), std::move(m.unit), m.value});
  hand_over_frames();
  if (has_fault()) {
    fail_with_fault();
    out.clear();
  }
  return out;
}

const std::vector<double>& Session::Run::values() {
  if (!values_.empty()) return values_;
  struct All final : Observer {
    const Simulation& simulation;
    std::vector<double>& to;
    All(const Simulation& s, std::vector<double>& v) : simulation(s), to(v) {}
    void observe(const Point& point) noexcept override {
      simulation.report(point);
      std::size_t k = 0;
      for (const SignalInfo& signal : simulation.structure().signals) to[k++] = point.value(signal);
    }
  };
  values_.resize(static_cast<std::size_t>(prepared.structure->signals.size()));
  All all(*prepared.simulation, values_);
  prepared.simulation->observe_now(all);
  return values_;
}

}  // namespace chicane
