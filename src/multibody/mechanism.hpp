// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/status.hpp"
#include "core/team.hpp"
#include "math/dual.hpp"
#include "math/lanes.hpp"
#include "multibody/description.hpp"
#include "multibody/forces/elements.hpp"
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
// T is double, Dual for exact derivatives, or Lanes4: loops of the same build, as the four corners
// of a car, are evaluated side by side (closure/identical_clusters.hpp). P is what the numbers of
// the mechanism are made of: double, and Lanes4 where four parts differ in them.
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

// What numbers beside T are made of.
template <class T>
using numbers_t = std::conditional_t<std::is_same_v<T, Lanes4>, Lanes4, double>;

// How often something happened, and an exchange of rows: for T, or in each lane.
template <class T>
using count_t = std::conditional_t<std::is_same_v<T, Lanes4>, Lanes4, int>;
template <class T>
using pivot_t = std::conditional_t<std::is_same_v<T, Lanes4>, LaneMask4, int>;

// A body in the tree together with the joint that carries it. Its frame L is the joint's frame on
// the body: in the position of the description it coincides with the frame J on the parent.
// The joint's axis is z; axes are global for kinds without one.
template <class P>
struct LinkOf {
  JointKind kind = JointKind::weld;
  bool driven = false;
  bool leaf = true;  // nothing but links of its own cluster hangs on it
  int parent = 0;
  int q = 0, v = 0;  // first of its coordinates and rates; driven ones come after all others
  int nq = 0, nv = 0;
  int drive = -1;
  P pitch{0.0};  // [m/rad]
  Mat3<P> R_PJ = Mat3<P>::identity();
  Vec3<P> p_PJ{};
  RigidInertia<P> I{};  // about the origin of L, in its axes
  BodyIndex body{};
  JointIndex joint{};
  bool reversed = false;
};
using Link = LinkOf<double>;

// One constraint between frame A on the first body of a cut joint and B on its second; d = p_AB.
struct LoopRow {
  enum class Type {
    offset,    // e_A . d = value, e being an axis of A
    angle,     // e_A . f_B = 0
    distance,  // |d| = value
    thread,    // z_A . d = pitch times the angle of B about z_A
  };
  Type type = Type::offset;
  int e = 0, f = 0;  // axes: 0 x, 1 y, 2 z
  friend bool operator==(const LoopRow&, const LoopRow&) = default;
};

// An axis on the way from where the paths to both bodies of a cut joint meet to either of them.
struct LoopColumn {
  int v = 0;  // of the axis, in Workspace::S
  int link = 0;
  int local = -1;  // rate within the cluster; -1: driven
  double sign = 1.0;
  int entry = -1;  // where its entries stand in the rows of the joint; -1: driven
};

// Rows that hold a cut joint together; frames as in Link, one on each body. Offsets and distances
// come first, then angles, then threads.
template <class P>
struct LoopJointOf {
  JointIndex joint{};
  std::array<int, 2> link{};
  std::array<int, 2> local{};     // link within the cluster; -1: its base, -2: elsewhere
  std::array<Mat3<P>, 2> R_LJ{};  // joint frame on either link
  std::array<Vec3<P>, 2> p_LJ{};
  std::array<bool, 2> axes{};  // the rows need the axes of the frame
  bool distance = false;       // a row needs the distance
  bool own_axes = false;       // those of A are those of its link
  bool pinned = false;         // d = 0: the origins of the frames coincide
  bool swapped = false;        // A is on the second body of the joint
  P pitch{0.0};
  std::vector<LoopRow> rows;
  std::vector<P> value;  // of the rows [m]
  int row = 0;           // the first within the cluster
  int G = 0, width = 0;  // in ClusterScratch::G: where its rows begin, and how long each is
  std::vector<LoopColumn> columns;
};
using LoopJoint = LoopJointOf<double>;

