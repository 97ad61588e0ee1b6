// SPDX-License-Identifier: Apache-2.0

// The vehicle in Simbody (its rack is a prescribed motion, its loops are
// ball and rod constraints).

#include <SimTKsimbody.h>

#include <array>
#include <memory>
#include <vector>

#include "peers.hpp"

namespace peers {

namespace {

using SimTK::MobilizedBody;
using SimTK::SpatialVec;
using SimTK::Transform;

SimTK::Vec3 vec(const Point& a) { return {a.x, a.y, a.z}; }
Point point(const SimTK::Vec3& a) { return {a[0], a[1], a[2]}; }
SimTK::Rotation z_along(const Point& axis) { return {SimTK::UnitVec3(vec(axis)), SimTK::ZAxis}; }

SimTK::Body::Rigid rigid(const BodyData& b, const Point& origin) {
  const SimTK::Vec3 com = vec(b.com - origin);
  const SimTK::Inertia about_com(SimTK::Vec3(b.J[0], b.J[1], b.J[2]),
                                 SimTK::Vec3(b.J[3], b.J[4], b.J[5]));
  return SimTK::Body::Rigid(
      SimTK::MassProperties(b.mass, com, about_com.shiftFromMassCenter(-com, b.mass)));
}

struct Wheel {
  SimTK::MobilizedBodyIndex body;
  SimTK::Vec3 centre;
};

class Tires : public SimTK::Force::Custom::Implementation {
 public:
  Tires(const SimTK::SimbodyMatterSubsystem& matter, std::vector<Wheel> wheels,
        decltype(VehicleData::tire) tire)
      : matter_(matter), wheels_(std::move(wheels)), tire_(tire) {}
  void calcForce(const SimTK::State& s, SimTK::Vector_<SpatialVec>& forces,
                 SimTK::Vector_<SimTK::Vec3>&, SimTK::Vector&) const override {
    for (const Wheel& w : wheels_) {
      const MobilizedBody& b = matter_.getMobilizedBody(w.body);
      const TireForce t = tire_(point(b.findStationLocationInGround(s, w.centre)),
                                point(b.findStationVelocityInGround(s, w.centre)),
                                point(b.getBodyRotation(s).y().asVec3()));
      const SimTK::Vec3 f = vec(t.force), r = vec(t.contact) - b.getBodyOriginLocation(s);
      forces[w.body] += SpatialVec(r % f, f);
    }
  }
  SimTK::Real calcPotentialEnergy(const SimTK::State&) const override { return 0; }

 private:
  const SimTK::SimbodyMatterSubsystem& matter_;
  std::vector<Wheel> wheels_;
  decltype(VehicleData::tire) tire_;
};

class Vehicle : public Peer {
 public:
  explicit Vehicle(const VehicleData& d) : amplitude_(d.rack_amplitude), w_(d.rack_frequency) {
    SimTK::Force::Gravity(forces_, matter_, SimTK::Vec3(0, 0, -d.gravity));
    chassis_ =
        MobilizedBody::Free(matter_.Ground(), Transform(), rigid(d.chassis, {}), Transform());
    const SimTK::Rotation along_y(SimTK::UnitVec3(0, 1, 0), SimTK::XAxis);
    MobilizedBody::Slider slider(chassis_, Transform(along_y, vec(d.rack_at)),
                                 rigid(d.rack, d.rack_at), Transform(along_y, SimTK::Vec3(0)));
    SimTK::Motion::Sinusoid(slider, SimTK::Motion::Position, d.rack_amplitude, d.rack_frequency,
                            0.0);
    rack_ = slider;
    std::vector<Wheel> wheels;
    for (int c = 0; c < 4; ++c) add_corner(d, c, slider, wheels);
    SimTK::Force::Custom(forces_, new Tires(matter_, wheels, d.tire));
    state_ = std::make_unique<SimTK::State>(system_.realizeTopology());
    system_.realizeModel(*state_);
  }

