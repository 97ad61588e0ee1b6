// SPDX-License-Identifier: Apache-2.0

// Metrics: what they make of a history, and that they watch a run without taking part in it.

#include "simulation/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "simulation/plan.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/models.hpp"

namespace metrics_test {
namespace {

using namespace chicane;
using testkit::compiled;
using testkit::plan;
using testkit::planned;

using Function = std::function<double(double)>;

std::optional<double> watched(const Watch::Settings& settings, const Function& y, double end,
                              int frames) {
  Watch watch(settings);
  for (int i = 0; i <= frames; ++i) {
    const double t = end * i / frames;
    watch.add(t, y(t));
  }
  return watch.result();
}

// A straight history is the same whatever its frames: windows that end between them are exact.
TEST(Watch, CutsItsWindowOutOfAStraightHistory) {
  const Function y = [](double t) { return 3 - 2 * t; };
  const double a = 0.13, b = 0.77;
  const auto of = [&](Reduction r) {
    return watched({.reduction = r, .from = a, .until = b}, y, 1, 10).value();
  };
  constexpr double kRounding = 1e-14;
  EXPECT_NEAR(of(Reduction::max), y(a), kRounding);
  EXPECT_NEAR(of(Reduction::min), y(b), kRounding);
  EXPECT_NEAR(of(Reduction::range), y(a) - y(b), kRounding);
  EXPECT_NEAR(of(Reduction::mean), y((a + b) / 2), kRounding);
  EXPECT_NEAR(of(Reduction::integral), (b - a) * y((a + b) / 2), kRounding);
  EXPECT_NEAR(of(Reduction::initial), y(a), kRounding);
  EXPECT_NEAR(of(Reduction::final), y(b), kRounding);
  EXPECT_NEAR(watched({.reduction = Reduction::value_at, .from = a, .until = a}, y, 1, 10).value(),
              y(a), kRounding);
  EXPECT_NEAR(watched({.reduction = Reduction::crosses, .level = y(b)}, y, 1, 10).value(), b,
              kRounding);
}

// All are those of a polygon: half the step, a quarter of the error.
TEST(Watch, ConvergesToTheCurveWithOrderTwo) {
  const Function y = [](double t) { return std::exp(t); };
  const double a = 0.21, b = 0.9;
  const struct {
    Watch::Settings settings;
    double exact;
  } cases[] = {
      {{.reduction = Reduction::mean, .from = a, .until = b},
       (std::exp(b) - std::exp(a)) / (b - a)},
      {{.reduction = Reduction::rms, .from = a, .until = b},
       std::sqrt((std::exp(2 * b) - std::exp(2 * a)) / (2 * (b - a)))},
      {{.reduction = Reduction::integral}, std::exp(1) - 1},
  };
  for (const auto& c : cases) {
    // a and b are frames of both runs: cutting adds no error
    const auto error = [&](int frames) {
      return std::fabs(watched(c.settings, y, 1, frames).value() - c.exact);
    };
    EXPECT_NEAR(std::log2(error(100) / error(200)), 2, 0.05);
  }
}

TEST(Watch, FindsTheFirstCrossingOfItsDirection) {
  const Function y = [](double t) { return std::sin(2 * M_PI * t); };
  const auto crossing = [&](double level, Crossing direction, double from = 0) {
    return watched(
        {.reduction = Reduction::crosses, .from = from, .level = level, .crossing = direction}, y,
        2, 4000);
  };
  // A chord of a sine is off by (2 pi h)^2/8 of its size: 1.3e-6 at h = 0.5 ms
  constexpr double kChord = 1e-6;
  EXPECT_NEAR(crossing(0.5, Crossing::any).value(), 1.0 / 12, kChord);
  EXPECT_NEAR(crossing(0.5, Crossing::rising, 0.2).value(), 13.0 / 12, kChord);
  EXPECT_NEAR(crossing(0.5, Crossing::falling).value(), 5.0 / 12, kChord);
  EXPECT_NEAR(crossing(0.5, Crossing::any, 0.2).value(), 5.0 / 12, kChord);
  EXPECT_FALSE(crossing(1.1, Crossing::any).has_value());
  EXPECT_FALSE(crossing(0.5, Crossing::rising, 1.5).has_value());
  // it begins on the level and does not pass it before it comes back
  EXPECT_NEAR(crossing(0, Crossing::any).value(), 0.5, kChord);
}

TEST(Watch, HasNoValueWhereNothingWasSeen) {
  const Function y = [](double t) { return t; };
  EXPECT_FALSE(watched({.from = 2}, y, 1, 10).has_value());
  EXPECT_FALSE(watched({.from = 0.6, .until = 0.4}, y, 1, 10).has_value());
  EXPECT_FALSE(watched({.reduction = Reduction::value_at, .from = 1.01, .until = 1.01}, y, 1, 10)
                   .has_value());
  EXPECT_EQ(watched({.reduction = Reduction::mean, .from = 1}, y, 1, 10), 1);  // one instant
}

// What is said of a stretch of time is not said of a part of it; what happened, happened.
TEST(Watch, HasNoValueWhereTheRunEndsBeforeTheWindow) {
  const Function y = [](double t) { return t; };
  for (const Reduction r : {Reduction::max, Reduction::min, Reduction::range, Reduction::mean,
                            Reduction::rms, Reduction::integral, Reduction::final}) {
    EXPECT_FALSE(watched({.reduction = r, .from = 0.5, .until = 1.2}, y, 1, 10).has_value());
    EXPECT_TRUE(watched({.reduction = r, .from = 0.5, .until = 1.05}, y, 1, 10).has_value());
  }
  EXPECT_NEAR(*watched({.reduction = Reduction::crosses, .until = 1.2, .level = 0.5}, y, 1, 10),
              0.5, 1e-12);
}

// --- runs ----------------------------------------------------------------------------------------

// A run to its end, or to the event that ends it.
std::vector<Metrics::Result> run(const std::shared_ptr<const ModelStructure>& structure,
                                 const Plan& plan, int frames) {
  Simulation s(structure, plan);
  Metrics metrics(s);
  for (int i = 0; i < frames; ++i) {
    metrics.make_room(1);
    const Status status = s.step(&metrics);
    if (status == Status::interrupted) break;
    EXPECT_EQ(status, Status::ok);
  }
  return metrics.finish(s);
}

std::optional<double> value(const std::vector<Metrics::Result>& results, const std::string& name) {
  for (const Metrics::Result& r : results)
    if (r.name == name) return r.value;
  ADD_FAILURE() << "no " << name;
  return std::nullopt;
}

// Step response of x'' + 2 D w x' + w^2 x = w^2 u; the formulas are in every book on control.
TEST(Metrics, OfAStepResponseAreThoseOfTheTheory) {
  const double D = 0.4, w = 5;
  const auto structure = compiled(R"yaml(
format: chicane/1
parameters: {D: 0.4, w: 5 rad/s, t_0: 1 s, u: 0 m}
events: {command: {when: t >= t_0, do: [{set: {u: 2 m}}]}}
states:
  x: {der: v, unit: m}
  v: {der: w^2*(u - x) - 2*D*w*v, unit: m/s}
metrics:
  steady: {mean: x, from: 12 s, until: 13 s}
  peak: {max: x, unit: cm}
  begin: {crosses: u, level: 0.5*steady}
  t_10: {crosses: x, level: 0.1*steady, direction: rising}
  t_90: {crosses: x, level: 0.9*steady, direction: rising}
  t_peak: {crosses: v, level: 0, from: t_90, direction: falling}
  acceleration: {max: der(v)}
terminal:
  overshoot: {value: peak/steady - 1, unit: "%"}
  rise: t_90 - t_10
  peak_time: t_peak - t_0
)yaml");
  const auto m = run(structure, plan("rk4", 1e-3), 13000);
  const double damped = w * std::sqrt(1 - D * D), overshoot = std::exp(-M_PI * D * w / damped);
  const auto x = [&](double t) {  // of a unit step
    return 1 -
           std::exp(-D * w * t) * (std::cos(damped * t) + D * w / damped * std::sin(damped * t));
  };
  // The frames are 1 ms apart and frame 1000 is the step: a maximum between frames is missed by
  // x'' h^2/8 = 5e-6 m at most, and what is left at 12 s is exp(-22) of the step.
  EXPECT_NEAR(value(m, "steady").value(), 2, 1e-8);
  EXPECT_NEAR(value(m, "peak").value(), 200 * (1 + overshoot), 5e-4);
  EXPECT_NEAR(value(m, "overshoot").value(), 100 * overshoot, 3e-4);
  EXPECT_NEAR(value(m, "begin").value(), 0.9995, 1e-9);  // between the frames beside the step
  EXPECT_NEAR(value(m, "peak_time").value(), M_PI / damped, 1e-6);
  EXPECT_NEAR(value(m, "acceleration").value(), 2 * w * w, 1e-12);
  const double t_10 = value(m, "t_10").value() - 1, t_90 = value(m, "t_90").value() - 1;
  EXPECT_NEAR(x(t_10), 0.1, 1e-5);  // a chord is off by x'' h^2/8
  EXPECT_NEAR(x(t_90), 0.9, 1e-5);
  EXPECT_DOUBLE_EQ(value(m, "rise").value(), t_90 - t_10);
}

// A metric that waits for another one is the same, to the bit, as one that was told.
TEST(Metrics, ThatWaitForOthersAreTheSameAsThoseThatDoNot) {
  const auto m = run(compiled(R"yaml(
format: chicane/1
units: none
states: {x: {der: cos(3*t)}}
metrics:
  start: {initial: t + 0.25}
  direct: {rms: x, from: 0.25, until: 1.1}
  waiting: {rms: x, from: start, until: 1.1}
  crossed: {crosses: x, level: start, direction: falling}
  told: {crosses: x, level: 0.25, direction: falling}
)yaml"),
                     plan("ab2", 1e-2), 200);
  EXPECT_EQ(value(m, "waiting"), value(m, "direct"));
  EXPECT_EQ(value(m, "crossed"), value(m, "told"));
  EXPECT_TRUE(value(m, "told").has_value());
}

TEST(Metrics, ThatDependOnWhatNeverHappenedHaveNoValue) {
  const auto m = run(compiled(R"yaml(
format: chicane/1
units: none
states: {x: {der: 1}}
metrics:
  never: {crosses: x, level: 100}
  after: {max: x, from: never}
  sure: {max: x}
  undefined: {max: sqrt(-1 - x)}
terminal:
  both: "if(sure > 0, 7, never)"
  after_both: after + sure
  fine: sure + x
)yaml"),
                     plan("euler", 0.1), 10);
  for (const char* name : {"never", "after", "both", "after_both", "undefined"})
    EXPECT_FALSE(value(m, name).has_value()) << name;
  EXPECT_DOUBLE_EQ(value(m, "fine").value(), 2);
}

// Times and levels are those of the start, whatever events do to parameters later.
TEST(Metrics, TakeTheParametersOfTheStartForTheirTimes) {
  const auto m = run(compiled(R"yaml(
format: chicane/1
units: none
parameters: {late: 0.5, gain: 1}
states: {x: {der: 1}}
events: {change: {when: t >= 0.25, do: [{set: {late: 0.9, gain: 10}}]}}
metrics:
  direct: {initial: x, from: late}
  zero: {initial: x}
  waiting: {initial: x, from: late + zero}
  gained: {final: gain*x}
terminal: {end: late}
)yaml"),
                     plan("euler", 0.125), 8);
  EXPECT_DOUBLE_EQ(value(m, "direct").value(), 0.5);
  EXPECT_DOUBLE_EQ(value(m, "waiting").value(), 0.5);
  EXPECT_DOUBLE_EQ(value(m, "gained").value(), 10);
  EXPECT_DOUBLE_EQ(value(m, "end").value(), 0.9);
}

// --- every scheme --------------------------------------------------------------------------------

struct Case {
  std::string name, run;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const auto kFixedSteps = testing::Values(
    Case{"single_rate", "method: rk2"}, Case{"real_time", "method: am3p"},
    Case{"multiframe", "scheme: multiframe, method: ab3, interp: interp2, ratio: 4"},
    Case{"fast_first",
         "scheme: multiframe, method: am2, order: fast-first, interp: extrap1, ratio: 4"},
    Case{"pece", "scheme: pece-multirate, ratio: 4"},
    Case{"parallel", "scheme: pece-multirate-parallel, ratio: 4"}, Case{"prk", "scheme: prk"});
constexpr auto kName = [](const auto& c) { return c.param.name; };

class WatchedScheme : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Schemes, WatchedScheme, kFixedSteps, kName);
INSTANTIATE_TEST_SUITE_P(Adaptive, WatchedScheme,
                         testing::Values(Case{"reference", "scheme: reference"}), kName);

// What may run in real time; the adaptive solver of the reference uses the heap itself.
class WatchedRealTimeScheme : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Schemes, WatchedRealTimeScheme, kFixedSteps, kName);

// Reads slow and fast signals, rates, and what is computed for outputs only.
const char* const kWatching = R"yaml(
metrics:
  slowest: {min: p + 0*q}
  largest: {max: abs(q) + power*0}
  rate: {rms: der(w) - der(v)}
  waiting: {crosses: w, level: largest, from: 0.1}
terminal: {left: q + p + largest}
)yaml";

