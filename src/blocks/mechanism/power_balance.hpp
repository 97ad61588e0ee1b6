// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace chicane {

// The account of a mechanism's energy along a run. At any time
//
//   E(t) - E(0) = integral of P dt + what the method has done wrong
//
// with E the kinetic energy and that of gravity, P the power of all forces and drives. The integral
// is that of cubics through four samples; how far it can be trusted is known from how much these
// differ from one to the next, so that no power that changes fast is taken for a fault. Where
// nothing gives or takes energy the springs' is in E, P is zero and the account exact. Nothing is
// allocated.
class PowerBalance {
 public:
  // Of the energy in play: the largest of kinetic energy, change of that of gravity, and work of
  // the forces; and all that came through drives, commands and mounts.
  static constexpr double kMost = 1e-3;       // may stay unexplained
  static constexpr double kClosed = 1e-5;     // ... where the energy has to stay what it is
  static constexpr double kLeastJump = 1e-4;  // what is less is a drift
  // ... in all, or by jumps: what comes after has nothing to do with the mechanism any more.
  static constexpr double kLost = 1e-2, kLostByJumps = 1e-3;
  static constexpr double kUnusual = 30.0;  // times what is usual between two samples: a jump

  struct Sample {
    double t = 0.0;                         // [s]
    double kinetic = 0.0, potential = 0.0;  // [J] the latter of gravity; if closed, of springs too
    double power = 0.0;                     // [W] of all forces and drives; zero if closed
    double exchange = 0.0;                  // [W] of what comes from outside, without its sign
    int loop = -1;                          // the one nearest to a singular position, and ...
    double conditioning = 1.0;              // ... how near, relative to the start
  };

  struct Finding {
    enum class Kind { jump, drift } kind = Kind::jump;
    double from = 0.0, until = 0.0;  // [s] of a drift: since when it is too much, and its worst
    double amount = 0.0;             // [J] that nothing explains
    double in_play = 0.0;            // [J]
    double allowed = 0.0;            // of it
    int loop = -1;
    double conditioning = 1.0;
  };

  // `rest`: [J] below which nothing is worth a word. `most`: of the energy in play may stay
  // unexplained.
  explicit PowerBalance(double rest, double most = kMost) : rest_(rest), most_(most) {}

  void add(const Sample& sample) noexcept;
  // Something has set the state: what follows is not compared with what was.
  void interrupt() noexcept;
  // After the last sample.
  void finish() noexcept;
  [[nodiscard]] std::optional<Finding> take() noexcept;

  // Where a closed account has lost so much that its run is worth nothing.
  struct Loss {
    double time = 0.0, amount = 0.0, in_play = 0.0;  // [s], [J]
    bool jump = false;
    int loop = -1;  // of a jump: the one nearest to a singular position, and how near
    double conditioning = 1.0;
  };
  [[nodiscard]] const std::optional<Loss>& loss() const { return loss_; }

  // Frames between two samples that are good enough, at present.
  [[nodiscard]] int stride() const { return stride_; }
  [[nodiscard]] int jumps() const { return jumps_; }
  [[nodiscard]] double error() const { return drift_; }    // [J] beside jumps
  [[nodiscard]] double unsure() const { return unsure_; }  // [J] of the integral
  [[nodiscard]] double in_play() const;                    // [J]
  [[nodiscard]] double worst() const { return worst_; }    // [J] largest error so far, with jumps
  [[nodiscard]] double worst_time() const { return worst_time_; }  // [s]
  // Of what is in play; a little more for what hardly moves.
  [[nodiscard]] double allowed() const;

 private:
  static constexpr int kNodes = 4, kMostStride = 16, kMostStrideClosed = 2;
  static constexpr int kMostFindings = 8, kBuckets = 64;
  struct Bucket {
    double until = 0.0, most = -1.0, error = 0.0;  // [s]; |error| less what is unsure, and it
  };

  [[nodiscard]] bool closed() const { return most_ == kClosed; }
  void close(int a) noexcept;  // the interval behind node a
  void judge(const Sample& a, const Sample& b, double error, double unsure) noexcept;
  void end_jump() noexcept;
  // `amount` [J] is lost for good if it is more than a part of what is in play.
  void lose(double t, double amount, double part) noexcept;
  void remember(double t, double unsure) noexcept;
  void adapt() noexcept;
  void push(const Finding& found) noexcept;
  // If there is too much of it by now, in whatever time.
  void push_drift() noexcept;

  double rest_, most_;
  std::array<Sample, kNodes> node_{};
  int nodes_ = 0;
  double third_ = 0.0;  // last factor of the last cubic
  double worst_ = 0.0, worst_time_ = 0.0, jumped_ = 0.0;
  double drift_ = 0.0, unsure_ = 0.0, unsure_before_ = 0.0;
  double work_ = 0.0, least_work_ = 0.0, most_work_ = 0.0, exchanged_ = 0.0;
  double most_kinetic_ = 0.0, least_potential_ = 0.0, most_potential_ = 0.0;
  bool begun_ = false;
  std::int64_t intervals_ = 0, frames_ = 0;
  double usual_ = 0.0;  // [J] mean error of an interval
  int usual_of_ = 0;    // so many
  int stride_ = 1, since_ = 0;
  std::optional<Finding> jump_;
  std::optional<Loss> loss_;
  int quiet_ = 0, jumps_ = 0;
  bool drifted_ = false;
  std::array<Bucket, kBuckets> bucket_{};
  int buckets_ = 0, per_bucket_ = 1, in_bucket_ = 0;
  std::array<Finding, kMostFindings> found_{};
  int found_first_ = 0, found_last_ = 0;
};

}  // namespace chicane
