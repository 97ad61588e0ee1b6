// SPDX-License-Identifier: Apache-2.0
#include "assembly/start/settle.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "assembly/start/steady_motion.hpp"
#include "core/at.hpp"

namespace chicane {
namespace {

constexpr int kMostPasses = 8;

// Who drives, in which gear, and what to try when there is no such motion.
class Settler : SteadyMotion {
 public:
  Settler(const std::shared_ptr<const ModelStructure>& structure, const VehicleStart& start,
          Diagnostics& diag)
      : SteadyMotion(structure, start), diag_(diag) {}

  std::optional<StartValues> run() {
    put_on_the_road();
    if (moving_) find_path();
    const Values begin = now();
    for (const Attempt& attempt : attempts()) {
      go_back_to(begin);
      if (!solve(attempt.unknowns)) continue;
      if (!attempt.warning.empty()) warn(attempt);
      return values();
    }
    complain();
    return std::nullopt;
  }

 private:
  struct Attempt {
    Unknowns unknowns;
    std::string warning;
  };

  // --- the motion --------------------------------------------------------------------------------

  bool solve(const Unknowns& unknowns) {
    forget_drift();
    if (unknowns.driver) x()[at(integral_)] = unknowns.foot * size_of(at(integral_));
    if (unknowns.drift && moving_ && integral_ >= 0) press_fully();
    evaluate();
    if (unknowns.powertrain) engage();
    if (!unknowns.powertrain && moving_) disengage();
    for (int pass = 0; pass < kMostPasses; ++pass) {
      settle_commands();
      evaluate();
      if (!newton(unknowns)) return false;
      const bool followed = unknowns.drift && moving_ && follow();
      const bool shifted = remember(unknowns.powertrain);
      if (shifted && unknowns.powertrain) engage();
      if (!shifted && !followed) return true;
    }
    return true;
  }

  // A driver who cannot hold the speed does what he can: the least integral at which he gives all.
  void press_fully() {
    constexpr double kBeyond = 1e6;
    const auto gives = [&](double integral) {
      x()[at(integral_)] = integral;
      evaluate();
      std::vector<double> given{signal("driver.accelerator"), signal("driver.wheel_torque")};
      for (std::size_t i = 0; i < states(); ++i)  // or what his feet are about to do
        if (belongs(i, "driver") && static_cast<int>(i) != integral_) given.push_back(rates_[i]);
      return given;
    };
    const auto most = gives(kBeyond);
    double low = -kBeyond, high = kBeyond;
    while (high - low > 1e-9 * (1.0 + std::fabs(high))) {
      const double middle = 0.5 * (low + high);
      (gives(middle) == most ? high : low) = middle;
    }
    x()[at(integral_)] = high;
  }

  // What follows a command by itself, such as the pressure of a brake line, is there already: what
  // brakes hold is a product of two unknowns otherwise. Rates are linear.
  void settle_commands() {
    for (std::size_t i = 0; i < states(); ++i) {
      const std::string& own = name(i);
      if (!own_[i] || held_[i] ||
          !(own.find(".line_") != std::string::npos || ends_with(own, ".closed")))
        continue;
      evaluate();
      const double rate = rates_[i], before = x()[i], step = size_of(i);
      x()[i] += step;
      evaluate();
      x()[i] = before;
      if (rates_[i] != rate) x()[i] -= rate * step / (rates_[i] - rate);
    }
  }

  // A first guess for what turns in the powertrain: the gear that stays, with the wheels, and the
  // engine a little faster; in neutral it idles.
  void engage() {
    const int engine = place_of("powertrain.omega_e"), input = place_of("powertrain.omega_t");
    if (engine < 0 || input < 0 || held_[at(engine)] || held_[at(input)]) return;
    for (int k = 0; k < kMostPasses && remember(); ++k) evaluate();
    evaluate();
    constexpr double kSlip = 1.05;  // of a converter under power
    const double idle = parameter("powertrain.engine.idle_speed");
    const double turned = signal("powertrain.ratio") * signal("powertrain.prop_speed");
    const bool neutral = signal("powertrain.ratio") == 0.0;
    const int closed = place_of("powertrain.closed");
    const bool stiff = closed >= 0 && x()[at(closed)] > 0.5;
    x()[at(input)] = neutral ? idle : turned;
    x()[at(engine)] =
        neutral || (stiff && moving_) ? x()[at(input)] : std::max(idle, kSlip * turned);
    evaluate();
  }
  // In neutral, idling.
  void disengage() {
    for (std::size_t i = 0; i < states(); ++i)
      if (belongs(i, "powertrain") && own_[i] && !held_[i]) {
        const bool turns = ends_with(name(i), ".omega_e") || ends_with(name(i), ".omega_t");
        if (turns) x()[i] = parameter("powertrain.engine.idle_speed");
        if (name(i).find(".zeta_") != std::string::npos) x()[i] = 0.0;
      }
    for (const MemoryIndex k : s_.memory.indices())
      if (s_.memory[k].name.rfind("powertrain.gear_", 0) == 0) state_.memory[k].value = 0.0;
    evaluate();
  }
  // Memory as it is once nothing changes any more; whether that is news. A gear is in mesh, not
  // about to be.
  bool remember(bool gears = true) {
    bool news = false;
    for (const MemoryIndex k : s_.memory.indices()) {
      const MemoryInfo& info = s_.memory[k];
      if (!is_own(info.block) || is_set(k) || info.name == "powertrain.shift_began" ||
          info.name == "powertrain.running" ||
          (s_.blocks[info.block].name == "driver" && !info.bookkeeping) ||
          (!gears && s_.blocks[info.block].name == "powertrain") ||
          info.name.find("loops.choice_") != std::string::npos || info.name == "chassis.yaw_before")
        continue;
      double next = eval_.v[info.next];
      if (info.name == "powertrain.gear_before")
        next = eval_.v[s_.memory[find_memory("powertrain.gear_chosen")].next];
      auto& memory = state_.memory[k];
      news = news || (next != memory.value && !info.bookkeeping);
      memory.value = memory.next = next;
    }
    return driver_shifts() || news;
  }
  // A driver who would now begin to shift has done so.
  bool driver_shifts() {
    const MemoryIndex phase = find_memory("driver.phase"),
                      target = find_memory("driver.gear_target"),
                      gear = find_memory("driver.gear_wanted");
    if (!phase.valid() || is_set(gear)) return false;
    const auto next = [&](MemoryIndex k) { return eval_.v[s_.memory[k].next]; };
    const bool begins = state_.memory[phase].value == 0.0 && next(phase) != 0.0;
    if (!begins || next(target) == state_.memory[gear].value) return false;
    for (const MemoryIndex k : {target, gear}) {
      auto& memory = state_.memory[k];
      memory.value = memory.next = next(target);
    }
    return true;
  }
  [[nodiscard]] bool is_set(MemoryIndex memory) const {  // by `initial:`, after its block
    return std::count_if(s_.initial.begin(), s_.initial.end(), [&](const InitialInfo& i) {
             return i.target.kind == ActionInfo::Target::Kind::memory &&
                    i.target.index == memory.value;
           }) > 1;
  }

