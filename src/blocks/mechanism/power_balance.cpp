// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/power_balance.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace chicane {

namespace {

using Sample = PowerBalance::Sample;

// Of what is unsure around a jump of the power, as much again may be in the intervals beside it.
constexpr double kAlone = 6.0;

double energy(const Sample& s) { return s.kinetic + s.potential; }

// Newton's form of the cubic through four samples, integrated from a to b by two points of Gauss,
// which is exact.
struct Cubic {
  double integral;
  double third, weight;  // last factor of the cubic, and what it counts in the integral
};

Cubic integrate(const std::array<Sample, 4>& s, double a, double b) {
  constexpr double kGauss = 0.57735026918962576;
  const auto slope = [](double y0, double y1, double x) { return (y1 - y0) / x; };
  const double t0 = s[0].t, t1 = s[1].t, t2 = s[2].t, t3 = s[3].t;
  const double f01 = slope(s[0].power, s[1].power, t1 - t0),
               f12 = slope(s[1].power, s[2].power, t2 - t1),
               f23 = slope(s[2].power, s[3].power, t3 - t2);
  const double f012 = slope(f01, f12, t2 - t0), f123 = slope(f12, f23, t3 - t1);
  Cubic sum{0.0, slope(f012, f123, t3 - t0), 0.0};
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  for (const double t : {middle - kGauss * half, middle + kGauss * half}) {
    const double two = (t - t0) * (t - t1);
    sum.integral += half * (s[0].power + f01 * (t - t0) + f012 * two);
    sum.weight += half * two * (t - t2);
  }
  sum.integral += sum.third * sum.weight;
  return sum;
}

}  // namespace

double PowerBalance::in_play() const {
  return std::max(
             {most_kinetic_, most_potential_ - least_potential_, most_work_ - least_work_, rest_}) +
         exchanged_;
}

// What hardly moves is not measured by its energy: the loops are closed to rounding of positions.
double PowerBalance::allowed() const {
  const double rounding = 1e-13 * std::max(std::fabs(most_potential_), std::fabs(least_potential_));
  return std::max(most_, std::max(kMost * rest_, rounding) / in_play());
}

void PowerBalance::add(const Sample& s) noexcept {
  if (!std::isfinite(energy(s) + s.power + s.exchange)) return interrupt();
  if (nodes_ > 0 && !(s.t > node_[static_cast<std::size_t>(std::min(nodes_, kNodes) - 1)].t))
    return;
  if (!begun_) least_potential_ = most_potential_ = s.potential;
  begun_ = true;
  most_kinetic_ = std::max(most_kinetic_, s.kinetic);
  least_potential_ = std::min(least_potential_, s.potential);
  most_potential_ = std::max(most_potential_, s.potential);
  if (nodes_ < kNodes) {
    node_[static_cast<std::size_t>(nodes_++)] = s;
    if (nodes_ == kNodes) close(0), close(1);
    return;
  }
  std::copy(node_.begin() + 1, node_.end(), node_.begin());
  node_.back() = s;
  close(1);
}

void PowerBalance::close(int at) noexcept {
  const Sample &a = node_[static_cast<std::size_t>(at)],
               &b = node_[static_cast<std::size_t>(at) + 1];
  const double h = b.t - a.t;
  double work = 0.5 * h * (a.power + b.power), unsure = 0.5 * h * std::fabs(b.power - a.power);
  if (nodes_ == kNodes) {
    // Where the power jumps, the integral may be wrong by half the jump over the interval. So much
    // come the changes of the last factor to, summed up over the intervals around.
    constexpr double kCare = 2.0;
    const Cubic cubic = integrate(node_, a.t, b.t);
    work = cubic.integral;
    unsure = kCare * std::fabs(cubic.weight * (cubic.third - std::exchange(third_, cubic.third)));
  }
  work_ += work;
  least_work_ = std::min(least_work_, work_);
  most_work_ = std::max(most_work_, work_);
  exchanged_ += 0.5 * h * (a.exchange + b.exchange);
  judge(a, b, energy(b) - energy(a) - work, unsure);
}

// What is left open between two samples: an odd one out is a jump, the rest adds up.
void PowerBalance::judge(const Sample& a, const Sample& b, double error, double unsure) noexcept {
  constexpr int kFirst = 8, kMany = 64, kOneJump = 8;
  ++intervals_;
  unsure_ += unsure;
  if (const double sum = std::fabs(drift_ + jumped_ + error); sum > worst_)
    worst_ = sum, worst_time_ = b.t;
  const double size = std::fabs(error) - kAlone * unsure;
  // What happens between samples that are far apart may go unseen; it still counts as a drift.
  const double most = std::max(kLeastJump, allowed()) * (1.0 + 0.5 * stride_) * in_play();
  if (usual_of_ >= kFirst && size > std::max(most, kUnusual * usual_)) {
    if (!jump_) jump_ = Finding{.kind = Finding::Kind::jump, .from = a.t};
    jump_->until = b.t;
    jump_->amount += error;
    jumped_ += error;
    for (const Sample& s : node_)
      if (s.loop >= 0 && s.conditioning <= jump_->conditioning)
        jump_->loop = s.loop, jump_->conditioning = s.conditioning;
    quiet_ = 0;
    return;
  }
  drift_ += error;
  usual_of_ = std::min(usual_of_ + 1, kMany);
  usual_ += (std::fabs(error) - usual_) / usual_of_;
  if (jump_ && ++quiet_ >= kOneJump) end_jump();
  remember(b.t, unsure);
  adapt();
}

