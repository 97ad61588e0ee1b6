#include "cli/judge.hpp"

#include <algorithm>
#include <stdexcept>

#include "analysis/guards.hpp"
#include "cli/advice.hpp"
#include "cli/recorder.hpp"
#include "cli/run/explain.hpp"
#include "core/cpu_time.hpp"
#include "system/event_watch.hpp"
#include "system/metrics.hpp"

namespace chicane::cli {
namespace {

constexpr double kBudget = 2.0;          // [s] of computing for the run
constexpr double kForLinearising = 0.6;  // [s] after which no further state is linearised in
constexpr std::int64_t kMostFrames = 200'000;
constexpr std::int64_t kRows = 400;   // looks at all outputs: one may cost more than a frame
constexpr std::int64_t kChunk = 256;  // frames between questions to guards, as in a run
constexpr double kShares[] = {0.01, 0.03, 0.1,
                              0.2,  0.4,  0.7};  // of the run: where a step is judged

class Judge {
 public:
  explicit Judge(Prepared& run)
      : run_(run),
        simulation_(*run.simulation),
        start_(simulation_.time()),
        rows_(with_fewer_rows(run)),
        recorder_(simulation_, rows_, 2),
        events_(simulation_),
        guards_(make_guards(simulation_, &run.spec)) {}

  Judgement result() {
    out_.end = seconds(run_.plan.until);
    begin_ = cpu_seconds();
    judge_step();
    Metrics metrics(simulation_);
    const Status status = advance(metrics);
    if (status == Status::interrupted || (status == Status::ok && !goes_on())) finish(metrics);
    for (const auto& guard : guards_) guard->at_end(simulation_);
    ask_guards();
    out_.until = simulation_.time();
    if (status != Status::ok && status != Status::interrupted) {
      Explanation why = explain(run_.structure, simulation_, run_.spec, status);
      out_.reason = std::move(why.text);
      if (why.culprit) out_.culprit = std::move(why.culprit);
    } else if (const auto fault = recorder_.has_fault() ? recorder_.not_finite()
                                  : metrics.has_fault() ? metrics.not_finite()
                                                        : events_.not_finite()) {
      out_.reason = explain(*run_.structure, *fault);
    }
    return std::move(out_);
  }

 private:
  static RunPlan with_fewer_rows(const Prepared& run) {
    RunPlan plan = run.plan;
    const std::int64_t frames = std::min(kMostFrames, plan.until / plan.plan.step);
    plan.every = std::max({std::int64_t{1}, plan.every, frames / kRows});
    return plan;
  }

  [[nodiscard]] bool goes_on() const {
    return simulation_.plan().step <= run_.plan.until - simulation_.state().clock.now() &&
           !recorder_.has_fault() && !events_.has_fault();
  }
  [[nodiscard]] bool in_budget() const {
    return out_.frames < kMostFrames && cpu_seconds() - begin_ - judging_ < kBudget;
  }

  Status advance(Metrics& metrics) {
    Observers observer{&recorder_, &metrics, &events_};
    for (const auto& guard : guards_) observer.add(*guard);
    Status status = Status::ok;
    const double before = cpu_seconds();
    while (status == Status::ok && goes_on() && !metrics.has_fault() && in_budget()) {
      metrics.make_room(1);
      status = simulation_.step(&observer);
      recorder_.drain([](std::span<const double>) {});
      if (++out_.frames == 1) judge_frame(cpu_seconds() - before);
      if (out_.frames % kChunk == 0) {
        for (const auto& guard : guards_) guard->between_frames(simulation_);
        ask_guards();
      }
      const double share = (simulation_.time() - start_) / (out_.end - start_);
      if (status != Status::ok || judged_ >= std::size(kShares) || share < kShares[judged_])
        continue;
      while (judged_ < std::size(kShares) && share >= kShares[judged_]) ++judged_;
      judge_step();
    }
    return status;
  }

  // The run is over: what it ends with.
  void finish(Metrics& metrics) {
    if (recorder_.has_fault() || metrics.has_fault() || events_.has_fault()) return;
    recorder_.see_end(simulation_);
    (void)metrics.finish(simulation_);
  }

  // The eigenvalues of wild numbers are not always found: then nothing is said about them.
  template <class Find>
  static auto if_found(Find&& find) -> decltype(find()) {
    try {
      return find();
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }

  void ask_guards() {
    for (const auto& guard : guards_)
      for (RunWarning& found : guard->take_findings()) {
        out_.warnings.push_back(std::move(found));
        unstable_ = true;
      }
  }

  // The first state in which the step is too long says enough.
  void judge_step() {
    if (unstable_ || judging_ > kForLinearising) return;
    const double before = cpu_seconds();
    const auto advice = if_found(
        [&] { return advise_step(run_.structure, simulation_.state(), simulation_.plan()); });
    judging_ += cpu_seconds() - before;
    if (!advice) return;
    unstable_ = true;
    RunWarning warning{.text = sentence(*advice, simulation_.plan()),
                       .part = advice->mode.block,
                       .where = run_.spec.run.step.where};
    if (out_.frames > 0) warning.time = simulation_.time();
    out_.warnings.push_back(std::move(warning));
    out_.culprit = advice->mode;
  }

  // Of several rates, at the start. It takes some frames for every state.
  void judge_frame(double cost) {
    constexpr double kFrames = 20;  // for a state
    if (cost * kFrames * run_.structure->states.size() > kBudget) return;
    if (const auto frame =
            if_found([&] { return advise_frame(run_.spec, run_.structure, simulation_.plan()); }))
      out_.warnings.push_back({.text = *frame, .where = run_.spec.run.step.where});
  }

  Prepared& run_;
  Simulation& simulation_;
  double start_, begin_ = 0, judging_ = 0;  // [s]
  RunPlan rows_;
  Recorder recorder_;
  EventWatch events_;
  std::vector<std::unique_ptr<Guard>> guards_;
  Judgement out_;
  std::size_t judged_ = 0;
  bool unstable_ = false;  // somebody has said so
};

}  // namespace

Judgement judge(Prepared& run) { return Judge(run).result(); }

}  // namespace chicane::cli
