# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The benchmarks' networks as modules of PyTorch: the same layers and numbers of parameters."""
import torch
from torch import nn


class Mlp(nn.Module):
    """u = x + tanh(L2 tanh(L1 x)), then tanh(L3 u)."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(784, 10)
        self.second = nn.Linear(10, 784)
        self.third = nn.Linear(784, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.flatten(1)
        x = x + torch.tanh(self.second(torch.tanh(self.first(x))))
        return torch.tanh(self.third(x))


def cnn_s() -> nn.Module:
    """Papernot et al.'s network for small grey images."""
    return nn.Sequential(
        nn.Conv2d(1, 16, 8, 2, 3), nn.ReLU(), nn.MaxPool2d(2, 1),
        nn.Conv2d(16, 32, 4, 2), nn.ReLU(), nn.MaxPool2d(2, 1),
        nn.Flatten(), nn.Linear(512, 32), nn.ReLU(), nn.Linear(32, 10))


def cnn_m() -> nn.Module:
    """McMahan et al.'s network."""
    return nn.Sequential(
        nn.Conv2d(1, 32, 5, 1, 2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 5, 1, 2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(3136, 512), nn.ReLU(), nn.Linear(512, 10))


def conv(inputs: int, outputs: int, kernel: int, stride: int) -> nn.Module:
    """A convolution without bias that keeps the size, but for its stride."""
    return nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)


class Block(nn.Module):
    """Two convolutions beside a way around them."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        stride = 1 if inputs == outputs else 2
        self.main = nn.Sequential(
            conv(inputs, outputs, 3, stride), nn.GroupNorm(32, outputs), nn.ReLU(),
            conv(outputs, outputs, 3, 1), nn.GroupNorm(32, outputs))
        self.around = nn.Identity() if inputs == outputs else nn.Sequential(
            conv(inputs, outputs, 1, 2), nn.GroupNorm(32, outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.main(x) + self.around(x))


class Mean(nn.Module):
    """Over rows and columns."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.mean((2, 3))


def resnet_18() -> nn.Module:
    """He et al.'s network for small images, with group normalisation."""
    layers = [conv(3, 64, 3, 1), nn.GroupNorm(32, 64), nn.ReLU()]
    inputs = 64
    for outputs in (64, 64, 128, 128, 256, 256, 512, 512):
        layers.append(Block(inputs, outputs))
        inputs = outputs
    return nn.Sequential(*layers, Mean(), nn.Linear(512, 10))


MODELS = {"mlp": Mlp, "cnn-s": cnn_s, "cnn-m": cnn_m, "resnet-18": resnet_18}


def image_shape(model: str) -> tuple[int, int, int]:
    """Channels, rows, columns of the images that a model takes."""
    return (3, 32, 32) if model == "resnet-18" else (1, 28, 28)
