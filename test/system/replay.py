#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Replays what losses, failures and policies do to a run, with NumPy and none of dpdl's code.

A run without noise is determined by its settings, the dataset, the clip bounds in `release` and the
fate of every message in `delivery`. Each case below runs `learn`, computes all states anew from
these, and compares them with `snapshot`.

usage: replay.py LEARN [--all] [unittest arguments]
Each policy has one of the two scales of steps in each kind of run; --all: both in all.
"""

import sqlite3
import sys
from pathlib import Path
from typing import Iterator

import numpy as np
from replays.models import clipped_sum, softmax_regression
from replays.runs import NODES, ROUNDS, Graph, ReplayCase, Run, States, edge_list, main

BOTH = "--all" in sys.argv
if BOTH:
    sys.argv.remove("--all")
TOLERANCE = 1e-5
POLICIES = ("none", "reliable", "refund", "running-sum", "renormalise")
SCALES = (("by-weight", "0.1"), ("plain", "0.002"))


class Shares:
    """Who gave which part of what away, and who mixed it, by `delivery`."""

    def __init__(self, trace: sqlite3.Connection, policy: str, chunks: int) -> None:
        self.given: dict[tuple[int, int], np.ndarray] = {}
        self.used: dict[tuple[int, int], list[tuple[int, int, float, int]]] = {}
        query = (
            "SELECT round, source, target, weight, used_in_round, fate, chunk FROM delivery "
            "WHERE fate <> 'duplicate'"
        )
        for k, source, target, weight, used_in, fate, chunk in trace.execute(query):
            self.given.setdefault((k, source), np.zeros(chunks))[chunk] += weight
            back = fate == "refunded" or (fate == "corrupt" and policy == "refund")
            if used_in is not None:
                user = source if back else target
                self.used.setdefault((used_in, user), []).append((k, source, weight, chunk))


def mean_of(x: np.ndarray, w: np.ndarray, chunk_of: np.ndarray) -> np.ndarray:
    """z = x / w; where a chunk has no mass, after a crash, it stands at the start: here at zero."""
    return np.where(w[chunk_of] > 0, x / np.where(w > 0, w, 1.0)[chunk_of], 0.0)


def lost_states(trace: sqlite3.Connection) -> dict[tuple[int, int], bool]:
    """Where a crash took a node's state, by (round, node): True if its shares had left."""
    query = (
        "SELECT round, node, detail FROM violation "
        "WHERE assumption = 'nodes-present' AND detail LIKE '%its state is lost'"
    )
    return {(k, i): "crashed after" in text for k, i, text in trace.execute(query)}


def lies_of(trace: sqlite3.Connection) -> dict[tuple[int, int], str]:
    """What nodes do that are not honest, by (round, node)."""
    query = "SELECT round, node, detail FROM violation WHERE assumption = 'nodes-honest'"
    return {(k, i): text.removeprefix("lies ") for k, i, text in trace.execute(query)}


def told_by(lie: str, x: np.ndarray, first: np.ndarray) -> np.ndarray:
    """What shares carry of x = w z. `first` is w times what a stale node sent first."""
    return {"sign-flip": -x, "zero": 0.0 * x, "stale": first}.get(lie, x)


def resist(rule: str, own: tuple[float, np.ndarray], heard: list[tuple[float, np.ndarray]]) -> np.ndarray:
    """The robust mean of models with their masses."""
    kind, _, value = rule.partition(":")
    total = own[0] + sum(mass for mass, _ in heard)
    if kind == "clipped":
        moves = [(mass / total, z - own[1]) for mass, z in heard]
        return own[1] + sum(
            part * move * min(1.0, float(value) / max(np.linalg.norm(move), 1e-300))
            for part, move in moves
        )
    left = len(heard) - 2 * int(value)
    if left <= 0:
        return own[1]
    models = np.array([z for _, z in heard])
    masses = np.broadcast_to(np.array([[mass] for mass, _ in heard]), models.shape)
    order = np.lexsort((masses, models), axis=0)[int(value) : int(value) + left]
    masses, kept = (np.take_along_axis(one, order, axis=0) for one in (masses, models))
    return (own[0] * own[1] + (masses * kept).sum(axis=0)) / (own[0] + masses.sum(axis=0))


