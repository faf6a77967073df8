#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The learners without privacy against a second path."""

import numpy as np
from replays.runs import ReplayCase, main, ring, unbalanced_digraph
from replays.steps import gradient_push


class GossipTest(ReplayCase):
    """Both scales of the step, on graphs that the algorithm accepts, with lossy links."""

    def test_all(self) -> None:
        """x' = P (x - gamma g), or x' = P x - gamma g where messages leave before the step."""
        for algorithm, graph in {
            "sgp": unbalanced_digraph,
            "overlap-sgp": unbalanced_digraph,
            "d-psgd": ring,
        }.items():
            for scale, size in (("by-weight", 0.1), ("plain", 0.002)):
                with self.subTest(algorithm=algorithm, scale=scale):
                    run = self.run_learn(
                        f"--algorithm={algorithm}",
                        f"--stepScale={scale}",
                        f"--stepSize={size}",
                        graph=graph,
                    )
                    unclipped = np.full(run.sensitivity.shape[0], np.inf)
                    sends_first = algorithm != "sgp"
                    self.compare(run, gradient_push(run, unclipped, send_first=sends_first))


if __name__ == "__main__":
    main()
