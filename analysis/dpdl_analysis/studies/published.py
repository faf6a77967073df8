# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The file of a paper's study: what was printed, and in which order; doc/formats/study.md."""

import math
import tomllib
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

from dpdl_analysis.files import text_of
from dpdl_analysis.trace import UsageError

FILE = "study.toml"
"""Its copy in the folder of the runs."""
MINUS = " - "
"""Between the two variants of a printed difference."""


@dataclass(frozen=True)
class Printed:
    """What the paper says of the results, and what is said about ours."""

    title: str
    source: str
    differs: str
    """How its runs differ from the paper's, also with `--full`."""
    reduced: str
    """What more is smaller without `--full`."""
    data: str
    """The paper's dataset, as in `--dataset`, where the study takes another; empty: it does not."""
    full_data: bool
    """Whether the study takes it with `--full`."""
    quantity: str
    unit: str
    factor: str
    """The factor that [expect] orders; empty in a search of settings."""
    ranks: list[list[str]]
    """Its items, the best first; those of one rank are not compared."""
    rest: list[str]
    """The other factors."""
    published: dict[frozenset[tuple[str, str]], float]
    """Printed numbers by the factors that they belong to."""
    differences: dict[tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str]]], float]
    """Printed differences, the first variant minus the second."""
    finding: str
    """Prose for the page."""
    search: dict[str, dict[str, str]]
    """A factor whose values are settings that the paper leaves open, and what each means."""

    def unlike(self, full: bool = False) -> str:
        """How the runs differ from the paper's; full: those with `--full` alone."""
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
        """All items of the ordered factor, rank after rank."""
        return [item for rank in self.ranks for item in rank]

    @property
    def ordered(self) -> list[tuple[str, str]]:
        """The pairs of items that the paper puts in an order."""
        return [pair for above, below in combinations(self.ranks, 2)
                for pair in product(above, below)]

    def number(self, factors: dict[str, str]) -> float:
        """The printed number of a variant, nan if there is none."""
        found = [value for key, value in self.published.items() if key <= set(factors.items())]
        return found[0] if found else math.nan


def read(path: Path) -> Printed:
    """Reads a study's file. Raises UsageError if there is none, or not of a paper."""
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
    """The factors of `NAME=VALUE, NAME=VALUE`."""
    pairs = [part.strip().partition("=") for part in text.split(",")]
    return frozenset((name, value) for name, _, value in pairs)
