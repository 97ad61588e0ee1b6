// SPDX-License-Identifier: Apache-2.0
#include "analysis/forecast.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>

#include "analysis/compare.hpp"
#include "analysis/interpolator_error.hpp"
#include "analysis/stability.hpp"
#include "assembly/assemble.hpp"

namespace chicane {
namespace {

using Complex = std::complex<double>;

constexpr int kSamples = 200;           // of the run along which modes are weighed
constexpr int kLinearized = 4;          // of these samples: the fastest counts
constexpr double kApart = 1.5;          // [-] speeds of blocks that may be split
constexpr std::size_t kCuts = 3;        // beside the groups of the file
constexpr double kMargin = 0.8;         // [-] of the stable step
constexpr double kRestingShare = 1e-6;  // [-] of the fastest eigenvalue: as good as zero
constexpr double kSlow = 1e-3;          // [-] of the fastest: too slow to be the step's concern
constexpr double kFewFrames = 20;       // the least that a run has
constexpr double kFarthest = 200;       // [-] |lambda| h: no method is stable there

double largest(const auto& numbers) {
  double most = 0;
  for (const auto& n : numbers) most = std::max(most, std::abs(n));
  return most;
}

std::vector<Complex> eigenvalues_of(const RealMatrix& A, const std::vector<bool>& states) {
  std::vector<Eigen::Index> at;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (states[i]) at.push_back(static_cast<Eigen::Index>(i));
  if (at.empty()) return {};
  return eigenvalues(Eigen::MatrixXd(to_eigen(A)(at, at)));
}

double speed_of(const Linearization& l) { return largest(l.eigenvalues); }

// No error is measured of a signal at rest: its peak is called 0.
std::vector<double> without_rest(std::vector<double> peaks, const ModelStructure& structure,
                                 const std::vector<SignalIndex>& signals) {
  std::vector<double> in_unit;
  std::vector<std::string> units;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const SignalInfo& s = structure.signals[signals[i]];
    in_unit.push_back(s.conversion.from_si(peaks[i]));
    units.push_back(s.unit);
  }
  const std::vector<bool> still = at_rest(in_unit, units);
  for (std::size_t i = 0; i < peaks.size(); ++i)
    if (still[i]) peaks[i] = 0;
  return peaks;
}

}  // namespace

Spec regrouped(const Spec& spec, const Moves& moved) {
  Spec out = spec;
  for (BlockSpec& b : out.blocks)
    for (const auto& [block, group] : moved)
      if (b.name == block) b.group = group;
  return out;
}

LinearForecast::LinearForecast(const Spec& spec, const std::vector<std::string>& signals,
                               std::int64_t until)
    : spec_(spec), end_(seconds(until)) {
  Diagnostics diag;
  structure_ = compile(spec, Partition::together(spec), diag);
  if (!structure_) throw std::runtime_error(diag.text());
  if (structure_->states.empty()) throw std::runtime_error("the model has no states");
  std::vector<SignalIndex> indices;
  for (const std::string& name : signals) indices.push_back(structure_->find_signal(name));
  measure_modes(indices);
}

// The modes where the model is fastest, and rates and peaks of signals along the reference
// solution: there what is conserved is at rest.
void LinearForecast::measure_modes(const std::vector<SignalIndex>& signals) {
  const auto linearized = [&](const State<double>& state) {
    return linearize(structure_, with_default_inputs(*structure_, state), {.outputs = signals});
  };
  l_ = linearized(Model<double>(structure_).initial_state());
  const std::int64_t between = whole_picoseconds(end_ / kSamples).value();
  Simulation s(structure_, {.scheme = SchemeKind::reference, .step = between});
  const Model<Dual> dual(structure_);
  std::vector<std::vector<double>> rates;
  std::vector<double> peaks(signals.size());
  for (int sample = 0; sample < kSamples; ++sample) {
    const Derivatives d =
        differentiate(dual, with_default_inputs(*structure_, s.state()), {}, signals);
    rates.push_back(d.rates);
    for (std::size_t i = 0; i < peaks.size(); ++i)
      peaks[i] = std::max(peaks[i], std::fabs(d.signals[i]));
    if (sample % (kSamples / kLinearized) == 1)
      if (Linearization there = linearized(s.state()); speed_of(there) > speed_of(l_))
        l_ = std::move(there);
    if (s.step() != Status::ok) break;
  }
  if (l_.eigenvalues.empty()) throw std::runtime_error("the model cannot be linearised");
  peaks = without_rest(std::move(peaks), *structure_, signals);
  if (largest(peaks) == 0)
    throw std::runtime_error(
        "all these signals are at rest, so that there is no error to be measured: name others "
        "(--signals), run longer (--until), or lay a manoeuvre over the model (--manoeuvre)");
  find_modes(rates, peaks);
}

// From a point with rates f a linear system moves by the sum of v_k (w_k f / lambda_k) e^{lambda_k
// t} over its modes.
void LinearForecast::find_modes(const std::vector<std::vector<double>>& rates,
                                const std::vector<double>& peaks) {
  const Eigen::MatrixXd C = to_eigen(l_.C);
  const double fastest = speed_of(l_);
  for (const Eigenmotion& e : Spectrum::motions(to_eigen(l_.A))) {
    if (std::abs(e.lambda) <= kSlow * fastest) continue;  // rounding may be all of it
    double amplitude = 0;
    for (const std::vector<double>& f : rates) {
      const Eigen::Map<const Eigen::VectorXd> rate(f.data(), e.v.size());
      amplitude = std::max(amplitude, std::abs((e.w * rate).value() / e.lambda));
    }
    Mode m{e.lambda, 0, e.participation()};
    for (std::size_t s = 0; s < peaks.size(); ++s)
      if (peaks[s] > 0)
        m.size =
            std::max(m.size, amplitude / peaks[s] *
                                 std::abs((C.row(static_cast<Eigen::Index>(s)) * e.v).value()));
    if (std::isfinite(m.size)) modes_.push_back(std::move(m));
  }
}

