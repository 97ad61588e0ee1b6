// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "assembly/parts/wheel_block.hpp"
#include "vehicle/tire/rigid_ring.hpp"

namespace chicane {
// The block of a wheel whose tire has a rigid ring: inputs and outputs are those of any wheel
// (wheel.hpp), states those of the ring beside spin and patch. The rim spins by itself; the ring,
// on its sidewalls, is between it and the ground. What the hub feels comes from the sidewalls: it
// needs neither ground nor torques, and of the hub neither place nor acceleration.
namespace ring_block {

using wheel_block::store, wheel_block::unit, wheel_block::kHub, wheel_block::kChassis,
    wheel_block::kDrive, wheel_block::kBrake;

enum Task { kSidewalls, kContact, kDriveShaft, kSpin, kReadings, kRemember };
constexpr std::size_t kSpinRate = 0, kPatch = 1;  // states; the ring's follow the patch's
constexpr std::size_t kRingStates = 12;
enum Scratch { kSpinMoment, kPlace, kWalls, kRates = kWalls + 8 };  // rates: of patch, then ring
enum Parameter { kSpinInertia, kShaftInertia, kGravity, kRing };

template <class T>
constexpr std::size_t kRingParameters = sizeof(tire::RingParams<T>) / sizeof(T);
constexpr std::size_t kTire = kRing + kRingParameters<double>;

template <class T, class Source>
class RingWheelBlock final : public Block<T> {
 public:
  using Model = typename Source::template Model<T>;
  static constexpr std::size_t kStates = kPatch + wheel_block::kPatchStates + kRingStates;

  RingWheelBlock(const Source& source, const Ground<double>& ground,
                 std::shared_ptr<const tire::Compliance> compliance, double side)
      : source_(source),
        ground_(ground_of<T>(ground)),
        compliance_(std::move(compliance)),
        side_(side) {}

