// SPDX-License-Identifier: Apache-2.0

// The keys of the section `suspension` of an axle, and of those within it.

#include "assembly/suspension/suspension.hpp"

namespace chicane {
namespace {

constexpr std::string_view kBodies = "carrier|lower_arm|upper_arm|strut|arm|axle";
constexpr std::string_view kNotFree =
    "type=double-wishbone|macpherson|trailing-arm|twist-beam|solid-axle";

// Left side, from where the axle is.
KeyTable points(std::string_view name, std::initializer_list<std::string_view> names) {
  KeyTable table{name, "", {}, "Hard points of the left side, from where the axle is."};
  for (const std::string_view p : names) table.keys.push_back({p, Form::vector, "m", true, ""});
  return table;
}

KeyTable twist_beam_points() {
  KeyTable table = points("points-twist-beam", {"spindle", "hinge"});
  for (const std::string_view p : {"track_bar_chassis", "track_bar_axle"})
    table.keys.push_back({p, Form::vector, "m", false, "of the one track bar, if there is one"});
  return table;
}

KeyTable part(std::string_view name, std::string_view inertia, std::string_view help) {
  return {name,
          "",
          {{"mass", Form::quantity, "kg", true, "its mass"},
           {"com", Form::vector, "m", true, "its centre of mass, from where the axle is"},
           {"inertia", Form::section, inertia, false, "about the centre of mass; default none"}},
          help};
}

KeyTable inertia(std::string_view name, std::string_view frames) {
  return {name,
          "",
          {{"diagonal", Form::vector, "kg m^2", false, "moments xx, yy, zz"},
           {"products", Form::vector, "kg m^2", false, "with a diagonal: xy, xz, yz"},
           {"full", Form::numbers, "kg m^2", false,
            "instead: entries xx, yy, zz, xy, xz, yz of the matrix"},
           {"frame", Form::choice, frames, false,
            "whose axes they have; arm: x along the hinge, z normal to the arm"}},
          "Moments of inertia of a part of a suspension."};
}

// A force between the chassis and a part: where it acts, its own keys, how its curves go.
KeyTable force(std::string_view name, std::initializer_list<Key> own, std::string_view help) {
  KeyTable table{
      name,
      "",
      {{"points", Form::vectors, "m", false,
        "on the chassis and on the part; default where the force before it acts"},
       {"on", Form::choice, kBodies, false, "the part"},
       {"axis", Form::vector, "-", false,
        "a direction fixed in the chassis, along which it acts; default the line between "
        "the points"}},
      help};
  table.keys.insert(table.keys.end(), own.begin(), own.end());
  return table;
}

constexpr Key kInterpolation{"interpolation", Form::choice, "linear|monotone|spline", false,
                             "of its curves; default as their table says, or linear"};
constexpr Key kExtrapolation{"extrapolation", Form::choice, "hold|linear", false,
                             "of its curves; default as their table says, or linear"};
constexpr Key kStiffnessKey{"stiffness", Form::quantity, "N/m", false, "force over deflection"};
constexpr Key kDampingKey{"damping", Form::quantity, "N s/m", false, "force over rate"};
constexpr Key kSpringLaw{"spring", Form::law, "m -> N", false, "force over deflection"};
constexpr Key kDamperLaw{"damper", Form::law, "m/s -> N", false,
                         "force over speed of extension: negative is bump, positive rebound"};

KeyTable suspension_table() {
  const auto body = [](std::string_view key, std::string_view of, std::string_view when) {
    return Key{key, Form::section, of, false, "a body", when};
  };
  const auto points_of = [](std::string_view of, std::string_view when) {
    return Key{"points", Form::section, of, true, "hard points", when};
  };
  return {
      "suspension",
      "",
      {{"type", Form::choice, "double-wishbone|macpherson|trailing-arm|twist-beam|solid-axle|free",
        true, "its template"},
       {"steered", Form::flag, "", false, "its tie rods are on the rack",
        "type=double-wishbone|macpherson|solid-axle"},
       {"linkage", Form::choice, "rods|none", false,
        "none: no rods, the steering turns the kingpins", "type=solid-axle"},
       {"links", Form::choice, "bodies|massless|massless-upper", false, "of what its arms are",
        "type=double-wishbone"},
       {"links", Form::choice, "bodies|massless", false, "of what its links are",
        "type=macpherson"},
       {"links", Form::choice, "bodies", false, "arms that carry wheels are bodies",
        "type=trailing-arm|twist-beam"},
       points_of("points-double-wishbone", "type=double-wishbone"),
       points_of("points-macpherson", "type=macpherson"),
       points_of("points-trailing-arm", "type=trailing-arm"),
       points_of("points-twist-beam", "type=twist-beam"),
       points_of("points-solid-axle", "type=solid-axle steered=false"),
       points_of("points-steered-axle", "type=solid-axle steered=true linkage=rods"),
       points_of("points-kingpins", "type=solid-axle steered=true linkage=none"),
       body("carrier", "part", "type=double-wishbone|macpherson"),
       body("carrier", "part", "type=solid-axle steered=true"),
       body("upper_arm", "arm-part", "type=double-wishbone links=bodies"),
       {"upper_arm", Form::section, "arm-part", false,
        "an arm that is no body: its mass is shared out to carrier and chassis",
        "type=double-wishbone links=massless-upper"},
       body("lower_arm", "arm-part", "type=double-wishbone links=bodies|massless-upper"),
       body("lower_arm", "arm-part", "type=macpherson links=bodies"),
       body("strut", "part", "type=macpherson links=bodies"),
       body("arm", "part", "type=trailing-arm|twist-beam"),
       {"carrier", Form::section, "part", false,
        "a body that is bolted to the arm; default none: the arm carries the wheel",
        "type=trailing-arm|twist-beam"},
       {"tie_rod", Form::section, "part", false, "a body; default none: rods without mass",
        "type=double-wishbone|macpherson"},
       {"track_bar", Form::section, "part", false,
        "a body that holds the axle sideways; default none: the hinges do", "type=twist-beam"},
       body("axle", "part", "type=solid-axle"),
       {"beam", Form::section, "beam", true, "what twists between the arms", "type=twist-beam"},
       {"rods", Form::entries, "rod", false, "that there are on both sides", "type=solid-axle"},
       {"single_rods", Form::entries, "rod", false, "that there are once", "type=solid-axle"},
       {"leaf_spring", Form::section, "leaf-spring", false, "of each side", "type=solid-axle"},
       {"spring", Form::section, "spring", false, "of each side", kNotFree},
       {"damper", Form::section, "damper", false, "of each side", kNotFree},
       {"bump_stop", Form::section, "stop", false, "of each side", kNotFree},
       {"rebound_stop", Form::section, "stop", false, "of each side", kNotFree},
       {"toe", Form::quantity, "rad", false, "of each wheel, inwards at the front", kNotFree, 0.0},
       {"camber", Form::quantity, "rad", false, "of each wheel, its top outwards", kNotFree, 0.0},
       {"carriers", Form::names, "", true, "bodies of the topology: left, right", "type=free"},
       {"centres", Form::vectors, "m", true, "of the wheels: left, right", "type=free"},
       {"axes", Form::vectors, "-", false, "of the wheels, to the left", "type=free"}},
      "What holds the wheels of an axle."};
}

}  // namespace

std::vector<KeyTable> suspension_grammar() {
  return {
      suspension_table(),
      points("points-double-wishbone",
             {"spindle", "upper_front", "upper_rear", "upper_outer", "lower_front", "lower_rear",
              "lower_outer", "tie_rod_inner", "tie_rod_outer"}),
      points("points-macpherson", {"spindle", "lower_front", "lower_rear", "lower_outer",
                                   "strut_top", "strut_bottom", "tie_rod_inner", "tie_rod_outer"}),
      points("points-trailing-arm", {"spindle", "hinge_inner", "hinge_outer"}),
      twist_beam_points(),
      points("points-solid-axle", {"spindle"}),
      points("points-steered-axle", {"spindle", "kingpin_lower", "kingpin_upper", "tie_rod_outer",
                                     "drag_link_inner", "drag_link_outer"}),
      points("points-kingpins", {"spindle", "kingpin_lower", "kingpin_upper"}),
      part("part", "part-inertia", "A body of a suspension."),
      part("arm-part", "arm-inertia", "An arm of a suspension."),
      inertia("part-inertia", "vehicle"),
      inertia("arm-inertia", "vehicle|arm"),
      force("spring",
            {kStiffnessKey,
             kSpringLaw,
             {"free_length", Form::quantity, "m", false, "length without force"},
             {"preload", Form::quantity, "N", false,
              "instead: force with which it pushes in the position of the file"},
             kInterpolation,
             kExtrapolation},
            "A spring: 'stiffness' or 'spring', or both."),
      force("damper",
            {kDampingKey,
             kDamperLaw,
             {"ends", Form::section, "damper-ends", false, "its rates near the ends of the stroke"},
             kInterpolation,
             kExtrapolation},
            "A damper: 'damping' or 'damper', or both."),
      {"damper-ends",
       "",
       {{"shorter_than", Form::quantity, "m", false, "length below which they hold"},
        {"longer_than", Form::quantity, "m", false, "length above which they hold"},
        {"over", Form::quantity, "m", false, "way over which they come in", "", 5e-3},
        kDampingKey,
        kDamperLaw,
        kInterpolation,
        kExtrapolation},
       "Rates of a damper near the ends of its stroke: 'damping' or 'damper', or both; one of the "
       "lengths, or both."},
      force("stop",
            {{"contact", Form::quantity, "m", true, "length at which it begins"},
             kStiffnessKey,
             kSpringLaw,
             {"dissipation", Form::quantity, "s/m", false, "damping over spring force, per rate"},
             kInterpolation,
             kExtrapolation},
            "A bump or rebound stop: 'stiffness' or 'spring', or both."),
      {"rod",
       "",
       {{"points", Form::vectors, "m", true, "on the chassis and on the axle"},
        {"on", Form::choice, "axle", false, "the axle"}},
       "A rod that locates a solid axle."},
      {"leaf-spring",
       "",
       {{"at", Form::vector, "m", true, "its pad on the axle"},
        kStiffnessKey,
        kDampingKey,
        kSpringLaw,
        kDamperLaw,
        {"load", Form::quantity, "N", false, "that it carries in the position of the file"},
        {"friction", Form::quantity, "N", false, "greatest dry friction"},
        {"presliding", Form::quantity, "m", false, "way in which dry friction turns round"},
        {"longitudinal_stiffness", Form::quantity, "N/m", false, "along"},
        {"lateral_stiffness", Form::quantity, "N/m", false, "across"},
        {"wind_up_stiffness", Form::quantity, "N m/rad", false, "about the way across"},
        kInterpolation,
        kExtrapolation},
       "A leaf spring of a solid axle."},
      {"beam",
       "",
       {{"stiffness", Form::quantity, "N m/rad", false, "torque over twist"},
        {"damping", Form::quantity, "N m s/rad", false, "torque over rate of twist"},
        {"spring", Form::law, "rad -> N m", false, "torque over twist"},
        {"damper", Form::law, "rad/s -> N m", false, "torque over rate of twist"},
        kInterpolation,
        kExtrapolation},
       "What twists between the arms of a twist beam: 'stiffness' or 'spring', or both."},
      {"wheel",
       "",
       {{"mass", Form::quantity, "kg", true, "its mass"},
        {"spin_inertia", Form::quantity, "kg m^2", true, "about its axis"},
        {"cross_inertia", Form::quantity, "kg m^2", true, "across its axis"},
        {"dual_spacing", Form::quantity, "m", false,
         "dual wheels: between the middles of the two tires on one hub; 0: one tire", "", 0.0}},
       "A wheel, or dual wheels: rims, tires and what of the hub spins."},
      {"anti-roll-bar",
       "",
       {{"stiffness", Form::quantity, "N/m", true, "force over difference of heights"},
        {"damping", Form::quantity, "N s/m", false, "force over its rate", "", 0.0},
        {"on", Form::choice, kBodies, false, "the part; default what carries the wheel"},
        {"point", Form::vector, "m", false, "of its left end; default the wheel's centre"}},
       "An anti-roll bar."}};
}

}  // namespace chicane
