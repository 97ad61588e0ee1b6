// SPDX-License-Identifier: Apache-2.0

// Mechanisms as blocks of a model: what the schemes do to them.

#include <gtest/gtest.h>

#include <cmath>

#include "assembly/assemble.hpp"
#include "blocks/mechanism/choice_code.hpp"
#include "blocks/mechanism/describe.hpp"
#include "io/checkpoint.hpp"
#include "io/reader/reader.hpp"
#include "multibody/closure/choose.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/models.hpp"
#include "testkit/recorder.hpp"

namespace mechanism_test {
namespace {

using namespace chicane;
using testkit::compiled;
using testkit::compiled_builtin;
using testkit::plan;
using testkit::Recorder;
using testkit::seen;

void advance(Simulation& s, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_EQ(s.step(), Status::ok) << s.time();
}

std::int64_t counted(const Simulation& s, std::string_view name) {
  for (const auto& c : s.counts())
    if (c.name == name) return c.number;
  ADD_FAILURE() << name;
  return 0;
}

// --- the scheme keeps its order although some states are found and not integrated ----------------

class OrderOnALoop : public testing::TestWithParam<std::pair<std::string, double>> {};
INSTANTIATE_TEST_SUITE_P(Methods, OrderOnALoop,
                         testing::Values(std::pair{"ab2", 2.0}, std::pair{"ab3", 3.0},
                                         std::pair{"am2", 2.0}, std::pair{"rk4", 4.0}),
                         [](const auto& m) { return m.param.first; });

TEST_P(OrderOnALoop, IsThatOfTheMethod) {
  const auto& [method, order] = GetParam();
  const auto model = compiled_builtin("bricard");
  const auto position = [&](const std::string& by, int steps_in_10_ms) {
    Simulation s(model, plan(by, 10e-3 / steps_in_10_ms));
    advance(s, 200 * steps_in_10_ms);
    EXPECT_GT(counted(s, "new choices of coordinates"), 0) << "it means little if none was due";
    return std::pair{seen(s, "P0.angle"), seen(s, "P1.angle_rate")};
  };
  const auto exact = position("rk5", 16);
  const auto error = [&](int steps) {
    const auto p = position(method, steps);
    return std::hypot(p.first - exact.first, p.second - exact.second);
  };
  const int coarse = order > 3 ? 1 : 4;
  EXPECT_NEAR(std::log2(error(coarse) / error(2 * coarse)), order, 0.15);
}

// --- published solutions -------------------------------------------------------------------------

// Reference at t = 0.03 s of the Test Set for IVP Solvers (the same mechanism as IFToMM A03).
TEST(MechanismBlock, AndrewsSqueezerIsWhereItsReferenceIs) {
  Simulation s(compiled_builtin("andrews-squeezer"), plan("rk4", 5e-6));
  advance(s, 6000);
  const auto angle = [&](const char* start, const char* joint) {
    return testkit::value_in(s, start) + seen(s, joint);
  };
  EXPECT_NEAR(angle("beta", "O.angle"), 0.1581077119629904e2, 1e-6);
  EXPECT_NEAR(angle("theta", "F.angle"), -0.1575637105984298e2, 1e-6);
  EXPECT_NEAR(angle("gamma", "B.angle"), 0.4082224013073101e-1, 1e-6);
  EXPECT_NEAR(angle("delta", "A5.angle"), 0.5244099658805304, 1e-6);
  EXPECT_NEAR(angle("epsilon", "A7.angle"), 0.1048080741042263e1, 1e-6);
}

// A rod let go from the horizontal passes the vertical after K(1/sqrt 2) / sqrt(3 g / (2 l)).
TEST(MechanismBlock, PendulumHasItsPeriod) {
  const double g = 9.80665, K = 1.8540746773013719, period = 4 * K / std::sqrt(1.5 * g);
  Simulation s(compiled_builtin("pendulum"), plan("rk4", period / 4000));
  advance(s, 20 * 4000);
  EXPECT_NEAR(seen(s, "hinge.angle"), 0, 1e-6);
  EXPECT_NEAR(seen(s, "energy.total"), 0, 1e-8);
}

// --- energy --------------------------------------------------------------------------------------

// A door with a closer, dry friction and a stop, and a balance that swings on rubber and springs.
constexpr const char* kDamped = R"yaml(
format: chicane/1
topology:
  bodies: [leaf, arm, balance]
  joints:
    hinge: {type: revolute, connects: [ground, leaf]}
    elbow: {type: revolute, connects: [leaf, arm]}
    rail:  {type: spherical-translational, connects: [arm, ground]}
    ball:  {type: free, connects: [leaf, balance]}
  forces:
    closer:   {type: rsda, joint: hinge}
    friction: {type: joint-friction, joint: hinge}
    stop:     {type: joint-limit, joint: hinge}
    rubber:   {type: bushing, connects: [leaf, balance]}
    rope:     {type: tsda, connects: [ground, balance]}
parameters:
  bodies:
    leaf: {mass: 30 kg, com: [0.45, 0, 1, m], inertia: {diagonal: [10, 12, 2, kg m^2]}}
    arm:  {mass: 0.5 kg, com: [0.3, 0.15, 2, m], inertia: {diagonal: [0.004, 0.004, 0.004, kg m^2]}}
    balance: {mass: 2 kg, com: [0.9, 0, 1, m], inertia: {diagonal: [0.02, 0.02, 0.03, kg m^2]}}
  joints:
    hinge: {at: [0, 0, 1, m], axis: [0, 0, 1], initial: 60 deg}
    elbow: {at: [0.3, 0, 2, m], axis: [0, 0, 1]}
    rail:  {at: [0.3, 0.3, 2, m], axis: [1, 0, 0]}
    ball:  {at: [0.9, 0, 1, m]}
  forces:
    closer:   {stiffness: 15 N m/rad, damping: 8 N m s/rad}
    friction: {friction: 1 N m, presliding: 1 deg}
    stop:     {lower: 0 deg, stiffness: 5 kN m/rad, dissipation: 0.2 s/rad}
    rubber:   {at: [0.9, 0, 1, m], stiffness: [4, 4, 8, kN/m], damping: [20, 20, 30, N s/m], rotational_stiffness: [20, 20, 20, N m/rad], rotational_damping: [0.1, 0.1, 0.1, N m s/rad]}
    rope:     {points: [[1.5, 1, 1.5, m], [0.95, 0, 1.1, m]], stiffness: 40 N/m, damping: 3 N s/m, free_length: 0.5 m}
equations:
  states: {lost: {der: power.dissipated, unit: J}}
)yaml";

// d(energy)/dt = -what dampers and friction take, with every force element in motion.
TEST(MechanismBlock, LosesTheEnergyThatDampersAndFrictionTake) {
  Simulation s(compiled(kDamped), plan("rk4", 0.25e-3));
  const double before = seen(s, "energy.total");
  double lost = 0.0;
  for (int i = 0; i < 8; ++i) {
    advance(s, 1000);
    const double more = seen(s, "lost");
    EXPECT_GT(more, lost);
    lost = more;
    EXPECT_NEAR(seen(s, "energy.total") + lost, before, 1e-6 * before) << s.time();
  }
  EXPECT_GT(lost, 5.0);
}

// --- loops stay closed ---------------------------------------------------------------------------

TEST(MechanismBlock, LoopsStayClosedAtEveryFrame) {
  for (const char* model : {"four-bar", "slider-crank", "double-wishbone"})
    for (const char* method : {"ab2", "ab3"}) {
      const bool quick = std::string(model) == "slider-crank";  // 3000 rev/min
      Simulation s(compiled_builtin(model), plan(method, quick ? 2e-5 : 1e-3));
      Recorder residual(s, {"loops.residual"});
      for (int i = 0; i < 5000; ++i) ASSERT_EQ(s.step(&residual), Status::ok) << model << s.time();
      EXPECT_LT(residual.most, 1e-9) << model << " " << method;
      EXPECT_GT(counted(s, "Newton iterations"), 0) << model << " " << method;
    }
}

TEST(MechanismBlock, StatesOfALoopAreTakenOverAtFullSteps) {
  Simulation s(compiled_builtin("four-bar"), plan("ab2", 1e-3));
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(s.step(), Status::ok);
    // What was integrated is near what closes the loop: it was put there a step ago.
    for (const char* joint : {"A.angle", "B.angle", "D.angle"}) {
      if (!s.structure().find_signal(joint).valid()) continue;
      EXPECT_NEAR(testkit::value_in(s, joint), seen(s, joint), 1e-4) << joint << s.time();
    }
  }
}

