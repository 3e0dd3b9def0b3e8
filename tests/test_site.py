"""The site is built without a warning; every name has its entry, every picture its words."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
GUIDES = sorted([*DOCS.glob("*.md"), *DOCS.glob("tutorials/*.md"), *DOCS.glob("papers/*.md")])
PAGES = [*GUIDES, *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"))]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("sphinx", reason="Sphinx is missing")
    folder = tmp_path_factory.mktemp("site")
    words = ["-W", "--keep-going", "-q", "-b", "html", str(DOCS), str(folder)]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *words], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.long
def test_every_name_has_its_entry(site):
    sys.path.insert(0, str(DOCS))
    try:
        from site_pages.entries import PAGES as KINDS
    finally:
        sys.path.remove(str(DOCS))
    for page, (_, _, registries, _) in KINDS.items():
        found = re.findall(r'id="([^"]*)"', (site / f"generated/{page}.html").read_text())
        for registry in registries:
            for name in registry.listed():
                label = f"{page}-{registry.what}-{name}".replace(" ", "-").lower()
                assert label in found, f"{registry.what} {name} has no entry on {page}"
    import playout

    api = (site / "generated/api.html").read_text()
    for name in playout.__all__:
        if name not in ("__version__", "games", "problems", "zonnscan"):
            assert f'id="playout.{name}"' in api, name


@pytest.mark.long
def test_every_picture_has_words_and_every_link_a_place(site):
    ids: dict[Path, set[str]] = {}
    for page in site.rglob("*.html"):
        ids[page] = set(re.findall(r'\bid="([^"]+)"', page.read_text()))
    for page in ids:
        seen = Seen()
        seen.feed(page.read_text())
        assert not seen.without_words, f"{page.name}: {seen.without_words}"
        for link in seen.links:
            target, _, anchor = link.partition("#")
            if "://" in target or target.startswith(("mailto:", "javascript:")):
                continue
            place = (page.parent / target).resolve() if target else page
            assert place.exists(), f"{page.name}: {link}"
            if anchor and place in ids:
                assert anchor in ids[place], f"{page.name}: {link}"


@pytest.mark.long
def test_nothing_comes_from_elsewhere(site):
    for page in site.rglob("*.html"):
        text = page.read_text()
        found = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?://[^"]*)"', text)
        assert not found, f"{page.name}: {found}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lines_and_sentences_are_short(page):
    text = page.read_text()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):  # a row of a table is a line
            assert len(line) <= 200, f"{page.name}:{number} has {len(line)} characters"
    lengths = [len(sentence.split()) for sentence in sentences(text)]
    if lengths:
        assert sum(lengths) / len(lengths) < 20


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pictures_on_the_pages_have_words(page):
    for words, _ in re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", page.read_text()):
        assert words.strip()


LISTS = ("index.md", "guides.md", "reference.md", "how.md", "faq.md", "glossary.md")


@pytest.mark.parametrize(
    "page", [page for page in GUIDES if page.name not in LISTS], ids=lambda page: page.name
)
def test_a_page_begins_with_what_the_reader_can_do_after_it(page):
    lines = [line for line in page.read_text().splitlines() if line]
    assert lines[0].startswith("# ")
    assert lines[1].startswith("After this page ")


def sentences(text: str) -> list[str]:
    """What is prose: no code, table, heading; an item of a list is a paragraph."""
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    text = re.sub(r"`[^`]*`", "x", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    paragraphs = re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text)
    kept = []
    for paragraph in paragraphs:
        lines = [line for line in paragraph.splitlines() if not line.startswith(("|", "#"))]
        kept += re.split(r"(?<=[.!?])\s+", " ".join(lines).strip())
    return [sentence for sentence in kept if sentence]


class Seen(HTMLParser):
    """The links of a page, and its pictures without words."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.without_words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        if tag == "img" and not given.get("alt"):
            self.without_words.append(given.get("src") or "")
