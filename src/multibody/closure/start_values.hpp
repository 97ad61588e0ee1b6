// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/closure/start.hpp"

// Values of joints as a description gives them, and the coordinates that links compute with.

namespace chicane::multibody {

// As a ball does: its coordinates are a quaternion, its values a rotation vector.
bool turns_freely(JointKind kind);
Vec3<double> rotation_vector_of(const Quaternion<double>& e);

// Coordinates that a joint computes with, from values.
std::vector<double> coordinates(JointKind kind, const std::vector<double>& asked, bool reversed);
// Rates that a link computes with, at its coordinates q.
std::vector<double> rates(const Link& link, const std::vector<double>& asked, const double* q);

// The second body of a cut joint as seen from the first, in the axes of its frame there.
struct RelativeMotion {
  Mat3<double> R;
  Vec3<double> d;
  Motion<double> V;
};
RelativeMotion relative_motion(const LoopJoint& j, const Workspace<double>& ws);

// Axes of a joint about the origin of its second frame, in the axes of the first.
std::vector<Motion<double>> axes_of(JointKind kind, double pitch, const Mat3<double>& R);

struct CutPlace {
  const LoopJoint* joint = nullptr;
  int cluster = -1;
};
CutPlace find_cut(const Mechanism& m, JointIndex joint);
// The link that the joint carries; null where the joint is cut.
const Link* find_link(const Mechanism& m, JointIndex joint);
// Its loops' cluster, or -1.
int cluster_of(const Mechanism& m, JointIndex joint);

}  // namespace chicane::multibody
