#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/status.hpp"
#include "math/dual.hpp"
#include "multibody/description.hpp"
#include "multibody/topology/topology.hpp"
#include "spatial/spatial.hpp"

// A description made ready to compute with. Three kinds of data, never mixed:
//
//   Mechanism     numbering, geometry, inertias; never changes after compile()
//   q, v, Choice  where the mechanism is, and which coordinates of its loops are independent: the
//                 caller's state. All joint coordinates are in q, all joint rates in v; of a loop
//                 only the independent ones are read as given, the dependent ones are found.
//   Workspace<T>  scratch of one evaluation; means nothing between evaluations
//
// One evaluation, as a caller writes it:
//
//   kinematics(m, choice, q, v, drives, ws)     closes the loops: completes q and v, moves links
//   apply_forces(m, ws)                         gravity is built in; the caller may add wrenches
//   accelerations(m, choice, ws, vdot)          forward dynamics, with the loops
//   coordinate_rates(m, q, v, qdot)             dq/dt

namespace chicane::multibody {

// Prescribed motion of a driven joint.
template <class T>
struct Drive {
  T q{}, v{}, a{};
};

// A body in the tree together with the joint that carries it. Its frame L is the joint's frame on
// the body: in the position of the description it coincides with the frame J on the parent P.
// The joint's axis is z; axes are global for kinds without one.
struct Link {
  JointKind kind = JointKind::weld;
  bool driven = false;
  bool leaf = true;  // nothing hangs on it
  int parent = 0;
  int q = 0, v = 0;  // first of its coordinates and rates
  int nq = 0, nv = 0;
  int drive = -1;
  double pitch = 0.0;  // [m/rad]
  Mat3<double> R_PJ = Mat3<double>::identity();
  Vec3<double> p_PJ{};
  RigidInertia<double> I{};  // about the origin of L, in its axes
  BodyIndex body{};
  JointIndex joint{};
  bool reversed = false;
};

// Rows that hold a cut joint together; frames as in Link, one on each body.
struct LoopJoint {
  JointKind kind = JointKind::weld;
  JointIndex joint{};
  bool driven = false;
  int drive = -1;
  double pitch = 0.0;
  double length = 0.0;  // [m] of a rod or a crank
  std::array<int, 2> link{};
  std::array<Mat3<double>, 2> R_LJ{};  // joint frame on either link
  std::array<Vec3<double>, 2> p_LJ{};
  int rows = 0, row = 0;                 // how many, and the first within the cluster
  std::array<std::vector<int>, 2> path;  // links of the cluster on the way to either body
};

struct LoopCluster {
  int base = 0;              // link that carries it
  int first = 0, links = 0;  // contiguous
  int v = 0, nv = 0;         // coordinates (rates), contiguous
  int rows = 0;
  Loops form = Loops::embedded;
  std::vector<LoopJoint> joints;
  int scratch = 0;  // where its numbers are in the workspace
};

// What the recursion goes through: one link, or a cluster as one compound joint.
struct Unit {
  int link = 0;      // first
  int cluster = -1;  // or a single link
};

// Which rates of a cluster are independent, and which rows determine the others. The numbers are
// local to the cluster.
struct ClusterChoice {
  std::vector<int> independent, dependent, rows;
  friend bool operator==(const ClusterChoice&, const ClusterChoice&) = default;
};
using Choice = std::vector<ClusterChoice>;

// --- force elements --------------------------------------------------------------------------

struct Tsda {
  std::array<int, 2> link{};
  std::array<Vec3<double>, 2> p{};  // in the axes of the links, from their origins
  double k = 0.0, c = 0.0, l_0 = 0.0, F = 0.0;
};

struct JointSpring {
  int v = 0, q = 0;
  double k = 0.0, c = 0.0, q_0 = 0.0, F = 0.0;
};

using ForceElement = std::variant<Tsda, JointSpring>;

// --- the mechanism ---------------------------------------------------------------------------

struct BodyFrame {  // of a body on its link
  std::string name;
  int link = 0;
  Mat3<double> R_LB = Mat3<double>::identity();
  Vec3<double> p_LB{};
};

struct RedundantRow {
  std::string joint;
  int cluster = 0, row = 0;
};

struct Mechanism {
  Topology topology;
  std::vector<Link> links;  // [0] ground
  std::vector<Unit> units;  // parents first
  std::vector<LoopCluster> clusters;
  std::vector<ForceElement> forces;
  std::vector<BodyFrame> bodies;         // in the order of the description
  std::vector<std::string> joint_names;  // in the order of the description
  std::vector<std::string> drives;       // joints that are driven: one Drive each
  std::vector<std::string> q_names, v_names;
  Vec3<double> gravity{};
  int nq = 0, nv = 0;

