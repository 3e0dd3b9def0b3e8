"""The site: `make docs` builds it from these pages, the docstrings and the registries, offline."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))

import playout  # noqa: E402

project = "Playout"
author = "the Playout developers"
version = release = playout.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["site_pages"]
suppress_warnings = ["ref.python"]  # a parameter is called as two attributes are

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_numpy_docstring = True
napoleon_use_rtype = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "Playout"
html_static_path = ["static", "../playout/pictures/tokens.css"]
html_css_files = ["tokens.css", "site.css"]
html_show_sourcelink = False
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "show_prev_next": False,
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "navbar_end": ["theme-switcher"],
}
copyright = "the Playout developers"


def setup(app) -> None:
    """Make what the package itself says, before the pages are read."""
    from site_pages import links_to_pages, write_all

    def read(app, page: str, source: list[str]) -> None:
        if not page.startswith("generated/"):
            base = (HERE / page).parent
            up = "/".join([".."] * page.count("/")) or "."
            source[0] = links_to_pages(source[0], HERE.parent, base, up)

    app.connect("builder-inited", lambda app: write_all(HERE / "generated"))
    app.connect("source-read", read)
