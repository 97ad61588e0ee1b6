// SPDX-License-Identifier: Apache-2.0
#pragma once

// Systems of a slow and a fast group, as bare as a scheme can be given them. Group 0 is the slow
// one. Each also has its rates as plain functions of all states, the slow ones first:
//   slow_rates(t, y, dy_slow)        fast_rates(t, y, dy_fast)
// so that other integrators run on the same formulas. What a group reads is looked at when its
// derivative is asked for (or its outputs, where they depend on it), and not before.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "integrators/group_system.hpp"

namespace testkit {

using chicane::Accept;
using chicane::GroupIndex;
using chicane::GroupSystem;
using chicane::Source;

inline constexpr GroupIndex kSlow{0}, kFast{1};

// What the systems below have in common: no parameters, memory or events.
struct TwoRates {
  using Scalar = double;
  struct Eval {
    double t = 0;
    std::span<const double> x;
  };
  [[nodiscard]] static int groups() { return 2; }
  [[nodiscard]] static Eval make_eval(GroupIndex) { return {}; }
  static bool bind(GroupIndex, Eval&) noexcept { return false; }
  static Accept accept(GroupIndex, std::int64_t, Eval&) noexcept { return Accept::unchanged; }
  [[nodiscard]] static bool needs_accept(GroupIndex) { return false; }
  [[nodiscard]] static bool eventful(GroupIndex) { return false; }
  static void after_evaluation(GroupIndex, Eval&) noexcept {}
  static void commit(GroupIndex, std::int64_t) noexcept {}

 protected:
  static constexpr std::array<double, 16> kLimits = [] {
    std::array<double, 16> most{};
    most.fill(1e12);
    return most;
  }();
  // The sources of a group that reads all n signals of another.
  template <std::size_t n>
  static constexpr std::array<Source, n> everything(GroupIndex of) {
    std::array<Source, n> all{};
    for (std::size_t i = 0; i < n; ++i) all[i] = {of, static_cast<int>(i)};
    return all;
  }
};

// The problem of Kvaerno, Prothero and Robinson, a common test of multirate methods:
//
//   u' = G a + E b + r'/(2u)              a = (u^2 - 1 - r)/(2u),  r = cos(t)/2
//   v' = E a - b + s'/(2 sqrt(2 + s))     b = (v^2 - 2 - s)/(2v),  s = cos(W t)
//
// solved by u = sqrt(1 + r), v = sqrt(2 + s), where a = b = 0.
struct Kpr : TwoRates {
  static constexpr int kSlowStates = 1, kFastStates = 1;
  double G = -10, W = 100, E = 0.5;

  [[nodiscard]] std::array<double, 2> exact(double t) const {
    return {std::sqrt(1 + 0.5 * std::cos(t)), std::sqrt(2 + std::cos(W * t))};
  }
  [[nodiscard]] std::array<double, 2> start() const { return exact(0.0); }

  [[nodiscard]] static int states(GroupIndex) { return 1; }
  [[nodiscard]] static int published(GroupIndex) { return 1; }
  [[nodiscard]] static int state_of_signal(GroupIndex, int) { return 0; }
  [[nodiscard]] static std::span<const Source> sources(GroupIndex g) {
    static constexpr auto kOfSlow = everything<1>(kFast), kOfFast = everything<1>(kSlow);
    return g == kSlow ? kOfSlow : kOfFast;
  }
  [[nodiscard]] static std::span<const double> limits(GroupIndex) { return {kLimits.data(), 1}; }

  static void outputs(GroupIndex, double t, std::span<const double> x, std::span<const double>,
                      Eval& at, std::span<double> y) noexcept {
    at = {t, x};
    y[0] = x[0];
  }
  void derivative(GroupIndex g, const Eval& at, std::span<const double> u,
                  std::span<double> dx) const noexcept {
    dx[0] = g == kSlow ? slow(at.t, at.x[0], u[0]) : fast(at.t, u[0], at.x[0]);
  }

  void slow_rates(double t, const double* y, double* dy) const { dy[0] = slow(t, y[0], y[1]); }
  void fast_rates(double t, const double* y, double* dy) const { dy[0] = fast(t, y[0], y[1]); }

