// SPDX-License-Identifier: Apache-2.0
#include "assembly/start/steady_motion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/at.hpp"

namespace chicane {
namespace {

constexpr GroupIndex kAll{0};
constexpr double kFound = 1e-9;       // [-] of the scale: a residual that is none
constexpr double kExact = 1e-14;      // [-] no step can improve on it
constexpr double kDependent = 1e-10;  // [-] columns that are none of their own
constexpr double kNothing = 1e-12;    // [-] of a row: an influence that is rounding
constexpr double kShortest = 1e-3;    // [-] part of a Newton step
constexpr double kLong = 0.2;         // [-] ... of one that also unbends: else it leads nowhere
constexpr double kUnbent = 1e-7;      // [-] of the size of a bend
constexpr int kUnbending = 8;         // steps; the pull that unbends keeps others from closing in
constexpr int kMostSteps = 40;
constexpr int kAlong = -2, kTurning = -3;  // rows of a path: direction of travel, and its change
constexpr double kSunk = 0.03;             // [-] deflection of the tires over their radius, a guess

template <class T>
Vec3<T> as(const Vec3<double>& v) {
  return {T(v.x), T(v.y), T(v.z)};
}

double largest_of(const std::vector<double>& list) {
  double most = 0.0;
  for (const double v : list) most = std::max(most, std::isfinite(v) ? std::fabs(v) : HUGE_VAL);
  return most;
}

}  // namespace

SteadyMotion::SteadyMotion(const std::shared_ptr<const ModelStructure>& structure,
                           const VehicleStart& start)
    : s_(*structure),
      layout_(s_.groups[kAll]),
      start_(start),
      plain_(structure),
      state_(plain_.initial_state()),
      eval_(plain_.make_eval(kAll)),
      moving_(start.speed != 0.0),
      dual_(structure),
      dual_state_(dual_.initial_state()),
      inputs_(plain_.default_inputs()),
      dual_inputs_(dual_.default_inputs()),
      dual_eval_(dual_.make_eval(kAll)),
      place_(start.position) {
  find_states();
  find_road();
  follow_drift_ = std::vector<double>(states(), 0.0);
}

// --- what there is -----------------------------------------------------------------------------

int SteadyMotion::place_of(std::string_view state) const {
  for (std::size_t i = 0; i < states(); ++i)
    if (name(i) == state) return static_cast<int>(i);
  return -1;
}
bool SteadyMotion::is_own(BlockIndex block) const {
  return block.value >= 0 && std::find(start_.blocks.begin(), start_.blocks.end(),
                                       s_.blocks[block].name) != start_.blocks.end();
}

// How much of a change counts as large, by what a state is.
double SteadyMotion::size_of(std::size_t place) const {
  const std::string& unit = s_.signals[s_.states[layout_.states[place]].signal].unit;
  constexpr std::pair<std::string_view, double> kSizes[] = {
      {"m", 0.02}, {"rad", 0.05}, {"rad/s", 10.0}, {"m/s", 1.0}, {"N m", 100.0}, {"Pa", 1e5}};
  for (const auto& [known, size] : kSizes)
    if (unit == known) return size;
  return 1.0;
}

void SteadyMotion::find_states() {
  vehicle_q_ = place_of("vehicle.q_w");
  vehicle_v_ = place_of("vehicle.omega_x");
  integral_ = place_of("driver.integral");
  held_ = std::vector<bool>(states(), false);
  // What `initial:` sets stays as it was set: the last word on a state is not its block's own.
  std::vector<int> said(at(s_.states.size()), 0);
  for (const InitialInfo& i : s_.initial)
    if (i.target.kind == ActionInfo::Target::Kind::state) ++said[at(i.target.index)];
  for (std::size_t i = 0; i < states(); ++i) held_[i] = said[at(layout_.states[i].value)] > 1;
  own_ = std::vector<bool>(states(), false);
  for (std::size_t i = 0; i < states(); ++i) own_[i] = is_own(s_.states[layout_.states[i]].block);
}

bool SteadyMotion::turns_with_the_wheel(std::size_t place) const {
  return own_[place] &&
         (ends_with(name(place), ".spin") || ends_with(name(place), ".ring_omega_y"));
}

// --- the road and the first guess --------------------------------------------------------------

double SteadyMotion::height(double x, double y) const {
  return ask(start_.ground, {.x = x, .y = y, .t = 0.0}).height;
}

// Through the ground below the wheels: the lines that join opposite ones cross in it.
void SteadyMotion::find_road() {
  const double c = std::cos(start_.heading), s = std::sin(start_.heading);
  road_ = {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}};
  std::vector<Vec3<double>> feet;
  evaluate();
  for (const std::string& wheel : start_.wheels) {
    const Vec3<double> hub{signal("mount." + wheel + ".x"), signal("mount." + wheel + ".y"), 0.0};
    feet.push_back({hub.x, hub.y, height(hub.x, hub.y)});
  }
  const std::size_t last = feet.size() - 1;  // at its front and rear axle
  const Vec3<double> n = cross(feet[0] - feet[last], feet[1] - feet[last - 1]);
  if (!(norm(n) > 0.0)) return;
  const Vec3<double> up = ((n.z > 0.0 ? 1.0 : -1.0) / norm(n)) * n;
  // ahead keeps the heading: it lies in the vertical plane through it
  const Vec3<double> h = road_.ahead;
  const Vec3<double> rising{h.x, h.y, -(up.x * h.x + up.y * h.y) / up.z};
  const Vec3<double> ahead = (1.0 / norm(rising)) * rising;
  road_ = {ahead, cross(up, ahead), up};
}

