// SPDX-License-Identifier: Apache-2.0

// A search for states in which formulas of a tire break what holds for tires. It is the same in
// every run and takes some milliseconds.

#include <algorithm>
#include <cmath>
#include <random>

#include "assembly/parts/formula_tire.hpp"

namespace chicane {
namespace formula_tire {
namespace {

constexpr int kStates = 3000, kLinesEach = 10, kPoints = 48;

// A wheel that rolls steadily.
struct RollingState {
  double load, slip_x, slip_y, inclination, speed, friction;
};

enum Value { kF_x, kF_y, kM_z, kValues };
using Values = std::array<double, kValues>;

class LawSearch {
 public:
  LawSearch(const tire::Params<double>& p, const FormulaLaw<double>& law,
            const FormulaPlaces& places, Diagnostics& diag)
      : p_(p), law_(law), places_(places), diag_(diag), most_(load_at(0.15 * p.R_0)) {}

  void run() {
    for (int i = 0; i < kStates; ++i) look_at(anywhere());
    if (worst_[kNotFinite].by == 0.0)
      for (const auto member : kAlong)
        for (int i = 0; i < kLinesEach; ++i) look_along(member, anywhere());
    say();
  }

 private:
  using Member = double RollingState::*;
  static constexpr Member kAlong[] = {&RollingState::slip_x, &RollingState::slip_y,
                                      &RollingState::load, &RollingState::inclination,
                                      &RollingState::speed};
  enum Fault {
    kNotFinite,
    kUnloaded,
    kBeyond,
    kPower,
    kRolling,
    kRadius,
    kJump,
    kFaults = kJump + 3
  };
  struct Worst {
    double by = 0.0;
    RollingState at{};
    Member along = nullptr;
  };

  [[nodiscard]] double load_at(double delta) const {
    return delta * (p_.vertical.c_1 + p_.vertical.c_2 * delta);
  }
  [[nodiscard]] double deflection_at(double load) const {
    const tire::Vertical<double>& z = p_.vertical;
    const double root = std::sqrt(std::max(z.c_1 * z.c_1 + 4.0 * z.c_2 * load, 0.0));
    return 2.0 * load / (z.c_1 + root);
  }

  double uniform(double lo, double hi) {
    return lo + (hi - lo) * static_cast<double>(engine_()) / static_cast<double>(engine_.max());
  }
  double slip() {
    const double size = std::pow(10.0, uniform(-3.5, 0.5));
    return engine_() % 2 == 0 ? size : -size;
  }
  RollingState anywhere() {
    RollingState s{};
    s.load = most_ * (engine_() % 4 == 0 ? std::pow(10.0, uniform(-4.0, 0.0)) : uniform(0.05, 1.0));
    s.slip_x = engine_() % 4 == 0 ? 0.0 : slip();
    s.slip_y = engine_() % 4 == 0 ? 0.0 : slip();
    s.inclination = engine_() % 2 == 0 ? 0.0 : uniform(-0.1, 0.1);
    s.speed = std::pow(10.0, uniform(-1.0, 1.7));
    s.friction = uniform(0.3, 1.0);
    return s;
  }

  [[nodiscard]] tire::Footprint<double> footprint(const RollingState& s) const {
    const double delta = deflection_at(s.load);
    return {.load = {s.load, s.friction, 2.0 * std::sqrt(p_.R_0 * std::max(delta, 1e-12))},
            .slip = {s.slip_x, s.slip_y},
            .trail_slip = s.slip_y,
            .turn_slip = 0.0,
            .sin_gamma = std::sin(s.inclination),
            .deflection = delta,
            .pressure = law_.pressure,
            .v_x = s.speed,
            .v_T = s.speed,
            .omega = s.speed * (1.0 + s.slip_x) / p_.R_0};
  }

  void note(int fault, double by, const RollingState& at, Member along = nullptr) {
    Worst& w = worst_[static_cast<std::size_t>(fault)];
    if (by > w.by) w = {by, at, along};
  }

