#!/usr/bin/env python3
"""Checks who includes whom in src/ and apps/, and a few other rules of the house.

  check_includes.py [ROOT]      exit 1 and print file:line: message for every fault
  check_includes.py --self-test  check that the faults of a made-up tree are found

Every folder of src/ is a room, and so is every folder within one. A room includes what its rule
allows and nothing that leads back to it. Files that stand directly in a folder with rooms of its
own are the folder's front: they may include all its rooms.
"""
import re
import sys
import tempfile
from pathlib import Path

import rules

_PARTS = ["core", "math", "spatial", "vehicle", "language", "blocks"]
# Room (the longest match counts) -> what it may include besides itself: rooms, or with "/*" the
# files that stand directly in a folder.
ALLOWED = {
    "core": [],
    "math": ["core"],
    "spatial": ["core", "math"],
    "multibody": ["core", "math", "spatial"],
    "multibody/topology": ["core"],
    "multibody/joints": ["math", "spatial", "multibody/*"],
    "multibody/tree": ["math", "spatial", "multibody/*"],
    "multibody/closure": ["core", "math", "spatial", "multibody/*", "multibody/joints",
                          "multibody/tree"],
    "multibody/dynamics": ["core", "math", "spatial", "multibody/*", "multibody/joints",
                           "multibody/tree", "multibody/closure"],
    "multibody/forces": ["core", "math", "spatial", "multibody/*", "multibody/dynamics"],
    "integrators": ["core", "math"],
    "integrators/tableaus": ["core", "math", "integrators/*"],
    "integrators/single_rate": ["core", "math", "integrators/*", "integrators/tableaus"],
    "integrators/multirate": ["core", "math", "integrators/*", "integrators/tableaus"],
    "integrators/reference": ["core", "math", "integrators/*"],
    "vehicle": ["core", "math", "spatial"],
    "language": ["core", "math", "integrators"],
    "language/expression": ["core", "math"],
    "language/sections": ["core", "math", "language/*", "language/expression"],
    "language/compile": ["core", "math", "integrators", "language/*", "language/expression"],
    "simulation": ["core", "math", "integrators", "language"],
    "blocks": ["core", "math", "spatial", "vehicle", "language"],
    "blocks/mechanism": ["core", "math", "spatial", "multibody", "language", "simulation",
                         "blocks/*"],
    "assembly": [*_PARTS, "multibody", "simulation"],
    "assembly/parts": [*_PARTS, "multibody"],
    "assembly/suspension": [*_PARTS, "multibody", "assembly/parts"],
    "assembly/start": [*_PARTS, "simulation", "assembly/parts"],
    "analysis": ["core", "math", "integrators", "language", "simulation", "blocks", "assembly"],
    "analysis/design": ["core", "math", "integrators", "analysis/*"],
    "analysis/guards": ["core", "math", "integrators", "language", "simulation", "analysis/*"],
    "analysis/rig": ["core", "math", "spatial", "multibody", "language", "blocks", "assembly",
                     "analysis/*"],
    "io": ["core", "math", "language", "simulation", "blocks", "assembly"],
    "io/reader": ["core", "math", "language", "simulation", "blocks", "assembly", "io/*"],
    "io/writer": ["core", "math", "language", "simulation", "assembly", "io/*"],
    "io/sinks": ["core", "math", "io/*"],
    "io/plot": ["core", "math", "io/*", "io/sinks"],
    "session": ["core", "math", "integrators", "language", "simulation", "assembly", "analysis",
                "io"],
    "realtime": ["core"],
}
# Third-party headers -> where they may be seen. Elsewhere their types do not exist.
BORDERS = [
    (r"yaml-cpp/", ["io"]),
    (r"nlohmann/", ["io", "apps"]),
    (r"(hdf5|H5\w*)\.h$", ["io"]),
    (r"(sundials|arkode|cvodes?|kinsol|idas?|nvector|sunmatrix|sunlinsol|sunnonlinsol)/",
     ["integrators"]),
    (r"(unsupported/)?Eigen/", ["math", "analysis"]),
    (r"nlopt\.h", ["analysis"]),
    (r"CLI/", ["apps"]),
    (r"iostream$", ["apps"]),
    (r"unordered_(map|set)$", ["realtime", "apps"]),  # their order is not repeatable
]
PRINTS = re.compile(r"\bstd::(cout|cerr|clog)\b|\b(printf|fprintf|puts)\s*\(|\bfmt::print\b")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def within(path, folders):
    return any(path == f or path.startswith(f + "/") for f in folders)