// Parallel to the road, the tires pressed a little.
void SteadyMotion::put_on_the_road() {
  chassis_.speed = start_.speed;
  chassis_.pitch = -std::asin(road_.ahead.z);
  const Vec3<double> level{-std::sin(start_.heading), std::cos(start_.heading), 0.0};
  chassis_.roll = std::atan2(road_.left.z, dot(road_.left, level));
  chassis_.z = height(start_.position.x, start_.position.y) + start_.wheel_radius;
  for (int k = 0; k < 3; ++k) {
    evaluate();
    double deflection = 0.0;
    for (const std::string& wheel : start_.wheels)
      deflection += 1.0 / static_cast<double>(start_.wheels.size()) *
                    signal("wheel." + wheel + ".deflection");
    if (!std::isfinite(deflection)) break;
    chassis_.z += deflection - kSunk * start_.wheel_radius;
  }
  for (std::size_t i = 0; i < states(); ++i) {
    if (!own_[i] || held_[i]) continue;
    if (turns_with_the_wheel(i)) x()[i] = start_.speed / start_.wheel_radius;
    if (ends_with(name(i), ".ring_v_x")) x()[i] = start_.speed;
    if (belongs(i, "brakes") && name(i).find(".zeta_") != std::string::npos)  // pads that slide
      x()[i] = start_.speed > 0.0 ? 1.0 : start_.speed < 0.0 ? -1.0 : 0.0;
  }
  evaluate();
}

double SteadyMotion::signal(std::string_view wanted) const {
  const SignalIndex i = s_.find_signal(wanted);
  return i.value < 0 ? 0.0 : eval_.v[s_.signals[i].slot];
}

double SteadyMotion::parameter(std::string_view wanted) const {
  for (const ParameterInfo& p : s_.parameters)
    if (p.name == wanted) return state_.constants[p.slot];
  return 0.0;
}
MemoryIndex SteadyMotion::find_memory(std::string_view wanted) const {
  for (const MemoryIndex k : s_.memory.indices())
    if (s_.memory[k].name == wanted) return k;
  return {};
}

// --- evaluation --------------------------------------------------------------------------------

template <class T>
void SteadyMotion::write_chassis(const Chassis<T>& c, std::vector<T>& x) const {
  const auto turn = [](const T& angle, int axis) {
    const T half = 0.5 * angle;
    Quaternion<T> q{cos(half), T(0.0), T(0.0), T(0.0)};
    (axis == 0 ? q.x : axis == 1 ? q.y : q.z) = sin(half);
    return q;
  };
  const Quaternion<T> q = turn(T(start_.heading + c.yaw), 2) * turn(c.pitch, 1) * turn(c.roll, 0);
  const Vec3<T> v = velocity(c), w = turning(c);
  const Mat3<T> R = rotation(q);
  const T east = place_.x - std::sin(start_.heading) * c.aside,
          north = place_.y + std::cos(start_.heading) * c.aside;
  const T values[] = {q.w, q.x, q.y, q.z, east, north, c.z};
  std::copy(std::begin(values), std::end(values), x.begin() + vehicle_q_);
  const T rates[] = {dot(R.x, w), dot(R.y, w), dot(R.z, w), v.x, v.y, v.z};
  std::copy(std::begin(rates), std::end(rates), x.begin() + vehicle_v_);
}
template <class T>
Vec3<T> SteadyMotion::velocity(const Chassis<T>& c) const {
  return c.speed * as<T>(road_.ahead) + c.side_speed * as<T>(road_.left);
}
template <class T>
Vec3<T> SteadyMotion::turning(const Chassis<T>& c) const {
  return c.yaw_rate * as<T>(road_.up);
}

