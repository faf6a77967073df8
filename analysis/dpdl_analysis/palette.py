# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Colours of pages and figures by role, for light screens, dark screens and paper."""

_ROLES = """
page #fbfbfa #14181c #ffffff
surface #ffffff #1b2025
ink #1d2329 #e6e9eb #000000
muted #5c666f #a3adb5 #444444
grid #d9dde0 #39424a #bbbbbb
line #e4e7e9 #2d353c #cccccc
shade #c3c9ce #05080a
accent #0b5c8f #7cc0ec #000000
warn #8a4b00 #f2bd6b #6b3a00
warn-surface #fff4e3 #32280f #ffffff
alarm #b00020 #ff8a94
alarm-surface #fdecee #3a1418 #ffffff
heat #b03a00 #ff9a5c
run-0 #0072b2 #5ab4ec
run-1 #d55e00 #ff9146
run-2 #00845f #34c99a
run-3 #b5559a #e08fc6
run-4 #8a6d00 #dcc04a
run-5 #3a9bd1 #9ad4f5
run-6 #5b4bb5 #a99cf5
run-7 #5f6b73 #aab4bb
part-0 #1f4e79 #3d78b0
part-1 #4f86b8 #6aa3d6
part-2 #d08c2e #d69a45
part-3 #9cc3e0 #a9cdea
part-4 #7a5a8c #a184b5
part-5 #ecc98a #f0d6a3
part-6 #8b969e #77828a
part-7 #d5dadd #4a535a
part-ink-0 #ffffff
part-ink-1 #ffffff #0b1620
part-ink-2 #1d1300
part-ink-3 #0f2233
part-ink-4 #ffffff #140c1a
part-ink-5 #2b1d00
part-ink-6 #10161b #ffffff
part-ink-7 #1d2329 #ffffff
"""
"""Lines of a role and its colours for light, dark and paper; a missing colour is that for light."""

LIGHT, DARK, PAPER = (
    {role: colours[column] if column < len(colours) else colours[0]
     for role, *colours in map(str.split, _ROLES.strip().splitlines())}
    for column in range(3))
"""Colour by role, for light screens, dark screens, and for print and figures' PDF files."""


def style_sheet() -> str:
    """CSS variables of all roles. The theme chosen on the page overrides that of the system."""
    return "\n".join(
        (
            _block(":root", LIGHT, "light"),
            "@media (prefers-color-scheme: dark) {",
            _block(':root:not([data-theme="light"])', DARK, "dark"),
            "}",
            _block(':root[data-theme="dark"]', DARK, "dark"),
            "@media print {",
            _block(":root, :root[data-theme], :root:not([data-theme=light])", PAPER, "light"),
            "}",
        )
    )


def _block(selector: str, colours: dict[str, str], scheme: str) -> str:
    body = " ".join(f"--{role}: {colour};" for role, colour in colours.items())
    return f"{selector} {{ color-scheme: {scheme}; {body} }}"
