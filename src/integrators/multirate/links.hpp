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
    if (link == links.end()) link = links.insert(links.end(), Link{s.group, interp, {}, {}});
    link->to.push_back(static_cast<int>(i));
    link->place.push_back(s.place);
  }
}

// What a group published lately: the samples an interpolator may use.
template <class T>
struct Samples {
  std::span<const T> now, next;  // r_n, r_{n+1}
  const History<T>& old;         // r_{n-1}, r_{n-2}; those that are missing are the oldest there is
  const T* f_n = nullptr;        // rates of its states at t_n ...
  std::span<const int> behind = {};  // ... and the state that each signal is, or -1
  double step = 0;                   // T
};

// u = r(t_n + a T) for the signals of a link. a = 0 is the sample itself.
template <class T>
void blend(const Link& l, double a, const Samples<T>& r, std::span<T> u) noexcept {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  if (a == 0.0 || (a == 1.0 && info_of(l.interp).ahead)) {
    const std::span<const T> y = a == 0.0 ? r.now : r.next;
    for (std::size_t i = 0; i < l.to.size(); ++i) u[at(l.to[i])] = y[at(l.place[i])];
    return;
  }
  const Weights w = weights(l.interp, a);
  const int n = static_cast<int>(r.now.size());
  const T* back1 = r.old.count > 0 ? r.old.row(0, n) : r.now.data();
  const T* back2 = r.old.count > 1 ? r.old.row(1, n) : back1;
  for (std::size_t i = 0; i < l.to.size(); ++i) {
    const std::size_t k = at(l.place[i]);
    T sum = r.now[k] * w.now;
    if (w.next != 0.0) sum += r.next[k] * w.next;
    if (w.back1 != 0.0) sum += back1[k] * w.back1;
    if (w.back2 != 0.0) sum += back2[k] * w.back2;
    if (w.rate != 0.0) sum += r.f_n[r.behind[k]] * (w.rate * r.step);
    u[at(l.to[i])] = sum;
  }
}

}  // namespace chicane
