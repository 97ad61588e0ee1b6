// SPDX-License-Identifier: Apache-2.0
#include "analysis/amplification.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/modes.hpp"
#include "core/diagnostics.hpp"
#include "simulation/any_scheme.hpp"

namespace chicane {
namespace {

using DualBound = BoundModel<Dual>;

// Frames are shown to nobody.
struct Unseen {
  [[nodiscard]] static bool due() { return false; }
  void operator()(double, PointKind, std::span<Eval<Dual>* const>,
                  std::span<const GroupIndex>) const {}
};

// Calls each(number, scale) with all numbers of z in their order.
template <class Each>
void each_number(State<Dual>& state, double h, Each&& each) {
  for (GroupState<Dual>& g : state.groups)
    for (Dual& x : g.x) each(x, 1.0);
  const auto rows = [&](History<Dual>& history, double scale) {
    const auto n = static_cast<int>(history.rows.size()) / (history.depth + 1);
    for (int k = 0; k < history.depth; ++k)
      for (int i = 0; i < n; ++i) each(history.row(k, n)[i], scale);
  };
  for (GroupState<Dual>& g : state.groups) {
    rows(g.history, h);
    rows(g.signals, 1.0);
  }
  for (auto& m : state.memory) {
    each(m.value, 1.0);
    each(m.next, 1.0);
  }
}

History<Dual> lifted(const History<double>& from) {
  History<Dual> to;
  to.depth = from.depth;
  to.count = from.count;
  to.head = from.head;
  to.rows.assign(from.rows.begin(), from.rows.end());
  return to;
}

// All of a state, for dual numbers.
State<Dual> lifted(const Model<Dual>& model, const State<double>& from) {
  State<Dual> to = model.initial_state();
  to.clock = from.clock;
  to.frames = from.frames;
  to.constants.assign(from.constants.begin(), from.constants.end());
  to.events = {};
  for (const auto& e : from.events)
    to.events.push_back({e.enabled, e.was_true, e.firing, e.fired, e.last});
  to.accepted = from.accepted;
  to.memory = {};
  for (const auto& m : from.memory) to.memory.push_back({Dual(m.value), Dual(m.next), m.commit_at});
  for (const GroupIndex g : from.groups.indices()) {
    to.groups[g].x.assign(from.groups[g].x.begin(), from.groups[g].x.end());
    to.groups[g].history = lifted(from.groups[g].history);
    to.groups[g].signals = lifted(from.groups[g].signals);
  }
  return to;
}

// A run that goes on from the beginning with another step, its histories new.
void go_on(Simulation& s, const Beginning& from, const Plan& plan) {
  s.restore(from.state, from.plan);
  s.replan(plan);
  s.set_continuous(s.continuous());
}

// The state after `frames` frames; nothing where one fails.
std::optional<State<double>> led_in(const Beginning& from, const Plan& plan, int frames) {
  Simulation s(from.structure, from.plan);
  go_on(s, from, plan);
  for (int k = 0; k < frames; ++k)
    if (s.step() != Status::ok) return std::nullopt;
  return s.state();
}

Plan with_step(Plan plan, double h) {
  plan.step = whole_picoseconds(h).value();
  return plan;
}

}  // namespace

struct DualRun {
  Plan plan;
  Model<Dual> model;
  State<Dual> state;
  Inputs<Dual> inputs;
  DualBound bound;
  std::unique_ptr<AnyScheme<DualBound, Unseen>> scheme;

