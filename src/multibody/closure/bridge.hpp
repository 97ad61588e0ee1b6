// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "multibody/closure/compound.hpp"
#include "multibody/closure/embed.hpp"

// Over a singular position. There the rows of the loops lose rank, G_d cannot be solved with, and
// several branches of motion meet. Along each branch, though, the dependent coordinates are smooth
// functions of the independent ones, and so are R and gamma. They are found at six places beside
// the given one, on the branch that goes on with the given rates, where the loops are well posed,
// and the polynomial through these gives them at the place itself:
//
//   f(0) = (15 (f(h) + f(-h)) - 6 (f(2h) + f(-2h)) + f(3h) + f(-3h)) / 20 + O(h^6)
//
// with f(k h) at q + k h v / |v|, independent rates as they are given. So a step that comes upon a
// singular position goes on as if there were none. Without the outer places, weights (4, -1) / 6
// leave O(h^4): where that makes a difference the branches do not meet but turn away from each
// other, and there is no bridge.

namespace chicane::multibody {

// First distance of two places, as an angle, and how often it may be doubled.
inline constexpr double kBridgeStep = 0.015;
inline constexpr int kLongerBridges = 2;
// R with and without the outer places, in the measures of its rates, may differ by this.
inline constexpr double kBridgeRoughness = 1e-4;
// More than this, in their measure, and the dependent rates have a pole there: not the loops are
// singular but independent rates badly chosen.
inline constexpr double kBridgeRates = 20.0;

// The largest dependent rate for a unit of an independent one, in their measures.
template <class T>
double largest_rate(const LoopCluster& c, const ClusterChoice& choice, const T* R) {
  const std::size_t f = choice.independent.size();
  double largest = 0.0;
  for (const int d : choice.dependent)
    for (std::size_t k = 0; k < f; ++k)
      largest = std::max(largest, std::fabs(value_of(R[at(d) * f + k])) * c.reach[at(d)] /
                                      c.reach[at(choice.independent[k])]);
  return largest;
}

// Of all rates of a cluster, driven ones too, as an angle by time.
template <class T>
double largest_speed(const Mechanism& m, const LoopCluster& c, std::span<const T> v,
                     std::span<const Drive<T>> drives) {
  double turn = 0.0, speed = 0.0;
  for (const double reach : c.reach) turn = std::max(turn, reach);
  for (int k = 0; k < c.nv; ++k)
    speed = std::max(speed, std::fabs(value_of(v[at(c.v + k)])) * c.reach[at(k)] / turn);
  for (int i = c.first; i < c.first + c.links; ++i)
    if (const Link& link = m.links[at(i)]; link.driven)
      speed = std::max(speed, std::fabs(value_of(drives[at(link.drive)].v)));
  return speed;
}

template <class T>
class Bridge {
 public:
  Bridge(const Mechanism& m, const LoopCluster& c, const ClusterChoice& choice,
         std::span<const T> q, std::span<const T> v, std::span<const Drive<T>> drives,
         Workspace<T>& ws, ClusterScratch<T>& s)
      : m_(m), c_(c), choice_(choice), q_(q), v_(v), drives_(drives), ws_(ws), s_(s) {
    for (int i = c.first; i < c.first + c.links; ++i)
      if (!m.links[at(i)].driven) coordinates_ += at(m.links[at(i)].nq);
  }

  // Coordinates and rates of the cluster in ws, its links placed, R and gamma in s. False: there is
  // none, and nothing is placed.
  bool cross() {
    const double speed = largest_speed<T>(m_, c_, v_, drives_);
    if (!(speed > 0.0)) return false;
    const bool close_to_rounding = std::exchange(ws_.close_to_rounding, true);
    double step = kBridgeStep / speed;
    bool found = false;
    for (int k = 0; k <= kLongerBridges && !found; ++k, step *= 2) found = gather(step) && smooth();
    ws_.close_to_rounding = close_to_rounding;
    if (found) arrive();
    return found;
  }

 private:
  static constexpr std::array kWeights{15.0 / 20, -6.0 / 20, 1.0 / 20};
  static constexpr std::array kInner{4.0 / 6, -1.0 / 6, 0.0};

