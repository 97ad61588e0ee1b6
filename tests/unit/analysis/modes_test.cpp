// SPDX-License-Identifier: Apache-2.0

// Eigenvalues beside LAPACK's and beside spectra known in closed form.

#include "analysis/modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

extern "C" void dgeev_(const char* left, const char* right, const int* n, double* a, const int* lda,
                       double* re, double* im, double* vl, const int* ldvl, double* vr,
                       const int* ldvr, double* work, const int* lwork, int* info);

namespace modes_test {
namespace {

using namespace chicane;
using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

struct Lapack {
  std::vector<Complex> values;
  MatrixXcd left, right;  // by column
};

Lapack lapack(MatrixXd A) {
  const int n = static_cast<int>(A.rows()), room = 20 * n;
  std::vector<double> re(A.rows()), im(A.rows()), work(static_cast<std::size_t>(room));
  MatrixXd L(n, n), R(n, n);
  int info = -1;
  dgeev_("V", "V", &n, A.data(), &n, re.data(), im.data(), L.data(), &n, R.data(), &n, work.data(),
         &room, &info);
  EXPECT_EQ(info, 0);
  Lapack out{{}, L.cast<Complex>(), R.cast<Complex>()};
  for (int k = 0; k < n; ++k) {
    const auto at = static_cast<std::size_t>(k);
    out.values.emplace_back(re[at], im[at]);
    if (im[at] <= 0) continue;  // columns k and k+1 are real and imaginary part
    for (auto [to, from] : {std::pair{&out.left, &L}, {&out.right, &R}}) {
      to->col(k).imag() = from->col(k + 1);
      to->col(k + 1) = to->col(k).conjugate();
    }
  }
  return out;
}

MatrixXd random_matrix(Eigen::Index n, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(n, n, [&] { return normal(engine); });
}

// The largest distance of an eigenvalue to its partner, each used once.
double distance(const std::vector<Complex>& ours, std::vector<Complex> theirs) {
  EXPECT_EQ(ours.size(), theirs.size());
  double most = 0;
  for (const Complex v : ours) {
    const auto near = std::min_element(theirs.begin(), theirs.end(), [&](Complex a, Complex b) {
      return std::abs(a - v) < std::abs(b - v);
    });
    most = std::max(most, std::abs(*near - v));
    theirs.erase(near);
  }
  return most;
}

MatrixXd matrix(std::initializer_list<std::initializer_list<double>> rows) {
  std::vector<std::vector<double>> list;
  for (const auto& r : rows) list.emplace_back(r);
  return to_eigen(list);
}

double sum(const Mode& m) {
  double s = 0;
  for (const double p : m.participation) s += p;
  return s;
}

TEST(Eigenvalues, AreThoseOfLapack) {
  for (const Eigen::Index n : {1, 2, 3, 5, 10, 20, 40})
    for (unsigned seed = 0; seed < 5; ++seed) {
      const MatrixXd A = random_matrix(n, seed);
      EXPECT_LT(distance(eigenvalues(A), lapack(A).values), 1e-10 * A.norm()) << n << " " << seed;
    }
}

TEST(Eigenvalues, AreSortedLargestFirstWithConjugatesSideBySide) {
  const auto values = eigenvalues(random_matrix(20, 7));
  for (std::size_t k = 0; k < values.size(); ++k) {
    EXPECT_GE(std::abs(values[k == 0 ? 0 : k - 1]), std::abs(values[k]));
    if (values[k].imag() <= 0) continue;
    EXPECT_EQ(values[k + 1], std::conj(values[k]));
  }
}

// a on the diagonal, b above, c below: a + 2 sqrt(bc) cos(k pi / (n + 1)).
TEST(Eigenvalues, OfATridiagonalToeplitzMatrixAreKnown) {
  const Eigen::Index n = 12;
  const double a = -3, b = 2, c = 0.5;
  MatrixXd A = MatrixXd::Zero(n, n);
  std::vector<Complex> exact;
  for (Eigen::Index i = 0; i < n; ++i) {
    A(i, i) = a;
    if (i > 0) A(i, i - 1) = c, A(i - 1, i) = b;
    exact.emplace_back(a + 2 * std::sqrt(b * c) *
                               std::cos(static_cast<double>(i + 1) * std::numbers::pi / 13));
  }
  EXPECT_LT(distance(eigenvalues(A), exact), 1e-13);
}

TEST(Eigenvalues, DoNotDependOnUnits) {
  const MatrixXd A = random_matrix(10, 3);
  MatrixXd B = A;
  for (Eigen::Index i = 0; i < 10; ++i) {
    B.row(i) *= std::pow(10.0, 2.0 * static_cast<double>(i) - 9);
    B.col(i) /= std::pow(10.0, 2.0 * static_cast<double>(i) - 9);
  }
  EXPECT_LT(distance(eigenvalues(A), eigenvalues(B)), 1e-12 * A.norm());
  const Spectrum a(A), b(B);
  for (std::size_t k = 0; k < a.modes().size(); ++k)
    for (std::size_t i = 0; i < 10; ++i)
      EXPECT_NEAR(a.modes()[k].participation[i], b.modes()[k].participation[i], 1e-11);
}

TEST(Eigenvalues, OfAChainOfIntegratorsAreExactlyZero) {
  const auto values =
      eigenvalues(matrix({{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 0, -5}}));
  EXPECT_EQ(values, (std::vector<Complex>{-5, 0, 0, 0}));
}

// Critical damping: rounding alone would split the pair by 1e-8.
TEST(Eigenvalues, ThatRoundingSplitsAreGivenByTheirMean) {
  const auto twice = eigenvalues(matrix({{0, 1}, {-9, -6}}));
  ASSERT_EQ(twice.size(), 2U);
  for (const Complex v : twice) {
    EXPECT_NEAR(v.real(), -3, 1e-14);
    EXPECT_EQ(v.imag(), 0);
  }
  const auto thrice = eigenvalues(matrix({{0, 1, 0}, {0, 0, 1}, {-8, -12, -6}}));  // (s + 2)^3
  for (const Complex v : thrice) EXPECT_LT(std::abs(v + 2.0), 1e-13);
}

TEST(Modes, OfNothingAreNone) {
  EXPECT_TRUE(Spectrum(MatrixXd(0, 0)).modes().empty());
  EXPECT_TRUE(eigenvalues(MatrixXd(0, 0)).empty());
}

TEST(Modes, HaveFrequencyAndDamping) {
  const double w = 10, zeta = 0.25;  // x'' + 2 zeta w x' + w^2 x = 0
  const Spectrum s(matrix({{0, 1}, {-w * w, -2 * zeta * w}}));
  ASSERT_EQ(s.modes().size(), 1U);
  EXPECT_TRUE(s.modes()[0].swings());
  EXPECT_NEAR(s.modes()[0].frequency(), w / (2 * std::numbers::pi), 1e-14);
  EXPECT_NEAR(s.modes()[0].damping(), zeta, 1e-14);
}

TEST(Participation, IsTheProductOfLeftAndRightEigenvectorsOfLapack) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const MatrixXd A = random_matrix(12, seed);
    const Lapack l = lapack(A);
    const Spectrum s(A);
    for (const Mode& m : s.modes()) {
      EXPECT_NEAR(sum(m), 1, 1e-14);
      Eigen::Index k = 0;
      while (std::abs(l.values[static_cast<std::size_t>(k)] - m.eigenvalue) > 1e-9) ++k;
      const Eigen::VectorXd product =
          l.left.col(k).conjugate().cwiseProduct(l.right.col(k)).cwiseAbs();
      for (Eigen::Index i = 0; i < 12; ++i)
        EXPECT_NEAR(m.participation[static_cast<std::size_t>(i)], product(i) / product.sum(),
                    1e-11);
    }
  }
}

