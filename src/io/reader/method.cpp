#include "io/reader/method.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

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

std::optional<Method> method_of(const std::string& name, const Fields& f, Diagnostics& diag) {
  Method m{.name = name, .source = f.text("source").text, .use = f.text("use").text};
  Coefficients<double>& k = m.k;
  if (const Cursor* b = f.find("b")) k.stages = read_row(*b, k.b, diag);
  if (k.stages < 1 && diag.ok()) diag.error(f.where(), "a method needs weights b, one per stage");
  read_rows(f, "A", k.A, k.stages, diag);
  k.old = read_rows(f, "H", k.H, k.stages, diag);
  if (const Cursor* e = f.find("e")) k.old = std::max(k.old, read_row(*e, k.e, diag));
  if (const Cursor* c = f.find("c")) {
    if (read_row(*c, k.c, diag) != k.stages)
      diag.error(c->where(), "'c' needs one value per stage: {}", k.stages);
  } else {
    for (std::size_t i = 0; i < kMaxStages; ++i) {
      for (const double a : k.A[i]) k.c[i] += a;
      for (const double h : k.H[i]) k.c[i] += h;
    }
  }
  const Text order = f.text("order");
  const auto [at, error] =
      std::from_chars(order.text.data(), order.text.data() + order.text.size(), m.order);
  if (diag.ok() && (error != std::errc{} || at != order.text.data() + order.text.size() ||
                    m.order < 1 || m.order > 20))
    diag.error(order.where, "an order is a whole number from 1 to 20, not '{}'", order.text);
  if (!diag.ok()) return std::nullopt;
  if (const std::string fault = fault_of(k); !fault.empty()) {
    diag.error(f.where(), "{}", fault);
    return std::nullopt;
  }
  const int has = verified_order(k);
  if (has < std::min(m.order, kMostVerifiedOrder)) {
    diag.error(order.where, "these coefficients have order {}, not {}", has, m.order);
    return std::nullopt;
  }
  return m;
}

// Letters, digits, _ and -, so that no method is taken for a file.
void check_name(std::string name, const Location& where, Diagnostics& diag) {
  if (find_method(name) != nullptr)
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

std::optional<Method> read_method_text(std::string_view text, const std::string& file,
                                       Diagnostics& diag) {
  const auto root = parse_yaml(text, file, diag);
  if (!root) return std::nullopt;
  const Fields f(*root, section("method file"), diag);
  const Text format = f.text("format"), name = f.text("name");
  if (!format.empty() && format.text != "chicane/1")
    diag.error(format.where, "this program reads format 'chicane/1', not '{}'", format.text);
  if (f.find("name") != nullptr) check_name(name.text, name.where, diag);
  if (!diag.ok()) return std::nullopt;
  return method_of(name.text, f, diag);
}

std::optional<Method> read_method_file(const std::string& path, Diagnostics& diag,
                                       const Loader& load) {
  const auto text = load ? load(path) : std::nullopt;
  if (!text) {
    diag.error({path, 0, "method"},
               "there is no method '{}': neither a file nor a built-in one{} ('chicane list "
               "methods' lists them)",
               path, did_you_mean(path, method_names()));
    return std::nullopt;
  }
  return read_method_text(*text, path, diag);
}

}  // namespace chicane
