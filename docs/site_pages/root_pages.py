"""Pages at the root of the repository, where people look first, are pages of the site too."""

from __future__ import annotations

import re
from pathlib import Path

PAGES = {
    "CONTRIBUTING.md": "contributing",
    "CHANGELOG.md": "changelog",
    "SECURITY.md": "security",
    "bench/README.md": "figures",
}


def write_root_pages(folder: Path) -> None:
    """Copy the pages, with links that hold where they stand now."""
    root = Path(__file__).parent.parent.parent
    for file, page in PAGES.items():
        text = (root / file).read_text()
        (folder / f"{page}.md").write_text(links_to_pages(text, root, (root / file).parent, ".."))


def links_to_pages(text: str, root: Path, base: Path, up: str) -> str:
    """Let links to files be links to pages; what is no page is named and not linked."""

    def link(found: re.Match[str]) -> str:
        words, target, anchor = found[1], found[2], found[3] or ""
        if "://" in target or not target:
            return found[0]
        path = (base / target).resolve()
        if not path.is_relative_to(root):
            return found[0]
        name = path.relative_to(root).as_posix()
        if name in PAGES:
            return f"[{words}]({up}/generated/{PAGES[name]}.md{anchor})"
        if name.startswith("docs/") and name.endswith(".md"):
            return f"[{words}]({up}/{name.removeprefix('docs/')}{anchor})"
        return f"{words} (`{name}`)"

    return re.sub(r"(?<!!)\[([^\]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)", link, text)
