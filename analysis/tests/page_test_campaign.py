# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page about a campaign."""

import json
import math
import random
import re
import statistics
from pathlib import Path

from support import TraceTest, without_drawings  # comes first: it finds the package
from html_page import REQUESTING, Page
from synthetic import Run

import pandas as pd

from dpdl_analysis.figures.effects import RESPONSES, effects, shown
from dpdl_analysis.figures.effects import variants as table
from dpdl_analysis.comparison.comparison import compare_variants, variants_of
from dpdl_analysis.figures.paired import forest
from dpdl_analysis.figures.response import curves, offsets
from dpdl_analysis.page.campaign import report
from dpdl_analysis.studies.campaign import read
from dpdl_analysis.trace import REACH, UsageError


def _small(**values: object) -> Run:
    return Run(nodes=4, rounds=12, **values)


class CampaignPageTest(TraceTest):
    """Laws of the page."""

    def page(self, folder: Path) -> str:
        """The text of a campaign's page."""
        output = folder / "report.html"
        self.assertEqual(report(folder, output), [output])
        return output.read_text(encoding="utf-8")

    @without_drawings
    def test_a_broken_certificate_comes_first(self) -> None:
        folder = self.campaign("runs", [({"drop": "0"}, _small()), ({"drop": "0.1"}, _small())], 3)
        self.assertNotIn('class="alarm"', self.page(folder))
        for trace in sorted(folder.glob("*.db"))[:4]:
            self.execute(trace, "UPDATE guarantee_by_node SET observed = 7 WHERE node = 3")
        text = self.page(folder)
        self.assertEqual(Page(text).faults, [])
        first = text[text.index("<header>") :].split("<p")[1]
        self.assertIn('class="alarm" role="alert">0-1.db: Certificate broken', first)
        self.assertEqual(text.count('class="alarm"'), 4)
        self.assertIn("The same goes for 1 more of 6 runs.", text)

    def test_two_factors_have_curves_maps_and_links_to_the_runs(self) -> None:
        variants = [
            ({"drop": drop, "lossPolicy": policy}, _small(drop=float(drop), final=final))
            for drop, final in (("0", 0.7), ("0.1", 0.6))
            for policy in ("none", "refund")
        ]
        folder = self.campaign("runs", variants, seeds=2)
        (folder / "0-1.html").write_text("a report")
        (folder / "3-2.db").unlink()
        text = self.page(folder)
        page = Page(text)
        self.assertEqual(page.faults, [])
        self.assertEqual(sum(page.tags[tag] for tag in REQUESTING), 0)
        self.assertIn("1 of 8 runs are missing or incomplete", text)
        self.assertIn('id="response-accuracy-mean"', text)
        links = [link for link in page.links if not link.startswith("#")]
        self.assertEqual(sorted(set(links))[:3], ["./0-1.db", "./0-1.html", "./0-2.db"])
        self.assertEqual(len(links), 8)

    @without_drawings
    def test_a_base_that_still_learns_is_told_once_with_its_variants(self) -> None:
        runs = {"nodes": 4, "rounds": 80, "every": 2}
        finals = {"0": 0.7, "0.1": 0.701, "0.2": 0.702, "0.3": 0.5}
        variants = [({"drop": drop}, Run(**runs, final=final)) for drop, final in finals.items()]
        text = self.page(self.campaign("runs", variants, seeds=2))
        told = re.findall(r"<strong>([^<]*)</strong> The base has not converged", text)
        self.assertEqual(told, ["drop 0.1, drop 0.2:"])
        far = self.page(self.campaign("far", [variants[0], variants[-1]], seeds=2))
        self.assertNotIn("has not converged", far)

    def test_variants_have_the_order_of_the_campaign_and_axes_that_of_numbers(self) -> None:
        variants = [
            ({"drop": drop, "policy": policy}, _small())
            for drop in ("0.3", "0", "0.1")
            for policy in ("refund", "none")
        ]
        read_in = read(self.campaign("runs", variants, seeds=2))
        found = effects(read_in.runs, read_in.factors)
        rows = [tuple(row[:2]) for row in table(found).rows]
        self.assertEqual(rows, [tuple(factors.values()) for factors, _ in variants])
        self.assertEqual(found.along("drop"), ["0", "0.1", "0.3"])
        self.assertEqual(found.along("policy"), ["refund", "none"])

    @without_drawings
    def test_the_answer_is_what_chance_does_not_explain_and_not_the_largest(self) -> None:
        """drop 0.3 costs most on average, and by chance; drop 0.1 costs less in every pair."""
        folder = self.campaign("runs", [({"drop": drop}, _small()) for drop in ("0", "0.1", "0.3")], 3)
        for variant, points in enumerate(((0, 0, 0), (-2, -2.2, -2.1), (-40, 30, -20))):
            for seed, point in enumerate(points, 1):
                value = 0.7 + point / 100
                trace = folder / f"{variant}-{seed}.db"
                self.execute(trace, f"UPDATE summary SET value={value} WHERE name='accuracy_mean'")
                self.execute(trace, f"UPDATE accuracy_by_round SET accuracy_mean={value}")
        told = re.sub(r"\s+", " ", self.page(folder))
        self.assertRegex(told, r"Against drop 0, at 5 % over 2 variants \(Holm\): drop 0.1 costs 2.1")
        self.assertNotIn("drop 0.3 costs", told)

    @without_drawings
    def test_the_page_asks_what_the_file_asks(self) -> None:
        runs = [({"drop": drop}, _small(final=final)) for drop, final in (("0", 0.7), ("0.1", 0.5))]
        folder = self.campaign("runs", runs, seeds=2)
        (folder / "sweep.toml").write_text(
            'title = "T"\nquestion = "What does loss cost?"\nagainst = "0.1"\n')
        text = self.page(folder)
        for words in ("<h1>T</h1>", "What does loss cost?", "Against drop 0.1, at 5 %",
                      "<strong>dyn-d2p</strong>", "Algorithm 1"):
            self.assertIn(words, text)
        self.assertLess(text.index('id="answer"'), text.index('id="variants"'))
        self.assertLess(text.index('id="settings"'), text.index('id="details"'))
        one = self.page(self.campaign("one", runs, seeds=1))
        self.assertIn("no difference was tested", one)
        self.assertLess(one.index('id="response-accuracy-mean"'), one.index('id="variants"'))

    def test_the_answer_follows_a_measure_of_time(self) -> None:
        """Sentence and first panel; its points are those of the traces."""
        self.addCleanup(REACH.set, REACH.get())
        folder = self.campaign("runs", [({"drop": "0"}, _small()), ({"drop": "0.2"}, _small())], 3)
        for seed in (1, 2, 3):
            self.execute(folder / f"1-{seed}.db", "UPDATE accuracy_by_round SET simulated_seconds = "
                         f"{2 + 0.01 * seed} * simulated_seconds")
        (folder / "sweep.toml").write_text('measure = "time_to_60"\nbetter = "lower"\n')
        self.assertRegex(self.page(folder), r"drop 0.2 changes time to 60 % by \+[\d.]+ s \[[\d., ]+\], which is worse")
        panel = forest(compare_variants(folder, [*variants_of(folder)]), "time_to_60").drawing.axes[0]
        query = "SELECT MIN(simulated_seconds) FROM accuracy_by_round WHERE accuracy_mean >= 0.6"
        base, slow = ([self.open(folder / f"{one}-{seed}.db").one(query) for seed in (1, 2, 3)] for one in (0, 1))
        drawn = [line.get_xdata()[0] for line in panel.lines if line.get_marker() == "D"]
        self.assertEqual(panel.get_title(), "time to 60 % (s)")
        self.assertAlmostEqual(drawn[0], statistics.fmean(slow) - statistics.fmean(base))

    @without_drawings
    def test_words_of_small_campaigns(self) -> None:
        alike = [({"drop": drop, "same": "x"}, _small()) for drop in ("0", "0.1")]
        ends = [({"drop": "0", "same": name}, Run(nodes=1, rounds=12, algorithm=name)) for name in ("isolated", "central")]
        for index, (runs, words, absent) in enumerate((
            (alike, "in all variants; no difference was tested", ">same</th>"),
            (alike, "2 variants with 1 seed each.", 'id="details"'),
            (alike + ends, ">nodes</th><td class=\"code\">4<", ">algorithm</th><td class=\"code\">central"),
            (alike + ends, "What all runs share, references aside", "1 seeds"),
        )):
            with self.subTest(words):
                text = self.page(self.campaign(f"{index}", runs, seeds=1))
                self.assertIn(words, text)
                self.assertNotIn(absent, text)

    @without_drawings
    def test_one_epsilon_is_no_range(self) -> None:
        folder = self.campaign("runs", [({"drop": drop}, _small()) for drop in ("0", "1")], 1)
        self.execute(folder / "0-1.db", "UPDATE summary SET value = value + 1e-9 WHERE "
                     "name = 'epsilon_certified'")
        self.assertIn("Certified epsilon is 1.02.", self.page(folder))

    @without_drawings
    def test_seeds_alone_make_a_page(self) -> None:
        text = self.page(self.campaign("runs", [({}, _small())], seeds=3))
        self.assertEqual(Page(text).faults, [])
        self.assertIn("Nothing was varied but the seed", text)

    def test_hostile_names_stay_texts(self) -> None:
        hostile = "<script>alert(1)</script>"
        variants = [({hostile: hostile + level}, _small()) for level in ("a", "b")]
        folder = self.campaign("runs", variants, seeds=1)
        path = folder / "campaign.json"
        content = json.loads(path.read_text())
        name = "javascript:alert(1).db"
        (folder / content["runs"][0]["trace"]).rename(folder / name)
        content["runs"][0]["trace"] = name
        path.write_text(json.dumps(content))
        page = Page(self.page(folder))
        self.assertEqual((page.faults, page.tags["script"]), ([], 2))
        self.assertEqual([link for link in page.links if link.startswith("java")], [])
        self.assertIn("./javascript%3Aalert%281%29.db", page.links)

    def test_what_is_no_list_is_told(self) -> None:
        for content in ("[]", "{", '{"scenario": "a", "runs": [{"trace": 1}]}'):
            (self.folder / "campaign.json").write_text(content)
            with self.assertRaises(UsageError):
                report(self.folder, self.folder / "report.html")