  // At the start: assembled, consistent.
  std::vector<double> q, v;
  Choice choice;
  int freedoms = 0;                     // by rank
  std::vector<RedundantRow> redundant;  // constraints that others already hold
  int scratch = 0;                      // numbers the clusters need in a workspace
};

// Closes a loop to this [m], [rad]; some rounding of far positions is added.
inline constexpr double kLoopTolerance = 1e-10;
inline constexpr int kMostNewtonIterations = 25;

// Checks, analyses and assembles. Faults are in `diag`; then there is no result.
std::shared_ptr<const Mechanism> compile(const Description& description, Diagnostics& diag);

// --- scratch -----------------------------------------------------------------------------------

// All in world axes, about the origin of the link.
template <class T>
struct LinkMotion {
  Mat3<T> R;    // R_WL
  Vec3<T> p;    // p_WL
  Vec3<T> r;    // from the parent's origin
  Motion<T> V;  // velocity
  Motion<T> c;  // acceleration at zero acceleration of the parent and of the joint rates
};

template <class T>
struct Workspace {
  explicit Workspace(const Mechanism& m);

  std::vector<LinkMotion<T>> motion;  // written by kinematics                           (links)
  std::vector<Motion<T>> S;           // joint axes by rate, written by kinematics          (nv)
  std::vector<Wrench<T>> force;       // applied to the links; zeroed by apply_forces    (links)
  std::vector<T> tau;                 // applied along the rates; zeroed by apply_forces    (nv)
  std::vector<T> q, v;                // as completed by kinematics                   (nq, nv)
  std::vector<RigidInertia<T>> I;     // written by accelerations                        (links)
  std::vector<ArticulatedInertia<T>> IA;
  std::vector<Wrench<T>> pA;
  std::vector<Motion<T>> A;  // accelerations of the links
  std::vector<Wrench<T>> U;  // by rate
  std::vector<T> u, D;       // by rate; by rate and rate of its joint
  std::vector<T> loops;      // of the clusters, see closure/loops.hpp

  int iterations = 0;       // of Newton's method in the last kinematics
  double conditioning = 1;  // smallest pivot over largest, of all loops in the last kinematics
};

// --- evaluation --------------------------------------------------------------------------------

// Completes q and v: finds the dependent coordinates and rates of the loops from the independent
// ones, starting from the values given, and places all links.
template <class T>
Status kinematics(const Mechanism& m, const Choice& choice, std::span<T> q, std::span<T> v,
                  std::span<const Drive<T>> drives, Workspace<T>& ws);

// The force elements of the description. A caller's own wrenches are added to ws.force afterwards.
template <class T>
void apply_forces(const Mechanism& m, Workspace<T>& ws);

// dv/dt of all rates.
template <class T>
Status accelerations(const Mechanism& m, const Choice& choice, Workspace<T>& ws, std::span<T> vdot);

template <class T>
void coordinate_rates(const Mechanism& m, std::span<const T> q, std::span<const T> v,
                      std::span<T> qdot);

// Quaternions back to unit length.
template <class T>
void normalize(const Mechanism& m, std::span<T> q);

// --- what a body does (after kinematics) ---------------------------------------------------------

template <class T>
Transform<T> pose(const Mechanism& m, BodyIndex body, const Workspace<T>& ws);
// Of the origin of the body frame, in world axes.
template <class T>
Motion<T> velocity(const Mechanism& m, BodyIndex body, const Workspace<T>& ws);
// After accelerations.
template <class T>
Motion<T> acceleration(const Mechanism& m, BodyIndex body, const Workspace<T>& ws);

}  // namespace chicane::multibody
