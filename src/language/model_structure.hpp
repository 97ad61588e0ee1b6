// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/index.hpp"
#include "integrators/group_system.hpp"
#include "integrators/method.hpp"
#include "language/block.hpp"
#include "language/expression/program.hpp"
#include "language/spec.hpp"
#include "math/units.hpp"

namespace chicane {

using Slot = std::uint32_t;  // a place in the values of a group's evaluation

// Which blocks advance together. A run-time choice: the Spec's named groups are only its default.
struct Partition {
  std::vector<std::string> names;   // of the rate groups, slowest first
  std::vector<int> group_of_block;  // index into names

  static Partition together(const Spec& spec);    // all blocks in one group: single-rate
  static Partition as_written(const Spec& spec);  // the groups of the file
};

struct SignalInfo {
  enum class Kind { state, memory, input, auxiliary, output };
  std::string name;
  Kind kind = Kind::auxiliary;
  std::string unit;  // in which it is written
  Unit conversion;   // from SI to that unit
  std::string description;
  BlockIndex block;  // invalid: the model as a whole
  GroupIndex group;
  Slot slot = 0;
  bool on_request = false;  // written only where it is named
};

// Signals side by side that are one thing: a pose, a wrench.
struct SignalBundle {
  BundleInfo::Kind kind = BundleInfo::Kind::pose;
  std::string name;
  SignalIndex first;
};

struct StateInfo {
  std::string name;
  SignalIndex signal;
  BlockIndex block;
  GroupIndex group;
  int place = 0;  // in x of its group
  double limit = 0;
};

struct MemoryInfo {
  std::string name;
  SignalIndex signal;
  BlockIndex block;
  GroupIndex group;
  Slot value = 0, next = 0;
  std::int64_t sample = 0;  // [atoms] time between two values; 0: every full step
  bool every_evaluation = false;
  bool bookkeeping = false;  // the solution does not depend on it
};

struct ParameterInfo {
  std::string name;
  double value = 0;  // SI, as the file has it
  Dimension dimension;
  std::string unit;
  Slot slot = 0;  // the same in every group
};

struct InputInfo {
  std::string name;
  double value = 0;
  SignalIndex signal;
};

// A stretch of code, or one task of a block written in C++.
struct Call {
  static constexpr int kArithmetic = -1, kFunctions = -2;
  int block = kArithmetic;  // the native block, or one of the above
  int task = -1;
  std::uint32_t begin = 0, end = 0;
};
using Schedule = std::vector<Call>;

// Where a block written in C++ stands in its group's values.
struct NativePlace {
  std::shared_ptr<const BlockKind> kind;
  GroupIndex group;
  Slot p = 0, x = 0, dx = 0, z = 0, z_next = 0, y = 0, scratch = 0;
  std::uint32_t np = 0, nx = 0, nz = 0, ny = 0, nscratch = 0;
  std::vector<int> wires;
};

struct BlockPlace {
  std::string name, label;  // label: the group the file puts it in
  GroupIndex group;
  std::vector<std::string> reads;  // signals of other blocks
  int native = -1;
};

struct GroupLayout {
  std::string name;
  std::vector<StateIndex> states;
  std::vector<MemoryIndex> memory;
  std::vector<EventIndex> events;
  std::vector<double> limits;  // per state
  std::vector<std::pair<int, int>>
      completed;           // places of states that blocks put right, and how many
  std::uint32_t size = 0;  // of the values
  Slot t = 0, x = 0, inputs = 0, u = 0;
  std::vector<Slot> rates;             // per state: where its rate stands
  std::vector<SignalIndex> reads;      // u: signals of other groups
  std::vector<Source> sources;         // ... and where they stand among what those publish
  std::vector<SignalIndex> publishes;  // y: signals other groups read
  std::vector<int> published_states;   // ... and the state of this group that each is, or -1
  // What to run. The inner ones leave out what is evaluated at full steps only.
  Schedule outputs, derivative, outputs_inner, derivative_inner;
  Schedule every;   // memory that advances at every evaluation
  Schedule accept;  // event conditions and the memory's next values
  Schedule watch;   // what metrics need beside
  Schedule report;  // what only outputs need
};

struct ActionInfo {
  struct Target {
    enum class Kind { parameter, state, memory } kind = Kind::parameter;
    int index = 0;
    Slot from = 0;
  };
  ActionSpec::Kind kind = ActionSpec::Kind::stop;
  std::vector<Target> targets;  // set
  Schedule code;
  bool on = true;
  std::vector<EventIndex> events;
  std::int64_t step = 0;  // [atoms]
  int ratio = 1;
  std::string text;  // name of the method, message of a stop
};

// What an event's condition comes to where it is neither false, 0, nor true, 1.
inline constexpr double kUnknown = 0.5;

struct EventInfo {
  std::string name;
  GroupIndex group;
  Repeat repeat = Repeat::once;
  bool enabled = true;
  Slot condition = 0;
  std::vector<ActionInfo> actions;
};

// An assignment made before the run: `initial` of a state, or a line of the `initial:` section.
struct InitialInfo {
  ActionInfo::Target target;  // from: in the values of the initial calculation
  Schedule code;
};

// Values of all states and memory at the start, where they are solved for and not given.
struct StartValues {
  PerIndex<StateIndex, double> states;
  PerIndex<MemoryIndex, double> memory;
};

struct MetricInfo {
  std::string name, unit, description;
  Unit conversion;
  Reduction reduction = Reduction::max;
  Crossing crossing = Crossing::any;
  Slot watched = 0;                            // the formula whose history counts
  Slot result = 0;                             // for the metrics below and the terminal formulas
  std::optional<Slot> from, until, level, at;  // where they are given
  Schedule code;                               // computes those
  std::vector<int> needs;                      // metrics that they use
};

struct TerminalInfo {
  std::string name, unit;
  Unit conversion;
  Slot slot = 0;
  std::vector<int> needs;  // metrics that it uses
};

// What is computed from a run and takes no part in it. Its values are laid out as
//   constants and parameters | time, metrics, signals, formulas | intermediate results
struct Summary {
  struct Source {  // where a value stands in its group, and where it is wanted
    GroupIndex group;
    Slot from = 0, to = 0;
  };
  std::vector<MetricInfo> metrics;
  std::vector<TerminalInfo> terminal;
  std::vector<Source> sources;
  Slot t = 0;
  std::uint32_t size = 0;
  Schedule watch;   // what metrics watch
  Schedule finish;  // the terminal formulas
};

class Blueprint;

// The compiled model, the same for every scalar: numbering, names with units, code, schedules.
// Immutable. The values of group g at a point are laid out as
//   constants and parameters | time, states, rates, memory, inputs, signals | intermediate results
struct ModelStructure {
  std::string name, description, provenance;
  PerIndex<BlockIndex, BlockPlace> blocks;
  PerIndex<GroupIndex, GroupLayout> groups;
  PerIndex<StateIndex, StateInfo> states;
  PerIndex<MemoryIndex, MemoryInfo> memory;
  PerIndex<ParameterIndex, ParameterInfo> parameters;
  PerIndex<InputIndex, InputInfo> inputs;
  PerIndex<EventIndex, EventInfo> events;
  PerIndex<SignalIndex, SignalInfo> signals;
  std::vector<SignalBundle> bundles;
  std::vector<NativePlace> natives;
  std::vector<InitialInfo> initial;
  std::optional<StartValues> start;  // of a vehicle that starts settled, in place of those
  Summary summary;
  std::vector<Method> methods;  // of the file's own

  std::vector<double> constants;  // literals, with room for parameters and derived constants
  Schedule prepare;               // derived constants, from parameters
  std::uint32_t initial_size =
      0;  // values of the initial calculation: constants, states, memory, ...
  Slot initial_states = 0, initial_memory = 0;

  std::vector<Instruction> code;
  Tables tables;
  std::shared_ptr<const Blueprint> blueprint;  // what it was compiled from, for other groups

  [[nodiscard]] SignalIndex find_signal(std::string_view name_of) const;
  [[nodiscard]] const Method* find_method(std::string_view name_of) const;  // the file's own first
};

}  // namespace chicane