template <class P>
struct LoopClusterOf {
  int base = 0;              // link that carries it
  int first = 0, links = 0;  // contiguous
  int v = 0, nv = 0;         // coordinates (rates), contiguous
  int rows = 0;
  int entries = 0;  // of ClusterScratch::G
  // Every joint touches few of the rates: G has the columns of each joint only, and the dependent
  // part of it is a band (closure/band.hpp). Otherwise the rows of G have all rates.
  bool chain = false;
  std::vector<int> joint_of_row;  // of a chain
  Loops form = Loops::embedded;
  bool driven = false;  // a driven joint is on some path
  P conditioning{1.0};  // at the start: what is good for these loops; not below 0.05
  // How far a unit of each rate moves the ends of the cut joints, at most, at the start: the
  // measure of entries of its column. The same length for all turns, 1 for all slides.
  std::vector<P> reach;
  std::vector<LoopJointOf<P>> joints;
  int identical = -1, lane = 0;  // evaluated with clusters of the same build: Mechanism::identical
};
using LoopCluster = LoopClusterOf<double>;

// Bodies, joints and loops in the order of the recursion.
template <class P>
struct Tree {
  std::vector<LinkOf<P>> links;  // [0] ground
  std::vector<LoopClusterOf<P>> clusters;
};

// What the recursion goes through: one link, or a cluster as one compound joint.
struct TreeNode {
  int link = 0;      // first
  int cluster = -1;  // or a single link
};

// Nodes that nothing connects but what carries them: the first hangs on the trunk, the others on
// nodes of the branch.
struct Branch {
  int first = 0, last = 0;  // behind the last
};

// Which rates of a cluster are independent, and which rows determine the others. The numbers are
// local to the cluster.
struct ClusterChoice {
  std::vector<int> independent, dependent, rows;
  bool held = false;  // near a singular position: all rates are integrated, with multipliers
  friend bool operator==(const ClusterChoice&, const ClusterChoice&) = default;
};
using Choice = std::vector<ClusterChoice>;

// Clusters of the same build, in the order of the nodes, and the tree of one of them with the
// numbers of all in its lanes: link 1 carries the cluster, then come links outside it that its cut
// joints end on, then its own; the axes of driven joints on the way are behind the rates.
struct IdenticalClusters {
  struct Outside {
    std::array<int, Lanes4::kCount> link{};  // of each lane
    std::array<int, Lanes4::kCount> axis{};  // its driven axis, in Workspace::S; or -1
  };
  std::vector<int> clusters;
  Tree<Lanes4> tree;  // one cluster
  std::vector<Outside> outside;

  // The cluster of a lane; lanes to spare repeat the last.
  [[nodiscard]] int cluster(int lane) const {
    return clusters[std::min(static_cast<std::size_t>(lane), clusters.size() - 1)];
  }
};

// --- force elements --------------------------------------------------------------------------

// Laws with the links they act on, or the rate and coordinate of the joint. `command` and `z` are
// places among the commands and the states of the forces, or -1.

struct Tsda {
  std::array<int, 2> link{};
  TsdaElement law{};
  int command = -1;
};
struct Rsda {  // of a joint that is cut; others are JointSprings
  std::array<int, 2> link{};
  RsdaElement law{};
  int command = -1, z = -1;
};
struct BumpStop {
  std::array<int, 2> link{};
  BumpStopElement law{};
};
struct Bushing {
  std::array<int, 2> link{};
  BushingElement law{};
};
struct LeafSpring {
  std::array<int, 2> link{};
  LeafSpringElement law{};
  int z = -1;
};
struct AntiRollBar {
  std::array<int, 3> link{};
  AntiRollBarElement law{};
};
struct OuterWrench {
  int link = 0;
  WrenchElement law{};
  int command = -1;
};
struct JointSpring {
  int v = 0, q = 0;
  SpringDamper law{};
  double q_0 = 0.0;
  int command = -1;
};
struct JointStop {
  int v = 0, q = 0;
  JointLimit law{};
};
struct JointDrag {
  int v = 0;
  JointFriction law{};
  int z = -1;
};

using ForceElement = std::variant<Tsda, JointSpring, Rsda, BumpStop, Bushing, LeafSpring,
                                  AntiRollBar, OuterWrench, JointStop, JointDrag>;

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

