// SPDX-License-Identifier: Apache-2.0
#include "analysis/linearize.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/freedoms.hpp"

namespace chicane {
namespace {

constexpr double kZeroEigenvalue = 1e-9;  // [-] of the fastest eigenvalue: as good as zero

void add_once(std::vector<std::string>& list, const std::string& word) {
  if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
}

void name_all(const ModelStructure& s, const Freedoms& freedoms,
              const std::vector<SignalIndex>& outputs, Linearization& out) {
  for (const BlockPlace& b : s.blocks) {
    out.blocks.push_back(b.name);
    add_once(out.groups, b.label);
  }
  for (const auto& [direction, block] : freedoms.entries) {
    out.states.push_back(direction.name);
    out.units.push_back(direction.unit);
    out.block_of.push_back(s.blocks[block].name);
    out.group_of.push_back(s.blocks[block].label);
  }
  for (const InputInfo& i : s.inputs) out.inputs.push_back({i.name, si_unit(s.signals[i.signal])});
  for (const SignalIndex i : outputs)
    out.outputs.push_back({s.signals[i].name, si_unit(s.signals[i])});
}

RealMatrix rows_of(const Eigen::MatrixXd& from) {
  RealMatrix out;
  for (Eigen::Index i = 0; i < from.rows(); ++i) {
    out.emplace_back();
    for (Eigen::Index j = 0; j < from.cols(); ++j) out.back().push_back(from(i, j));
  }
  return out;
}

// Central differences over p of what is exact at a point, for parameters that are not zero.
class Varied {
 public:
  Varied(const std::shared_ptr<const ModelStructure>& structure, OperatingPoint at)
      : plain_(structure), at_(std::move(at)), constants_(at_.state.constants) {}

  // p dF/dp, with F(point).
  template <class F>
  Eigen::MatrixXd by(const ParameterInfo& p, const F& of) {
    const double h = std::cbrt(std::numeric_limits<double>::epsilon());  // the least error
    const Eigen::MatrixXd above = to_eigen(of(with(p, 1 + h))),
                          below = to_eigen(of(with(p, 1 - h)));
    return (above - below) / (2 * h);
  }
  [[nodiscard]] bool counts(const ParameterInfo& p) const { return constants_[p.slot] != 0.0; }

 private:
  const OperatingPoint& with(const ParameterInfo& p, double factor) {
    at_.state.constants = constants_;
    at_.state.constants[p.slot] *= factor;
    plain_.prepare(at_.state);
    return at_;
  }

  Model<double> plain_;
  OperatingPoint at_;
  std::vector<double> constants_;
};

// p dA/dp of parameters, of those that have any.
struct Variation {
  std::vector<std::string> names;
  std::vector<Eigen::MatrixXd> dA;
};

Variation vary_parameters(const std::vector<ParameterInfo>& parameters, const Model<Dual>& model,
                          const Freedoms& freedoms, Varied& varied) {
  const std::vector<Variable> states = all_states(model.structure());
  Variation out;
  for (const ParameterInfo& p : parameters) {
    if (!varied.counts(p)) continue;
    Eigen::MatrixXd dA = freedoms.of_change(varied.by(
        p, [&](const OperatingPoint& at) { return differentiate(model, at, states).rates_by; }));
    if (dA.isZero(0.0) || !dA.allFinite()) continue;
    out.names.push_back(p.name);
    out.dA.push_back(std::move(dA));
  }
  return out;
}

// What a parameter would couple belongs together.
Eigen::MatrixXd graph_of(const Eigen::MatrixXd& A, const Variation& variation) {
  Eigen::MatrixXd graph = A.cwiseAbs();
  for (const Eigen::MatrixXd& dA : variation.dA) graph += dA.cwiseAbs();
  return graph;
}

std::vector<ParameterEffect> effects(const Spectrum& spectrum, std::size_t mode,
                                     const Variation& variation) {
  const std::complex<double> lambda = spectrum.modes()[mode].eigenvalue;
  std::vector<ParameterEffect> out;
  if (std::abs(lambda) <= kZeroEigenvalue * std::abs(spectrum.modes().front().eigenvalue))
    return out;
  const auto shifts = spectrum.shifts(mode, variation.dA);
  for (std::size_t p = 0; p < shifts.size(); ++p)
    out.push_back({variation.names[p], shifts[p] / lambda});
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return std::abs(a.sensitivity) > std::abs(b.sensitivity);
  });
  return out;
}

