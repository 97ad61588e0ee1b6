// SPDX-License-Identifier: Apache-2.0
#include "analysis/along.hpp"

namespace chicane {
namespace {

// One step; false when an event has ended the run.
bool advance(Simulation& s) {
  const Status status = s.step();
  if (status == Status::interrupted) return false;
  if (status == Status::ok) return true;
  const Failure f = s.failure(status);
  throw RunFailed(fmt::format("the run fails at t = {:.6g} s: state '{}' of block '{}' {}", f.time,
                              f.state, f.block,
                              status == Status::diverged     ? "goes beyond its limit"
                              : status == Status::not_finite ? "becomes infinite"
                                                             : "cannot be integrated"));
}

SpectrumAt spectrum_of(Simulation& s, const std::shared_ptr<const ModelStructure>& structure) {
  const Linearization l = linearize(structure, point_of(s), {});
  SpectrumAt out{s.time(), l.eigenvalues, {}};
  for (const std::string& g : l.groups)
    out.groups.push_back(l.eigenvalues.empty() ? l.eigenvalues : l.eigenvalues_of(g));
  return out;
}

}  // namespace

bool run_to(Simulation& s, std::int64_t until) {
  while (s.state().clock.now() < until) {
    const Plan own = s.plan();
    const std::int64_t left = until - s.state().clock.now();
    if (left < own.step) {
      Plan last = own;
      last.step = left;
      s.replan(last);
    }
    const bool goes_on = advance(s);
    if (left < own.step && s.plan().step == left) s.replan(own);
    if (!goes_on) return false;
  }
  return true;
}

OperatingPoint point_of(Simulation& s) { return {s.state(), s.inputs()}; }

std::vector<SpectrumAt> spectra_along(Simulation& s,
                                      const std::shared_ptr<const ModelStructure>& structure,
                                      std::int64_t until, std::int64_t every) {
  std::vector<SpectrumAt> rows;
  std::int64_t due = s.state().clock.now();
  for (;;) {
    const std::int64_t now = s.state().clock.now();
    if (now >= due) {
      rows.push_back(spectrum_of(s, structure));
      due = (now / every + 1) * every;
    }
    if (s.plan().step > until - now || !advance(s)) return rows;
  }
}

}  // namespace chicane
