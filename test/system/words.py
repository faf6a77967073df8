# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Command lines of tests."""


def merged(*options: str) -> list[str]:
    """The options, each once: a later one replaces an earlier one, but for lists."""
    kept: dict[str, str] = {}
    for option in options:
        name = option.split("=", 1)[0]
        kept[option if name in ("--fail", "--vary") else name] = option
    return list(kept.values())