// At the present values; loops are closed, and the states that depend on others put right.
void SteadyMotion::evaluate() {
  write_chassis(chassis_, x());
  rates_.resize(states());
  BoundModel<double> bound(plain_, state_, inputs_);
  bound.bind(kAll, eval_);
  bound.outputs(kAll, 0.0, x(), {}, eval_, {});
  bound.derivative(kAll, eval_, {}, rates_);
  plain_.report(kAll, eval_);
  for (const auto& [place, n] : layout_.completed)
    std::copy_n(eval_.v.data() + layout_.x + place, n, x().data() + place);
}

bool SteadyMotion::finite() const {
  return std::all_of(rates_.begin(), rates_.end(), [](double r) { return std::isfinite(r); });
}

void SteadyMotion::go_back_to(const Values& v) {
  chassis_ = v.chassis;
  drift_ = v.drift;
  x() = v.x;
  state_.memory = v.memory;
}

// --- unknowns and equations --------------------------------------------------------------------

// Coordinates of the mechanism that are free, but for the chassis's own, and their rates: these
// follow in the same order.
void SteadyMotion::find_freedoms() {
  coordinates_.clear();
  others_.clear();
  const StateInfo& chassis = s_.states[layout_.states[at(vehicle_q_)]];
  const NativePlace& n = s_.natives[at(s_.blocks[chassis.block].native)];
  const auto first = static_cast<int>(n.x - layout_.x);
  const std::vector<double> z(eval_.v.data() + n.z, eval_.v.data() + n.z + n.nz);
  std::vector<double> u;
  for (const int wire : n.wires) u.push_back(eval_.v[at(wire)]);
  auto directions =
      n.kind->free_directions(std::span<const double>(x()).subspan(at(first), n.nx),
                              std::span<const double>(rates_).subspan(at(first), n.nx), z, u);
  for (FreeDirection& d : directions)
    for (auto& [place, factor] : d.along) place += first;
  const auto remembers = [](const FreeDirection& d) { return ends_with(d.name, ".memory"); };
  for (const FreeDirection& d : directions)
    if (remembers(d)) others_.push_back(d.along.front().first);
  std::erase_if(directions, remembers);
  const std::size_t half = directions.size() / 2;
  for (std::size_t k = 0; k < half; ++k)
    if (directions[k].name.rfind("vehicle.", 0) != 0)
      coordinates_.push_back({directions[k].along, directions[half + k].along.front().first});
  for (std::size_t i = 0; i < states(); ++i)
    if (own_[i] && s_.states[layout_.states[i]].block != chassis.block)
      others_.push_back(static_cast<int>(i));
}