  Formed<double> forces(Registers<double>& v, const RollingState& s) const {
    const auto off = [](double x) { return x == 0.0 ? kNoSlip : x; };
    v.run(law_.set->before);
    return formed(*law_.set, v, off(s.slip_x), off(s.slip_y));
  }

  void look_at(const RollingState& s) {
    const auto at = footprint(s);
    Registers<double> v(law_, at);
    const Formed<double> f = forces(v, s);
    const auto r = response(p_, law_, at);
    const auto m = moments(p_, law_, at, r, tire::steady(r, at.slip));
    const double sum = f.F.x + f.F.y + f.limit_x + f.limit_y + m.x + m.y + m.z;
    if (!std::isfinite(sum)) return note(kNotFinite, 1.0, s);
    const double passes = allowed(tire::Grip<double>{1, 1, f.limit_x, f.limit_y}, f.F);
    look_unloaded(s);
    if (law_.set->R_e >= 0) look_at_radius(v, s);
    if (s.load < 0.01 * most_) return;
    note(kBeyond, passes < 1.0 - 1e-9 ? (passes > 0.0 ? 1.0 / passes : 1e9) : 0.0, s);
    // A little is what a force without slip may take from rolling.
    constexpr double kLittle = 1e-3;
    const double taken = (f.F.x * s.slip_x + f.F.y * s.slip_y) / s.load;
    note(kPower, taken < -kLittle ? -taken : 0.0, s);
    const double rolling = m.y * at.omega / (s.load * s.speed);
    note(kRolling, rolling > kLittle ? rolling : 0.0, s);
  }

  void look_unloaded(RollingState s) {
    s.load = 0.0;
    Registers<double> v(law_, footprint(s));
    const Formed<double> f = forces(v, s);
    const double size = std::hypot(f.F.x, f.F.y);
    if (!std::isfinite(size)) return note(kNotFinite, 1.0, s);
    note(kUnloaded, size > 10.0 * kNoLoad && size > 1e-3 * most_ ? size : 0.0, s);
  }

  void look_at_radius(Registers<double>& v, const RollingState& s) {
    v.run(law_.set->radius);
    const double R = v[law_.set->R_e];
    const bool sane = R > 0.5 * p_.R_0 && R < 1.2 * p_.R_0;
    note(kRadius, sane ? 0.0 : 1.0, s);
  }

  // --- jumps ---

  Values values_at(RollingState s, Member along, double at) {
    s.*along = at;
    const auto here = footprint(s);
    const auto r = response(p_, law_, here);
    const auto F = tire::steady(r, here.slip);
    return {F.x, F.y, moments(p_, law_, here, r, F).z};
  }

  void look_along(Member along, const RollingState& s) {
    double lo = -0.1, hi = 0.1;
    if (along == &RollingState::slip_x || along == &RollingState::slip_y)
      hi = std::pow(10.0, uniform(-2.0, 0.5)), lo = -hi * uniform(0.5, 1.0);
    else if (along == &RollingState::load)
      lo = 0.0, hi = most_;
    else if (along == &RollingState::speed)
      lo = 0.1, hi = 50.0;
    const double step = (hi - lo) / kPoints;
    Values before = values_at(s, along, lo);
    for (int i = 1; i <= kPoints; ++i) {
      const Values after = values_at(s, along, lo + i * step);
      for (int n = 0; n < kValues; ++n)
        look_between(along, s, n, {lo + (i - 1) * step, before[at(n)]},
                     {lo + i * step, after[at(n)]});
      before = after;
    }
  }

  struct On {
    double x, y;
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // A change that stays however near the points are is a jump.
  void look_between(Member along, const RollingState& s, int n, On a, On b) {
    const double load = along == &RollingState::load ? most_ : s.load;
    const double least = 2e-3 * load * (n == kM_z ? 0.1 * p_.R_0 : 1.0);
    const bool over_slip = along == &RollingState::slip_x || along == &RollingState::slip_y;
    for (int halving = 0; halving < 44; ++halving) {
      if (!(std::fabs(b.y - a.y) > least)) return;
      if (over_slip && b.x - a.x < 4.0 * kNoSlip) break;  // nearer, the law is straight
      const double middle = 0.5 * (a.x + b.x);
      const On m{middle, values_at(s, along, middle)[at(n)]};
      (std::fabs(m.y - a.y) > std::fabs(b.y - m.y) ? b : a) = m;
    }
    RollingState where = s;
    where.*along = b.x;
    note(kJump + n, std::fabs(b.y - a.y), where, along);
  }

