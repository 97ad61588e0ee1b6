# SPDX-License-Identifier: Apache-2.0
"""What all soak tests share: a case with a random generator and a directory of its own, and commands in it.

Whatever a case is about, every command is held to this: it ends by itself, within its time and not by a signal that
nobody sent; its exit code is one that is documented; and with --json it answers on stdout with one JSON object.
"""
import functools
import json
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTED = {0, 1, 2, 3, 129, 130, 143}
PATIENCE = 60  # [s] for a command; those that may take longer are stopped by their case


@dataclass
class Outcome:
    """What became of a command."""
    arguments: list
    code: int
    out: str
    err: str
    hung: bool = False

    @functools.cached_property
    def answer(self):
        """The JSON object on stdout, or None."""
        try:
            found = json.loads(self.out)
        except ValueError:
            return None
        return found if isinstance(found, dict) else None


class Program:
    """A command under way. `closed`: numbers of standard streams that it finds closed."""

    def __init__(self, case, arguments, stdout=None, closed=(), limits=None, cwd=None):
        def before_exec():
            for number in (signal.SIGINT, signal.SIGHUP):  # nohup and `&` have them ignored, and so would the program
                signal.signal(number, signal.SIG_DFL)
            for number in closed:
                os.close(number)
            for what, most in (limits or {}).items():
                resource.setrlimit(what, (most, most))

        self.case, self.arguments, self.closed, self.stdout = case, [str(a) for a in arguments], closed, stdout
        case.commands.append(self.arguments)
        self.files = [open(case.dir / f".{name}-{len(case.commands)}", "w+b") for name in ("out", "err")]
        self.process = subprocess.Popen([case.binary, *self.arguments], cwd=cwd or case.dir, stdin=subprocess.DEVNULL,
                                        stdout=stdout or self.files[0], stderr=self.files[1],
                                        preexec_fn=before_exec)

    def send(self, sent):
        self.process.send_signal(sent)

    def wait(self, sent=(), patience=PATIENCE):
        """Its outcome; `sent` are the signals that it may end by."""
        hung = False
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            hung = True
            self.process.kill()
            self.process.wait()
        texts = []
        for file in self.files:
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
            file.close()
        outcome = Outcome(self.arguments, self.process.returncode, *texts, hung)
        self.judge(outcome, sent)
        return outcome

    def judge(self, outcome, sent):
        if outcome.hung:
            self.case.violation(f"hangs: {shlex.join(self.arguments)}")
        elif outcome.code < 0 and -outcome.code not in sent:
            self.case.violation(f"ends by {signal.Signals(-outcome.code).name}: {shlex.join(self.arguments)}")
        elif outcome.code >= 0 and outcome.code not in DOCUMENTED:
            self.case.violation(f"exit code {outcome.code}: {shlex.join(self.arguments)}")
        elif "--json" in self.arguments and outcome.code >= 0 and not self.stdout and 1 not in self.closed:
            if outcome.answer is None:
                self.case.violation(f"no JSON object on stdout: {shlex.join(self.arguments)}")


class Case:
    """One case of a test, which its number and the seed make all by themselves."""

    def __init__(self, soak, name, number):
        self.soak, self.name, self.number, self.kind = soak, name, number, ""
        self.binary = soak.binary
        self.random = random.Random(f"{soak.seed}/{name}/{number}")
        self.dir = soak.work / f"{name}-{number}"
        self.commands, self.violations = [], []
        shutil.rmtree(self.dir, ignore_errors=True)
        self.dir.mkdir(parents=True)

    def start(self, *arguments, **how):
        return Program(self, arguments, **how)

    def run(self, *arguments, patience=PATIENCE, sent=(), **how):
        return Program(self, arguments, **how).wait(sent, patience)

    def violation(self, words):
        self.violations.append(words)

    def expect(self, holds, words):
        if not holds:
            self.violation(words)
        return holds


class Soak:
    """The binary, the seed, and the undisturbed runs that disturbed ones are held against."""

    def __init__(self, binary, seed, work):
        self.binary, self.seed, self.work = str(Path(binary).resolve()), seed, Path(work).resolve()
        self.references = {}

    def reference(self, *arguments):
        """Directory and wall time [s] of an undisturbed run."""
        key = tuple(str(a) for a in arguments)
        if key not in self.references:
            out = self.work / "references" / str(len(self.references))
            shutil.rmtree(out, ignore_errors=True)
            begin = time.monotonic()
            done = subprocess.run([self.binary, "run", *key, "--quiet", "--out", out], capture_output=True, text=True)
            if done.returncode != 0:
                raise RuntimeError(f"the undisturbed run fails: run {shlex.join(key)}: {done.stderr}")
            self.references[key] = out, time.monotonic() - begin
        return self.references[key]


def carry_out(soak, name, test, numbers):
    """Runs the cases of one test; prints a line for each kind and each violation. Gives the number of violations."""
    counts, bad = {}, {}  # by kind
    for number in numbers:
        case = Case(soak, name, number)
        test.case(case)
        counts[case.kind] = counts.get(case.kind, 0) + 1
        bad[case.kind] = bad.get(case.kind, 0) + len(case.violations)
        for words in case.violations:
            report(case, words)
        if not case.violations:
            shutil.rmtree(case.dir, ignore_errors=True)
    for kind in sorted(counts):
        print(f"{name:12} {kind:44} {counts[kind]:5} cases {bad[kind]:5} violations", flush=True)
    return sum(bad.values())


def report(case, words):
    print(f"VIOLATION {case.name} {case.number} ({case.kind}): {words}")
    print(f"  repeat: tools/soak/run.py --only {case.name} --case {case.number} --seed {case.soak.seed} {case.binary}")
    print(f"  in {case.dir}:")
    for command in case.commands:
        print(f"    chicane {shlex.join(command)}")
