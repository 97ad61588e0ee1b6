// SPDX-License-Identifier: Apache-2.0
#include "multibody/topology/topology.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/at.hpp"

namespace chicane::multibody {

namespace {

constexpr int kFree = 6;
constexpr int kUnreached = -1;

// Nodes of the graph: 0 is ground, 1 + b is body b.
int node(BodyIndex b) { return b.value + 1; }

class Analysis {
 public:
  Analysis(const Graph& graph, Diagnostics& diag)
      : graph_(graph), diag_(diag), nodes_(static_cast<int>(graph.bodies.size()) + 1) {}

  std::optional<Topology> run() {
    if (!choose_root() || !grow()) return std::nullopt;
    make_cuts();
    make_clusters();
    follow_loops();
    number();
    count();
    return std::move(result_);
  }

 private:
  struct Member {  // of the tree, in the order in which it was reached
    int node = 0, parent = 0;
    JointIndex joint{};
    bool reversed = false, detached = false;
    int freedoms = 0, depth = 0;
  };

  [[nodiscard]] const Graph::Joint& joint(JointIndex j) const { return graph_.joints[at(j.value)]; }
  [[nodiscard]] const std::string& name_of(int n) const {
    static const std::string ground = "ground";
    return n == 0 ? ground : graph_.bodies[at(n - 1)].name;
  }
  // Coordinates the joint costs when it is kept.
  [[nodiscard]] int weight(const Graph::Joint& j) const {
    return j.composite ? kFree : j.driven ? 0 : j.freedoms;
  }

  // Distances from a node over all joints, kUnreached where there is no way.
  [[nodiscard]] std::vector<int> distances(int from) const {
    std::vector<int> d(at(nodes_), kUnreached);
    std::vector<int> todo{from};
    d[at(from)] = 0;
    for (std::size_t i = 0; i < todo.size(); ++i)
      for (const Graph::Joint& j : graph_.joints)
        for (const int side : {0, 1}) {
          const int a = node(j.connects[at(side)]), b = node(j.connects[at(1 - side)]);
          if (a != todo[i] || d[at(b)] != kUnreached) continue;
          d[at(b)] = d[at(a)] + 1;
          todo.push_back(b);
        }
    return d;
  }

  [[nodiscard]] int joints_at(int n) const {
    return static_cast<int>(
        std::count_if(graph_.joints.begin(), graph_.joints.end(), [&](const Graph::Joint& j) {
          return node(j.connects[0]) == n || node(j.connects[1]) == n;
        }));
  }

  // Ground if anything is joined to it; else the body in the middle: nearest to all others, then
  // with the most joints, then named first.
  bool choose_root() {
    for (const Graph::Joint& j : graph_.joints) {
      if (j.connects[0].valid() && j.connects[1].valid()) continue;
      if (graph_.base.valid() && node(graph_.base) != node(j.connects[0]) + node(j.connects[1])) {
        diag_.error(
            graph_.where,
            "two bases: body '{}' is named as the base, but joint '{}' holds '{}' to ground; "
            "leave out the base, or that joint",
            name_of(node(graph_.base)), j.name, name_of(node(j.connects[0]) + node(j.connects[1])));
        return false;
      }
      root_ = 0;
      return true;
    }
    if (graph_.base.valid()) {
      root_ = node(graph_.base);
      return true;
    }
    std::tuple<int, int> best{nodes_ + 1, 0};
    for (int n = 1; n < nodes_; ++n) {
      const std::vector<int> d = distances(n);
      const std::tuple<int, int> key{*std::max_element(d.begin() + 1, d.end()), -joints_at(n)};
      if (root_ == kUnreached || key < best) best = key, root_ = n;
    }
    if (root_ == kUnreached) diag_.error(graph_.where, "there are no bodies");
    return root_ != kUnreached;
  }

  // Prim's algorithm from the root; of joints with equal weight the one nearest to the root.
  bool grow() {
    place_.assign(at(nodes_), kUnreached);
    kept_.assign(graph_.joints.size(), false);
    members_.push_back({});
    place_[0] = 0;
    if (root_ != 0) add({root_, 0, {}, false, false, kFree, 1});
    while (attach_next()) {
    }
    return report_unreached();
  }

  void add(const Member& m) {
    place_[at(m.node)] = static_cast<int>(members_.size());
    members_.push_back(m);
  }

