// SPDX-License-Identifier: Apache-2.0
#include "math/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "math/dual.hpp"

namespace chicane::table_test {
namespace {

using enum Interpolation;
using Points = std::vector<double>;

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Interpolation kKinds[] = {linear, monotone, spline};

Table1D table(const Points& x, const Points& y, Interpolation kind,
              Extrapolation beyond = Extrapolation::hold) {
  auto made = Table1D::make(x, y, kind, beyond);
  if (const auto* error = std::get_if<std::string>(&made)) throw std::invalid_argument(*error);
  return std::get<Table1D>(std::move(made));
}

Table2D table(const Points& x, const Points& y, const Points& z, Interpolation kind,
              Extrapolation beyond = Extrapolation::hold) {
  auto made = Table2D::make(x, y, z, kind, beyond);
  if (const auto* error = std::get_if<std::string>(&made)) throw std::invalid_argument(*error);
  return std::get<Table2D>(std::move(made));
}

std::string error_1d(Points x, Points y) {
  const auto made = Table1D::make(std::move(x), y);
  const auto* error = std::get_if<std::string>(&made);
  return error ? *error : "";
}

template <class F>
Points map(const Points& x, const F& f) {
  Points y;
  for (const double v : x) y.push_back(f(v));
  return y;
}

template <class F>
Points map(const Points& x, const Points& y, const F& f) {
  Points z;
  for (const double u : x)
    for (const double v : y) z.push_back(f(u, v));
  return z;
}

Points even(double lo, double hi, int n) {
  Points x;
  for (int i = 0; i < n; ++i) x.push_back(lo + (hi - lo) * i / (n - 1));
  return x;
}

Points uneven(std::mt19937& random, int n) {
  std::uniform_real_distribution<double> gap(0.05, 1.0);
  Points x{-1.0};
  while (static_cast<int>(x.size()) < n) x.push_back(x.back() + gap(random));
  return x;
}

const Points kX{-1.0, 0.0, 0.5, 2.0, 2.25, 4.0};
const Points kY{3.0, -1.0, -1.0, 2.0, 7.0, 6.5};

// --- one variable ---------------------------------------------------------------------------

TEST(Table, HeldGoesInStepsAndHasNoSlope) {
  for (const Extrapolation beyond : {Extrapolation::hold, Extrapolation::linear}) {
    const Table1D t = table({0.0, 0.1, 0.3}, {5.0, -2.0, 7.0}, hold, beyond);
    EXPECT_EQ(t(-1.0), 5.0);
    EXPECT_EQ(t(0.0), 5.0);
    EXPECT_EQ(t(std::nextafter(0.1, 0.0)), 5.0);
    EXPECT_EQ(t(0.1), -2.0);  // from the right
    EXPECT_EQ(t(0.29), -2.0);
    EXPECT_EQ(t(0.3), 7.0);
    EXPECT_EQ(t(9.0), 7.0);
    for (const double x : {-1.0, 0.0, 0.05, 0.1, 0.2, 5.0}) EXPECT_EQ(t.lookup(x).slope, 0.0);
    EXPECT_NEAR(t.integral(0.4), 0.5 - 0.4 + 0.7, 1e-15);
  }
  const auto map = Table2D::make({0, 1}, {0, 1}, {1, 2, 3, 4}, hold);
  EXPECT_EQ(std::get<std::string>(map), "a map of two variables cannot be held");
}

TEST(Table1D, PassesThroughItsPointsExactly) {
  for (const auto kind : kKinds) {
    for (const auto& x : {kX, even(0.0, 1.0, 6), even(-0.1, 0.7, 6)}) {
      const auto f = table(x, kY, kind);
      for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(f(x[i]), kY[i]);
    }
  }
}

TEST(Table1D, ReproducesLinesWithEveryKind) {
  const auto line = [](double x) { return 3.0 - 2.0 * x; };
  for (const auto kind : kKinds) {
    const auto f = table(kX, map(kX, line), kind, Extrapolation::linear);
    for (double x = -3.0; x < 6.0; x += 0.01) {
      EXPECT_NEAR(f(x), line(x), 64 * kEps);  // a few roundings of numbers up to 10
      EXPECT_NEAR(f.lookup(x).slope, -2.0, 64 * kEps);
    }
  }
}

// A natural spline sampled on a finer grid is a natural spline of that grid, hence its own
// interpolant: cubics are reproduced on every interval.
TEST(Table1D, NaturalSplineReproducesItsOwnSpace) {
  const auto coarse = table(kX, kY, spline);
  Points x = kX;
  for (std::size_t i = 0; i + 1 < kX.size(); ++i) x.push_back(0.5 * (kX[i] + kX[i + 1]));
  std::sort(x.begin(), x.end());
  const auto fine = table(x, map(x, coarse), spline);
  for (double t = -1.0; t < 4.0; t += 0.003) EXPECT_NEAR(fine(t), coarse(t), 1e-13);
}

// Error over the middle half, where the natural end condition is no longer felt: it decays by
// 2 - sqrt(3) per interval.
TEST(Table1D, SplineConvergesWithOrderFourAwayFromTheEnds) {
  const auto error = [](int n) {
    const auto x = even(0.0, 4.0, n);
    const auto f = table(x, map(x, [](double v) { return std::exp(std::sin(v)); }), spline);
    double worst = 0.0;
    for (double t = 1.0; t < 3.0; t += 0.0007) {
      worst = std::max(worst, std::fabs(f(t) - std::exp(std::sin(t))));
    }
    return worst;
  };
  for (const int n : {81, 161}) {
    EXPECT_NEAR(std::log2(error(n) / error(2 * n - 1)), 4.0, 0.2) << n;
  }
}

TEST(Table1D, MonotoneConvergesWithOrderThreeAwayFromExtrema) {
  const auto error = [](int n) {
    const auto x = even(0.0, 1.0, n);
    const auto f = table(x, map(x, [](double v) { return std::exp(v); }), monotone);
    double worst = 0.0;
    for (double t = 0.0; t < 1.0; t += 0.0007)
      worst = std::max(worst, std::fabs(f(t) - std::exp(t)));
    return worst;
  };
  EXPECT_NEAR(std::log2(error(41) / error(81)), 3.0, 0.2);
}

TEST(Table1D, IsAsSmoothAsItsKindSays) {
  const double h = 1e-7;
  for (const auto kind : kKinds) {
    const auto f = table(kX, kY, kind);
    for (std::size_t i = 1; i + 1 < kX.size(); ++i) {
      const auto left = f.lookup(kX[i] - h), right = f.lookup(kX[i] + h);
      EXPECT_NEAR(left.value, right.value, 100 * h);
      if (kind == linear) continue;
      EXPECT_NEAR(left.slope, right.slope, 1000 * h);
      if (kind == monotone) continue;
      const double below = (f.lookup(kX[i]).slope - left.slope) / h;
      const double above = (right.slope - f.lookup(kX[i]).slope) / h;
      EXPECT_NEAR(below, above, 1e-4);  // third derivative times h, and rounding over h
    }
  }
  const auto f = table(kX, kY, spline);
  EXPECT_NEAR((f.lookup(-1.0 + h).slope - f.lookup(-1.0).slope) / h, 0.0, 1e-4);  // natural
}

TEST(Table1D, MonotoneNeitherTurnsNorOvershoots) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> step(0.0, 1.0);
  for (int round = 0; round < 200; ++round) {
    const auto x = uneven(random, 12);
    Points y{0.0};
    while (y.size() < x.size()) {
      // plateaus and jumps of very different size
      y.push_back(y.back() + (random() % 4 == 0 ? 0.0 : std::pow(step(random), 8)));
    }
    const auto f = table(x, y, monotone);
    double last = y.front();
    for (double t = x.front(); t <= x.back(); t += 0.002) {
      const auto [value, slope] = f.lookup(t);
      EXPECT_GE(value, last - 8 * kEps);
      EXPECT_GE(slope, -64 * kEps);
      EXPECT_LE(value, y.back() + 8 * kEps);
      last = value;
    }
  }
}

TEST(Table1D, MonotoneStaysBetweenNeighboursForAnyData) {
  const auto f = table(kX, kY, monotone);
  for (std::size_t i = 0; i + 1 < kX.size(); ++i) {
    const auto [lo, hi] = std::minmax(kY[i], kY[i + 1]);
    for (double t = kX[i]; t < kX[i + 1]; t += 0.001) {
      EXPECT_GE(f(t), lo - 16 * kEps);
      EXPECT_LE(f(t), hi + 16 * kEps);
    }
  }
}

TEST(Table1D, SlopeIsTheDerivative) {
  const double h = 1e-6;
  for (const auto kind : kKinds) {
    for (const auto beyond : {Extrapolation::hold, Extrapolation::linear}) {
      const auto f = table(kX, kY, kind, beyond);
      for (double x = -2.003; x < 5.0; x += 0.0971) {
        EXPECT_NEAR(f.lookup(x).slope, (f(x + h) - f(x - h)) / (2 * h), 1e-7) << x;
      }
    }
  }
}

TEST(Table1D, ExtrapolatesByItsRule) {
  for (const auto kind : kKinds) {
    const auto held = table(kX, kY, kind, Extrapolation::hold);
    const auto straight = table(kX, kY, kind, Extrapolation::linear);
    for (const double d : {1e-9, 1.0, 1e6}) {
      EXPECT_EQ(held(-1.0 - d), 3.0);
      EXPECT_EQ(held(4.0 + d), 6.5);
      EXPECT_EQ(held.lookup(4.0 + d).slope, 0.0);
      EXPECT_EQ(held.lookup(-1.0 - d).slope, 0.0);
      const double m = straight.lookup(4.0).slope;
      EXPECT_NEAR(straight(4.0 + d), 6.5 + m * d, 1e-9 * d + 8 * kEps);
      EXPECT_EQ(straight.lookup(4.0 + d).slope, m);
      EXPECT_EQ(straight.lookup(-1.0 - d).slope, straight.lookup(-1.0).slope);
    }
    // the slope at the edge is the one inside
    EXPECT_NEAR(straight.lookup(4.0).slope, held.lookup(4.0 - 1e-9).slope, 1e-6);
    EXPECT_EQ(held(kInf), 6.5);
    EXPECT_EQ(held(-kInf), 3.0);
  }
}

TEST(Table1D, LetsNaNThrough) {
  for (const auto kind : kKinds) {
    for (const auto& x : {kX, even(0.0, 1.0, 6), Points{2.0}}) {
      const Points y(kY.begin(), kY.begin() + static_cast<std::ptrdiff_t>(x.size()));
      const auto f = table(x, y, kind);
      EXPECT_TRUE(std::isnan(f(kNaN)));
      EXPECT_TRUE(std::isnan(table(x, y, kind, Extrapolation::linear)(kNaN)));
    }
  }
}

TEST(Table1D, OnePointIsAConstantAndTwoAreALine) {
  for (const auto kind : kKinds) {
    const auto constant = table(Points{2.0}, Points{5.0}, kind, Extrapolation::linear);
    for (const double x : {-1e9, 2.0, 7.0, kInf}) {
      EXPECT_EQ(constant(x), 5.0);
      EXPECT_EQ(constant.lookup(x).slope, 0.0);
    }
    const auto line = table(Points{1.0, 3.0}, Points{10.0, 14.0}, kind, Extrapolation::linear);
    for (const double x : {0.0, 1.0, 2.5, 3.0, 9.0}) EXPECT_DOUBLE_EQ(line(x), 8.0 + 2.0 * x);
  }
}

TEST(Table1D, FindsThePlaceOnEvenAndUnevenGridsAlike) {
  std::mt19937 random(5);
  for (const auto& x : {even(-0.3, 0.9, 13), even(0.0, 1e-3, 1001), even(1e6, 1e6 + 1, 11),
                        uneven(random, 40), Points{-1e300, 0.0, 1e300}}) {
    const TableAxis axis(x);
    const auto slow = [&](double v) {
      return static_cast<std::size_t>(
          std::count_if(x.begin(), x.end(), [&](double p) { return p <= v; }));
    };
    for (const double p : x) {
      for (const double v : {p, std::nextafter(p, -kInf), std::nextafter(p, kInf)}) {
        EXPECT_EQ(axis.count_up_to(v), slow(v)) << v;
      }
    }
    for (const double v : {-kInf, kInf}) EXPECT_EQ(axis.count_up_to(v), slow(v));
    EXPECT_LE(axis.count_up_to(kNaN), x.size());
  }
}

TEST(Table1D, NamesTheIndexAtFault) {
  EXPECT_EQ(error_1d({}, {}), "x has no points");
  EXPECT_EQ(error_1d({0, 1}, {1}), "y has 1 values where 2 are needed");
  EXPECT_EQ(error_1d({0, 2, 1.5}, {1, 1, 1}), "x[2] = 1.5 is not greater than x[1] = 2");
  EXPECT_EQ(error_1d({0, 0}, {1, 1}), "x[1] = 0 is not greater than x[0] = 0");
  EXPECT_EQ(error_1d({0, kNaN}, {1, 1}), "x[1] = nan is not finite");
  EXPECT_EQ(error_1d({0, 1}, {1, kInf}), "y[1] = inf is not finite");
  EXPECT_EQ(error_1d({-1e308, 1e308}, {1, 1}), "x spans too wide a range");
  EXPECT_EQ(error_1d({0, 1e-320}, {1, 1}), "x[1] = 1e-320 is too close to x[0] = 0");
  EXPECT_EQ(error_1d({0, 1e-10}, {-1e308, 1e308}), "the curve is too steep at x[0] = 0");
}

TEST(Table1D, LiftsToDualByTheChainRule) {
  for (const auto kind : kKinds) {
    const auto f = table(kX, kY, kind);
    for (double x = -2.0; x < 5.0; x += 0.13) {
      const Dual y = f(sin(Dual::variable(x, 2)) + x);
      const auto [value, slope] = f.lookup(std::sin(x) + x);
      EXPECT_EQ(y.a, value);
      EXPECT_EQ(y.b[2], slope * std::cos(x));
      EXPECT_EQ(y.b[0], 0.0);
    }
  }
}

// --- two variables --------------------------------------------------------------------------

const Points kV{0.0, 1.0, 1.5, 4.0};
double wavy(double x, double y) { return std::sin(x) * std::cos(0.7 * y) + 0.1 * x * y; }

TEST(Table2D, PassesThroughItsPointsExactly) {
  const auto z = map(kX, kV, wavy);
  for (const auto kind : kKinds) {
    const auto f = table(kX, kV, z, kind);
    for (const double x : kX)
      for (const double y : kV) EXPECT_EQ(f(x, y), wavy(x, y));
  }
}

TEST(Table2D, ReproducesBilinearFunctionsInsideAndOutside) {
  const auto g = [](double x, double y) { return 1.0 + 2.0 * x - 3.0 * y + 0.5 * x * y; };
  for (const auto kind : {linear, spline}) {
    const auto f = table(kX, kV, map(kX, kV, g), kind, Extrapolation::linear);
    for (double x = -3.0; x < 6.0; x += 0.17) {
      for (double y = -2.0; y < 6.0; y += 0.19) {
        const auto [value, slope_x, slope_y] = f.lookup(x, y);
        EXPECT_NEAR(value, g(x, y), 1e-12);
        EXPECT_NEAR(slope_x, 2.0 + 0.5 * y, 1e-12);
        EXPECT_NEAR(slope_y, -3.0 + 0.5 * x, 1e-12);
      }
    }
  }
}

TEST(Table2D, IsTheOneDimensionalTableAlongGridLines) {
  const auto z = map(kX, kV, wavy);
  for (const auto kind : kKinds) {
    for (const auto beyond : {Extrapolation::hold, Extrapolation::linear}) {
      const auto f = table(kX, kV, z, kind, beyond);
      for (const double y : kV) {
        const auto line = table(kX, map(kX, [&](double x) { return wavy(x, y); }), kind, beyond);
        for (double x = -2.0; x < 5.0; x += 0.03) {
          EXPECT_NEAR(f(x, y), line(x), 1e-14);
          EXPECT_NEAR(f.lookup(x, y).slope_x, line.lookup(x).slope, 1e-13);
        }
      }
      for (const double x : kX) {
        const auto line = table(kV, map(kV, [&](double y) { return wavy(x, y); }), kind, beyond);
        for (double y = -1.0; y < 5.0; y += 0.03) EXPECT_NEAR(f(x, y), line(y), 1e-14);
      }
    }
  }
}

// Splining across the rows, then across the results, must give the same surface.
TEST(Table2D, SplineIsTheTensorProductOfSplines) {
  const auto f = table(kX, kV, map(kX, kV, wavy), spline);
  for (double y = 0.0; y <= 4.0; y += 0.31) {
    const auto across = map(kX, [&](double x) {
      return table(kV, map(kV, [&](double v) { return wavy(x, v); }), spline)(y);
    });
    const auto line = table(kX, across, spline);
    for (double x = -1.0; x <= 4.0; x += 0.07) EXPECT_NEAR(f(x, y), line(x), 1e-14);
  }
}

TEST(Table2D, SlopesAreTheDerivatives) {
  const double h = 1e-6;
  for (const auto kind : kKinds) {
    for (const auto beyond : {Extrapolation::hold, Extrapolation::linear}) {
      const auto f = table(kX, kV, map(kX, kV, wavy), kind, beyond);
      for (double x = -2.003; x < 5.0; x += 0.297) {
        for (double y = -1.003; y < 5.0; y += 0.297) {
          const auto at = f.lookup(x, y);
          EXPECT_NEAR(at.slope_x, (f(x + h, y) - f(x - h, y)) / (2 * h), 1e-8);
          EXPECT_NEAR(at.slope_y, (f(x, y + h) - f(x, y - h)) / (2 * h), 1e-8);
        }
      }
    }
  }
}

TEST(Table2D, DoesNotPreferAnAxis) {
  const auto z = map(kX, kV, wavy);
  const auto z_swapped = map(kV, kX, [](double v, double x) { return wavy(x, v); });
  for (const auto kind : kKinds) {
    const auto f = table(kX, kV, z, kind), g = table(kV, kX, z_swapped, kind);
    for (double x = -2.0; x < 5.0; x += 0.21)
      for (double y = -1.0; y < 5.0; y += 0.23) EXPECT_NEAR(f(x, y), g(y, x), 1e-14);
  }
}

TEST(Table2D, HoldsItsEdges) {
  for (const auto kind : kKinds) {
    const auto f = table(kX, kV, map(kX, kV, wavy), kind);
    EXPECT_EQ(f(kInf, 1.2), f(4.0, 1.2));
    EXPECT_EQ(f(-7.0, 1.2), f(-1.0, 1.2));
    EXPECT_EQ(f(9.0, -kInf), wavy(4.0, 0.0));
    EXPECT_EQ(f.lookup(9.0, 1.2).slope_x, 0.0);
    EXPECT_EQ(f.lookup(9.0, 1.2).slope_y, f.lookup(4.0, 1.2).slope_y);
  }
}

TEST(Table2D, LetsNaNThrough) {
  for (const auto kind : kKinds) {
    const auto f = table(kX, kV, map(kX, kV, wavy), kind);
    EXPECT_TRUE(std::isnan(f(kNaN, 1.0)));
    EXPECT_TRUE(std::isnan(f(1.0, kNaN)));
    const auto point = table(Points{1.0}, Points{1.0}, Points{3.0}, kind);
    EXPECT_TRUE(std::isnan(point(kNaN, 1.0)));
    EXPECT_EQ(point(kInf, -8.0), 3.0);
  }
}

TEST(Table2D, WithASinglePointOnOneAxisIsATable1D) {
  for (const auto kind : kKinds) {
    const auto f = table(kX, Points{7.0}, kY, kind);
    const auto line = table(kX, kY, kind);
    for (double x = -2.0; x < 5.0; x += 0.11) {
      EXPECT_NEAR(f(x, 0.0), line(x), 1e-14);
      EXPECT_EQ(f.lookup(x, 9.0).slope_y, 0.0);
    }
  }
}

TEST(Table2D, NamesTheIndexAtFault) {
  const auto error = [](Points x, Points y, const Points& z) {
    const auto made = Table2D::make(std::move(x), std::move(y), z);
    const auto* text = std::get_if<std::string>(&made);
    return text ? *text : "";
  };
  EXPECT_EQ(error({0, 1}, {}, {}), "y has no points");
  EXPECT_EQ(error({0, 1}, {3, 2}, {1, 1, 1, 1}), "y[1] = 2 is not greater than y[0] = 3");
  EXPECT_EQ(error({0, 1}, {0, 1}, {1, 1, 1}), "z has 3 values where 4 are needed");
  EXPECT_EQ(error({0, 1}, {0, 1}, {1, 1, kNaN, 1}), "z[2] = nan is not finite");
}

TEST(Table2D, LiftsToDualByTheChainRule) {
  const auto f = table(kX, kV, map(kX, kV, wavy), spline);
  const Dual z = f(Dual::variable(0.8, 0) * 2.0, Dual::variable(1.1, 1));
  const auto [value, slope_x, slope_y] = f.lookup(1.6, 1.1);
  EXPECT_EQ(z.a, value);
  EXPECT_EQ(z.b[0], 2.0 * slope_x);
  EXPECT_EQ(z.b[1], slope_y);
}

}  // namespace
}  // namespace chicane::table_test
