// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "language/block.hpp"
#include "math/units.hpp"
#include "testkit/allocation_counter.hpp"

// A block by itself, on numbers that a test sets, and what every block must do there.

namespace testkit {

using chicane::BlockInfo;
using chicane::BlockKind;
using chicane::Dual;

template <class T>
class BlockRig {
 public:
  explicit BlockRig(const BlockKind& kind)
      : info(kind.info()), block_(kind.make(T(0.0))), own_(block_->make_scratch()) {
    for (const auto& parameter : info.parameters) p.push_back(T(parameter.value));
    for (const auto& state : info.states) x.push_back(T(state.initial));
    for (const auto& memory : info.memory) z.push_back(T(memory.initial));
    u.assign(info.inputs.size(), T(0.0));
    wires_.resize(u.size());
    std::iota(wires_.begin(), wires_.end(), 0);
    scratch_.resize(static_cast<std::size_t>(info.scratch));
    forget();
  }

  const BlockInfo info;
  T t = T(0.0);
  std::vector<T> p, x, z, u;     // a test sets these
  std::vector<T> y, dx, z_next;  // run() gives these

  T& parameter(const std::string& name) { return p[index(info.parameters, name)]; }
  T& state(const std::string& name) { return x[index(info.states, name)]; }
  T& memory(const std::string& name) { return z[index(info.memory, name)]; }
  T& input(const std::string& name) { return u[index(info.inputs, name)]; }
  const T& output(const std::string& name) const { return y[index(info.outputs, name)]; }

  // What nobody writes stays NaN.
  void forget() {
    const T nan(std::numeric_limits<double>::quiet_NaN());
    y.assign(info.outputs.size(), nan);
    dx.assign(x.size(), nan);
    z_next.assign(z.size(), nan);
  }
  void run_task(int task) {
    block_->run(task, {.t = t,
                       .p = p,
                       .x = x,
                       .z = z,
                       .values = u.data(),
                       .wires = wires_,
                       .y = y,
                       .dx = dx,
                       .z_next = z_next,
                       .completed = x,
                       .scratch = scratch_,
                       .own = own_.get()});
  }
  void run() {
    forget();
    for (std::size_t k = 0; k < info.tasks.size(); ++k) run_task(static_cast<int>(k));
  }
  // Everything that a run gives, side by side.
  [[nodiscard]] std::vector<T> results() const {
    std::vector<T> all = y;
    all.insert(all.end(), dx.begin(), dx.end());
    all.insert(all.end(), z_next.begin(), z_next.end());
    return all;
  }

 private:
  template <class List>
  static std::size_t index(const List& list, const std::string& name) {
    const auto at =
        std::find_if(list.begin(), list.end(), [&](const auto& e) { return e.name == name; });
    if (at == list.end()) throw std::invalid_argument("there is no '" + name + "'");
    return static_cast<std::size_t>(at - list.begin());
  }

