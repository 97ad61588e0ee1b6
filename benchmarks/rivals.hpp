// SPDX-License-Identifier: Apache-2.0
#pragma once

// What our schemes are measured against: MRIStep and CVODE of SUNDIALS, and a plain loop of RK4.

#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_mristep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "core/cpu_time.hpp"

namespace rivals {

// A system of two rates (testkit/two_rate_systems.hpp) and what is asked of its solution.
template <class System>
struct Problem {
  static constexpr int kStates = System::kSlowStates + System::kFastStates;
  using Values = std::array<double, kStates>;  // of all states, the slow ones first

  std::string name;
  System system;
  double end;                     // [s] from 0
  int outputs;                    // points evenly in (0, end]
  std::vector<Values> reference;  // at them
  Values scale;                   // an error counts relative to it

  [[nodiscard]] double interval() const { return end / outputs; }
  [[nodiscard]] double output(int i) const { return end * (i + 1) / outputs; }
  [[nodiscard]] double error(int i, const double* y) const {
    double worst = 0;
    for (std::size_t k = 0; k < scale.size(); ++k) {
      const double e = std::fabs(y[k] - reference[static_cast<std::size_t>(i)][k]) / scale[k];
      if (!(e <= worst)) worst = e;  // also what is no number
    }
    return worst;
  }
  void rates(double t, const double* y, double* dy) const {
    system.slow_rates(t, y, dy);
    system.fast_rates(t, y, dy + System::kSlowStates);
  }
};

struct Result {
  double seconds = HUGE_VAL;  // of this thread
  double error = HUGE_VAL;    // largest over all outputs and states
  long slow = 0, fast = 0;    // evaluations
};

// The result of a run: advance(i, until) goes to the i-th output and returns all states there, or
// nullptr. Only this loop is timed.
template <class System, class Advance>
Result timed(const Problem<System>& p, Advance&& advance) {
  constexpr double kLost = 10;
  Result r{.error = 0};
  const double begin = chicane::cpu_seconds();
  for (int i = 0; i < p.outputs && r.error <= kLost; ++i) {
    const double* y = advance(i, p.output(i));
    const double e = y != nullptr ? p.error(i, y) : HUGE_VAL;
    if (!(e <= r.error)) r.error = e;
  }
  r.seconds = chicane::cpu_seconds() - begin;
  if (!(r.error <= kLost)) r.error = HUGE_VAL;
  return r;
}

template <class System>
void rk4_step(const Problem<System>& p, double t, double h, double* y) {
  using Values = typename Problem<System>::Values;
  constexpr std::size_t n = Problem<System>::kStates;
  Values k1, k2, k3, k4, z;
  p.rates(t, y, k1.data());
  for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + 0.5 * h * k1[i];
  p.rates(t + 0.5 * h, z.data(), k2.data());
  for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + 0.5 * h * k2[i];
  p.rates(t + 0.5 * h, z.data(), k3.data());
  for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + h * k3[i];
  p.rates(t + h, z.data(), k4.data());
  for (std::size_t i = 0; i < n; ++i) y[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
}

template <class System>
void rk4_interval(const Problem<System>& p, int i, int steps, double* y) {
  const double begin = p.interval() * i, h = p.interval() / steps;
  for (int k = 0; k < steps; ++k) rk4_step(p, begin + k * h, h, y);
}

template <class System>
Result rk4(const Problem<System>& p, int steps_per_interval) {
  auto y = p.system.start();
  Result r = timed(p, [&](int i, double) {
    rk4_interval(p, i, steps_per_interval, y.data());
    return y.data();
  });
  r.slow = r.fast = 4L * steps_per_interval * p.outputs;
  return r;
}

// ---- SUNDIALS

// Owns what a function of SUNDIALS made and another frees.
template <class T, auto release>
struct Release {
  void operator()(T* p) const {
    if constexpr (std::is_same_v<T, void>)
      release(&p);
    else
      release(p);
  }
};
inline void free_stepper(_MRIStepInnerStepper* p) { MRIStepInnerStepper_Free(&p); }
template <class T, auto release>
using Owned = std::unique_ptr<T, Release<T, release>>;
using Vector = Owned<_generic_N_Vector, N_VDestroy>;
using Table = Owned<ARKodeButcherTableMem, ARKodeButcherTable_Free>;
using Coupling = Owned<MRIStepCouplingMem, MRIStepCoupling_Free>;

constexpr long kMostSteps = 100'000'000;

inline SUNContext context() {
  static const auto one = [] {
    SUNContext made = nullptr;
    SUNContext_Create(nullptr, &made);
    return made;
  }();
  return one;
}

// The right sides in SUNDIALS' form, and how often each was called.
template <class System>
struct Sides {
  const Problem<System>* p;
  long slow = 0, fast = 0;

  static int slow_side(double t, N_Vector y, N_Vector dy, void* self) {
    auto& s = *static_cast<Sides*>(self);
    ++s.slow;
    s.p->system.slow_rates(t, NV_DATA_S(y), NV_DATA_S(dy));
    std::fill_n(NV_DATA_S(dy) + System::kSlowStates, System::kFastStates, 0.0);
    return 0;
  }
  static int fast_side(double t, N_Vector y, N_Vector dy, void* self) {
    auto& s = *static_cast<Sides*>(self);
    ++s.fast;
    std::fill_n(NV_DATA_S(dy), System::kSlowStates, 0.0);
    s.p->system.fast_rates(t, NV_DATA_S(y), NV_DATA_S(dy) + System::kSlowStates);
    return 0;
  }
  static int both(double t, N_Vector y, N_Vector dy, void* self) {
    auto& s = *static_cast<Sides*>(self);
    ++s.slow, ++s.fast;
    s.p->rates(t, NV_DATA_S(y), NV_DATA_S(dy));
    return 0;
  }
};

template <class System>
Vector start_vector(const Problem<System>& p) {
  Vector y(N_VNew_Serial(Problem<System>::kStates, context()));
  const auto start = p.system.start();
  std::copy(start.begin(), start.end(), NV_DATA_S(y.get()));
  return y;
}

// Midpoint rule, Kutta's third-order method, classic RK4.
inline Table explicit_table(int order) {
  Table table(ARKodeButcherTable_Alloc(order, SUNFALSE));
  auto& [q, p, stages, A, c, b, d] = *table;
  q = order;
  A[1][0] = c[1] = 0.5;
  if (order == 2) {
    b[1] = 1;
  } else if (order == 3) {
    A[2][0] = -1, A[2][1] = 2, c[2] = 1;
    b[0] = b[2] = 1. / 6, b[1] = 2. / 3;
  } else {
    A[2][1] = c[2] = 0.5, A[3][2] = c[3] = 1;
    b[0] = b[3] = 1. / 6, b[1] = b[2] = 1. / 3;
  }
  return table;
}

struct MriMethod {
  const char* name;
  int order;
  int parts;  // equal ones in which its stages divide a slow step
  ARKODE_MRITableID id;
};
inline constexpr std::array<MriMethod, 4> kMriMethods{
    {{"MRIStep 2, MIS midpoint", 2, 2, ARKODE_MRI_NONE},
     {"MRIStep 3, MRI-GARK-ERK33a", 3, 3, ARKODE_MRI_GARK_ERK33a},
     {"MRIStep 3, MIS-KW3", 3, 1, ARKODE_MIS_KW3},  // not equal
     {"MRIStep 4, MRI-GARK-ERK45a", 4, 5, ARKODE_MRI_GARK_ERK45a}}};

// MRIStep with fixed steps: so many slow ones in an interval, each of at least so many fast ones by
// the explicit method of inner_order.
template <class System>
Result mri_step(const Problem<System>& p, const MriMethod& method, int inner_order, int slow_steps,
                int fast_steps) {
  constexpr double kAtLeast = 1 + 1e-9;  // so that rounding adds no step at the end
  const double h = p.interval() / slow_steps;
  Sides<System> sides{&p};
  const Vector y = start_vector(p);

  const Table inner_table = explicit_table(inner_order);
  const Owned<void, ARKStepFree> inner(
      ARKStepCreate(Sides<System>::fast_side, nullptr, 0.0, y.get(), context()));
  ARKStepSetUserData(inner.get(), &sides);
  ARKStepSetTables(inner.get(), inner_order, 0, nullptr, inner_table.get());
  ARKStepSetFixedStep(inner.get(), h * kAtLeast / fast_steps);
  ARKStepSetMaxNumSteps(inner.get(), kMostSteps);
  ARKStepSetInterpolantType(inner.get(), ARK_INTERP_LAGRANGE);  // degree 0: not paid for
  ARKStepSetInterpolantDegree(inner.get(), 0);
  MRIStepInnerStepper made = nullptr;
  ARKStepCreateMRIStepInnerStepper(inner.get(), &made);
  const Owned<_MRIStepInnerStepper, free_stepper> stepper(made);

  const Owned<void, MRIStepFree> outer(
      MRIStepCreate(Sides<System>::slow_side, nullptr, 0.0, y.get(), made, context()));
  const Coupling coupling(method.id == ARKODE_MRI_NONE
                              ? MRIStepCoupling_MIStoMRI(explicit_table(2).get(), 2, 0)
                              : MRIStepCoupling_LoadTable(method.id));
  MRIStepSetUserData(outer.get(), &sides);
  MRIStepSetErrFile(outer.get(), nullptr);
  MRIStepSetCoupling(outer.get(), coupling.get());
  MRIStepSetFixedStep(outer.get(), h * kAtLeast);
  MRIStepSetMaxNumSteps(outer.get(), kMostSteps);
  MRIStepSetInterpolantType(outer.get(), ARK_INTERP_LAGRANGE);
  MRIStepSetInterpolantDegree(outer.get(), 0);

  Result r = timed(p, [&](int, double until) -> const double* {
    double t = 0;
    MRIStepSetStopTime(outer.get(), until);
    const bool good = MRIStepEvolve(outer.get(), until, y.get(), &t, ARK_NORMAL) >= 0;
    return good ? NV_DATA_S(y.get()) : nullptr;
  });
  r.slow = sides.slow;
  r.fast = sides.fast;
  return r;
}

enum class Corrector { newton, fixed_point };

template <class System>
Result cvode_adams(const Problem<System>& p, Corrector corrector, double tolerance) {
  constexpr int n = Problem<System>::kStates;
  constexpr double kRelative = 1e-14;  // the tolerance is of the scales of the problem
  Sides<System> sides{&p};
  const Vector y = start_vector(p), absolute(N_VNew_Serial(n, context()));
  std::transform(p.scale.begin(), p.scale.end(), NV_DATA_S(absolute.get()),
                 [&](double scale) { return tolerance * scale; });

  const Owned<_generic_SUNMatrix, SUNMatDestroy> matrix(SUNDenseMatrix(n, n, context()));
  const Owned<_generic_SUNLinearSolver, SUNLinSolFree> linear(
      SUNLinSol_Dense(y.get(), matrix.get(), context()));
  const Owned<_generic_SUNNonlinearSolver, SUNNonlinSolFree> fixed_point(
      SUNNonlinSol_FixedPoint(y.get(), 0, context()));
  const Owned<void, CVodeFree> solver(CVodeCreate(CV_ADAMS, context()));
  CVodeInit(solver.get(), Sides<System>::both, 0.0, y.get());
  CVodeSetUserData(solver.get(), &sides);
  CVodeSetErrFile(solver.get(), nullptr);
  CVodeSVtolerances(solver.get(), kRelative, absolute.get());
  CVodeSetMaxNumSteps(solver.get(), kMostSteps);
  if (corrector == Corrector::newton)
    CVodeSetLinearSolver(solver.get(), linear.get(), matrix.get());
  else
    CVodeSetNonlinearSolver(solver.get(), fixed_point.get());

  Result r = timed(p, [&](int, double until) -> const double* {
    double t = 0;
    const bool good = CVode(solver.get(), until, y.get(), &t, CV_NORMAL) >= 0;
    return good ? NV_DATA_S(y.get()) : nullptr;
  });
  r.slow = sides.slow;
  r.fast = sides.fast;
  return r;
}

}  // namespace rivals
