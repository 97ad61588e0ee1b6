// SPDX-License-Identifier: Apache-2.0
#include "io/reader/reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "blocks/registry.hpp"
#include "io/builtin_models.hpp"
#include "io/reader/event.hpp"
#include "io/reader/include.hpp"
#include "io/reader/inputs.hpp"
#include "io/reader/mechanism.hpp"
#include "io/reader/method.hpp"
#include "io/reader/metric.hpp"
#include "io/reader/native.hpp"
#include "io/reader/override.hpp"
#include "io/reader/parts.hpp"
#include "io/reader/table.hpp"
#include "io/reader/vehicle.hpp"
#include "io/reader/yaml.hpp"

namespace chicane {
namespace {

constexpr int kMostBases = 8;

const BuiltinModel* find(std::span<const BuiltinModel> list, std::string_view name) {
  const auto it =
      std::find_if(list.begin(), list.end(), [&](const BuiltinModel& m) { return m.name == name; });
  return it == list.end() ? nullptr : &*it;
}

std::vector<std::string_view> names_of(std::span<const BuiltinModel> list) {
  std::vector<std::string_view> names;
  for (const BuiltinModel& m : list) names.push_back(m.name);
  return names;
}

class Reader {
 public:
  Reader(Diagnostics& diag, const Loader& load, int depth)
      : diag_(diag), load_(load), depth_(depth) {}

  std::optional<Spec> model(const Cursor& root) {
    const Fields f(root, section("model"), diag_);
    check_format(f, diag_);
    if (const Cursor* base = f.find("base")) {
      if (!read_base(base->text())) return std::nullopt;
      based_ = true;
    }
    if (!based_ && is_manoeuvre(f)) {
      diag_.error(root.where(),
                  "this is no model: it has no states, outputs or topology, and drives inputs that "
                  "it does not have; lay it over a model with --manoeuvre, or give it a 'base:'");
      return std::nullopt;
    }
    spec_.where = root.where();
    spec_.name = name_of(root);
    if (const Text d = f.text("description"); !d.empty()) spec_.description = d.text;
    if (const Text p = f.text("provenance"); !p.empty()) spec_.provenance = p.text;
    return content(root, f);
  }

  // The file laid over a model.
  std::optional<Spec> manoeuvre(const Cursor& root, Spec model) {
    const Fields f(root, section("model"), diag_);
    check_format(f, diag_);
    if (const Cursor* base = f.find("base"))
      diag_.error(base->where(),
                  "a manoeuvre is laid over the model of the command line and has no base; remove "
                  "it, or run the file as a model, without --manoeuvre");
    spec_ = std::move(model);
    based_ = manoeuvre_ = true;
    spec_.name += "+" + name_of(root);
    const auto add = [](std::string& text, const Text& more) {
      if (!more.empty()) text += (text.empty() ? "" : " ") + more.text;
    };
    add(spec_.description, f.text("description"));
    add(spec_.provenance, f.text("provenance"));
    return content(root, f);
  }

 private:
  static std::string name_of(const Cursor& root) {
    return std::filesystem::path(root.where().file).stem().string();
  }

  // Nothing of its own, and inputs of another model driven.
  bool is_manoeuvre(const Fields& f) {
    for (const std::string_view key :
         {"topology", "groups", "auxiliaries", "states", "memory", "outputs", "inputs"})
      if (f.find(key) != nullptr) return false;
    const Cursor* equations = f.find("equations");
    return equations != nullptr && equations->is_map() &&
           Fields(*equations, section("equations"), diag_).find("drives") != nullptr;
  }