def room_of(folder, rooms):
    """The innermost room that a folder (such as "vehicle/tire") belongs to, or None."""
    return max((r for r in rooms if within(folder, [r])), key=len, default=None)


def allows(rule, room, name):
    """Whether a file of the room may include the file of that name."""
    if within(name, [room]):
        return True
    direct = name.rpartition("/")[0] + "/*"
    return within(name, rule) or direct in rule


def check_include(folder, quoted, name, src, rules):
    """The fault of one include line in a file of `folder`, or None."""
    for pattern, places in BORDERS:
        if re.match(pattern, name) and not within(folder, places):
            return f"{name} may only be included in {', '.join(places)}"
    if not quoted or within(folder, ["apps"]) or folder == ".":  # apps, chicane.hpp: all of src
        return None
    if not (src / name).is_file() and name.split("/")[0] not in rules:
        return f'"{name}" is not a path below src/'
    room = room_of(folder, rules)
    if room is None:
        return f"folder {folder} has no rule in tools/check_includes.py"
    if not allows(rules[room], room, name):
        return f'{room} must not include "{name}"'
    return None


def check_rules(src, rules):
    """Rules for what is not there: a room that is gone, or never was, allows anything in its name."""
    for room, allowed in rules.items():
        for place in [room, *allowed]:
            if not (src / place.removesuffix("/*")).is_dir():
                yield f'the rule of "{room}" names "{place}", which is no folder of src/'


def includes_between(src):
    """Rooms side by side in one folder -> the include lines from one to the other."""
    lines = {}
    for path in sorted(src.rglob("*.[ch]pp")):
        name = path.relative_to(src).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            include = INCLUDE.match(line)
            if not include or include[1] != '"':
                continue
            ours, theirs = name.split("/"), include[2].split("/")
            depth = 0
            while depth < min(len(ours), len(theirs)) and ours[depth] == theirs[depth]:
                depth += 1
            if depth < len(ours) - 1 and depth < len(theirs) - 1:  # a folder both, not a file
                pair = ("/".join(ours[:depth + 1]), "/".join(theirs[:depth + 1]))
                lines.setdefault(pair, []).append(f"src/{name}:{number}")
    return lines


def check_cycles(src):
    """One message for every pair of rooms of which each leads to the other."""
    lines = includes_between(src)
    reaches = {}
    for a, b in lines:
        reaches.setdefault(a, set()).add(b)
    grows = True
    while grows:
        grows = False
        for room, those in reaches.items():
            more = set().union(*(reaches.get(r, set()) for r in those)) - those
            grows = grows or bool(more)
            those |= more
    for (a, b), where in sorted(lines.items()):
        if a in reaches.get(b, set()):
            for place in where:
                yield f"{place}: {a} includes {b}, which leads back to {a}"


def check_file(path, folder, src, rules):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".hpp" and not re.search(r"^#pragma once$", text, re.MULTILINE):
        yield 1, "header without #pragma once"
    for number, line in enumerate(text.splitlines(), 1):
        include = INCLUDE.match(line)
        if include:
            fault = check_include(folder, include[1] == '"', include[2], src, rules)
            if fault:
                yield number, fault
        code = line.split("//")[0]
        if not within(folder, ["apps"]) and PRINTS.search(code):
            yield number, "the library does not print"
        if path.suffix == ".hpp" and re.match(r"\s*using\s+namespace\b", code):
            yield number, "using namespace in a header"


def check_tree(root, rules):
    faults = [f"tools/check_includes.py: {fault}" for fault in check_rules(root / "src", rules)]
    for top, prefix in (("src", ""), ("apps", "apps/")):
        for path in sorted((root / top).rglob("*.[ch]pp")):
            folder = prefix + path.parent.relative_to(root / top).as_posix()
            for number, message in check_file(path, folder, root / "src", rules):
                faults.append(f"{path.relative_to(root)}:{number}: {message}")
    return faults + list(check_cycles(root / "src"))


