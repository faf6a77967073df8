# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures and tables for papers, and variants of a campaign against each other."""

import csv
import html
import io
import json
import math
import re
import unittest
from pathlib import Path

from support import TraceTest  # comes first: it finds the package
from synthetic import Run

from dpdl_analysis.publishing import FIGURES
from dpdl_analysis.studies.statistics import (
    Estimate,
    estimate,
    holm,
    student_p_value,
    student_quantile,
)
from dpdl_analysis.studies.tables import Table
from dpdl_analysis.trace import Trace

POINTS = 72.0
"""Of an inch."""


class PublishingTest(TraceTest):
    """The commands figure, table and compare on made-up runs."""

    def said(self, *arguments: str | Path) -> str:
        code, out, err = self.call(*arguments)
        self.assertEqual((code, err), (0, ""))
        return out

    def refused(self, *arguments: str | Path) -> str:
        code, out, err = self.call(*arguments)
        self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
        return err

    def runs(self) -> list[Path]:
        return [self.write(Run(nodes=4, rounds=8, every=2, final=final)) for final in (0.7, 0.8)]

    def varied(self) -> Path:
        runs = [({"drop": drop}, Run(nodes=4, rounds=8, every=2, final=final))
                for drop, final in (("0", 0.8), ("0.1", 0.7), ("0.3", 0.5))]
        return self.campaign("varied", runs, 3)

    def test_a_pdf_has_true_type_fonts_and_the_asked_width(self) -> None:
        output = self.folder / "f.pdf"
        self.said("figure", *self.runs(), f"--output={output}", "--width=89mm", "--font=8")
        content = output.read_bytes()
        self.assertIn(b"/FontFile2", content)
        self.assertNotIn(b"/Type3", content)
        [width] = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ", content)
        self.assertAlmostEqual(float(width), 89 / 25.4 * POINTS, places=1)

    def test_one_panel_in_letters_as_in_times(self) -> None:
        runs = [({"drop": drop, "clip": clip}, Run(nodes=4, rounds=8, every=2, drop=float(drop)))
                for drop in ("0", "0.1") for clip in ("1", "2")]
        folder, output = self.campaign("two", runs, 2), self.folder / "f.pdf"
        name = ("figure", folder, "response-accuracy-mean", f"--output={output}")
        self.said(*name, "--family=times", "--panel=2", "--width=89mm")
        content = output.read_bytes()
        self.assertIn(b"STIXGeneral", content)
        [width] = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ", content)
        self.assertAlmostEqual(float(width), 89 / 25.4 * POINTS, places=1)
        self.assertIn("accepted is 1 to 2", self.refused(*name, "--panel=3"))

    def test_help_names_the_figures_of_runs(self) -> None:
        run = self.runs()[0]
        told = self.refused("figure", run, "nothing", f"--output={self.folder / 'f.pdf'}")
        names = re.search(r"one of (.*)", told)[1].split("; ")[0].split(", ")
        self.assertLessEqual(set(names), set(FIGURES))

    def test_pages_have_such_pdfs_too(self) -> None:
        output = self.folder / "page.html"
        base, variant = self.runs()
        out = self.said("compare", base, variant, f"--output={output}", "--figures=pdf")
        made = sorted(self.folder.glob("page-*.pdf"))
        self.assertGreater(len(made), 1)
        for path in made:
            self.assertIn(str(path), out)
            self.assertNotIn(b"/Type3", path.read_bytes())

    def test_the_legend_has_names_and_the_colours_are_those_of_paper(self) -> None:
        output = self.folder / "f.svg"
        self.said("figure", *self.runs(), "node-spread", f"--output={output}", "--labels=one,two")
        text = output.read_text(encoding="utf-8")
        self.assertNotRegex(text, r"#0[1-4]0[0-9a-f]{3}\b")
        said = self.folder / "g.svg"
        self.said("figure", *self.runs(), f"--output={said}", "--labels=one,two")
        found = re.findall(r">(one|two)</text>", said.read_text(encoding="utf-8"))
        self.assertEqual(found, ["one", "two"])

    def test_names_stand_as_they_are(self) -> None:
        """Neither mathtext nor HTML is read in a name, and a letter that the font lacks is told."""
        other = self.runs()[0]
        for name in ("a$$b", "from $10 to $20", "$x_", "50% <b>&", "a_b^c\\d", "|#'\"", "\u4e22\u5305"):
            path = other.with_name(f"{name}.db")
            path.write_bytes(other.read_bytes())
            with self.subTest(name):
                output = self.folder / "f.svg"
                self.said("figure", path, other, f"--labels={name},b", f"--output={output}")
                texts = re.findall(r"<text[^>]*>(.*?)</text>", output.read_text(encoding="utf-8"))
                self.assertIn(name, [html.unescape(text) for text in texts])
                if name in ("a$$b", "\u4e22\u5305"):
                    self.said("report", path, other, f"--output={self.folder / 'r.html'}")
                drawn = ("figure", path, other, f"--labels={name},b", f"--output={self.folder / 'f.pdf'}")
                if name.isascii():
                    self.said(*drawn)
                else:
                    self.assertIn(f"DejaVu Sans lacks the letter '{name[0]}'", self.refused(*drawn))
                self.assertIn("| " + name.replace("|", r"\|") + " |",
                              Table("", ["name", "x"], [[name, "1"]]).as_markdown())

    def test_titles_can_be_left_out(self) -> None:
        folder, texts = self.varied(), []
        for title in ([], ["--no-title"]):
            output = self.folder / "f.svg"
            self.said("figure", folder, "differences", "--variants=0,0.3", f"--output={output}",
                      *title)
            texts.append("accuracy (points)" in output.read_text(encoding="utf-8"))
        self.assertEqual(texts, [True, False])

    def test_tables_say_the_same_in_every_format(self) -> None:
        runs = self.runs()
        rows = list(csv.reader(io.StringIO(self.said("table", *runs, "--format=csv"))))
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.assertEqual(len(rows), 3)
        markdown = self.said("table", *runs, "--format=markdown").splitlines()
        cells = [line.strip("| ").split(" | ") for line in markdown[:1] + markdown[2:]]
        self.assertEqual([row[0] for row in cells], [row[0] for row in rows])
        # For other programs numbers are exact, in cells of their own.
        place = rows[0].index("accuracy_mean")
        with Trace(runs[0]) as trace:
            self.assertEqual(float(rows[1][place]), trace.number("accuracy_mean"))
        told = json.loads(self.said("table", *runs, "--json"))
        self.assertEqual([str(row["accuracy_mean"]) for row in told], [row[place] for row in rows[1:]])
        latex = self.said("table", *runs, "--format=latex")
        self.assertEqual(latex.count(r" \\"), 3)
        self.assertNotRegex(latex, r"(?<!\\)[%#$_]")
        campaign = list(csv.reader(io.StringIO(self.said("table", self.varied(), "--format=csv"))))
        self.assertEqual([row[0] for row in campaign], ["drop", "0", "0.1", "0.3"])
        low, mean, high = (float(campaign[1][campaign[0].index(f"Accuracy{end}")])
                           for end in (", low", "", ", high"))
        self.assertTrue(low < mean < high)

    def test_latex_escapes_what_it_gives_a_meaning(self) -> None:
        found = Table("", ["a_b", "c"], [["50 %", "inf"], ["{x}\\y", "~^"]]).as_latex()
        self.assertIn(r"a\_b & c \\", found)
        self.assertIn(r"50 \% & $\infty$ \\", found)
        self.assertIn(r"\{x\}\textbackslash{}y & \textasciitilde{}\textasciicircum{} \\", found)

    def test_variants_of_a_campaign_are_compared_in_pairs(self) -> None:
        folder = self.varied()
        for names in ("0,0.3", "drop_0,drop_0.3"):
            [one] = json.loads(self.said("compare", folder, f"--variants={names}", "--json"))
            self.assertEqual(len(one["pairs"]), 3)
            self.assertEqual(one["name"], "drop 0.3")
            accuracy = one["differences"][0]
            self.assertLess(accuracy["difference"], -15.0)
            self.assertTrue(all("share noise" in note for note in one["notes"]), one["notes"])
        both = json.loads(self.said("compare", folder, "--variants=0,0.1,0.3", "--json"))
        self.assertEqual([one["name"] for one in both], ["drop 0.1", "drop 0.3"])
        for one in both:
            self.assertIn("adjusted for 2 variants by Holm's method: accuracy", one["notes"][0])

    def test_mistakes(self) -> None:
        [run, _], folder = self.runs(), self.varied()
        pdf, foreign = f"--output={self.folder / 'f.pdf'}", self.folder / "p"
        (self.folder / "p-mass.pdf").write_text("of another program")
        for words, arguments in (
            ("did you mean 'accuracy-time'", ("figure", run, "acuracy-time", pdf)),
            ("option 'output' is missing", ("figure", run)),
            ("--output=f.gif: accepted is a .pdf or .svg", ("figure", run, "--output=f.gif")),
            ("--width=9x: accepted is 1in", ("figure", run, pdf, "--width=9x")),
            ("--font=0: accepted is 4", ("figure", run, pdf, "--font=0")),
            ("too narrow", ("figure", run, pdf, "--width=1in", "--font=30")),
            ("expected 1, none empty; there are 1 runs", ("figure", run, pdf, "--labels=a,b")),
            ("x.db: no such file", ("figure", "x.db", pdf)),
            ("one figure at a time", ("figure", run, "mass", "w-spread", pdf)),
            ("accepted with the folder of a campaign", ("figure", run, pdf, "--variants=a,b")),
            ("--format=xml: accepted is one of text", ("table", run, "--format=xml")),
            ("'0.5' is no variant, accepted are drop_0, ", ("compare", folder, "--variants=0,0.5")),
            ("two or more different names", ("compare", folder, "--variants=0,drop_0")),
            ("two or more different names", ("compare", folder, "--variants=0")),
            ("arguments are required: B", ("compare", run)),
            ("accepted with --output", ("compare", run, run, "--figures=pdf")),
            ("argument --y: needs a value, COLUMN", ("figure", run, pdf, "--y=")),
            ("argument --x: needs a value, round|time|bytes", ("figure", run, pdf, "--y=w", "--x", "")),
            ("argument --variants: needs a value, A,B,...", ("compare", folder, "--variants=")),
            ("argument --columns: needs a value", ("table", run, "--columns=")),
            ("argument --output: needs a value", ("report", run, "--output=")),
            ("argument FILE.db: needs a value", ("inspect", "")),
            ("argument --font: is given twice", ("figure", run, pdf, "--font=8", "--font=9")),
            ("not allowed with argument", ("table", run, "--json", "--format=csv")),
            ("none empty; there are 1 runs", ("figure", run, pdf, "--labels=,")),
            ("--width: a study has its own figure", ("figure", "what-if", folder, "--width=3in")),
            ("f.pdf: accepted is a .html file", ("report", run, pdf)),
            ("f.pdf: accepted is a .html file", ("compare", run, run, pdf)),
            ("cannot be written; accepted", ("report", run, f"--output={self.folder / 'none' / 'a.html'}")),
            ("of another kind; accepted", ("compare", run, run, f"--output={foreign}.html", "--figures=pdf")),
        ):
            with self.subTest(words):
                self.assertIn(words, self.refused(*arguments))
        made = {path.name for path in self.folder.iterdir()}
        self.assertEqual(made - {"p-mass.pdf", folder.name}, {f"run-{at}.db" for at in (0, 1)})


