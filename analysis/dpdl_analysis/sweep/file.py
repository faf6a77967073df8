# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The file of a campaign, a sweep or a study; doc/formats/sweep.md describes it."""

import math
import tomllib
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NoReturn

from dpdl_analysis.files import text_of
from dpdl_analysis.formatting import hint
from dpdl_analysis.sweep.lines import Key, positions
from dpdl_analysis.trace import UsageError

Words = dict[str, str]
"""Values of options by name, as text in the form of the command line."""

QUESTION = ("question", "against", "measure", "better")
"""Keys of a comparison's page: the question as text, the variant that serves as the baseline, the
measured number, and its better direction ("higher" or "lower")."""
TEXTS = ("title", "program", "scenario", "outputDir", *QUESTION)
TABLES = ("settings", "full", "base", "vary", "where", "once", "compare", "each")
LISTS = ("zip", "also")
STUDY = ("numbered", "source", "differs", "reduced", "data", "quantity", "unit", "expect",
         "published", "finding", "search")
"""Keys that change no option of a run: the form of trace names, and a paper's published results."""
ADDED = ("fail",)
"""Options that may be repeated. Their values are joined by line breaks."""
EVERY = "*"
"""Value in [[also]] that stands for each value of the factor in [vary] or [[zip]]."""
GIVEN = "--"
"""First item of the Key of a value from the command line; the option's name is the second item."""
REPETITIONS, SEEDS = "repetitions", "seeds"
AUDIT = "audit"
LEAST_AUDIT, MOST_AUDIT = 100, 100_000_000
"""Smallest and largest accepted number of runs in an audit."""
MOST_RUNS, MOST_NAMES, MOST_BYTES = 100_000, 100, 1_000_000
LARGEST = 2**31 - 1
"""Largest seed and largest run number."""


@dataclass(frozen=True)
class Word:
    """The value of an option, and the key of its entry in the file."""

    name: str
    value: str
    key: Key


@dataclass(frozen=True)
class ListOption:
    """An option that a study adds to the command line: a list of values of one factor."""

    name: str
    factor: str
    of: str
    """Option of the simulation program that accepts the values."""
    meaning: str
    usual: list[str]
    full: list[str]


@dataclass(frozen=True)
class Variant:
    """Values of the varied options (factors), and the options that [where] sets for them."""

    factors: Words
    changes: Words


def merged(*tables: Words) -> Words:
    """All options; later tables override earlier ones. Values of option fail are joined."""
    found: Words = {}
    for table in tables:
        for name, value in table.items():
            adds = name in ADDED and found.get(name)
            found[name] = f"{found[name]}\n{value}" if adds else value
    return found


def number(what: str, text: str) -> int:
    """Parses `text`, a whole number from 1 to 10,000. Raises UsageError beginning with `what`."""
    if text.isascii() and text.isdigit() and 1 <= int(text) <= 10_000:
        return int(text)
    raise UsageError(f"{what}: '{text}' is not accepted; expected a whole number in [1, 10000]")


