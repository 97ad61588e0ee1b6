#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Soak tests: many random disturbances of a program, each held to a law.

  run.py [--only NAME] [--full | --count N] [--seed S] [--case N] [--work DIR] BINARY

Prints a line of counts for each kind of case, and every violation with the command that repeats it; exit code 1 if
there is one. A case depends on seed and number alone, apart from what the clock decides. Directories of cases with
violations are kept.
"""
import argparse
import random
import shutil
import sys
import tempfile

import bench
import checkpoints
import disks
import judgement
import kills
import loops
import pairs
import starts
import steps

# name: (test, cases, cases with --full)
TESTS = {
    "pairs": (pairs, 15, 100),
    "kills": (kills, 15, 200),
    "checkpoints": (checkpoints, 60, 500),
    "disks": (disks, 90, 300),
    "judgement": (judgement, 60, 700),
    "starts": (starts, 30, 100),
    "loops": (loops, 12, 200),
    "steps": (steps, 6, 300),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", metavar="BINARY")
    parser.add_argument("--only", choices=TESTS, action="append", help="this test; may be repeated")
    parser.add_argument("--full", action="store_true", help="as many cases as before a release")
    parser.add_argument("--count", type=int, help="so many cases of each test")
    parser.add_argument("--case", type=int, help="this one alone")
    parser.add_argument("--seed", type=int, default=random.randrange(10**9))
    parser.add_argument("--work", help="directory for the cases")
    options = parser.parse_args()

    work = options.work or tempfile.mkdtemp(prefix="chicane-soak-")
    print(f"seed {options.seed}, in {work}", flush=True)
    bad = 0
    soak = bench.Soak(options.binary, options.seed, work)
    for name in options.only or TESTS:
        test, short, full = TESTS[name]
        count = options.count or (full if options.full else short)
        numbers = [options.case] if options.case is not None else range(count)
        bad += bench.carry_out(soak, name, test, numbers)
    print(f"{bad} violations" if bad else "no violations")
    if not bad and not options.work:
        shutil.rmtree(work, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
