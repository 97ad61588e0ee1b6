// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multibody/closure/choose.hpp"
#include "multibody/closure/start.hpp"

// What is asked of the joints of one cluster of loops, held: positions (hold_positions.cpp), then
// rates (hold_rates.cpp).

namespace chicane::multibody {

using Matrix = std::vector<double>;  // by rows

// [rad], [m] of a coordinate: short enough not to lose the way.
inline constexpr double kLongestMove = 0.1;
inline constexpr double kLeastDamping = 1e-8, kMostDamping = 1e3;  // square roots
inline constexpr double kLoopsClosed = 1e-12;                      // [m], [rad] on the way

// The shortest x with A x = b; rows that are combinations of others are left out.
std::vector<double> shortest(Matrix A, int rows, int n, const std::vector<double>& b,
                             double tolerance = kRowTolerance);
// The x that makes |A x - b|^2 + damping^2 |x|^2 least.
std::vector<double> damped(const Matrix& A, int rows, int n, const std::vector<double>& b,
                           double damping);
double largest(const std::vector<double>& a);

class ClusterStart {
 public:
  ClusterStart(const Mechanism& m, int cluster, Workspace<double>& ws)
      : m_(m),
        k_(cluster),
        c_(m.clusters[static_cast<std::size_t>(cluster)]),
        n_(c_.nv),
        ws_(ws),
        s_(ws.loops[static_cast<std::size_t>(cluster)]) {}

  void ask(const StartValue& value);
  [[nodiscard]] bool asked() const { return !links_.empty() || !cuts_.empty(); }

  // False: the nearest position that was found.
  bool place();
  // False: the nearest rates.
  bool move();

 private:
  struct AskedLink {
    const Link* link;
    const StartValue* value;
  };
  struct AskedCut {
    const LoopJoint* joint;
    const StartValue* value;
  };
  // What is left to go, and its derivative along the rates.
  struct Remaining {
    std::vector<double> go;
    Matrix E;
  };

  // Ways round, where the shortest is barred: as at a dead point. Fewer where they are dear.
  [[nodiscard]] int attempts() const;
  bool close();
  void evaluate();
  void shift(const std::vector<double>& d);
  void add_links(Remaining& remaining) const;
  // Rows of the motion of the second body relative to the first, in given axes; what driven joints
  // add goes to `drift`.
  void add_relative(const LoopJoint& j, const Mat3<double>& turning, const Mat3<double>& sliding,
                    Matrix& E, std::vector<double>* drift) const;
  void add_cuts(Remaining& remaining) const;
  void add_rates(const LoopJoint& j, const StartValue& value, Matrix& A,
                 std::vector<double>& b) const;
  [[nodiscard]] JointKind kind_of(JointIndex joint) const;
  [[nodiscard]] Remaining remaining() const;
  [[nodiscard]] Matrix rows_of_loops() const;  // G with all columns
  // A basis of its rows.
  [[nodiscard]] Matrix basis_of_loops(int& rank) const;
  // Less what of the rows is along the basis.
  void keep_off(const Matrix& B, int rank, Matrix& rows) const;
  // Along the loops to what is asked, as near as can be. Gives the distance.
  double approach();
  // Some way along the loops, another each time.
  bool step_aside(int attempt);
  // What is asked exactly; the rest moves until the loops close as well as can be.
  bool fix();
  [[nodiscard]] double defect(const Matrix& A, int row, const std::vector<double>& v,
                              const std::vector<double>& b) const;
  // Of the rates that the loops allow those nearest to what is asked.
  [[nodiscard]] std::vector<double> nearest_rates(const Matrix& A, const std::vector<double>& b,
                                                  int loops, const std::vector<bool>& held,
                                                  const std::vector<double>& fixed) const;

  const Mechanism& m_;
  int k_;
  const LoopCluster& c_;
  int n_;
  Workspace<double>& ws_;
  ClusterScratch<double>& s_;
  std::vector<AskedLink> links_;
  std::vector<AskedCut> cuts_;
};

}  // namespace chicane::multibody
