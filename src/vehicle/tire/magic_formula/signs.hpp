// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace chicane::tire {

// Axes and signs that coefficients belong to (Pacejka 2012, appendix 1). All have the inclination
// positive where the top leans to the right.
//   iso           y left, z up; slip angle positive where the wheel moves to the left
//   sae           y right, z down; slip angle positive where it moves to the right
//   adapted_sae   y right, z down; slip angle positive where it moves to the left
enum class TirSigns { iso, sae, adapted_sae };
inline constexpr std::array<std::string_view, 3> kTirSigns{"iso", "sae", "adapted-sae"};

// From ISO 8855 to those of the coefficients, and back: each is 1 or -1.
struct MagicSigns {
  double alpha = 1.0;   // of slip angles
  double gamma = 1.0;   // of inclination and overturning moment
  double normal = 1.0;  // of lateral force, aligning moment and turn slip

  // `mirrored`: the tire is on the other side of the vehicle than the one that was measured.
  static constexpr MagicSigns of(TirSigns signs, bool mirrored) {
    const double m = mirrored ? -1.0 : 1.0;
    return {.alpha = signs == TirSigns::sae ? -m : m,
            .gamma = m,
            .normal = signs == TirSigns::iso ? m : -m};
  }
  // Of the cornering stiffness PKY1, where the lateral force opposes the slip.
  [[nodiscard]] constexpr double stiffness() const { return -alpha * normal; }
};

}  // namespace chicane::tire
