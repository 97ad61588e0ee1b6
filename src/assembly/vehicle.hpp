// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "assembly/limits.hpp"
#include "assembly/parts/rack.hpp"
#include "assembly/start/settle.hpp"
#include "assembly/suspension/suspension.hpp"
#include "blocks/mechanism/mount.hpp"
#include "language/block.hpp"
#include "language/spec.hpp"
#include "multibody/description.hpp"

// A vehicle: a mechanism of chassis, suspensions and steering, and blocks for everything else.
//
//            steering --> rack            driver --> pedals, gear, steering wheel
//               |                            ^
//   hubs <-- mechanism --> chassis ----------+--- aerodynamics
//    |  ^       ^
//    v  |       | wrenches
//   wheel.fl ... wheel.rr <-- torques -- powertrain, brakes
//
// The mechanism, what reads the chassis and what moves the rack are slow; wheels, powertrain and
// brakes are fast. Hubs are what the fast group knows of the slow one. Docs: docs/theory/vehicle.md

namespace chicane {

inline constexpr std::string_view kVehicleType = "vehicle";
inline constexpr std::array<const char*, 4> kWheels{"fl", "fr", "rl", "rr"};

// Gives the Spec the blocks and inputs that its vehicle has, not yet their kinds: those are made by
// compile(). Blocks of an earlier call are replaced.
void declare_vehicle(Spec& spec);

// What a vehicle is made of, in numbers.
struct VehicleModel {
  struct PartBlock {
    std::string name;
    std::shared_ptr<const BlockKind> kind;
  };
  struct NamedAxle {
    std::string name;  // its section
    AxleNames names;
    Axle axle;
  };
  multibody::Description mechanism;  // with that of the file's own topology
  std::vector<NamedAxle> axles;
  std::vector<MountDescription> mounts;
  std::optional<RackWay> rack;
  Vec3<double> wind{};  // [m/s] the steady one
  std::vector<PartBlock> parts;
  VehicleStart start;
  VehicleLimits limits;

  [[nodiscard]] const PartBlock& part(std::string_view name) const;
};

// Every fault goes to `diag`; then there is no result.
std::optional<VehicleModel> read_vehicle(const Spec& spec, Diagnostics& diag);

}  // namespace chicane
