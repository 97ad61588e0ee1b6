"""Hooks of mkdocs: put KaTeX, as Debian packages it, into the site, so that formulas need no network."""
import warnings
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

SHARED = Path("/usr/share/javascript")
NEEDED = ["katex/katex.min.css", "katex/katex.min.js", "katex/contrib/auto-render.js"]

# A template of the theme writes '\\s' where Python would have it '\\\\s'; it is read as meant.
warnings.filterwarnings("ignore", "invalid escape sequence", DeprecationWarning)


def on_files(files, config):
    missing = [name for name in NEEDED if not (SHARED / name).is_file()]
    fonts = sorted((SHARED / "katex/fonts").glob("*.woff2"))
    if missing or not fonts:
        raise PluginError(f"{SHARED / (missing[0] if missing else 'katex/fonts')} is missing: "
                          "install libjs-katex, or let ./dev docs do it")
    for name in NEEDED + [str(font.relative_to(SHARED)) for font in fonts]:
        files.append(File(name, str(SHARED), config["site_dir"], use_directory_urls=False))
    return files
