# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Small made-up traces for the tests: the views of a trace as tables, with plausible numbers.

The weights w are really pushed over the one-peer exponential graph and messages really die, so
that mass, deliveries and weights agree with each other; accuracies follow a made-up curve.
"""

import math
import random
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

from dpdl_analysis.trace import SCHEMA_VERSION, VIEWS

ROUND_BY_NODE = (
    "round",
    "node",
    "w",
    "batch",
    "loss",
    "gradient_norm",
    "clipped",
    "started_at",
    "finished_at",
    "w_smallest",
    "examples_drawn",
)
ROUND_SECONDS = 0.85


@dataclass
class Run:
    """What a made-up run looks like."""

    algorithm: str = "dyn-d2p"
    step_scale: str = "by-weight"
    loss_policy: str = "none"
    drop: float = 0.0
    nodes: int = 20
    rounds: int = 40
    every: int = 5
    seed: int = 1
    final: float = 0.735
    diverges: bool = False
    complete: bool = True
    private: bool = True
    deliveries: bool = True
    version: int = SCHEMA_VERSION
    settings: dict[str, str] = field(default_factory=dict)


def write_trace(path: Path, run: Run | None = None) -> Path:
    """Writes the trace of `run` to `path` and returns the path."""
    run = run or Run()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    for view, columns in {**VIEWS, "round_by_node": ROUND_BY_NODE}.items():
        names = ", ".join(f'"{column}"' for column in columns)
        connection.execute(f'CREATE TABLE "{view}"({names})')
    connection.execute(f"PRAGMA user_version = {run.version}")
    generator = random.Random(run.seed)
    weights = _push(connection, run, generator)
    _accuracy(connection, run, generator)
    _privacy(connection, run)
    _contraction(connection, run, generator)
    _settings(connection, run)
    _summary(connection, run)
    for node, w in enumerate(weights):
        _insert(connection, "snapshot", (run.rounds, node, w, b"\0" * 16))
    if run.drop:
        detail = "a share of the round did not arrive"
        for k in range(0, run.rounds, 3):
            _insert(connection, "violation", (k, k % run.nodes, "column-stochastic", detail))
    connection.commit()
    connection.close()
    return path


def _insert(connection: sqlite3.Connection, view: str, row: tuple) -> None:
    marks = ", ".join("?" * len(row))
    connection.execute(f'INSERT INTO "{view}" VALUES({marks})', row)


def _push(connection: sqlite3.Connection, run: Run, generator: random.Random) -> list[float]:
    """Pushes w over the graph, loses messages, and writes deliveries, links, mass and nodes."""
    w, lost = [1.0] * run.nodes, 0.0
    hops = [2**power for power in range(max(1, math.ceil(math.log2(run.nodes))))]
    links: dict[tuple[int, int], list[int]] = {}
    for k in range(run.rounds):
        _mass(connection, run, k, w, lost)
        _nodes(connection, run, k, w, generator)
        kept, inbox = [value / 2 for value in w], [0.0] * run.nodes
        for source in range(run.nodes):
            target = (source + hops[k % len(hops)]) % run.nodes
            dies = generator.random() < run.drop
            totals = links.setdefault((source, target), [0, 0, 0])
            totals[0] += 1
            totals[2 if dies else 1] += 1
            sent = k * ROUND_SECONDS + 0.5
            arrived, used = (None, None) if dies else (sent + 0.09, k)
            fate = "lost" if dies else "delivered"
            lost_by = ("queue disc", f"node {target}") if dies else (None, None)
            if run.deliveries:
                row = (k, source, target, 0.5, 87000, sent, arrived, used, fate, 0, *lost_by)
                _insert(connection, "delivery", row)
            lost += kept[source] if dies else 0.0
            inbox[target] += 0.0 if dies else kept[source]
        w = [kept[node] + inbox[node] for node in range(run.nodes)]
    _mass(connection, run, run.rounds, w, lost)
    for (source, target), (sent, delivered, died) in links.items():
        row = (source, target, sent, delivered, died, 87000 * sent, 0.09, 0.11)
        _insert(connection, "delivery_by_link", row)
    return w


def _mass(connection: sqlite3.Connection, run: Run, k: int, w: list[float], lost: float) -> None:
    total = math.fsum(w)
    row = (k, total, 0.0, lost, total + lost - run.nodes, 3e-15)
    _insert(connection, "mass_by_round", row)


def _nodes(
    connection: sqlite3.Connection, run: Run, k: int, w: list[float], generator: random.Random
) -> None:
    start = k * ROUND_SECONDS
    for node in range(run.nodes):
        norm = 1.0 + generator.random()
        row = (k, node, w[node], 64, 2.3 * math.exp(-k / 30), norm, 0.4, start, start + 0.5, w[node])
        row += (64,)
        _insert(connection, "round_by_node", row)


def _curve(run: Run, k: int) -> float:
    rising = 0.1 + (run.final - 0.1) * (1 - math.exp(-4 * k / run.rounds))
    if not run.diverges:
        return rising
    fallen = 1 / (1 + math.exp(20 * (k / run.rounds - 0.6)))
    return 0.1 + (rising - 0.1) * fallen


def _accuracy(connection: sqlite3.Connection, run: Run, generator: random.Random) -> None:
    for k in range(0, run.rounds + 1, run.every):
        mean = _curve(run, k)
        spread = 0.004 + 0.12 * run.drop
        loss = 2.3 * (1.1 - mean) + (math.exp(8 * k / run.rounds) / 40 if run.diverges else 0.0)
        row = (k, k * ROUND_SECONDS, mean, mean - spread, mean + 0.003, loss, 0.3 + run.drop)
        _insert(connection, "accuracy_by_round", row)
        for node in range(run.nodes):
            value = mean + spread * (generator.random() - 0.5)
            _insert(connection, "accuracy_by_node", (k, node, value, loss))


def _privacy(connection: sqlite3.Connection, run: Run) -> None:
    reason = None if run.private else "noise is off"
    for k in range(run.rounds):
        claimed, certified = _epsilons(run, k + 1)
        _insert(connection, "guarantee_by_round", (k, claimed, certified))
        for node in range(run.nodes):
            row = (node, k, "gaussian", "poisson", 0.021, 1.5, 1.9, 1.266, "")
            _insert(connection, "release", row)
    claimed, certified = _epsilons(run, run.rounds)
    for node in range(run.nodes):
        row = (node, claimed, certified, None, 1e-4, "add-remove", reason, "pld", None, None, 1.0)
        _insert(connection, "guarantee_by_node", row)


def _epsilons(run: Run, k: int) -> tuple[float, float]:
    if not run.private:
        return math.inf, math.inf
    growth = math.sqrt(k / run.rounds)
    return 0.83 * growth, 1.02 * growth


def _contraction(connection: sqlite3.Connection, run: Run, generator: random.Random) -> None:
    for first in range(0, run.rounds - 4, 5):
        realised = 0.7174 + (run.drop * (0.2 + 0.1 * generator.random()) if run.drop else 0.0)
        effective = run.nodes * (1 - run.drop * 0.4 * first / run.rounds)
        row = (first, first + 4, 1 - 9.1e-7, 0.7174, realised, 1, effective)
        row += (0.9, run.nodes / effective, 0.5, 1.5, 9.1e-7, 5, 4)
        _insert(connection, "q_by_window", row)


def _settings(connection: sqlite3.Connection, run: Run) -> None:
    values = {
        "algorithm": run.algorithm,
        "mode": "sound",
        "model": "cnn-s",
        "dataset": "fashion-mnist",
        "partition": "even",
        "nodes": str(run.nodes),
        "rounds": str(run.rounds),
        "epsilon": "1",
        "noise": "on" if run.private else "off",
        "topology": "exponential",
        "network": "message",
        "drop": str(run.drop),
        "lossPolicy": run.loss_policy,
        "stepScale": run.step_scale,
        "seed": str(run.seed),
        "dpdl": "0.1",
        "ns-3": "3.37",
        "commandLine": f"./dpdl run learn --drop={run.drop} --fail='link <3->4> & more'",
    }
    for name, value in {**values, **run.settings}.items():
        _insert(connection, "settings", (name, value))


def _summary(connection: sqlite3.Connection, run: Run) -> None:
    last = connection.execute(
        "SELECT accuracy_mean, accuracy_worst, accuracy_of_mean_model, loss_mean, "
        "consensus_distance FROM accuracy_by_round ORDER BY round DESC LIMIT 1"
    ).fetchone()
    claimed, certified = _epsilons(run, run.rounds)
    sent, delivered, lost = connection.execute(
        "SELECT SUM(sent), SUM(delivered), SUM(lost) FROM delivery_by_link"
    ).fetchone()
    error = connection.execute("SELECT MAX(ABS(w_error)) FROM mass_by_round").fetchone()[0]
    realised = connection.execute("SELECT AVG(q_realised) FROM q_by_window").fetchone()[0]
    wall = 31.7 + 40 * run.drop
    rows = [
        ("state", "complete" if run.complete else "incomplete", "text", "reached its end"),
        ("rounds", run.rounds, "rounds", "rounds that every node has finished"),
        ("nodes", run.nodes, "nodes", "number of nodes"),
        ("parameters", 21840, "1", "number of parameters of the model"),
        ("accuracy_mean", last[0], "fraction", "mean test accuracy over the nodes"),
        ("accuracy_worst", last[1], "fraction", "lowest test accuracy of any node"),
        ("accuracy_of_mean_model", last[2], "fraction", "test accuracy of the mean model"),
        ("loss_mean", last[3], "nats", "mean cross-entropy on the test set"),
        ("consensus_distance", last[4], "1", "how far the nodes are from their mean"),
        ("epsilon_claimed", claimed, "1", "by the paper's own formula"),
        ("epsilon_certified", certified, "1", "proven upper bound; Inf if there is none"),
        ("epsilon_observed", None, "1", "lower bound that an audit has shown"),
        ("delta", 1e-4, "1", "the delta to which the three epsilons belong"),
        ("messages_sent", sent, "messages", "handed to the network"),
        ("messages_delivered", delivered, "messages", "arrived intact, in time or late"),
        ("messages_lost", lost, "messages", "did not arrive intact"),
        ("bytes_sent", 87000 * sent, "bytes", "size on the wire of all messages"),
        ("mass_error", error, "1", "largest deviation of the total weight from n"),
        ("q_bound", 1 - 9.1e-7, "1 per round", "the papers' upper bound"),
        ("q_designed", 0.7174, "1 per round", "measured, had nothing been lost"),
        ("q_realised", realised, "1 per round", "measured on what was really mixed"),
        ("q_long_run", realised, "1 per round", "measured over the second half of the rounds"),
        ("effective_nodes", run.nodes, "nodes", "how many nodes' data count"),
        ("simulated_seconds", run.rounds * ROUND_SECONDS, "s", "simulated time of the run"),
        ("wall_seconds", wall, "s", "real time that the run took"),
        ("wall_setup", 1.4, "s", "before the first round"),
        ("wall_compute", 0.71 * wall, "s", "in the nodes' local steps"),
        ("wall_mixing", 0.06 * wall, "s", "in mixing parameters"),
        ("wall_evaluation", 0.11 * wall, "s", "in testing the models"),
        ("wall_simulator", 0.02 * wall, "s", "in the network simulation"),
        ("wall_privacy", 0.02 * wall, "s", "in privacy accounting"),
        ("wall_trace", 0.015 * wall, "s", "in writing this file"),
    ]
    for row in rows:
        _insert(connection, "summary", row)
