"""What the installed headers declare, with signatures and comments; see api_pages.py.

Doxygen says what a header declares and where; signatures and comments are taken from the header as they stand.
A comment belongs to the declaration below it, or before it on its line. It also serves the overloads that
follow it directly. `// --- title; text ---` begins a section of a class; comment lines directly below it say
what all the section's members are. A public declaration without a comment is a fault, except copies, moves,
destructors and what is defaulted or deleted.
"""
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

UMBRELLA = "chicane.hpp"
FOLDERS = ["session", "simulation", "core", "blocks", "language", "math", "io"]  # in the order of the navigation


# --- headers: what there is ---------------------------------------------------------------------------------


def installed_headers(root):
    """Headers that are installed, below src/, in the order of the navigation."""
    text = (root / "cmake/ChicaneInstall.cmake").read_text(encoding="utf-8")
    names = re.search(r"foreach\(\s*header IN\s+ITEMS\s([^)]*)\)", text).group(1).split()
    rank = {folder: place for place, folder in enumerate(FOLDERS)}
    return sorted((n for n in names if n != UMBRELLA), key=lambda n: (rank.get(n.split("/")[0], 99), page_rank(n)))


def page_rank(name):
    """Within a folder: the header named like it first, then by name."""
    folder, stem = Path(name).parent.name, Path(name).stem
    return (folder != stem, name)


def page_names(root):
    """Names of the pages that headers may get; one that declares nothing gets none."""
    return ["index.md"] + [Path(name).stem + ".md" for name in installed_headers(root)]


@dataclass
class Entity:
    """Something that a header declares, as doxygen has found it."""
    kind: str  # class, struct, concept, enum, typedef, variable, function, friend
    name: str
    scope: str  # chicane, chicane::Session
    file: str
    line: int


def run_doxygen(root, folder):
    """What the installed headers declare; doxygen writes into the folder."""
    files = [root / "src" / name for name in installed_headers(root)]
    settings = {"INPUT": " ".join(f'"{file}"' for file in files), "OUTPUT_DIRECTORY": f'"{folder}"',
                "GENERATE_HTML": "NO", "GENERATE_LATEX": "NO", "GENERATE_XML": "YES",
                "XML_PROGRAMLISTING": "NO", "EXTRACT_ALL": "YES", "QUIET": "YES", "WARN_IF_UNDOCUMENTED": "NO",
                "MACRO_EXPANSION": "YES", "EXPAND_ONLY_PREDEF": "YES", "SEARCH_INCLUDES": "NO",
                "PREDEFINED": "CHICANE_API= CHICANE_HIDDEN=", "STRIP_FROM_PATH": f'"{root}"'}
    text = "".join(f"{key} = {value}\n" for key, value in settings.items())
    subprocess.run(["doxygen", "-"], input=text, text=True, check=True, stdout=subprocess.DEVNULL)
    return read_xml(sorted((Path(folder) / "xml").glob("*.xml")))


def read_xml(files):
    """Public entities of doxygen's XML files."""
    entities = []
    for compound in (c for file in files for c in ElementTree.parse(file).getroot().iter("compounddef")):
        kind, name = compound.get("kind"), re.sub(r"\s", "", compound.findtext("compoundname"))
        if kind not in ("class", "struct", "concept", "namespace") or compound.get("prot") == "private":
            continue
        if kind != "namespace":
            scope, _, short = name.rpartition("::")
            entities.append(entity(compound, kind, short, scope))
        for member in compound.iter("memberdef"):
            if member.get("prot") == "public":
                entities.append(entity(member, member.get("kind"), member.findtext("name"), name))
    return entities


def entity(element, kind, name, scope):
    where = element.find("location")
    return Entity(kind, name, scope, where.get("declfile", where.get("file")),
                  int(where.get("declline", where.get("line"))))


# --- headers: what stands there -----------------------------------------------------------------------------


def split_comment(line):
    """Code and comment of a line; what is meant for tools is no comment."""
    quoted = False
    for i, letter in enumerate(line):
        if letter == '"' and line[i - 1] != "\\":
            quoted = not quoted
        if not quoted and line.startswith("//", i):
            return line[:i].rstrip(), re.sub(r"\s*NOLINT.*", "", line[i + 2:].removeprefix(" ")).rstrip()
    return line.rstrip(), ""


@dataclass
class Declaration:
    """One declaration of a header, with all the names that it declares."""
    entities: list
    first: int  # index of its first line
    signature: str
    comment: list = field(default_factory=list)  # lines
    members: list = field(default_factory=list)  # of a class or struct: sections of declarations

    @property
    def kind(self):
        return self.entities[0].kind

    @property
    def name(self):
        return self.entities[0].name

    @property
    def is_type(self):
        return self.kind in ("class", "struct", "concept", "enum", "typedef")


@dataclass
class Section:
    """A part of a class, or all of it where there are no titles."""
    line: int
    title: str = ""
    text: list = field(default_factory=list)
    explained: bool = False  # the text stands for comments of its members
    declarations: list = field(default_factory=list)


