# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Pages in a real browser: nothing is complained about, and the figures come alive."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import TraceTest  # comes first: it finds the package
from synthetic import Run

from dpdl_analysis.comparison.comparison import compare_runs
from dpdl_analysis.page.campaign import report as report_campaign
from dpdl_analysis.page.comparison import comparison_page
from dpdl_analysis.page.runs import report

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), "")
SECONDS = 120

ACTIONS = """
const said = [];
const svg = document.querySelector("#accuracy-time svg.figure");
svg.setPointerCapture = () => {};
const point = (type, x, y) => {
  const box = svg.getBoundingClientRect();
  svg.dispatchEvent(new PointerEvent(type, {
    clientX: box.left + x * box.width, clientY: box.top + y * box.height,
    pointerType: "mouse", button: 0, bubbles: true,
  }));
};
const before = svg.querySelector("[id*='line2d'] path[style*='run-0']").getAttribute("d");
point("pointermove", 0.5, 0.5);
said.push(document.querySelector(".tooltip").textContent);
point("pointerdown", 0.3, 0.2);
point("pointermove", 0.7, 0.6);
point("pointerup", 0.7, 0.6);
said.push(svg.querySelectorAll(".axes text").length > 3 ? "axes" : "no axes");
svg.dispatchEvent(new MouseEvent("dblclick"));
said.push(svg.querySelectorAll(".axes text").length === 0 ? "reset" : "not reset");
const slider = document.querySelector("#animation input");
slider.value = 3;
slider.dispatchEvent(new Event("input"));
said.push(document.querySelector("#animation .said").textContent);
document.querySelector("button.theme").click();
said.push(document.documentElement.dataset.theme);
document.body.dataset.said = said.join("|");
"""


TELL = """
document.querySelectorAll("details").forEach((one) => { one.open = true; });
const scrolling = [...document.querySelectorAll(".scroll, .plot:has(.stacked)")].filter((one) => one.scrollWidth > one.clientWidth + 1);
const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
const overlaps = [...document.querySelectorAll("svg.figure")].flatMap((svg) => {
  const boxes = [...svg.querySelectorAll("text")].map((one) => one.getBoundingClientRect());
  return boxes.flatMap((a, at) => boxes.slice(at + 1).filter((b) => a.width && b.width && overlap(a, b)));
});
const stacked = document.querySelectorAll(".stacked").length > 0 ? 1 : 0;
const told = [innerWidth, document.documentElement.scrollWidth, stacked, scrolling.length, overlaps.length];
parent.postMessage(told.join(), "*");
"""
HEAR = "addEventListener('message', ({ data }) => { document.body.dataset.widths = data; });"
NARROW = 390
"""A telephone's width in pixels."""


def with_script(page: str, script: str) -> str:
    """The page with a further script, without its own policy, which would rightly stop that."""
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    return text.replace("</body>", f"<script>{script}</script></body>")

CHOOSE = """
const choice = document.querySelector("#animation select");
const slider = document.querySelector("#animation input");
const told = () => document.querySelector("#animation .said").textContent;
slider.value = 7;
slider.dispatchEvent(new Event("input"));
const said = [[...choice.options].map((one) => one.text).join(), told()];
choice.selectedIndex = 1;
choice.dispatchEvent(new Event("change"));
said.push(told(), slider.max, document.querySelectorAll("#animation .node").length);
document.body.dataset.said = said.join("|");
"""


