#!/usr/bin/env python3
"""Checks that the pages below docs/ can be found and show what they name.

  check_docs.py [ROOT]       exit 1 and print a line for every fault
  check_docs.py --self-test  check that the faults of a made-up tree are found

Every page is linked in docs/index.md and stands in the nav of mkdocs.yml; what these two name exists;
every image that a page or the README names exists, and every image is named; every $$ has its partner.
Pages of the C++ interface are made from the installed headers when the site is built (api_pages.py).
"""
import re
import sys
import tempfile
from pathlib import Path

from api_headers import page_names

LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
IMAGES = {".png", ".svg", ".jpg", ".jpeg", ".gif", ".webp"}


def without_code(text):
    """The text with its code left out, fenced, indented or in a line."""
    fenced = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    indented = re.sub(r"(?<=\n\n)(?: {4}[^\n]*\n|\n(?= {4}))+", "", fenced)
    return re.sub(r"`[^`\n]*`", "", indented)


def links(page):
    """(is an image, file) of every link of a page to a file beside it."""
    for bang, target in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
        if "://" not in target and not target.startswith("mailto:"):
            yield bang == "!", (page.parent / target).resolve()


def nav_pages(config):
    """Pages named in the nav of mkdocs.yml, which is its last section."""
    nav = config.read_text(encoding="utf-8").partition("\nnav:")[2]
    return re.findall(r"^\s*-\s[^#\n]*?([\w./-]+\.md)\s*$", nav, re.M)


def generated_pages(root):
    """Pages that are not below docs/, but will be on the site."""
    if not (root / "cmake/ChicaneInstall.cmake").is_file():
        return set()
    return {(root / "docs/reference/api" / name).resolve() for name in page_names(root)}


def check(root):
    docs, config = root / "docs", root / "mkdocs.yml"
    index = docs / "index.md"
    pages = sorted(docs.rglob("*.md"))
    generated = generated_pages(root)
    faults = []

    listed = [file for is_image, file in links(index) if not is_image]
    in_nav = [(docs / name).resolve() for name in nav_pages(config)]
    for page in pages:
        name = page.relative_to(root)
        if page != index and page.resolve() not in listed:
            faults.append(f"{name} is not in docs/index.md")
        if page.resolve() not in in_nav:
            faults.append(f"{name} is not in the nav of mkdocs.yml")
    for page in in_nav:
        if not page.is_file():
            faults.append(f"mkdocs.yml names {page.name}, which does not exist")
        if in_nav.count(page) > 1:
            faults.append(f"mkdocs.yml names {page.name} more than once")

    shown = set()
    for page in pages + [p for p in [root / "README.md"] if p.is_file()]:
        name = page.relative_to(root)
        for is_image, file in links(page):
            shown.add(file)
            if not file.exists() and file not in generated:
                faults.append(f"{name} names {file.name}, which does not exist")
        if without_code(page.read_text(encoding="utf-8")).count("$$") % 2:
            faults.append(f"{name} has a $$ without its partner")
    for file in sorted(docs.rglob("*")):
        if file.suffix in IMAGES and file.resolve() not in shown:
            faults.append(f"{file.relative_to(root)} is shown nowhere")
    return sorted(set(faults))


def self_test():
    """Makes a tree with every kind of fault and one without, and compares."""
    wanted = ["README.md names lost.svg, which does not exist",
              "docs/a.md names lost.png, which does not exist",
              "docs/a.md names nothing.md, which does not exist",
              "docs/a.md has a $$ without its partner",
              "docs/b/hidden.md is not in docs/index.md",
              "docs/b/hidden.md is not in the nav of mkdocs.yml",
              "docs/images/unused.svg is shown nowhere",
              "mkdocs.yml names a.md more than once",
              "mkdocs.yml names gone.md, which does not exist"]
    bad = {"mkdocs.yml": "site_name: x\nnav:\n  - Home: index.md\n  - A: a.md\n  - A again: a.md\n"
                         "  - Gone: gone.md\n",
           "README.md": "![x](docs/images/lost.svg)\n",
           "docs/index.md": "[A](a.md#part) and [web](https://example.org/no.md)\n`[c](no.md)`\n",
           "cmake/ChicaneInstall.cmake": "foreach(\n header IN\n ITEMS chicane.hpp\n session/session.hpp)\n",
           "docs/a.md": "[s](reference/api/session.md) [n](reference/api/nothing.md)\n![p](images/lost.png)\n\n$$\nx\n\n    ![code](no.png) $$\n\n```\n$$\n```\n",
           "docs/b/hidden.md": "nothing\n", "docs/images/unused.svg": "<svg/>"}
    good = {"mkdocs.yml": "nav:\n  - Home: index.md\n  - Part:\n      - A: a.md\n".join(["x: y\n", ""]),
            "docs/index.md": "- [A](a.md)\n", "docs/a.md": "![p](images/p.svg)\n\n$$\nx\n$$\n",
            "docs/images/p.svg": "<svg/>"}
    status = 0
    for tree, expected in ((bad, wanted), (good, [])):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in tree.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            found = check(Path(folder))
        for fault in sorted(set(expected) ^ set(found)):
            print(f"{'missed' if fault in expected else 'not a fault'}: {fault}")
            status = 1
    return status


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    faults = check(root)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
