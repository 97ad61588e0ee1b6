#pragma once

#include <complex>
#include <vector>

#include "integrators/method.hpp"

namespace chicane {

// The linear recurrence a method makes of x' = lambda x, with z = lambda h:
//   x_{n+1} = a_0(z) x_n + a_1(z) x_{n-1} + ... + a_r(z) x_{n-r}
std::vector<std::complex<double>> recurrence(const Method& method, std::complex<double> z);

// The largest magnitude of its characteristic roots: growth per step.
double growth(const Method& method, std::complex<double> z);

// How far the method is stable from the origin along the negative real axis (e^{i pi}) and along
// the imaginary axis: the first y at which growth exceeds 1 + 1e-9; 0 where that happens at once.
double real_limit(const Method& method);
double imaginary_limit(const Method& method);

// The largest h up to `most` at which no root lambda with Re(lambda) <= 0 grows, searched from
// below.
double stable_step(const Method& method, const std::vector<std::complex<double>>& lambda,
                   double most);

// Whether h turns a mode that does not grow into one that does, at more than a thousandth of
// |lambda|.
bool grows(const Method& method, std::complex<double> lambda, double h);

}  // namespace chicane
