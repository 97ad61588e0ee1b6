#include "analysis/guards.hpp"

namespace chicane {

std::vector<std::unique_ptr<Guard>> make_guards(Simulation& /*simulation*/) { return {}; }

}  // namespace chicane