def self_test():
    rules = {
        "core": [],
        "math": ["core"],
        "multibody": ["core", "math"],
        "multibody/closure": ["multibody/*", "multibody/dynamics"],
        "multibody/dynamics": ["multibody/*", "multibody/closure"],
        "multibody/tree": ["multibody/*"],
        "io": ["core", "math"],
        "analysis": ["core", "math", "session"],
        "session": ["core", "math", "io", "analysis"],
        "system": ["core", "gone", "math/*"],
    }
    good = {
        "src/core/a.hpp": "#pragma once\n#include <span>\n",
        "src/math/a.hpp": '#pragma once\n#include <Eigen/Core>\n#include "core/a.hpp"\n',
        "src/multibody/a.hpp": '#pragma once\n#include "multibody/tree/a.hpp"\n',
        "src/multibody/tree/a.hpp": "#pragma once\n",
        "src/multibody/tree/deep/a.cpp": '#include "multibody/a.hpp"\n#include "multibody/tree/a.hpp"\n',
        "src/multibody/dynamics/a.hpp": '#pragma once\n#include "multibody/a.hpp"\n',
        "src/multibody/closure/a.hpp": "#pragma once\n",
        "src/system/a.cpp": '#include "math/a.hpp"\n',
        "src/io/a.cpp": "#include <hdf5.h>\n// std::cout\nstd::snprintf(b, n, f);\n",
        "src/session/a.hpp": "#pragma once\n",
        "src/analysis/a.hpp": "#pragma once\n",
        "src/chicane.hpp": '#pragma once\n#include "io/a.hpp"\n',
        "apps/cli/a.cpp": '#include <CLI/CLI.hpp>\n#include <iostream>\n#include "io/a.hpp"\n',
    }
    bad = {
        "src/core/b.cpp:2": '\n#include "io/a.hpp"\n',
        "src/core/c.hpp:1": "int x;\n",
        "src/core/d.cpp:1": '#include "a.hpp"\n',
        "src/multibody/b.cpp:1": '#include "io/a.hpp"\n',
        "src/multibody/tree/b.cpp:1": '#include "multibody/dynamics/a.hpp"\n',  # a room beside it
        "src/multibody/tree/c.cpp:1": '#include "math/a.hpp"\n',  # allowed to the folder only
        # each allowed, together a circle
        "src/multibody/closure/b.cpp:1": '#include "multibody/dynamics/a.hpp"\n',
        "src/multibody/dynamics/b.cpp:1": '#include "multibody/closure/a.hpp"\n',
        "src/session/b.cpp:1": '#include "analysis/a.hpp"\n',
        "src/analysis/c.cpp:1": '#include "session/a.hpp"\n',
        "src/system/b.cpp:1": "#include <yaml-cpp/yaml.h>\n",
        "src/system/c.cpp:1": '#include "io/a.hpp"\n',
        "src/system/d.cpp:1": 'std::printf("x");\n',
        "src/analysis/b.cpp:1": "#include <arkode/arkode.h>\n",
        "src/io/b.cpp:1": "#include <Eigen/Dense>\n",
        "src/io/c.cpp:1": "#include <nlopt.hpp>\n",
        "src/math/b.hpp:2": "#pragma once\nusing namespace std;\n",
        "src/math/c.cpp:1": "#include <iostream>\n",
        "src/unknown/b.cpp:1": '#include "core/a.hpp"\n',
        "apps/cli/b.cpp:1": "#include <hdf5.h>\n",
    }
    missing = 'tools/check_includes.py: the rule of "system" names "gone"'  # a folder that is not
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        for name, text in {**good, **bad}.items():
            path = root / name.split(":")[0]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        faults = check_tree(root, rules)
    of_rules = [fault for fault in faults if fault.startswith("tools/")]
    found = {":".join(fault.split(":")[:2]) for fault in faults if fault not in of_rules}
    wrong = [f"not found: {place}" for place in sorted(bad.keys() - found)]
    if len(of_rules) != 1 or not of_rules[0].startswith(missing):
        wrong.append(f"faults of the rules: {of_rules}")
    return wrong + [f"found, but is right: {place}" for place in sorted(found - bad.keys())]


if __name__ == "__main__":
    sys.exit(rules.run(lambda root: check_tree(root, ALLOWED), self_test))