// --- a run is repeatable -------------------------------------------------------------------------

TEST(MechanismBlock, GoesOnBitForBitFromAStateSavedAndReadBack) {
  const auto model = compiled_builtin("four-bar");  // it changes coordinates before and after
  for (const char* method : {"ab3", "rk4", "am3"}) {
    Simulation whole(model, plan(method, 1e-3));
    advance(whole, 1300);
    const std::string saved = write_checkpoint(whole);
    const std::int64_t choices = counted(whole, "new choices of coordinates");
    advance(whole, 2500);
    EXPECT_GT(choices, 0);
    EXPECT_GT(counted(whole, "new choices of coordinates"), choices);

    Simulation second(model, plan(method, 1e-3));
    Diagnostics diag;
    const auto checkpoint = read_checkpoint(saved, "saved", second, diag);
    ASSERT_TRUE(checkpoint) << diag.text();
    second.restore(checkpoint->state, checkpoint->plan);
    advance(second, 2500);
    EXPECT_EQ(whole.state(), second.state()) << method;
  }
}

TEST(MechanismBlock, AStepAllocatesNothing) {
  for (const char* name : {"four-bar", "double-wishbone", "heavy-top", "double-pendulum"})
    for (const char* method : {"ab3", "rk4", "am3"}) {
      Simulation s(compiled_builtin(name), plan(method, 2e-4));
      advance(s, 10);
      const testkit::AllocationCounter counter;
      for (int i = 0; i < 2000; ++i) s.step();
      EXPECT_EQ(counter.count(), 0) << name << " " << method;
    }
}

