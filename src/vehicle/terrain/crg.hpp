// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vehicle/terrain/crg_file.hpp"
#include "vehicle/terrain/terrain.hpp"

// A road surface over a curved regular grid: heights z(u, v), u along a reference line, v to its
// left. The line is a polygon; between two of its points, the sides of a cell of the grid are the
// bisectors there, so that (u, v) -> (x, y) is bilinear and has an inverse in closed form.
//
// Source: the ASAM OpenCRG format 1.2; evaluation as by ASAM's C API. Docs: docs/theory/terrain.md.

namespace chicane::terrain {

template <class T>
struct Uv {
  T u, v;  // [m]
};
template <class T>
struct Xy {
  T x, y;  // [m]
};

// Height over the road's own coordinates.
template <class T>
struct RoadHeight {
  T z, along_u, along_v;  // [m], [-], [-]
};

// Where the road lies. `file`: where the file's modifiers put it, as ASAM's C API does, which
// without a word on v takes the right edge to the origin. `line`: the same, but the reference line.
// `start`: the point `begin` after the begin of the line, `offset` to its left, is the origin, and
// the line's heading there the x axis.
struct CrgPlace {
  enum class By { file, line, start };
  By by = By::file;
  double begin = 0.0, offset = 0.0;  // [m]
};

enum class CrgBorder { none, zero, keep, repeat, reflect };

// Of a node of the reference line the nearest to each cell of a raster, so that a search begins
// close by wherever it is asked from.
struct NearestNodes {
  double x_0 = 0, y_0 = 0, cell = 1;  // [m]
  int columns = 1, rows = 1;
  std::vector<std::int32_t> node;
  [[nodiscard]] int find(double x, double y) const;
};

class CrgRoad {
 public:
  // Applies the file's modifiers. Nothing and faults where they, or the line, make no sense.
  static std::optional<CrgRoad> make(CrgFile file, const CrgPlace& place, Diagnostics& diag);

  // Outside of the grid the file's border modes hold; NaN: there is no road.
  template <class T>
  [[nodiscard]] RoadHeight<T> height(const Uv<T>& at) const;
  template <class T>
  [[nodiscard]] Xy<T> xy(const Uv<T>& at) const;
  template <class T>
  [[nodiscard]] Uv<T> uv(const Xy<T>& at) const;
  struct Heading {
    double phi, curvature;  // [rad] of the reference line; [1/m] of the line through the point
  };
  [[nodiscard]] Heading heading(const Uv<double>& at) const;

  template <class T>
  [[nodiscard]] Hit<T> query(const T& x, const T& y, const Hit<T>& previous) const;

  [[nodiscard]] double u_first() const { return u_first_; }
  [[nodiscard]] double u_last() const { return u_last_; }
  [[nodiscard]] double u_step() const { return step_; }
  [[nodiscard]] const std::vector<double>& v() const { return v_; }
  [[nodiscard]] std::size_t nodes() const { return line_.size(); }
  [[nodiscard]] bool closed() const { return closed_; }
  [[nodiscard]] CrgBorder border_u() const { return border_u_; }
  [[nodiscard]] CrgBorder border_v() const { return border_v_; }
  [[nodiscard]] const CrgFile& file() const { return file_; }

  Cover<double> cover{};

 private:
  friend class CrgBuilder;
  CrgRoad() = default;

  // From a node to the next, with unit direction e and its normal n to the left. The sides of the
  // cell are n + m_1 e and n + m_2 e.
  struct Segment {
    Xy<double> p_1, e;
    double length, m_1, m_2;
  };
  template <class T>
  struct Found;  // where a point of the world lies
  template <class T>
  struct Cell;  // of the grid

  void make_segments();
  [[nodiscard]] int segment_at(double x, double y) const;
  template <class T>
  [[nodiscard]] Found<T> find(const Xy<T>& at) const;
  template <class T>
  [[nodiscard]] T within_loop(const T& u) const;
  template <class T>
  [[nodiscard]] Cell<T> cell(const T& u, const T& v) const;
  template <class T>
  void across(T v, Cell<T>& c) const;
  template <class T>
  void smooth(const Cell<T>& c, RoadHeight<T>& z) const;
  [[nodiscard]] double z_of(std::size_t row, std::size_t column) const {
    return z_[row * v_.size() + column];
  }

  CrgFile file_;  // without its table
  double u_first_ = 0, u_last_ = 0, step_ = 1;
  std::vector<double> v_;
  bool even_v_ = false;  // sections are counted, not placed
  double v_step_ = 1;
  std::vector<Xy<double>> line_;
  std::vector<Segment> segments_;
  std::vector<double> phi_;  // of each node; of one a straight line
  std::vector<double> z_;
  std::vector<double> line_z_;  // none: line_z_0_
  double line_z_0_ = 0, grid_z_ = 0;
  std::vector<double> bank_;  // none: bank_0_
  double bank_0_ = 0;
  bool banked_ = false;
  CrgBorder border_u_ = CrgBorder::keep, border_v_ = CrgBorder::keep;
  double offset_u_ = 0, offset_v_ = 0, smooth_begin_ = 0, smooth_end_ = 0;
  bool loop_ = false, closed_ = false;  // is to go on from its end; and can
  double loop_begin_ = 0, loop_end_ = 0;
  double cos_first_ = 1, sin_first_ = 0, cos_last_ = 1, sin_last_ = 0;
  NearestNodes nearest_;
};

}  // namespace chicane::terrain