  // --- what is said ---

  static std::string words(const RollingState& s) {
    return fmt::format(
        "load {:.4g} N, slip_x {:.3g}, slip_y {:.3g}, inclination {:.3g} rad, speed "
        "{:.3g} m/s, friction {:.2g}",
        s.load, s.slip_x, s.slip_y, s.inclination, s.speed, s.friction);
  }
  static std::string_view name(Member along) {
    constexpr std::string_view kNames[] = {"slip_x", "slip_y", "load", "inclination", "speed"};
    return kNames[std::find(std::begin(kAlong), std::end(kAlong), along) - std::begin(kAlong)];
  }
  [[nodiscard]] const Worst& of(int fault) const { return worst_[at(fault)]; }

  void say() {
    if (of(kNotFinite).by > 0.0)
      diag_.warning(places_.whole, "a force or moment of this tire is not finite at {}",
                    words(of(kNotFinite).at));
    if (const Worst& w = of(kUnloaded); w.by > 0.0)
      diag_.warning(places_.whole,
                    "this tire has a force of {:.4g} N with no load, at {}: forces should vanish "
                    "with the load",
                    w.by, words(w.at));
    if (const Worst& w = of(kBeyond); w.by > 0.0)
      diag_.warning(w.at.slip_y == 0.0 || std::fabs(w.at.slip_x) > std::fabs(w.at.slip_y)
                        ? places_.F_x
                        : places_.F_y,
                    "the force is beyond the limit of friction, {:.3g} times as large, at {}; runs "
                    "bring it back to the limit. 'longitudinal_limit' and 'lateral_limit' say what "
                    "it is, otherwise it is friction * load",
                    w.by, words(w.at));
    if (const Worst& w = of(kPower); w.by > 0.0)
      diag_.warning(std::fabs(w.at.slip_x) > std::fabs(w.at.slip_y) ? places_.F_x : places_.F_y,
                    "the force makes power at the contact instead of taking it, at {}: a force has "
                    "the sign of its slip, the lateral one that of slip_y and of -slip_angle",
                    words(w.at));
    if (const Worst& w = of(kRolling); w.by > 0.0)
      diag_.warning(places_.M_y,
                    "the rolling moment drives the wheel, at {}: one that resists is negative",
                    words(w.at));
    if (const Worst& w = of(kRadius); w.by > 0.0)
      diag_.warning(places_.R_e, "the rolling radius is far from the unloaded one at {}",
                    words(w.at));
    const Location* where[] = {&places_.F_x, &places_.F_y, &places_.M_z};
    constexpr std::string_view kWhat[] = {"longitudinal force", "lateral force", "aligning moment"};
    for (int n = 0; n < kValues; ++n)
      if (const Worst& w = of(kJump + n); w.by > 0.0)
        diag_.warning(*where[n], "the {} jumps by {:.3g} {} over {}, at {}", kWhat[n], w.by,
                      n == kM_z ? "N m" : "N", name(w.along), words(w.at));
  }

  const tire::Params<double>& p_;
  const FormulaLaw<double>& law_;
  const FormulaPlaces& places_;
  Diagnostics& diag_;
  double most_;                // [N] the largest load of the search
  std::mt19937_64 engine_{7};  // the same states in every run
  std::array<Worst, kFaults> worst_{};
};

}  // namespace
}  // namespace formula_tire

void warn_of_broken_laws(const tire::Params<double>& p, const formula_tire::FormulaLaw<double>& law,
                         const FormulaPlaces& places, Diagnostics& diag) {
  formula_tire::LawSearch(p, law, places, diag).run();
}

}  // namespace chicane
