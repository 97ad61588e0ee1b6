// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/linearize.hpp"
#include "simulation/guard.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// "the mode at 5.6 Hz (damping 0.30) of state 'x2', group fast"
std::string in_words(const NamedMode& mode);
// "; behind it w1 (0.96)", or nothing.
std::string parameters_behind(const NamedMode& mode);
// "c_px (0.48) and m_R (-0.31)": those that change the natural frequency most.
std::string in_words(std::vector<ParameterEffect> effects);

// What the linearised model says about a step: the mode that the method would make grow.
struct StepAdvice {
  NamedMode mode;
  double stable_step = 0;  // [s] the largest at which no mode grows
};

// One sentence about it.
std::string sentence(const StepAdvice& advice, const Plan& plan);

// Nothing when the step is within the stability region for every mode at this state. For one rate.
std::optional<StepAdvice> advise_step(const std::shared_ptr<const ModelStructure>& structure,
                                      const State<double>& at, const Plan& plan);

// One sentence about a step that makes the frame of a scheme with several rates amplify
// disturbances, at the model's start; nothing where it does not, or the model grows as much itself.
std::optional<std::string> advise_frame(const std::shared_ptr<const ModelStructure>& structure,
                                        const Plan& plan);

// The mode in which a state takes part most, at a state of the run; nothing for a large model,
// where all modes take too long.
std::optional<NamedMode> mode_of_state(const std::shared_ptr<const ModelStructure>& structure,
                                       const State<double>& at, const std::string& state);

// Why an explicit solver cannot go on there: how many steps a frame takes for the sake of
// stability, and which mode wants them. Nothing where that is not the reason.
std::optional<std::string> stiffness(const std::shared_ptr<const ModelStructure>& structure,
                                     const State<double>& at, double frame);

}  // namespace chicane
