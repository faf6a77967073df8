# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Glossary of the report: terms that are not results in METRICS."""

GLOSSARY: tuple[tuple[str, str, str], ...] = (
    (
        "round",
        "Round",
        "One step of every node: gradient, noise, sending, mixing. Round 0 in a curve is the "
        "start; round k is the state after k rounds.",
    ),
    (
        "w",
        "Weight w",
        "Push-sum's second variable. It starts at 1 at every node and is split and summed like the "
        "parameters x; a model is z = x / w. Where messages die, w shrinks; with a plain step the "
        "step in z, and the privacy noise, then grow like 1 / w.",
    ),
    (
        "mass",
        "Mass ledger",
        "Every part of w is at a node, in flight, or lost; the three add up to the number of nodes "
        "at every moment.",
    ),
    (
        "step-scale",
        "Step scale",
        "plain: the published step, whose effect on the model is divided by w. by-weight: the step "
        "is multiplied by w first, so that losses do not amplify it.",
    ),
    (
        "loss-policy",
        "Loss policy",
        "none: lost mass is lost. reliable: sent again until acknowledged. refund: the sender "
        "takes back what was not acknowledged. running-sum: cumulative counters repair any loss "
        "later.",
    ),
    (
        "contraction",
        "Contraction q",
        "Factor by which the disagreement between nodes shrinks per round of mixing, at worst. 0: "
        "one window averages exactly. 1: nothing is mixed.",
    ),
    (
        "effective-nodes",
        "Effective nodes",
        "How many nodes' data count in the common result: n if all count alike, fewer if losses "
        "favour some.",
    ),
    (
        "consensus-distance",
        "Consensus distance",
        "Mean distance of the nodes' models from their average.",
    ),
    (
        "violation",
        "Violation",
        "A round and node where the network voided an assumption that a guarantee rests on, such "
        "as a connected graph or a message that everybody heard.",
    ),
    (
        "incomplete",
        "Incomplete run",
        "The run was stopped or killed before its last round. Its file is valid, its numbers are "
        "those of the rounds that were done, and it can be resumed.",
    ),
)
"""HTML anchor, term and meaning of each entry."""