TEST(ChoiceCode, ReadsBackWhatItWrites) {
  for (const char* name : {"four-bar", "double-wishbone", "andrews-squeezer", "n-four-bar"}) {
    Diagnostics diag;
    const auto spec = read_model(name, diag);
    ASSERT_TRUE(spec) << diag.text();
    const auto m = compile_mechanism(*spec, diag);
    ASSERT_TRUE(m) << diag.text();
    std::vector<double> code(static_cast<std::size_t>(choice_code_size(*m)));
    encode(*m, m->choice, code);
    multibody::Choice back = m->choice;
    for (auto& c : back) c = {};
    decode(*m, code, back);
    ASSERT_EQ(back.size(), m->choice.size());
    for (std::size_t k = 0; k < back.size(); ++k) {
      // Rows go with the coordinates they determine, in whatever order these are listed.
      const auto pairs = [](const multibody::ClusterChoice& c) {
        std::vector<std::pair<int, int>> list;
        for (std::size_t i = 0; i < c.dependent.size(); ++i)
          list.emplace_back(c.dependent[i], c.rows[i]);
        std::sort(list.begin(), list.end());
        return list;
      };
      EXPECT_EQ(pairs(back[k]), pairs(m->choice[k])) << name;
      EXPECT_EQ(back[k].independent, m->choice[k].independent) << name;
    }
  }
}

TEST(ChoiceCode, KnowsWhatIsHeld) {
  Diagnostics diag;
  const auto spec = read_model("n-four-bar", diag);
  ASSERT_TRUE(spec) << diag.text();
  const auto m = compile_mechanism(*spec, diag);
  ASSERT_TRUE(m) << diag.text();
  multibody::Choice held = m->choice, back = m->choice;
  held[0].held = true;
  std::vector<double> code(static_cast<std::size_t>(choice_code_size(*m)));
  ASSERT_GT(code.size(), 1u);
  encode(*m, held, code);
  EXPECT_TRUE(is_choice_code(*m, code));
  decode(*m, code, back);
  EXPECT_TRUE(back[0].held);
  EXPECT_EQ(back[0].independent, held[0].independent);
  encode(*m, m->choice, code);
  decode(*m, code, back);
  EXPECT_FALSE(back[0].held);
  code.back() += 0x1p52;  // only the first number of a cluster says so
  EXPECT_FALSE(is_choice_code(*m, code));
}

// --- what comes in from outside ------------------------------------------------------------------

constexpr const char* kCart = R"(
format: chicane/1
parameters:
  c: {value: 3 N/m}
  bodies:
    cart: {mass: 2 kg, com: [0, 0, 0, m]}
  joints:
    rail: {at: [0, 0, 0, m], axis: [1, 0, 0], initial: 100 mm}
  forces:
    engine: {points: [[-1, 0, 0, m], [0, 0, 0, m]], command: c*rail.displacement, positive: apart}
topology:
  bodies: [cart]
  joints:
    rail: {type: translational, connects: [ground, cart]}
  forces:
    engine: {type: tsda, connects: [ground, cart]}
)";

TEST(MechanismBlock, ACommandIsAFormulaOfTheModelsSignals) {
  // A push by c x on a cart whose other end is behind it: x = x0 cosh(w t).
  Simulation s(compiled(kCart), plan("rk4", 1e-3));
  advance(s, 1000);
  const double w = std::sqrt(3.0 / 2.0);
  EXPECT_NEAR(testkit::value_in(s, "rail.displacement"), 0.1 * std::cosh(w), 1e-10);
  EXPECT_NEAR(seen(s, "engine.command"), 3 * 0.1 * std::cosh(w), 1e-9);
}

