// SPDX-License-Identifier: Apache-2.0
#include "io/grammar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "assembly/grammar.hpp"
#include "language/expression/expression.hpp"

namespace chicane {
namespace {

constexpr std::string_view kDescription = "what it is, for people";

constexpr Key kModel[] = {
    {"format", Form::version, "", true, "version of the file format: chicane/1"},
    {"description", Form::text, "", false, "one line about the model"},
    {"provenance", Form::text, "", false, "where its equations and figures come from"},
    {"base", Form::name, "", false, "a built-in model or a file that this one starts from"},
    {"units", Form::choice, "SI|none", false,
     "none: all numbers are plain and no dimension is checked (default SI)"},
    {"run", Form::section, "run", false, "defaults of a run"},
    {"parameters", Form::parameters, "parameter", false,
     "constants; with a base: new values of its own; with a topology also the numbers of the "
     "mechanism"},
    {"inputs", Form::entries, "input", false, "signals from outside, held over a step"},
    {"tables", Form::entries, "table", false, "look-up tables"},
    {"topology", Form::section, "topology", false,
     "bodies, joints and forces of a multibody mechanism"},
    {"vehicle", Form::section, "vehicle", false, "a vehicle, part by part"},
    {"groups", Form::entries, "group", false, "rate groups and their equations"},
    {"auxiliaries", Form::entries, "variable", false, "of a model without groups"},
    {"states", Form::entries, "state", false, "of a model without groups"},
    {"memory", Form::entries, "memory", false, "of a model without groups"},
    {"outputs", Form::entries, "variable", false, "signals computed for output only"},
    {"events", Form::entries, "event", false, "conditions tested at full steps, and what they do"},
    {"initial", Form::assignments, "", false, "calculations before the run, in order"},
    {"metrics", Form::entries, "metric", false, "numbers computed from what happened in the run"},
    {"terminal", Form::entries, "variable", false,
     "calculations after the run, of what there is at its end and of metrics"},
    {"methods", Form::entries, "method", false, "integration methods of the file's own"},
    {"tableaus", Form::entries, "tableaus", false, "pairs of tableaus of the file's own"},
    {"equations", Form::section, "equations", false,
     "equations added to this model or to its base"},
    {"replace", Form::assignments, "", false,
     "with a base: other types for its blocks; inputs, parameters and start values stay"},
};

constexpr Key kPartFile[] = {
    {"format", Form::version, "", true, "version of the file format: chicane/1"},
    {"description", Form::text, "", false, "one line about the part"},
    {"provenance", Form::text, "", false, "where its figures come from"},
    {"part", Form::data, "", true, "what stands instead of `file:`"},
};

constexpr Key kRun[] = {
    {"scheme", Form::choice,
     "single-rate|multiframe|pece-multirate|pece-multirate-parallel|prk|reference", false,
     "how groups are advanced"},
    {"method", Form::name, "", false, "integration method (chicane list methods), or a file"},
    {"step", Form::quantity, "s", false, "frame of the slowest group"},
    {"until", Form::quantity, "s", false, "end of the run"},
    {"every", Form::integer, "", false, "write every N-th frame; 0: half steps too"},
    {"ratio", Form::integer, "", false, "fast steps per frame (multirate schemes)"},
    {"interp", Form::name, "", false, "interpolator between groups (chicane list interpolators)"},
    {"interps", Form::assignments, "", false, "interpolators of single signals, by name"},
    {"groups", Form::entries, "run-group", false, "where a group differs: its method, its ratio"},
    {"order", Form::choice, "slow-first|fast-first", false, "who goes ahead in a multiframe"},
    {"iterations", Form::text, "", false, "of the pece schemes, e.g. inner=1,outer=2"},
    {"tableau", Form::name, "", false,
     "pair of tableaus for prk (chicane list tableaus), or a file"},
    {"threads", Form::integer, "", false,
     "threads for groups, and branches of a mechanism, that do not depend on each other"},
    {"startup", Form::choice, "rk4|build-up", false, "first steps of a multistep method"},
    {"history", Form::choice, "keep|restart", false, "old derivatives after an event sets a state"},
    {"settle", Form::quantity, "s", false, "time to settle before a stability search"},
    {"signals", Form::names, "", false, "patterns of what to write; default everything"},
    {"checkpoint", Form::quantity, "s", false, "when to save the state"},
    {"resume", Form::text, "", false, "saved state to go on from"},
};

constexpr Key kRunGroup[] = {
    {"method", Form::name, "", false, "its integration method, or a file"},
    {"ratio", Form::integer, "", false, "its steps per frame of the slowest group"},
};

constexpr Key kParameter[] = {
    {"value", Form::quantity, "", true, "number with unit"},
    {"description", Form::text, "", false, kDescription},
};
constexpr Key kInput[] = {
    {"value", Form::quantity, "", true, "what it is while nobody drives it"},
    {"file", Form::text, "", false,
     "instead: a CSV file with a column of times, the first, and one of this input"},
    {"column", Form::text, "", false, "with a file: name of its column; default that of the input"},
    {"interpolation", Form::choice, "linear|hold", false,
     "with a file: straight between its rows (default), or the value of the last row"},
    {"description", Form::text, "", false, kDescription},
};
constexpr Key kVariable[] = {
    {"value", Form::expression, "", true, "formula"},
    {"unit", Form::unit, "", false, "unit it is written in; default SI"},
    {"description", Form::text, "", false, kDescription},
};
constexpr Key kMetric[] = {
    {"max", Form::expression, "", false, "largest value of a formula"},
    {"min", Form::expression, "", false, "least value"},
    {"range", Form::expression, "", false, "largest less least value"},
    {"mean", Form::expression, "", false, "mean over time"},
    {"rms", Form::expression, "", false, "root of the mean square over time"},
    {"integral", Form::expression, "", false, "integral over time"},
    {"initial", Form::expression, "", false, "first value"},
    {"final", Form::expression, "", false, "last value"},
    {"value_at", Form::expression, "", false, "value at a time"},
    {"crosses", Form::expression, "", false, "time at which it first passes a level"},
    {"from", Form::expression, "", false, "when it begins to count; default the beginning"},
    {"until", Form::expression, "", false, "when it ceases to count; default the end"},
    {"at", Form::expression, "", false, "the time of value_at"},
    {"level", Form::expression, "", false, "the level of crosses"},
    {"direction", Form::choice, "any|rising|falling", false, "of crosses; default any"},
    {"unit", Form::unit, "", false, "unit it is written in; default SI"},
    {"description", Form::text, "", false, kDescription},
};
constexpr Key kState[] = {
    {"der", Form::expression, "", true, "its rate"},
    {"initial", Form::expression, "", false, "start value, of parameters and constants; default 0"},
    {"unit", Form::unit, "", false, "its unit; default a plain number"},
    {"limit", Form::quantity, "", false, "size beyond which the run is stopped as diverged"},
    {"description", Form::text, "", false, kDescription},
};
constexpr Key kMemory[] = {
    {"next", Form::expression, "", true, "its next value, from present ones"},
    {"initial", Form::expression, "", false, "start value; default 0"},
    {"unit", Form::unit, "", false, "its unit; default a plain number"},
    {"sample", Form::quantity, "s", false, "time between values; default every full step"},
    {"update", Form::choice, "full-step|every-evaluation", false, "when it advances"},
    {"description", Form::text, "", false, kDescription},
};
constexpr Key kTable[] = {
    {"x", Form::numbers, "", true, "rising breakpoints, the unit last"},
    {"y", Form::numbers, "", true, "values of a curve; second breakpoints of a map"},
    {"z", Form::matrix, "", false, "values of a map: one list per x, the unit last"},
    {"file", Form::text, "", false,
     "instead of x, y and z: a CSV file with names and units in its header"},
    {"columns", Form::names, "", false,
     "its columns that are meant: [x, y] of a curve, [x, y, z] of a map; default both of two"},
    {"interpolation", Form::choice, "linear|monotone|spline|hold", false,
     "default linear; hold: steps, of a curve"},
    {"extrapolation", Form::choice, "hold|linear", false, "default hold"},
};
constexpr Key kGroup[] = {
    {"auxiliaries", Form::entries, "variable", false, "named intermediate results"},
    {"states", Form::entries, "state", false, "integrated variables"},
    {"memory", Form::entries, "memory", false, "discrete variables"},
    {"apply", Form::choice, "every-evaluation|full-step", false,
     "full-step: evaluated at full steps, held in between"},
    {"blocks", Form::entries, "block", false, "several blocks instead, each with such keys"},
};
constexpr Key kBlock[] = {
    {"type", Form::name, "", false,
     "a kind of block written in C++ (chicane list blocks); without it the block has equations"},
    {"inputs", Form::assignments, "", false, "with a type: what feeds each of its inputs"},
    {"parameters", Form::assignments, "", false,
     "with a type: quantities or formulas of the model's parameters; each has a default"},
    {"initial", Form::assignments, "", false, "with a type: start values of its states"},
    {"auxiliaries", Form::entries, "variable", false, "named intermediate results"},
    {"states", Form::entries, "state", false, "integrated variables"},
    {"memory", Form::entries, "memory", false, "discrete variables"},
    {"apply", Form::choice, "every-evaluation|full-step", false,
     "full-step: evaluated at full steps, held in between"},
};
constexpr Key kEquations[] = {
    {"group", Form::name, "", false, "rate group they belong to; default that of the first block"},
    {"apply", Form::choice, "every-evaluation|full-step", false,
     "full-step: evaluated at full steps, held in between"},
    {"parameters", Form::entries, "parameter", false, "new constants"},
    {"inputs", Form::entries, "input", false, "new signals from outside"},
    {"tables", Form::entries, "table", false, "new tables"},
    {"drives", Form::assignments, "", false, "inputs of the model that are now given by formulas"},
    {"auxiliaries", Form::entries, "variable", false, "named intermediate results"},
    {"states", Form::entries, "state", false, "integrated variables"},
    {"memory", Form::entries, "memory", false, "discrete variables"},
    {"outputs", Form::entries, "variable", false, "signals computed for output only"},
    {"events", Form::entries, "event", false, "conditions tested at full steps, and what they do"},
    {"initial", Form::assignments, "", false, "calculations before the run, in order"},
    {"terminal", Form::entries, "variable", false,
     "calculations after the run, of what there is at its end and of metrics"},
};
constexpr Key kEvent[] = {
    {"when", Form::expression, "", true, "condition on signals or on time t"},
    {"do", Form::actions, "action", true, "what happens, in order"},
    {"repeat", Form::choice, "once|each-time|every-step", false,
     "once; each time the condition becomes true; at every full step while it is true"},
    {"enabled", Form::flag, "", false, "false: waits until another event enables it"},
    {"group", Form::name, "", false, "at whose full steps it is tested; default the slowest"},
};
constexpr Key kAction[] = {
    {"set", Form::assignments, "", false,
     "parameters, states or memory, to formulas of the moment"},
    {"load", Form::text, "", false, "a settings file with a set: section"},
    {"write", Form::choice, "on|off", false, "output rows from here on, or none"},
    {"enable", Form::names, "", false, "events"},
    {"disable", Form::names, "", false, "events"},
    {"step", Form::quantity, "s", false, "new step"},
    {"ratio", Form::integer, "", false, "new frame ratio"},
    {"method", Form::name, "", false, "new integration method"},
    {"stop", Form::text, "", false, "end the run, with this message"},
};
constexpr Key kTopology[] = {
    {"file", Form::text, "", false, "a file with the topology section, instead of the other keys"},
    {"bodies", Form::names, "", false, "names of the bodies; `ground` is always there"},
    {"joints", Form::entries, "joint", false, "what connects the bodies"},
    {"forces", Form::entries, "force", false, "what acts between them, and on them"},
    {"base", Form::name, "", false,
     "the body that floats, of a mechanism that is not joined to ground; default the middle one"},
    {"cut", Form::names, "", false, "joints that must be the ones where loops are cut"},
    {"loops", Form::choice, "embedded|multipliers", false,
     "how loops are solved; default embedded: each in coordinates of its own"},
    {"group", Form::name, "", false, "rate group of the mechanism; default slow"},
};
constexpr Key kJoint[] = {
    {"type", Form::choice,
     "weld|revolute|translational|cylindrical|screw|universal|spherical|planar|free|"
     "spherical-spherical|spherical-revolute|spherical-translational",
     true, "its kind; the last three are massless links with a joint at either end"},
    {"connects", Form::names, "", true, "two bodies; coordinates are those of the second"},
    {"driven", Form::flag, "", false, "true: its motion is prescribed"},
};
constexpr Key kForce[] = {
    {"type", Form::choice,
     "tsda|rsda|bump-stop|bushing|leaf-spring|anti-roll-bar|joint-friction|joint-limit|wrench",
     true, "its kind"},
    {"connects", Form::names, "", false,
     "its bodies: two; chassis, left and right of an anti-roll bar; one of a wrench"},
    {"joint", Form::name, "", false,
     "instead of bodies, for a tsda, rsda, joint-friction or joint-limit: the joint it acts on"},
};
constexpr Key kMechanism[] = {
    {"file", Form::text, "", false, "a file with more parameters, and tables"},
    {"gravity", Form::numbers, "", false, "default [0, 0, -9.80665, m/s^2]"},
    {"bodies", Form::entries, "body", false, "masses, one entry for each body"},
    {"joints", Form::entries, "joint-parameters", false, "places and axes of the joints"},
    {"forces", Form::entries, "force-parameters", false, "places and laws of the forces"},
};
constexpr Key kBody[] = {
    {"mass", Form::quantity, "", false, "its mass; required"},
    {"com", Form::numbers, "", false, "its centre of mass; required"},
    {"inertia", Form::section, "inertia", false, "about the centre of mass; default none"},
    {"reference", Form::numbers, "", false, "origin of its frame; default the centre of mass"},
};
constexpr Key kInertia[] = {
    {"diagonal", Form::numbers, "", false, "moments xx, yy, zz"},
    {"products", Form::numbers, "", false,
     "with a diagonal: products of inertia xy, xz, yz, which are minus the entries of the matrix"},
    {"full", Form::numbers, "", false,
     "instead: entries xx, yy, zz, xy, xz, yz of the matrix, with their signs"},
};
constexpr Key kJointParameters[] = {
    {"at", Form::numbers, "", false, "its point; centre of the first ball of a massless link"},
    {"axis", Form::numbers, "", false, "its axis, of any length"},
    {"second_at", Form::numbers, "", false, "other end of a massless link"},
    {"second_axis", Form::numbers, "", false,
     "second axis of a universal joint, first direction of a planar one"},
    {"pitch", Form::quantity, "", false, "of a screw: way per rad"},
    {"initial", Form::names, "", false,
     "start values of the coordinates, each with its unit, which are held; default 0, the position "
     "of the file, or in a loop what the others leave"},
    {"initial_rate", Form::names, "", false, "of their rates, likewise"},
    {"motion", Form::names, "", false,
     "of a driven joint: a formula of its coordinate; the first and second derivative may follow, "
     "and must where it is not of t and parameters alone"},
};
constexpr Key kForceParameters[] = {
    {"points", Form::matrix, "", false, "a point on each body (tsda, bump-stop, anti-roll-bar)"},
    {"at", Form::numbers, "", false, "its point (bushing, leaf-spring, wrench)"},
    {"axis", Form::numbers, "", false,
     "z axis of a bushing, up of a leaf spring, way of an anti-roll bar; default [0, 0, 1]; of a "
     "tsda or bump-stop: fixed in the first body, default the line between the points"},
    {"second_axis", Form::numbers, "", false,
     "x axis of a bushing, way along a leaf spring; default [1, 0, 0]"},
    {"stiffness", Form::names, "", false, "of a linear spring; of a bushing in three directions"},
    {"damping", Form::names, "", false, "of a linear damper; of a bushing in three directions"},
    {"rotational_stiffness", Form::numbers, "", false, "of a bushing, about three axes"},
    {"rotational_damping", Form::numbers, "", false, "of a bushing, about three axes"},
    {"stiffness_matrix", Form::matrix, "", false,
     "of a bushing, instead: six rows in SI units, over displacement and rotation vector"},
    {"damping_matrix", Form::matrix, "", false, "of a bushing, likewise"},
    {"spring", Form::section, "curve", false, "force over deflection, beside the stiffness"},
    {"damper", Form::section, "curve", false, "force over rate, beside the damping"},
    {"free_length", Form::quantity, "", false,
     "of a tsda without force; default its length in the position of the file"},
    {"rest", Form::quantity, "", false, "coordinate without force, of a spring on a joint"},
    {"force", Form::names, "", false,
     "constant force that pushes points apart, or the second body of a joint along its coordinate; "
     "of a wrench a vector"},
    {"torque", Form::quantity, "", false,
     "constant torque of an rsda, which turns the second body of the joint along its coordinate"},
    {"positive", Form::choice, "apart", false,
     "of a tsda between points: says that the file knows the sign of 'force' and 'command'"},
    {"moment", Form::numbers, "", false, "of a wrench"},
    {"axes", Form::choice, "ground|body", false, "in which a wrench is constant; default ground"},
    {"command", Form::expression, "", false,
     "signal that is added to the force of a tsda or the torque of an rsda, with the same sign, or "
     "times a wrench"},
    {"contact", Form::quantity, "", false, "distance at which a bump stop begins"},
    {"side", Form::choice, "bump|rebound", false,
     "bump: acts below that distance (default); rebound: above"},
    {"dissipation", Form::quantity, "", false, "of a stop: damping over spring force, per rate"},
    {"lower", Form::quantity, "", false, "end of the range of a joint"},
    {"upper", Form::quantity, "", false, "other end"},
    {"friction", Form::quantity, "", false, "greatest dry friction"},
    {"presliding", Form::quantity, "", false, "way in which dry friction turns round"},
    {"load", Form::quantity, "", false, "that a leaf spring carries in the position of the file"},
    {"lateral_stiffness", Form::quantity, "", false, "of a leaf spring, across"},
    {"longitudinal_stiffness", Form::quantity, "", false, "of a leaf spring, along"},
    {"wind_up_stiffness", Form::quantity, "", false, "of a leaf spring, about the way across"},
};
constexpr Key kCurve[] = {
    {"polynomial", Form::names, "", false,
     "factors of x, x^2, x^3 ..., each with its unit: [80 kN/m, 0, 2 MN/m^3]"},
    {"table", Form::name, "", false, "one of the model's tables"},
};
constexpr Key kTopologyFile[] = {
    {"format", Form::version, "", true, "version of the file format: chicane/1"},
    {"description", Form::text, "", false, kDescription},
    {"provenance", Form::text, "", false, "where its figures come from"},
    {"topology", Form::section, "topology", true, "as in a model file"},
};
constexpr Key kParameterFile[] = {
    {"format", Form::version, "", true, "version of the file format: chicane/1"},
    {"description", Form::text, "", false, kDescription},
    {"provenance", Form::text, "", false, "where its figures come from"},
    {"parameters", Form::parameters, "parameter", true, "as in a model file"},
    {"tables", Form::entries, "table", false, "look-up tables"},
};
constexpr Key kSettings[] = {
    {"format", Form::version, "", true, "version of the file format: chicane/1"},
    {"set", Form::assignments, "", true, "parameters, states or memory, and their values"},
};
constexpr Key kMethodFile[] = {
    {"format", Form::version, "", true, "version of the file format: chicane/1"},
    {"name", Form::name, "", true, "what to call it"},
    {"order", Form::integer, "", true, "order of convergence; it is verified"},
    {"A", Form::rows, "", false, "rows of stage weights, strictly lower triangular"},
    {"b", Form::names, "", true, "weights of the stages"},
    {"c", Form::names, "", false, "abscissae; default the row sums"},
    {"H", Form::rows, "", false, "per stage: weights of old derivatives, newest first"},
    {"e", Form::names, "", false, "weights of old derivatives in the update, newest first"},
    {"source", Form::text, "", false, "where it comes from"},
    {"use", Form::text, "", false, "what it is good for"},
};
constexpr Key kPairFile[] = {
    {"format", Form::version, "", true, "version of the file format: chicane/1"},
    {"name", Form::name, "", true, "what to call it"},
    {"order", Form::integer, "", true, "order of convergence; it is verified"},
    {"slow", Form::section, "tableau", true, "for the slowest group; zero columns cost nothing"},
    {"fast", Form::section, "tableau", true, "for the others, with as many stages"},
    {"source", Form::text, "", false, "where it comes from"},
    {"use", Form::text, "", false, "what it is good for"},
};
constexpr Key kTableau[] = {
    {"A", Form::rows, "", true, "rows of stage weights, strictly lower triangular"},
    {"b", Form::names, "", true, "weights of the stages"},
    {"c", Form::names, "", false, "abscissae; default the row sums"},
};

KeyTable table(std::string_view name, std::string_view shorthand, std::span<const Key> keys,
               std::string_view help) {
  return {name, shorthand, {keys.begin(), keys.end()}, help};
}

std::vector<KeyTable> tables_of_models() {
  return {
      table("model", "", kModel, "A model file."),
      table("run", "", kRun, "Defaults of a run; the command line overrides them."),
      table("parameter", "value", kParameter, "A constant. `w1: 35 rad/s` is short for `value:`."),
      table("input", "value", kInput,
            "A signal from outside: a value, or the course in a file, see "
            "[Tables and inputs from files](../howto/tables.md#inputs)."),
      table("variable", "value", kVariable,
            "A formula with a name. `e: r - x` is short for `value:`."),
      table("metric", "", kMetric,
            "A number computed from the history of a formula at the frames: one of the first ten "
            "keys. Times and levels are formulas of parameters and of metrics above."),
      table("state", "", kState, "An integrated variable."),
      table("memory", "", kMemory,
            "A discrete variable: it takes its next value at the end of the step."),
      table("table", "", kTable, "A curve y(x) or a map z(x, y), here or in a CSV file."),
      table("group", "", kGroup, "A rate group: the equations that share a step."),
      table("block", "", kBlock, "A piece of a group that can be moved to another one."),
      table("equations", "", kEquations, "Equations added to any model."),
      table("event", "", kEvent, "Something that happens at a full step."),
      table("action", "", kAction, "What an event does: one key a list element, or several."),
      table("topology", "", kTopology,
            "How a mechanism hangs together: a graph of bodies and joints, without numbers."),
      table("joint", "", kJoint, "Between two bodies."),
      table("force", "", kForce, "Between bodies, or on the coordinate of a joint."),
      table("mechanism", "", kMechanism,
            "What `parameters:` holds of a mechanism, beside the model's own constants. All points "
            "and axes are in one global frame, for one position of the mechanism. Numbers may be "
            "formulas of the model's constants."),
      table("body", "", kBody, "Mass of a body, in the global frame."),
      table("inertia", "", kInertia, "Moments of inertia."),
      table("joint-parameters", "", kJointParameters, "Place and axes of a joint."),
      table("force-parameters", "", kForceParameters,
            "Place and law of a force element; which keys it has depends on its type, see "
            "[Describe a mechanism](../howto/describe-a-mechanism.md)."),
      table("curve", "", kCurve, "A force over a deflection or a rate."),
  };
}

std::vector<KeyTable> tables_of_files() {
  return {
      table("part file", "", kPartFile, "A file that `file:` names somewhere in a vehicle."),
      table("topology file", "", kTopologyFile, "A file that `topology: {file: ...}` names."),
      table("parameter file", "", kParameterFile, "A file that `parameters: {file: ...}` names."),
      table("settings", "", kSettings, "A settings file, loaded by an event."),
      table("method", "", std::span(kMethodFile).subspan(2),
            "An explicit integration method; fractions such as 1/6 are exact."),
      table("method file", "", kMethodFile, "A file for --method."),
      table("run-group", "", kRunGroup, "What a run says of one group."),
      table("tableaus", "", std::span(kPairFile).subspan(2),
            "Two explicit Runge-Kutta tableaus for a partitioned method."),
      table("tableau", "", kTableau, "An explicit Runge-Kutta tableau."),
      table("tableau file", "", kPairFile, "A file for --tableau."),
  };
}

}  // namespace

const std::vector<KeyTable>& grammar() {
  static const std::vector<KeyTable> tables = [] {
    std::vector<KeyTable> all = tables_of_models();
    for (const auto& more : {vehicle_grammar(), tables_of_files()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return tables;
}

const KeyTable& section(std::string_view name) {
  return *std::find_if(grammar().begin(), grammar().end(),
                       [&](const KeyTable& s) { return s.name == name; });
}

namespace {

// Whether `of` is a unit.
bool dimensional(Form form) {
  switch (form) {
    case Form::quantity:
    case Form::numbers:
    case Form::vector:
    case Form::vectors:
    case Form::curve:
    case Form::signal:
    case Form::law:
    case Form::map:
      return true;
    default:
      return false;
  }
}

// "rad/s -> N m" is "N m over rad/s".
std::string join_units(std::string_view of) {
  const auto sides = split(of, "->");
  if (sides.size() == 1) return fmt::format("{}", fmt::join(split(of, "|"), " or "));
  return fmt::format("{} over {}", sides[1], fmt::join(split(sides[0], ","), " and "));
}

std::string_view form_name(const Key& key) {
  switch (key.form) {
    case Form::text:
      return "text";
    case Form::name:
    case Form::version:
      return "name";
    case Form::quantity:
      return "quantity";
    case Form::expression:
      return "expression";
    case Form::unit:
      return "unit";
    case Form::flag:
      return "true or false";
    case Form::integer:
      return "whole number";
    case Form::choice:
      return "choice";
    case Form::names:
      return "list";
    case Form::numbers:
      return "numbers";
    case Form::vector:
      return "three numbers";
    case Form::matrix:
    case Form::rows:
      return "list of lists";
    case Form::vectors:
      return "list of three numbers each";
    case Form::curve:
    case Form::law:
      return "curve";
    case Form::signal:
      return "quantity or curve";
    case Form::map:
      return "map";
    case Form::section:
    case Form::data:
      return "mapping";
    case Form::list:
      return "list of mappings";
    case Form::one_or_list:
      return "mapping, or list of mappings";
    case Form::entries:
    case Form::parameters:
      return "named entries";
    case Form::assignments:
      return "name: expression";
    case Form::actions:
      return "list of actions";
  }
  return "";
}

std::string form_text(const Key& key) {
  if (key.form == Form::choice) return fmt::format("`{}`", fmt::join(choices_of(key), "`, `"));
  const std::string form{form_name(key)};
  if (key.of.empty() || key.of == "-") return form;
  if (dimensional(key.form) || key.form == Form::expression)
    return fmt::format("{} [{}]", form, join_units(key.of));
  return fmt::format("{0} ([{1}](#{1}))", form, key.of);
}

std::string meaning(const Key& key) {
  std::string text{key.help};
  if (key.otherwise && *key.otherwise != 0.0)
    text += fmt::format("; default {:.6g}{}", *key.otherwise,
                        key.of == "-" ? "" : fmt::format(" {}", key.of));
  else if (key.otherwise)
    text += "; default 0";
  for (const KeyCondition& c : conditions_of(key))
    text += fmt::format("; with `{}: {}`", c.key, fmt::join(c.words, "` or `"));
  return text.starts_with("; ") ? text.substr(2) : text;
}

}  // namespace

std::string grammar_markdown() {
  std::string page =
      "# Model files\n\n"
      "This page is written by `chicane schema --markdown`; `schema/chicane-1.json` is the same as "
      "a JSON\n"
      "Schema, for editors. Files are YAML. Keys that are not listed here are errors. Quantities "
      "carry their\n"
      "unit (`330 mm`); lists carry it as their last element (`[0, 10, 20, mm]`).\n";
  for (const KeyTable& s : grammar()) {
    page += fmt::format("\n## {}\n\n{}\n\n| key | form | meaning |\n| --- | --- | --- |\n", s.name,
                        s.help);
    for (const Key& key : s.keys) {
      page += fmt::format("| `{}`{} | {} | {} |\n", key.name, key.required ? " (required)" : "",
                          form_text(key), meaning(key));
    }
  }
  page +=
      "\n## Functions\n\nIn expressions, loose to tight: `c ? a : b`, `or`, `and`, `not`, "
      "comparisons, `+ -`, "
      "`* /`, unary `-`, `^`.\nA literal may carry a unit in brackets, `300[mm]`. The number 0 "
      "without one fits every "
      "unit. `t` is time, `pi` is pi.\n\n| function | meaning |\n| --- | --- |\n";
  for (const FunctionInfo& f : function_list())
    page += fmt::format("| `{}({})` | {} |\n", f.name, f.arguments, f.meaning);
  return page;
}

}  // namespace chicane
