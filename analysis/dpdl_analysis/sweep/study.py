# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A campaign from its file and the command line.

Option vary lists alternatives: `drop=0,0.1`, `fail=link 3->4 down; node 2 crash`. Semicolons
separate them if there are any; if not, commas outside of brackets do. `&` joins options that change
together. An alternative without an option's name sets the option of the first alternative.
"""

import argparse
import re
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Callable, Sequence

from dpdl_analysis.formatting import hint
from dpdl_analysis.studies.references import REFERENCES
from dpdl_analysis.sweep.file import ADDED, GIVEN, SweepFile, Variant, Word, Words, merged, number
from dpdl_analysis.sweep.program import ROOT, Program
from dpdl_analysis.trace import UsageError

STUDIES, PAPERS = ROOT / "scenarios" / "studies", ROOT / "scenarios" / "papers"
KINDS = {"link": ("Links", "down"), "node": ("Nodes", "crash")}
"""By component that can fail alone: end of the option --Print... that lists it, and the event."""
MOST = 40
"""Default maximum of links or nodes that fail alone, one variant each."""
ACCEPTED = "OPTION=VALUE,VALUE,... with an option of learn; semicolons between values that hold " \
    "commas"
FIXED = ("overwrite", "progress", "run", "seed", "trace")
"""Options that cannot vary. They identify runs or control the output."""
NAMED = re.compile(r"([A-Za-z]+)=(.*)", re.DOTALL)


@dataclass
class Asked:
    """A campaign: its file, the options of the command line, and the variants."""

    name: str
    """Name of the campaign, the value of `scenario` in campaign.json."""
    file: SweepFile
    is_study: bool = False
    given: list[Word] = field(default_factory=list)
    """Options of the program from the command line; they override those of the file."""
    words: list[Word] = field(default_factory=list)
    """Options of the program that the study's option vary sets."""
    variants: list[Variant] = field(default_factory=list)

    @property
    def settings(self) -> Words:
        """Options that file and command line set for all runs."""
        given = merged(*({word.name: word.value} for word in self.given))
        return {**self.file.settings, **given}

    @property
    def speaker(self) -> str:
        """Name at the start of progress lines and messages."""
        return self.name if self.is_study else "sweep"

    @property
    def all_words(self) -> list[Word]:
        """All entries of file and command line that set an option."""
        return [*self.file.option_words, *self.given, *self.words]

    def fit_references(self) -> None:
        """Applies options of the command line to variants with a reference algorithm. Such an
        option overrides the file's option for the variant, except `algorithm`. If the command line
        sets `algorithm`, the file's other options for these variants are dropped."""
        given = {word.name for word in self.given}

        def holds(name: str) -> bool:
            return name == "algorithm" or not given & {name, "algorithm"}

        self.variants = [
            Variant(one.factors, {name: value for name, value in one.changes.items() if holds(name)})
            if _is_reference(one) else one
            for one in self.variants
        ]

    def check_given(self) -> None:
        """Raises UsageError for a given option that variants other than references vary."""
        for variant in self.variants:
            if _is_reference(variant):
                continue
            for word in self.given:
                if word.name in variant.factors or word.name in variant.changes:
                    more = "; --help names the option for it" if self.is_study else ""
                    raise UsageError(f"option '{word.name}' cannot be given: {self.speaker} varies "
                                     f"it{more}")


def _is_reference(variant: Variant) -> bool:
    return {**variant.factors, **variant.changes}.get("algorithm") in REFERENCES


def path_of(name: str, arguments: list[str]) -> Path:
    """Path of a study's file; for a paper --study names it. Raises UsageError if unknown."""
    if not (PAPERS / name).is_dir():
        return STUDIES / f"{name}.toml"
    known = sorted(path.stem for path in (PAPERS / name).glob("*.toml"))
    given = [word.partition("=")[2] for word in arguments if word.startswith("--study=")]
    accepted = f"{', '.join(known)}, or a file of that form"
    if not given:
        raise UsageError(f"option 'study' is required: {accepted}")
    if given[-1] not in known and not given[-1].endswith(".toml"):
        raise UsageError(f"study: '{given[-1]}' is not accepted; expected one of {accepted}"
                         f"{hint(given[-1], known)}")
    return PAPERS / name / f"{given[-1]}.toml" if given[-1] in known else Path(given[-1])


def add_options(parser: argparse.ArgumentParser, file: SweepFile, program: Program) -> None:
    """Adds the study's options to `parser`; options of its program are not among them."""
    for one in file.lists:
        takes = program.accepted.get(one.of, ", ".join(one.full))
        full = f"; with --full {', '.join(one.full)}" if one.full != one.usual else ""
        _add(parser, one.name, one.meaning, f"{takes}; commas between them",
             ", ".join(one.usual) + full)
    if file.compare:
        _add(parser, "vary", "variants of the base, one a value; may be given several times",
             "OPTION=VALUE,VALUE,...; semicolons between values that hold commas, & between "
             "options that change together", " and ".join(file.compare["usual"]), action="append")
        parser.add_argument("--cross", action="store_true",
                            help="all combinations of several options vary")
    if file.each:
        if "what" not in file.each:
            _add(parser, "each", "what fails alone, for the whole run", "link or node", "")
        _add(parser, file.each.get("most", "most"), "links or nodes that fail alone, chosen by "
             "the seed if there are more", "a whole number from 1", str(MOST), dest="most")
    _add(parser, "repetitions", "runs of each variant, with run numbers from that of option run on",
         "a whole number from 1", str(file.repetitions))


def _add(parser: argparse.ArgumentParser, name: str, meaning: str, accepts: str, usual: str,
         **more: Any) -> None:
    default = f"; default: {usual}" if usual else ""
    parser.add_argument(f"--{name}", metavar=accepts,
                        help=f"{meaning}\naccepts: {accepts}{default}", **more)