def works() -> bool:
    """Whether there is a browser that starts."""
    if not BROWSER:
        return False
    try:
        done = subprocess.run([BROWSER, "--version"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


@unittest.skipUnless(works(), "no Chromium is installed")
class BrowserTest(TraceTest):
    """What only a browser can test."""

    def dump(self, path: Path) -> str:
        """The page's DOM after its script has run; fails if the browser complains."""
        profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(profile.cleanup)
        words = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                 f"--user-data-dir={profile.name}", "--enable-logging=stderr", "--v=0",
                 "--virtual-time-budget=2000", "--dump-dom", path.absolute().as_uri()]
        done = subprocess.run([BROWSER, *words], capture_output=True, text=True, timeout=SECONDS, check=True)
        console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        self.assertEqual(console, [])
        return done.stdout

    def check(self, path: Path, animations: int) -> None:
        """All figures of a page are alive."""
        plain, live = path.read_text(encoding="utf-8"), self.dump(path)
        self.assertIn('class="ready"', live)
        self.assertEqual(live.count('<div class="stage">'), animations)
        figures = len(re.findall(r'<svg role="img"', plain))
        self.assertGreater(figures, 0)
        drawn = re.findall(r'<svg role="img" aria-label="[^"]*" class="figure', live)
        self.assertEqual(len(drawn), figures)
        self.assertGreater(live.count("figure live"), 0)
        self.assertEqual(self.narrow(path), [NARROW, NARROW, 1, 0, 0])

    def narrow(self, path: Path) -> list[int]:
        """A narrow screen's width, that of the page unfolded on it, whether panels are stacked, and how many
        tables and stacks scroll sideways and how many labels overlap; a frame, as windows are wider."""
        page, frame = self.folder / "narrow.html", self.folder / "frame.html"
        page.write_text(with_script(path.read_text(encoding="utf-8"), TELL))
        sized = f'<iframe src="{page.name}" style="width: {NARROW}px; border: 0"></iframe>'
        frame.write_text(f"<!DOCTYPE html><body><script>{HEAR}</script>{sized}</body>")
        said = re.search(r'data-widths="([\d,]+)"', self.dump(frame))
        self.assertIsNotNone(said)
        return [int(one) for one in said.group(1).split(",")]

    def test_the_page_of_runs(self) -> None:
        traces = [self.trace(Run(drop=0.1)), self.trace(Run(private=False, complete=False))]
        output = self.folder / "runs.html"
        report(traces, output)
        self.check(output, animations=1)

    def test_the_page_of_a_campaign(self) -> None:
        variants = [
            ({"drop": drop, "case": case}, Run(nodes=4, rounds=12, drop=float(drop)))
            for drop in ("0", "0.2")
            for case in ("x", 60 * "y")
        ]
        folder = self.campaign("runs", variants, seeds=2)
        report_campaign(folder, folder / "report.html")
        self.check(folder / "report.html", animations=0)

    def test_the_page_of_a_comparison(self) -> None:
        traces = [self.trace(Run(nodes=4)), self.trace(Run(nodes=4, drop=0.2))]
        output = self.folder / "comparison.html"
        comparison_page([compare_runs(*traces)], output)
        self.check(output, animations=1)

    def test_another_run_is_shown_at_the_same_round_if_it_has_it(self) -> None:
        output = self.folder / "two.html"
        runs = [Run(nodes=5, rounds=10, drop=0.5), Run(nodes=3, rounds=4, drop=0.1)]
        report([self.trace(run) for run in runs], output)
        output.write_text(with_script(output.read_text(encoding="utf-8"), CHOOSE))
        said = re.search(r'data-said="([^"]*)"', self.dump(output))
        self.assertIsNotNone(said)
        names, first, second, last, nodes = said.group(1).split("|")
        self.assertEqual(names, "drop 0.5,drop 0.1")
        self.assertTrue(first.startswith("Round 7 "), first)
        self.assertTrue(second.startswith("Round 3 "), second)
        self.assertEqual((last, nodes), ("3", "3"))

    def test_figures_are_read_off_zoomed_and_played(self) -> None:
        output = self.folder / "runs.html"
        report([self.trace(Run(drop=0.1))], output)
        output.write_text(with_script(output.read_text(encoding="utf-8"), ACTIONS))
        said = re.search(r'data-said="([^"]*)"', self.dump(output))
        self.assertIsNotNone(said)
        tooltip, axes, reset, animation, theme = said.group(1).split("|")
        self.assertRegex(tooltip, r"simulated time in seconds: [\d.]+mean: [\d.]+ %worst: [\d.]+ %")
        self.assertEqual((axes, reset), ("axes", "reset"))
        self.assertRegex(animation, r"Round 3 from [\d.]+ s: \d+ of 20 messages lost\.")
        self.assertIn(theme, ("dark", "light"))