class Header:
    def __init__(self, name, text):
        self.name, self.text = name, text
        self.lines = [split_comment(line) for line in text.split("\n")]

    def first_line(self, index):
        """Where the declaration begins whose name stands in the line: above it may be its template's head."""
        while index > 0:
            code = self.lines[index - 1][0].strip()
            if not code or code[-1] in ";{}:" or code.startswith("#"):
                break
            index -= 1
        return index

    def declaration(self, entities):
        kind = entities[0].kind
        first = self.first_line(entities[0].line - 1)
        code, last = self.code_of(first, kind)
        if kind == "enum":  # with the comments of its values
            code = "\n".join(self.text.split("\n")[first:last + 1])
        made = Declaration(entities, first, tidy(code))
        if kind != "enum" and kind not in ("class", "struct", "concept"):
            made.comment = [text for _, text in self.lines[first:last + 1] if text]
        made.comment = self.block_above(first)[1] or made.comment
        return made

    def code_of(self, first, kind):
        """Text of a declaration without body, initialisers and comments, and the index of its last line."""
        whole = kind in ("enum", "concept", "typedef", "variable")
        depth, code = 0, ""
        for index in range(first, len(self.lines)):
            line = self.lines[index][0]
            for i, letter in enumerate(line):
                at_end = letter == ";" if whole else letter in ";{" or is_initialiser(code, line, i)
                if depth == 0 and at_end:
                    return code.rstrip() + (";" if kind not in ("class", "struct") else ""), index
                depth += (letter in "({[") - (letter in ")}]")
                code += letter
            code += "\n"
        raise ValueError(f"{self.name}:{first + 1}: a declaration without an end")

    def block_above(self, index):
        """The comment that ends directly above a line: the index where it begins, and its lines."""
        begin = index
        while begin > 0 and not self.lines[begin - 1][0] and self.raw(begin - 1).startswith("//"):
            begin -= 1
        for i in range(index - 1, begin - 1, -1):
            if is_title(self.raw(i)):
                begin = i + 1
                break
        return begin, [text for _, text in self.lines[begin:index]]

    def raw(self, index):
        return self.text.split("\n")[index].strip()

    def introduction(self):
        """Comments before the namespace, the licence aside."""
        lines = []
        for code, text in self.lines:
            if code.startswith("namespace"):
                break
            if not code and (text or lines) and "SPDX" not in text:
                lines.append(text)
        return lines

    def free_block(self, begin):
        """The comment that begins in a line, unless it belongs to a declaration."""
        end = begin
        while self.raw(end).startswith("//"):
            end += 1
        return [] if self.raw(end) else [text for _, text in self.lines[begin:end]]

    def sections(self, first):
        """Titles within a class that begins in a line, each with the text directly below it."""
        found = [Section(first)]
        for index in range(first, len(self.lines)):
            if self.raw(index) == "};" and self.text.split("\n")[index].startswith("};"):
                break
            if is_title(self.raw(index)):
                title, _, text = self.raw(index).strip("/- ").partition(";")
                below = self.free_block(index + 1)
                found.append(Section(index, title, ([text] if text else []) + below, bool(below)))
        return found


def is_title(line):
    return re.match(r"// --- .* ---+$", line) is not None


def is_initialiser(code, line, i):
    """The colon before the initialisers of a constructor."""
    return line[i] == ":" and code.endswith(") ") and line[i + 1:i + 2] == " "


def tidy(code):
    """A declaration without attributes, moved to the left margin."""
    lines = [line.rstrip() for line in code.strip("\n").split("\n")]
    indent = len(lines[0]) - len(lines[0].lstrip())
    text = "\n".join(line[indent:] for line in lines)
    return re.sub(r"\[\[nodiscard\]\] |\bCHICANE_API |\binline ", "", text)


# --- declarations in their places ---------------------------------------------------------------------------


def declarations_of(header, entities):
    """Declarations of a header at namespace level; classes have theirs within them."""
    by_place = {}
    for e in sorted(entities, key=lambda e: e.line):
        by_place.setdefault((e.scope, header.first_line(e.line - 1)), []).append(e)
    made = {place: header.declaration(found) for place, found in by_place.items()}
    classes = {f"{d.entities[0].scope}::{d.name}": d for d in made.values() if d.kind in ("class", "struct")}
    for d in classes.values():
        d.members = header.sections(d.first) if d.entities[0].scope == "chicane" else [Section(d.first)]
    top = []
    for d in made.values():
        owner = classes.get(d.entities[0].scope)
        if owner is None:
            top.append(d)
            continue
        [s for s in owner.members if s.line <= d.first][-1].declarations.append(d)
    share_comments(header, top)
    for d in classes.values():
        for section in d.members:
            share_comments(header, section.declarations)
    return top


def share_comments(header, declarations):
    """Overloads that follow each other without a gap have the comment of the first."""
    for before, d in zip(declarations, declarations[1:]):
        gap = any(not header.raw(i) for i in range(before.first, d.first))
        alike = before.name == d.name or "operator" in before.name and "operator" in d.name
        if not d.comment and alike and not gap:
            d.comment = before.comment


def is_special(declaration, owner):
    """A member that says nothing by itself: copy, move, destructor, defaulted or deleted."""
    plain = owner.split("<")[0]
    return (re.search(r"=\s*(default|delete);$", declaration.signature) is not None or "~" in declaration.name
            or re.search(rf"\((const )?{re.escape(plain)}&&?\)", declaration.signature) is not None)


def faults_of(header, declarations, owner="", explained=False):
    for d in declarations:
        if not d.comment and not explained and not is_special(d, owner):
            names = ", ".join(e.name for e in d.entities)
            yield f"src/{header.name}:{d.entities[0].line}: {owner + '::' if owner else ''}{names} has no comment"
        for section in d.members:
            yield from faults_of(header, section.declarations, d.name, section.explained)
