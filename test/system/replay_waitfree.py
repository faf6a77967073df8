#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Algorithms whose nodes need not wait for each other, against a second path, with noise and loss.

Nodes may mix shares of rounds that they have not reached, so that a state is computed as soon as
all that it is made of is known, in whatever order of rounds.
"""

from collections import defaultdict

import numpy as np
from replays.compression import coins, compress
from replays.models import clipped_sum, norms_of, weighted_sum
from replays.runs import EXAMPLES, NODES, ROUNDS, ReplayCase, Run, main

CLIP, STEP = 0.5, 0.05
SLOW = "--fail=node 3 slow 10x from 0s"
CRASHES = [
    "--fail=node 5 crash with state at 0.213s recover 0.3s",
    "--fail=node 1 pause at 0.1s for 0.1s",
]


class Replay:
    """States of all nodes from the trace alone; a state is z and the w of its chunks."""

    tracks = False

    def __init__(self, run: Run, send_first: bool = False) -> None:
        self.run, self.send_first = run, send_first
        self.by_weight = run.settings["stepScale"] == "by-weight"
        width = run.start.shape[1] * (2 if self.tracks else 1)
        chunk = run.settings["chunk"]
        length = int(chunk) // 4 if chunk != "none" else run.start.shape[1]
        self.chunk_of = np.arange(width) // length
        chunks = self.chunk_of[-1] + 1
        self.renormalised = np.full(chunks, run.settings["lossPolicy"] == "renormalise")
        self.sent: dict[tuple[int, int], list[tuple[int, int, float, int]]] = defaultdict(list)
        self.used: dict[tuple[int, int], list[tuple[int, int, int, int, float]]] = defaultdict(list)
        query = (
            "SELECT round, source, target, chunk, weight, bytes, used_in_round, fate FROM delivery "
            "WHERE fate <> 'duplicate'"
        )
        for k, source, target, chunk, weight, size, used_in, fate in run.trace.execute(query):
            self.sent[k, source].append((target, chunk, weight, size))
            if used_in is not None:
                holder = source if fate in ("refunded", "corrupt") else target
                self.used[used_in, holder].append((k, source, target, chunk, weight))
        self.half: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}
        self.states = {}
        for i in range(NODES):
            z = np.zeros(width)
            z[: run.start.shape[1]] = run.start[i]
            self.states[0, i] = (z, np.ones(chunks))
        self.late: dict[tuple[int, int], np.ndarray] = {}

    def release(self, k: int, i: int, z: np.ndarray) -> np.ndarray:
        """The noisy mean gradient of a node at z."""
        total = clipped_sum(self.run.factors(i, z), CLIP) + self.run.noise(k)[i][: len(z)]
        return total / self.run.examples.per_node

    def step(self, k: int, i: int) -> None:
        """From what the node holds to what it shares."""
        z, w = self.states[k, i]
        move = STEP * self.release(k, i, z)
        if self.send_first:
            self.half[k, i], self.late[k, i] = (z, w), move
        else:
            self.half[k, i] = (z - move / (1 if self.by_weight else w[self.chunk_of]), w)

    def mix(self, k: int, i: int) -> None:
        """From what the node kept and heard to what it holds next."""
        z, w = self.half[k, i]
        total, mass = w[self.chunk_of] * z, w.copy()
        given = [(k, i, target, chunk, -weight) for target, chunk, weight, _ in self.sent[k, i]]
        for sent_in, source, target, chunk, weight in given + self.used[k, i]:
            part = weight * self.half[sent_in, source][1][chunk]
            mass[chunk] += part
            total[self.chunk_of == chunk] += part * self.read(sent_in, source, target, chunk)
        z = total / mass[self.chunk_of]
        w = np.where(self.renormalised, 1.0, mass)
        if (k, i) in self.late:
            z = z - self.late[k, i] / (1 if self.by_weight else w[self.chunk_of])
        self.states[k + 1, i] = (z, w)

    def read(self, k: int, source: int, target: int, chunk: int) -> np.ndarray:
        """What a message says of z."""
        return self.half[k, source][0][self.chunk_of == chunk]

    def compute(self) -> None:
        """All states; each node goes on as far as what it mixes is known."""
        rounds = [0] * NODES
        while min(rounds) < ROUNDS:
            before = list(rounds)
            for i in range(NODES):
                while rounds[i] < ROUNDS:
                    k = rounds[i]
                    if (k, i) not in self.half:
                        self.step(k, i)
                    if any((s, j) not in self.half for s, j, *_ in self.used[k, i]):
                        break
                    self.mix(k, i)
                    rounds[i] += 1
            assert rounds != before, "a share is used before it is sent"


class Tracking(Replay):
    """R-FAST: behind the model, a state has the tracker over its weight."""

    tracks = True

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.renormalised = np.array([True, False])
        self.last = np.zeros_like(run.start)

    def step(self, k: int, i: int) -> None:
        z, w = self.states[k, i]
        x, y = np.split(z, 2)
        release = self.release(k, i, x)
        y = y + (release - self.last[i]) / w[1]
        self.last[i] = release
        self.half[k, i] = (np.concatenate([x - STEP * w[1] / w[0] * y, y]), w)

    def in_flight(self) -> np.ndarray:
        """Sum of y that no node has mixed, by the end of the run."""
        mixed = {share for shares in self.used.values() for share in shares}
        total = np.zeros(self.run.start.shape[1])
        for (k, source), shares in self.sent.items():
            for target, chunk, weight, _ in shares:
                if chunk and (k, source, target, chunk, weight) not in mixed:
                    z, w = self.half[k, source]
                    total += weight * w[1] * np.split(z, 2)[1]
        return total


class Porter(Tracking):
    """PORTER-DP: model and tracker are push-sums of their own, sent as compressed differences."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.renormalised[:] = False
        self.how = run.settings["compress"]
        self.seed = (int(run.settings["seed"]), int(run.settings["run"]))
        self.messages: dict[tuple[int, int, int, int], np.ndarray] = {}
        self.copies: dict[tuple[int, int, int], np.ndarray] = {}

    def release(self, k: int, i: int, z: np.ndarray) -> np.ndarray:
        """Clipped smoothly."""
        factors = self.run.factors(i, z)
        total = weighted_sum(factors, CLIP / (CLIP + norms_of(factors, 2)))
        return (total + self.run.noise(k)[i][: len(z)]) / self.run.examples.per_node

    def step(self, k: int, i: int) -> None:
        super().step(k, i)
        z, _ = self.half[k, i]
        u = coins(self.seed, i, k, len(z))
        for target, chunk, _, size in self.sent[k, i]:
            part = self.chunk_of == chunk
            whole = z[part]
            if size < 4 * len(whole):
                known = self.copies.get((i, target, chunk), self.states[0, i][0][part])
                # Values are compared with nothing, so that either vector will do.
                difference, _ = compress(self.how, whole - known, u[part], 0.0)
                whole = (known + difference).astype(np.float32).astype(float)
            self.messages[k, i, target, chunk] = self.copies[i, target, chunk] = whole

    def read(self, k: int, source: int, target: int, chunk: int) -> np.ndarray:
        return self.messages[k, source, target, chunk]