  void run(int task, const BlockView<T>& at) const noexcept override {
    switch (task) {
      case kSidewalls:
        return hub_forces(at);
      case kContact:
        return motion(at);
      case kDriveShaft:
        at.y[wheel_block::kDriveSpeed] =
            at.x[kSpinRate] -
            dot(unit(input3(at, kHub + pose::kAcross)), input3(at, kChassis + pose::kOmega));
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

  // What an evaluation starts from. R: axes of the carrier.
  struct Point {
    tire::Params<T> p;
    tire::RingParams<T> ring;
    tire::RingStates<T> x;
    tire::States<T> patch;
    Mat3<T> R;
    tire::Rim<T> rim;
  };

  [[nodiscard]] decltype(auto) model(const View& at) const {
    return source_.template model<T>(at.p.subspan(kTire + wheel_block::kTireParameters<T>));
  }

  [[nodiscard]] Point point(const View& at) const {
    Point s{.p = from_values<tire::Params<T>>(at.p.subspan(kTire, wheel_block::kTireParameters<T>)),
            .ring = from_values<tire::RingParams<T>>(at.p.subspan(kRing, kRingParameters<T>)),
            .x = from_values<tire::RingStates<T>>(
                at.x.subspan(kPatch + wheel_block::kPatchStates, kRingStates)),
            .patch = {at.x[kPatch], at.x[kPatch + 1], at.x[kPatch + 2]}};
    s.patch.turn = at.x[kPatch + 3];
    Vec3<T> y = unit(input3(at, kHub + pose::kAcross));
    if (compliance_ != nullptr) y = yielded(at, s, y);
    const Vec3<T> ahead = input3(at, kHub + pose::kAhead);
    const Vec3<T> x = unit(Vec3<T>(ahead - dot(ahead, y) * y));
    s.R = {x, y, cross(x, y)};
    s.rim = {.v = transposed_times(s.R, input3(at, kHub + pose::kVelocity)),
             .omega = transposed_times(s.R, input3(at, kHub + pose::kOmega)),
             .spin = at.x[kSpinRate]};
    return s;
  }

  // The axis as the suspension yields to what the sidewalls' springs hold.
  [[nodiscard]] Vec3<T> yielded(const View& at, const Point& s, const Vec3<T>& axis) const {
    const tire::Held<T> held{s.ring.k_y * s.x.u.y, s.ring.k_t * s.x.yaw};
    const Mat3<T> R_WV = wheel_block::axes(input3(at, kChassis + pose::kAhead),
                                           input3(at, kChassis + pose::kAcross));
    return tire::turned(R_WV, axis, tire::yielding(*compliance_, held, side_));
  }

  [[nodiscard]] tire::Contact<T> touching(const View& at, const Point& s) const {
    const tire::Wheel<T> wheel = tire::ring_wheel(s.x, s.R, input3(at, kHub + pose::kPoint));
    return tire::contact(wheel, touch(ground_, at.t, wheel.centre, wheel.e_spin, s.p.R_0,
                                      wheel_block::place_of(at)));
  }

  [[nodiscard]] static tire::Sidewalls<T> walls_of(const Point& s) {
    return tire::sidewalls(s.ring, tire::rim_stop(s.p, s.ring), s.x, s.rim);
  }

  void hub_forces(const View& at) const {
    const Point s = point(at);
    const tire::Sidewalls<T> walls = walls_of(s);
    const Wrench<T> on = tire::on_rim(walls, s.x);
    const T momentum = at.p[kSpinInertia] * s.rim.spin;  // along y; it turns with the carrier
    store(s.R * on.force, at.y, wheel_block::kHubForce);
    store(s.R * Vec3<T>{on.moment.x + momentum * s.rim.omega.z, T(0.0),
                        on.moment.z - momentum * s.rim.omega.x},
          at.y, wheel_block::kHubMoment);
    store(s.R.y, at.y, wheel_block::kSpinAxis);
    at.y[wheel_block::kBrakeSpeed] = s.rim.spin - s.rim.omega.y;
    at.scratch[kSpinMoment] = on.moment.y;
    to_values(walls, at.scratch, kWalls);
  }

  // Of ring and patch.
  void motion(const View& at) const {
    const Point s = point(at);
    const tire::Contact<T> c = touching(at, s);
    const auto [F, patch] = tire::ring_contact(s.p, model(at), s.ring, c, s.patch, side_);
    const Wrench<T> w = about(tire::wrench(c, F), arm(at, s, c));
    const Wrench<T> on{transposed_times(s.R, w.moment), transposed_times(s.R, w.force)};
    const std::span<const T> carried = at.scratch;
    const auto walls = from_values<tire::Sidewalls<T>>(carried.subspan(kWalls, kRates - kWalls));
    const Vec3<T> g = transposed_times(s.R, Vec3<T>{T(0.0), T(0.0), -at.p[kGravity]});
    to_values(F, at.y, wheel_block::kTireForces);
    store({patch.u_x, patch.u_y, patch.s_y}, at.scratch, kRates);
    at.scratch[kRates + 3] = patch.turn;
    to_values(tire::ring_rates(s.ring, s.x, s.rim, walls, on, g), at.scratch,
              kRates + wheel_block::kPatchStates);
    if (!at.z.empty()) at.scratch[kPlace] = T(static_cast<double>(c.at.hit.place));
  }
  // From the centre of the ring to the contact.
  [[nodiscard]] static Vec3<T> arm(const View& at, const Point& s, const tire::Contact<T>& c) {
    return c.at.p - input3(at, kHub + pose::kPoint) - s.R * s.x.u;
  }

  void rates(const View& at) const {
    at.dx[kSpinRate] = (at.u(kDrive) + at.u(kBrake) + at.scratch[kSpinMoment]) /
                       (at.p[kSpinInertia] + at.p[kShaftInertia]);
    for (std::size_t i = 0; i + kPatch < kStates; ++i) at.dx[kPatch + i] = at.scratch[kRates + i];
  }

  void readings(const View& at) const {
    const Point s = point(at);
    const tire::Contact<T> c = touching(at, s);
    const tire::Sidewalls<T> walls = walls_of(s);
    const Wrench<T> on = tire::on_rim(walls, s.x);
    const tire::Stop<T> stop = tire::rim_stop(s.p, s.ring);
    const Vec3<T> hub = input3(at, kHub + pose::kPoint);
    const T whole =
        s.p.R_0 - touch(ground_, at.t, hub, s.R.y, s.p.R_0, wheel_block::place_of(at)).r_S;
    const T held = tire::kinetic_energy(s.ring, s.x) + tire::elastic_energy(s.ring, stop, s.x) +
                   tire::residual_energy(s.p, model(at), s.ring, c, s.patch) +
                   s.ring.m * at.p[kGravity] * (hub + s.R * s.x.u).z;
    const T given =
        -dot(on.force, s.rim.v) - dot(on.moment, Vec3<T>{s.rim.omega.x, s.rim.spin, s.rim.omega.z});
    const T I = at.p[kSpinInertia] + at.p[kShaftInertia];
    const auto list = wheel_block::shown(c, tire::sliding(s.p, model(at), c), whole, given, held,
                                         T(0.5 * I * s.rim.spin * s.rim.spin));
    std::copy(list.begin(), list.end(), at.y.begin() + wheel_block::kReport);
  }

  Source source_;
  Ground<T> ground_;
  std::shared_ptr<const tire::Compliance> compliance_;
  double side_;
};

// --- its kind ------------------------------------------------------------------------------------

template <class Source>
class RingWheelKind final : public BlockKind {
 public:
  // parameters: of the ring, then of the tire
  RingWheelKind(Source source, std::vector<NativeParameter> parameters,
                const Ground<double>& ground, std::shared_ptr<const tire::Compliance> compliance,
                const WheelDescription& d)
      : source_(std::move(source)),
        parameters_(std::move(parameters)),
        ground_(ground),
        compliance_(std::move(compliance)),
        d_(d) {}

  [[nodiscard]] BlockInfo info() const override {
    BlockInfo info;
    info.description = "a wheel whose tire has a rigid ring";
    info.parameters = {{"spin_inertia", "kg m^2", d_.spin_inertia, "of the rim about its axis"},
                       {"shaft_inertia", "kg m^2", d_.shaft_inertia, "of what turns with it"},
                       {"gravity", "m/s^2", d_.gravity, "that pulls on the ring"}};
    info.parameters.insert(info.parameters.end(), parameters_.begin(), parameters_.end());
    info.states = {wheel_block::spin_state(d_.spin)};
    wheel_block::add_patch(info.states);
    add_ring_states(info);
    wheel_block::add_inputs(info);
    info.outputs = wheel_block::outputs();
    add_tasks(info);
    info.scratch = static_cast<int>(kRates + Of<double>::kStates - kPatch);
    return info;
  }
  [[nodiscard]] std::unique_ptr<Block<double>> make(double) const override {
    return std::make_unique<Of<double>>(source_, ground_, compliance_, d_.side);
  }
  [[nodiscard]] std::unique_ptr<Block<Dual>> make(Dual) const override {
    return std::make_unique<Of<Dual>>(source_, ground_, compliance_, d_.side);
  }

 private:
  template <class T>
  using Of = RingWheelBlock<T, Source>;

  // In the order of tire::RingStates.
  void add_ring_states(BlockInfo& info) const {
    const std::vector<NativeState> list{
        {"ring_x", "m", 0, "of the ring against the rim, ahead of the hub"},
        {"ring_y", "m", 0, "of the ring against the rim, along the axis of the hub"},
        {"ring_z", "m", 0, "of the ring against the rim, up"},
        {"ring_camber", "rad", 0, "of the ring against the rim; its left side up"},
        {"ring_yaw", "rad", 0, "of the ring against the rim, to the left"},
        {"ring_windup", "rad", 0, "of the ring against the rim, about its axis"},
        {"ring_v_x", "m/s", d_.speed, "of the ring over the world, ahead of the hub"},
        {"ring_v_y", "m/s", 0, "of the ring over the world, along the axis of the hub"},
        {"ring_v_z", "m/s", 0, "of the ring over the world, up from the hub"},
        {"ring_omega_x", "rad/s", 0, "of the ring in the world, about ahead of the hub"},
        {"ring_omega_y", "rad/s", d_.spin, "of the ring in the world, about the axis of the hub"},
        {"ring_omega_z", "rad/s", 0, "of the ring in the world, about up of the hub"}};
    info.states.insert(info.states.end(), list.begin(), list.end());
  }

  void add_tasks(BlockInfo& info) const {
    std::vector<int> hub =
        pose_parts(kHub, {pose::kAhead, pose::kAcross, pose::kVelocity, pose::kOmega});
    if (compliance_ != nullptr)
      for (const int i : pose_parts(kChassis, {pose::kAhead, pose::kAcross})) hub.push_back(i);
    std::vector<int> all = hub;
    for (const int i : pose_parts(kHub, {pose::kPoint})) all.push_back(i);
    const auto count = static_cast<int>(info.outputs.size());
    using wheel_block::numbers;
    info.tasks = {
        {.name = "sidewalls",
         .reads = hub,
         .writes = numbers(wheel_block::kHubForce, wheel_block::kDriveSpeed)},
        {.name = "contact",
         .reads = all,
         .writes = numbers(wheel_block::kTireForces, wheel_block::kReport),
         .after = {kSidewalls}},
        {.name = "drive shaft",
         .reads = wheel_block::drive_shaft(),
         .writes = {wheel_block::kDriveSpeed}},
        {.name = "spin", .reads = {kDrive, kBrake}, .after = {kContact}, .rates = true},
        {.name = "readings", .reads = all, .writes = numbers(wheel_block::kReport, count)}};
    if (!searches(ground_)) return;
    info.memory = {wheel_block::place_memory()};
    info.tasks.push_back({.name = "remember", .after = {kContact}, .memory = true});
  }

  Source source_;
  std::vector<NativeParameter> parameters_;
  Ground<double> ground_;
  std::shared_ptr<const tire::Compliance> compliance_;
  WheelDescription d_;
};

}  // namespace ring_block
}  // namespace chicane
