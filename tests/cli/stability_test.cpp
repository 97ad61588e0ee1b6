// SPDX-License-Identifier: Apache-2.0

// chicane stability: methods, files, pairs and interpolators as users meet them.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "testkit/cli.hpp"

namespace stability_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Stability : public testkit::CliTest {
 protected:
  static bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(Stability, HasTheKeysForEveryBuiltInMethodAndAgreesWithTheList) {
  const Json list = json({"list", "methods"});
  for (const Json& m : list.at("methods")) {
    const Json j = json({"stability", m.at("name").get<std::string>()});
    EXPECT_EQ(j.at("status"), "ok");
    for (const char* key : {"name", "order", "evaluations", "real_limit", "imaginary_limit"})
      EXPECT_EQ(j.at(key), m.at(key)) << m.at("name");
    EXPECT_EQ(j.at("polynomial").is_null(), m.at("old_steps") > 0) << m.at("name");
    EXPECT_EQ(j.at("root_error").at("power"), m.at("order")) << m.at("name");
    EXPECT_GT(j.at("damping_limits").size(), 3U);
  }
}

TEST_F(Stability, GivesPolynomialsAndErrorsAsFractions) {
  const Json rk4 = json({"stability", "rk4"});
  EXPECT_EQ(rk4.at("polynomial"), (std::vector{1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24}));
  EXPECT_EQ(rk4.at("polynomial_exact"), (std::vector{"1", "1", "1/2", "1/6", "1/24"}));
  EXPECT_EQ(json({"stability", "ab2"}).at("root_error").at("exact"), "-5/12");
  EXPECT_EQ(json({"stability", "rtrk2"}).at("name"), "rk2");  // an alias
}

TEST_F(Stability, TakesFilesOfMethodsAndOfPairs) {
  dir_.write("ab2x.yaml", "format: chicane/1\nname: ab2x\norder: 2\nb: [3/2]\ne: [-1/2]\n");
  dir_.write("pair.yaml",
             "format: chicane/1\nname: heun-rk4\norder: 2\n"
             "slow: {A: [[], [1/2], [1/2], [1]], b: [1/2, 0, 0, 1/2]}\n"
             "fast: {A: [[], [1/2], [0, 1/2], [0, 0, 1]], b: [1/6, 1/3, 1/3, 1/6]}\n");
  Json own = json({"stability", "ab2x.yaml", "--error"});
  Json built_in = json({"stability", "ab2", "--error"});
  own.erase("name");
  built_in.erase("name");
  EXPECT_EQ(own, built_in);

  const Json pair = json({"stability", "pair.yaml"});
  const Json heun = json({"stability", "heun2"}), rk4 = json({"stability", "rk4"});
  EXPECT_EQ(pair.at("order"), 2);
  EXPECT_EQ(pair.at("slow").at("polynomial"), heun.at("polynomial"));
  EXPECT_EQ(pair.at("slow").at("evaluations"), 2);  // unused columns cost nothing
  EXPECT_EQ(pair.at("fast").at("order"), 4);        // of the tableau by itself
  for (const char* key : {"real_limit", "imaginary_limit", "polynomial"}) {
    EXPECT_EQ(pair.at("fast").at(key), rk4.at(key)) << key;
    EXPECT_EQ(pair.at(key), rk4.at(key)) << key;
  }
}

TEST_F(Stability, GivesTheOrderThatCoefficientsHaveWhereAFileClaimsLess) {
  dir_.write("modest.yaml", "format: chicane/1\nname: modest\norder: 1\nb: [3/2]\ne: [-1/2]\n");
  EXPECT_EQ(json({"stability", "modest.yaml"}).at("order"), 2);
}

TEST_F(Stability, RefusesWhatItCannotReadAndSaysWhy) {
  dir_.write("wrong.yaml", "format: chicane/1\nname: wrong\norder: 3\nb: [3/2]\ne: [-1/2]\n");
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& why) {
    const auto outcome = chicane(arguments);
    EXPECT_EQ(outcome.code, 1) << why;
    EXPECT_TRUE(contains(outcome.err, why)) << outcome.err;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
  };
  refused({"stability", "ab22"}, "did you mean 'ab2'?");
  refused({"stability", "prk26"}, "did you mean 'prk25'?");
  refused({"stability", "wrong.yaml"}, "wrong.yaml:3: order: these coefficients have order 2");
  refused({"stability", "ab2", "--zeta", "1.5"}, "--zeta: a damping ratio is from 0 to 1");
  refused({"stability", "ab2", "--sizes", "0"}, "--sizes: a size is above 0");
  refused({"stability", "ab2", "--ratio", "3"}, "'stability interpolators'");
  refused({"stability", "interpolators", "--ratio", "0"}, "--ratio: a ratio is from 1");
  refused({"stability", "interpolators", "--error"}, "--error: it goes with methods");
  EXPECT_EQ(chicane({"stability"}).code, 2);
  const auto outcome = chicane({"stability", "ab22", "--json"});
  EXPECT_EQ(Json::parse(outcome.out).at("errors").size(), 1U);
}

