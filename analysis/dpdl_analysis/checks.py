# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks of invariants that every trace of a completed run satisfies.

A check returns "" if the invariant holds, and a message if it is violated. The check raises `Skip`
if the trace lacks the rows to check: a trace of level summary has no rows in `delivery`.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterable

from dpdl_analysis.formatting import exact, message
from dpdl_analysis.trace import SINCE, VIEWS, DamagedTrace, Trace, UsageError

FATES = ("delivered", "lost", "late", "duplicate", "corrupt", "refunded")
"""Accepted values of column `fate` in view `delivery`."""

MASS_TOLERANCE = 1e-12
"""Largest accepted error of the sum of push-sum weights w, per node."""

COUNTED: dict[str, str] = {
    "sent": "fate <> 'duplicate'",
    "delivered": "fate IN ('delivered', 'late')",
    "lost": "fate IN ('lost', 'corrupt', 'refunded')",
}
"""SQL condition on the rows of `delivery` that each count of `delivery_by_link` includes."""


TYPES_OF = "SELECT name, type FROM pragma_table_info(?)"
TYPES = {kind: f"('{kind.lower()}', 'null')" for kind in ("INTEGER", "REAL", "TEXT", "BLOB")}
"""Values of SQLite's typeof() that a column may have, by the column's declared type."""

_ROUNDS = ("round", "first_round", "last_round", "used_in_round", "stopped_in_round")
_SHARES = ("rate", "weight", "clipped", "accuracy", "confidence", "strongly_connected")
LIMITS = {
    **dict.fromkeys(_ROUNDS, "< 4294967296"),
    **dict.fromkeys(_SHARES, "<= 1"),
    "chunk": "< 65536",
    "delta": "< 1",
}
"""Upper limits, as SQL, of columns that are never negative, by column name in any view."""

NOT_NEGATIVE = (
    *("bytes", "sent", "delivered", "lost", "sensitivity", "noise_multiplier", "claimed"),
    *("certified", "observed", "budget", "claimed_max", "certified_max", "batch", "runs"),
    *("examples_drawn", "gradient_norm", "simulated_seconds", "started_at", "finished_at"),
    *("sent_at", "arrived_at", "delay_mean", "delay_p99", "seconds", "joule", "w", "w_smallest"),
)
"""Names of columns, in any view, that are never negative and have no upper limit."""


class Skip(Exception):
    """The trace lacks the rows that a check needs; the argument is the reason."""


CONTENT_ERRORS = (ArithmeticError, LookupError, TypeError, ValueError)
"""Exceptions that Python raises if values of a damaged trace have wrong types or ranges."""


@dataclass(frozen=True)
class Result:
    """Outcome of a check: `ok` is None if it was skipped; `what` is the reason or the fault."""

    name: str
    ok: bool | None
    what: str = ""

    def __str__(self) -> str:
        if self.ok is None:
            return f"skipped {self.name}: {self.what}"
        return f"ok      {self.name}" if self.ok else message(f"FAILED  {self.name}: {self.what}")


def run_checks(trace: Trace) -> list[Result]:
    """Runs all checks in order. An unreadable page fails only the checks that read it."""
    results = []
    for name, check in CHECKS:
        try:
            what = check(trace)
            results.append(Result(name, not what, what))
        except Skip as reason:
            results.append(Result(name, None, str(reason)))
        except DamagedTrace as error:
            results.append(Result(name, False, str(error)))
        except CONTENT_ERRORS as error:
            results.append(Result(name, False, f"the values cannot be computed with ({error})"))
    return results


def at_fault(paths: Iterable[Path]) -> str | None:
    """Path and fault of the first damaged trace; None if all are sound, even if incomplete."""
    for path in paths:
        try:
            with Trace(path) as trace:
                wrong = [result for result in run_checks(trace) if result.ok is False]
        except (UsageError, DamagedTrace) as damage:
            return str(damage)
        for result in wrong:
            if result.name not in (COMPLETE, FINITE):
                return f"{path}: {result.what}"
    return None


