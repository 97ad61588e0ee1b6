#!/usr/bin/env python3
"""listing.py PAGE DIRECTORY: writes the project that a page lists, its cmake and cpp blocks."""
import re
import sys
from pathlib import Path

page, directory = Path(sys.argv[1]).read_text(encoding="utf-8"), Path(sys.argv[2])
directory.mkdir(parents=True, exist_ok=True)
for language, name in [("cmake", "CMakeLists.txt"), ("cpp", "main.cpp")]:
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    if len(blocks) != 1:
        sys.exit(f"the page has {len(blocks)} blocks of {language}, not one")
    (directory / name).write_text(blocks[0], encoding="utf-8")
