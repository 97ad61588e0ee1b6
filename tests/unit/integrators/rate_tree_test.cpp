// SPDX-License-Identifier: Apache-2.0

// Which groups are advanced within whose step, and which of them have nothing to do with each
// other.

#include "integrators/multirate/rate_tree.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace rate_tree_test {
namespace {

using namespace chicane;
using Reads = std::set<std::pair<int, int>>;  // {a, b}: a reads b

// A branch as text: group*steps(branches below).
std::string text(const std::vector<RateNode>& branches) {
  std::string out;
  for (const RateNode& n : branches) {
    out += out.empty() ? "" : " ";
    out += std::to_string(n.group.value) + "x" + std::to_string(n.ratio);
    if (!n.branches.empty()) out += "(" + text(n.branches) + ")";
  }
  return out;
}

std::vector<RateNode> tree(const std::vector<int>& ratios, const Reads& reads) {
  std::vector<GroupIndex> groups;
  for (std::size_t g = 0; g < ratios.size(); ++g) groups.push_back(GroupIndex{static_cast<int>(g)});
  return rate_branches(groups, ratios, [&](GroupIndex a, GroupIndex b) {
    return reads.contains({a.value, b.value});
  });
}

TEST(RateTree, OfAChainIsAChain) {
  const auto t = tree({1, 2, 6}, {{0, 1}, {1, 0}, {1, 2}, {2, 1}});
  EXPECT_EQ(text(t), "0x1(1x2(2x6))");
  EXPECT_EQ(t[0].below.size(), 3U);
  EXPECT_EQ(t[0].steps, (std::vector<int>{1, 2, 6}));
  EXPECT_EQ(t[0].branches[0].steps, (std::vector<int>{1, 3}));
}

TEST(RateTree, LeavesIndependentSiblingsApart) {
  EXPECT_EQ(text(tree({1, 4, 4, 8}, {{0, 1}, {2, 0}, {3, 0}})), "0x1(1x4 2x4 3x8)");
}

TEST(RateTree, OneReaderIsEnoughToConnectEitherWay) {
  EXPECT_EQ(text(tree({1, 2, 4}, {{1, 0}, {0, 2}, {1, 2}})), "0x1(1x2(2x4))");
  EXPECT_EQ(text(tree({1, 2, 4}, {{1, 0}, {0, 2}, {2, 1}})), "0x1(1x2(2x4))");
  EXPECT_EQ(text(tree({1, 2, 4}, {{1, 0}, {0, 2}})), "0x1(1x2 2x4)");
}

// 1 and 2 meet in 3, which is faster than both: they cannot be advanced without each other.
TEST(RateTree, KeepsThoseTogetherThatMeetInAFasterGroup) {
  EXPECT_EQ(text(tree({1, 2, 2, 4}, {{1, 0}, {2, 0}, {3, 1}, {3, 2}})), "0x1(1x2(2x2(3x4)))");
}

TEST(RateTree, OfUnconnectedGroupsHasSeveralRoots) {
  EXPECT_EQ(text(tree({1, 3, 3}, {})), "0x1 1x3 2x3");
  EXPECT_EQ(text(tree({1, 1, 5}, {{2, 1}})), "0x1 1x1(2x5)");
  EXPECT_EQ(text(tree({}, {})), "");
}

TEST(RateTree, BranchesAreTreesThemselves) {
  const auto t = tree({1, 2, 2, 4, 4, 8}, {{1, 0}, {2, 0}, {3, 1}, {4, 2}, {5, 2}});
  EXPECT_EQ(text(t), "0x1(1x2(3x4) 2x2(4x4 5x8))");
  EXPECT_EQ(t[0].branches[1].steps, (std::vector<int>{1, 2, 4}));
}

// Every group stands in exactly one place, below somebody at least as slow.
TEST(RateTree, HoldsEveryGroupOnceWhateverIsConnected) {
  const std::vector<int> ratios{1, 1, 2, 4, 4};
  for (unsigned bits = 0; bits < 1024; ++bits) {
    Reads reads;
    unsigned bit = 0;
    for (int a = 0; a < 5; ++a)
      for (int b = 0; b < a; ++b)
        if (bits >> bit++ & 1U) reads.insert({a, b});
    std::vector<int> seen(5, 0);
    const auto visit = [&](const auto& self, const std::vector<RateNode>& nodes,
                           int above) -> void {
      for (const RateNode& n : nodes) {
        ++seen[static_cast<std::size_t>(n.group.value)];
        EXPECT_EQ(n.ratio % above, 0);
        EXPECT_EQ(n.below.front(), n.group);
        self(self, n.branches, n.ratio);
        // nobody of one branch reads anybody of another
        for (const RateNode& m : nodes)
          for (const GroupIndex a : n.below)
            for (const GroupIndex b : m.below)
              EXPECT_TRUE(&m == &n || !reads.contains({a.value, b.value})) << bits;
      }
    };
    visit(visit, tree(ratios, reads), 1);
    EXPECT_EQ(seen, std::vector(5, 1)) << bits;
  }
}

}  // namespace
}  // namespace rate_tree_test
