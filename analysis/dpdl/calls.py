# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The commands of `./dpdl` as Python functions."""

from __future__ import annotations

import json
import os
import re
import tempfile
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence

from dpdl.clone import Error, as_error, call
from dpdl.trace import Campaign, Picture, Run

if TYPE_CHECKING:
    import pandas as pd

ARRAYS = ("x_train", "y_train", "x_test", "y_test")
DATA, MODEL = (".data.npz",), (".model.json", ".model.npz", ".model.pt")
"""Suffixes of the files that learn() writes next to a trace, in place of its .db."""
FLAGS = ("overwrite", "quiet")
"""Options of a run that take no value."""
REPEATED = ("fail",)
"""Options of a run that accept a list: the command line repeats the option for each value."""
Source = Run | Campaign | str | os.PathLike[str]
"""A run, a campaign, or the path of a trace or of a campaign's folder."""


def learn(progress: bool | None = None, *, model: Any = None, data: Sequence[Any] | None = None,
          **options: Any) -> Run:
    """Makes one learning run, as `./dpdl run learn` does. run() describes the other parameters.

    `model` is a name, or a torch.nn.Module, which export_model() writes next to the trace. `data`
    are arrays (x, y), every fifth example of which is for tests, or (x_train, y_train, x_test,
    y_test), with examples in the first dimension. learn() saves them next to the trace. Raises
    Error for input that is not accepted.
    """
    is_module = model is not None and not isinstance(model, str)
    if data is not None and "dataset" in options:
        raise Error("dataset: expected data=(x, y) or a dataset, not both")
    suffixes = (DATA if data is not None else ()) + (MODEL if is_module else ())
    trace = Path(options.get("trace") or _free_trace(options, suffixes))
    if suffixes:
        options["trace"] = trace
    is_free = trace.parent.is_dir() and (options.get("overwrite") or not trace.exists())
    paths = [_beside(trace, suffix) for suffix in suffixes]
    if is_free and not options.get("overwrite") and any(map(Path.exists, paths)):
        raise Error(f"one of {', '.join(map(str, paths))} exists; expected another trace, or overwrite=True")
    if data is not None:
        import numpy

        with as_error():
            arrays = [numpy.asarray(one) for one in data]
        if len(arrays) not in (2, 4) or any(not one.shape for one in arrays) or any(
                map(numpy.ma.is_masked, data)):
            raise Error("data: expected arrays (x, y), or (x_train, y_train, x_test, y_test), "
                        "without masked values")
        if any(len(x) != len(y) for x, y in zip(arrays[::2], arrays[1::2])):
            raise Error("data: expected as many x as y, " + " and ".join(str(len(one)) for one in arrays))
        if len(arrays) == 2:
            test = numpy.arange(len(arrays[0])) % 5 == 4
            arrays = [one[rows] for rows in (~test, test) for one in arrays]
        options["dataset"] = f"file:{_beside(trace, *DATA)}"
    if is_module and data is None:
        raise Error("model: a module needs data=(x, y); or dpdl.export_model(module, example, "
                    "'net.json') and model='file:net.json'")
    with _restored(trace, paths if is_free else ()):
        if data is not None and is_free:
            numpy.savez(options["dataset"][5:], **dict(zip(ARRAYS, arrays)))
        if is_module and is_free:
            export_model(model, arrays[0][:64], _beside(trace, MODEL[0]))
        name = f"file:{_beside(trace, MODEL[0])}" if is_module else model
        return run("learn", progress, model=name, **options)


def _beside(trace: Path, suffix: str) -> Path:
    """File next to a trace: the name of the trace without .db, and `suffix`."""
    return trace.with_name(trace.name.removesuffix(".db") + suffix)


def _free_trace(options: Mapping[str, Any], suffixes: Sequence[str]) -> str:
    """First name whose files are unused: learn-SEED-RUN.db, learn-SEED-RUN-2.db, ..."""
    stem = f"learn-{options.get('seed', 1)}-{options.get('run', 1)}"
    names = chain([f"{stem}.db"], (f"{stem}-{number}.db" for number in count(2)))
    return next(name for name in names if options.get("overwrite") or not any(
        _beside(Path(name), suffix).exists() for suffix in (".db", *suffixes)))


@contextmanager
def _restored(trace: Path, paths: Sequence[Path]) -> Iterator[None]:
    """Context for writing files next to a trace; restores earlier files if the caller fails."""
    def written() -> int:
        return trace.stat().st_mtime_ns if trace.exists() else 0

    if not paths:
        yield
        return
    before = written()
    with tempfile.TemporaryDirectory(prefix=f".{trace.stem}-", dir=trace.parent) as folder:
        for path in filter(Path.exists, paths):
            path.rename(Path(folder, path.name))
        try:
            yield
        except BaseException:
            for path in paths if written() == before else ():
                path.unlink(missing_ok=True)
                if Path(folder, path.name).exists():
                    Path(folder, path.name).rename(path)
            raise


