# SPDX-License-Identifier: Apache-2.0
"""Law: where results cannot be written (a full disk, no inodes left, a limit of file sizes or of open files, a directory that
goes away, a closed or full stdout), the exit code is not 0 unless all that was asked for is there, the manifest does not say
ok, and what is there is the beginning of the undisturbed run. Closed standard streams change nothing else: no file takes
their place, and nothing ends by a signal."""
import itertools
import resource
import shutil
import subprocess
import time

from results import lines_of, manifest_of, part, whole

RUNS = [
    "two-scale --step 0.1ms --until 10s --every 5 --checkpoint-every 1s",
    "four-bar --until 2s --checkpoint-every 0.1s",
    "kpr --until 2s",
    "hmmwv --until 2s",
]
COMMANDS = [
    "run two-scale --out r", "run two-scale --out r --quiet", "run two-scale --out r --json", "run two-scale --out r --plot",
    "run nothing --out r", "run nothing --out r --json", "run two-scale --step x --out r --json",
    "check two-scale", "check two-scale --json", "check pendulum --step 5km --json", "describe hmmwv", "describe hmmwv --json",
    "describe nothing --json", "list models", "list methods --json", "list nothing --json", "topology four-bar",
    "topology four-bar --json", "schema", "manual", "completion bash", "--version", "--help", "run --help",
    "stability rk4 --json", "linearize two-scale --json", "limit two-scale --json", "run --json", "nonsense --json",
]
STREAMS = [c for n in range(4) for c in itertools.combinations((0, 1, 2), n)]


def judged(case, outcome, out, reference, what):
    """Exit code 0 with all results, or another one, with an honest manifest and the beginning of the results."""
    manifest = manifest_of(out) if out.exists() else {}
    case.expect(manifest is not None, f"{what}: manifest.json is damaged")
    status = (manifest or {}).get("status")
    if outcome.code == 0:
        return whole(case, out, reference, what)
    case.expect(status != "ok", f"{what}: exit code {outcome.code} and status ok")
    if out.exists():
        part(case, out, reference, killed=False, what=what)


def full_disk(case):
    """A file system of a few pages."""
    case.kind = "full disk"
    disk = case.dir / "disk"
    disk.mkdir()
    size = int(2 ** case.random.uniform(12, 23))
    options = f"size={size}" if case.random.random() < 0.8 else f"size=64m,nr_inodes={case.random.randrange(1, 12)}"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", disk], capture_output=True)
    if mounted.returncode != 0:
        return limited_files(case)  # only root may mount
    try:
        run = case.random.choice(RUNS).split()
        style = case.random.choice([["--json"], ["--quiet"], [], ["--json", "--plot"]])
        outcome = case.run("run", *run, *style, "--out", "disk/r")
        judged(case, outcome, disk / "r", case.soak.reference(*run)[0], options)
        again(case, run, disk)
    finally:
        subprocess.run(["umount", disk], check=True)
    return None


def again(case, run, disk):
    """Into the same directory, when there is room again."""
    subprocess.run(["mount", "-o", "remount,size=64m,nr_inodes=1000", disk], capture_output=True)
    outcome = case.run("run", *run, "--out", "disk/r", "--json")
    if case.expect(outcome.code == 0, f"when there is room again: exit code {outcome.code}: {outcome.err}"):
        whole(case, disk / "r", case.soak.reference(*run)[0])


def limited_files(case):
    """No file may become longer."""
    case.kind = "limit of file sizes"
    most = int(2 ** case.random.uniform(0, 22))
    run = case.random.choice(RUNS).split()
    with open("/dev/null", "w") as nowhere:  # what is printed has no limit
        outcome = case.run("run", *run, "--out", "r", "--quiet", limits={resource.RLIMIT_FSIZE: most}, stdout=nowhere)
    judged(case, outcome, case.dir / "r", case.soak.reference(*run)[0], f"at most {most} bytes")