class StatisticsTest(unittest.TestCase):
    """p-values and their adjustment."""

    def test_p_values_belong_to_the_quantiles_of_the_interval(self) -> None:
        for count in (2, 3, 5, 20):
            half = student_quantile(0.975, count - 1)
            self.assertAlmostEqual(student_p_value(Estimate(half, half, count)), 0.05, places=6)
        # Of t = 2 with 4 degrees of freedom, in closed form.
        half = student_quantile(0.975, 4)
        p = student_p_value(Estimate(2.0, half, 5))
        self.assertAlmostEqual(p, 1.0 - 2.5 / math.sqrt(8.0), places=6)
        self.assertEqual(student_p_value(estimate([1.0, 1.0])), 0.0)
        self.assertEqual(student_p_value(estimate([0.0, 0.0])), 1.0)
        self.assertTrue(math.isnan(student_p_value(estimate([1.0]))))

    def test_holm(self) -> None:
        # The four p-values of Holm's example of a sequentially rejective test.
        self.assertEqual(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])
        self.assertEqual(holm([0.9, 0.8]), [1.0, 1.0])
        found = holm([math.nan, 0.02])
        self.assertTrue(math.isnan(found[0]))
        self.assertEqual(found[1], 0.02)


if __name__ == "__main__":
    unittest.main()
