# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Failures as intervals: from the event that began one to the event that ended it."""

import math
from dataclasses import dataclass, replace
from typing import Any, Sequence

from dpdl_analysis.trace import Trace

ENDS = {"up": "down", "resume": "pause", "recover": "crash"}
"""Events that end another and are not called like it with `-end`."""
KEEPS_STATE = 1
"""The value of a crash that does."""
DRIVE = ("trafficTrace", "beaconAirtime", "airBytesByNodes")
"""Settings that only runs of vehicles record."""
MOMENTS = ("region-enter", "region-leave", "jam-enter", "jam-leave")


@dataclass(frozen=True)
class Event:
    """A failure: what it is about, from when to when in simulated seconds, and who said so."""

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
        """Source and target of a link that is down; None in it stands for all."""
        return [self.source, self.target] if self.kind == "down" else None

    @property
    def node(self) -> int | None:
        """The node that is off."""
        return self.about if self.kind in ("crash", "pause") else None

    @property
    def absence(self) -> str:
        """Of a vehicle that is not on the road, why; else empty."""
        if not self.vehicle:
            return ""
        if self.begin <= 0.0:
            return "not departed"
        return "arrived" if self.end == math.inf else "away"


def has_traffic(trace: Trace) -> bool:
    """Whether nodes are vehicles, which are absent until they depart and after they arrive."""
    moving = (trace.setting("topology") or "").startswith("mobility")
    drive = any(trace.setting(name) is not None for name in DRIVE)
    return (moving or drive) and not trace.setting("failures")


def in_force(active: Sequence[Event]) -> list[str]:
    """What failures say; of vehicles that are absent, one entry a reason."""
    absent: dict[str, list[int]] = {}
    for event in active:
        if event.absence and event.about is not None:
            absent.setdefault(event.absence, []).append(event.about)
    said = dict.fromkeys(event.sentence for event in active if not event.absence)
    return [f"{_nodes(nodes)} {why}" for why, nodes in absent.items()] + list(said)


def _nodes(numbers: Sequence[int]) -> str:
    """Nodes in words, where neighbouring numbers are a range."""
    found = sorted(set(numbers))
    starts = [at for at in found if at - 1 not in found]
    ends = [at for at in found if at + 1 not in found]
    parts = [f"{a} to {b}" if a < b else str(a) for a, b in zip(starts, ends)]
    return f"node{'s' * (len(found) > 1)} {', '.join(parts)}"


def events(trace: Trace) -> list[Event]:
    """All failures of a run; one without an end lasts to the run's end."""
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
