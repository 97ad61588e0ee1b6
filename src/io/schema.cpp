// SPDX-License-Identifier: Apache-2.0

// The grammar as a JSON Schema, for editors.
//
// What a file means is decided by the program; the schema says of one file alone what is certainly
// wrong in it. So keys of a vehicle are never missing, for a base or a file may have them, and a
// unit is wrong only where it is a single name, or made up as one of those that the grammar names.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "assembly/grammar.hpp"
#include "io/grammar.hpp"
#include "math/unit_names.hpp"

namespace chicane {
namespace {

using Json = nlohmann::ordered_json;

// --- units ------------------------------------------------------------------------------------

constexpr std::string_view kNumber = R"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)";
constexpr std::string_view kZero = R"([-+]?(?:0+\.?0*|\.0+)(?:[eE][-+]?\d+)?)";
// Letters of any alphabet: whatever is neither a blank nor has a meaning in formulas.
constexpr std::string_view kWord = R"([^\s\d.,+\-*/^()\[\]<>=!?:][^\s.,+\-*/^()\[\]<>=!?:]*)";

std::string any_of(const std::vector<std::string>& list) {
  return fmt::format("(?:{})", fmt::join(list, "|"));
}

std::string whole(std::string_view pattern) { return fmt::format(R"(^\s*(?:{})\s*$)", pattern); }

// Single names of units that `use` has; with the prefixes they take.
template <class Use>
std::vector<std::string> names_of_units(Use&& use) {
  std::string letters;
  std::vector<std::string> prefixes;
  for (const std::string_view p : unit_names::known_prefixes())
    if (p.size() == 1)
      letters += p;
    else
      prefixes.emplace_back(p);
  prefixes.insert(prefixes.begin(), "[" + letters + "]");
  std::vector<std::string> list;
  for (const unit_names::NamedUnit& u : unit_names::known_units())
    if (use(u.unit.dimension))
      list.push_back(u.takes_prefix ? any_of(prefixes) + "?" + std::string(u.name)
                                    : std::string(u.name));
  return list;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%'; }

// A unit of several names, each of which may be another one that measures the same: "N m" is
// "kN mm" too.
std::string pattern_of(std::string_view unit) {
  std::string out;
  while (!unit.empty()) {
    const auto end = std::find_if_not(unit.begin(), unit.end(), is_letter);
    const auto name = unit.substr(0, static_cast<std::size_t>(end - unit.begin()));
    if (const auto known = unit_names::find_unit(name)) {
      out += any_of(names_of_units([&](const Dimension& d) { return d == known->dimension; }));
      unit.remove_prefix(name.size());
      continue;
    }
    const char c = unit.front();
    if (c == ' ')
      out += "[ *.]";
    else if (std::string_view("^()").find(c) != std::string_view::npos)
      out += fmt::format("\\{}", c);
    else
      out += c;
    unit.remove_prefix(1);
  }
  return out;
}

// The units that the grammar names, and what they measure.
std::map<std::string, Dimension> named_units() {
  std::map<std::string, Dimension> units;
  for (const KeyTable& table : grammar())
    for (const Key& key : table.keys) {
      if (key.form == Form::choice || key.of.empty()) continue;
      for (const std::string_view side : split(key.of, "->"))
        for (const std::string_view either : split(side, "|"))
          for (const std::string_view unit : split(either, ","))
            if (const auto parsed = parse_unit(unit); std::holds_alternative<Unit>(parsed)) {
              const Dimension dimension = std::get<Unit>(parsed).dimension;
              units.emplace(unit, dimension);
              units.emplace(to_string(dimension), dimension);
            }
    }
  return units;
}

bool is_compound(std::string_view unit) {
  return unit.find_first_of(" /^") != std::string_view::npos;
}

// Units as patterns.
struct UnitPatterns {
  UnitPatterns() : units(named_units()) {
    for (const auto& [unit, dimension] : units)
      if (is_compound(unit)) compounds.push_back(pattern_of(unit));
  }

  [[nodiscard]] std::string of(const std::vector<Dimension>& dimensions) const {
    const auto among = [&](const Dimension& d) {
      return std::find(dimensions.begin(), dimensions.end(), d) != dimensions.end();
    };
    std::vector<std::string> list = names_of_units(among);
    for (const auto& [unit, dimension] : units)
      if (among(dimension) && is_compound(unit)) list.push_back(pattern_of(unit));
    if (among(Dimension{})) list.emplace_back("-");
    return any_of(list);
  }
  [[nodiscard]] std::string known() const {
    std::vector<std::string> list = names_of_units([](const Dimension&) { return true; });
    list.insert(list.end(), compounds.begin(), compounds.end());
    return any_of(list);
  }

  std::map<std::string, Dimension> units;
  std::vector<std::string> compounds;
};

// --- the schema -------------------------------------------------------------------------------

Json reference(std::string_view name) {
  std::string text = fmt::format("#/$defs/{}", name);
  std::replace(text.begin(), text.end(), ' ', '-');
  return {{"$ref", text}};
}

const Json kScalar = {{"type", {"string", "number"}}};
const Json kWords = {{"type", {"string", "number", "boolean"}}};

// Values of a key in a file; files with all values in quotes have the same meaning.
Json words_of(const Key& key, const std::vector<std::string_view>& words) {
  if (key.form != Form::flag) return words;
  Json list = Json::array();
  for (const std::string_view w : words) {
    list.push_back(w == "true");
    list.push_back(w);
  }
  return list;
}

class SchemaWriter {
 public:
  Json write() {
    Json root = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"$id", "urn:chicane:schema:chicane-1"},
                 {"title", "Chicane file"}};
    root.update(files());
    for (const KeyTable& table : grammar()) {
      std::string name(table.name);
      std::replace(name.begin(), name.end(), ' ', '-');
      defs_[name] = schema_of(table);
    }
    define_units();
    root["$defs"] = defs_;
    return root;
  }

