// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "multibody/mechanism.hpp"

namespace chicane::rig {

// A wheel on its link.
struct HeldWheel {
  int link = 0;
  Vec3<double> centre{}, axis{};  // in the axes of the link, from its origin; axis to the left
  double radius = 0.0;            // [m] loaded
};

// How a wheel lies. The ground is level; contact is below the centre in the plane of the wheel.
template <class T>
struct WheelPose {
  Vec3<T> centre, axis;
  Vec3<T> ahead, left;  // level, of unit length
  Vec3<T> contact;
};
template <class T>
WheelPose<T> pose_of(const HeldWheel& wheel, const multibody::LinkMotion<T>& link);

// On a wheel, from outside, in its level axes.
enum Load { kForward, kLateral, kAligning, kDriving, kLoads };
// kForward and kLateral at the contact of a wheel that cannot turn on its carrier (as with its
// brake closed), kDriving at the centre (as with a shaft from the chassis), kAligning about z.

// What is changed a little: heights of the wheels, loads on them, the rack.
struct Change {
  std::vector<double> height;                    // [m] per wheel
  std::vector<std::array<double, kLoads>> load;  // [N], [N m] per wheel
  double rack = 0.0;                             // [m]
  explicit Change(std::size_t wheels) : height(wheels), load(wheels) {}
};

// A mechanism at rest whose chassis is clamped and whose wheel centres are held at given heights by
// vertical forces at the contacts. Unknown are its free coordinates xi and these forces F:
//   Q(xi, F) = 0        z(xi) = given
// Q are the forces along the free rates, by virtual power; Newton's method with exact derivatives.
// Docs: docs/theory/rig.md
class Statics {
 public:
  // `arm`: of the pitman arm, on whose arc the rack goes; 0: it slides.
  Statics(std::shared_ptr<const multibody::Mechanism> m, std::vector<HeldWheel> wheels,
          double arm = 0.0);

  // Moves the wheel centres to these heights over the world's origin and the rack to this way.
  // False: there is no way there, and everything is as before.
  bool move_to(std::span<const double> heights, double rack);

  [[nodiscard]] const multibody::Mechanism& mechanism() const { return *m_; }
  [[nodiscard]] const std::vector<HeldWheel>& wheels() const { return wheels_; }
  // --- where it stands
  [[nodiscard]] const std::vector<double>& heights() const { return heights_; }
  [[nodiscard]] const std::vector<double>& forces() const { return F_; }  // [N] upwards, per wheel
  [[nodiscard]] double rack() const { return rack_; }
  [[nodiscard]] const std::vector<double>& coordinates() const { return q_; }
  [[nodiscard]] const multibody::Choice& choice() const { return choice_; }
  [[nodiscard]] Vec3<double> centre_of_mass();
  [[nodiscard]] WheelPose<double> pose(std::size_t wheel);
  void set_radius(std::size_t wheel, double radius) { wheels_[wheel].radius = radius; }

  // The same with the derivatives along some changes, at most Dual::kDirections.
  struct Tangent {
    multibody::Workspace<Dual> ws;
    std::vector<Dual> F;
    [[nodiscard]] WheelPose<Dual> pose(const HeldWheel& wheel) const {
      return pose_of(wheel, ws.motion[static_cast<std::size_t>(wheel.link)]);
    }
  };
  // Nothing where a change moves what nothing holds.
  std::optional<Tangent> along(std::span<const Change> changes);

 private:
  // Columns of the derivatives: free rates, forces of the wheels, loads, the rack.
  struct Columns {
    std::size_t rates, forces, loads, rack, count;
  };
  struct Point {  // all that moves
    std::vector<double> q, F;
    multibody::Choice choice;
    double rack;
  };
  struct Linear {
    Eigen::VectorXd Q, z;
    Eigen::MatrixXd A, B;  // derivatives of Q and of z along the columns
  };

  [[nodiscard]] Columns columns() const;
  template <class T>
  [[nodiscard]] std::vector<multibody::Drive<T>> drives(const T& rack) const;
  [[nodiscard]] std::vector<int> free_rates() const;
  bool find_tangents();
  bool linearize(std::size_t count, Linear& out);
  bool differentiate(std::size_t first, std::size_t count, Linear& out);
  void add_loads(std::size_t first, std::span<const Dual> F, std::size_t count,
                 std::vector<Wrench<Dual>>& on_links);
  bool solve(std::span<const double> heights);
  [[nodiscard]] Eigen::MatrixXd balance(const Linear& l) const;
  bool step_to(std::span<const double> heights, double rack);
  void place();  // all links, at rest

  std::shared_ptr<const multibody::Mechanism> m_;
  std::vector<HeldWheel> wheels_;
  double arm_;
  multibody::Choice choice_;
  std::vector<double> q_, F_, heights_;
  double rack_ = 0.0;
  std::vector<int> free_;                     // rates that are free
  std::vector<std::vector<double>> tangent_;  // dq along each of them
  multibody::Workspace<double> ws_;
  multibody::Workspace<Dual> dual_;
};

}  // namespace chicane::rig
