# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs of dpdl from Python; doc/how-to/python.md.

    import dpdl

    run = dpdl.learn(algorithm="dyn-d2p", nodes=20, drop=0.05)
    print(run.summary["accuracy_mean"], run.summary["epsilon_certified"])
    run.plot.accuracy(output="accuracy.pdf")

Options are those of `./dpdl run learn --help`, as `batchSize` or `batch_size`. A mistake raises
`dpdl.Error` with the one line that the program says. Ctrl-C ends a run and keeps its trace.
"""

from dpdl.calls import account, compare, export_model, figure, learn, run, sweep
from dpdl.clone import Error
from dpdl.trace import Campaign, Picture, Run, load

__all__ = [
    "Campaign", "Error", "Picture", "Run", "account", "compare", "export_model", "figure", "learn",
    "load", "run", "sweep",
]
