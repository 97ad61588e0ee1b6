// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <vector>

#include "integrators/method.hpp"

namespace chicane {

// The plane of z = lambda h as a method sees it.

// Coefficients of z^0, z^1, ... in x_{n+1} = R(z) x_n; empty for a method with old derivatives.
std::vector<double> stability_polynomial(const Method& method);

// Derivatives evaluated in a step, those of stages that nothing uses left out.
int evaluations(const Method& method);

// Where a root of the recurrence is e^{i theta}, theta = 0 ... 2 pi in so many parts: as many
// branches as z has powers in the recurrence. The boundary of the region is part of them.
using Curve = std::vector<std::complex<double>>;
std::vector<Curve> boundary_locus(const Method& method, int parts);

// A rectangle that is its own mirror image: Re z from left to right, |Im z| up to top.
struct Window {
  double left = 0, right = 0, top = 0;
};
// Around the region where growth is at most 1, with some room.
Window window_around(const Method& method);
Window joined(const Window& a, const Window& b);

// Closed curves of growth = level in the window, its edges taken as the end of the region. Level by
// level, as the levels are given; there are no holes, growth having no maximum inside (log |q| is
// subharmonic).
std::vector<std::vector<Curve>> growth_contours(const Method& method,
                                                const std::vector<double>& levels,
                                                const Window& window, int cells);

}  // namespace chicane
