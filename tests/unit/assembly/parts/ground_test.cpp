// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts/ground.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <memory>
#include <vector>

#include "assembly/assemble.hpp"
#include "assembly/parts/registry.hpp"
#include "io/reader/reader.hpp"
#include "simulation/plan.hpp"
#include "testkit/recorder.hpp"
#include "vehicle/tire/contact.hpp"

// Grounds that a program brings along: searched from the last hit, covered in patches, moving.

namespace ground_test {
namespace {

using namespace chicane;
using terrain::Hit;
using terrain::Spot;

// A road of many straight pieces of the same length, one after the other, that rise and fall. Every
// other one is of another surface, slippery on the left. It is searched piece by piece from where
// it was last hit: slow from anywhere else, and that is counted.
class Pieces final : public GroundShape {
 public:
  explicit Pieces(bool searches) : searches_(searches) {}
  [[nodiscard]] Hit<double> query(const Spot<double>& at,
                                  const Hit<double>& previous) const noexcept override {
    return find(at, previous);
  }
  [[nodiscard]] Hit<Dual> query(const Spot<Dual>& at,
                                const Hit<Dual>& previous) const noexcept override {
    return find(at, previous);
  }
  [[nodiscard]] bool searches() const override { return searches_; }

  mutable std::atomic<long> queries = 0, steps = 0;

  static constexpr int kCount = 2000;
  static constexpr double kLength = 0.25;  // [m]

 private:
  static double height(int i) { return 0.01 * std::sin(0.2 * i); }

  template <class T>
  Hit<T> find(const Spot<T>& at, const Hit<T>& previous) const {
    const double x = value_of(at.x);
    int i = std::clamp(previous.place, 0, kCount - 1);
    ++queries;
    for (; i > 0 && x < i * kLength; --i) ++steps;
    for (; i < kCount - 1 && x >= (i + 1) * kLength; ++i) ++steps;
    const double slope = (height(i + 1) - height(i)) / kLength;
    const bool slippery = i % 2 == 1 && value_of(at.y) > 0.0;
    Hit<T> hit = terrain::hit<T>({height(i) + slope * (at.x - i * kLength), T(slope), T(0.0)},
                                 {T(slippery ? 0.3 : 0.9), i % 2});
    hit.place = i;
    return hit;
  }

  bool searches_;
};

// Goes up and down under the wheels, and to the side.
class Shaker final : public GroundShape {
 public:
  [[nodiscard]] Hit<double> query(const Spot<double>& at,
                                  const Hit<double>&) const noexcept override {
    return find(at);
  }
  [[nodiscard]] Hit<Dual> query(const Spot<Dual>& at, const Hit<Dual>&) const noexcept override {
    return find(at);
  }

