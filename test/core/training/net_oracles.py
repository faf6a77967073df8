#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes net-oracles.json: modules of PyTorch as model files, and what autograd computes.

For each module: the file that export_model writes, and for three examples the norms of their
gradients and the sum of the gradients clipped to the median norm. Parameters and examples follow
from `numbers` here and in net-file-test.cc.

Modules that are no chain of known layers are in the folder scripts, each as the trace of a version
of torch, with script-oracles.json.

usage: net_oracles.py [--scripts]    needs torch (recorded with 1.13.1; scripts also with 2.14.1)
"""

from __future__ import annotations

import json
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "analysis"))

from dpdl_analysis.export_model import export_model  # noqa: E402

EXAMPLES = 3
WORDS = 11


def numbers(count: int, seed: int) -> np.ndarray:
    """Numbers in [-0.5, 0.5) that C++ computes alike."""
    places = np.arange(count, dtype=np.int64)
    return ((places * 7919 + places * places * 13 + seed * 104729) % 1009 / 1009 - 0.5).astype("f4")


class Residual(nn.Module):
    """x + f(x)."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.inner(x)


class ResidualBlock(nn.Module):
    """A block of a residual network, with a convolution on the way around."""

    def __init__(self, channels: int, out: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, out, 3, stride=2, padding=1, bias=False)
        self.norm1 = nn.GroupNorm(2, out)
        self.conv2 = nn.Conv2d(out, out, 3, padding=1, bias=False)
        self.norm2 = nn.GroupNorm(2, out)
        self.around = nn.Sequential(
            nn.Conv2d(channels, out, 1, stride=2, bias=False), nn.GroupNorm(2, out)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner = torch.relu(self.norm1(self.conv1(x)))
        return torch.relu(self.norm2(self.conv2(inner)) + self.around(x))


class SmallResNet(nn.Module):
    """A stem, two blocks, the mean over the image."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(2, 4, 3, padding=1, bias=False)
        self.norm = nn.GroupNorm(2, 4)
        self.blocks = nn.Sequential(ResidualBlock(4, 4), ResidualBlock(4, 6))
        self.head = nn.Linear(6, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.norm(self.stem(x)))
        return self.head(self.blocks(x).mean([2, 3]))


class VisionBlock(nn.Module):
    """Patches, a token, positions, one layer of a transformer."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(1, 8, 4, stride=4)
        self.token = nn.Parameter(torch.zeros(1, 1, 8))
        self.positions = nn.Parameter(torch.zeros(1, 5, 8))
        self.norm1 = nn.LayerNorm(8, eps=1e-6)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm2 = nn.LayerNorm(8, eps=1e-6)
        self.mlp = nn.Sequential(nn.Linear(8, 12), nn.GELU(), nn.Linear(12, 8))
        self.head = nn.Linear(8, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.size(0), -1, -1), x], 1) + self.positions
        y = self.norm1(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        x = x + self.mlp(self.norm2(x))
        return self.head(x[:, 0])


class Text(nn.Module):
    """Words, their mean, a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, 6)
        self.head = nn.Linear(6, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.words(x.long()).mean(1))


class TextConvolution(nn.Module):
    """Words, a convolution along them."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, 4)
        self.conv = nn.Conv1d(4, 5, 3, padding=1)
        self.pool = nn.AdaptiveAvgPool1d(2)
        self.head = nn.Linear(10, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.conv(self.words(x.long()).permute(0, 2, 1)))
        return self.head(torch.flatten(self.pool(x), 1))


def modules() -> dict[str, tuple[nn.Module, tuple[int, ...]]]:
    """Each module with the shape of an example."""
    return {
        "mlp": (nn.Sequential(nn.Linear(7, 9), nn.ReLU(), nn.Linear(9, 3)), (7,)),
        "residual-mlp": (
            nn.Sequential(
                nn.Flatten(),
                Residual(nn.Sequential(nn.Linear(12, 5), nn.Tanh(), nn.Linear(5, 12), nn.Tanh())),
                nn.Linear(12, 3),
            ),
            (1, 3, 4),
        ),
        "lenet": (
            nn.Sequential(
                *(nn.Conv2d(1, 3, 5, padding=2), nn.Tanh(), nn.AvgPool2d(2)),
                *(nn.Conv2d(3, 4, 3), nn.Tanh(), nn.AvgPool2d(2), nn.Flatten()),
                *(nn.Linear(16, 6), nn.Tanh(), nn.Linear(6, 3)),
            ),
            (1, 12, 12),
        ),
        "cnn": (
            nn.Sequential(
                *(nn.Conv2d(2, 4, 3, stride=2, padding=1), nn.ReLU(), nn.MaxPool2d(2, 1)),
                *(nn.Flatten(), nn.Linear(36, 3)),
            ),
            (2, 7, 8),
        ),
        "small-resnet": (SmallResNet(), (2, 8, 8)),
        "vision-block": (VisionBlock(), (1, 8, 8)),
        "time-series": (
            nn.Sequential(
                *(nn.Conv1d(3, 6, 5, stride=2, padding=2), nn.ReLU(), nn.MaxPool1d(2)),
                *(nn.Conv1d(6, 4, 3, groups=2), nn.GroupNorm(2, 4), nn.GELU()),
                *(nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(4, 3)),
            ),
            (3, 20),
        ),
        "text": (Text(), (8,)),
        "text-convolution": (TextConvolution(), (9,)),
        "depthwise": (
            nn.Sequential(
                *(nn.Conv2d(4, 8, (3, 2), padding=(1, 0), groups=4, bias=False), nn.Sigmoid()),
                *(nn.MaxPool2d((2, 3), padding=(1, 1)), nn.Flatten(2), nn.Linear(8, 5)),
                *(nn.LayerNorm(5), nn.Flatten(), nn.Linear(40, 1)),
            ),
            (4, 6, 7),
        ),
    }


class Recurrent(nn.Module):
    """The last or the mean output of a recurrent layer."""

    def __init__(self, layer: nn.Module, out: int, words: int = 0) -> None:
        super().__init__()
        self.words = nn.Embedding(words, 4) if words else nn.Identity()
        self.layer, self.head = layer, nn.Linear(out, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y, _ = self.layer(self.words(x.long() if x.dim() == 2 else x))
        return self.head(y[:, -1])


class InPlace(nn.Module):
    """A rectifier in place, whose value is used or not."""

    def __init__(self, is_used: bool) -> None:
        super().__init__()
        self.a, self.b, self.c = nn.Linear(12, 8), nn.Linear(8, 8), nn.Linear(8, 3)
        self.r, self.is_used = nn.ReLU(inplace=True), is_used

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.a(x)
        r = self.r(y)
        return self.c(self.b(r if self.is_used else y) + y)


class Shift(nn.Module):
    """An argument with a default."""

    def __init__(self) -> None:
        super().__init__()
        self.c = nn.Linear(12, 3)

    def forward(self, x: torch.Tensor, shift: float = 0.0) -> torch.Tensor:
        return self.c(x + shift)


class Attended(nn.Module):
    """An attention, or a layer of an encoder, over three tokens."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.t, self.a, self.c = nn.Unflatten(1, (3, 4)), layer, nn.Linear(4, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.t(x)
        y = self.a(x, x, x)[0] if isinstance(self.a, nn.MultiheadAttention) else self.a(x)
        return self.c(y.mean(1))


def scripts() -> dict[str, tuple[nn.Module, tuple[int, ...]]]:
    """Modules that are no chain of known layers, with the shape of an example."""
    tied = nn.Sequential(nn.Linear(12, 12), nn.Tanh(), nn.Linear(12, 12), nn.Tanh(),
                         nn.Linear(12, 3))
    tied[2].weight = tied[0].weight
    hooked = nn.Sequential(nn.Linear(12, 8), nn.Tanh(), nn.Linear(8, 3))
    hooked[0].register_forward_hook(lambda module, given, out: 3 * out)
    encoder = nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0, batch_first=True)
    return {
        "tied": (tied, (12,)),
        "frozen": (nn.Sequential(nn.Linear(12, 8).requires_grad_(False), nn.Tanh(),
                                 nn.Linear(8, 3)), (12,)),
        "in-place": (InPlace(True), (12,)),
        "in-place-unused": (InPlace(False), (12,)),
        "hooked": (hooked, (12,)),
        "default": (Shift(), (12,)),
        "attention": (Attended(nn.MultiheadAttention(4, 2, batch_first=True)), (12,)),
        "encoder": (Attended(encoder), (12,)),
        "lstm-text": (Recurrent(nn.LSTM(4, 5, batch_first=True), 5, WORDS), (6,)),
        "lstm": (Recurrent(nn.LSTM(4, 5, batch_first=True), 5), (6, 4)),
        "gru": (Recurrent(nn.GRU(4, 3, batch_first=True, bidirectional=True), 6), (6, 4)),
        "activations": (nn.Sequential(nn.Conv2d(1, 4, 3), nn.GroupNorm(2, 4), nn.SiLU(),
                                      nn.Conv2d(4, 4, 3), nn.LeakyReLU(0.1), nn.Flatten(),
                                      nn.Linear(64, 3)), (1, 8, 8)),
    }


def examples(name: str, shape: tuple[int, ...]) -> torch.Tensor:
    """Numbers, or words for the modules that read texts."""
    values = numbers(EXAMPLES * int(np.prod(shape)), 2)
    if "text" in name:
        values = np.floor((values + 0.5) * WORDS)
    return torch.from_numpy(values.reshape(EXAMPLES, *shape))


def gradients(module: nn.Module, names: list[str], inputs: torch.Tensor) -> np.ndarray:
    """The gradient of each example, [examples, parameters] in the order of names."""
    parameters = dict(module.named_parameters())
    ordered = [parameters[name] for name in names]
    rows = []
    for i in range(EXAMPLES):
        scores = module(inputs[i : i + 1])
        if scores.shape[1] == 1:
            loss = (scores[0, 0] - (0.5 * i - 0.5)) ** 2 / 2
        else:
            loss = nn.functional.cross_entropy(scores, torch.tensor([i % scores.shape[1]]))
        found = torch.autograd.grad(loss, ordered)
        rows.append(np.concatenate([g.detach().numpy().astype("f8").ravel() for g in found]))
    return np.array(rows)


def record(name: str, module: nn.Module, shape: tuple[int, ...]) -> dict[str, object]:
    inputs = examples(name, shape)
    with tempfile.TemporaryDirectory() as folder:
        path = export_model(module, inputs, Path(folder) / "net.json")
        net = json.loads(path.read_text(encoding="utf-8"))
        with np.load(path.with_suffix(".npz")) as weights:
            names = list(weights)
    parameters = dict(module.named_parameters())
    values = numbers(sum(parameters[name].numel() for name in names), 1)
    with torch.no_grad():
        for parameter in (parameters[name] for name in names):
            part, values = np.split(values, [parameter.numel()])
            parameter.copy_(torch.from_numpy(part.reshape(parameter.shape)))
    rows = gradients(module, names, inputs)
    norms = np.linalg.norm(rows, axis=1)
    clip = float(np.median(norms))
    clipped = (rows * np.minimum(1.0, clip / norms)[:, None]).sum(axis=0)
    return {
        "name": name,
        "net": net,
        "norms": [float(f"{norm:.8g}") for norm in norms],
        "clip": clip,
        "sum": [float(f"{value:.7g}") for value in clipped],
    }


def rewrite(source: Path, target: Path, from_: bytes = b"", to: bytes = b"") -> None:
    """A script without the places of its source files, and with another text in its code."""
    with zipfile.ZipFile(source) as whole, zipfile.ZipFile(target, "w") as kept:
        for entry in whole.namelist():
            if not entry.endswith(".debug_pkl"):
                text = whole.read(entry)
                text = text.replace(from_, to) if from_ and entry.endswith(".py") else text
                kept.writestr(zipfile.ZipInfo(entry), text, zipfile.ZIP_DEFLATED)


def record_scripts(folder: Path) -> None:
    """Each trace as NAME-VERSION.pt, and one with an operation that no LibTorch has."""
    version = ".".join(torch.__version__.split(".")[:2])
    found = []
    for name, (module, shape) in scripts().items():
        inputs = examples(name, shape)
        leaves = {key: value for key, value in module.named_parameters() if value.requires_grad}
        with torch.no_grad():
            for seed, value in enumerate(module.parameters()):
                part = numbers(value.numel(), seed + 3).reshape(value.shape)
                value.copy_(torch.from_numpy(part))
        with tempfile.TemporaryDirectory() as place:
            path = export_model(module, inputs, Path(place) / "net.json")
            net = json.loads(path.read_text(encoding="utf-8"))
            target = folder / f"{name}-{version}.pt"
            rewrite(path.with_suffix(".pt"), target)
        rows = gradients(module, list(leaves), inputs)
        norms = np.linalg.norm(rows, axis=1)
        clip = float(np.median(norms))
        clipped = (rows * np.minimum(1.0, clip / norms)[:, None]).sum(axis=0)
        found.append({"name": name, "net": {**net, "script": target.name}, "tensors": list(leaves),
                      "norms": [float(f"{norm:.8g}") for norm in norms], "clip": clip,
                      "sum": [float(f"{value:.7g}") for value in clipped]})
    rewrite(folder / f"default-{version}.pt", folder / "unknown.pt", b"torch.linear", b"torch.mystery")
    bias = b"= torch.add_(self.bias, 1)"
    rewrite(folder / f"frozen-{version}.pt", folder / "writing.pt", b"= self.bias", bias)
    path = folder / "script-oracles.json"
    others = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    found += [one for one in others if one["net"]["script"] not in
              {each["net"]["script"] for each in found}]
    lines = ",\n".join(json.dumps(one) for one in sorted(found, key=lambda one: one["net"]["script"]))
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def main() -> None:
    if sys.argv[1:] == ["--scripts"]:
        return record_scripts(HERE / "scripts")
    path = HERE / "net-oracles.json"
    found = [record(name, module, shape) for name, (module, shape) in modules().items()]
    lines = ",\n".join(json.dumps(oracle) for oracle in found)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
