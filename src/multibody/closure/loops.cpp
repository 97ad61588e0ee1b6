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
FrameMotion<T> frame_motion(const Motion<T>& V, const Motion<T>& C, const Vec3<T>& r) {
  const Vec3<T> wr = cross(V.angular, r);
  return {V.angular, V.linear + wr, C.angular,
          C.linear + cross(C.angular, r) + cross(V.angular, wr)};
}

template <class T>
T second_derivative(const LoopRow& row, const LoopFrames<T>& f, double pitch,
                    const FrameMotion<T>& A, const FrameMotion<T>& B) {
  // Of p_B as seen from A, in world axes.
  const auto relative = [&] {
    const Vec3<T> wd = cross(A.w, f.d);
    return B.a - A.a - cross(A.alpha, f.d) - cross(A.w, wd) - T(2) * cross(A.w, B.v - A.v - wd);
  };
  switch (row.type) {
    case Type::offset:
      return dot(axis(f.R_A, row.e), relative());
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
      return dot(z, relative()) -
             pitch * (dot(z, B.alpha - A.alpha) + dot(cross(A.w, z), B.w - A.w));
    }
  }
  return T(0);
}

bool needs_axes(const LoopJoint& j) {
  return std::any_of(j.rows.begin(), j.rows.end(),
                     [](const LoopRow& r) { return r.type != Type::distance; });
}
bool needs_axes_of_both(const LoopJoint& j) {
  return std::any_of(j.rows.begin(), j.rows.end(), [](const LoopRow& r) {
    return r.type == Type::angle || r.type == Type::thread;
  });
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
    if (needs_axes(j)) f.R_A = a.R * j.R_LJ[0];
    if (needs_axes_of_both(j)) f.R_B = b.R * j.R_LJ[1];
    for (std::size_t r = 0; r < j.rows.size(); ++r) {
      const T gap = residual(j.rows[r], f, j.pitch);
      s.residual[static_cast<std::size_t>(j.row) + r] = gap;
      largest = std::max(largest, std::fabs(value_of(gap)));
    }
  }
  return largest;
}

template <class T>
void loop_jacobian(const Mechanism& m, const LoopCluster& c, Workspace<T>& ws,
                   ClusterScratch<T>& s) {
  std::fill(s.G.begin(), s.G.end(), T(0));
  std::fill(s.b.begin(), s.b.end(), T(0));
  const std::size_t n = static_cast<std::size_t>(c.nv);
  for (std::size_t k = 0; k < c.joints.size(); ++k) {
    const LoopJoint& j = c.joints[k];
    const std::size_t rows = j.rows.size(), first = static_cast<std::size_t>(j.row);
    std::array<Wrench<T>, 6> w;
    for (std::size_t r = 0; r < rows; ++r) w[r] = row_wrench(j.rows[r], s.frames[k], j.pitch);
    const Vec3<T> p_B = ws.motion[static_cast<std::size_t>(j.link[1])].p + s.frames[k].r_B;
    for (const std::size_t side : {0u, 1u}) {
      const T sign(side == 0 ? -1.0 : 1.0);
      for (const int i : j.path[side]) {
        const Link& link = m.links[static_cast<std::size_t>(i)];
        const Vec3<T> r = p_B - ws.motion[static_cast<std::size_t>(i)].p;
        const int axes = link.driven ? 1 : link.nv;
        for (int x = 0; x < axes; ++x) {
          const std::size_t v = static_cast<std::size_t>(link.v + x);
          const Motion<T> S = sign * at_point(ws.S[v], r);
          if (link.driven)
            for (std::size_t q = 0; q < rows; ++q) s.b[first + q] += ws.v[v] * dot(S, w[q]);
          else
            for (std::size_t q = 0; q < rows; ++q)
              s.G[(first + q) * n + v - static_cast<std::size_t>(c.v)] = dot(S, w[q]);
        }
      }
    }
  }
}

template <class T>
void loop_bias(const Mechanism& m, const LoopCluster& c, Workspace<T>& ws, ClusterScratch<T>& s) {
  for (std::size_t k = 0; k < c.joints.size(); ++k) {
    const LoopJoint& j = c.joints[k];
    const LoopFrames<T>& f = s.frames[k];
    const auto motion = [&](std::size_t side, const Vec3<T>& r) {
      return frame_motion(ws.motion[static_cast<std::size_t>(j.link[side])].V,
                          acceleration_at_rest(m, c, ws, s, j.link[side]), r);
    };
    const FrameMotion<T> A = motion(0, f.r_A), B = motion(1, f.r_B);
    for (std::size_t r = 0; r < j.rows.size(); ++r)
      s.b[static_cast<std::size_t>(j.row) + r] = second_derivative(j.rows[r], f, j.pitch, A, B);
  }
}

template double loop_residuals(const LoopCluster&, Workspace<double>&, ClusterScratch<double>&);
template double loop_residuals(const LoopCluster&, Workspace<Dual>&, ClusterScratch<Dual>&);
template void loop_jacobian(const Mechanism&, const LoopCluster&, Workspace<double>&,
                            ClusterScratch<double>&);
template void loop_jacobian(const Mechanism&, const LoopCluster&, Workspace<Dual>&,
                            ClusterScratch<Dual>&);
template void loop_bias(const Mechanism&, const LoopCluster&, Workspace<double>&,
                        ClusterScratch<double>&);
template void loop_bias(const Mechanism&, const LoopCluster&, Workspace<Dual>&,
                        ClusterScratch<Dual>&);

}  // namespace chicane::multibody