 private:
  template <class T>
  static Hit<T> find(const Spot<T>& at) {
    Hit<T> hit = terrain::hit<T>({0.01 * sin(10.0 * at.t), T(0.0), T(0.0)}, {T(0.9), 0});
    hit.velocity = {T(0.0), T(0.5), 0.1 * cos(10.0 * at.t)};
    return hit;
  }
};

const auto kWithMemory = std::make_shared<Pieces>(true);
const auto kWithout = std::make_shared<Pieces>(false);

class OwnGrounds final : public testing::Environment {
 public:
  void SetUp() override {
    const auto add = [](const char* name, std::shared_ptr<const GroundShape> shape) {
      part_registry().terrain.add({name, "of a test"}, [shape](Keys& keys) {
        keys.refuse_others("a terrain of a test");
        return std::optional<Ground<double>>(OwnGround<double>{shape});
      });
    };
    add("test-pieces", kWithMemory);
    add("test-pieces-anew", kWithout);
  }
};
const auto* const kOwnGrounds = testing::AddGlobalTestEnvironment(new OwnGrounds);

struct Driven {
  std::shared_ptr<const ModelStructure> structure;
  Plan plan;
};
Driven hmmwv_on(const std::string& terrain) {
  Diagnostics diag;
  auto spec = read_model("hmmwv", diag);
  override_value(*spec, "start.speed", {"15 m/s", {"test", 1}}, diag);
  const Location here{"test", 1};
  const DataSpec type{.kind = DataSpec::Kind::text, .text = {terrain, here}};
  const DataSpec own{
      .kind = DataSpec::Kind::mapping, .text = {"", here}, .entries = {{"type", type}}};
  if (DataSpec* there = spec->vehicle->find("terrain"))
    *there = own;
  else
    spec->vehicle->entries.emplace_back("terrain", own);
  declare_vehicle(*spec);
  spec->run.method = {"ab2", {}}, spec->run.step = {"1 ms", {}};
  const auto structure = compile_for_run(*spec, diag);
  EXPECT_TRUE(structure) << diag.text();
  return {structure, plan_run(*spec, *structure, diag)->plan};
}

// --- the query ----------------------------------------------------------------------------------

TEST(Ground, AnswersTheSameFromAnyPlace) {
  const Ground<double> road = OwnGround<double>{kWithMemory};
  for (const double x : {-3.0, 0.1, 17.3, 400.0, 1e6})
    for (const int place : {0, 1, 68, 1999, 2000, 2147483647, -5}) {
      const auto hit = ask(road, {x, 0.5, 0.0}, place), cold = ask(road, {x, 0.5, 0.0});
      EXPECT_EQ(hit.height, cold.height) << x << " from " << place;
      EXPECT_EQ(hit.normal, cold.normal);
      EXPECT_EQ(hit.friction, cold.friction);
      EXPECT_EQ(hit.surface, cold.surface);
      EXPECT_EQ(hit.place, cold.place);
    }
  // friction and surface belong to the point
  EXPECT_EQ(ask(road, {0.3, 0.5, 0.0}).friction, 0.3);
  EXPECT_EQ(ask(road, {0.3, -0.5, 0.0}).friction, 0.9);
  EXPECT_EQ(ask(road, {0.3, -0.5, 0.0}).surface, 1);
  EXPECT_EQ(ask(road, {0.1, 0.5, 0.0}).surface, 0);
}

TEST(Ground, IsAskedAsOftenAsItWants) {
  class Once final : public GroundShape {
   public:
    [[nodiscard]] Hit<double> query(const Spot<double>&,
                                    const Hit<double>&) const noexcept override {
      ++asked;
      return terrain::hit<double>({0.02, 0.1, 0.0}, {0.9, 0});
    }
    [[nodiscard]] Hit<Dual> query(const Spot<Dual>&, const Hit<Dual>&) const noexcept override {
      return {};
    }
    [[nodiscard]] int queries_per_contact() const override { return wanted; }
    int wanted = 1;
    mutable int asked = 0;
  };
  const auto shape = std::make_shared<Once>();
  const Ground<double> road = OwnGround<double>{shape};
  touch(road, 0.0, {0, 0, 0.45}, {0, 1, 0}, 0.47);
  EXPECT_EQ(shape->asked, 1);
  shape->wanted = 3;
  touch(road, 0.0, {0, 0, 0.45}, {0, 1, 0}, 0.47);
  EXPECT_EQ(shape->asked, 4);
}

// The rate of deflection over a ground that moves is the derivative of the deflection.
TEST(Ground, MovesUnderAWheel) {
  const Ground<Dual> road = OwnGround<Dual>{std::make_shared<Shaker>()};
  for (const double t : {0.0, 0.1, 0.33}) {
    const tire::Wheel<Dual> still{.centre = {Dual(0.0), Dual(0.0), Dual(0.45)},
                                  .e_spin = {Dual(0.0), Dual(1.0), Dual(0.0)},
                                  .V = {}};
    const auto at = touch(road, Dual::variable(t, 0), still.centre, still.e_spin, Dual(0.47));
    const auto c = tire::contact(still, at);
    EXPECT_NEAR(c.delta_rate.a, at.delta.b[0], 1e-15);
    EXPECT_NEAR(c.delta_rate.a, 0.1 * std::cos(10 * t), 1e-15);
    EXPECT_EQ(c.v_y.a, -0.5) << "the wheel is left behind";
  }
}

// --- its memory, in a vehicle -------------------------------------------------------------------

// The search begins where the last full step has ended: short, and the motion is the same to the
// bit as with a search from the beginning. Wheels remember only where the ground wants it.
TEST(GroundMemory, ShortensTheSearchAndChangesNothing) {
  const Driven with = hmmwv_on("test-pieces"), without = hmmwv_on("test-pieces-anew");
  EXPECT_EQ(with.structure->memory.size(), without.structure->memory.size() + 4);
  const std::vector<std::string> signals{"mount.chassis.x", "mount.chassis.z", "wheel.fl.load",
                                         "wheel.rr.lateral_force"};
  Simulation a(with.structure, with.plan), b(without.structure, without.plan);
  testkit::Recorder of_a(a, signals), of_b(b, signals);
  kWithMemory->queries = kWithMemory->steps = 0;
  kWithout->queries = kWithout->steps = 0;
  for (int i = 0; i < 1500; ++i) {  // 22 m, some 90 pieces
    ASSERT_EQ(a.step(), Status::ok);
    ASSERT_EQ(b.step(), Status::ok);
  }
  a.observe_now(of_a), b.observe_now(of_b);
  EXPECT_EQ(of_a.values, of_b.values);
  EXPECT_GT(of_a.values[0], 15);
  // wheels begin where they were; the first point of the body has no memory
  EXPECT_LT(static_cast<double>(kWithMemory->steps) / static_cast<double>(kWithMemory->queries),
            5.0);
  EXPECT_GT(static_cast<double>(kWithout->steps) / static_cast<double>(kWithout->queries), 10.0);
}

// A run goes on from a saved state as if it had not stopped, to the bit; and from one whose places
// were lost it goes the same way.
TEST(GroundMemory, IsPartOfTheState) {
  const Driven car = hmmwv_on("test-pieces");
  Simulation whole(car.structure, car.plan);
  for (int i = 0; i < 400; ++i) ASSERT_EQ(whole.step(), Status::ok);
  const State<double> saved = whole.state();
  int places = 0;
  State<double> lost = saved;
  for (int m = 0; m < car.structure->memory.size(); ++m) {
    const MemoryIndex at{m};
    if (car.structure->memory[at].name.find("place") == std::string::npos) continue;
    EXPECT_GT(saved.memory[at].value, 10) << car.structure->memory[at].name;
    lost.memory[at].value = -1e300;
    ++places;
  }
  EXPECT_EQ(places, 4);
  Simulation resumed(car.structure, car.plan), other(car.structure, car.plan);
  resumed.restore(saved, car.plan);
  other.restore(lost, car.plan);
  for (int i = 0; i < 400; ++i) {
    ASSERT_EQ(whole.step(), Status::ok);
    ASSERT_EQ(resumed.step(), Status::ok);
    ASSERT_EQ(other.step(), Status::ok);
  }
  EXPECT_TRUE(whole.state() == resumed.state());
  EXPECT_TRUE(whole.state() == other.state());
}

}  // namespace
}  // namespace ground_test
