# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The file of a paper's study: printed numbers and their order; see doc/formats/study.md."""

import math
import tomllib
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

from dpdl_analysis.files import text_of
from dpdl_analysis.trace import UsageError

FILE = "study.toml"
"""Name of the copy of a study's file in the folder of its runs."""
MINUS = " - "
"""Separator of the two variants of a printed difference."""


@dataclass(frozen=True)
class Printed:
    """Published results of a paper's table or figure, with text about our runs."""

    title: str
    source: str
    differs: str
    """Text on differences between our runs and the paper's, even with `--full`."""
    reduced: str
    """Text on further reductions without `--full`."""
    data: str
    """Name of the paper's dataset for option --dataset, if the study uses another one; else ""."""
    full_data: bool
    """True if the study uses the paper's dataset with `--full`."""
    quantity: str
    unit: str
    factor: str
    """The factor whose levels [expect] orders; "" in a search of settings."""
    ranks: list[list[str]]
    """Levels of the ordered factor, the best first; levels in one inner list are not compared."""
    rest: list[str]
    """Names of the other varied factors."""
    published: dict[frozenset[tuple[str, str]], float]
    """Printed numbers, by the set of (factor, level) that identifies the variant."""
    differences: dict[tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str]]], float]
    """Printed differences, first variant minus second, by two sets of (factor, level)."""
    finding: str
    """Text for the page doc/results.md or doc/forensics.md."""
    search: dict[str, dict[str, str]]
    """A factor whose levels are settings that the paper leaves open, with the meaning by level."""

    def unlike(self, full: bool = False) -> str:
        """Text on differences from the paper's runs; `full`: of runs with `--full`."""
        parts = [f"Unlike in the paper: {self.differs}."]
        if self.reduced and not full:
            parts.append(f"Without `--full` also: {self.reduced}.")
        if self.data and not (full and self.full_data):
            option = "--full" if self.full_data else f"--dataset={self.data}"
            parts.append(f"With `{option} --dataDir=FOLDER` the runs take the paper's data, from "
                         "the folder of the original download.")
        return " ".join(parts)

    @property
    def order(self) -> list[str]:
        """All levels of the ordered factor, the best first."""
        return [item for rank in self.ranks for item in rank]

    @property
    def ordered(self) -> list[tuple[str, str]]:
        """Pairs (better, worse) of levels that the paper orders."""
        return [pair for above, below in combinations(self.ranks, 2)
                for pair in product(above, below)]

    def number(self, factors: dict[str, str]) -> float:
        """Printed number of the variant with these factors; nan if there is none."""
        found = [value for key, value in self.published.items() if key <= set(factors.items())]
        return found[0] if found else math.nan


def read(path: Path) -> Printed:
    """Reads the file of a paper's study. Raises UsageError if the file is missing or not valid."""
    try:
        content = tomllib.loads(text_of(path, "accepted is the folder of a paper's study"))
        search = {name: dict(values) for name, values in content.get("search", {}).items()}
        printed = content["published"] if search else content.get("published", {})
        if search and (len(search) > 1 or not set(search) <= set(content.get("vary", {}))):
            raise ValueError("[search.FACTOR] needs one FACTOR of [vary]")
        full_data = content.get("full", {}).get("dataset", "")
        apart = [text for text in printed if search and MINUS in text]
        factor, order = ("", []) if search else next(iter(content["expect"].items()))
        return Printed(
            content["title"],
            content["source"],
            content["differs"],
            content.get("reduced", ""),
            full_data or content.get("data", ""),
            bool(full_data),
            content.get("quantity", "accuracy_last_quarter"),
            content.get("unit", "%"),
            factor,
            [list(map(str, rank if isinstance(rank, list) else [rank])) for rank in order],
            [name for name in content.get("vary", {}) if name not in (factor, *search)],
            {_key(text): float(value) for text, value in printed.items() if text not in apart},
            {(_key(first), _key(second)): float(printed[text])
             for text in apart for first, second in [text.split(MINUS)]},
            content.get("finding", "").strip(),
            search,
        )
    except (ValueError, KeyError, TypeError, StopIteration, AttributeError, RecursionError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise UsageError(f"{path}: no study of a paper ({reason or 'empty table'}); "
                         "doc/formats/study.md says what one holds") from error


def _key(text: str) -> frozenset[tuple[str, str]]:
    """Set of (factor, level) from a text `NAME=VALUE, NAME=VALUE`."""
    pairs = [part.strip().partition("=") for part in text.split(",")]
    return frozenset((name, value) for name, _, value in pairs)
