#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "analysis/linearize.hpp"
#include "system/simulation.hpp"

namespace chicane::cli {

// "the mode at 5.6 Hz (damping 0.30) of state 'x2', group fast"
std::string in_words(const NamedMode& mode);
// "; behind it w1 (0.96)", or nothing.
std::string behind(const NamedMode& mode);
// "c_px (0.48) and m_R (-0.31)": those that change the natural frequency most.
std::string in_words(std::vector<ParameterEffect> effects);
nlohmann::ordered_json to_json(const NamedMode& mode);
nlohmann::ordered_json to_json(const std::vector<ParameterEffect>& effects,
                               std::complex<double> eigenvalue);

// What the linearised model says about a step: the mode that the method would make grow.
struct StepAdvice {
  NamedMode mode;
  double stable_step = 0;  // [s] the largest at which no mode grows
};

// One sentence about it.
std::string sentence(const StepAdvice& advice, const Plan& plan);

// Nothing when the step is within the stability region for every mode at this state.
std::optional<StepAdvice> advise_step(const std::shared_ptr<const Structure>& structure,
                                      const State<double>& at, const Plan& plan);

// One sentence about a step that makes the frame of a scheme with several rates amplify
// disturbances, at the model's start; nothing where it does not, or the model grows as much itself.
std::optional<std::string> advise_frame(const Spec& spec,
                                        const std::shared_ptr<const Structure>& structure,
                                        const Plan& plan);

// The mode in which a state takes part most, in the model at its start.
std::optional<NamedMode> mode_of_state(const Spec& spec, const std::string& state);

}  // namespace chicane::cli
