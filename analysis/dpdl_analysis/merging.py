# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Merges the traces of the ranks of a distributed run into one trace (doc/distributed.md).

Rows about a node are copied from the rank that simulated it. Values over all nodes are computed
again from these rows, in the order of a run in one process, so both traces are bit-identical. q and
failed assumptions about all nodes are those of the first rank. The models of all nodes are in one
process only after the last round; values that need all models earlier are NULL.
"""

import sqlite3
from contextlib import closing
from functools import reduce
from glob import escape
from operator import add
from pathlib import Path
from typing import Any, Iterator, Sequence

from dpdl_analysis.checksums import seal
from dpdl_analysis.files import check_folder, check_kind
from dpdl_analysis.trace import UNREADABLE, DamagedTrace, Trace, UsageError

OF_NODES = (
    "node_evaluation",
    "node_round",
    "guarantee",
    "ledger",
    "state",
    "noise_vector",
    "place",
    "sensitivity",
    "audit_entry",
)
"""Tables whose rows belong to one node each."""

WORDS = {
    "guarantee": ("adjacency", "accountant"),
    "ledger": ("mechanism", "sampler", "flags"),
    "network_event": ("event", "sentence"),
    "validity": ("assumption",),
}
"""Columns, by table, that hold ids of strings in table `word`; the ids differ between traces."""

OF_RANK = ("rank", "rankFirstNode", "rankLastNode")
"""Settings that only the trace of a rank has."""

MAY_DIFFER = (*OF_RANK, "trace", "workers", "overwrite", "progress", "commandLine")
"""Settings that may differ between the ranks of one run."""

SUMS = (
    "nodes_stopped",
    "messages_sent",
    "messages_delivered",
    "messages_lost",
    "messages_corrupt",
    "messages_duplicate",
    "bytes_sent",
    "bytes_repair",
    "bytes_announced",
    "mass_lied",
)
"""Items of the summary whose merged value is the sum over the ranks."""

LARGEST = (
    *("epsilon_claimed", "epsilon_certified", "epsilon_observed", "epsilon_without_secrets"),
    *("epsilon_planned", "epsilon_as_sent", "simulated_seconds", "largest_state"),
)
"""Items of the summary whose merged value is the maximum over the ranks."""

SMALLEST = ("noise_in_state",)
"""Items of the summary that merge to the minimum over the ranks; NULL if a rank has NULL."""


_OWN = (
    "node BETWEEN (SELECT CAST(value AS INTEGER) FROM part.setting WHERE name = 'rankFirstNode') "
    "AND (SELECT CAST(value AS INTEGER) FROM part.setting WHERE name = 'rankLastNode')"
)
"""SQL condition on rows about nodes that the rank of the attached trace `part` simulated."""

_TRANSLATED = (
    "(SELECT id FROM main.word WHERE text = (SELECT text FROM part.word WHERE id = {column}))"
)
"""SQL expression: the merged trace's id of the string whose id is {column} in the trace `part`."""


_FAILED_IN = "the claim rests on "
"""Prefix of the reason of a claim that is void because an assumption failed."""


Part = tuple[Path, dict[str, str]]
"""Path of a rank's trace, and its settings by name."""


