// SPDX-License-Identifier: Apache-2.0
#include "analysis/rig/rig.hpp"

#include <algorithm>
#include <cmath>

#include "core/at.hpp"
#include "math/decompositions.hpp"
#include "multibody/forces/shown.hpp"

namespace chicane::rig {

using namespace multibody;

namespace {

// Changes along which an axle is differentiated: travel of either wheel, the rack, and a load on
// both wheels alike.
enum Direction { kLeft, kRight, kRack, kLateralLoad, kForwardLoad, kDrivingLoad, kAligningLoad };

// Both wheels rise by as much.
double rising(const Dual& x) { return x.b[kLeft] + x.b[kRight]; }

int index_of_name(const std::vector<std::string>& names, const std::string& name) {
  const auto it = std::find(names.begin(), names.end(), name);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

// A point of a body that was there in the position of the description, on its link.
Vec3<double> on_its_link(const Description& d, const Mechanism& m, const std::string& body,
                         const Vec3<double>& point, int& link) {
  for (std::size_t i = 0; i < d.bodies.size(); ++i) {
    if (d.bodies[i].name != body) continue;
    const BodyFrame& frame = m.bodies[i];
    link = frame.link;
    return frame.p_LB + frame.R_LB * (point - d.bodies[i].reference.value_or(d.bodies[i].com));
  }
  link = 0;
  return point;
}

std::vector<HeldWheel> held_wheels(const RigVehicle& v, const Mechanism& m) {
  std::vector<HeldWheel> list;
  for (const RigAxle& a : v.axles)
    for (const std::size_t side : {0U, 1U}) {
      const WheelMount& mount = side == 0 ? a.axle.left : a.axle.right;
      HeldWheel w;
      w.centre = on_its_link(v.mechanism, m, mount.body, mount.centre, w.link);
      w.axis =
          on_its_link(v.mechanism, m, mount.body, mount.centre + mount.axis, w.link) - w.centre;
      w.radius = a.radius[side];
      list.push_back(w);
    }
  return list;
}

// How a frame turns as both wheels rise [rad/m].
Vec3<double> turning(const Mat3<Dual>& R) {
  Vec3<double> w{};
  for (const Vec3<Dual>* e : {&R.x, &R.y, &R.z})
    w += 0.5 * cross(value_of(*e), Vec3<double>{rising(e->x), rising(e->y), rising(e->z)});
  return w;
}

// Infinite where nothing turns but rounding.
double swing_arm(double rise, double turn) {
  constexpr double kRounding = 1e-9;  // [rad/m]
  return std::fabs(turn) < kRounding ? std::numeric_limits<double>::infinity() : rise / turn;
}

// The contact as a point of the carrier.
Vec3<Dual> carried_contact(const LinkMotion<Dual>& link, const WheelPose<Dual>& p) {
  const Mat3<double> R{value_of(link.R.x), value_of(link.R.y), value_of(link.R.z)};
  return link.p + link.R * transposed_times(R, value_of(p.contact) - value_of(link.p));
}

// Where the ground turns about the chassis, seen from behind: each contact goes with it,
//   v_y = z_r - z,   v_z = y - y_r        for a turn of 1 rad/s
// Unknown are the rates of both travels, z_r and y_r. Docs: docs/theory/rig.md
struct RollCentre {
  double height, offset;
};
RollCentre roll_centre(const std::array<Vec3<Dual>, 2>& contact) {
  constexpr double kParallel = 1e-9;
  const Vec3<double> left = value_of(contact[0]), right = value_of(contact[1]);
  const double y_m = 0.5 * (left.y + right.y), z_m = 0.5 * (left.z + right.z);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4, 4);
  Eigen::VectorXd b(4);
  for (Eigen::Index k = 0; k < 2; ++k) {
    const Vec3<Dual>& p = contact[static_cast<std::size_t>(k)];
    A.row(2 * k) << p.y.b[kLeft], p.y.b[kRight], -1.0, 0.0;
    A.row(2 * k + 1) << p.z.b[kLeft], p.z.b[kRight], 0.0, 1.0;
    b(2 * k) = -(p.z.a - z_m);
    b(2 * k + 1) = p.y.a - y_m;
  }
  const Eigen::VectorXd x = LeastSquares(A, kParallel).solve(b);
  const double slope = (left.z - right.z) / (left.y - right.y);
  return {(x(2) - slope * x(3)) / std::hypot(1.0, slope), x(3) + y_m};
}

}  // namespace

Rig::Rig(RigVehicle vehicle, std::shared_ptr<const Mechanism> m)
    : vehicle_(std::move(vehicle)), statics_(m, held_wheels(vehicle_, *m), vehicle_.arm) {
  const Description& d = vehicle_.mechanism;
  for (const BodyDescription& b : d.bodies) mass_ += b.mass;
  for (const RigAxle& a : vehicle_.axles)
    for (const std::size_t side : {0U, 1U}) {
      const auto& pin = (side == 0 ? a.axle.left : a.axle.right).pin;
      pins_.emplace_back();
      if (pin) {
        Pin p{};
        p.lower.at = on_its_link(d, *m, pin->lower.body, pin->lower.at, p.lower.link);
        p.upper.at = on_its_link(d, *m, pin->upper.body, pin->upper.at, p.upper.link);
        pins_.back() = p;
      }
      springs_.push_back({index_of_name(m->force_names, "spring_" + a.wheel[side]),
                          index_of_name(m->force_names, "damper_" + a.wheel[side])});
    }
}

bool Rig::move_to(std::span<const std::array<double, 2>> travel, double rack) {
  std::vector<double> heights;
  for (std::size_t a = 0; a < travel.size(); ++a)
    for (const std::size_t side : {0U, 1U})
      heights.push_back(zero_[2 * a + side] + travel[a][side]);
  return statics_.move_to(heights, rack);
}

// --- where there is no travel --------------------------------------------------------------------

// Level, both wheels of an axle with the same travel from the position of the file, each axle with
// its share of the weight.
bool Rig::carry_weight(Diagnostics& diag) {
  constexpr int kMost = 60;
  constexpr double kEnough = 0.01, kWay = 0.02;  // [N], [m] in a step
  const double weight = mass_ * norm(vehicle_.mechanism.gravity);
  std::vector<double> heights = statics_.heights();
  for (int i = 0; i < kMost; ++i) {
    if (!statics_.move_to(heights, 0.0)) break;
    const double x_f = statics_.pose(0).contact.x, x_r = statics_.pose(2).contact.x;
    const double front = (statics_.centre_of_mass().x - x_r) / (x_f - x_r) * weight;
    const std::array<double, 2> wanted{front, weight - front};
    double worst = 0.0;
    for (const std::size_t a : {0U, 1U}) {
      const auto t = statics_.along(changes_of(a));
      if (!t) return false;
      const Dual F = t->F[2 * a] + t->F[2 * a + 1];
      worst = std::max(worst, std::fabs(wanted[a] - F.a));
      const double step =
          rising(F) > 0.0 ? (wanted[a] - F.a) / rising(F) : std::copysign(kWay, wanted[a] - F.a);
      for (const std::size_t side : {0U, 1U})
        heights[2 * a + side] += std::clamp(step, -kWay, kWay);
    }
    if (worst < kEnough) return true;
  }
  diag.error(vehicle_.mechanism.where,
             "on the rig the springs do not carry the vehicle's weight of {:.4g} kN near the "
             "position of the file: check springs and preloads, or measure from the position of "
             "the file",
             weight / 1e3);
  return false;
}

bool Rig::find_zero(Zero zero, Diagnostics& diag) {
  if (!statics_.move_to(statics_.heights(), 0.0)) {
    diag.error(vehicle_.mechanism.where,
               "the suspensions are not in balance on the rig with the chassis held: something "
               "hangs loose, or springs are far from the position of the file");
    return false;
  }
  if (zero == Zero::laden && vehicle_.axles.size() == 2) {
    if (!carry_weight(diag)) return false;
    for (std::size_t w = 0; w < statics_.wheels().size(); ++w) {
      const RigAxle& a = vehicle_.axles[w / 2];
      if (a.stiffness[w % 2] > 0.0)
        statics_.set_radius(w, a.radius[w % 2] - statics_.forces()[w] / a.stiffness[w % 2]);
    }
    if (!carry_weight(diag)) return false;
  }
  take_zero();
  return true;
}

void Rig::take_zero() {
  zero_ = statics_.heights();
  contacts_.clear();
  steer_.clear();
  for (std::size_t w = 0; w < zero_.size(); ++w) {
    const WheelPose<double> p = statics_.pose(w);
    contacts_.push_back(p.contact);
    steer_.push_back(std::atan2(p.ahead.y, p.ahead.x));
  }
  track_.clear();
  for (std::size_t a = 0; a < vehicle_.axles.size(); ++a)
    track_.push_back(contacts_[2 * a].y - contacts_[2 * a + 1].y);
  if (vehicle_.axles.size() != 2) return;
  const Vec3<double> front = 0.5 * (contacts_[0] + contacts_[1]),
                     rear = 0.5 * (contacts_[2] + contacts_[3]), c = statics_.centre_of_mass();
  wheel_base_ = front.x - rear.x;
  height_ = c.z - (rear.z + (front.z - rear.z) * (c.x - rear.x) / wheel_base_);
}

// --- readings ------------------------------------------------------------------------------------

std::vector<Change> Rig::changes_of(std::size_t axle) const {
  const std::size_t wheels = statics_.wheels().size();
  std::vector<Change> list(kAligningLoad + 1, Change(wheels));
  list[kLeft].height[2 * axle] = 1.0;
  list[kRight].height[2 * axle + 1] = 1.0;
  list[kRack].rack = vehicle_.steered ? 1.0 : 0.0;
  for (const auto& [direction, load] :
       {std::pair{kLateralLoad, kLateral}, std::pair{kForwardLoad, kForward},
        std::pair{kDrivingLoad, kDriving}, std::pair{kAligningLoad, kAligning}})
    for (const std::size_t side : {0U, 1U}) list[direction].load[2 * axle + side][load] = 1.0;
  return list;
}

void Rig::read_pin(std::size_t wheel, const Statics::Tangent& t, WheelReading& r) const {
  if (!pins_[wheel]) return;
  const double s = wheel % 2 == 0 ? 1.0 : -1.0;
  const auto place = [&](const PinPoint& p) {
    const LinkMotion<Dual>& link = t.ws.motion[at(p.link)];
    return value_of(Vec3<Dual>(link.p + link.R * p.at));
  };
  const Vec3<double> lower = place(pins_[wheel]->lower), d = place(pins_[wheel]->upper) - lower;
  const WheelPose<Dual> p = t.pose(statics_.wheels()[wheel]);
  const Vec3<double> contact = value_of(p.contact);
  const Vec3<double> ground = lower + ((contact.z - lower.z) / d.z) * d;
  r.caster = std::atan2(-d.x, d.z);
  r.kingpin = std::atan2(-s * d.y, d.z);
  r.trail = dot(ground - contact, value_of(p.ahead));
  r.scrub = -s * dot(ground - contact, value_of(p.left));
}

WheelReading Rig::read_wheel(std::size_t wheel, const Statics::Tangent& t) const {
  const double s = wheel % 2 == 0 ? 1.0 : -1.0;
  const LinkMotion<Dual>& link = t.ws.motion[at(statics_.wheels()[wheel].link)];
  const WheelPose<Dual> p = t.pose(statics_.wheels()[wheel]);
  const Vec3<Dual> contact = carried_contact(link, p);
  const Dual steer = atan2(p.ahead.y, p.ahead.x), camber = -s * asin(p.axis.z);
  const Dual& F = t.F[wheel];
  WheelReading r;
  r.travel = p.centre.z.a - zero_[wheel];
  r.steer = steer.a;
  r.toe = -s * steer.a;
  r.camber = camber.a;
  read_pin(wheel, t, r);
  const Vec3<double> way = value_of(p.contact) - contacts_[wheel];
  r.forward = way.x;
  r.outward = s * way.y;
  r.toe_gain = -s * rising(steer);
  r.camber_gain = rising(camber);
  r.load = F.a;
  r.rate = rising(F);
  r.roll_rate = s * (F.b[kLeft] - F.b[kRight]);
  const auto ratio = [&](int element) {
    if (element < 0) return kUnknown;
    std::array<Dual, 3> line;
    measure<Dual>(statics_.mechanism().forces[at(element)], t.ws, {}, line);
    return -rising(line[0]);
  };
  r.spring_ratio = ratio(springs_[wheel].spring);
  r.damper_ratio = ratio(springs_[wheel].damper);
  r.brake_support = std::atan2(rising(contact.x), rising(contact.z));
  r.drive_support = std::atan2(rising(p.centre.x), rising(p.centre.z));
  const Vec3<double> turn = turning(link.R);
  r.front_arm = swing_arm(s * rising(contact.z), turn.x);
  r.side_arm = swing_arm(-rising(contact.z), turn.y);
  const YieldingAngles& y = vehicle_.axles[wheel / 2].yields;
  r.lateral_steer = steer.b[kLateralLoad] + y.steer_by_force;
  r.lateral_camber = camber.b[kLateralLoad] - s * y.inclination_by_force;
  r.lateral_shift = p.centre.y.b[kLateralLoad];
  r.lateral_load = F.b[kLateralLoad];
  r.forward_steer = steer.b[kForwardLoad];
  r.forward_shift = p.centre.x.b[kForwardLoad];
  r.driving_steer = steer.b[kDrivingLoad];
  r.aligning_steer = steer.b[kAligningLoad] + y.steer_by_torque;
  r.aligning_camber = camber.b[kAligningLoad] - s * y.inclination_by_torque;
  return r;
}

// Ackermann: the inner wheel's further angle over the one with which the axes of both wheels meet
// on the line of the other axle, cot(outer) - cot(inner) = w / l.
void Rig::read_steering(std::size_t axle, double mean_gain, AxleReading& r) const {
  constexpr double kSmall = 0.01;  // [rad] below which there is nothing to compare
  constexpr double kMoves = 1e-6;  // [rad/m]: the rack does not steer this axle
  constexpr double kAside = 1e-6;  // [m]
  const auto& angle = vehicle_.steering_wheel;
  if (!vehicle_.steered || std::fabs(mean_gain) < kMoves) return;
  if (angle) {
    r.steering_wheel = angle(r.rack);
    const double per_way = (angle(r.rack + kAside) - angle(r.rack - kAside)) / (2.0 * kAside);
    r.steering_ratio = per_way / mean_gain;
  }
  const double left = r.wheel[0].steer - steer_[2 * axle],
               right = r.wheel[1].steer - steer_[2 * axle + 1];
  if (std::fabs(r.mean_steer) < kSmall || std::isnan(wheel_base_)) return;
  const bool to_left = left + right > 0.0;
  const double inner = std::fabs(to_left ? left : right), outer = std::fabs(to_left ? right : left);
  double between = r.track;
  if (!std::isnan(r.wheel[0].scrub)) between -= r.wheel[0].scrub + r.wheel[1].scrub;
  const double ideal = std::atan2(1.0, 1.0 / std::tan(outer) - between / wheel_base_);
  r.ackermann = (inner - outer) / (ideal - outer);
}

void Rig::read_anti(std::size_t axle, AxleReading& r) const {
  if (std::isnan(wheel_base_)) return;
  const RigAxle& a = vehicle_.axles[axle];
  const double end = axle == 0 ? 1.0 : -1.0;
  const auto mean = [&](double WheelReading::*angle) {
    return 0.5 * (std::tan(r.wheel[0].*angle) + std::tan(r.wheel[1].*angle));
  };
  const double lever = end * wheel_base_ / height_;
  r.anti_brake = lever * a.brake_share * mean(&WheelReading::brake_support);
  r.anti_drive = lever * a.drive_share * mean(&WheelReading::drive_support);
}

std::optional<AxleReading> Rig::read_axle(std::size_t axle) {
  const auto t = statics_.along(changes_of(axle));
  if (!t) return std::nullopt;
  AxleReading r;
  std::array<Vec3<Dual>, 2> contact;
  Dual steer;
  for (const std::size_t side : {0U, 1U}) {
    const HeldWheel& w = statics_.wheels()[2 * axle + side];
    const WheelPose<Dual> p = t->pose(w);
    contact[side] = carried_contact(t->ws.motion[at(w.link)], p);
    steer += 0.5 * atan2(p.ahead.y, p.ahead.x);
    r.wheel[side] = read_wheel(2 * axle + side, *t);
  }
  r.rack = statics_.rack();
  r.mean_steer = steer.a;
  const Dual roll = -atan2(contact[0].z - contact[1].z, contact[0].y - contact[1].y);
  const auto per_roll = [&](const Dual& x) {
    return (x.b[kRight] - x.b[kLeft]) / (roll.b[kRight] - roll.b[kLeft]);
  };
  r.roll = roll.a;
  r.track = contact[0].y.a - contact[1].y.a;
  r.track_change = r.track - track_[axle];
  const RollCentre centre = roll_centre(contact);
  r.roll_centre_height = centre.height;
  r.roll_centre_offset = centre.offset;
  r.roll_stiffness = 0.5 * r.track * per_roll(t->F[2 * axle + 1] - t->F[2 * axle]);
  r.roll_steer = per_roll(steer);
  read_steering(axle, steer.b[kRack], r);
  read_anti(axle, r);
  return r;
}

std::optional<std::vector<AxleReading>> Rig::read() {
  std::vector<AxleReading> list;
  for (std::size_t a = 0; a < vehicle_.axles.size(); ++a) {
    const auto r = read_axle(a);
    if (!r) return std::nullopt;
    list.push_back(*r);
  }
  return list;
}

}  // namespace chicane::rig
