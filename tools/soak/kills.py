# SPDX-License-Identifier: Apache-2.0
"""Law: a run may be ended at any instant by SIGKILL, SIGTERM, SIGINT or SIGHUP. What is then on the disk is the beginning
of the undisturbed run, in whole lines of CSV and in an HDF5 file that can be read; the manifest says what it is worth; the
checkpoint, if there is one, is resumed to the bits of the undisturbed run, however often that is interrupted again."""
import json
import signal
import time

from bench import ROOT
from results import goes_on, lines_of, manifest_of, part, whole

RUNS = {
    "equations": [
        "two-scale --step 0.01ms --until 10s --every 100 --checkpoint-every 0.3s",
        "quarter-car-c --step 0.01ms --until 2s --every 20 --scheme multiframe --ratio 4 --method rk4 --checkpoint-every 0.1s",
        "kpr --until 2s --scheme pece-multirate --step 0.1ms --every 3 --checkpoint-every 0.1s",
        "planar-vehicle --until 10s --every 5 --checkpoint-every 1s",
        f"{ROOT}/examples/02-sampled-controller.yaml --until 4s --step 0.01ms --every 50 --checkpoint-every 0.2s",
    ],
    "mechanism": [
        "four-bar --until 30s --every 7 --checkpoint-every 1s",
        "slider-crank --until 0.1s --step 0.003ms --every 5 --checkpoint-every 0.01s",
        "n-four-bar --until 1s --every 10 --checkpoint-every 0.1s",
        "double-wishbone --until 5s --every 3 --checkpoint-every 0.4s --step 0.25ms",
    ],
    "hmmwv": [
        "hmmwv --until 8s --every 10 --checkpoint-every 0.5s",
        "hmmwv --manoeuvre double-lane-change --until 6s --checkpoint-every 0.5s",
        "hmmwv --manoeuvre braking --scheme multiframe --until 5s --checkpoint-every 0.5s",
    ],
}
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]


def interrupted(case, arguments, duration, out):
    """A run that gets a signal, and perhaps a second one. Gives whether it came to its end, whether it was killed, and its
    manifest."""
    sent = [case.random.choices(SIGNALS, [4, 3, 3, 1])[0]]
    program = case.start("run", *arguments, "--out", out, *case.random.choice([["--quiet"], ["--json"], []]))
    time.sleep(case.random.uniform(0, 1.05) * duration)
    program.send(sent[0])
    if case.random.random() < 0.15:
        time.sleep(case.random.uniform(0, 0.02))
        sent.append(case.random.choice(SIGNALS))
        program.send(sent[1])
    outcome = program.wait(sent)
    how = "ended at once" if outcome.code < 0 else "interrupted" if outcome.code else "was at its end"
    case.kind = case.kind or f"{sent[0].name}, {how}"
    directory = case.dir / out
    manifest = manifest_of(directory)
    if not case.expect(manifest is not None, f"{out}: manifest.json is damaged"):
        return None
    status = manifest.get("status")
    killed = outcome.code < 0
    wanted = {0: {"ok"}, 129: {"interrupted"}, 130: {"interrupted"}, 143: {"interrupted"}}
    allowed = {None, "running", "ok", "interrupted"} if killed else wanted.get(outcome.code, set())
    case.expect(status in allowed, f"{out}: exit code {outcome.code} and status {status}")
    if outcome.code > 0:
        case.expect(outcome.code - 128 in sent, f"{out}: exit code {outcome.code} without its signal")
        case.expect((directory / "checkpoint.json").exists(), f"{out}: interrupted, and no checkpoint")
    return status == "ok", killed, manifest


def case(case):
    model = case.random.choice(list(RUNS))
    arguments = case.random.choice(RUNS[model]).split()
    reference, duration = case.soak.reference(*arguments)
    checkpoint, out, left = None, "r", case.random.choice([1, 1, 2, 3])
    while left > 0:
        resume = ["--resume", checkpoint] if checkpoint else []
        found = interrupted(case, [*arguments, *resume], duration, out)
        if found is None or case.violations:
            break
        done, killed, manifest = found
        left_behind(case, case.dir / out, reference, found, resume)
        # a run that is resumed where its checkpoint is has it as resume.json until it saves another one
        names = [n for n in ("checkpoint.json", "resume.json") if (case.dir / out / n).exists()]
        if done or (names and ended(case.dir / out / names[0], reference)):
            case.expect(done or killed, f"{out}: said to be interrupted, and was at its end")
            checkpoint = None
            break
        if not names:
            case.expect(not resume or (case.dir / checkpoint).exists(), f"{out}: the state that it was resumed from is lost")
            break
        checkpoint, out, left = f"{out}/{names[0]}", out if case.random.random() < 0.2 else out + "r", left - 1
    case.kind = f"{model}, {case.kind}"
    if checkpoint and not case.violations:
        last = case.run("run", *arguments, "--resume", checkpoint, "--out", "last", "--json")
        if case.expect(last.code == 0, f"the checkpoint is not resumed: exit code {last.code}: {last.err}"):
            goes_on(case, case.dir / "last", reference)


def left_behind(case, directory, reference, found, resume):
    """What is on the disk after a run, or a resumed one, that came to its end or did not."""
    done, killed, manifest = found
    if done:
        return goes_on(case, directory, reference) if resume else whole(case, directory, reference)
    if resume:
        return beginning_of_the_rest(case, directory, reference, killed)
    rows = part(case, directory, reference, killed)
    if manifest.get("status") == "interrupted":
        reaches(case, directory, manifest, reference, rows)
    return None


def ended(checkpoint, reference):
    """Whether it stands where the run ends: there is nothing to go on with."""
    return json.loads(checkpoint.read_text())["frames"] >= manifest_of(reference)["frames"]


def reaches(case, directory, manifest, reference, rows):
    """An interrupted run has all its rows up to the time that its manifest says."""
    times = [float(line.split(",")[0]) for line in lines_of(reference)[0][2:]]
    wanted = sum(t <= manifest["end_time"] * (1 + 1e-12) for t in times)
    case.expect(rows == wanted, f"{directory}: {rows} rows of {wanted} up to t = {manifest['end_time']} s")


def beginning_of_the_rest(case, directory, reference, killed):
    """What a resumed run left when it was interrupted, too: rows of the undisturbed run, one after the other."""
    lines, whole_lines = lines_of(directory)
    if not whole_lines:
        case.expect(killed or lines == [""], f"{directory}: results.csv ends within a line")
        lines.pop()
    wanted = lines_of(reference)[0]
    rows = lines[2:]
    if rows and rows[0] not in wanted:
        rows = rows[1:]
    at = wanted.index(rows[0]) if rows and rows[0] in wanted else 0
    case.expect(not rows or wanted[at:at + len(rows)] == rows, f"{directory}: rows that the undisturbed run does not have")
