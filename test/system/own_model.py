#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs on a user's model: `--model=file:NET.json`, with and without weights.

usage: own_model.py BUILD-FOLDER [unittest arguments]
"""

import json
import shutil
import sqlite3
import subprocess
import sys
import time
import unittest
import zipfile
from pathlib import Path

import numpy as np

from program_case import ANALYSIS, ProgramCase

BUILD = Path(sys.argv.pop(1)).resolve()
LEARN = BUILD / "scenarios/learn"
SCRIPT = Path(__file__).resolve().parents[1] / "core/training/scripts/lstm-1.13.pt"
VIEWS = ("accuracy_by_round", "release", "delivery_by_link", "snapshot")
SMALL = ["--samples=300", "--testSamples=100", "--nodes=5", "--rounds=6", "--progress=none"]
CNN_S = [
    {"kind": "conv2d", "out": 16, "kernel": 8, "stride": 2, "padding": 3},
    *({"kind": "relu"}, {"kind": "max_pool2d", "kernel": 2, "stride": 1}),
    {"kind": "conv2d", "out": 32, "kernel": 4, "stride": 2},
    *({"kind": "relu"}, {"kind": "max_pool2d", "kernel": 2, "stride": 1}, {"kind": "flatten"}),
    *({"kind": "linear", "out": 32}, {"kind": "relu"}, {"kind": "linear", "out": 10}),
]
LINEAR = [{"kind": "flatten"}, {"kind": "linear", "out": 10, "name": "head"}]
NORMALISED = [{"kind": "group_norm", "groups": 1}, *LINEAR]


def merged(*options: str) -> list[str]:
    """Each option once: what is given wins over SMALL."""
    return list({option.split("=")[0]: option for option in (*SMALL, *options)}.values())


class OwnModelTest(ProgramCase):
    """Runs `learn` on model files."""

    def write(self, layers: list[dict[str, object]], shape: list[int] | None = None) -> str:
        """The option for a file of these layers."""
        net = {"format": "dpdl-net-1", "input": shape or [1, 28, 28], "layers": layers}
        (self.folder / "net.json").write_text(json.dumps(net))
        return "--model=file:net.json"

    def write_weights(self, **arrays: np.ndarray) -> None:
        np.savez(self.folder / "net.npz", **{name.replace("_", "."): array
                                             for name, array in arrays.items()})

    def learn(self, trace: str, *options: str) -> None:
        result = self.run_program(LEARN, *merged(*options), f"--trace={trace}")
        self.assertEqual(result.returncode, 0, result.stderr)

    def refused(self, *options: str) -> str:
        result = self.run_program(LEARN, *merged(*options), "--trace=refused.db")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertFalse((self.folder / "refused.db").exists())
        return result.stderr

    def settings(self, trace: str) -> dict[str, str]:
        return dict(self.rows(trace, "SELECT name, value FROM settings"))

    def test_the_layers_of_a_built_in_model_give_its_run(self) -> None:
        self.learn("own.db", self.write(CNN_S), "--drop=0.1")
        self.learn("built-in.db", "--model=cnn-s", "--drop=0.1")
        for view in VIEWS:
            found = [self.rows(f"{name}.db", f"SELECT * FROM {view}")
                     for name in ("own", "built-in")]
            self.assertEqual(*found, view)
            self.assertNotEqual(found[0], [])

    def test_the_run_says_which_engine_computes_it_and_why(self) -> None:
        for layers, engine, reason in (
            (LINEAR, "native", "all layers are among those of the native engine"),
            (NORMALISED, "libtorch", "layer 1 (group_norm, 'layer1')"),
        ):
            self.learn(f"{engine}.db", self.write(layers))
            settings = self.settings(f"{engine}.db")
            self.assertEqual(settings["engine"], engine)
            self.assertIn(reason, settings["engineReason"])
            self.assertRegex(settings["modelFiles"], r"^net\.json [0-9a-f]{16}$")
        native = self.refused(self.write(NORMALISED), "--ns3::DpdlApplication::Engine=native")
        self.assertIn("layer 1 (group_norm, 'layer1')", native)

    def test_runs_start_from_the_weights_beside_the_file(self) -> None:
        model = self.write(LINEAR)
        weight = np.random.default_rng(1).normal(size=(10, 784)).astype("f4")
        self.write_weights(head_weight=weight, head_bias=np.arange(10.0))
        self.learn("weights.db", model, "--snapshotEvery=1")
        start = self.rows("weights.db", "SELECT z FROM snapshot WHERE round = 0")
        expected = np.concatenate([weight.ravel(), np.arange(10, dtype="f4")]).tobytes()
        self.assertEqual({z for (z,) in start}, {expected})
        self.assertRegex(self.settings("weights.db")["modelFiles"],
                         r"^net\.json [0-9a-f]{16}, net\.npz [0-9a-f]{16}$")
        self.learn("zero.db", model, "--snapshotEvery=1", "--init=zero")
        zeros = self.rows("zero.db", "SELECT z FROM snapshot WHERE round = 0")
        self.assertEqual({z for (z,) in zeros}, {bytes(len(expected))})

    def test_weights_that_do_not_fit_are_refused(self) -> None:
        model = self.write(LINEAR)
        bias = np.zeros(10, dtype="f4")
        for arrays, line in (
            ({"head_weight": np.zeros((784, 10)), "head_bias": bias},
             "array 'head.weight': 'shape [784, 10]' is not accepted; expected shape [10, 784]"),
            ({"head_weight": np.zeros((10, 784))}, "array 'head.bias' is missing"),
            ({"head_weight": np.zeros((10, 784)), "head_bias": bias, "tail": bias},
             "array: 'tail' is not accepted"),
            ({"head_weight": np.full((10, 784), np.nan), "head_bias": bias}, "not finite"),
        ):
            self.write_weights(**arrays)
            self.assertIn(line, self.refused(model))
        (self.folder / "net.npz").write_bytes(b"PK no archive")
        self.assertIn("npz file 'net.npz'", self.refused(model))

    def test_a_model_that_is_too_large_is_refused_before_any_work(self) -> None:
        wide = [{"kind": "flatten"}, {"kind": "linear", "out": 1000000}, {"kind": "tanh"},
                {"kind": "linear", "out": 10}]
        self.assertIn("GB of memory is not accepted", self.refused(self.write(wide),
                                                                   "--nodes=300"))
        large = [{"kind": "conv2d", "out": 80000, "kernel": 1}, {"kind": "max_pool2d", "kernel": 28},
                 {"kind": "flatten"}, {"kind": "linear", "out": 10}]
        self.assertIn("values between the layers",
                      self.refused(self.write(large), "--workers=64"))

    def test_words_of_a_text_are_whole_numbers_of_its_vocabulary(self) -> None:
        words = np.random.default_rng(2).integers(0, 30, (120, 6))
        layers = [{"kind": "embedding", "count": 30, "out": 4}, {"kind": "mean"},
                  {"kind": "linear", "out": 2}]
        model = self.write(layers, [6])
        text = ["--dataset=file:text.npz", "--samples=100", "--testSamples=20"]
        labels = (words[:, 0] > 15).astype("i4")

        def save(examples: np.ndarray) -> None:
            np.savez(self.folder / "text.npz", x_train=examples[:100], y_train=labels[:100],
                     x_test=examples[100:], y_test=labels[100:])

        save(words)
        self.learn("text.db", model, *text, "--batchSize=10")
        for examples, line in (
            (words + 1, "'30' is not accepted; expected whole numbers from 0 to 29"),
            (words / 2.0, "expected whole numbers"),
            (words.astype("u1"), "bytes, which are scaled"),
        ):
            save(examples)
            self.assertIn(line, self.refused(model, *text, "--batchSize=10"))

    def begun(self, trace: str) -> bool:
        """Whether a run has written its second round."""
        try:
            # A question to a file that is not there would make it.
            return (self.folder / trace).exists() and bool(self.rows(trace, "SELECT 1 FROM delivery WHERE round > 1 LIMIT 1"))
        except sqlite3.Error:
            return False

    def test_a_run_is_not_resumed_with_another_model(self) -> None:
        model = self.write(LINEAR)
        bias = np.zeros(10, dtype="f4")
        self.write_weights(head_weight=np.zeros((10, 784)), head_bias=bias)
        options = merged("--rounds=30000", "--algorithm=sgp")
        with subprocess.Popen([LEARN, *options, model, "--trace=run.db"], cwd=self.folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            end = time.monotonic() + 120
            while not self.begun("run.db") and time.monotonic() < end:
                self.assertIsNone(run.poll())
                time.sleep(0.05)
            run.terminate()
        text = (self.folder / "net.json").read_text()
        (self.folder / "net.json").write_text(text + "\n")
        self.assertRegex(self.resume(), r"origin 'file net\.json' was '\w+' when the run began")
        (self.folder / "net.json").write_text(text)
        self.write_weights(head_weight=np.ones((10, 784)), head_bias=bias)
        self.assertRegex(self.resume(), r"origin 'model' was 'net\.json \w+, net\.npz \w+' when")
        (self.folder / "net.npz").unlink()
        self.assertRegex(self.resume(), r"origin 'model' was 'net\.json \w+, net\.npz \w+' when")

    def write_script(self, scores: int = 3) -> list[str]:
        """Writes a script and data for it. Returns the options of its runs."""
        random = np.random.default_rng(3)
        np.savez(self.folder / "series.npz", x_train=random.normal(size=(90, 6, 4)),
                 y_train=np.arange(90) % 3, x_test=random.normal(size=(30, 6, 4)),
                 y_test=np.arange(30) % 3)
        net = {"format": "dpdl-net-1", "input": [6, 4], "script": "net.pt", "scores": scores,
               "tokens": 0, "whole": False, "reason": "LSTM"}
        (self.folder / "net.json").write_text(json.dumps(net))
        shutil.copy(SCRIPT, self.folder / "net.pt")
        return ["--model=file:net.json", "--dataset=file:series.npz", "--nodes=3", "--batchSize=5",
                "--samples=90", "--testSamples=30"]

    def test_a_script_gives_the_same_run_with_two_workers_and_after_a_resume(self) -> None:
        options = [*self.write_script(), "--epsilon=8", "--rounds=60"]
        self.learn("one.db", *options, "--workers=1")
        self.learn("two.db", *options, "--workers=2")
        with subprocess.Popen([LEARN, *merged(*options), "--workers=1", "--trace=part.db"],
                              cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as run:
            while not self.begun("part.db") and run.poll() is None:
                time.sleep(0.02)
            run.terminate()
        self.run_program(sys.executable, "-B", ANALYSIS, "resume", "part.db", f"--build={BUILD}",
                         timeout=300)
        found = [self.rows(trace, "SELECT * FROM snapshot") for trace in
                 ("one.db", "two.db", "part.db")]
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])
        settings = self.settings("one.db")
        self.assertEqual(settings["engineReason"], "engine libtorch-loop because LSTM")
        self.assertRegex(settings["modelFiles"], r"^net\.json \w{16}, net\.pt \w{16}$")

    def test_a_script_with_other_scores_or_numbers_is_refused(self) -> None:
        options = self.write_script()
        self.write_script(scores=4)
        self.assertIn("output: '4 scores' is not accepted; expected 3", self.refused(*options))
        self.write_script()
        with zipfile.ZipFile(SCRIPT) as old, zipfile.ZipFile(self.folder / "net.pt", "w") as new:
            for name in old.namelist():
                content = old.read(name)
                new.writestr(name, b"\xff" * len(content) if name.endswith("data/0") else content)
        self.assertIn("'a value that is not finite' is not accepted", self.refused(*options))

    def resume(self) -> str:
        answer = self.run_program(sys.executable, "-B", ANALYSIS, "resume", "run.db",
                                  f"--build={BUILD}", timeout=300)
        self.assertEqual(answer.returncode, 2, answer.stderr)
        return answer.stderr


if __name__ == "__main__":
    unittest.main()