class PointsTest(TraceTest):
    """Every point of a campaign's figures, and every number of its table, anew from the traces."""

    def test_points_and_numbers_are_those_of_the_traces(self) -> None:
        draw = random.Random(7)
        for designs in (
            [{"drop": drop} for drop in ("0", "0.1", "0.3")],
            [{"topology": name} for name in ("ring", "star", "complete", "isolated", "central")],
            [{"case": case, "link": link} for case, link in
             [("base", "")] + [("link", f"{one}->{one + 1}") for one in range(12)]],
        ):
            with self.subTest(designs[-1]):
                folder = self.campaign(str(len(designs)), [(one, _small()) for one in designs], 3)
                values: dict[int, list[float]] = {}
                for index in range(len(designs)):
                    for seed in (1, 2, 3):
                        value = draw.uniform(0.2, 0.9)
                        values.setdefault(index, []).append(value)
                        trace = folder / f"{index}-{seed}.db"
                        self.execute(trace, f"UPDATE summary SET value = {value} WHERE name = "
                                     "'accuracy_mean'")
                        self.execute(trace, f"UPDATE accuracy_by_round SET accuracy_mean = {value}")
                self.check_points(folder, designs, values)

    def check_points(self, folder: Path, designs: list[dict[str, str]],
                     values: dict[int, list[float]]) -> None:
        campaign = read(folder)
        found = effects(campaign.runs, campaign.factors)
        means = {}
        for index, design in enumerate(designs):
            names = [value for value in design.values() if value]
            means[", ".join(names)] = statistics.fmean(values[index])
        axes = curves(found, RESPONSES[0]).drawing.axes[0]
        names = {place: label.get_text() for label, place in
                 zip(axes.get_yticklabels(), axes.get_yticks())}
        read_back = {}
        for line in axes.lines:
            data = list(zip(line.get_xdata(), line.get_ydata()))
            if line.get_linestyle() == "--":
                read_back[line.get_label().strip("_")] = data[0][0]
            else:
                lying = "accuracy" in axes.get_xlabel().lower()
                read_back |= {names[round(y)] if lying else f"{x:g}": x if lying else y for x, y in data}
        self.assertEqual(set(read_back), set(means))
        for name, mean in means.items():
            self.assertAlmostEqual(read_back[name], mean)
        exact = {row[0]: row[1] for row in table(found, exact=True).rows}
        self.assertEqual({name: round(value, 12) for name, value in exact.items()},
                         {name: round(value, 12) for name, value in means.items()})
        pairs = compare_variants(folder, [one for one in variants_of(folder)])
        panel = forest(pairs).drawing.axes[0]
        labels = {place: label.get_text() for label, place in
                  zip(panel.get_yticklabels(), panel.get_yticks())}
        drawn = {labels[int(line.get_ydata()[0])]: line.get_xdata()[0] for line in panel.lines
                 if line.get_marker() == "D"}
        for index, name in enumerate(list(variants_of(folder))[1:], 1):
            wanted = statistics.fmean(100 * (new - old) for new, old in zip(values[index], values[0]))
            self.assertAlmostEqual(drawn[name], wanted)


