# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Modules of PyTorch as model files; what needs torch is tested where it is installed."""

from __future__ import annotations

import copy
import importlib.util
import json
import math
import sys
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from support import TraceTest  # comes first: it finds the package

from dpdl_analysis.export_model import export_model
from dpdl_analysis.trace import UsageError

ORACLES = Path(__file__).resolve().parents[2] / "test/core/training"


class WithoutTorchTest(TraceTest):
    """The module is imported without torch; the call says what it needs."""

    def test_a_call_without_torch_is_one_line(self) -> None:
        with mock.patch("dpdl_analysis.export_model.MISSING", "No module named 'torch'"):
            with self.assertRaisesRegex(UsageError, "export_model No module named 'torch'"):
                export_model(None, None, self.folder / "net.json")  # type: ignore[arg-type]


if importlib.util.find_spec("torch") is not None:
    import numpy
    import torch
    from torch import nn

    class Branch(nn.Module):
        """Other operations for other values."""

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x if x.sum() > 0 else -x

    class Modal(nn.Module):
        """Another function after eval()."""

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return 2 * x if self.training else x

    class Keyword(nn.Module):
        """Passes its input by name; the weights are in Fortran order."""

        def __init__(self) -> None:
            super().__init__()
            self.c = nn.Linear(4, 3)
            self.c.weight = nn.Parameter(torch.randn(4, 3).t())

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.c(input=x)

    class BySize(nn.Module):
        """Another function of large batches."""

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return 2 * x if len(x) > 6 else x

    class Writing(nn.Module):
        """Writes to a buffer, and leaves its value as it was."""

        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("seen", torch.zeros(1))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.seen.mul_(1)
            return x

    class Named(nn.Linear):
        """Scores in a dictionary."""

        def forward(self, x: torch.Tensor) -> Any:
            return {"scores": super().forward(x)}

    class ExportModelTest(TraceTest):
        """What is written, and what is refused by its place."""

        def refusal(self, module: nn.Module, *shape: int) -> str:
            with self.assertRaises(UsageError) as caught:
                export_model(module, torch.zeros(2, *shape), self.folder / "net.json")
            line = str(caught.exception)
            self.assertNotIn("\n", line)
            self.assertEqual(list(self.folder.iterdir()), [])
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

        def exported(self, module: nn.Module, example: torch.Tensor) -> dict[str, Any]:
            before = copy.deepcopy(module.state_dict())
            path = export_model(module, example, self.folder / "net.json")
            for name, value in module.state_dict().items():
                self.assertTrue(torch.equal(value, before[name]), name)
            self.assertTrue(module.training)
            net: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            kept = {path.suffix for path in self.folder.iterdir()}
            self.assertEqual(kept, {".json", ".pt" if "script" in net else ".npz"})
            return net

        def test_what_cannot_be_written_leaves_the_former_files(self) -> None:
            module, example = nn.Sequential(nn.Linear(4, 2)), torch.zeros(2, 4)
            path = export_model(module, example, self.folder / "net.json")
            former = {one.name: one.read_bytes() for one in self.folder.iterdir()}
            full = OSError(28, "No space left on device")
            for function in ("numpy.savez", "Path.write_text"):
                with mock.patch(f"dpdl_analysis.export_model.{function}", side_effect=full):
                    with self.assertRaisesRegex(UsageError, "net.json': No space left on device"):
                        export_model(nn.Sequential(nn.Linear(4, 3)), example, path)
                self.assertEqual({one.name: one.read_bytes() for one in self.folder.iterdir()}, former)
            with self.assertRaisesRegex(UsageError, "path: '.*none/net.json': No such file"):
                export_model(module, example, self.folder / "none/net.json")

        def test_modules_without_layers_are_scripts_that_name_the_reason(self) -> None:
            sys.path.insert(0, str(ORACLES))
            import net_oracles

            reasons = {"lstm": "LSTM", "gru": "GRU", "activations": "SiLU", "encoder": "Unflatten",
                       "tied": "shared, frozen or buffers", "frozen": "shared, frozen or buffers",
                       "in-place": "another function", "in-place-unused": "another function",
                       "hooked": "another function", "default": "another function"}
            for name, (module, shape) in net_oracles.scripts().items():
                example = net_oracles.examples(name, shape)
                net = self.exported(module, example)
                self.assertIn(reasons.get(name, ""), net["reason"], name)
                self.assertEqual(net["tokens"], net_oracles.WORDS if "text" in name else 0)
                loaded = torch.jit.load(str(self.folder / "net.pt"))
                self.assertTrue(torch.allclose(loaded(example), module(example), atol=1e-6))

        def test_examples_of_words_are_found_in_whole_numbers_too(self) -> None:
            words = nn.Sequential(nn.Embedding(9, 4), nn.Flatten(), nn.Linear(12, 2))
            net = self.exported(words, torch.zeros(2, 3, dtype=torch.int64))
            self.assertEqual(net["layers"][0], {"kind": "embedding", "name": "0", "count": 9,
                                                "out": 4})
            padded = nn.Sequential(nn.Embedding(9, 4, padding_idx=0), *words[1:])
            net = self.exported(padded, torch.zeros(2, 3, dtype=torch.int64))
            self.assertEqual((net["tokens"], net["whole"], net["reason"]), (9, True, "Embedding"))

        def test_what_is_no_function_of_one_example_is_refused_by_its_place(self) -> None:
            for layer, line in (
                (nn.Dropout(0.1), "layer '1.0' (Dropout): a random output"),
                (nn.BatchNorm1d(4), "layer '1.0' (BatchNorm1d): buffer '1.0.running_mean'"),
                (nn.BatchNorm1d(4, track_running_stats=False),
                 "layer '1.0' (BatchNorm1d): 'Expected more than 1 value per channel"),
                (nn.Softmax(dim=0), "layer '1.0' (Softmax): an output that depends on other"),
                (nn.Bilinear(4, 4, 4), "layer '1.0' (Bilinear): '"),
                (Branch(), "layer '1.0' (Branch): 'a branch on values'"),
                (Modal(), "layer '1.0' (Modal): another output after eval()"),
                (Writing(), "layer '1.0' (Writing): buffer '1.0.seen', which a forward pass changes"),
            ):
                module = nn.Sequential(nn.Linear(4, 4), nn.Sequential(layer), nn.Linear(4, 2))
                self.assertIn(line, self.refusal(module, 4))

        def test_other_outputs_and_parameters_are_refused(self) -> None:
            frozen, broken = nn.Linear(4, 2).requires_grad_(False), nn.Linear(4, 2)
            hooked = nn.Linear(4, 2)
            hooked.bias.register_hook(torch.zeros_like)
            viewed, infinite = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4)), nn.Linear(4, 2)
            viewed[1].weight = nn.Parameter(viewed[0].weight.data)
            with torch.no_grad():
                broken.weight[0, 0] = math.nan
                infinite.bias.fill_(3e38)
                infinite.weight.fill_(3e38)
            for module, line in (
                (nn.Flatten(0), "no parameter that learns"),
                (frozen, "no parameter that learns"),
                (broken, "parameter 'weight': a value that is not finite"),
                (hooked, "parameter 'bias': a hook on its gradient"),
                (nn.Linear(4, 2).double(), "torch.float64 on cpu is not accepted; expected float32"),
                (nn.Linear(4, 2, device="meta"), "torch.float32 on meta"),
                (nn.Linear(40000, 40000, device="meta"), "1600040000 parameters"),
                (nn.Sequential(nn.Linear(4, 2), nn.Unflatten(1, (1, 2))), "an output of torch.float32"),
                (nn.Sequential(nn.Linear(4, 2), nn.Flatten(0)), "an output of torch.float32 [10]"),
                (nn.LSTM(4, 4), "an output of tuple"),
                (Named(4, 2), "an output of dict"),
                (nn.Linear(4, 2).bfloat16(), "torch.bfloat16 on cpu is not accepted"),
                (nn.Sequential(nn.Linear(4, 2), BySize()), "a trace that computes something else"),
                (viewed, "parameter '1.weight': another one in the trace"),
                (infinite, "scores that are not finite"),
                (nn.Sequential(nn.Linear(4, 2), nn.Softmax(1)), "scores that are probabilities"),
            ):
                self.assertIn(line, self.refusal(module, 4))
            self.assertIn("example_input", self.refusal(nn.Linear(4, 2)))

        def test_settings_that_layers_do_not_have_make_a_script(self) -> None:
            for layer in (nn.Conv2d(1, 2, 3, dilation=2),
                          nn.Conv2d(1, 2, 3, padding=1, padding_mode="reflect"),
                          nn.Conv2d(1, 2, 3, padding="same"),
                          nn.AvgPool2d(2, padding=1, count_include_pad=False),
                          nn.LayerNorm(8, elementwise_affine=False)):
                size = layer(torch.zeros(1, 1, 8, 8)).numel()
                module = nn.Sequential(layer, nn.Flatten(), nn.Linear(size, 2))
                self.assertIn("script", self.exported(module, torch.zeros(1, 1, 8, 8)), layer)

        def test_a_layer_that_is_used_twice_is_one_parameter_of_a_script(self) -> None:
            layer = nn.Linear(4, 4)
            net = self.exported(nn.Sequential(layer, nn.Tanh(), layer), torch.zeros(1, 4))
            self.assertIn("used twice", net["reason"])

        def test_inputs_by_name_and_weights_in_fortran_order_are_those_of_the_module(self) -> None:
            module = Keyword()
            net = self.exported(module, torch.randn(2, 4))
            if "script" in net:
                weight = dict(torch.jit.load(str(self.folder / "net.pt")).named_parameters())["c.weight"]
            else:
                weight = torch.from_numpy(numpy.load(self.folder / "net.npz")["c.weight"])
            self.assertTrue(torch.equal(weight, module.c.weight))
            plain = nn.Sequential(module.c)
            self.assertIn("layers", self.exported(plain, torch.randn(2, 4)))
            array = numpy.load(self.folder / "net.npz")["0.weight"]
            self.assertTrue(array.flags.c_contiguous)
            self.assertTrue(torch.equal(torch.from_numpy(array), module.c.weight))

        def test_layers_that_do_nothing_are_left_out(self) -> None:
            module = nn.Sequential(nn.Identity(), nn.Linear(4, 2), nn.Dropout(0.0))
            path = export_model(module, torch.zeros(1, 4), self.folder / "net.json")
            net = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual([layer["kind"] for layer in net["layers"]], ["linear"])


if __name__ == "__main__":
    unittest.main()