 private:
  // Which kind of file it is shows in the keys it has; what else it is, is a model.
  static Json files() {
    Json schema = reference("model");
    const std::pair<std::string_view, std::string_view> kinds[] = {
        {"slow", "tableau file"}, {"b", "method file"}, {"part", "part file"}, {"set", "settings"}};
    for (const auto& [key, table] : kinds)
      schema = {
          {"if", {{"required", Json::array({key})}}}, {"then", reference(table)}, {"else", schema}};
    return schema;
  }

  // --- numbers ---

  // A definition of the forms of a number that measures one of these; made where it is first used.
  Json measured(std::string_view what, const std::vector<Dimension>& dimensions) {
    const std::string name = definition(what, dimensions);
    const auto& [at, fresh] = used_.emplace(name, std::pair{std::string(what), dimensions});
    require(at->second.second == dimensions, "two dimensions have one name: {}", name);
    return reference(name);
  }
  Json defined(const std::string& name, const Json& schema) {
    defs_[name] = schema;
    return reference(name);
  }
  static std::string definition(std::string_view what, const std::vector<Dimension>& dimensions) {
    std::string name(what);
    for (const Dimension& d : dimensions) {
      name += '-';
      for (const char c : d.is_none() ? std::string("number") : to_string(d))
        if (c == '/')
          name += "_per_";
        else
          name += is_letter(c) || (c >= '0' && c <= '9') ? c : '_';
    }
    return name;
  }

  static Json with_message(const std::string& pattern, const Dimension& d) {
    return {{"pattern", pattern},
            {"patternErrorMessage",
             d.is_none()
                 ? std::string("a plain number or an angle is needed here")
                 : fmt::format("{} is needed here, e.g. 1 {}", quantity_name(d), to_string(d))}};
  }

  void define_units() {
    const UnitPatterns patterns;
    const std::string compounds = any_of(patterns.compounds);
    defs_["measured"] = {
        {"description", "text that is a number with a unit and no formula"},
        {"pattern", whole(fmt::format(R"({}\s*(?:{}|{})?)", kNumber, kWord, compounds))}};
    defs_["unit-name"] = {{"description", "text that is a unit alone"},
                          {"pattern", whole(patterns.known())}};
    for (const auto& [name, use] : used_) {
      const auto& [what, dimensions] = use;
      const Dimension& d = dimensions.front();
      const bool plain =
          std::find(dimensions.begin(), dimensions.end(), Dimension{}) != dimensions.end();
      const std::string unit = patterns.of(dimensions);
      const Json own = with_message(whole(unit), d);
      const std::string number = fmt::format(R"({}\s*{})", kNumber, unit);
      if (what == "unit") {
        defs_[name] = {{"type", "string"}};
        defs_[name].update(own);
        continue;
      }
      // In a list a plain number has the unit that stands last.
      const bool element = what == "element";
      Json schema = kScalar;
      schema["if"] = reference("measured");
      schema["then"] =
          with_message(whole(fmt::format("{}|{}", number, plain || element ? kNumber : kZero)), d);
      if (element)
        schema["allOf"] = Json::array({{{"if", reference("unit-name")}, {"then", own}}});
      else if (!plain)
        schema["minimum"] = schema["maximum"] = 0;
      defs_[name] = schema;
    }
  }

