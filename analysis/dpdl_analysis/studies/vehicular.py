# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Study: accuracy of vehicles that learn from each other while driving, and delivery by radio."""

import numpy as np
import pandas as pd

from dpdl_analysis.figures.radio import FEWEST, FRAMES, SIGHT
from dpdl_analysis.formatting import DASH, gap
from dpdl_analysis.studies.campaign import Campaign
from dpdl_analysis.studies.published_radio import around_a_corner, line_of_sight
from dpdl_analysis.studies.references import HIGH, LOW, MERIT, REFERENCES, enclosed, merits
from dpdl_analysis.studies.statistics import shown
from dpdl_analysis.studies.study import EACH, Study, Table
from dpdl_analysis.studies.vehicular_drawing import Town, draw
from dpdl_analysis.studies.vehicular_drive import NEAR, Drive, difference, read_drive, table_of
from dpdl_analysis.trace import Trace, UsageError

CITY = 300.0
"""Largest distance, in metres, in the table of the radio."""
PUBLISHED = {1: line_of_sight, 0: around_a_corner}
NEIGHBOURS = {"beacons": "to those heard", "mobility:150": "to all within 150 m"}
"""Phrase in the table for each topology."""

CAPTION = (
    "Map: where the vehicles of the first run drove, coloured by the test accuracy of the model on "
    "board; large dots: the last place of each, squares: roadside units, lines: links that "
    "delivered in the last round with any, grey: buildings. Accuracy: mean over the vehicles on the road "
    "and over the runs; the band spans the runs. Contacts: consecutive rounds in which at least "
    "one message of one vehicle reached the other, all runs. Frames: of those sent, by the "
    "distance of a node that could receive them"
)
OPEN = ", first run."
SHADOWED = (
    ": beacons of isolated vehicles, without collisions, all runs. Dotted: what losses measured by "
    "Abbas et al. (2015) and Mangel et al. (2011) would let through."
)


def study(campaign: Campaign) -> Study:
    """Accuracy, contacts, frames and q, by cast (how frames are sent) and topology."""
    others = set(campaign.factors) - {"cast", "topology", "algorithm"}
    if others or "cast" not in campaign.factors:
        raise UsageError(f"{campaign.folder}: its runs differ in {', '.join(campaign.factors)}; the "
                         "study vehicular is of cast, topology and algorithm")
    drives: dict[str, list[Drive]] = {}
    finals = []
    runs = enclosed(campaign.runs.assign(way=_ways(campaign.runs)), "way")
    for _, row in runs.iterrows():
        with Trace(campaign.folder / row["trace"]) as trace:
            drives.setdefault(row["way"], []).append(read_drive(trace))
        finals.append(drives[row["way"]][-1].final)
    runs = runs.assign(final=finals)
    ways = {way: group for way, group in drives.items() if way not in REFERENCES} or drives
    with Trace(campaign.folder / runs[runs["way"].isin(ways)]["trace"].iloc[0]) as trace:
        town = Town(_places(trace), _last_links(trace), _buildings(trace))
    radio = _radio([drive.frames for drive in drives.get(LOW, [])])
    notes = list(campaign.notes)
    if all(drive.contacts.size == 0 for group in drives.values() for drive in group):
        notes.append("Without delivery rows (--traceLevel=full) nothing is known of contacts.")
    frames = next(iter(ways.values()))[0].frames
    return Study(finding=_finding(drives, ways, runs),
                 tables=[_table(drives, runs, _over(campaign))] + ([_radio_table(radio)] if len(radio) else []),
                 draw=lambda canvas: draw(canvas, drives, town, frames, radio), size=(10.0, 8.4),
                 caption=CAPTION + (SHADOWED if len(radio) else OPEN), notes=notes, rule=EACH)


def _over(campaign: Campaign) -> str:
    """Phrase that names the runs over which intervals are computed."""
    drove = len(campaign.named.get("trafficTrace", ()))
    if drove > 1:
        return f"over the runs, each with its seed and one of {drove} traces of traffic"
    return "over the seeds; all runs drove the same traffic, and it says nothing of other traffic"


def _ways(runs: pd.DataFrame) -> pd.Series:
    """Title of each run in the table: cast and topology, or the reference algorithm."""
    ways = runs["cast"].copy()
    if "topology" in runs and runs["topology"].nunique() > 1:
        ways += " " + runs["topology"].map(lambda name: NEIGHBOURS.get(name, name))
    if "algorithm" in runs:
        ways = runs["algorithm"].where(runs["algorithm"].isin((LOW, HIGH)), ways)
    return ways


def _places(trace: Trace) -> pd.DataFrame:
    """One row per round and node: position x, y in metres, and latest accuracy in [0, 1]."""
    if not trace.has("position_by_round"):
        return pd.DataFrame(columns=["round", "node", "x", "y", "accuracy"])
    places = table_of(trace, "SELECT round, node, x, y FROM position_by_round")
    accuracy = table_of(trace, "SELECT round, node, accuracy FROM accuracy_by_node")
    return pd.merge_asof(
        places.sort_values("round"), accuracy.sort_values("round"), on="round", by="node"
    )


def _last_links(trace: Trace) -> list[tuple[int, int]]:
    arrived = "FROM delivery WHERE fate IN ('delivered', 'late')"
    return trace.rows(
        f"SELECT DISTINCT source, target {arrived} AND round = (SELECT MAX(round) {arrived})"
    )


def _buildings(trace: Trace) -> list[tuple[float, float, float, float]]:
    if not trace.has("building"):
        return []
    return trace.rows("SELECT x_min, y_min, x_max, y_max FROM building")


