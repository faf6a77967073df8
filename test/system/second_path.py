#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Recomputes what random runs and their observers are certified, from the traces' SQL alone.

usage: second_path.py LEARN OBSERVE, with DPDL_PROPERTY_CASES cases (12). Case K is always the same.
Each combines an algorithm, a network, a failure and an observer. Certificates of full batches have
to be the exact ones of Gaussian noise; those of sampled batches are held between a lower bound and
a little more. Six faults are planted, of which each was a false certificate of dpdl once.
"""

import json
import math
import os
import sqlite3
import subprocess
import tempfile
import unittest
from contextlib import closing
from pathlib import Path
from typing import Callable

import numpy as np
import observer_replay as replay
from certificates.lower_bound import Mixture, Pair, composed_epsilon, gaussian_epsilon, pair_of

NODES, ROUNDS = replay.NODES, replay.ROUNDS
CASES = int(os.environ.get("DPDL_PROPERTY_CASES", "12"))
DIGITS = 2.0**10  # units in the last place that noise has in a sum of several nodes'
VOID = ("UNNOISED_RELEASE", "NO_CLIP", "DATA_DEPENDENT_SCALE", "SEED_REUSE", "PLAN_MISMATCH")
Step = tuple[float, float]  # mu and rate


def steps_of(trace: sqlite3.Connection, node: int, last: int = ROUNDS) -> list[Step]:
    """What the ledger says of the releases up to a round; parts of the examples once an epoch."""
    settings = dict(trace.execute("SELECT name, value FROM settings"))
    parts = int(settings.get("sampledParts", 1))
    steps, epochs = [], {}
    query = "SELECT round, sampler, rate, sensitivity, noise, flags FROM release WHERE node = ?"
    for k, sampler, rate, sensitivity, noise, flags in trace.execute(query, (node,)):
        if k > last:
            continue
        void = any(flag in flags.split(",") for flag in VOID) or not noise
        mu = math.inf if void else sensitivity / noise * (2 if "BATCH_CLIP" in flags else 1)
        if sampler == "cyclic-poisson":
            epochs[k // parts] = max(epochs.get(k // parts, (0, 0)), (mu, rate))
        else:
            steps.append((mu, rate))
    return [*steps, *epochs.values()]


def bounds_of(steps: list[Step], delta: float, found: float) -> tuple[float, float]:
    """A lower and an upper bound on what a tight accountant gives; `found` sets the resolution."""
    if any(math.isinf(mu) for mu, _ in steps):
        return math.inf, math.inf
    if all(rate == 1 for _, rate in steps):
        exact = gaussian_epsilon(math.sqrt(sum(mu * mu for mu, _ in steps)), delta)
        return exact * (1 - 1e-6), exact * (1 + 1e-6) + 1e-9
    known: dict[Step, Pair] = {}
    for mu, q in steps:
        drawn = Mixture([1 - q, q], [0.0, mu])
        known.setdefault((mu, q), pair_of(drawn, Mixture([1.0], [0.0]), "gaussian"))
    scale = max(found, 0.05) if math.isfinite(found) else 1.0  # finer ones would take gigabytes
    lower = composed_epsilon([known[step] for step in steps], delta, scale)
    return lower, 1.02 * lower + 1e-3


def survives(noise: float, largest: float) -> bool:
    return noise >= DIGITS * float(np.spacing(np.float32(largest)))


class Run:
    """A trace, and what dpdl says of it."""

    def __init__(self, path: Path, observer: str = "") -> None:
        self.trace = sqlite3.connect(path)
        self.settings = dict(self.trace.execute("SELECT name, value FROM settings"))
        self.summary = dict(self.trace.execute("SELECT name, value FROM summary"))
        self.flags = self.value("SELECT group_concat(flags) FROM release") or ""
        rows = "SELECT node, certified FROM guarantee_by_node"
        self.certified = dict(self.trace.execute(rows).fetchall())
        self.observer, self.answers = observer, {}
        command = [replay.OBSERVE, str(path), f"--observer={observer}", "--json"]
        if observer:
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode == 0:
                rows = json.loads(done.stdout)["victims"]
                self.answers = {row["victim"]: row["certificate"] for row in rows}

    def value(self, query: str):
        return self.trace.execute(query).fetchone()[0]

    def own(self) -> set[int]:
        """The nodes of the observer."""
        kind, _, list_of = self.observer.partition(":")
        return {int(i) for i in list_of.split(",")} if kind in ("node", "nodes") else set()

    def last_heard(self, node: int) -> int:
        """The last round of which a message of the node can have reached anyone."""
        arrived = "fate NOT IN ('lost', 'refunded') OR (fate = 'lost' AND used_in_round NOT NULL)"
        query = f"SELECT max(round) FROM delivery WHERE source = {node} AND ({arrived})"
        last = self.value(query)
        return -1 if last is None else last

    def crashed(self) -> bool:
        return bool(self.value("SELECT count(*) FROM link_event WHERE event LIKE '%crash%'"))

    def seen_parts(self, target: int) -> list[float]:
        """Of one noisy input of each node: the part of mu^2 that the observer saw, without
        directions of relative size 1e-8, 1e-11 and 1e-15: gossip makes nearly equal states."""
        sent, final = replay.states(self.trace)
        query = "SELECT round, source, target, fate, used_in_round FROM delivery"
        everything = self.settings.get("overheard") == "all"
        own = self.own()
        seen = {
            (k, i)
            for k, i, j, fate, used in self.trace.execute(query)
            if everything or (j in own and (fate not in ("lost", "refunded") or used is not None))
        }
        if self.observer.startswith("link:"):
            link = tuple(map(int, self.observer[5:].split("->")))
            seen = {(k, i) for k, i, j, _, _ in self.trace.execute(query) if (i, j) == link}
        rows = list(final.values()) if self.observer == "final" else [sent[key] for key in seen]
        if not rows:
            return [0.0] * 3
        return [replay.knowledge(self.trace, rows, own, smallest)[target]["mean_step"]
                for smallest in (1e-8, 1e-11, 1e-15)]

    def rests_on_float32(self) -> bool:
        """Whether sums of several nodes' noises have too little noise for their size."""
        noise = self.value("SELECT min(noise) FROM release WHERE noise > 0")
        scale = float(self.settings["stepSize"]) / float(self.settings["batchSize"])
        models = self.trace.execute("SELECT z FROM snapshot").fetchall()
        largest = max(float(np.abs(np.frombuffer(z, "<f4")).max()) for (z,) in models)
        return not survives(scale * noise / math.sqrt(NODES), largest)

    def problems(self) -> list[str]:
        """All that is certified and does not follow from the trace."""
        delta = self.value("SELECT max(delta) FROM guarantee_by_node")
        wrong = [
            f"node {i}: certified {found}, recomputed {low}..{high}"
            for i, found in self.certified.items()
            for low, high in [bounds_of(steps_of(self.trace, i), delta, found)]
            if self.finite_by_rule() and not low <= found <= high
        ]
        if not self.finite_by_rule() and any(map(math.isfinite, self.certified.values())):
            wrong.append("float32 does not show the noise of a sum that is certified")
        for target, certificate in self.answers.items():
            wrong += self.wrong_answer(target, certificate, delta)
        if "TRUSTED_SERVER" in self.flags:
            odd = "SELECT count(*) FROM snapshot WHERE round % 2 = 1 AND node > 0"
            wrong += ["a node's own noisy sum is public"] if self.value(odd) else []
        if self.settings["dataset"].startswith("file:") and self.settings["classes"] == "counted":
            named = "number of classes" in self.settings["publicStatement"]
            wrong += [] if named else ["labels make the size of the model, which is public"]
        return wrong + self.grids()

    def finite_by_rule(self) -> bool:
        return not ("TRUSTED_SERVER" in self.flags and self.rests_on_float32())

    def wrong_answer(self, target: int, certificate: dict | None, delta: float) -> list[str]:
        if certificate is None or "TRUSTED_SERVER" in self.flags:
            return []
        options, parts = {"all-states": steps_of(self.trace, target)}, []
        if "CORRELATED_NOISE" not in self.flags:
            options["suffix"] = steps_of(self.trace, target, self.last_heard(target))
        if self.settings["algorithm"] == "muffliato" and not self.crashed():
            if not self.rests_on_float32():
                parts = self.seen_parts(target)
        if self.observer == "final" or self.observer.startswith(f"link:{target}->"):
            options.pop("suffix", None)
        found, statement = certificate["epsilon"], certificate["statement"]
        found = math.inf if found == "inf" else found
        colluders = self.summary.get("colluders")
        if colluders is not None and len(self.own()) > float(colluders):
            return [] if math.isinf(found) else [f"certified for more than collude: {found}"]
        best = {name: bounds_of(steps, delta, found) for name, steps in options.items()}
        if parts:
            (_, high), (low, _) = (
                bounds_of([(mu * math.sqrt(part), q) for mu, q in options["all-states"]], delta, found)
                for part in parts[:2])
            # Doubles show such directions, but not to many digits.
            nearly_equal = parts[2] > parts[0] * (1 + 1e-6)
            best["one-input"] = low * (1 - 1e-5), best["all-states"][1] if nearly_equal else high * (1 + 1e-5)
        least = min(best.values())
        if statement in best and best[statement][0] <= found <= least[1] * (1 + 1e-6):
            return []
        return [f"{self.observer} about {target}: {statement} {found}, recomputed {best}"]

    def grids(self) -> list[str]:
        """Normals whose angles in pairs lie on a grid of 2^8 to 2^32 directions."""
        for (noise,) in self.trace.execute("SELECT noise FROM noise_by_round LIMIT 4"):
            values = np.frombuffer(noise, "<f4").astype(float)
            pairs = values[: len(values) // 8 * 8].reshape(-1, 8)
            for a, b in ((0, 1), (0, 4), (2, 3)):
                turns = np.arctan2(pairs[:, b], pairs[:, a]) / (2 * math.pi)
                for k in range(8, 33):
                    score = abs(np.exp(2j * math.pi * (turns * 2.0**k % 1)).sum())
                    if score > 5.5 * math.sqrt(len(turns)):
                        return [f"noise lies on a grid of 2^{k} directions"]
        return []


def learn(folder: Path, *options: str) -> Path:
    """Makes a run, whose options may be in conflict: then there is no trace."""
    path = folder / "run.db"
    path.unlink(missing_ok=True)
    names = {option.split("=")[0] for option in options}
    common = [option for option in replay.COMMON if option.split("=")[0] not in names]
    command = [replay.LEARN, *common, *options, f"--trace={path}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1, 2):
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return path


def case_options(number: int) -> tuple[list[str], str]:
    """Options of a case, and its observer."""
    dice = np.random.default_rng([48, number])

    def one_of(*values):
        return values[dice.integers(len(values))]

    algorithm = one_of(
        *("const-d2p", "dyn-d2p", "muffliato", "muffliato", "momentum-d2p", "lambda-cgd", "bandmf"),
        *("decor", "dfedsam", "isolated", "mapa"),
    )
    full = algorithm not in ("bandmf", "decor") and dice.random() < 0.6
    network = one_of("ideal", "message", "message", "packet")
    a, b, time = dice.integers(NODES), dice.integers(NODES), dice.integers(5, 250)
    failure = one_of(
        *("", "", f"node {a} crash with state at {time}ms recover 60ms"),
        f"node {a} pause at {time}ms for 40ms",
        f"link {a}->{(a + 1) % NODES} down at {time}ms for 60ms",
        f"link * loss 0.3 at {time}ms for 60ms",
    )
    options = [
        *(f"--algorithm={algorithm}", f"--network={network}", f"--seed={number + 1}"),
        f"--topology={one_of('ring', 'exponential', 'undirected-ring', 'complete')}",
        *(f"--epsilon={one_of(0.5, 3, 20)}", f"--delta={one_of(1e-4, 1e-6)}", "--traceLevel=noise"),
        *(("--sampler=full", "--accountant=gdp") if full else ("--accountant=pld",)),
        *((f"--fail={failure}",) if failure and network != "ideal" else ()),
        *(("--drop=0.2",) if network == "message" and dice.random() < 0.5 else ()),
    ]
    return options, one_of(f"node:{b}", f"nodes:{a},{b}", f"link:{b}->{(b + 1) % NODES}", "final")


class SecondPathTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_random_runs(self) -> None:
        """No certificate differs from what the trace says."""
        made = answered = 0
        for number in range(CASES):
            options, observer = case_options(number)
            path = learn(self.folder, *options)
            if not path.exists():
                continue  # refused
            run = Run(path, observer)
            with self.subTest(case=number, options=" ".join(options), observer=observer):
                self.assertEqual(run.problems(), [])
            made, answered = made + 1, answered + bool(run.answers)
            run.trace.close()
        print(f"{CASES} cases: {made} runs, {answered} answers about an observer", flush=True)
        self.assertGreater(made, 0.6 * CASES)
        self.assertGreater(answered, 0.2 * CASES)

    def tamper(self, path: Path, sql: str, *values) -> None:
        with closing(sqlite3.connect(path)) as trace, trace:
            trace.execute(sql, values)

    def tamper_grid(self, path: Path) -> None:
        """Normals by Box and Muller whose angles have 24 bits, each pair side by side."""
        dice = np.random.default_rng(1)
        count = 4096
        radius = np.sqrt(-2 * np.log(dice.random(count)))
        turn = dice.integers(1 << 24, size=count) / 2.0**24 * 2 * math.pi
        normals = np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
        blob = normals.astype("<f4").tobytes()
        self.tamper(path, "UPDATE noise_vector SET noise = ?", blob)

    def set_(self, name: str, value: str) -> Callable[[Path], None]:
        sql = "UPDATE setting SET value = ? WHERE name = ?"
        return lambda path: self.tamper(path, sql, value, name)

    def test_planted_faults(self) -> None:
        """Of each row: a run, an observer, and what turns its certificate into a false one."""
        written = ("--snapshotEvery=1", "--accountant=pld")
        lossy = ("--topology=ring", "--network=message", "--drop=0.5")
        gossip = ("--algorithm=muffliato", *lossy, *written)
        trusted = ("--algorithm=dp-fedavg", "--hyper=trusted=1", "--network=ideal", *written)
        noisy = ("--algorithm=const-d2p", "--traceLevel=noise", *written)
        heard = "INSERT INTO setting(name, value) VALUES ('overheard', 'all')"
        odd = "INSERT INTO state SELECT round + 1, node, w, z FROM state WHERE round = 2"
        own = self.folder / "own.npz"
        x = np.random.default_rng(3).random((240, 3)).astype(np.float32)
        labels = (np.arange(240) % 10).astype(np.int64)
        np.savez(own, x_train=x, y_train=labels, x_test=x[:50], y_test=labels[:50])
        labelled = (f"--dataset=file:{own}", *written)
        faults = [
            ("overheard", gossip, "node:3", lambda path: self.tamper(path, heard)),
            ("public odd round", trusted, "", lambda path: self.tamper(path, odd)),
            ("grid of the noise", noisy, "", self.tamper_grid),
            ("trusted sum", trusted, "", self.set_("stepSize", "1e-9")),
            ("one input", gossip, "node:3", self.set_("stepSize", "1e-9")),
            ("labels", labelled, "", self.set_("publicStatement", "nothing")),
        ]
        for name, options, observer, plant in faults:
            with self.subTest(fault=name):
                path = learn(self.folder, *options)
                run = Run(path, observer)
                self.assertEqual(run.problems(), [])
                statements = {one["statement"] for one in run.answers.values()}
                self.assertTrue(not observer or "one-input" in statements, statements)
                plant(path)
                planted = Run(path)
                planted.observer, planted.answers = observer, run.answers
                self.assertNotEqual(planted.problems(), [])
                run.trace.close()
                planted.trace.close()


if __name__ == "__main__":
    unittest.main()