def few_descriptors(case):
    case.kind = "few descriptors"
    most = case.random.randrange(4, 16)  # with less the loader finds no libraries
    run = case.random.choice(RUNS).split()
    outcome = case.run("run", *run, "--out", "r", "--json", limits={resource.RLIMIT_NOFILE: most})
    judged(case, outcome, case.dir / "r", case.soak.reference(*run)[0], f"at most {most} descriptors")


def gone(case):
    """The directory is taken away, or replaced, while a run writes into it."""
    case.kind = "directory taken away"
    run = case.random.choice(RUNS).split()
    reference, duration = case.soak.reference(*run)
    program = case.start("run", *run, "--out", "r", "--json")
    time.sleep(case.random.uniform(0, duration))
    how = case.random.choice(["moved", "removed", "replaced"])
    out = case.dir / "r"
    try:
        if how == "removed":
            shutil.rmtree(out)
        elif out.exists():
            out.rename(case.dir / "moved")
        if how == "replaced":
            out.mkdir()
    except OSError:
        pass
    outcome = program.wait()
    where = next((d for d in (out, case.dir / "moved") if (d / "manifest.json").exists()), out)
    if outcome.code == 0:  # it had ended, or had not begun
        if how == "moved" or (out / "manifest.json").exists():
            whole(case, where, reference, how)
    else:
        case.expect((manifest_of(out) or {}).get("status") != "ok", f"{how}: exit code {outcome.code} and status ok")


def strange_out(case):
    """What is no directory that one can write into."""
    case.kind = "no directory"
    (case.dir / "file").write_text("mine\n")
    (case.dir / "mine").mkdir()
    (case.dir / "mine" / "results.csv").write_text("mine\n")
    out = case.random.choice(["file", "file/r", "/dev/full", "/dev/null", "/proc/r", "mine", "/proc/self/fd", "a" * 300,
                              "a/" * 3000])
    outcome = case.run("run", "two-scale", "--out", out, "--json")
    case.expect(outcome.code in (1, 3), f"--out {out}: exit code {outcome.code}")
    case.expect((case.dir / "file").read_text() == "mine\n", "a file of others was changed")
    case.expect((case.dir / "mine" / "results.csv").read_text() == "mine\n", "a file of others was changed")


def full_stdout(case):
    case.kind = "full stdout"
    command = case.random.choice(COMMANDS).split()
    alone = case.run(*command)
    shutil.rmtree(case.dir / "r", ignore_errors=True)
    with open("/dev/full", "w") as full:
        outcome = case.run(*command, stdout=full)
    case.expect(outcome.code != 0 or not alone.out, f"exit code 0, and stdout was full: {command}")
    case.expect(alone.code in (0, outcome.code), f"exit code {outcome.code} where {alone.code} was: {command}")


def closed_streams(case, number):
    """Every command with every set of closed streams, one after the other."""
    command = COMMANDS[number % len(COMMANDS)].split()
    closed = STREAMS[number // len(COMMANDS) % len(STREAMS)]
    case.kind = f"closed: {', '.join(('stdin', 'stdout', 'stderr')[c] for c in closed) or 'none'}"
    alone = case.run(*command)
    expected = lines_of(case.dir / "r")[0]
    shutil.rmtree(case.dir / "r", ignore_errors=True)
    outcome = case.run(*command, closed=closed)
    wanted = 3 if 1 in closed and alone.out and alone.code == 0 else alone.code
    case.expect(outcome.code == wanted, f"exit code {outcome.code}, not {wanted}, with {closed} closed: {command}")
    case.expect(lines_of(case.dir / "r")[0] == expected, f"other results with {closed} closed: {command}")
    if 1 not in closed and "run" not in command:
        case.expect(outcome.out == alone.out, f"another answer with {closed} closed: {command}")
    if 2 not in closed and 1 not in closed:
        case.expect(outcome.err == alone.err or "run" in command, f"other words with {closed} closed: {command}")


KINDS = [full_disk, limited_files, few_descriptors, gone, strange_out, full_stdout]


def case(case):
    """By turns: half of the cases are closed streams, of which there are 232."""
    if case.number % 2:
        closed_streams(case, case.number // 2 * 59)  # no factor in common with their number: each comes once
    else:
        KINDS[case.number // 2 % len(KINDS)](case)