class SweepFile:
    """The parsed and checked file of a sweep, a campaign or a study."""

    ACCEPTED = "a file as doc/formats/sweep.md describes it"

    def __init__(self, path: Path, full: bool = False, lists: Words | None = None) -> None:
        """Reads `path`, with its table [full] if `full`. `lists` has values of ListOption by name,
        separated by commas; they replace those of the file. Raises UsageError naming file and
        line."""
        self.path = path
        self._given, self._full = lists or {}, full
        self.lists: list[ListOption] = []
        self._read()
        self._check_names()
        self.title = self._text("title", path.stem)
        self.question = {name: self._text(name, "") for name in QUESTION if name in self._content}
        if self.question.get("better", "higher") not in ("higher", "lower"):
            self.refuse(("better",), "higher or lower")
        self.scenario = self._text("program", self._text("scenario", "learn"))
        self.numbered = self._content.get("numbered") is not False
        self.audit = self._whole(AUDIT, LEAST_AUDIT, MOST_AUDIT)
        """Number of runs in the audit of each trace; 0: no audit."""
        self.output = self._text("outputDir", f"{path.stem}-results")
        tables = ["settings", "full"] if full else ["settings"]
        shared = {word.name: word for name in tables for word in self._words((name,), True)}
        word = shared.pop(REPETITIONS, None)
        self.repetitions = number(f"{self.at(word.key)}repetitions", word.value) if word else 1
        self.seeds = self._seeds(full)
        self._shared = list(shared.values())
        self._rules = [
            (self._factors(text), self._words(("where", text)))
            for text in self._table(("where",))
        ]
        self._groups = self._crossed_groups()
        self._also = [self._words(("also", index)) for index in range(len(self._list("also")))]
        self.base = self._words(("base",))
        self.compare = self._needs("compare", "factor", "usual")
        self.each = self._needs("each", "kind", "name")
        self._once = [(self._factors(text, "once"), self._value(("once", text), name))
                      for text, name in self._table(("once",)).items()]
        if not (self._groups or self._also or self.compare or self.each):
            raise UsageError(f"file '{self.path}': expected a table [vary], or lists [[zip]] or "
                             "[[also]]")
        self._check_size()

    @property
    def settings(self) -> Words:
        """Options that the file sets for all runs."""
        return {word.name: word.value for word in self._shared}

    @property
    def option_words(self) -> list[Word]:
        """All entries that set an option or label a variant, from low to high precedence."""
        varied = [word for group in self._groups for words in group for word in words]
        varied += [word for words in self._also for word in words if word.value != EVERY]
        varied += self.base
        return self._shared + varied + [word for _, words in self._rules for word in words]

    @property
    def labels(self) -> set[str]:
        """Names of factors in [where], [base] and list options; the program may lack them."""
        rules = {name for factors, _ in self._rules for name in factors}
        return rules | {word.name for word in self.base} | {one.factor for one in self.lists}

    @property
    def factors(self) -> list[str]:
        """Names of the varied options, in the order [base], [vary], [[zip]], [[also]]."""
        words = list(self.base)
        words += [word for group in self._groups for word in group[0]]
        words += [word for also in self._also for word in also]
        return list(dict.fromkeys(word.name for word in words))

    def variants(self) -> list[Variant]:
        """The base, all combinations (last factor fastest), [[also]]; without those that [once]
        excludes. Raises UsageError if the file repeats a variant."""
        crossed = [[word for words in row for word in words] for row in product(*self._groups)]
        found = [self.base] if self.base else []
        found += [] if not self._groups else crossed
        found += [list(row) for also in self._also
                  for row in product(*(self._every(word) for word in also))]
        variants, seen = [], set()
        for words in found:
            factors = {word.name: word.value for word in words}
            if any(wanted.items() <= factors.items() and not self._is_first(factors, name)
                   for wanted, name in self._once):
                continue
            key = frozenset(factors.items())
            if key in seen and not self._given:
                shown = ", ".join(f"{name}={value}" for name, value in factors.items())
                self.refuse(words[-1].key, f"each variant once, there are two of {shown}")
            seen.add(key)
            variants.append(Variant(factors, self.changes(factors)))
        if not (self._given or self.lists):
            self._check_rules(variants)
        return variants

    def _check_rules(self, variants: list[Variant]) -> None:
        """Raises UsageError for a rule of [where] or [once] that has no effect on any variant."""
        for text, (wanted, _) in zip(self._table(("where",)), self._rules):
            if not any(wanted.items() <= one.factors.items() for one in variants):
                self.refuse(("where", text), "factors of a variant, and no variant has these")
        for text, (_, name) in zip(self._table(("once",)), self._once):
            if not self._column(name):
                self.refuse(("once", text), "a factor of [vary]")

    def changes(self, factors: Words) -> Words:
        """Options that the rules of [where] set for a variant with these factors."""
        return merged(*({word.name: word.value for word in options}
                        for wanted, options in self._rules if wanted.items() <= factors.items()))

    def _every(self, word: Word) -> list[Word]:
        if word.value != EVERY:
            return [word]
        return self._column(word.name) or self.refuse(word.key, "a factor of [vary]")

    def _is_first(self, factors: Words, name: str) -> bool:
        """True if a variant has the first value of the factor `name`, or `name` is not varied."""
        column = self._column(name)
        return not column or factors.get(name) == column[0].value

    def _column(self, name: str) -> list[Word]:
        """All values of a factor in [vary] or [[zip]]."""
        return [word for group in self._groups for step in group for word in step
                if word.name == name]

    def refuse(self, key: Key, accepted: str) -> NoReturn:
        """Raises UsageError naming the position of `key` and the form that is `accepted` there."""
        raise UsageError(f"{self.at(key)}expected {accepted}")

    def where(self, key: Key) -> str:
        """Position of a key for messages: file and line, or the option of the command line."""
        if key and key[0] == GIVEN:
            return f"option '{key[1]}'"
        places = [key[:length] for length in range(len(key), 0, -1) if key[:length] in self._lines]
        return f"file '{self.path}'" + (f", line {self._lines[places[0]]}" if places else "")

    def at(self, key: Key) -> str:
        """Prefix of a message about `key`: where(key) and a colon; "" for an empty key."""
        return f"{self.where(key)}: " if key else ""

    @property
    def program_place(self) -> str:
        """File and line of the program's name, for messages."""
        return self.where(("program" if "program" in self._content else "scenario",))

    def _read(self) -> None:
        self.text = text_of(self.path, f"accepted is {self.ACCEPTED}", MOST_BYTES)
        try:
            self._content: dict[str, Any] = tomllib.loads(self.text)
            self._lines = positions(self.text)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"file '{self.path}': {_one_line(str(error))}") from error

    def _check_names(self) -> None:
        known = [*TEXTS, *TABLES, *LISTS, *STUDY, AUDIT]
        for name in self._content:
            if name not in known:
                raise UsageError(f"{self.where((name,))}: '{_one_line(name)}' is unknown, accepted "
                                 f"are {', '.join(known)}{hint(name, known)}")

    def _text(self, name: str, usual: str) -> str:
        value = self._content.get(name, usual)
        if not isinstance(value, str) or not value or not value.isprintable():
            self.refuse((name,), "a text")
        return value

    def _whole(self, name: str, least: int, most: int) -> int:
        """A whole number from `least` to `most`, or 0 if the file has no such key."""
        value = self._content.get(name, 0)
        if name in self._content and not (type(value) is int and least <= value <= most):
            self.refuse((name,), f"a whole number in [{least}, {most}]")
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

    def _needs(self, name: str, *keys: str) -> dict[str, Any]:
        """A table that must have these keys; {} if the file has no such table."""
        table = self._table((name,))
        if table and not set(keys) <= set(table):
            self.refuse((name,), f"a table with {' and '.join(keys)}")
        return table

    def _list(self, name: str) -> list[Any]:
        tables = self._content.get(name, [])
        if not isinstance(tables, list):
            self.refuse((name,), f"tables of the form [[{name}]]")
        return tables

    def _words(self, key: Key, shared: bool = False) -> list[Word]:
        own = (SEEDS,) if shared else ()
        return [self._word((*key, name), self._joined((*key, name), value))
                for name, value in self._table(key).items() if name not in own]

    def _joined(self, key: Key, value: Any) -> Any:
        """The values of option fail, joined by line breaks; other values unchanged."""
        if key[-1] not in ADDED or not isinstance(value, list):
            return value
        return "\n".join(self._value(key, item) for item in value)

    def _word(self, key: Key, value: Any, at: Key | None = None) -> Word:
        name = str(key[-1])
        if not name.isprintable() or not name.strip() or "=" in name or " " in name:
            self.refuse(at or key, "the name of an option")
        several = name in ADDED and isinstance(value, str) and "\n" in value
        return Word(name, value if several else self._value(at or key, value), at or key)

    def _value(self, key: Key, value: Any) -> str:
        """A value as text in the form of the command line."""
        if isinstance(value, str) and value.isprintable():
            return value
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63:
            return str(value)
        if isinstance(value, float) and not math.isnan(value):
            return repr(value).removesuffix(".0")
        self.refuse(key, "a text in one line or a number")

    def _crossed_groups(self) -> list[list[list[Word]]]:
        """Factors to combine: per factor of [vary] or table [[zip]], the list of its steps."""
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
        if isinstance(items, dict):
            return self._listed(key, items)
        if not isinstance(items, list) or not items:
            self.refuse(key, "a list of values")
        return [self._word(key, item, (*key, index)) for index, item in enumerate(items)]

    def _listed(self, key: Key, table: dict[str, Any]) -> list[Word]:
        """Values of a factor that has a ListOption, from the command line if given there."""
        texts = [table.get(name) for name in ("option", "meaning")]
        if not all(isinstance(text, str) for text in texts) or "values" not in table:
            self.refuse(key, "a list of values, or a table of option, meaning, values, full, of")
        usual = self._items((*key, "values"))
        full = self._items((*key, "full")) if "full" in table else usual
        factor = str(key[-1])
        option = ListOption(texts[0], factor, table.get("of", factor), texts[1],
                            [word.value for word in usual], [word.value for word in full])
        self.lists.append(option)
        if option.name in self._given:
            return [Word(factor, item, (GIVEN, option.name))
                    for item in self._given[option.name].split(",")]
        return [Word(factor, word.value, word.key) for word in (full if self._full else usual)]

    def _factors(self, text: str, table: str = "where") -> Words:
        """Parses the key of a rule, `FACTOR=VALUE, FACTOR=VALUE`."""
        factors = {}
        for part in text.split(","):
            name, equals, value = part.strip().partition("=")
            if not equals or not name:
                self.refuse((table, text), "a key of the form 'FACTOR=VALUE, FACTOR=VALUE'")
            factors[name] = value
        return factors

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