def replay(run: Run) -> States:
    """Computes (mean w, z) for every (round, node) from the trace."""
    trace, settings, examples = run.trace, run.settings, run.examples
    step, policy = float(settings["stepSize"]), settings["lossPolicy"]
    length = 7850 if settings["chunk"] == "none" else int(settings["chunk"]) // 4
    chunk_of = np.arange(7850) // length
    chunks = chunk_of[-1] + 1
    shares = Shares(trace, policy, chunks)
    crashes, lies, rule = lost_states(trace), lies_of(trace), settings["mix"]
    told: dict[tuple[int, int], np.ndarray] = {}
    first: dict[int, np.ndarray] = {}  # what stale nodes repeat
    x, w = np.zeros((NODES, 7850)), np.ones((NODES, chunks))
    half, states = {}, {(0, i): (1.0, np.zeros(7850)) for i in range(NODES)}
    sends_first = settings["gossipOrder"] == "send-first"
    by_weight = settings["stepScale"] == "by-weight"
    for k in range(ROUNDS):
        late: dict[int, np.ndarray] = {}  # steps that are added after mixing
        for i in range(NODES):
            if crashes.get((k, i)) is False:
                x[i], w[i] = 0, 0
                states[k, i] = (0.0, np.zeros(7850))
            half[k, i] = (x[i].copy(), w[i].copy())
            told[k, i] = half[k, i][0]
            if not w[i].any():
                continue
            z = mean_of(x[i], w[i], chunk_of)
            flipped = lies.get((k, i)) == "label-flip"
            labels = 9 - examples.labels[i] if flipped else examples.labels[i]
            gradient = clipped_sum(softmax_regression(z, examples.images[i], labels), run.sensitivity[k, i])
            gradient /= examples.per_node
            # Where a chunk has no mass, after a crash, it does not move.
            move = step * (w[i] > 0)[chunk_of] * gradient
            if not sends_first:
                half[k, i][0][:] -= (w[i][chunk_of] if by_weight else 1.0) * move
            elif (k, i) not in crashes:
                late[i] = move
            if (k, i) in lies:
                mass = w[i][chunk_of]
                first.setdefault(i, mean_of(half[k, i][0], w[i], chunk_of))
                told[k, i] = told_by(lies[k, i], half[k, i][0], mass * first[i])
        for i in range(NODES):
            kept = 1 - shares.given.get((k, i), np.zeros(chunks))
            if (k, i) in crashes:
                kept[:] = 0
            x[i], w[i] = kept[chunk_of] * half[k, i][0], kept * half[k, i][1]
            own, heard = w[i].copy(), [{} for _ in range(chunks)]
            for sent_in, source, weight, chunk in sorted(shares.used.get((k, i), [])):
                part = slice(chunk * length, (chunk + 1) * length)
                sent = half[sent_in, source] if source == i else (told[sent_in, source], half[sent_in, source][1])
                mass = weight * sent[1][chunk]
                x[i][part] += weight * sent[0][part]
                w[i][chunk] += mass
                if source == i:
                    own[chunk] += mass
                elif mass > 0:
                    before = heard[chunk].get(source, (0.0,))[0]
                    heard[chunk][source] = (before + mass, sent[0][part] / sent[1][chunk])
            for chunk in range(chunks if rule != "average" else 0):
                part = slice(chunk * length, (chunk + 1) * length)
                mine = mean_of(half[k, i][0], half[k, i][1], chunk_of)[part]
                if w[i][chunk] > 0:
                    z = resist(rule, (own[chunk], mine), list(heard[chunk].values()))
                    x[i][part] = w[i][chunk] * z
            if policy == "renormalise":
                x[i], w[i] = mean_of(x[i], w[i], chunk_of), np.ones(chunks)
            x[i] -= (w[i][chunk_of] if by_weight else 1.0) * late.get(i, 0.0)
            states[k + 1, i] = (w[i].mean(), mean_of(x[i], w[i], chunk_of))
    return states


def pairs(policies: tuple[str, ...], choices: tuple) -> Iterator[tuple]:
    """Each policy with one of two choices, alternately, or with both of them."""
    for index, policy in enumerate(policies):
        for choice in choices if BOTH else [choices[index % 2]]:
            yield policy, choice


