// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assembly/limits.hpp"
#include "assembly/parts/rack.hpp"
#include "assembly/start/settle.hpp"
#include "assembly/suspension/suspension.hpp"
#include "blocks/mechanism/mount.hpp"
#include "language/block.hpp"
#include "language/spec.hpp"
#include "multibody/description.hpp"

// A vehicle: a mechanism of chassis, suspensions and steering, and blocks for everything else. It
// may have several units, each with a chassis and axles of its own, that hang on one another; the
// first is called `chassis`. Which there are: assembly/parts/layout.hpp
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

// Gives the Spec the blocks and inputs that its vehicle has, not yet their kinds: those are made by
// compile(). Blocks of an earlier call are replaced.
void declare_vehicle(Spec& spec);

// What a vehicle is made of, in numbers.
struct VehicleModel {
  struct PartBlock {
    std::string name;
    std::shared_ptr<const BlockKind> kind;
  };
  struct Wheel {
    std::string name, unit;
  };
  struct Unit {
    std::string name;
    std::string ahead;  // what it hangs on; none: the first one
  };
  std::vector<Unit> units;
  std::vector<Wheel> wheels;
  struct NamedAxle {
    std::string name;  // its section
    AxleNames names;
    Axle axle;
  };
  multibody::Description mechanism;  // with that of the file's own topology
  std::vector<NamedAxle> axles;
  std::vector<MountDescription> mounts;
  std::optional<RackWay> rack;
  std::vector<std::pair<std::string, std::string>> kingpins;  // of wheels that the steering turns
  Vec3<double> wind{};                                        // [m/s] the steady one
  std::vector<PartBlock> parts;
  VehicleStart start;
  std::vector<VehicleLimits> limits;  // of each unit

  [[nodiscard]] const PartBlock& part(std::string_view name) const;
};

// Every fault goes to `diag`; then there is no result.
std::optional<VehicleModel> read_vehicle(const Spec& spec, Diagnostics& diag);

}  // namespace chicane
