// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace chicane {

// What a step came to. Returned on the hot path, where nothing throws or prints.
enum class Status {
  ok,
  interrupted,    // an event asks the caller to act before the step is taken; nothing has advanced
  not_finite,     // a state or derivative became NaN or infinite
  diverged,       // a state left the range in which it can mean anything
  solver_failed,  // the reference solver gave up
  loop_open,      // a loop of a mechanism cannot be closed from here
  singular,       // a mechanism is where its accelerations are not determined
};

constexpr std::string_view to_string(Status s) {
  switch (s) {
    case Status::ok:
      return "ok";
    case Status::interrupted:
      return "interrupted";
    case Status::not_finite:
      return "not finite";
    case Status::diverged:
      return "diverged";
    case Status::solver_failed:
      return "solver failed";
    case Status::loop_open:
      return "a loop does not close";
    case Status::singular:
      return "singular position";
  }
  return "unknown";
}

}  // namespace chicane
