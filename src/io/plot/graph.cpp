// SPDX-License-Identifier: Apache-2.0
#include "io/plot/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace chicane {
namespace {

constexpr double kLetterWidth = 7.4, kRow = 46, kBox = 26, kMargin = 24, kTop = 58, kGap = 30,
                 kLane = 14;
constexpr const char* kCut = "#c0392b";

double width(const std::string& text) { return kLetterWidth * static_cast<double>(text.size()); }

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

struct NodePlace {
  double x = 0, y = 0, w = 0;  // left edge, middle, width
  [[nodiscard]] double right() const { return x + w; }
};

class Drawing {
 public:
  explicit Drawing(const GraphPicture& picture) : p_(picture), at_(picture.nodes.size()) {}

  std::string draw() {
    place();
    for (std::size_t i = 1; i < p_.nodes.size(); ++i) tree_edge(i);
    for (const GraphPicture::Edge& e : p_.edges) cut(e);
    for (std::size_t i = 0; i < p_.nodes.size(); ++i) node(at_[i], p_.nodes[i]);
    const double height = kTop + kRow * rows_ + kMargin;
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
               "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"DejaVu Sans, sans-serif\" "
               "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
               "<text x=\"{2}\" y=\"30\" font-size=\"15\">{3}</text>\n",
               std::max(edge_, width(p_.title) * 1.3) + kMargin, height, kMargin,
               escaped(p_.title)) +
           lines_ + boxes_ + words_ + "</svg>\n";
  }

 private:
  // Columns by depth, as wide as their boxes and the labels before them; a row for each tip, and
  // parents in the middle of their children.
  void place() {
    const std::size_t n = p_.nodes.size();
    std::vector<std::vector<std::size_t>> children(n);
    std::vector<std::size_t> depth(n, 0);
    for (std::size_t i = 1; i < n; ++i) {
      const auto parent = static_cast<std::size_t>(p_.nodes[i].parent);
      children[parent].push_back(i);
      depth[i] = depth[parent] + 1;
    }
    std::vector<double> box, label;
    for (std::size_t i = 0; i < n; ++i) {
      box.resize(std::max(box.size(), depth[i] + 1));
      label.resize(box.size());
      box[depth[i]] = std::max(box[depth[i]], width(p_.nodes[i].label) + 20);
      label[depth[i]] = std::max(label[depth[i]], width(p_.nodes[i].edge) + 2 * kGap);
    }
    std::vector<double> left{kMargin};
    for (std::size_t d = 1; d < box.size(); ++d)
      left.push_back(left[d - 1] + box[d - 1] + label[d]);
    const auto row = [&](const auto& self, std::size_t i) -> void {
      for (const std::size_t c : children[i]) self(self, c);
      const double y = children[i].empty()
                           ? kTop + kRow * (0.5 + rows_++)
                           : 0.5 * (at_[children[i].front()].y + at_[children[i].back()].y);
      at_[i] = {left[depth[i]], y, width(p_.nodes[i].label) + 20};
    };
    row(row, 0);
    for (std::size_t i = 0; i < n; ++i) edge_ = std::max(edge_, at_[i].right());
    double longest = 0;
    for (const GraphPicture::Edge& e : p_.edges) longest = std::max(longest, width(e.label));
    lane_ = edge_ + longest + kGap;
    start_.resize(box.size());
    for (std::size_t i = 0; i < n; ++i) start_[depth[i]] = left[depth[i]] + box[depth[i]];
    column_ = depth;
  }

  void tree_edge(std::size_t i) {
    const auto parent = static_cast<std::size_t>(p_.nodes[i].parent);
    const NodePlace &a = at_[parent], &b = at_[i];
    const double elbow = start_[column_[parent]] + 12;
    lines_ += fmt::format(
        "<path d=\"M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}\" fill=\"none\" stroke=\"#333\" "
        "stroke-width=\"1.5\"/>\n",
        a.right(), a.y, elbow, b.y, b.x);
    text(0.5 * (elbow + b.x), b.y - 5, p_.nodes[i].edge, "#333", "middle");
  }

  // To the root: a short line to a box of its own. Else a detour on the right, each in its own
  // lane; its label stands where it leaves the node with fewer such edges.
  void cut(const GraphPicture::Edge& e) {
    std::size_t a = static_cast<std::size_t>(e.a), b = static_cast<std::size_t>(e.b);
    if (a == 0 || (b != 0 && cuts_at(a) > cuts_at(b))) std::swap(a, b);
    const double from = leave(a);
    text(at_[a].right() + 8, from - 4, e.label, kCut, "start");
    if (b == 0) {
      const std::string& root = p_.nodes[0].label;
      const double x = at_[a].right() + width(e.label) + kGap;
      dashed(fmt::format("M{:.1f} {:.1f}H{:.1f}", at_[a].right(), from, x));
      node({x, from, width(root) + 20}, {root, -1, "", p_.nodes[0].marked}, 18);
      edge_ = std::max(edge_, x + width(root) + 20);
      return;
    }
    const double to = leave(b), x = lane(std::min(from, to), std::max(from, to));
    dashed(fmt::format("M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}", at_[a].right(), from, x, to,
                       at_[b].right()));
    edge_ = std::max(edge_, x);
  }

  // The first lane that is free from top to bottom.
  double lane(double top, double bottom) {
    std::size_t i = 0;
    const auto free = [&](const std::pair<double, double>& used) {
      return bottom < used.first || used.second < top;
    };
    while (i < lanes_.size() && !std::all_of(lanes_[i].begin(), lanes_[i].end(), free)) ++i;
    if (i == lanes_.size()) lanes_.emplace_back();
    lanes_[i].emplace_back(top, bottom);
    return lane_ + kLane * static_cast<double>(i);
  }

  void dashed(const std::string& path) {
    lines_ += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" "
        "stroke-dasharray=\"6 4\"/>\n",
        path, kCut);
  }

  [[nodiscard]] std::ptrdiff_t cuts_at(std::size_t i) const {
    return std::count_if(p_.edges.begin(), p_.edges.end(), [&](const GraphPicture::Edge& e) {
      return e.a == static_cast<int>(i) || e.b == static_cast<int>(i);
    });
  }

  // Cut edges of a row leave it one below the other.
  double leave(std::size_t i) {
    double& used = used_[std::lround(at_[i].y)];
    const double y = at_[i].y + 4 + used;
    used += cuts_at(i) > 2 ? 6 : 15;
    return y;
  }

  void node(const NodePlace& at, const GraphPicture::Node& n, double height = kBox) {
    boxes_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" rx=\"5\" "
        "fill=\"{}\" stroke=\"#333\"/>\n",
        at.x, at.y - 0.5 * height, at.w, height, n.marked ? "#d6d6d6" : "#e8f0fa");
    text(at.x + 0.5 * at.w, at.y + 4, n.label, "black", "middle");
  }

  void text(double x, double y, const std::string& what, const char* colour, const char* anchor) {
    words_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\" text-anchor=\"{}\">{}</text>\n", x,
                    y, colour, anchor, escaped(what));
  }

  const GraphPicture& p_;
  std::vector<NodePlace> at_;
  std::vector<double> start_;
  std::map<long, double> used_;  // of a row
  std::vector<std::vector<std::pair<double, double>>> lanes_;
  std::vector<std::size_t> column_;
  std::string lines_, boxes_, words_;
  double edge_ = 0, lane_ = 0;
  int rows_ = 0;
};

}  // namespace

std::string draw_svg(const GraphPicture& picture) { return Drawing(picture).draw(); }

}  // namespace chicane