TEST(Participation, OfPartsApartIsPureEvenWhereTheyAreEqual) {
  const MatrixXd one = matrix({{0, 1}, {-4, -0.1}});
  MatrixXd A = MatrixXd::Zero(6, 6);
  for (int k = 0; k < 3; ++k) A.block(2 * k, 2 * k, 2, 2) = one;
  A(2, 0) = 7;  // one way only: still no loop between them
  std::vector<int> led(3);
  const Spectrum spectrum(A);
  for (const Mode& m : spectrum.modes()) {
    const auto part = static_cast<std::size_t>(m.leading / 2);
    ++led[part];
    EXPECT_EQ(m.participation[2 * part] + m.participation[2 * part + 1], 1);
  }
  EXPECT_EQ(led, (std::vector<int>{1, 1, 1}));
}

TEST(Participation, OfAnIncompleteEigenvalueSumsToOne) {
  const Spectrum spectrum(matrix({{0, 1}, {-9, -6}}));
  for (const Mode& m : spectrum.modes()) {
    EXPECT_NEAR(sum(m), 1, 1e-14);
    EXPECT_NEAR(m.participation[0], 0.5, 1e-12);  // the projector is the identity
  }
}

TEST(Shifts, AreDerivativesOfTheEigenvalues) {
  const MatrixXd A = random_matrix(8, 11), dA = random_matrix(8, 12);
  const double h = 1e-6;
  const Spectrum s(A);
  const auto up = eigenvalues(A + h * dA), down = eigenvalues(A - h * dA);
  const auto nearest = [](const std::vector<Complex>& list, Complex v) {
    return *std::min_element(list.begin(), list.end(), [&](Complex a, Complex b) {
      return std::abs(a - v) < std::abs(b - v);
    });
  };
  for (std::size_t k = 0; k < s.modes().size(); ++k) {
    const Complex v = s.modes()[k].eigenvalue;
    const Complex difference = (nearest(up, v) - nearest(down, v)) / (2 * h);
    EXPECT_LT(std::abs(s.shifts(k, std::vector{dA})[0] - difference), 1e-7);  // eps / h, h^2
  }
}

