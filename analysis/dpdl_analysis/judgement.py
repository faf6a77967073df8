# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What claimed, certified and observed epsilon say together."""

from __future__ import annotations

import math

from dpdl_analysis.formatting import epsilon
from dpdl_analysis.trace import Trace


def judgement(trace: Trace) -> str:
    """One sentence on whether the claim holds, by the run's own three numbers."""
    claimed = trace.number("epsilon_claimed")
    certified = trace.number("epsilon_certified")
    observed = trace.number("epsilon_observed")
    if certified is None:
        return "No guarantee was recorded."
    if observed is not None and observed > certified:
        return (
            f"The audit found {epsilon(observed)}, above the bound that was thought proven: one of "
            "the two is wrong, please report it."
        )
    if observed is not None and claimed is not None and observed > claimed:
        return f"The claim is false: the audit found a loss of at least {epsilon(observed)}."
    if claimed is None or math.isinf(claimed):
        text = "Nothing is claimed"
    elif claimed >= certified:
        text = "The claim is proven"
    elif math.isinf(certified):
        text = "The claim is unproven, and nothing else is proven"
    else:
        text = f"The claim is unproven; what is proven is {epsilon(certified)}"
    return f"{text}; {_audit(observed)}."


def _audit(observed: float | None) -> str:
    if observed is None:
        return "no audit was run"
    return f"an audit found at least {epsilon(observed)}, which contradicts nothing"
