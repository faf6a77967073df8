# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Numbers as text: a missing value is a dash, infinity is ``inf``."""

import difflib
import math
import re
import shutil
from functools import wraps
from typing import Callable, Iterable, Union

Value = Union[float, int, str, None]

DASH = "-"
INTERVAL, HALF, _ = SPREADS = ("interval", "half", "sd")
"""What tables say beside a mean: the ends of its interval, half of it behind ±, or behind ± the
standard deviation over the seeds."""


_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069"
                     "\ud800-\udfff\ufeff]")
_WORD = re.compile(r"\S{241,}")
LONGEST_VALUE, LONGEST_MESSAGE = 80, 2000
"""What a message shows of a value and in all at most, in letters."""


def excerpt(text: object, longest: int = LONGEST_VALUE) -> str:
    """Foreign text as a message may show it: on one line, and harmless to a terminal.

    Of a longer text the middle is left out.
    """
    shown = _HIDDEN.sub(lambda found: _escaped(found.group()), str(text))
    if len(shown) <= longest:
        return shown
    tail = longest // 3
    return shown[: longest - tail - 3] + "..." + shown[len(shown) - tail :]


def message(text: object) -> str:
    """A line for standard error. Words that no path is as long as are shown as values are."""
    shown = excerpt(text, len(str(text)) * 4)
    return excerpt(_WORD.sub(lambda found: excerpt(found.group()), shown), LONGEST_MESSAGE)


def terminal_width() -> int:
    """Letters in a line of the terminal; COLUMNS overrides it, and a pipe or file has no limit."""
    return shutil.get_terminal_size((10_000, 24)).columns


def hint(name: str, names: Iterable[str]) -> str:
    """The nearest of the names, for the end of a message."""
    near = difflib.get_close_matches(name, list(names), 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape", "surrogatepass").decode("ascii")


def number(text: str) -> float | None:
    """A text as a number, if it is one."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def exact(value: Value, digits: int = 6) -> str:
    """A summary value with `digits` significant digits; whole numbers are kept whole."""
    if value is None:
        return DASH
    if isinstance(value, str):
        return value
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.{digits}g}"


def summary_value(name: str, value: Value) -> str:
    """A summary value; a contraction within 1e-3 of 1 is shown by its distance from 1."""
    if name.startswith("q_") and isinstance(value, float) and 0.0 < 1.0 - value < 1e-3:
        return f"1 - {gap(value)}"
    return exact(value)


def _finite(show: Callable[..., str]) -> Callable[..., str]:
    """Shows what is no finite number as exact() does."""
    @wraps(show)
    def checked(value: float | None, *more: int) -> str:
        return show(value, *more) if value is not None and math.isfinite(value) else exact(value)
    return checked


@_finite
def percent(fraction: float, decimals: int = 1) -> str:
    """A fraction as a percentage; a share too small for the decimals is not shown as zero."""
    if 0.0 < fraction < 0.5 * 10.0 ** (-2 - decimals):
        return f"<{10.0 ** -decimals:g} %"
    return f"{100.0 * fraction:.{decimals}f} %"


@_finite
def epsilon(value: float) -> str:
    """A privacy loss with three significant digits."""
    if value == 0.0:
        return "0"
    if 0.001 <= abs(value) < 1000.0:
        decimals = max(0, 2 - int(f"{value:.2e}".partition("e")[2]))
        return f"{value:.{decimals}f}"
    return f"{value:.2e}"


@_finite
def contraction(q: float) -> str:
    """A contraction factor with four decimals."""
    return f"{q:.4f}"


@_finite
def gap(q: float) -> str:
    """1 - q in scientific form, since a bound on q is often within 1e-6 of 1."""
    if q >= 1.0:
        return "<1e-16"
    return f"{1.0 - q:.1e}"


@_finite
def count(value: float) -> str:
    """A whole number with thousands separated."""
    return f"{int(value):,}"


@_finite
def megabytes(value: float) -> str:
    """Bytes in megabytes."""
    return f"{value / 1e6:.4g} MB"


@_finite
def duration(seconds: float) -> str:
    """Seconds in the units a person would use."""
    if seconds < 1.0:
        return f"{1000.0 * seconds:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