  T* means_q() { return s_.bridge.data(); }
  T* means_v() { return means_q() + coordinates_; }
  T* means_R() { return means_v() + c_.nv; }
  [[nodiscard]] std::size_t entries() const { return at(c_.nv) * choice_.independent.size(); }
  T* means_gamma() { return means_R() + entries(); }
  T* rough_R() { return means_gamma() + c_.nv; }
  [[nodiscard]] std::size_t numbers() const { return coordinates_ + 2 * (at(c_.nv) + entries()); }

  // Given coordinates, moved by given rates for some time.
  void start_from_given(double time) {
    std::array<T, 6> dv;
    std::copy_n(v_.begin() + c_.v, c_.nv, ws_.v.begin() + c_.v);
    for (int i = c_.first; i < c_.first + c_.links; ++i) {
      const Link& link = m_.links[at(i)];
      T* q = ws_.q.data() + link.q;
      if (link.driven)
        *q = drives_[at(link.drive)].q;
      else
        std::copy_n(q_.begin() + link.q, link.nq, q);
      for (int k = 0; k < link.nv; ++k) dv[at(k)] = time * ws_.v[at(link.v + k)];
      visit_joint(link.kind, [&]<class J>(J) { J::moved(q, dv.data()); });
    }
  }

  bool gather(double step) {
    std::fill_n(s_.bridge.begin(), numbers(), T(0));
    for (int k = 1; k <= 3; ++k)
      for (const int sign : {1, -1}) {
        start_from_given(sign * k * step);
        if (embed_cluster(m_, c_, choice_, ws_, s_) != Status::ok) return false;
        if (largest_rate(c_, choice_, s_.R.data()) > kBridgeRates) return false;
        for (int i = c_.first; i < c_.first + c_.links; ++i)
          move_link(m_.links[at(i)], drives_, ws_, i);
        dependent_accelerations(m_, c_, choice_, ws_, s_);
        add(kWeights[at(k - 1)], kInner[at(k - 1)]);
      }
    return true;
  }

  bool smooth() { return largest_rate(c_, choice_, rough_R()) <= kBridgeRoughness; }

  void add(double weight, double inner) {
    T* to = means_q();
    for (int i = c_.first; i < c_.first + c_.links; ++i) {
      const Link& link = m_.links[at(i)];
      for (int k = 0; k < link.nq && !link.driven; ++k) *to++ += weight * ws_.q[at(link.q + k)];
    }
    for (int k = 0; k < c_.nv; ++k) {
      means_v()[k] += weight * ws_.v[at(c_.v + k)];
      means_gamma()[k] += weight * s_.gamma[at(k)];
    }
    for (std::size_t k = 0; k < entries(); ++k) {
      means_R()[k] += weight * s_.R[k];
      rough_R()[k] += (weight - inner) * s_.R[k];
    }
  }

  void arrive() {
    const T* from = means_q();
    for (int i = c_.first; i < c_.first + c_.links; ++i) {
      const Link& link = m_.links[at(i)];
      T* q = ws_.q.data() + link.q;
      if (link.driven) {
        *q = drives_[at(link.drive)].q;
        continue;
      }
      std::copy_n(from, link.nq, q);
      from += link.nq;
      visit_joint(link.kind, [&]<class J>(J) {
        if constexpr (J::kQuaternion) store(normalized(quaternion(q)), q);
      });
    }
    for (const int d : choice_.dependent) ws_.v[at(c_.v + d)] = means_v()[d];
    for (const int i : choice_.independent) ws_.v[at(c_.v + i)] = v_[at(c_.v + i)];
    std::copy_n(means_R(), entries(), s_.R.begin());
    std::copy_n(means_gamma(), c_.nv, s_.gamma.begin());
    place_and_measure(m_, c_, ws_, s_);
  }

  const Mechanism& m_;
  const LoopCluster& c_;
  const ClusterChoice& choice_;
  std::span<const T> q_, v_;
  std::span<const Drive<T>> drives_;
  Workspace<T>& ws_;
  ClusterScratch<T>& s_;
  std::size_t coordinates_ = 0;
};

}  // namespace chicane::multibody
