// SPDX-License-Identifier: Apache-2.0
#include "integrators/reference/reference.hpp"

#include <arkode/arkode_arkstep.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include "core/diagnostics.hpp"

namespace chicane {

struct AdaptiveSolver::Impl {
  Rhs rhs;
  SUNContext context = nullptr;
  N_Vector y = nullptr;
  void* memory = nullptr;
  std::int64_t evaluations = 0;

  static int call(double t, N_Vector y_at, N_Vector dy, void* self) {
    auto& impl = *static_cast<Impl*>(self);
    const auto n = static_cast<std::size_t>(NV_LENGTH_S(y_at));
    impl.rhs(t, {NV_DATA_S(y_at), n}, {NV_DATA_S(dy), n});
    ++impl.evaluations;
    return 0;
  }

  Impl(int n, Rhs f, double relative, double absolute) : rhs(std::move(f)) {
    constexpr int kOrder = 8;
    constexpr long kMostSteps = 1'000'000;
    SUNContext_Create(nullptr, &context);
    y = N_VNew_Serial(n, context);
    N_VConst(0.0, y);
    memory = ARKStepCreate(call, nullptr, 0.0, y, context);
    require(memory != nullptr, "the reference solver could not be set up");
    ARKStepSetUserData(memory, this);
    ARKStepSetErrFile(memory, nullptr);
    ARKStepSetOrder(memory, kOrder);
    ARKStepSStolerances(memory, relative, absolute);
    ARKStepSetMaxNumSteps(memory, kMostSteps);
  }
  ~Impl() {
    ARKStepFree(&memory);
    N_VDestroy(y);
    SUNContext_Free(&context);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
};

AdaptiveSolver::AdaptiveSolver(int n, Rhs rhs, double relative, double absolute)
    : impl_(n > 0 ? std::make_unique<Impl>(n, std::move(rhs), relative, absolute) : nullptr) {}
AdaptiveSolver::~AdaptiveSolver() = default;
AdaptiveSolver::AdaptiveSolver(AdaptiveSolver&&) noexcept = default;
AdaptiveSolver& AdaptiveSolver::operator=(AdaptiveSolver&&) noexcept = default;

bool AdaptiveSolver::advance(double from, double to, std::span<double> x) {
  Impl& s = *impl_;
  std::copy(x.begin(), x.end(), NV_DATA_S(s.y));
  double reached = from;
  const bool done = ARKStepReInit(s.memory, Impl::call, nullptr, from, s.y) == ARK_SUCCESS &&
                    ARKStepSetInitStep(s.memory, to - from) == ARK_SUCCESS &&
                    ARKStepSetStopTime(s.memory, to) == ARK_SUCCESS &&
                    ARKStepEvolve(s.memory, to, s.y, &reached, ARK_NORMAL) >= 0;
  std::copy(NV_DATA_S(s.y), NV_DATA_S(s.y) + x.size(), x.begin());
  return done;
}

std::int64_t AdaptiveSolver::evaluations() const { return impl_ ? impl_->evaluations : 0; }

}  // namespace chicane