// `grips`: at rest tires hold sideways, too.
void SteadyMotion::choose(const Unknowns& unknowns, bool grips) {
  using Kind = Unknown::Kind;
  const auto of_state = [&](int place) {
    return Unknown{Kind::states, size_of(at(place)), {{place, 1.0}}, place};
  };
  constexpr double kSize = 0.05;   // [m], [rad]
  constexpr double kAside = 0.25;  // [m]
  unknowns_ = {{Kind::height, kSize}, {Kind::pitch, kSize}, {Kind::roll, kSize}};
  rows_.clear();
  const bool sideways = moving_ ? unknowns.curve : grips;
  for (int k = 0; k < 6; ++k)
    if (sideways || (k != 2 && k != 4)) rows_.push_back(vehicle_v_ + k);
  if (moving_ && unknowns.curve) {
    unknowns_.push_back({Kind::side_speed, 1.0});
    unknowns_.push_back({Kind::yaw_rate, 0.1});
  }
  if (unknowns.path) {
    unknowns_.push_back({Kind::yaw, kSize});
    unknowns_.push_back({Kind::aside, kAside});
    rows_.push_back(kAlong);
    rows_.push_back(kTurning);
  }
  if (unknowns.drift) unknowns_.push_back({Kind::drift, 1.0});
  for (const Coordinate& c : coordinates_) {
    unknowns_.push_back({Kind::states, kSize, c.along});
    rows_.push_back(c.rate);
  }
  for (const int i : others_) {
    if (held_[at(i)] || (belongs(at(i), "powertrain") && !unknowns.powertrain)) continue;
    if (i == integral_) {  // its rate says nothing of the vehicle
      if (unknowns.driver) unknowns_.push_back(of_state(i));
      continue;
    }
    const std::string& own = name(at(i));
    if (ends_with(own, ".charge")) continue;  // of a battery: it goes on changing
    const bool patch = ends_with(own, ".deflection_x") || ends_with(own, ".deflection_y");
    if (!moving_ && !grips && ends_with(own, ".deflection_y")) continue;
    if (moving_ || !ends_with(own, ".spin")) {
      unknowns_.push_back(of_state(i));
      unknowns_.back().bend = patch || own.find(".zeta_") != std::string::npos;
    }
    // a patch at standstill creeps under load, too slowly to matter
    if (moving_ || !patch) rows_.push_back(i);
  }
}

// Residuals of the rows and their derivatives by the unknowns, each over its size.
void SteadyMotion::linearize() {
  const std::size_t n = rows_.size(), m = unknowns_.size();
  residual_.assign(n, 0.0);
  jacobian_ = DenseMatrix{n, m};
  std::vector<Dual> xd(x().begin(), x().end()), rates(states());
  for (const MemoryIndex k : state_.memory.indices())
    dual_state_.memory[k].value = Dual(state_.memory[k].value);
  const BoundModel<Dual> bound(dual_, dual_state_, dual_inputs_);
  for (std::size_t begin = 0; begin < m; begin += Dual::kDirections) {
    const std::size_t count = std::min(Dual::kDirections, m - begin);
    Chassis<Dual> c = in_duals();
    Dual drift(drift_);
    std::copy(x().begin(), x().end(), xd.begin());
    for (std::size_t d = 0; d < count; ++d) {
      const Unknown& u = unknowns_[begin + d];
      for (const auto& [place, factor] : u.along) xd[at(place)].b[d] = factor;
      if (u.along.empty()) number(u, c, drift).b[d] = 1.0;
    }
    write_chassis(c, xd);
    bound.bind(kAll, dual_eval_);
    bound.outputs(kAll, 0.0, xd, {}, dual_eval_, {});
    bound.derivative(kAll, dual_eval_, {}, rates);
    for (std::size_t i = 0; i < n; ++i) {
      const Dual r = left(rows_[i], rates, c, drift);
      residual_[i] = r.a;
      for (std::size_t d = 0; d < count; ++d)
        jacobian_(i, begin + d) = r.b[d] * unknowns_[begin + d].size;
    }
  }
}
SteadyMotion::Chassis<Dual> SteadyMotion::in_duals() const {
  return {chassis_.z,          chassis_.pitch,    chassis_.roll, chassis_.speed,
          chassis_.side_speed, chassis_.yaw_rate, chassis_.yaw,  chassis_.aside};
}

template <class T>
T& SteadyMotion::number(const Unknown& u, Chassis<T>& c, T& drift) {
  switch (u.kind) {
    case Unknown::Kind::height:
      return c.z;
    case Unknown::Kind::pitch:
      return c.pitch;
    case Unknown::Kind::roll:
      return c.roll;
    case Unknown::Kind::side_speed:
      return c.side_speed;
    case Unknown::Kind::yaw_rate:
      return c.yaw_rate;
    case Unknown::Kind::yaw:
      return c.yaw;
    case Unknown::Kind::aside:
      return c.aside;
    default:
      return drift;
  }
}