struct Mechanism : Tree<double> {
  Topology topology;
  std::vector<TreeNode> nodes;  // parents first
  int trunk = 0;                // nodes before the first branch
  std::vector<Branch> branches;
  std::vector<IdenticalClusters> identical;
  std::vector<ForceElement> forces;
  std::vector<BodyFrame> bodies;         // in the order of the description
  std::vector<std::string> joint_names;  // in the order of the description
  std::vector<JointKind> joint_kinds;    // likewise
  std::vector<std::string> force_names;  // of the forces
  std::vector<std::string> drives;       // joints that are driven: one Drive each
  std::vector<std::string> q_names, v_names;
  std::vector<std::string> commands;      // forces that are commanded: one number each
  std::vector<std::string> force_states;  // forces that remember: one state each, zero at first
  Vec3<double> gravity{};
  int nq = 0, nv = 0;

  // At the start: assembled, consistent.
  std::vector<double> q, v;
  Choice choice;
  int freedoms = 0;                     // by rank
  std::vector<RedundantRow> redundant;  // constraints that others already hold
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

// Of a cut joint, in world axes.
template <class T>
struct LoopFrames {
  Mat3<T> R_A, R_B;  // axes of the joint on either body; only if its rows need them
  Vec3<T> r_A, r_B;  // from the origins of the links
  Vec3<T> d;         // p_AB
  Vec3<T> u;         // d / |d|; only if a row needs it
  T length, per_length;
};

// A matrix with its entries along the diagonal (closure/band.hpp).
// Entries of row i are in columns i - below to i + above; exchanges of rows put up to `below` more
// behind them. Of a band that is as wide as the matrix the matrix itself is stored.
struct Band {
  int n = 0, below = 0, above = 0;

  [[nodiscard]] int last(int i) const { return std::min(n - 1, i + above + below); }
  [[nodiscard]] int lowest(int k) const { return std::min(n - 1, k + below); }
  [[nodiscard]] bool full() const { return 2 * below + above + 1 >= n; }
  [[nodiscard]] int stride() const { return full() ? n : 2 * below + above; }
  // Where the entry of row i and column k is stored.
  [[nodiscard]] int operator()(int i, int k) const {
    return i * stride() + k + (full() ? 0 : below);
  }
};

// A cluster as one compound joint on its base. It has n rates; f are independent and r = n - f
// dependent (with multipliers f = n).
template <class T>
struct ClusterScratch {
  bool multipliers = false;           // this evaluation solves the loops with multipliers
  bool bridged = false;               // R and gamma are those of a bridge, there is no LU
  count_t<T> iterations{0};           // of Newton's method
  real_t<T> conditioning{1.0};        // smallest pivot, each over the reach of its rate
  std::vector<LoopFrames<T>> frames;  //                                               (joints)
  std::vector<T> residual;            // of the rows [m], [rad]                          (rows)
  std::vector<T> G;                   // its derivative along the rates, by joints    (entries)
  std::vector<T> b;                   // what else its derivatives contain               (rows)
  std::vector<T> LU;                  // of the dependent part of G                     (r x r)
  Band band;                          // of a chain: where LU has entries
  std::vector<int> position;          // of a chain: of the rates among the dependent ones  (n)
  std::vector<int> extent;            // of a chain: of the rows in B                (3 x rows)
  std::vector<pivot_t<T>> pivot;      //                                            (r, or r x r)
  std::vector<T> R;                   // rates by independent ones                      (n x f)
  std::vector<T> gamma;               // rates or accelerations beside them                 (n)
  std::vector<Motion<T>> C;           // of the links, acceleration on a resting base   (links)
  std::vector<Motion<T>> E;           // its part from accelerations of the joints      (links)
  std::vector<Motion<T>> S;           // of the links, by independent rate          (links x f)
  std::vector<Wrench<T>> U;           // inertia felt at the base                           (f)
  std::vector<T> D, u, a;             // inertia, force, acceleration          (f x f, f, n)
  std::vector<T> B, z;                // of the multipliers                      (rows x n, n)
  std::vector<Wrench<T>> Y;           //                                                    (n)
  // Means of q, v, R and gamma, and how rough R is     (coordinates, n, n x n, n, n x n)
  std::vector<T> bridge;
};

struct IdenticalScratch;

// Sized once; may be filled with NaN between evaluations.
template <class T>
struct Workspace {
  explicit Workspace(const Mechanism& m) requires std::is_same_v < numbers_t<T>,
  double > ;
  explicit Workspace(const IdenticalClusters& identical) requires std::is_same_v<T, Lanes4>;

