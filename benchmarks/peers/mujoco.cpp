// SPDX-License-Identifier: Apache-2.0

// The vehicle in MuJoCo: loops are equality constraints, which are soft
// there and set as hard as the solver bears; the rack is held in the middle by one more.

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "peers.hpp"

namespace peers {

namespace {

std::string text(const Point& a) { return fmt::format("{:.17g} {:.17g} {:.17g}", a.x, a.y, a.z); }

std::string inertial(const BodyData& b, const Point& origin) {
  return fmt::format(
      "<inertial pos=\"{}\" mass=\"{:.17g}\" fullinertia=\"{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} "
      "{:.17g}\"/>",
      text(b.com - origin), b.mass, b.J[0], b.J[1], b.J[2], b.J[3], b.J[4], b.J[5]);
}

std::string model(const VehicleData& d) {
  std::string s = fmt::format(
      "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/>"
      "<size njmax=\"500\" nconmax=\"10\"/><option gravity=\"0 0 {:.17g}\" solver=\"Newton\">"
      "<flag contact=\"disable\"/></option><worldbody><body name=\"chassis\"><freejoint/>{}",
      -d.gravity, inertial(d.chassis, {}));
  for (int c = 0; c < 4; ++c) {
    const CornerData& k = d.corner[c];
    s += fmt::format("<site name=\"top{}\" pos=\"{}\"/>", c, text(k.spring_top));
    if (c >= 2) s += fmt::format("<site name=\"inner{}\" pos=\"{}\"/>", c, text(k.tie_inner));
  }
  s += fmt::format(
      "<body name=\"rack\" pos=\"{}\"><joint name=\"rack\" type=\"slide\" axis=\"0 1 0\"/>{}",
      text(d.rack_at), inertial(d.rack, d.rack_at));
  for (int c = 0; c < 2; ++c)
    s += fmt::format("<site name=\"inner{}\" pos=\"{}\"/>", c,
                     text(d.corner[c].tie_inner - d.rack_at));
  s += "</body>";
  for (int c = 0; c < 4; ++c) {
    const CornerData& k = d.corner[c];
    s += fmt::format(
        "<body name=\"uca{}\" pos=\"{}\"><joint name=\"uca{}\" type=\"hinge\" axis=\"{}\"/>{}"
        "</body>",
        c, text(k.upper_hinge), c, text(k.upper_axis), inertial(k.uca, k.upper_hinge));
    s += fmt::format(
        "<body pos=\"{}\"><joint name=\"lca{}\" type=\"hinge\" axis=\"{}\"/>{}"
        "<site name=\"foot{}\" pos=\"{}\"/>",
        text(k.lower_hinge), c, text(k.lower_axis), inertial(k.lca, k.lower_hinge), c,
        text(k.spring_foot - k.lower_hinge));
    s += fmt::format(
        "<body name=\"carrier{}\" pos=\"{}\"><joint name=\"ball{}\" type=\"ball\"/>{}"
        "<site name=\"outer{}\" pos=\"{}\"/><site name=\"wheel{}\" pos=\"{}\"/></body></body>",
        c, text(k.lower_ball - k.lower_hinge), c, inertial(k.carrier, k.lower_ball), c,
        text(k.tie_outer - k.lower_ball), c, text(k.wheel - k.lower_ball));
  }
  s += "</body></worldbody><tendon>";
  for (int c = 0; c < 4; ++c)
    s += fmt::format(
        "<spatial stiffness=\"{:.17g}\" damping=\"{:.17g}\" springlength=\"{:.17g}\">"
        "<site site=\"top{}\"/><site site=\"foot{}\"/></spatial>"
        "<spatial name=\"tie{}\"><site site=\"inner{}\"/><site site=\"outer{}\"/></spatial>",
        d.spring, d.damper, d.corner[c].spring_length, c, c, c, c, c);
  s += "</tendon><equality>";
  const std::string hard = "solref=\"0.002 1\" solimp=\"0.9999 0.9999 0.001\"";
  for (int c = 0; c < 4; ++c)
    s += fmt::format(
        "<connect body1=\"carrier{}\" body2=\"uca{}\" anchor=\"{}\" {}/>"
        "<tendon tendon1=\"tie{}\" {}/>",
        c, c, text(d.corner[c].upper_ball - d.corner[c].lower_ball), hard, c, hard);
  return s + fmt::format("<joint joint1=\"rack\" polycoef=\"0 0 0 0 0\" {}/></equality></mujoco>",
                         hard);
}

// MuJoCo's forces that are no force element of its own come through a callback.
std::array<int, 4> wheel_sites;
decltype(VehicleData::tire) wheel_force = nullptr;
void apply_tires(const mjModel* m, mjData* d) {
  for (const int site : wheel_sites) {
    const double *p = d->site_xpos + 3 * site, *R = d->site_xmat + 9 * site;
    double v[6];
    mj_objectVelocity(m, d, mjOBJ_SITE, site, v, 0);
    const TireForce t = wheel_force({p[0], p[1], p[2]}, {v[3], v[4], v[5]}, {R[1], R[4], R[7]});
    const double force[3] = {t.force.x, t.force.y, t.force.z}, moment[3] = {0, 0, 0};
    const double at[3] = {t.contact.x, t.contact.y, t.contact.z};
    mj_applyFT(m, d, force, moment, at, m->site_bodyid[site], d->qfrc_passive);
  }
}

class Vehicle : public Peer {
 public:
  explicit Vehicle(const VehicleData& d) {
    const std::string xml = model(d);
    wheel_force = d.tire;
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "vehicle.xml", static_cast<int>(xml.size()));
    std::memcpy(files->filedata[0], xml.data(), xml.size());
    char error[1000];
    m_ = mj_loadXML("vehicle.xml", files.get(), error, sizeof error);
    if (m_ == nullptr) throw std::runtime_error(error);
    mj_deleteVFS(files.get());
    d_ = mj_makeData(m_);
    rack_ = joint("rack");
    for (std::size_t c = 0; c < 4; ++c) {
      corners_[c] = {joint(fmt::format("lca{}", c)), joint(fmt::format("uca{}", c)),
                     joint(fmt::format("ball{}", c))};
      wheel_sites[c] = mj_name2id(m_, mjOBJ_SITE, fmt::format("wheel{}", c).c_str());
    }
    mjcb_passive = apply_tires;
  }
  ~Vehicle() override {
    mj_deleteData(d_);
    mj_deleteModel(m_);
    mjcb_passive = nullptr;
  }

