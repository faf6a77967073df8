# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Progress of a sweep on standard error."""

import sys
import time

from dpdl_analysis.formatting import duration

WIDTH = 24
TERMINAL_INTERVAL, LINE_INTERVAL, WAITING_INTERVAL = 0.2, 5.0, 60.0
"""Seconds between updates of the bar, between lines, and between lines while no run ends."""


class Progress:
    """A bar on a terminal; elsewhere lines when runs end, and at least one a minute."""

    def __init__(self, name: str, total: int, before: int, shown: bool) -> None:
        """`before` of the `total` runs ended in earlier calls. Prints nothing unless `shown`."""
        self._name = name
        self._total, self._before, self._shown = total, before, shown
        self._terminal = sys.stderr.isatty()
        self._begin = self._changed = time.monotonic()
        self._ended = before
        self._told = self._begin - (LINE_INTERVAL if self._terminal else 0.0)

    def show(self, ended: int, failed: int) -> None:
        """Prints the number of `ended` runs, of which `failed` failed, if an update is due."""
        now = time.monotonic()
        if ended > self._ended:
            self._ended, self._changed = ended, now
        if self._terminal:
            interval = TERMINAL_INTERVAL
        else:
            interval = LINE_INTERVAL if self._changed > self._told else WAITING_INTERVAL
        if not self._shown or now - self._told < interval:
            return
        self._told = now
        text = self._text(failed, now)
        if self._terminal:
            filled = WIDTH * self._ended // max(1, self._total)
            print(f"\r[{'#' * filled:{WIDTH}}] {text}\033[K", end="", file=sys.stderr, flush=True)
        else:
            print(f"{self._name}: {text}", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Clears the bar on a terminal."""
        if self._shown and self._terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def _text(self, failed: int, now: float) -> str:
        text = f"run {self._ended}/{self._total}" + (f", {failed} failed" if failed else "")
        done = self._ended - self._before
        if done:
            # The mean time per run changes only when a run ends. Between two ends, the remaining
            # time counts down.
            pace = (self._changed - self._begin) / done
            left = pace * (self._total - self._ended) - (now - self._changed)
            text += f"  ETA {duration(max(0.0, left))}"
        return text