REPLAYS = {"r-fast": Tracking, "porter": Porter}


class WaitFreeTest(ReplayCase):
    """Each algorithm where nodes wait for each other, and where they do not."""

    always = (f"--clip={CLIP}", f"--stepSize={STEP}")

    def check(self, algorithm: str, *options: str, drop: float = 0.1) -> Replay:
        network = (f"--algorithm={algorithm}", f"--drop={drop}")
        run = self.run_learn(*network, *options, graph=None, drop=drop)
        kind = REPLAYS.get(algorithm)
        replay = kind(run) if kind else Replay(run, algorithm == "ad-psgd")
        replay.compute()
        parameters = run.start.shape[1]
        states = {key: (w.mean(), z[:parameters]) for key, (z, w) in replay.states.items()}
        self.compare_nodes(run, states)
        return replay

    def check_all_ways(self, algorithm: str, *options: str) -> None:
        for way in ([], ["--schedule=wait-free", SLOW, *CRASHES]):
            with self.subTest(algorithm, way=way):
                self.check(algorithm, *options, *way)

    def test_epidemic(self) -> None:
        self.check_all_ways("epidemic")

    def test_divshare(self) -> None:
        self.check_all_ways("divshare", "--hyper=fragments=7,out=2")
        replay = self.check("divshare", "--hyper=fragments=7,out=2", "--schedule=wait-free", SLOW)
        dropped = "SELECT count(*) FROM delivery WHERE fate <> 'lost' AND used_in_round IS NULL"
        self.assertGreater(replay.run.trace.execute(dropped).fetchone()[0], 10)
        for used in replay.used.values():
            self.assertEqual(len(used), len({(source, chunk) for _, source, _, chunk, _ in used}))

    def test_divshare_drops_what_has_not_begun_to_leave(self) -> None:
        """A fragment leaves before its sender sends the next round, or is lost for that reason."""
        for sharing in ("none", "uplink"):
            replay = self.check("divshare", "--hyper=fragments=7,out=2", "--schedule=wait-free",
                                "--dataRate=500kbps", f"--ns3::DpdlMessageTransport::Sharing={sharing}")
            trace, took = replay.run.trace, dict[int, set[float]]()
            sent = dict(((source, k), at) for source, k, at in trace.execute(
                "SELECT source, round, min(sent_at) FROM delivery GROUP BY source, round"))
            query = "SELECT source, round, chunk, bytes, sent_at, arrived_at, cause FROM delivery"
            for source, k, chunk, size, sent_at, arrived_at, cause in trace.execute(query):
                took.setdefault(chunk, set()).add(cause == "newer round")
                if arrived_at is not None and (source, k + 1) in sent:
                    begun = arrived_at - 0.005 - size * 8 / 5e5
                    self.assertLess(sent_at - 1e-6, begun)
                    self.assertLess(begun, sent[source, k + 1] + 1e-6)
            self.assertEqual(set(map(len, took.values())), {2}, "each fragment has both fates")

    def test_pairs(self) -> None:
        self.check_all_ways("ad-psgd")

    def test_tracking(self) -> None:
        self.check_all_ways("r-fast")
        self.check_all_ways("r-fast", "--topology=lollipop")

    def test_compressed_tracking(self) -> None:
        """Sparse differences by public coins, where no comparison hangs on rounding; and whole."""
        self.check_all_ways("porter", "--compress=random-k:0.2")
        self.check("porter", "--compress=none")
        self.check("porter", "--compress=random-k:0.3", "--topology=lollipop")

    def test_trackers_add_up_to_the_latest_releases(self) -> None:
        """Whatever is lost: sum y + what is on its way = sum r, in double."""
        for way in ([], ["--schedule=wait-free", SLOW]):
            replay = self.check("r-fast", *way, drop=0.3)
            at_nodes = sum(w[1] * np.split(z, 2)[1] for z, w in
                           (replay.states[ROUNDS, i] for i in range(NODES)))
            total, expected = at_nodes + replay.in_flight(), replay.last.sum(axis=0)
            scale = np.abs(expected).max()
            self.assertGreater(np.abs(replay.in_flight()).max(), 1e-3 * scale)
            self.assertLess(np.abs(total - expected).max() / scale, 1e-9)


if __name__ == "__main__":
    assert EXAMPLES % NODES == 0
    main()
