// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Small road surface files of our own making, in any of the forms.

namespace testkit {

struct CrgMaker {
  double first = 0.0, step = 0.5, right = -2.0, across = 0.5;  // [m]
  int rows = 41, sections = 9;
  std::function<double(double u, double v)> z = [](double u, double v) {
    return 0.02 * std::sin(0.7 * u) + 0.01 * v * std::cos(0.3 * u);
  };
  // Of the piece that ends at u; nothing: no such channel.
  std::function<double(double u)> phi, slope, banking;
  bool placed = true;  // sections by position, and not counted
  std::string blocks;  // further blocks, each ended by a line $
  std::string keys;    // further lines of $ROAD_CRG

  [[nodiscard]] double u_of(int row) const { return first + step * row; }
  [[nodiscard]] double v_of(int section) const { return right + across * section; }

  [[nodiscard]] std::string header(const std::string& format) const {
    std::string s = "$CT\na road of the tests\n$\n" + blocks;
    s += fmt::format(
        "$ROAD_CRG ! all of it\n* lengths in m\nREFERENCE_LINE_START_U = {}\n"
        "REFERENCE_LINE_END_U = {}\nreference_line_increment = {}\nLONG_SECTION_V_RIGHT = {}\n"
        "LONG_SECTION_V_LEFT = {}\nLONG_SECTION_V_INCREMENT = {}\n{}$\n",
        first, u_of(rows - 1), step, right, v_of(sections - 1), across, keys);
    s += "$KD_Definition\n#:" + format + "\nU:reference line u,m,0,1.0\n";
    if (phi) s += "D:reference line phi,rad\n";
    if (banking) s += "D:reference line banking,m/m\n";
    if (slope) s += "D:reference line slope,m/m\n";
    for (int k = 0; k < sections; ++k)
      s += placed ? fmt::format("D:long section at v = {:.4f},m\n", v_of(k))
                  : fmt::format("D:long section {},m\n", k + 1);
    return s + "$\n" + std::string(72, '$') + "\n";
  }
  [[nodiscard]] std::vector<double> row(int r) const {
    std::vector<double> list;
    const double u = u_of(r), missing = std::nan("");
    if (phi) list.push_back(r == 0 ? missing : phi(u));
    if (banking) list.push_back(banking(u));
    if (slope) list.push_back(r == 0 ? missing : slope(u));
    for (int k = 0; k < sections; ++k) list.push_back(z(u, v_of(k)));
    return list;
  }
  [[nodiscard]] std::string write(const std::string& format) const {
    std::string s = header(format);
    const std::size_t begin = s.size();
    for (int r = 0; r < rows; ++r) {
      if (format[2] == 'F')
        put_text(s, row(r), format);
      else
        put_binary(s, row(r), format);
      if (format[0] == 'L') fill(s, begin, format);
    }
    fill(s, begin, format);
    return s;
  }

 private:
  // Binary records have 80 bytes.
  static void fill(std::string& s, std::size_t begin, const std::string& format) {
    while (format[2] == 'B' && (s.size() - begin) % 80 != 0) put_binary(s, {std::nan("")}, format);
  }
  static void put_text(std::string& s, const std::vector<double>& list, const std::string& format) {
    const bool real = format[1] == 'R';
    const std::size_t most = real ? 8 : 4;
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (std::isnan(list[k]))
        s += real ? "*missing**" : "*****missing********";
      else
        s += real ? fmt::format("{:10.7f}", list[k]) : fmt::format("{:20.13e}", list[k]);
      if (k + 1 == list.size() || (k + 1) % most == 0) s += '\n';
    }
  }
  template <class Bits>
  static void put_bits(std::string& s, Bits bits) {
    for (std::size_t i = sizeof(Bits); i-- > 0;) s += static_cast<char>((bits >> (8 * i)) & 0xffU);
  }
  static void put_binary(std::string& s, const std::vector<double>& list,
                         const std::string& format) {
    for (const double value : list) {
      if (format[1] == 'R')
        put_bits(s, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
      else
        put_bits(s, std::bit_cast<std::uint64_t>(value));
    }
  }
};

}  // namespace testkit
