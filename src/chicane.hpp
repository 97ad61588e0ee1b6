// SPDX-License-Identifier: Apache-2.0
#pragma once

// What programs outside use: #include <chicane/chicane.hpp>

#include "blocks/registry.hpp"
#include "blocks/template_block.hpp"
#include "core/build_info.hpp"
#include "core/diagnostics.hpp"
#include "core/result.hpp"
#include "io/builtin_models.hpp"
#include "session/frame.hpp"
#include "session/request.hpp"
#include "session/session.hpp"
#include "simulation/run_warning.hpp"