  Json quantity(std::string_view unit) {
    if (unit.empty()) return kScalar;
    std::vector<Dimension> dimensions;
    for (const std::string_view u : split(unit, "|"))
      dimensions.push_back(std::get<Unit>(parse_unit(u)).dimension);
    return measured("quantity", dimensions);
  }
  Json element(const Dimension& d) { return measured("element", {d}); }

  Json numbers(const Dimension& d) {
    Json schema = {{"type", "array"}, {"items", element(d)}};
    if (!d.is_none())
      schema["anyOf"] = {{{"contains", {{"type", "string"}}}}, {{"items", {{"const", 0}}}}};
    return defined(definition("numbers", {d}), schema);
  }

  Json vector(const Dimension& d) {
    return defined(definition("vector", {d}),
                   {{"type", "array"},
                    {"minItems", 3},
                    {"maxItems", 4},
                    {"items", element(d)},
                    {"if", {{"minItems", 4}}},
                    {"then",
                     {{"prefixItems",
                       {Json::object(), Json::object(), Json::object(), measured("unit", {d})}}}},
                    {"else", {{"items", quantity(to_string(d))}}}});
  }

  // The mapping that a curve, a law or a map may be; a name is one of a table.
  Json table(Form form, const std::vector<Dimension>& d) {
    Json properties = {{"file", {{"type", "string"}}}, {"x", numbers(d[0])}, {"y", numbers(d[1])}};
    if (form != Form::map) properties["columns"] = {{"type", "array"}, {"items", kScalar}};
    if (form == Form::map) properties["z"] = {{"type", "array"}};
    if (form == Form::law) {
      properties["polynomial"] = {{"anyOf", {{{"type", "array"}, {"items", kScalar}}, kScalar}}};
      properties["table"] = {{"type", "string"}};
    }
    const char* name = form == Form::law ? "law" : form == Form::map ? "map" : "curve";
    return defined(definition(name, d), {{"type", {"object", "string"}},
                                         {"pattern", R"(^[A-Za-z_][A-Za-z0-9_.]*$)"},
                                         {"properties", properties},
                                         {"additionalProperties", false}});
  }

  // --- keys ---

  Json schema_of(const Key& key) {
    const auto d = [&] { return dimensions_of(key); };
    switch (key.form) {
      case Form::text:
      case Form::name:
      case Form::unit:
        return kWords;
      case Form::version:
        return {{"const", "chicane/1"}};
      case Form::quantity:
        return quantity(key.of);
      case Form::expression:
        return kScalar;
      case Form::flag:
        return {{"enum", words_of(key, {"true", "false"})}};
      case Form::integer:
        return {{"type", {"integer", "string"}}, {"pattern", "^-?[0-9]+$"}};
      case Form::choice:
        return {{"enum", choices_of(key)}};
      case Form::names:
        return {{"anyOf", {{{"type", "array"}, {"items", kScalar}}, kScalar}}};
      case Form::numbers:
        if (!key.of.empty()) return numbers(d().front());
        return {{"type", "array"}, {"items", kScalar}};
      case Form::vector:
        return vector(d().front());
      case Form::vectors:
        return {{"type", "array"}, {"items", vector(d().front())}};
      case Form::matrix:
      case Form::rows:
        return {{"type", "array"}};
      case Form::curve:
      case Form::law:
      case Form::map:
        return table(key.form, d());
      case Form::signal:
        return {{"if", {{"type", "object"}}},
                {"then", table(Form::curve, d())},
                {"else", quantity(split(key.of, "->").back())}};
      case Form::section:
        return reference(key.of);
      case Form::list:
      case Form::actions:
        return {{"type", "array"}, {"items", reference(key.of)}};
      case Form::one_or_list:
        return {{"if", {{"type", "array"}}},
                {"then", {{"items", reference(key.of)}}},
                {"else", reference(key.of)}};
      case Form::entries:
        return {{"type", "object"}, {"additionalProperties", reference(key.of)}};
      case Form::parameters: {
        Json properties = Json::object();
        for (const Key& k : section("mechanism").keys)
          properties[std::string(k.name)] = {{"anyOf", {reference(key.of), schema_of(k)}}};
        return {{"type", "object"},
                {"properties", properties},
                {"additionalProperties", reference(key.of)}};
      }
      case Form::data:
        return {{"type", "object"}};
      case Form::assignments:
        return {{"type", "object"}, {"additionalProperties", kScalar}};
    }
    return {};
  }

