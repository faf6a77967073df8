# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A part of a page with figures."""

from __future__ import annotations

from dataclasses import dataclass

from dpdl_analysis.figures.figure import Figure


@dataclass
class Section:
    """Its anchor on the page, its heading and its figures."""

    anchor: str
    title: str
    figures: list[Figure]
