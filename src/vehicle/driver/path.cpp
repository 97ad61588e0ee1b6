// SPDX-License-Identifier: Apache-2.0
#include "vehicle/driver/path.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace chicane::driver {

std::variant<Path, std::string> Path::make(const std::vector<double>& x,
                                           const std::vector<double>& y) {
  if (x.size() != y.size()) return fmt::format("path: {} values of x, {} of y", x.size(), y.size());
  if (x.size() < 2) return std::string("path: needs two points or more");
  std::vector<double> s{0.0};
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      return fmt::format("path: point [{}] is not finite", i);
    if (i == 0) continue;
    const double chord = std::hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
    if (!(chord > 0.0)) return fmt::format("path: point [{}] is where [{}] is", i, i - 1);
    s.push_back(s.back() + chord);
  }
  // The parameter is made the arc length of the curve it gives.
  Path path = through(s, x, y);
  for (int round = 0; round < 4; ++round) path = through(path.lengths(), x, y);
  return path;
}

Path Path::through(const std::vector<double>& s, const std::vector<double>& x,
                   const std::vector<double>& y) {
  const auto cubics = [&s](const std::vector<double>& y_of_s) {
    // its arguments are finite and increasing: it cannot fail
    const auto spline = std::get<Table1D>(Table1D::make(s, y_of_s, Interpolation::spline));
    std::vector<Cubic> list;
    for (std::size_t i = 0; i + 1 < s.size(); ++i) {
      const double h = s[i + 1] - s[i], secant = (y_of_s[i + 1] - y_of_s[i]) / h;
      // at its last point the held table has the slope from outside: ask just before it
      const double m_0 = spline.lookup(s[i]).slope;
      const double m_1 = spline.lookup(std::nextafter(s[i + 1], s[i])).slope;
      list.push_back({y_of_s[i], m_0, (3.0 * secant - 2.0 * m_0 - m_1) / h,
                      (m_0 + m_1 - 2.0 * secant) / (h * h)});
    }
    return list;
  };
  const auto on = [](const Cubic& c, double d) { return Cubic{c.value(d), c.slope(d), 0.0, 0.0}; };
  const std::vector<Cubic> along_x = cubics(x), along_y = cubics(y);
  std::vector<Piece> pieces{{s[0], on(along_x[0], 0.0), on(along_y[0], 0.0)}};
  for (std::size_t i = 0; i + 1 < s.size(); ++i) pieces.push_back({s[i], along_x[i], along_y[i]});
  const double last = s.back() - s[s.size() - 2];
  pieces.push_back({s.back(), on(along_x.back(), last), on(along_y.back(), last)});
  return {TableAxis(s), std::move(pieces)};
}

// Arc length up to each point, by Gauss's rule with five points on each piece.
std::vector<double> Path::lengths() const {
  constexpr std::array<double, 5> kAt{-0.9061798459386640, -0.5384693101056831, 0.0,
                                      0.5384693101056831, 0.9061798459386640};
  constexpr std::array<double, 5> kWeight{0.2369268850561891, 0.4786286704993665,
                                          0.5688888888888889, 0.4786286704993665,
                                          0.2369268850561891};
  std::vector<double> length{0.0};
  for (std::size_t i = 0; i + 1 < s_.size(); ++i) {
    const double half = 0.5 * (s_[i + 1] - s_[i]), middle = s_[i] + half;
    double sum = 0.0;
    for (std::size_t k = 0; k < kAt.size(); ++k) {
      const auto p = local(middle + half * kAt[k]);
      sum += kWeight[k] * std::hypot(p.dx, p.dy);
    }
    length.push_back(length.back() + half * sum);
  }
  return length;
}

}  // namespace chicane::driver
