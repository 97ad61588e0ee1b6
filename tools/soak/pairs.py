# SPDX-License-Identifier: Apache-2.0
"""Law: two runs at the same time do not disturb each other. Into one directory, one of them is refused with exit code 1
while the other holds it, and what is there at the end is all of one run that ended with exit code 0; in directories of their
own both give the bits they give alone. A checkpoint that another run is just writing is resumed to the bits, or refused."""
import signal
import time

from results import goes_on, lines_of, manifest_of, whole

RUNS = [
    "two-scale --step 0.05ms --until 10s --every 50",
    "two-scale --step 0.05ms --until 10s --every 50 --set kf=0.9",
    "quarter-car-b --step 0.02ms --until 2s --every 20",
    "kpr --until 1s --every 5",
    "four-bar --until 5s --every 10",
    "slider-crank --until 0.1s --every 5",
    "pendulum --until 5s --every 10",
    "hmmwv --until 1s",
    "hmmwv --manoeuvre step-steer --until 2s",
]
CHECKPOINTS = {"two-scale": "0.01s", "quarter-car-b": "0.01s", "kpr": "10ms", "four-bar": "0.05s", "slider-crank": "1ms",
               "pendulum": "0.05s", "hmmwv": "0.1s"}


def started(case, first, second):
    """Both, one soon after the other; gives their outcomes."""
    programs = [case.start("run", *first)]
    time.sleep(case.random.choice([0, 0, 0.005, 0.02, 0.05, 0.1]))
    programs.append(case.start("run", *second))
    return [program.wait() for program in programs]


def two(case):
    return [case.random.choice(RUNS).split() for _ in range(2)]


def style(case):
    return case.random.choice([["--quiet"], ["--json"], ["--json", "--plot"], []])


def one_of_two(case, out, runs, outcomes):
    """The directory belongs to one run as a whole."""
    directory = case.dir / out
    manifest = manifest_of(directory)
    case.expect(any(o.code == 0 for o in outcomes), f"neither run got the directory: {[o.err for o in outcomes]}")
    for o in outcomes:
        case.expect(o.code in (0, 1), f"exit code {o.code}: {o.err}")
        case.expect(o.code == 0 or out in o.err, f"the refusal does not name the directory: {o.err}")
    if not case.expect(manifest and manifest.get("status") == "ok", "the manifest does not say ok"):
        return
    mine = [k for k in range(2) if outcomes[k].arguments == manifest["arguments"] and outcomes[k].code == 0]
    if not case.expect(mine, "the manifest is of a run that was refused"):
        return
    whole(case, directory, case.soak.reference(*runs[mine[-1]])[0])
    listed = set(manifest["files"]) | {"manifest.json"}
    there = {p.name for p in directory.iterdir() if p.name != ".lock"}
    case.expect(there == listed, f"files {sorted(there)}, the manifest lists {sorted(listed)}")


def one_directory(case):
    runs = two(case)
    extra = [[], []] if case.random.random() < 0.5 else [["--checkpoint-every", CHECKPOINTS[r[0]]] for r in runs]
    case.kind = "one directory" + (", checkpoints" if extra[0] else "")
    outcomes = started(case, *([*r, *e, "--out", "r", *style(case)] for r, e in zip(runs, extra)))
    one_of_two(case, "r", runs, outcomes)


def held_directory(case):
    """The first run is stopped on its way, however long the second one takes: that must find the directory taken."""
    case.kind = "one directory, held"
    first = "two-scale --realtime --step 1ms --until 0.6s".split()
    second = case.random.choice(RUNS).split()
    program = case.start("run", *first, "--out", "r", "--quiet")
    while not (case.dir / "r" / "results.csv").exists() and program.process.poll() is None:
        time.sleep(0.002)
    program.send(signal.SIGSTOP)
    other = case.run("run", *second, "--out", "r", *style(case))
    program.send(signal.SIGCONT)
    alone = program.wait()
    case.expect(other.code == 1, f"a directory in use is not refused: exit code {other.code}")
    case.expect(str(program.process.pid) in other.err, f"the refusal does not name the process: {other.err}")
    if case.expect(alone.code == 0, f"the first run fails: {alone.err}"):
        whole(case, case.dir / "r", case.soak.reference(*first)[0])