  // What a key may be as long as it is not known which of its rows counts. What is inside of
  // sections and tables is left to where it is: here its fault would be that of the whole.
  Json any_of_rows(const std::vector<const Key*>& rows) {
    if (alike(rows)) return schema_of(*rows.front());
    Json list = Json::array();
    for (const Key* row : rows) {
      if (row->form == Form::section) return Json::object();
      list.push_back(is_table(row->form) ? Json{{"type", {"object", "string"}}} : schema_of(*row));
    }
    return {{"anyOf", list}};
  }
  static bool is_table(Form form) {
    return form == Form::curve || form == Form::law || form == Form::map;
  }

  // Whether all of these rows are the same but for what they go with.
  bool alike(const std::vector<const Key*>& rows) {
    return std::all_of(rows.begin(), rows.end(),
                       [&](const Key* row) { return schema_of(*row) == schema_of(*rows.front()); });
  }

  Json schema_of(const KeyTable& s) {
    const bool of_vehicle = find_vehicle_table(s.name) != nullptr;
    Json properties = Json::object(), required = Json::array();
    std::map<std::string_view, std::vector<const Key*>> rows;
    for (const Key& key : s.keys) rows[key.name].push_back(&key);
    for (const Key& key : s.keys) {
      if (properties.contains(key.name)) continue;
      Json property = any_of_rows(rows[key.name]);
      property["description"] = key.help;
      properties[std::string(key.name)] = property;
      if (key.required && !of_vehicle) required.push_back(key.name);
    }
    if (of_vehicle && s.name != "vehicle" && !properties.contains("file"))
      properties["file"] = {{"type", "string"},
                            {"description", "a file with keys of this section"}};
    Json object = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty() && properties.contains("file"))  // a file stands for what is required
      object.update(
          Json{{"if", {{"required", Json::array({"file"})}}}, {"else", {{"required", required}}}});
    else if (!required.empty())
      object["required"] = required;
    if (const Json cases = cases_of(s, rows); !cases.empty()) object["allOf"] = cases;
    if (s.shorthand.empty()) {
      object["description"] = s.help;
      return object;
    }
    return {{"description", s.help}, {"anyOf", {object, kScalar}}};
  }

  // For each word of each key on which others depend: those that do not go with it. And what a key
  // is that is something else with other words.
  Json cases_of(const KeyTable& s,
                const std::map<std::string_view, std::vector<const Key*>>& rows) {
    std::set<std::string_view> deciding;
    for (const Key& key : s.keys)
      for (const KeyCondition& c : conditions_of(key)) deciding.insert(c.key);
    Json cases = Json::array();
    for (const std::string_view decides : deciding) {
      const Key& key = *rows.at(decides).front();
      const auto words =
          key.form == Form::flag ? std::vector<std::string_view>{"true", "false"} : choices_of(key);
      for (const std::string_view word : words) {
        Json properties = Json::object();
        for (const auto& [name, all] : rows) {
          if (std::none_of(all.begin(), all.end(),
                           [&](const Key* row) { return goes_with(*row, decides, word); }))
            properties[std::string(name)] = false;
        }
        if (properties.empty()) continue;
        cases.push_back({{"if",
                          {{"required", Json::array({decides})},
                           {"properties", {{decides, {{"enum", words_of(key, {word})}}}}}}},
                         {"then", {{"properties", properties}}}});
      }
    }
    for (const auto& [name, all] : rows)
      for (const Key* row : all)
        if (!alike(all))
          cases.push_back(
              {{"if", condition(s, *row)}, {"then", {{"properties", {{name, schema_of(*row)}}}}}});
    return cases;
  }

  // All that the row goes with is said.
  static Json condition(const KeyTable& s, const Key& row) {
    Json said = Json::array(), words = Json::object();
    for (const KeyCondition& c : conditions_of(row)) {
      const auto decides =
          std::find_if(s.keys.begin(), s.keys.end(), [&](const Key& k) { return k.name == c.key; });
      said.push_back(c.key);
      words[std::string(c.key)] = {{"enum", words_of(*decides, c.words)}};
    }
    return {{"required", said}, {"properties", words}};
  }

  static bool goes_with(const Key& row, std::string_view decides, std::string_view word) {
    const auto conditions = conditions_of(row);
    return std::all_of(conditions.begin(), conditions.end(), [&](const KeyCondition& c) {
      return c.key != decides || std::find(c.words.begin(), c.words.end(), word) != c.words.end();
    });
  }

  Json defs_ = Json::object();
  std::map<std::string, std::pair<std::string, std::vector<Dimension>>> used_;
};

}  // namespace

std::string json_schema() { return SchemaWriter().write().dump(1) + "\n"; }

}  // namespace chicane
