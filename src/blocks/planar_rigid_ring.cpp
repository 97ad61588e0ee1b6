// SPDX-License-Identifier: Apache-2.0
#include "blocks/planar_rigid_ring.hpp"

#include <type_traits>

#include "blocks/template_block.hpp"
#include "vehicle/tire/planar_rigid_ring.hpp"

namespace chicane::planar_rigid_ring {
namespace {

enum Input { kX, kY, kTheta, kVx, kVy, kOmega, kRoad };
enum Output { kFx, kFy, kT, kFN, kFroad };
enum Task { kSidewall, kDynamics };

template <class T, RingFrame frame>
class RingBlock final : public Block<T> {
 public:
  void run(int task, const BlockView<T>& at) const noexcept override {
    const auto p = from_values<Params<T>>(at.p);
    const Pose<T> q{at.x[0], at.x[1], at.x[2]};
    const Velocity<T> v{at.x[3], at.x[4], at.x[5]};
    const Velocity<T> slide{v.x - at.u(kVx), v.y - at.u(kVy), v.theta - at.u(kOmega)};
    if (task == kSidewall) {
      const Wrench<T> hub = sidewall(p, offset(at, q), slide);
      at.y[kFx] = hub.x;
      at.y[kFy] = hub.y;
      at.y[kT] = hub.theta;
      return;
    }
    const Wrench<T> hub{at.y[kFx], at.y[kFy], at.y[kT]};
    const T& s = at.x[6];
    const Contact<T> road = contact(p, height(at, q), v.y, s, at.u(kRoad));
    const Rates<T> d = rates(p, v, s, hub, road);
    const Velocity<T> move = frame == RingFrame::relative ? slide : v;
    at.y[kFN] = road.F_N;
    at.y[kFroad] = road.F_road;
    at.dx[0] = move.x;
    at.dx[1] = move.y;
    at.dx[2] = move.theta;
    at.dx[3] = d.v.x;
    at.dx[4] = d.v.y;
    at.dx[5] = d.v.theta;
    at.dx[6] = d.s;
  }

 private:
  static Pose<T> offset(const BlockView<T>& at, const Pose<T>& q) {
    if constexpr (frame == RingFrame::relative)
      return q;
    else
      return {q.x - at.u(kX), q.y - at.u(kY), q.theta - at.u(kTheta)};
  }
  static T height(const BlockView<T>& at, const Pose<T>& q) {
    if constexpr (frame == RingFrame::relative)
      return at.u(kY) + q.y;
    else
      return q.y;
  }
};

template <class T>
using RelativeRing = RingBlock<T, RingFrame::relative>;
template <class T>
using InertialRing = RingBlock<T, RingFrame::inertial>;

// Calibrated: the source gives no numbers; these give its largest stable steps.
std::vector<NativeParameter> parameters() {
  return {{"m", "kg", 5.0, "mass of the ring"},
          {"I", "kg m^2", 0.30, "inertia of the ring"},
          {"R", "m", 0.30, "radius of the ring"},
          {"K_x", "N/m", 1.2e6, "sidewall stiffness along x"},
          {"C_x", "N s/m", 130.0, "sidewall damping along x"},
          {"K_y", "N/m", 1.2e6, "sidewall stiffness along y"},
          {"C_y", "N s/m", 130.0, "sidewall damping along y"},
          {"K_theta", "N m/rad", 2e4, "torsional stiffness of the sidewall"},
          {"C_theta", "N m s/rad", 5.0, "torsional damping of the sidewall"},
          {"K_res", "N/m", 7.2e5, "residual stiffness between ring and road"},
          {"C_res", "N s/m", 30.0, "residual damping"},
          {"y_0", "m", 0.30, "height of the ring's centre at which the residual spring is relaxed"},
          {"a", "m", 0.06, "static relaxation length"},
          {"c_px", "N/m^2", 6.2e7, "longitudinal tread stiffness"},
          {"mu", "-", 0.9, "friction coefficient"},
          {"c_rr", "m", 0.005, "rolling resistance: torque over load"},
          {"sigma_min", "m", 0.004, "floor of the relaxation length"},
          {"g", "m/s^2", 9.81, "gravity"}};
}

template <RingFrame frame>
class RingKind final
    : public std::conditional_t<frame == RingFrame::relative, TemplateBlockKind<RelativeRing>,
                                TemplateBlockKind<InertialRing>> {
 public:
  [[nodiscard]] BlockInfo info() const override {
    constexpr bool relative = frame == RingFrame::relative;
    const std::string of = relative ? " of the ring, relative to the hub" : " of the ring";
    BlockInfo info;
    info.description = relative ? "planar rigid-ring tire, ring position relative to the hub"
                                : "planar rigid-ring tire, ring position in the world";
    info.parameters = parameters();
    info.states = {{"x", "m", 0, "position" + of},
                   {"y", "m", 0, (relative ? "height" : "height of the centre") + of},
                   {"theta", "rad", 0, "angle" + of},
                   {"vx", "m/s", 0, "forward speed of the ring"},
                   {"vy", "m/s", 0, "upward speed of the ring"},
                   {"omega", "rad/s", 0, "spin of the ring, negative rolling forward"},
                   {"s", "-", 0, "longitudinal slip, positive driven"}};
    info.inputs = {
        {"x_H", "m", "position of the hub"},        {"y_H", "m", "height of the hub"},
        {"theta_H", "rad", "angle of the hub"},     {"vx_H", "m/s", "forward speed of the hub"},
        {"vy_H", "m/s", "upward speed of the hub"}, {"omega_H", "rad/s", "spin of the hub"},
        {"y_road", "m", "height of the road"}};
    info.outputs = {{"F_x", "N", "force on the hub along x"},
                    {"F_y", "N", "force on the hub along y"},
                    {"T", "N m", "torque on the hub"},
                    {"F_N", "N", "load: force of the road on the ring, upward"},
                    {"F_road", "N", "force of the road on the ring, forward"}};
    using Inputs = std::vector<int>;
    info.tasks = {
        {.name = "sidewall",
         .reads = relative ? Inputs{kVx, kVy, kOmega} : Inputs{kX, kY, kTheta, kVx, kVy, kOmega},
         .writes = {kFx, kFy, kT}},
        {.name = "dynamics",
         .reads = relative ? Inputs{kY, kVx, kVy, kOmega, kRoad} : Inputs{kVx, kVy, kOmega, kRoad},
         .writes = {kFN, kFroad},
         .after = {kSidewall},
         .rates = true}};
    return info;
  }
};

}  // namespace
}  // namespace chicane::planar_rigid_ring

namespace chicane {

std::shared_ptr<const BlockKind> planar_rigid_ring_kind(RingFrame frame) {
  using namespace planar_rigid_ring;
  if (frame == RingFrame::relative) return std::make_shared<RingKind<RingFrame::relative>>();
  return std::make_shared<RingKind<RingFrame::inertial>>();
}

}  // namespace chicane