// What nobody looks at must be what everybody looks at.
TEST_P(WatchedScheme, GoesOnBitForBitAsIfItWereNot) {
  const std::string step = ", step: 10 ms";
  const auto plain = planned(std::string(testkit::kTwoRates), GetParam().run + step);
  const auto with = planned(std::string(testkit::kTwoRates) + kWatching, GetParam().run + step);
  EXPECT_EQ(order_of(plain.plan, *plain.structure).order,
            order_of(with.plan, *with.structure).order);
  Simulation a(plain.structure, plain.plan), b(with.structure, with.plan);
  Metrics metrics(b);
  for (int i = 0; i < 100; ++i) {
    metrics.make_room(1);
    ASSERT_EQ(a.step(), Status::ok);
    ASSERT_EQ(b.step(&metrics), Status::ok);
  }
  EXPECT_EQ(a.continuous(), b.continuous());
  const auto results = metrics.finish(b);
  for (const char* name : {"slowest", "largest", "rate", "left"})
    EXPECT_TRUE(value(results, name).has_value()) << name;
}

// The trapezoid is exact on a straight line, whatever the steps: events change step, ratio and
// method on the way, and end the run.
TEST_P(WatchedScheme, IntegratesOverAllStepsUpToTheEnd) {
  const auto p = planned(std::string(testkit::kTwoRates) + testkit::kRequests + R"yaml(
metrics:
  elapsed: {integral: 1 + 0*q}
  square: {integral: t}
  last: {final: t}
)yaml",
                         GetParam().run + ", step: 10 ms");
  const auto m = run(p.structure, p.plan, 1000);
  const double end = value(m, "last").value();
  EXPECT_NEAR(end, 1.3,
              0.011);  // the event is at 1.301 s, seen at the end of a frame at the latest
  EXPECT_NEAR(value(m, "elapsed").value(), end, 1e-13);
  EXPECT_NEAR(value(m, "square").value(), end * end / 2, 1e-13);
}

