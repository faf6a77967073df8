# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Failures of a run as intervals of simulated time, from pairs of events in view link_event."""

import math
from dataclasses import dataclass, replace
from typing import Any, Sequence

from dpdl_analysis.trace import Trace

ENDS = {"up": "down", "resume": "pause", "recover": "crash"}
"""First event of a failure by its last event; other last events have the suffix `-end`."""
KEEPS_STATE = 1
"""Value of the event of a crash in which the node keeps its state."""
DRIVE = ("trafficTrace", "beaconAirtime", "airBytesByNodes")
"""Settings that only runs with vehicles have."""
MOMENTS = ("region-enter", "region-leave", "jam-enter", "jam-leave")


@dataclass(frozen=True)
class Event:
    """A failure of a link or of the node `about`, from `begin` to `end` (simulated seconds, or
    infinity); `sentence` is its text in option fail."""

    kind: str
    source: int | None
    target: int | None
    about: int | None
    begin: float
    end: float
    sentence: str
    vehicle: bool = False

    @property
    def link(self) -> list[int | None] | None:
        """Source and target of a link that is down, None for all nodes; None for other failures."""
        return [self.source, self.target] if self.kind == "down" else None

    @property
    def node(self) -> int | None:
        """The node that is off; None for other failures."""
        return self.about if self.kind in ("crash", "pause") else None

    @property
    def absence(self) -> str:
        """Reason that a vehicle is not on the road; "" for other failures."""
        if not self.vehicle:
            return ""
        if self.begin <= 0.0:
            return "not departed"
        return "arrived" if self.end == math.inf else "away"


def has_traffic(trace: Trace) -> bool:
    """True if nodes are vehicles, which are absent before departure and after arrival."""
    moving = (trace.setting("topology") or "").startswith("mobility")
    drive = any(trace.setting(name) is not None for name in DRIVE)
    return (moving or drive) and not trace.setting("failures")


def in_force(active: Sequence[Event]) -> list[str]:
    """Texts of active failures; absent vehicles share one text per reason."""
    absent: dict[str, list[int]] = {}
    for event in active:
        if event.absence and event.about is not None:
            absent.setdefault(event.absence, []).append(event.about)
    said = dict.fromkeys(event.sentence for event in active if not event.absence)
    return [f"{_nodes(nodes)} {why}" for why, nodes in absent.items()] + list(said)


def _nodes(numbers: Sequence[int]) -> str:
    """Text that lists nodes, with ranges of consecutive numbers."""
    found = sorted(set(numbers))
    starts = [at for at in found if at - 1 not in found]
    ends = [at for at in found if at + 1 not in found]
    parts = [f"{a} to {b}" if a < b else str(a) for a, b in zip(starts, ends)]
    return f"node{'s' * (len(found) > 1)} {', '.join(parts)}"


def events(trace: Trace) -> list[Event]:
    """All failures of a run, sorted by their start. A failure without a last event has no end."""
    columns = ("time", "event", "source", "target", "node", "sentence", "value")
    if not trace.has("link_event", *columns):
        return []
    made: list[Event] = []
    running: dict[tuple[Any, ...], list[int]] = {}
    traffic = has_traffic(trace)
    for time, name, source, target, node, sentence, value in trace.rows(
        f"SELECT {', '.join(columns)} FROM link_event ORDER BY time"
    ):
        if name in MOMENTS or time is None:
            continue
        kind = ENDS.get(name, str(name).removesuffix("-end"))
        key = (kind, source, target, node, sentence)
        if kind != name:
            if running.get(key):
                place = running[key].pop()
                made[place] = replace(made[place], end=float(time))
            continue
        running.setdefault(key, []).append(len(made))
        vehicle = traffic and kind == "crash" and value == KEEPS_STATE
        text = str(sentence or name)
        made.append(Event(kind, source, target, node, float(time), math.inf, text, vehicle))
    return made