 private:
  [[nodiscard, gnu::noinline]] double slow(double t, double u, double v) const {
    const double a = (u * u - 1 - 0.5 * std::cos(t)) / (2 * u);
    const double b = (v * v - 2 - std::cos(W * t)) / (2 * v);
    return G * a + E * b - 0.5 * std::sin(t) / (2 * u);
  }
  [[nodiscard, gnu::noinline]] double fast(double t, double u, double v) const {
    const double s = std::cos(W * t);
    const double a = (u * u - 1 - 0.5 * std::cos(t)) / (2 * u);
    const double b = (v * v - 2 - s) / (2 * v);
    return E * a - b - W * std::sin(W * t) / (2 * std::sqrt(2 + s));
  }
};

// A linear vehicle on a wavy road at 20 m/s. Slow: heave, roll and pitch of the body, and three
// masses on it (cab, engine, payload), each at 16 to 31 rad/s. Fast: four hubs and four tyre rings,
// up to 510 rad/s. States of either group: positions, then speeds.
//
// The groups exchange states: the body's heave, roll, pitch and their rates (6), and the heights
// and speeds of the hubs (8). Fewest for the fast group to read, and every rate is known.
struct Vehicle28 : TwoRates {
  static constexpr int kSlowStates = 12, kFastStates = 16;

  [[nodiscard]] static std::array<double, 28> start() {
    std::array<double, 28> y{};
    y[0] = 0.02, y[1] = 0.01, y[2] = -0.01;  // heave [m], roll, pitch [rad]
    y[6] = 0.1;                              // heave rate [m/s]
    return y;
  }

  [[nodiscard]] static int states(GroupIndex g) { return g == kSlow ? kSlowStates : kFastStates; }
  [[nodiscard]] static int published(GroupIndex g) { return g == kSlow ? 6 : 8; }
  [[nodiscard]] static int state_of_signal(GroupIndex g, int i) {
    return g == kSlow ? i + (i < 3 ? 0 : 3) : i + (i < 4 ? 0 : 4);
  }
  [[nodiscard]] static std::span<const Source> sources(GroupIndex g) {
    static constexpr auto kOfSlow = everything<8>(kFast);
    static constexpr auto kOfFast = everything<6>(kSlow);
    if (g == kSlow) return kOfSlow;
    return kOfFast;
  }
  [[nodiscard]] static std::span<const double> limits(GroupIndex g) {
    return {kLimits.data(), static_cast<std::size_t>(states(g))};
  }

  static void outputs(GroupIndex g, double t, std::span<const double> x, std::span<const double>,
                      Eval& at, std::span<double> y) noexcept {
    at = {t, x};
    if (g == kSlow) {
      std::copy_n(&x[0], 3, &y[0]);
      std::copy_n(&x[6], 3, &y[3]);
    } else {
      std::copy_n(&x[0], 4, &y[0]);
      std::copy_n(&x[8], 4, &y[4]);
    }
  }
  static void derivative(GroupIndex g, const Eval& at, std::span<const double> read,
                         std::span<double> dx) noexcept {
    const double *x = at.x.data(), *u = read.data();
    if (g == kSlow)
      slow({x, x + 6}, {u, u + 4}, dx.data());
    else
      fast(at.t, {x, x + 8}, {u, u + 3}, dx.data());
  }

  static void slow_rates(double, const double* y, double* dy) {
    slow({y, y + 6}, {y + 12, y + 20}, dy);
  }
  static void fast_rates(double t, const double* y, double* dy) {
    fast(t, {y + 12, y + 20}, {y, y + 6}, dy);
  }

 private:
  struct Motion {
    const double *q, *v;
  };

  // Force of each suspension upon the body [N]; x to the rear, y to the left.
  static std::array<double, 4> suspension(Motion body, Motion hub) {
    constexpr double kStiffness = 40e3, kDamping = 2800;
    std::array<double, 4> force;
    for (std::size_t i = 0; i < 4; ++i) {
      const double z = body.q[0] + kY[i] * body.q[1] - kX[i] * body.q[2];
      const double v = body.v[0] + kY[i] * body.v[1] - kX[i] * body.v[2];
      force[i] = kStiffness * (hub.q[i] - z) + kDamping * (hub.v[i] - v);
    }
    return force;
  }

  [[gnu::noinline]] static void slow(Motion own, Motion hub, double* dx) {
    constexpr double kMass = 2000, kIxx = 700, kIyy = 2800;
    constexpr std::array<double, 3> kX3{0.5, 1.4, -1.2}, kMass3{150, 300, 250};
    constexpr std::array<double, 3> kOmega{25, 31, 16}, kZeta{0.2, 0.1, 0.2};
    double force = 0, roll = 0, pitch = 0;
    const std::array<double, 4> f = suspension(own, hub);
    for (std::size_t i = 0; i < 4; ++i) {
      force += f[i];
      roll += kY[i] * f[i];
      pitch -= kX[i] * f[i];
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const double z = own.q[0] - kX3[i] * own.q[2], v = own.v[0] - kX3[i] * own.v[2];
      const double a = kOmega[i] * kOmega[i] * (z - own.q[3 + i]) +
                       2 * kZeta[i] * kOmega[i] * (v - own.v[3 + i]);
      force -= kMass3[i] * a;
      pitch += kX3[i] * kMass3[i] * a;
      dx[9 + i] = a;
    }
    std::copy_n(own.v, 6, dx);
    dx[6] = force * (1 / kMass);
    dx[7] = roll * (1 / kIxx);
    dx[8] = pitch * (1 / kIyy);
  }