constexpr const char* kDrivenCrank = R"(
format: chicane/1
parameters:
  r: {value: 0.1 m}
  l: {value: 0.3 m}
  w: {value: 20 rad/s}
  bodies:
    crank: {mass: 1 kg, com: [0, 0, 0], inertia: {diagonal: [0.01, 0.01, 0.01, kg m^2]}}
    rod: {mass: 1 kg, com: [r + l/2, 0, 0], inertia: {diagonal: [0.001, 0.01, 0.01, kg m^2]}}
    piston: {mass: 1 kg, com: [r + l, 0, 0], inertia: {diagonal: [0.01, 0.01, 0.01, kg m^2]}}
  joints:
    main: {at: [0, 0, 0], axis: [0, -1, 0], motion: [w*t, w, 0]}
    big_end: {at: [r, 0, 0]}
    small_end: {at: [r + l, 0, 0], axis: [0, 1, 0], second_axis: [0, 0, 1]}
    bore: {at: [r + l, 0, 0], axis: [1, 0, 0]}
topology:
  bodies: [crank, rod, piston]
  joints:
    main: {type: revolute, connects: [ground, crank], driven: true}
    big_end: {type: spherical, connects: [crank, rod]}
    small_end: {type: universal, connects: [rod, piston]}
    bore: {type: translational, connects: [ground, piston]}
)";

TEST(MechanismBlock, ADrivenJointDoesWhatItsFormulasSay) {
  Simulation s(compiled(kDrivenCrank), plan("ab2", 1e-3));
  advance(s, 337);
  const double r = 0.1, l = 0.3, w = 20, a = w * 0.337;
  const double root = std::sqrt(l * l - r * r * std::sin(a) * std::sin(a));
  EXPECT_NEAR(seen(s, "piston.x"), r * std::cos(a) + root, 1e-10);
  const double v = -r * std::sin(a) * w - r * r * std::sin(a) * std::cos(a) * w / root;
  EXPECT_NEAR(seen(s, "piston.v_x"), v, 1e-9);
  const double c = std::cos(a), n = std::sin(a);
  const double acceleration = -r * w * w * c - r * r * w * w * (c * c - n * n) / root -
                              std::pow(r, 4) * w * w * n * n * c * c / std::pow(root, 3);
  EXPECT_NEAR(seen(s, "piston.a_x"), acceleration, 1e-7);
}

TEST(MechanismBlock, ADrivenJointWithoutAMotionIsAFault) {
  std::string text = kDrivenCrank;
  const std::string motion = ", motion: [w*t, w, 0]";
  text.erase(text.find(motion), motion.size());
  EXPECT_NE(testkit::faults(text).find("joint 'main' is driven: give its motion"),
            std::string::npos);
}

// --- together with equations ---------------------------------------------------------------------

TEST(MechanismBlock, EquationsInAFasterGroupReadAndDriveIt) {
  // A controller with a fast filter holds the cart: both rates see the same interface signals.
  std::string text = kCart;
  const std::string command = "c*rail.displacement";
  text.replace(text.find(command), command.size(), "-k*filter");
  text += R"(
equations:
  group: fast
  parameters:
    k: {value: 50 N/m}
    T: {value: 2 ms}
  states:
    filter: {der: "(rail.displacement + 0.2[s]*rail.displacement_rate - filter)/T", unit: m}
)";
  const auto end = [&](const std::string& run, int frames) {
    const testkit::Planned p = testkit::planned(text, run);
    Simulation s(p.structure, p.plan);
    advance(s, frames);
    return testkit::value_in(s, "rail.displacement");
  };
  const double exact = end("scheme: single-rate, method: rk5, step: 0.1 ms", 10000);
  const double coarse =
      end("scheme: multiframe, method: ab2, interp: interp1, step: 2 ms, ratio: 8", 500);
  const double fine =
      end("scheme: multiframe, method: ab2, interp: interp1, step: 1 ms, ratio: 8", 1000);
  EXPECT_NEAR(coarse, exact, 1e-3);
  EXPECT_NEAR(std::log2(std::fabs(coarse - exact) / std::fabs(fine - exact)), 2.0, 0.3);
}

// --- on several threads --------------------------------------------------------------------------

