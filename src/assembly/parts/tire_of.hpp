// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "assembly/parts/ring_block.hpp"
#include "assembly/parts/wheel_block.hpp"

namespace chicane::wheel_block {

// --- a tire of any law ---------------------------------------------------------------------------

// What every tire says beside its law, in the order of tire::Params.
std::span<const Field> common_fields();

// The parameters are those of the common fields, then those that `Source` makes the law of; of a
// ring, if there is one, in the order of tire::RingParams.
template <class Source>
class TireOf final : public TireKind {
 public:
  TireOf(Source source, std::vector<NativeParameter> parameters,
         std::shared_ptr<const tire::Compliance> compliance, std::vector<NativeParameter> ring = {})
      : source_(std::move(source)),
        parameters_(std::move(parameters)),
        ring_(std::move(ring)),
        compliance_(std::move(compliance)) {}

  [[nodiscard]] BlockKindPtr wheel(const Ground<double>& ground,
                                   const WheelDescription& d) const override {
    if (ring_.empty())
      return std::make_shared<WheelKind<Source>>(source_, parameters_, ground, compliance_, d);
    std::vector<NativeParameter> all = ring_;
    all.insert(all.end(), parameters_.begin(), parameters_.end());
    return std::make_shared<ring_block::RingWheelKind<Source>>(source_, std::move(all), ground,
                                                               compliance_, d);
  }
  [[nodiscard]] RingInertia ring() const override {
    if (ring_.empty()) return {};
    return {ring_[0].value, ring_[1].value, ring_[2].value};
  }
  [[nodiscard]] bool compliant() const override { return compliance_ != nullptr; }
  [[nodiscard]] double rolling_radius(const Ground<double>& ground,
                                      const Vec3<double>& hub) const override {
    std::vector<double> values;
    for (const NativeParameter& p : parameters_) values.push_back(p.value);
    const std::span<const double> all(values);
    const auto p = from_values<tire::Params<double>>(all);
    const tire::Wheel<double> standing{.centre = hub, .e_spin = {0.0, 1.0, 0.0}, .V = {}};
    const auto c = tire::contact(standing, touch(ground, 0.0, hub, standing.e_spin, p.R_0));
    return support(p, source_.template model<double>(all.subspan(kTireParameters<double>)), c).R_e;
  }

 private:
  Source source_;
  std::vector<NativeParameter> parameters_, ring_;
  std::shared_ptr<const tire::Compliance> compliance_;
};

}  // namespace chicane::wheel_block