void PowerBalance::end_jump() noexcept {
  if (!jump_) return;
  jump_->in_play = in_play();
  jump_->allowed = std::max(kLeastJump, allowed());
  lose(jump_->until, jumped_, kLostByJumps);
  ++jumps_;
  if (jumps_ <= kMostFindings / 2) push(*jump_);
  jump_.reset();
}

void PowerBalance::lose(double t, double amount, double part) noexcept {
  if (loss_ || !closed()) return;
  // What hardly moves is allowed more.
  const double most = part * allowed() / kClosed * in_play();
  if (!(std::fabs(amount) > most)) return;
  loss_ = Loss{.time = t, .amount = amount, .in_play = in_play(), .jump = jump_.has_value()};
  if (jump_) loss_->loop = jump_->loop, loss_->conditioning = jump_->conditioning;
}

// What has drifted by now; a drift beyond all doubt is said at once.
void PowerBalance::remember(double t, double unsure) noexcept {
  constexpr int kWhile = 512;
  constexpr double kBeyondDoubt = 10.0;
  const double most = std::fabs(drift_) - unsure_ - kAlone * unsure;
  const bool beyond =
      !drifted_ && intervals_ > kWhile && most > kBeyondDoubt * allowed() * in_play();
  if (in_bucket_ == 0) {
    if (buckets_ == kBuckets) {  // two become one
      for (int i = 0; i < kBuckets / 2; ++i) {
        const Bucket &a = bucket_[static_cast<std::size_t>(2 * i)],
                     &b = bucket_[static_cast<std::size_t>(2 * i + 1)];
        bucket_[static_cast<std::size_t>(i)] = a.most >= b.most ? a : b;
      }
      buckets_ = kBuckets / 2;
      per_bucket_ *= 2;
    }
    bucket_[static_cast<std::size_t>(buckets_++)] = {};
  }
  Bucket& own = bucket_[static_cast<std::size_t>(buckets_ - 1)];
  if (most > own.most) own = {t, most, drift_};
  in_bucket_ = (in_bucket_ + 1) % per_bucket_;
  if (beyond) push_drift();
  if (!jump_) lose(t, drift_ + jumped_, kLost);
}

void PowerBalance::push_drift() noexcept {
  const double most = allowed() * in_play();
  const Bucket *since = nullptr, *worst = nullptr;
  for (int i = 0; i < buckets_; ++i) {
    const Bucket& b = bucket_[static_cast<std::size_t>(i)];
    if (since == nullptr && b.most > most) since = &b;
    if (worst == nullptr || b.most > worst->most) worst = &b;
  }
  if (since == nullptr) return;
  drifted_ = true;
  push({.kind = Finding::Kind::drift,
        .from = since->until,
        .until = worst->until,
        .amount = worst->error,
        .in_play = in_play(),
        .allowed = allowed()});
}

// Fewer samples where the integral is far better than it need be; and never many for long, so that
// they cost little beside the run. A closed account has no integral, and what it is to see can come
// and go within a few frames.
void PowerBalance::adapt() noexcept {
  constexpr int kOften = 32, kFree = 512, kMostOften = 8;
  constexpr double kLittle = 1e-3, kMuch = 1e-2;  // of what is allowed
  frames_ += stride_;
  if (++since_ < kOften) return;
  since_ = 0;
  const double most = allowed() * in_play(),
               more = unsure_ - std::exchange(unsure_before_, unsure_);
  const bool dear = intervals_ > kFree + frames_ / kMostOften;
  if ((more < kLittle * most || dear) && stride_ < (closed() ? kMostStrideClosed : kMostStride))
    stride_ *= 2, usual_ *= 2.0;
  else if (more > kMuch * most && !dear && stride_ > 1)
    stride_ /= 2, usual_ *= 0.5;
}

void PowerBalance::interrupt() noexcept {
  const int n = nodes_;
  if (n == kNodes) {
    close(kNodes - 2);
  } else {
    for (int i = 0; i + 1 < n; ++i) close(i);
  }
  nodes_ = 0;
  third_ = 0.0;
}

void PowerBalance::finish() noexcept {
  interrupt();
  end_jump();
  if (!drifted_) push_drift();
}

void PowerBalance::push(const Finding& found) noexcept {
  if (found_last_ < kMostFindings) found_[static_cast<std::size_t>(found_last_++)] = found;
}

std::optional<PowerBalance::Finding> PowerBalance::take() noexcept {
  if (found_first_ == found_last_) return std::nullopt;
  return found_[static_cast<std::size_t>(found_first_++)];
}

}  // namespace chicane
