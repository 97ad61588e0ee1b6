// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "core/diagnostics.hpp"
#include "core/index.hpp"
#include "core/ticks.hpp"
#include "core/time_base.hpp"

namespace core_test {
namespace {

using namespace chicane;

TEST(Clock, HasExactStampsAfterAnHourOfHalfMilliseconds) {
  Clock c;
  c.rebase(whole_picoseconds(0.5e-3).value() / 2);
  c.tick = 2 * 7'200'000;
  EXPECT_EQ(c.time(), 3600.0);
  EXPECT_EQ(c.time_at(0.5, 2), 3600.00025);
  EXPECT_EQ(c.time_at(1.0, 2), 3600.0005);
}

TEST(Clock, KeepsTheTimeWhenTheTickChanges) {
  Clock c;
  c.rebase(whole_picoseconds(0.1).value() / 2);
  c.tick += 2 * 3;
  c.rebase(whole_picoseconds(0.07).value() / 2);
  EXPECT_EQ(c.time(), 0.3);
  c.tick += 2 * 10;
  EXPECT_EQ(c.time(), 1.0);
}

TEST(Picoseconds, AreWholeAndRefuseWhatDoesNotFit) {
  EXPECT_EQ(whole_picoseconds(1e-3), 2'000'000'000);
  EXPECT_EQ(whole_picoseconds(1.0 / 3.0).value() % 2, 0);
  EXPECT_FALSE(whole_picoseconds(1e7));
  EXPECT_FALSE(whole_picoseconds(std::nan("")));
}

TEST(Picoseconds, OfStatedTimesAreNotRoundedToOthers) {
  EXPECT_EQ(stated_picoseconds(1e-12), 2);
  EXPECT_EQ(stated_picoseconds(-7e-12), -14);
  EXPECT_EQ(stated_picoseconds(0.0), 0);
  EXPECT_EQ(stated_picoseconds(1.0 / 3.0), whole_picoseconds(1.0 / 3.0));
  for (const double s : {0.5e-12, 1.5e-12, 10.4e-12, -0.1e-12, 1e-300, 1e7})
    EXPECT_FALSE(stated_picoseconds(s)) << s;
}

template <class List, class I>
constexpr bool addressable = requires(List& list, I i) {
  list[i];
};

TEST(Index, OfOneKindDoesNotAddressAnother) {
  using States = PerIndex<StateIndex, double>;
  static_assert(addressable<States, StateIndex>);
  static_assert(!addressable<States, BlockIndex>);
  States s(3, 1.5);
  s[StateIndex{2}] = 4.0;
  EXPECT_EQ(s[StateIndex{2}], 4.0);
  EXPECT_FALSE(StateIndex{}.valid());
}

TEST(Diagnostics, NameFileLineAndKeyAndCountErrorsOnly) {
  Diagnostics d;
  d.warning({"a.yaml", 3, "run.step"}, "large");
  EXPECT_TRUE(d.ok());
  d.error({"a.yaml", 7, "states.x"}, "no {}", "unit");
  EXPECT_FALSE(d.ok());
  EXPECT_EQ(d.text(), "a.yaml:3: warning: run.step: large\na.yaml:7: states.x: no unit\n");
}

TEST(DidYouMean, OffersANearWordAndNothingFarOff) {
  const std::vector<std::string_view> words{"parameters", "states", "outputs", "r"};
  EXPECT_EQ(nearest("paramaters", words), "parameters");
  EXPECT_EQ(nearest("sates", words), "states");
  EXPECT_EQ(nearest("velocity", words), "");
  EXPECT_EQ(nearest("y", words), "");
}

}  // namespace
}  // namespace core_test
