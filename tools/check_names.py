#!/usr/bin/env python3
"""Checks names: no type twice in a namespace, and the walks of docs/dev/architecture.md exist.

  check_names.py [ROOT]      exit 1 and print every fault
  check_names.py --self-test  check that the faults of a made-up tree are found

A walk is a table under the heading "## Walks" whose rows begin with a file of src/ and a function
in it: | `src/core/ring.hpp` | `Ring::push` | ... |
"""
import re
import sys
import tempfile
from pathlib import Path

import rules

NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'',
                   re.S)
TOKEN = re.compile(
    r"namespace\s+(?P<space>[\w:]+)\s*\{|namespace\s*(?P<unnamed>\{)"
    r"|(?:struct|class|union|enum\s+class|enum)\s+(?:\[\[[^\]]*\]\]\s*)?(?P<type>\w+)\s*"
    r"(?:final\s*)?(?::(?!:)[^;{]*)?(?P<body>\{)"
    r"|using\s+(?P<alias>\w+)\s*=|(?P<open>\{)|(?P<close>\})", re.S)
ROW = re.compile(r"^\|[^|`]*`(src/[^`]+)`[^|`]*\|[^|`]*`([^`]+)`")


def types_of(text):
    """(namespace, name) of every type a header defines in a namespace, not within another type."""
    stack = []  # names of namespaces; None: any other brace
    for m in TOKEN.finditer(NOISE.sub(" ", text)):
        outside = None not in stack
        if m["close"]:
            if stack:
                stack.pop()
        elif m["space"]:
            stack.append(m["space"])
        elif m["unnamed"]:
            stack.append("")
        else:
            name = m["type"] or m["alias"]
            if name and outside:
                yield "::".join(stack), name
            if m["body"] or m["open"]:
                stack.append(None)


def check_types(root):
    seen = {}
    for path in sorted((root / "src").rglob("*.hpp")):
        name = path.relative_to(root).as_posix()
        for key in sorted(set(types_of(path.read_text(encoding="utf-8")))):
            if key in seen:
                yield f"{name}: {'::'.join(key)} is also a type of {seen[key]}"
            seen.setdefault(key, name)


def check_walks(root):
    page = root / "docs/dev/architecture.md"
    text = page.read_text(encoding="utf-8")
    start = re.search(r"^## Walks$", text, re.M)
    section = text[start.end():] if start else ""
    section = re.split(r"^## ", section, flags=re.M)[0]
    rows = [m for m in map(ROW.match, section.splitlines()) if m]
    if not rows:
        yield "docs/dev/architecture.md: there are no walks under '## Walks'"
    for file, function in (m.groups() for m in rows):
        path = root / file
        if not path.is_file():
            yield f"docs/dev/architecture.md: a walk goes through {file}, which is not there"
            continue
        code = NOISE.sub(" ", path.read_text(encoding="utf-8"))
        *owner, name = function.split("::")
        # a definition: something before it on its line, no member access, a body or a list after it
        defined = re.search(rf"^[^\n=.]*[\w>&*:~]\s*\b{re.escape(name)}\s*\([^;]*?\)[^;]*?\{{", code,
                            re.M)
        if not defined or any(not re.search(rf"\b{re.escape(o)}\b", code) for o in owner):
            yield f"docs/dev/architecture.md: {file} has no {function}"


def check(root):
    return [*check_types(root), *check_walks(root)]


def self_test():
    files = {
        "src/a.hpp": "namespace x {\nstruct A { struct B {}; };\nenum class C { one };\n"
                     "template <class T> class D : public A { int f() { return 1; } };\n}\n"
                     "namespace x::y {\nstruct A {};\n}\n",
        "src/b.hpp": "namespace x {\nstruct A;\nstruct B {};\nusing C = int;  // struct D {}\n"
                     "namespace { struct D {}; }\nvoid g() { struct D {}; }\n}\n",
        "src/c.cpp": "int f(int a) {\n  return g(a);\n}\nint K::h() const { return 0; }\n",
        "docs/dev/architecture.md":
            "## Walks\n| `src/c.cpp` | `f` | good |\n| 1 | `src/c.cpp` | not a row |\n"
            "| `src/c.cpp` | `K::h` | good |\n| `src/c.cpp` | `g` | called only |\n"
            "| `src/c.cpp` | `L::h` | no such class |\n| `src/d.cpp` | `f` | no file |\n"
            "## Next\n| `src/e.cpp` | `f` | no walk |\n",
    }
    expected = [
        "src/b.hpp: x::C is also a type of src/a.hpp",
        "docs/dev/architecture.md: src/c.cpp has no g",
        "docs/dev/architecture.md: src/c.cpp has no L::h",
        "docs/dev/architecture.md: a walk goes through src/d.cpp, which is not there",
    ]
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        rules.write_tree(root, files)
        found = check(root)
        (root / "docs/dev/architecture.md").write_text("# no walks\n", encoding="utf-8")
        without = check(root)
    wrong = [f"not found: {fault}" for fault in expected if fault not in found]
    wrong += [f"found, but is right: {fault}" for fault in found if fault not in expected]
    if not any("no walks" in fault for fault in without):
        wrong.append("a page without walks passes")
    return wrong


if __name__ == "__main__":
    sys.exit(rules.run(check, self_test))
