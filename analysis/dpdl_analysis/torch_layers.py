# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Translates a torch.nn.Module into layers of a model file (doc/formats/model.md); needs torch."""

from __future__ import annotations

import re
from typing import Any, Callable

import torch
from torch.nn import functional

Settings = dict[str, Any]
_MODULES = """Linear Conv1d Conv2d ReLU Tanh GELU Sigmoid MaxPool1d MaxPool2d AvgPool1d AvgPool2d
AdaptiveAvgPool1d AdaptiveAvgPool2d GroupNorm LayerNorm Flatten Embedding
MultiheadAttention""".split()
_NEUTRAL = ("Identity", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d")
_PARTS = (*_MODULES, *_NEUTRAL, "Sequential", "ModuleList", "ModuleDict",
          "NonDynamicallyQuantizableLinear")
_KEYS = {"out_features": "out", "out_channels": "out", "embedding_dim": "out", "groups": "groups",
         "num_embeddings": "count", "kernel_size": "kernel", "stride": "stride",
         "padding": "padding", "num_groups": "groups", "num_heads": "heads", "output_size": "size",
         "eps": "eps", "start_dim": "start"}
"""Key of a layer's setting in a model file, by the attribute of the module in torch.nn."""
_ACTIVATIONS = ("relu", "tanh", "sigmoid", "gelu")
_OF_TOKENS = ("attention", "class_token", "position", "transpose", "select", "mean")
_TENSORS = {"GroupNorm": 2, "LayerNorm": 2, "MultiheadAttention": 4}
_TURNS = ((1, 2), (2, 1), (-1, -2), (-2, -1), (0, 2, 1), ((0, 2, 1),))


class Untranslatable(Exception):
    """The module has no equivalent in layers of model files. The text names the first cause."""


def _same(value: Any) -> Any:
    """A setting in the form of a model file: one number if all numbers of a tuple are equal."""
    several = list(value) if isinstance(value, (tuple, list)) else [value]
    if not all(isinstance(one, (int, float)) for one in several):
        raise Untranslatable(f"the setting {value!r}")
    return several[0] if len(set(several)) == 1 else several


def _attend(layer: Settings, w: Callable[[str], Any], x: torch.Tensor) -> torch.Tensor:
    x = x.transpose(0, 1)
    out = functional.multi_head_attention_forward(
        x, x, x, x.shape[-1], layer["heads"], w(".in_proj_weight"), w(".in_proj_bias"), None, None,
        False, 0.0, w(".out_proj.weight"), w(".out_proj.bias"), need_weights=False)[0]
    return out.transpose(0, 1)


def _apply(layer: Settings, w: Callable[[str], Any], x: torch.Tensor, other: Any) -> Any:
    """Computes a layer as model files define it; `w` returns parameters by suffix, `other` is the
    second input. Raises Untranslatable for shapes that model files lack."""
    kind, get = layer["kind"], layer.get
    function = getattr(functional, kind, None)
    if (kind == "add" and x.shape != other.shape) or (kind in _OF_TOKENS and x.dim() != 3):
        raise Untranslatable(f"{kind} of {list(x.shape)}")
    rows: dict[str, Callable[[], Any]] = {
        "linear": lambda: function(x, w(".weight"), w(".bias")),
        "conv": lambda: function(x, w(".weight"), w(".bias"), get("stride"), get("padding"), 1,
                                 get("groups")),
        "max_pool": (pool := lambda: function(x, get("kernel"), get("stride"), get("padding"))),
        "avg_pool": pool,
        "adaptive_avg_pool": lambda: function(x, layer["size"]),
        "group_norm": lambda: function(x, get("groups"), w(".weight"), w(".bias"), get("eps")),
        "layer_norm": lambda: function(x, x.shape[-1:], w(".weight"), w(".bias"), get("eps")),
        "flatten": lambda: x.flatten(layer["start"]),
        "add": lambda: x + other,
        "embedding": lambda: function(x.long(), w(".weight")),
        "attention": lambda: _attend(layer, w, x),
        "class_token": lambda: torch.cat([w("").reshape(1, 1, -1).expand(len(x), 1, -1), x], 1),
        "position": lambda: x + w("").reshape(x.shape[1:]),
        "transpose": lambda: x.transpose(1, 2),
        "select": lambda: x[:, layer["index"]],
        "mean": lambda: x.mean(1)}
    return function(x) if kind in _ACTIVATIONS else rows[re.sub("[12]d$", "", kind)]()


class Translation(torch.fx.Interpreter):
    """Translates a module into layers of a model file, and computes their outputs.

    The translation may be wrong. The caller compares outputs and gradients with the module's.
    """

    def __init__(self, module: torch.nn.Module, tokens: int) -> None:
        """`tokens` is the vocabulary size, or 0. Raises Untranslatable, or errors of torch.fx."""
        for part in module.modules():
            kind = type(part).__name__
            if type(part).__module__.startswith("torch.nn.modules") and kind not in _PARTS:
                raise Untranslatable(kind)
        graph = torch.fx.symbolic_trace(module)
        graph.graph.eliminate_dead_code()
        super().__init__(graph)
        self.names = {id(value): name for name, value in module.named_parameters()}
        self.tokens, self.layers, self.kept = tokens, list[Settings](), dict[str, Any]()
        self.flows: list[tuple[str, Any]] = []

    def run(self, *inputs: Any, **_: Any) -> Any:
        self.layers, self.kept, self.flows = [], {}, [("input", inputs[0])]
        return super().run(*inputs)

    def add(self, kind: str, x: Any, name: str = "", other: Any = None, **settings: Any) -> Any:
        """Appends a layer with input x, returns its output. Raises Untranslatable for unknown x."""
        layer = {"kind": kind, "name": name or f"{kind}-{len(self.layers) + 1}", **settings}
        if x is not self.flows[-1][1]:
            layer["input"] = self.flow(x)
        if other is not None:
            layer["from"] = self.flow(other)
        y = _apply(layer, lambda suffix: self.kept.get(layer["name"] + suffix), x, other)
        self.layers.append(layer)
        self.flows.append((layer["name"], y))
        return y

    def flow(self, x: Any) -> str:
        for name, value in self.flows:
            if value is x:
                return name
        raise Untranslatable("a tensor that is no layer's output")

    def keep(self, parameter: Any, name: str = "") -> str:
        name = name or self.names[id(parameter)]
        if name in self.kept:
            raise Untranslatable(f"'{name}', which is used twice")
        self.kept[name] = parameter
        return name

    def placeholder(self, target: Any, args: Any, kwargs: Any) -> Any:
        return self.flows[0][1]

    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        part, x = self.fetch_attr(target), (*args, *kwargs.values())[0]
        kind = type(part).__name__
        if kind in _NEUTRAL:
            return x
        # The later comparison on few examples may miss these settings of an embedding.
        if kind not in _MODULES or (kind == "Embedding" and not (
                self.tokens and x is self.flows[0][1] and part.padding_idx is part.max_norm is None
                and not part.scale_grad_by_freq)):
            raise Untranslatable(kind)
        own = [self.keep(value, f"{target}.{name}") for name, value in part.named_parameters()]
        if len(own) != _TENSORS.get(kind, len(own)):
            raise Untranslatable(f"{kind} without some of its parameters")
        settings = {key: _same(getattr(part, name)) for name, key in _KEYS.items()
                    if hasattr(part, name)}
        if kind == "Linear" or kind.startswith("Conv"):
            settings["bias"] = part.bias is not None
        name = kind.replace("ReLU", "Relu").replace("GELU", "Gelu").replace("Multihead", "")
        layer = re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()
        y = self.add(layer, x, target if own else "", **settings)
        return (y, None) if kind == "MultiheadAttention" else y

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        return self.operate(target.__name__, args, kwargs, target)

    def call_method(self, target: Any, args: Any, kwargs: Any) -> Any:
        return self.operate(target, args, kwargs,
                            lambda x, *rest, **named: getattr(x, target)(*rest, **named))

    def operate(self, name: str, args: Any, kwargs: Any, plain: Callable[..., Any]) -> Any:
        """Translates the call of a function or tensor method `name`; `plain` executes it."""
        x, *rest = (*args, *kwargs.values())
        if name in ("cat", "concat") and isinstance(x[0], torch.nn.Parameter) and len(x) == 2:
            return self.add("class_token", x[1], self.keep(x[0]))
        if not torch.is_tensor(x) or name in ("size", "getattr", "dim"):
            return plain(*args, **kwargs)  # not translated: shapes, and tuples
        if name in ("add", "iadd", "add_") and rest and torch.is_tensor(rest[0]):
            one, other = (rest[0], x) if isinstance(x, torch.nn.Parameter) else (x, rest[0])
            if isinstance(other, torch.nn.Parameter):
                return self.add("position", one, self.keep(other))
            return self.add("add", one, other=other)
        if name == "getitem" and isinstance(rest[0], tuple) and isinstance(rest[0][1], int):
            return self.add("select", x, index=rest[0][1] % x.shape[1])
        if name in ("contiguous", "float", "clone", "dropout") or (
                name == "expand" and isinstance(x, torch.nn.Parameter)) or (
                name in ("long", "int") and self.tokens and x is self.flows[0][1]):
            return x
        if name in _ACTIVATIONS:
            return self.add(name, x)
        if name in ("flatten", "view", "reshape"):
            rank = plain(*args, **kwargs).dim()
            return x if rank == x.dim() else self.add("flatten", x, start=rank - 1)
        if name in ("transpose", "permute") and x.dim() == 3 and tuple(rest) in _TURNS:
            return self.add("transpose", x)
        if name == "mean":
            return self.mean(x, rest[0] if rest else ())
        raise Untranslatable(f"operation '{name}'")

    def mean(self, x: Any, axes: Any) -> Any:
        several = axes if isinstance(axes, (tuple, list)) else (axes,)
        found = sorted(axis % x.dim() for axis in several)
        if x.dim() == 3 and found == [1]:
            return self.add("mean", x)
        if (x.dim(), found) not in ((3, [2]), (4, [2, 3])):
            raise Untranslatable(f"operation 'mean' over {axes}")
        pooled = self.add(f"adaptive_avg_pool{x.dim() - 2}d", x, size=1)
        return self.add("flatten", pooled, start=1)
