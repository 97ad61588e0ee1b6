// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api.hpp"
#include "math/dual.hpp"

namespace chicane {

// What a block carries from task to task of one evaluation and cannot keep among plain numbers.
// Meaningless after it.
struct CHICANE_API BlockScratch {
  // How often something happened.
  struct Count {
    std::string_view name;  // of what is counted
    std::int64_t number;    // since the scratch was made
  };
  virtual ~BlockScratch() = default;
  // Why the last evaluation has no result; empty: it has one.
  [[nodiscard]] virtual std::string complaint() const { return {}; }
  // What has been counted since it was made: for the account of a run, never for results.
  [[nodiscard]] virtual std::vector<Count> counts() const { return {}; }
};

// A block's window on one evaluation: what it may read and where it writes.
template <class T>
struct BlockView {
  T t{};                        // [s] time
  bool full = true;             // the point is the start of a full step
  std::span<const T> p;         // parameters
  std::span<const T> x, z;      // states, memory
  const T* values = nullptr;    // all signals of the group ...
  std::span<const int> wires;   // ... and where each input stands among them
  std::span<T> y, dx, z_next;   // outputs, rates, the memory's next values
  std::span<T> completed;       // the states once more, for the task that completes them
  std::span<T> scratch;         // carried from task to task of one evaluation, meaningless after it
  BlockScratch* own = nullptr;  // the same, of a kind of the block's own

  // An input, by its place in BlockInfo::inputs.
  [[nodiscard]] const T& u(int input) const {
    return values[wires[static_cast<std::size_t>(input)]];
  }
};

// A piece of physics or control, written once for every scalar. It gives outputs and derivatives
// and never integrates. Its work is cut into tasks, so that outputs which need no inputs
// (kinematics) can be had before inputs which need them (forces): the compiler orders the tasks of
// all blocks.
template <class T>
class CHICANE_API Block {
 public:
  virtual ~Block() = default;
  // One task, by its place in BlockInfo::tasks. It allocates nothing and waits for nothing.
  virtual void run(int task, const BlockView<T>& at) const noexcept = 0;
  // What BlockView::own points to; most blocks need none.
  [[nodiscard]] virtual std::unique_ptr<BlockScratch> make_scratch() const { return nullptr; }
};

// An input or output. The unit is the one results are written in, and says the dimension; numbers
// here are SI.
struct PortInfo {
  std::string name, unit, description;  // for files and results
  bool on_request = false;  // of an output: written with the results only where it is named
};

// Ports side by side that belong together: they are connected as one, and results say that they
// are.
struct BundleInfo {
  // What it is, and so its ports.
  enum class Kind {
    pose,          // 15: point, axes x and y, velocity and turning rate of a frame
    body,          // 13: position, quaternion, velocity and turning rate of a body
    acceleration,  // 6: of a point, and turning
    wrench         // 6: force, moment
  };
  Kind kind = Kind::pose;  // which of these
  std::string name;        // its ports are called NAME.x, ...
  int first = 0;           // the place of the first port
};
// How many ports it has.
constexpr int size_of(BundleInfo::Kind kind) {
  if (kind == BundleInfo::Kind::pose) return 15;
  return kind == BundleInfo::Kind::body ? 13 : 6;
}

// A state of a block, or a number that it keeps in memory from full step to full step.
struct NativeState {
  std::string name, unit;   // as of a port
  double initial = 0;       // SI; the file may give another
  std::string description;  // for lists
  double limit = 0;         // 0: the default
  bool internal = false;    // of no interest outside: not written with the results
  bool tied = false;        // depends on other states: nobody else can set it
  // Of a memory: a hint or a record, on which the solution does not depend. It says where a search
  // begins or how results are written down, so that other frames give the same motion.
  bool bookkeeping = false;
};

// A parameter of a block.
struct NativeParameter {
  std::string name, unit;   // as of a port
  double value = 0;         // SI; the file may give another
  std::string description;  // for lists
};

// A part of a block's work; the compiler puts the parts of all blocks in order.
struct TaskInfo {
  std::string name;         // for lists
  std::vector<int> reads;   // inputs it feeds through
  std::vector<int> writes;  // outputs it gives
  std::vector<int> after;   // tasks of this block that must have run
  bool rates = false;       // gives dx
  bool memory = false;      // gives z_next; runs at full steps only
  bool completes = false;   // puts states right that depend on others; they are read after it
};

// What a block has: the lists give the places that a BlockView goes by.
struct BlockInfo {
  std::string description;                   // for lists
  std::vector<NativeParameter> parameters;   // BlockView::p
  std::vector<NativeState> states, memory;   // x, dx; z, z_next
  std::vector<PortInfo> inputs, outputs;     // u; y
  std::vector<TaskInfo> tasks;               // what Block::run is called for
  int scratch = 0;                           // how many numbers of scratch it needs
  std::vector<BundleInfo> takes{}, gives{};  // bundles among inputs and outputs
};

// A way in which the states of a block are free to change, where they depend on one another: a
// small change xi of it changes the states by `along` xi, and a change of the states is one of xi =
// `read` dx. Pairs of a state and a factor; the first of `along` is a state that names it. Where
// `read` turns with the states, read(a) b = -read(b) a.
struct FreeDirection {
  using Row = std::vector<std::pair<int, double>>;  // state and factor
  std::string name, unit;                           // of xi
  Row along, read;                                  // states from xi, xi from states
  Row read_rate = {};                               // d(read)/dt
};

// A kind of block: its description and its maker, one for each scalar.
class CHICANE_API BlockKind {
 public:
  virtual ~BlockKind() = default;
  [[nodiscard]] virtual BlockInfo info() const = 0;  // the same at every call
  // At a point of a run, with the inputs there if they are known; nothing: every state is free.
  [[nodiscard]] virtual std::vector<FreeDirection> free_directions(
      std::span<const double> /*x*/, std::span<const double> /*dx*/, std::span<const double> /*z*/,
      std::span<const double> /*u*/) const {
    return {};
  }
  // A block for that scalar; the argument only says which.
  [[nodiscard]] virtual std::unique_ptr<Block<double>> make(double) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Block<Dual>> make(Dual) const = 0;
};
using BlockKindPtr = std::shared_ptr<const BlockKind>;  // shared by all its blocks

}  // namespace chicane