  [[gnu::noinline]] static void fast(double t, Motion own, Motion body, double* dx) {
    constexpr double kHub = 55, kWall = 6e5, kWallDamping = 300;  // [kg], [N/m], [N s/m]
    constexpr double kRing = 10, kTread = 2e6, kTreadDamping = 200;
    const std::array<double, 4> f = suspension(body, own), ground = road(t);
    const double *hub = own.q, *ring = own.q + 4, *hub_v = own.v, *ring_v = own.v + 4;
    std::copy_n(own.v, 8, dx);
    for (std::size_t i = 0; i < 4; ++i) {
      const double wall = kWall * (ring[i] - hub[i]) + kWallDamping * (ring_v[i] - hub_v[i]);
      const double tread = kTread * (ground[i] - ring[i]) - kTreadDamping * ring_v[i];
      dx[8 + i] = (wall - f[i]) * (1 / kHub);
      dx[12 + i] = (tread - wall) * (1 / kRing);
    }
  }

  static std::array<double, 4> road(double t) {
    constexpr double kSpeed = 20, kLag = 0.7;  // [m/s]; phase of the right track [rad]
    std::array<double, 4> z;
    for (std::size_t i = 0; i < 4; ++i) {
      const double x = kSpeed * t - kX[i], phase = kY[i] > 0 ? 0.0 : kLag;
      z[i] = 0.01 * std::sin(0.6 * x + phase) + 0.003 * std::sin(2.1 * x + 2 * phase) +
             0.0008 * std::sin(9 * x + phase);
    }
    return z;
  }

  static constexpr std::array<double, 4> kX{1.6, 1.6, -1.7, -1.7};      // of the wheels [m]
  static constexpr std::array<double, 4> kY{0.85, -0.85, 0.85, -0.85};  // [m]
};

// Smooth, nonlinear, not autonomous, coupled both ways, for observed orders. Slow (a, b), fast
// (p, q) on a circle that attracts:
//
//   a' = -a b + p/2         + ...      p' = -w a q - 2 p (p^2 + q^2 - 1) + 0.3 a b   + ...
//   b' = a^2 - b + p a q/2  + ...      q' =  w a p - 2 q (p^2 + q^2 - 1) - 0.3 a b p + ...
//
// where the dots are functions of time by which the solution is
//
//   a = 1 + 0.3 sin t,  b = 1/2 + 1/(1 + t^2),  p = cos w t,  q = sin w t
//
// The groups exchange their states, or (mixed) also what is none: a b, and a q, which the fast
// group can publish only after it has read a.
struct NonlinearCoupled : TwoRates {
  static constexpr int kSlowStates = 2, kFastStates = 2;
  enum class Signals { states, mixed };
  double w = 10;
  Signals signals = Signals::states;

  [[nodiscard]] std::array<double, 4> exact(double t) const {
    return {1 + 0.3 * std::sin(t), 0.5 + 1 / (1 + t * t), std::cos(w * t), std::sin(w * t)};
  }
  [[nodiscard]] std::array<double, 4> start() const { return exact(0.0); }

  [[nodiscard]] static int states(GroupIndex) { return 2; }
  [[nodiscard]] static int published(GroupIndex) { return 2; }
  [[nodiscard]] int state_of_signal(GroupIndex, int i) const { return i == 0 || !mixed() ? i : -1; }
  [[nodiscard]] static std::span<const Source> sources(GroupIndex g) {
    static constexpr auto kOfSlow = everything<2>(kFast), kOfFast = everything<2>(kSlow);
    return g == kSlow ? kOfSlow : kOfFast;
  }
  [[nodiscard]] static std::span<const double> limits(GroupIndex) { return {kLimits.data(), 2}; }

  void outputs(GroupIndex g, double t, std::span<const double> x, std::span<const double> u,
               Eval& at, std::span<double> y) const noexcept {
    at = {t, x};
    y[0] = x[0];
    if (!mixed())
      y[1] = x[1];
    else
      y[1] = g == kSlow ? x[0] * x[1] : u[0] * x[1];
  }
  void derivative(GroupIndex g, const Eval& at, std::span<const double> u,
                  std::span<double> dx) const noexcept {
    const auto& x = at.x;
    const Pair rate = g == kSlow ? slow(at.t, {x[0], x[1]}, u[0], mixed() ? u[1] : x[0] * u[1])
                                 : fast(at.t, {x[0], x[1]}, u[0], mixed() ? u[1] : u[0] * u[1]);
    std::copy(rate.begin(), rate.end(), dx.begin());
  }

