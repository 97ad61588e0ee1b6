#!/usr/bin/env python3
"""Writes the pages of the C++ interface from the headers that are installed.

  api_pages.py FOLDER       write the pages there; exit 1 and print a line for every fault
  api_pages.py --check      print the faults only
  api_pages.py --self-test  check reader, rules and pages with a made-up header; needs no doxygen

A public declaration without a comment is a fault; api_headers.py says which comment belongs to what.
"""
import html
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from api_headers import Header, declarations_of, faults_of, installed_headers, is_special, read_xml, run_doxygen

ROOT = Path(__file__).resolve().parent.parent
INTRODUCTION = """# C++ interface

What `#include <chicane/chicane.hpp>` gives to a program, all of it in `namespace chicane`: a page for each installed
header, written from its declarations and comments. How to build and install, with a first program:
[Use the library from C++](../../howto/cpp.md). Numbers are SI unless a comment says otherwise; attributes such as
`[[nodiscard]]` are left out of the signatures.
"""


# --- pages --------------------------------------------------------------------------------------------------


@dataclass
class Page:
    header: Header
    declarations: list

    @property
    def stem(self):
        return Path(self.header.name).stem

    @property
    def title(self):
        return self.stem.replace("_", " ").capitalize()


class Anchors:
    """Identifiers of headings as mkdocs makes them."""

    def __init__(self):
        self.used = set()

    def add(self, heading):
        base = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())
        made, count = base, 0
        while made in self.used:
            count += 1
            made = f"{base}_{count}"
        self.used.add(made)
        return made


class Writer:
    """Writes a page; the first pass finds out where types stand, the second has links to them."""

    def __init__(self, page, links):
        self.page, self.links = page, links
        self.lines, self.anchors, self.types = [], Anchors(), {}

    def write(self):
        self.heading(1, self.page.title)
        self.add(f"`#include <chicane/{self.page.header.name}>`, or all with `chicane.hpp`.")
        self.prose(self.page.header.introduction())
        for group in grouped(self.page.declarations):
            self.declared(group, 2)
        return "\n".join(self.lines)

    def heading(self, level, text):
        self.add("#" * level + " " + html.escape(text))
        return self.anchors.add(text)

    def add(self, text):
        self.lines += [text, ""]

    def declared(self, group, level, owner=""):
        first = group[0]
        if first.is_type:
            anchor = self.heading(level, first.name)
            self.types.setdefault(first.name if not owner else f"{owner}::{first.name}",
                                  f"{self.page.stem}.md#{anchor}")
        else:
            self.heading(level, "Constructors" if first.name == owner.split("<")[0] else first.name)
        self.signature(group)
        self.prose(first.comment)
        if level == 2:
            self.lines[-2] += f"\n<small>[source]({self.page.stem}-source.md#__codelineno-0-{first.entities[0].line})</small>"
        for section in first.members:
            self.section(section, level + 1, first.name)

    def signature(self, group):
        self.add("```cpp\n" + "\n".join(d.signature for d in group) + "\n```")

    def section(self, section, level, owner):
        if section.title and section.declarations:
            self.heading(level, section.title[0].upper() + section.title[1:])
            level += 1
            self.prose(section.text)
        for group in grouped(section.declarations, owner, section.explained):
            if group[0].kind == "variable":
                self.table(group)
            elif is_special(group[0], owner) or not group[0].comment:
                self.signature(group)
            else:
                self.declared(group, level, owner)

    def table(self, variables):
        rows = [f"| <code>{self.linked_code(v.signature.rstrip(';'))}</code> | {self.linked(' '.join(v.comment))} |"
                for v in variables]
        self.add("\n".join(["| member | meaning |", "| --- | --- |"] + rows))

    def linked_code(self, code):
        code = html.escape(" ".join(code.split()), quote=False).replace("|", "&#124;")
        return re.sub(r"\b[A-Z]\w+\b", lambda m: self.anchor_tag(m.group()), code)

    def anchor_tag(self, name):
        target = self.links.get(name)
        return f'<a href="{target.replace(".md", ".html")}">{name}</a>' if target else name

    def prose(self, comment):
        """A comment as Markdown: what is indented in it stays as it is, the rest flows."""
        lines, code = [], False
        for line in comment:
            indented = line.startswith("  ")
            if indented and not code:
                lines += ["", "```text"]
            if code and not indented:
                lines += ["```", ""]
            code = indented
            lines.append(line[2:] if indented else line.strip())
        if code:
            lines.append("```")
        if lines:
            blocks = re.split(r"(```text\n.*?\n```)", sentence("\n".join(lines).strip()), flags=re.S)
            self.add("".join(b if b.startswith("```") else self.linked(b) for b in blocks))

    def linked(self, text):
        """Prose with code and types marked as such."""
        parts = re.split(r"(`[^`]*`|\b[a-z_]\w*\([^()]*\)|\b[A-Z]\w+(?:::\w+)?\b)", text)
        for i, part in enumerate(parts):
            name = part.strip("`")
            target = self.links.get(name.split("::")[0])
            if target and (part != name or re.search("[a-z][A-Z]|::", name)):
                parts[i] = f"[`{name}`]({target})"
            elif i % 2 and part.endswith(")"):
                parts[i] = f"`{part}`"
            elif not part.startswith("`"):
                parts[i] = escaped(part)
        return "".join(parts)