void find_modes(const Spectrum& spectrum, Linearization& out) {
  out.eigenvalues = spectrum.eigenvalues();
  out.modes = spectrum.modes();
  for (const Mode& m : out.modes)
    out.leading.insert(out.leading.end(), m.swings() ? 2 : 1, m.leading);
}

double part(const Mode& mode, const std::vector<std::string>& owner, const std::string& name) {
  double sum = 0;
  for (std::size_t i = 0; i < owner.size(); ++i)
    if (owner[i] == name) sum += mode.participation[i];
  return sum;
}

}  // namespace

// With lambda = |lambda| exp(i phi), zeta = -cos phi, and the imaginary part is dphi/dln p.
double ParameterEffect::on_damping(std::complex<double> eigenvalue) const {
  return sensitivity.imag() * std::sin(std::arg(eigenvalue));
}

std::vector<std::size_t> Linearization::states_in(const std::string& group) const {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < group_of.size(); ++i)
    if (group_of[i] == group) list.push_back(i);
  return list;
}

RealMatrix Linearization::coupling(const std::string& to, const std::string& from) const {
  const std::vector<std::size_t> rows = states_in(to), cols = states_in(from);
  RealMatrix J;
  for (const std::size_t i : rows) {
    J.emplace_back();
    for (const std::size_t j : cols) J.back().push_back(A[i][j]);
  }
  return J;
}

std::vector<std::complex<double>> Linearization::eigenvalues_of(const std::string& group) const {
  return chicane::eigenvalues(to_eigen(coupling(group, group)));
}

double Linearization::participation_of_block(const Mode& mode, const std::string& block) const {
  return part(mode, block_of, block);
}

double Linearization::participation_of_group(const Mode& mode, const std::string& group) const {
  return part(mode, group_of, group);
}

NamedMode named(const Linearization& l, std::size_t mode) {
  const Mode& m = l.modes[mode];
  const auto i = static_cast<std::size_t>(m.leading);
  NamedMode out{m.eigenvalue, l.states[i], l.block_of[i], l.group_of[i], {}};
  if (mode < l.parameters.size()) out.parameters = l.parameters[mode];
  return out;
}

std::optional<std::size_t> find_mode(const Linearization& l, std::complex<double> eigenvalue,
                                     const std::string& state) {
  constexpr double kSame = 1e-6;  // [-] two computations of one eigenvalue differ less
  const std::complex<double> upper(eigenvalue.real(), std::fabs(eigenvalue.imag()));
  const auto apart = [&](std::size_t k) { return std::abs(l.modes[k].eigenvalue - upper); };
  const auto i = static_cast<std::size_t>(std::find(l.states.begin(), l.states.end(), state) -
                                          l.states.begin());
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < l.modes.size() && i < l.states.size(); ++k) {
    const double margin = kSame * std::abs(upper);
    if (!best || apart(k) + margin < apart(*best) ||
        (apart(k) <= apart(*best) + margin &&
         l.modes[k].participation[i] > l.modes[*best].participation[i]))
      best = k;
  }
  return best;
}

std::optional<std::size_t> find_mode(const Linearization& l, const std::string& state) {
  const auto i = static_cast<std::size_t>(std::find(l.states.begin(), l.states.end(), state) -
                                          l.states.begin());
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < l.modes.size() && i < l.states.size(); ++k)
    if (!best || l.modes[k].participation[i] > l.modes[*best].participation[i]) best = k;
  return best;
}