  // What a model file and a manoeuvre say of the model.
  std::optional<Spec> content(const Cursor& root, const Fields& f) {
    if (const Cursor* units = f.find("units")) spec_.check_units = units->text().text != "none";
    if (const Cursor* run = f.find("run"))
      read_run(Fields(*run, section("run"), diag_), spec_.run, diag_);
    for (const auto& [name, entry] : named(f, "methods"))
      if (auto m = read_method(name, entry, diag_)) add_method(std::move(*m), entry.where());
    for (const auto& [name, entry] : named(f, "tableaus"))
      if (auto pair = read_pair(name, entry, diag_)) add_pair(std::move(*pair), entry.where());
    resolve_run_files(spec_, diag_, load_);
    if (based_) {
      overrides(f, "parameters");
      overrides(f, "inputs");
      replace_tables(f);
      refuse_with_base(f);
      if (const Cursor* c = f.find("replace")) replace_types(*c, spec_, diag_);
      variables(f, "terminal", spec_.terminal);
    } else {
      if (const Cursor* c = f.find("replace"))
        diag_.error(c->where(), "there is no base whose blocks could be replaced");
      if (const Cursor* c = f.find("topology")) read_mechanism(*c);
      if (spec_.mechanism) add_mechanism_block(*spec_.mechanism);
      read_common(f);
      read_groups(f);
    }
    if (const Cursor* c = f.find("vehicle")) read_vehicle_section(*c, spec_, diag_, load_);
    if (const Cursor* equations = f.find("equations"))
      read_equations(Fields(*equations, section("equations"), diag_));
    for (const auto& [input, file] : input_files_)
      drive_from_file(spec_, input, file, diag_, load_);
    check_table_sizes(spec_, diag_);
    entries(f, "metrics", "metric", [&](const std::string& name, const Fields& e) {
      spec_.metrics.push_back(read_metric(name, e, diag_));
    });
    if (spec_.blocks.empty() && spec_.outputs.empty() && !spec_.mechanism && diag_.ok())
      diag_.error(
          {root.where().file, root.where().line, "groups"},
          "this model has no equations: give it states, outputs, a topology or a vehicle; a "
          "manoeuvre is laid over a model with --manoeuvre");
    check_event_groups();
    for (const Assignment& a : of_vehicle_)
      if (diag_.ok()) override_value(spec_, a.target, a.value, diag_);
    if (!diag_.ok()) return std::nullopt;
    gather_groups();
    return std::move(spec_);
  }

  [[nodiscard]] bool has_method(std::string_view name) const {
    return std::any_of(spec_.methods.begin(), spec_.methods.end(),
                       [&](const Method& m) { return m.name == name; });
  }

  void add_method(Method m, const Location& where) {
    if (has_method(m.name)) diag_.error(where, "method '{}' is declared twice", m.name);
    spec_.methods.push_back(std::move(m));
  }

  void add_pair(TableauPair pair, const Location& where) {
    for (const TableauPair& p : spec_.pairs)
      if (p.name == pair.name) diag_.error(where, "tableaus '{}' are declared twice", p.name);
    spec_.pairs.push_back(std::move(pair));
  }

  void check_event_groups() {
    std::vector<std::string_view> known;
    for (const BlockSpec& b : spec_.blocks) known.push_back(b.group);
    for (const Text& group : event_groups_)
      if (std::find(known.begin(), known.end(), group.text) == known.end())
        diag_.error(group.where, "there is no group '{}'{}", group.text,
                    did_you_mean(group.text, known));
  }

  // Blocks of one group side by side, so that a model and its echo number everything alike.
  void gather_groups() {
    std::vector<BlockSpec> sorted;
    for (const BlockSpec& first : spec_.blocks)
      for (BlockSpec& b : spec_.blocks)
        if (b.group == first.group &&
            std::none_of(sorted.begin(), sorted.end(),
                         [&](const BlockSpec& s) { return s.name == b.name; }))
          sorted.push_back(b);
    spec_.blocks = std::move(sorted);
  }

  bool read_base(const Text& base) {
    if (depth_ >= kMostBases) {
      diag_.error(base.where,
                  "more than {} models stand on one another; does '{}' stand on itself?",
                  kMostBases, base.text);
      return false;
    }
    auto spec = read(base.text, base.where, diag_, load_, depth_ + 1);
    if (!spec) return false;
    spec_ = std::move(*spec);
    return true;
  }

