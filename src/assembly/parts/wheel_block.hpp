// SPDX-License-Identifier: Apache-2.0
#pragma once

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
enum State { kSpinRate, kPatch };
enum Scratch { kSpinMoment, kPlace, kPatchRates, kScratch = kPatchRates + 4 };
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

template <class T, class Source>
class WheelBlock final : public Block<T> {
 public:
  using Model = typename Source::template Model<T>;

  WheelBlock(const Source& source, const Ground<double>& ground,
             std::shared_ptr<const tire::Compliance> compliance, double side)
      : source_(source),
        ground_(ground_of<T>(ground)),
        compliance_(std::move(compliance)),
        side_(side) {}

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
        at.z_next[0] = at.scratch[kPlace];
        return;
      default:
        return;
    }
  }

 private:
  using View = BlockView<T>;

  [[nodiscard]] static Vec3<T> hub(const View& at, pose::Part part) {
    return input3(at, kHub + part);
  }

  [[nodiscard]] decltype(auto) model(const View& at) const {
    return source_.template model<T>(at.p.subspan(kTire + kTireParameters<T>));
  }

  [[nodiscard]] static tire::Params<T> tire_of(const View& at) {
    return from_values<tire::Params<T>>(at.p.subspan(kTire, kTireParameters<T>));
  }
  [[nodiscard]] static tire::States<T> patch_of(const View& at) {
    return {at.x[kPatch], at.x[kPatch + 1], at.x[kPatch + 2], at.x[kPatch + 3]};
  }

  // Where the search for the ground begins: at the hit of the last full step. A number that is none
  // is none.
  [[nodiscard]] static int place_of(const View& at) {
    if (at.z.empty()) return 0;
    const double place = value_of(at.z[0]);
    return place >= 0.0 && place < 2e9 ? static_cast<int>(place) : 0;
  }

  [[nodiscard]] tire::Contact<T> contact_of(const View& at, const tire::Params<T>& p,
                                            const tire::Wheel<T>& wheel) const {
    return tire::contact(wheel,
                         touch(ground_, at.t, wheel.centre, wheel.e_spin, p.R_0, place_of(at)));
  }

  [[nodiscard]] tire::Contact<T> touching(const View& at, const tire::Params<T>& p,
                                          const tire::States<T>& x) const {
    const Vec3<T> e = unit(hub(at, pose::kAcross)), omega = hub(at, pose::kOmega);
    tire::Wheel<T> wheel{.centre = hub(at, pose::kPoint),
                         .e_spin = e,
                         .V = {.angular = omega + (at.x[kSpinRate] - dot(omega, e)) * e,
                               .linear = hub(at, pose::kVelocity)}};
    if (compliance_ != nullptr) {
      const auto held = tire::held(p, model(at), contact_of(at, p, wheel), x, side_);
      wheel = tire::yielded(
          wheel, axes(input3(at, kChassis + pose::kAhead), input3(at, kChassis + pose::kAcross)),
          tire::yielding(*compliance_, held, side_));
    }
    return contact_of(at, p, wheel);
  }

  // What the tire does to the hub, but for what goes into the spin, and the gyroscopic moment.
  // Neither needs a torque of brake or shaft, which may be steps ahead in a faster group; what
  // those do to hub and chassis is found where it acts, from the axis.
  void contact_forces(const View& at) const {
    const tire::Params<T> p = tire_of(at);
    const tire::States<T> x = patch_of(at);
    const tire::Contact<T> c = touching(at, p, x);
    const auto [F, rates] = tire::evaluate(p, model(at), c, x, side_);
    const Wrench<T> w = about(tire::wrench(c, F), Vec3<T>(c.at.p - hub(at, pose::kPoint)));
    store(w.force, at.y, kHubForce);
    at.y[kBrakeSpeed] = at.x[kSpinRate] - dot(c.e_spin, hub(at, pose::kOmega));
    to_values(F, at.y, kTireForces);
    const Vec3<T>& e = c.e_spin;
    const T m_e = dot(w.moment, e);
    const T momentum = at.p[kSpinInertia] * at.x[kSpinRate];
    store(w.moment - m_e * e - momentum * cross(hub(at, pose::kOmega), e), at.y, kHubMoment);
    store(e, at.y, kSpinAxis);
    store({rates.u_x, rates.u_y, rates.s_y}, at.scratch, kPatchRates);
    at.scratch[kPatchRates + 3] = rates.turn;
    at.scratch[kSpinMoment] = m_e;
    if (!at.z.empty()) at.scratch[kPlace] = T(static_cast<double>(c.at.hit.place));
  }

  void rates(const View& at) const {
    const std::span<const T> carried = at.scratch;
    at.dx[kSpinRate] = (at.u(kDrive) + at.u(kBrake) + carried[kSpinMoment]) /
                       (at.p[kSpinInertia] + at.p[kShaftInertia]);
    for (std::size_t i = 0; i + kPatch < at.dx.size(); ++i)
      at.dx[kPatch + i] = carried[kPatchRates + i];
  }

  void readings(const View& at) const {
    const tire::Params<T> p = tire_of(at);
    const tire::States<T> x = patch_of(at);
    const tire::Contact<T> c = touching(at, p, x);
    const std::span<const T> given = at.y;
    const auto F = from_values<tire::Forces<T>>(given.subspan(kTireForces));
    const tire::Sliding<T> v = tire::sliding(p, model(at), c);
    const Vec3<T> turning = hub(at, pose::kOmega);
    const Wrench<T> w = about(tire::wrench(c, F), Vec3<T>(c.at.p - hub(at, pose::kPoint)));
    const T taken = -dot(w.force, hub(at, pose::kVelocity)) - dot(w.moment, turning) -
                    dot(w.moment, c.e_spin) * (at.x[kSpinRate] - dot(turning, c.e_spin));
    const T I = at.p[kSpinInertia] + at.p[kShaftInertia];
    // Over the faster of rolling and travel: from -1, locked, to 1, spinning on the spot; 0 at
    // rest.
    constexpr double kStandstill = 0.05;  // [m/s] below it slips fade
    const T v_r = v.R_e * c.omega, fast = max(abs(v_r), abs(c.v_x));
    const T values[] = {-v.v_sx / sqrt(fast * fast + kStandstill * kStandstill),
                        atan2(c.v_y, sqrt(c.v_x * c.v_x + kStandstill * kStandstill)),
                        c.at.delta,
                        asin(sat(c.at.sin_gamma, -1.0, 1.0)),
                        c.at.p.x,
                        c.at.p.y,
                        c.at.p.z,
                        c.at.hit.friction,
                        taken,
                        tire::elastic_energy(p, c, x),
                        0.5 * I * at.x[kSpinRate] * at.x[kSpinRate]};
    std::copy(std::begin(values), std::end(values), at.y.begin() + kReport);
  }

  Source source_;
  Ground<T> ground_;
  std::shared_ptr<const tire::Compliance> compliance_;
  double side_;
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

