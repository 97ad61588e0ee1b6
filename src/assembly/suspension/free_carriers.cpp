// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assembly/suspension/types.hpp"

namespace chicane::suspension {

using namespace dimensions;

namespace {

// The entries of a list for left and right; nothing and a fault if it is none.
const std::vector<DataSpec>* pair_of(Builder& b, std::string_view key, const DataSpec* given) {
  if (given == nullptr) return nullptr;
  if (given->list.size() == 2) return &given->list;
  b.diagnostics().error(given->text.where, "'{}' has two entries: of the left, and of the right",
                        key);
  return nullptr;
}

Vec3<double> direction(Builder& b, const DataSpec& given) {
  const Vec3<double> axis = vector_of(b.keys().numbers().list(given, kNone, 3));
  if (axis.y > 0.0) return (1.0 / norm(axis)) * axis;
  b.diagnostics().error(given.text.where, "the axis of a wheel points to the left, e.g. [0, 1, 0]");
  return axis;
}

void require_body(Builder& b, const Text& name) {
  std::vector<std::string_view> known;
  for (const auto& body : b.vehicle().bodies) known.push_back(body.name);
  if (std::find(known.begin(), known.end(), name.text) == known.end())
    b.diagnostics().error(name.where, "there is no body '{}'{}: a wheel needs one of the topology",
                          name.text, did_you_mean(name.text, known));
}

}  // namespace

Axle free_carriers(Builder& b) {
  Keys& keys = b.keys();
  if (const DataSpec* bar = b.axle().find("anti_roll_bar"))
    b.diagnostics().error(bar->text.where,
                          "beside a free suspension an anti-roll bar is a force of the topology");
  const auto* carriers = pair_of(b, "carriers", keys.require("carriers", b.owner()));
  const auto* centres = pair_of(b, "centres", keys.require("centres", b.owner()));
  const auto* axes = pair_of(b, "axes", keys.find("axes"));
  Axle axle;
  for (const std::size_t i : {0u, 1u}) {
    WheelMount& wheel = i == 0 ? axle.left : axle.right;
    if (carriers != nullptr) {
      require_body(b, (*carriers)[i].text);
      wheel.body = (*carriers)[i].text.text;
    }
    if (centres != nullptr) wheel.centre = b.point((*centres)[i]);
    wheel.axis = axes != nullptr ? direction(b, (*axes)[i]) : Vec3<double>{0.0, 1.0, 0.0};
  }
  return axle;
}

}  // namespace chicane::suspension