 public:
  // A built-in model or a file, named by the user or by another file.
  static std::optional<Spec> read(const std::string& name, const Location& from, Diagnostics& diag,
                                  const Loader& load, int depth) {
    if (const BuiltinModel* m = find(builtin_models(), name))
      return read_text(m->text, name + ".yaml", diag, load, depth);
    const std::string path = from.line > 0 ? beside(from.file, name) : name;
    const auto text = load ? load(path) : std::nullopt;
    if (text && from.line > 0 && !is_of_chicane(*text, from, path, diag)) return std::nullopt;
    if (text) return read_text(*text, path, diag, load, depth);
    if (find(builtin_manoeuvres(), name) != nullptr)
      diag.error(from, "'{0}' is a manoeuvre: name a model and add --manoeuvre {0}", name);
    else
      diag.error(from,
                 "there is no model '{}': neither a file nor a built-in one{} ('chicane list "
                 "models' lists them)",
                 name, did_you_mean(name, names_of(builtin_models())));
    return std::nullopt;
  }

  static std::optional<Spec> read_manoeuvre(const std::string& name, Spec model, Diagnostics& diag,
                                            const Loader& load) {
    const BuiltinModel* builtin = find(builtin_manoeuvres(), name);
    const auto text = builtin != nullptr ? std::optional<std::string>(builtin->text)
                      : load             ? load(name)
                                         : std::nullopt;
    if (!text) {
      const Location where{"--manoeuvre", 0, ""};
      if (find(builtin_models(), name) != nullptr)
        diag.error(where, "'{}' is a model, not a manoeuvre", name);
      else
        diag.error(where,
                   "there is no manoeuvre '{}': neither a file nor a built-in one{} ('chicane list "
                   "manoeuvres' lists them)",
                   name, did_you_mean(name, names_of(builtin_manoeuvres())));
      return std::nullopt;
    }
    const auto root = parse_yaml(*text, builtin != nullptr ? name + ".yaml" : name, diag);
    if (!root) return std::nullopt;
    return Reader(diag, load, 0).manoeuvre(*root, std::move(model));
  }

  static std::optional<Spec> read_text(std::string_view text, const std::string& file,
                                       Diagnostics& diag, const Loader& load, int depth) {
    const auto root = parse_yaml(text, file, diag);
    if (!root) return std::nullopt;
    return Reader(diag, load, depth).model(*root);
  }

 private:
  std::vector<std::pair<std::string, Cursor>> named(const Fields& f, std::string_view key) {
    const Cursor* c = f.find(key);
    return c == nullptr ? std::vector<std::pair<std::string, Cursor>>{} : c->entries(diag_);
  }

  template <class Each>
  void entries(const Fields& f, std::string_view key, std::string_view grammar, Each&& each) {
    for (const auto& [name, entry] : named(f, key))
      each(name, Fields(entry, section(grammar), diag_));
  }

  // What model files and `equations:` sections have in common.
  void read_common(const Fields& f) {
    for (const auto& [name, entry] : constants(f)) {
      const Fields e(entry, section("parameter"), diag_);
      spec_.parameters.push_back({name, e.text("value"), e.text("description").text});
    }
    entries(f, "inputs", "input", [&](const std::string& name, const Fields& e) {
      spec_.inputs.push_back({name, e.text("value"), e.text("description").text});
      note_file(name, e);
    });
    read_tables(f);
    variables(f, "outputs", spec_.outputs);
    entries(f, "events", "event", [&](const std::string& name, const Fields& e) {
      spec_.events.push_back(read_event(name, e, diag_, load_));
      if (e.find("group") != nullptr) event_groups_.push_back(e.text("group"));
    });
    if (const Cursor* initial = f.find("initial")) assignments(*initial, spec_.initial, diag_);
    variables(f, "terminal", spec_.terminal);
  }

  void variables(const Fields& f, std::string_view key, std::vector<VariableSpec>& out) {
    entries(f, key, "variable", [&](const std::string& name, const Fields& e) {
      out.push_back({name, e.text("value"), e.text("unit"), e.text("description").text});
    });
  }