class EffectsTest(TraceTest):
    """Means over seeds."""

    def points(self, frame: pd.DataFrame, factors: list[str]) -> list[tuple[str, str, float]]:
        """Level, curve and mean of each point, where the axes have it: by the nearest tick."""
        read_back = []
        for axes in curves(effects(frame, factors), RESPONSES[0]).drawing.axes:
            ticks = [(label.get_text(), place) for label, place in
                     zip(axes.get_yticklabels(), axes.get_yticks())]
            low, high = sorted(axes.get_ylim())
            for line in axes.lines:
                if line.get_linestyle() == "--":
                    continue
                for value, place in zip(line.get_xdata(), line.get_ydata()):
                    self.assertTrue(low <= place <= high, "a point outside of the axes")
                    name, near = min(ticks, key=lambda tick: abs(tick[1] - place))
                    self.assertLess(abs(near - place), 0.5)
                    read_back.append((name, str(line.get_label())[1:], float(value)))
        return read_back

    def test_every_point_stands_over_its_own_level(self) -> None:
        """Seven curves over as many as 27 levels, each with a mean of its own."""
        for levels in (3, 9, 27):
            frame = pd.DataFrame([
                {"a": f"a{a}", "b": f"b{b}", "run": 1, "accuracy_mean": (7 * a + b) / 200,
                 "trace": "x"} for a in range(levels) for b in range(7)])
            told = [one for one in self.points(frame, ["b", "a"]) if one[0].startswith("a")]
            self.assertEqual(len(told), 7 * levels)
            for a, curve, value in told:
                wanted = (7 * int(a[1:]) + int(curve[-1])) / 200 if curve.startswith("b") else None
                at = round(200 * value)
                self.assertEqual(at // 7, int(a[1:]), "the point of another level")
                self.assertIn(wanted, (None, value))
        self.assertLess(max(offsets([0.0, 1.0, 50.0], 9)), 0.5)

    def test_ticks_say_their_values_and_what_looks_the_same_has_no_figure(self) -> None:
        powers = {"": 1.0, "%": 0.01, "k": 1e3, "M": 1e6}
        for key, first, rise in (("accuracy_mean", 0.6712, 0.004), ("accuracy_mean", 0.1, 0.3),
                                 ("messages_sent", 3e6, 2e5), ("bytes_to_60", 2e8, 1e7), ("q_realised", 0.99, 1e-3)):
            frame = pd.DataFrame([{"a": f"a{a}", "run": run, key: first + rise * a, "trace": "x",
                                   "epsilon_certified": 3 - 1e-8 * a} for a in range(3) for run in (1, 2)])
            found = effects(frame, ["a"], key)
            self.assertEqual(found.same, {"Epsilon certified": "3.00"})
            axis = curves(found, found.responses[0]).drawing.axes[0].xaxis
            self.assertEqual(axis.get_offset_text().get_text(), "")
            for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels()):
                told, _, unit = label.get_text().replace("\u2212", "-").partition(" ")
                self.assertAlmostEqual(float(told) * powers[unit] / place if place else 1.0, 1.0)

    def test_names_of_references_stand_in_rows_and_equal_ones_once(self) -> None:
        frame = pd.DataFrame([{"a": a, "b": b, "run": run, "accuracy_mean": 0.5, "trace": "x"} for run in (1, 2)
                              for a, b in (("isolated", "u"), ("isolated", "v"), ("central", "u"), ("x", "u"), ("y", "v"))])
        axes = curves(effects(frame, ["a", "b"]), RESPONSES[0]).drawing.axes[0]
        rows = {one.get_text(): one.xy[1] for one in axes.texts}
        self.assertEqual(sorted(rows), ["central", "isolated"])
        self.assertEqual(len(set(rows.values())), 2)

    def test_curves_that_coincide_are_said_to(self) -> None:
        frame = pd.DataFrame([{"drop": drop, "p": p, "run": 1, "accuracy_mean": 0.5, "trace": "x"}
                              for drop in ("0", "0.1") for p in ("none", "refund")])
        frame.loc[0, "accuracy_worst"] = 0.1
        figure = curves(effects(frame, ["drop", "p"]), RESPONSES[0])
        self.assertIn("Along drop, p none and p refund coincide.", figure.notes)
        self.assertEqual([row[0] for row in figure.tables[-1].rows], ["0", "0.1"], "levels, not places beside them")

    def test_means_are_over_seeds_and_other_factors(self) -> None:
        frame = pd.DataFrame([{"a": a, "b": b, "run": run, "accuracy_mean": a_value + 0.01 * run, "trace": "x"}
                              for a, a_value in (("1", 0.2), ("2", 0.4)) for b in ("u", "v") for run in (1, 2, 3)])
        found = effects(frame, ["a", "b", "c"])
        self.assertEqual(found.factors, ["a", "b"])
        mean = found.means(RESPONSES[0], ["a"])["2",]
        self.assertAlmostEqual(mean.mean, 0.42)
        self.assertEqual(mean.count, 3)
        self.assertAlmostEqual(mean.half, 4.302653 * 0.01 / math.sqrt(3), places=5)

    def test_intervals_lie_within_the_axes_of_every_panel(self) -> None:
        frame = pd.DataFrame([{"a": a, "b": b, "run": run, "accuracy_mean": mean + spread * run, "trace": "x"}
                              for a, mean in (("1", 0.3), ("2", 0.6))
                              for b, spread in (("0", 0.0), ("1", 0.05), ("2", -0.05)) for run in (-1, 0, 1)])
        drawing = curves(effects(frame, ["a", "b"]), RESPONSES[0]).drawing
        panels = [axes for axes in drawing.axes if axes.get_visible()]
        ends = [end for axes in panels for bars in axes.collections
                for segment in bars.get_segments() for end in segment[:, 1]]
        self.assertGreater(len(ends), 8)
        for axes in panels:
            low, high = axes.get_ylim()
            self.assertLess(low, min(ends))
            self.assertGreater(high, max(ends))

    def test_merit_is_the_way_from_isolated_to_central_of_the_same_run(self) -> None:
        accuracies = {("isolated", 0, 1): 0.4, ("dpps", 0, 1): 0.5, ("central", 0, 1): 0.8,
                      ("isolated", 0, 2): 0.5, ("dpps", 0, 2): 0.8, ("central", 0, 2): 0.9,
                      ("isolated", 0.1, 1): 0.4, ("dpps", 0.1, 1): 0.5}
        found = effects(pd.DataFrame([
            {"algorithm": name, "drop": drop, "run": run, "accuracy_mean": accuracy, "trace": "x"}
            for (name, drop, run), accuracy in accuracies.items()]), ["algorithm", "drop"])
        merit = next(one for one in RESPONSES if one.key == "merit")
        means = found.means(merit, ["drop"])
        self.assertAlmostEqual(means["0.0",].mean, 0.5)
        self.assertEqual(means["0.1",].count, 0)
        self.assertEqual([found.of(name).means(merit, [])[()].mean for name in found.references],
                         [0.0, 1.0])

    def test_one_variant_has_a_row(self) -> None:
        frame = pd.DataFrame([{"drop": "0", "run": run, "accuracy_mean": 0.5, "trace": "x"}
                              for run in (1, 2)])
        self.assertEqual(table(effects(frame, ["drop"])).as_text().splitlines()[-1], "2")
        row = table(effects(frame, ["drop"]), keys=["accuracy_mean"]).rows[0]
        self.assertEqual(row, ["2", "50.0 %"])
        wide = effects(frame.assign(accuracy_mean=[0.1, 0.9], time_to_60=[1, 2]), ["drop"], "time_to_60")
        self.assertEqual([one.title for one in wide.responses], ["Time to 60 %", "Accuracy"])
        self.assertEqual(table(wide, keys=["accuracy_mean"]).rows[0][1], "50.0 % [0.0 %, 100.0 %]")

    def test_an_infinite_value_is_never_left_out(self) -> None:
        epsilon = next(one for one in RESPONSES if one.key == "epsilon_certified")
        frame = pd.DataFrame([{"a": a, "run": run, "epsilon_certified": value, "trace": "x"}
                              for a, run, value in (("1", 1, 1.0), ("1", 2, math.inf), ("2", 1, 1.0))])
        means = effects(frame, ["a"]).means(epsilon, ["a"])
        self.assertEqual(shown(means["1",], epsilon), "inf")
        self.assertEqual(shown(means["2",], epsilon), "1.00")
