# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The network over time: frames, failures and places."""

import unittest
from pathlib import Path

from support import TraceTest  # comes first: it finds the package
from synthetic import ROUND_SECONDS, Run

try:
    import numpy as np

    from dpdl_analysis.figures.animation import Animation, animation
    from dpdl_analysis.figures.layout import CIRCLE, layout
except ImportError as error:
    raise unittest.SkipTest(f"figures need {error.name}") from error


class AnimationTest(TraceTest):
    """What the player is given."""

    def animation(self, path: Path) -> Animation:
        """The animation of a trace."""
        made = animation(self.open(path))
        self.assertIsNotNone(made)
        return made

    def test_frames_add_up_to_the_messages_of_the_run(self) -> None:
        run = Run(nodes=6, rounds=450, drop=0.2)
        path = self.write(run)
        made = self.animation(path)
        self.assertGreater(made.width, 1)
        sent, lost = made.totals.sum(axis=0)
        trace = self.open(path)
        self.assertEqual(sent, trace.number("messages_sent"))
        self.assertEqual(lost, trace.number("messages_lost"))
        frames = made.script()["frames"]
        self.assertEqual([frame["first"] for frame in frames], list(range(0, 450, made.width)))
        self.assertEqual(frames[-1]["last"], 449)
        self.assertEqual(sum(sum(frame["links"][1::3]) for frame in frames), sent)

    def test_w_and_accuracy_are_those_of_the_round(self) -> None:
        path = self.write(Run(nodes=4, rounds=20, drop=0.3))
        made, trace = self.animation(path), self.open(path)
        self.assertEqual(made.width, 1)
        for k in (0, 7, 19):
            w = trace.rows("SELECT w FROM round_by_node WHERE round = ? ORDER BY node", (k,))
            np.testing.assert_array_equal(made.weights[k], [row[0] for row in w])
        latest = trace.rows("SELECT accuracy FROM accuracy_by_node WHERE round = 5 ORDER BY node")
        np.testing.assert_array_equal(made.accuracies[9], [row[0] for row in latest])

    def test_a_failure_lasts_from_its_event_to_its_end(self) -> None:
        path = self.write(Run(nodes=4, rounds=20))
        self.execute(
            path, "CREATE TABLE link_event(time, event, source, target, node, value, sentence)"
        )
        begin, end = 3.5 * ROUND_SECONDS, 6.5 * ROUND_SECONDS
        for time, event, source, target, node in (
            (begin, "down", 0, 1, None),
            (begin, "crash", None, None, 2),
            (end, "up", 0, 1, None),
        ):
            row = ", ".join("NULL" if v is None else repr(v) for v in (source, target, node))
            values = f"{time}, '{event}', {row}, NULL, 'a sentence'"
            self.execute(path, f"INSERT INTO link_event VALUES({values})")
        frames = self.animation(path).script()["frames"]
        self.assertEqual([k for k, f in enumerate(frames) if [0, 1] in f["down"]], [3, 4, 5, 6])
        self.assertEqual([k for k, f in enumerate(frames) if 2 in f["off"]], list(range(3, 20)))

    def test_vehicles_are_not_departed_before_and_arrived_after_their_way(self) -> None:
        path = self.write(Run(nodes=4, rounds=10))
        self.execute(path, "UPDATE settings SET value = 'mobility:150' WHERE name = 'topology'")
        self.execute(
            path, "CREATE TABLE link_event(time, event, source, target, node, value, sentence)"
        )
        begin, end = 2.5 * ROUND_SECONDS, 6.5 * ROUND_SECONDS
        events = [(0, "crash", node) for node in (0, 1, 3)]
        events += [(begin, "recover", node) for node in (0, 1, 3)] + [(end, "crash", 2)]
        for time, event, node in events:
            values = f"{time}, '{event}', NULL, NULL, {node}, 1, 'node {node} crash with state'"
            self.execute(path, f"INSERT INTO link_event VALUES({values})")
        told = [frame["events"] for frame in self.animation(path).script()["frames"]]
        self.assertEqual(told[:3], 3 * [["nodes 0 to 1, 3 not departed"]])
        self.assertEqual(told[3:6], [[], [], []])
        self.assertEqual(told[6:], 4 * [["node 2 arrived"]])
        self.execute(path, "UPDATE settings SET value = 'ring' WHERE name = 'topology'")
        told = [frame["events"] for frame in self.animation(path).script()["frames"]]
        self.assertEqual(told[9], ["node 2 crash with state"])

    def test_a_scale_is_a_round_length_and_ways_lead_through_all_places(self) -> None:
        path = self.write(Run(nodes=2, rounds=4))
        self.execute(path, "CREATE TABLE position_by_round(round, node, x, y)")
        rows = "(0, 0, 0, 0), (1, 0, 800, 0), (2, 0, 800, 400), (0, 1, 5, 5), (1, 1, 5, 5)"
        self.execute(path, f"INSERT INTO position_by_round VALUES {rows}")
        made = self.animation(path)
        length, metres = made.scale
        self.assertEqual((metres, length * 800), (200, 200))
        np.testing.assert_allclose(made.trails, [[[0, 0.75], [1, 0.75], [1, 0.25]]])
        self.assertEqual(self.animation(self.write()).scale, (0, 0))

    def test_buildings_stand_where_the_trace_says(self) -> None:
        path = self.write(Run(nodes=2, rounds=4))
        self.assertEqual(self.animation(path).script()["buildings"], [])
        self.execute(path, "CREATE TABLE position_by_round(round, node, x, y)")
        self.execute(path, "INSERT INTO position_by_round VALUES (0, 0, 0, 0), (1, 0, 800, 800)")
        self.execute(path, "CREATE TABLE building(x_min, x_max, y_min, y_max, height)")
        self.execute(path, "INSERT INTO building VALUES (0, 200, 400, 800, 20)")
        # West, north, east and south in thousandths of the map, from its upper left corner.
        self.assertEqual(self.animation(path).script()["buildings"], [[0, 0, 250, 500]])

    def test_nodes_are_where_their_latest_row_says(self) -> None:
        path = self.write(Run(nodes=3, rounds=4))
        self.execute(path, "CREATE TABLE position_by_round(round, node, x, y)")
        rows = "(0, 0, 0, 0), (0, 1, 100, 0), (0, 2, 0, 50), (2, 0, 50, 25)"
        self.execute(path, f"INSERT INTO position_by_round VALUES {rows}")
        places = self.animation(path).places
        np.testing.assert_allclose(places[1][:, 0], [0, 1, 0])
        np.testing.assert_allclose(places[2][0], [0.5, 0.5])
        self.assertGreater(places[0][0, 1], places[0][2, 1], "north is up")

    def test_a_summary_trace_has_links_but_no_traffic(self) -> None:
        made = self.animation(self.write(Run(nodes=5, rounds=6, deliveries=False)))
        self.assertEqual(made.totals.sum(), 0)
        self.assertGreater(len(made.links), 0)
        script = made.script()
        self.assertEqual((script["recorded"], script["graph"]), (False, True))


class LayoutTest(TraceTest):
    """Places of nodes that have none."""

    def test_the_same_graph_looks_the_same_and_fills_the_square(self) -> None:
        generator = np.random.default_rng(3)
        for nodes in (2, 9, 60):
            links = generator.integers(nodes, size=(3 * nodes, 2))
            places = layout(nodes, links)
            np.testing.assert_array_equal(places, layout(nodes, links))
            self.assertAlmostEqual(float(np.ptp(places, axis=0).max()), 1.0)

    def test_equal_nodes_stand_on_a_circle_or_in_rows(self) -> None:
        for nodes in (20, CIRCLE + 1):
            ring = np.column_stack((np.arange(nodes), (np.arange(nodes) + 1) % nodes))
            places = layout(nodes, ring)
            far = np.hypot(*(places - 0.5).T)
            self.assertEqual(bool(np.allclose(far, 0.5)), nodes <= CIRCLE)
            self.assertEqual(len({tuple(place) for place in places.round(6)}), nodes)
