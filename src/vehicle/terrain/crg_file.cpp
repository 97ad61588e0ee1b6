// SPDX-License-Identifier: Apache-2.0
#include "vehicle/terrain/crg_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <utility>

#include "vehicle/terrain/crg_header.hpp"

namespace chicane::terrain {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kRecord = 80;  // bytes

// The table of a file: numbers row by row, in the order of the channels.
class TableReader {
 public:
  TableReader(std::string_view bytes, const CrgHead& head, const std::string& file,
              Diagnostics& diag)
      : bytes_(bytes.substr(head.table)), head_(head), file_(file), diag_(diag) {}

  // Rows; 0 and a fault where there is none.
  std::size_t read(std::vector<double>& into) {
    const std::string& f = head_.format;
    if (f.size() != 4 || (f[0] != 'L' && f[0] != 'K') || (f[1] != 'R' && f[1] != 'D') ||
        (f[2] != 'F' && f[2] != 'B') || f[3] != 'I') {
      diag_.error({file_, 0, "#:"},
                  "the format '{}' is none of LRFI, LDFI, KRBI, KDBI and their likes", f);
      return 0;
    }
    width_ = head_.channels.size();
    single_ = f[1] == 'R';
    long_ = f[0] == 'L';
    expected_ = rows_of_header();
    if (!diag_.ok()) return 0;
    const std::size_t rows = f[2] == 'F' ? text(into) : binary(into);
    if (diag_.ok() && rows < 2)
      diag_.error({file_, head_.table_line, ""}, "a road has two cross sections at least, not {}",
                  rows);
    return diag_.ok() ? rows : 0;
  }

 private:
  // As many as the header says; 0: it does not say.
  std::size_t rows_of_header() {
    const auto& h = head_.header;
    if (!h.end_u || !h.increment) return 0;
    const double rows = std::floor((*h.end_u - h.start_u.value_or(0.0)) / *h.increment + 0.5) + 1.0;
    if (rows >= 2.0 && rows < 1e12) return static_cast<std::size_t>(rows);
    diag_.error({file_, 0, "reference_line_end_u"},
                "from u = {} to {} in steps of {} there are no two cross sections",
                h.start_u.value_or(0.0), *h.end_u, *h.increment);
    return 0;
  }

  template <class Bits, class Number>
  [[nodiscard]] double big_endian(std::size_t at) const {
    Bits bits = 0;
    for (std::size_t i = 0; i < sizeof(Bits); ++i)
      bits = static_cast<Bits>((bits << 8U) | static_cast<unsigned char>(bytes_[at + i]));
    return static_cast<double>(std::bit_cast<Number>(bits));
  }

  std::size_t binary(std::vector<double>& into) {
    const std::size_t size = single_ ? 4 : 8;
    std::size_t record = size * width_;
    if (long_) record = (record + kRecord - 1) / kRecord * kRecord;
    std::size_t rows = bytes_.size() / record;
    if (expected_ > 0 && rows < expected_) {
      diag_.error(
          {file_, head_.table_line, ""},
          "the table ends after {} of {} cross sections: {} bytes follow the header, {} are "
          "needed; the file is cut off, or its header wrong",
          rows, expected_, bytes_.size(), expected_ * record);
      return 0;
    }
    if (expected_ > 0) rows = expected_;
    into.reserve(rows * width_);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < width_; ++c) {
        const std::size_t at = r * record + c * size;
        const double value =
            single_ ? big_endian<std::uint32_t, float>(at) : big_endian<std::uint64_t, double>(at);
        if (std::isinf(value)) {
          diag_.error({file_, head_.table_line, ""},
                      "cross section {}, channel {} (byte {}) is infinite", r + 1, c + 1,
                      head_.table + at);
          return 0;
        }
        into.push_back(value);
      }
    // Records of kernel form are filled up with NaN.
    while (expected_ == 0 && rows > 0 &&
           std::all_of(into.end() - static_cast<std::ptrdiff_t>(width_), into.end(),
                       [](double z) { return std::isnan(z); })) {
      into.resize(into.size() - width_);
      --rows;
    }
    return rows;
  }

  // A field: a number, or what begins with * and says that there is none.
  std::optional<double> field(std::string_view text, int line) {
    const std::string_view s = without_blanks(text);
    if (s.starts_with('*') || s == "nan" || s == "NaN") return kMissing;
    std::string_view rest = s;
    if (const auto value = leading_number(rest); value && without_blanks(rest).empty())
      return value;
    diag_.error({file_, line, ""},
                "'{}' is no number of {} characters; a missing one begins with *", s,
                single_ ? 10 : 20);
    return std::nullopt;
  }

