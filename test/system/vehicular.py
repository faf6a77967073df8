#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The scenario vehicular at small size: who is there when, what the radio loses, mistakes.

usage: vehicular.py BUILD-FOLDER [unittest arguments]
"""

import subprocess
import sys
import unittest
from pathlib import Path

from program_case import ProgramCase

BUILD = Path(sys.argv.pop(1)).resolve()
ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "scenarios" / "vehicular"
SMALL = ["--samples=1000", "--testSamples=50", "--batchSize=20", "--progress=none", "--jobs=1",
         "--accountant=rdp"]
RESULTS = Path("vehicular-results")
SPEED = 20.0


class VehicularTest(ProgramCase):
    """Runs the program in an empty folder and looks at what it leaves."""

    def call(self, *options: str) -> subprocess.CompletedProcess:
        return self.run_study(BUILD, "vehicular", *SMALL, "--overwrite", *options)

    def lane(self, vehicles: int) -> tuple[str, str]:
        """Vehicles that drive along one road behind each other, and when: options for both files."""
        lines = []
        for node in range(vehicles):
            lines += [f"$node_({node}) set X_ {30 * node}", f"$node_({node}) set Y_ 0"]
            for k in range(12):
                x = 30 * node + SPEED * k
                lines.append(f'$ns_ at {k + 1} "$node_({node}) setdest {x} 0 {SPEED}"')
        # Node 1 arrives early, node 2 departs late, node 3 arrives when all is over.
        times = ['$ns_ at 3.5 "$g(2) start"', '$ns_ at 5.5 "$g(1) stop"; # SUMO-ID: b']
        times.append('$ns_ at 900 "$g(3) stop"')
        (self.folder / "m.tcl").write_text("\n".join(lines) + "\n")
        (self.folder / "a.tcl").write_text("\n".join(times) + "\n")
        return "--mobility=m.tcl", "--activity=a.tcl"

    def test_who_is_not_there_neither_learns_nor_sends_nor_receives(self) -> None:
        sent_bytes = []
        for cast in ("broadcast", "unicast"):
            done = self.call(
                *self.lane(4),
                "--rounds=6",
                "--repetitions=1",
                f"--cast={cast}",
                "--neighbours=mobility:150",
                "--roadsideUnits=2",
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("had no effect", done.stderr)
            trace = f"{cast}-mobility_150-1.db"
            # The clock is SUMO's and a step of 1 s.
            sent = "SELECT COUNT(*), SUM(sent_at < 4.5), SUM(sent_at > 6.5) FROM delivery"
            arrived = "SELECT COUNT(*), SUM(arrived_at < 4.5), SUM(arrived_at > 6.5) FROM delivery"
            for sql in (f"{sent} WHERE source", f"{arrived} WHERE arrived_at NOT NULL AND target"):
                late = self.rows(RESULTS / trace, f"{sql} = 2")[0]
                early = self.rows(RESULTS / trace, f"{sql} = 1")[0]
                self.assertGreater(late[0], 50)
                self.assertEqual(late[1], 0)
                self.assertGreater(early[0], 50)
                self.assertEqual(early[2], 0)
            first = "SELECT MIN(started_at) FROM round_by_node WHERE node = 2"
            self.assertEqual(self.rows(RESULTS / trace, first), [(4.5,)])
            last = "SELECT MAX(started_at) FROM round_by_node WHERE node = 1"
            self.assertLess(self.rows(RESULTS / trace, last)[0][0], 6.5)
            lost = "SELECT MAX(ABS(w_error)) FROM mass_by_round"
            self.assertLess(self.rows(RESULTS / trace, lost)[0][0], 1e-12)
            self.check_with_analysis(trace)
            bytes_sent = "SELECT value FROM summary WHERE name = 'socket_bytes'"
            sent_bytes.append(self.rows(RESULTS / trace, bytes_sent)[0][0])
        # One frame for all neighbours, of which there are two and more.
        self.assertLess(sent_bytes[0], 0.6 * sent_bytes[1])

    def test_an_fcd_file_gives_the_run_of_what_trace_exporter_makes_of_it(self) -> None:
        times = {0: range(12), 1: range(5), 2: range(3, 12)}
        fcd, moves, acts = "<fcd-export>\n", "", ""
        for k in range(12):
            fcd += f'<timestep time="{k}.00">\n'
            for node in (node for node, present in times.items() if k in present):
                x = 100 * node + SPEED * k
                fcd += f'<vehicle id="car.{node}" x="{x}" y="0.00" speed="{SPEED}" lane="a_0"/>\n'
                if k == times[node][0]:
                    moves += f"$node_({node}) set X_ {x}\n$node_({node}) set Y_ 0.0\n"
                    moves += f"$node_({node}) set Z_ 0\n"
                    acts += f'$ns_ at {k} "$g({node}) start"\n'
                    acts += f'$ns_ at {times[node][-1] + 1} "$g({node}) stop"\n'
                moves += f'$ns_ at {k}.0 "$node_({node}) setdest {x} 0.0 {SPEED}"\n'
            fcd += "</timestep>\n"
        # A file a run: $run is the run's number.
        (self.folder / "fcd-1.xml").write_text(fcd + "</fcd-export>\n")
        (self.folder / "m.tcl").write_text(moves)
        (self.folder / "a.tcl").write_text(acts)
        options = ["--rounds=6", "--repetitions=1", "--cast=broadcast", "--neighbours=mobility:150"]
        found = []
        for files in (["--mobility=fcd-$run.xml"], ["--mobility=m.tcl", "--activity=a.tcl"]):
            done = self.call(*options, *files)
            self.assertEqual(done.returncode, 0, done.stderr)
            tables = ("delivery", "position_by_round", "frames_by_distance", "link_event",
                      "accuracy_by_node")
            trace = RESULTS / "broadcast-mobility_150-1.db"
            found.append([self.rows(trace, f"SELECT * FROM {table}") for table in tables])
        self.assertEqual(found[0], found[1])
        self.assertGreater(sum(row[3] for row in found[0][2]), 100)
        first = "SELECT node, MIN(started_at), MAX(started_at) < 6 FROM round_by_node GROUP BY node"
        self.assertEqual(self.rows(trace, first), [(0, 0.0, 0), (1, 0.0, 1), (2, 4.0, 0)])

    def check_with_analysis(self, trace: str) -> None:
        path = self.folder / RESULTS
        for words in (["inspect", "--check", path / trace], ["figure", "vehicular", path]):
            done = self.analyse(*words)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue((path / "vehicular.png").exists())

    def test_open_streets_lose_frames_by_distance_and_collision(self) -> None:
        options = ("--cast=broadcast", "--neighbours=mobility:150", "--buildings=none")
        done = self.call("--rounds=20", "--repetitions=1", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        trace = RESULTS / "broadcast-mobility_150-1.db"
        rows = self.rows(trace, "SELECT * FROM frames_by_distance")
        for _, _, sent, received, collided, faded, _ in rows:
            self.assertEqual(sent, received + collided + faded)
        share = {row[0]: row[3] / row[2] for row in rows}
        self.assertGreater(share[25.0], 0.9)
        self.assertLess(share[300.0], 0.6)
        self.assertGreater(sum(row[4] for row in rows), 1000)
        self.assertGreater(sum(row[5] for row in rows), 1000)
        # Each vehicle has moved, and is where its trace has it.
        moved = "SELECT COUNT(DISTINCT node), COUNT(*) FROM position_by_round"
        nodes, places = self.rows(trace, moved)[0]
        self.assertEqual(nodes, 20)
        self.assertGreater(places, 200)
        certified = "SELECT value FROM summary WHERE name = 'epsilon_certified'"
        self.assertLessEqual(self.rows(trace, certified)[0][0], 1.0)

    def test_neighbours_are_those_whose_beacons_were_heard(self) -> None:
        options = ("--rounds=6", "--repetitions=1", "--cast=broadcast", "--neighbours=beacons")
        done = self.call(*self.lane(4), *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        trace = RESULTS / "broadcast-beacons-1.db"
        # When the first round begins no vehicle has heard another; node 2 departs at 4.5 s.
        links = self.rows(trace, "SELECT DISTINCT round, source, target FROM delivery")
        self.assertEqual([link for link in links if link[0] == 0], [])
        self.assertNotEqual([link for link in links if link[0] == 1], [])
        self.assertEqual([link for link in links if link[0] < 3 and 2 in link[1:]], [])
        lost = "SELECT MAX(ABS(w_error)) FROM mass_by_round"
        self.assertLess(self.rows(trace, lost)[0][0], 1e-12)
        # 364 bytes at 6 Mbit/s, ten times a second.
        airtime = "SELECT value FROM settings WHERE name = 'beaconAirtime'"
        self.assertAlmostEqual(float(self.rows(trace, airtime)[0][0]), 10 * 0.000536)

    def test_the_city_hides_vehicles_and_each_run_has_its_traffic(self) -> None:
        near = "--neighbours=mobility:150"
        done = self.call("--rounds=20", "--repetitions=2", "--cast=broadcast", near)
        self.assertEqual(done.returncode, 0, done.stderr)
        traces = [RESULTS / f"broadcast-mobility_150-{run}.db" for run in (1, 2)]
        boxes = [tuple(map(float, line.split(",")))
                 for line in (SHIPPED / "buildings.csv").read_text().split()[1:]]
        traffic = "SELECT value FROM settings WHERE name = 'trafficTrace'"
        for number, trace in zip("12", traces):
            self.assertEqual(self.rows(trace, traffic), [(number,)])
            self.assertEqual(self.rows(trace, "SELECT * FROM building"), boxes)
            share = ("SELECT SUM(received) * 1.0 / SUM(sent) FROM frames_by_distance WHERE "
                     "distance_from BETWEEN 150 AND 350 GROUP BY line_of_sight ORDER BY 1")
            hidden, seen = (row[0] for row in self.rows(trace, share))
            self.assertLess(hidden, 0.2)
            self.assertGreater(seen, 0.8)
            # No vehicle drives through a house.
            inside = ("SELECT COUNT(*) FROM position_by_round JOIN building "
                      "ON x BETWEEN x_min AND x_max AND y BETWEEN y_min AND y_max")
            self.assertEqual(self.rows(trace, inside), [(0,)])
            lost = "SELECT MAX(ABS(w_error)) FROM mass_by_round"
            self.assertLess(self.rows(trace, lost)[0][0], 1e-12)
        starts = "SELECT x, y FROM position_by_round WHERE round = 0 ORDER BY node"
        self.assertNotEqual(*(self.rows(trace, starts) for trace in traces))

    def test_the_files_that_ship_are_small(self) -> None:
        files = [path for path in SHIPPED.iterdir() if path.suffix in (".tcl", ".csv")]
        self.assertEqual(len(files), 7)
        self.assertLess(sum(path.stat().st_size for path in files), 1_000_000)


if __name__ == "__main__":
    unittest.main()