def siblings(case):
    runs = two(case)
    outs = case.random.choice([["new/a", "new/b"], ["a", "a/b"], ["x/y/a", "x/b"]])
    case.kind = "sibling directories"
    outcomes = started(case, *([*r, "--out", o, *style(case)] for r, o in zip(runs, outs)))
    for run, out, outcome in zip(runs, outs, outcomes):
        if case.expect(outcome.code == 0, f"{out}: exit code {outcome.code}: {outcome.err}"):
            whole(case, case.dir / out, case.soak.reference(*run)[0], out)


def numbered(case):
    """Without --out each finds a directory of its own."""
    runs = [case.random.choice(RUNS).split()] * 2
    case.kind = "numbered directories"
    outcomes = started(case, *([*r, "--json"] for r in runs))
    outs = [o.answer.get("out") if o.answer else None for o in outcomes]
    case.expect(None not in outs and outs[0] != outs[1], f"directories {outs}")
    for run, out, outcome in zip(runs, outs, outcomes):
        if case.expect(outcome.code == 0, f"{out}: exit code {outcome.code}: {outcome.err}") and out:
            whole(case, case.dir / out, case.soak.reference(*run)[0], out)


def resumed_twice(case):
    run = case.random.choice(RUNS).split()
    reference, _ = case.soak.reference(*run)
    half = float(lines_of(reference)[0][-1].split(",")[0]) / 2
    saved = case.run("run", *run, "--out", "saved", "--checkpoint", f"{half:.6f}s", "--quiet")
    if not case.expect(saved.code == 0, f"no checkpoint: {saved.err}"):
        return
    together = case.random.random() < 0.5
    case.kind = "resumed twice, " + ("one directory" if together else "two directories")
    outs = ["r", "r"] if together else ["r", "s"]
    if together and case.random.random() < 0.5:
        outs = ["saved", "saved"]  # where the checkpoint itself is
    outcomes = started(case, *([*run, "--resume", "saved/checkpoint.json", "--out", o, *style(case)] for o in outs))
    case.expect(any(o.code == 0 for o in outcomes), f"neither is resumed: {[o.err for o in outcomes]}")
    for out, outcome in zip(outs, outcomes):
        case.expect(outcome.code in ((0, 1) if together else (0,)), f"{out}: exit code {outcome.code}: {outcome.err}")
    for out in set(outs):
        case.expect((manifest_of(case.dir / out) or {}).get("status") == "ok", f"{out}: the manifest does not say ok")
        goes_on(case, case.dir / out, reference, out)


def resumed_while_written(case):
    """From a checkpoint that is replaced all the time."""
    case.kind = "resumed while written"
    run = case.random.choice(RUNS).split()
    reference, _ = case.soak.reference(*run)
    writer = case.start("run", *run, "--out", "w", "--checkpoint-every", CHECKPOINTS[run[0]], "--quiet")
    while not (case.dir / "w" / "checkpoint.json").exists() and writer.process.poll() is None:
        time.sleep(0.002)
    time.sleep(case.random.uniform(0, 0.1))
    reader = case.run("run", *run, "--resume", "w/checkpoint.json", "--out", "r", *style(case))
    case.expect(writer.wait().code == 0, "the writing run fails")
    whole(case, case.dir / "w", reference, "w")
    case.expect(reader.code == 0 or (reader.code == 1 and "no whole step" in reader.err),
                f"exit code {reader.code}: {reader.err}")
    if reader.code == 0:
        goes_on(case, case.dir / "r", reference)


KINDS = [one_directory, one_directory, held_directory, siblings, numbered, resumed_twice, resumed_while_written]


def case(case):
    KINDS[case.number % len(KINDS)](case)
