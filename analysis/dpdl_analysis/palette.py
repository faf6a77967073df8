# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The colours of a page by role, for light, dark and paper: the only place that names them."""

from __future__ import annotations

LIGHT: dict[str, str] = {
    "page": "#fbfbfa",
    "surface": "#ffffff",
    "ink": "#1d2329",
    "muted": "#5c666f",
    "grid": "#d9dde0",
    "line": "#e4e7e9",
    "shade": "#c3c9ce",
    "accent": "#0b5c8f",
    "warn": "#8a4b00",
    "warn-surface": "#fff4e3",
    "alarm": "#b00020",
    "alarm-surface": "#fdecee",
    "heat": "#b03a00",
    "run-0": "#0072b2",
    "run-1": "#d55e00",
    "run-2": "#00845f",
    "run-3": "#b5559a",
    "run-4": "#8a6d00",
    "run-5": "#3a9bd1",
    "run-6": "#5b4bb5",
    "run-7": "#5f6b73",
    "part-0": "#1f4e79",
    "part-1": "#4f86b8",
    "part-2": "#d08c2e",
    "part-3": "#9cc3e0",
    "part-4": "#7a5a8c",
    "part-5": "#ecc98a",
    "part-6": "#8b969e",
    "part-7": "#d5dadd",
    "part-ink-0": "#ffffff",
    "part-ink-1": "#ffffff",
    "part-ink-2": "#1d1300",
    "part-ink-3": "#0f2233",
    "part-ink-4": "#ffffff",
    "part-ink-5": "#2b1d00",
    "part-ink-6": "#10161b",
    "part-ink-7": "#1d2329",
}
"""On a bright screen."""

DARK: dict[str, str] = {
    **LIGHT,
    "page": "#14181c",
    "surface": "#1b2025",
    "ink": "#e6e9eb",
    "muted": "#a3adb5",
    "grid": "#39424a",
    "line": "#2d353c",
    "shade": "#05080a",
    "accent": "#7cc0ec",
    "warn": "#f2bd6b",
    "warn-surface": "#32280f",
    "alarm": "#ff8a94",
    "alarm-surface": "#3a1418",
    "heat": "#ff9a5c",
    "run-0": "#5ab4ec",
    "run-1": "#ff9146",
    "run-2": "#34c99a",
    "run-3": "#e08fc6",
    "run-4": "#dcc04a",
    "run-5": "#9ad4f5",
    "run-6": "#a99cf5",
    "run-7": "#aab4bb",
    "part-0": "#3d78b0",
    "part-1": "#6aa3d6",
    "part-2": "#d69a45",
    "part-3": "#a9cdea",
    "part-4": "#a184b5",
    "part-5": "#f0d6a3",
    "part-6": "#77828a",
    "part-7": "#4a535a",
    "part-ink-1": "#0b1620",
    "part-ink-4": "#140c1a",
    "part-ink-6": "#ffffff",
    "part-ink-7": "#ffffff",
}
"""On a dark screen."""

PAPER: dict[str, str] = {
    **LIGHT,
    "page": "#ffffff",
    "ink": "#000000",
    "muted": "#444444",
    "grid": "#bbbbbb",
    "line": "#cccccc",
    "accent": "#000000",
    "warn": "#6b3a00",
    "warn-surface": "#ffffff",
    "alarm-surface": "#ffffff",
}
"""Printed, and in the figures' PDF files."""


def style_sheet() -> str:
    """The roles as CSS variables; the page's own choice comes before the system's."""
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
