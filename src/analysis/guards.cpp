#include "analysis/guards.hpp"

#include <iterator>

#include "analysis/guards/engine_guard.hpp"
#include "analysis/guards/step_guard.hpp"
#include "system/mechanism/balance_guard.hpp"

namespace chicane {
namespace {

// Shows frames to all guards.
class Watched final : public Observer {
 public:
  explicit Watched(const std::vector<std::unique_ptr<Guard>>& guards) : guards_(guards) {}
  [[nodiscard]] bool due() const noexcept override { return false; }
  void see(const Point& point) noexcept override {
    for (const auto& guard : guards_) guard->see(point);
  }

 private:
  const std::vector<std::unique_ptr<Guard>>& guards_;
};

}  // namespace

std::vector<std::unique_ptr<Guard>> make_guards(Simulation& simulation, const Spec* spec) {
  std::vector<std::unique_ptr<Guard>> guards;
  const auto add = [&guards](std::unique_ptr<Guard> guard) {
    if (guard) guards.push_back(std::move(guard));
  };
  add(make_step_guard(simulation, spec));
  add(make_balance_guard(simulation));
  add(make_engine_guard(simulation));
  return guards;
}

std::vector<RunWarning> rehearse(const std::shared_ptr<const Structure>& structure,
                                 const RunPlan& plan, const Spec* spec, std::int64_t most) {
  constexpr std::int64_t kChunk = 256;  // frames between questions
  Simulation s(structure, plan.plan);
  const auto guards = make_guards(s, spec);
  Watched watched(guards);
  std::vector<RunWarning> found;
  const auto ask = [&] {
    for (const auto& guard : guards) {
      std::vector<RunWarning> own = guard->take_findings();
      std::move(own.begin(), own.end(), std::back_inserter(found));
    }
  };
  const auto ended = [&] {
    return s.state().frames >= most || s.plan().step > plan.until - s.state().clock.now();
  };
  Status status = Status::ok;
  while (status == Status::ok && !ended() && found.empty()) {
    for (std::int64_t k = 0; k < kChunk && status == Status::ok && !ended(); ++k)
      status = s.step(&watched);
    for (const auto& guard : guards) guard->between_frames(s);
    ask();
  }
  for (const auto& guard : guards) guard->at_end(s);
  ask();
  return found;
}

}  // namespace chicane
