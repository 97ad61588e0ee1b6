# SPDX-License-Identifier: Apache-2.0
"""Law: a mechanism that nothing gives energy to, or takes it from, keeps it; or the program says that it did not. A random tree of 3 to
30 bodies, with springs in some joints, is closed to loops by joints and massless links of all kinds and runs for 5 s. Its energy
stays within 1e-5 of what is in play; or the run is warned of and with --strict it is an error; or it is refused, or stopped, with
the reason. What was lost is no fault of the loops: with a smaller step, as the warning says, it is kept, but for some that pass
through singular positions, which are counted."""
import csv

from results import lines_of

WITHIN = 1e-5  # of the energy in play
STEPS = (1.0, 0.5, 0.25)  # [ms]
LEAST_STEP = 0.03
TREE = {"revolute": 1, "translational": 1, "cylindrical": 2, "screw": 1, "universal": 2, "spherical": 3}  # freedoms
CUT = {"revolute": 5, "cylindrical": 4, "translational": 5, "universal": 4, "spherical": 3, "spherical-spherical": 1,
       "spherical-revolute": 2, "spherical-translational": 2}  # constraints


def vector(random, size):
    return [round(random.uniform(-size, size), 6) for _ in range(3)]


def axes(random):
    """Two of length about 1, across each other."""
    while True:
        a, b = vector(random, 1.0), vector(random, 1.0)
        aa, ab = sum(x * x for x in a), sum(x * y for x, y in zip(a, b))
        c = [y - x * ab / aa for x, y in zip(a, b)] if aa > 0.2 else a
        if aa > 0.2 and sum(x * x for x in c) > 0.2:
            return a, [repr(x) for x in c]


def numbers(values, unit=None):
    return "[" + ", ".join([str(v) for v in values] + ([unit] if unit else [])) + "]"


def joint(random, at, kind):
    first, second = axes(random)
    words = [f"at: {numbers(at, 'm')}"]
    if kind != "spherical" and kind != "spherical-spherical":
        words.append(f"axis: {numbers(first)}")
    if kind in ("universal", "spherical-translational"):
        words.append(f"second_axis: {numbers(second)}")
    if kind == "screw":
        words.append(f"pitch: {random.uniform(0.05, 0.3):.4f} m/rad")
    if kind in ("spherical-spherical", "spherical-revolute"):
        while True:
            way = vector(random, 0.8)
            if sum(x * x for x in way) > 0.1:
                break
        words.append(f"second_at: {numbers([a + w for a, w in zip(at, way)], 'm')}")
    return words


