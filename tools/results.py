#!/usr/bin/python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes doc/results.md and doc/forensics.md, with its figures, from the records of the papers' studies.

usage: results.py [--record=FOLDER ...]

With --record, keeps the runs of a folder that `./dpdl run PAPER --study=NAME` made as the record
scenarios/papers/PAPER/results/NAME.csv first.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "analysis"))

from dpdl_analysis.studies.campaign import read  # noqa: E402  (the path comes first)
from dpdl_analysis.studies.record import record_of, written  # noqa: E402
from dpdl_analysis.studies.results import figures, forensics_page, results_page  # noqa: E402
from dpdl_analysis.sweep.catalogue import identity_of  # noqa: E402
from dpdl_analysis.trace import UsageError  # noqa: E402


def record(folder: Path) -> None:
    """Writes the runs in `folder` as the record of their study. Raises UsageError."""
    campaign = read(folder)
    name = Path(identity_of(folder).get("file", "")).name
    study = ROOT / "scenarios" / "papers" / campaign.scenario / name
    if not study.is_file():
        raise UsageError(f"{folder}: holds no runs of a paper's study; accepted is a folder that "
                         "./dpdl run PAPER --study=NAME made")
    text = written(campaign, study)
    path = record_of(study)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", type=Path, action="append", default=[], metavar="FOLDER",
                        help="the runs of a study, to be kept; may be given several times")
    try:
        for folder in parser.parse_args().record:
            record(folder)
        for name, page in (("results", results_page), ("forensics", forensics_page)):
            (ROOT / "doc" / f"{name}.md").write_text(page(ROOT), encoding="utf-8")
        for path, study in figures(ROOT).items():
            study.write(path)
    except UsageError as error:
        print(f"results.py: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
