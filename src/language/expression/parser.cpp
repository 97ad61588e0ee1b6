// SPDX-License-Identifier: Apache-2.0

// A Pratt parser: precedence climbing over a flat list of tokens.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/utf8.hpp"
#include "language/expression/expression.hpp"

namespace chicane {
namespace {

constexpr std::size_t kLongest = 20'000;  // characters
constexpr int kDeepest = 200;             // levels of nesting

struct Function {
  std::string_view name;
  int arguments;
  Op op;
  std::string_view signature, meaning;
};

constexpr std::array kFunctions = {
    Function{"abs", 1, Op::abs, "x", "absolute value"},
    Function{"acos", 1, Op::acos, "x", "arc cosine"},
    Function{"asin", 1, Op::asin, "x", "arc sine"},
    Function{"atan", 1, Op::atan, "x", "arc tangent"},
    Function{"atan2", 2, Op::atan2, "y, x", "angle of the point (x, y)"},
    Function{"ceil", 1, Op::ceil, "x", "next whole number above"},
    Function{"cos", 1, Op::cos, "x", "cosine"},
    Function{"cosh", 1, Op::cosh, "x", "hyperbolic cosine"},
    Function{"deadband", 3, Op::deadband, "x, lo, hi",
             "0 within [lo, hi], else the distance beyond"},
    Function{"exp", 1, Op::exp, "x", "exponential"},
    Function{"floor", 1, Op::floor, "x", "next whole number below"},
    Function{"hypot", 2, Op::hypot, "x, y", "sqrt(x^2 + y^2)"},
    Function{"if", 3, Op::select, "c, a, b", "a where c is true, else b"},
    Function{"log", 1, Op::log, "x", "natural logarithm"},
    Function{"log10", 1, Op::log10, "x", "decimal logarithm"},
    Function{"max", 2, Op::max, "a, b", "the larger"},
    Function{"min", 2, Op::min, "a, b", "the smaller"},
    Function{"mod", 2, Op::mod, "x, y", "remainder of x/y, sign of x"},
    Function{"round", 1, Op::round, "x", "nearest whole number, halves away from 0"},
    Function{"sat", 3, Op::sat, "x, lo, hi", "x limited to [lo, hi]"},
    Function{"sign", 1, Op::sign, "x", "-1, 0 or 1"},
    Function{"sin", 1, Op::sin, "x", "sine"},
    Function{"sinh", 1, Op::sinh, "x", "hyperbolic sine"},
    Function{"sqrt", 1, Op::sqrt, "x", "square root"},
    Function{"tan", 1, Op::tan, "x", "tangent"},
    Function{"tanh", 1, Op::tanh, "x", "hyperbolic tangent"},
};

const Function* find_function(std::string_view name) {
  const auto it = std::find_if(kFunctions.begin(), kFunctions.end(),
                               [&](const Function& f) { return f.name == name; });
  return it == kFunctions.end() ? nullptr : &*it;
}

struct Infix {
  std::string_view token;
  Op op;
  int strength;
};
constexpr int kTernary = 1, kNot = 3, kUnary = 7, kPower = 8;
constexpr std::array kInfix = {
    Infix{"||", Op::logical_or, 2},  Infix{"or", Op::logical_or, 2},
    Infix{"&&", Op::logical_and, 3}, Infix{"and", Op::logical_and, 3},
    Infix{"==", Op::equal, 4},       Infix{"!=", Op::not_equal, 4},
    Infix{"<", Op::less, 4},         Infix{"<=", Op::less_equal, 4},
    Infix{">", Op::greater, 4},      Infix{">=", Op::greater_equal, 4},
    Infix{"+", Op::add, 5},          Infix{"-", Op::subtract, 5},
    Infix{"*", Op::multiply, 6},     Infix{"/", Op::divide, 6},
    Infix{"^", Op::power, kPower},
};

const Infix* find_infix(std::string_view token) {
  const auto it =
      std::find_if(kInfix.begin(), kInfix.end(), [&](const Infix& f) { return f.token == token; });
  return it == kInfix.end() ? nullptr : &*it;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Token {
  enum class Kind { number, name, sign, unit, end } kind = Kind::end;
  std::string_view text;
  double number = 0;
  int column = 1;
};

struct Fault {
  int column;
  std::string message;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    do tokens.push_back(next());
    while (tokens.back().kind != Token::Kind::end);
    return tokens;
  }

 private:
  Token next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
      ++at_;
    const std::size_t first = at_;
    Token token{.column = static_cast<int>(first) + 1};
    if (at_ == text_.size()) return token;
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
      token.kind = Token::Kind::number;
      const auto [end, error] =
          std::from_chars(text_.data() + at_, text_.data() + text_.size(), token.number);
      if (error != std::errc{} || !std::isfinite(token.number))
        throw Fault{token.column, "this number is out of range"};
      at_ = static_cast<std::size_t>(end - text_.data());
    } else if (is_letter(c)) {
      token.kind = Token::Kind::name;
      while (at_ < text_.size() &&
             (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.'))
        ++at_;
    } else if (c == '[') {
      token.kind = Token::Kind::unit;
      at_ = text_.find(']', first);
      if (at_ == std::string_view::npos) throw Fault{token.column, "'[' without ']'"};
      ++at_;
    } else {
      token.kind = Token::Kind::sign;
      const std::string_view two = text_.substr(at_, 2);
      if (two == "**")
        throw Fault{token.column, "'**' is not an operator; powers are written with '^'"};
      at_ += two.size() == 2 && find_infix(two) != nullptr ? 2 : 1;
      if (find_infix(text_.substr(first, at_ - first)) == nullptr &&
          std::string_view("()?:,!").find(c) == std::string_view::npos)
        throw Fault{token.column, unknown(text_.substr(first))};
    }
    token.text = text_.substr(first, at_ - first);
    return token;
  }

  static std::string unknown(std::string_view rest) {
    const char c = rest.front();
    if (c == '=') return "'=' is not an operator; equality is '=='";
    if (c == '&' || c == '|') return fmt::format("'{0}' is not an operator; write '{0}{0}'", c);
    const std::size_t length = utf8_length(rest);
    if (length == 0 || c == 127 || (length == 1 && c <= ' '))
      return fmt::format("unexpected byte 0x{:02x}", static_cast<unsigned char>(c));
    return fmt::format("unexpected character '{}'{}", rest.substr(0, length),
                       length > 1 ? "; formulas are written with + - * / ^ and plain letters" : "");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

class Parser {
 public:
  explicit Parser(const Text& text) : tokens_(Lexer(text.text).all()) { expression_.source = text; }

  Expression parse() {
    parse(0);
    if (peek().kind != Token::Kind::end) throw Fault{peek().column, left_over()};
    return std::move(expression_);
  }

 private:
  const Token& peek() const { return tokens_[at_]; }
  const Token& take() { return tokens_[tokens_[at_].kind == Token::Kind::end ? at_ : at_++]; }
  bool next_is(std::string_view sign) const {
    return peek().kind == Token::Kind::sign && peek().text == sign;
  }
  void expect(std::string_view sign) {
    if (!next_is(sign)) throw Fault{peek().column, fmt::format("expected '{}'{}", sign, found())};
    take();
  }
  std::string found() const {
    return peek().kind == Token::Kind::end ? ", the expression ends here"
                                           : fmt::format(" before '{}'", peek().text);
  }

  // What follows a complete expression: mostly a forgotten sign, or a unit outside its brackets.
  std::string left_over() const {
    const Token& next = peek();
    if (next.kind == Token::Kind::unit)
      return "a unit in brackets belongs right after a number, as in 300[mm]";
    if (next.text == ")") return "this ')' has no '(' before it";
    if (next.kind == Token::Kind::sign && next.text != "(")
      return fmt::format("unexpected '{}'", next.text);
    if (at_ == 1 && tokens_[0].kind == Token::Kind::number) {
      const std::string_view rest = std::string_view(expression_.source.text)
                                        .substr(static_cast<std::size_t>(next.column) - 1);
      if (std::holds_alternative<Unit>(parse_unit(rest)))
        return fmt::format("in a formula a unit stands in brackets: {}[{}]", tokens_[0].text, rest);
    }
    return fmt::format("an operator is missing before '{}'", next.text);
  }

  int add(Node node) {
    expression_.nodes.push_back(std::move(node));
    return static_cast<int>(expression_.nodes.size()) - 1;
  }
  int operation(Op op, std::vector<int> args, int column) {
    return add(
        {.kind = Node::Kind::operation, .op = op, .args = std::move(args), .column = column});
  }

  // Everything that binds tighter than `strength`; returns the place of its root.
  int parse(int strength) {
    if (++depth_ > kDeepest) throw Fault{peek().column, "nested too deeply"};
    int left = prefix();
    for (;;) {
      const Token token = peek();
      if (next_is("?") && strength < kTernary) {
        take();
        const int a = parse(0);
        expect(":");
        left = operation(Op::select, {left, a, parse(0)}, token.column);
        continue;
      }
      const bool word = token.kind == Token::Kind::name;
      const Infix* infix =
          word || token.kind == Token::Kind::sign ? find_infix(token.text) : nullptr;
      if (infix == nullptr || infix->strength <= strength) break;
      take();
      // ^ groups to the right: its right side may contain another ^
      const int right = parse(infix->op == Op::power ? kUnary - 1 : infix->strength);
      left = operation(infix->op, {left, right}, token.column);
    }
    --depth_;
    return left;
  }

  int prefix() {
    const Token token = take();
    switch (token.kind) {
      case Token::Kind::number:
        return literal(token);
      case Token::Kind::name:
        if (token.text == "not") return operation(Op::logical_not, {parse(kNot)}, token.column);
        return next_is("(") ? call(token) : name(token);
      case Token::Kind::sign:
        if (token.text == "(") {
          const int inner = parse(0);
          expect(")");
          return inner;
        }
        if (token.text == "-") return operation(Op::negate, {parse(kUnary)}, token.column);
        if (token.text == "+") return parse(kUnary);
        if (token.text == "!") return operation(Op::logical_not, {parse(kUnary)}, token.column);
        throw Fault{token.column, fmt::format("unexpected '{}'", token.text)};
      case Token::Kind::unit:
        throw Fault{token.column, "a unit in brackets belongs right after a number, as in 300[mm]"};
      case Token::Kind::end:
        break;
    }
    throw Fault{token.column, expression_.nodes.empty() ? "the expression is empty"
                                                        : "the expression ends too soon"};
  }

  int literal(const Token& token) {
    Node node{.number = token.number, .column = token.column};
    if (peek().kind == Token::Kind::unit) {
      const Token unit = take();
      const auto parsed = parse_unit(unit.text.substr(1, unit.text.size() - 2));
      if (const auto* error = std::get_if<UnitError>(&parsed))
        throw Fault{unit.column, error->message};
      const Unit& u = std::get<Unit>(parsed);
      node.number = u.to_si(token.number);
      node.dimension = u.dimension;
      if (!std::isfinite(node.number)) throw Fault{token.column, "this number is out of range"};
    }
    return add(std::move(node));
  }

  int name(const Token& token) {
    if (token.text == "pi") return add({.number = std::numbers::pi, .column = token.column});
    if (token.text == "true") return add({.number = 1, .column = token.column});
    if (token.text == "false") return add({.number = 0, .column = token.column});
    if (find_function(token.text) != nullptr || token.text == "table" || token.text == "der")
      throw Fault{token.column, fmt::format("'{0}' is a function; write {0}(...)", token.text)};
    if (find_infix(token.text) != nullptr)
      throw Fault{token.column, fmt::format("unexpected '{}'", token.text)};
    if (token.text == "time") throw Fault{token.column, "time is written t"};
    if (!is_name(token.text))
      throw Fault{token.column, fmt::format("'{}' is not a name", token.text)};
    return add({.kind = Node::Kind::name, .name = std::string(token.text), .column = token.column});
  }

  int call(const Token& function) {
    take();  // (
    if (function.text == "der" || function.text == "table") {
      const Token argument = take();
      if (argument.kind != Token::Kind::name || !is_name(argument.text))
        throw Fault{argument.column, fmt::format("{}(...) wants the name of a {}", function.text,
                                                 function.text == "der" ? "state" : "table")};
      Node node{.kind = Node::Kind::derivative,
                .name = std::string(argument.text),
                .column = function.column};
      if (function.text == "table") {
        node.kind = Node::Kind::table;
        while (next_is(",")) {
          take();
          node.args.push_back(parse(0));
        }
        if (node.args.empty() || node.args.size() > 2)
          throw Fault{function.column, "table(name, x) or table(name, x, y)"};
      }
      expect(")");
      return add(std::move(node));
    }
    const Function* f = find_function(function.text);
    if (f == nullptr) {
      std::vector<std::string_view> known{"table", "der"};
      for (const Function& k : kFunctions) known.push_back(k.name);
      throw Fault{function.column, fmt::format("there is no function '{}'{}", function.text,
                                               did_you_mean(function.text, known))};
    }
    std::vector<int> args;
    if (!next_is(")")) {
      args.push_back(parse(0));
      while (next_is(",")) {
        take();
        args.push_back(parse(0));
      }
    }
    expect(")");
    if (static_cast<int>(args.size()) != f->arguments)
      throw Fault{function.column,
                  fmt::format("{}({}) takes {} argument{}, not {}", f->name, f->signature,
                              f->arguments, f->arguments == 1 ? "" : "s", args.size())};
    return operation(f->op, std::move(args), function.column);
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Expression expression_;
};

}  // namespace

std::optional<Expression> parse_expression(const Text& text, Diagnostics& diag) {
  if (text.text.size() > kLongest) {
    diag.error(text.where, "this expression has more than {} characters", kLongest);
    return std::nullopt;
  }
  try {
    return Parser(text).parse();
  } catch (const Fault& fault) {
    diag.error(text.where, "{} ({})", fault.message, at_column(text, fault.column));
    return std::nullopt;
  }
}

std::string at_column(const Text& text, int column) {
  constexpr std::size_t kWhole = 100, kBefore = 40;
  if (text.text.size() <= kWhole) return fmt::format("column {} of '{}'", column, text.text);
  const std::size_t from =
      static_cast<std::size_t>(column) > kBefore ? static_cast<std::size_t>(column) - kBefore : 0;
  return fmt::format("column {}, near '... {} ...'", column, text.text.substr(from, kWhole));
}

bool is_reserved(std::string_view name) {
  return find_function(name) != nullptr || name == "table" || name == "der" || name == "t" ||
         name == "time" || name == "pi" || name == "true" || name == "false" || name == "and" ||
         name == "or" || name == "not";
}

bool looks_like_quantity(std::string_view text) {
  const std::size_t unit = text.find_first_not_of("0123456789.eE+-");
  if (unit == 0 || unit == std::string_view::npos || text[unit] != ' ') return false;
  const std::size_t letter = text.find_first_not_of(' ', unit);
  return letter != std::string_view::npos && is_name(text.substr(letter, 1));
}

bool is_name(std::string_view name) {
  if (name.empty() || name.size() > 200) return false;
  bool start = true;  // of a part
  for (const char c : name) {
    if (c == '.' ? start : !(is_letter(c) || (!start && is_digit(c)))) return false;
    start = c == '.';
  }
  return !start;
}

std::vector<FunctionInfo> function_list() {
  std::vector<FunctionInfo> list;
  list.reserve(kFunctions.size() + 2);
  for (const Function& f : kFunctions) list.push_back({f.name, f.signature, f.meaning});
  list.push_back({"table", "name, x[, y]", "look-up in a table of the model"});
  list.push_back({"der", "state", "present rate of a state"});
  return list;
}

}  // namespace chicane