  void slow_rates(double t, const double* y, double* dy) const {
    const Pair rate = slow(t, {y[0], y[1]}, y[2], y[0] * y[3]);
    std::copy(rate.begin(), rate.end(), dy);
  }
  void fast_rates(double t, const double* y, double* dy) const {
    const Pair rate = fast(t, {y[2], y[3]}, y[0], y[0] * y[1]);
    std::copy(rate.begin(), rate.end(), dy);
  }

 private:
  using Pair = std::array<double, 2>;
  [[nodiscard]] bool mixed() const { return signals == Signals::mixed; }

  static Pair slow_field(Pair x, double p, double aq) {
    const auto [a, b] = x;
    return {-a * b + 0.5 * p, a * a - b + 0.5 * p * aq};
  }
  [[nodiscard]] Pair fast_field(Pair x, double a, double ab) const {
    const auto [p, q] = x;
    const double pull = 2 * (p * p + q * q - 1);
    return {-w * a * q - pull * p + 0.3 * ab, w * a * p - pull * q - 0.3 * ab * p};
  }
  // rate = field(state) + (rate - field)(solution)
  [[nodiscard]] Pair slow(double t, Pair x, double p, double aq) const {
    const auto [a, b, p0, q0] = exact(t);
    const Pair f = slow_field(x, p, aq), f0 = slow_field({a, b}, p0, a * q0);
    const double s = 1 + t * t;
    return {f[0] - f0[0] + 0.3 * std::cos(t), f[1] - f0[1] - 2 * t / (s * s)};
  }
  [[nodiscard]] Pair fast(double t, Pair x, double a, double ab) const {
    const auto [a0, b0, p0, q0] = exact(t);
    const Pair f = fast_field(x, a, ab), f0 = fast_field({p0, q0}, a0, a0 * b0);
    return {f[0] - f0[0] - w * q0, f[1] - f0[1] + w * p0};
  }
};

// The same system with a number of floating-point operations wasted in each derivative: slow enough
// for a second thread to be worth its while, and the same results.
template <GroupSystem System>
struct Burn : System {
  struct Eval {
    typename System::Eval at;
    double waste = 0;
  };
  int slow_flops = 0, fast_flops = 0;

  Burn(System system, int slow, int fast)
      : System(std::move(system)), slow_flops(slow), fast_flops(fast) {}

  [[nodiscard]] Eval make_eval(GroupIndex g) const { return {System::make_eval(g)}; }
  bool bind(GroupIndex g, Eval& e) noexcept { return System::bind(g, e.at); }
  void outputs(GroupIndex g, double t, std::span<const typename System::Scalar> x,
               std::span<const typename System::Scalar> u, Eval& e,
               std::span<typename System::Scalar> y) noexcept {
    System::outputs(g, t, x, u, e.at, y);
  }
  void derivative(GroupIndex g, Eval& e, std::span<const typename System::Scalar> u,
                  std::span<typename System::Scalar> dx) noexcept {
    System::derivative(g, e.at, u, dx);
    double x = 0.5;
    for (int i = (g == kSlow ? slow_flops : fast_flops) / 2; i > 0; --i) x = 0.75 * x + 0.25;
    e.waste = x;
    asm volatile("" : : "m"(e.waste));  // someone looks at it, as far as the compiler knows
  }
  Accept accept(GroupIndex g, std::int64_t now, Eval& e) noexcept {
    return System::accept(g, now, e.at);
  }
  void after_evaluation(GroupIndex g, Eval& e) noexcept { System::after_evaluation(g, e.at); }
};

// All groups of a system as one that reads nothing.
template <GroupSystem System>
class Merged {
 public:
  using Scalar = typename System::Scalar;
  struct Eval {
    std::vector<typename System::Eval> at;
    std::vector<Scalar> u, y;
  };

  explicit Merged(System system) : system_(std::move(system)) {
    for (int g = 0; g < system_.groups(); ++g) {
      const GroupIndex group{g};
      const auto limits = system_.limits(group);
      parts_.push_back({group, size(limits_.size()), size(system_.states(group)), signals_,
                        size(system_.published(group)), size(from_.size()),
                        system_.sources(group).size()});
      limits_.insert(limits_.end(), limits.begin(), limits.end());
      from_.resize(from_.size() + parts_.back().n_u);
      signals_ += parts_.back().n_y;
    }
    for (const BlockKindPtr& p : parts_)
      std::transform(
          system_.sources(p.group).begin(), system_.sources(p.group).end(), &from_[p.u],
          [&](const Source& s) { return parts_[size(s.group.value)].y + size(s.place); });
  }

