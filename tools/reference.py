#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes doc/reference.md from the registries of the program.

usage: reference.py PATH-OF-DPDL-LIST > doc/reference.md
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "analysis"))

from dpdl_analysis.glossary import GLOSSARY
from dpdl_analysis.metrics import METRICS

HEAD = """# Reference of names

Everything that an option takes by name, as `./dpdl list KIND NAME` prints it. This page is written by
`tools/reference.py`, and a test holds it to the program. Options themselves: [options.md](options.md). Attributes and
trace sources: [dpdl.rst](../contrib/dpdl/doc/dpdl.rst). Views of a trace: [formats/trace.md](formats/trace.md).

## Words

What pages and tables call things; each page of a report has them too.

| word | meaning |
|---|---|
"""


def catalogue(program: str, *words: str) -> str:
    """Returns the output of `dpdl-list` for these arguments."""
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def kinds(program: str) -> dict[str, str]:
    """Returns the kinds of names, each with its one-line summary."""
    return dict(re.split(r"\s{2,}", line, maxsplit=1) for line in catalogue(program).splitlines())


def cell(text: str) -> str:
    """Escapes a text for a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("\n", " ")


def entry(part: dict[str, Any]) -> list[str]:
    """Returns the lines of the page about one name."""
    lines = [f"### {part['name']}", "", cell(part["summary"][:1].upper() + part["summary"][1:]) + "."]
    if part["source"]:
        lines += ["", f"Source: {cell(part['source'])}."]
    if part["parameters"]:
        lines += ["", "| parameter | default | meaning |", "|---|---|---|"]
    for parameter in part["parameters"]:
        name, default, meaning = (parameter[key] for key in ("name", "default", "meaning"))
        lines.append(f"| `{name}` | {cell(default)} | {cell(meaning)} |")
    return [*lines, ""]


def reference(program: str) -> str:
    """Returns the whole page in Markdown."""
    words = [(one.title, one.detail) for one in METRICS] + [(one[1], one[2]) for one in GLOSSARY]
    lines = [HEAD + "".join(f"| {word} | {cell(meaning)} |\n" for word, meaning in sorted(words))]
    for kind, meaning in kinds(program).items():
        lines += [f"## {kind.capitalize()}", "", f"{meaning.capitalize()}.", ""]
        for part in json.loads(catalogue(program, kind, "--json")):
            lines += entry(part)
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    sys.stdout.write(reference(sys.argv[1]))