  ChassisAcceleration accelerate(const VehicleState& s) override {
    for (int i = 0; i < 3; ++i) d_->qpos[i] = s.chassis_q[4 + i], d_->qvel[i] = s.chassis_v[3 + i];
    for (int i = 0; i < 4; ++i) d_->qpos[3 + i] = s.chassis_q[i];
    // Angular velocity in the axes of the body.
    mjtNum inverse[4], w[3];
    mju_negQuat(inverse, s.chassis_q);
    mju_rotVecQuat(w, s.chassis_v, inverse);
    for (int i = 0; i < 3; ++i) d_->qvel[3 + i] = w[i];
    set(rack_, 0.0, 0.0);
    for (std::size_t c = 0; c < 4; ++c) {
      const auto& from = s.corner[c];
      set(corners_[c].lca, from.lca, from.lca_v);
      set(corners_[c].uca, from.uca, from.uca_v);
      for (int i = 0; i < 4; ++i) d_->qpos[corners_[c].ball.q + i] = from.ball[i];
      for (int i = 0; i < 3; ++i) d_->qvel[corners_[c].ball.v + i] = from.ball_v[i];
    }
    mj_forward(m_, d_);
    ChassisAcceleration a{};
    for (int i = 0; i < 3; ++i) a.a[i] = d_->qacc[3 + i], a.a[3 + i] = d_->qacc[i];
    return a;
  }

 private:
  struct Place {
    int q = 0, v = 0;
  };
  struct Corner {
    Place lca, uca, ball;
  };
  [[nodiscard]] Place joint(const std::string& name) const {
    const int j = mj_name2id(m_, mjOBJ_JOINT, name.c_str());
    return {m_->jnt_qposadr[j], m_->jnt_dofadr[j]};
  }
  void set(Place at, double q, double v) {
    d_->qpos[at.q] = q;
    d_->qvel[at.v] = v;
  }

  Place rack_;
  std::array<Corner, 4> corners_;
  mjModel* m_ = nullptr;
  mjData* d_ = nullptr;
};

}  // namespace

Peer* mujoco_vehicle(const VehicleData& data) { return new Vehicle(data); }

}  // namespace peers
