#include "cli/json.hpp"

#include <fmt/format.h>

namespace chicane::cli {

void show(const Json& found, bool as_json, const std::function<void()>& print) {
  if (as_json)
    fmt::print("{}\n", found.dump(2));
  else
    print();
}

}  // namespace chicane::cli