  std::unique_ptr<chicane::Block<T>> block_;
  std::unique_ptr<chicane::BlockScratch> own_;
  std::vector<int> wires_;
  std::vector<T> scratch_;
};

// Puts a rig somewhere in the range of its use.
using Point = std::function<void(BlockRig<double>&, std::mt19937&)>;

// One of the numbers that a block reads, by its name.
struct Read {
  std::string name;
  std::vector<double> BlockRig<double>::*list;
  std::vector<Dual> BlockRig<Dual>::*duals;
  std::size_t at;
};

inline std::vector<Read> everything_read(const BlockInfo& info) {
  std::vector<Read> all;
  const auto add = [&](const auto& list, auto of, auto duals) {
    for (std::size_t i = 0; i < list.size(); ++i) all.push_back({list[i].name, of, duals, i});
  };
  add(info.parameters, &BlockRig<double>::p, &BlockRig<Dual>::p);
  add(info.states, &BlockRig<double>::x, &BlockRig<Dual>::x);
  add(info.memory, &BlockRig<double>::z, &BlockRig<Dual>::z);
  std::set<int> read;
  for (const auto& task : info.tasks) read.insert(task.reads.begin(), task.reads.end());
  for (const int i : read) {
    const auto k = static_cast<std::size_t>(i);
    all.push_back({info.inputs[k].name, &BlockRig<double>::u, &BlockRig<Dual>::u, k});
  }
  return all;
}

// Names are there once, units can be read, every output has one task, and a run gives all of them.
inline void expect_is_described(const BlockKind& kind) {
  BlockRig<double> rig(kind);
  std::set<std::string> names;
  const auto note = [&](const auto& list) {
    for (const auto& e : list) {
      EXPECT_TRUE(names.insert(e.name).second) << e.name << " is there twice";
      EXPECT_TRUE(std::holds_alternative<chicane::Unit>(chicane::parse_unit(e.unit))) << e.unit;
      EXPECT_FALSE(e.description.empty()) << e.name;
    }
  };
  note(rig.info.parameters), note(rig.info.states), note(rig.info.memory);
  note(rig.info.inputs), note(rig.info.outputs);
  std::multiset<int> written;
  for (const auto& task : rig.info.tasks) written.insert(task.writes.begin(), task.writes.end());
  for (std::size_t i = 0; i < rig.info.outputs.size(); ++i)
    EXPECT_EQ(written.count(static_cast<int>(i)), 1U) << rig.info.outputs[i].name;
  rig.run();
  for (const double value : rig.results()) EXPECT_TRUE(std::isfinite(value));
}

// Each number that a block reads changes something somewhere, but for those that are idle. Those
// that count in whole numbers are changed by one.
inline void expect_everything_matters(const BlockKind& kind, const Point& point,
                                      const std::set<std::string>& idle = {},
                                      const std::set<std::string>& whole = {}) {
  for (const Read& number : everything_read(kind.info())) {
    std::mt19937 random(5);
    bool matters = false;
    for (int trial = 0; trial < 2000 && !matters; ++trial) {
      BlockRig<double> rig(kind);
      point(rig, random);
      rig.run();
      const auto before = rig.results();
      double& value = (rig.*number.list)[number.at];
      value += whole.contains(number.name) ? 1.0 : 0.1 * (std::fabs(value) + 0.01);
      rig.run();
      matters = rig.results() != before;
    }
    EXPECT_EQ(matters, !idle.contains(number.name)) << number.name;
  }
}

// What a task gives does not depend on inputs that it does not name.
inline void expect_reads_what_it_names(const BlockKind& kind, const Point& point) {
  std::mt19937 random(6);
  BlockRig<double> rig(kind);
  point(rig, random);
  rig.run();
  const auto results = rig.results();
  const auto u = rig.u;
  for (std::size_t k = 0; k < rig.info.tasks.size(); ++k) {
    const auto& reads = rig.info.tasks[k].reads;
    for (std::size_t i = 0; i < u.size(); ++i)
      if (std::find(reads.begin(), reads.end(), static_cast<int>(i)) == reads.end())
        rig.u[i] = std::numeric_limits<double>::quiet_NaN();
    rig.run_task(static_cast<int>(k));
    EXPECT_EQ(rig.results(), results) << rig.info.tasks[k].name;
    rig.u = u;
  }
}

// A task does not touch the heap, for either scalar.
inline void expect_does_not_allocate(const BlockKind& kind, const Point& point) {
  std::mt19937 random(8);
  BlockRig<double> rig(kind);
  BlockRig<Dual> dual(kind);
  point(rig, random);
  dual.x.assign(rig.x.begin(), rig.x.end()), dual.u.assign(rig.u.begin(), rig.u.end());
  const AllocationCounter heap;
  for (int k = 0; k < static_cast<int>(rig.info.tasks.size()); ++k)
    rig.run_task(k), dual.run_task(k);
  EXPECT_EQ(heap.count(), 0);
}

// Dual derivatives by every number but memory, which jumps, are central differences. Where the two
// one-sided differences disagree there is a kink, and only one of them has to be met.
inline void expect_dual_slopes(const BlockKind& kind, const Point& point, double tolerance) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 10; ++trial) {
    BlockRig<double> rig(kind);
    point(rig, random);
    for (const Read& number : everything_read(rig.info)) {
      if (number.list == &BlockRig<double>::z) continue;
      BlockRig<Dual> dual(kind);
      const auto copy = [](const auto& from, auto& to) { to.assign(from.begin(), from.end()); };
      copy(rig.p, dual.p), copy(rig.x, dual.x), copy(rig.z, dual.z), copy(rig.u, dual.u);
      dual.t = rig.t;
      double& value = (rig.*number.list)[number.at];
      (dual.*number.duals)[number.at] = Dual::variable(value, 0);
      dual.run();
      const auto slopes = dual.results();
      const double at = value, h = 1e-6 * (1e-3 + std::fabs(at));
      const auto with = [&](double v) {
        value = v;
        rig.run();
        return rig.results();
      };
      const auto up = with(at + h), down = with(at - h), here = with(at);
      for (std::size_t i = 0; i < here.size() - rig.z.size(); ++i) {
        const double left = (here[i] - down[i]) / h, right = (up[i] - here[i]) / h;
        const double slope = slopes[i].b[0], middle = 0.5 * (left + right);
        // rounding of the differences
        const double noise = 4e-16 * std::fabs(here[i]) / h;
        const double allowed = tolerance * (1 + std::fabs(middle)) + 10 * noise;
        EXPECT_LE(std::fmin(std::fmin(std::fabs(slope - left), std::fabs(slope - right)),
                            std::fabs(slope - middle)),
                  allowed)
            << "result " << i << " by " << number.name << ": " << slope << ", difference "
            << middle;
      }
    }
  }
}

}  // namespace testkit