def sentence(text):
    """What stands behind a declaration is often no whole one."""
    begins = text[:1].upper() if re.match(r"(a|[a-z]{2,})[\s,;:]", text) else text[:1]
    return begins + text[1:] + ("" if text[-1:] in ".:`" else ".")


def escaped(text):
    return re.sub(r"([\\`*_\[\]<>|$])", r"\\\1", text)


def grouped(declarations, owner="", explained=False):
    """Declarations that are shown together: variables, overloads with one comment, special members."""
    groups = []
    for d in declarations:
        last = groups[-1][-1] if groups else None
        both = last is not None and not d.is_type and not last.is_type
        variables = both and owner and d.kind == "variable" == last.kind
        overloads = both and d.kind != "variable" and d.comment == last.comment and (
            d.name == last.name or "operator" in d.name and "operator" in last.name or explained)
        special = both and is_special(d, owner) and is_special(last, owner)
        if variables or special or overloads and not is_special(d, owner) and not is_special(last, owner):
            groups[-1].append(d)
        else:
            groups.append([d])
    return groups


def read_pages(root, entities):
    """A page for every header that declares something, and headers that should and do not."""
    pages, silent = [], []
    for name in installed_headers(root):
        path = root / "src" / name
        header = Header(name, path.read_text(encoding="utf-8"))
        declared = declarations_of(header, [e for e in entities if root / e.file == path])
        if declared:
            pages.append(Page(header, declared))
        elif "namespace" in header.text:
            silent.append(header)
    return pages, silent


def index_page(pages, links):
    lines = [INTRODUCTION, "| page | declares |", "| --- | --- |"]
    for page in pages:
        names = dict.fromkeys(d.name for d in page.declarations)
        shown = ", ".join(f"[`{n}`]({links[n]})" if n in links else f"`{n}`" for n in names)
        lines.append(f"| [{page.title}]({page.stem}.md) | {shown} |")
    return "\n".join(lines) + "\n"


def source_page(page):
    return ("---\nsearch:\n  exclude: true\n---\n"
            f"# {page.header.name}\n\nDescribed in [{page.title}]({page.stem}.md).\n\n"
            f'```cpp linenums="1"\n{page.header.text.rstrip()}\n```\n')


def texts_of(pages):
    """File names and texts of all pages, and where each type stands."""
    links = {}
    for page in pages:
        writer = Writer(page, {})
        writer.write()
        for name, target in writer.types.items():
            links.setdefault(name, target)
    texts = {"index.md": index_page(pages, links)}
    for page in pages:
        texts[page.stem + ".md"] = Writer(page, links).write()
        texts[page.stem + "-source.md"] = source_page(page)
    return texts, links


def make(root):
    """Pages, their texts, where types stand, and what is wrong with the headers."""
    with tempfile.TemporaryDirectory() as folder:
        entities = run_doxygen(root, folder)
    pages, silent = read_pages(root, entities)
    texts, links = texts_of(pages)
    faults = [f"src/{header.name}: doxygen finds no declaration" for header in silent]
    return pages, texts, links, faults + [f for page in pages for f in faults_of(page.header, page.declarations)]


def link_code(content, links):
    """The HTML of a page with its code's types made links."""
    def link(match):
        target = links.get(match.group(2))
        shown = match.group()
        return f'<a class="api" href="{target.replace(".md", ".html")}">{shown}</a>' if target else shown

    return re.sub(r'<span class="(n|nc|nf)">(\w+)</span>', link, content)