// What is left of the rate of a state when that of the steady motion is taken away.
template <class T>
T SteadyMotion::left(int place, const std::vector<T>& rates, const Chassis<T>& c,
                     const T& drift) const {
  if (place < 0) return off_the_path(place, c);
  const T& rate = rates[at(place)];
  const int k = place - vehicle_v_;
  if (k < 0 || k >= 6) return rate - drift * follow_drift_[at(place)];
  if (k < 3) return rate;
  const Vec3<T> expected = cross(turning(c), velocity(c)) + drift * as<T>(road_.ahead);
  return rate - (k == 3 ? expected.x : k == 4 ? expected.y : expected.z);
}

// The point that follows goes along the path, and turns about its centre.
template <class T>
T SteadyMotion::off_the_path(int row, const Chassis<T>& c) const {
  const Arc& p = *path_;
  const double cos_p = std::cos(p.heading), sin_p = std::sin(p.heading);
  const T forward = c.speed - c.yaw_rate * p.ahead * sin(c.yaw),
          aside = c.side_speed + c.yaw_rate * p.ahead * cos(c.yaw);
  if (row == kAlong) return aside * cos_p - forward * sin_p;
  const T offset = p.offset + c.aside * cos_p + p.ahead * sin(c.yaw);
  return c.yaw_rate * (1.0 - p.curvature * offset) -
         p.curvature * (forward * cos_p + aside * sin_p);
}

// --- Newton ------------------------------------------------------------------------------------

// Equations whose own unknown takes part in none, but for rounding: a bristle that carries nothing,
// as in a clutch that is open. And what counts as a large residual of the others.
void SteadyMotion::weigh() {
  scale_.assign(rows_.size(), 0.0);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (std::size_t j = 0; j < unknowns_.size(); ++j) scale_[i] += std::fabs(jacobian_(i, j));
  std::vector<std::size_t> idle;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (carries_nothing(i) || remembers(rows_[i])) idle.push_back(i);
  for (const std::size_t i : idle) scale_[i] = 0.0;
}
// What the dry friction of a spring remembers stays as it is while nothing moves against the
// chassis: its rate is none, but for rounding.
bool SteadyMotion::remembers(int place) const {
  return place >= 0 && ends_with(name(at(place)), ".memory");
}
bool SteadyMotion::carries_nothing(std::size_t row) const {
  for (std::size_t j = 0; j < unknowns_.size(); ++j) {
    if (unknowns_[j].place != rows_[row]) continue;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (std::fabs(jacobian_(i, j)) > kNothing * scale_[i]) return false;
    return true;
  }
  return false;
}
double SteadyMotion::norm_of(const std::vector<double>& r) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < r.size(); ++i)
    if (scale_[i] > 0.0) sum += (r[i] / scale_[i]) * (r[i] / scale_[i]);
  return std::sqrt(sum);
}
double SteadyMotion::largest() const {
  double most = 0.0;
  for (std::size_t i = 0; i < residual_.size(); ++i)
    if (scale_[i] > 0.0) most = std::max(most, std::fabs(residual_[i]) / scale_[i]);
  return most;
}
// The residuals at the present values.
std::vector<double> SteadyMotion::residuals() const {
  std::vector<double> r;
  for (const int row : rows_) r.push_back(left(row, rates_, chassis_, drift_));
  return r;
}

// The step s that solves J s = -r. Where many do, as at standstill, the one after which what is
// bent is bent least: with d = -y for the bends y and 0 otherwise, s - d is the shortest.
std::vector<double> SteadyMotion::newton_step(bool unbend) {
  DenseMatrix A{rows_.size(), unknowns_.size()};
  std::vector<double> b(rows_.size()), d(unknowns_.size());
  for (std::size_t j = 0; j < unknowns_.size() && unbend; ++j)
    if (unknowns_[j].bend) d[j] = -x()[at(unknowns_[j].place)] / unknowns_[j].size;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (scale_[i] == 0.0) continue;
    b[i] = -residual_[i] / scale_[i];
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      A(i, j) = jacobian_(i, j) / scale_[i];
      b[i] -= A(i, j) * d[j];
    }
  }
  std::vector<double> step = shortest_solution(A, b, kDependent);
  for (std::size_t j = 0; j < d.size(); ++j) step[j] += d[j];
  return step;
}

