#include "multibody/closure/loops.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace chicane::multibody {

namespace {

using Type = LoopRow::Type;

// z_A . d - pitch angle, where turns that are whole do not count: the nearest thread holds.
template <class T>
T thread_residual(const LoopFrames<T>& f, double pitch) {
  const T angle = atan2(dot(f.R_A.y, f.R_B.x), dot(f.R_A.x, f.R_B.x));
  const T gap = dot(f.R_A.z, f.d) - pitch * angle;
  const double turn = 2 * std::numbers::pi * pitch;
  return gap - turn * std::round(value_of(gap) / turn);
}

template <class T>
T residual(const LoopRow& row, const LoopFrames<T>& f, double pitch) {
  switch (row.type) {
    case Type::offset:
      return dot(axis(f.R_A, row.e), f.d) - row.value;
    case Type::angle:
      return dot(axis(f.R_A, row.e), axis(f.R_B, row.f));
    case Type::distance:
      return norm(f.d) - row.value;
    case Type::thread:
      return thread_residual(f, pitch);
  }
  return T(0);
}

// Velocity and acceleration of a frame on a link.
template <class T>
struct FrameMotion {
  Vec3<T> w, v, alpha, a;
};

template <class T>
[[gnu::always_inline]] inline FrameMotion<T> frame_motion(const Motion<T>& V, const Motion<T>& C,
                                                          const Vec3<T>& r) {
  const Vec3<T> wr = cross(V.angular, r);
  return {V.angular, V.linear + wr, C.angular,
          cross_add(V.angular, wr, cross_add(C.angular, r, C.linear))};
}

// Acceleration of p_B as seen from A, in world axes.
template <class T>
Vec3<T> seen_from_A(const LoopFrames<T>& f, const FrameMotion<T>& A, const FrameMotion<T>& B) {
  const Vec3<T> wd = cross(A.w, f.d);
  return B.a - A.a - cross(A.alpha, f.d) - cross(A.w, wd) - T(2) * cross(A.w, B.v - A.v - wd);
}

template <class T>
T second_derivative(const LoopRow& row, const LoopFrames<T>& f, double pitch,
                    const FrameMotion<T>& A, const FrameMotion<T>& B) {
  switch (row.type) {
    case Type::offset:
      return dot(axis(f.R_A, row.e), seen_from_A(f, A, B));
    case Type::angle: {
      const Vec3<T>&e = axis(f.R_A, row.e), &g = axis(f.R_B, row.f);
      const Vec3<T> we = cross(A.w, e), wg = cross(B.w, g);
      return dot(e, cross(B.alpha, g) + cross(B.w, wg)) + T(2) * dot(we, wg) +
             dot(cross(A.alpha, e) + cross(A.w, we), g);
    }
    case Type::distance: {
      const Vec3<T> rate = B.v - A.v;
      const T along = dot(f.d, rate), dd = dot(f.d, f.d);
      return (dot(f.d, B.a - A.a) + dot(rate, rate) - along * along / dd) / sqrt(dd);
    }
    case Type::thread: {
      const Vec3<T>& z = f.R_A.z;
      return dot(z, seen_from_A(f, A, B)) -
             pitch * (dot(z, B.alpha - A.alpha) + dot(cross(A.w, z), B.w - A.w));
    }
  }
  return T(0);
}

template <class T>
Motion<T> end_acceleration(const Mechanism& m, const LoopCluster& c, const Workspace<T>& ws,
                           const ClusterScratch<T>& s, const LoopJoint& j, std::size_t side) {
  if (j.local[side] >= 0) return s.C[static_cast<std::size_t>(j.local[side])];
  if (j.local[side] == -1) return {};
  return acceleration_at_rest(m, c, ws, s, j.link[side]);
}

}  // namespace

