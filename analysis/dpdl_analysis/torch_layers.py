# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The settings that a model file has of a layer of torch.nn; other settings are refused."""

from __future__ import annotations

from typing import Any, Callable

from dpdl_analysis.trace import UsageError

Settings = dict[str, Any]


def refused(place: str, found: str, expected: str) -> UsageError:
    return UsageError(f"module: {place} {found}, which is not accepted; expected {expected}")


def _same(value: Any) -> Any:
    """A pair as a model file has it: one number if both are equal."""
    if isinstance(value, (tuple, list)):
        numbers = [int(number) for number in value]
        return numbers[0] if len(set(numbers)) == 1 else numbers
    return int(value)


def _demand(place: str, **settings: tuple[Any, Any]) -> None:
    """Refuses settings that are not the only accepted ones: name=(found, accepted)."""
    for name, (found, accepted) in settings.items():
        found = tuple(found) if isinstance(found, list) else found
        one = found[0] if isinstance(found, tuple) and len(set(found)) == 1 else found
        if accepted not in (found, one):
            raise refused(place, f"has {name}={found!r}", f"{name}={accepted!r}")


def _conv(module: Any, place: str) -> Settings:
    _demand(place, dilation=(module.dilation, 1), padding_mode=(module.padding_mode, "zeros"))
    padding = module.padding
    if padding == "valid":
        padding = 0
    if padding == "same":
        _demand(place, stride=(module.stride, 1))
        if any(side % 2 == 0 for side in module.kernel_size):
            raise refused(place, "has padding='same' and an even kernel", "padding as numbers")
        padding = tuple(side // 2 for side in module.kernel_size)
    return {
        "out": module.out_channels,
        "kernel": _same(module.kernel_size),
        "stride": _same(module.stride),
        "padding": _same(padding),
        "groups": module.groups,
        "bias": module.bias is not None,
    }


def _pool(module: Any, place: str) -> Settings:
    if hasattr(module, "return_indices"):
        _demand(place, dilation=(module.dilation, 1), return_indices=(module.return_indices, False))
    else:
        _demand(place, count_include_pad=(module.count_include_pad, True))
    if getattr(module, "divisor_override", None) is not None:
        raise refused(place, "has divisor_override", "divisor_override=None")
    _demand(place, ceil_mode=(module.ceil_mode, False))
    return {
        "kernel": _same(module.kernel_size),
        "stride": _same(module.stride),
        "padding": _same(module.padding),
    }


def _size(module: Any, place: str) -> Settings:
    size = module.output_size
    if size is None or (isinstance(size, tuple) and None in size):
        raise refused(place, f"has output_size={size!r}", "numbers")
    return {"size": _same(size)}


def _group_norm(module: Any, place: str) -> Settings:
    _demand(place, affine=(module.affine, True))
    return {"groups": module.num_groups, "eps": module.eps}


def _layer_norm(module: Any, place: str) -> Settings:
    _demand(place, elementwise_affine=(module.elementwise_affine, True))
    if len(module.normalized_shape) != 1 or module.bias is None:
        raise refused(place, "normalises several axes, or has no bias", "the last axis, and a bias")
    return {"eps": module.eps}


def _flatten(module: Any, place: str) -> Settings:
    _demand(place, end_dim=(module.end_dim, -1))
    if module.start_dim < 1:
        raise refused(place, f"has start_dim={module.start_dim}", "start_dim of 1 or more")
    return {"start": module.start_dim}


def _embedding(module: Any, place: str) -> Settings:
    for name in ("padding_idx", "max_norm"):
        if getattr(module, name) is not None:
            raise refused(place, f"has {name}", f"{name}=None")
    _demand(place, scale_grad_by_freq=(module.scale_grad_by_freq, False))
    return {"count": module.num_embeddings, "out": module.embedding_dim}


def _gelu(module: Any, place: str) -> Settings:
    _demand(place, approximate=(module.approximate, "none"))
    return {}


def _attention(module: Any, place: str) -> Settings:
    _demand(place, batch_first=(module.batch_first, True), dropout=(module.dropout, 0.0))
    plain = module.in_proj_weight is not None and module.bias_k is None
    if not plain or module.in_proj_bias is None or module.add_zero_attn:
        raise refused(place, "has bias=False, add_bias_kv, add_zero_attn, kdim or vdim", "none")
    return {"heads": module.num_heads}


_Reader = Callable[[Any, str], Settings]
MODULES: dict[str, tuple[str, _Reader | None]] = {
    "Linear": ("linear", lambda m, _: {"out": m.out_features, "bias": m.bias is not None}),
    "Conv1d": ("conv1d", _conv),
    "Conv2d": ("conv2d", _conv),
    "ReLU": ("relu", None),
    "Tanh": ("tanh", None),
    "GELU": ("gelu", _gelu),
    "Sigmoid": ("sigmoid", None),
    "MaxPool1d": ("max_pool1d", _pool),
    "MaxPool2d": ("max_pool2d", _pool),
    "AvgPool1d": ("avg_pool1d", _pool),
    "AvgPool2d": ("avg_pool2d", _pool),
    "AdaptiveAvgPool1d": ("adaptive_avg_pool1d", _size),
    "AdaptiveAvgPool2d": ("adaptive_avg_pool2d", _size),
    "GroupNorm": ("group_norm", _group_norm),
    "LayerNorm": ("layer_norm", _layer_norm),
    "Flatten": ("flatten", _flatten),
    "Embedding": ("embedding", _embedding),
    "MultiheadAttention": ("attention", _attention),
}
"""Kind of layer, and what reads its settings, by class of torch.nn."""
