#!/usr/bin/env python3
"""Checks who includes whom in src/ and apps/, and a few other rules of the house.

  check_includes.py [ROOT]      exit 1 and print file:line: message for every fault
  check_includes.py --self-test  check that the faults of a made-up tree are found
"""
import re
import sys
import tempfile
from pathlib import Path

# Folder (the longest match counts) -> folders of src/ it may include besides itself.
ALLOWED = {
    "core": [],
    "math": ["core"],
    "spatial": ["core", "math"],
    "multibody": ["core", "math", "spatial"],
    "integrators": ["core", "math"],
    "vehicle": ["core", "math", "spatial"],
    "vehicle/suspension": ["core", "math", "spatial", "multibody", "vehicle"],
    "system": ["core", "math", "spatial", "multibody", "vehicle", "integrators"],
    "analysis": ["core", "math", "integrators", "system"],
    "io": ["core", "math", "system"],
    "session": ["core", "math", "integrators", "system", "analysis", "io"],
    "realtime": ["core"],
    "interop": ["core", "math", "system", "io", "session", "realtime"],
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


def check_include(folder, quoted, name, src):
    """The fault of one include line in a file of `folder` (such as "vehicle/tire"), or None."""
    for pattern, places in BORDERS:
        if re.match(pattern, name) and not within(folder, places):
            return f"{name} may only be included in {', '.join(places)}"
    if not quoted or within(folder, ["apps"]) or folder == ".":  # apps, chicane.hpp: all of src
        return None
    if not (src / name).is_file() and name.split("/")[0] not in ALLOWED:
        return f'"{name}" is not a path below src/'
    rule = max((f for f in ALLOWED if within(folder, [f])), key=len, default=None)
    if rule is None:
        return f"folder {folder} has no rule in tools/check_includes.py"
    if not within(name, [rule, rule.split("/")[0], *ALLOWED[rule]]):
        return f'{rule} must not include "{name}"'
    return None


def check_file(path, folder, src):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".hpp" and not re.search(r"^#pragma once$", text, re.MULTILINE):
        yield 1, "header without #pragma once"
    for number, line in enumerate(text.splitlines(), 1):
        include = INCLUDE.match(line)
        if include:
            fault = check_include(folder, include[1] == '"', include[2], src)
            if fault:
                yield number, fault
        code = line.split("//")[0]
        if not within(folder, ["apps"]) and PRINTS.search(code):
            yield number, "the library does not print"
        if path.suffix == ".hpp" and re.match(r"\s*using\s+namespace\b", code):
            yield number, "using namespace in a header"


def check_tree(root):
    faults = []
    for top, prefix in (("src", ""), ("apps", "apps/")):
        for path in sorted((root / top).rglob("*.[ch]pp")):
            folder = prefix + path.parent.relative_to(root / top).as_posix()
            for number, message in check_file(path, folder, root / "src"):
                faults.append(f"{path.relative_to(root)}:{number}: {message}")
    return faults


def self_test():
    good = {
        "src/core/a.hpp": "#pragma once\n#include <span>\n",
        "src/math/a.hpp": '#pragma once\n#include <Eigen/Core>\n#include "core/a.hpp"\n',
        "src/vehicle/suspension/a.cpp": '#include "multibody/a.hpp"\n#include "vehicle/a.hpp"\n',
        "src/io/a.cpp": "#include <hdf5.h>\n// std::cout\nstd::snprintf(b, n, f);\n",
        "src/chicane.hpp": '#pragma once\n#include "io/a.hpp"\n',
        "apps/cli/a.cpp": '#include <CLI/CLI.hpp>\n#include <iostream>\n#include "io/a.hpp"\n',
    }
    bad = {
        "src/core/b.cpp:2": '\n#include "math/a.hpp"\n',
        "src/core/c.hpp:1": "int x;\n",
        "src/core/d.cpp:1": '#include "a.hpp"\n',
        "src/integrators/b.cpp:1": '#include "multibody/a.hpp"\n',
        "src/vehicle/tire/b.cpp:1": '#include "multibody/a.hpp"\n',
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
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        for name, text in {**good, **bad}.items():
            path = root / name.split(":")[0]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        found = {":".join(fault.split(":")[:2]) for fault in check_tree(root)}
    wrong = [f"not found: {place}" for place in sorted(bad.keys() - found)]
    return wrong + [f"found, but is right: {place}" for place in sorted(found - bad.keys())]


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        faults = self_test()
    else:
        faults = check_tree(Path(arguments[0]) if arguments else Path(__file__).parents[1])
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
