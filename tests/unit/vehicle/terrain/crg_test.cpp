// SPDX-License-Identifier: Apache-2.0
#include "vehicle/terrain/crg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "math/dual.hpp"
#include "testkit/allocation_counter.hpp"
#include "testkit/crg.hpp"
#include "testkit/random.hpp"

namespace crg_test {
namespace {

using namespace chicane;
using namespace chicane::terrain;
using testkit::CrgMaker;

CrgRoad road_of(const std::string& bytes, const CrgPlace& place = {}) {
  Diagnostics diag;
  auto file = read_crg(bytes, "t.crg", diag);
  if (!file) throw std::runtime_error(diag.text());
  auto road = CrgRoad::make(std::move(*file), place, diag);
  if (!road) throw std::runtime_error(diag.text());
  return std::move(*road);
}
std::string fault_of(const std::string& bytes) {
  Diagnostics diag;
  auto file = read_crg(bytes, "t.crg", diag);
  if (file) (void)CrgRoad::make(std::move(*file), {}, diag);
  EXPECT_FALSE(diag.ok());
  return diag.text();
}

constexpr const char* kAsItLies = "$ROAD_CRG_MODS\n$\n";  // not moved to the origin

CrgMaker curved() {
  CrgMaker m;
  m.phi = [](double u) { return 0.3 * std::sin(0.2 * u); };
  m.slope = [](double u) { return 0.05 * std::cos(0.3 * u); };
  m.banking = [](double u) { return 0.04 * std::sin(0.5 * u); };
  m.blocks = kAsItLies;
  return m;
}

TEST(Crg, IsTheSameInEveryForm) {
  for (const bool placed : {true, false}) {
    CrgMaker m = curved();
    m.placed = placed;
    const CrgRoad text = road_of(m.write("LDFI"));
    for (const char* form : {"LRFI", "LDFI", "KRBI", "KDBI", "LRBI", "LDBI"}) {
      const CrgRoad other = road_of(m.write(form));
      EXPECT_EQ(other.nodes(), 41U) << form;
      for (double u = -1.0; u < 22.0; u += 0.37)
        for (double v = -2.3; v < 2.5; v += 0.31) {
          const Uv<double> at{u, v};
          // Seven decimals of the real text; headings of 1e-7 add up over 20 m.
          EXPECT_NEAR(other.height(at).z, text.height(at).z, 3e-7) << form;
          EXPECT_NEAR(other.xy(at).x, text.xy(at).x, 2e-6) << form;
          EXPECT_NEAR(other.xy(at).y, text.xy(at).y, 2e-6) << form;
        }
    }
  }
}

TEST(Crg, MeetsItsDataAtTheNodesOfTheGrid) {
  const CrgMaker m = curved();
  const CrgRoad road = road_of(m.write("KDBI"));
  double line = 0.0;
  for (int r = 0; r < m.rows; ++r) {
    const double u = m.u_of(r);
    if (r > 0) line += m.slope(u) * m.step;  // a slope belongs to the piece that ends there
    for (int k = 0; k < m.sections; ++k)
      EXPECT_NEAR(road.height(Uv<double>{u, m.v_of(k)}).z,
                  m.z(u, m.v_of(k)) + line + m.banking(u) * m.v_of(k), 1e-12);
  }
}

TEST(Crg, PlacesComeBackFromTheWorld) {
  const CrgRoad road = road_of(curved().write("KDBI"));
  testkit::Random random(5);
  for (int k = 0; k < 2000; ++k) {
    const Uv<double> at{random(-3.0, 23.0), random(-2.0, 2.0)};
    const Uv<double> back = road.uv(road.xy(at));
    EXPECT_NEAR(back.u, at.u, 1e-11);
    EXPECT_NEAR(back.v, at.v, 1e-11);
  }
}

TEST(Crg, ConstantTurnIsACircle) {
  CrgMaker m;
  constexpr double kRadius = 50.0;
  m.rows = 201;
  m.phi = [&](double u) { return (u - 0.5 * m.step) / kRadius; };  // chords of the circle
  m.blocks = kAsItLies;
  const CrgRoad road = road_of(m.write("KDBI"));
  // A polygon with chords of 0.5 m: its corners lie on a circle to 1 + (step / R)^2 / 24.
  for (double u = 0.0; u <= 100.0; u += m.step)
    for (const double v : {-2.0, 0.0, 1.5}) {
      const Xy<double> p = road.xy(Uv<double>{u, v});
      EXPECT_NEAR(std::hypot(p.x, p.y - kRadius), kRadius - v, 2e-3) << u << " " << v;
      if (u >= 0.5 && u < 100.0) {
        EXPECT_NEAR(road.heading({u, v}).curvature, 1.0 / (kRadius - v), 2e-6) << u;
      }
    }
}

TEST(Crg, NormalsAreThoseOfTheHeightInTheWorld) {
  const CrgRoad road = road_of(curved().write("KDBI"));
  testkit::Random random(6);
  int compared = 0;
  for (int k = 0; k < 500; ++k) {
    const Uv<double> at{random(0.0, 20.0), random(-1.9, 1.9)};
    const Xy<double> p = road.xy(at);
    constexpr double kStep = 1e-5;
    const auto z = [&](double dx, double dy) {
      return road.query<double>(p.x + dx, p.y + dy, {}).height;
    };
    const double ahead = z(kStep, 0) - z(0, 0), behind = z(0, 0) - z(-kStep, 0);
    const double left = z(0, kStep) - z(0, 0), right = z(0, 0) - z(0, -kStep);
    if (std::fabs(ahead - behind) > 1e-9 || std::fabs(left - right) > 1e-9) continue;  // an edge
    ++compared;
    const auto hit = road.query<double>(p.x, p.y, {});
    EXPECT_NEAR(-hit.normal.x / hit.normal.z, 0.5 * (ahead + behind) / kStep, 1e-8);
    EXPECT_NEAR(-hit.normal.y / hit.normal.z, 0.5 * (left + right) / kStep, 1e-8);
    const auto dual = road.query<Dual>(Dual::variable(p.x, 0), Dual(p.y), {});
    EXPECT_NEAR(dual.height.b[0], -hit.normal.x / hit.normal.z, 1e-12);
    EXPECT_DOUBLE_EQ(dual.height.a, hit.height);
  }
  EXPECT_GT(compared, 400);
}

TEST(Crg, BordersDoWhatTheirModeSays) {
  const auto with = [](const std::string& options) {
    CrgMaker m = curved();
    m.slope = m.banking = {};
    m.blocks += "$ROAD_CRG_OPTS\n" + options + "$\n";
    return road_of(m.write("KDBI"));
  };
  const auto z = [](const CrgRoad& r, double u, double v) { return r.height(Uv<double>{u, v}).z; };
  const CrgRoad keep = with("");
  EXPECT_EQ(z(keep, -3.0, 0.7), z(keep, 0.0, 0.7));
  EXPECT_EQ(z(keep, 7.3, 9.0), z(keep, 7.3, 2.0));
  const CrgRoad none = with("border_mode_u = 0\nborder_mode_v = 0\n");
  EXPECT_TRUE(std::isnan(z(none, 20.1, 0.0)));
  EXPECT_TRUE(std::isnan(z(none, 5.0, -2.1)));
  EXPECT_EQ(z(none, 5.0, 1.9), z(keep, 5.0, 1.9));
  const CrgRoad zero = with("border_mode_u = 1\nborder_mode_v = 1\nborder_offset_v = 0.25\n");
  EXPECT_EQ(z(zero, 21.0, 0.3), 0.0);
  EXPECT_EQ(z(zero, 5.0, 2.3), 0.25);
  const CrgRoad repeat = with("border_mode_u = 3\nborder_mode_v = 3\n");
  EXPECT_NEAR(z(repeat, 5.0 + 40.0, 0.3 - 8.0), z(keep, 5.0, 0.3), 1e-12);
  EXPECT_NEAR(z(repeat, 5.0 - 20.0, 0.3 + 4.0), z(keep, 5.0, 0.3), 1e-12);
  const CrgRoad reflect = with("border_mode_u = 4\nborder_mode_v = 4\n");
  EXPECT_NEAR(z(reflect, -5.0, 2.5), z(keep, 5.0, 1.5), 1e-12);
  EXPECT_NEAR(z(reflect, 25.0 + 40.0, -2.5), z(keep, 15.0, -1.5), 1e-12);
  const CrgRoad offset = with("border_offset_u = 0.1\nborder_offset_v = 0.02\n");
  EXPECT_NEAR(z(offset, -1.0, 0.4), z(keep, 0.0, 0.4) + 0.1, 1e-15);
  EXPECT_NEAR(z(offset, 30.0, 4.0), z(keep, 20.0, 2.0) + 0.12, 1e-15);
  const CrgRoad smooth = with("border_smooth_ubeg = 4\nborder_smooth_uend = 2\n");
  EXPECT_NEAR(z(smooth, 1.0, 0.4), 0.25 * z(keep, 1.0, 0.4), 1e-15);
  EXPECT_NEAR(z(smooth, 19.5, 0.4), 0.25 * z(keep, 19.5, 0.4), 1e-15);
  EXPECT_EQ(z(smooth, 10.0, 0.4), z(keep, 10.0, 0.4));
  EXPECT_EQ(z(smooth, -1.0, 0.4), 0.0);
}

TEST(Crg, SlopesOutsideAreThoseOfTheBorder) {
  CrgMaker m = curved();
  m.blocks += "$ROAD_CRG_OPTS\nborder_mode_u = 4\nborder_mode_v = 3\nborder_smooth_uend = 3\n$\n";
  for (const bool placed : {true, false}) {
    m.placed = placed;
    const CrgRoad road = road_of(m.write("KDBI"));
    testkit::Random random(7);
    for (int k = 0; k < 300; ++k) {
      const Uv<double> at{random(-30.0, 50.0), random(-7.0, 7.0)};
      constexpr double kStep = 1e-6;
      const auto z = [&](double du, double dv) {
        return road.height(Uv<double>{at.u + du, at.v + dv}).z;
      };
      const double ahead = z(kStep, 0) - z(0, 0), behind = z(0, 0) - z(-kStep, 0);
      const double left = z(0, kStep) - z(0, 0), right = z(0, 0) - z(0, -kStep);
      const auto slope = road.height(at);
      if (std::fabs(ahead - behind) < 1e-10) {
        EXPECT_NEAR(slope.along_u, ahead / kStep, 1e-7);
      }
      if (std::fabs(left - right) < 1e-10) {
        EXPECT_NEAR(slope.along_v, left / kStep, 1e-7);
      }
    }
  }
}

TEST(Crg, ModifiersScaleAndPlace) {
  CrgMaker m = curved();
  const CrgRoad plain = road_of(m.write("KDBI"));
  m.blocks =
      "$ROAD_CRG_MODS\nscale_z_grid = 2\nscale_slope = 3\nscale_banking = 0.5\nscale_length = 1.5\n"
      "scale_width = 0.5\nscale_curvature = 0\n$\n";
  const CrgRoad scaled = road_of(m.write("KDBI"));
  EXPECT_DOUBLE_EQ(scaled.u_last(), 30.0);
  EXPECT_DOUBLE_EQ(scaled.v().front(), -1.0);
  EXPECT_NEAR(scaled.xy(Uv<double>{30.0, 0.0}).x, 30.0, 1e-12);  // it is straight now
  double line = 0.0;
  for (int r = 1; r <= 20; ++r) line += 3.0 * m.slope(m.u_of(r)) * 1.5 * m.step;
  EXPECT_NEAR(scaled.height(Uv<double>{15.0, 0.5}).z,
              2.0 * m.z(10.0, 1.0) + line + 0.5 * m.banking(10.0) * 0.5, 1e-12);

  m.blocks =
      "$ROAD_CRG_MODS\nrefpoint_u = 7.2\nrefpoint_v = -0.4\nrefpoint_x = 3\nrefpoint_y = -5\n"
      "refpoint_z = 1.25\nrefpoint_phi = 0.8\n$\n";
  const CrgRoad placed = road_of(m.write("KDBI"));
  const Xy<double> p = placed.xy(Uv<double>{7.2, -0.4});
  EXPECT_NEAR(p.x, 3.0, 1e-12);
  EXPECT_NEAR(p.y, -5.0, 1e-12);
  EXPECT_NEAR(placed.height(Uv<double>{7.2, -0.4}).z, 1.25, 1e-12);
  EXPECT_NEAR(placed.heading({7.2, 0.0}).phi, 0.8, 1e-12);
  // A motion of the whole: shapes stay.
  EXPECT_NEAR(placed.height(Uv<double>{3.0, 1.0}).z - placed.height(Uv<double>{12.0, -1.0}).z,
              plain.height(Uv<double>{3.0, 1.0}).z - plain.height(Uv<double>{12.0, -1.0}).z, 1e-12);
}

TEST(Crg, WithoutAWordTheRightEdgeIsInTheOriginOrTheLine) {
  CrgMaker m = curved();
  m.blocks.clear();
  const auto at = [&](CrgPlace::By by, double v) {
    const Xy<double> p = road_of(m.write("KDBI"), {.by = by}).xy(Uv<double>{0.0, v});
    return std::hypot(p.x, p.y);
  };
  EXPECT_NEAR(at(CrgPlace::By::file, -2.0), 0.0, 1e-12);
  EXPECT_NEAR(at(CrgPlace::By::line, 0.0), 0.0, 1e-12);
  const CrgRoad road =
      road_of(m.write("KDBI"), {.by = CrgPlace::By::start, .begin = 8.25, .offset = 0.5});
  const Uv<double> origin = road.uv<double>({0.0, 0.0});
  EXPECT_NEAR(origin.u, 8.25, 1e-12);
  EXPECT_NEAR(origin.v, 0.5, 1e-12);
  EXPECT_NEAR(road.query<double>(0.0, 0.0, {}).height, 0.0, 1e-12);
  const Uv<double> ahead = road.uv<double>({0.2, 0.0});  // the line goes along x there
  EXPECT_NEAR(ahead.v, 0.5, 1e-12);
}

TEST(Crg, MissingHeightsComeFromTheNeighbourUnlessTheyAreKept) {
  CrgMaker m;
  m.z = [](double u, double v) { return std::fabs(u - 5.0) < 0.1 && v > 0.7 ? std::nan("") : v; };
  const CrgRoad filled = road_of(m.write("LRFI"));
  EXPECT_NEAR(filled.height(Uv<double>{5.0, 2.0}).z - filled.height(Uv<double>{5.0, 0.5}).z, 0.0,
              1e-7);
  m.blocks = "$ROAD_CRG_MODS\ngrid_nan_mode = 1\ngrid_nan_offset = -0.5\n$\n";
  EXPECT_NEAR(road_of(m.write("KRBI")).height(Uv<double>{5.0, 2.0}).z, -0.5, 1e-7);
  m.blocks = "$ROAD_CRG_MODS\ngrid_nan_mode = 2\ngrid_nan_offset = -0.125\n$\n";
  EXPECT_NEAR(road_of(m.write("KRBI")).height(Uv<double>{5.0, 2.0}).z, 0.5 - 0.125, 1e-7);
  m.blocks = kAsItLies;
  EXPECT_TRUE(std::isnan(road_of(m.write("KRBI")).height(Uv<double>{5.1, 1.9}).z));
}

TEST(Crg, ClosedTracksGoOnFromTheirEnd) {
  CrgMaker m;
  constexpr double kTurn = 2.0 * std::numbers::pi;
  m.rows = 400;
  m.phi = [&](double u) { return kTurn * (u - 0.5 * m.step) / 200.0; };
  m.blocks = std::string(kAsItLies) + "$ROAD_CRG_OPTS\nrefline_continuation = 1\n$\n";
  const CrgRoad road = road_of(m.write("KDBI"));
  ASSERT_TRUE(road.closed());
  const double lap = 200.0;
  for (const double u : {0.3, 57.0, 199.3}) {
    const Xy<double> p = road.xy(Uv<double>{u, 0.6}), q = road.xy(Uv<double>{u + lap, 0.6});
    // The last piece of the loop is a straight seam of half a metre.
    EXPECT_NEAR(p.x, q.x, 1e-2);
    EXPECT_NEAR(p.y, q.y, 1e-2);
  }
}

// The nearest piece of the line, by looking at all.
TEST(Crg, TheSearchFindsWhatLookingEverywhereFinds) {
  CrgMaker m;
  m.rows = 2001;
  m.step = 0.1;
  m.phi = [](double u) { return 1.2 * std::sin(u / 15.0); };
  m.z = [](double u, double v) { return 1e-3 * u + 0.01 * v; };
  const CrgRoad road = road_of(m.write("KDBI"));
  testkit::Random random(8);
  for (int k = 0; k < 3000; ++k) {
    const Uv<double> at{random(0.0, 200.0), random(-2.0, 2.0)};
    const Uv<double> found = road.uv(road.xy(at));
    EXPECT_NEAR(found.u, at.u, 1e-9);
    EXPECT_NEAR(found.v, at.v, 1e-9);
  }
  for (const double far : {1e3, 1e6, 1e12, -1e300, std::numeric_limits<double>::infinity()}) {
    (void)road.query<double>(far, -far, {});  // it comes back
    (void)road.query<double>(0.0, far, {});
  }
}

TEST(Crg, AQueryDoesNotTouchTheHeap) {
  const CrgRoad road = road_of(curved().write("KRBI"));
  const testkit::AllocationCounter heap;
  double sum = 0.0;
  for (int k = 0; k < 1000; ++k)
    sum += road.query<double>(0.03 * k - 5.0, 0.01 * k - 4.0, {}).height +
           road.query<Dual>(Dual(0.03 * k), Dual(0.4), {}).height.a;
  EXPECT_EQ(heap.count(), 0);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(Crg, AFileMayNameAnother) {
  CrgMaker m = curved();
  m.blocks = "$ROAD_CRG_MODS\nscale_z_grid = 5\n$\n$ROAD_CRG_OPTS\nborder_mode_u = 0\n$\n";
  const std::string whole = m.write("LRFI");
  const std::string top =
      "$ROAD_CRG_FILE\n roads/wh\n ole.crg ! in two lines\n$\n$ROAD_CRG_MODS\n$\n";
  Diagnostics diag;
  auto file = read_crg(top, "a/top.crg", diag, [&](const std::string& path) {
    return path == "a/roads/whole.crg" ? std::optional(whole) : std::nullopt;
  });
  ASSERT_TRUE(file) << diag.text();
  EXPECT_FALSE(file->modifiers->scale_z);  // a block of the first file is in place of the other's
  EXPECT_EQ(file->options->border_mode_u, 0.0);
  Diagnostics circle;
  EXPECT_FALSE(read_crg(top, "a/top.crg", circle, [&](const std::string&) { return top; }));
  EXPECT_NE(circle.text().find("in a circle"), std::string::npos) << circle.text();
}

// --- what is no road
// -------------------------------------------------------------------------------

TEST(Crg, EveryCutOffFileIsRefusedOrARoad) {
  for (const char* form : {"LRFI", "KRBI", "LDFI", "KDBI"}) {
    CrgMaker m = curved();
    m.rows = 5;
    const std::string whole = m.write(form);
    for (std::size_t n = 0; n + 90 < whole.size(); ++n) {
      Diagnostics diag;
      const auto file = read_crg(whole.substr(0, n), "t.crg", diag);
      EXPECT_FALSE(file) << form << " " << n;
      EXPECT_FALSE(diag.ok());
    }
  }
}

TEST(Crg, DamagedFilesAreRefusedOrRoads) {
  testkit::Random random(9);
  for (const char* form : {"LRFI", "KRBI"}) {
    CrgMaker m = curved();
    m.rows = 7;
    const std::string whole = m.write(form);
    for (int k = 0; k < 3000; ++k) {
      std::string bytes = whole;
      for (int j = 0; j < 3; ++j)
        bytes[static_cast<std::size_t>(random(0.0, 1.0) * static_cast<double>(bytes.size() - 1))] =
            static_cast<char>(random(0.0, 255.0));
      Diagnostics diag;
      auto file = read_crg(bytes, "t.crg", diag);
      EXPECT_EQ(file.has_value(), diag.ok());
      if (!file) continue;
      const auto road = CrgRoad::make(std::move(*file), {}, diag);
      EXPECT_EQ(road.has_value(), diag.ok());
      if (road) (void)road->query<double>(1.0, 0.3, {});
    }
  }
}

TEST(Crg, FaultsNameFilePlaceAndRemedy) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  CrgMaker m = curved();
  const std::string good = m.write("LRFI");
  const auto with = [&](const std::string& old, const std::string& now) {
    std::string s = good;
    s.replace(s.find(old), old.size(), now);
    return s;
  };
  has(fault_of(with("reference_line_increment = 0.5", "reference_line_increment = 0")),
      "above 1e-6");
  has(fault_of(with("REFERENCE_LINE_END_U = 20", "REFERENCE_LINE_END_U = 2e9")), "of 4000000001");
  has(fault_of(with("REFERENCE_LINE_END_U = 20", "REFERENCE_LINE_END_U = 1e300")), "no two cross");
  has(fault_of(with("#:LRFI", "#:XYZ")), "none of LRFI");
  has(fault_of(with("phi,rad", "phi,deg")), "must be in rad");
  has(fault_of(with("reference_line_increment = 0.5", "reference_line_increment = much")),
      "t.crg:10: reference_line_increment: 'much' is no number");
  has(fault_of(with("*missing**", "abcdefghij")), "is no number of 10 characters");
  has(fault_of("\x1f\x8b\x08"), "gunzip");
  has(fault_of(""), "no whole road surface file");
  has(fault_of(std::string(5'000'000, 'x')), "t.crg:1");
  m.blocks = "$ROAD_CRG_OPTS\nborder_mode_u = 7\n$\n";
  has(fault_of(m.write("LRFI")), "no border mode");
  m.blocks = "$ROAD_CRG_MODS\nscale_length = -1\n$\n";
  has(fault_of(m.write("LRFI")), "above 0");
  m.blocks = "$ROAD_CRG_MODS\nrefpoint_x = 1e30\n$\n";
  has(fault_of(m.write("LRFI")), "no road");
}

}  // namespace
}  // namespace crg_test
