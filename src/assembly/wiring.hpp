// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assembly/vehicle.hpp"
#include "core/diagnostics.hpp"
#include "language/spec.hpp"

namespace chicane {

// Connects the blocks of a vehicle and its mechanism, whose kinds are made, with one another: the
// only place that says who feeds whom. What a part does not give and another needs goes to `diag`.
void connect_vehicle(Spec& made, const VehicleModel& vehicle, Diagnostics& diag);

}  // namespace chicane
