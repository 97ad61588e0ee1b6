# SPDX-License-Identifier: Apache-2.0
"""Law: a run of a vehicle whose step is too large says so. Metrics that are more than 2 % from those at a tenth of the step come with
a warning, or the run stops with the reason. A warning of a run whose metrics are right is no violation; such runs are counted."""
import math

APART = 0.02  # of a metric
LEAST = 1e-3  # [its unit] metrics below are as good as zero
VEHICLES = ("hmmwv", "hatchback")
MANOEUVRES = ("acceleration", "braking", "coast-down", "constant-speed", "double-lane-change", "parked-on-a-slope", "step-steer")
STEPS = (0.05, 5.0)  # [ms]
MOST_FRAMES = 400_000  # of the run with a tenth of the step
PATIENCE = 600  # [s]


def options_of(random):
    """A vehicle, a manoeuvre, sometimes slippery ground, a time of whole steps; and a step [ps] that has a tenth."""
    lowest, highest = (math.log(s) for s in STEPS)
    step = 10 * round(math.exp(random.uniform(lowest, highest)) * 1e8)
    frames = min(round(random.uniform(2, 15) / (step * 1e-12)), MOST_FRAMES // 10)
    options = [random.choice(VEHICLES), "--manoeuvre", random.choice(MANOEUVRES), "--until", f"{frames * step}ps"]
    if random.random() < 0.3:
        options += ["--set", f"terrain.friction={random.uniform(0.2, 1.0):.3f}"]
    return options, step


def metrics_of(case, options, step):
    """The run's metrics, or None where it failed; and whether anything was said."""
    outcome = case.run("run", *options, "--step", f"{step}ps", "--output", "chassis.speed", "--every", "100", "--json", "--out", f"r{step}",
                       patience=PATIENCE)
    answer = outcome.answer or {}
    if outcome.code != 0:
        return None, True
    return answer["metrics"], bool(answer["warnings"])


def apart(metric, right):
    if (metric is None) != (right is None):
        return math.inf
    return 0.0 if right is None else abs(metric - right) / max(abs(right), LEAST)


def case(case):
    options, step = options_of(case.random)
    found, said = metrics_of(case, options, step)
    right, _ = metrics_of(case, options, step // 10)
    if right is None or found is None:
        case.kind = "stopped" if found is None else "nothing to compare with"
        return
    most = max(right, key=lambda name: apart(found[name], right[name]))
    wrong = apart(found[most], right[most]) > APART
    case.kind = ("wrong" if wrong else "right") + (", warned" if said else "")
    case.expect(said or not wrong, f"{most} is {found[most]}, and {right[most]} with a tenth of the step")
