# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A module of PyTorch as a model file (doc/formats/model.md), by tracing it with torch.fx.

Only calling `export_model` needs torch, and numpy for the weights.
"""

from __future__ import annotations

import contextlib
import io
import json
import operator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpdl_analysis.torch_layers import MODULES, Settings, refused
from dpdl_analysis.trace import UsageError

if TYPE_CHECKING:
    import torch

FORMAT = "dpdl-net-1"


@dataclass
class _Flow:
    """What a node of the graph gives: the output of a layer, or a parameter of the module."""

    name: str
    shape: tuple[int, ...]
    parameter: Any = None


@dataclass
class _Export:
    """Layers and weights so far."""

    module: Any
    shape: tuple[int, ...]
    layers: list[Settings] = field(default_factory=list)
    weights: dict[str, Any] = field(default_factory=dict)
    names: set[str] = field(default_factory=lambda: {"input"})
    flows: dict[Any, Any] = field(default_factory=dict)

    def add(self, node: Any, kind: str, source: _Flow, /, **settings: Any) -> _Flow:
        """Appends a layer that takes a flow."""
        wanted = settings.pop("name", node.name)
        name, number = wanted, 2
        while name in self.names:
            name, number = f"{wanted}-{number}", number + 1
        layer: Settings = {"kind": kind, "name": name, **settings}
        before = self.layers[-1]["name"] if self.layers else "input"
        if source.name != before:
            layer["input"] = source.name
        self.names.add(name)
        self.layers.append(layer)
        return _Flow(name, _shape(node))

    def keep(self, place: str, name: str, parameter: Any) -> None:
        """Keeps a parameter under a name."""
        if name in self.weights:
            raise refused(place, "is used twice", "a module of its own for each use")
        self.weights[name] = parameter.detach().cpu().numpy().astype("float32")


def _shape(node: Any) -> tuple[int, ...]:
    """Shape of what a node gives, of its first item if these are several."""
    found = node.meta.get("tensor_meta", ())
    shape = found.shape if hasattr(found, "shape") else found[0].shape if found else ()
    return tuple(int(side) for side in shape)


_ACTIVATIONS = ("relu", "tanh", "sigmoid", "gelu")
_UNCHANGED = ("contiguous", "float", "long", "int", "clone", "dropout")
_SUMS = ("add", "iadd", "add_")
_OPAQUE = ("size", "getattr", "dim")


def _known() -> str:
    return ", ".join(sorted(MODULES))


def _call_module(export: _Export, node: Any) -> _Flow:
    place, module = node.target, export.module.get_submodule(node.target)
    kind = type(module).__name__
    shown = f"layer '{place}' ({kind})"
    source = export.flows[node.args[0]]
    if kind == "Identity" or (kind.startswith("Dropout") and module.p == 0):
        return source
    if kind.startswith("Dropout"):
        raise refused(
            shown,
            "makes the gradient of an example random",
            "p=0 or torch.nn.Identity in its place",
        )
    if kind.startswith("BatchNorm"):
        raise refused(shown, "mixes the examples of a batch", "torch.nn.GroupNorm in its place")
    if kind not in MODULES or not type(module).__module__.startswith("torch.nn"):
        raise refused(shown, "is not known", f"one of {_known()}")
    name, read = MODULES[kind]
    if kind == "MultiheadAttention" and len({export.flows[arg].name for arg in node.args[:3]}) > 1:
        raise refused(shown, "has different query, key and value", "the same for all three")
    if kind == "MultiheadAttention" and (len(node.args) > 3 or _has_mask(node)):
        raise refused(shown, "has a mask", "attention without masks")
    settings = read(module, shown) if read else {}
    for parameter, value in module.named_parameters():
        export.keep(shown, f"{place}.{parameter}", value)
    return export.add(node, name, source, name=place, **settings)


def _has_mask(node: Any) -> bool:
    return any(node.kwargs.get(name) is not None for name in ("attn_mask", "key_padding_mask"))


def _add(export: _Export, node: Any) -> _Flow:
    flows = [export.flows.get(arg) for arg in node.args[:2]]
    alpha = node.kwargs.get("alpha", 1)
    if len(flows) != 2 or None in flows or alpha != 1:
        raise refused(f"operation '{node.name}'", "adds a number", "a sum of two layers' outputs")
    one, other = flows
    if one.parameter is not None:
        one, other = other, one
    if other.parameter is not None:
        if _without_ones(other.parameter.shape) != _without_ones(one.shape[1:]):
            raise refused(f"parameter '{other.name}'", "is broadcast", "the shape of an example")
        export.keep(f"parameter '{other.name}'", other.name, other.parameter)
        return export.add(node, "position", one, name=other.name)
    if export.layers and other.name == export.layers[-1]["name"]:
        one, other = other, one
    return export.add(node, "add", one, **{"from": other.name})


def _without_ones(shape: Any) -> tuple[int, ...]:
    return tuple(int(side) for side in shape if side != 1)


def _cat(export: _Export, node: Any) -> _Flow:
    parts = [export.flows.get(part) for part in node.args[0]]
    axis = node.kwargs.get("dim", node.args[1] if len(node.args) > 1 else 0)
    token = parts[0]
    if len(parts) != 2 or axis != 1 or token is None or token.parameter is None:
        raise refused(
            f"operation '{node.name}' (cat)",
            "joins other things",
            "a parameter of one token before the tokens of an example, along axis 1",
        )
    export.keep(f"parameter '{token.name}'", token.name, token.parameter)
    return export.add(node, "class_token", parts[1], name=token.name)


def _take_item(export: _Export, node: Any) -> Any:
    value, index = node.args
    if value.op == "call_module" and index == 0:
        return export.flows[value]  # the values of an attention, without its weights
    flow = export.flows.get(value)
    plain = isinstance(index, tuple) and len(index) >= 2 and isinstance(index[1], int)
    rest = [part for i, part in enumerate(index) if i != 1] if plain else []
    if flow is None or not plain or any(part != slice(None) for part in rest):
        if flow is None:
            return None  # an item of a shape
        raise refused(f"operation '{node.name}'", f"takes {index!r}", "one token, as x[:, 0]")
    return export.add(node, "select", flow, index=index[1] % flow.shape[1])


def _reshape(export: _Export, node: Any, flow: _Flow) -> _Flow:
    """A shape of the result that is a flattening, or nothing new."""
    before, after = flow.shape, _shape(node)
    if before == after:
        return flow
    kept = len(after) - 1
    if kept < 1 or after[:kept] != before[:kept]:
        raise refused(
            f"operation '{node.name}'",
            f"makes {list(before)} to {list(after)}",
            "axes that are flattened up to the last one",
        )
    return export.add(node, "flatten", flow, start=kept)


def _operation(export: _Export, node: Any, name: str) -> Any:
    """A call of a function or of a tensor's method."""
    if name in _OPAQUE:
        return None
    if name == "getitem":
        return _take_item(export, node)
    if name in _SUMS:
        return _add(export, node)
    if name in ("cat", "concat"):
        return _cat(export, node)
    flow = export.flows.get(node.args[0]) if node.args else None
    if flow is None:
        raise refused(f"operation '{node.name}' ({name})", "is not known", "layers of torch.nn")
    if flow.parameter is not None and name == "expand":
        return flow
    if name in _UNCHANGED and not (name == "dropout" and node.kwargs.get("p", 0.5) != 0):
        return flow
    if name in _ACTIVATIONS and node.kwargs.get("approximate", "none") == "none":
        return export.add(node, name, flow)
    if name in ("flatten", "view", "reshape"):
        return _reshape(export, node, flow)
    if name in ("transpose", "permute") and len(flow.shape) == 3:
        if tuple(node.args[1:]) in ((1, 2), (2, 1), (-1, -2), (-2, -1), (0, 2, 1), ((0, 2, 1),)):
            return export.add(node, "transpose", flow)
    if name == "mean":
        return _mean(export, node, flow)
    raise refused(
        f"operation '{node.name}' ({name})",
        "is not known",
        f"sums, {', '.join(_ACTIVATIONS)}, flatten, transpose(1, 2), mean, or a layer of torch.nn",
    )


