# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""An HTML page as the tests see it."""

from collections import Counter
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "link", "input"}
REQUESTING = (
    "link", "img", "iframe", "object", "embed", "audio", "video", "source", "base", "image"
)
"""Tags that make a browser ask for more."""
LOADING = {"src", "href", "xlink:href", "data", "action", "poster", "srcset"}


class Page(HTMLParser):
    """Parses a page, and keeps what is wrong with its nesting, its ids, links and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open_tags: list[str] = []
        self.faults: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.tags: Counter[str] = Counter()
        self.cells: list[str] = []
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is not closed" for tag in self.open_tags]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open_tags.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            if name == "id":
                self.ids[value or ""] += 1
            if name in LOADING:
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        if not self.open_tags or self.open_tags.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        if self.open_tags and self.open_tags[-1] == "td":
            self.cells.append(data.strip())
