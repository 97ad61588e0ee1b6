// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "analysis/rig/rig.hpp"

namespace chicane::rig {
namespace {

constexpr double kDegree = 180.0 / std::numbers::pi;
using OfWheel = WheelReading;
using OfAxle = AxleReading;

constexpr Column<OfWheel> kWheelColumns[] = {
    {"travel", "m", "mm", 1e3, &OfWheel::travel, "of the wheel centre, upwards"},
    {"steer", "rad", "deg", kDegree, &OfWheel::steer, "steer angle, to the left"},
    {"toe", "rad", "deg", kDegree, &OfWheel::toe, "front of the wheel inwards"},
    {"camber", "rad", "deg", kDegree, &OfWheel::camber, "top of the wheel outwards"},
    {"caster", "rad", "deg", kDegree, &OfWheel::caster, "top of the steering axis rearwards"},
    {"kingpin", "rad", "deg", kDegree, &OfWheel::kingpin,
     "kingpin inclination: top of the steering axis inwards"},
    {"trail", "m", "mm", 1e3, &OfWheel::trail, "steering axis at the ground ahead of the contact"},
    {"scrub", "m", "mm", 1e3, &OfWheel::scrub, "steering axis at the ground inside of the contact"},
    {"forward", "m", "mm", 1e3, &OfWheel::forward,
     "way of the contact, forward (wheelbase change)"},
    {"outward", "m", "mm", 1e3, &OfWheel::outward,
     "way of the contact, outwards (half-track change)"},
    {"toe_gain", "rad/m", "deg/m", kDegree, &OfWheel::toe_gain, "toe per travel of both wheels"},
    {"camber_gain", "rad/m", "deg/m", kDegree, &OfWheel::camber_gain,
     "camber per travel of both wheels"},
    {"load", "N", "kN", 1e-3, &OfWheel::load, "vertical force at the contact"},
    {"rate", "N/m", "N/mm", 1e-3, &OfWheel::rate, "wheel rate: load per travel of both wheels"},
    {"roll_rate", "N/m", "N/mm", 1e-3, &OfWheel::roll_rate,
     "wheel rate in roll: load per travel, the other wheel going the other way"},
    {"spring_ratio", "-", "-", 1.0, &OfWheel::spring_ratio,
     "motion ratio: compression of the spring per travel"},
    {"damper_ratio", "-", "-", 1.0, &OfWheel::damper_ratio,
     "motion ratio: compression of the damper per travel"},
    {"brake_support", "rad", "deg", kDegree, &OfWheel::brake_support,
     "support angle of braking: way of the contact forward per travel"},
    {"drive_support", "rad", "deg", kDegree, &OfWheel::drive_support,
     "support angle of driving: way of the centre forward per travel"},
    {"front_arm", "m", "mm", 1e3, &OfWheel::front_arm,
     "front-view swing arm, from the contact inwards to the instant centre"},
    {"side_arm", "m", "mm", 1e3, &OfWheel::side_arm,
     "side-view swing arm, from the contact rearwards to the instant centre"},
    {"lateral_steer", "rad/N", "deg/kN", 1e3 * kDegree, &OfWheel::lateral_steer,
     "steer to the left per lateral force to the left at both contacts"},
    {"lateral_camber", "rad/N", "deg/kN", 1e3 * kDegree, &OfWheel::lateral_camber,
     "camber per lateral force to the left at both contacts"},
    {"lateral_shift", "m/N", "mm/kN", 1e6, &OfWheel::lateral_shift,
     "way of the centre to the left per lateral force"},
    {"lateral_load", "-", "-", 1.0, &OfWheel::lateral_load,
     "jacking: load per lateral force at held travel"},
    {"forward_steer", "rad/N", "deg/kN", 1e3 * kDegree, &OfWheel::forward_steer,
     "steer to the left per forward force at both contacts, wheels braked"},
    {"forward_shift", "m/N", "mm/kN", 1e6, &OfWheel::forward_shift,
     "way of the centre forward per forward force, wheels braked"},
    {"driving_steer", "rad/N", "deg/kN", 1e3 * kDegree, &OfWheel::driving_steer,
     "steer to the left per forward force at both centres"},
    {"aligning_steer", "rad/(N m)", "deg/(kN m)", 1e3 * kDegree, &OfWheel::aligning_steer,
     "steer to the left per moment to the left on both wheels"},
    {"aligning_camber", "rad/(N m)", "deg/(kN m)", 1e3 * kDegree, &OfWheel::aligning_camber,
     "camber per moment to the left on both wheels"},
};

constexpr Column<OfAxle> kAxleColumns[] = {
    {"rack", "m", "mm", 1e3, &OfAxle::rack, "way of the rack"},
    {"steering_wheel", "rad", "deg", kDegree, &OfAxle::steering_wheel,
     "angle of the steering wheel, to the left"},
    {"mean_steer", "rad", "deg", kDegree, &OfAxle::mean_steer, "mean steer angle of both wheels"},
    {"steering_ratio", "-", "-", 1.0, &OfAxle::steering_ratio,
     "angle of the steering wheel over mean steer angle, of small changes"},
    {"ackermann", "-", "%", 1e2, &OfAxle::ackermann,
     "further angle of the inner wheel over the one of pure rolling"},
    {"roll", "rad", "deg", kDegree, &OfAxle::roll,
     "of the chassis over the contacts, right side down"},
    {"track", "m", "mm", 1e3, &OfAxle::track, "between the contacts"},
    {"track_change", "m", "mm", 1e3, &OfAxle::track_change, "against travel 0"},
    {"roll_centre_height", "m", "mm", 1e3, &OfAxle::roll_centre_height, "over the ground"},
    {"roll_centre_offset", "m", "mm", 1e3, &OfAxle::roll_centre_offset,
     "of the chassis, to the left"},
    {"roll_stiffness", "N m/rad", "N m/deg", 1.0 / kDegree, &OfAxle::roll_stiffness,
     "moment of the loads per roll"},
    {"roll_steer", "-", "deg/deg", 1.0, &OfAxle::roll_steer, "mean steer angle per roll"},
    {"anti_brake", "-", "%", 1e2, &OfAxle::anti_brake,
     "braking: load transfer that does not reach the springs (front anti-dive, rear anti-lift)"},
    {"anti_drive", "-", "%", 1e2, &OfAxle::anti_drive,
     "driving: load transfer that does not reach the springs (front anti-lift, rear anti-squat)"},
};

}  // namespace

std::span<const Column<WheelReading>> wheel_columns() { return kWheelColumns; }
std::span<const Column<AxleReading>> axle_columns() { return kAxleColumns; }

}  // namespace chicane::rig