def asked(name: str, path: Path, options: argparse.Namespace, rest: list[str],
          program: Program) -> Asked:
    """The campaign of a study; `rest` has its program's arguments. Raises UsageError."""
    plain = SweepFile(path, options.full)
    lists = {one.name: value for one in plain.lists
             if (value := getattr(options, one.name)) is not None}
    file = SweepFile(path, options.full, lists)
    return of_file(name, file, options, program, rest, True)


def of_file(name: str, file: SweepFile, options: argparse.Namespace, program: Program,
            rest: Sequence[str], is_study: bool = False) -> Asked:
    """The campaign of a file. `rest` has options of its program from the command line."""
    if options.repetitions is not None:
        file.repetitions = number("option 'repetitions'", options.repetitions)
    words: list[str] = []
    for word in rest:
        # The programs also accept `--name value` for `--name=value`.
        if words and not word.startswith("--") and words[-1].startswith("--") and "=" not in words[-1]:
            words[-1] += f"={word}"
        else:
            words.append(word)
    found = Asked(name, file, is_study, [_given(word, program) for word in words])
    names = [word.name for word in found.given if word.name not in ADDED]
    for twice in (one for one in names if names.count(one) > 1):
        raise UsageError(f"option '{twice}' is given twice")
    program.flags = [flag.lstrip("-") for flag in options.flags]
    found.variants = file.variants()
    found.variants += _compared(found, options, program) + _each(found, options, program)
    if not file.compare:
        found.check_given()
        found.fit_references()
    return found


def _given(argument: str, program: Program) -> Word:
    name, equals, value = argument.removeprefix("--").partition("=")
    if not argument.startswith("--") or not name:
        raise UsageError(f"argument: '{argument}' is not accepted; expected options of the form "
                         "--name=value")
    takes = program.accepted.get(name, "nothing")
    if not equals and takes != "nothing":
        raise UsageError(f"option '{name}' needs a value: --{name}=..., accepted is {takes}")
    if not value.isprintable():
        raise UsageError(f"option '{name}': expected a text in one line")
    return Word(name, value, ())


def _compared(found: Asked, options: argparse.Namespace, program: Program) -> list[Variant]:
    compare = found.file.compare
    if not compare:
        return []
    texts = getattr(options, "vary", None) or ([] if getattr(options, "each", None) else compare["usual"])
    lists = [_read_change(text, program.takes) for text in texts]
    found.words += [Word(name, value, (GIVEN, "vary"))
                    for changes in lists for change in changes for name, value in change.options]
    variants = []
    for change in _changes_of(lists, getattr(options, "cross", False)):
        changes = merged(*({name: value} for name, value in change.options))
        factors = {word.name: word.value for word in found.file.base}
        variants.append(Variant({**factors, compare["factor"]: change.name}, changes))
    return variants


def _each(found: Asked, options: argparse.Namespace, program: Program) -> list[Variant]:
    """One variant per link, or per node, that fails alone for the whole run."""
    each = found.file.each
    kind = each.get("what") or getattr(options, "each", None)
    if not each or kind is None:
        return []
    if kind not in KINDS:
        raise UsageError(f"option 'each': '{kind}' is not accepted; expected one of "
                         f"{', '.join(KINDS)}{hint(kind, KINDS)}")
    most = getattr(options, "most", None)
    count = MOST if most is None else number(f"option '{each.get('most', 'most')}'", most)
    listed, event = KINDS[kind]
    return [Variant({each["kind"]: kind, each["name"]: name}, {"fail": f"{kind} {name} {event}"})
            for name in program.alone(found.settings, listed, count)]


@dataclass(frozen=True)
class Change:
    """Changed options of a variant, (option, value), with its name, such as `drop 0.1`."""

    name: str
    options: list[tuple[str, str]]


def _read_change(text: str, is_option: Callable[[str], bool]) -> list[Change]:
    """Parses the alternatives of one option vary. Raises UsageError if the text is not accepted."""
    parts = _parts(text, ";" if ";" in text else ",")
    if ";" in text and not parts[-1]:
        parts.pop()
    changes: list[Change] = []
    for part in parts:
        changes.append(_change(part, changes[0].options[0][0] if changes else "", is_option))
    return changes or _refuse(text)


def _changes_of(lists: list[list[Change]], crossed: bool) -> list[Change]:
    """The changes of all lists in sequence, or, if `crossed`, all combinations of one per list."""
    if not crossed:
        return [change for changes in lists for change in changes]
    return [Change(" & ".join(one.name for one in row),
                   [word for one in row for word in one.options])
            for row in product(*lists) if row]


def _change(text: str, usual: str, is_option: Callable[[str], bool]) -> Change:
    """Parses one alternative. `usual` is the option of values without a name, or ""."""
    names, options = [], []
    for part in _parts(text, "&"):
        found = NAMED.fullmatch(part)
        named = found and (not usual or options or is_option(found[1]))
        option, value = (found[1], found[2].strip()) if found and named else (usual, part)
        if not option or not value:
            _refuse(text)
        if option in FIXED:
            raise UsageError(f"option 'vary': '{option}' cannot vary: variants are compared where "
                             "it is the same")
        names.append(value if option == "fail" else f"{option} {value}")
        options.append((option, value))
    return Change(" & ".join(names), options)


def _refuse(text: str) -> list[Change]:
    raise UsageError(f"option 'vary': '{text}' is not accepted; expected {ACCEPTED}")


def _parts(text: str, separator: str) -> list[str]:
    """Splits a text at separators outside of brackets, and strips blanks."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "({[") - (letter in ")}]")
        if letter == separator and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
