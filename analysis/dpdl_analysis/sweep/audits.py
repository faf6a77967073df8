# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The privacy audit of a completed run, if the file of its campaign asks for one."""

import subprocess
from pathlib import Path

from dpdl_analysis.sweep.program import SweepFailure
from dpdl_analysis.trace import Trace

PROGRAM = "dpdl-audit"
BROKEN = 1
"""Exit code of an audit that contradicts the certificate."""
CONTRADICTED = "an audit contradicts the certificate; ./dpdl inspect says how"


def audit(build: Path, trace: Path, runs: int) -> str:
    """Audits a trace by the canary game of dpdl-audit in the folder `build`, over `runs` runs.
    Returns CONTRADICTED, a message, if the audit contradicts the certificate. Returns the reason if
    the trace cannot be audited, and "" in all other cases. Runs without noise are not audited.
    Raises SweepFailure if the program cannot be started."""
    with Trace(trace) as content:
        if not content.rows("SELECT 1 FROM release WHERE noise > 0 LIMIT 1"):
            return ""
    words = [str(build / PROGRAM), f"--trace={trace}", f"--runs={runs}"]
    try:
        done = subprocess.run(words, check=False, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise SweepFailure(f"{words[0]}: {error.strerror}; ./dpdl build --target={PROGRAM} makes "
                           "it") from error
    if done.returncode == BROKEN:
        return CONTRADICTED
    return "" if done.returncode == 0 else "not audited: " + done.stderr.strip()
