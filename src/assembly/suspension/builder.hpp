// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assembly/suspension/suspension.hpp"

// What the types of suspension are written with.

namespace chicane::suspension {

inline const std::string kRack = "rack";

// One side of an axle. The file describes the left one; the right one is its mirror image.
struct Side {
  std::string suffix;
  bool mirrored = false;

  [[nodiscard]] std::string name(std::string_view part) const;
  // Of a point, or of the direction of a slide.
  [[nodiscard]] Vec3<double> point(const Vec3<double>& p) const;
  // Of the axis of a turning: equal angles are mirror images of each other.
  [[nodiscard]] Vec3<double> turning(const Vec3<double>& axis) const;
  [[nodiscard]] Sym3<double> inertia(const Sym3<double>& J) const;
};

// By name: of the left side, in the frame of the vehicle.
using HardPoints = std::map<std::string, Vec3<double>>;

// Where a force acts: between the chassis and a part.
struct Seat {
  std::string part;
  std::array<Vec3<double>, 2> points{};  // on the chassis, on the part
  std::optional<Vec3<double>> axis{};    // of the chassis; none: the line between the points

  [[nodiscard]] double length() const;  // in the position of the file
};

struct PointMass {
  double mass = 0.0;  // [kg]
  Vec3<double> at{};  // [m]
};

// Reads the sections of an axle and collects what they come to. The right side of everything is
// made here; the types of suspension speak of the left one.
class Builder {
 public:
  Builder(Keys& axle, Keys& suspension, const AxleNames& names, const Vec3<double>& at,
          const multibody::Description& vehicle);

  // --- reading: faults go to the diagnostics, and what is missing is zero ------------------------

  Keys& axle() { return axle_; }
  Keys& keys() { return keys_; }  // of the section 'suspension'
  Diagnostics& diagnostics() { return axle_.diagnostics(); }
  [[nodiscard]] const std::string& owner() const { return owner_; }

  HardPoints points(std::initializer_list<std::string> names);
  // In the frame of the vehicle; in the file it is from where the axle is.
  Vec3<double> point(const DataSpec& data);
  Vec3<double> point(Keys& keys, std::string_view key, const Vec3<double>& otherwise);
  // A body; its inertia may be given in the frame of an arm, if it is one.
  multibody::BodyDescription part(std::string_view key,
                                  const std::optional<Mat3<double>>& arm = std::nullopt);
  // With an owner it must be there.
  static std::optional<Keys> section(Keys& of, std::string_view key, std::string_view owner = {});
  // The body of that name, or the axle both sides share.
  [[nodiscard]] std::string body_of(const Side& side, std::string_view part) const;
  // 'on': one of the parts.
  std::string on(Keys& keys, const std::vector<std::string>& parts);
  // 'points', 'axis' and 'on', the first of the parts if it is not said; `otherwise` where neither
  // points nor part are there.
  std::optional<Seat> seat(Keys& keys, std::string_view force,
                           const std::vector<std::string>& parts,
                           const std::optional<Seat>& otherwise);
  // 'links': massless, and not bodies. `bodies` are those that there would be.
  bool massless_links(std::initializer_list<std::string_view> bodies);
  // The same of the upper arm alone: 'links: massless-upper'. Its mass may be shared out.
  bool massless_upper();
  // 'steered'. The body that then moves the tie rods must be there, if there are any.
  bool steered(bool rods = true);
  // Wheels on this part of either side; 'toe' and 'camber' turn their axes.
  Axle wheels(std::string_view part, const Vec3<double>& spindle);
  // The line about which they are steered, through a point of the carrier and one of this body.
  void steer_about(Axle& axle, const Vec3<double>& lower, std::string_view upper_part,
                   const Vec3<double>& upper) const;

  // --- what there is ----------------------------------------------------------------------------

  [[nodiscard]] const std::array<Side, 2>& sides() const { return sides_; }
  [[nodiscard]] const Side& middle() const { return middle_; }
  [[nodiscard]] const std::string& chassis() const { return chassis_; }  // body of its unit
  [[nodiscard]] const multibody::Description& vehicle() const { return vehicle_; }

  void add(const Side& side, multibody::BodyDescription left);
  // `connects` are names of bodies; the joint's own name is the part's.
  void add(const Side& side, multibody::JointDescription left);
  void add(const Side& side, std::string_view name, decltype(multibody::ForceDescription::law) law,
           const Location& where);

  // A body between two others, on a universal joint at its first end and a ball at its second: it
  // holds their distance and does not spin by itself.
  void add_rod(const Side& side, const multibody::BodyDescription& body,
               const std::array<std::string, 2>& connects, const std::array<Vec3<double>, 2>& ends);

  // A mass fixed to a body of this side, or to the chassis.
  void add(const Side& side, const std::string& body, const PointMass& left);

  multibody::Description made;                            // bodies, joints and forces so far
  std::vector<std::pair<std::string, PointMass>> masses;  // to be added to bodies

 private:
  Keys& axle_;
  Keys& keys_;
  std::string owner_, chassis_;
  Vec3<double> at_;
  std::array<Side, 2> sides_;
  Side middle_;
  const multibody::Description& vehicle_;
  Location points_;
};

// x along the hinge, forward; z normal to the arm, upwards.
std::optional<Mat3<double>> arm_frame(const Vec3<double>& front, const Vec3<double>& rear,
                                      const Vec3<double>& outer);

}  // namespace chicane::suspension
