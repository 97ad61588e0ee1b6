// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "assembly/parts/data_block.hpp"
#include "assembly/parts/wheel.hpp"
#include "language/bundle.hpp"
#include "language/sections/fields.hpp"
#include "vehicle/tire/carpet.hpp"
#include "vehicle/tire/compliance.hpp"
#include "vehicle/tire/fiala.hpp"
#include "vehicle/tire/linear.hpp"
#include "vehicle/tire/tmeasy.hpp"

namespace chicane {
// The block of a wheel, for any tire model; see wheel.hpp.
namespace wheel_block {

// --- the block -----------------------------------------------------------------------------------

constexpr int kHub = 0, kChassis = 15, kDrive = 30, kBrake = 31;  // inputs
enum Output {
  kHubForce = 0,
  kHubMoment = 3,
  kSpinAxis = 6,
  kBrakeSpeed = 9,
  kDriveSpeed,
  kTireForces,  // and moments
  kReport = kTireForces + 6
};
enum Task { kContact, kDriveShaft, kSpin, kReadings, kRemember };
enum StatePlace { kSpinRate, kPatch };
enum Scratch { kSpinMoment, kPatchRates };  // then, of each tire, its place in the ground
enum Parameter { kSpinInertia, kShaftInertia, kTire };

template <class T>
constexpr int kTireParameters = sizeof(tire::Params<T>) / sizeof(T);

// Where a tire model gets its numbers: from the parameters of the block ...
template <template <class> class M>
struct Parametric {
  template <class T>
  using Model = M<T>;
  template <class T>
  [[nodiscard]] M<T> model(std::span<const T> p) const {
    return from_values<M<T>>(p);
  }
};
// ... or from tables.
struct FromCarpet {
  template <class T>
  using Model = tire::Carpet;
  template <class T>
  [[nodiscard]] const tire::Carpet& model(std::span<const T> /*p*/) const {
    return carpet;
  }
  tire::Carpet carpet;
};

// What a tire has of its own: the deflections of its patch, and the slips its moments have seen.
constexpr std::size_t kPatchStates = 4;

// Dual wheels are two tires on one hub, with one spin.
constexpr std::array<std::string_view, 2> kDualNames{"outer", "inner"};
inline std::size_t tires_of(const WheelDescription& d) { return d.dual > 0.0 ? 2 : 1; }

// What results show of a tire, in the order of the outputs from kReport on.
constexpr std::size_t kOfATire = 11, kTaken = 8, kElastic = 9;

template <class T>
void store(const Vec3<T>& v, std::span<T> to, std::size_t first) {
  to[first] = v.x, to[first + 1] = v.y, to[first + 2] = v.z;
}
template <class T>
Vec3<T> unit(const Vec3<T>& v) {
  return (1.0 / sqrt(dot(v, v))) * v;
}

// Axes of the chassis, of which two are given and may have been interpolated.
template <class T>
Mat3<T> axes(const Vec3<T>& ahead, const Vec3<T>& across) {
  const Vec3<T> x = unit(ahead), z = unit(cross(x, across));
  return {x, cross(z, x), z};
}

// Where the search for the ground begins: at the hit of the last full step. A number that is none
// is none.
template <class T>
int place_of(const BlockView<T>& at, std::size_t tire = 0) {
  if (at.z.empty()) return 0;
  const double place = value_of(at.z[tire]);
  return place >= 0.0 && place < 2e9 ? static_cast<int>(place) : 0;
}

// What people read of a tire. taken, held: what hub and spin give to it, and what it holds.
template <class T>
std::array<T, kOfATire> shown(const tire::Contact<T>& c, const tire::Sliding<T>& v,
                              const T& deflection, const T& taken, const T& held,
                              const T& spinning) {
  // Over the faster of rolling and travel: from -1, locked, to 1, spinning on the spot; 0 at
  // rest.
  constexpr double kStandstill = 0.05;  // [m/s] below it slips fade
  const T v_r = v.R_e * c.omega, fast = max(abs(v_r), abs(c.v_x));
  return {-v.v_sx / sqrt(fast * fast + kStandstill * kStandstill),
          atan2(c.v_y, sqrt(c.v_x * c.v_x + kStandstill * kStandstill)),
          deflection,
          asin(sat(c.at.sin_gamma, -1.0, 1.0)),
          c.at.p.x,
          c.at.p.y,
          c.at.p.z,
          c.at.hit.friction,
          taken,
          held,
          spinning};
}

template <class T, class Source>
class WheelBlock final : public Block<T> {
 public:
  using Model = typename Source::template Model<T>;