  void read_block(const Fields& f, BlockSpec block) {
    block.where = f.where();
    for (const BlockSpec& other : spec_.blocks)
      if (other.name == block.name)
        diag_.error(block.where, "block '{}' is declared twice; the first is at {}:{}", block.name,
                    other.where.file, other.where.line);
    block.full_step_only = f.text("apply").text == "full-step";
    if (f.find("type") != nullptr) {
      read_native(f, std::move(block));
      return;
    }
    variables(f, "auxiliaries", block.auxiliaries);
    entries(f, "states", "state", [&](const std::string& name, const Fields& e) {
      Text der = e.text("der");
      if (der.empty()) der.where = e.where();
      block.states.push_back({name, der, as_expression(e.text("initial")), e.text("unit"),
                              e.text("limit"), e.text("description").text});
    });
    entries(f, "memory", "memory", [&](const std::string& name, const Fields& e) {
      block.memory.push_back(
          {name, e.text("next"), as_expression(e.text("initial")), e.text("unit"), e.text("sample"),
           e.text("update").text == "every-evaluation", e.text("description").text});
    });
    spec_.blocks.push_back(std::move(block));
  }

  // A block written in C++: a type and what it is given.
  void read_native(const Fields& f, BlockSpec block) {
    for (const std::string_view key : {"auxiliaries", "states", "memory"})
      if (const Cursor* own = f.find(key))
        diag_.error(own->where(), "a block has either a type or equations of its own");
    set_type(block, f.text("type"), diag_);
    if (const Cursor* c = f.find("inputs")) assignments(*c, block.wiring, diag_);
    if (const Cursor* c = f.find("initial")) assignments(*c, block.initial, diag_);
    if (const Cursor* c = f.find("parameters")) {
      for (const auto& [name, value] : c->entries(diag_)) {
        if (value.is_scalar())
          block.parameters.push_back({name, value.text()});
        else
          diag_.error(value.where(), "a quantity or a formula is needed here");
      }
    }
    spec_.blocks.push_back(std::move(block));
  }

  void read_groups(const Fields& f) {
    const bool flat = f.find("states") != nullptr || f.find("memory") != nullptr ||
                      f.find("auxiliaries") != nullptr;
    const Cursor* groups = f.find("groups");
    if (flat && groups != nullptr) {
      diag_.error(groups->where(),
                  "a model has either groups or states, memory and auxiliaries of its own; move "
                  "those into a group");
      return;
    }
    if (flat) {
      read_block(f, {.name = "main", .group = "main"});
      return;
    }
    entries(f, "groups", "group", [&](const std::string& name, const Fields& g) {
      if (!is_name(name)) diag_.error(g.where(), "'{}' is not a name for a group", name);
      if (g.find("blocks") == nullptr) {
        read_block(g, {.name = name, .group = name});
        return;
      }
      for (const std::string_view key : {"auxiliaries", "states", "memory", "apply"})
        if (const Cursor* own = g.find(key))
          diag_.error(own->where(), "a group has either blocks or equations of its own");
      entries(g, "blocks", "block", [&](const std::string& block, const Fields& b) {
        if (!is_name(block)) diag_.error(b.where(), "'{}' is not a name for a block", block);
        for (const std::string_view key : {"inputs", "parameters", "initial"})
          if (const Cursor* own = b.find(key); own != nullptr && b.find("type") == nullptr)
            diag_.error(own->where(), "'{}' is for a block with a type", key);
        read_block(b, {.name = block, .group = name});
      });
    });
  }

  // --- mechanisms --------------------------------------------------------------------------------

  void read_mechanism(const Cursor& at) {
    const Fields f(at, section("topology"), diag_);
    const Cursor* file = f.find("file");
    if (file == nullptr) {
      spec_.mechanism = read_topology(f, diag_);
      return;
    }
    for (const Key& key : section("topology").keys)
      if (const Cursor* own = f.find(key.name); own != nullptr && own != file)
        diag_.error(own->where(), "a topology is either in a file or here: move '{}' there",
                    key.name);
    const auto part = read_part(file->text(), "topology file", "topology file", diag_, load_);
    const Cursor* topology = part ? part->find("topology") : nullptr;
    if (topology == nullptr) return;
    const Fields there(*topology, section("topology"), diag_);
    if (const Cursor* further = there.find("file"))
      diag_.error(further->where(), "a topology file cannot name another one");
    spec_.mechanism = read_topology(there, diag_);
  }