OperatingPoint with_default_inputs(const ModelStructure& structure, State<double> state) {
  OperatingPoint at{std::move(state), {}};
  for (const InputInfo& i : structure.inputs) at.inputs.u.push_back(i.value);
  return at;
}

RealMatrix jacobian(const Model<Dual>& model, const State<double>& at) {
  const ModelStructure& s = model.structure();
  return differentiate(model, with_default_inputs(s, at), all_states(s)).rates_by;
}

Linearization linearize(const std::shared_ptr<const ModelStructure>& structure,
                        const OperatingPoint& at, const LinearizeRequest& request) {
  const Model<Dual> model(structure);
  Linearization out;
  std::vector<Variable> along = all_states(*structure);
  const auto n = static_cast<Eigen::Index>(along.size());
  for (const Variable& u : all_inputs(*structure)) along.push_back(u);
  const auto m = static_cast<Eigen::Index>(along.size()) - n;
  const Derivatives d = differentiate(model, at, along, request.outputs);
  const Freedoms freedoms = freedoms_at(Model<double>(structure), at, d.rates);
  name_all(*structure, freedoms, request.outputs, out);
  const auto matrix = [&](const RealMatrix& from, Eigen::Index rows) {
    return from.empty() ? Eigen::MatrixXd(rows, n + m) : to_eigen(from);
  };
  const Eigen::MatrixXd rates_by = matrix(d.rates_by, n), signals_by = matrix(d.signals_by, 0);
  const Eigen::MatrixXd A = freedoms.of(rates_by.leftCols(n));
  out.A = rows_of(A);
  const Eigen::MatrixXd by_inputs = rates_by.rightCols(m), by_states = signals_by.leftCols(n);
  out.B = rows_of(freedoms.all ? by_inputs : Eigen::MatrixXd(freedoms.P * by_inputs));
  out.C = rows_of(freedoms.all ? by_states : Eigen::MatrixXd(by_states * freedoms.B));
  out.D = rows_of(signals_by.rightCols(m));
  if (n == 0 || !A.allFinite()) return out;
  if (!request.parameters) {
    find_modes(Spectrum(A), out);
    return out;
  }
  Varied varied(structure, at);
  const Variation variation = vary_parameters(
      {structure->parameters.begin(), structure->parameters.end()}, model, freedoms, varied);
  const Spectrum spectrum(A, graph_of(A, variation));
  find_modes(spectrum, out);
  for (std::size_t k = 0; k < out.modes.size(); ++k)
    out.parameters.push_back(effects(spectrum, k, variation));
  return out;
}

namespace {

// The motions of an eigenvalue, several where it is a multiple one, and how much each parameter
// does to them: w dA v, by derivatives along v alone.
class Suspicion {
 public:
  Suspicion(const Model<Dual>& model, const Freedoms& freedoms, const Eigen::MatrixXd& A,
            std::complex<double> lambda)
      : model_(model), freedoms_(freedoms) {
    for (Eigenmotion& m : Spectrum::motions(A)) {
      if (std::abs(m.lambda - lambda) > kSame * std::abs(lambda) || motions_.size() == kMost)
        continue;
      m.v /= m.v.norm();
      m.w /= m.w.norm();
      add(m.v.real());
      add(m.v.imag());
      motions_.push_back(std::move(m));
    }
  }

  [[nodiscard]] double of(const ParameterInfo& p, Varied& varied) const {
    const Eigen::MatrixXd d = varied.by(
        p, [&](const OperatingPoint& at) { return rates_along(model_, at, directions_); });
    const Eigen::MatrixXd change = freedoms_.all ? d : Eigen::MatrixXd(freedoms_.P * d);
    double most = 0;
    for (std::size_t k = 0; k < motions_.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(2 * k);
      const Eigen::VectorXcd dv = change.col(column).cast<std::complex<double>>() +
                                  std::complex<double>(0, 1) * change.col(column + 1);
      const double size = std::abs((motions_[k].w * dv).value());
      if (std::isfinite(size)) most = std::max(most, size);
    }
    return most;
  }