// At rest nothing says how tires share a force sideways: they have none unless one is needed, as
// on a road that slopes across.
bool SteadyMotion::newton(const Unknowns& unknowns) {
  find_freedoms();
  choose(unknowns, false);
  if (!newton()) return false;
  if (moving_) return true;
  choose(unknowns, true);
  if (!newton()) return false;
  unbend();
  return true;
}

// Along the solutions to the one where bends are least: without it, how left and right share a
// force would depend on the coordinates.
void SteadyMotion::unbend() {
  constexpr int kTimes = 5;
  for (int k = 0; k < kTimes; ++k) {
    const Values before = now();
    linearize();
    weigh();
    const std::vector<double> step = newton_step(true);
    if (largest_of(step) < kUnbent) return;
    move(step, 1.0);
    if (newton()) continue;
    go_back_to(before);
    evaluate();
    return;
  }
}
bool SteadyMotion::newton() {
  evaluate();
  if (!finite()) return false;
  for (int k = 0; k < kMostSteps; ++k) {
    linearize();
    weigh();
    worst_ = largest();
    if (!(worst_ > kExact)) break;
    const bool unbends = !moving_ && k < kUnbending;
    if (!(unbends && improve(newton_step(true), kLong)) && !improve(newton_step(false), kShortest))
      break;
  }
  return worst_ <= kFound;
}

void SteadyMotion::move(const std::vector<double>& step, double part) {
  for (std::size_t j = 0; j < unknowns_.size(); ++j) {
    const Unknown& u = unknowns_[j];
    const double change = part * step[j] * u.size;
    for (const auto& [place, factor] : u.along) x()[at(place)] += change * factor;
    if (u.along.empty()) number(u, chassis_, drift_) += change;
  }
}

// The step, or the largest part of it that comes nearer; no unknown goes further than a few
// times what counts as large.
bool SteadyMotion::improve(const std::vector<double>& step, double shortest) {
  constexpr double kFurthest = 4.0;
  const double longest = largest_of(step);
  if (!std::isfinite(longest)) return false;
  const Values before = now();
  const double far = norm_of(residual_);
  for (double part = longest > kFurthest ? kFurthest / longest : 1.0; part > shortest; part /= 2) {
    go_back_to(before);
    move(step, part);
    evaluate();
    if (finite() && norm_of(residuals()) < (1.0 - 1e-4 * part) * far) return true;
  }
  go_back_to(before);
  evaluate();
  return false;
}

// dx/du along the motions of all speeds: J dx/du = -df/du. Whether it is news.
bool SteadyMotion::follow() {
  const double step = 1e-4 * std::fabs(start_.speed);
  const Values here = now();
  const std::vector<double> r = residuals();
  chassis_.speed += step;
  evaluate();
  const std::vector<double> beside = residuals();
  go_back_to(here);
  evaluate();
  DenseMatrix A{rows_.size(), unknowns_.size()};
  std::vector<double> b(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (scale_[i] == 0.0) continue;
    b[i] = -(beside[i] - r[i]) / step / scale_[i];
    for (std::size_t j = 0; j < unknowns_.size(); ++j) A(i, j) = jacobian_(i, j) / scale_[i];
  }
  const std::vector<double> along = shortest_solution(A, b, kDependent);
  bool news = false;
  for (std::size_t j = 0; j < unknowns_.size(); ++j) {
    const Unknown& u = unknowns_[j];
    if (u.place < 0) continue;
    const double d = along[j] * u.size;
    double& old = follow_drift_[at(u.place)];
    news = news || std::fabs(drift_ * (d - old)) > 1e-4 * u.size;
    old = d;
  }
  return news;
}

void SteadyMotion::forget_drift() {
  for (std::size_t i = 0; i < states(); ++i) {
    const bool travels = own_[i] && ends_with(name(i), ".ring_v_x");
    follow_drift_[i] = turns_with_the_wheel(i) ? 1.0 / start_.wheel_radius : travels ? 1.0 : 0.0;
  }
}

std::pair<int, double> SteadyMotion::worst() const {
  std::size_t most = 0;
  if (rows_.empty() || residual_.size() != rows_.size() || !finite()) return {-1, 0.0};
  const auto open = [&](std::size_t i) {
    return scale_[i] > 0.0 ? std::fabs(residual_[i]) / scale_[i] : 0.0;
  };
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (open(i) > open(most)) most = i;
  return {rows_[most], residual_[most]};
}

}  // namespace chicane