  void add_mechanism_block(const MechanismSpec& m) {
    BlockSpec block;
    block.name = "mechanism";
    block.group = m.group.empty() ? "slow" : m.group.text;
    block.where = m.where;
    block.plain_names = true;
    block.type = {std::string(kMechanismType), m.where};
    spec_.blocks.push_back(std::move(block));
  }

  // The constants among the parameters. What else a model with a mechanism has there are the
  // mechanism's numbers; those of a file come first, so that what stands beside it prevails.
  std::vector<std::pair<std::string, Cursor>> constants(const Fields& f, bool in_file = false) {
    std::vector<std::pair<std::string, Cursor>> list, given = named(f, "parameters");
    if (!spec_.mechanism) return given;
    for (const auto& [name, entry] : given) {
      if (name != "file") continue;
      if (in_file || !entry.is_scalar()) {
        diag_.error(entry.where(), "{}",
                    in_file ? "a parameter file cannot name another one"
                            : "the name of a file is needed here");
        continue;
      }
      const auto part = read_part(entry.text(), "parameter file", "parameter file", diag_, load_);
      if (!part) continue;
      list = constants(*part, true);
      read_tables(*part);
    }
    for (auto& [name, entry] : given) {
      if (name == "file") continue;
      if (is_mechanism_key(name))
        read_mechanism_key(name, entry, *spec_.mechanism, diag_);
      else
        list.emplace_back(name, std::move(entry));
    }
    return list;
  }

  void read_tables(const Fields& f) {
    entries(f, "tables", "table", [&](const std::string& name, const Fields& e) {
      if (auto t = read_table(name, e, spec_.check_units, diag_, load_))
        spec_.tables.push_back(std::move(*t));
    });
  }

  // --- models on models --------------------------------------------------------------------------

  void overrides(const Fields& f, std::string_view key) {
    for (const auto& [name, entry] : key == "parameters" ? constants(f) : named(f, key)) {
      const Fields e(entry, section(key == "inputs" ? "input" : "parameter"), diag_);
      Text value = e.text("value");
      if (key == "inputs") note_file(name, e);
      if (key == "inputs" && value.empty() && e.find("file") != nullptr) continue;
      if (value.empty()) value.where = e.where();
      const auto has = [&n = name](const auto& list) {
        return std::any_of(list.begin(), list.end(), [&](const auto& p) { return p.name == n; });
      };
      if (key == "inputs" ? has(spec_.inputs) : has(spec_.parameters) || find_native(spec_, name))
        override_value(spec_, name, value, diag_);
      else if (spec_.vehicle && key == "parameters" && name.find('.') != name.npos)
        of_vehicle_.push_back({name, value});
      else if (manoeuvre_ && key == "parameters")
        spec_.parameters.push_back({name, value, e.text("description").text, true});
      else
        diag_.error(value.where,
                    "the base has no '{}' among its {}; new ones go under 'equations:'", name, key);
    }
  }

  // A table of a base is replaced as a whole.
  void replace_tables(const Fields& f) {
    std::vector<std::string_view> known;
    for (const TableSpec& t : spec_.tables) known.push_back(t.name);
    entries(f, "tables", "table", [&](const std::string& name, const Fields& e) {
      const auto old = std::find(known.begin(), known.end(), name);
      auto fresh = read_table(name, e, spec_.check_units, diag_, load_);
      if (old == known.end())
        diag_.error(e.where(), "the base has no table '{}'{}; new ones go under 'equations:'", name,
                    did_you_mean(name, known));
      else if (fresh)
        spec_.tables[static_cast<std::size_t>(old - known.begin())] = std::move(*fresh);
    });
  }

  void refuse_with_base(const Fields& f) {
    for (const std::string_view key :
         {"topology", "groups", "auxiliaries", "states", "memory", "outputs", "events", "initial"})
      if (const Cursor* c = f.find(key))
        diag_.error(c->where(), "{}, additions stand under 'equations:'{}",
                    manoeuvre_ ? "in a manoeuvre" : "with a base",
                    manoeuvre_ ? "; a model is run without --manoeuvre" : "");
  }