SAMPLE_XML = """<doxygen>
<compounddef kind="class" prot="public"><compoundname>chicane::Gear</compoundname>
<memberdef kind="function" prot="public"><name>Gear</name><location file="g.hpp" line="16"/></memberdef>
<memberdef kind="function" prot="public"><name>Gear</name><location file="g.hpp" line="17"/></memberdef>
<memberdef kind="function" prot="public"><name>turn</name><location file="g.hpp" line="21"/></memberdef>
<memberdef kind="function" prot="public"><name>turn</name><location file="g.hpp" line="23"/></memberdef>
<memberdef kind="function" prot="public"><name>turn</name><location file="g.hpp" line="24"/></memberdef>
<memberdef kind="function" prot="public"><name>lost</name><location file="g.hpp" line="25"/></memberdef>
<memberdef kind="variable" prot="public"><name>a</name><location file="g.hpp" line="26"/></memberdef>
<memberdef kind="variable" prot="public"><name>b</name><location file="g.hpp" line="26"/></memberdef>
<memberdef kind="friend" prot="public"><name>operator+</name><location file="g.hpp" line="31"/></memberdef>
<memberdef kind="function" prot="private"><name>hidden</name><location file="g.hpp" line="34"/></memberdef>
<location file="g.hpp" line="14"/></compounddef>
<compounddef kind="namespace"><compoundname>chicane</compoundname>
<memberdef kind="enum" prot="public"><name>Side</name><location file="g.hpp" line="7"/></memberdef>
<memberdef kind="function" prot="public"><name>mesh</name><location file="other.cpp" line="1"
 declfile="g.hpp" declline="37"/></memberdef>
</compounddef></doxygen>"""

SAMPLE_HEADER = """// SPDX-License-Identifier: Apache-2.0
#pragma once
// About gears.
namespace chicane {

// Where it is.
enum class Side {
  left,  // as seen by the driver
};

// A wheel with teeth. See Side, SideBySide and [s].
//
template <class T>
class CHICANE_API Gear {
 public:
  Gear(const Gear&) = delete;
  explicit Gear(T teeth) : teeth_(teeth) {}  // NOLINT

  // --- moving; by angles ---
  // By an angle, as `turn` says: f(x).
  [[nodiscard]] double turn(double by,
                            std::vector<Side> side = {}) const;
  double turn() const { return a; }  // no more
  double turn(int teeth) const;
  void lost();
  double a = 0, b = {};  // [m] of a Side

  // --- sums ---
  // As of numbers.

  friend Gear operator+(Gear x, Gear y) { return {x.a + y.a}; }

 private:
  void hidden();
};

CHICANE_API bool mesh(const Gear<int>& gear);

}  // namespace chicane
"""

SAMPLE_FAULTS = ["src/g.hpp:17: Gear::Gear has no comment", "src/g.hpp:25: Gear::lost has no comment",
                 "src/g.hpp:37: mesh has no comment"]

SAMPLE_PARTS = [
    "# G\n", "About gears.", "enum class Side {\n  left,  // as seen by the driver\n};",
    "```cpp\ntemplate <class T>\nclass Gear\n```", "See Side, SideBySide and \\[s\\].",
    "```cpp\nGear(const Gear&) = delete;\n```", "explicit Gear(T teeth);\n```", "### Moving\n\nBy angles.",
    "#### turn\n\n```cpp\ndouble turn(double by,\n                          std::vector<Side> side = {}) const;\n```\n\n"
    "By an angle, as `turn` says: `f(x)`.", "double turn() const;\ndouble turn(int teeth) const;\n```\n\nNo more.",
    '| <code>double a = 0, b = {}</code> | \\[m\\] of a Side |',
    "### Sums\n\nAs of numbers.\n\n```cpp\nfriend Gear operator+(Gear x, Gear y);\n```", "## mesh"]


def self_test():
    """Reads a made-up header with every kind of fault and compares faults and page."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sample.xml"
        file.write_text(SAMPLE_XML, encoding="utf-8")
        entities = read_xml([file])
    header = Header("g.hpp", SAMPLE_HEADER)
    page = Page(header, declarations_of(header, entities))
    found, status = list(faults_of(header, page.declarations)), 0
    for fault in sorted(set(SAMPLE_FAULTS) ^ set(found)):
        print(f"{'missed' if fault in SAMPLE_FAULTS else 'not a fault'}: {fault}")
        status = 1
    texts, links = texts_of([page])
    for part in SAMPLE_PARTS:
        if part not in texts["g.md"]:
            print(f"missing in the page: {part!r}")
            status = 1
    linked = link_code('<span class="n">Gear</span><span class="n">Gears</span>', links)
    if "hidden" in texts["g.md"] or linked.count("<a ") != 1 or links.get("Gear") != "g.md#gear":
        print("a private member is shown, or a link is wrong")
        status = 1
    if installed_headers(ROOT)[0] != "session/session.hpp":
        print("the list of installed headers is not found")
        status = 1
    return status


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) != 1:
        print(__doc__)
        return 2
    _, texts, _, faults = make(ROOT)
    if arguments != ["--check"]:
        folder = Path(arguments[0])
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
