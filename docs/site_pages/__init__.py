"""What the site makes of the package while it is built: entries for all names, the gallery."""

from __future__ import annotations

from pathlib import Path

from .api import write_api
from .curves import write_curves
from .entries import write_entries
from .gallery import write_gallery
from .root_pages import links_to_pages, write_root_pages

__all__ = ["links_to_pages", "write_all"]


def write_all(folder: Path) -> None:
    """Write all pages that are made, into a folder that is not kept."""
    write_entries(folder)
    write_api(folder)
    write_gallery(folder)
    write_curves(folder)
    write_root_pages(folder)
