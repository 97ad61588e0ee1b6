// SPDX-License-Identifier: Apache-2.0
#include "multibody/closure/loops.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace chicane::multibody {

namespace {

using Type = LoopRow::Type;

// z_A . d - pitch angle, where turns that are whole do not count: the nearest thread holds.
template <class T>
T thread_residual(const LoopFrames<T>& f, const numbers_t<T>& pitch) {
  const T angle = atan2(dot(f.R_A.y, f.R_B.x), dot(f.R_A.x, f.R_B.x));
  const T gap = dot(f.R_A.z, f.d) - pitch * angle;
  const numbers_t<T> turn = 2 * std::numbers::pi * pitch;
  return gap - turn * round(value_of(gap) / turn);
}

template <class T>
T residual(const LoopRow& row, const LoopFrames<T>& f, const numbers_t<T>& value,
           const numbers_t<T>& pitch) {
  switch (row.type) {
    case Type::offset:
      return dot(axis(f.R_A, row.e), f.d) - value;
    case Type::angle:
      return dot(axis(f.R_A, row.e), axis(f.R_B, row.f));
    case Type::distance:
      return f.length - value;
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
T second_derivative(const LoopRow& row, const LoopFrames<T>& f, const numbers_t<T>& pitch,
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
      const T along = dot(f.u, rate);
      return dot(f.u, B.a - A.a) + (dot(rate, rate) - along * along) * f.per_length;
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
Motion<T> end_acceleration(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c,
                           const Workspace<T>& ws, const ClusterScratch<T>& s,
                           const LoopJointOf<numbers_t<T>>& j, std::size_t side) {
  if (j.local[side] >= 0) return s.C[static_cast<std::size_t>(j.local[side])];
  if (j.local[side] == -1) return {};
  return acceleration_at_rest(m, c, ws, s, j.link[side]);
}

}  // namespace

template <class T>
real_t<T> loop_residuals(const LoopClusterOf<numbers_t<T>>& c, Workspace<T>& ws,
                         ClusterScratch<T>& s) {
  real_t<T> largest(0.0);
  for (std::size_t k = 0; k < c.joints.size(); ++k) {
    const auto& j = c.joints[k];
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
    if (j.distance) {
      f.length = norm(f.d);
      f.per_length = T(1) / f.length;
      f.u = f.per_length * f.d;
    }
    T* gap = s.residual.data() + j.row;
    std::size_t r = 0;
    if (j.pinned) {
      const Vec3<T> d = transposed_times(f.R_A, f.d);
      gap[0] = d.x, gap[1] = d.y, gap[2] = d.z;
      r = 3;
    }
    for (; r < j.rows.size(); ++r) gap[r] = residual(j.rows[r], f, j.value[r], j.pitch);
  }
  for (const T& gap : s.residual) largest = max(largest, abs(value_of(gap)));
  return largest;
}

namespace {

// Calls row(x, S) for each axis x on the way to either body, S being its motion at p_B.
template <class T, class Row>
[[gnu::always_inline]] inline void for_columns(const LoopJointOf<numbers_t<T>>& j,
                                               const LoopFrames<T>& f, const Workspace<T>& ws,
                                               Row&& row) {
  const Vec3<T> p_B = ws.motion[static_cast<std::size_t>(j.link[1])].p + f.r_B;
  for (const LoopColumn& x : j.columns)
    row(x, at_point(ws.S[static_cast<std::size_t>(x.v)],
                    p_B - ws.motion[static_cast<std::size_t>(x.link)].p));
}

// Adds the column to row r of the joint in G, or what a driven joint makes of it to b.
template <class T>
[[gnu::always_inline]] inline void enter(const LoopJointOf<numbers_t<T>>& j, const LoopColumn& x,
                                         int r, const T& power, const Workspace<T>& ws,
                                         ClusterScratch<T>& s) {
  if (x.entry >= 0)
    s.G[static_cast<std::size_t>(j.G + r * j.width + x.entry)] = x.sign * power;
  else
    s.b[static_cast<std::size_t>(j.row + r)] +=
        x.sign * power * ws.v[static_cast<std::size_t>(x.v)];
}

}  // namespace

template <class T>
void loop_jacobian(const LoopClusterOf<numbers_t<T>>& c, Workspace<T>& ws, ClusterScratch<T>& s) {
  for (T& g : s.G) g = T(0);
  for (T& b : s.b) b = T(0);
  for (std::size_t k = 0; k < c.joints.size(); ++k) {
    const auto& j = c.joints[k];
    const LoopFrames<T>& f = s.frames[k];
    std::size_t first = 0;
    if (j.pinned) {
      for_columns(j, f, ws, [&](const LoopColumn& x, const Motion<T>& S) {
        const Vec3<T> d = transposed_times(f.R_A, S.linear);
        enter(j, x, 0, d.x, ws, s);
        enter(j, x, 1, d.y, ws, s);
        enter(j, x, 2, d.z, ws, s);
      });
      first = 3;
    }
    for (std::size_t r = first; r < j.rows.size(); ++r) {
      const Wrench<T> w = row_wrench(j.rows[r], f, j.pitch);
      const bool force = j.rows[r].type == Type::offset || j.rows[r].type == Type::distance;
      if (force)
        for_columns(j, f, ws, [&](const LoopColumn& x, const Motion<T>& S) {
          enter(j, x, static_cast<int>(r), dot(S.linear, w.force), ws, s);
        });
      else
        for_columns(j, f, ws, [&](const LoopColumn& x, const Motion<T>& S) {
          enter(j, x, static_cast<int>(r), dot(S, w), ws, s);
        });
    }
  }
}

template <class T>
void loop_bias(const Tree<numbers_t<T>>& m, const LoopClusterOf<numbers_t<T>>& c, Workspace<T>& ws,
               ClusterScratch<T>& s) {
  for (std::size_t k = 0; k < c.joints.size(); ++k) {
    const auto& j = c.joints[k];
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
template Lanes4 loop_residuals(const LoopClusterOf<Lanes4>&, Workspace<Lanes4>&,
                               ClusterScratch<Lanes4>&);
template void loop_jacobian(const LoopCluster&, Workspace<double>&, ClusterScratch<double>&);
template void loop_jacobian(const LoopCluster&, Workspace<Dual>&, ClusterScratch<Dual>&);
template void loop_jacobian(const LoopClusterOf<Lanes4>&, Workspace<Lanes4>&,
                            ClusterScratch<Lanes4>&);
template void loop_bias(const Tree<double>&, const LoopCluster&, Workspace<double>&,
                        ClusterScratch<double>&);
template void loop_bias(const Tree<double>&, const LoopCluster&, Workspace<Dual>&,
                        ClusterScratch<Dual>&);
template void loop_bias(const Tree<Lanes4>&, const LoopClusterOf<Lanes4>&, Workspace<Lanes4>&,
                        ClusterScratch<Lanes4>&);

}  // namespace chicane::multibody