def run(name: str, progress: bool | None = None, attributes: Mapping[str, Any] | None = None,
        **options: Any) -> Run:
    """Makes a run of the scenario `name`. The trace is in the working directory unless `trace` is
    set.

    Options have the names and values of the command line: a number, a text or a path. True and
    False are `on` and `off`. `fail` takes a list of events. `attributes` are values of ns-3
    attributes by name, such as {"ns3::DpdlApplication::StartTime": "1s"}. `progress` shows
    completed rounds on standard error; None: only in terminals and notebooks. Raises Error with the
    message of the program if the program refuses an option or fails.
    """
    words = _words(options)
    words += [f"--{attribute}={_text(value)}" for attribute, value in (attributes or {}).items()]
    text = call(["run", name, *words], progress)
    return Run(_found(text, "trace"))


def sweep(file: str | os.PathLike[str], **options: Any) -> Campaign:
    """Makes the missing runs of a campaign's file like `./dpdl sweep`. Raises Error if it fails."""
    text = call(["sweep", os.fspath(file), *_words(options)])
    return Campaign(Path(_found(text, "catalogue")).parent)


def account(**options: Any) -> dict[str, Any]:
    """Guarantee of a schedule: parsed JSON of `./dpdl account --json`. Raises Error if refused."""
    words = _words(options, lambda name: True)
    return json.loads(call(["account", *words, "--json"]), object_hook=_finite_or_not)


def compare(base: Source, variant: Source | None = None,
            variants: Sequence[str] = ()) -> pd.DataFrame:
    """Paired differences of two runs, two campaigns, or `variants` of the campaign `base`.

    Has one row per variant and result. The columns are `name` (of the variant), `key`, `title`,
    `unit`, the means `base` and `variant`, `difference` with its 95 % interval from `low` to
    `high`, `pairs` (their number) and `unchanged`. `attrs["notes"]` lists remarks as texts. Raises
    Error if the sources cannot be compared."""
    import pandas as pd

    words = [_path(one) for one in (base, variant) if one is not None]
    words += [f"--variants={_text(variants)}"] if variants else []
    found = json.loads(call(["compare", *words, "--json"]), object_hook=_finite_or_not)
    rows = [{"name": one["name"], **difference} for one in found
            for difference in one["differences"]]
    frame = pd.DataFrame(rows)
    frame.attrs["notes"] = [note for one in found for note in one["notes"]]
    return frame


def figure(sources: Source | Sequence[Source], name: str = "",
           output: str | os.PathLike[str] | None = None, *, title: bool = True,
           **look: Any) -> Picture:
    """Draws one figure of runs, of a campaign, or of two campaigns, as `./dpdl figure` does.

    `name` is the name of the figure; "": the first one of the sources. `look` are options of the
    command: width, font, family, panel, labels, variants, y and x. The figure is written to
    `output`, a .pdf, .svg or .png file, if given. Raises Error if the figure cannot be drawn."""
    several = [sources] if isinstance(sources, (Run, Campaign, str, os.PathLike)) else sources
    words = ["figure", *map(_path, several), *([name] if name else []), *_words(look)]
    words += [] if title else ["--no-title"]
    if output is not None:
        call([*words, f"--output={os.fspath(output)}"])
        return Picture(Path(output).read_bytes(), Path(output))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.png"
        return Picture(figure(sources, name, path, title=title, **look).content)


def export_model(module: Any, example: Any, path: str | os.PathLike[str]) -> None:
    """Writes a torch.nn.Module to `path`, a .json file, for option `model="file:NET.json"`.

    `example` is a batch of typical examples [n, ...], a torch tensor or NumPy array. uint8 arrays
    are scaled to [0, 1]. Raises Error naming the layer if the written file would compute other
    outputs or gradients than the module.
    """
    with as_error():
        from dpdl_analysis.export_model import export_model as export

        export(module, example, Path(path))


def _words(options: Mapping[str, Any],
           is_flag: Callable[[str], bool] = FLAGS.__contains__) -> list[str]:
    """Options as command-line arguments: `batch_size` becomes batchSize, a flag has no value."""
    words = []
    for option, value in options.items():
        name = re.sub(r"_([a-z])", lambda found: found[1].upper(), option)
        if value is None or (is_flag(name) and value is False):
            continue
        several = value if name in REPEATED and not isinstance(value, str) else [value]
        words += [f"--{name}" if is_flag(name) and one is True else f"--{name}={_text(one)}"
                  for one in several]
    return words


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ",".join(map(_text, value))
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _path(source: Source) -> str:
    if isinstance(source, Run):
        return str(source.path)
    return str(source.folder) if isinstance(source, Campaign) else os.fspath(source)


def _found(text: str, what: str) -> str:
    found = re.findall(rf"^{what}: (.*)$", text, re.MULTILINE)
    if not found:
        raise Error(f"the program named no {what}")
    return str(found[-1])


def _finite_or_not(item: dict[str, Any]) -> dict[str, Any]:
    """Replaces the texts "inf" and "-inf" in parsed JSON by numbers, since JSON has no infinity."""
    return {name: float(one) if one in ("inf", "-inf") else one for name, one in item.items()}
