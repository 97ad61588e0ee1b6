# SPDX-License-Identifier: Apache-2.0
"""Random slips and absurdities in the text of a model file, and in tables of numbers."""
import re

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])")
UNIT = re.compile(r"(?<=\d )(kg m\^2|kg/m|N s/m|N/m|kN m|kg|mm|ms|m/s\^2|m/s|km/h|rad/s|rpm|deg|rad|N m|kN|m|s|N)(?=[,}\]\n])")
ENTRY = re.compile(r"(?P<key>[A-Za-z_][\w.-]*): +(?P<value>[^\s,{}\[\]#&*>|][^,{}\[\]#\n]*)")
KEY = re.compile(r"(?<=[\s{,])[A-Za-z_]\w+(?=:(?: |\n))")
LIST = re.compile(r"\[[^\[\]\n]*\]")
WORD = re.compile(r"(?<=[\s,(*+/\[{-])[A-Za-z_]\w*(?=[\s,)*+/\]}^-])")

NUMBERS = ["0", "-1", "1", "nan", ".nan", "inf", "-.inf", "1e300", "-1e300", "1e-300", "1e400", "0x10", "1,5", "--1", "1e", "''"]
UNITS = ["m", "kg", "s", "rad", "N", "m/s", "kg m^2", "J", "furlong", "", "1/s", "K", "mm", "ms", "deg"]
VALUES = ["[1, 2]", "{a: 1}", "word", "", "true", "null", "~", "[]", "{}", "'quoted'", "*anchor", "&x 1", "!tag 1", "1 m", "?", "- 1"]
RUN = {
    "step": ["0 s", "-1 ms", "1e-13 s", "1e300 s", "nan s", "1", "5 km", "20 s", "0.1 ps", "[1 ms]", "", "3 ms", "1/3 s"],
    "until": ["0 s", "-1 s", "1e-9 s", "nan s", "1 kg", "inf s", "[1 s]", "word", "1e300 s", "3000000 s"],
    "method": ["rk5", "", "ab1", "rk4", "[rk4]", "am3", "{slow: rk4}", "{slow: rk4, fast: ab2}", "{none: rk4}", "0", "rk2"],
    "scheme": ["multirate", "multiframe", "pece-multirate", "pece-multirate-parallel", "prk", "reference", "", "0", "single-rate"],
    "ratio": ["0", "-1", "1.5", "nan", "1e9", "{fast: 3}", "{none: 2}", "4", "[4]", "word", "1000000000000"],
    "interp": ["interp9", "interp2", "", "0", "{x3: interp1}", "{none: interp1}", "hold"],
    "every": ["-1", "0", "1.5", "1e30", "word", "2", "10000000"],
    "order": ["fast-first", "slow-first", "both", ""],
    "iterations": ["0", "{inner: 0}", "{inner: 2, outer: 2}", "inner=1000000", "{x: 1}"],
    "tableau": ["prk25", "prk99", "", "[a]"],
    "threads": ["0", "-1", "2", "1000000", "1.5", "word"],
    "startup": ["rk4", "build-up", "none", ""],
    "history": ["keep", "restart", "none"],
    "checkpoint": ["0 s", "-1 s", "1e9 s", "1 kg", "5 ms"],
    "signals": ["[none]", "['*']", "[]", "x", "['**', '?']", "[x, x]"],
    "resume": ["none.json", "", "model.yaml"],
    "groups": ["{a: b}", "[]", "{}", "{body: fast}"],
}
OPTIONS = [*(["--" + key, value] for key, values in RUN.items() for value in values
             if key not in ("signals", "groups") and not value.startswith(("[", "{"))),
           ["--set", "none=1"], ["--set", "a"], ["--set", "=1"], ["--set", ""], ["--set", "m=-1 kg"], ["--set", "m=nan kg"],
           ["--output", "none"], ["--output", "*"], ["--output", ""], ["--group", "none=slow"], ["--group", "a"],
           ["--inputs", "none.csv"], ["--hold-inputs"], ["--resume", "none.json"], ["--resume-with-changes"],
           ["--manoeuvre", "none"], ["--manoeuvre", "braking"], ["--checkpoint-every", "0 s"], ["--checkpoint-every", "x"],
           ["--checkpoint-every", "-1s"], ["--ratio", "fast=0"], ["--ratio", "none=2"], ["--method", "fast=rk4"],
           ["--method", "none=rk4"], ["--iterations", "inner=0,outer=1"], ["--nothing"], ["extra"]]


