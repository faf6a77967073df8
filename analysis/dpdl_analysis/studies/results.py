# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the pages doc/results.md and doc/forensics.md from the records of the papers' studies."""

import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dpdl_analysis.studies import forensics
from dpdl_analysis.studies.orders import counted, pairs_of, verdict
from dpdl_analysis.studies.paper import range_of, values_of, values_table
from dpdl_analysis.studies.published import Printed, read
from dpdl_analysis.studies.record import Record, load, record_of

TEMPLATE = "results.toml"
"""File in the folder `tools` with the text of both pages and the order of the papers."""


@dataclass(frozen=True)
class _Study:
    """A paper's study: its file, and the record of its runs."""

    paper: str
    path: Path
    printed: Printed

    @property
    def name(self) -> str:
        return self.path.stem

    @cached_property
    def record(self) -> Record | None:
        """Record of the study's runs; None if there is none."""
        path = record_of(self.path)
        return load(path, self.path) if path.exists() else None

    @property
    def command(self) -> str:
        """Command that makes the study's runs at the recorded size."""
        full = " --full" if self.record and self.record.size == "full" else ""
        data = " --dataDir=FOLDER" if full and self.printed.full_data else ""
        return f"./dpdl run {self.paper} --study={self.name}{full}{data}"

    @property
    def heading(self) -> str:
        """Heading of the study's section: its title up to the colon."""
        return self.printed.title.partition(":")[0]

    @property
    def about(self) -> str:
        """First line of the study's section: its title after the colon, and the command."""
        _, _, text = self.printed.title.partition(": ")
        text = text or self.printed.title
        return f"{_capital(text)}. `{self.command}`"


def results_page(root: Path) -> str:
    """Text of doc/results.md of the clone `root`. Raises UsageError if a record is not valid."""
    template = _template(root)
    sections, rows = [], []
    for paper, words in template["papers"].items():
        sections.append(f"## {words['name']}\n\n{words['text'].strip()}")
        for study in _studies(root, paper):
            if study.printed.search:
                continue
            label, numbers, body = _judged(study)
            name = f"{study.printed.title.partition(',')[0]} {study.name}"
            rows.append(f"| {name} | {label} | {numbers} |")
            sections.append(f"### {study.heading}\n\n{study.about}\n\n{body}")
    table = "\n".join(["| experiment | verdict | in numbers |", "|---|---|---|", *rows])
    return "\n\n".join([template["head"].strip(), f"## Verdicts\n\n{table}", *sections]) + "\n"


def forensics_page(root: Path) -> str:
    """Text of doc/forensics.md of the clone `root`. Raises UsageError if a record is not valid."""
    template = _template(root)
    sections = [template["forensics"].strip()]
    for paper in template["papers"]:
        sections += [_searched(study) for study in _studies(root, paper) if study.printed.search]
    return "\n\n".join(sections) + "\n"


def figures(root: Path) -> dict[Path, forensics.Study]:
    """Studies with the figures of doc/forensics.md, by the path of the figure."""
    studies = [study for paper in _template(root)["papers"] for study in _studies(root, paper)]
    return {root / "doc" / _figure(study): forensics.study(study.printed, study.record.campaign)
            for study in studies if study.printed.search and study.record}


def _template(root: Path) -> dict:
    return tomllib.loads((root / "tools" / TEMPLATE).read_text(encoding="utf-8"))


def _studies(root: Path, paper: str) -> list[_Study]:
    paths = (root / "scenarios" / "papers" / paper).glob("*.toml")
    found = [_Study(paper, path, read(path)) for path in paths]
    return sorted(found, key=lambda study: (not study.name.startswith("table"), study.name))


def _figure(study: _Study) -> str:
    return f"{study.name}-{study.paper}.svg"


def _judged(study: _Study) -> tuple[str, str, str]:
    """(verdict, numbers for the table of verdicts, text of the section) of a study."""
    record = study.record
    if record is None:
        told = f"Its runs have not been made: `{study.command}` makes them."
        return "not run", "", "\n\n".join(filter(None, [told, study.printed.finding]))
    runs = values_of(study.printed, record.campaign.runs)
    pairs = pairs_of(study.printed, runs)
    privacy = _privacy(study.printed, runs)
    label = verdict(pairs)
    numbers = f"{counted(pairs)}; {privacy}; {_effort(record)}"
    told = f"**{_capital(label)}**: {counted(pairs)}. {_capital(privacy)}. {_made(record)}"
    table = values_table(study.printed, runs, record.size == "full")
    table.title = ""
    parts = [told, table.as_markdown(), study.printed.finding]
    return label, numbers, "\n\n".join(filter(None, parts))


def _privacy(printed: Printed, runs) -> str:
    own = runs[runs[printed.factor].isin(printed.order)]
    return (f"claimed epsilon {range_of(own['epsilon_claimed'])}, "
            f"certified {range_of(own['epsilon_certified'])}")


def _effort(record: Record) -> str:
    seeds = record.campaign.runs["run"].nunique()
    return f"{seeds} seed{'s' * (seeds > 1)}, {record.hours:.2g} CPU hours"


def _made(record: Record) -> str:
    size = "the full size" if record.size == "full" else "the reduced size"
    return f"Runs of {record.date} at {size}: {_effort(record)}."


def _searched(study: _Study) -> str:
    record = study.record
    head = f"## {study.heading}\n\n`{study.command}`"
    if record is None:
        text = f"**Not run**; the command makes its runs. {study.printed.finding}"
        return f"{head}\n\n{text.rstrip()}"
    found = forensics.fits(study.printed, record.campaign.runs)
    said = forensics.answer(found)
    tables = [forensics.fits_table(study.printed, found), forensics.cells_table(found[0])]
    tables[0].title = ""
    parts = [head, f"**{_capital(said)}** {_made(record)}", study.printed.finding,
             f"![printed and our numbers of every setting]({_figure(study)})",
             *(table.as_markdown() for table in tables),
             study.printed.unlike(record.size == "full")]
    return "\n\n".join(filter(None, parts))


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