  std::size_t text(std::vector<double>& into) {
    const std::size_t size = single_ ? 10 : 20;
    int line = head_.table_line - 1;
    std::size_t in_row = 0;
    for (std::string_view left = bytes_; !left.empty();) {
      ++line;
      const std::size_t end = std::min(left.find('\n'), left.size());
      std::string_view s = left.substr(0, end);
      left.remove_prefix(std::min(end + 1, left.size()));
      while (!s.empty() && (s.back() == ' ' || s.back() == '\r' || s.back() == '\t'))
        s.remove_suffix(1);
      for (std::size_t at = 0; at < s.size(); at += size) {
        const auto value = field(s.substr(at, size), line);
        if (!value) return 0;
        if (in_row == width_ && long_) {
          diag_.error({file_, line, ""}, "there are more than {} numbers in this row", width_);
          return 0;
        }
        in_row = in_row == width_ ? 1 : in_row + 1;
        into.push_back(*value);
      }
      if (in_row == width_) in_row = 0;
      if (in_row != 0 && long_ && s.size() <= (kRecord / size - 1) * size) {
        diag_.error({file_, line, ""}, "the row ends after {} of {} numbers", in_row, width_);
        return 0;
      }
    }
    const std::size_t rows = into.size() / width_;
    if (in_row != 0 || (expected_ > 0 && rows < expected_)) {
      diag_.error({file_, line, ""}, "the table ends here, after {} of {} cross sections", rows,
                  expected_ > 0 ? std::to_string(expected_) : "its");
      return 0;
    }
    if (expected_ > 0 && rows > expected_)
      diag_.warning({file_, line, ""},
                    "the table has {} cross sections; the header says {}, and is not heeded", rows,
                    expected_);
    return rows;
  }

  std::string_view bytes_;
  const CrgHead& head_;
  const std::string& file_;
  Diagnostics& diag_;
  std::size_t width_ = 0, expected_ = 0;
  bool single_ = true, long_ = true;
};

class CrgReader {
 public:
  CrgReader(Diagnostics& diag, const CrgLoad& load) : diag_(diag), load_(load) {}

  std::optional<CrgFile> read(std::string_view bytes, const std::string& file) {
    files_.push_back(file);
    if (bytes.size() > kMostCrgBytes) {
      diag_.error({file, 0, ""}, "a road surface file has at most {} bytes", kMostCrgBytes);
      return std::nullopt;
    }
    if (bytes.starts_with("\x1f\x8b")) {
      diag_.error({file, 0, ""}, "it is compressed: unpack it with gunzip first");
      return std::nullopt;
    }
    CrgHead head = read_crg_head(bytes, file, diag_);
    if (!diag_.ok()) return std::nullopt;
    std::optional<CrgFile> out;
    if (!head.include.empty())
      out = included(head, file);
    else if (head.has_table)
      out = own(bytes, head, file);
    else
      diag_.error({file, 0, ""},
                  "there is no line $$$$ with a table behind it, and no $ROAD_CRG_FILE: this is no "
                  "whole road surface file");
    if (!out || !diag_.ok()) return std::nullopt;
    if (head.options) out->options = head.options;
    if (head.modifiers) out->modifiers = head.modifiers;
    out->files = files_;
    return out;
  }

 private:
  std::optional<CrgFile> included(const CrgHead& head, const std::string& file) {
    namespace fs = std::filesystem;
    const Location where{file, head.include_line, "$ROAD_CRG_FILE"};
    if (files_.size() >= static_cast<std::size_t>(kMostCrgFiles)) {
      diag_.error(where, "'{}': files name each other too deeply, or in a circle", head.include);
      return std::nullopt;
    }
    const fs::path named(head.include), folder = fs::path(file).parent_path();
    std::vector<std::string> places{(named.is_absolute() ? named : folder / named).string()};
    if (!named.is_absolute()) places.push_back((folder / named.filename()).string());
    for (const std::string& place : places)
      if (const auto bytes = load_ ? load_(place) : std::nullopt) {
        if (place != places.front())
          diag_.warning(where, "'{}' is not there; '{}' is taken", places.front(), place);
        return read(*bytes, place);
      }
    diag_.error(where, "cannot read '{}'; paths start at this file", places.front());
    return std::nullopt;
  }

