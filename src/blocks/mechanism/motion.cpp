// SPDX-License-Identifier: Apache-2.0
#include "blocks/mechanism/motion.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "language/expression/derivative.hpp"

namespace chicane {
namespace {

constexpr std::array kNames{"coordinate", "rate", "acceleration"};

class MotionReader {
 public:
  explicit MotionReader(const Spec& spec) {
    for (const ParameterSpec& p : spec.parameters)
      if (const auto parsed = parse_quantity(p.value.text);
          std::holds_alternative<Quantity>(parsed))
        parameters_.emplace(p.name, std::get<Quantity>(parsed).value);
    const auto until = parse_quantity(spec.run.until.text);
    if (const auto* q = std::get_if<Quantity>(&until); q != nullptr && q->value > 0.0)
      until_ = q->value;
  }

  // Of t and parameters alone: it can be evaluated here.
  [[nodiscard]] bool knows(const Expression& e) const {
    return std::all_of(e.nodes.begin(), e.nodes.end(), [&](const Node& node) {
      if (node.kind == Node::Kind::name) return node.name == "t" || parameters_.contains(node.name);
      return node.kind == Node::Kind::number || node.kind == Node::Kind::operation;
    });
  }
  [[nodiscard]] double at(const Expression& e, double t) const {
    return evaluate(
        e, [&](const std::string& name) { return name == "t" ? t : parameters_.at(name); });
  }
  [[nodiscard]] std::optional<Text> derivative(const Expression& e) const {
    auto text =
        time_derivative(e, [&](std::string_view name) { return parameters_.contains(name); });
    if (!text) return std::nullopt;
    return Text{std::move(*text), e.source.where};
  }

  struct Difference {
    double t = 0.0, given = 0.0, is = 0.0;
  };
  // Where a formula is not what it should be, at the worst of some times of the run.
  [[nodiscard]] std::optional<Difference> differ(const Expression& given,
                                                 const Expression& is) const {
    constexpr int kTimes = 60;
    constexpr double kSame = 1e-6;  // of the largest value: constants of a file have few digits
    double size = 0.0;
    Difference worst;
    for (int i = 1; i <= kTimes; ++i) {
      const double part = i * std::numbers::phi;
      const double t = until_ * (part - std::floor(part));
      const Difference d{t, at(given, t), at(is, t)};
      if (!std::isfinite(d.is)) continue;
      size = std::max({size, std::fabs(d.given), std::fabs(d.is)});
      if (!(std::fabs(d.given - d.is) <= std::fabs(worst.given - worst.is))) worst = d;
    }
    if (std::fabs(worst.given - worst.is) <= kSame * size) return std::nullopt;
    return worst;
  }

 private:
  std::map<std::string, double, std::less<>> parameters_;
  double until_ = 10.0;  // [s]
};

const DataSpec* motion_entry(const Spec& spec, const JointSpec& joint) {
  const DataSpec* joints = spec.mechanism->parameters.find("joints");
  const DataSpec* own = joints == nullptr ? nullptr : joints->find(joint.name);
  return own == nullptr ? nullptr : own->find("motion");
}

}  // namespace

std::optional<std::array<Text, 3>> read_motion(const Spec& spec, const JointSpec& joint,
                                               Diagnostics& diag) {
  const DataSpec* data = motion_entry(spec, joint);
  std::vector<Text> given;
  if (data != nullptr && data->kind == DataSpec::Kind::text) given.push_back(data->text);
  for (const DataSpec& element : data == nullptr ? std::vector<DataSpec>{} : data->list)
    given.push_back(element.text);
  if (given.empty() || given.size() > 3) {
    diag.error(data == nullptr ? joint.where : data->text.where,
               "joint '{0}' is driven: give its motion as a formula under parameters.joints.{0}, "
               "e.g. motion: a*sin(w*t)",
               joint.name);
    return std::nullopt;
  }
  const MotionReader reader(spec);
  std::array<Text, 3> motion;
  std::optional<Expression> last;
  for (std::size_t k = 0; k < 3; ++k) {
    const bool own = k < given.size();
    std::optional<Text> derived;
    if (k > 0 && reader.knows(*last)) derived = reader.derivative(*last);
    if (!own && !derived) {
      diag.error(
          data->text.where,
          "the {} of joint '{}' cannot be found from '{}', which is not of t and the model's "
          "parameters alone: give motion, rate and acceleration",
          kNames[k], joint.name, last->source.text);
      return std::nullopt;
    }
    motion[k] = own ? given[k] : *derived;
    const auto e = parse_expression(motion[k], diag);
    if (!e) return std::nullopt;
    if (own && derived && reader.knows(*e))
      if (const auto is = parse_expression(*derived, diag))
        if (const auto d = reader.differ(*e, *is)) {
          diag.error(given[k].where,
                     "the {} of joint '{}' is not the derivative of the {}: at {:.4g} s '{}' is "
                     "{:.6g}, but '{}' changes by {:.6g} 1/s there, in SI units; leave it out, and "
                     "it is found",
                     kNames[k], joint.name, kNames[k - 1], d->t, given[k].text, d->given,
                     motion[k - 1].text, d->is);
          return std::nullopt;
        }
    last = e;
  }
  return motion;
}

std::array<double, 2> start_of_motion(const Spec& spec, const std::array<Text, 3>& motion) {
  const MotionReader reader(spec);
  std::array<double, 2> start{};
  Diagnostics unheard;
  for (std::size_t k = 0; k < 2; ++k)
    if (const auto e = parse_expression(motion[k], unheard); e && reader.knows(*e))
      if (const double value = reader.at(*e, 0.0); std::isfinite(value)) start[k] = value;
  return start;
}

}  // namespace chicane