 private:
  static constexpr double kSame = 1e-6;  // [-] eigenvalues that are one
  static constexpr std::size_t kMost = Dual::kDirections / 2;

  void add(const Eigen::VectorXd& free) {
    const Eigen::VectorXd x = freedoms_.all ? free : Eigen::VectorXd(freedoms_.B * free);
    directions_.emplace_back(x.begin(), x.end());
  }

  const Model<Dual>& model_;
  const Freedoms& freedoms_;
  std::vector<Eigenmotion> motions_;
  std::vector<std::vector<double>> directions_;  // of all states: real and imaginary parts of v
};

}  // namespace

NamedMode explained(const std::shared_ptr<const ModelStructure>& structure,
                    const OperatingPoint& at, const Linearization& l, std::size_t mode) {
  constexpr std::size_t kCandidates = 8;
  NamedMode out = named(l, mode);
  const Model<Dual> model(structure);
  const Freedoms freedoms =
      freedoms_at(Model<double>(structure), at, differentiate(model, at, {}).rates);
  const Eigen::MatrixXd A = to_eigen(l.A);
  Varied varied(structure, at);
  const Suspicion suspicion(model, freedoms, A, out.eigenvalue);
  std::vector<std::pair<double, ParameterIndex>> ranked;
  for (const ParameterIndex p : structure->parameters.indices())
    if (varied.counts(structure->parameters[p]))
      ranked.emplace_back(suspicion.of(structure->parameters[p], varied), p);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<ParameterInfo> candidates;
  for (std::size_t k = 0; k < std::min(kCandidates, ranked.size()); ++k)
    candidates.push_back(structure->parameters[ranked[k].second]);
  const Variation variation = vary_parameters(candidates, model, freedoms, varied);
  const Spectrum spectrum(A, graph_of(A, variation));
  Linearization whole = l;
  find_modes(spectrum, whole);
  if (const auto k = find_mode(whole, out.eigenvalue, out.state))
    out.parameters = effects(spectrum, *k, variation);
  return out;
}

NamedMode explained(const std::shared_ptr<const ModelStructure>& structure,
                    const OperatingPoint& at, const Eigenmotion& motion) {
  constexpr std::size_t kMost = 5'000'000;  // parameters times states
  const ModelStructure& s = *structure;
  const Eigen::VectorXd part = motion.participation();
  const int leading = first_of_the_largest({part.begin(), part.end()});
  NamedMode out{motion.lambda, "", "", "", {}};
  for (const StateInfo& x : s.states)
    if (x.place == leading)
      out.state = x.name, out.block = s.blocks[x.block].name, out.group = s.blocks[x.block].label;
  const auto n = static_cast<std::size_t>(motion.v.size());
  if (n * static_cast<std::size_t>(s.parameters.size()) > kMost) return out;
  const Model<Dual> model(structure);
  Varied varied(structure, at);
  const Eigen::VectorXd re = motion.v.real(), im = motion.v.imag();
  const std::vector<std::vector<double>> along{{re.begin(), re.end()}, {im.begin(), im.end()}};
  for (const ParameterInfo& p : s.parameters) {
    if (!varied.counts(p)) continue;
    const Eigen::MatrixXd d =
        varied.by(p, [&](const OperatingPoint& there) { return rates_along(model, there, along); });
    const Eigen::VectorXcd dv =
        d.col(0).cast<std::complex<double>>() + std::complex<double>(0, 1) * d.col(1);
    const std::complex<double> shift = (motion.w * dv).value() / motion.lambda;
    if (shift != 0.0 && std::isfinite(std::abs(shift))) out.parameters.push_back({p.name, shift});
  }
  std::stable_sort(out.parameters.begin(), out.parameters.end(), [](const auto& a, const auto& b) {
    return std::abs(a.sensitivity) > std::abs(b.sensitivity);
  });
  return out;
}

Linearization linearize(const std::shared_ptr<const ModelStructure>& structure,
                        const State<double>& at) {
  return linearize(structure, with_default_inputs(*structure, at), {});
}

}  // namespace chicane
