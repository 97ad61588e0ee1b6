"""Hooks of mkdocs: put into the site what is not in docs/: KaTeX, as Debian packages it, so that formulas need no
network, and the pages of the C++ interface, written from the installed headers."""
import re
import shutil
import sys
import tempfile
import warnings
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).resolve().parent))
import api_pages  # noqa: E402  (stands beside this file)

SHARED = Path("/usr/share/javascript")
NEEDED = ["katex/katex.min.css", "katex/katex.min.js", "katex/contrib/auto-render.js"]
API = "reference/api"

# A template of the theme writes '\\s' where Python would have it '\\\\s'; it is read as meant.
warnings.filterwarnings("ignore", "invalid escape sequence", DeprecationWarning)


class Api:
    """Pages of the C++ interface, made anew for every build."""

    def __init__(self):
        if not shutil.which("doxygen"):
            raise PluginError("doxygen is missing: install it, or let ./dev docs do it")
        pages, self.texts, self.links, faults = api_pages.make(api_pages.ROOT)
        if faults:
            raise PluginError("installed headers:\n" + "\n".join(faults))
        self.nav = [{"Overview": f"{API}/index.md"}] + [{page.title: f"{API}/{page.stem}.md"} for page in pages]
        self.folder = tempfile.TemporaryDirectory()
        for name, text in self.texts.items():
            file = Path(self.folder.name) / API / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


api = None  # of the build that is going on


def on_config(config):
    global api
    api = Api()
    reference = next(entry["Reference"] for entry in config["nav"] if "Reference" in entry)
    reference[:] = [entry for entry in reference if "C++ interface" not in entry] + [{"C++ interface": api.nav}]
    return config


def on_files(files, config):
    missing = [name for name in NEEDED if not (SHARED / name).is_file()]
    fonts = sorted((SHARED / "katex/fonts").glob("*.woff2"))
    if missing or not fonts:
        raise PluginError(f"{SHARED / (missing[0] if missing else 'katex/fonts')} is missing: "
                          "install libjs-katex, or let ./dev docs do it")
    for name in NEEDED + [str(font.relative_to(SHARED)) for font in fonts]:
        files.append(File(name, str(SHARED), config["site_dir"], use_directory_urls=False))
    for name in api.texts:
        files.append(File(f"{API}/{name}", api.folder.name, config["site_dir"], use_directory_urls=False))
    return files


def on_page_content(content, page, config, files):
    """In the code of the C++ interface types are links."""
    return api_pages.link_code(content, api.links) if page.file.src_uri.startswith(API + "/") else content


def on_post_build(config):
    """Links lead to headings that are there: mkdocs itself only looks for the pages."""
    site = Path(config["site_dir"]).resolve()
    texts = {file: file.read_text(encoding="utf-8") for file in site.rglob("*.html") if file.name != "404.html"}
    anchors = {file: set(re.findall(r'\b(?:id|name)="([^"]+)"', text)) for file, text in texts.items()}
    faults = set()
    for file, text in texts.items():
        for target, anchor in re.findall(r'<a [^>]*href="([^"#:]*)#([^"]+)"', text):
            page = (file.parent / target).resolve() if target else file
            if anchor not in anchors.get(page, ()):
                faults.add(f"{file.relative_to(site)}: no place '{target}#{anchor}'")
    if faults:
        raise PluginError("links that lead nowhere:\n" + "\n".join(sorted(faults)))