  // The sections from right to left, and where they stand in a row of the table.
  std::vector<std::size_t> sections(const CrgHead& head, const std::string& file, CrgFile& out) {
    std::vector<std::size_t> order;
    for (std::size_t c = 0; c < head.channels.size(); ++c)
      if (head.channels[c].kind == CrgChannel::Kind::section) order.push_back(c);
    if (order.size() < 2) {
      diag_.error({file, 0, "$KD_DEFINITION"}, "a road has two long sections at least, not {}",
                  order.size());
      return order;
    }
    const auto at = [&](std::size_t c) -> const CrgChannel& { return head.channels[c]; };
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return at(a).position < at(b).position; });
    out.v_by_position = at(order[0]).by_position;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const CrgChannel& c = at(order[k]);
      if (c.by_position != out.v_by_position)
        diag_.error({file, c.line, "D:"}, "sections are either counted or placed, not both");
      else if (!c.by_position && c.position != static_cast<double>(k + 1))
        diag_.error({file, c.line, "D:"},
                    "section {} stands where {} is due: they are counted from "
                    "1, without gaps",
                    c.position, k + 1);
      else if (k > 0 && c.by_position && c.position - out.v.back() < 1e-6)
        diag_.error({file, c.line, "D:"}, "section at v = {} is less than 1e-6 m from the next",
                    c.position);
      if (!diag_.ok()) return order;
      out.v.push_back(c.position);
    }
    if (!out.v_by_position) place_counted(head, file, out);
    return order;
  }

  void place_counted(const CrgHead& head, const std::string& file, CrgFile& out) {
    const double n = static_cast<double>(out.v.size() - 1);
    const double right = head.header.v_right.value_or(0.0);
    const double step = head.header.v_increment.value_or(
        head.header.v_left ? (*head.header.v_left - right) / n : 0.01);
    if (!(step > 0.0) || !std::isfinite(right + n * step)) {
      diag_.error({file, 0, "long_section_v_increment"}, "{} m is no distance between sections",
                  step);
      return;
    }
    if (!head.header.v_right)
      diag_.warning({file, 0, "long_section_v_right"},
                    "it is missing: 0 is taken, so that the reference line is the right edge");
    for (std::size_t k = 0; k < out.v.size(); ++k) out.v[k] = right + static_cast<double>(k) * step;
    if (head.header.v_left && std::fabs(*head.header.v_left - out.v.back()) > 1e-3 * step)
      diag_.warning({file, 0, "long_section_v_left"},
                    "it is {}, but {} sections from {} in steps of {} end at {}, which is taken",
                    *head.header.v_left, out.v.size(), right, step, out.v.back());
  }

  std::optional<CrgFile> own(std::string_view bytes, const CrgHead& head, const std::string& file) {
    using Kind = CrgChannel::Kind;
    CrgFile out{.header = head.header, .format = head.format};
    for (const auto& [key, value] : {std::pair{"increment", head.header.increment},
                                     std::pair{"v_increment", head.header.v_increment}})
      if (value && !(*value > 1e-6))
        diag_.error({file, 0, key}, "{} m is no distance: it must be above 1e-6 m", *value);
    if (!diag_.ok()) return std::nullopt;
    const auto order = sections(head, file, out);
    if (!diag_.ok()) return std::nullopt;
    std::vector<double> table;
    out.rows = TableReader(bytes, head, file, diag_).read(table);
    if (!diag_.ok()) return std::nullopt;
    const std::size_t width = head.channels.size();
    out.z.reserve(out.rows * order.size());
    const bool single = head.format[1] == 'R';  // heights of real format are single
    for (std::size_t r = 0; r < out.rows; ++r)
      for (const std::size_t c : order) {
        const double z = table[r * width + c];
        out.z.push_back(single ? static_cast<double>(static_cast<float>(z)) : z);
      }
    constexpr std::pair<Kind, std::vector<double> CrgFile::*> kLines[] = {
        {Kind::phi, &CrgFile::phi},
        {Kind::slope, &CrgFile::slope},
        {Kind::banking, &CrgFile::banking},
        {Kind::x, &CrgFile::x},
        {Kind::y, &CrgFile::y},
        {Kind::u, &CrgFile::u}};
    for (std::size_t c = 0; c < width; ++c)
      for (const auto& [kind, member] : kLines) {
        if (head.channels[c].kind != kind) continue;
        if (!(out.*member).empty())
          diag_.error({file, head.channels[c].line, "D:"}, "this channel is there twice");
        // Of a heading and a slope, which belong between cross sections, the first is not used.
        const bool between = kind == Kind::phi || kind == Kind::slope;
        for (std::size_t r = 0; r < out.rows && diag_.ok(); ++r) {
          double value = table[r * width + c];
          if (r == 0 && between && std::isnan(value)) value = 0.0;
          if (std::isnan(value))
            diag_.error({file, head.channels[c].line, "D:"},
                        "this channel has no number in cross section {}", r + 1);
          (out.*member).push_back(value);
        }
      }
    if (out.x.empty() != out.y.empty())
      diag_.error({file, 0, "D:"},
                  "there is a channel of the reference line's x or y, but not both");
    return diag_.ok() ? std::optional(std::move(out)) : std::nullopt;
  }

  Diagnostics& diag_;
  const CrgLoad& load_;
  std::vector<std::string> files_;
};

}  // namespace

std::optional<CrgFile> read_crg(std::string_view bytes, const std::string& file, Diagnostics& diag,
                                const CrgLoad& load) {
  return CrgReader(diag, load).read(bytes, file);
}

}  // namespace chicane::terrain
