// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "integrators/method.hpp"
#include "integrators/tableaus/pairs.hpp"
#include "language/expression/expression.hpp"
#include "math/table.hpp"
#include "math/units.hpp"

namespace chicane {

class BlockKind;

// What a model file says, as the user said it: every entry keeps its text and its place. A Spec can
// be edited and written back; compile() turns it into a Model or says everything that is wrong with
// it.

struct ParameterSpec {
  std::string name;
  Text value;  // a quantity, "330 mm"
  std::string description;
  bool of_manoeuvre = false;  // new in a manoeuvre: nothing but this run can use it
  bool operator==(const ParameterSpec&) const = default;
};

struct InputSpec {
  std::string name;
  Text value;  // what it is while nobody drives it
  std::string description;
};

struct TableSpec {
  struct AxisSpec {
    std::vector<double> values;  // SI
    Dimension dimension;
    std::string unit;
    bool operator==(const AxisSpec&) const = default;
  };
  std::string name;
  Location where;
  AxisSpec x, y, z;  // y(x), or z(x, y) with rows along x
  bool two_d = false;
  Interpolation interpolation = Interpolation::linear;
  Extrapolation extrapolation = Extrapolation::hold;
  friend bool operator==(const TableSpec& a, const TableSpec& b) {  // wherever they stand
    return a.name == b.name && a.x == b.x && a.y == b.y && a.z == b.z && a.two_d == b.two_d &&
           a.interpolation == b.interpolation && a.extrapolation == b.extrapolation;
  }
};

struct VariableSpec {  // an auxiliary, an output or a terminal calculation
  std::string name;
  Text value;  // an expression
  Text unit;   // in which it is written; the SI unit where empty
  std::string description;
  bool on_request = false;  // written only where it is named
};

// What a metric makes of the history of a formula, by the names that files use.
enum class Reduction { max, min, range, mean, rms, integral, initial, final, value_at, crosses };
inline constexpr std::pair<std::string_view, Reduction> kReductions[] = {
    {"max", Reduction::max},         {"min", Reduction::min},     {"range", Reduction::range},
    {"mean", Reduction::mean},       {"rms", Reduction::rms},     {"integral", Reduction::integral},
    {"initial", Reduction::initial}, {"final", Reduction::final}, {"value_at", Reduction::value_at},
    {"crosses", Reduction::crosses}};
enum class Crossing { any, rising, falling };

struct MetricSpec {  // a number computed from a run
  std::string name;
  Location where;
  Reduction reduction = Reduction::max;
  Text value;                   // an expression of signals
  Text from, until, level, at;  // expressions of parameters and of metrics above
  Crossing crossing = Crossing::any;
  Text unit;  // in which it is written; the SI unit where empty
  std::string description;
};

struct StateSpec {
  std::string name;
  Text der;      // an expression
  Text initial;  // an expression of parameters; 0 where empty
  Text unit;     // plain number where empty
  Text limit;    // a quantity: the run stops when the state is beyond it
  std::string description;
};

struct MemorySpec {
  std::string name;
  Text next;  // an expression
  Text initial, unit;
  Text sample;  // a quantity: time between two values; every full step where empty
  bool every_evaluation = false;  // advances at half steps and stages too
  std::string description;
  bool internal = false;     // of no interest outside
  bool bookkeeping = false;  // the solution does not depend on it
};

struct Assignment {
  std::string target;
  Text value;  // an expression
};

// What feeds an input of a block written in C++, known by its place.
struct Connection {
  int input = -1;   // among the inputs of the block
  Expression from;  // of handles: a signal as it stands, or a formula
};

struct BlockSpec {
  std::string name, group;
  Location where;
  bool full_step_only = false;  // its equations are evaluated at full steps and held in between
  std::vector<VariableSpec> auxiliaries;
  std::vector<StateSpec> states;
  std::vector<MemorySpec> memory;

