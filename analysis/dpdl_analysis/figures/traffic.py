# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What was learnt for what was sent."""

from typing import Sequence

import pandas as pd

from dpdl_analysis.figures.data import RunData
from dpdl_analysis.figures.figure import Figure
from dpdl_analysis.figures.learning import draw_accuracy, finish_accuracy
from dpdl_analysis.figures.theme import HALF, canvas

MEGABYTE = 1e6


def accuracy_over_bytes(runs: Sequence[RunData]) -> Figure:
    """Mean accuracy over the bytes that all nodes had sent until then."""
    figure = Figure(
        "accuracy-bytes",
        "Accuracy over bytes sent",
        "What was learnt for the traffic until then, of all nodes together. Up and to the left is "
        "better: more accuracy for less of the network. Line and band as before.",
    )
    drawing = canvas(HALF)
    axes = drawing.subplots()
    for run in runs:
        if run.bytes.empty:
            figure.tell(run.name, "no single messages were recorded, so no bytes by round.")
        elif not run.accuracy.empty:
            learnt = _with_bytes(run)
            draw_accuracy(axes, run, learnt["megabytes"], learnt)
    axes.set_xlabel("megabytes sent by all nodes")
    return finish_accuracy(figure, drawing, axes)


def _with_bytes(run: RunData) -> pd.DataFrame:
    """The evaluations with the megabytes sent until their round; none before the first."""
    joined = pd.merge_asof(
        run.accuracy.astype({"round": float}), run.bytes.astype({"round": float}), on="round"
    )
    return joined.assign(megabytes=joined["bytes"].fillna(0.0) / MEGABYTE)
