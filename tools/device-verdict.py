#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What follows from the figures of `bench device`: see doc/cuda.md.

usage: device-verdict.py agreement|size|threshold FIGURES.json [SOURCES]

agreement: whether device and processor computed the same; status 1 if not.
size:      which of the two device programs stays, the project's own or LibTorch's.
threshold: from how many operations of a round on --device=auto takes the device; the last line is
           the number, or `never`.
"""
from __future__ import annotations

import json
import re
import sys
from pathlib import Path

# LibTorch's program stays if its steps take at most this many times ours.
SLOWER = 2.0
# What only the device program of chains of layers needs; LibTorch's is in the second list.
OURS = r"^contrib/dpdl/core/.*training/(cuda[-/]|device-|executor-timing)"
LIBTORCH = r"^contrib/dpdl/core/.*training/(tensor-record|torch-device)"

Row = dict[str, object]


def find(rows: list[Row], begin: str) -> list[Row]:
    return [row for row in rows if str(row["what"]).startswith(begin)]


def agreement(rows: list[Row]) -> int:
    found = find(rows, "distance of the states")
    for row in found:
        print(f"{row['what']}: {row['median']:.3g}, "
              f"{'met' if row['goal']['met'] else 'MISSED'}: at most {row['goal']['at_most']:g}")
    if not found:
        print("not measured")
    return int(not found or not all(row["goal"]["met"] for row in found))


def lines(sources: Path, pattern: str) -> int:
    """Lines of the files of a checkout whose names fit."""
    files = [path for path in (sources / "contrib").rglob("*") if path.is_file()]
    return sum(len(path.read_bytes().splitlines()) for path in files
               if re.search(pattern, path.relative_to(sources).as_posix()))


def size(rows: list[Row], sources: Path) -> int:
    print(f"the project's device program: {lines(sources, OURS)} lines; "
          f"what LibTorch's needs beyond the processor's: {lines(sources, LIBTORCH)}")
    ratios = []
    for row in find(rows, "step of"):
        for other in row["comparisons"]:
            if other["with"].startswith("LibTorch on the device"):
                ratios.append(other["median"])
                print(f"{row['what']}: LibTorch takes {other['median']:.3g} times as long")
    if not ratios:
        print("verdict: none, LibTorch was not measured on the device")
    elif max(ratios) <= SLOWER:
        print("verdict: LibTorch reaches half the speed everywhere: the shorter program stays")
    else:
        print("verdict: LibTorch does not reach half the speed everywhere: both programs stay")
    return 0


def threshold(rows: list[Row]) -> int:
    for row in find(rows, "round of"):
        for other in row["comparisons"]:
            print(f"{row['what']}: {other['median']:.3g} times as fast as {other['with']}")
    found = find(rows, "a round is faster on the device from")
    print(f"{found[0]['median']:.6g}" if found else "never")
    return 0


def main() -> int:
    known = {"agreement": agreement, "threshold": threshold}
    try:
        command, figures = sys.argv[1], Path(sys.argv[2])
        rows = json.loads(figures.read_text(encoding="utf-8"))["rows"]
    except (IndexError, KeyError):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(f"device-verdict: {sys.argv[2]} has no figures of bench device: {error}",
              file=sys.stderr)
        return 2
    if command == "size" and len(sys.argv) == 4:
        return size(rows, Path(sys.argv[3]))
    if command in known and len(sys.argv) == 3:
        return known[command](rows)
    print(__doc__.strip(), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