  WheelBlock(const Source& source, const Ground<double>& ground,
             std::shared_ptr<const tire::Compliance> compliance, const WheelDescription& d)
      : source_(source),
        ground_(ground_of<T>(ground)),
        compliance_(std::move(compliance)),
        side_(d.side),
        tires_(tires_of(d)),
        apart_(d.dual) {}

  void run(int task, const BlockView<T>& at) const noexcept override {
    switch (task) {
      case kContact:
        return contact_forces(at);
      case kDriveShaft:
        at.y[kDriveSpeed] = at.x[kSpinRate] -
                            dot(unit(hub(at, pose::kAcross)), input3(at, kChassis + pose::kOmega));
        return;
      case kSpin:
        return rates(at);
      case kReadings:
        return readings(at);
      case kRemember:
        for (std::size_t i = 0; i < at.z_next.size(); ++i) at.z_next[i] = at.scratch[place_at(i)];
        return;
      default:
        return;
    }
  }

 private:
  using View = BlockView<T>;

  [[nodiscard]] std::size_t place_at(std::size_t i) const {
    return kPatchRates + tires_ * kPatchStates + i;
  }

  [[nodiscard]] static Vec3<T> hub(const View& at, pose::Part part) {
    return input3(at, kHub + part);
  }

  [[nodiscard]] decltype(auto) model(const View& at) const {
    return source_.template model<T>(at.p.subspan(kTire + kTireParameters<T>));
  }

  [[nodiscard]] static tire::Params<T> tire_of(const View& at) {
    return from_values<tire::Params<T>>(at.p.subspan(kTire, kTireParameters<T>));
  }
  [[nodiscard]] static tire::States<T> patch_of(const View& at, std::size_t i) {
    const std::size_t first = kPatch + i * kPatchStates;
    return {at.x[first], at.x[first + 1], at.x[first + 2], at.x[first + 3]};
  }

  [[nodiscard]] tire::Contact<T> contact_of(const View& at, const tire::Params<T>& p,
                                            const tire::Wheel<T>& wheel, std::size_t i) const {
    return tire::contact(wheel,
                         touch(ground_, at.t, wheel.centre, wheel.e_spin, p.R_0, place_of(at, i)));
  }

  // Of two tires on one hub the first is the outer one. It moves with the hub.
  void move_aside(tire::Wheel<T>& wheel, std::size_t i) const {
    if (tires_ == 1) return;
    const Vec3<T> r = T((i == 0 ? 0.5 : -0.5) * side_ * apart_) * wheel.e_spin;
    wheel.centre += r;
    wheel.V.linear += cross(wheel.V.angular, r);
  }

  [[nodiscard]] tire::Contact<T> touching(const View& at, const tire::Params<T>& p,
                                          const tire::States<T>& x, std::size_t i) const {
    const Vec3<T> e = unit(hub(at, pose::kAcross)), omega = hub(at, pose::kOmega);
    tire::Wheel<T> wheel{.centre = hub(at, pose::kPoint),
                         .e_spin = e,
                         .V = {.angular = omega + (at.x[kSpinRate] - dot(omega, e)) * e,
                               .linear = hub(at, pose::kVelocity)}};
    move_aside(wheel, i);
    if (compliance_ != nullptr) {
      const auto held = tire::held(p, model(at), contact_of(at, p, wheel, i), x, side_);
      wheel = tire::yielded(
          wheel, axes(input3(at, kChassis + pose::kAhead), input3(at, kChassis + pose::kAcross)),
          tire::yielding(*compliance_, held, side_));
    }
    return contact_of(at, p, wheel, i);
  }