TEST(MechanismBlock, BranchesOnThreadsGiveTheSameBits) {
  std::string text = R"(
format: chicane/1
topology:
  bodies: [hub, a1, a2, b1, b2]
  joints:
    base: {type: free, connects: [ground, hub]}
    A1: {type: revolute, connects: [hub, a1]}
    A2: {type: universal, connects: [a1, a2]}
    B1: {type: spherical, connects: [hub, b1]}
    B2: {type: revolute, connects: [b1, b2]}
parameters:
  bodies:
    hub: {mass: 3 kg, com: [0, 0, 0, m], inertia: {diagonal: [1, 2, 2, kg m^2]}}
    a1: {mass: 1 kg, com: [0.5, 0, 0, m], inertia: {diagonal: [0.1, 0.2, 0.2, kg m^2]}}
    a2: {mass: 1 kg, com: [1.5, 0, 0, m], inertia: {diagonal: [0.1, 0.2, 0.2, kg m^2]}}
    b1: {mass: 1 kg, com: [-0.5, 0, 0, m], inertia: {diagonal: [0.1, 0.2, 0.2, kg m^2]}}
    b2: {mass: 1 kg, com: [-1.5, 0, 0, m], inertia: {diagonal: [0.1, 0.2, 0.2, kg m^2]}}
  joints:
    base: {initial_rate: [1 rad/s, 2 rad/s, 3 rad/s, 1 m/s, 0 m/s, 0 m/s]}
    A1: {at: [0.1, 0, 0, m], axis: [0, 1, 0], initial_rate: 2 rad/s}
    A2: {at: [1, 0, 0, m], axis: [0, 1, 0], second_axis: [0, 0, 1]}
    B1: {at: [-0.1, 0, 0, m], initial_rate: [0, 1, 2, rad/s]}
    B2: {at: [-1, 0, 0, m], axis: [0, 0, 1]}
)";
  const auto end = [&](int threads) {
    const testkit::Planned p =
        testkit::planned(text, fmt::format("method: ab3, step: 1 ms, threads: {}", threads));
    Simulation s(p.structure, p.plan);
    advance(s, 500);
    return s.state();
  };
  const State<double> alone = end(1);
  EXPECT_EQ(alone, end(2));
  EXPECT_EQ(alone, end(3));
}

// --- what would have no effect is refused --------------------------------------------------------

std::string four_bar_with(const std::string& event) {
  Diagnostics diag;
  std::string text = R"(
format: chicane/1
parameters:
  a: {value: 1 m}
  bodies:
    left: {mass: 1 kg, com: [0, 0, a/2], inertia: {diagonal: [0.1, 0.1, 0.1, kg m^2]}}
    top: {mass: 1 kg, com: [a, 0, a], inertia: {diagonal: [0.1, 0.1, 0.1, kg m^2]}}
    right: {mass: 1 kg, com: [2*a, 0, a/2], inertia: {diagonal: [0.1, 0.1, 0.1, kg m^2]}}
  joints:
    A: {at: [0, 0, 0], axis: [0, 1, 0], initial_rate: 1 rad/s}
    B: {at: [0, 0, a], axis: [0, 1, 0]}
    C: {at: [2*a, 0, a], axis: [0, 1, 0]}
    D: {at: [2*a, 0, 0], axis: [0, 1, 0]}
topology:
  bodies: [left, top, right]
  joints:
    A: {type: revolute, connects: [ground, left]}
    B: {type: revolute, connects: [left, top]}
    C: {type: revolute, connects: [top, right]}
    D: {type: revolute, connects: [ground, right]}
events:
  e: {when: "t > 1[s]", do: [{set: {)";
  return text + event + "}}]}\n";
}

TEST(MechanismBlock, EventsCannotSetWhatItIsMadeOf) {
  EXPECT_NE(testkit::faults(four_bar_with("a: \"2[m]\"")).find("'a' cannot be set"),
            std::string::npos);
  EXPECT_NE(testkit::faults(four_bar_with("A.angle: 0.1")).find("'A.angle' cannot be set"),
            std::string::npos);
}

TEST(MechanismBlock, EventsCanSetAFreeCoordinate) {
  std::string text = kCart;
  text +=
      "events:\n  e: {when: \"t > 0.5[s]\", do: [{set: {rail.displacement_rate: \"2[m/s]\"}}]}\n";
  Simulation s(compiled(text), plan("rk4", 1e-3));
  advance(s, 502);
  EXPECT_NEAR(testkit::value_in(s, "rail.displacement_rate"), 2.0, 1e-2);
}

}  // namespace
}  // namespace mechanism_test
