#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds the documentation to the program and to the files that it points at.

usage: docs_check.py PATH-OF-LEARN PATH-OF-DPDL-LIST [unittest arguments]
"""

import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Iterator

LEARN = sys.argv.pop(1)
LIST = sys.argv.pop(1)
ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {".git", "build"}
"""Folders of the checkout whose pages are not the project's."""

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
OPTION = re.compile(r"^  --(\w+)(?:=\.\.\.)?$", re.MULTILINE)
DEFAULT = re.compile(r"; default: (.*)$", re.MULTILINE)
QUOTED = re.compile(
    r"`((?:contrib|test|scenarios)/\S+\.(?:cc|h|toml|py))`|^```(?:cpp|toml|python)\n(.*?)^```$",
    re.M | re.S,
)
FIRST_CELL = re.compile(r"^\|([^|\n]*)\|", re.MULTILINE)
RUN = re.compile(r"^\./dpdl run (\S+)((?:.*\\\n)*.*)$", re.MULTILINE)
GIVEN = re.compile(r"[\s\"']--(\w+)(?==| |$)", re.MULTILINE)
ROW = re.compile(r"^\| `(\w+)` \| *(.*?) *\|", re.MULTILINE)


def pages() -> Iterator[Path]:
    """All Markdown files of the checkout."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(set(folders) - SKIPPED)
        yield from (Path(folder) / name for name in sorted(files) if name.endswith(".md"))


def written() -> Iterator[Path]:
    """All sources and pages of the checkout but this file, which names the words."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(set(folders) - SKIPPED - {"LICENSES"})
        paths = (Path(folder) / name for name in sorted(files))
        yield from (path for path in paths if path.suffix in WRITTEN and path != Path(__file__))


def prose(page: Path) -> str:
    """A page without its blocks and pieces of code."""
    return CODE.sub("", FENCE.sub("", page.read_text(encoding="utf-8")))


def anchors(page: Path) -> set[str]:
    """What a link to a heading of the page may say behind #."""
    titles = HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def options_of_help() -> dict[str, str]:
    """Every option that `learn --help` lists, with its default ("" without one)."""
    text = subprocess.run([LEARN, "--help"], check=True, capture_output=True, text=True).stdout
    parts = OPTION.split(text)[1:]
    defaults = (DEFAULT.search(body) for body in parts[1::2])
    return dict(zip(parts[::2], (found.group(1) if found else "" for found in defaults)))


def available(kind: str) -> list[str]:
    """The names of a kind that can be chosen."""
    text = subprocess.run([LIST, kind, "--json"], check=True, capture_output=True, text=True).stdout
    return [part["name"] for part in json.loads(text) if part["available"]]


def described(page: Path) -> list[str]:
    """The headings of a page, and the code in the first cells of its tables."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    cells = (code[1:-1] for cell in FIRST_CELL.findall(text) for code in CODE.findall(cell))
    return [*HEADING.findall(text), *cells]


AVOIDED = re.compile(
    r"\b(nobod(?:y|ies)|somebod(?:y|ies)|whoever|for ever|by turns|errands?|pieces? of work)\b"
    r"|\b(?:besides|at hand)\b"
    r"|\bof one's own\b|\b(?:is|are|was|were) told of\b|\bto the (?:last )?bit\b"
    r"|, (?:too|as well)(?=[.;:,]|$)",
    re.IGNORECASE | re.MULTILINE,
)
"""Words that comments, messages and pages do not use: say who acts, or use the field's term."""
WRITTEN = {".cc", ".h", ".cu", ".py", ".sh", ".cmake", ".txt", ".toml", ".md", ".rst"}
"""Kinds of files whose words are looked at."""

FRONT_DOOR = {"config", "help", "ranks"}
"""Options that are not the program's: `./dpdl run` takes them, or every program has them."""


