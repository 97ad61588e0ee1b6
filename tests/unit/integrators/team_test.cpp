// SPDX-License-Identifier: Apache-2.0

// A team does every task once, several at a time, again and again, awake or asleep.

#include "core/team.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace team_test {
namespace {

using chicane::Team;

TEST(Team, RunsEveryTaskOnce) {
  for (const int members : {1, 2, 3, 5}) {
    Team team(members);
    ASSERT_EQ(team.members(), members);
    for (const int n : {0, 1, 2, 3, 7, 100}) {
      std::vector<int> runs(static_cast<std::size_t>(n));  // plain: each has one writer
      team.run(n, [&](int i) { ++runs[static_cast<std::size_t>(i)]; });
      EXPECT_EQ(runs, std::vector(runs.size(), 1));
    }
  }
}

// Tasks that wait for one another end only if members take part, asleep or not.
TEST(Team, RunsAsManyTasksAtATimeAsItHasMembers) {
  for (const int members : {2, 3}) {
    Team team(members);
    for (int k = 0; k < 3; ++k) {
      std::atomic<int> inside{0};
      team.run(members, [&](int) {
        ++inside;
        while (inside < members) std::this_thread::yield();
      });
      EXPECT_EQ(inside, members);
      std::this_thread::sleep_for(std::chrono::milliseconds(40));
    }
  }
}

// Each round needs all of the last one: a member that goes ahead or lags behind spoils the numbers.
TEST(Team, HandsOverThousandsOfTimesWithAllResultsInSight) {
  for (const int members : {1, 2, 3}) {
    Team team(members);
    std::array<std::int64_t, 3> old{1, 2, 3}, next{};
    std::array<std::int64_t, 3> a = old;
    const int rounds = members > 2 ? 1000 : 10000;  // more members than cores: each waits its turn
    for (int k = 0; k < rounds; ++k) {
      team.run(3, [&](int i) {
        const auto at = static_cast<std::size_t>(i);
        next[at] = (3 * old[0] + 5 * old[1] + 7 * old[2] + i + k) % 1'000'003;
      });
      old = next;
      const std::array<std::int64_t, 3> b = a;
      for (std::size_t i = 0; i < 3; ++i)
        a[i] = (3 * b[0] + 5 * b[1] + 7 * b[2] + static_cast<std::int64_t>(i) + k) % 1'000'003;
      ASSERT_EQ(old, a) << "round " << k << " of " << members << " members";
    }
  }
}

// After some milliseconds without work a member sleeps.
TEST(Team, WakesUpMembersThatSleep) {
  Team team(3);
  int runs[3] = {};
  for (int k = 1; k <= 4; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(80));
    team.run(3, [&](int i) { ++runs[i]; });
    for (const int n : runs) EXPECT_EQ(n, k);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(80));
}  // and lets them go from their sleep

TEST(Team, ComesAndGoesWithoutAnyWork) {
  for (int k = 0; k < 50; ++k) const Team team(3);
}

}  // namespace
}  // namespace team_test
