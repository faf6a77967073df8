# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Modules of PyTorch as model files; what needs torch is tested where it is installed."""

from __future__ import annotations

import importlib.util
import json
import sys
import unittest
from pathlib import Path
from unittest import mock

from support import TraceTest  # comes first: it finds the package

from dpdl_analysis.export_model import export_model
from dpdl_analysis.trace import UsageError

ORACLES = Path(__file__).resolve().parents[2] / "test/core/training"


class WithoutTorchTest(TraceTest):
    """The module is imported without torch; the call says what it needs."""

    def test_a_call_without_torch_is_one_line(self) -> None:
        with mock.patch.dict(sys.modules, {"torch": None}):
            with self.assertRaisesRegex(UsageError, "needs torch and numpy"):
                export_model(None, None, self.folder / "net.json")  # type: ignore[arg-type]


if importlib.util.find_spec("torch") is not None:
    import torch
    from torch import nn

    class ExportModelTest(TraceTest):
        """What is written, and what is refused by its place."""

        def refusal(self, module: nn.Module, *shape: int) -> str:
            with self.assertRaises(UsageError) as caught:
                export_model(module, torch.zeros(2, *shape), self.folder / "net.json")
            line = str(caught.exception)
            self.assertNotIn("\n", line)
            self.assertFalse((self.folder / "net.json").exists())
            return line

        def test_the_recorded_modules_are_written_as_recorded(self) -> None:
            sys.path.insert(0, str(ORACLES))
            import net_oracles

            recorded = json.loads((ORACLES / "net-oracles.json").read_text(encoding="utf-8"))
            modules = net_oracles.modules()
            self.assertEqual([oracle["name"] for oracle in recorded], list(modules))
            for oracle in recorded:
                module, shape = modules[oracle["name"]]
                found = net_oracles.record(oracle["name"], module, shape)
                self.assertEqual(found["net"], oracle["net"])
                for one, other in zip(found["norms"], oracle["norms"]):
                    self.assertAlmostEqual(one, other, delta=1e-5 * other)

        def test_a_layer_that_is_not_known_is_named_with_its_place(self) -> None:
            inner = nn.Sequential(nn.Linear(4, 4), nn.Bilinear(4, 4, 4))
            self.assertIn("cannot trace it", self.refusal(inner, 4))
            for layer, line in (
                (nn.Softplus(), "layer '1.0' (Softplus) is not known"),
                (nn.Dropout(0.1), "layer '1.0' (Dropout) makes the gradient of an example random"),
                (nn.BatchNorm1d(4), "layer '1.0' (BatchNorm1d) mixes the examples"),
                (nn.LayerNorm(4, elementwise_affine=False), "elementwise_affine=False"),
                (nn.GELU(approximate="tanh"), "approximate='tanh'"),
            ):
                module = nn.Sequential(nn.Linear(4, 4), nn.Sequential(layer), nn.Linear(4, 2))
                self.assertIn(line, self.refusal(module, 4))

        def test_settings_without_a_place_in_the_file_are_refused(self) -> None:
            for layer, line in (
                (nn.Conv2d(1, 2, 3, dilation=2), "dilation"),
                (nn.Conv2d(1, 2, 3, padding=1, padding_mode="reflect"), "padding_mode"),
                (nn.MaxPool2d(2, ceil_mode=True), "ceil_mode"),
                (nn.AvgPool2d(2, padding=1, count_include_pad=False), "count_include_pad"),
            ):
                self.assertIn(line, self.refusal(nn.Sequential(layer, nn.Flatten()), 1, 8, 8))

        def test_a_layer_that_is_used_twice_is_refused(self) -> None:
            layer = nn.Linear(4, 4)
            self.assertIn("is used twice", self.refusal(nn.Sequential(layer, layer), 4))

        def test_layers_that_do_nothing_are_left_out(self) -> None:
            module = nn.Sequential(nn.Identity(), nn.Linear(4, 2), nn.Dropout(0.0))
            path = export_model(module, torch.zeros(1, 4), self.folder / "net.json")
            net = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual([layer["kind"] for layer in net["layers"]], ["linear"])


if __name__ == "__main__":
    unittest.main()