inline std::vector<PortInfo> outputs() {
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
  return list;
}

inline std::vector<int> numbers(int from, int to) {
  std::vector<int> list;
  for (int i = from; i < to; ++i) list.push_back(i);
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
    info.states = {{"spin", "rad/s", d_.spin, "of the wheel, absolute, about its axis"},
                   {"deflection_x", "m", 0, "of the patch against the rim, forward"},
                   {"deflection_y", "m", 0, "of the patch against the rim, to the left"},
                   {"trail_slip", "-", 0, "lateral slip as the trail has seen it"},
                   {"turn_slip", "rad/m", 0, "turn slip as the moments have seen it"}};
    add_inputs(info);
    info.outputs = outputs();
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
      info.memory = {{.name = "place",
                      .unit = "-",
                      .description = "of the contact in the ground",
                      .internal = true,
                      .bookkeeping = true}};
      info.tasks.push_back({.name = "remember", .after = {kContact}, .memory = true});
    }
    info.scratch = kScratch;
    return info;
  }
  [[nodiscard]] std::unique_ptr<Block<double>> make(double) const override {
    return std::make_unique<WheelBlock<double, Source>>(source_, ground_, compliance_, d_.side);
  }
  [[nodiscard]] std::unique_ptr<Block<Dual>> make(Dual) const override {
    return std::make_unique<WheelBlock<Dual, Source>>(source_, ground_, compliance_, d_.side);
  }

 private:
  static std::vector<int> drive_shaft() {
    std::vector<int> list = pose_parts(kHub, {pose::kAcross});
    for (const int i : pose_parts(kChassis, {pose::kOmega})) list.push_back(i);
    return list;
  }

  Source source_;
  std::vector<NativeParameter> parameters_;
  Ground<double> ground_;
  std::shared_ptr<const tire::Compliance> compliance_;
  WheelDescription d_;
};

// --- a tire of any law ---------------------------------------------------------------------------

// What every tire says beside its law, in the order of tire::Params.
std::span<const Field> common_fields();

// The parameters are those of the common fields, then those that `Source` makes the law of.
template <class Source>
class TireOf final : public TireKind {
 public:
  TireOf(Source source, std::vector<NativeParameter> parameters,
         std::shared_ptr<const tire::Compliance> compliance)
      : source_(std::move(source)),
        parameters_(std::move(parameters)),
        compliance_(std::move(compliance)) {}

  [[nodiscard]] BlockKindPtr wheel(const Ground<double>& ground,
                                   const WheelDescription& d) const override {
    return std::make_shared<WheelKind<Source>>(source_, parameters_, ground, compliance_, d);
  }
  [[nodiscard]] bool compliant() const override { return compliance_ != nullptr; }
  [[nodiscard]] double rolling_radius(const Ground<double>& ground,
                                      const Vec3<double>& hub) const override {
    std::vector<double> values;
    for (const NativeParameter& p : parameters_) values.push_back(p.value);
    const std::span<const double> all(values);
    const auto p = from_values<tire::Params<double>>(all);
    const tire::Wheel<double> standing{.centre = hub, .e_spin = {0.0, 1.0, 0.0}, .V = {}};
    const auto c = tire::contact(standing, touch(ground, 0.0, hub, standing.e_spin, p.R_0));
    return support(p, source_.template model<double>(all.subspan(kTireParameters<double>)), c).R_e;
  }

 private:
  Source source_;
  std::vector<NativeParameter> parameters_;
  std::shared_ptr<const tire::Compliance> compliance_;
};

}  // namespace wheel_block
}  // namespace chicane
