// SPDX-License-Identifier: Apache-2.0
#include "cli/judge.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cli/advice.hpp"
#include "core/cpu_time.hpp"
#include "session/session.hpp"

namespace chicane::cli {
namespace {

constexpr double kBudget = 2.0;          // [s] of computing for the run
constexpr double kForLinearising = 0.6;  // [s] after which no further state is linearised in
constexpr std::int64_t kMostFrames = 200'000;
constexpr std::int64_t kRows = 400;  // looks at all outputs: one may cost more than a frame
constexpr double kShares[] = {0.01, 0.03, 0.1,
                              0.2,  0.4,  0.7};  // of the run: where a step is judged

class Judge {
 public:
  explicit Judge(Prepared run)
      : session_(std::move(run)), simulation_(session_.simulation()), start_(simulation_.time()) {}

  Judgement result() {
    const RunPlan& plan = session_.run_plan();
    const std::int64_t frames = std::min(kMostFrames, plan.until / plan.plan.step);
    const auto recorded =
        session_.record({}, std::max({std::int64_t{1}, plan.every, frames / kRows}));
    require(recorded.ok(), "the signals of a plan are there");
    out_.end = session_.end();
    begin_ = cpu_seconds();
    judge_step();
    advance();
    (void)session_.finish();
    pass_on_warnings();
    out_.until = simulation_.time();
    out_.reason = session_.failure();
    if (session_.failed_mode()) out_.culprit = session_.failed_mode();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool in_budget() const {
    return out_.frames < kMostFrames && cpu_seconds() - begin_ - judging_ < kBudget;
  }

  void advance() {
    const double before = cpu_seconds();
    while (in_budget()) {
      const RunState motion = session_.step();
      if (++out_.frames == 1) judge_frame(cpu_seconds() - before);
      pass_on_warnings();
      if (motion != RunState::going_on) return;
      const double share = (simulation_.time() - start_) / (out_.end - start_);
      if (judged_ >= std::size(kShares) || share < kShares[judged_]) continue;
      while (judged_ < std::size(kShares) && share >= kShares[judged_]) ++judged_;
      judge_step();
    }
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

  void pass_on_warnings() {
    for (; warned_ < session_.warnings().size(); ++warned_) {
      out_.warnings.push_back(session_.warnings()[warned_]);
      unstable_ = true;
    }
  }

  // The first state in which the step is too long says enough.
  void judge_step() {
    if (unstable_ || judging_ > kForLinearising) return;
    const double before = cpu_seconds();
    const auto advice = if_found(
        [&] { return advise_step(session_.structure(), simulation_.state(), simulation_.plan()); });
    judging_ += cpu_seconds() - before;
    if (!advice) return;
    unstable_ = true;
    RunWarning warning{.text = sentence(*advice, simulation_.plan()),
                       .part = advice->mode.block,
                       .where = session_.spec().run.step.where};
    if (out_.frames > 0) warning.time = simulation_.time();
    out_.warnings.push_back(std::move(warning));
    out_.culprit = advice->mode;
  }

  // Of several rates, at the start. It takes some frames for every state.
  void judge_frame(double cost) {
    constexpr double kFrames = 20;  // for a state
    if (cost * kFrames * session_.structure()->states.size() > kBudget) return;
    if (const auto frame =
            if_found([&] { return advise_frame(session_.structure(), simulation_.plan()); }))
      out_.warnings.push_back({.text = *frame, .where = session_.spec().run.step.where});
  }

  Session session_;
  Simulation& simulation_;
  double start_, begin_ = 0, judging_ = 0;  // [s]
  std::size_t warned_ = 0;                  // of the session's warnings
  Judgement out_;
  std::size_t judged_ = 0;
  bool unstable_ = false;  // somebody has said so
};

}  // namespace

Judgement judge(Prepared run) { return Judge(std::move(run)).result(); }

}  // namespace chicane::cli