Split::Group LinearForecast::group(const std::string& name,
                                   const std::vector<std::string>& blocks) const {
  Split::Group g{name, blocks, std::vector<bool>(l_.states.size()), {}, 0};
  for (std::size_t i = 0; i < l_.states.size(); ++i)
    g.states[i] = std::find(blocks.begin(), blocks.end(), l_.block_of[i]) != blocks.end();
  g.eigenvalues = eigenvalues_of(l_.A, g.states);
  g.speed = largest(g.eigenvalues);
  return g;
}

std::vector<std::pair<double, std::string>> LinearForecast::blocks() const {
  std::vector<std::pair<double, std::string>> speeds;
  for (const std::string& block : l_.blocks) speeds.emplace_back(group("", {block}).speed, block);
  std::sort(speeds.begin(), speeds.end());
  return speeds;
}

std::vector<Split> LinearForecast::candidates() const {
  std::vector<Split> out;
  if (l_.groups.size() == 2) {
    std::vector<std::string> in[2];
    for (const BlockSpec& b : spec_.blocks) in[b.group == l_.groups[1]].push_back(b.name);
    Split split{{}, group(l_.groups[0], in[0]), group(l_.groups[1], in[1])};
    if (split.fast.speed < split.slow.speed) std::swap(split.slow, split.fast);
    out.push_back(std::move(split));
  }
  const auto speeds = blocks();
  std::vector<std::pair<double, std::size_t>> gaps;
  for (std::size_t i = 1; i < speeds.size(); ++i)
    if (speeds[i].first > kApart * speeds[i - 1].first)
      gaps.emplace_back(speeds[i].first / speeds[i - 1].first, i);
  std::sort(gaps.rbegin(), gaps.rend());
  for (std::size_t k = 0; k < std::min(kCuts, gaps.size()); ++k) {
    std::vector<std::string> slow, fast;
    for (std::size_t i = 0; i < speeds.size(); ++i)
      (i < gaps[k].second ? slow : fast).push_back(speeds[i].second);
    Split split{{}, group("slow", slow), group("fast", fast)};
    if (!out.empty() && out.front().fast.states == split.fast.states) continue;
    for (const BlockSpec& b : spec_.blocks) {
      const bool is_fast = std::find(fast.begin(), fast.end(), b.name) != fast.end();
      if (const char* own = is_fast ? "fast" : "slow"; b.group != own)
        split.moved.emplace_back(b.name, own);
    }
    out.push_back(std::move(split));
  }
  return out;
}

std::vector<Split> LinearForecast::splits() const {
  std::vector<Split> out = candidates();
  std::erase_if(out, [&](const Split& split) {
    if (!(split.slow.speed > 0) || !(split.apart() > 1)) return true;
    Diagnostics diag;
    const Spec spec = regrouped(spec_, split.moved);
    return compile(spec, partition_for(SchemeKind::multiframe, spec), diag) == nullptr;
  });
  return out;
}

GroupMethod LinearForecast::everything(const Method& method) const {
  return {method, 1, std::vector<bool>(l_.states.size(), true), l_.eigenvalues};
}

double LinearForecast::error(double h, const std::vector<GroupMethod>& parts,
                             std::optional<Interpolator> interp) const {
  double sum = 0;
  for (const Mode& m : modes_) {
    const double sigma = std::max(0.0, -m.lambda.real());
    const double longest =  // of t e^{-sigma t} up to the end
        sigma * end_ > 1 ? 1 / (std::numbers::e * sigma) : end_ * std::exp(-sigma * end_);
    double root = 0, slow = 0;
    for (std::size_t g = 0; g < parts.size(); ++g) {
      double part = 0;
      for (std::size_t i = 0; i < parts[g].states.size(); ++i)
        if (parts[g].states[i]) part += m.participation(static_cast<Eigen::Index>(i));
      const double z = std::abs(m.lambda) * h / parts[g].ratio;
      root += part * std::abs(parts[g].root.coefficient) * std::pow(z, parts[g].root.power);
      if (g == 0) slow = part;
    }
    double error = std::abs(m.lambda) * root * longest;
    if (interp) {
      const InterpolatorTerm term = interpolator_term(*interp);
      error +=
          slow * std::fabs(to_double(term.limit())) * std::pow(std::abs(m.lambda) * h, term.power);
    }
    sum += m.size * std::min(error, 1.0);
  }
  return sum;
}

double LinearForecast::step(double accuracy, const std::vector<GroupMethod>& parts,
                            std::optional<Interpolator> interp) const {
  double h = end_ / kFewFrames;
  for (const GroupMethod& p : parts) {
    const double fastest = largest(p.eigenvalues);
    std::vector<Complex> moving;
    for (const Complex& lambda : p.eigenvalues)
      if (std::abs(lambda) > kRestingShare * fastest) moving.push_back(lambda);
    if (!moving.empty())
      h = std::min(h, kMargin * p.ratio * stable_step(p.method, moving, kFarthest / fastest));
  }
  if (error(h, parts, interp) <= accuracy) return h;
  double low = 0;
  while (h - low > 1e-3 * h && h > 1e-9 * end_) {
    const double middle = 0.5 * (low + h);
    (error(middle, parts, interp) <= accuracy ? low : h) = middle;
  }
  return h;
}

}  // namespace chicane
