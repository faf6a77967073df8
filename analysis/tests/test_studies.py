# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Studies of campaigns: known answers from made-up runs, and mistakes, each in one line."""

import contextlib
import json
import math
import sqlite3
from itertools import cycle
from pathlib import Path

from support import TraceTest  # comes first: it finds the package
from synthetic import Run, write_trace

import numpy as np

from dpdl_analysis.figures.data import RunData
from dpdl_analysis.figures.events import events, has_traffic, in_force
from dpdl_analysis.studies import PAPERS, STUDIES, make
from dpdl_analysis.studies import statistics
from dpdl_analysis.studies.cancellation import crossing
from dpdl_analysis.studies.published_radio import around_a_corner, line_of_sight
from dpdl_analysis.studies.vehicular_drive import read_drive
from dpdl_analysis.trace import UsageError

SEEDS = (1, 2, 3)
REFERENCES = (("central", 0.9), ("isolated", 0.5))


class StatisticsTest(TraceTest):
    """Numbers with known values."""

    def test_quantiles_of_student(self) -> None:
        for freedom, expected in ((1, 12.7062), (4, 2.77645), (30, 2.04227)):
            self.assertAlmostEqual(
                statistics.student_quantile(0.975, freedom) / expected, 1.0, delta=1e-4
            )

    def test_one_value_has_no_interval(self) -> None:
        self.assertTrue(math.isnan(statistics.estimate([4.0]).half))
        self.assertEqual(statistics.estimate([4.0, math.nan]).count, 1)

    def test_shares_explained(self) -> None:
        x = np.arange(20.0)
        groups = np.repeat(np.arange(5), 4)
        self.assertAlmostEqual(statistics.explained(x, 3 - 2 * x, groups).share, 1.0)
        self.assertEqual(statistics.explained(np.ones(20), x, groups).share, 0.0)
        noisy = statistics.explained(x, x + np.tile((4.0, -4.0), 10), groups)
        self.assertLess(noisy.share, 1.0)
        self.assertLessEqual(noisy.low, noisy.share)
        self.assertGreaterEqual(noisy.high, noisy.share)