  bool attach_next() {
    std::tuple<int, int> best{};
    std::optional<Member> next;
    for (std::size_t k = 0; k < graph_.joints.size(); ++k) {
      const Graph::Joint& j = graph_.joints[k];
      if (j.cut && !j.composite) continue;
      for (const int side : {0, 1}) {
        const int a = node(j.connects[at(side)]), b = node(j.connects[at(1 - side)]);
        if (place_[at(a)] == kUnreached || place_[at(b)] != kUnreached) continue;
        const int depth = members_[at(place_[at(a)])].depth + 1;
        const std::tuple<int, int> key{weight(j), depth};
        if (next && !(key < best)) continue;
        best = key;
        next = Member{b,         place_[at(a)], JointIndex{static_cast<int>(k)},
                      side == 1, j.composite,   weight(j),
                      depth};
      }
    }
    if (!next) return false;
    kept_[at(next->joint.value)] = true;
    add(*next);
    return true;
  }

  bool report_unreached() {
    bool complete = true;
    for (int n = 1; n < nodes_; ++n) {
      if (place_[at(n)] != kUnreached) continue;
      complete = false;
      const Location& where = graph_.bodies[at(n - 1)].where;
      if (joints_at(n) == 0)
        diag_.error(where,
                    "no joint connects body '{}': add one, for instance a free joint to ground",
                    name_of(n));
      else
        diag_.error(where,
                    "body '{}' is not connected to '{}': a mechanism has one base; add a joint "
                    "between the parts, or a free joint to ground",
                    name_of(n), name_of(root_));
    }
    return complete;
  }

  [[nodiscard]] std::vector<int> ancestors(int m) const {  // the member itself first
    std::vector<int> up;
    for (; m != 0; m = members_[at(m)].parent) up.push_back(m);
    up.push_back(0);
    return up;
  }

  struct Loop {
    JointIndex joint;
    int base = 0;
    std::array<int, 2> ends{};
    std::array<std::vector<int>, 2> path{};
  };

  void make_cuts() {
    for (std::size_t k = 0; k < graph_.joints.size(); ++k) {
      const Graph::Joint& j = graph_.joints[k];
      if (kept_[k] && !j.composite) continue;
      Loop loop{.joint = JointIndex{static_cast<int>(k)}};
      std::array<std::vector<int>, 2> up;
      for (const std::size_t side : {0u, 1u}) {
        loop.ends[side] = place_[at(node(j.connects[side]))];
        up[side] = ancestors(loop.ends[side]);
      }
      while (!up[0].empty() && !up[1].empty() && up[0].back() == up[1].back()) {
        loop.base = up[0].back();
        up[0].pop_back();
        up[1].pop_back();
      }
      for (const std::size_t side : {0u, 1u})
        loop.path[side].assign(up[side].rbegin(), up[side].rend());
      loops_.push_back(std::move(loop));
    }
  }

  [[nodiscard]] int find(int c) const {
    while (leader_[at(c)] != c) c = leader_[at(c)];
    return c;
  }

  // Loops that share a joint with freedom are one cluster. A driven joint moves as it is told,
  // whatever the loops do: it joins nothing.
  void make_clusters() {
    leader_.resize(loops_.size());
    std::iota(leader_.begin(), leader_.end(), 0);
    std::vector<int> user(members_.size(), -1);
    for (int l = 0; l < static_cast<int>(loops_.size()); ++l)
      for (const auto& path : loops_[at(l)].path)
        for (const int m : path) {
          if (members_[at(m)].freedoms == 0) continue;
          if (user[at(m)] < 0)
            user[at(m)] = l;
          else
            leader_[at(std::max(find(l), find(user[at(m)])))] =
                std::min(find(l), find(user[at(m)]));
        }
    owner_.assign(members_.size(), -1);
    bool grown = true;
    while (grown) {
      grown = false;
      for (int l = 0; l < static_cast<int>(loops_.size()); ++l) grown = own_path(l) || grown;
    }
  }

  // The links of a path belong to its cluster, except those at the top that only driven joints
  // and welds separate from the cluster's base: they move with it.
  bool own_path(int l) {
    bool grown = false;
    for (const auto& path : loops_[at(l)].path)
      for (const int m : path) {
        const Member& t = members_[at(m)];
        if (owner_[at(m)] >= 0 || (t.freedoms == 0 && owner_[at(t.parent)] != find(l))) continue;
        owner_[at(m)] = find(l);
        grown = true;
      }
    return grown;
  }