  // --- attempts and words ------------------------------------------------------------------------

  [[nodiscard]] std::vector<Attempt> attempts() {
    const bool pressed = signal("driver.accelerator") > 0.0 || signal("accelerator") > 0.0;
    std::vector<Attempt> list;
    const auto add = [&](Unknowns unknowns, std::string warning = {}) {
      list.push_back({unknowns, std::move(warning)});
    };
    if (!moving_) {
      if (!pressed) add({});
      if (!pressed) add({.drift = true});
      add({.drift = true, .powertrain = false}, pressed ? "" : kUnevenEngine);
      return list;
    }
    const auto add_steady = [&](bool path, const std::string& warning) {
      if (integral_ >= 0)
        for (const double foot : {0.2, -0.1, 0.8})
          add({.driver = true, .path = path, .foot = foot}, warning);
      add({.drift = true, .path = path}, integral_ >= 0 ? kNotHeld : warning);
    };
    if (path_) add_steady(true, "");
    add_steady(false, path_ ? kOffThePath : "");
    if (integral_ >= 0) add({.driver = true, .curve = false, .foot = 0.2}, kStraight);
    add({.drift = true, .curve = false}, kStraight);
    add({.drift = true, .powertrain = false}, kUnevenEngine);
    add({.drift = true, .curve = false, .powertrain = false}, kUnevenEngine);
    return list;
  }

  static constexpr const char* kNotHeld =
      "the driver cannot hold the start speed of {:.4g} m/s: it changes by {:.3g} m/s^2 from the "
      "start; take another speed, gear or road";
  static constexpr const char* kOffThePath =
      "at {:.4g} m/s there is no steady motion along the path that the driver follows: he leaves "
      "it "
      "from the start (the speed changes by {:.3g} m/s^2); look at speed, road and steering";
  static constexpr const char* kStraight =
      "at {:.4g} m/s there is no steady turn for the steering at the start: the vehicle starts "
      "straight on (its speed changes by {:.3g} m/s^2)";
  static constexpr const char* kUnevenEngine =
      "engine and gearbox have no steady state at the start, at {:.4g} m/s: the engine starts "
      "idling, "
      "out of gear (the speed changes by {:.3g} m/s^2); look at gear, clutch and accelerator at t "
      "= 0";

  void warn(const Attempt& a) {
    diag_.warning(start_.where, "{}", fmt::format(fmt::runtime(a.warning), start_.speed, drift_));
  }

  // What the last attempt left.
  void complain() {
    const auto [place, rate] = worst();
    if (place < 0) {
      diag_.error(
          start_.where,
          "the vehicle cannot be put on the ground where it starts: its loops do not close, or a "
          "number is not finite there; see to position and joints of the start, or write "
          "start: {{state: dropped}}");
      return;
    }
    diag_.error(start_.where,
                "the vehicle finds no rest at the start, at {:.4g} m/s: '{}' would go on changing "
                "by {:.3g} "
                "(SI) a second; see to masses, springs and stops, or let it fall with start: "
                "{{state: dropped}}",
                start_.speed, name(at(place)), rate);
  }

  [[nodiscard]] StartValues values() {
    StartValues v{PerIndex<StateIndex, double>(at(s_.states.size())),
                  PerIndex<MemoryIndex, double>(at(s_.memory.size()))};
    for (std::size_t i = 0; i < states(); ++i) v.states[layout_.states[i]] = x()[i];
    for (const MemoryIndex k : s_.memory.indices()) v.memory[k] = state_.memory[k].value;
    return v;
  }

  Diagnostics& diag_;
};

}  // namespace

std::optional<StartValues> settle(const std::shared_ptr<const ModelStructure>& structure,
                                  const VehicleStart& start, Diagnostics& diag) {
  require(structure->groups.size() == 1, "a vehicle settles with all its blocks together");
  return Settler(structure, start, diag).run();
}

}  // namespace chicane