class StudyTest(TraceTest):
    """Each study on runs whose answer is known."""

    def campaign(self, scenario: str, variants: list[tuple[dict[str, str], Run]]) -> Path:
        """The folder of a made-up campaign with every variant once a seed."""
        folder = self.folder / scenario
        folder.mkdir()
        runs = []
        for index, (factors, run) in enumerate(variants):
            run.nodes, run.rounds, run.every, run.deliveries = 4, 8, 1, False
            for run.seed in SEEDS:
                name = f"{index}-{run.seed}.db"
                write_trace(folder / name, run)
                runs.append({"trace": name, "run": run.seed, "factors": factors})
        text = json.dumps({"scenario": scenario, "runs": runs})
        (folder / "campaign.json").write_text(text)
        return folder

    def assert_merits(self, told: list[str], expected: list[float]) -> None:
        """Runs are made up with an accuracy that a seed moves a little."""
        for text, value in zip(told, expected, strict=True):
            self.assertAlmostEqual(float(text.split(" ")[0]), value, delta=0.06)

    def cell(self) -> Path:
        """The server is 10 points above gossip, and its failure costs 20; nodes make up for nothing."""
        ways = (("isolated", 0.5), ("cell-1", 0.8), ("outage-1", 0.6), ("gossip", 0.7))
        folder = self.campaign("cell", [({"way": way}, Run(final=final)) for way, final in ways])
        for path in folder.glob("*.db"):
            self.execute(path, "INSERT INTO settings VALUES ('airBytesByNodes', '2500000')")
        return folder

    def iot(self) -> Path:
        """The whole model ends 10 points higher, and takes 4 J a round instead of 1 J."""
        variants = [
            ({"layout": layout, "sharedLayers": share}, Run(final=0.8 if share == "all" else 0.7))
            for layout in ("gateway", "mesh")
            for share in ("all", "1")
        ]
        folder = self.campaign("iot", variants)
        for entry in json.loads((folder / "campaign.json").read_text())["runs"]:
            joule = 4.0 if entry["factors"]["sharedLayers"] == "all" else 1.0
            with contextlib.closing(sqlite3.connect(folder / entry["trace"])) as trace, trace:
                trace.execute("CREATE TABLE energy_by_node(round, node, state, seconds, joule)")
                trace.executemany(
                    "INSERT INTO energy_by_node VALUES (?, ?, 'listening', ?, ?)",
                    [(k, i, k, k * joule) for k in range(1, 9) for i in range(4)],
                )
        return folder

    def link_failures(self) -> Path:
        base = [({"case": "base", "link": ""}, Run(final=0.8))]
        links = [({"case": "link", "link": f"0->{i}"}, Run(final=0.8 - 0.01 * i)) for i in (1, 5)]
        larger = [({"case": "partition", "link": ""}, Run(final=0.6))]
        ends = [({"case": name, "link": ""}, Run(final=final)) for name, final in REFERENCES]
        return self.campaign("link-failures", base + links + larger + ends)

    def what_if(self) -> Path:
        """drop 0.1 costs 5 points, drop 0 is the base; 0->2 is the link that hurts most."""
        variants = [({"fails": "", "variant": "base"}, Run(final=0.8))]
        variants += [
            ({"fails": "", "variant": f"drop {drop}"}, Run(final=0.8 - drop / 2, drop=drop))
            for drop in (0.0, 0.1)
        ]
        variants += [
            ({"fails": "link", "variant": f"0->{link}"}, Run(final=0.8 - 0.01 * link))
            for link in (1, 2)
        ]
        return self.campaign("what-if", variants)

    def topology_q(self) -> Path:
        return self.campaign(
            "topology-q",
            [
                ({"topology": graph, "drop": str(drop)}, Run(final=0.8 - part - drop, drop=drop))
                for graph, part in (("ring", 0.1), ("star", 0.05), ("complete", 0.0))
                for drop in (0.0, 0.1, 0.3)
            ]
            + [({"reference": name}, Run(final=final)) for name, final in REFERENCES],
        )

    def leaderboard(self) -> Path:
        """const-d2p is half of the way from isolated to central, and 5 points below with losses."""
        cells = [("isolated", "0", 0.6), ("const-d2p", "0", 0.7), ("const-d2p", "0.05", 0.65),
                 ("central", "0", 0.8)]
        return self.campaign(
            "leaderboard",
            [
                ({"epsilon": budget, "algorithm": name, "drop": drop},
                 Run(final=final + more, drop=float(drop)))
                for budget, more in (("0.3", 0.0), ("3", 0.1))
                for name, drop, final in cells
            ],
        )

    def liars(self) -> Path:
        """Lies cost 20 points by averaging and 1 by clipping, which costs 2 without lies."""
        cells = [("average", "none", 0.8), ("average", "sign-flip", 0.6),
                 ("clipped:1", "none", 0.78), ("clipped:1", "sign-flip", 0.77)]
        variants = [({"mix": mix, "lie": lie}, Run(final=final)) for mix, lie, final in cells]
        for name, final in (("isolated", 0.7), ("central", 0.82)):
            variants.append(({"mix": "average", "lie": "none", "algorithm": name}, Run(final=final)))
        return self.campaign("liars", variants)

    def cancellation(self) -> Path:
        """decor is 2 points above const-d2p without loss, and 1 point below at 30 %."""
        cells = [("const-d2p", "0", 0.6), ("const-d2p", "0.3", 0.6),
                 ("decor", "0", 0.62), ("decor", "0.3", 0.59), ("corn", "0.3", 0.61)]
        return self.campaign(
            "cancellation",
            [({"algorithm": name, "drop": drop}, Run(final=final, drop=float(drop)))
             for name, drop, final in cells],
        )

    def loss_policies(self) -> Path:
        task = {"algorithm": "sgp", "partition": "even", "topology": "ring"}
        lossless = {**task, "side": "lossless", "loss": "0"}
        variants = [
            ({**lossless, "stepScale": step}, Run(final=0.8)) for step in ("plain", "by-weight")
        ]
        for policy, step, factor in (("none", "plain", 1.0), ("none", "by-weight", 0.1)):
            for side in ("symmetric", "one-sided"):
                for loss in (0.1, 0.3):
                    factors = {"side": side, "loss": str(loss), "lossPolicy": policy}
                    factors["stepScale"] = step
                    variants.append(({**task, **factors}, Run(final=0.8 - factor * loss)))
        learning = {"algorithm": "sgp", "partition": "even"}
        variants += [
            ({**learning, "reference": name}, Run(final=final)) for name, final in REFERENCES
        ]
        return self.campaign("loss-policies", variants)

    def stragglers(self) -> Path:
        """Wait-free nodes are as accurate in half of the time; a deadline saves a fifth."""
        methods = {"synchronous": 1.0, "deadline": 0.8, "wait-free": 0.5}
        ends = [({"method": name}, Run(final=final)) for name, final in REFERENCES]
        folder = self.campaign(
            "stragglers", [({"method": name}, Run(final=0.8)) for name in methods] + ends
        )
        for index, scale in enumerate(methods.values()):
            for path in folder.glob(f"{index}-*.db"):
                self.execute(path, f"UPDATE round_by_node SET started_at = {scale} * started_at")
        return folder

    def vehicular(self) -> Path:
        """Node 0 reaches node 1 in rounds 0 to 2 and 5, and is never reached; 30 % of frames lost."""
        casts = (("broadcast", 0.7), ("unicast", 0.6))
        folder = self.campaign("vehicular", [({"cast": c}, Run(final=f)) for c, f in casts])
        rounds = ", ".join(f"({k}, 0, 1, 'delivered')" for k in (0, 1, 2, 5))
        places = ", ".join(f"({k}, {node}, {k}, {node})" for k in range(9) for node in range(4))
        for path in folder.glob("*.db"):
            for sql in (
                "INSERT INTO settings VALUES ('roundDeadlineSeconds', '2')",
                f"INSERT INTO delivery(round, source, target, fate) VALUES {rounds}",
                # Node 1 is absent from 3 s to 4 s and from 9 s on; 2 of 8 messages are lost to that.
                "INSERT INTO delivery(round, source, target, fate, sent_at) VALUES "
                "(3, 0, 1, 'lost', 3.5), (3, 0, 1, 'lost', 9.5), "
                "(3, 0, 1, 'lost', 4.5), (3, 1, 0, 'lost', 3.5)",
                "CREATE TABLE link_event(time, event, source, target, node, value, sentence)",
                "INSERT INTO link_event(time, event, node) VALUES (3, 'crash', 1), "
                "(4, 'recover', 1), (9, 'crash', 1)",
                "CREATE TABLE position_by_round(round, node, x, y)",
                f"INSERT INTO position_by_round VALUES {places}",
                "CREATE TABLE frames_by_distance"
                "(distance_from, distance_to, sent, received, collided, faded)",
                "INSERT INTO frames_by_distance VALUES (0, 25, 100, 90, 5, 5), "
                "(25, 50, 100, 50, 10, 40), (400, 425, 9, 0, 9, 0)",
            ):
                self.execute(path, sql)
        return folder

    def city(self) -> Path:
        """Broadcast is half of the way from isolated to central; hidden vehicles hear half."""
        cells = [("isolated", 0.5), ("", 0.6), ("central", 0.7)]
        folder = self.campaign(
            "vehicular",
            [({"cast": "broadcast", **({"algorithm": name} if name else {})}, Run(final=final))
             for name, final in cells],
        )
        for path in folder.glob("*.db"):
            for sql in (
                "CREATE TABLE frames_by_distance"
                "(distance_from, distance_to, sent, received, collided, faded, line_of_sight)",
                "INSERT INTO frames_by_distance VALUES (100, 125, 210, 200, 10, 0, 1), "
                "(100, 125, 205, 100, 5, 100, 0), (600, 625, 9, 0, 0, 9, 0)",
                "CREATE TABLE building(x_min, x_max, y_min, y_max, height)",
                "INSERT INTO building VALUES (10, 190, 10, 190, 20)",
            ):
                self.execute(path, sql)
        return folder

    def paper(self, scenario: str) -> Path:
        """A made-up study of a paper: b beats a everywhere, c is lost in noise."""
        finals = {"a": 0.6, "b": 0.7, "c": 0.6}
        folder = self.campaign(
            scenario,
            [
                ({"algorithm": name, "epsilon": budget}, Run(final=final))
                for name, final in finals.items()
                for budget in ("1", "3")
            ],
        )
        (folder / "study.toml").write_text(
            'title = "T"\nsource = "S"\ndiffers = "R"\n[vary]\nepsilon = ["1", "3"]\n'
            'algorithm = ["a", "b", "c"]\n[expect]\nalgorithm = ["b", "a", "c"]\n'
            '[published]\n"algorithm=b, epsilon=3" = 81.5\n'
        )
        return folder

    def test_published_orders_are_counted(self) -> None:
        study = make("dyn-d2p", self.paper("dyn-d2p"))
        self.assertIn("order reproduced, 4 of 6 published orders hold, 0 are", study.finding)
        self.assertIn("(81.5)", study.tables[0].rows[1][1])
        self.assertEqual(len(study.tables[2].rows), 6)

    def test_items_of_one_rank_are_not_compared(self) -> None:
        folder = self.paper("dyn-d2p")
        file = folder / "study.toml"
        text = file.read_text().replace('= ["b", "a", "c"]', '= [["b", "a"], "c"]')
        file.write_text(text)
        study = make("dyn-d2p", folder)
        self.assertIn("of 4 published orders hold", study.finding)
        pairs = [row[0] for row in study.tables[2].rows]
        self.assertEqual(pairs, ["1, b - c", "1, a - c", "3, b - c", "3, a - c"])

    def test_a_folder_without_its_study_file_is_refused(self) -> None:
        folder = self.paper("partpsp")
        (folder / "study.toml").write_text("title = 3\n")
        with self.assertRaisesRegex(UsageError, "study.toml: no study of a paper"):
            make("partpsp", folder)
        (folder / "study.toml").unlink()
        with self.assertRaisesRegex(UsageError, "study.toml"):
            make("partpsp", folder)

    def test_what_accuracy_costs_sensors(self) -> None:
        study = make("iot", self.iot())
        self.assertRegex(study.finding, r"through a gateway .* times the energy to reach")
        self.assertRegex(study.finding, r"in a mesh .* ends \+9\.\d ± 0\.0 points higher")
        whole = [row for row in study.tables[0].rows if row[0] == "mesh, all"]
        self.assertEqual([row[5] for row in whole], ["3/3"] * len(whole))
        self.assertEqual(study.tables[1].rows[0][4], "32.00")
        self.assertEqual(len(study.tables), 3)

    def test_batteries_have_a_table_of_lives(self) -> None:
        folder = self.iot()
        for path in folder.glob("*.db"):
            with contextlib.closing(sqlite3.connect(path)) as trace, trace:
                trace.executemany(
                    "INSERT INTO summary VALUES (?, ?, '', '')",
                    [("lifetime_first", 3.5), ("batteries_empty", 1)],
                )
        table = make("iot", folder).tables[3]
        self.assertEqual([row[0] for row in table.rows][:2], ["gateway, all", "gateway, 1"])
        first, _, half = table.rows[0][1:4]
        self.assertEqual((first, half), ("3.5 ± 0.0", "-"))

    def test_the_link_that_hurts_most_is_named(self) -> None:
        study = make("link-failures", self.link_failures())
        self.assertRegex(study.finding, r"^2 of 2 links surely cost .* \(Holm\), 0->5 most: 4.9")
        self.assertIn("partition 19.5", study.finding)
        names = [row[0] for row in study.tables[0].rows]
        self.assertEqual(
            names, ["isolated", "nothing", "partition", "0->5", "0->1", "central"])
        self.assert_merits([row[2] for row in study.tables[0].rows], [0, 0.75, 0.25, 0.625, 0.725, 1])

    def test_the_method_that_waits_least_is_named(self) -> None:
        study = make("stragglers", self.stragglers())
        self.assertRegex(
            study.finding, r"^wait-free is first to reach 70 %: 2.00 times .* 2.00 to 2.00, .* 3 seeds"
        )
        rows = study.tables[0].rows
        self.assertEqual([row[4][:4] for row in rows], ["-", "1", "1.25", "2.00", "-"])
        self.assertEqual({row[3] for row in rows[1:]}, {"3/3"})
        self.assertEqual((rows[0][0], rows[-1][0]), ("isolated", "central"))
        self.assert_merits([row[7] for row in rows], [0, 0.75, 0.75, 0.75, 1])

    def test_nodes_count_from_when_they_have_a_model(self) -> None:
        """The mean of the nodes' latest accuracies, of whatever rounds these are."""
        folder = self.stragglers()
        for path in folder.glob("*.db"):
            self.execute(path, "UPDATE round_by_node SET started_at = 3 * round WHERE node = 3")
            self.execute(path, "UPDATE accuracy_by_node SET accuracy = round / 8.0")
        times = [row[2] for row in make("stragglers", folder).tables[0].rows]
        # The others have 7/8 from 5.95 s on, and node 3 has 2/8 from 6 s on: a mean of 0.719.
        self.assertEqual(times[1].split()[0], "6.00")

    def test_effects_of_variants_and_a_ranking(self) -> None:
        study = make("what-if", self.what_if())
        self.assertRegex(study.finding, r"^Against the base, at 5 % over 4 variants \(Holm\): drop 0.1 "
                         r"costs 4\.\d+ points .* each of 3 seeds; link 0->2 failing costs 1\.9")
        self.assertIn("link 0->1 failing costs", study.finding)
        self.assertIn("drop 0.0 changes nothing: every difference is exactly 0", study.notes[0])
        names = [row[0] for row in study.tables[0].rows]
        self.assertEqual(names, ["drop 0.0", "drop 0.1", "link 0->2", "link 0->1"])
        self.assertEqual([row[-2] for row in study.tables[0].rows], ["no", "yes", "yes", "yes"])
        self.assertEqual(study.tables[0].rows[0][1:4], ["0", "0", "0"])

    def test_a_campaign_without_its_base_is_refused(self) -> None:
        folder = self.what_if()
        for run in SEEDS:
            (folder / f"0-{run}.db").unlink()
        with self.assertRaisesRegex(UsageError, "runs of the base are missing"):
            make("what-if", folder)

    def test_the_answer_that_keeps_most_is_named(self) -> None:
        study = make("loss-policies", self.loss_policies())
        self.assertIn("Over 4 combinations", study.finding)
        self.assertIn("'none, by-weight' keeps most accuracy: -", study.finding)
        self.assertIn("'none, plain' keeps least: -", study.finding)
        self.assertEqual(len(study.tables), 4)
        rows = study.tables[0].rows
        self.assertEqual([row[0] for row in rows],
                         ["isolated", "none, plain", "none, by-weight", "central"])
        self.assert_merits([row[4] for row in rows], [0, 0, 0.675, 1])

    def test_contacts_and_frames_are_counted(self) -> None:
        study = make("vehicular", self.vehicular())
        self.assertIn("half of the contacts last 4 s or less", study.finding)
        self.assertIn("30.0 ± 0.0 % of the frames", study.finding)
        self.assertIn("25 % of these to collisions", study.finding)
        self.assertRegex(study.finding, r"difference 9\.\d ± ")
        self.assertEqual([row[0] for row in study.tables[0].rows], ["broadcast", "unicast"])
        self.assertEqual(study.tables[0].rows[0][4], "25.00")
        self.assertEqual(study.tables[0].rows[0][7:9], ["100.0 ± 0.0", "4 / 6"])

    def test_a_page_of_vehicles_has_the_study_s_curve_and_one_line_of_absence(self) -> None:
        folder = self.vehicular()
        trace = self.open(folder / "0-1.db")
        self.assertFalse(has_traffic(trace))
        self.execute(folder / "0-1.db", "INSERT INTO settings VALUES ('trafficTrace', '2')")
        for node in (1, 2, 3):
            self.execute(folder / "0-1.db", "INSERT INTO link_event(time, event, node, value, sentence) "
                         f"VALUES (0, 'crash', {node}, 1, 'node {node} crash with state at 0s')")
        trace = self.open(folder / "0-1.db")
        drawn = RunData(trace, 0, "a", "a").by_time
        curve = read_drive(trace).curve
        self.assertEqual(list(drawn["simulated_seconds"]), list(curve.index))
        for one, other in zip(100.0 * drawn["accuracy_mean"], curve):
            self.assertAlmostEqual(one, other)
        absent = [event for event in events(trace) if event.begin == 0.0]
        self.assertEqual(in_force(absent), ["nodes 1 to 3 not departed"])

    def test_intervals_say_what_they_are_over(self) -> None:
        folder = self.vehicular()
        self.assertIn("all runs drove the same traffic", make("vehicular", folder).tables[0].note)
        for seed in SEEDS:
            self.execute(folder / f"0-{seed}.db",
                         f"INSERT INTO settings VALUES ('trafficTrace', '{seed}')")
        self.assertIn("one of 3 traces of traffic", make("vehicular", folder).tables[0].note)

    def test_a_city_stands_between_the_references_and_beside_what_was_published(self) -> None:
        study = make("vehicular", self.city())
        accuracy, radio = study.tables
        self.assertEqual([row[0] for row in accuracy.rows], ["isolated", "broadcast", "central"])
        merits = [float(row[2].split()[0]) for row in accuracy.rows]
        self.assertEqual((merits[0], merits[2]), (0.0, 1.0))
        self.assertAlmostEqual(merits[1], 0.5, delta=0.05)
        self.assertIn("Alone they would have 49.", study.finding)
        self.assertEqual([row[0] for row in radio.rows], ["100 to 125"])
        self.assertEqual((radio.rows[0][1], radio.rows[0][4]), ("100.0", "50.0"))
        self.assertEqual(radio.rows[0][3], "+0.0")

    def test_published_losses_let_less_through_the_farther_and_behind_corners(self) -> None:
        for delivered, far in ((line_of_sight, 0.98), (around_a_corner, 0.0)):
            shares = [delivered(at) for at in (62.5, 112.5, 162.5, 212.5, 287.5)]
            self.assertEqual(shares, sorted(shares, reverse=True))
            self.assertGreater(shares[-1], far)
            self.assertGreater(shares[0], 0.9)
        self.assertLess(around_a_corner(287.5), 0.05)
        self.assertTrue(math.isnan(around_a_corner(12.5)), "no corner is so near")

    def test_vehicles_of_a_summary_have_no_contacts(self) -> None:
        folder = self.campaign("vehicular", [({"cast": "broadcast"}, Run(final=0.7))])
        code, out, err = self.call("figure", "vehicular", folder)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("nothing is known of contacts", out)

    def test_a_server_is_compared_with_gossip(self) -> None:
        study = make("cell", self.cell())
        self.assertRegex(study.finding, r"one cell ends (9\.\d|10\.\d) ± \d\.\d points above gossip")
        self.assertRegex(study.finding, r"the only cell at 45 s (19\.\d|20\.\d) ± ")
        row = study.tables[0].rows[1]
        self.assertEqual((row[0], row[6:8]), ("fedavg, one cell", ["2.5 ± 0.0", "0.0 ± 0.0"]))

    def test_what_q_explains_is_between_nothing_and_all(self) -> None:
        study = make("topology-q", self.topology_q())
        self.assertRegex(study.finding, r"Realised q explains \d+ % \[\d+, \d+\]")
        rows = study.tables[0].rows
        self.assertEqual([row[0] for row in rows], ["isolated", *3 * ["ring"], *3 * ["star"],
                                                    *3 * ["complete"], "central"])
        self.assert_merits([row[3] for row in rows[:2] + rows[-2:]], [0, 0.5, 0, 1])

    def test_merits_lie_between_the_references(self) -> None:
        study = make("leaderboard", self.leaderboard())
        table = study.tables[0]
        place = table.heads.index("merit")
        self.assertEqual([row[place].split(" ")[0] for row in table.rows],
                         ["0.00", "0.50", "0.25", "1.00"] * 2)
        self.assertIn("5 % loss", study.finding)
        self.assertIn("at epsilon 3 (const-d2p)", study.finding)

    def test_what_lies_cost_by_each_rule(self) -> None:
        study = make("liars", self.liars())
        rows = study.tables[0].rows
        self.assertEqual([row[0] for row in rows],
                         ["isolated", "average", "average", "clipped:1", "clipped:1", "central"])
        self.assertRegex(study.finding, r"average 1\d\.\d ± 0\.\d points, clipped:1 [01]\.\d ±")
        self.assertEqual(rows[1][4], rows[0][5])

    def test_where_cancelling_noise_begins_to_cost(self) -> None:
        finding = make("cancellation", self.cancellation()).finding
        self.assertRegex(finding, r"decor: [.0-9]+ ± 0\.00 points at 0 % loss, -[.0-9]+ ± 0\.00 ")
        self.assertIn("it costs more than it gives from 20 ± 0 % loss on", finding)
        self.assertRegex(finding, r"corn: [.0-9]+ ± 0\.00 points at 30 % loss, more than indep")
        self.assertEqual(crossing([0.0, 0.1], [-1.0, 1.0]), 0.0)
        self.assertTrue(math.isnan(crossing([0.0, 0.1], [1.0, 0.5])))

    def test_every_study_has_tables_and_a_figure(self) -> None:
        made = {
            "cancellation": self.cancellation,
            "cell": self.cell,
            "iot": self.iot,
            "leaderboard": self.leaderboard,
            "liars": self.liars,
            "link-failures": self.link_failures,
            "topology-q": self.topology_q,
            "loss-policies": self.loss_policies,
            "stragglers": self.stragglers,
            "vehicular": self.vehicular,
            "what-if": self.what_if,
            **{name: (lambda name=name: self.paper(name)) for name in PAPERS},
        }
        self.assertEqual(sorted(made), sorted(STUDIES))
        kinds = cycle([(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
        for (name, make_runs), (suffix, magic) in zip(made.items(), kinds):
            with self.subTest(name, suffix=suffix):
                folder, output = make_runs(), self.folder / f"out{suffix}"
                code, out, err = self.call("figure", name, folder, "--output", output)
                self.assertEqual((code, err), (0, ""))
                self.assertTrue(out.endswith(f"figure: {output}\n"))
                self.assertTrue(output.read_bytes().startswith(magic))
                self.assertNotIn("nan", out)
                study = make(name, folder)
                figure = study.figure("answer")
                self.assertNotIn("<image", figure.svg, "a page shows no images")
                self.assertNotIn("x", [table.heads[0] for table in figure.tables])
                self.assertRegex(study.answer, "95 % |Holm|Bonferroni|published orders")

    def test_markdown_draws_nothing(self) -> None:
        folder = self.topology_q()
        before = sorted(folder.iterdir())
        code, out, _ = self.call("figure", "topology-q", folder, "--markdown")
        self.assertEqual(code, 0)
        self.assertIn("| graph | loss |", out)
        self.assertEqual(sorted(folder.iterdir()), before)

    def test_missing_and_incomplete_runs_are_told(self) -> None:
        folder = self.loss_policies()
        (folder / "5-1.db").unlink()
        self.execute(folder / "6-2.db", "UPDATE summary SET value='incomplete' WHERE name='state'")
        code, out, _ = self.call("figure", "loss-policies", folder)
        self.assertEqual(code, 0)
        self.assertIn("2 of 36 runs are missing or incomplete", out)

    def test_mistakes_are_told_in_one_line(self) -> None:
        folder = self.topology_q()
        empty = folder / "empty"
        empty.mkdir()
        cases = [
            (("topologyq", folder), "did you mean 'topology-q'"),
            (("topology-q", empty), "campaign.json"),
            (("link-failures", folder), "holds runs of topology-q"),
            (("topology-q", folder, "--output", folder / "a.gif"), ".pdf or .svg or .png"),
            (("topology-q", folder, "--output", folder / "no/a.png"), "cannot be written"),
        ]
        for arguments, words in cases:
            with self.subTest(words):
                code, out, err = self.call("figure", *arguments)
                self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
                self.assertIn(words, err)
        self.assertEqual(list(empty.iterdir()), [])