def _views(trace: Trace) -> str:
    missing = []
    for view, columns in VIEWS.items():
        if trace.schema_version() >= SINCE.get(view, 1):
            known = trace.columns(view)
            missing += [f"{view}.{one}" for one in columns if one not in known] if known else [view]
    return f"missing: {', '.join(missing)}" if missing else ""


def _complete(trace: Trace) -> str:
    state = trace.text("state")
    return "" if state == "complete" else f"state is {state or 'not recorded'}"


def _finite(trace: Trace) -> str:
    diverged = trace.number("diverged_in_round")
    return "" if diverged is None else f"the run has diverged, first in round {diverged:.0f}"


def _integrity(trace: Trace) -> str:
    found = [row[0] for row in trace.rows("PRAGMA integrity_check(3)")]
    return "" if found == ["ok"] else "; ".join(str(text) for text in found)


def _checksums(trace: Trace) -> str:
    if not trace.is_sealed():
        raise Skip("made before checksums")
    return "; ".join(trace.changes()[:3])


def _types(trace: Trace) -> str:
    """Checks that values in tables have the type of their column.

    Views are not checked: the types of their expressions differ between versions of SQLite.
    """
    for table in trace.named("table"):
        faults = {}
        for name, kind in trace.rows(TYPES_OF, (table,)):
            if accepted := TYPES.get(kind.upper()):
                faults[name] = (
                    f'typeof("{name}") NOT IN {accepted}',
                    f"{table}.{name}: {{!r:.60}} is not {kind}",
                )
        if wrong := _fault(trace, table, faults):
            return wrong
    return ""


def _ranges(trace: Trace) -> str:
    nodes = trace.number("nodes")
    limits = dict(LIMITS)
    if nodes is not None and nodes >= 1:
        limits.update((name, f"< {int(nodes)}") for name in ("node", "source", "target"))
    for view in trace.named():
        faults = {}
        for name in trace.columns(view):
            bound = limits.get(name)
            if bound is None and name not in NOT_NEGATIVE:
                continue
            right = f'"{name}" >= 0' + (f' AND "{name}" {bound}' if bound else "")
            faults[name] = (
                f"NOT ({right})",
                f"{view}.{name} is {{}}; accepted: 0 or more{f', {bound}' if bound else ''}",
            )
        if wrong := _fault(trace, view, faults):
            return wrong
    return ""


def _fault(trace: Trace, view: str, faults: dict[str, tuple[str, str]]) -> str:
    """Message about the first column of `view` with a wrong value; "" if there is none.

    `faults` has by column the SQL condition of a wrong value, and the message with a {} for it.
    """
    # Test all columns in one query first: a query per column of a view may be slow.
    anywhere = " OR ".join(condition for condition, _ in faults.values())
    if not faults or trace.one(f'SELECT 1 FROM "{view}" WHERE {anywhere} LIMIT 1') is None:
        return ""
    found = (
        _first(trace, f'SELECT "{name}" FROM "{view}" WHERE {condition} LIMIT 1', sentence)
        for name, (condition, sentence) in faults.items()
    )
    return next(filter(None, found), "")


def _mass_error(trace: Trace) -> str:
    error, limit = trace.number("mass_error"), MASS_TOLERANCE * _nodes(trace)
    if error is None:
        return "the summary has no mass_error"
    if not abs(error) <= limit:
        return f"mass_error {exact(error, 3)} is above {limit:.3g} (1e-12 a node)"
    return ""


def _mass_sum(trace: Trace) -> str:
    _need_rows(trace, "mass_by_round")
    if trace.setting("rank") is not None:
        raise Skip("the other ranks have the rest; see ./dpdl merge")
    nodes = _nodes(trace)
    for k, at_nodes, in_flight, lost, w_error in trace.rows(
        "SELECT round, w_at_nodes, w_in_flight, w_lost, w_error FROM mass_by_round ORDER BY round"
    ):
        parts = [part for part in (at_nodes, in_flight, lost) if part is not None]
        error = max(abs(math.fsum(parts) - nodes), abs(w_error or 0.0))
        if not error <= MASS_TOLERANCE * nodes:
            return (
                f"round {k}: w at nodes {exact(at_nodes)} + in flight {exact(in_flight)} + lost "
                f"{exact(lost)} is off {nodes} by {error:.3g}"
            )
    return ""


