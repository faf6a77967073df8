#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws doc/quickstart.svg from the traces of `./dpdl run quickstart`.

Usage: doc/quickstart-picture.py quickstart-results doc/quickstart.svg
"""

import sqlite3
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

RUNS = {
    "sgp": ("sgp, not private", "#555555"),
    "dyn-d2p": ("dyn-d2p, epsilon 1", "#0072b2"),
    "const-d2p": ("const-d2p, epsilon 1", "#e69f00"),
    "dyn-d2p-plain": ("dyn-d2p, epsilon 1, step as published", "#cc3311"),
}
"""Traces, from top to bottom of the picture: what they are called and their colour."""


def main(folder: Path, picture: Path) -> None:
    matplotlib.rcParams.update({"svg.hashsalt": "dpdl", "font.size": 10})
    figure, axes = pyplot.subplots(figsize=(7.2, 3.8), layout="constrained")
    for name, (label, colour) in RUNS.items():
        with sqlite3.connect(f"file:{folder / name}.db?mode=ro", uri=True) as trace:
            rows = trace.execute(
                "SELECT simulated_seconds, accuracy_mean, accuracy_worst FROM accuracy_by_round"
            ).fetchall()
        seconds, mean, worst = zip(*rows)
        axes.plot(seconds, mean, color=colour, label=label, linewidth=1.8)
        axes.fill_between(seconds, worst, mean, color=colour, alpha=0.15, linewidth=0)
    axes.set_xlabel("simulated time in seconds")
    axes.set_ylabel("test accuracy: mean, down to the worst node")
    axes.yaxis.set_major_formatter(matplotlib.ticker.PercentFormatter(1.0))
    axes.set_title("20 nodes, Fashion-MNIST, links that lose 2 % of the messages", fontsize=10)
    axes.set_ylim(0, 1)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, loc="upper left", ncols=2, fontsize=9)
    figure.savefig(picture, metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