def _radio(frames: list[pd.DataFrame]) -> pd.DataFrame:
    """Fractions of frames that arrived, simulated and published, by distance; may be empty."""
    counted = pd.concat([pd.DataFrame(columns=FRAMES), *frames])
    counted = counted[counted["distance_to"] <= CITY]
    if counted.empty or counted["line_of_sight"].min() == 1:
        return pd.DataFrame()
    sums = counted.groupby(["line_of_sight", "distance_from", "distance_to"]).sum().reset_index()
    alone = sums["received"] + sums["faded"]
    sums = sums.assign(share=sums["received"] / alone)[alone >= FEWEST]
    middle = (sums["distance_from"] + sums["distance_to"]) / 2.0
    published = [PUBLISHED[sight](at) for sight, at in zip(sums["line_of_sight"], middle)]
    return sums.assign(middle=middle, published=published)


def _finding(
    drives: dict[str, list[Drive]], ways: dict[str, list[Drive]], runs: pd.DataFrame
) -> str:
    told = [f"{shown(drive.final for drive in group)} % by {way}" for way, group in ways.items()]
    first = next(iter(ways.values()))
    all_but_last = ", ".join(told[:-1]) + (" and " if told[1:] else "")
    text = (
        f"After {runs['simulated_seconds'].max():.0f} s the vehicles on the road have "
        f"{all_but_last}{told[-1]} of the test images right, each with a certified epsilon of at "
        f"most {runs['epsilon_certified'].max():.3g}"
    )
    if len(ways) == 2:
        text += f" (difference {difference(*ways.values())} points)"
    contacts = np.concatenate([drive.contacts for drive in first])
    if contacts.size:
        text += f"; half of the contacts last {np.median(contacts):.3g} s or less"
    lost = shown(drive.lost for drive in first)
    if lost != DASH:
        text += (
            f", and {lost} % of the frames to receivers within {NEAR:.0f} m are lost, "
            f"{np.mean([drive.collided for drive in first]):.0f} % of these to collisions"
        )
    if LOW in drives and HIGH in drives:
        alone, pooled = (shown(one.final for one in drives[end]) for end in REFERENCES)
        text += f". Alone they would have {alone} %, one learner with the images of all {pooled} %"
    return text + "."


def _table(drives: dict[str, list[Drive]], runs: pd.DataFrame, over: str) -> Table:
    values = merits(runs, "way", "final")
    rows = [
        [
            way,
            shown(drive.final for drive in group),
            shown(values[runs["way"] == way], 2),
            *([DASH] * 9 if way in REFERENCES else _sent(group, runs[runs["way"] == way])),
        ]
        for way, group in drives.items()
    ]
    return Table(
        f"{int(runs['nodes'].max())} nodes, {runs['rounds'].max():.0f} rounds; "
        f"{len(next(iter(drives.values())))} runs each",
        [
            "cast",
            "accuracy, %",
            "merit",
            "messages lost, %",
            "to absent vehicles, %",
            f"frames lost to {NEAR:.0f} m, %",
            "beacon airtime, %",
            "one-way links, %",
            "contact, s (median / longest)",
            "1 - q realised",
            "windows connected, %",
            "effective nodes",
        ],
        rows,
        f"± is the 95 % interval {over}. {MERIT} "
        "1 - q realised: of the window that connects best, as a vehicle that is alone or gone in a "
        "window makes q 1. One-way: links of a round that delivered nothing the other way. To absent "
        "vehicles: messages of all that were lost because the receiver had left when they were sent. "
        "Beacon airtime: of the time, for each vehicle.",
    )


def _sent(group: list[Drive], own: pd.DataFrame) -> list[str]:
    """Cells of the table about transmissions, in the order of its columns."""
    contacts = np.concatenate([drive.contacts for drive in group])
    return [
        shown(100.0 * own["messages_lost"] / own["messages_sent"]),
        f"{np.mean([drive.stale for drive in group]):.2f}",
        shown(drive.lost for drive in group),
        f"{np.mean([drive.airtime for drive in group]):.2f}",
        shown(drive.one_way for drive in group),
        f"{np.median(contacts):.3g} / {np.max(contacts):.3g}" if contacts.size else DASH,
        gap(float(np.mean([drive.q_best for drive in group]))),
        f"{np.mean([drive.connected for drive in group]):.0f}",
        f"{own['effective_nodes'].mean():.1f}",
    ]


def _radio_table(radio: pd.DataFrame) -> Table:
    def cells(sight: int, start: float) -> list[str]:
        row = radio[(radio["line_of_sight"] == sight) & (radio["distance_from"] == start)]
        if row.empty:
            return [DASH, DASH, DASH]
        share, published = 100.0 * row["share"].iloc[0], 100.0 * row["published"].iloc[0]
        known = np.isfinite(published)
        return [f"{share:.1f}", f"{published:.1f}" if known else DASH,
                f"{share - published:+.1f}" if known else DASH]

    classes = radio[["distance_from", "distance_to"]].drop_duplicates().sort_values("distance_from")
    return Table(
        "Beacons that arrive, of those that do not collide (%)",
        ["distance, m"] + [f"{name}{what}" for name in (SIGHT[1], SIGHT[0])
                           for what in ("", ", published", ", difference")],
        [[f"{low:.0f} to {high:.0f}", *cells(1, low), *cells(0, low)]
         for low, high in classes.itertuples(index=False)],
        "Of isolated vehicles. Published: losses measured in streets with a line of sight (Abbas et "
        "al. 2015) and around one corner (Mangel et al. 2011), put through the same receiver.",
    )
