# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Studies: results of a campaign's runs, as tables and one figure per study.

The module of a study has the name of its scenario, with underscores, and a function
`study(campaign) -> Study`. The scenarios in PAPERS share the module `paper`.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from dpdl_analysis.files import PICTURES, check_output

if TYPE_CHECKING:
    from dpdl_analysis.studies.study import Study

PAPERS = ("ada-d2p", "adp-vrsgp", "dyn-d2p", "partpsp")
"""Names of scenarios that repeat the experiments of a paper."""
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
"""Names of scenarios that have a study."""


def make(name: str, folder: Path) -> "Study":
    """The study `name` of the campaign in `folder`.

    Raises UsageError if the folder has no runs of it, ImportError without pandas and matplotlib.
    """
    from dpdl_analysis.studies.campaign import read

    file = "paper" if name in PAPERS else name.replace("-", "_")
    module = import_module(f"dpdl_analysis.studies.{file}")
    return module.study(read(folder, name))


def show(name: str, folder: Path, output: Path | None = None) -> None:
    """Prints the study's tables and writes its figure, by default NAME.png in `folder`."""
    output = output or folder / f"{name}.png"
    check_output(output, *PICTURES)
    study = make(name, folder)
    study.write(output)
    print(study.as_text())
    print(f"\nfigure: {output}")