TEST_F(Stability, TellsExactErrorsFromAsymptoticOnes) {
  const Json j = json(
      {"stability", "ab2", "--error", "--zeta", "0.5,1", "--sizes", "0.001,0.5", "--omega", "2"});
  ASSERT_EQ(j.at("errors").size(), 2U);
  const Json& rows = j.at("errors")[0].at("rows");
  ASSERT_EQ(rows.size(), 2U);
  const auto apart = [](const Json& both) {
    return std::fabs(both.at("exact").get<double>() / both.at("asymptotic").get<double>() - 1);
  };
  for (const auto& [a, b] : {std::pair{"damping", ""}, std::pair{"integrator", "gain"},
                             std::pair{"first_order", "gain"}, std::pair{"second_order", "gain"}}) {
    const auto both = [&](const Json& row) { return *b == 0 ? row.at(a) : row.at(a).at(b); };
    EXPECT_LT(apart(both(rows[0])), 0.01) << a;  // the formula holds at small steps ...
    EXPECT_GT(apart(both(rows[1])), 0.01) << a;  // ... and not at large ones
  }
  const Json& real = j.at("errors")[1].at("rows")[0];  // zeta = 1 has no frequency
  EXPECT_TRUE(real.at("frequency").is_null());
  EXPECT_TRUE(real.at("second_order").is_null());
}

TEST_F(Stability, DrawsOneRegionOrSeveralAndWritesTheLocus) {
  const Json one = json({"stability", "ab3", "--plot", "--out", "one"});
  EXPECT_EQ(one.at("out"), "one");
  const Json several = json({"stability", "ab2", "prk25", "--plot", "--error"});
  EXPECT_EQ(several.at("out"), "runs/stability-001");
  ASSERT_EQ(several.at("methods").size(), 2U);
  for (const char* file : {"one/stability.png", "one/stability.svg", "one/stability.json",
                           "runs/stability-001/stability.png", "runs/stability-001/errors.svg"})
    EXPECT_TRUE(fs::exists(fs::path(dir_.path()) / file)) << file;
  EXPECT_TRUE(contains(dir_.read("one/stability.svg"), "growth below 0.8"));
  EXPECT_TRUE(contains(dir_.read("runs/stability-001/stability.svg"), "prk25 fast"));
  // The locus of ab3 begins at the origin and is left at theta = pi by -6/11 on the real axis.
  const Json branch = Json::parse(dir_.read("one/stability.json")).at("locus").at("ab3")[0];
  EXPECT_NEAR(branch[0][0].get<double>(), 0.0, 1e-12);
  EXPECT_NEAR(branch[180][0].get<double>(), -6.0 / 11, 1e-12);
}

TEST_F(Stability, OfInterpolatorsIsTable1ForAnyRatio) {
  const Json j = json({"stability", "interpolators", "--ratio", "7", "--sizes", "0.01"});
  ASSERT_EQ(j.at("interpolators").size(), 7U);
  for (const Json& i : j.at("interpolators")) {
    const Json& at = i.at("ratios")[0];
    const Json& row = at.at("errors")[0];
    EXPECT_NEAR(row.at(i.at("error").get<std::string>()).get<double>(),
                row.at("asymptotic").get<double>(),
                1e-2 * std::fabs(row.at("asymptotic").get<double>()))
        << i.at("name");
    if (i.at("name") == "extrap1") {
      EXPECT_EQ(at.at("exact"), "17/49");  // 6 * 34 / (12 * 49)
      EXPECT_EQ(i.at("formula"), "5/12 - 1/2 / N + 1/12 / N^2");
    }
  }
  EXPECT_TRUE(contains(chicane({"stability", "interpolators"}).out, "-0.0625"));
}

TEST_F(Stability, PrintsTablesForPeople) {
  const auto outcome = chicane({"stability", "ab2", "rk4", "--error"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* part : {"imag/eval", "damping ratio", "second-order system", "-1/120"})
    EXPECT_TRUE(contains(outcome.out, part)) << part;
  EXPECT_FALSE(fs::exists(fs::path(dir_.path()) / "runs"));  // nothing was asked to be written
}

}  // namespace
}  // namespace stability_test
