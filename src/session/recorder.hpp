// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "session/frame.hpp"
#include "simulation/not_finite.hpp"
#include "simulation/plan.hpp"

namespace chicane {

// Turns the points a simulation shows into frames of chosen signals, in room made beforehand.
class Recorder final : public Observer {
 public:
  // `every`: frames of the run between two of the record; 0: half steps and faster steps, too.
  Recorder(const Simulation& simulation, std::vector<SignalIndex> signals, std::int64_t every);

  [[nodiscard]] const FrameLayout& layout() const { return layout_; }

  // Between steps: room for so many more frames of the run.
  void make_room(std::size_t frames);
  // Frames for which there was no room.
  [[nodiscard]] std::int64_t lost() const { return lost_; }

  [[nodiscard]] bool due() const noexcept override {
    return (every_ == 0 || simulation_.state().frames % every_ == 0) && simulation_.state().writing;
  }
  // Signals of groups that do not stand at the point keep their last value.
  void observe(const Point& point) noexcept override;

  // [s] of processor time since the last call: what recording costs beside the run.
  [[nodiscard]] double take_spent() { return std::exchange(spent_, 0.0); }

  // Every signal at the present point, which is recorded if it was not seen before.
  void see_end(Simulation& simulation);

  // Hands over what was recorded since it was last called.
  template <class Each>
  void drain(Each&& each) {
    for (std::size_t r = 0; r < count_; ++r)
      each(Frame({cells_.data() + r * layout_.cells(), layout_.cells()}));
    count_ = 0;
  }

  // The first value recorded that is none.
  [[nodiscard]] bool has_fault() const noexcept { return faulty_.valid(); }
  [[nodiscard]] std::optional<NotFinite> not_finite() const;

  // Of every signal of the model, in its unit: the last value, and the least and most recorded.
  [[nodiscard]] const std::vector<double>& latest() const { return latest_; }
  [[nodiscard]] const std::vector<double>& least() const { return least_; }
  [[nodiscard]] const std::vector<double>& most() const { return most_; }

 private:
  void record(const Point& point) noexcept;

  const Simulation& simulation_;
  std::vector<SignalIndex> signals_;
  std::int64_t every_;
  FrameLayout layout_;
  std::vector<double> cells_;  // frames, one after the other
  std::size_t count_ = 0;
  std::int64_t sequence_ = 0, lost_ = 0;
  std::vector<double> latest_, least_, most_;
  double seen_ = -1, spent_ = 0;
  SignalIndex faulty_;
  NotFinite fault_;
};

// What was recorded, column by column: all frames, or of a very long run every second, fourth, ...
class Columns {
 public:
  explicit Columns(std::size_t columns) : columns_(columns) {}

  void add(std::span<const double> row);
  [[nodiscard]] std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().size(); }
  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  [[nodiscard]] const std::vector<double>& operator[](std::size_t c) const { return columns_[c]; }

 private:
  static constexpr std::size_t kMost = 16'000'000;  // numbers

  std::vector<std::vector<double>> columns_;
  std::size_t seen_ = 0, stride_ = 1;
};

}  // namespace chicane
