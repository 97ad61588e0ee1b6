// SPDX-License-Identifier: Apache-2.0
#include "io/plot/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "io/plot/axis.hpp"

namespace chicane {
namespace {

bool starts_letter(char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }  // in UTF-8

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_letter));
}

// "[m/s²]" for "m/s^2", or nothing for no unit.
std::string bracketed(std::string_view unit) {
  if (unit.empty()) return {};
  std::string s = "[";
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const std::size_t end = std::min(unit.find_first_not_of("-0123456789", i + 1), unit.size());
    if (unit[i] == '^' && end > i + 1) {
      s += raised(unit.substr(i + 1, end - i - 1));
      i = end - 1;
    } else {
      s += unit[i];
    }
  }
  return s + "]";
}

}  // namespace

int text_width(std::string_view text, double letter) {
  return static_cast<int>(std::ceil(static_cast<double>(letters(text)) * letter));
}

std::string shortened(const std::string& text, int width, double letter) {
  const std::size_t all = letters(text);
  const auto fit = static_cast<std::size_t>(std::max(3.0, width / letter));
  if (all <= fit) return text;
  const std::size_t head = (fit - 1) / 2;
  const std::size_t tail = all - (fit - 1 - head);  // the first letter of the end
  std::string s;
  std::size_t seen = 0;  // letters begun
  for (const char c : text) {
    if (starts_letter(c)) {
      if (seen == head) s += "…";
      ++seen;
    }
    if (seen <= head || seen > tail) s += c;
  }
  return s;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  if (name.empty() || unit.empty()) return name + bracketed(unit);
  return name + " " + bracketed(unit);
}

std::string wrapped(const std::string& name, const std::string& unit, int width) {
  if (text_width(with_unit(name, unit)) <= width) return with_unit(name, unit);
  std::string text;
  std::string line;
  std::string rest = name;
  while (!rest.empty()) {
    const std::size_t end = rest.find_first_of("._ ");
    const std::string word = rest.substr(0, end == std::string::npos ? end : end + 1);
    if (!line.empty() && text_width(line + word) > width) text += std::exchange(line, {}) + "\n";
    line += word;
    rest.erase(0, word.size());
  }
  text += shortened(line, width);
  return unit.empty() ? text : text + "\n" + bracketed(unit);
}

int count_lines(std::string_view text) {
  return 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace chicane
