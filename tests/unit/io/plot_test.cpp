// SPDX-License-Identifier: Apache-2.0
#include "io/plot/plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/diagnostics.hpp"
#include "io/plot/axis.hpp"
#include "io/plot/gnuplot.hpp"
#include "io/plot/layout.hpp"
#include "io/plot/plane.hpp"
#include "io/plot/sparkline.hpp"
#include "testkit/messages.hpp"
#include "testkit/program.hpp"

namespace chicane::plot_test {
namespace {

namespace fs = std::filesystem;

const double kNaN = std::numeric_limits<double>::quiet_NaN();

class Plot : public testing::Test {
 protected:
  // Draws and gives the SVG.
  [[nodiscard]] std::string drawn(const PlotRequest& request) const {
    write_plot(request, folder_ / "it's a.plot");
    return content("it's a.plot.svg");
  }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  testkit::TemporaryDirectory temporary_;
  const fs::path folder_ = temporary_.path();
};

PlotSeries wave(const std::string& name, const std::string& unit, int count = 200) {
  PlotSeries s{.name = name, .unit = unit};
  for (int k = 0; k < count; ++k) {
    s.x.push_back(0.01 * k);
    s.y.push_back(std::sin(0.05 * k));
  }
  return s;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int height_of(const std::string& svg) {
  return std::atoi(svg.c_str() + svg.find(" height=\"") + 9);
}

TEST(LogAxis, HasPowersOfTenAndFewerOrMoreTicksAsTheRangeAsks) {
  const auto labels = [](double low, double high) {
    std::string text;
    for (const Tick& t : make_log_axis({low, high}, 10).ticks) text += t.label + " ";
    return text;
  };
  EXPECT_EQ(labels(9e-6, 1.1), "10⁻⁵ 10⁻⁴ 10⁻³ 0.01 0.1 1 ");
  EXPECT_EQ(labels(0.9, 60), "1 2 5 10 20 50 ");
  EXPECT_EQ(labels(1e-6, 3e-5), "10⁻⁶ 2×10⁻⁶ 5×10⁻⁶ 10⁻⁵ 2×10⁻⁵ ");
  EXPECT_LE(make_log_axis({1e-30, 1e30}, 10).ticks.size(), 11U);
}

TEST_F(Plot, LogarithmicAxesLeaveOutWhatIsNotAboveZero) {
  const PlotSeries s{.name = "errors", .unit = "", .x = {0, 1, 10, 100}, .y = {1, -1, 1e-3, 1e-5}};
  const PlotRequest request{.title = "log",
                            .x_label = "cost",
                            .x_unit = "us",
                            .series = {s, {.name = "none", .unit = "", .x = {-1}, .y = {-1}}},
                            .y_label = "error over peak",
                            .log_x = true,
                            .log_y = true,
                            .markers = true};
  const std::string svg = drawn(request);
  EXPECT_TRUE(contains(svg, "error over peak"));
  EXPECT_TRUE(contains(svg, "10⁻⁴"));
  EXPECT_FALSE(contains(svg, "10⁻⁶"));
}

// A mark for each point, however close they are, and for each series in the legend.
TEST_F(Plot, DrawsEveryPointWherePointsAreAskedFor) {
  PlotSeries many{"many", "1/s", {}, {}}, one{"one", "1/s", {0.5}, {0.5}};
  for (int i = 0; i < 9000; ++i) {
    many.x.push_back(i % 3);
    many.y.push_back(i);
  }
  const std::string svg =
      drawn({.title = "", .x_label = "re", .x_unit = "", .series = {many, one}, .points = true});
  std::size_t marks = 0;
  for (std::size_t at = 0; (at = svg.find("<use ", at)) != std::string::npos; ++at) ++marks;
  EXPECT_GE(marks, 9000U + 1U + 2U);  // gnuplot's definitions of the marks come on top
}

TEST_F(Plot, LeavesAPngAnSvgAndNothingElse) {
  const std::string svg = drawn({"Sine steer", "time", "s", {wave("chassis.yaw_rate", "rad/s")}});
  EXPECT_EQ(content("it's a.plot.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
  for (const char* text : {"Sine steer", "time [s]", "chassis.yaw_rate [rad/s]"}) {
    EXPECT_TRUE(contains(svg, text)) << text;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2);
}

TEST_F(Plot, ShowsSpecialCharactersAsTheyAre) {
  // & and < as XML spells them; the rest is what gnuplot would take for markup, quotes or commands.
  const std::string svg = drawn({"T_1 {a} ^2 'b' \"c\" \\d `e` @f %g $h # \\",
                                 "time",
                                 "s",
                                 {wave("x_{1}^2 'q' \"r\" \\n `s`", "m"), wave("a<b & c\\", "m")}});
  EXPECT_TRUE(contains(svg, "<text>T_1 {a} ^2 'b' \"c\" \\d `e` @f %g $h # \\</text>"));
  EXPECT_TRUE(contains(svg, "<text>x_{1}^2 'q' \"r\" \\n `s`</text>"));
  EXPECT_TRUE(contains(svg, "<text>a&lt;b &amp; c\\</text>"));
}

TEST_F(Plot, SharesAPanelOnlyWithinAUnit) {
  const std::string shared = drawn({"", "t", "s", {wave("a", "m"), wave("b", "m")}});
  EXPECT_TRUE(contains(shared, "<text>[m]</text>"));
  EXPECT_TRUE(contains(shared, "<text>a</text>"));
  EXPECT_TRUE(contains(shared, "<text>b</text>"));
  const std::string apart = drawn({"", "t", "s", {wave("a", "m/s^2"), wave("b", "m")}});
  EXPECT_TRUE(contains(apart, "<text>a [m/s²]</text>"));
  EXPECT_TRUE(contains(apart, "<text>b [m]</text>"));
  EXPECT_GT(height_of(apart), height_of(shared));
}

TEST_F(Plot, GrowsToTwelvePanelsAndSaysWhatIsLeftOut) {
  PlotRequest request{.title = "Many"};
  for (int i = 0; i < 12; ++i) {
    request.series.push_back(wave("s" + std::to_string(i), "u" + std::to_string(i)));
  }
  const std::string twelve = drawn(request);
  EXPECT_TRUE(contains(twelve, "<text>Many</text>"));
  request.series.push_back(wave("extra", "v"));
  request.series.push_back(wave("another", "w"));
  const std::string more = drawn(request);
  EXPECT_TRUE(contains(more, "<text>Many (and 2 more)</text>"));
  EXPECT_EQ(height_of(more), height_of(twelve));
}

TEST_F(Plot, DrawsSignalsWithoutRangeOrValues) {
  const double largest = std::numeric_limits<double>::max();
  const std::string svg = drawn({"",
                                 "time",
                                 "s",
                                 {{"zero", "a", {0, 1}, {0, 0}},
                                  {"constant", "b", {0, 1}, {101325, 101325}},
                                  {"point", "c", {0.5}, {3}},
                                  {"empty", "d", {}, {}},
                                  {"gaps", "e", {0, 1, 2, 3}, {1, kNaN, 2, kNaN}},
                                  {"huge", "f", {0, 1, 2}, {1, 1e299, largest}},
                                  {"tiny", "g", {0, 1}, {5e-324, 1e-323}}}});
  EXPECT_TRUE(contains(svg, "no finite values"));
  EXPECT_TRUE(contains(drawn({"", "x", "", {{"nothing at all", "", {}, {}}}}), "nothing at all"));
}

TEST_F(Plot, RefusesWhatIsNoPlot) {
  EXPECT_THROW(write_plot({}, folder_ / "a"), UsageError);
  EXPECT_THROW(write_plot({"", "", "", {{"a", "m", {1, 2}, {1}}}}, folder_ / "a"), UsageError);
}

TEST_F(Plot, SaysWhatToInstallWhenGnuplotIsMissing) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "", 1);
  const std::string message = testkit::message_of([&] {
    write_plot({"", "t", "s", {wave("a", "m")}}, folder_ / "a");
  });
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(contains(message, "install the package gnuplot-nox")) << message;
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Plot, SaysWhereItCannotWriteAndWhatGnuplotComplainsOf) {
  const fs::path stem = folder_ / "missing" / "a";
  const std::string unwritable = testkit::message_of([&] {
    write_plot({"", "t", "s", {wave("a", "m")}}, stem);
  });
  EXPECT_EQ(unwritable, "cannot write " + stem.string() + ".png: No such file or directory");

  const std::string wrong =
      testkit::message_of([&] { run_gnuplot("set nonsense\n", folder_ / "a.png"); });
  EXPECT_TRUE(contains(wrong, "nonsense")) << wrong;
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Plot, EndsAGnuplotThatHangs) {
  const std::string path = std::getenv("PATH");
  std::ofstream(folder_ / "gnuplot") << "#!/bin/sh\nexec sleep 100\n";
  fs::permissions(folder_ / "gnuplot", fs::perms::owner_all);
  setenv("PATH", (folder_.string() + ":" + path).c_str(), 1);
  const std::string message = testkit::message_of(
      [&] { run_gnuplot("plot x\n", folder_ / "a.png", std::chrono::milliseconds(50)); });
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(contains(message, "it had not ended after 0.05 s")) << message;
  EXPECT_FALSE(fs::exists(folder_ / "a.png"));
}

TEST_F(Plot, EndsWhatAGnuplotThatHangsHasStarted) {
  const std::string path = std::getenv("PATH"), left = (folder_ / "left").string();
  std::ofstream(folder_ / "gnuplot") << "#!/bin/sh\n(sleep 0.4; touch " << left << ") &\nwait\n";
  fs::permissions(folder_ / "gnuplot", fs::perms::owner_all);
  setenv("PATH", (folder_.string() + ":" + path).c_str(), 1);
  testkit::message_of(
      [&] { run_gnuplot("plot x\n", folder_ / "a.png", std::chrono::milliseconds(200)); });
  setenv("PATH", path.c_str(), 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_FALSE(fs::exists(left));
}

double scale_x(const Panel& p) { return (p.x.range.high - p.x.range.low) / (p.right - p.left); }
double scale_y(const Panel& p) { return (p.y.range.high - p.y.range.low) / (p.bottom - p.top); }

// A circle is one in the picture; a road of 100 m that is 2 m wide has two scales, or it would be a
// thread.
TEST(PlotLayout, GivesPathsOneScaleUnlessTheyAreThreads) {
  PlotSeries circle{"y", "m", {}, {}}, road = circle;
  for (int k = 0; k <= 100; ++k) {
    circle.x.push_back(50 * std::cos(0.0628 * k));
    circle.y.push_back(50 * std::sin(0.0628 * k));
    road.x.push_back(k);
    road.y.push_back(std::sin(0.1 * k));
  }
  for (const bool one_scale : {true, false}) {
    const PlotRequest request{
        .title = "t",
        .x_label = "time",
        .x_unit = "s",
        .series = {{"v", "m/s", {0, 1}, {2, 3}}},
        .planes = {{"x", "m", circle, one_scale}, {"x", "m", road, one_scale}}};
    const Layout layout = make_layout(request);
    ASSERT_EQ(layout.panels.size(), 3U);
    EXPECT_EQ(std::fabs(scale_x(layout.panels[0]) / scale_y(layout.panels[0]) - 1) < 1e-9,
              one_scale);
    EXPECT_GT(scale_x(layout.panels[1]), 5 * scale_y(layout.panels[1]));
    EXPECT_EQ(layout.panels[0].x_label, "x [m]");
    EXPECT_EQ(layout.panels[2].x.range.high, 1.0);  // its own axis
    for (const Panel& p : layout.panels) {
      EXPECT_LT(p.left, p.right);
      EXPECT_LT(p.bottom, layout.height);
      EXPECT_TRUE(p.shows_x);
    }
  }
}

TEST(PlotLayout, PutsNamedPanelsSideBySideWithOneAxisOfTime) {
  PlotRequest request{.title = "t", .x_label = "time", .x_unit = "s", .series = {}, .columns = 2};
  for (const auto& [name, panel] :
       std::vector<std::pair<const char*, const char*>>{{"speed", "speed"},
                                                        {"roll", "attitude"},
                                                        {"pitch", "attitude"},
                                                        {"fl", "load"},
                                                        {"fr", "load"},
                                                        {"steer", "steer"},
                                                        {"yaw", "yaw rate"}})
    request.series.push_back({name, "deg", {0, 10}, {0, 1}, panel});
  const Layout layout = make_layout(request);
  ASSERT_EQ(layout.panels.size(), 5U);  // of one unit, but of five names
  EXPECT_EQ(layout.panels[1].series.size(), 2U);
  EXPECT_EQ(layout.panels[1].label, "attitude [deg]");
  EXPECT_EQ(layout.panels[0].top, layout.panels[1].top);
  EXPECT_LT(layout.panels[0].right, layout.panels[1].left);
  EXPECT_EQ(layout.panels[2].left, layout.panels[0].left);
  EXPECT_GT(layout.panels[2].top, layout.panels[0].bottom);
  const std::vector<bool> shown{false, false, false, true, true};  // at the foot of each column
  for (std::size_t i = 0; i < shown.size(); ++i) EXPECT_EQ(layout.panels[i].shows_x, shown[i]) << i;
}

TEST_F(Plot, DrawsPlanesAboveThePanels) {
  write_plot({.title = "a path",
              .x_label = "time",
              .x_unit = "s",
              .series = {{"v", "m/s", {0, 1}, {2, 3}}},
              .planes = {{"x", "m", {"y", "m", {0, 1, 1, 0}, {0, 0, 1, 1}}, true}}},
             folder_ / "path");
  const std::string svg = content("path.svg");
  for (const char* text : {"a path", "x [m]", "y [m]", "v [m/s]", "time [s]"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  write_plot({.title = "",
              .x_label = "",
              .x_unit = "",
              .series = {},
              .planes = {{"x", "m", {"y", "m", {0, 1}, {0, 0}}, true}}},
             folder_ / "alone");
}

TEST(Thinned, KeepsPeaksEndsOfRangeAndOrder) {
  PlotSeries s = wave("a", "m", 1'000'000);
  s.y[123'456] = 50;
  s.y[777'777] = -70;
  const PlotSeries thin = thinned(s, 4000);
  EXPECT_LE(thin.x.size(), 4000u);
  EXPECT_GE(thin.x.size(), 3000u);
  const auto at = [&](double y) {
    return thin
        .x[static_cast<std::size_t>(std::find(thin.y.begin(), thin.y.end(), y) - thin.y.begin())];
  };
  EXPECT_EQ(at(50), s.x[123'456]);
  EXPECT_EQ(at(-70), s.x[777'777]);
  EXPECT_TRUE(std::is_sorted(thin.x.begin(), thin.x.end()));
  // 500 samples lie in a stretch: the ends are kept to that
  EXPECT_LT(thin.x.front(), s.x[500]);
  EXPECT_GT(thin.x.back(), s.x[s.x.size() - 501]);
}

TEST(Thinned, KeepsGapsAndLeavesShortSeriesAlone) {
  PlotSeries s = wave("a", "m", 100'000);
  s.y[50'000] = kNaN;  // a single lost sample is still a gap
  const PlotSeries thin = thinned(s, 1000);
  EXPECT_EQ(std::count_if(thin.y.begin(), thin.y.end(), [](double v) { return std::isnan(v); }), 1);

  const PlotSeries few = wave("a", "m", 1000);
  EXPECT_EQ(thinned(few, 1000).y, few.y);
}

TEST(PlotAxis, HasRoundTicksThatReadAsTheirValue) {
  for (const auto& [low, high] : {std::pair{-0.3, 0.29},
                                  {0.0, 10.0},
                                  {299'999.9, 300'000.4},
                                  {-1e-7, 1e-7},
                                  {1e250, 3e250},
                                  {4000.0, 4001.0}}) {
    const Axis axis = make_axis({low, high}, 6);
    EXPECT_GE(axis.ticks.size(), 3u) << low << " to " << high;
    EXPECT_LE(axis.ticks.size(), 7u) << low << " to " << high;
    for (const Tick& tick : axis.ticks) {
      std::string text = tick.label;
      if (const auto minus = text.find("−"); minus == 0) text.replace(0, 3, "-");
      const double value = std::stod(text) * std::pow(10.0, axis.exponent);
      EXPECT_NEAR(value, tick.at, 1e-6 * (high - low)) << tick.label;
      EXPECT_GE(tick.at, low - 1e-6 * (high - low));
      EXPECT_LE(tick.at, high + 1e-6 * (high - low));
    }
  }
}

TEST(Sparkline, RisesFromLowestToHighestBlock) {
  const std::vector<double> ramp{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(sparkline(ramp, 8), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline(ramp, 2), "▁█");
  EXPECT_EQ(sparkline(ramp, 80), "▁▂▃▄▅▆▇█");  // never wider than the signal
}

TEST(Sparkline, DrawsConstantsAtHalfHeightAndGapsBlank) {
  EXPECT_EQ(sparkline(std::vector<double>(10, 3.5), 4), "▄▄▄▄");
  EXPECT_EQ(sparkline(std::vector<double>{0, kNaN, 1}, 3), "▁ █");
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(sparkline(std::vector<double>{-largest, 0, largest}, 3), "▁▅█");
  EXPECT_EQ(sparkline({}, 10), "");
  EXPECT_EQ(sparkline(std::vector<double>{1}, 0), "");
}

// One scale for both axes: a panel twice as wide as high has that shape in the picture, too.
TEST_F(Plot, PlanesHaveOneScaleAndNameTheirShapes) {
  const PlaneShape square{.name = "it's a square",
                          .curves = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}},
                          .fill = "#0072B2"};
  const PlaneShape nothing{.name = "nothing to draw", .curves = {}, .line = "#000000"};
  PlanePanel panel{.title = "panel",
                   .x_label = "Re",
                   .y_label = "Im",
                   .x = {-2, 2},
                   .y = {-1, 1},
                   .shapes = {square, nothing}};
  write_plane({.title = "title", .panels = {panel}}, folder_ / "plane");
  const std::string wide = content("plane.svg");
  for (const char* text : {"title", "panel", "Re", "Im", "s a square"})
    EXPECT_TRUE(contains(wide, text)) << text;
  EXPECT_FALSE(contains(wide, "nothing to draw"));
  panel.y = {-4, 4};
  write_plane({.title = "title", .panels = {panel}}, folder_ / "plane");
  EXPECT_GT(height_of(content("plane.svg")), height_of(wide));
  EXPECT_THROW(write_plane({}, folder_ / "plane"), UsageError);
}

}  // namespace
}  // namespace chicane::plot_test
