// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "analysis/rig/rig.hpp"

namespace chicane::rig {
namespace {

constexpr double kDegree = 180.0 / std::numbers::pi;
using W = WheelReading;
using A = AxleReading;

constexpr Column<W> kWheelColumns[] = {
    {"travel", "m", "mm", 1e3, &W::travel, "of the wheel centre, upwards"},
    {"steer", "rad", "deg", kDegree, &W::steer, "steer angle, to the left"},
    {"toe", "rad", "deg", kDegree, &W::toe, "front of the wheel inwards"},
    {"camber", "rad", "deg", kDegree, &W::camber, "top of the wheel outwards"},
    {"caster", "rad", "deg", kDegree, &W::caster, "top of the steering axis rearwards"},
    {"kingpin", "rad", "deg", kDegree, &W::kingpin,
     "kingpin inclination: top of the steering axis inwards"},
    {"trail", "m", "mm", 1e3, &W::trail, "steering axis at the ground ahead of the contact"},
    {"scrub", "m", "mm", 1e3, &W::scrub, "steering axis at the ground inside of the contact"},
    {"forward", "m", "mm", 1e3, &W::forward, "way of the contact, forward (wheelbase change)"},
    {"outward", "m", "mm", 1e3, &W::outward, "way of the contact, outwards (half-track change)"},
    {"toe_gain", "rad/m", "deg/m", kDegree, &W::toe_gain, "toe per travel of both wheels"},
    {"camber_gain", "rad/m", "deg/m", kDegree, &W::camber_gain, "camber per travel of both wheels"},
    {"load", "N", "kN", 1e-3, &W::load, "vertical force at the contact"},
    {"rate", "N/m", "N/mm", 1e-3, &W::rate, "wheel rate: load per travel of both wheels"},
    {"roll_rate", "N/m", "N/mm", 1e-3, &W::roll_rate,
     "wheel rate in roll: load per travel, the other wheel going the other way"},
    {"spring_ratio", "-", "-", 1.0, &W::spring_ratio,
     "motion ratio: compression of the spring per travel"},
    {"damper_ratio", "-", "-", 1.0, &W::damper_ratio,
     "motion ratio: compression of the damper per travel"},
    {"brake_support", "rad", "deg", kDegree, &W::brake_support,
     "support angle of braking: way of the contact forward per travel"},
    {"drive_support", "rad", "deg", kDegree, &W::drive_support,
     "support angle of driving: way of the centre forward per travel"},
    {"front_arm", "m", "mm", 1e3, &W::front_arm,
     "front-view swing arm, from the contact inwards to the instant centre"},
    {"side_arm", "m", "mm", 1e3, &W::side_arm,
     "side-view swing arm, from the contact rearwards to the instant centre"},
    {"lateral_steer", "rad/N", "deg/kN", 1e3 * kDegree, &W::lateral_steer,
     "steer to the left per lateral force to the left at both contacts"},
    {"lateral_camber", "rad/N", "deg/kN", 1e3 * kDegree, &W::lateral_camber,
     "camber per lateral force to the left at both contacts"},
    {"lateral_shift", "m/N", "mm/kN", 1e6, &W::lateral_shift,
     "way of the centre to the left per lateral force"},
    {"lateral_load", "-", "-", 1.0, &W::lateral_load,
     "jacking: load per lateral force at held travel"},
    {"forward_steer", "rad/N", "deg/kN", 1e3 * kDegree, &W::forward_steer,
     "steer to the left per forward force at both contacts, wheels braked"},
    {"forward_shift", "m/N", "mm/kN", 1e6, &W::forward_shift,
     "way of the centre forward per forward force, wheels braked"},
    {"driving_steer", "rad/N", "deg/kN", 1e3 * kDegree, &W::driving_steer,
     "steer to the left per forward force at both centres"},
    {"aligning_steer", "rad/(N m)", "deg/(kN m)", 1e3 * kDegree, &W::aligning_steer,
     "steer to the left per moment to the left on both wheels"},
    {"aligning_camber", "rad/(N m)", "deg/(kN m)", 1e3 * kDegree, &W::aligning_camber,
     "camber per moment to the left on both wheels"},
};

constexpr Column<A> kAxleColumns[] = {
    {"rack", "m", "mm", 1e3, &A::rack, "way of the rack"},
    {"steering_wheel", "rad", "deg", kDegree, &A::steering_wheel,
     "angle of the steering wheel, to the left"},
    {"mean_steer", "rad", "deg", kDegree, &A::mean_steer, "mean steer angle of both wheels"},
    {"steering_ratio", "-", "-", 1.0, &A::steering_ratio,
     "angle of the steering wheel over mean steer angle, of small changes"},
    {"ackermann", "-", "%", 1e2, &A::ackermann,
     "further angle of the inner wheel over the one of pure rolling"},
    {"roll", "rad", "deg", kDegree, &A::roll, "of the chassis over the contacts, right side down"},
    {"track", "m", "mm", 1e3, &A::track, "between the contacts"},
    {"track_change", "m", "mm", 1e3, &A::track_change, "against travel 0"},
    {"roll_centre_height", "m", "mm", 1e3, &A::roll_centre_height, "over the ground"},
    {"roll_centre_offset", "m", "mm", 1e3, &A::roll_centre_offset, "of the chassis, to the left"},
    {"roll_stiffness", "N m/rad", "N m/deg", 1.0 / kDegree, &A::roll_stiffness,
     "moment of the loads per roll"},
    {"roll_steer", "-", "deg/deg", 1.0, &A::roll_steer, "mean steer angle per roll"},
    {"anti_brake", "-", "%", 1e2, &A::anti_brake,
     "braking: load transfer that does not reach the springs (front anti-dive, rear anti-lift)"},
    {"anti_drive", "-", "%", 1e2, &A::anti_drive,
     "driving: load transfer that does not reach the springs (front anti-lift, rear anti-squat)"},
};

}  // namespace

std::span<const Column<WheelReading>> wheel_columns() { return kWheelColumns; }
std::span<const Column<AxleReading>> axle_columns() { return kAxleColumns; }

}  // namespace chicane::rig
