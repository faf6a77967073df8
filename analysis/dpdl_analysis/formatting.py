# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Formats of numbers and messages: a missing value is a dash, infinity is ``inf``."""

import difflib
import math
import re
import shutil
from functools import wraps
from typing import Callable, Iterable, Union

Value = Union[float, int, str, None]

DASH = "-"
INTERVAL, HALF, _ = SPREADS = ("interval", "half", "sd")
"""Spread next to a mean in tables: its 95 % interval, ± half the interval, or ± the standard
deviation over the seeds."""


_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069"
                     "\ud800-\udfff\ufeff]")
_WORD = re.compile(r"\S{241,}")
LONGEST_VALUE, LONGEST_MESSAGE = 80, 2000
"""Maximum length of a value in a message, and of a whole message, in characters."""


def excerpt(text: object, longest: int = LONGEST_VALUE) -> str:
    """Text from outside for a message: control characters are escaped.

    Text of more than `longest` characters is shortened in the middle.
    """
    shown = _HIDDEN.sub(
        lambda found: found[0].encode("unicode_escape", "surrogatepass").decode("ascii"), str(text))
    if len(shown) <= longest:
        return shown
    tail = longest // 3
    return shown[: longest - tail - 3] + "..." + shown[len(shown) - tail :]


def message(text: object) -> str:
    """`text` on one line, at most 2000 characters; words over 240 are shortened to 80."""
    shown = excerpt(text, len(str(text)) * 4)
    return excerpt(_WORD.sub(lambda found: excerpt(found.group()), shown), LONGEST_MESSAGE)


def terminal_width() -> int:
    """Width of the terminal in characters, or the variable COLUMNS; 10,000 for a pipe or file."""
    return shutil.get_terminal_size((10_000, 24)).columns


def hint(name: str, names: Iterable[str]) -> str:
    """End of a message that suggests the one of `names` closest to `name`; "" if none is close."""
    near = difflib.get_close_matches(name, [one for one in names if one != name], 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def number(text: str) -> float | None:
    """A text as a finite number; None if it is none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def exact(value: Value, digits: int = 6) -> str:
    """A number with `digits` significant digits; whole numbers and texts are exact."""
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
    """The value of the summary's item `name`. A q within 1e-3 of 1 has the form `1 - 2e-06`."""
    if name.startswith("q_") and isinstance(value, float) and 0.0 < 1.0 - value < 1e-3:
        return f"1 - {gap(value)}"
    return exact(value)


def _finite(show: Callable[..., str]) -> Callable[..., str]:
    """Decorates a function that formats finite numbers; exact() formats other values."""
    @wraps(show)
    def checked(value: float | None, *more: int) -> str:
        return show(value, *more) if value is not None and math.isfinite(value) else exact(value)
    return checked


@_finite
def percent(fraction: float, decimals: int = 1) -> str:
    """A fraction in [0, 1] in percent; a small positive one is shown as `<0.1 %`."""
    if 0.0 < fraction < 0.5 * 10.0 ** (-2 - decimals):
        return f"<{10.0 ** -decimals:g} %"
    return f"{100.0 * fraction:.{decimals}f} %"


@_finite
def epsilon(value: float) -> str:
    """An epsilon with three significant digits."""
    if value == 0.0:
        return "0"
    if 0.001 <= abs(value) < 1000.0:
        decimals = max(0, 2 - int(f"{value:.2e}".partition("e")[2]))
        return f"{value:.{decimals}f}"
    return f"{value:.2e}"


@_finite
def contraction(q: float) -> str:
    """A contraction q in [0, 1] with four decimals."""
    return f"{q:.4f}"


@_finite
def gap(q: float) -> str:
    """1 - q of a contraction q, in scientific notation; bounds on q are often within 1e-6 of 1."""
    if q >= 1.0:
        return "<1e-16"
    return f"{1.0 - q:.1e}"


@_finite
def count(value: float) -> str:
    """A number truncated to an integer, with commas between thousands."""
    return f"{int(value):,}"


@_finite
def megabytes(value: float) -> str:
    """A number of bytes in megabytes (1e6 bytes), with four significant digits."""
    return f"{value / 1e6:.4g} MB"


@_finite
def duration(seconds: float) -> str:
    """A duration in seconds as milliseconds, seconds, minutes or hours."""
    if seconds < 1.0:
        return f"{1000.0 * seconds:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