  // Large clusters are numbered along their loops, so that their equations have entries along the
  // diagonal only (Cuthill and McKee, 1969): each time a loop, then those that share a joint with
  // it. Small ones stay as they were reached.
  void follow_loops() {
    constexpr std::size_t kSmall = 4;  // loops
    std::vector<std::vector<int>> of_cluster(loops_.size()), users(members_.size());
    for (int l = 0; l < static_cast<int>(loops_.size()); ++l) {
      of_cluster[at(find(l))].push_back(l);
      for (const auto& path : loops_[at(l)].path)
        for (const int m : path)
          if (members_[at(m)].freedoms > 0) users[at(m)].push_back(l);
    }
    turn_.assign(loops_.size(), 0);
    along_.assign(loops_.size(), {});
    for (const std::vector<int>& own : of_cluster) {
      if (own.size() <= kSmall) continue;
      // From an end: the last of an order that begins somewhere; and from the end that is nearer to
      // the first of the file.
      const int far = from_loop(own.front(), users).back();
      const std::vector<int> order = from_loop(from_loop(far, users).back(), users);
      std::vector<int>& along = along_[at(own.front())];  // who leads is the first of them
      for (std::size_t i = 0; i < order.size(); ++i) {
        turn_[at(order[i])] = static_cast<int>(i);
        for (const auto& path : loops_[at(order[i])].path)
          for (const int m : path) add_with_carriers(m, along);
      }
    }
  }

  [[nodiscard]] std::vector<int> from_loop(int first,
                                           const std::vector<std::vector<int>>& users) const {
    std::vector<int> order{first};
    std::vector<bool> reached(loops_.size(), false);
    reached[at(first)] = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::vector<int> next;
      for (const auto& path : loops_[at(order[i])].path)
        for (const int m : path)
          for (const int l : users[at(m)])
            if (!reached[at(l)]) reached[at(l)] = true, next.push_back(l);
      std::sort(next.begin(), next.end());
      order.insert(order.end(), next.begin(), next.end());
    }
    return order;
  }

  void add_with_carriers(int m, std::vector<int>& along) {
    if (owner_[at(m)] < 0 || std::find(along.begin(), along.end(), m) != along.end()) return;
    const int parent = members_[at(m)].parent;
    if (parent != 0 && owner_[at(parent)] == owner_[at(m)]) add_with_carriers(parent, along);
    along.push_back(m);
  }

  // Depth first, the links of a cluster together: a parent comes first, a cluster is contiguous.
  void number() {
    order_.clear();
    new_.assign(members_.size(), 0);
    visit(0);
    for (std::size_t i = 0; i < order_.size(); ++i) new_[at(order_[i])] = static_cast<int>(i);
    for (const int m : order_) {
      const Member& t = members_[at(m)];
      result_.links.push_back({BodyIndex{t.node - 1}, LinkIndex{m == 0 ? -1 : new_[at(t.parent)]},
                               t.joint, t.reversed, t.detached, t.freedoms, t.depth});
    }
    result_.base = LinkIndex{new_[at(place_[at(root_)])]};
    fill_cuts();
    fill_clusters();
  }

  [[nodiscard]] std::vector<int> children(int m) const {
    std::vector<int> c;
    for (int i = 1; i < static_cast<int>(members_.size()); ++i)
      if (members_[at(i)].parent == m) c.push_back(i);
    return c;
  }

  void visit(int m) {
    std::vector<int> group{m};  // m with the rest of its cluster, if it opens one
    if (const int leader = owner_[at(m)]; leader >= 0) {
      group = along_[at(leader)];
      for (int i = 1; i < static_cast<int>(members_.size()); ++i)
        if (owner_[at(i)] == leader && std::find(group.begin(), group.end(), i) == group.end())
          group.push_back(i);  // reached later than their parents
    }
    // What moves with them as prescribed comes next: clusters below may need to know where it is.
    for (std::size_t i = 0; i < group.size(); ++i)
      for (const int c : children(group[i]))
        if (members_[at(c)].freedoms == 0 && owner_[at(c)] < 0) group.push_back(c);
    order_.insert(order_.end(), group.begin(), group.end());
    for (const int g : group)
      for (const int c : children(g))
        if (std::find(order_.begin(), order_.end(), c) == order_.end()) visit(c);
  }

  void fill_cuts() {
    for (const Loop& loop : loops_) {
      CutJoint cut{.joint = loop.joint, .base = LinkIndex{new_[at(loop.base)]}};
      for (const std::size_t side : {0u, 1u}) {
        cut.links[side] = LinkIndex{new_[at(loop.ends[side])]};
        for (const int m : loop.path[side]) cut.path[side].push_back(LinkIndex{new_[at(m)]});
      }
      const Graph::Joint& j = joint(loop.joint);
      cut.rows = 6 - (j.driven ? 0 : j.freedoms);
      result_.cuts.push_back(std::move(cut));
    }
  }