// x = 1/(1 + t^2) is slow, y = exp(sin t) fast: their difference has a known integral and maximum.
TEST_P(WatchedScheme, SeesSlowAndFastSignalsAtTheSameInstant) {
  const auto p = planned(std::string(testkit::kKnownSolutionInTwo) +
                             "metrics: {product: {integral: x*y*cos(t)*(1 + t^2)}, "
                             "peak: {max: y}, when: {crosses: x, level: 0.5}}",
                         GetParam().run + ", step: 1 ms");
  const auto m = run(p.structure, p.plan, 2000);
  // all schemes here have order 2 or more: errors of the run and of the trapezoid are some h^2
  constexpr double kError = 1e-5;
  EXPECT_NEAR(value(m, "product").value(), std::exp(std::sin(2.0)) - 1, kError);
  EXPECT_NEAR(value(m, "peak").value(), std::exp(1.0), kError);
  EXPECT_NEAR(value(m, "when").value(), 1, kError);
}

TEST_P(WatchedRealTimeScheme, DoesNotTouchTheHeapWhileItIsWatched) {
  const auto p =
      planned(std::string(testkit::kTwoRates) + kWatching, GetParam().run + ", step: 10 ms");
  Simulation s(p.structure, p.plan);
  Metrics metrics(s);
  for (int i = 0; i < 10; ++i) s.step(&metrics);
  metrics.make_room(100);
  const testkit::AllocationCounter heap;
  for (int i = 0; i < 100; ++i) s.step(&metrics);
  EXPECT_EQ(heap.count(), 0);
}

// --- mechanisms ----------------------------------------------------------------------------------

// A rod that falls from the horizontal has (w l)^2 = 3 g l at the bottom.
TEST(Metrics, OfAMechanismSeeItsSignals) {
  const auto structure = compiled(
      "format: chicane/1\nbase: pendulum\n"
      "metrics: {fastest: {max: abs(hinge.angle_rate), unit: deg/s}}\n");
  const auto m = run(structure, plan("rk4", 1e-3), 1000);
  // beside the bottom the speed is w (1 - 3 g/l (h/2)^2/2) at least: 4e-6 of it less, 1.2e-3 deg/s
  EXPECT_NEAR(value(m, "fastest").value(), 180 / M_PI * std::sqrt(3 * 9.80665), 1.5e-3);
}

}  // namespace
}  // namespace metrics_test
