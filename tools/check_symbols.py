#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A shared library shows the public surface and nothing else.

  check_symbols.py LIBRARY...   exit 1 and print every symbol that nobody outside may use
  check_symbols.py --self-test  check that the faults of a made-up surface are found

The surface is what CHICANE_API marks in the headers that are installed. A symbol belongs to it when it is a marked
function, or a member of a marked class that its header declares; of a class inside another one, the header has the
body. Every marked function must be shown. Instantiations of the standard library with vague linkage are let through and
counted. A mark in a header that is not installed is a fault.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import rules
from api_headers import installed_headers

ROOT = Path(__file__).resolve().parents[1]
MARKED_CLASS = re.compile(r"\b(?:class|struct)\s+CHICANE_API\s+(\w+)")
MARKED_FUNCTION = re.compile(r"^\s*CHICANE_API\b[^;{(]*?\b(\w+)\s*\(", re.MULTILINE)
OF_A_CLASS = re.compile(r"^(?:typeinfo|typeinfo name|vtable) for ")


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


class Surface:
    """classes: text of the header by the name of a marked class; functions: names of marked functions."""

    def __init__(self, root):
        self.classes, self.functions, self.faults = {}, set(), []
        installed = {"core/api.hpp", *installed_headers(root)}
        for path in sorted((root / "src").rglob("*.hpp")):
            name, text = str(path.relative_to(root / "src")), without_comments(path.read_text(encoding="utf-8"))
            if name not in installed:
                if "CHICANE_API" in text:
                    self.faults.append(f"src/{name}: marks with CHICANE_API, but is not installed")
                continue
            self.classes.update((found, text) for found in MARKED_CLASS.findall(text))
            self.functions.update(MARKED_FUNCTION.findall(text))

    def has(self, symbol):
        """symbol: as nm demangles it, 'chicane::Session::open(chicane::ModelRequest const&)'."""
        kind = OF_A_CLASS.match(symbol)
        path = qualified_name(symbol[kind.end():] if kind else symbol)
        if path[0] != "chicane" or len(path) < 2:
            return False
        if len(path) == 2:
            return path[1] in (self.classes if kind else self.functions)
        text = self.classes.get(path[1])
        if text is None:
            return False
        inner = path[2:] if kind else path[2:-1]
        if not all(re.search(rf"\b(?:class|struct)\s+{name}\b[^;{{]*\{{", text) for name in inner):
            return False
        return bool(kind) or re.search(rf"{re.escape(path[-1])}\s*\(", text) is not None


def qualified_name(symbol):
    """['chicane', 'Session', 'open'] of a demangled symbol; arguments, also of templates, and ABI tags left out."""
    name = re.sub(r"\[abi:\w+\]", "", symbol)
    operator = re.search(r"operator(\(\)|[<>=]+)", name)
    if operator:  # its brackets are none of arguments
        name = name.replace(operator.group(), "operator_", 1)
    before = None
    while before != name:
        before, name = name, re.sub(r"<[^<>]*>", "", name)
    path = name.split("(")[0].split(" ")[-1].split("::")  # a template has its result before its name
    return [part.replace("operator_", operator.group()) if operator else part for part in path]


def judge(surface, symbols):
    """symbols: pairs of nm's letter and demangled name. Gives faults, and how many are ours and how many excepted."""
    faults, ours, standard, shown = [], 0, 0, set()
    for letter, symbol in symbols:
        if letter in "VWu" and qualified_name(symbol)[0] == "std":
            standard += 1
        elif surface.has(symbol):
            ours += 1
            shown.add(qualified_name(symbol)[1])
        else:
            faults.append(f"shows what is not public: {letter} {symbol}")
    faults += [f"does not show {name}(), which a header marks" for name in sorted(surface.functions - shown)]
    return faults, ours, standard


def symbols_of(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", "--demangle", str(library)], check=True, text=True,
                           capture_output=True).stdout.splitlines()
    return [tuple(line.split(" ", 2)[1:]) for line in lines]


def check_libraries(libraries):
    surface = Surface(ROOT)
    faults, first = list(surface.faults), None
    for library in libraries:
        symbols = symbols_of(library)
        found, ours, standard = judge(surface, symbols)
        faults += [f"{library}: {fault}" for fault in found]
        print(f"{library}: {ours} public symbols, {standard} instantiations of the standard library")
        strong = {symbol for letter, symbol in symbols if letter not in "VWu"}
        if first is not None and strong != first:
            faults += [f"{library}: {symbol} is only in one of the libraries" for symbol in sorted(strong ^ first)]
        first = strong if first is None else first
    return faults


def self_test():
    header = ("class CHICANE_API Door {\n public:\n  void open(int);  // hidden()\n  struct Key { bool fits() const; };\n"
              "  Door& operator=(Door&&);\n  auto operator<=>(const Door&) const;\n private:\n  class Inside;\n};\n"
              "CHICANE_API Door& front();\n"
              "struct CHICANE_API Lock { virtual ~Lock(); };\nvoid unmarked();\n"
              "template <class T>\nclass CHICANE_API Safe { void shut(std::map<int, Door>); };\n")
    files = {"src/a/door.hpp": header, "src/a/inside.hpp": "struct CHICANE_API Inside {};\n",
             "cmake/ChicaneInstall.cmake": "foreach(\n header IN\n ITEMS a/door.hpp)\n"}
    good = [("T", "chicane::Door::open(int)"), ("T", "chicane::Door::Key::fits() const"), ("T", "chicane::front()"),
            ("T", "chicane::Door::operator=(chicane::Door&&)"), ("V", "vtable for chicane::Lock"),
            ("T", "chicane::Lock::~Lock()"), ("V", "typeinfo name for chicane::Lock"),
            ("W", "chicane::Safe<double>::shut(std::map<int, chicane::Door>)"), ("V", "vtable for chicane::Safe<double>"),
            ("T", "chicane::Door::operator<=>(chicane::Door const&) const")]
    bad = [("T", "chicane::Door::Inside::turn()"), ("T", "chicane::unmarked()"), ("T", "chicane::multibody::solve()"),
           ("T", "chicane::Door::hidden()"), ("V", "typeinfo for chicane::Other"), ("T", "H5open"),
           ("T", "std::vector<int>::size()"), ("W", "fmt::v9::format()"), ("T", "chicane::Doorstep::open(int)"),
           ("V", "vtable for chicane::Chest<chicane::Door>"), ("T", "chicane::Door* std::to_address<int>(int*)"),
           ("W", "std::string chicane::Door::inside<std::string>(std::string)")]
    excepted = [("W", "std::vector<chicane::Door>::size() const"), ("u", "guard variable for std::x<int>::y"),
                ("W", "chicane::Door* std::to_address<chicane::Door>(chicane::Door*)")]
    with tempfile.TemporaryDirectory() as directory:
        rules.write_tree(directory, files)
        surface = Surface(Path(directory))
    faults = [f"takes for a fault: {symbol}" for symbol in good if judge(surface, [symbol])[1] != 1]
    faults += [f"lets through: {symbol}" for symbol in bad if judge(surface, [symbol])[1:] != (0, 0)]
    if judge(surface, good + excepted) != ([], len(good), len(excepted)):
        faults.append(f"counts wrongly: {judge(surface, good + excepted)}")
    if judge(surface, good[:2])[0] != ["does not show front(), which a header marks"]:
        faults.append("does not miss a marked function")
    if len(surface.faults) != 1:
        faults.append("does not see a mark in a header that is not installed")
    return faults


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    faults = self_test() if arguments == ["--self-test"] else check_libraries(arguments)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
