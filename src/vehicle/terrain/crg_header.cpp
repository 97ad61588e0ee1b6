// SPDX-License-Identifier: Apache-2.0
#include "vehicle/terrain/crg_header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>

namespace chicane::terrain {

std::string_view without_blanks(std::string_view s) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!s.empty() && blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && blank(s.back())) s.remove_suffix(1);
  return s;
}

std::optional<double> leading_number(std::string_view& text) {
  text = without_blanks(text);
  std::array<char, 40> copy{};
  const std::size_t n = std::min(text.size(), copy.size());
  for (std::size_t i = 0; i < n; ++i) copy[i] = text[i] == 'd' || text[i] == 'D' ? 'e' : text[i];
  const std::size_t sign = n > 0 && copy[0] == '+' ? 1 : 0;
  double value = 0.0;
  const auto [end, error] = std::from_chars(copy.data() + sign, copy.data() + n, value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - copy.data()));
  return value;
}

namespace {

constexpr int kMostCrgFaults = 20;
constexpr std::size_t kMostHeaderBytes = 4'000'000;
constexpr std::size_t kMostChannels = 100'000;

std::string lower_case(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

template <class Block>
struct CrgKey {
  std::string_view name;
  CrgValue Block::*value;  // null: known, and of no effect here
};

using H = CrgHeader;
constexpr CrgKey<H> kHeaderKeys[] = {
    {"reference_line_start_u", &H::start_u},     {"reference_line_start_x", &H::start_x},
    {"reference_line_start_y", &H::start_y},     {"reference_line_start_z", &H::start_z},
    {"reference_line_start_phi", &H::start_phi}, {"reference_line_start_b", &H::start_b},
    {"reference_line_start_s", &H::start_s},     {"reference_line_end_u", &H::end_u},
    {"reference_line_end_x", &H::end_x},         {"reference_line_end_y", &H::end_y},
    {"reference_line_end_z", &H::end_z},         {"reference_line_end_phi", &H::end_phi},
    {"reference_line_end_b", &H::end_b},         {"reference_line_end_s", &H::end_s},
    {"reference_line_increment", &H::increment}, {"long_section_v_right", &H::v_right},
    {"long_section_v_left", &H::v_left},         {"long_section_v_increment", &H::v_increment},
    {"reference_line_offset_x", nullptr},        {"reference_line_offset_y", nullptr},
    {"reference_line_offset_z", nullptr},        {"reference_line_offset_phi", nullptr},
    {"reference_line_start_lon", nullptr},       {"reference_line_start_lat", nullptr},
    {"reference_line_start_alt", nullptr},       {"reference_line_end_lon", nullptr},
    {"reference_line_end_lat", nullptr},         {"reference_line_end_alt", nullptr}};

using O = CrgOptions;
constexpr CrgKey<O> kOptionKeys[] = {{"border_mode_u", &O::border_mode_u},
                                     {"border_mode_v", &O::border_mode_v},
                                     {"border_offset_u", &O::border_offset_u},
                                     {"border_offset_v", &O::border_offset_v},
                                     {"border_smooth_ubeg", &O::smooth_begin},
                                     {"border_smooth_uend", &O::smooth_end},
                                     {"refline_continuation", &O::continuation},
                                     {"refline_search_far", nullptr},
                                     {"refline_search_close", nullptr},
                                     {"refline_search_u", nullptr},
                                     {"refline_search_ufrac", nullptr},
                                     {"warn_msgs", nullptr},
                                     {"warn_curv_local", nullptr},
                                     {"warn_curv_global", nullptr},
                                     {"log_msgs", nullptr},
                                     {"log_eval", nullptr},
                                     {"log_eval_freq", nullptr},
                                     {"log_hist", nullptr},
                                     {"log_hist_freq", nullptr},
                                     {"log_stat", nullptr},
                                     {"log_stat_freq", nullptr},
                                     {"check_eps", nullptr},
                                     {"check_inc", nullptr},
                                     {"check_tol", nullptr}};

using M = CrgModifiers;
constexpr CrgKey<M> kModifierKeys[] = {{"scale_z_grid", &M::scale_z},
                                       {"scale_slope", &M::scale_slope},
                                       {"scale_banking", &M::scale_banking},
                                       {"scale_length", &M::scale_length},
                                       {"scale_width", &M::scale_width},
                                       {"scale_curvature", &M::scale_curvature},
                                       {"grid_nan_mode", &M::nan_mode},
                                       {"grid_nan_offset", &M::nan_offset},
                                       {"refline_rotcenter_x", &M::rotation_x},
                                       {"refline_rotcenter_y", &M::rotation_y},
                                       {"refline_offset_phi", &M::offset_phi},
                                       {"refline_offset_x", &M::offset_x},
                                       {"refline_offset_y", &M::offset_y},
                                       {"refline_offset_z", &M::offset_z},
                                       {"refpoint_u_fraction", &M::point_u_fraction},
                                       {"refpoint_u_offset", &M::point_u_offset},
                                       {"refpoint_u", &M::point_u},
                                       {"refpoint_v_fraction", &M::point_v_fraction},
                                       {"refpoint_v_offset", &M::point_v_offset},
                                       {"refpoint_v", &M::point_v},
                                       {"refpoint_x", &M::point_x},
                                       {"refpoint_y", &M::point_y},
                                       {"refpoint_z", &M::point_z},
                                       {"refpoint_phi", &M::point_phi}};

class HeadReader {
 public:
  HeadReader(std::string_view bytes, const std::string& file, Diagnostics& diag)
      : bytes_(bytes), file_(file), diag_(diag) {}

  CrgHead read() {
    std::size_t at = 0;
    while (at < bytes_.size() && !head_.has_table && faults_ < kMostCrgFaults) {
      if (at > kMostHeaderBytes) {
        fault("", "no line $$$$ within {} bytes: this is no road surface file", kMostHeaderBytes);
        break;
      }
      ++line_;
      std::size_t end = bytes_.find('\n', at);
      if (end == std::string_view::npos) end = bytes_.size();
      take(bytes_.substr(at, end - at));
      at = std::min(end + 1, bytes_.size());
      head_.table = at;
      head_.table_line = line_ + 1;
    }
    if (faults_ == kMostCrgFaults) diag_.error({file_, 0, ""}, "further faults are not listed");
    return std::move(head_);
  }

 private:
  enum class Block { none, comment, road, options, modifiers, file, definition, unknown };

  template <class... Args>
  void fault(const std::string& key, fmt::format_string<Args...> text, Args&&... args) {
    ++faults_;
    diag_.error({file_, line_, key}, text, std::forward<Args>(args)...);
  }

  void take(std::string_view raw) {
    if (raw.starts_with('$')) return open(lower_case(raw));
    if (block_ == Block::comment || block_ == Block::unknown) return;
    std::string_view s = without_blanks(raw);
    if (s.empty() || s.front() == '*') return;
    if (std::ranges::any_of(s, [](char c) { return static_cast<unsigned char>(c) < 9; })) {
      fault("", "this is no text: a road surface file begins with lines, up to $$$$");
      faults_ = kMostCrgFaults;
      return;
    }
    s = without_blanks(s.substr(0, s.find('!')));
    if (s.empty()) return;
    switch (block_) {
      case Block::road:
        return assign<H>(s, kHeaderKeys, head_.header);
      case Block::options:
        return assign<O>(s, kOptionKeys, *head_.options);
      case Block::modifiers:
        return assign<M>(s, kModifierKeys, *head_.modifiers);
      case Block::file:
        if (s.front() == '$')
          return fault("$ROAD_CRG_FILE",
                       "'{}' is from the environment, which is not asked: give a "
                       "path, relative to this file",
                       s);
        head_.include += s;
        head_.include_line = line_;
        return;
      case Block::definition:
        return define(s);
      default:
        return fault("", "this line is in no block: a line $ROAD_CRG begins one");
    }
  }

  void open(const std::string& title) {
    static constexpr std::pair<std::string_view, Block> kBlocks[] = {
        {"$road_crg_mods", Block::modifiers}, {"$road_crg_opts", Block::options},
        {"$road_crg_file", Block::file},      {"$road_crg_mpro", Block::unknown},
        {"$road_crg", Block::road},           {"$ct", Block::comment},
        {"$kd_definition", Block::definition}};
    if (title.starts_with("$$$$")) {
      head_.has_table = true;
      return;
    }
    block_ = Block::none;
    for (const auto& [name, block] : kBlocks)
      if (title.starts_with(name)) {
        block_ = block;
        break;
      }
    if (block_ == Block::none && title.size() > 1 && title[1] != '!' && title[1] != ' ' &&
        title[1] != '\r') {
      block_ = Block::unknown;
      diag_.warning({file_, line_, ""}, "the block {} is not looked at",
                    without_blanks(std::string_view(title).substr(0, 40)));
    }
    if (block_ == Block::options) head_.options.emplace();
    if (block_ == Block::modifiers) head_.modifiers.emplace();
  }

  template <class Of>
  void assign(std::string_view s, std::span<const CrgKey<Of>> keys, Of& block) {
    const std::size_t equals = s.find('=');
    const std::string key = lower_case(without_blanks(s.substr(0, equals)));
    if (equals == std::string_view::npos)
      return fault(key.substr(0, 60), "this line is no KEY = VALUE; a comment begins with * or !");
    const auto known =
        std::ranges::find_if(keys, [&](const CrgKey<Of>& k) { return k.name == key; });
    if (known == keys.end()) {
      diag_.warning({file_, line_, key.substr(0, 60)}, "this key means nothing here");
      return;
    }
    std::string_view text = s.substr(equals + 1);
    const auto value = leading_number(text);
    if (!value) return fault(key, "'{}' is no number", without_blanks(s.substr(equals + 1)));
    if (!without_blanks(text).empty())
      diag_.warning({file_, line_, key}, "'{}' behind the number {} is not looked at",
                    without_blanks(text), *value);
    if (known->value != nullptr) block.*(known->value) = value;
  }

  void define(std::string_view s) {
    if (s.starts_with("#:")) {
      head_.format = std::string(without_blanks(s.substr(2)).substr(0, 4));
      return;
    }
    if (s.starts_with("U:") || s.starts_with("u:")) return;  // says what D: and the header say
    if (!s.starts_with("D:") && !s.starts_with("d:"))
      return fault("$KD_DEFINITION", "'{}' is neither #:, U: nor D:", s);
    if (head_.channels.size() >= kMostChannels)
      return fault("$KD_DEFINITION", "a file has at most {} channels", kMostChannels);
    channel(lower_case(without_blanks(s.substr(2))));
  }

  void channel(const std::string& text) {
    using Kind = CrgChannel::Kind;
    const std::size_t comma = text.rfind(',');
    const std::string_view name = without_blanks(std::string_view(text).substr(0, comma));
    const std::string_view unit =
        comma == std::string::npos ? "" : without_blanks(std::string_view(text).substr(comma + 1));
    constexpr std::string_view kSection = "long section", kLine = "reference line";
    CrgChannel c{.kind = Kind::other, .line = line_};
    std::string_view wanted = "m";
    if (name.starts_with(kSection)) {
      std::string_view rest = without_blanks(name.substr(kSection.size()));
      c.kind = Kind::section;
      c.by_position = rest.starts_with("at v");
      if (c.by_position) rest = rest.substr(std::min(rest.find('='), rest.size() - 1) + 1);
      const auto at = leading_number(rest);
      if (!at)
        return fault("D:",
                     "'{}' says neither which section nor where: long section 1,m or long "
                     "section at v = -1.5,m",
                     text);
      c.position = *at;
    } else if (name.starts_with(kLine)) {
      const std::string_view what = without_blanks(name.substr(kLine.size()));
      static constexpr std::pair<std::string_view, Kind> kKinds[] = {
          {"phi", Kind::phi}, {"slope", Kind::slope}, {"banking", Kind::banking},
          {"x", Kind::x},     {"y", Kind::y},         {"u", Kind::u}};
      for (const auto& [word, kind] : kKinds)
        if (what == word) c.kind = kind;
      if (c.kind == Kind::phi) wanted = "rad";
      if (c.kind == Kind::slope || c.kind == Kind::banking) wanted = "m/m";
    }
    if (c.kind == Kind::other)
      diag_.warning({file_, line_, "D:"}, "the channel '{}' means nothing here", name);
    else if (unit != wanted)
      return fault("D:", "'{}' is in '{}'; it must be in {}", name, unit, wanted);
    head_.channels.push_back(c);
  }

  std::string_view bytes_;
  const std::string& file_;
  Diagnostics& diag_;
  CrgHead head_;
  Block block_ = Block::none;
  int line_ = 0, faults_ = 0;
};

}  // namespace

CrgHead read_crg_head(std::string_view bytes, const std::string& file, Diagnostics& diag) {
  return HeadReader(bytes, file, diag).read();
}

}  // namespace chicane::terrain