def _mean(export: _Export, node: Any, flow: _Flow) -> _Flow:
    axes = node.kwargs.get("dim", node.args[1] if len(node.args) > 1 else None)
    axes = axes if isinstance(axes, (tuple, list)) else (axes,)
    rank = len(flow.shape)
    found = sorted(axis % rank for axis in axes if axis is not None)
    if not node.kwargs.get("keepdim", False):
        if rank == 3 and found == [1]:
            return export.add(node, "mean", flow)
        if rank == 3 and found == [2]:
            pooled = export.add(node, "adaptive_avg_pool1d", flow, size=1)
            return export.add(node, "flatten", pooled)
        if rank == 4 and found == [2, 3]:
            pooled = export.add(node, "adaptive_avg_pool2d", flow, size=1)
            return export.add(node, "flatten", pooled)
    raise refused(f"operation '{node.name}'", f"is a mean over {axes}", "over all positions")


def _visit(export: _Export, node: Any) -> Any:
    if node.op == "placeholder":
        return _Flow("input", export.shape)
    if node.op == "call_module":
        return _call_module(export, node)
    if node.op == "get_attr":
        found: Any = export.module
        for part in node.target.split("."):
            found = getattr(found, part)
        if node.target not in dict(export.module.named_parameters()):
            raise refused(f"tensor '{node.target}'", "is no parameter", "torch.nn.Parameter")
        return _Flow(node.target, tuple(found.shape), found)
    name = node.target if node.op == "call_method" else getattr(node.target, "__name__", "")
    return _operation(export, node, "add" if node.target is operator.iadd else name)


