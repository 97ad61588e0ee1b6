// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/differentiate.hpp"
#include "analysis/modes.hpp"

namespace chicane {

// How an eigenvalue follows a parameter: (p / lambda) dlambda/dp, the states held. Its real part is
// the relative change of |lambda|, the natural frequency, over that of the parameter.
struct ParameterEffect {
  std::string name;
  std::complex<double> sensitivity;

  [[nodiscard]] double on_frequency() const { return sensitivity.real(); }
  // Change of the damping ratio over the relative change of the parameter.
  [[nodiscard]] double on_damping(std::complex<double> eigenvalue) const;
};

// x' = A x + B u, y = C x + D u about a point, for all blocks together, exact (dual numbers). All
// numbers are in SI. Row i of A is the rate of state i.
struct Linearization {
  struct Port {
    std::string name, unit;  // the SI unit
  };
  std::vector<std::string> states, units;
  std::vector<std::string> block_of, group_of;  // per state; the groups of the file
  std::vector<std::string> blocks, groups;      // all of them, in the order of the file
  std::vector<Port> inputs, outputs;
  RealMatrix A, B, C, D;

  // Empty where A is not finite.
  std::vector<std::complex<double>> eigenvalues;  // largest magnitude first
  std::vector<int> leading;  // per eigenvalue: the state that moves most in its mode
  std::vector<Mode> modes;   // two conjugate eigenvalues are one
  std::vector<std::vector<ParameterEffect>> parameters;  // per mode, largest first; if asked for

  [[nodiscard]] std::vector<std::size_t> states_in(const std::string& group) const;
  // dx'/dx between groups: the rates of one by the states of the other.
  [[nodiscard]] RealMatrix coupling(const std::string& to, const std::string& from) const;
  // Of the diagonal block of a group: what it sees alone, the others' states being held.
  [[nodiscard]] std::vector<std::complex<double>> eigenvalues_of(const std::string& group) const;
  // The part that the states of a block, or of a group, take in a mode together.
  [[nodiscard]] double participation_of_block(const Mode& mode, const std::string& block) const;
  [[nodiscard]] double participation_of_group(const Mode& mode, const std::string& group) const;
};

struct LinearizeRequest {
  std::vector<SignalIndex> outputs;
  bool parameters = false;  // what is behind each mode
};

// A mode with the names of what it belongs to.
struct NamedMode {
  std::complex<double> eigenvalue;
  std::string state, block, group;  // state: the one that takes part most
  std::vector<ParameterEffect> parameters;
};
NamedMode named(const Linearization& l, std::size_t mode);
// The mode of this eigenvalue; of several, the one in which the state takes part most.
std::optional<std::size_t> find_mode(const Linearization& l, std::complex<double> eigenvalue,
                                     const std::string& state);
// The mode in which a state takes part most; of several, the fastest.
std::optional<std::size_t> find_mode(const Linearization& l, const std::string& state);

OperatingPoint with_default_inputs(const ModelStructure& structure, State<double> state);

// The structure must have been compiled with all blocks together.
Linearization linearize(const std::shared_ptr<const ModelStructure>& structure,
                        const OperatingPoint& at, const LinearizeRequest& request);
// A mode of a linearisation at this point with the parameters that are behind it, the few strongest
// ones: found along the mode alone, in a fraction of the time that all modes take.
NamedMode explained(const std::shared_ptr<const ModelStructure>& structure,
                    const OperatingPoint& at, const Linearization& l, std::size_t mode);
// The same of a mode of a model in which every state is free, for its motion alone: without
// parameters where there are very many.
NamedMode explained(const std::shared_ptr<const ModelStructure>& structure,
                    const OperatingPoint& at, const Eigenmotion& motion);
// States and modes alone, the inputs at their defaults.
Linearization linearize(const std::shared_ptr<const ModelStructure>& structure,
                        const State<double>& at);

// dx'/dx, the inputs at their defaults.
RealMatrix jacobian(const Model<Dual>& model, const State<double>& at);

}  // namespace chicane
