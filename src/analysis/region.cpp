// SPDX-License-Identifier: Apache-2.0
#include "analysis/region.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "analysis/stability.hpp"
#include "integrators/tableaus/pairs.hpp"
#include "math/series.hpp"

namespace chicane {
namespace {

using Complex = std::complex<double>;

// The a_m(z) of the recurrence as polynomials.
std::vector<std::vector<double>> polynomials(const Method& method) {
  static_assert(Series<double>::kDegree >= kMaxStages);
  std::vector<std::vector<double>> out;
  for (const Series<double>& a : recurrence(method.k, Series<double>::linear(1.0))) {
    std::vector<double> p;
    for (int k = 0; k <= method.k.stages; ++k) p.push_back(a[static_cast<std::size_t>(k)]);
    while (!p.empty() && p.back() == 0.0) p.pop_back();
    out.push_back(p);
  }
  return out;
}

// Roots of p_0 + p_1 z + ...; one that has gone to infinity is left far away.
Curve roots_of(Curve p) {
  constexpr double kFar = 1e12;
  double largest = 0;
  for (const Complex& c : p) largest = std::max(largest, std::abs(c));
  if (std::abs(p.back()) * kFar < largest) p.back() = largest / kFar;
  const auto n = static_cast<Eigen::Index>(p.size()) - 1;
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    companion(0, i) = -p[static_cast<std::size_t>(n - 1 - i)] / p.back();
  for (Eigen::Index i = 1; i < n; ++i) companion(i, i - 1) = 1.0;
  const Eigen::VectorXcd z =
      Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(companion, false).eigenvalues();
  return {z.begin(), z.end()};
}

}  // namespace

std::vector<double> stability_polynomial(const Method& method) {
  if (method.k.old > 0) return {};
  return polynomials(method).front();
}

int evaluations(const Method& method) {
  if (method.k.old > 0) return method.k.stages;  // the first stage becomes an old derivative
  const auto used = used_columns(method.k);
  return static_cast<int>(std::count(used.begin(), used.end(), true));
}

std::vector<Curve> boundary_locus(const Method& method, int parts) {
  const auto a = polynomials(method);
  std::size_t degree = 0;
  for (const auto& p : a) degree = std::max(degree, p.size() - 1);
  std::vector<Curve> branches(degree);
  for (int part = 0; part <= parts; ++part) {
    const Complex q = std::polar(1.0, 2.0 * std::numbers::pi * part / parts);
    Curve p(degree + 1);  // -q + a_0(z) + a_1(z)/q + ...
    p[0] = -q;
    for (std::size_t m = 0; m < a.size(); ++m)
      for (std::size_t k = 0; k < a[m].size(); ++k)
        p[k] += a[m][k] * std::pow(q, -static_cast<int>(m));
    Curve z = roots_of(p);
    for (Curve& branch : branches) {  // goes on with the nearest of those that are left
      auto next = z.begin();
      if (!branch.empty())
        next = std::min_element(z.begin(), z.end(), [&](const Complex& x, const Complex& y) {
          return std::abs(x - branch.back()) < std::abs(y - branch.back());
        });
      branch.push_back(*next);
      z.erase(next);
    }
  }
  return branches;
}

Window window_around(const Method& method) {
  constexpr double kStable = 1.0 + 1e-6, kRoom = 0.15;
  Window w;
  for (const Curve& branch : boundary_locus(method, 360))
    for (const Complex& z : branch) {
      if (growth(method, z) > kStable) continue;
      w.left = std::min(w.left, z.real());
      w.right = std::max(w.right, z.real());
      w.top = std::max(w.top, std::fabs(z.imag()));
    }
  const double room = kRoom * std::max(w.right - w.left, w.top);
  return {w.left - room, w.right + room, w.top + room};
}

Window joined(const Window& a, const Window& b) {
  return {std::min(a.left, b.left), std::max(a.right, b.right), std::max(a.top, b.top)};
}

namespace {

// log(growth) at the corners of a grid that is symmetric about the real axis; at its edges the
// region is taken to end.
class Grid {
 public:
  Grid(const Method& method, const Window& w, int cells)
      : left_(w.left), step_((w.right - w.left) / cells), columns_(cells + 1) {
    const int half = static_cast<int>(std::ceil(w.top / step_));
    bottom_ = -half * step_;
    rows_ = 2 * half + 1;
    value_.assign(static_cast<std::size_t>(columns_ * rows_), 0.0);
    for (int j = half; j < rows_; ++j)
      for (int i = 0; i < columns_; ++i) {
        const bool edge = i == 0 || i == columns_ - 1 || j == rows_ - 1;
        const double v = std::log(std::max(growth(method, corner(i, j)), 1e-12));
        value(i, j) = value(i, rows_ - 1 - j) = edge ? std::max(v, kOutside) : v;
      }
  }

