// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "io/plot/axis.hpp"

namespace chicane {

// What all pictures have in common. Lengths are in pixels of the PNG, which are the units of the
// SVG.

// Okabe and Ito, "Color universal design": told apart with any colour vision. Their yellow is left
// out, being too faint for a line on white.
inline constexpr std::array<std::string_view, 7> kColours{
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};

// The beginning of every script: panels in one picture, grey axes to the left and below.
extern const std::string_view kPictureStyle;

// A string for gnuplot that means exactly this text. Lines are joined, as single quotes know no \n.
std::string literal(std::string_view text);

// The ticks of an axis as gnuplot takes them, with or without their labels.
std::string tick_list(const Axis& axis, bool labelled);

// Has gnuplot draw the script to <stem>.png and <stem>.svg.
void draw_picture(const std::string& script, int width, int height,
                  const std::filesystem::path& stem);

}  // namespace chicane
