# SPDX-License-Identifier: Apache-2.0
"""Law: a model starts at the values that its file gives. Every built-in model, and every example, has in its first row what
`describe` says was asked of its joints and states, to 1e-12 of the value (or of 1 where it is smaller). A joint that is asked to start elsewhere
does so, to the same tolerance, or the model is refused; and where all is as in the file the values are those of the file."""
import functools
import json
import math
import re
import subprocess

from bench import ROOT
from results import lines_of

NEAR = 1e-12


@functools.cache
def models(binary):
    listed = json.loads(subprocess.run([binary, "list", "models", "--json"], capture_output=True, text=True).stdout)
    files = sorted((ROOT / "examples").glob("*.yaml"))
    return [(m["name"],) for m in listed["models"]] + [("hmmwv", "--set", "start.state=dropped")] + [(f,) for f in files]


def near(a, b):
    return math.isclose(a, b, rel_tol=NEAR, abs_tol=NEAR)


def first_row(case, model, *options):
    """Values and units by name, of all signals, in the first row; None where the model is refused."""
    outcome = case.run("run", model, *options, "--until", "1us", "--step", "1us", "--out", "r", "--output", "*", "--quiet")
    if outcome.code != 0:
        return None
    names, units, values = (line.split(",") for line in lines_of(case.dir / "r")[0][:3])
    return {n: (float(v), u) for n, u, v in zip(names, units, values)}


def shown_of(row, joint, rates):
    """What the row has of a joint with one coordinate, in SI, or None."""
    for name in ("angle_rate", "position_rate") if rates else ("angle", "position"):
        value, unit = row.get(f"{joint}.{name}", (None, None))
        if unit in ("rad", "rad/s", "m", "m/s"):
            return value
    return None


def asked_of_joints(case, described, row):
    """As many values as were compared."""
    compared = 0
    for joint in described.get("start", []):
        for what in ("coordinates", "rates"):
            asked, used = joint[what]["asked"], joint[what]["used"]
            if asked is None:
                continue
            for a, u in zip(asked, used):
                if a is not None:
                    case.expect(near(a, u), f"{joint['joint']}: {what} asked {a}, used {u}")
                    compared += 1
            shown = shown_of(row, joint["joint"], what == "rates")
            if shown is not None and len(asked) == 1 and asked[0] is not None:
                case.expect(near(shown, asked[0]), f"{joint['joint']}: {what} asked {asked[0]}, the first row has {shown}")
                compared += 1
    return compared


def asked_of_states(case, described, row):
    """Initial values as they are written in the file, where they are a number with the unit of the signal. The settled
    start of a vehicle is not written anywhere."""
    compared = 0
    settable = {s["name"]: s["value"] for s in described["settable"]}
    for signal in described["signals"]:
        name = signal["name"]
        if signal["kind"] not in ("ODE state", "memory") or name not in row:
            continue
        value, unit = row[name]
        case.expect(signal["initial"] is None or near(value, signal["initial"]),
                    f"{name}: describe says {signal['initial']}, the first row has {value}")
        written = re.fullmatch(r"(-?[\d.]+(?:e[-+]?\d+)?)(?: (.*))?", settable.get(name, ""))
        if written and (written[2] or "-") == unit and "settled" not in described:
            case.expect(near(value, float(written[1])), f"{name}: the file has {written[0]}, the first row {value}")
        compared += 1
    return compared


def as_given(case, model, *options):
    case.kind = "as given"
    described = case.run("describe", model, *options, "--all", "--json").answer
    row = first_row(case, model, *options)
    if case.expect(row is not None, f"{model} does not start"):
        compared = asked_of_states(case, described, row) + asked_of_joints(case, described, row)
        case.expect(compared > 0, f"{model}: nothing to compare")


def set_in_file(text, joint, key, value):
    """The model with another start of a joint; None where its entry is not of one line."""
    head, found, tail = text.partition("\nparameters:\n")
    entry = re.search(rf"^    {re.escape(joint)}: \{{(?P<body>at: .*)\}}$", tail, re.M)
    if not found or not entry:
        return None
    body = re.sub(rf", {key}: (\[[^]]*\]|[^,}}]*)", "", entry["body"])
    return head + found + tail[:entry.start()] + f"    {joint}: {{{key}: {value}, {body}}}" + tail[entry.end():]


def elsewhere(case):
    """A joint with one coordinate is asked for another angle or rate."""
    case.kind = "elsewhere"
    path = case.random.choice(sorted((ROOT / "models" / "mechanisms").glob("*.yaml")))
    described = case.run("describe", path, "--json").answer
    joint = case.random.choice([j["joint"] for j in described["start"] if len(j["coordinates"]["used"]) == 1] or ["none"])
    key = case.random.choice(["initial", "initial_rate"])
    value = case.random.uniform(-0.3, 0.3) if key == "initial" else case.random.uniform(-20, 20)
    kind = next((j["type"] for j in described["joints"] if j["name"] == joint), "")
    unit = ("m" if kind == "translational" else "rad") + ("" if key == "initial" else "/s")
    text = set_in_file(path.read_text(), joint, key, f"{value!r} {unit}")
    if text is None:
        case.kind = "elsewhere, not in this file"
        return
    (case.dir / "model.yaml").write_text(text)
    answer = case.run("describe", "model.yaml", "--json")
    row = first_row(case, "model.yaml")
    if row is None or answer.code != 0:
        case.expect(row is None and answer.code == 1, f"describe and run do not agree about {joint}.{key}")
        case.kind = "elsewhere, refused"
        return
    start = next(j for j in answer.answer["start"] if j["joint"] == joint)
    asked = start["coordinates" if key == "initial" else "rates"]["asked"]
    case.expect(asked and near(asked[0], value), f"{joint}.{key}: the file has {value}, asked {asked}")
    asked_of_joints(case, answer.answer, row)


def case(case):
    known = models(case.binary)
    if case.number < len(known):
        as_given(case, *known[case.number])
    else:
        elsewhere(case)
