// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/api.hpp"
#include "core/result.hpp"
#include "session/frame.hpp"
#include "session/request.hpp"
#include "simulation/run_warning.hpp"

namespace chicane {

class Columns;
class Recorder;
class Simulation;
struct NamedMode;
struct Prepared;
struct RunPlan;
struct Spec;
struct ModelStructure;

// A signal, parameter or input that a session was asked for by name. It serves that session, what
// was branched off from it, and no other model.
template <class Tag>
class Handle {
 public:
  friend bool operator==(const Handle&, const Handle&) = default;

 private:
  friend class Session;
  Handle(int index, std::uint64_t model) : index_(index), model_(model) {}
  int index_;
  std::uint64_t model_;
};
using Signal = Handle<struct OfSignals>;        // a number that the model computes
using Parameter = Handle<struct OfParameters>;  // a number that the file gives
using Input = Handle<struct OfInputs>;          // a number from outside, held over a step

// A number that has a name: what a model has, and in which unit its results have it.
struct Named {
  std::string name, unit, description;  // as results have them; parameters have no description
};

// A metric of a finished run.
struct MetricValue {
  std::string name, unit;       // as the model file has them
  std::optional<double> value;  // in that unit; nothing where it did not happen
};

// How a run stands after it was advanced.
enum class RunState {
  going_on,  // it has more frames
  at_end,    // there is no whole frame left before its end
  stopped,   // an event has ended it: stop_message()
  failed,    // it could not go on: failure()
};

// A model in motion, from its file to its results: what the command line, programs in C++ and
// everything else use. Numbers are SI. What is refused leaves the session as it was, and says why
// in the words of the command line. A session belongs to one thread at a time; several may run side
// by side.
class CHICANE_API Session {
 public:
  // Reads, compiles and plans; evaluates the start. All faults at once where there are any.
  static Result<Session> open(const ModelRequest& request);
  template <std::convertible_to<std::string_view> Name>
  static Result<Session> open(const Name& model) {
    return open(ModelRequest{.model = std::string(model)});
  }
  // Of what the inside of the library has prepared; programs call open.
  explicit Session(Prepared prepared);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  // --- what there is ---
  [[nodiscard]] const std::string& name() const;             // of the model
  [[nodiscard]] std::vector<Named> signals() const;          // all that value() can read
  [[nodiscard]] std::vector<Named> parameters() const;       // those of the compiled model
  [[nodiscard]] std::vector<Named> inputs() const;           // what may come from outside
  Result<Signal> signal(std::string_view name) const;        // the handle of a signal
  Result<Parameter> parameter(std::string_view name) const;  // the handle of a parameter
  Result<Input> input(std::string_view name) const;          // the handle of an input

  // --- values, now; a handle of another model is a UsageError ---
  [[nodiscard]] double time() const;          // [s]
  [[nodiscard]] double end() const;           // [s] of the run
  [[nodiscard]] std::int64_t frames() const;  // since the start of the run
  // In SI units, whatever the unit of the results is.
  [[nodiscard]] double value(Signal signal) const;
  [[nodiscard]] double value(Parameter parameter) const;
  [[nodiscard]] double value(Input input) const;
  Result<double> value(std::string_view signal) const;

  // From the next frame on. A parameter that a block was made with cannot be set.
  Result<void> set(Parameter parameter, double si);
  Result<void> set(Input input, double si);
  // Either of them by name, with its unit: set("k1", "1200 1/s^2").
  Result<void> set(std::string_view name, std::string_view value);

  // --- moving ---
  // How far to go.
  struct Advance {
    std::size_t frames = 1;                                         // at the most
    std::int64_t until = std::numeric_limits<std::int64_t>::max();  // [0.5 ps] nor beyond
    const std::atomic<int>* halt = nullptr;                         // nor when it is not 0
  };
  // Whole frames, until one of these is reached. Nothing but what takes the frames throws here.
  RunState advance(const Advance& how);
  RunState step() { return advance({}); }  // one frame
  // To the last whole frame before that time [s], or before the end of the run.
  RunState run_until(double t);
  RunState run();  // to its end

  [[nodiscard]] RunState state() const;                   // what the last advance came to
  [[nodiscard]] const std::string& stop_message() const;  // of the event that stopped it
  [[nodiscard]] const std::string& failure() const;       // why it could not go on, and what helps
  // The mode that grew, where a failed run was unstable and it could be found.
  [[nodiscard]] const std::optional<NamedMode>& failed_mode() const;

  // What makes the results doubtful, found so far.
  [[nodiscard]] const std::vector<RunWarning>& warnings() const;
  // What guards have measured of a run that is finished, whether or not it is worth a warning.
  [[nodiscard]] const std::vector<RunAccount>& accounts() const;
  // After the last frame: the guards' last word, and the metrics of a run that came to its end.
  std::vector<MetricValue> finish();

  // --- recording ---
  // Signals that match, every so many frames, from now on; 0: half steps and faster steps, too.
  // Without patterns those that the run would write.
  Result<void> record(const std::vector<std::string>& patterns = {}, std::int64_t every = 1);
  // Frames go there, too, between steps.
  void on_frame(std::function<void(const Frame&)> take);
  [[nodiscard]] const FrameLayout& layout() const;  // of a session that records
  // Time, or a signal that is recorded, in its unit; one number a frame.
  Result<std::span<const double>> column(std::string_view name) const;

  // --- changes while it runs ---
  // A key of the run section as on the command line: ("step", "0.5 ms"), ("ratio", "fast=4"),
  // ("method", "rk4"), ("interp", "interp2"), ("scheme", "multiframe").
  Result<void> change(const std::string& key, const std::string& value);
  // A block into another group; its scheme must be one of several rates to notice.
  Result<void> move(const std::string& block, const std::string& group);

  // --- states ---
  // All that a restart needs, groups and plan included.
  class Snapshot {
   private:
    friend class Session;
    struct Content;
    std::shared_ptr<const Content> content_;
  };
  [[nodiscard]] Snapshot save() const;             // where the session is now
  Result<void> restore(const Snapshot& snapshot);  // back to there, bit for bit
  // Another session at the same point: both go on bit for bit alike.
  [[nodiscard]] Session branch() const;
  // What save() gives, as text that outlives the program.
  [[nodiscard]] std::string checkpoint() const;
  Result<void> restore(std::string_view checkpoint);  // from such a text

  // --- for those who know the library's inside ---
  [[nodiscard]] const Spec& spec() const;         // what the file said
  [[nodiscard]] const RunPlan& run_plan() const;  // what its run section comes to
  [[nodiscard]] Simulation& simulation() const;   // state, plan and scheme in motion
  // The compiled model without a scalar.
  [[nodiscard]] const std::shared_ptr<const ModelStructure>& structure() const;
  [[nodiscard]] const Recorder& recorder() const;  // of a session that records
  [[nodiscard]] const Columns& columns() const;    // likewise
  // [s] of processor time of this thread that the steps took, recording aside.
  [[nodiscard]] double cost() const;

 private:
  class CHICANE_HIDDEN Run;
  template <class Edit>
  Result<void> change_spec(Edit&& edit);

  std::unique_ptr<Run> run_;
};

}  // namespace chicane
