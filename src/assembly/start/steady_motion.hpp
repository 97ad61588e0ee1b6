// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assembly/start/settle.hpp"
#include "math/least_squares.hpp"
#include "simulation/model.hpp"

namespace chicane {

// The equations of the steady motion of a vehicle, and Newton's method for them: see settle.hpp.
// Who solves them says which ones (Unknowns) and where to begin.
class SteadyMotion {
 protected:
  // The chassis in its steady motion: what is known of it and what is solved for.
  template <class T>
  struct Chassis {
    T z, pitch, roll;        // [m], [rad]
    T speed;                 // [m/s] along the road
    T side_speed, yaw_rate;  // [m/s], [rad/s] in the plane of the road, about its normal
    T yaw, aside;            // [rad], [m] to the left of heading and position of the start
  };
  // What a driver follows where the vehicle starts: an arc, or a straight line.
  struct Arc {
    double heading;    // [rad] against that of the start
    double curvature;  // [1/m] positive to the left
    double offset;     // [m] of the point that follows, to the left of it
    double ahead;      // [m] of that point, before the reference
  };
  // Which unknowns and equations there are: the same motion asked for in several ways.
  struct Unknowns {
    bool drift = false;      // the speed may change
    bool driver = false;     // his integral part is what holds the speed
    bool curve = true;       // side speed and yaw rate are solved for
    bool path = false;       // ... so that the path is kept: yaw and way aside are, too
    bool powertrain = true;  // ... and its states
    double foot = 0;         // [-] where a driver begins: his integral over what is large of it
  };
  struct Values {  // where a search stands
    Chassis<double> chassis;
    double drift;
    std::vector<double> x;
    PerIndex<MemoryIndex, State<double>::MemoryState> memory;
  };

  SteadyMotion(const std::shared_ptr<const ModelStructure>& structure, const VehicleStart& start);

  // --- what there is ---
  [[nodiscard]] std::size_t states() const { return layout_.states.size(); }
  [[nodiscard]] std::vector<double>& x() { return state_.groups[GroupIndex{0}].x; }
  [[nodiscard]] const std::string& name(std::size_t place) const {
    return s_.states[layout_.states[place]].name;
  }
  [[nodiscard]] int place_of(std::string_view state) const;  // -1: there is none
  [[nodiscard]] bool belongs(std::size_t place, std::string_view block) const {
    return s_.blocks[s_.states[layout_.states[place]].block].name == block;
  }
  [[nodiscard]] bool is_own(BlockIndex block) const;  // of the vehicle
  [[nodiscard]] bool turns_with_the_wheel(std::size_t place) const;
  [[nodiscard]] double size_of(std::size_t place) const;          // what change of a state is large
  [[nodiscard]] double signal(std::string_view wanted) const;     // 0 where there is none
  [[nodiscard]] double parameter(std::string_view wanted) const;  // the same
  [[nodiscard]] MemoryIndex find_memory(std::string_view wanted) const;

  // --- where it stands ---
  // Parallel to the road, the tires pressed a little, wheels rolling.
  void put_on_the_road();
  // What the driver follows, if the vehicle is put on it and it is an arc as far as he looks.
  void find_path();
  // At the present values; loops are closed, and the states that depend on others put right.
  void evaluate();
  [[nodiscard]] bool finite() const;
  [[nodiscard]] Values now() { return {chassis_, drift_, x(), state_.memory}; }
  void go_back_to(const Values& v);

  // --- the solution ---
  void forget_drift();  // dx/du: that of wheels that roll
  bool newton(const Unknowns& unknowns);
  bool follow();  // dx/du along the motions of all speeds; whether it is news
  // The state whose equation is open most, and by how much; -1: nothing has been evaluated.
  [[nodiscard]] std::pair<int, double> worst() const;

  const ModelStructure& s_;
  const GroupLayout& layout_;
  const VehicleStart& start_;
  Model<double> plain_;
  State<double> state_;
  Eval<double> eval_;
  bool moving_;
  std::optional<Arc> path_;
  int integral_ = -1;             // place of the driver's integral part, or -1
  std::vector<bool> held_, own_;  // per state: set by `initial:`; of the vehicle
  std::vector<double> rates_;     // per state
  double drift_ = 0;              // [m/s^2]

 private:
  struct Unknown {
    enum class Kind { height, pitch, roll, side_speed, yaw_rate, yaw, aside, drift, states } kind;
    double size = 1;
    FreeDirection::Row along = {};  // of states: their places, and by how much each moves
    int place = -1;                 // of a state that stands for itself
    bool bend = false;              // of a patch or a bristle, which hold at standstill
  };
  struct Road {  // the plane that the wheels stand on
    Vec3<double> ahead, left, up;
  };
  struct Coordinate {
    FreeDirection::Row along;
    int rate;  // place of its rate
  };

  void find_states();
  [[nodiscard]] double height(double x, double y) const;
  void find_road();
  [[nodiscard]] double offset_at(double forward, double left);
  [[nodiscard]] double path_heading_at(double forward, double left);
  template <class T>
  void write_chassis(const Chassis<T>& c, std::vector<T>& x) const;
  template <class T>
  [[nodiscard]] Vec3<T> velocity(const Chassis<T>& c) const;
  template <class T>
  [[nodiscard]] Vec3<T> turning(const Chassis<T>& c) const;
  void find_freedoms();
  void choose(const Unknowns& unknowns, bool grips);
  void linearize();
  [[nodiscard]] Chassis<Dual> in_duals() const;
  template <class T>
  static T& number(const Unknown& u, Chassis<T>& c, T& drift);
  template <class T>
  T left(int place, const std::vector<T>& rates, const Chassis<T>& c, const T& drift) const;
  template <class T>
  T off_the_path(int row, const Chassis<T>& c) const;
  void weigh();
  [[nodiscard]] bool carries_nothing(std::size_t row) const;
  [[nodiscard]] bool remembers(int place) const;
  [[nodiscard]] double norm_of(const std::vector<double>& r) const;
  [[nodiscard]] double largest() const;
  [[nodiscard]] std::vector<double> residuals() const;
  [[nodiscard]] std::vector<double> newton_step(bool unbend);
  void unbend();
  bool newton();
  void move(const std::vector<double>& step, double part);
  bool improve(const std::vector<double>& step, double shortest);

  Model<Dual> dual_;
  State<Dual> dual_state_;
  Inputs<double> inputs_;
  Inputs<Dual> dual_inputs_;
  Eval<Dual> dual_eval_;
  int vehicle_q_ = -1, vehicle_v_ = -1;  // places of states
  Road road_;
  Vec3<double> place_;  // of the reference; its height is that of the chassis
  Chassis<double> chassis_{};
  std::vector<double> follow_drift_;  // per state: dx/du
  std::vector<Coordinate> coordinates_;
  std::vector<int> others_;  // places of states that are no coordinates nor rates
  std::vector<Unknown> unknowns_;
  std::vector<int> rows_;  // places of the states whose rates are judged; the path's are negative
  std::vector<double> residual_, scale_;
  DenseMatrix jacobian_;  // by the unknowns over their sizes
  double worst_ = 0;
};

inline bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace chicane