  DualRun(const std::shared_ptr<const ModelStructure>& structure, Plan p, const State<double>& at)
      : plan(std::move(p)),
        model(structure),
        state(lifted(model, at)),
        inputs(model.default_inputs()),
        bound(model, state, inputs),
        scheme(make_scheme<Unseen>(bound, plan, *structure)) {
    scheme->prepare(state.groups);
  }
};

FrameMap::FrameMap(const Beginning& from, double h) {
  constexpr int kLead = 8;  // frames: more than any start-up needs
  require(from.plan.scheme != SchemeKind::reference, "the reference scheme has no frame map");
  const Plan plan = with_step(from.plan, h);
  if (const auto state = led_in(from, plan, kLead))
    run_ = std::make_unique<DualRun>(from.structure, plan, *state);
}
FrameMap::~FrameMap() = default;
FrameMap::FrameMap(FrameMap&&) noexcept = default;

std::optional<Eigen::MatrixXd> FrameMap::next() {
  if (run_ == nullptr) return std::nullopt;
  const double h = seconds(run_->plan.step);
  const auto width = static_cast<Eigen::Index>(Dual::kDirections);
  State<Dual>& state = run_->state;
  const State<Dual> before = state;
  Eigen::Index n = 0;
  each_number(state, h, [&](Dual&, double) { ++n; });
  Eigen::MatrixXd M(n, n);
  for (Eigen::Index first = 0; first < n; first += width) {
    state = before;
    Eigen::Index at = 0;
    each_number(state, h, [&](Dual& v, double scale) {
      v.b = {};
      if (at >= first && at < first + width) v.b[static_cast<std::size_t>(at - first)] = 1 / scale;
      ++at;
    });
    run_->scheme->poison(Dual(0.0));
    const Status status = run_->scheme->step(run_->bound, state.clock, state.groups, Unseen{});
    if (status != Status::ok) return std::nullopt;
    at = 0;
    each_number(state, h, [&](Dual& v, double scale) {
      for (Eigen::Index k = first; k < std::min(n, first + width); ++k)
        M(at, k) = scale * v.b[static_cast<std::size_t>(k - first)];
      ++at;
    });
  }
  return M;
}

TangentRun::TangentRun(const Beginning& from, std::int64_t step, std::span<const double> offset,
                       std::vector<double> weight)
    : weight_(std::move(weight)) {
  Plan plan = from.plan;
  plan.step = step;
  Simulation s(from.structure, from.plan);
  go_on(s, from, plan);
  run_ = std::make_unique<DualRun>(from.structure, plan, s.state());
  std::size_t i = 0;
  for (const StateInfo& x : from.structure->states)
    run_->state.groups[x.group].x[static_cast<std::size_t>(x.place)].b[0] = offset[i++];
}
TangentRun::~TangentRun() = default;

Status TangentRun::step() noexcept {
  const Status status =
      run_->scheme->step(run_->bound, run_->state.clock, run_->state.groups, Unseen{});
  return status == Status::ok && !std::isfinite(difference()) ? Status::not_finite : status;
}

void TangentRun::each_state(const std::function<void(std::size_t, double, double)>& each) const {
  std::size_t i = 0;
  for (const StateInfo& info : run_->model.structure().states) {
    const Dual& x = run_->state.groups[info.group].x[static_cast<std::size_t>(info.place)];
    each(i, x.a, weight_[i] * std::fabs(x.b[0]));
    ++i;
  }
}

double TangentRun::difference() const noexcept {
  double most = 0;
  each_state([&](std::size_t, double, double d) { most = d <= most ? most : d; });
  return most;
}

double TangentRun::size() const noexcept {
  double most = 0;
  each_state(
      [&](std::size_t i, double x, double) { most = std::max(most, weight_[i] * std::fabs(x)); });
  return most;
}

namespace {

// Without rows and columns of numbers on which no other depends, and that only keep themselves:
// their eigenvalue, 1 or 0, is known, and would be blurred by others that are equal.
Eigen::MatrixXd without_bystanders(Eigen::MatrixXd M) {
  for (;;) {
    std::vector<Eigen::Index> kept;
    for (Eigen::Index j = 0; j < M.cols(); ++j) {
      const double own = std::exchange(M(j, j), 0.0);
      const bool read = (M.col(j).array() != 0).any();
      M(j, j) = own;
      if (read || (own != 0 && own != 1)) kept.push_back(j);
    }
    if (std::ssize(kept) == M.cols()) return M;
    M = Eigen::MatrixXd(M(kept, kept));
  }
}

double spectral_radius(const Eigen::MatrixXd& M) {
  if (!M.allFinite()) return std::numeric_limits<double>::infinity();
  const Eigen::MatrixXd core = without_bystanders(M);
  return core.size() == 0 ? 0.0 : std::abs(eigenvalues(core).front());
}

bool alike(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  constexpr double kSame = 1e-6, kRounding = 1e-12;
  const double floor = kRounding * b.cwiseAbs().maxCoeff();
  return ((a - b).array().abs() <= kSame * b.array().abs() + floor).all();
}

bool swings_undamped(const Eigenvalues& own) {
  constexpr double kUndamped = 1e-6;
  return std::any_of(own.begin(), own.end(), [](const std::complex<double>& lambda) {
    return lambda.imag() != 0 && std::fabs(lambda.real()) < kUndamped * std::abs(lambda);
  });
}

constexpr FrameGrowth kFails{std::numeric_limits<double>::infinity(), true};

}  // namespace

FrameGrowth frame_growth(const Beginning& from, double h) {
  constexpr int kStill = 8, kFrames = 128;
  FrameMap frame(from, h);
  const auto first = frame.next();
  if (!first) return kFails;
  if (first->size() == 0) return {0.0, true};
  Eigen::MatrixXd product = *first;
  double scale = 0;  // log of what the product was divided by
  bool still = true;
  for (int k = 1; k < kFrames; ++k) {
    const auto M = frame.next();
    if (!M) return kFails;
    still = still && alike(*M, *first);
    if (still && k == kStill) return {spectral_radius(*first), true};
    product = *M * product;
    const double size = product.cwiseAbs().maxCoeff();
    if (!std::isfinite(size)) return kFails;
    product /= size;
    scale += std::log(size);
  }
  return {std::exp((scale + std::log(spectral_radius(product))) / kFrames), false};
}

std::optional<double> marginal_step(const Beginning& from, const Eigenvalues& own, double least,
                                    double most, double allowance) {
  constexpr double kScan = 1.1, kAccuracy = 1e-4, kFarBelow = 1e-3, kClearly = 1e-3;
  double own_growth = 0;  // [1/s]
  for (const auto& lambda : own) own_growth = std::max(own_growth, lambda.real());
  const auto beyond = [&](double h) {
    FrameGrowth g = frame_growth(from, h);
    g.factor /= std::exp(own_growth * h);
    return g;
  };
  double stable = 0, unstable = least;
  while (!(beyond(unstable).factor > allowance)) {
    stable = unstable;
    unstable *= kScan;
    if (unstable > most) return std::nullopt;
  }
  while (unstable - stable > kAccuracy * unstable) {
    const double h = 0.5 * (stable + unstable);
    if (h < kFarBelow * least) return std::nullopt;
    (beyond(h).factor > allowance ? unstable : stable) = h;
  }
  const FrameGrowth above = beyond(kScan * unstable);
  const bool decided = above.factor > 1 + kClearly && !swings_undamped(own);
  return above.still || decided ? std::optional(unstable) : std::nullopt;
}

}  // namespace chicane
