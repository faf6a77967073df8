# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Studies: what the runs of a campaign show together, as tables and one figure each.

The module of a study is named after its scenario, with underscores, and has a function
`study(campaign) -> Study`. The papers share one.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpdl_analysis.studies.study import Study

PAPERS = ("ada-d2p", "adp-vrsgp", "dyn-d2p", "partpsp")
"""Scenarios that run the experiments of a paper."""
STUDIES = (
    "cancellation",
    "cell",
    "iot",
    "leaderboard",
    "liars",
    "link-failures",
    "loss-policies",
    "stragglers",
    "topology-q",
    "vehicular",
    "what-if",
    *PAPERS,
)
"""Scenarios that have a study."""


def make(name: str, folder: Path) -> "Study":
    """The study of that name from the runs in `folder`.

    Raises UsageError if the folder holds no such runs, ImportError without pandas and matplotlib.
    """
    from dpdl_analysis.studies.campaign import read

    file = "paper" if name in PAPERS else name.replace("-", "_")
    module = import_module(f"dpdl_analysis.studies.{file}")
    return module.study(read(folder, name))


def show(name: str, folder: Path, output: Path | None = None) -> None:
    """Draws the study of the runs in `folder`, and prints its tables and where the figure is."""
    from dpdl_analysis.studies.study import check_output

    if output:
        check_output(output)
    output = output or folder / f"{name}.png"
    study = make(name, folder)
    study.write(output)
    print(study.as_text())
    print(f"\nfigure: {output}")