  // Branches are evaluated by this team from now on, until the next call; null: by the caller. The
  // results are the same to the bit.
  void use(const Mechanism& m, Team* team);

  // Written by kinematics.
  std::vector<LinkMotion<T>> motion;  //                                                 (links)
  std::vector<Motion<T>> S;           // axes of the joints, by rate; then of driven ones
  std::vector<T> q, v;                // as completed; v with the rates of driven joints behind
  // Written by apply_forces; a caller may add to them.
  std::vector<Wrench<T>> force;  // applied to the links, about their origins            (links)
  std::vector<T> tau;            // applied along the rates                                 (nv)
  // Written by accelerations.
  std::vector<RigidInertia<T>> I;         //                                             (links)
  std::vector<ArticulatedInertia<T>> IA;  // of links that carry others       (links + branches)
  std::vector<Wrench<T>> pA;              // bias force                       (links + branches)
  std::vector<Motion<T>> A;               // accelerations less gravity, of links that carry others
  std::vector<T> vdot;                    //                                                (nv)
  std::vector<Wrench<T>> U;               // by rate
  std::vector<T> u;                       // by rate
  std::vector<std::array<T, 9>> Dinv;     // of a joint's own rates                      (links)
  std::vector<ClusterScratch<T>> loops;
  std::vector<IdenticalScratch> identical;

  Team* team = nullptr;
  std::vector<int> feels;  // who feels a link's inertia: its carrier; with a team, for the first of
                           // a branch, a place of its own behind the links             (links)
  std::vector<Status> branch;  // how the branches fared in the last kinematics, or accelerations
  std::vector<T> given;  // q and v before project                                     (nq + nv)
  bool close_to_rounding = false;  // set by project: kinematics closes the loops to rounding
  ClusterChoice trial;             // of project

  int iterations = 0;         // of Newton's method in the last kinematics, over all loops
  double conditioning = 1.0;  // of the worst loop in the last kinematics
  // How often, since this was made, a cluster was too near a singular position to be embedded: it
  // was bridged, or solved with multipliers.
  long bridged_evaluations = 0;
  long multiplier_evaluations = 0;
};

struct IdenticalScratch {
  bool used = false;  // the last kinematics evaluated these clusters side by side
  Workspace<Lanes4> ws;
  ArticulatedInertia<Lanes4> I;  // what those that carry them feel
  Wrench<Lanes4> p;
};

// --- evaluation --------------------------------------------------------------------------------

// Completes q and v: finds the dependent coordinates and rates of the loops from the independent
// ones, starting from the values given, and places all links. Loops with multipliers, or in a
// singular position, stay as they are given: integrate all coordinates and rates, and project them
// after a step (closure/project.hpp).
template <class T>
Status kinematics(const Mechanism& m, const Choice& choice, std::span<T> q, std::span<T> v,
                  std::span<const Drive<T>> drives, Workspace<T>& ws);

// What forces are told and remember; empty: nothing, zero.
template <class T>
struct ForceInputs {
  std::span<const T> command{};  // [N], [N m], or a factor
  std::span<const T> z{};
};

// The force elements of the description. A caller's own wrenches are added to ws.force afterwards.
template <class T>
void apply_forces(const Mechanism& m, Workspace<T>& ws, const ForceInputs<T>& in = {});
// What springs hold, and constant forces [J]; after kinematics.
template <class T>
T force_energy(const Mechanism& m, const Workspace<T>& ws, std::span<const T> z = {});
// What dampers and friction take [W]; after kinematics.
template <class T>
T dissipated_power(const Mechanism& m, const Workspace<T>& ws, std::span<const T> z = {});
// dz/dt of the states of the forces; after kinematics.
template <class T>
void force_rates(const Mechanism& m, const Workspace<T>& ws, std::span<const T> z,
                 std::span<T> zdot);

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
// Of a link, less gravity, about its origin; after accelerations.
template <class T>
Motion<T> link_acceleration(const Mechanism& m, const Workspace<T>& ws, int link);
// After accelerations.
template <class T>
Motion<T> acceleration(const Mechanism& m, BodyIndex body, const Workspace<T>& ws);

}  // namespace chicane::multibody