// Of a double eigenvalue the mean has a derivative, half the trace, though each one has none.
TEST(Shifts, OfAnIncompleteEigenvalueAreThoseOfTheMean) {
  const MatrixXd A = matrix({{0, 1}, {-9, -6}}), dA = matrix({{0, 0}, {-1, -0.5}});
  EXPECT_NEAR(std::abs(Spectrum(A).shifts(0, std::vector{dA})[0] + 0.25), 0, 1e-12);
}

// A body that drifts freely, driven by an oscillator: the double eigenvalue 0 has one eigenvector,
// so that all of them together have no inverse. Those of the oscillator are as good as ever.
TEST(Motions, AreEigenvectorsThoughOthersAreIncomplete) {
  const MatrixXd A =
      matrix({{0, 1, 0, 0}, {0, 0, 5000, 3}, {0, 0, 0, 1}, {0, 0, -1e4, -20}});  // x v p q
  int swinging = 0;
  for (const Eigenmotion& m : Spectrum::motions(A)) {
    if (std::abs(m.lambda) < 1) continue;
    ++swinging;
    EXPECT_NEAR(std::abs(m.lambda), 100, 1e-9);
    EXPECT_LT((A * m.v - m.lambda * m.v).norm(), 1e-10 * m.v.norm() * 1e4);  // of |A|
    EXPECT_LT((m.w * A - m.lambda * m.w).norm(), 1e-10 * m.w.norm() * 1e4);
    EXPECT_NEAR(std::abs((m.w * m.v).value() - 1.0), 0, 1e-10);
    EXPECT_NEAR(m.participation().tail(2).sum(), 1, 1e-9);  // the body only follows, ...
    EXPECT_GT(std::abs(m.v(1)), 1e-3 * m.v.norm());         // ... and it does
  }
  EXPECT_EQ(swinging, 2);
}

}  // namespace
}  // namespace modes_test
