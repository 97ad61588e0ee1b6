# SPDX-License-Identifier: Apache-2.0
"""Law: a checkpoint with any other byte, or of another model, plan or parameter, is refused with exit code 1 and the name of
the file. One whose checksum was computed anew after a change is refused, or it is gone on from as it is written: the first
row has its states, and all results are numbers. `check` says the same as `run`."""
import hashlib
import json
import math
import re
import shutil

from bench import ROOT
from results import goes_on, lines_of, manifest_of

RUNS = {
    "two-scale --until 2s": "1s",
    "two-scale --until 2s --scheme multiframe --method ab3": "1s",
    "kpr --until 0.2s --scheme pece-multirate": "0.1s",
    "quarter-car-c --until 0.4s --scheme prk": "0.2s",
    "planar-vehicle --until 0.4s --method ab4 --step 0.1ms": "0.2s",
    f"{ROOT}/examples/02-sampled-controller.yaml --until 1s": "0.505s",
    f"{ROOT}/examples/03-several-tests.yaml --until 8s": "4s",
    "four-bar --until 0.4s": "0.2s",
    "andrews-squeezer --until 0.03s": "0.01s",
    "heavy-top --until 0.1s": "0.05s",
    "n-four-bar --until 0.04s": "0.02s",
    "double-wishbone --until 0.2s --method rk4": "0.1s",
    "hmmwv --until 0.4s": "0.2s",
    "hmmwv --manoeuvre step-steer --until 1.4s --scheme multiframe": "1s",
}


def saved(case, run):
    """The text of the checkpoint of an undisturbed run."""
    reference, _ = case.soak.reference(*run.split(), "--checkpoint", RUNS[run])
    return (reference / "checkpoint.json").read_text(), reference


def one_digit(case, text):
    at = case.random.choice([m.start() for m in re.finditer(r"\d", text)])
    other = case.random.choice([d for d in "0123456789" if d != text[at]])
    return text[:at] + other + text[at + 1:]


def some_bytes(case, text):
    data = bytearray(text.encode())
    for _ in range(case.random.choice([1, 1, 2, 8])):
        data[case.random.randrange(len(data))] ^= 1 << case.random.randrange(8)
    return bytes(data)


def truncated(case, text):
    return text[:case.random.choice([0, 1, len(text) - 1, len(text) - 2, case.random.randrange(len(text))])]


def longer(case, text):
    return text + case.random.choice([" ", "\n", "\n\n", "}", "\0", text])


def lines_swapped(case, text):
    lines = text.split("\n")
    i, j = (case.random.randrange(len(lines)) for _ in range(2))
    lines[i], lines[j] = lines[j], lines[i]
    return "\n".join(lines)


def line_doubled(case, text):
    lines = text.split("\n")
    i = case.random.randrange(len(lines))
    return "\n".join(lines[:i] + [lines[i]] + lines[i:])


def line_gone(case, text):
    lines = text.split("\n")
    del lines[case.random.randrange(len(lines))]
    return "\n".join(lines)


DAMAGES = [one_digit, some_bytes, truncated, longer, lines_swapped, line_doubled, line_gone]
WILD = [0, -1, 1, 0.5, 1e300, -1e300, 1e19, 2**53, 2**63, 2**64, "nan", "inf", "", None, True, [], {}, [1, 2, 3], "word"]