  // What the tire does to the hub, but for what goes into the spin, and the gyroscopic moment.
  // Neither needs a torque of brake or shaft, which may be steps ahead in a faster group; what
  // those do to hub and chassis is found where it acts, from the axis.
  void contact_forces(const View& at) const {
    const tire::Params<T> p = tire_of(at);
    Vec3<T> e = press(at, p, 0);
    for (std::size_t i = 1; i < tires_; ++i) {
      const Pressed before(at);
      e = press(at, p, i);
      before.add_to(at);
    }
    at.y[kBrakeSpeed] = at.x[kSpinRate] - dot(e, hub(at, pose::kOmega));
    const Vec3<T> moment = output3(at, kHubMoment);
    const T m_e = dot(moment, e);
    const T momentum = at.p[kSpinInertia] * at.x[kSpinRate];
    store(moment - m_e * e - momentum * cross(hub(at, pose::kOmega), e), at.y, kHubMoment);
    store(e, at.y, kSpinAxis);
    at.scratch[kSpinMoment] = m_e;
  }

  [[nodiscard]] static Vec3<T> output3(const View& at, std::size_t first) {
    return {at.y[first], at.y[first + 1], at.y[first + 2]};
  }

  // Forces of a tire that was pressed before: those of the next are added to them.
  struct Pressed {
    explicit Pressed(const View& at) {
      std::copy_n(at.y.begin() + kHubForce, 6, hub.begin());
      std::copy_n(at.y.begin() + kTireForces, 6, tire.begin());
    }
    void add_to(const View& at) const {
      for (std::size_t k = 0; k < 6; ++k)
        at.y[kHubForce + k] += hub[k], at.y[kTireForces + k] += tire[k];
    }
    std::array<T, 6> hub{}, tire{};
  };

  // One tire: its force and moment on the hub and its own forces into the outputs, the rates of its
  // patch into the scratch. The axis of its spin.
  Vec3<T> press(const View& at, const tire::Params<T>& p, std::size_t i) const {
    const tire::States<T> x = patch_of(at, i);
    const tire::Contact<T> c = touching(at, p, x, i);
    const auto [F, rates] = tire::evaluate(p, model(at), c, x, side_);
    const Wrench<T> w = about(tire::wrench(c, F), Vec3<T>(c.at.p - hub(at, pose::kPoint)));
    store(w.force, at.y, kHubForce);
    store(w.moment, at.y, kHubMoment);
    to_values(F, at.y, kTireForces);
    const std::size_t first = kPatchRates + i * kPatchStates;
    store({rates.u_x, rates.u_y, rates.s_y}, at.scratch, first);
    at.scratch[first + 3] = rates.turn;
    if (!at.z.empty()) at.scratch[place_at(i)] = T(static_cast<double>(c.at.hit.place));
    return c.e_spin;
  }

  void rates(const View& at) const {
    const std::span<const T> carried = at.scratch;
    at.dx[kSpinRate] = (at.u(kDrive) + at.u(kBrake) + carried[kSpinMoment]) /
                       (at.p[kSpinInertia] + at.p[kShaftInertia]);
    for (std::size_t i = 0; i + kPatch < at.dx.size(); ++i)
      at.dx[kPatch + i] = carried[kPatchRates + i];
  }

  // Of two tires: angles, slips and places are those of the middle between them, energies of both.
  void readings(const View& at) const {
    const tire::Params<T> p = tire_of(at);
    const std::array<T, kOfATire> first = readings_of(at, p, 0);
    std::copy(first.begin(), first.end(), at.y.begin() + kReport);
    if (tires_ == 1) return;
    const std::array<T, kOfATire> second = readings_of(at, p, 1);
    for (std::size_t k = 0; k < kOfATire; ++k) {
      const bool sums = k == kTaken || k == kElastic;
      const T both = first[k] + second[k];
      at.y[kReport + k] = sums ? both : T(0.5 * both);
    }
    at.y[kReport + kOfATire] = load_of(at, p, 0);
    at.y[kReport + kOfATire + 1] = load_of(at, p, 1);
  }

  [[nodiscard]] T load_of(const View& at, const tire::Params<T>& p, std::size_t i) const {
    const tire::States<T> x = patch_of(at, i);
    return tire::evaluate(p, model(at), touching(at, p, x, i), x, side_).F.F_z;
  }

  [[nodiscard]] tire::Forces<T> forces_of(const View& at, const tire::Params<T>& p,
                                          const tire::Contact<T>& c,
                                          const tire::States<T>& x) const {
    const std::span<const T> given = at.y;
    if (tires_ == 1) return from_values<tire::Forces<T>>(given.subspan(kTireForces));
    return tire::evaluate(p, model(at), c, x, side_).F;
  }

