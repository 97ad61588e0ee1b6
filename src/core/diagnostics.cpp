// SPDX-License-Identifier: Apache-2.0
#include "core/diagnostics.hpp"

#include <algorithm>

#include "core/result.hpp"

namespace chicane {

std::string to_string(const Diagnostic& d) {
  std::string s = d.where.file;
  if (d.where.line > 0) s += fmt::format(":{}", d.where.line);
  if (!s.empty()) s += ": ";
  if (d.severity == Severity::warning) s += "warning: ";
  if (!d.where.key.empty()) s += d.where.key + ": ";
  return s + d.message;
}

// A part that is looked at twice says the same twice.
void Diagnostics::add(Diagnostic d) {
  const auto same = [&](const Diagnostic& o) {
    return o.severity == d.severity && o.message == d.message && o.where.line == d.where.line &&
           o.where.key == d.where.key && o.where.file == d.where.file;
  };
  if (std::any_of(all_.begin(), all_.end(), same)) return;
  if (d.severity == Severity::error) ++errors_;
  all_.push_back(std::move(d));
}

std::string Diagnostics::text() const {
  std::string s;
  for (const Diagnostic& d : all_) s += to_string(d) + "\n";
  return s;
}

Error Error::of(const Diagnostics& diag) {
  Error e{diag.text(), diag.all()};
  if (e.text.ends_with('\n')) e.text.pop_back();
  return e;
}

namespace {

// Edits from one word to the other: letters changed, left out, put in, or two neighbours swapped.
int distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> d((a.size() + 1) * width);
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      int& here = d[i * width + j];
      if (i == 0 || j == 0) {
        here = static_cast<int>(i + j);
        continue;
      }
      const int change = d[(i - 1) * width + j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      here = std::min({change, d[(i - 1) * width + j] + 1, d[i * width + j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        here = std::min(here, d[(i - 2) * width + j - 2] + 1);
    }
  }
  return d.back();
}

}  // namespace

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t kLongest = 64;  // longer words are no typing slips
  if (word.empty() || word.size() > kLongest) return {};
  std::string_view best;
  int best_distance =
      static_cast<int>(word.size()) / 3 + 1;  // at most a third of the letters wrong
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
