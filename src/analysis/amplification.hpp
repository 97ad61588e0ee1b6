// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/disturbed_pair.hpp"

namespace chicane {

struct DualRun;  // a run with dual numbers

// What a frame makes of a small disturbance: dz+ = M dz, where z holds everything that the next
// frame depends on: the states of all groups and then, group by group, h times the old derivatives
// and the old signals; at last the memory. M is exact: the frame is taken with dual numbers, by the
// scheme itself, from where a run stands. So it is the frame that is linearised, stages and all,
// and not the model.
class FrameMap {
 public:
  // A run from the beginning with another step, once start-up is over.
  FrameMap(const Beginning& from, double h);
  ~FrameMap();
  FrameMap(FrameMap&&) noexcept;

  // M of the next frame, which is taken; nothing where it fails.
  std::optional<Eigen::MatrixXd> next();

 private:
  std::unique_ptr<DualRun> run_;
};

// A run together with an infinitely small disturbance of its beginning, which goes through the
// linearised frames one after the other: what a DisturbedPair is for a small one.
class TangentRun {
 public:
  // `offset` and `weight` per state, in the order of the ModelStructure.
  TangentRun(const Beginning& from, std::int64_t step, std::span<const double> offset,
             std::vector<double> weight);
  ~TangentRun();

  Status step() noexcept;
  [[nodiscard]] double difference() const noexcept;  // the largest, weighted
  [[nodiscard]] double size() const noexcept;        // the largest weighted state
  // Calls each(i, x, d) with every state and its difference, weighted.
  void each_state(const std::function<void(std::size_t, double, double)>& each) const;

 private:
  std::vector<double> weight_;
  std::unique_ptr<DualRun> run_;
};

// The factor by which disturbances grow per frame: the largest magnitude of the eigenvalues of M.
// Where M changes from frame to frame, that of the product of many, per frame. Infinite where a
// frame fails.
struct FrameGrowth {
  double factor = 0;
  bool still = true;  // M stays the same
};
FrameGrowth frame_growth(const Beginning& from, double h);

using Eigenvalues = std::vector<std::complex<double>>;

// The first step from below, between `least` and `most`, at which a frame grows by more than the
// factor `allowance`, beyond what the model itself does, whose eigenvalues are `own`. Nothing where
// there is none; nor for a model in motion where growth is faint or undamped modes go on for ever:
// there its motion decides, which is no longer linear.
std::optional<double> marginal_step(const Beginning& from, const Eigenvalues& own, double least,
                                    double most, double allowance);

}  // namespace chicane