  // Marching squares. A curve enters and leaves each cell by edges, and every edge but the
  // outermost is one of two cells: so the curves are closed.
  [[nodiscard]] std::vector<Curve> contours(double level) const {
    Links links(static_cast<std::size_t>(2 * columns_ * rows_), {kNone, kNone});
    for (int j = 0; j + 1 < rows_; ++j)
      for (int i = 0; i + 1 < columns_; ++i) link_cell(i, j, level, links);
    std::vector<Curve> curves;
    for (int edge = 0; edge < static_cast<int>(links.size()); ++edge)
      if (links[static_cast<std::size_t>(edge)][0] != kNone)
        curves.push_back(follow(edge, level, links));
    return curves;
  }

 private:
  static constexpr int kNone = -1;
  static constexpr double kOutside = 1.0;
  using Links = std::vector<std::array<int, 2>>;  // of each edge, the edges before and behind it

  [[nodiscard]] std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(j * columns_ + i);
  }
  double& value(int i, int j) { return value_[place(i, j)]; }
  [[nodiscard]] double value(int i, int j) const { return value_[place(i, j)]; }
  [[nodiscard]] Complex corner(int i, int j) const {
    return {left_ + i * step_, bottom_ + j * step_};
  }

  static void join(int a, int b, Links& links) {
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
      auto& link = links[static_cast<std::size_t>(from)];
      (link[0] == kNone ? link[0] : link[1]) = to;
    }
  }

  // Edge 2k goes from corner k to the right, edge 2k + 1 upwards.
  void link_cell(int i, int j, double level, Links& links) const {
    const std::array v{value(i, j), value(i + 1, j), value(i + 1, j + 1), value(i, j + 1)};
    const int here = 2 * static_cast<int>(place(i, j));
    const std::array edges{here, here + 3, here + 2 * columns_, here + 1};  // around the cell
    std::array<int, 4> crossed{};
    std::size_t n = 0;
    for (std::size_t k = 0; k < 4; ++k)
      if ((v[k] <= level) != (v[(k + 1) % 4] <= level)) crossed[n++] = edges[k];
    if (n == 2) join(crossed[0], crossed[1], links);
    if (n < 4) return;
    // a saddle: the centre says which corners belong together
    const bool first = (v[0] <= level) == ((v[0] + v[1] + v[2] + v[3]) / 4 <= level);
    join(crossed[0], crossed[first ? 1 : 3], links);
    join(crossed[2], crossed[first ? 3 : 1], links);
  }

  [[nodiscard]] Complex crossing(int edge, double level) const {
    const int i = edge / 2 % columns_, j = edge / 2 / columns_;
    const int i2 = edge % 2 == 0 ? i + 1 : i, j2 = edge % 2 == 0 ? j : j + 1;
    const double share = (level - value(i, j)) / (value(i2, j2) - value(i, j));
    return corner(i, j) + share * (corner(i2, j2) - corner(i, j));
  }

  // The curve through an edge; its links are used up.
  Curve follow(int edge, double level, Links& links) const {
    Curve curve;
    while (true) {
      auto& link = links[static_cast<std::size_t>(edge)];
      const int next = link[0] != kNone ? link[0] : link[1];
      curve.push_back(crossing(edge, level));
      link = {kNone, kNone};
      if (next == kNone) return curve;
      auto& back = links[static_cast<std::size_t>(next)];
      (back[0] == edge ? back[0] : back[1]) = kNone;
      edge = next;
    }
  }

  double left_, step_, bottom_ = 0;
  int columns_, rows_ = 0;
  std::vector<double> value_;
};

}  // namespace

std::vector<std::vector<Curve>> growth_contours(const Method& method,
                                                const std::vector<double>& levels,
                                                const Window& window, int cells) {
  const Grid grid(method, window, cells);
  std::vector<std::vector<Curve>> out;
  for (const double level : levels) out.push_back(grid.contours(std::log(level)));
  return out;
}

}  // namespace chicane
