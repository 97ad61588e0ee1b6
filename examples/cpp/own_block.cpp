// SPDX-License-Identifier: Apache-2.0

// A kind of block of one's own: registered under a name, used in a model file by that name.
#include <chicane/chicane.hpp>
#include <cmath>
#include <cstdio>
#include <memory>

namespace {

constexpr double kStiffness = 8.0, kDamping = 0.4;  // [N m/rad], [N m s/rad]

// A servo: its torque follows what a controller asks for, within limits. Written once for every
// scalar: for runs with double, for linearisation with chicane::Dual.
template <class T>
class Servo final : public chicane::Block<T> {
 public:
  void run(int /*task*/, const chicane::BlockView<T>& at) const noexcept override {
    const T &target = at.u(0), &angle = at.u(1), &rate = at.u(2);
    const T &lag = at.p[0], &most = at.p[1], &torque = at.x[0];
    const T asked = kStiffness * (target - angle) - kDamping * rate;
    at.dx[0] = (chicane::max(chicane::min(asked, most), T(-most)) - torque) / lag;
  }
};

class ServoKind final : public chicane::TemplateBlockKind<Servo> {
 public:
  [[nodiscard]] chicane::BlockInfo info() const override {
    chicane::BlockInfo info;
    info.description = "a servo with limited torque";
    info.parameters = {{"lag", "s", 0.02, "time in which the torque follows"},
                       {"most", "N m", 2.0, "largest torque"}};
    info.states = {{"torque", "N m", 0.0, "torque on the arm"}};
    info.inputs = {{"target", "rad", "where the arm shall be"},
                   {"angle", "rad", "where it is"},
                   {"rate", "rad/s", "how fast it turns"}};
    chicane::TaskInfo rates;  // one task: it reads all inputs and gives the state's rate
    rates.name = "rates";
    rates.reads = {0, 1, 2};
    rates.rates = true;
    info.tasks = {rates};
    return info;
  }
};

constexpr const char* kModel = R"(
format: chicane/1
description: An arm that a servo lifts, the servo at four times the rate.
run: {scheme: multiframe, method: ab2, step: 2 ms, ratio: 4, until: 20 s}
parameters: {J: 0.05 kg m^2, weight: 1 N m}
groups:
  arm:
    states:
      angle: {der: rate, unit: rad}
      rate: {der: "(servo.torque - weight*sin(angle))/J", unit: rad/s}
  servo:
    blocks:
      servo:
        type: servo
        inputs: {target: "1[rad]", angle: angle, rate: rate}
        parameters: {most: 1.5 N m}
)";

}  // namespace

int main() {
  chicane::block_registry().add("servo", std::make_shared<ServoKind>());
  try {
    chicane::block_registry().add("servo", std::make_shared<ServoKind>());
    return 1;  // a name stands for one kind
  } catch (const chicane::UsageError& refused) {
    std::printf("%s\n", refused.what());
  }

  auto opened = chicane::Session::open({.model = "arm.yaml", .text = kModel});
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().text.c_str());
    return 1;
  }
  chicane::Session& session = *opened;
  if (session.run() != chicane::RunState::at_end) {
    std::fprintf(stderr, "%s\n", session.failure().c_str());
    return 3;
  }
  const double angle = session.value("angle").value();
  const double torque = session.value("servo.torque").value();
  std::printf("angle %.4f rad, torque %.4f N m\n", angle, torque);
  // At rest: the spring of the controller carries the weight.
  const bool rests = std::fabs(torque - std::sin(angle)) < 1e-6 &&
                     std::fabs(torque - kStiffness * (1.0 - angle)) < 1e-6;
  return rests ? 0 : 3;
}
