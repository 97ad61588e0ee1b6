# SPDX-License-Identifier: Apache-2.0
"""Law: `check` and `run` judge alike, whatever is wrong with files and options. What one refuses before the first step the
other refuses, with the same exit code and the same faults in the same words. A run that fails where `check` has looked is
foreseen by it, in the same words; one that `check` sees failing fails. What both warn of before the first step is the same."""
import signal
import subprocess

from bench import ROOT
from mutate import OPTIONS, mutated

PATIENCE = 6  # [s] for a run: one that takes longer was not refused

BASED = """format: chicane/1
base: {base}
description: stands on another model
equations:
  parameters: {{extra: 2 kg}}
  outputs: {{twice: {{value: 2*extra, unit: kg}}}}
"""
TABLES = """format: chicane/1
description: A mass on a measured spring, pushed.
run: {step: 1 ms, until: 0.1 s, method: rk4}
parameters: {m: 300 kg}
inputs: {F: 0 N}
tables:
  spring: {file: spring.csv, interpolation: monotone, extrapolation: linear}
  damping: {file: map.csv, columns: [v, x, F]}
states:
  x: {der: v, unit: mm, initial: 40 mm}
  v: {der: "(F - table(spring, x) - table(damping, v, x))/m", unit: m/s}
"""
CSVS = {
    "spring.csv": "deflection [mm], force [N]\n-50, -1000\n0, 0\n30, 600\n50, 3000\n",
    "map.csv": "v [m/s], x [mm], F [N]\n-1, -50, -900\n-1, 50, -1200\n0, -50, 0\n0, 50, 0\n1, -50, 700\n1, 50, 1000\n",
    "push.csv": "time [s], F [kN]\n0, 0\n0.05, 0.02\n2, 0.02\n",
}


def files(*patterns):
    return [p for pattern in patterns for p in sorted(ROOT.glob(pattern))]


def model(case, patterns):
    """A mutated copy of one of the files; gives the arguments to run it, and what was done."""
    text, how = mutated(case.random, case.random.choice(files(*patterns)).read_text())
    (case.dir / "model.yaml").write_text(text)
    return ["model.yaml"], how


def equations(case):
    return model(case, ["models/*.yaml", "examples/0[12]*.yaml"])


def mechanism(case):
    return model(case, ["models/mechanisms/*.yaml"])


def vehicle(case):
    return model(case, ["models/vehicles/*.yaml", "tests/testkit/hatchback.yaml"])


def manoeuvre(case):
    _, how = model(case, ["models/manoeuvres/*.yaml"])
    return ["hmmwv", "--manoeuvre", "model.yaml"], how


def settings(case):
    """A file that an event loads; or the model that loads it."""
    (case.dir / "settings").mkdir()
    for path in files("examples/settings/*.yaml"):
        (case.dir / "settings" / path.name).write_text(path.read_text())
    (case.dir / "model.yaml").write_text((ROOT / "examples" / "03-several-tests.yaml").read_text())
    path = case.dir / case.random.choice(["settings/ice.yaml", "settings/wet.yaml", "model.yaml"])
    text, how = mutated(case.random, path.read_text())
    path.write_text(text)
    return ["model.yaml"], how


def include(case):
    """A model that stands on another one."""
    base = case.random.choice(files("models/*.yaml", "models/mechanisms/*.yaml"))
    texts = [BASED.format(base="base.yaml"), base.read_text()]
    which = case.random.randrange(2)
    texts[which], how = mutated(case.random, texts[which])
    for name, text in zip(["model.yaml", "base.yaml"], texts):
        (case.dir / name).write_text(text)
    return ["model.yaml"], how


def table(case):
    contents = {"model.yaml": TABLES, **CSVS}
    name = case.random.choice(list(contents))
    contents[name], how = mutated(case.random, contents[name])
    for other, text in contents.items():
        (case.dir / other).write_text(text)
    return ["model.yaml", *case.random.choice([[], ["--inputs", "push.csv"], ["--inputs", "push.csv", "--hold-inputs"]])], how


def options(case):
    chosen = case.random.choice(["two-scale", "quarter-car-c", "kpr", "pendulum", "four-bar", "planar-vehicle", "hmmwv"])
    bad = [word for _ in range(case.random.choice([1, 1, 2])) for word in case.random.choice(OPTIONS)]
    return [chosen, *bad], "options"


KINDS = [equations, equations, mechanism, mechanism, vehicle, manoeuvre, settings, include, table, options]


def words_of(answer):
    """Why a run failed, without the place of its results."""
    return answer["status"].split(".\nOutputs up to")[0]


def case(case):
    make = KINDS[case.number % len(KINDS)]
    arguments, how = make(case)
    if how not in ("run_section", "options") and case.random.random() < 0.85:
        arguments += ["--until", case.random.choice(["20ms", "20ms", "0.5s"])]
    if case.random.random() < 0.1 and how != "options":
        arguments += case.random.choice(OPTIONS)
    program = case.start("run", *arguments, "--out", "r", "--json")
    try:
        program.process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        program.send(signal.SIGINT)
    run = program.wait(sent=[signal.SIGINT])
    check = case.run("check", *arguments, "--json")
    case.kind = f"{make.__name__}, {'refused' if run.code in (1, 2) else 'failed' if run.code == 3 else 'went on'}"
    if not case.violations:
        compare(case, run, check)


def compare(case, run, check):
    if run.code in (1, 2) or check.code in (1, 2):
        case.expect(run.code == check.code, f"run: exit code {run.code}: {run.err}\n  check: exit code {check.code}: {check.err}")
        case.expect(run.code != check.code or run.answer == check.answer, f"run: {run.err}\n  check: {check.err}")
        return
    if check.code == 3 and run.code == 0 or check.code == 3 and run.code == 3 and words_of(run.answer) != words_of(check.answer):
        case.violation(f"check: {check.answer['status']}\n  run: exit code {run.code}, {run.answer['status']}")
    if run.code == 3 and check.code == 0 and run.answer["end_time"] < check.answer["judged"]["until"]:
        case.violation(f"run: {run.answer['status']}\n  check: no faults up to {check.answer['judged']['until']} s")
    before = [[w["text"] for w in o.answer["warnings"] if "time" not in w and "line" in w] for o in (run, check)]
    missing = [w for w in before[0] if w not in [v["text"] for v in check.answer["warnings"]]]
    case.expect(not missing, f"run warns of what check does not: {missing}")
