#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs on a user's data: `--dataset=file:NAME.npz` and `file:NAME.csv`.

usage: own_data.py PATH-OF-LEARN PATH-OF-HOST-DEVICE [unittest arguments]
"""

import sys
import unittest

import numpy as np

from program_case import ProgramCase, preloading
from replays import data

LEARN = sys.argv.pop(1)
HOST_DEVICE = sys.argv.pop(1)
VIEWS = ("accuracy_by_round", "release", "delivery_by_link")
SMALL = ["--samples=300", "--testSamples=100", "--nodes=5", "--rounds=6", "--progress=none"]


class OwnDataTest(ProgramCase):
    """Runs `learn` on files that NumPy wrote."""

    def learn(self, trace: str, *options: str) -> None:
        result = self.run_program(LEARN, *options, f"--trace={trace}")
        self.assertEqual(result.returncode, 0, result.stderr)

    def assert_same_run(self, one: str, other: str) -> None:
        for view in VIEWS:
            found = [self.rows(trace, f"SELECT * FROM {view}") for trace in (one, other)]
            self.assertEqual(*found)
            self.assertNotEqual(found[0], [])

    def write_images(self, name: str, images: dict[str, np.ndarray]) -> str:
        np.savez_compressed(self.folder / name, **images)
        return f"--dataset=file:{name}"

    def fashion(self) -> dict[str, np.ndarray]:
        found = {}
        for part, prefix, count in (("train", "train", 300), ("test", "t10k", 100)):
            found[f"x_{part}"] = data.images(prefix, count).reshape(count, 28, 28)
            found[f"y_{part}"] = data.labels(prefix, count)
        return found

    def test_the_same_images_from_an_archive_give_the_same_run(self) -> None:
        own = self.write_images("fashion.npz", self.fashion())
        for engine in ("native", "libtorch"):
            more = [f"--ns3::DpdlApplication::Engine={engine}", "--drop=0.1", *SMALL]
            self.learn(f"{engine}-own.db", own, *more)
            self.learn(f"{engine}.db", "--dataset=fashion-mnist", *more)
            self.assert_same_run(f"{engine}-own.db", f"{engine}.db")

    def test_values_are_taken_as_they_are(self) -> None:
        images = self.fashion()
        own = self.write_images("bytes.npz", images)
        scaled = {
            name: (array / np.float32(255)).astype("f4") if name[0] == "x" else array
            for name, array in images.items()
        }
        floats = self.write_images("floats.npz", scaled)
        for trace, dataset in (("bytes.db", own), ("floats.db", floats)):
            self.learn(trace, dataset, *SMALL)
        self.assert_same_run("bytes.db", "floats.db")

    def test_nodes_own_what_the_array_says(self) -> None:
        nodes = np.arange(300) % 5
        nodes[:20] = 0
        own = self.write_images("owners.npz", {**self.fashion(), "node_train": nodes})
        self.learn("owners.db", own, "--partition=given", "--sampler=full", *SMALL)
        sizes = dict(self.rows("owners.db", "SELECT node, examples_drawn FROM round_by_node"))
        self.assertEqual([sizes[node] for node in range(5)], np.bincount(nodes).tolist())

    def test_a_table_learns_a_regression(self) -> None:
        random = np.random.default_rng(1)
        features = random.normal(size=(500, 4))
        target = features @ [0.4, -0.3, 0.2, 0.0] + 0.1
        table = np.column_stack([features, target])
        header = "a,b,c,d,price"
        np.savetxt(self.folder / "t.csv", table, delimiter=",", header=header, comments="")
        options = ["--dataset=file:t.csv", "--label=price", "--testFraction=0.1"]
        more = ["--model=linear-regression", "--algorithm=sgp", "--stepSize=0.3", "--nodes=5"]
        self.learn("t.db", *options, *more, "--rounds=60", "--progress=none")
        rows = self.rows("t.db", "SELECT loss_mean FROM accuracy_by_round ORDER BY round")
        self.assertLess(rows[-1][0], 1e-3)
        self.assertGreater(rows[0][0], 0.02)

    def test_a_device_of_bytes_refuses_values(self) -> None:
        floats = {name: array.astype("f4") for name, array in self.fashion().items()}
        floats |= {name: array for name, array in self.fashion().items() if name[0] == "y"}
        own = self.write_images("device.npz", floats)
        options = [own, *SMALL, "--model=mlp", "--device=cuda", "--trace=device.db"]
        result = self.run_program(LEARN, *options, env=preloading(HOST_DEVICE))
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("cpu for a dataset whose features are not bytes", result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertFalse((self.folder / "device.db").exists())


if __name__ == "__main__":
    unittest.main()
