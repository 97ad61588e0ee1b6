// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "integrators/group_system.hpp"
#include "integrators/multirate/interpolator.hpp"

namespace chicane {

// Signals that a group reads from one other group in one way.
struct Link {
  GroupIndex from;
  Interpolator interp = Interpolator::hold;
  bool ahead = false;          // it needs r_{n+1}
  std::vector<int> to, place;  // places in u of the reader, in y of the source
};

// Sorts what group g reads into links from slower and from faster groups. `interps`: one per
// signal.
inline void links_of(GroupIndex g, std::span<const Source> sources,
                     std::span<const Interpolator> interps, std::vector<Link>& slow,
                     std::vector<Link>& fast) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Source& s = sources[i];
    auto& links = s.group < g ? slow : fast;
    const Interpolator interp = s.group < g ? interps[i] : Interpolator::hold;
    auto link = std::find_if(links.begin(), links.end(), [&](const Link& l) {
      return l.from == s.group && l.interp == interp;
    });
    if (link == links.end())
      link = links.insert(links.end(), Link{s.group, interp, info_of(interp).ahead});
    link->to.push_back(static_cast<int>(i));
    link->place.push_back(s.place);
  }
}

// What a group published lately and what an interpolator may use of it. None of it moves while the
// group is within one step.
template <class T>
struct Samples {
  const T *now = nullptr, *next = nullptr;     // r_n, r_{n+1}
  const T *back1 = nullptr, *back2 = nullptr;  // r_{n-1}, r_{n-2}
  const T* f_n = nullptr;                      // rates of its states at t_n ...
  const int* state_of = nullptr;               // ... and the state that each signal is
  double step = 0;                             // T

  // Old samples that are missing are taken as the oldest there is.
  void look_back(const History<T>& old, int n) {
    back1 = old.count > 0 ? old.row(0, n) : now;
    back2 = old.count > 1 ? old.row(1, n) : back1;
  }
};

template <Interpolator kind, class T>
void blend_by(const Link& l, double a, const Samples<T>& r, std::span<T> u) noexcept {
  constexpr InterpolatorInfo info = info_of(kind);
  const Weights w = weights(kind, a);
  const std::size_t n = l.to.size();
  const int *to = l.to.data(), *place = l.place.data();
  for (std::size_t i = 0; i < n; ++i) {
    const int k = place[i];
    T sum = r.now[k] * w.now;
    if constexpr (info.ahead) sum += r.next[k] * w.next;
    if constexpr (info.back > 0) sum += r.back1[k] * w.back1;
    if constexpr (info.back > 1) sum += r.back2[k] * w.back2;
    if constexpr (info.rate) sum += r.f_n[r.state_of[k]] * (w.rate * r.step);
    u[static_cast<std::size_t>(to[i])] = sum;
  }
}

// u = r(t_n + a T) for the signals of a link. a = 0 is the sample itself.
template <class T>
void blend(const Link& l, double a, const Samples<T>& r, std::span<T> u) noexcept {
  using enum Interpolator;
  if (a == 0.0 || l.interp == hold || (a == 1.0 && l.ahead)) {
    const T* y = a == 1.0 && l.ahead ? r.next : r.now;
    for (std::size_t i = 0; i < l.to.size(); ++i)
      u[static_cast<std::size_t>(l.to[i])] = y[l.place[i]];
    return;
  }
  switch (l.interp) {
    case hold:
      return;
    case extrap1:
      return blend_by<extrap1>(l, a, r, u);
    case extrap2:
      return blend_by<extrap2>(l, a, r, u);
    case interp1:
      return blend_by<interp1>(l, a, r, u);
    case interp2:
      return blend_by<interp2>(l, a, r, u);
    case interp2d:
      return blend_by<interp2d>(l, a, r, u);
    case interp3:
      return blend_by<interp3>(l, a, r, u);
  }
}

}  // namespace chicane
