// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

const GAP = 14;
const LEAST_PANEL = 0.1;

// The panels of a wide drawing: side by side, or on a narrow screen below each other. Panels without
// tick labels have those of their row or column, and get a copy where they are alone.
class Stack {
  constructor(svg) {
    this.svg = svg;
    this.sides = svg.getAttribute("viewBox");
    const groups = [...svg.querySelectorAll("[id$='figure_1'] > g")];
    this.panels = groups.filter(({ id }) => /axes_\d+$/.test(id)).map((group) => ({
      group,
      axes: [...group.children].filter(({ id }) => /matplotlib\.axis_\d+$/.test(id)),
      box: this.boxOf(group),
    }));
    const least = LEAST_PANEL * svg.viewBox.baseVal.width;
    this.works = this.panels.length > 1 && this.panels.every(({ box }) => box.width >= least);
  }

  // The rectangle of the axes, which clips its lines.
  boxOf(group) {
    const clipped = group.querySelector("[clip-path]")?.getAttribute("clip-path");
    const rect = clipped && this.svg.querySelector(`[id="${clipped.slice(5, -1)}"] rect`);
    return rect ? rect.getBBox() : group.getBBox();
  }

  set(narrow) {
    this.svg.querySelectorAll(".copied").forEach((one) => one.remove());
    this.panels.forEach(({ group }) => group.removeAttribute("transform"));
    this.svg.classList.toggle("stacked", narrow);
    this.svg.setAttribute("viewBox", narrow ? this.below() : this.sides);
  }

  // Moves the panels, their left edges in line. Returns the view box.
  below() {
    this.panels.forEach((panel) => ["x", "y"].forEach((axis, at) => this.copy(panel, axis, at)));
    const places = this.panels.map(({ group, box }) => ({ group, box, all: group.getBBox() }));
    const left = Math.max(...places.map(({ box, all }) => box.x - all.x));
    const right = Math.max(...places.map(({ box, all }) => all.x + all.width - box.x));
    let height = 0;
    for (const { group, box, all } of places) {
      group.setAttribute("transform", `translate(${left - box.x} ${height - all.y})`);
      height += all.height + GAP;
    }
    return `0 0 ${left + right} ${height}`;
  }

  copy({ group, axes, box }, axis, at) {
    const has = (one) => one.axes[at]?.querySelector("[id*='tick_'] text");
    const donor = this.panels.find((one) => has(one) && Math.abs(one.box[axis] - box[axis]) < 1);
    if (!axes[at] || has({ axes }) || !donor) {
      return;
    }
    const [x, y] = axis === "x" ? [0, box.y + box.height - donor.box.y - donor.box.height] :
      [box.x - donor.box.x, 0];
    const copied = makeSvg("g", { class: "copied", transform: `translate(${x} ${y})` }, group);
    for (const text of donor.axes[at].querySelectorAll("g[id*='-text_']")) {
      copied.append(text.cloneNode(true));
      copied.lastChild.removeAttribute("id");
    }
  }
}

function stackPanels() {
  const narrow = matchMedia("(max-width: 600px)");
  const stacks = [...document.querySelectorAll("figure.wide:not(.playing) svg.figure")]
    .map((svg) => new Stack(svg)).filter(({ works }) => works);
  const set = () => stacks.forEach((stack) => stack.set(narrow.matches));
  narrow.addEventListener("change", set);
  addEventListener("beforeprint", () => stacks.forEach((stack) => stack.set(false)));
  addEventListener("afterprint", set);
  set();
}
