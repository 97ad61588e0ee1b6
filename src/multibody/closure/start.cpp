#include "multibody/closure/start.hpp"

#include <algorithm>
#include <cmath>

#include "multibody/closure/assemble.hpp"
#include "multibody/closure/choose.hpp"
#include "multibody/closure/embed.hpp"
#include "multibody/closure/loops.hpp"
#include "multibody/closure/orthogonal.hpp"
#include "multibody/joints/joints.hpp"

// Positions: with Phi(q) = 0 the loops, G their Jacobian, and g(q) what is asked less what is
// there, a step d makes |g - E d|^2 + damping |d|^2 least with G d = 0 (Levenberg and Marquardt on
// the loops); the loops are closed after it, and it counts when g has become less. Near the end
// what is asked is set exactly and Newton's method moves the rest.

namespace chicane::multibody {

namespace {

using Matrix = std::vector<double>;  // by rows

constexpr double kLongestMove =
    0.1;                        // [rad], [m] of a coordinate: short enough not to lose the way
constexpr double kNear = 1e-9;  // from here on Newton's method alone
constexpr double kPerhapsNear = 1e-3;
constexpr double kLeastDamping = 1e-8, kMostDamping = 1e3;  // square roots
constexpr double kRateTolerance = 1e-9;                     // of the largest rate
constexpr double kLoopsClosed = 1e-12;                      // [m], [rad] on the way

Vec3<double> rotation_vector_of(const Quaternion<double>& e) {
  const double s = norm(e.vector());
  if (s == 0.0) return {};
  const double w = std::fabs(e.w);  // the shorter way round
  return (std::copysign(2.0, e.w) * std::atan2(s, w) / s) * e.vector();
}

std::vector<double> list(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
Vec3<double> vector_at(const std::vector<double>& a, std::size_t i) {
  return {a[i], a[i + 1], a[i + 2]};
}
bool turns(JointKind kind) { return kind == JointKind::spherical || kind == JointKind::free; }

// The tree may go through a joint from its second body to its first; its frame is then turned over.
// Values of the one relative to the other from those of the other relative to the one: either way.
std::vector<double> turned_over(JointKind kind, const std::vector<double>& q) {
  switch (kind) {
    case JointKind::universal:
      return {q[1], q[0]};
    case JointKind::planar: {
      const double c = std::cos(q[2]), n = std::sin(q[2]);
      return {-c * q[0] - n * q[1], -n * q[0] + c * q[1], q[2]};
    }
    case JointKind::spherical:
      return list(-vector_at(q, 0));
    case JointKind::free: {
      const Vec3<double> a = vector_at(q, 0);
      const Vec3<double> d = -transposed_times(rotation(from_rotation_vector(a)), vector_at(q, 3));
      return {-a.x, -a.y, -a.z, d.x, d.y, d.z};
    }
    default:
      return q;
  }
}
// The same of rates, at the values q.
std::vector<double> turned_over(JointKind kind, const std::vector<double>& q,
                                const std::vector<double>& v) {
  switch (kind) {
    case JointKind::universal:
      return {v[1], v[0]};
    case JointKind::planar: {
      const double c = std::cos(q[2]), n = std::sin(q[2]);
      const std::vector<double> d = turned_over(kind, q);
      return {-c * v[0] - n * v[1] - v[2] * d[1], -n * v[0] + c * v[1] + v[2] * d[0], v[2]};
    }
    case JointKind::spherical:
      return list(-(rotation(from_rotation_vector(vector_at(q, 0))) * vector_at(v, 0)));
    case JointKind::free: {
      const Mat3<double> R = rotation(from_rotation_vector(vector_at(q, 0)));
      const Vec3<double> w = vector_at(v, 0), own = -(R * w);
      const Vec3<double> d =
          cross(w, transposed_times(R, vector_at(q, 3))) - transposed_times(R, vector_at(v, 3));
      return {own.x, own.y, own.z, d.x, d.y, d.z};
    }
    default:
      return v;
  }
}

// Values from the coordinates that a joint computes with, and back.
std::vector<double> values_from(JointKind kind, const double* q, int nv) {
  if (!turns(kind)) return {q, q + nv};
  std::vector<double> own = list(rotation_vector_of(quaternion(q)));
  own.insert(own.end(), q + 4, q + 1 + nv);
  return own;
}
std::vector<double> coordinates(JointKind kind, const std::vector<double>& asked, bool reversed) {
  const std::vector<double> own = reversed ? turned_over(kind, asked) : asked;
  if (!turns(kind)) return own;
  const Quaternion<double> e = from_rotation_vector(vector_at(own, 0));
  std::vector<double> q{e.w, e.x, e.y, e.z};
  q.insert(q.end(), own.begin() + 3, own.end());
  return q;
}

// Rates that a link computes with, at its coordinates q.
std::vector<double> rates(const Link& link, const std::vector<double>& asked, const double* q) {
  if (!link.reversed || asked.empty()) return asked;
  return turned_over(link.kind, turned_over(link.kind, values_from(link.kind, q, link.nv)), asked);
}

// The shortest x with A x = b; rows that are combinations of others are left out.
std::vector<double> shortest(Matrix A, int rows, int n, const std::vector<double>& b,
                             double tolerance = kRowTolerance) {
  std::vector<int> order(at(rows));
  Matrix L(at(rows * rows));
  std::vector<double> z(at(rows)), x(at(n));
  const int rank = orthonormalize(A.data(), rows, n, tolerance, order.data(), L.data());
  for (int r = 0; r < rank; ++r) {
    double sum = b[at(order[at(r)])];
    for (int j = 0; j < r; ++j) sum -= L[at(r * rows + j)] * z[at(j)];
    z[at(r)] = sum / L[at(r * rows + r)];
    for (int k = 0; k < n; ++k) x[at(k)] += z[at(r)] * A[at(r * n + k)];
  }
  return x;
}

// The x that makes |A x - b|^2 + damping^2 |x|^2 least: the shortest solution of A x + damping w =
// b over x and w.
std::vector<double> damped(const Matrix& A, int rows, int n, const std::vector<double>& b,
                           double damping) {
  const int all = n + rows;
  Matrix wide(at(rows * all));
  for (int r = 0; r < rows; ++r) {
    std::copy_n(A.begin() + r * n, n, wide.begin() + r * all);
    wide[at(r * all + n + r)] = damping;
  }
  std::vector<double> x = shortest(std::move(wide), rows, all, b, 0.0);
  x.resize(at(n));
  return x;
}

double length(const std::vector<double>& a) {
  double sum = 0.0;
  for (const double x : a) sum += x * x;
  return std::sqrt(sum);
}
double largest(const std::vector<double>& a) {
  double most = 0.0;
  for (const double x : a) most = std::max(most, std::fabs(x));
  return most;
}

// The second body of a cut joint as seen from the first, in the axes of its frame there.
struct RelativeMotion {
  Mat3<double> R;
  Vec3<double> d;
  Motion<double> V;
};
RelativeMotion relative_motion(const LoopJoint& j, const Workspace<double>& ws) {
  const LinkMotion<double>&a = ws.motion[at(j.link[0])], &b = ws.motion[at(j.link[1])];
  const Mat3<double> R_A = a.R * j.R_LJ[0];
  const Vec3<double> r_A = a.R * j.p_LJ[0], r_B = b.R * j.p_LJ[1], p_B = b.p + r_B;
  const Motion<double> V_A = at_point(a.V, p_B - a.p), V_B = at_point(b.V, r_B);
  return {transpose(R_A) * (b.R * j.R_LJ[1]),
          transposed_times(R_A, p_B - (a.p + r_A)),
          {transposed_times(R_A, V_B.angular - V_A.angular),
           transposed_times(R_A, V_B.linear - V_A.linear)}};
}

std::vector<double> coordinates_of(JointKind kind, double pitch, const RelativeMotion& x) {
  const Mat3<double>& R = x.R;
  const double angle = std::atan2(R.x.y, R.x.x);
  switch (kind) {
    case JointKind::revolute:
      return {angle};
    case JointKind::translational:
      return {x.d.z};
    case JointKind::cylindrical:
      return {angle, x.d.z};
    case JointKind::screw:
      return {x.d.z / pitch};
    case JointKind::universal:
      return {std::atan2(-R.y.x, R.y.y), std::atan2(-R.x.z, R.z.z)};
    case JointKind::planar:
      return {x.d.x, x.d.y, angle};
    case JointKind::spherical:
      return list(rotation_vector_of(quaternion_of(R)));
    case JointKind::free: {
      std::vector<double> q = list(rotation_vector_of(quaternion_of(R)));
      q.insert(q.end(), {x.d.x, x.d.y, x.d.z});
      return q;
    }
    default:
      return {};
  }
}

// Axes of a joint about the origin of its second frame, in the axes of the first.
std::vector<Motion<double>> axes_of(JointKind kind, double pitch, const Mat3<double>& R) {
  return visit_joint(kind, [&]<class J>(J) {
    std::vector<Motion<double>> S(at(J::nv));
    J::axes(Mat3<double>::identity(), R, pitch, S.data());
    return S;
  });
}

struct CutPlace {
  const LoopJoint* joint = nullptr;
  int cluster = -1;
};
CutPlace find_cut(const Mechanism& m, JointIndex joint) {
  for (std::size_t k = 0; k < m.clusters.size(); ++k)
    for (const LoopJoint& j : m.clusters[k].joints)
      if (j.joint == joint) return {&j, static_cast<int>(k)};
  return {};
}
// The link that the joint carries; null where the joint is cut.
const Link* find_link(const Mechanism& m, JointIndex joint) {
  if (find_cut(m, joint).joint != nullptr) return nullptr;
  for (const Link& link : m.links)
    if (link.joint == joint) return &link;
  return nullptr;
}

// Its loops' cluster, or -1.
int cluster_of(const Mechanism& m, JointIndex joint) {
  if (const CutPlace cut = find_cut(m, joint); cut.joint != nullptr) return cut.cluster;
  return m.topology.cluster_of[static_cast<std::size_t>(find_link(m, joint) - m.links.data())];
}

void put(const Link& link, const JointValues& asked, Workspace<double>& ws) {
  double *q = ws.q.data() + link.q, *v = ws.v.data() + link.v;
  if (!asked.q.empty()) {
    const std::vector<double> to = coordinates(link.kind, asked.q, link.reversed);
    std::copy(to.begin(), to.end(), q);
  }
  if (!asked.v.empty()) {
    const std::vector<double> to = rates(link, asked.v, q);
    std::copy(to.begin(), to.end(), v);
  }
}

// --- one cluster ---------------------------------------------------------------------------------

class ClusterStart {
 public:
  ClusterStart(const Mechanism& m, int cluster, Workspace<double>& ws)
      : m_(m),
        k_(cluster),
        c_(m.clusters[at(cluster)]),
        n_(c_.nv),
        ws_(ws),
        s_(ws.loops[at(cluster)]) {}

  void ask(const StartValue& value) {
    if (const Link* link = find_link(m_, value.joint); link != nullptr)
      links_.push_back({link, &value});
    else
      cuts_.push_back({find_cut(m_, value.joint).joint, &value});
  }
  [[nodiscard]] bool asked() const { return !links_.empty() || !cuts_.empty(); }

  // False: the nearest position that was found.
  bool place() {
    const auto begin = ws_.q;
    auto best = begin;
    double least = 1e300;
    for (int attempt = 0; attempt <= attempts(); ++attempt) {
      ws_.q = begin;
      if (attempt > 0 && !step_aside(attempt)) continue;
      const double miss = approach();
      const auto reached = ws_.q;
      if (miss < kPerhapsNear && fix()) return true;
      if (miss < least) least = miss, best = reached;
    }
    ws_.q = best;
    close();
    return false;
  }

  // False: the nearest rates.
  bool move() {
    look();
    std::vector<double> fixed(at(n_));
    std::vector<bool> held(at(n_), false);
    for (const auto& [link, value] : links_) {
      const auto v = rates(*link, value->asked.v, ws_.q.data() + link->q);
      for (std::size_t i = 0; i < v.size(); ++i) {
        fixed[at(link->v - c_.v) + i] = v[i];
        held[at(link->v - c_.v) + i] = true;
      }
    }
    Matrix A = s_.G, free;
    std::vector<double> b = s_.b;
    for (double& x : b) x = -x;
    const int loops = c_.rows;
    for (const auto& [joint, value] : cuts_)
      if (!value->asked.v.empty()) add_rates(*joint, *value, A, b);
    const int rows = static_cast<int>(b.size());
    free = A;
    std::vector<double> rest = b;
    for (int r = 0; r < rows; ++r)
      for (int a = 0; a < n_; ++a)
        if (held[at(a)]) {
          rest[at(r)] -= A[at(r * n_ + a)] * fixed[at(a)];
          free[at(r * n_ + a)] = 0.0;
        }
    std::vector<double> v = shortest(std::move(free), rows, n_, rest);
    for (int a = 0; a < n_; ++a)
      if (held[at(a)]) v[at(a)] = fixed[at(a)];
    double gap = 0.0;
    for (int r = 0; r < rows; ++r) gap = std::max(gap, std::fabs(defect(A, r, v, b)));
    if (gap > kRateTolerance * std::max(1.0, largest(v))) {
      v = nearest_rates(A, b, loops, held, fixed);
      std::copy(v.begin(), v.end(), ws_.v.begin() + c_.v);
      return false;
    }
    std::copy(v.begin(), v.end(), ws_.v.begin() + c_.v);
    return true;
  }

 private:
  struct AskedLink {
    const Link* link;
    const StartValue* value;
  };
  struct AskedCut {
    const LoopJoint* joint;
    const StartValue* value;
  };

  // Ways round, where the shortest is barred: as at a dead point. Fewer where they are dear.
  [[nodiscard]] int attempts() const {
    const double cost = static_cast<double>(n_) * c_.rows * c_.rows;
    return cost > 1e6 ? 2 : cost > 1e5 ? 6 : 12;
  }

  bool close() { return assemble_cluster(m_, k_, kLoopsClosed, ws_); }

  void look() {
    for (int i = c_.first; i < c_.first + c_.links; ++i) place_link(m_.links[at(i)], ws_, i);
    loop_residuals(c_, ws_, s_);
    loop_jacobian(c_, ws_, s_);
  }

  void shift(const std::vector<double>& d) {
    for (int i = c_.first; i < c_.first + c_.links; ++i) {
      const Link& link = m_.links[at(i)];
      if (link.driven) continue;
      visit_joint(link.kind,
                  [&]<class J>(J) { J::moved(ws_.q.data() + link.q, d.data() + (link.v - c_.v)); });
    }
  }

  // What is left to go, and its derivative along the rates.
  struct Way {
    std::vector<double> go;
    Matrix E;
  };

  void add_links(Way& way) const {
    for (const auto& [link, value] : links_) {
      const std::vector<double>& q = value->asked.q;
      if (q.empty()) continue;
      const double* own = ws_.q.data() + link->q;
      std::vector<double> go(at(link->nv));
      const std::vector<double> to = coordinates(link->kind, q, link->reversed);
      const int turn = turns(link->kind) ? 3 : 0;
      if (turn > 0) {
        const Mat3<double> R =
            transpose(rotation(quaternion(own))) * rotation(quaternion(to.data()));
        std::copy_n(list(rotation_vector_of(quaternion_of(R))).begin(), 3, go.begin());
      }
      for (int i = turn; i < link->nv; ++i) {
        const std::size_t place = at(i + (turn > 0 ? 1 : 0));
        go[at(i)] = to[place] - own[place];
      }
      for (int i = 0; i < link->nv; ++i) {
        way.go.push_back(go[at(i)]);
        way.E.resize(way.E.size() + at(n_), 0.0);
        way.E[way.E.size() - at(n_) + at(link->v + i - c_.v)] = 1.0;
      }
    }
  }

  // Rows of the motion of the second body relative to the first, in given axes; what driven joints
  // add goes to `drift`.
  void add_relative(const LoopJoint& j, const Mat3<double>& turning, const Mat3<double>& sliding,
                    Matrix& E, std::vector<double>* drift) const {
    const LinkMotion<double>& b = ws_.motion[at(j.link[1])];
    const Vec3<double> p_B = b.p + b.R * j.p_LJ[1];
    const std::size_t first = E.size();
    E.resize(first + at(6 * n_), 0.0);
    for (const LoopColumn& x : j.columns) {
      const Motion<double> S = at_point(ws_.S[at(x.v)], p_B - ws_.motion[at(x.link)].p);
      const Vec3<double> w = x.sign * transposed_times(turning, S.angular),
                         u = x.sign * transposed_times(sliding, S.linear);
      const double parts[] = {w.x, w.y, w.z, u.x, u.y, u.z};
      for (std::size_t r = 0; r < 6; ++r)
        if (x.local >= 0)
          E[first + r * at(n_) + at(x.local)] += parts[r];
        else if (drift != nullptr)
          (*drift)[drift->size() - 6 + r] -= parts[r] * ws_.v[at(x.v)];
    }
  }

  void add_cuts(Way& way) const {
    for (const auto& [joint, value] : cuts_) {
      if (value->asked.q.empty()) continue;
      const JointKind kind = kind_of(value->joint);
      const std::vector<double> to = coordinates(kind, value->asked.q, false);
      Mat3<double> R;
      Vec3<double> d;
      visit_joint(kind, [&]<class J>(J) {
        J::pose(Mat3<double>::identity(), to.data(), joint->pitch, R, d);
      });
      const RelativeMotion x = relative_motion(*joint, ws_);
      const Vec3<double> turn = rotation_vector_of(quaternion_of(Mat3<double>(transpose(x.R) * R)));
      const Vec3<double> slide = d - x.d;
      for (const double go : {turn.x, turn.y, turn.z, slide.x, slide.y, slide.z})
        way.go.push_back(go);
      const Mat3<double> R_A = ws_.motion[at(joint->link[0])].R * joint->R_LJ[0];
      add_relative(*joint, R_A * x.R, R_A, way.E, nullptr);
    }
  }

  void add_rates(const LoopJoint& j, const StartValue& value, Matrix& A,
                 std::vector<double>& b) const {
    const RelativeMotion x = relative_motion(j, ws_);
    const auto S = axes_of(kind_of(value.joint), j.pitch, x.R);
    Motion<double> V{};
    for (std::size_t i = 0; i < S.size(); ++i) V += value.asked.v[i] * S[i];
    b.insert(b.end(), {V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z});
    const Mat3<double> R_A = ws_.motion[at(j.link[0])].R * j.R_LJ[0];
    add_relative(j, R_A, R_A, A, &b);
  }

  [[nodiscard]] JointKind kind_of(JointIndex joint) const {
    return m_.joint_kinds[at(joint.value)];
  }

  [[nodiscard]] Way way() const {
    Way w;
    add_links(w);
    add_cuts(w);
    return w;
  }

  // A basis of the rows of G.
  [[nodiscard]] Matrix basis_of_loops(int& rank) const {
    Matrix B = s_.G, L(at(c_.rows * c_.rows));
    std::vector<int> order(at(c_.rows));
    rank = orthonormalize(B.data(), c_.rows, n_, kRowTolerance, order.data(), L.data());
    return B;
  }

  // Less what of the rows is along the basis.
  void keep_off(const Matrix& B, int rank, Matrix& rows) const {
    for (std::size_t first = 0; first < rows.size(); first += at(n_))
      for (int r = 0; r < rank; ++r) {
        double part = 0.0;
        for (int a = 0; a < n_; ++a) part += rows[first + at(a)] * B[at(r * n_ + a)];
        for (int a = 0; a < n_; ++a) rows[first + at(a)] -= part * B[at(r * n_ + a)];
      }
  }

  // Along the loops to what is asked, as near as can be. Gives the distance.
  double approach() {
    constexpr int kIdle = 20;
    constexpr double kProgress = 1e-6;
    if (!close()) return 1e300;
    look();
    Way now = way();
    double miss = length(now.go), mark = miss, damping = kLeastDamping;
    const double most = 300 + 30 * std::min(1e3, largest(now.go));
    for (int i = 1; i < most && miss > kNear; ++i) {
      int rank = 0;
      const Matrix B = basis_of_loops(rank);
      keep_off(B, rank, now.E);
      const std::vector<double> before = ws_.q;
      for (bool nearer = false; !nearer; damping *= 30) {
        if (damping > kMostDamping) return miss;
        std::vector<double> d = damped(now.E, static_cast<int>(now.go.size()), n_, now.go, damping);
        if (const double most_of = largest(d); most_of > kLongestMove)
          for (double& x : d) x *= kLongestMove / most_of;
        shift(d);
        if (close()) {
          look();
          Way next = way();
          nearer = length(next.go) < miss;
          if (nearer) now = std::move(next);
        }
        if (!nearer) {
          ws_.q = before;
          look();
        }
      }
      miss = length(now.go);
      damping = std::max(kLeastDamping, damping / 900);
      if (i % kIdle == 0) {
        if (miss > (1 - kProgress) * mark) return miss;
        mark = miss;
      }
    }
    return miss;
  }

  // Some way along the loops, another each time.
  bool step_aside(int attempt) {
    look();
    int rank = 0;
    const Matrix B = basis_of_loops(rank);
    Matrix d(at(n_));
    std::uint64_t random = 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>((attempt + 1) / 2);
    for (double& x : d) {
      random = random * 6364136223846793005ULL + 1442695040888963407ULL;
      x = static_cast<double>(random >> 11) * 0x1.0p-52 - 1.0;
      if (attempt % 2 == 0) x = -x;  // there and back
    }
    keep_off(B, rank, d);
    if (!(largest(d) > 0.0)) return false;
    const double size = attempt <= 4 ? 1.0 : 4.0;
    for (double& x : d) x *= size * kLongestMove / largest(d);
    shift(d);
    return close();
  }

  // What is asked exactly; the rest moves until the loops close as well as can be.
  bool fix() {
    constexpr int kMostSteps = 100;
    std::vector<bool> held(at(n_), false);
    for (const auto& [link, value] : links_) {
      if (value->asked.q.empty()) continue;
      const auto q = coordinates(link->kind, value->asked.q, link->reversed);
      std::copy(q.begin(), q.end(), ws_.q.begin() + link->q);
      std::fill_n(held.begin() + (link->v - c_.v), link->nv, true);
    }
    double least = 1e300;
    int idle = 0;
    for (int i = 0;; ++i) {
      look();
      Way w;
      add_cuts(w);
      std::vector<double> b = s_.residual;
      for (double& x : b) x = -x;
      b.insert(b.end(), w.go.begin(), w.go.end());
      const double gap = largest(b);
      idle = gap < 0.5 * least ? 0 : idle + 1;
      least = std::min(least, gap);
      if (gap == 0.0 || (gap <= 0.01 * kLoopTolerance && idle > 0)) return true;
      if (i == kMostSteps || idle > 10 || !std::isfinite(gap)) return gap <= kLoopTolerance;
      Matrix A = s_.G;
      A.insert(A.end(), w.E.begin(), w.E.end());
      for (std::size_t r = 0; r < b.size(); ++r)
        for (int a = 0; a < n_; ++a)
          if (held[at(a)]) A[r * at(n_) + at(a)] = 0.0;
      std::vector<double> d = shortest(std::move(A), static_cast<int>(b.size()), n_, b);
      if (const double most = largest(d); most > kLongestMove)
        for (double& x : d) x *= kLongestMove / most;
      shift(d);
    }
  }

  [[nodiscard]] double defect(const Matrix& A, int row, const std::vector<double>& v,
                              const std::vector<double>& b) const {
    double sum = -b[at(row)];
    for (int a = 0; a < n_; ++a) sum += A[at(row * n_ + a)] * v[at(a)];
    return sum;
  }

  // Of the rates that the loops allow those nearest to what is asked.
  [[nodiscard]] std::vector<double> nearest_rates(const Matrix& A, const std::vector<double>& b,
                                                  int loops, const std::vector<bool>& held,
                                                  const std::vector<double>& fixed) const {
    const Matrix G(A.begin(), A.begin() + loops * n_);
    std::vector<double> v = shortest(G, loops, n_, {b.begin(), b.begin() + loops});
    Way w;
    for (int r = loops; r < static_cast<int>(b.size()); ++r) {
      w.go.push_back(-defect(A, r, v, b));
      w.E.insert(w.E.end(), A.begin() + r * n_, A.begin() + (r + 1) * n_);
    }
    for (int a = 0; a < n_; ++a)
      if (held[at(a)]) {
        w.go.push_back(fixed[at(a)] - v[at(a)]);
        w.E.resize(w.E.size() + at(n_), 0.0);
        w.E[w.E.size() - at(n_) + at(a)] = 1.0;
      }
    int rank = 0;
    const Matrix B = basis_of_loops(rank);
    keep_off(B, rank, w.E);
    const auto d = damped(w.E, static_cast<int>(w.go.size()), n_, w.go, kLeastDamping);
    for (int a = 0; a < n_; ++a) v[at(a)] += d[at(a)];
    return v;
  }

  const Mechanism& m_;
  int k_;
  const LoopCluster& c_;
  int n_;
  Workspace<double>& ws_;
  ClusterScratch<double>& s_;
  std::vector<AskedLink> links_;
  std::vector<AskedCut> cuts_;
};

// --- all of them
// -----------------------------------------------------------------------------------

// Closes all loops with driven joints at `part` of where they start.
bool close_all(const Mechanism& m, std::span<const Drive<double>> drives, double part,
               Workspace<double>& ws) {
  for (std::size_t d = 0; d < drives.size(); ++d) ws.q[at(m.nq) + d] = part * drives[d].q;
  bool closed = true;
  for (const Unit& unit : m.units) {
    if (unit.cluster < 0)
      place_link(m.links[at(unit.link)], ws, unit.link);
    else
      closed = assemble_cluster(m, unit.cluster, kLoopsClosed, ws) && closed;
  }
  return closed;
}

bool drive(const Mechanism& m, std::span<const Drive<double>> drives, Workspace<double>& ws) {
  constexpr double kMostSteps = 1000;
  double longest = 0.0;
  for (const Drive<double>& d : drives) longest = std::max(longest, std::fabs(d.q));
  const int steps =
      static_cast<int>(std::clamp(std::ceil(longest / kLongestMove), 1.0, kMostSteps));
  for (int i = 1; i < steps; ++i) close_all(m, drives, static_cast<double>(i) / steps, ws);
  return close_all(m, drives, 1.0, ws);
}

void note_misses(const Mechanism& m, std::span<const StartValue> asked, int cluster, bool rate,
                 const Workspace<double>& ws, Start& start) {
  for (const StartValue& a : asked) {
    if (cluster_of(m, a.joint) != cluster) continue;
    const JointValues found = values_of(m, a.joint, ws);
    StartMiss miss{a.joint, rate, rate ? a.asked.v : a.asked.q, rate ? found.v : found.q};
    if (!miss.asked.empty()) start.misses.push_back(std::move(miss));
  }
}

void move_all(const Mechanism& m, std::span<const Drive<double>> drives, Workspace<double>& ws) {
  for (int i = 1; i < static_cast<int>(m.links.size()); ++i)
    move_link(m.links[at(i)], drives, ws, i);
}

}  // namespace

double StartMiss::distance() const {
  double most = 0.0;
  for (std::size_t i = 0; i < asked.size(); ++i)
    most = std::max(most, std::fabs(asked[i] - nearest[i]));
  return most;
}

JointValues values_of(const Mechanism& m, JointIndex joint, const Workspace<double>& ws) {
  const JointKind kind = m.joint_kinds[at(joint.value)];
  if (const Link* link = find_link(m, joint); link != nullptr) {
    const double *q = ws.q.data() + link->q, *v = ws.v.data() + link->v;
    const int nv = link->driven ? 1 : link->nv;
    JointValues own{values_from(kind, q, nv), {v, v + nv}};
    if (link->reversed) own = {turned_over(kind, own.q), turned_over(kind, own.q, own.v)};
    return own;
  }
  const LoopJoint* cut = find_cut(m, joint).joint;
  if (cut == nullptr || is_composite(kind)) return {};
  const RelativeMotion x = relative_motion(*cut, ws);
  JointValues own{coordinates_of(kind, cut->pitch, x), {}};
  for (const Motion<double>& S : axes_of(kind, cut->pitch, x.R))
    own.v.push_back((dot(S.angular, x.V.angular) + dot(S.linear, x.V.linear)) /
                    (dot(S.angular, S.angular) + dot(S.linear, S.linear)));
  return own;
}

Start hold(const Mechanism& m, std::span<const StartValue> asked, std::span<double> q,
           std::span<double> v, std::span<const Drive<double>> drives, Workspace<double>& ws) {
  Start start;
  std::copy(q.begin(), q.end(), ws.q.begin());
  std::copy(v.begin(), v.end(), ws.v.begin());
  for (std::size_t d = 0; d < drives.size(); ++d) ws.v[at(m.nv) + d] = drives[d].v;
  ws.motion[0] = {Mat3<double>::identity(), {}, {}, {}, {}};
  std::vector<ClusterStart> clusters;
  for (int k = 0; k < static_cast<int>(m.clusters.size()); ++k) clusters.emplace_back(m, k, ws);
  for (const StartValue& a : asked) {
    if (const int cluster = cluster_of(m, a.joint); cluster >= 0)
      clusters[at(cluster)].ask(a);
    else
      put(*find_link(m, a.joint), a.asked, ws);
  }
  start.closed = drive(m, drives, ws);
  std::vector<int> open, unmoved;
  for (const Unit& unit : m.units) {
    if (unit.cluster < 0) {
      place_link(m.links[at(unit.link)], ws, unit.link);
      continue;
    }
    ClusterStart& cluster = clusters[at(unit.cluster)];
    if (!cluster.asked())
      start.closed = assemble_cluster(m, unit.cluster, 0.0, ws) && start.closed;
    else if (start.closed && !cluster.place())
      open.push_back(unit.cluster);
    if (start.closed && open.empty() && !cluster.move()) unmoved.push_back(unit.cluster);
  }
  move_all(m, drives, ws);
  for (const int k : open) note_misses(m, asked, k, false, ws, start);
  for (const int k : unmoved) note_misses(m, asked, k, true, ws, start);
  std::copy_n(ws.q.begin(), q.size(), q.begin());
  std::copy_n(ws.v.begin(), v.size(), v.begin());
  return start;
}

}  // namespace chicane::multibody
