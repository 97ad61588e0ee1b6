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
  const auto pieces = [&s](const std::vector<double>& y_of_s) {
    // its arguments are finite and increasing: it cannot fail
    const auto spline = std::get<Table1D>(Table1D::make(s, y_of_s, Interpolation::spline));
    std::vector<Cubic> cubics;
    for (std::size_t i = 0; i + 1 < s.size(); ++i) {
      const double h = s[i + 1] - s[i], secant = (y_of_s[i + 1] - y_of_s[i]) / h;
      // at its last point the held table has the slope from outside: ask just before it
      const double m_0 = spline.lookup(s[i]).slope;
      const double m_1 = spline.lookup(std::nextafter(s[i + 1], s[i])).slope;
      cubics.push_back({y_of_s[i], m_0, (3.0 * secant - 2.0 * m_0 - m_1) / h,
                        (m_0 + m_1 - 2.0 * secant) / (h * h)});
    }
    return cubics;
  };
  return {TableAxis(s), pieces(x), pieces(y)};
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