  void fill_clusters() {
    const int links = static_cast<int>(result_.links.size());
    result_.cluster_of.assign(at(links), -1);
    std::vector<int> cluster_of_loop(loops_.size(), -1);
    const auto cluster = [&](int leader) -> int& { return cluster_of_loop[at(leader)]; };
    for (int i = 1; i < links; ++i) {
      const int leader = owner_[at(order_[at(i)])];
      if (leader < 0) continue;
      if (cluster(leader) < 0) {
        cluster(leader) = static_cast<int>(result_.clusters.size());
        result_.clusters.emplace_back();
      }
      Cluster& c = result_.clusters[at(cluster(leader))];
      c.links.push_back(LinkIndex{i});
      c.coordinates += result_.links[at(i)].freedoms;
      result_.cluster_of[at(i)] = cluster(leader);
    }
    std::vector<int> order(loops_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return turn_[at(a)] < turn_[at(b)]; });
    for (const int l : order) {
      if (cluster(find(l)) < 0) {  // nothing in the loop can move
        diag_.error(joint(loops_[at(l)].joint).where,
                    "joint '{}' closes a loop in which nothing can move: leave it out",
                    joint(loops_[at(l)].joint).name);
        continue;
      }
      Cluster& c = result_.clusters[at(cluster(find(l)))];
      c.cuts.push_back(l);
      c.rows += result_.cuts[at(l)].rows;
      const LinkIndex base = result_.cuts[at(l)].base;  // those of a cluster are above one another
      if (!c.base.valid() || base < c.base) c.base = base;
    }
  }

  void count() {
    for (const TreeLink& link : result_.links) result_.coordinates += link.freedoms;
    for (const CutJoint& cut : result_.cuts) result_.constraints += cut.rows;
    const int n = static_cast<int>(result_.links.size());
    std::vector<int> children(at(n), 0), branch(at(n), -1);
    for (int i = 1; i < n; ++i) {
      const int parent = result_.links[at(i)].parent.value;
      ++children[at(parent)];
      if (parent == result_.base.value) {
        branch[at(i)] = static_cast<int>(result_.chains.size());
        result_.chains.emplace_back();
      } else {
        branch[at(i)] = branch[at(parent)];
      }
      if (branch[at(i)] >= 0) result_.chains[at(branch[at(i)])].push_back(LinkIndex{i});
    }
    for (int i = 1; i < n; ++i)
      if (i != result_.base.value && children[at(i)] > 1) result_.junctions.push_back(LinkIndex{i});
  }

  const Graph& graph_;
  Diagnostics& diag_;
  int nodes_;
  int root_ = kUnreached;
  std::vector<Member> members_;
  std::vector<int> place_;  // node -> member
  std::vector<bool> kept_;  // joint -> is in the tree
  std::vector<Loop> loops_;
  std::vector<int> leader_;  // loop -> loop of the same cluster, union-find
  std::vector<int> turn_;    // loop -> its place along a large cluster, 0 in a small one
  std::vector<std::vector<int>> along_;  // loop that leads a large cluster -> its members
  std::vector<int> owner_;               // member -> leading loop of its cluster, or -1
  std::vector<int> order_, new_;
  Topology result_;
};

}  // namespace

std::vector<std::pair<LinkIndex, LinkIndex>> Topology::mass_pattern() const {
  std::vector<std::pair<LinkIndex, LinkIndex>> pairs;
  for (int i = 1; i < static_cast<int>(links.size()); ++i) {
    if (links[at(i)].freedoms == 0) continue;
    for (int j = i; j > 0; j = links[at(j)].parent.value)
      if (links[at(j)].freedoms > 0) pairs.emplace_back(LinkIndex{i}, LinkIndex{j});
  }
  return pairs;
}

LinkIndex Topology::link_of(BodyIndex body) const {
  for (int i = 0; i < static_cast<int>(links.size()); ++i)
    if (links[at(i)].body == body) return LinkIndex{i};
  return {};
}

std::vector<LinkIndex> Topology::forward_path() const {
  std::vector<LinkIndex> path;
  for (int i = 1; i < static_cast<int>(links.size()); ++i) path.push_back(LinkIndex{i});
  return path;
}

std::optional<Topology> analyse(const Graph& graph, Diagnostics& diag) {
  const int before = diag.errors();
  auto topology = Analysis(graph, diag).run();
  if (diag.errors() > before) return std::nullopt;
  return topology;
}

}  // namespace chicane::multibody