def mechanism(random):
    """Text of a model, and how many loops it has."""
    n = random.choice((3, 4, 5, 6, 8, 10, 15, 20, 30))
    places, parents, kinds, freedoms = [], [], [], 0
    for i in range(n):
        parent = random.randrange(max(-1, i - 4), i)
        origin = places[parent] if parent >= 0 else [0.0, 0.0, 0.0]
        places.append([round(a + d, 6) for a, d in zip(origin, vector(random, 0.5))])
        parents.append(parent)
        kinds.append(random.choices(list(TREE), (6, 2, 1, 1, 2, 2))[0])
        freedoms += TREE[kinds[-1]]
    body = lambda i: "ground" if i < 0 else f"b{i}"
    topology, places_of_joints, forces, laws = [], [], [], []
    for i in range(n):
        at = [round(p + d, 6) for p, d in zip(places[i], vector(random, 0.3))]
        words = joint(random, at, kinds[i])
        topology.append(f"    j{i}: {{type: {kinds[i]}, connects: [{body(parents[i])}, b{i}]}}")
        if kinds[i] in ("revolute", "translational") and random.random() < 0.4:
            way = kinds[i] == "translational"
            forces.append(f"    s{i}: {{type: {'tsda' if way else 'rsda'}, joint: j{i}}}")
            laws.append(f"    s{i}: {{stiffness: {random.uniform(20, 400):.1f} {'N/m' if way else 'N m/rad'}}}")
        places_of_joints.append(f"    j{i}: {{{', '.join(words)}}}")
    loops = 0
    for k in range(random.randint(1, max(1, n // 2))):
        kind = random.choice(list(CUT))
        a = random.randrange(-1, n)
        b = random.randrange(0, n)
        if a == b or freedoms - CUT[kind] < 1:
            continue
        freedoms -= CUT[kind]
        loops += 1
        at = [round(p + d, 6) for p, d in zip(places[b], vector(random, 0.4))]
        topology.append(f"    c{k}: {{type: {kind}, connects: [{body(a)}, b{b}]}}")
        places_of_joints.append(f"    c{k}: {{{', '.join(joint(random, at, kind))}}}")
    if loops == 0:
        return mechanism(random)
    masses = [f"    b{i}: {{mass: {random.uniform(0.5, 3):.3f} kg, com: {numbers(places[i], 'm')}, inertia: "
              f"{{diagonal: {numbers([round(random.uniform(0.02, 0.03), 5) for _ in range(3)], 'kg m^2')}}}}}" for i in range(n)]
    text = ["format: chicane/1", "description: random loops", "topology:",
            f"  bodies: [{', '.join(body(i) for i in range(n))}]", "  joints:", *topology]
    text += ["  forces:", *forces] if forces else []
    text += ["parameters:", "  gravity: [0, 0, -9.81, m/s^2]", "  bodies:", *masses, "  joints:", *places_of_joints]
    text += ["  forces:", *laws] if laws else []
    return "\n".join(text) + "\n", loops


def part_lost(directory):
    """Largest change of the energy, of the energy in play."""
    rows = list(csv.reader(lines_of(directory)[0]))
    column = {name: [float(row[i]) for row in rows[2:]] for i, name in enumerate(rows[0])}
    total, kinetic = column["energy.total"], column["energy.kinetic"]
    potential = [t - k for t, k in zip(total, kinetic)]
    in_play = max(max(kinetic), max(potential) - min(potential))
    return max(abs(t - total[0]) for t in total) / in_play


def run(case, step, *options):
    """Exit code, answer, and what part of the energy was lost if the run ended."""
    out = f"r{len(case.commands)}"
    outcome = case.run("run", "m.yaml", "--method", "rk4", "--step", f"{step}ms", "--until", "5s", "--output", "energy.*",
                       "--json", "--out", out, *options, patience=600)
    return outcome.code, outcome.answer or {}, part_lost(case.dir / out) if outcome.code == 0 else None


def case(case):
    text, loops = mechanism(case.random)
    (case.dir / "m.yaml").write_text(text)
    step = case.random.choice(STEPS)
    code, answer, lost = run(case, step)
    case.kind = f"at {step} ms: "
    if code == 1:
        case.expect(answer.get("errors"), "is refused without a reason")
        case.kind += "refused"
        return
    if code == 0 and lost <= WITHIN:
        case.kind += "ended within 1e-5"
        return
    if code == 0:
        case.kind += f"ended within {'1e-4' if lost <= 1e-4 else '1e-3' if lost <= 1e-3 else '1'}, warned"
        case.expect(answer.get("warnings"), f"{lost:.3g} of the energy lost without a word, {loops} loops")
        strict, _, _ = run(case, step, "--strict")
        case.expect(strict == 3, f"{lost:.3g} of the energy lost, --strict ends with exit code {strict}")
    else:
        case.kind += "stopped"
        case.expect("step" in answer.get("status", ""), "stops without a reason and a remedy")
    while step > LEAST_STEP and (lost is None or lost > WITHIN):
        step /= 2
        _, _, lost = run(case, step)
    helped = lost is not None and lost <= WITHIN
    case.kind += f", within 1e-5 {'at a smaller step' if helped else 'not even at 1/32 ms'}"
