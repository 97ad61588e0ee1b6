// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "cli/commands.hpp"
#include "cli/documents.hpp"
#include "core/build_info.hpp"

namespace chicane::cli {
namespace {

// Text as troff prints it: dashes that can be copied, no commands.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return out;
}

std::string capitals(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string option_names(const CLI::Option& o) {
  std::string names;
  for (const std::string& n : o.get_snames())
    names += (names.empty() ? "" : ", ") + ("\\fB\\-" + escaped(n) + "\\fR");
  for (const std::string& n : o.get_lnames())
    names += (names.empty() ? "" : ", ") + ("\\fB\\-\\-" + escaped(n) + "\\fR");
  if (o.get_items_expected_max() > 0 && !o.get_type_name().empty())
    names += " \\fI" + escaped(o.get_type_name()) + "\\fR";
  if (!o.get_default_str().empty()) names += " (default " + escaped(o.get_default_str()) + ")";
  return names;
}

void add_command(const CLI::App& command, const std::string& path, std::string& out) {
  std::string usage = "\\fBchicane " + escaped(path) + "\\fR";
  for (const CLI::Option* p :
       command.get_options([](const CLI::Option* o) { return o->get_positional(); }))
    usage +=
        " \\fI" +
        escaped(p->get_type_name().empty() ? capitals(p->get_name(true)) : p->get_type_name()) +
        "\\fR";
  out += fmt::format(".SS {}\n{}\n.br\n{}.\n", usage,
                     command.get_subcommands({}).empty() ? "[\\fIOPTIONS\\fR]" : "\\fICOMMAND\\fR",
                     escaped(command.get_description()));
  for (const CLI::Option* o :
       command.get_options([](const CLI::Option* x) { return x->nonpositional(); }))
    if (o != command.get_help_ptr())
      out += fmt::format(".TP\n{}\n{}\n", option_names(*o), escaped(o->get_description()));
  for (const CLI::App* c : command.get_subcommands({}))
    add_command(*c, path + " " + c->get_name(), out);
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  std::string out = fmt::format(
      ".\\\" Printed by 'chicane manual'.\n"
      ".TH CHICANE 1 \"\" \"chicane {}\" \"User Commands\"\n"
      ".SH NAME\nchicane \\- simulate vehicles and other systems with several time scales\n"
      ".SH SYNOPSIS\n.B chicane\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n"
      "Runs models that are text files with units: vehicles, mechanisms, equations; with fixed "
      "steps, at one or several rates.\n"
      "\\fIMODEL\\fR is a built\\-in name (\\fBchicane list models\\fR) or a file. "
      "Every command has \\fB\\-\\-help\\fR.\n"
      ".SH COMMANDS\n",
      build_info().version);
  for (const CLI::App* c : app.get_subcommands({})) add_command(*c, c->get_name(), out);
  out +=
      ".SH EXIT STATUS\n"
      ".TP\n0\nfull success\n"
      ".TP\n1\na file or a value is wrong\n"
      ".TP\n2\nwrong usage\n"
      ".TP\n3\nthe run failed, or results could not be written\n"
      ".TP\n130, 143, 129\nSIGINT, SIGTERM or SIGHUP ended a run, in good order\n"
      ".SH FILES\n"
      ".TP\n.I runs/MODEL\\-NNN\nresults of a run: results.csv, results.h5, echo.yaml, log.txt, "
      "manifest.json\n"
      ".SH EXAMPLES\n"
      ".nf\n"
      "chicane run two\\-scale \\-\\-plot\n"
      "chicane run hmmwv \\-\\-manoeuvre double\\-lane\\-change \\-\\-plot\n"
      "chicane check my\\-model.yaml\n"
      ".fi\n";
  return out;
}

int print_manual(const CLI::App& app) {
  fmt::print("{}", manual_page(app));
  return kOk;
}

}  // namespace chicane::cli
