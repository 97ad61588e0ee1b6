// SPDX-License-Identifier: Apache-2.0
#include "multibody/topology/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace chicane::multibody::topology_test {
namespace {

// A graph by names; "ground" is ground.
class Build {
 public:
  Build& body(const std::string& name) {
    graph.bodies.push_back({name});
    return *this;
  }
  Build& joint(const std::string& name, const std::string& a, const std::string& b, int freedoms,
               bool driven = false, bool composite = false) {
    graph.joints.push_back({name, {index(a), index(b)}, freedoms, driven, composite});
    return *this;
  }
  [[nodiscard]] BodyIndex index(const std::string& name) const {
    for (int i = 0; i < static_cast<int>(graph.bodies.size()); ++i)
      if (graph.bodies[static_cast<std::size_t>(i)].name == name) return BodyIndex{i};
    return {};
  }
  Graph graph;
};

std::vector<std::string> cut_names(const Graph& g, const Topology& t) {
  std::vector<std::string> names;
  for (const CutJoint& c : t.cuts)
    names.push_back(g.joints[static_cast<std::size_t>(c.joint.value)].name);
  return names;
}

// Chassis, rack and four double wishbones: 14 bodies.
Build wishbone_vehicle(bool driven_rack) {
  Build b;
  b.body("chassis").body("rack");
  b.joint("rack", "chassis", "rack", 1, driven_rack);
  for (const std::string c : {"_fl", "_fr", "_rl", "_rr"}) {
    b.body("lca" + c).body("uca" + c).body("carrier" + c);
    b.joint("lca" + c, "chassis", "lca" + c, 1).joint("uca" + c, "chassis", "uca" + c, 1);
    b.joint("lower" + c, "lca" + c, "carrier" + c, 3);
    b.joint("upper" + c, "uca" + c, "carrier" + c, 3);
    b.joint("tie" + c, c[1] == 'f' ? "rack" : "chassis", "carrier" + c, 5, false, true);
  }
  return b;
}

TEST(Topology, CutsBallJointsAndRodsOfAVehicleAndKeepsItsHinges) {
  const Build b = wishbone_vehicle(true);
  Diagnostics diag;
  const auto t = analyse(b.graph, diag);
  ASSERT_TRUE(t) << diag.text();
  EXPECT_EQ(b.graph
                .bodies[static_cast<std::size_t>(
                    t->links[static_cast<std::size_t>(t->base.value)].body.value)]
                .name,
            "chassis");
  EXPECT_EQ(t->coordinates, 6 + 4 * 5);
  EXPECT_EQ(t->constraints, 4 * (3 + 1));
  EXPECT_EQ(t->freedoms(), 10);  // six of the chassis, one of each wheel
  EXPECT_EQ(t->cuts.size(), 8u);
  EXPECT_EQ(t->chains.size(), 9u);
  ASSERT_EQ(t->clusters.size(), 4u);  // a driven rack does not couple the front wheels
  for (const Cluster& c : t->clusters) {
    EXPECT_EQ(c.coordinates, 5);
    EXPECT_EQ(c.rows, 4);
    EXPECT_EQ(c.base, t->base);
  }
}

TEST(Topology, RackWithItsOwnDynamicsCouplesTheFrontWheels) {
  const Build b = wishbone_vehicle(false);
  Diagnostics diag;
  const auto t = analyse(b.graph, diag);
  ASSERT_TRUE(t) << diag.text();
  ASSERT_EQ(t->clusters.size(), 3u);
  const auto front = std::max_element(
      t->clusters.begin(), t->clusters.end(),
      [](const Cluster& a, const Cluster& c) { return a.coordinates < c.coordinates; });
  EXPECT_EQ(front->coordinates, 11);
  EXPECT_EQ(front->rows, 8);
}

TEST(Topology, ParentsComeFirstAndClustersAreContiguous) {
  for (const bool driven : {false, true}) {
    const Build b = wishbone_vehicle(driven);
    Diagnostics diag;
    const auto t = analyse(b.graph, diag);
    ASSERT_TRUE(t);
    for (int i = 1; i < static_cast<int>(t->links.size()); ++i)
      EXPECT_LT(t->links[static_cast<std::size_t>(i)].parent.value, i);
    for (const Cluster& c : t->clusters) {
      EXPECT_LT(c.base, c.links.front());
      for (std::size_t k = 1; k < c.links.size(); ++k)
        EXPECT_EQ(c.links[k].value, c.links[0].value + static_cast<int>(k));
      // What the rows of a cluster look at is placed before it or within it.
      for (const int cut : c.cuts)
        for (const LinkIndex end : t->cuts[static_cast<std::size_t>(cut)].links)
          EXPECT_LE(end, c.links.back());
    }
  }
}

TEST(Topology, FourBarKeepsHingesNearGroundAndCutsTheFarthest) {
  Build b;
  b.body("crank").body("coupler").body("rocker");
  b.joint("a", "ground", "crank", 1).joint("b", "crank", "coupler", 1);
  b.joint("c", "coupler", "rocker", 1).joint("d", "rocker", "ground", 1);
  Diagnostics diag;
  const auto t = analyse(b.graph, diag);
  ASSERT_TRUE(t) << diag.text();
  EXPECT_EQ(t->base, LinkIndex{0});
  EXPECT_EQ(cut_names(b.graph, *t), std::vector<std::string>{"c"});  // chains of 2 and 1, not 3
  EXPECT_EQ(t->freedoms(), 3 - 5);  // Gruebler counts a planar loop wrongly, as he must
}

TEST(Topology, HangsABodyHeldByLinksAloneOnAFreeJointAndCutsThemAll) {
  Build b;
  b.body("chassis").body("carrier");
  b.joint("strut", "carrier", "chassis", 4, false, true);
  b.joint("arm", "carrier", "chassis", 4, false, true);
  b.joint("tie", "carrier", "chassis", 5, false, true);
  b.joint("ride", "ground", "chassis", 6);
  Diagnostics diag;
  const auto t = analyse(b.graph, diag);
  ASSERT_TRUE(t) << diag.text();
  EXPECT_EQ(t->cuts.size(), 3u);
  EXPECT_EQ(t->coordinates, 12);
  EXPECT_EQ(t->freedoms(), 7);
  ASSERT_EQ(t->clusters.size(), 1u);
}

TEST(Topology, PatternOfTheMassMatrixIsThatOfAncestors) {
  Build b;  // a star: two arms of two links on a floating hub
  b.body("hub").body("a1").body("a2").body("b1").body("b2");
  b.joint("ja1", "hub", "a1", 1).joint("ja2", "a1", "a2", 1);
  b.joint("jb1", "hub", "b1", 1).joint("jb2", "b1", "b2", 1);
  Diagnostics diag;
  const auto t = analyse(b.graph, diag);
  ASSERT_TRUE(t) << diag.text();
  EXPECT_EQ(t->mass_pattern().size(), 1u + 2u * (2u + 3u));
  EXPECT_EQ(t->chains.size(), 2u);
}

TEST(Topology, NamesWhatIsNotConnectedAndWhatToDo) {
  Build b;
  b.body("a").body("lost").body("c").body("d");
  b.joint("j", "ground", "a", 1).joint("k", "c", "d", 1);
  Diagnostics diag;
  EXPECT_FALSE(analyse(b.graph, diag));
  EXPECT_EQ(diag.errors(), 3);
  EXPECT_NE(diag.text().find("no joint connects body 'lost'"), std::string::npos) << diag.text();
  EXPECT_NE(diag.text().find("body 'c' is not connected to 'ground'"), std::string::npos);
  EXPECT_NE(diag.text().find("a free joint to ground"), std::string::npos);
}

TEST(Topology, RefusesTwoBases) {
  Build b;
  b.body("a").body("c");
  b.joint("j", "ground", "a", 1).joint("k", "a", "c", 1);
  b.graph.base = b.index("c");
  Diagnostics diag;
  EXPECT_FALSE(analyse(b.graph, diag));
  EXPECT_NE(diag.text().find("two bases"), std::string::npos) << diag.text();
}

TEST(Topology, RefusesALoopThatCannotMove) {
  Build b;
  b.body("a").body("c");
  b.joint("j", "ground", "a", 0).joint("k", "a", "c", 0).joint("l", "c", "ground", 1);
  Diagnostics diag;
  EXPECT_FALSE(analyse(b.graph, diag));
  EXPECT_NE(diag.text().find("joint 'l' closes a loop in which nothing can move"),
            std::string::npos)
      << diag.text();
}

TEST(Topology, ForcedCutsAreObeyed) {
  Build b = wishbone_vehicle(true);
  for (Graph::Joint& j : b.graph.joints) j.cut = j.name == "lower_fl";
  Diagnostics diag;
  const auto t = analyse(b.graph, diag);
  ASSERT_TRUE(t) << diag.text();
  const auto cut = cut_names(b.graph, *t);
  EXPECT_NE(std::find(cut.begin(), cut.end(), "lower_fl"), cut.end());
  EXPECT_EQ(std::find(cut.begin(), cut.end(), "upper_fl"), cut.end());
}

}  // namespace
}  // namespace chicane::multibody::topology_test
