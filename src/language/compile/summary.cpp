// SPDX-License-Identifier: Apache-2.0

// Metrics and terminal calculations, through all passes: they stand beside the equations and take
// no part in them.

#include <algorithm>

#include "language/compile/compiler.hpp"

namespace chicane::compiling {

using dimensions::kTime;

bool Compiler::knows_metric(const Text& text, const Node& node, const Symbol& symbol) {
  if (node.kind == Node::Kind::name && symbol.index < metrics_known_) return true;
  if (node.kind == Node::Kind::derivative)
    diag_.error(text.where, "der({0}): '{0}' is not a state", node.name);
  else if (metrics_known_ == symbol.index)
    diag_.error(text.where, "metric '{}' cannot use itself", node.name);
  else if (metrics_known_ != kNone)
    diag_.error(text.where, "metric '{}' stands below; move it above the one that uses it",
                node.name);
  else
    diag_.error(text.where,
                "'{}' is a metric, which has no value during the run; it can be used in terminal "
                "formulas and in from, until, level and at of the metrics below it",
                node.name);
  return false;
}

void Compiler::parse_summary() {
  const auto given = [this](const Text& text) -> std::optional<Expression> {
    return text.empty() ? std::nullopt : parsed(text);
  };
  for (const MetricSpec& m : spec_.metrics) {
    metrics_known_ = kNone;
    Metric out{.value = parsed(m.value)};
    metrics_known_ = static_cast<int>(metrics_.size());
    out.from = given(m.from);
    out.until = given(m.until);
    out.level = given(m.level);
    out.at = given(m.at);
    metrics_.push_back(std::move(out));
  }
  metrics_known_ = static_cast<int>(metrics_.size());
  for (std::size_t i = 0; i < spec_.terminal.size(); ++i) {
    const VariableSpec& v = spec_.terminal[i];
    const auto same = [&](const auto& other) { return other.name == v.name; };
    if (!is_name(v.name)) diag_.error(v.value.where, "'{}' is not a name", v.name);
    if (std::any_of(spec_.metrics.begin(), spec_.metrics.end(), same) ||
        std::any_of(spec_.terminal.begin(), spec_.terminal.begin() + static_cast<int>(i), same))
      diag_.error(v.value.where,
                  "'{}' is declared twice: metrics and terminal calculations share their names",
                  v.name);
    terminal_.push_back(parsed(v.value));
  }
}

// --- constants and dimensions --------------------------------------------------------------------

void Compiler::check_constant(const std::optional<Expression>& e) {
  if (!e) return;
  for (const Node& node : e->nodes) {
    if (node.kind != Node::Kind::name && node.kind != Node::Kind::derivative) continue;
    const bool metric = node.name != "t" && symbols_.at(node.name).kind == Symbol::Kind::metric;
    if (!metric && !is_constant(*e, node))
      diag_.error(e->source.where,
                  "'{}' changes during the run; from, until, level and at are formulas of "
                  "parameters and of metrics above ({})",
                  node.name, at_column(e->source, node.column));
  }
}

Measure Compiler::measure(const MetricSpec& spec, const Metric& m) {
  Measure out = measure(*m.value).value_or(Measure{{}, true});
  if (m.level && !out.any) check(*m.level, out.dimension, "the level");
  for (const auto* time : {&m.from, &m.until, &m.at})
    if (*time) check(**time, kTime, "this");
  for (const auto* e : {&m.from, &m.until, &m.level, &m.at}) check_constant(*e);
  if (spec.reduction == Reduction::crosses) out = {kTime};
  if (spec.reduction == Reduction::integral) out.dimension = out.dimension * kTime;
  if (!spec_.check_units) return {};
  check_unit(spec.unit, out);
  return out.any ? Measure{unit_of(spec.unit).dimension} : out;
}

void Compiler::measure_summary() {
  for (std::size_t i = 0; i < metrics_.size(); ++i)
    metrics_[i].measure = measure(spec_.metrics[i], metrics_[i]);
  for (std::size_t i = 0; i < terminal_.size(); ++i) {
    terminal_measure_.push_back(measure(*terminal_[i]).value_or(Measure{{}, true}));
    check_unit(spec_.terminal[i].unit, terminal_measure_.back());
  }
}

// --- code ----------------------------------------------------------------------------------------

std::vector<int> Compiler::metrics_in(const std::optional<Expression>& e) const {
  std::vector<int> list;
  if (!e) return list;
  for (const Node& node : e->nodes)
    if (node.kind == Node::Kind::name && node.name != "t")
      if (const Symbol& symbol = symbols_.at(node.name); symbol.kind == Symbol::Kind::metric)
        list.push_back(symbol.index);
  return list;
}

// The value that stands at `from` in a group, among the summary's own.
Slot Compiler::gathered(GroupIndex group, Slot from) {
  auto& sources = s_->summary.sources;
  const auto known = std::find_if(sources.begin(), sources.end(), [&](const Summary::Source& s) {
    return s.group == group && s.from == from;
  });
  if (known != sources.end()) return known->to;
  sources.push_back({group, from, summary_slot()});
  return sources.back().to;
}

Slot Compiler::summary_leaf(const Node& node) {
  if (node.name == "t") return s_->summary.t;
  const Symbol& symbol = symbols_.at(node.name);
  if (node.kind == Node::Kind::derivative) {
    const StateInfo& x = s_->states[StateIndex{symbol.index}];
    return gathered(x.group, at(s_->groups[x.group].rates, x.place));
  }
  if (symbol.kind == Symbol::Kind::metric) return at(s_->summary.metrics, symbol.index).result;
  if (symbol.kind == Symbol::Kind::parameter)
    return s_->parameters[ParameterIndex{symbol.index}].slot;
  if (symbol.kind == Symbol::Kind::variable)
    if (const auto it = constant_slot_.find(symbol.index); it != constant_slot_.end())
      return it->second;
  const SignalIndex signal = symbol.kind == Symbol::Kind::input
                                 ? s_->inputs[InputIndex{symbol.index}].signal
                                 : signal_of(symbol);
  return gathered(s_->signals[signal].group, s_->signals[signal].slot);
}

void Compiler::generate_summary() {
  group_ = kSummary;
  coder_->reset_temporaries();
  Summary& summary = s_->summary;
  summary.t = summary_slot();
  const auto unit = [](const Text& text, const Measure& m) {
    return text.empty() ? to_string(m.dimension) : text.text;
  };
  const auto coded_into = [this](Schedule& schedule, const Expression& e) {
    const Slot to = summary_slot();
    append(schedule, coded([&] { coder_->assign(to, e); }));
    return to;
  };
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    const MetricSpec& spec = spec_.metrics[i];
    MetricInfo info{.name = spec.name,
                    .unit = unit(spec.unit, metrics_[i].measure),
                    .description = spec.description,
                    .conversion = unit_of(spec.unit),
                    .reduction = spec.reduction,
                    .crossing = spec.crossing};
    info.result = summary_slot();
    info.watched = coded_into(summary.watch, *metrics_[i].value);
    const auto add = [&](const std::optional<Expression>& e, std::optional<Slot>& to) {
      if (e) to = coded_into(info.code, *e);
      for (const int m : metrics_in(e)) info.needs.push_back(m);
    };
    add(metrics_[i].from, info.from);
    add(metrics_[i].until, info.until);
    add(metrics_[i].level, info.level);
    add(metrics_[i].at, info.at);
    summary.metrics.push_back(std::move(info));
  }
  for (std::size_t i = 0; i < terminal_.size(); ++i) {
    const VariableSpec& v = spec_.terminal[i];
    summary.terminal.push_back({v.name, unit(v.unit, terminal_measure_[i]), unit_of(v.unit),
                                coded_into(summary.finish, *terminal_[i]),
                                metrics_in(terminal_[i])});
  }
  summary_temporaries_ = coder_->temporaries();
}

void Compiler::finish_summary() {
  const auto k = static_cast<Slot>(s_->constants.size());
  const Slot temporaries = k + summary_used_;
  Summary& summary = s_->summary;
  summary.size = temporaries + summary_temporaries_;
  const auto place = [&](Slot& slot) { slot = Codegen::place(slot, k, temporaries); };
  const auto place_all = [&](const Schedule& schedule) {
    for (const Call& c : schedule) place_code({c.begin, c.end}, k, temporaries);
  };
  place(summary.t);
  for (Summary::Source& s : summary.sources) {
    place(s.from);
    place(s.to);
  }
  for (MetricInfo& m : summary.metrics) {
    place(m.watched);
    place(m.result);
    for (std::optional<Slot>* slot : {&m.from, &m.until, &m.level, &m.at})
      if (*slot) place(**slot);
    place_all(m.code);
  }
  for (TerminalInfo& t : summary.terminal) place(t.slot);
  place_all(summary.watch);
  place_all(summary.finish);
}

}  // namespace chicane::compiling
