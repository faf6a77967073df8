# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs dpdl from Python; doc/how-to/python.md describes it.

    import dpdl

    run = dpdl.learn(algorithm="dyn-d2p", nodes=20, drop=0.05)
    print(run.summary["accuracy_mean"], run.summary["epsilon_certified"])
    run.plot.accuracy(output="accuracy.pdf")

Options are those of `dpdl run learn --help`, as `batchSize` or `batch_size`. A mistake raises
`dpdl.Error` with the program's one-line message. Ctrl-C ends a run and keeps its trace.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpdl.calls import account, compare, export_model, figure, learn, run, sweep
    from dpdl.clone import Error
    from dpdl.trace import Campaign, Picture, Run, load

__all__ = [
    "Campaign", "Error", "Picture", "Run", "account", "compare", "export_model", "figure", "learn",
    "load", "run", "sweep",
]


def __getattr__(name: str) -> Any:
    # Importing dpdl is fast: its modules are imported at their first use.
    if name not in __all__:
        raise AttributeError(f"module 'dpdl' has no attribute '{name}'")
    return getattr(import_module("dpdl.trace" if name == "load" else "dpdl.calls"), name)
