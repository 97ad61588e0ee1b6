// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "vehicle/tire/grip.hpp"

// TMeasy: curves through points with a meaning - slope at no slip, the largest force and its slip,
// the sliding force and its slip - given at two loads.
//
// Source: G. Rill, Road Vehicle Dynamics (CRC Press, 2012), chapter 3. Parameters as in Project
// Chrono's data for TMeasy; like there, the ground's friction over mu_0 scales the points of both
// forces and their slips, not the slopes at no slip, and loads above F_max count as F_max.
//
// Combined slip is Rill's with normalised slips (Chrono's present version leaves the slips as they
// are). The slope at no slip then depends a little on the direction; within a slip of
// 1e-8 the directions are blended. Else the force has continuous slopes, but for the kink in load
// at F_max.

namespace chicane::tire {

template <class T>
struct TmeasyCurve {
  T dF_0;  // [N] slope at no slip
  T F_M;   // [N] largest force
  T F_S;   // [N] sliding force
  T s_M;   // [-] slip of the largest force
  T s_S;   // [-] slip from which all slides
};

template <class T>
struct TmeasyTrail {
  T n_0;  // [-] trail over contact length at no slip
  T s_0;  // [-] slip at which the trail passes 0
  T s_E;  // [-] slip from which it stays 0
};

template <class T>
struct TmeasyPoints {
  TmeasyCurve<T> x, y;
  TmeasyTrail<T> trail;
};

template <class T>
struct Tmeasy {
  static constexpr Reference kReference = Reference::rolling;
  T F_N, F_max;                 // [N] nominal load, largest load of the curves
  T mu_0;                       // [-] friction of the ground the points belong to
  TmeasyPoints<T> at_N, at_2N;  // at the loads F_N and 2 F_N
};

// Why the curves of these points would be none at some load up to F_max; nothing if all is well.
std::optional<std::string> fault_in(const Tmeasy<double>& p);

// The way data sheets and Chrono's files have it: forces and slopes divided by their load.
template <class T>
TmeasyPoints<T> times_load(TmeasyPoints<T> p, const T& F_z) {
  for (TmeasyCurve<T>* c : {&p.x, &p.y}) {
    c->dF_0 = F_z * c->dF_0;
    c->F_M = F_z * c->F_M;
    c->F_S = F_z * c->F_S;
  }
  return p;
}

// Between the loads slips go straight, forces as a parabola through 0; q = F_z / F_N.
template <class T>
T straight(const T& at_N, const T& at_2N, const T& q) {
  return at_N + (at_2N - at_N) * (q - 1.0);
}
template <class T>
T degressive(const T& at_N, const T& at_2N, const T& q) {
  return q * (2.0 * at_N - 0.5 * at_2N - (at_N - 0.5 * at_2N) * q);
}

// scale: friction of the ground over mu_0
template <class T>
TmeasyCurve<T> at_load(const TmeasyCurve<T>& a, const TmeasyCurve<T>& b, const T& q,
                       const T& scale) {
  return {.dF_0 = degressive(a.dF_0, b.dF_0, q),
          .F_M = scale * degressive(a.F_M, b.F_M, q),
          .F_S = scale * degressive(a.F_S, b.F_S, q),
          .s_M = scale * straight(a.s_M, b.s_M, q),
          .s_S = scale * straight(a.s_S, b.s_S, q)};
}

// F/s of one curve: a fraction up to s_M, two parabolas (or a cubic, if they do not fit) to s_S.
template <class T>
T secant(const TmeasyCurve<T>& c, const T& s) {
  const T dF_0 = max(c.dF_0, 2.0 * c.F_M / c.s_M);
  const T sn = s / c.s_M;
  const T adhesion = dF_0 / (1.0 + (sn + dF_0 * c.s_M / c.F_M - 2.0) * sn);

  const T a = c.F_M * c.F_M / (dF_0 * c.s_M * c.s_M * c.s_M);  // half the curvature at s_M
  const T s_star = c.s_M + (c.F_M - c.F_S) / (a * (c.s_S - c.s_M));
  const T b = a * (s_star - c.s_M) / select(s_star < c.s_S, c.s_S - s_star, T(1.0));
  const T first = c.F_M - a * (s - c.s_M) * (s - c.s_M);
  const T second = c.F_S + b * (c.s_S - s) * (c.s_S - s);
  const T n = (s - c.s_M) / (c.s_S - c.s_M);
  const T cubic = c.F_M - (c.F_M - c.F_S) * n * n * (3.0 - 2.0 * n);
  const T falling = select(s_star < c.s_S, select(s < s_star, first, second), cubic);

  const T F = select(s < c.s_S, falling, c.F_S);
  return select(s < c.s_M, adhesion, F / select(s < c.s_M, T(1.0), s));
}

template <class T>
TmeasyTrail<T> at_load(const TmeasyTrail<T>& a, const TmeasyTrail<T>& b, const T& q) {
  return {straight(a.n_0, b.n_0, q), straight(a.s_0, b.s_0, q), straight(a.s_E, b.s_E, q)};
}

// At no load the curves' quotients become 0/0, though they have a limit: taken here, over F_N.
inline constexpr double kNoLoad = 1e-9;

template <class T>
T load_ratio(const Tmeasy<T>& p, const Load<T>& load) {
  return min(load.F_z, p.F_max) / p.F_N;
}

template <class T>
Grip<T> grip(const Tmeasy<T>& p, const Load<T>& load, const Slip<T>& s) {
  const T q = load_ratio(p, load);
  const T scale = load.mu / p.mu_0;
  const TmeasyCurve<T> x = at_load(p.at_N.x, p.at_2N.x, max(q, kNoLoad), scale);
  const TmeasyCurve<T> y = at_load(p.at_N.y, p.at_2N.y, max(q, kNoLoad), scale);

  // normalising factors and normalised slips
  //   h_x = s_M,x / (s_M,x + s_M,y) + r_x / (r_x + r_y)   with r = F_M / dF_0,   h_x + h_y = 2
  const T reach_x = x.F_M * y.dF_0, reach_y = y.F_M * x.dF_0;
  const T h_x = x.s_M / (x.s_M + y.s_M) + reach_x / (reach_x + reach_y), h_y = 2.0 - h_x;
  const T per_x = 1.0 / h_x, per_y = 1.0 / h_y;
  const T s_x = per_x * s.x, s_y = per_y * s.y;

  // the curve of this direction, through the ellipses of the points
  constexpr double kBlend = 1e-16;  // square of a slip
  const T cc = (s_x * s_x + kBlend) / (s_x * s_x + s_y * s_y + 2.0 * kBlend), ss = 1.0 - cc;
  const auto ellipse = [&](const T& a, const T& b) { return sqrt(a * a * cc + b * b * ss); };
  const TmeasyCurve<T> c{.dF_0 = ellipse(x.dF_0 * h_x, y.dF_0 * h_y),
                         .F_M = ellipse(x.F_M, y.F_M),
                         .F_S = ellipse(x.F_S, y.F_S),
                         .s_M = ellipse(per_x * x.s_M, per_y * y.s_M),
                         .s_S = ellipse(per_x * x.s_S, per_y * y.s_S)};
  const T f = secant(c, magnitude(s_x, s_y));
  const auto loaded = q > kNoLoad;
  return {per_x * f, per_y * f, select(loaded, x.F_M, T(0.0)), select(loaded, y.F_M, T(0.0))};
}

// From n_0 through 0 at s_0 to 0 at s_E; straight and S-shaped parts by the weight s_0 / s_E.
template <class T>
T trail(const Tmeasy<T>& p, const Load<T>& load, const T& s_y) {
  const TmeasyTrail<T> t = at_load(p.at_N.trail, p.at_2N.trail, load_ratio(p, load));
  const T weight = t.s_0 / t.s_E;
  const T s = abs(s_y), sn = s / t.s_0;
  const T low = (1.0 - weight) * (1.0 - sn) + weight * (1.0 - (3.0 - 2.0 * sn) * sn * sn);
  const T rest = (t.s_E - s) / select(t.s_0 < t.s_E, t.s_E - t.s_0, T(1.0));
  const T high = (1.0 - weight) * (1.0 - sn) * rest * rest;
  return load.L * t.n_0 * select(s < t.s_0, low, select(s < t.s_E, high, T(0.0)));
}

}  // namespace chicane::tire