class DocsTest(unittest.TestCase):
    """Each test compares pages with what they describe."""

    def test_relative_links_resolve(self) -> None:
        broken, seen = [], 0
        for page in pages():
            for target in LINK.findall(prose(page)):
                if re.match(r"\w+:", target):
                    continue
                seen += 1
                path, _, anchor = target.partition("#")
                file = page.parent / path if path else page
                if not file.exists() or (anchor and anchor not in anchors(file)):
                    broken.append(f"{page.relative_to(ROOT)}: {target}")
        self.assertGreater(seen, 0)
        self.assertEqual(broken, [])

    def test_no_file_uses_a_word_to_avoid(self) -> None:
        """Comments, messages and pages use the words of the field."""
        found = [
            f"{path.relative_to(ROOT)}:{number}: {match.group(0)}"
            for path in written()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            for match in AVOIDED.finditer(line)
        ]
        self.assertEqual(found, [])

    def test_options_page_is_the_help_text(self) -> None:
        """doc/options.md has a row for each option, with its default, and no other row."""
        rows = ROW.findall((ROOT / "doc/options.md").read_text(encoding="utf-8"))
        names = [name for name, _ in rows]
        options = options_of_help()
        self.assertGreater(len(options), 0)
        self.assertEqual(sorted(names), sorted(options))
        self.assertEqual(dict(rows), options)

    def test_every_part_has_a_place_on_its_page(self) -> None:
        """A heading or the first cell of a row for each algorithm, model and dataset."""
        for kind in ("algorithms", "models", "datasets"):
            page = ROOT / "doc" / ("data.md" if kind == "datasets" else f"{kind}.md")
            with self.subTest(kind=kind):
                names = available(kind)
                self.assertGreater(len(names), 0)
                self.assertEqual(sorted(set(names) - set(described(page))), [])

    def test_walk_throughs_quote_the_files(self) -> None:
        """Each block of code is in the file that the page names last before it."""
        for page, least in (("doc/adding-a-mechanism.md", 4), ("doc/tutorial.md", 1)):
            file, blocks = "", 0
            for path, block in QUOTED.findall((ROOT / page).read_text(encoding="utf-8")):
                file = path or file
                if block:
                    blocks += 1
                    self.assertIn(block, (ROOT / file).read_text(encoding="utf-8"), file)
            self.assertGreaterEqual(blocks, least, page)

    def test_reference_is_what_the_program_lists(self) -> None:
        """doc/reference.md is up to date; tools/reference.py writes it."""
        tool = [sys.executable, str(ROOT / "tools/reference.py"), LIST]
        written = subprocess.run(tool, check=True, capture_output=True, text=True).stdout
        self.assertEqual(written, (ROOT / "doc/reference.md").read_text(encoding="utf-8"))

    def test_commands_run_what_is_there(self) -> None:
        """Every `./dpdl run` of a page names a program, and options that `learn` has."""
        programs = {file.stem for files in ("scenarios/*.cc", "contrib/dpdl/examples/*.cc",
                                            "scenarios/studies/*.toml", "scenarios/papers/*")
                    for file in ROOT.glob(files)}
        options, seen = set(options_of_help()), 0
        for page in pages():
            for name, rest in RUN.findall(page.read_text(encoding="utf-8")):
                seen += 1
                with self.subTest(page=page.relative_to(ROOT), command=name + rest):
                    self.assertIn(name, {*programs, "NAME", "PAPER"})
                    if name == "learn":
                        command = rest.partition("#")[0]
                        self.assertEqual(set(GIVEN.findall(command)) - options - FRONT_DOOR, set())
        self.assertGreater(seen, 20)

    def test_the_citation_has_the_version_of_the_build(self) -> None:
        [version] = re.findall(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.M)
        self.assertIn(f"project(dpdl VERSION {version}", (ROOT / "CMakeLists.txt").read_text())

    def test_handbook_names_every_option(self) -> None:
        text = (ROOT / "contrib/dpdl/doc/dpdl.rst").read_text(encoding="utf-8")
        missing = [name for name in options_of_help() if f"``{name}``" not in text]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