def entries(value, path=()):
    """All entries of a JSON value, by their paths."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield from entries(child, (*path, key))


def forged(case, text):
    """A change within, and a checksum that fits."""
    content = json.loads(text)
    del content["format"], content["sha256"]
    paths = [p for p in entries(content) if p and p[0] != "model"] + [p for p in entries(content) if p[:1] == ("model",)][:20]
    path = case.random.choice(paths)
    parent = content
    for key in path[:-1]:
        parent = parent[key]
    old = parent[path[-1]]
    what = case.random.choice(["wild", "nearby", "gone", "twice"])
    if what == "nearby" and isinstance(old, (int, float)) and not isinstance(old, bool):
        parent[path[-1]] = old + case.random.choice([1, -1]) if isinstance(old, int) else old * 1.0001 + 1e-9
    elif what == "gone":
        del parent[path[-1]]
    elif what == "twice" and isinstance(parent, list):
        parent.append(old)
    else:
        parent[path[-1]] = case.random.choice(WILD)
    return with_checksum(json.dumps(content, indent=1))


def forged_digit(case, text):
    """One digit of the content, and a checksum that fits."""
    return with_checksum("{\n" + one_digit(case, text.split("\n", 3)[3]))


def with_checksum(text):
    content = text.split("\n", 1)[1] + ("" if text.endswith("\n") else "\n")
    digest = hashlib.sha256(content.encode()).hexdigest()
    return '{\n "format": "chicane-checkpoint/2",\n "sha256": "' + digest + '",\n' + content


def agree(case, run, *options):
    """The outcome of a run from the checkpoint in the directory; `check` has the same."""
    arguments = [*run.split(), "--resume", "c.json", *options, "--json"]
    outcome = case.run("run", *arguments, "--out", "r")
    checked = case.run("check", *arguments)
    if outcome.code == 1 or checked.code == 1:
        same = outcome.code == checked.code and outcome.answer == checked.answer
        case.expect(same, f"run: {outcome.code} {outcome.err}, check: {checked.code} {checked.err}")
    return outcome


def refused(case, outcome):
    case.expect(outcome.code == 1, f"exit code {outcome.code}, not refused")
    case.expect("c.json" in outcome.err, f"the message does not name the file: {outcome.err}")
    case.expect(not (case.dir / "r").exists(), "refused, and a directory was made")


def damaged(case, run, damage):
    case.kind = "damaged: " + damage.__name__
    text, _ = saved(case, run)
    changed = damage(case, text)
    changed = changed if isinstance(changed, bytes) else changed.encode()
    (case.dir / "c.json").write_bytes(changed)
    if changed == text.encode():  # two equal lines were swapped
        return case.expect(agree(case, run).code == 0, "the undamaged checkpoint is refused")
    refused(case, agree(case, run))


def falsified(case, run, damage):
    case.kind = "checksum fits: " + damage.__name__
    (case.dir / "c.json").write_text(damage(case, saved(case, run)[0]))
    outcome = agree(case, run)
    if outcome.code == 1:
        return refused(case, outcome)
    status = (manifest_of(case.dir / "r") or {}).get("status")
    case.expect((outcome.code == 0) == (status == "ok"), f"exit code {outcome.code} and status {status}")
    if outcome.code != 0:
        return None
    lines, _ = lines_of(case.dir / "r")
    states = json.loads((case.dir / "c.json").read_text())["states"]
    units, first = lines[1].split(","), lines[2].split(",")
    for name, unit, value in zip(lines[0].split(","), units, first):
        if name in states and unit in ("-", "m", "s", "rad", "m/s", "rad/s", "1/s"):
            case.expect(math.isclose(float(value), states[name], rel_tol=1e-6, abs_tol=1e-6),
                        f"{name} is {states[name]} in the checkpoint and {value} in the first row")
    case.expect(all(math.isfinite(float(v)) for line in lines[2:] for v in line.split(",")), "results that are no numbers")


def foreign(case, run):
    """Of another model, another plan or with another parameter."""
    case.kind = "of another model or plan"
    other = case.random.choice([r for r in RUNS if r != run])
    text, _ = saved(case, other)
    (case.dir / "c.json").write_text(text)
    refused(case, agree(case, run))


def differently_set(case, run):
    """What is not as it was saved is refused, by its name, and with --resume-with-changes is warned of."""
    case.kind = "other parameters"
    text, reference = saved(case, run)
    (case.dir / "c.json").write_text(text)
    described = case.run("describe", run.split()[0], "--json").answer
    settable = [s for s in described["settable"] if re.fullmatch(r"-?[\d.]+(e-?\d+)?( .*)?", s["value"])]
    chosen = case.random.choice(settable)
    number, _, unit = chosen["value"].partition(" ")
    value = f"{float(number) * 1.01 + (float(number) == 0) * 0.01:.9g} {unit}".strip()
    option = ["--set", f"{chosen['name']}={value}"]
    outcome = agree(case, run, *option)
    case.expect(outcome.code == 1, f"exit code {outcome.code}: another {chosen['name']}, not refused")
    allowed = agree(case, run, *option, "--resume-with-changes")
    case.expect(allowed.code != 0 or any("resumed with a change" in w["text"] for w in allowed.answer["warnings"]),
                f"resumed with another {chosen['name']} without a warning")


def unharmed(case, run):
    case.kind = "unharmed"
    text, reference = saved(case, run)
    (case.dir / "c.json").write_text(text)
    outcome = agree(case, run)
    if case.expect(outcome.code == 0, f"a good checkpoint is refused: {outcome.err}"):
        goes_on(case, case.dir / "r", reference)


def case(case):
    run = case.random.choice(list(RUNS))
    what = case.random.choices(["damage", "forge", "digit", "foreign", "set", "unharmed"], [50, 25, 10, 5, 7, 3])[0]
    if what == "damage":
        damaged(case, run, case.random.choice(DAMAGES))
    elif what in ("forge", "digit"):
        falsified(case, run, forged if what == "forge" else forged_digit)
    else:
        {"foreign": foreign, "set": differently_set, "unharmed": unharmed}[what](case, run)
    shutil.rmtree(case.dir / "runs", ignore_errors=True)
