# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The file of a sweep; doc/formats/sweep.md describes it."""

from __future__ import annotations

import difflib
import math
import tomllib
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NoReturn

from dpdl_analysis.sweep.lines import Key, line_of
from dpdl_analysis.trace import UsageError

Words = dict[str, str]
"""Names with their values, as they would stand on the command line."""

TEXTS = ("title", "scenario", "outputDir")
TABLES = ("settings", "full", "vary", "where")
LISTS = ("zip", "also")
STUDY = ("source", "reduced", "quantity", "unit", "expect", "published")
"""What the file of a study has besides; a sweep leaves it alone."""
REPETITIONS, SEEDS = "repetitions", "seeds"
MOST_REPETITIONS = 10_000
MOST_RUNS, MOST_NAMES, MOST_BYTES = 100_000, 100, 1_000_000
LARGEST = 2**31 - 1
"""The largest seed and run number."""


@dataclass(frozen=True)
class Word:
    """An option's value, and where the file says so."""

    name: str
    value: str
    key: Key


@dataclass(frozen=True)
class Variant:
    """What is varied in some of the runs, and the options that follow from it."""

    factors: Words
    changes: Words


class SweepFile:
    """What a sweep consists of."""

    def __init__(self, path: Path, full: bool = False) -> None:
        """Reads `path`, with what its table `full` changes if `full`.

        Raises UsageError naming file and line.
        """
        self.path = path
        self._read()
        self.title = self._text("title", path.stem)
        self.scenario = self._text("scenario", "learn")
        self.output = self._text("outputDir", f"{path.stem}-results")
        tables = ["settings", "full"] if full else ["settings"]
        shared = {word.name: word for name in tables for word in self._words((name,), True)}
        self.repetitions = self._repetitions(shared.pop(REPETITIONS, None))
        self.seeds = self._seeds(full)
        self._shared = list(shared.values())
        self._rules = [
            (self._factors(text), self._words(("where", text)))
            for text in self._table(("where",))
        ]
        self._groups = self._crossed_groups()
        self._also = [self._words(("also", index)) for index in range(len(self._list("also")))]
        if not self._groups and not self._also:
            raise UsageError(f"file '{self.path}': expected a table [vary], or lists [[zip]] or "
                             "[[also]]")
        self._check_size()

    @property
    def settings(self) -> Words:
        """Options of all runs."""
        return {word.name: word.value for word in self._shared}

    @property
    def option_words(self) -> list[Word]:
        """Everything in the file that sets an option, in its order, with labels of variants."""
        varied = [word for group in self._groups for words in group for word in words]
        varied += [word for words in self._also for word in words]
        return self._shared + varied + [word for _, words in self._rules for word in words]

    @property
    def labels(self) -> set[str]:
        """Names that the keys of `where` speak of."""
        return {name for factors, _ in self._rules for name in factors}

    @property
    def factors(self) -> list[str]:
        """Names of what is varied, in the order of the file."""
        words = [word for group in self._groups for word in group[0]]
        words += [word for also in self._also for word in also]
        return list(dict.fromkeys(word.name for word in words))

    def variants(self) -> list[Variant]:
        """All combinations of what is varied, the last factor changes fastest, then `also`."""
        crossed = [[word for words in row for word in words] for row in product(*self._groups)]
        found = [] if not self._groups else crossed
        variants, seen = [], set()
        for words in found + self._also:
            factors = {word.name: word.value for word in words}
            key = frozenset(factors.items())
            if key in seen:
                shown = ", ".join(f"{name}={value}" for name, value in factors.items())
                self.refuse(words[-1].key, f"each variant once, there are two of {shown}")
            seen.add(key)
            changes: Words = {}
            for wanted, options in self._rules:
                if wanted.items() <= factors.items():
                    changes.update((word.name, word.value) for word in options)
            variants.append(Variant(factors, changes))
        return variants

    def refuse(self, key: Key, accepted: str, item: str = "") -> NoReturn:
        """Raises the UsageError that what stands there is not accepted."""
        raise UsageError(f"{self.where(key, item)}: expected {accepted}")

    def where(self, key: Key, item: str = "") -> str:
        """File and line of a key, for messages."""
        line = line_of(self.text, key, item)
        return f"file '{self.path}'" + (f", line {line}" if line else "")

    def _read(self) -> None:
        accepted = "accepted is a file as doc/formats/sweep.md describes it"
        try:
            with self.path.open("rb") as stream:
                content = stream.read(MOST_BYTES + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "is no file name"
            raise UsageError(f"file '{self.path}': {reason}; {accepted}") from error
        if len(content) > MOST_BYTES:
            raise UsageError(f"file '{self.path}': longer than {MOST_BYTES} bytes; {accepted}")
        try:
            self.text = content.decode("utf-8").replace("\r\n", "\n")
            self._content: dict[str, Any] = tomllib.loads(self.text)
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise UsageError(f"file '{self.path}', line {line}: is not UTF-8 text") from error
        except (ValueError, RecursionError) as error:
            raise UsageError(f"file '{self.path}': {_one_line(str(error))}") from error
        known = [*TEXTS, *TABLES, *LISTS, *STUDY]
        for name in self._content:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                hint = f"; did you mean '{near[0]}'?" if near else ""
                raise UsageError(f"{self.where((name,))}: '{_one_line(name)}' is unknown, accepted "
                                 f"are {', '.join(known)}{hint}")

    def _text(self, name: str, usual: str) -> str:
        value = self._content.get(name, usual)
        if not isinstance(value, str) or not value or not value.isprintable():
            self.refuse((name,), "a text")
        return value

    def _at(self, key: Key) -> Any:
        content: Any = self._content
        for part in key:
            content = content[part]
        return content

    def _table(self, key: Key) -> dict[str, Any]:
        if len(key) == 1 and key[0] not in self._content:
            return {}
        table = self._at(key)
        if not isinstance(table, dict):
            self.refuse(key, "a table of options")
        return table

    def _list(self, name: str) -> list[Any]:
        tables = self._content.get(name, [])
        if not isinstance(tables, list):
            self.refuse((name,), f"tables of the form [[{name}]]")
        return tables

    def _words(self, key: Key, shared: bool = False) -> list[Word]:
        own = (SEEDS,) if shared else ()
        return [self._word((*key, name), value)
                for name, value in self._table(key).items() if name not in own]

    def _word(self, key: Key, value: Any, at: Key | None = None) -> Word:
        name = str(key[-1])
        if not name.isprintable() or not name.strip() or "=" in name or " " in name:
            self.refuse(at or key, "the name of an option")
        return Word(name, self._value(at or key, value), at or key)

    def _value(self, key: Key, value: Any) -> str:
        """A value as it would stand on the command line."""
        if isinstance(value, str) and value.isprintable():
            return value
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63:
            return str(value)
        if isinstance(value, float) and not math.isnan(value):
            return repr(value).removesuffix(".0")
        self.refuse(key, "a text in one line or a number")

    def _crossed_groups(self) -> list[list[list[Word]]]:
        """What is crossed: for each factor of `vary` and each table of `zip` its steps."""
        groups = [[[word] for word in self._items(("vary", name))]
                  for name in self._table(("vary",))]
        for index in range(len(self._list("zip"))):
            key = ("zip", index)
            columns = {name: self._items((*key, name)) for name in self._table(key)}
            if not columns:
                self.refuse(key, "lists of values")
            length = len(next(iter(columns.values())))
            for name, items in columns.items():
                if len(items) != length:
                    self.refuse((*key, name), f"a list of {length} values, as the first one has")
            groups.append([list(step) for step in zip(*columns.values())])
        names = [word.name for group in groups for word in group[0]]
        for group in groups:
            for word in group[0]:
                if names.count(word.name) > 1:
                    self.refuse(word.key, f"each factor once, '{word.name}' stands there twice")
        if len(names) > MOST_NAMES:
            raise UsageError(f"file '{self.path}': varies {len(names)} options, accepted are up "
                             f"to {MOST_NAMES}")
        return groups

    def _items(self, key: Key) -> list[Word]:
        items = self._at(key)
        if not isinstance(items, list) or not items:
            self.refuse(key, "a list of values")
        return [self._word(key, item) for item in items]

    def _factors(self, text: str) -> Words:
        """The key of a rule, `NAME=VALUE, NAME=VALUE`."""
        factors = {}
        for part in text.split(","):
            name, equals, value = part.strip().partition("=")
            if not equals or not name:
                self.refuse(("where", text), "a key of the form 'FACTOR=VALUE, FACTOR=VALUE'")
            factors[name] = value
        return factors

    def _repetitions(self, word: Word | None) -> int:
        if word is None:
            return 1
        whole = word.value.isascii() and word.value.isdigit()
        if not whole or not 1 <= int(word.value) <= MOST_REPETITIONS:
            self.refuse(word.key, f"repetitions from 1 to {MOST_REPETITIONS}")
        return int(word.value)

    def _seeds(self, full: bool) -> list[int]:
        tables = ("full", "settings") if full else ("settings",)
        for name in tables:
            if SEEDS in self._table((name,)):
                seeds, key = self._at((name, SEEDS)), (name, SEEDS)
                good = isinstance(seeds, list) and all(
                    type(seed) is int and 1 <= seed <= LARGEST for seed in seeds)
                if not good or not seeds or len(set(seeds)) < len(seeds):
                    self.refuse(key, f"a list of different whole numbers from 1 to {LARGEST}")
                return seeds
        return []

    def _check_size(self) -> None:
        count = math.prod(len(group) for group in self._groups) if self._groups else 0
        runs = (count + len(self._also)) * self.repetitions * max(1, len(self.seeds))
        if runs > MOST_RUNS:
            raise UsageError(f"file '{self.path}': makes {runs} runs, accepted are up to "
                             f"{MOST_RUNS}")


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
