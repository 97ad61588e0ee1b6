# SPDX-License-Identifier: Apache-2.0
"""What the checkers of the sources have in common: their command line, and made-up trees to try them on."""
import sys
from pathlib import Path


def run(check, self_test):
    """check(root) and self_test() give lists of faults; prints them and gives the exit code."""
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        faults = self_test()
    else:
        faults = check(Path(arguments[0]) if arguments else Path(__file__).resolve().parents[1])
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def write_tree(root, files):
    """files: text by path below the root."""
    for name, text in files.items():
        path = Path(root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
