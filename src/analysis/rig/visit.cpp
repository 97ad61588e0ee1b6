// SPDX-License-Identifier: Apache-2.0

// A vehicle comes onto the rig, and its suspensions go through their ranges.

#include <algorithm>
#include <cmath>

#include "analysis/rig/rig.hpp"
#include "blocks/mechanism/describe.hpp"
#include "core/at.hpp"

namespace chicane::rig {
namespace {

struct Station {
  double travel_left, travel_right, rack;
};

// From the middle to one end and then from the middle to the other, so that a mechanism that ends
// before the range shows all it can; in the order of the range.
Sweep sweep(Rig& rig, const std::string& name, int points,
            const std::function<Station(double)>& station, Diagnostics& diag) {
  const int half = (std::max(points, 3) - 1) / 2;
  std::vector<std::vector<AxleReading>> ends[2];
  const std::size_t axles = rig.vehicle().axles.size();
  const auto go = [&](double part) {
    const Station s = station(part);
    return rig.move_to(std::vector(axles, std::array{s.travel_left, s.travel_right}), s.rack);
  };
  for (const int sign : {-1, 1}) {
    if (!go(0.0)) break;
    for (int i = sign < 0 ? 1 : 0; i <= half; ++i) {
      const double part = sign * static_cast<double>(i) / half;
      auto reading = go(part) ? rig.read() : std::nullopt;
      if (!reading) {
        diag.warning(rig.vehicle().mechanism.where,
                     "the sweep '{}' ends at {:.0f} % of its range: the suspension goes no further",
                     name, 100.0 * sign * (i - 1) / half);
        break;
      }
      ends[sign > 0].push_back(std::move(*reading));
    }
  }
  go(0.0);
  Sweep out{name, {ends[0].rbegin(), ends[0].rend()}};
  std::move(ends[1].begin(), ends[1].end(), std::back_inserter(out.points));
  return out;
}

// Where the ground turns about the chassis, seen from the left: contacts go with it,
//   v_x = z - z_p,   v_z = x_p - x        for a turn of 1 rad/s
// with v_x = tan(support) v_z, so that z_p = z - tan(support) (x_p - x) for both axles.
void find_pitch_centre(Rig& rig, RigReport& report) {
  if (report.zero.size() != 2) return;
  std::array<double, 2> x{}, z{}, slope{};
  for (const std::size_t a : {0U, 1U}) {
    const auto left = rig.statics().pose(2 * a).contact,
               right = rig.statics().pose(2 * a + 1).contact;
    x[a] = 0.5 * (left.x + right.x);
    z[a] = 0.5 * (left.z + right.z);
    for (const WheelReading& w : report.zero[a].wheel) slope[a] += 0.5 * std::tan(w.brake_support);
  }
  if (slope[0] == slope[1]) return;
  const double x_p = (z[0] - z[1] + slope[0] * x[0] - slope[1] * x[1]) / (slope[0] - slope[1]);
  report.pitch_centre_behind = x[0] - x_p;
  const double ground = z[0] + (z[1] - z[0]) * (x[0] - x_p) / (x[0] - x[1]);
  report.pitch_centre_height = z[0] - slope[0] * (x_p - x[0]) - ground;
}

}  // namespace

std::optional<RigReport> run_rig(const Spec& spec, const RigRange& range, Diagnostics& diag) {
  auto vehicle = rig_vehicle(spec, diag);
  if (!vehicle) return std::nullopt;
  const auto m = compile_mechanism(std::optional(vehicle->mechanism), diag);
  if (!m) return std::nullopt;
  Rig rig(std::move(*vehicle), m);
  const std::vector<double> file = rig.statics().heights();
  if (!rig.find_zero(range.zero, diag)) return std::nullopt;
  RigReport report;
  auto zero = rig.read();
  if (!zero) {
    diag.error(
        rig.vehicle().mechanism.where,
        "something of the suspension hangs loose on the rig: a freedom that no spring holds");
    return std::nullopt;
  }
  report.zero = std::move(*zero);
  for (const RigAxle& a : rig.vehicle().axles) report.axles.push_back(a.name);
  for (const HeldWheel& w : rig.statics().wheels()) report.radius.push_back(w.radius);
  for (std::size_t a = 0; a < report.axles.size(); ++a)
    report.static_travel.push_back(rig.zero_heights()[2 * a] - file[2 * a]);
  report.mass = rig.mass();
  report.wheel_base = rig.wheel_base();
  report.height = rig.height();
  find_pitch_centre(rig, report);
  const double t = range.travel;
  report.sweeps.push_back(sweep(
      rig, "bounce", range.points,
      [&](double p) {
        return Station{p * t, p * t, 0.0};
      },
      diag));
  report.sweeps.push_back(sweep(
      rig, "roll", range.points,
      [&](double p) {
        return Station{-p * t, p * t, 0.0};
      },
      diag));
  if (rig.vehicle().steered) {
    constexpr double kMostRack = 0.08;  // [m]
    const double s = range.rack.value_or(std::min(rig.vehicle().rack_travel, kMostRack));
    report.sweeps.push_back(sweep(
        rig, "steer", range.points,
        [&](double p) {
          return Station{0.0, 0.0, p * s};
        },
        diag));
  }
  return report;
}

}  // namespace chicane::rig
