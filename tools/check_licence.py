#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every C++ source says its licence in its first line.

  check_licence.py [ROOT]      exit 1 and print file:line: message for every fault
  check_licence.py --self-test  check that the faults of a made-up tree are found
"""
import sys
import tempfile
from pathlib import Path

import rules

LICENCE = "// SPDX-License-Identifier: Apache-2.0"
FOLDERS = ("src", "apps", "tests", "benchmarks", "examples")


def check_tree(root):
    faults = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            with path.open(encoding="utf-8") as file:
                if file.readline().rstrip("\n") != LICENCE:
                    faults.append(f"{path.relative_to(root)}:1: the first line is not '{LICENCE}'")
    return faults


def self_test():
    files = {"src/a/good.cpp": f"{LICENCE}\nint x;\n", "src/a/bad.hpp": "#pragma once\n",
             "tests/late.cpp": f"\n{LICENCE}\n", "tools/other.cpp": "int x;\n"}
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        rules.write_tree(root, files)
        found = {fault.split(":")[0] for fault in check_tree(root)}
    wanted = {"src/a/bad.hpp", "tests/late.cpp"}
    return [f"found {sorted(found)}, not {sorted(wanted)}"] if found != wanted else []


if __name__ == "__main__":
    sys.exit(rules.run(check_tree, self_test))