def export_model(module: torch.nn.Module, example_input: torch.Tensor, path: str | Path) -> Path:
    """Writes a module as a model file and its weights beside it, for `--model=file:NET.json`.

    module: layers of torch.nn, called one after the other or with residual sums.
    example_input: a batch of examples, [n, ...]; only its shape counts, and for an embedding that
    its values are numbers of words.
    path: NET.json; the weights go to NET.npz.
    Raises UsageError, which names the layer and its place in the module, if one is not known.
    """
    path = Path(path)
    if path.suffix != ".json":
        raise UsageError(f"path: '{path}' is not accepted; expected a name that ends in .json")
    try:
        import numpy
        import torch
        from torch.fx import symbolic_trace
        from torch.fx.passes.shape_prop import ShapeProp
    except ImportError as error:
        raise UsageError(f"export_model needs torch and numpy: {error}") from error
    try:
        graph = symbolic_trace(module)
        # ShapeProp also prints the whole stack of a mistake.
        with torch.no_grad(), contextlib.redirect_stderr(io.StringIO()):
            ShapeProp(graph).propagate(example_input)
    except Exception as error:  # tracing runs the user's code
        line = str(error.__cause__ or error).strip().split("\n", maxsplit=1)[0]
        raise UsageError(f"module: torch.fx cannot trace it: {line}") from error
    graph.graph.eliminate_dead_code()
    export = _Export(module, tuple(example_input.shape))
    for node in graph.graph.nodes:
        if node.op == "output":
            if export.flows.get(node.args[0]) is None:
                raise UsageError("module: several outputs are not accepted; expected one tensor")
            break
        export.flows[node] = _visit(export, node)
    layers = ",\n    ".join(json.dumps(layer) for layer in export.layers)
    shape = json.dumps(list(example_input.shape[1:]))
    path.write_text(
        f'{{\n  "format": "{FORMAT}",\n  "input": {shape},\n'
        f'  "layers": [\n    {layers}\n  ]\n}}\n',
        encoding="utf-8",
    )
    numpy.savez(path.with_suffix(".npz"), **export.weights)
    return path