  void read_equations(const Fields& f) {
    BlockSpec block{.name = "equations"};
    for (int n = 2; std::any_of(spec_.blocks.begin(), spec_.blocks.end(),
                                [&](const BlockSpec& b) { return b.name == block.name; });
         ++n)
      block.name = fmt::format("equations{}", n);
    block.group = f.text("group").text;
    if (!block.group.empty() && !is_name(block.group))
      diag_.error(f.text("group").where, "'{}' is not a name for a group", block.group);
    if (block.group.empty())
      block.group = spec_.blocks.empty() ? "main" : spec_.blocks.front().group;
    if (const Cursor* drives = f.find("drives")) {
      std::vector<Assignment> list;
      assignments(*drives, list, diag_);
      for (const Assignment& a : list) drive_by_formula(spec_, a, block, diag_);
    }
    const auto before = names();
    read_common(f);
    read_block(f, std::move(block));
    for (const auto& [name, where] : names()) {
      const auto old = std::find_if(before.begin(), before.end(),
                                    [&n = name](const auto& b) { return b.first == n; });
      if (old != before.end() && !same_place(old->second, where))
        diag_.error(where, "'{}' is declared twice; the first is at {}:{}", name, old->second.file,
                    old->second.line);
    }
  }

  // What the model has already: an addition that repeats a name is the one at fault.
  [[nodiscard]] std::vector<std::pair<std::string, Location>> names() const {
    std::vector<std::pair<std::string, Location>> list;
    for (const ParameterSpec& p : spec_.parameters) list.emplace_back(p.name, p.value.where);
    for (const InputSpec& i : spec_.inputs) list.emplace_back(i.name, i.value.where);
    for (const VariableSpec& o : spec_.outputs) list.emplace_back(o.name, o.value.where);
    for (const VariableSpec& o : spec_.terminal)  // these may be called like signals
      list.emplace_back("terminal." + o.name, o.value.where);
    for (const BlockSpec& b : spec_.blocks) {
      for (const VariableSpec& a : b.auxiliaries) list.emplace_back(a.name, a.value.where);
      for (const StateSpec& x : b.states) list.emplace_back(x.name, x.der.where);
      for (const MemorySpec& z : b.memory) list.emplace_back(z.name, z.next.where);
    }
    return list;
  }
  static bool same_place(const Location& a, const Location& b) {
    return a.file == b.file && a.line == b.line && a.key == b.key;
  }

  // An input that follows a file does so when all blocks are there.
  void note_file(const std::string& input, const Fields& e) {
    if (e.find("file") != nullptr)
      input_files_.emplace_back(
          input, InputFile{e.text("file"), e.text("column"),
                           e.text("interpolation").text == "hold" ? Interpolation::hold
                                                                  : Interpolation::linear});
    else
      for (const std::string_view key : {"column", "interpolation"})
        if (const Cursor* own = e.find(key))
          diag_.error(own->where(), "'{}' goes with a file: add 'file:'", key);
  }

  Diagnostics& diag_;
  const Loader& load_;
  int depth_;
  Spec spec_;
  std::vector<Text> event_groups_;  // groups that events name
  bool based_ = false, manoeuvre_ = false;
  std::vector<std::pair<std::string, InputFile>> input_files_;
  std::vector<Assignment> of_vehicle_;  // new values for numbers of its parts, once it is read
};

}  // namespace

std::optional<Spec> read_model(const std::string& name_or_path, Diagnostics& diag,
                               const Loader& load) {
  return Reader::read(name_or_path, {}, diag, within_budget(load, diag), 0);
}

std::optional<Spec> read_manoeuvre(const std::string& name_or_path, Spec model, Diagnostics& diag,
                                   const Loader& load) {
  return Reader::read_manoeuvre(name_or_path, std::move(model), diag, within_budget(load, diag));
}

std::string read_description(std::string_view text, const std::string& file, Diagnostics& diag) {
  const auto root = parse_yaml(text, file, diag);
  return root ? Fields(*root, section("model"), diag).text("description").text : "";
}

std::optional<Spec> read_model_text(std::string_view text, const std::string& file,
                                    Diagnostics& diag, const Loader& load) {
  return Reader::read_text(text, file, diag, within_budget(load, diag), 0);
}

}  // namespace chicane