  ChassisAcceleration accelerate(const VehicleState& s) override {
    state_->setTime(s.t);
    SimTK::Vector& q = state_->updQ();
    SimTK::Vector& u = state_->updU();
    put(q, u, chassis_, s);
    q[rack_.getFirstQIndex(*state_)] = amplitude_ * std::sin(w_ * s.t);
    u[rack_.getFirstUIndex(*state_)] = amplitude_ * w_ * std::cos(w_ * s.t);
    system_.realize(*state_, SimTK::Stage::Acceleration);
    const SpatialVec a = chassis_.getBodyAcceleration(*state_);
    return {{a[0][0], a[0][1], a[0][2], a[1][0], a[1][1], a[1][2]}};
  }

 private:
  struct Corner {
    MobilizedBody lca, uca, carrier;
  };

  void add_corner(const VehicleData& d, int c, MobilizedBody& rack, std::vector<Wheel>& wheels) {
    const CornerData& k = d.corner[c];
    const SimTK::Rotation R_l = z_along(k.lower_axis), R_u = z_along(k.upper_axis);
    Corner& b = corners_[static_cast<std::size_t>(c)];
    b.lca = MobilizedBody::Pin(chassis_, Transform(R_l, vec(k.lower_hinge)),
                               rigid(k.lca, k.lower_hinge), Transform(R_l, SimTK::Vec3(0)));
    b.uca = MobilizedBody::Pin(chassis_, Transform(R_u, vec(k.upper_hinge)),
                               rigid(k.uca, k.upper_hinge), Transform(R_u, SimTK::Vec3(0)));
    b.carrier = MobilizedBody::Ball(b.lca, Transform(vec(k.lower_ball - k.lower_hinge)),
                                    rigid(k.carrier, k.lower_ball), Transform());
    SimTK::Constraint::Ball(b.carrier, vec(k.upper_ball - k.lower_ball), b.uca,
                            vec(k.upper_ball - k.upper_hinge));
    const SimTK::Vec3 outer = vec(k.tie_outer - k.lower_ball);
    if (c < 2)
      SimTK::Constraint::Rod(b.carrier, outer, rack, vec(k.tie_inner - d.rack_at), k.tie_length);
    else
      SimTK::Constraint::Rod(b.carrier, outer, chassis_, vec(k.tie_inner), k.tie_length);
    const SimTK::Vec3 top = vec(k.spring_top), foot = vec(k.spring_foot - k.lower_hinge);
    SimTK::Force::TwoPointLinearSpring(forces_, chassis_, top, b.lca, foot, d.spring,
                                       k.spring_length);
    SimTK::Force::TwoPointLinearDamper(forces_, chassis_, top, b.lca, foot, d.damper);
    wheels.push_back({b.carrier.getMobilizedBodyIndex(), vec(k.wheel - k.lower_ball)});
  }

  void put(SimTK::Vector& q, SimTK::Vector& u, const MobilizedBody& chassis,
           const VehicleState& s) {
    const int cq = chassis.getFirstQIndex(*state_), cu = chassis.getFirstUIndex(*state_);
    for (int i = 0; i < 7; ++i) q[cq + i] = s.chassis_q[i];
    for (int i = 0; i < 6; ++i) u[cu + i] = s.chassis_v[i];
    for (std::size_t c = 0; c < 4; ++c) {
      const auto& from = s.corner[c];
      const Corner& b = corners_[c];
      q[b.lca.getFirstQIndex(*state_)] = from.lca;
      q[b.uca.getFirstQIndex(*state_)] = from.uca;
      u[b.lca.getFirstUIndex(*state_)] = from.lca_v;
      u[b.uca.getFirstUIndex(*state_)] = from.uca_v;
      const int bq = b.carrier.getFirstQIndex(*state_), bu = b.carrier.getFirstUIndex(*state_);
      for (int i = 0; i < 4; ++i) q[bq + i] = from.ball[i];
      // Simbody wants the angular velocity in the axes of the arm.
      const SimTK::Rotation R(
          SimTK::Quaternion(from.ball[0], from.ball[1], from.ball[2], from.ball[3]));
      const SimTK::Vec3 w = R * SimTK::Vec3(from.ball_v[0], from.ball_v[1], from.ball_v[2]);
      for (int i = 0; i < 3; ++i) u[bu + i] = w[i];
    }
  }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  MobilizedBody chassis_, rack_;
  double amplitude_, w_;
  std::array<Corner, 4> corners_;
  std::unique_ptr<SimTK::State> state_;
};

}  // namespace

Peer* simbody_vehicle(const VehicleData& data) { return new Vehicle(data); }

}  // namespace peers
