// SPDX-License-Identifier: Apache-2.0
#include "blocks/planar_spacecraft.hpp"

#include "blocks/template_block.hpp"
#include "vehicle/spacecraft/planar_spacecraft.hpp"

namespace chicane::planar_spacecraft {
namespace {

template <class T>
class BodyBlock final : public Block<T> {
 public:
  void run(int, const BlockView<T>& at) const noexcept override {
    const auto p = from_values<Params<T>>(at.p);
    const T &theta = at.x[2], &omega = at.x[5];
    const Acceleration<T> a = acceleration(p, omega, from_inputs<Panels<T>>(at));
    const T c = cos(theta), s = sin(theta);
    for (std::size_t i = 0; i < 3; ++i) at.dx[i] = at.x[i + 3];
    at.dx[3] = c * a.x - s * a.y;
    at.dx[4] = s * a.x + c * a.y;
    at.dx[5] = a.theta;
  }
};

template <class T>
class PanelsBlock final : public Block<T> {
 public:
  void run(int, const BlockView<T>& at) const noexcept override {
    const auto p = from_values<Params<T>>(at.p);
    const Acceleration<T> a = acceleration(p, at.u(0), from_values<Panels<T>>(at.x));
    at.dx[0] = at.x[2];
    at.dx[1] = at.x[3];
    at.dx[2] = a.theta_R;
    at.dx[3] = a.theta_L;
  }
};

// The numbers at which the source's picture of serial and parallel errors appears (calibrated).
std::vector<NativeParameter> parameters() {
  return {{"m_B", "kg", 36.0, "mass of the body"},
          {"I_B", "kg m^2", 6.9, "inertia of the body"},
          {"m", "kg", 25.5, "mass of a panel"},
          {"I", "kg m^2", 17.14, "inertia of a panel about its centre"},
          {"d", "m", 0.28, "centre of the body to a hinge"},
          {"l", "m", 1.42, "hinge to the centre of a panel"},
          {"k", "N m/rad", 5.8e4, "stiffness of a hinge"}};
}

class BodyKind final : public TemplateBlockKind<BodyBlock> {
 public:
  [[nodiscard]] BlockInfo info() const override {
    return {.description = "body of a planar spacecraft with two panels",
            .parameters = parameters(),
            .states = {{"x", "m", 0, "position of the body"},
                       {"y", "m", 0, "position of the body"},
                       {"theta", "rad", 0, "angle of the body"},
                       {"vx", "m/s", 0, "speed of the body along x"},
                       {"vy", "m/s", 0, "speed of the body along y"},
                       {"omega", "rad/s", 0, "turning rate of the body"}},
            .inputs = {{"theta_R", "rad", "angle of the right panel to the body"},
                       {"theta_L", "rad", "angle of the left panel to the body"},
                       {"omega_R", "rad/s", "its rate, right"},
                       {"omega_L", "rad/s", "its rate, left"}},
            .tasks = {{.name = "dynamics", .reads = {0, 1, 2, 3}, .rates = true}}};
  }
};

class PanelsKind final : public TemplateBlockKind<PanelsBlock> {
 public:
  [[nodiscard]] BlockInfo info() const override {
    return {.description = "panels of a planar spacecraft",
            .parameters = parameters(),
            .states = {{"theta_R", "rad", 0, "angle of the right panel to the body"},
                       {"theta_L", "rad", 0, "angle of the left panel to the body"},
                       {"omega_R", "rad/s", 0, "its rate, right"},
                       {"omega_L", "rad/s", 0, "its rate, left"}},
            .inputs = {{"omega", "rad/s", "turning rate of the body"}},
            .tasks = {{.name = "dynamics", .reads = {0}, .rates = true}}};
  }
};

}  // namespace
}  // namespace chicane::planar_spacecraft

namespace chicane {

std::shared_ptr<const BlockKind> planar_spacecraft_body_kind() {
  return std::make_shared<planar_spacecraft::BodyKind>();
}
std::shared_ptr<const BlockKind> planar_spacecraft_panels_kind() {
  return std::make_shared<planar_spacecraft::PanelsKind>();
}

}  // namespace chicane
