// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace chicane {

// Text in pictures: how wide it is, about, and how it is made to fit.

inline constexpr double kLetter = 7.6;  // [px] wide, on average and a little more

int text_width(std::string_view text, double letter = kLetter);  // [px]

// The text with its middle cut out, if need be, to fit the width: names differ at their ends.
std::string shortened(const std::string& text, int width, double letter = kLetter);

std::string one_line(std::string text);

// "speed [m/s²]" for "speed" and "m/s^2".
std::string with_unit(const std::string& name, const std::string& unit);

// "name [unit]", on several lines when one is too long for the panel: the unit on its own, and the
// name broken behind a dot, underscore or blank.
std::string wrapped(const std::string& name, const std::string& unit, int width);

int count_lines(std::string_view text);

}  // namespace chicane
