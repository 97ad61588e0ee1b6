// SPDX-License-Identifier: Apache-2.0

// Random changes of running models: each is carried out, or refused with a reason and without a
// trace; the run goes on.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>

#include "analysis/linearize.hpp"
#include "session/session.hpp"
#include "simulation/simulation.hpp"

namespace random_changes_test {
namespace {

using namespace chicane;

// CHICANE_CHANGES=10000 asks for so many of each model.
int changes_per_model(int usual) {
  const char* asked = std::getenv("CHICANE_CHANGES");
  return asked != nullptr ? std::atoi(asked) : usual;
}

struct Subject {
  std::string model;
  int changes;
  std::vector<std::string> steps;  // that it can take
};

class RandomChanges : public testing::TestWithParam<Subject> {
 protected:
  std::mt19937 random_{7};

  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  const std::string& any(const std::vector<std::string>& list) { return list[below(list.size())]; }

  // Most make sense; some do not.
  Result<void> change(Session& s) {
    switch (below(9)) {
      case 0:
        return s.change("ratio", any({"1", "2", "3", "4", "8", "0", "fast=4", "slow=2", "x=3"}));
      case 1:
        return s.change("method", any({"ab2", "ab3", "rk2", "rk4", "am2", "rtam2", "fast=rk4",
                                       "slow=ab3", "euler", "what"}));
      case 2:
        return s.change("interp",
                        any({"hold", "extrap1", "interp1", "interp2", "interp3", "interp4"}));
      case 3:
        return s.change("step", any(GetParam().steps));
      case 4:
        return s.change("scheme", any({"single-rate", "multiframe", "multiframe", "prk",
                                       "pece-multirate", "triple"}));
      case 5: {
        const auto& blocks = s.structure()->blocks;
        const auto b = BlockIndex{static_cast<int>(below(static_cast<std::size_t>(blocks.size())))};
        return s.move(blocks[b].name, any({"slow", "fast", "middle"}));
      }
      case 6: {
        const auto names = s.parameters();
        if (names.empty()) return {};
        const auto p = *s.parameter(names[below(names.size())].name);
        return s.set(p, s.value(p) * (1 + 1e-3 * static_cast<double>(below(3))));
      }
      case 7:
        saved_ = s.save();
        return {};
      default:
        return s.restore(saved_);
    }
  }

  Session::Snapshot saved_;
};

TEST_P(RandomChanges, AreCarriedOutOrRefused) {
  ModelRequest request{.model = GetParam().model, .run = {{"until", "1000 s"}}};
  auto opened = Session::open(request);
  ASSERT_TRUE(opened) << opened.error().text;
  Session s = std::move(*opened);
  saved_ = s.save();
  const Session::Snapshot start = saved_;
  int done = 0, refused = 0;
  for (int i = 0; i < changes_per_model(GetParam().changes); ++i) {
    const State<double> before = s.simulation().state();
    const Plan& plan = s.simulation().plan();
    const std::int64_t step = plan.step;
    const SchemeKind scheme = plan.scheme;
    const auto result = change(s);
    if (result) {
      ++done;
    } else {
      ++refused;
      EXPECT_FALSE(result.error().text.empty());
      ASSERT_TRUE(s.simulation().state() == before) << i << ": " << result.error().text;
      ASSERT_EQ(s.simulation().plan().step, step) << i;
      ASSERT_EQ(s.simulation().plan().scheme, scheme) << i;
    }
    const bool twice = i % 16 == 0;
    std::optional<Session> beside;
    if (twice) beside = s.branch();
    const std::size_t frames = 1 + below(3);
    RunState motion = s.advance({.frames = frames});
    if (twice) {
      beside->advance({.frames = frames});
      ASSERT_TRUE(beside->simulation().state() == s.simulation().state()) << i;
    }
    // A step too long for its method is somebody's choice: it fails with its reason.
    if (motion == RunState::failed) {
      EXPECT_FALSE(s.failure().empty());
      ASSERT_TRUE(s.restore(start));
    }
    ASSERT_NE(motion, RunState::stopped) << s.stop_message();
  }
  EXPECT_GT(done, refused) << "the test means little if most is refused";
  EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Of, RandomChanges,
    testing::Values(Subject{"pitch-control", 300, {"1 ms", "2 ms", "5 ms", "7 ms", "3 kg"}},
                    Subject{"quarter-car-a", 300, {"0.1 ms", "0.2 ms", "0.25 ms", "3 kg"}},
                    Subject{"two-scale", 300, {"1 ms", "2 ms", "3 ms", "0 s"}},
                    Subject{"planar-vehicle", 150, {"0.1 ms", "0.2 ms", "0.25 ms", "-1 ms"}},
                    Subject{"hmmwv", 40, {"0.25 ms", "0.5 ms", "1 ms", "1 km"}}),
    [](const auto& c) {
      std::string name = c.param.model;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace random_changes_test
