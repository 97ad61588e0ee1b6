// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "simulation/not_finite.hpp"
#include "simulation/simulation.hpp"

namespace chicane {

// A history y(t), given frame by frame, summed up in one number. Between frames it is taken to be
// straight; it counts from `from` until `until`, or to its end where no `until` is given.
class Watch {
 public:
  struct Settings {
    Reduction reduction = Reduction::max;
    double from = -std::numeric_limits<double>::infinity();
    double until = std::numeric_limits<double>::infinity();
    double level = 0;  // of crosses
    Crossing crossing = Crossing::any;
  };
  explicit Watch(const Settings& settings) : s_(settings) {}

  void add(double t, double y) noexcept;
  // Nothing where no frame counts, where the history ends before `until`, or the level is never
  // crossed.
  [[nodiscard]] std::optional<double> result() const noexcept;

  struct Frame {
    double t = 0, y = 0;
  };
  // The first that counts and is not finite.
  [[nodiscard]] const std::optional<Frame>& undefined() const noexcept { return undefined_; }

 private:
  void note(Frame a) noexcept;
  void begin(Frame a) noexcept;
  void go_on(Frame a, Frame b) noexcept;
  [[nodiscard]] bool has_ended() const noexcept;
  [[nodiscard]] bool is_crossed(double a, double b) const noexcept;

  Settings s_;
  std::optional<Frame> before_;  // the last frame that was added
  double frame_ = 0;             // [s] the longest between two frames
  std::optional<Frame> first_;   // that counts
  Frame last_;                   // that counts
  double min_ = 0, max_ = 0, integral_ = 0, square_ = 0;
  std::optional<double> crossed_;
  std::optional<Frame> undefined_;
};

// Metrics and terminal calculations of a run. Watches every frame and takes no part in the run. A
// metric that uses others is found at the end, and its history is kept until then.
class Metrics final : public Observer {
 public:
  struct Result {
    std::string name, unit;
    std::optional<double> value;  // in that unit; nothing where it has none that is finite
  };

  // From the present state of the simulation on.
  explicit Metrics(const Simulation& simulation);
  // The simulation has been regrouped: the same metrics find what they watch in other places.
  void follow(const ModelStructure& before);

  [[nodiscard]] bool due() const noexcept override { return !watched_.empty(); }
  // Steps allocate nothing as long as there is room for the frames they show.
  void make_room(std::size_t frames);
  void observe(const Point& point) noexcept override;

  // The first value that a metric met, or a terminal calculation came to, and that is none.
  [[nodiscard]] bool has_fault() const noexcept { return faulty_ >= 0; }
  [[nodiscard]] std::optional<NotFinite> not_finite() const;

  // At the end of the run: first the metrics, then the terminal calculations.
  [[nodiscard]] std::vector<Result> finish(Simulation& simulation);

 private:
  struct Watched {
    std::optional<Watch> watch;  // while running; nothing: it waits for other metrics
    std::vector<double> history;
    std::optional<double> result;  // SI
  };
  [[nodiscard]] Watch watch_of(const MetricInfo& m);
  [[nodiscard]] bool has_all(const std::vector<int>& metrics) const;
  void find(std::size_t i);
  void note_fault(std::size_t i, const Watch::Frame& frame) noexcept;

  const Simulation& simulation_;
  const Summary* summary_;
  std::vector<double> start_;   // values, with the parameters of the start
  std::vector<double> values_;  // the same with those of the present
  std::vector<Watched> watched_;
  std::vector<double> times_;  // of the histories
  bool keeps_ = false;         // any history
  int faulty_ = -1;            // which metric, or after them which terminal calculation
  Watch::Frame fault_;
};

}  // namespace chicane
