// SPDX-License-Identifier: Apache-2.0
#include "vehicle/terrain/iso8608.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

namespace chicane::terrain {
namespace {

using Complex = std::complex<double>;
constexpr double kTwoPi = 2.0 * std::numbers::pi;

// Splitmix64: the same numbers everywhere. Source: Steele, Lea and Flood, Fast splittable
// pseudorandom number generators, OOPSLA 2014.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  double uniform() {  // 0 to 1, both excluded
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    z ^= z >> 31U;
    return (static_cast<double>(z >> 11U) + 0.5) * 0x1p-53;
  }
  double normal() {
    const double r = std::sqrt(-2.0 * std::log(uniform()));
    return r * std::cos(kTwoPi * uniform());
  }

 private:
  std::uint64_t state_;
};

// sum of c_k exp(2 pi i k j / N) for all j, in place; N is a power of two.
void sum_of_waves(std::vector<Complex>& c) {
  const std::size_t n = c.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1U;
    for (; (j & bit) != 0; bit >>= 1U) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(c[i], c[j]);
  }
  for (std::size_t half = 1; half < n; half *= 2) {
    std::vector<Complex> turn(half);
    for (std::size_t k = 0; k < half; ++k)
      turn[k] =
          std::polar(1.0, std::numbers::pi * static_cast<double>(k) / static_cast<double>(half));
    for (std::size_t begin = 0; begin < n; begin += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const Complex a = c[begin + k], b = turn[k] * c[begin + half + k];
        c[begin + k] = a + b;
        c[begin + half + k] = a - b;
      }
  }
}

struct Wave {
  std::size_t k;  // periods over the length
  Complex c;      // amplitude and phase
  double across;  // [1/m] lateral wave number
};

std::vector<Wave> waves_of(const Iso8608& road) {
  Dice dice(road.seed);
  std::vector<Wave> waves;
  const double step = 1.0 / road.length;  // [1/m]
  const auto first = static_cast<std::size_t>(std::ceil(kIsoLow / step));
  const auto last = static_cast<std::size_t>(std::floor(kIsoHigh / step));
  for (std::size_t k = std::max<std::size_t>(first, 1); k <= last; ++k) {
    const double n = static_cast<double>(k) * step;
    const double density = road.roughness * std::pow(n / 0.1, -road.waviness);
    const double phase = kTwoPi * dice.uniform();
    waves.push_back(
        {k, std::polar(std::sqrt(2.0 * density * step), phase), road.spread * n * dice.normal()});
  }
  return waves;
}

}  // namespace

double iso_roughness(char road_class) { return 16e-6 * std::pow(4.0, road_class - 'A'); }

CrgFile make_iso8608(const Iso8608& road) {
  constexpr double kStep = 0.05, kAcross = 0.2;  // [m] at most
  const std::size_t n = std::bit_ceil(static_cast<std::size_t>(std::ceil(road.length / kStep)));
  const bool both_same = road.spread == 0.0;
  const std::size_t lines =
      both_same ? 2 : static_cast<std::size_t>(std::ceil(road.width / kAcross)) + 1;
  CrgFile out;
  out.rows = n + 1;
  out.format = "ISO 8608";
  out.header.start_u = 0.0;
  out.header.increment = road.length / static_cast<double>(n);
  out.options = CrgOptions{.border_mode_u = 3.0};
  out.modifiers.emplace();
  out.z.resize(out.rows * lines);
  const std::vector<Wave> waves = waves_of(road);
  std::vector<Complex> c;
  for (std::size_t line = 0; line < lines; ++line) {
    const double v =
        road.width * (static_cast<double>(line) / static_cast<double>(lines - 1) - 0.5);
    out.v.push_back(v);
    c.assign(n, 0.0);
    for (const Wave& w : waves) c[w.k] = w.c * std::polar(1.0, kTwoPi * w.across * v);
    sum_of_waves(c);
    for (std::size_t row = 0; row < out.rows; ++row) out.z[row * lines + line] = c[row % n].real();
  }
  return out;
}

}  // namespace chicane::terrain