  // A block written in C++ instead: what it is, what feeds each of its inputs, and what its
  // parameters and initial values are where they are not the default.
  std::shared_ptr<const BlockKind> native;
  bool plain_names = false;          // its signals are not called BLOCK.NAME but NAME
  std::vector<std::string> made_of;  // parameters of the model that its kind was made with
  Text type;
  std::vector<Assignment> wiring;      // expressions
  std::vector<Connection> connected;   // inputs that whoever made the kind has connected
  std::vector<Assignment> parameters;  // quantities, or expressions of the model's parameters
  std::vector<Assignment> initial;     // expressions, as of states
};

// The type of the block that stands for the mechanism of a Spec; its kind is made by compile().
inline constexpr std::string_view kMechanismType = "mechanism";

struct ActionSpec {
  enum class Kind { set, write, enable, disable, step, ratio, method, stop };
  Kind kind = Kind::stop;
  Location where;
  std::vector<Assignment> assignments;  // set
  bool on = true;                       // write
  std::vector<std::string> events;      // enable, disable
  Text value;                           // step, ratio, method, stop (its message)
};

enum class Repeat { once, each_time, every_step };

struct EventSpec {
  std::string name;
  Text when;
  std::string group;  // at whose full steps it is tested; the slowest group where empty
  Repeat repeat = Repeat::once;
  bool enabled = true;
  std::vector<ActionSpec> actions;
};

// A value as it was written: a text, a list, or a mapping of further values.
struct DataSpec {
  enum class Kind { none, text, list, mapping };
  Kind kind = Kind::none;
  Text text;  // of a list or a mapping only its place
  std::vector<DataSpec> list{};
  std::vector<std::pair<std::string, DataSpec>> entries{};

  [[nodiscard]] const DataSpec* find(std::string_view key) const {
    for (const auto& [name, value] : entries)
      if (name == key) return &value;
    return nullptr;
  }
  [[nodiscard]] DataSpec* find(std::string_view key) {
    return const_cast<DataSpec*>(std::as_const(*this).find(key));
  }
  friend bool operator==(const DataSpec& a, const DataSpec& b) {
    return a.kind == b.kind && a.text == b.text && a.list == b.list && a.entries == b.entries;
  }
};

struct JointSpec {
  std::string name;
  Location where;
  Text type;
  std::vector<Text> connects;
  bool driven = false;
  friend bool operator==(const JointSpec& a, const JointSpec& b) {
    return a.name == b.name && a.type == b.type && a.connects == b.connects && a.driven == b.driven;
  }
};

struct ForceSpec {
  std::string name;
  Location where;
  Text type;
  std::vector<Text> connects;
  Text joint;
  friend bool operator==(const ForceSpec& a, const ForceSpec& b) {
    return a.name == b.name && a.type == b.type && a.connects == b.connects && a.joint == b.joint;
  }
};

// A multibody mechanism: how bodies, joints and forces hang together, and their numbers.
struct MechanismSpec {
  Location where;
  std::vector<Text> bodies;
  std::vector<JointSpec> joints;
  std::vector<ForceSpec> forces;
  Text base, loops;
  Text group;  // of its block
  std::vector<Text> cut;
  DataSpec parameters;  // bodies, joints, forces, gravity; quantities, or formulas of parameters
  friend bool operator==(const MechanismSpec& a, const MechanismSpec& b) {
    return a.bodies == b.bodies && a.joints == b.joints && a.forces == b.forces &&
           a.base == b.base && a.loops == b.loops && a.group == b.group && a.cut == b.cut &&
           a.parameters == b.parameters;
  }
};

// What a run says of one group.
struct RunGroupSpec {
  std::string name;
  Location where;
  Text method, ratio;
};

// Defaults of a run; what a command line may override.
struct RunSpec {
  Text scheme, method, step, until, every, ratio, interp, startup, history, settle;
  Text order, iterations, tableau, threads;
  Text checkpoint, resume;
  std::vector<RunGroupSpec> groups;  // where a group differs from the run's method and ratio
  std::vector<Assignment> interps;   // where a signal differs from the run's interpolator
  std::vector<Text> signals;         // patterns of what to write; everything where empty
};

struct Assembled;  // assembly/assemble.cpp

struct Spec {
  std::string name;  // of the model
  Location where;
  std::string description, provenance;
  bool check_units = true;
  RunSpec run;
  std::vector<Method> methods;  // of the user's own
  std::vector<TableauPair> pairs;
  std::vector<ParameterSpec> parameters;
  std::vector<TableSpec> tables;
  std::vector<InputSpec> inputs;
  std::vector<BlockSpec> blocks;
  std::optional<MechanismSpec> mechanism;
  std::optional<DataSpec> vehicle;
  std::vector<VariableSpec> outputs;
  std::vector<EventSpec> events;
  std::vector<Assignment> initial;
  std::vector<MetricSpec> metrics;
  std::vector<VariableSpec> terminal;
  // What was made of the vehicle, and of what: whoever makes it next takes it if that is still so.
  std::shared_ptr<const Assembled> assembled;
};

}  // namespace chicane
