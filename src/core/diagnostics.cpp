#include "core/diagnostics.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace chicane {

std::string to_string(const Diagnostic& d) {
  std::string s = d.where.file;
  if (d.where.line > 0) s += fmt::format(":{}", d.where.line);
  if (!s.empty()) s += ": ";
  if (d.severity == Severity::warning) s += "warning: ";
  if (!d.where.key.empty()) s += d.where.key + ": ";
  return s + d.message;
}

void Diagnostics::add(Diagnostic d) {
  if (d.severity == Severity::error) ++errors_;
  all_.push_back(std::move(d));
}

std::string Diagnostics::text() const {
  std::string s;
  for (const Diagnostic& d : all_) s += to_string(d) + "\n";
  return s;
}

namespace {

// Levenshtein distance with one row.
int distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({change, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t kLongest = 64;  // longer words are no typing slips
  if (word.empty() || word.size() > kLongest) return {};
  std::string_view best;
  int best_distance = static_cast<int>(word.size() + 2) / 3 + 1;  // a third of the letters, and one
  for (const std::string_view c : candidates) {
    if (c.size() > kLongest) continue;
    const int d = distance(word, c);
    if (d < best_distance) {
      best_distance = d;
      best = c;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string_view near = nearest(word, candidates);
  return near.empty() ? std::string{} : fmt::format(" (did you mean '{}'?)", near);
}

}  // namespace chicane