def _node_weights(trace: Trace) -> str:
    nodes, checked = _nodes(trace), False
    for view in ("round_by_node", "snapshot"):
        if not trace.has(view, "round", "w"):
            continue
        for k, least, total in trace.rows(
            f"SELECT round, MIN(w), SUM(w) FROM {view} GROUP BY round ORDER BY round"
        ):
            checked = checked or total is not None
            if total is not None and not (least >= 0.0 and total <= nodes * (1 + 1e-9)):
                return (
                    f"{view}, round {k}: w sums to {exact(total)}, least {exact(least)}; "
                    f"accepted is 0 or more, {nodes} in sum at most"
                )
    if not checked:
        raise Skip("no weights by node in this trace")
    return ""


def _message_counts(trace: Trace) -> str:
    if not trace.has("delivery_by_link", *VIEWS["delivery_by_link"]):
        raise Skip("no view delivery_by_link with its columns")
    sums = ", ".join(f"SUM({column})" for column in COUNTED)
    totals = trace.rows(f"SELECT COUNT(*), {sums} FROM delivery_by_link")[0]
    if not totals[0]:
        raise Skip("no rows in delivery_by_link")
    for column, total in zip(COUNTED, totals[1:]):
        told = trace.number(f"messages_{column}")
        if told is None or int(told) != int(total or 0):
            return (
                f"the summary has messages_{column} {exact(told)}, "
                f"delivery_by_link sums to {exact(total)}"
            )
    return ""


def _link_counts(trace: Trace) -> str:
    _need_rows(trace, "delivery")
    told = ", ".join(f"{column}, 0 AS n_{column}" for column in COUNTED)
    counted = ", ".join(f"0, SUM(CASE WHEN {rows} THEN 1 ELSE 0 END)" for rows in COUNTED.values())
    sums = [(f"SUM({column})", f"SUM(n_{column})") for column in COUNTED]
    wrong = trace.rows(
        f"SELECT source, target, {', '.join(map(', '.join, sums))} FROM ("
        f"SELECT source, target, {told} FROM delivery_by_link UNION ALL "
        f"SELECT source, target, {counted} FROM delivery GROUP BY source, target) "
        f"GROUP BY source, target HAVING {' OR '.join(map(' <> '.join, sums))}"
    )
    for at, column in enumerate(COUNTED):
        for source, target, *numbers in wrong:
            had, has = numbers[2 * at : 2 * at + 2]
            if None not in (had, has) and had != has:
                return (
                    f"link {source}->{target}: delivery_by_link has {column} {had}, delivery has "
                    f"{has}"
                )
    return ""


def _no_row(view: str, columns: str, wrong: str, sentence: str) -> Callable[[Trace], str]:
    """A check that no row satisfies `wrong` (SQL); message `sentence` gets its `columns`."""
    def check(trace: Trace) -> str:
        _need_rows(trace, view)
        return _first(trace, f"SELECT {columns} FROM {view} WHERE {wrong} LIMIT 1", sentence)
    return check


_fates = _no_row(
    "delivery", "round, source, target, fate", f"fate IS NULL OR fate NOT IN {FATES}",
    "round {}, {}->{}: fate {!r}; accepted: " + ", ".join(FATES),
)
_arrivals = _no_row(
    "delivery", "round, source, target, fate, sent_at, arrived_at",
    "(fate = 'delivered' AND arrived_at IS NULL) OR arrived_at < sent_at",
    "round {}, {}->{}: fate {}, sent at {}, arrived at {}",
)


