# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Failures as intervals: from the event that began one to the event that ended it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from dpdl_analysis.trace import Trace

ENDS = {"up": "down", "resume": "pause", "recover": "crash"}
"""Events that end another and are not called like it with `-end`."""
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

    @property
    def link(self) -> list[int | None] | None:
        """Source and target of a link that is down; None in it stands for all."""
        return [self.source, self.target] if self.kind == "down" else None

    @property
    def node(self) -> int | None:
        """The node that is off."""
        return self.about if self.kind in ("crash", "pause") else None


def events(trace: Trace) -> list[Event]:
    """All failures of a run; one without an end lasts to the run's end."""
    columns = ("time", "event", "source", "target", "node", "sentence")
    if not trace.has("link_event", *columns):
        return []
    made: list[Event] = []
    running: dict[tuple[Any, ...], list[int]] = {}
    for time, name, source, target, node, sentence in trace.rows(
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
        made.append(
            Event(kind, source, target, node, float(time), math.inf, str(sentence or name))
        )
    return made