def replaced(random, text, pattern, new):
    """One occurrence of a pattern, by what `new` makes of it."""
    found = list(pattern.finditer(text))
    if not found:
        return text
    m = random.choice(found)
    return text[:m.start()] + new(m) + text[m.end():]


def number(random, text):
    def other(m):
        kind = random.randrange(6)
        if kind == 0:
            return "-" + m[0] if not m[0].startswith("-") else m[0][1:]
        if kind <= 2:
            return f"{float(m[0]) * 10.0 ** random.randint(-9, 9):.9g}"
        return random.choice(["0", "1e300"] if kind <= 4 else NUMBERS)
    return replaced(random, text, NUMBER, other)


def unit(random, text):
    return replaced(random, text, UNIT, lambda m: random.choice(UNITS))


def value_type(random, text):
    return replaced(random, text, ENTRY, lambda m: f"{m['key']}: {random.choice([*VALUES, f'[{m[2]}]', '{a: ' + m[2] + '}'])}")


def list_changed(random, text):
    def other(m):
        items = m[0][1:-1].split(", ")
        kind = random.randrange(4)
        if kind == 0:
            items.pop(random.randrange(len(items)))
        elif kind == 1:
            items.insert(random.randrange(len(items) + 1), random.choice(NUMBERS + items))
        elif kind == 2:
            random.shuffle(items)
        else:
            return items[0]
        return "[" + ", ".join(items) + "]"
    return replaced(random, text, LIST, other)


def key_misspelt(random, text):
    def other(m):
        k = random.randrange(len(m[0]))
        return random.choice([m[0][:k] + m[0][k + 1:], m[0] + "x", m[0][:k] + m[0][k] + m[0][k:], m[0].upper()])
    return replaced(random, text, KEY, other)


def entry_gone(random, text):
    if random.random() < 0.5:
        return replaced(random, text, re.compile(ENTRY.pattern + ", "), lambda m: "")
    lines = text.split("\n")
    del lines[random.randrange(len(lines))]
    return "\n".join(lines)


def entry_doubled(random, text):
    if random.random() < 0.5:
        return replaced(random, text, re.compile(ENTRY.pattern + ", "), lambda m: m[0] * 2)
    lines = text.split("\n")
    k = random.randrange(len(lines))
    return "\n".join(lines[:k] + [lines[k]] + lines[k:])


def values_swapped(random, text):
    found = list(ENTRY.finditer(text))
    if len(found) < 2:
        return text
    a, b = sorted(random.sample(found, 2), key=lambda m: m.start())
    return text[:a.start(2)] + b[2] + text[a.end(2):b.start(2)] + a[2] + text[b.end(2):]


def reference(random, text):
    words = [m[0] for m in WORD.finditer(text)]
    return replaced(random, text, WORD, lambda m: random.choice([random.choice(words), "nobody", "x", "t"]))


def run_section(random, text):
    key = random.choice(list(RUN))
    value = random.choice(RUN[key])
    m = re.search(r"^run:\s*\{", text, re.M)
    if not m:
        return text + f"\nrun: {{{key}: {value}}}\n"
    end = text.index("\n\n", m.end()) if "\n\n" in text[m.end():] else len(text)
    section = re.sub(rf"(?<=[{{ ]){key}: [^,}}]*(, |(?=}}))", "", text[m.end():end])
    return text[:m.end()] + f"{key}: {value}, " + section + text[end:]


def some_bytes(random, text):
    k = random.randrange(len(text))
    return text[:k] + random.choice(["\t", "\0", ":", "{", "}", "[", "]", "\n", " ", "#", "'", '"', "-", "\u00e9", ""]) + text[k + 1:]


def truncated(random, text):
    return text[:random.randrange(len(text))]


# Half of them are numbers that are possible to read: what is wrong with these shows only when the model is evaluated.
MUTATIONS = [*[number] * 10, *[run_section] * 2, unit, value_type, list_changed, key_misspelt, entry_gone, entry_doubled,
             values_swapped, reference, some_bytes, truncated]


def mutated(random, text):
    """The text with a mutation, and its name; with two now and then."""
    mutation = random.choice(MUTATIONS)
    text = mutation(random, text)
    if random.random() < 0.15:
        text = random.choice(MUTATIONS)(random, text)
    return text, mutation.__name__
