// SPDX-License-Identifier: Apache-2.0
#include "io/reader/method.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "io/reader/include.hpp"
#include "io/reader/reader.hpp"

namespace chicane {
namespace {

// "1/6", "-0.25", "2".
std::optional<double> coefficient(const Cursor& c, Diagnostics& diag) {
  const std::string text = c.text().text;
  const auto number = [](std::string_view s) -> std::optional<double> {
    double v = 0;
    const auto [at, error] = std::from_chars(s.data(), s.data() + s.size(), v);
    if (error != std::errc{} || at != s.data() + s.size() || !std::isfinite(v)) return std::nullopt;
    return v;
  };
  const std::size_t slash = text.find('/');
  const auto top = number(std::string_view(text).substr(0, slash));
  const auto bottom =
      slash == std::string::npos ? 1.0 : number(std::string_view(text).substr(slash + 1));
  if (c.is_scalar() && top && bottom && *bottom != 0.0) return *top / *bottom;
  diag.error(c.where(), "'{}' is not a coefficient such as 0.5 or 1/6", text);
  return std::nullopt;
}

template <class Row>
int read_row(const Cursor& list, Row& row, Diagnostics& diag) {
  if (!list.is_list()) {
    diag.error(list.where(), "a list of coefficients is needed here");
    return 0;
  }
  const auto elements = list.elements();
  if (elements.size() > row.size()) {
    diag.error(list.where(), "at most {} coefficients fit here", row.size());
    return 0;
  }
  for (std::size_t i = 0; i < elements.size(); ++i)
    row[i] = coefficient(elements[i], diag).value_or(0.0);
  return static_cast<int>(elements.size());
}

template <class Rows>
int read_rows(const Fields& f, std::string_view key, Rows& rows, int stages, Diagnostics& diag) {
  const Cursor* list = f.find(key);
  if (list == nullptr) return 0;
  const auto elements = list->elements();
  if (static_cast<int>(elements.size()) != stages) {
    diag.error(list->where(), "'{}' needs one row per stage: {}, not {}", key, stages,
               elements.size());
    return 0;
  }
  int longest = 0;
  for (std::size_t i = 0; i < elements.size(); ++i)
    longest = std::max(longest, read_row(elements[i], rows[i], diag));
  return longest;
}

// A, b and c; c defaults to the row sums.
Coefficients<double> tableau_of(const Fields& f, Diagnostics& diag) {
  Coefficients<double> k;
  if (const Cursor* b = f.find("b")) k.stages = read_row(*b, k.b, diag);
  if (k.stages < 1 && diag.ok()) diag.error(f.where(), "a method needs weights b, one per stage");
  read_rows(f, "A", k.A, k.stages, diag);
  return k;
}

void read_abscissae(const Fields& f, Coefficients<double>& k, Diagnostics& diag) {
  if (const Cursor* c = f.find("c")) {
    if (read_row(*c, k.c, diag) != k.stages)
      diag.error(c->where(), "'c' needs one value per stage: {}", k.stages);
    return;
  }
  for (std::size_t i = 0; i < kMaxStages; ++i) {
    for (const double a : k.A[i]) k.c[i] += a;
    for (const double h : k.H[i]) k.c[i] += h;
  }
}

int order_claimed(const Fields& f, Diagnostics& diag) {
  const Text order = f.text("order");
  int p = 0;
  const auto [at, error] =
      std::from_chars(order.text.data(), order.text.data() + order.text.size(), p);
  if (diag.ok() &&
      (error != std::errc{} || at != order.text.data() + order.text.size() || p < 1 || p > 20))
    diag.error(order.where, "an order is a whole number from 1 to 20, not '{}'", order.text);
  return p;
}

// The fault of the coefficients, or an order they do not have.
bool is_sound(const std::string& fault, int has, int claimed, int most, const Fields& f,
              Diagnostics& diag) {
  if (!fault.empty())
    diag.error(f.where(), "{}", fault);
  else if (has < std::min(claimed, most))
    diag.error(f.text("order").where, "these coefficients have order {}, not {}", has, claimed);
  return diag.ok();
}

std::optional<Method> method_of(const std::string& name, const Fields& f, Diagnostics& diag) {
  Method m{.name = name, .source = f.text("source").text, .use = f.text("use").text};
  m.k = tableau_of(f, diag);
  m.k.old = read_rows(f, "H", m.k.H, m.k.stages, diag);
  if (const Cursor* e = f.find("e")) m.k.old = std::max(m.k.old, read_row(*e, m.k.e, diag));
  read_abscissae(f, m.k, diag);
  m.order = order_claimed(f, diag);
  if (!diag.ok()) return std::nullopt;
  const std::string fault = fault_of(m.k);
  const int has = fault.empty() ? verified_order(m.k) : 0;
  if (!is_sound(fault, has, m.order, kMostVerifiedOrder, f, diag)) return std::nullopt;
  return m;
}

std::optional<TableauPair> pair_of(const std::string& name, const Fields& f, Diagnostics& diag) {
  TableauPair pair{.name = name, .source = f.text("source").text, .use = f.text("use").text};
  for (const auto& [key, k] : {std::pair{"slow", &pair.slow}, std::pair{"fast", &pair.fast}}) {
    const Cursor* c = f.find(key);
    if (c == nullptr) continue;
    const Fields own(*c, section("tableau"), diag);
    *k = tableau_of(own, diag);
    read_abscissae(own, *k, diag);
  }
  pair.order = order_claimed(f, diag);
  if (!diag.ok()) return std::nullopt;
  const std::string fault = fault_of(pair);
  const int has = fault.empty() ? verified_order(pair) : 0;
  if (!is_sound(fault, has, pair.order, kMostVerifiedPairOrder, f, diag)) return std::nullopt;
  return pair;
}

// Letters, digits, _ and -, so that no method is taken for a file.
void check_name(std::string name, const Location& where, Diagnostics& diag) {
  if (find_method(name) != nullptr || find_pair(name) != nullptr)
    diag.error(where, "'{}' is a built-in method; choose another name", name);
  std::string plain = name;
  std::replace(plain.begin(), plain.end(), '-', '_');
  if (!is_name(plain) || plain.find('.') != std::string::npos)
    diag.error(where, "'{}' is not a name for a method: letters, digits, _ and -", name);
}

}  // namespace

std::optional<Method> read_method(const std::string& name, const Cursor& entry, Diagnostics& diag) {
  check_name(name, entry.where(), diag);
  return method_of(name, Fields(entry, section("method"), diag), diag);
}

std::optional<TableauPair> read_pair(const std::string& name, const Cursor& entry,
                                     Diagnostics& diag) {
  check_name(name, entry.where(), diag);
  return pair_of(name, Fields(entry, section("tableaus"), diag), diag);
}

namespace {

// A file with one method or pair in it.
template <class Read>
auto read_text(std::string_view text, const std::string& file, std::string_view grammar,
               Diagnostics& diag, Read&& read) -> decltype(read("", std::declval<Fields>(), diag)) {
  const auto root = parse_yaml(text, file, diag);
  if (!root) return std::nullopt;
  const Fields f(*root, section(grammar), diag);
  const Text format = f.text("format"), name = f.text("name");
  if (!format.empty() && format.text != "chicane/1")
    diag.error(format.where, "this program reads format 'chicane/1', not '{}'", format.text);
  if (f.find("name") != nullptr) check_name(name.text, name.where, diag);
  if (!diag.ok()) return std::nullopt;
  return read(name.text, f, diag);
}

// The text of the file that `name` stands for; the fault names what is known besides.
std::optional<std::pair<std::string, std::string>> file_behind(
    const Text& name, const Loader& load, std::string_view what,
    const std::vector<std::string_view>& known, Diagnostics& diag) {
  namespace fs = std::filesystem;
  const std::string path = name.where.line > 0
                               ? (fs::path(name.where.file).parent_path() / name.text).string()
                               : name.text;
  auto text = load ? load(path) : std::nullopt;
  if (text && name.where.line > 0 && !is_of_chicane(*text, name.where, path, diag))
    return std::nullopt;
  if (text) return std::pair{path, std::move(*text)};
  diag.error(name.where,
             "there is no {0} '{1}': neither a file nor one of the model nor a built-in one{2} "
             "('chicane list {0}s' lists them)",
             what, name.text, did_you_mean(name.text, known));
  return std::nullopt;
}

}  // namespace

std::optional<Method> read_method_text(std::string_view text, const std::string& file,
                                       Diagnostics& diag) {
  return read_text(text, file, "method file", diag, method_of);
}

std::optional<TableauPair> read_pair_text(std::string_view text, const std::string& file,
                                          Diagnostics& diag) {
  return read_text(text, file, "tableau file", diag, pair_of);
}

namespace {

bool is_pair(std::string_view text, const std::string& file) {
  Diagnostics ignored;  // whoever reads the file reports its faults
  const auto root = parse_yaml(text, file, ignored);
  if (!root || !root->is_map()) return false;
  const auto entries = root->entries(ignored);
  return std::any_of(entries.begin(), entries.end(),
                     [](const auto& e) { return e.first == "slow" || e.first == "fast"; });
}

}  // namespace

std::optional<MethodOrPair> read_method_or_pair(const std::string& name, Diagnostics& diag,
                                                const Loader& load) {
  if (const Method* m = find_method(name)) return *m;
  if (const TableauPair* p = find_pair(name)) return *p;
  const auto text = load ? load(name) : std::nullopt;
  if (!text) {
    auto known = method_names();
    for (const std::string_view pair : pair_names()) known.push_back(pair);
    diag.error({name, 0, ""},
               "there is no such method: neither a built-in one{} nor a file ('chicane list "
               "methods' and 'chicane list tableaus' list them)",
               did_you_mean(name, known));
    return std::nullopt;
  }
  if (is_pair(*text, name)) return read_pair_text(*text, name, diag);
  return read_method_text(*text, name, diag);
}

void resolve_run_files(Spec& spec, Diagnostics& diag, const Loader& load) {
  // Reads what `name` stands for into `own`, unless it is there or built in.
  const auto resolve = [&](Text& name, auto& own, bool built_in, std::string_view what,
                           std::vector<std::string_view> known, auto&& read) {
    for (const auto& o : own) {
      if (o.name == name.text) return;
      known.push_back(o.name);
    }
    if (name.empty() || built_in) return;
    const auto file = file_behind(name, load, what, known, diag);
    if (!file) return;
    auto item = read(file->second, file->first, diag);
    if (!item) return;
    name.text = item->name;
    for (const auto& o : own)
      if (o.name == item->name)
        diag.error(name.where, "{} '{}' is declared twice", what, item->name);
    own.push_back(std::move(*item));
  };
  const auto method = [&](Text& name) {
    resolve(name, spec.methods, find_method(name.text) != nullptr, "method", method_names(),
            read_method_text);
  };
  method(spec.run.method);
  for (RunGroupSpec& g : spec.run.groups) method(g.method);
  resolve(spec.run.tableau, spec.pairs, find_pair(spec.run.tableau.text) != nullptr, "tableau",
          pair_names(), read_pair_text);
}

}  // namespace chicane
