# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs and campaigns, read from their files."""

from __future__ import annotations

import json
import math
import os
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping

from dpdl.clone import Error, as_error, call

if TYPE_CHECKING:
    import pandas as pd


def load(path: str | os.PathLike[str]) -> Run | Campaign:
    """Opens the trace of a run, or the folder of a campaign. Raises Error if it is neither."""
    with as_error():
        return Campaign(path) if Path(path).is_dir() else Run(path)


@dataclass(frozen=True)
class Picture:
    """A figure as the content of a .pdf, .svg or .png file. Notebooks display .svg and .png."""

    content: bytes = field(repr=False)
    path: Path | None = None
    """File of the figure; None if the caller named no file."""

    def _repr_png_(self) -> bytes | None:
        return self.content if self.content.startswith(b"\x89PNG") else None

    def _repr_svg_(self) -> str | None:
        return self.content.decode() if self.content.startswith(b"<?xml") else None


class Run:
    """The trace of a run. Each view of the trace is an attribute, such as `run.accuracy_by_round`:
    a pandas.DataFrame, read at its first use. doc/formats/trace.md describes the views."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Reads the summary of the trace at `path`. Raises Error if the file is no trace."""
        self.path = Path(path).absolute()
        self._frames: dict[str, pd.DataFrame] = {}
        with as_error():
            from dpdl_analysis.trace import Trace

            with Trace(path) as trace:
                self.views: list[str] = trace.named()
                self.summary: dict[str, Any] = {name: row.value
                                                for name, row in trace.summary.items()}

    def __getattr__(self, name: str) -> pd.DataFrame:
        if name.startswith("_") or name not in self.views:
            raise AttributeError(f"a run has no view '{name}'; see Run.views")
        if name not in self._frames:
            self._frames[name] = self.query(f'SELECT * FROM "{name}"')
        return self._frames[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.views]

    def __repr__(self) -> str:
        return f"Run('{self.path.name}', {self.summary.get('state')})"

    def _repr_html_(self) -> str:
        """HTML table of the summary's main numbers, for notebooks."""
        import pandas as pd
        from dpdl_analysis.metrics import METRICS

        names = [name for metric in METRICS for name in metric.sources if name in self.summary]
        frame = pd.Series({name: self.summary[name] for name in names}, name=self.path.name)
        return str(frame.to_frame().to_html())

    def query(self, sql: str, parameters: Any = ()) -> pd.DataFrame:
        """Result of an SQL query on the trace. Raises Error if SQLite cannot run it."""
        import pandas as pd
        from dpdl_analysis.trace import Trace

        def plain(one: Any) -> Any:
            # SQLite takes a number of NumPy for bytes, which no number equals.
            return one.item() if hasattr(one, "item") else one

        with as_error(), Trace(self.path) as trace:
            given = {name: plain(parameters[name]) for name in parameters} \
                if isinstance(parameters, Mapping) else list(map(plain, parameters))
            names, rows = trace.table(sql, given)
            return pd.DataFrame(rows, columns=names)

    def state_dict(self, node: int | None = None) -> dict[str, Any]:
        """Trained weights for `module.load_state_dict`: torch tensors by name.

        The weights are those of one node, or the mean over all nodes (None), after the last round
        in view `snapshot`. Reads the model's files. Raises Error if the trace has no weights."""
        import numpy
        from dpdl_analysis.export_model import MISSING

        where, given = ("", ()) if node is None else (" AND node = ?", (node,))
        rows = self.query("SELECT z FROM snapshot WHERE typeof(z) = 'blob' AND round = "
                          "(SELECT MAX(round) FROM snapshot)" + where, given).z
        told = dict(self.query("SELECT name, value FROM settings").to_numpy().tolist())
        model, sizes = told.get("model"), {len(row) for row in rows}
        if model is None or "rank" in told or len(sizes) != 1 or sizes.pop() % 4:
            whose = "all nodes" if node is None else f"node {node}"
            raise Error(f"{self.path}: has no weights of {whose} after its last round; accepted is "
                        "the whole trace of a run, of all its ranks")
        z = numpy.mean([numpy.frombuffer(row, "<f4") for row in rows], axis=0, dtype="f4")
        listed = json.loads(call(["list", "models", model, "--json"])).get("parameters", [])
        shapes = {row["name"]: [int(side) for side in found[1].split(",")] for row in listed
                  if (found := re.match(r"float32 \[([\d, ]+)\], elements", row["meaning"]))}
        ends = numpy.cumsum([math.prod(shape) for shape in shapes.values()], dtype=int)
        if [len(z)] != [*ends[-1:]]:
            raise Error(f"model '{model}' is listed with {sum(ends[-1:])} parameters, but the trace "
                        f"has {len(z)}; accepted are the files of the run's model, or data with "
                        "the shape and classes of the list")
        if MISSING:
            raise Error(f"state_dict {MISSING}")
        import torch

        weights = {name: torch.tensor(part.reshape(shapes[name]))
                   for name, part in zip(shapes, numpy.split(z, ends))}
        script = Path(model[5:]).with_suffix(".pt")
        if not (model.startswith("file:") and script.exists()):
            return weights
        whole = torch.jit.load(str(script))
        with torch.no_grad():
            for name, value in whole.named_parameters():
                value.copy_(weights.get(name, value))
        return dict(whole.state_dict())

    @property
    def plot(self) -> Plots:
        """Figures of the run, such as `run.plot.accuracy()`."""
        return Plots(self)

    def report(self, output: str | os.PathLike[str]) -> Path:
        """Writes an HTML report to `output`, as `./dpdl report` does. Raises Error if it fails."""
        call(["report", str(self.path), f"--output={os.fspath(output)}"])
        return Path(output)

    def export(self, output: str | os.PathLike[str], to: str = "csv", *, public: bool = False,
               overwrite: bool = False) -> Path:
        """Writes all views to folder `output`; `to` is csv, parquet or tensorboard. `public` omits
        values that only the simulator may know. Without `overwrite`, existing files raise Error."""
        flags = [*(["--public"] if public else []), *(["--overwrite"] if overwrite else [])]
        call(["export", str(self.path), f"--to={to}", f"--output={os.fspath(output)}", *flags])
        return Path(output)


