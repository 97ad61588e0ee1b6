// SPDX-License-Identifier: Apache-2.0
#include "multibody/dynamics/reactions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "multibody/closure/project.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/mechanisms.hpp"

namespace chicane::multibody::reactions_test {
namespace {

using testkit::Evaluation;
using testkit::Random;

// Joints with one freedom are driven now and then.
std::map<std::string, testkit::Drive3> drive_some(Description& d, Random& random) {
  std::map<std::string, testkit::Drive3> drives;
  for (JointDescription& j : d.joints) {
    if (is_composite(j.kind) || freedoms(j.kind) != 1 || random.whole(0, 3) != 0) continue;
    j.driven = true;
    j.initial.clear();
    j.initial_rate.clear();
    drives[j.name] = {};
  }
  return drives;
}

TEST(Reactions, AreTheMultipliersOfCartesianCoordinatesForEveryJointKind) {
  Random random(41);
  std::set<std::pair<JointKind, bool>> seen;  // kind, in the tree or cut
  int driven = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Description d = testkit::random_tree(random, random.whole(2, 8), trial % 3 == 0);
    testkit::add_random_loops(d, random, random.whole(0, 3));
    d.loops = trial % 4 < 2 ? Loops::embedded : Loops::multipliers;
    auto drives = drive_some(d, random);
    if (trial % 3 == 1)  // joints with few freedoms are cut only when they must
      for (const JointDescription& j : d.joints)
        if (j.name.starts_with("loop") && !j.driven) d.cut.push_back(j.name);
    Diagnostics diag;
    const auto m = compile(d, diag);
    if (!m || !m->redundant.empty()) continue;  // cannot close, or forces are not unique
    Evaluation<double> e(m);
    for (std::size_t k = 0; k < m->drives.size(); ++k) {
      e.drives[k].v = random.number(-1, 1), e.drives[k].a = random.number(-3, 3);
      drives[m->drives[k]] = {0.0, e.drives[k].v, e.drives[k].a};
    }
    if (project(*m, e.choice, e.q, e.v, e.drives, e.ws).status != Status::ok) continue;
    ASSERT_EQ(e(), Status::ok) << trial;
    if (e.ws.conditioning < 1e-2) continue;
    const auto other = testkit::cartesian_accelerations(d, testkit::body_states(*m, e.ws), drives);
    ASSERT_LT(other.rate_error, 1e-9) << trial;

    std::vector<Wrench<double>> ours(d.joints.size());
    const testkit::AllocationCounter heap;
    reactions<double>(*m, e.choice, e.ws, ours);
    EXPECT_EQ(heap.count(), 0);
    double size = 1.0;
    for (const auto& [name, w] : other.reaction)
      size = std::max({size, norm(w.force), norm(w.moment)});
    std::set<int> cut;
    for (const CutJoint& c : m->topology.cuts) cut.insert(c.joint.value);
    for (std::size_t k = 0; k < d.joints.size(); ++k) {
      const JointDescription& j = d.joints[k];
      const Wrench<double>& theirs = other.reaction.at(j.name);
      // Errors of the dense solve, as for accelerations.
      EXPECT_LT(norm(ours[k].force - theirs.force), 1e-8 * size)
          << trial << " " << to_string(j.kind) << cut.count(static_cast<int>(k));
      EXPECT_LT(norm(ours[k].moment - theirs.moment), 1e-8 * size)
          << trial << " " << to_string(j.kind) << cut.count(static_cast<int>(k));
      seen.emplace(j.kind, cut.count(static_cast<int>(k)) > 0);
      driven += j.driven ? 1 : 0;
    }
  }
  EXPECT_GT(driven, 50);
  for (const std::string_view name : joint_kind_names()) {
    const JointKind kind = *joint_kind(name);
    EXPECT_TRUE(is_composite(kind) || seen.contains({kind, false})) << name;
    EXPECT_TRUE(kind == JointKind::weld || kind == JointKind::free || seen.contains({kind, true}))
        << name << " cut";
  }
}

TEST(Reactions, HoldTheWeightAlsoWhereConstraintsAreRedundant) {
  // All forces of ground together carry what does not accelerate, or push what does.
  for (const Loops form : {Loops::embedded, Loops::multipliers}) {
    Description d = testkit::four_bar();
    d.loops = form;
    Evaluation<double> e(testkit::compiled(d));
    ASSERT_EQ(e(), Status::ok);
    std::vector<Wrench<double>> w(d.joints.size());
    reactions<double>(*e.m, e.choice, e.ws, w);
    Vec3<double> need{};
    for (int b = 0; b < 3; ++b)
      need += d.bodies[static_cast<std::size_t>(b)].mass *
              (acceleration(*e.m, BodyIndex{b}, e.ws).linear - d.gravity);
    EXPECT_LT(norm(w[0].force + w[3].force - need), 1e-10 * norm(need));  // both stand on ground
    for (const Wrench<double>& hinge : w) EXPECT_NEAR(hinge.moment.y, 0.0, 1e-9);
  }
}

TEST(Reactions, SpringsInAJointAreNotPartOfThem) {
  Description d;
  d.gravity = {};
  d.bodies.push_back({"arm", 1.0, {1, 0, 0}, {0.1, 0.1, 0.1, 0, 0, 0}});
  d.joints.push_back({.name = "hinge", .kind = JointKind::revolute, .connects = {"ground", "arm"}});
  d.forces.push_back({"motor", JointSpringDescription{.joint = "hinge", .force = 3.0}});
  Evaluation<double> e(testkit::compiled(d));
  ASSERT_EQ(e(), Status::ok);
  std::vector<Wrench<double>> w(1);
  reactions<double>(*e.m, e.choice, e.ws, w);
  EXPECT_NEAR(w[0].moment.z, 0.0, 1e-12);
  EXPECT_NEAR(w[0].force.y, 3.0 / 1.1, 1e-12);  // m a of the centre of mass, 3 N m over 1.1 kg m^2
}

}  // namespace
}  // namespace chicane::multibody::reactions_test