def merge(output: Path, parts: Sequence[Path], overwrite: bool = False, keep: bool = False) -> None:
    """Merges the traces of all ranks of a run into the trace `output`. Empty `parts`: all files
    NAME.rank*.db next to `output` NAME.db. Removes the parts of a complete run at the end, unless
    `keep`. Raises UsageError if `output` exists and `overwrite` is not set, or `parts` are not all
    ranks of one run, each once. Raises DamagedTrace if a part is damaged."""
    if output.exists() and not overwrite:
        raise UsageError(f"'{output}' exists; --overwrite replaces it")
    check_folder(f"'{output}'", output, "accepted is a file in a folder that can be written")
    check_kind(f"'{output}'", output, "trace")
    given = parts or _parts_of(output)
    settings = sorted(((path, _settings(path)) for path in given), key=_rank_of)
    _check(settings)
    found = [path for path, _ in settings]
    unfinished = output.with_name(output.name + ".part")
    unfinished.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(found[0])) as first:
            first.execute("VACUUM INTO ?", (str(unfinished),))
        with closing(sqlite3.connect(unfinished)) as merged:
            merger = _Merger(merged, found)
            merger.run(output)
        unfinished.replace(output)
        if merger.last is not None and not keep:
            for path in found:
                if not path.samefile(output):
                    path.unlink()
    except UNREADABLE as error:
        raise DamagedTrace(f"'{output}' from {len(found)} parts: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _parts_of(output: Path) -> list[Path]:
    """Paths NAME.rank*.db of the ranks' traces next to the output NAME.db."""
    found = list(output.parent.glob(f"{escape(output.stem)}.rank*{escape(output.suffix)}"))
    if not found:
        raise UsageError(f"no traces '{output.with_suffix('')}.rankR{output.suffix}' to merge")
    return found


def _settings(path: Path) -> dict[str, str]:
    with Trace(path) as trace:
        # The merged trace gets new checksums, which would hide damage of a part.
        if trace.is_sealed() and (changes := trace.changes()):
            raise DamagedTrace(f"{path}: {changes[0]}")
        return {**trace.settings, "trace schema": str(trace.schema_version())}


def _rank_of(part: Part) -> int:
    path, settings = part
    if not all(settings.get(name, "").isdecimal() for name in ("rank", "ranks")):
        raise UsageError(f"'{path}' is the trace of a whole run, not that of a rank")
    return int(settings["rank"])


def _check(parts: Sequence[Part]) -> None:
    """Raises UsageError unless the parts are all ranks of one run, each once."""
    whose, first = parts[0]
    ranks = int(first["ranks"])
    for path, other in parts[1:]:
        for name in sorted((first.keys() | other.keys()) - set(MAY_DIFFER)):
            if first.get(name) != other.get(name):
                raise UsageError(
                    f"'{path}' is of another run than '{whose}': setting '{name}' is "
                    f"{other.get(name)!r} and {first.get(name)!r}"
                )
    given = [_rank_of(part) for part in parts]
    missing = next((rank for rank in range(ranks) if rank not in given), None)
    if missing is not None:
        raise UsageError(f"the trace of rank {missing} of {ranks} is missing")
    if len(given) > ranks:
        raise UsageError(f"{len(given)} traces of {ranks} ranks: one is given twice")


class _Merger:
    """Adds the rows of all other ranks to a copy of the first rank's trace."""

    def __init__(self, merged: sqlite3.Connection, parts: Sequence[Path]) -> None:
        self.merged = merged
        self.parts = parts
        self.summaries: list[dict[str, Any]] = []
        self.rounds: dict[str, list[tuple[Any, ...]]] = {}
        self.voided: list[tuple[float, str, int]] = []  # claimed, reason, node of void claims
        self.last: int | None = None  # last round of a complete run, from the rank that ran longest

    def run(self, output: Path) -> None:
        """Merges all parts, in one transaction per rank."""
        for number, path in enumerate(self.parts):
            self.merged.execute("ATTACH ? AS part", (f"{path}",))
            self._note()
            if number == 0:
                # The trace of a rank has a guarantee for the nodes of all ranks.
                self.voided = self.merged.execute(
                    "SELECT claimed, claim_reason, node FROM guarantee "
                    f"WHERE NOT {_OWN} AND claim_reason LIKE ?",
                    (f"{_FAILED_IN}%",),
                ).fetchall()
                self.merged.execute(f"DELETE FROM guarantee WHERE NOT {_OWN}")
            else:
                self._take()
            self.merged.commit()
            self.merged.execute("DETACH part")
        self._void_claims()
        self._links()
        self._by_round()
        self._summary()
        self._settings(output)
        seal(self.merged)
        self.merged.commit()

    def _note(self) -> None:
        """Reads a rank's summary and its rows with values over several nodes."""
        items = self.merged.execute("SELECT name, value FROM part.summary_item")
        self.summaries.append(dict(items))
        for table in ("evaluation", "mass", "guarantee_growth"):
            rows = self.merged.execute(f"SELECT * FROM part.{table}").fetchall()
            self.rounds.setdefault(table, []).extend(rows)

    def _take(self) -> None:
        self.merged.execute(
            "INSERT INTO word(text) SELECT text FROM part.word "
            "WHERE text NOT IN (SELECT text FROM word)"
        )
        known = {row[0] for row in self.merged.execute("SELECT name FROM main.sqlite_master")}
        for table in OF_NODES:
            # Traces of schema version 1 have no audits.
            if table in known:
                self._copy(table, f"WHERE {_OWN}")
        # All ranks record the same failures, but a rank stops when its nodes have completed their
        # rounds. Append the failures that the merged trace lacks.
        self._copy("network_event", "LIMIT -1 OFFSET (SELECT COUNT(*) FROM main.network_event)")
        self._copy("message")
        self._copy("link_total")
        self._copy("validity", "WHERE node IS NOT NULL")

    def _copy(self, table: str, where: str = "") -> None:
        columns = [row[1] for row in self.merged.execute(f"PRAGMA table_info({table})")]
        coded = WORDS.get(table, ())
        chosen = [_TRANSLATED.format(column=name) if name in coded else name for name in columns]
        self.merged.execute(
            f"INSERT INTO {table} SELECT {', '.join(chosen)} FROM part.{table} {where}"
        )

    def _void_claims(self) -> None:
        """Voids claims of other ranks' nodes if the first rank found a failed assumption. A reason
        names the failure of the earliest round; in equal rounds, that of the first rank."""
        for claimed, reason, node in self.voided:
            (own,) = self.merged.execute(
                "SELECT claim_reason FROM guarantee WHERE node = ?", (node,)
            ).fetchone()
            if not own or (own.startswith(_FAILED_IN) and _round_of(own) >= _round_of(reason)):
                self.merged.execute(
                    "UPDATE guarantee SET claimed = ?, claim_reason = ? WHERE node = ?",
                    (claimed, reason, node),
                )

    def _links(self) -> None:
        """Recomputes the totals of links: the ranks of both ends of a link have rows about it."""
        if self.merged.execute("SELECT 1 FROM message LIMIT 1").fetchone():
            self.merged.execute("DELETE FROM link_total")
            totals = self.merged.execute("SELECT * FROM delivery_by_link").fetchall()
        else:
            totals = self.merged.execute(
                "SELECT source, target, SUM(sent), SUM(delivered), SUM(lost), SUM(bytes), "
                "MAX(delay_mean), MAX(delay_p99) FROM link_total GROUP BY source, target"
            ).fetchall()
            self.merged.execute("DELETE FROM link_total")
        self._insert("link_total", totals)

    def _insert(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self.merged.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    def _by_round(self) -> None:
        if all(summary["state"] == "complete" for summary in self.summaries):
            self.last = max(int(summary["rounds"]) for summary in self.summaries)
        made = {
            "evaluation": list(self._evaluations()),
            "mass": [
                (k, *(_sum(column) for column in columns[:4]), _largest(columns[4]))
                for k, columns in self._columns("mass")
            ],
            "guarantee_growth": [
                (k, *(_largest(column) for column in columns))
                for k, columns in self._columns("guarantee_growth")
            ],
        }
        for table, rows in made.items():
            self.merged.execute(f"DELETE FROM {table}")
            self._insert(table, rows)

    def _columns(self, table: str) -> Iterator[tuple[int, list[list[Any]]]]:
        """Yields each common round of all ranks, and the last one, with values by column."""
        by_round: dict[int, list[tuple[Any, ...]]] = {}
        for row in self.rounds[table]:
            by_round.setdefault(row[0], []).append(row[1:])
        for k in sorted(by_round):
            if len(by_round[k]) == len(self.parts) or k == self.last:
                yield k, [list(column) for column in zip(*by_round[k])]

    def _evaluations(self) -> Iterator[tuple[Any, ...]]:
        for k, columns in self._columns("evaluation"):
            nodes = self.merged.execute(
                "SELECT accuracy, loss FROM node_evaluation WHERE round = ? ORDER BY node", (k,)
            ).fetchall()
            accuracies, losses = zip(*nodes)
            together = k == self.last
            yield (
                k,
                max(columns[0]),
                _mean(accuracies),
                None if None in accuracies else min(accuracies),
                columns[3][0] if together else None,
                _mean(losses),
                columns[5][0] if together else None,
                _largest(columns[6]),
            )

    def _summary(self) -> None:
        values: dict[str, Any] = {}
        for name in SUMS:
            values[name] = _sum(summary[name] for summary in self.summaries)
        # A killed rank has no certified epsilon.
        killed = any(summary["epsilon_certified"] is None for summary in self.summaries)
        for name in LARGEST:
            largest = _largest(summary.get(name) for summary in self.summaries)
            values[name] = None if killed and name.startswith("epsilon_") else largest
        for name in SMALLEST:
            found = [summary.get(name) for summary in self.summaries]
            values[name] = None if None in found else min(found)
        diverged = [summary.get("diverged_in_round") for summary in self.summaries]
        values["diverged_in_round"] = min((k for k in diverged if k is not None), default=None)
        complete = all(summary["state"] == "complete" for summary in self.summaries)
        values["state"] = "complete" if complete else "incomplete"
        done = [summary["rounds"] for summary in self.summaries]
        values["rounds"] = self.last if complete else min(done)
        error = self.merged.execute("SELECT MAX(ABS(w_error)) FROM mass").fetchone()[0]
        values["mass_error"] = error
        # The parts of the wall time add up to the total only within one rank, so take all parts
        # from the slowest rank.
        slowest = max(self.summaries, key=lambda summary: summary["wall_seconds"] or 0.0)
        values.update((name, slowest[name]) for name in slowest if name.startswith("wall_"))
        names = "accuracy_mean accuracy_worst accuracy_of_mean_model loss_mean consensus_distance"
        row = self.merged.execute(
            f"SELECT {names.replace(' ', ', ')} FROM evaluation ORDER BY round DESC LIMIT 1"
        ).fetchone()
        values.update(zip(names.split(), row or [None] * 5))
        for name, value in values.items():
            self.merged.execute("UPDATE summary_item SET value = ? WHERE name = ?", (value, name))

    def _settings(self, output: Path) -> None:
        for name in OF_RANK:
            self.merged.execute("DELETE FROM setting WHERE name = ?", (name,))
        self.merged.execute("UPDATE setting SET value = ? WHERE name = 'trace'", (str(output),))


def _round_of(reason: str) -> int:
    """Round in which an assumption failed, parsed from the reason of a void claim."""
    return int(reason.split("which failed in round ", 1)[1].split(":", 1)[0])


def _sum(values: Any) -> Any:
    """Sum, in order, of the values that are not None; None if all are."""
    kept = [value for value in values if value is not None]
    return reduce(add, kept) if kept else None


def _mean(values: Sequence[Any]) -> Any:
    """Mean of the values; None if one of them is None."""
    return None if None in values else _sum(values) / len(values)


def _largest(values: Any) -> Any:
    """Maximum of the values that are not None; None if all are."""
    return max((value for value in values if value is not None), default=None)