  [[nodiscard]] auto start() const { return system_.start(); }
  [[nodiscard]] static int groups() { return 1; }
  [[nodiscard]] int states(GroupIndex) const { return static_cast<int>(limits_.size()); }
  [[nodiscard]] static int published(GroupIndex) { return 0; }
  [[nodiscard]] static std::span<const Source> sources(GroupIndex) { return {}; }
  [[nodiscard]] static int state_of_signal(GroupIndex, int) { return -1; }
  [[nodiscard]] std::span<const double> limits(GroupIndex) const { return limits_; }
  [[nodiscard]] Eval make_eval(GroupIndex) const {
    Eval e{{}, std::vector<Scalar>(from_.size()), std::vector<Scalar>(signals_)};
    for (const BlockKindPtr& p : parts_) e.at.push_back(system_.make_eval(p.group));
    return e;
  }

  void outputs(GroupIndex, double t, std::span<const Scalar> x, std::span<const Scalar>, Eval& e,
               std::span<Scalar>) noexcept {
    for (std::size_t g = 0; g < parts_.size(); ++g) {  // from the slowest: what it needs is there
      const BlockKindPtr& p = parts_[g];
      read(p, e);
      system_.outputs(p.group, t, x.subspan(p.x, p.n_x), {&e.u[p.u], p.n_u}, e.at[g],
                      {&e.y[p.y], p.n_y});
    }
  }
  void derivative(GroupIndex, Eval& e, std::span<const Scalar>, std::span<Scalar> dx) noexcept {
    for (std::size_t g = 0; g < parts_.size(); ++g) {
      const BlockKindPtr& p = parts_[g];
      read(p, e);
      system_.derivative(p.group, e.at[g], {&e.u[p.u], p.n_u}, dx.subspan(p.x, p.n_x));
    }
  }

  bool bind(GroupIndex, Eval& e) noexcept {
    bool changed = false;
    for (std::size_t g = 0; g < parts_.size(); ++g)
      changed = system_.bind(parts_[g].group, e.at[g]) || changed;
    return changed;
  }
  Accept accept(GroupIndex, std::int64_t now, Eval& e) noexcept {
    Accept all = Accept::unchanged;
    for (std::size_t g = 0; g < parts_.size(); ++g)
      all = std::max(all, system_.accept(parts_[g].group, now, e.at[g]));
    return all;
  }
  [[nodiscard]] bool eventful(GroupIndex) const {
    return std::any_of(parts_.begin(), parts_.end(),
                       [&](const BlockKindPtr& p) { return system_.eventful(p.group); });
  }
  [[nodiscard]] bool needs_accept(GroupIndex) const {
    return std::any_of(parts_.begin(), parts_.end(),
                       [&](const BlockKindPtr& p) { return system_.needs_accept(p.group); });
  }
  void after_evaluation(GroupIndex, Eval& e) noexcept {
    for (std::size_t g = 0; g < parts_.size(); ++g)
      system_.after_evaluation(parts_[g].group, e.at[g]);
  }
  void commit(GroupIndex, std::int64_t now) noexcept {
    for (const BlockKindPtr& p : parts_) system_.commit(p.group, now);
  }

 private:
  // Where the states, the published signals and the read ones of a group lie.
  struct BlockKindPtr {
    GroupIndex group;
    std::size_t x, n_x, y, n_y, u, n_u;
  };
  template <class Int>
  static std::size_t size(Int n) {
    return static_cast<std::size_t>(n);
  }
  void read(const BlockKindPtr& p, Eval& e) const noexcept {
    for (std::size_t i = p.u; i < p.u + p.n_u; ++i) e.u[i] = e.y[from_[i]];
  }

  System system_;
  std::vector<BlockKindPtr> parts_;
  std::vector<double> limits_;
  std::vector<std::size_t> from_;  // which published signal is behind each read one
  std::size_t signals_ = 0;
};

static_assert(GroupSystem<Kpr> && GroupSystem<Merged<Kpr>> && GroupSystem<Burn<Kpr>>);
static_assert(GroupSystem<Vehicle28> && GroupSystem<Merged<Vehicle28>>);
static_assert(GroupSystem<NonlinearCoupled> && GroupSystem<Merged<Burn<NonlinearCoupled>>>);

}  // namespace testkit