  std::array<T, kOfATire> readings_of(const View& at, const tire::Params<T>& p,
                                      std::size_t i) const {
    const tire::States<T> x = patch_of(at, i);
    const tire::Contact<T> c = touching(at, p, x, i);
    const auto F = forces_of(at, p, c, x);
    const tire::Sliding<T> v = tire::sliding(p, model(at), c);
    const Vec3<T> turning = hub(at, pose::kOmega);
    const Wrench<T> w = about(tire::wrench(c, F), Vec3<T>(c.at.p - hub(at, pose::kPoint)));
    const T taken = -dot(w.force, hub(at, pose::kVelocity)) - dot(w.moment, turning) -
                    dot(w.moment, c.e_spin) * (at.x[kSpinRate] - dot(turning, c.e_spin));
    const T I = at.p[kSpinInertia] + at.p[kShaftInertia];
    return shown(c, v, c.at.delta, taken, tire::elastic_energy(p, c, x),
                 T(0.5 * I * at.x[kSpinRate] * at.x[kSpinRate]));
  }

  Source source_;
  Ground<T> ground_;
  std::shared_ptr<const tire::Compliance> compliance_;
  double side_;
  std::size_t tires_;
  double apart_;  // [m]
};

// --- its kind ------------------------------------------------------------------------------------

inline std::vector<PortInfo> three(const std::string& stem, const std::string& unit,
                                   const std::string& description) {
  std::vector<PortInfo> list;
  for (const char* axis : {"_x", "_y", "_z"})
    list.push_back({stem + axis, unit, description, true});
  return list;
}

inline void append(std::vector<PortInfo>& to, const std::vector<PortInfo>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

inline void add_inputs(BlockInfo& info) {
  using Kind = BundleInfo::Kind;
  add_bundle(Kind::pose, "hub", "the hub", info.inputs, info.takes);
  add_bundle(Kind::pose, "chassis", "the chassis", info.inputs, info.takes);
  info.inputs.push_back({"drive_torque", "N m", "of the drive shaft"});
  info.inputs.push_back({"brake_torque", "N m", "of the brake"});
}

inline std::vector<PortInfo> outputs(bool dual = false) {
  std::vector<PortInfo> list;
  append(list, three("F", "N", "force on the hub"));
  append(list, three("M", "N m", "moment on the hub, but for the brake's"));
  append(list, three("a", "-", "spin axis, to the left, as the suspension yields"));
  append(list, {{"brake_speed", "rad/s", "spin against the hub", true},
                {"drive_speed", "rad/s", "spin against the chassis", true},
                {"longitudinal_force", "N", "of the ground on the tire, forward"},
                {"lateral_force", "N", "of the ground on the tire, to the left"},
                {"load", "N", "of the ground on the tire, along its normal"},
                {"overturning_moment", "N m", "about the longitudinal axis"},
                {"rolling_moment", "N m", "about the spin axis"},
                {"aligning_moment", "N m", "about the normal of the ground"},
                {"slip", "-",
                 "longitudinal slip, positive when driven: over the faster of rolling and travel"},
                {"slip_angle", "rad", "direction of travel less that of the wheel, to the left"},
                {"deflection", "m", "of the tire; negative in the air"},
                {"inclination", "rad", "of the wheel against the ground; top to the right"},
                {"contact_x", "m", "contact point", true},
                {"contact_y", "m", "contact point", true},
                {"contact_z", "m", "contact point", true},
                {"friction", "-", "of the ground at the contact", true},
                {"tire_power", "W", "that hub and spin give to the tire", true},
                {"tire_energy", "J", "that the tire holds", true},
                {"spin_energy", "J", "of the wheel's spin", true}});
  if (dual)
    append(list, {{"load_outer", "N", "of the ground on the outer tire", true},
                  {"load_inner", "N", "of the ground on the inner tire", true}});
  return list;
}

inline std::vector<int> numbers(int from, int to) {
  std::vector<int> list;
  for (int i = from; i < to; ++i) list.push_back(i);
  return list;
}

// "outer.place": names of what one of two tires has begin with which it is.
inline std::string of_tire(std::string_view which, const char* name) {
  return which.empty() ? name : fmt::format("{}.{}", which, name);
}

inline NativeState spin_state(double spin) {
  return {"spin", "rad/s", spin, "of the wheel, absolute, about its axis"};
}

// The states of the patch of a tire.
inline void add_patch(std::vector<NativeState>& to, std::string_view which = "") {
  to.push_back({of_tire(which, "deflection_x"), "m", 0, "of the patch against the rim, forward"});
  to.push_back(
      {of_tire(which, "deflection_y"), "m", 0, "of the patch against the rim, to the left"});
  to.push_back({of_tire(which, "trail_slip"), "-", 0, "lateral slip as the trail has seen it"});
  to.push_back({of_tire(which, "turn_slip"), "rad/m", 0, "turn slip as the moments have seen it"});
}

inline NativeState place_memory(std::string_view which = "") {
  return {.name = of_tire(which, "place"),
          .unit = "-",
          .description = "of the contact in the ground",
          .internal = true,
          .bookkeeping = true};
}

// What the speed of the drive shaft needs.
inline std::vector<int> drive_shaft() {
  std::vector<int> list = pose_parts(kHub, {pose::kAcross});
  for (const int i : pose_parts(kChassis, {pose::kOmega})) list.push_back(i);
  return list;
}

template <class Source>
class WheelKind final : public BlockKind {
 public:
  WheelKind(Source source, std::vector<NativeParameter> parameters, const Ground<double>& ground,
            std::shared_ptr<const tire::Compliance> compliance, const WheelDescription& d)
      : source_(std::move(source)),
        parameters_(std::move(parameters)),
        ground_(ground),
        compliance_(std::move(compliance)),
        d_(d) {}

  [[nodiscard]] BlockInfo info() const override {
    BlockInfo info;
    info.description = "a wheel with its tire";
    info.parameters = {{"spin_inertia", "kg m^2", d_.spin_inertia, "of the wheel about its axis"},
                       {"shaft_inertia", "kg m^2", d_.shaft_inertia, "of what turns with it"}};
    info.parameters.insert(info.parameters.end(), parameters_.begin(), parameters_.end());
    const std::size_t tires = tires_of(d_);
    info.states = {spin_state(d_.spin)};
    for (std::size_t i = 0; i < tires; ++i) add_patch(info.states, tires == 1 ? "" : kDualNames[i]);
    add_inputs(info);
    info.outputs = outputs(tires > 1);
    std::vector<int> hub =
        pose_parts(kHub, {pose::kPoint, pose::kAcross, pose::kVelocity, pose::kOmega});
    if (compliance_ != nullptr)
      for (const int i : pose_parts(kChassis, {pose::kAhead, pose::kAcross})) hub.push_back(i);
    const auto count = static_cast<int>(info.outputs.size());
    std::vector<int> pressed = numbers(kHubForce, kDriveSpeed);
    for (const int i : numbers(kTireForces, kReport)) pressed.push_back(i);
    info.tasks = {
        {.name = "contact", .reads = hub, .writes = pressed},
        {.name = "drive shaft", .reads = drive_shaft(), .writes = {kDriveSpeed}},
        {.name = "spin", .reads = {kDrive, kBrake}, .after = {kContact}, .rates = true},
        {.name = "readings", .reads = hub, .writes = numbers(kReport, count), .after = {kContact}}};
    if (searches(ground_)) {
      for (std::size_t i = 0; i < tires; ++i)
        info.memory.push_back(place_memory(tires == 1 ? "" : kDualNames[i]));
      info.tasks.push_back({.name = "remember", .after = {kContact}, .memory = true});
    }
    info.scratch = static_cast<int>(kPatchRates + tires * (kPatchStates + 1));
    return info;
  }
  [[nodiscard]] std::unique_ptr<Block<double>> make(double) const override {
    return std::make_unique<WheelBlock<double, Source>>(source_, ground_, compliance_, d_);
  }
  [[nodiscard]] std::unique_ptr<Block<Dual>> make(Dual) const override {
    return std::make_unique<WheelBlock<Dual, Source>>(source_, ground_, compliance_, d_);
  }

 private:
  Source source_;
  std::vector<NativeParameter> parameters_;
  Ground<double> ground_;
  std::shared_ptr<const tire::Compliance> compliance_;
  WheelDescription d_;
};

}  // namespace wheel_block
}  // namespace chicane
