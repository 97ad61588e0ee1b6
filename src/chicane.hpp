#pragma once

// All of the library: #include <chicane/chicane.hpp>

#include "core/build_info.hpp"
#include "core/diagnostics.hpp"
#include "core/index.hpp"
#include "core/status.hpp"
#include "core/ticks.hpp"
#include "integrators/group_system.hpp"
#include "integrators/method.hpp"
#include "integrators/single_rate/single_rate.hpp"
#include "io/builtin_models.hpp"
#include "math/dual.hpp"
#include "math/scalar.hpp"
#include "math/table.hpp"
#include "math/units.hpp"
#include "system/block.hpp"
#include "system/model.hpp"
#include "system/spec.hpp"
#include "system/structure.hpp"