class Plots:
    """Figures of a run as methods: accuracy(), and the figures of `./dpdl figure` with underscores
    in their names, such as epsilon_rounds(). All accept the options `look` of dpdl.figure()."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def accuracy(self, **look: Any) -> Picture:
        """Test accuracy over simulated time: mean over the nodes, and band down to the worst."""
        return self._draw("accuracy-time", **look)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda **look: self._draw(name.replace("_", "-"), **look)

    def __dir__(self) -> list[str]:
        from dpdl_analysis.publishing import FIGURES

        return [*super().__dir__(), *(name.replace("-", "_") for name in FIGURES[1:])]

    def _draw(self, name: str, **look: Any) -> Picture:
        from dpdl.calls import figure

        return figure(self._run, name, **look)


class Campaign:
    """The folder of a campaign, as `./dpdl sweep` and the studies of `./dpdl run` write it."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """Reads campaign.json in `folder`. Raises Error if the file is missing or not valid."""
        self.folder = Path(folder).absolute()
        with as_error():
            from dpdl_analysis.files import listed_runs

            self.scenario, self._listed = listed_runs(
                self.folder, "accepted is a folder with the runs of a campaign")

    def __repr__(self) -> str:
        return f"Campaign('{self.folder.name}', {len(self._listed)} runs)"

    def _repr_html_(self) -> str:
        return str(self.table.to_html(max_rows=20, max_cols=12))

    @cached_property
    def _there(self) -> list[dict[str, Any]]:
        return [entry for entry in self._listed if (self.folder / entry["trace"]).exists()]

    @cached_property
    def runs(self) -> list[Run]:
        """Runs whose traces exist, in the order of campaign.json."""
        return [Run(self.folder / entry["trace"]) for entry in self._there]

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per run of `runs`: trace, run number, varied options, summary."""
        import pandas as pd

        return pd.DataFrame([
            {"trace": entry["trace"], "run": entry["run"], **entry["factors"], **run.summary}
            for entry, run in zip(self._there, self.runs)
        ])