template <class T>
double loop_residuals(const LoopCluster& c, Workspace<T>& ws, ClusterScratch<T>& s) {
  double largest = 0.0;
  for (std::size_t k = 0; k < c.joints.size(); ++k) {
    const LoopJoint& j = c.joints[k];
    const auto &a = ws.motion[static_cast<std::size_t>(j.link[0])],
               &b = ws.motion[static_cast<std::size_t>(j.link[1])];
    LoopFrames<T>& f = s.frames[k];
    f.r_A = a.R * j.p_LJ[0];
    f.r_B = b.R * j.p_LJ[1];
    f.d = (b.p - a.p) + (f.r_B - f.r_A);
    if (j.own_axes)
      f.R_A = a.R;
    else if (j.axes[0])
      f.R_A = a.R * j.R_LJ[0];
    if (j.axes[1]) f.R_B = b.R * j.R_LJ[1];
    for (std::size_t r = 0; r < j.rows.size(); ++r) {
      const T gap = residual(j.rows[r], f, j.pitch);
      s.residual[static_cast<std::size_t>(j.row) + r] = gap;
      largest = std::max(largest, std::fabs(value_of(gap)));
    }
  }
  return largest;
}

template <class T>
void loop_jacobian(const LoopCluster& c, Workspace<T>& ws, ClusterScratch<T>& s) {
  std::fill(s.G.begin(), s.G.end(), T(0));
  std::fill(s.b.begin(), s.b.end(), T(0));
  const std::size_t n = static_cast<std::size_t>(c.nv);
  for (std::size_t k = 0; k < c.joints.size(); ++k) {
    const LoopJoint& j = c.joints[k];
    const std::size_t rows = j.rows.size();
    std::array<Wrench<T>, 6> w;
    std::size_t forces = 0;  // rows without a moment
    for (std::size_t r = 0; r < rows; ++r) {
      w[r] = row_wrench(j.rows[r], s.frames[k], j.pitch);
      if (j.rows[r].type == Type::offset || j.rows[r].type == Type::distance) ++forces;
    }
    const Vec3<T> p_B = ws.motion[static_cast<std::size_t>(j.link[1])].p + s.frames[k].r_B;
    for (const LoopJoint::Column& x : j.columns) {
      const std::size_t v = static_cast<std::size_t>(x.v);
      const Vec3<T> r = p_B - ws.motion[static_cast<std::size_t>(x.link)].p;
      const Motion<T> S = T(x.sign) * at_point(ws.S[v], r);
      T* entry = x.local < 0 ? s.b.data() + j.row
                             : s.G.data() + static_cast<std::size_t>(j.row) * n + x.local;
      if (x.local < 0) {
        for (std::size_t q = 0; q < rows; ++q) entry[q] += ws.v[v] * dot(S, w[q]);
        continue;
      }
      for (std::size_t q = 0; q < forces; ++q) entry[q * n] = dot(S.linear, w[q].force);
      for (std::size_t q = forces; q < rows; ++q) entry[q * n] = dot(S, w[q]);
    }
  }
}

template <class T>
void loop_bias(const Mechanism& m, const LoopCluster& c, Workspace<T>& ws, ClusterScratch<T>& s) {
  for (std::size_t k = 0; k < c.joints.size(); ++k) {
    const LoopJoint& j = c.joints[k];
    const LoopFrames<T>& f = s.frames[k];
    const FrameMotion<T> A = frame_motion(ws.motion[static_cast<std::size_t>(j.link[0])].V,
                                          end_acceleration(m, c, ws, s, j, 0), f.r_A),
                         B = frame_motion(ws.motion[static_cast<std::size_t>(j.link[1])].V,
                                          end_acceleration(m, c, ws, s, j, 1), f.r_B);
    std::size_t r = 0;
    T* b = s.b.data() + j.row;
    if (j.pinned) {  // d and its rate are zero
      const Vec3<T> a = B.a - A.a;
      b[0] = dot(f.R_A.x, a), b[1] = dot(f.R_A.y, a), b[2] = dot(f.R_A.z, a);
      r = 3;
    }
    for (; r < j.rows.size(); ++r) b[r] = second_derivative(j.rows[r], f, j.pitch, A, B);
  }
}

template double loop_residuals(const LoopCluster&, Workspace<double>&, ClusterScratch<double>&);
template double loop_residuals(const LoopCluster&, Workspace<Dual>&, ClusterScratch<Dual>&);
template void loop_jacobian(const LoopCluster&, Workspace<double>&, ClusterScratch<double>&);
template void loop_jacobian(const LoopCluster&, Workspace<Dual>&, ClusterScratch<Dual>&);
template void loop_bias(const Mechanism&, const LoopCluster&, Workspace<double>&,
                        ClusterScratch<double>&);
template void loop_bias(const Mechanism&, const LoopCluster&, Workspace<Dual>&,
                        ClusterScratch<Dual>&);

}  // namespace chicane::multibody
