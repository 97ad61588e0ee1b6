// SPDX-License-Identifier: Apache-2.0

// Kinds of blocks that programs add, beside those that are built in.

#include "blocks/registry.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "blocks/template_block.hpp"
#include "core/diagnostics.hpp"
#include "testkit/models.hpp"

namespace registry_test {
namespace {

using namespace chicane;

// y' = rate
template <class T>
class Ramp final : public Block<T> {
 public:
  void run(int, const BlockView<T>& at) const noexcept override { at.dx[0] = at.p[0]; }
};
class RampKind final : public TemplateBlockKind<Ramp> {
 public:
  [[nodiscard]] BlockInfo info() const override {
    BlockInfo info;
    info.parameters = {{"rate", "m/s", 2.0, "its rate"}};
    info.states = {{"y", "m", 0.5, "its value"}};
    info.tasks = {{.name = "rate", .rates = true}};
    return info;
  }
};

TEST(BlockRegistry, HasWhatIsBuiltIn) {
  const BlockRegistry registry;
  EXPECT_NE(registry.find("planar-rigid-ring"), nullptr);
  EXPECT_EQ(registry.find("planar-rigid-rim"), nullptr);
  EXPECT_EQ(registry.names().size(), 4u);
}

TEST(BlockRegistry, TakesANameOnce) {
  BlockRegistry registry;
  const auto kind = std::make_shared<RampKind>();
  registry.add("ramp", kind);
  EXPECT_EQ(registry.find("ramp"), kind);
  EXPECT_THROW(registry.add("ramp", std::make_shared<RampKind>()), UsageError);
  EXPECT_EQ(registry.find("ramp"), kind);
  EXPECT_THROW(registry.add("planar-rigid-ring", kind), UsageError);
  EXPECT_THROW(registry.add("mechanism", kind), UsageError) << "the name of what stands for one";
  EXPECT_THROW(registry.add("", kind), UsageError);
  EXPECT_THROW(registry.add("two words", kind), UsageError);
  EXPECT_THROW(registry.add("nothing", nullptr), UsageError);
  EXPECT_EQ(registry.names().size(), 5u);
}

TEST(BlockRegistry, FilesNameWhatWasAdded) {
  const char* text =
      "format: chicane/1\n"
      "groups: {all: {blocks: {r: {type: test-ramp, parameters: {rate: 3 m/s}}}}}\n";
  EXPECT_NE(testkit::faults(text).find("no type of block 'test-ramp'"), std::string::npos);
  block_registry().add("test-ramp", std::make_shared<RampKind>());
  const auto end = testkit::final_state(testkit::compiled(text), testkit::plan("rk4", 0.01), 100);
  EXPECT_NEAR(end.at(0), 3.5, 1e-12);  // 0.5 m + 1 s * 3 m/s
}

TEST(BlockRegistry, ServesSeveralThreads) {
  BlockRegistry registry;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&registry, t] {
      for (int i = 0; i < 50; ++i) {
        registry.add("r" + std::to_string(t) + "_" + std::to_string(i),
                     std::make_shared<RampKind>());
        EXPECT_NE(registry.find("planar-rigid-ring"), nullptr);
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(registry.names().size(), 204u);
}

}  // namespace
}  // namespace registry_test