def _used(trace: Trace) -> str:
    _need_rows(trace, "delivery")
    if trace.setting("schedule") == "wait-free":
        raise Skip("wait-free rounds mix messages of any round")
    return _first(
        trace,
        "SELECT round, source, target, used_in_round FROM delivery "
        "WHERE used_in_round < round LIMIT 1",
        "round {}, {}->{}: used in round {}, before it was sent",
    )


def _guarantees(trace: Trace) -> str:
    if not trace.has("guarantee_by_node", *VIEWS["guarantee_by_node"]):
        return "no view guarantee_by_node"
    first = int(trace.setting("rankFirstNode") or 0)
    last = int(trace.setting("rankLastNode") or _nodes(trace) - 1)
    have = {row[0] for row in trace.rows("SELECT DISTINCT node FROM guarantee_by_node")}
    missing = [node for node in range(first, last + 1) if node not in have]
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        return f"none for node {', '.join(map(str, missing[:5]))}{more}"
    return _first(
        trace,
        "SELECT node FROM guarantee_by_node WHERE (certified IS NULL OR certified > 1e308) "
        "AND (reason IS NULL OR reason = '') LIMIT 1",
        "node {}: certified is inf, but no reason is given",
    )


_bounds_order = _no_row(
    "guarantee_by_node", "node, observed, certified", "observed > certified",
    "node {}: an audit observed {}, above the certified {}",
)
_accuracies = _no_row(
    "accuracy_by_round", "round, accuracy_mean, accuracy_worst",
    "NOT (accuracy_worst BETWEEN 0 AND 1 AND accuracy_mean BETWEEN 0 AND 1 "
    "AND accuracy_worst <= accuracy_mean + 1e-9)",
    "round {}: mean {}, worst {}; accepted: 0 <= worst <= mean <= 1",
)
_contractions = _no_row(
    "q_by_window", "first_round, last_round, q_bound, q_designed, q_realised",
    " OR ".join(f"NOT ({name} BETWEEN 0 AND 1 + 1e-9)"
                for name in ("q_bound", "q_designed", "q_realised")),
    "rounds {} to {}: bound {}, designed {}, realised {}; accepted: 0 to 1",
)


def _first(trace: Trace, sql: str, sentence: str) -> str:
    """The message filled with the first row of the query's result; "" if there are no rows."""
    found = trace.rows(sql)
    return sentence.format(*found[0]) if found else ""


def _nodes(trace: Trace) -> int:
    nodes = trace.number("nodes")
    if nodes is None or nodes < 1:
        raise Skip("the summary has no number of nodes")
    return int(nodes)


def _need_rows(trace: Trace, view: str) -> None:
    if not trace.has(view, *VIEWS[view]):
        raise Skip(f"no view {view} with its columns")
    if trace.one(f"SELECT 1 FROM {view} LIMIT 1") is None:
        raise Skip(f"no rows in {view}")


COMPLETE, FINITE = "run is complete", "parameters of all nodes are finite"
"""Names of the checks that an undamaged trace may fail."""

CHECKS: tuple[tuple[str, Callable[[Trace], str]], ...] = (
    ("all views are there", _views),
    (COMPLETE, _complete),
    (FINITE, _finite),
    ("SQLite integrity", _integrity),
    ("rows, settings and schema are those that were written", _checksums),
    ("values have the type of their column", _types),
    ("values are in their ranges", _ranges),
    ("mass error is at most 1e-12 a node", _mass_error),
    ("w at nodes, in flight and lost sums to n in every round", _mass_sum),
    ("w of the nodes is not negative and at most n in sum", _node_weights),
    ("message counts of the summary match the links", _message_counts),
    ("message counts of the links match the deliveries", _link_counts),
    ("fates are valid", _fates),
    ("delivered messages arrived, and not before they were sent", _arrivals),
    ("no message is used before its round", _used),
    ("every node has a guarantee, or a reason for inf", _guarantees),
    ("observed epsilon is not above certified", _bounds_order),
    ("accuracies are between 0 and 1", _accuracies),
    ("q is between 0 and 1", _contractions),
)
"""Name and function of every check, in the order of the output."""