def star_and_ring(folder: Path) -> Path:
    """Alternately, so that in-degrees and out-degrees differ."""
    star = [edge for j in range(1, NODES) for edge in ((0, 0, j), (0, j, 0))]
    return edge_list(folder, star + [(1, i, (i + 1) % NODES) for i in range(NODES)])


class ReplayTest(ReplayCase):
    """Each test is one kind of run; the trace must determine every state of it."""

    always = ("--stepSize=0.1", "--noise=off")

    def check(
        self, *options: str, graph: Graph | None = None, expect_loss: bool | None = False
    ) -> None:
        """Runs `learn`, replays it, and compares all snapshots."""
        run = self.run_learn(*options, graph=graph, drop=0.0)
        self.compare_nodes(run, replay(run), TOLERANCE)
        self.fates = run.fates
        self.chunks = run.trace.execute("SELECT 1 + max(chunk) FROM delivery").fetchone()[0]
        lost = self.fates.get("lost", 0) + self.fates.get("refunded", 0)
        if expect_loss is not None:
            self.assertEqual(lost > 0, expect_loss)
        self.spread_of_w = max(abs(w - 1) for w, _ in run.states.values())

    def test_sgp(self) -> None:
        self.check("--algorithm=sgp")
        self.assertLess(self.spread_of_w, 1e-12)

    def test_dyn_d2p(self) -> None:
        self.check("--algorithm=dyn-d2p", "--clip=0.5")

    def test_lossy_by_weight(self) -> None:
        self.check("--algorithm=dyn-d2p", "--clip=0.5", "--drop=0.1", expect_loss=True)

    def test_lossy_plain(self) -> None:
        """The step in z is gamma / w: a small gamma, or the run diverges as loss shrinks w."""
        self.check(
            "--algorithm=sgp",
            "--drop=0.1",
            "--stepScale=plain",
            "--stepSize=0.002",
            expect_loss=True,
        )

    def test_lossy_running_sum(self) -> None:
        self.check(
            "--algorithm=dyn-d2p", "--drop=0.1", "--lossPolicy=running-sum", expect_loss=True
        )

    def test_unbalanced_digraph(self) -> None:
        """Where in-degrees and out-degrees differ, w leaves 1."""
        for scale in ("plain", "by-weight"):
            self.check("--algorithm=sgp", f"--stepScale={scale}", graph=star_and_ring)
            self.assertGreater(self.spread_of_w, 0.5)
        self.check("--algorithm=dyn-d2p", "--drop=0.1", graph=star_and_ring, expect_loss=True)

    def test_every_policy_and_step_in_chunks_on_a_lollipop(self) -> None:
        """Degrees differ, a tenth is lost, and the last chunks of a message come a round late."""
        for policy, (scale, step) in pairs(POLICIES, SCALES):
            with self.subTest(policy=policy, scale=scale):
                self.check(
                    "--algorithm=sgp",
                    "--topology=lollipop",
                    f"--lossPolicy={policy}",
                    f"--stepScale={scale}",
                    f"--stepSize={step}",
                    "--drop=0.1",
                    "--chunk=8000",
                    "--deadline=36ms",
                    expect_loss=None if policy == "reliable" else True,
                )
                self.assertEqual(self.chunks, 4)
                self.assertGreater(self.fates["late"], 100)
                self.assertGreater(self.fates["delivered"], 100)
                self.assertEqual("refunded" in self.fates, policy == "refund")

    def test_crashes_with_and_without_state(self) -> None:
        """A node that is down sends nothing, and forgets its inbox, and perhaps all it knew."""
        for policy, state in pairs(("none", "refund", "running-sum"), ("without", "with")):
            with self.subTest(policy=policy, state=state):
                self.check(
                    "--algorithm=sgp",
                    f"--lossPolicy={policy}",
                    "--drop=0.1",
                    f"--fail=node 3 crash {state} state at 0.3s recover 0.54s",
                    f"--fail=node 7 crash {state} state at 0.728s recover 0.78s",
                    "--fail=node 1 pause at 0.42s for 0.12s",
                    expect_loss=True,
                )

    def test_asynchronous_rounds_with_every_failure_of_nodes_in_chunks(self) -> None:
        """Nodes are ahead of each other, pause, slow down, and crash in the middle of a model."""
        for policy, (scale, step) in pairs(POLICIES, SCALES[::-1]):
            with self.subTest(policy=policy, scale=scale):
                self.check(
                    "--algorithm=sgp",
                    "--topology=lollipop",
                    "--schedule=asynchronous",
                    "--staleness=2",
                    "--compute=fixed:10ms:heterogeneous=3",
                    f"--lossPolicy={policy}",
                    f"--stepScale={scale}",
                    f"--stepSize={step}",
                    "--drop=0.1",
                    "--chunk=8000",
                    "--deadline=60ms",
                    "--fail=node 3 crash with state at 0.3s recover 0.54s",
                    "--fail=node 7 crash without state at 0.728s recover 0.78s",
                    "--fail=node 4 crash without state at 0.439s for 2ms",
                    "--fail=node 1 pause at 0.42s for 0.12s",
                    "--fail=node 8 slow 5x at 0.18s for 0.36s",
                    "--fail=partition {0-4} {5-9} at 0.84s for 0.06s",
                    expect_loss=None if policy == "reliable" else True,
                )
                self.assertGreater(self.fates["late"], 100)

    def test_liars_and_rules_that_resist(self) -> None:
        """Every lie whose numbers are no secret of the program.

        Averages and clipping with losses, late shares and chunks. A trimmed mean jumps where two values change
        places whose masses differ, and rounding decides which places they have: it is replayed without losses.
        """
        losses = ["--drop=0.1", "--chunk=8000", "--deadline=40ms"]
        for lie, rule, network in (("sign-flip", "average", losses), ("stale", "clipped:0.3", losses),
                                   ("zero", "trimmed:2", []), ("sign-flip", "trimmed:3", []),
                                   ("label-flip", "trimmed:1", [])):
            for policy in ("none", "refund", "running-sum", "renormalise") if BOTH else ("running-sum",):
                with self.subTest(lie=lie, rule=rule, policy=policy):
                    self.check(
                        "--algorithm=sgp",
                        "--topology=complete",
                        "--stepSize=0.02",
                        f"--mix={rule}",
                        f"--lossPolicy={policy}",
                        f"--fail=node {{2,7}} lies {lie} from 0.12s for 0.6s",
                        *network,
                        expect_loss=network == losses,
                    )

    def test_nodes_that_send_before_they_step(self) -> None:
        """Late steps through losses, chunks, crashes in the step, and rounds out of step."""
        self.check("--algorithm=overlap-sgp", "--topology=lollipop")
        self.check("--algorithm=d-psgd", "--topology=undirected-ring")
        self.assertLess(self.spread_of_w, 1e-12)
        synchronous = ["--fail=node 7 crash with state at 0.728s recover 0.78s"]
        asynchronous = ["--schedule=asynchronous", "--staleness=2"]
        ways = (("by-weight", "0.1", asynchronous), ("plain", "0.001", synchronous))
        for policy, (scale, step, schedule) in pairs(
            ("none", "refund", "running-sum", "renormalise"), ways
        ):
            with self.subTest(policy=policy, scale=scale):
                self.check(
                    "--algorithm=overlap-sgp",
                    "--topology=lollipop",
                    "--compute=fixed:10ms:heterogeneous=3",
                    "--deadline=60ms",
                    f"--lossPolicy={policy}",
                    f"--stepScale={scale}",
                    f"--stepSize={step}",
                    "--drop=0.1",
                    "--chunk=8000",
                    "--fail=node 3 crash without state at 0.213s recover 0.54s",
                    "--fail=node 4 crash without state at 0.439s for 2ms",
                    "--fail=node 1 pause at 0.42s for 0.12s",
                    *schedule,
                    expect_loss=True,
                )

    def test_refund_and_renormalise_of_whole_models(self) -> None:
        for policy in ("refund", "renormalise"):
            self.check("--algorithm=sgp", "--drop=0.3", f"--lossPolicy={policy}", expect_loss=True)


if __name__ == "__main__":
    main()
