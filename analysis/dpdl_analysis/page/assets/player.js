// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

const PLACES = 1000;
const MOST_ARROWS = 60;
const BEND = 0.12;
const NARROW = 620;
const STRONG = 0.55;
const SPEEDS = { slow: 700, normal: 250, fast: 80 };

// The network over time: frames of rounds of the chosen run, with a slider and a button that runs
// through them.
class Player {
  constructor(figure, { runs }) {
    this.slug = figure.id;
    this.runs = runs;
    this.animation = runs[0];
    this.narrow = Math.max(1, NARROW / (figure.clientWidth || NARROW));
    this.frame = 0;
    this.timer = null;
    const weights = runs.flatMap(({ frames }) => frames.flatMap((frame) => frame.w));
    const hasWeights = weights.some((w) => w !== null);
    this.tone = hasWeights ? "w" : "accuracy";
    const stage = document.createElement("div");
    stage.className = "stage";
    this.addControls(stage);
    this.picture = stage.appendChild(document.createElement("div"));
    this.said = stage.appendChild(document.createElement("p"));
    this.said.className = "said";
    this.said.setAttribute("aria-live", "off");
    this.legend = stage.appendChild(document.createElement("p"));
    this.legend.className = "note";
    figure.querySelector(".plot").before(stage);
    addEventListener("beforeprint", () => this.pause());
    this.take(runs[0]);
  }

  // Shows a run, at the same frame as the one before if it has it.
  take(animation) {
    this.pause();
    this.animation = animation;
    this.radius = Math.min(this.narrow * 17, (this.narrow * 300) / Math.sqrt(animation.nodes));
    this.range = this.rangeOf("accuracy");
    this.slider.max = animation.frames.length - 1;
    this.addDrawing();
    this.show(Math.min(this.frame, animation.frames.length - 1));
  }

  rangeOf(name) {
    const values = this.animation.frames.flatMap((frame) => frame[name]).filter((v) => v !== null);
    return values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [1, 0]);
  }

  addControls(stage) {
    const bar = stage.appendChild(document.createElement("div"));
    bar.className = "controls bar";
    if (this.runs.length > 1) {
      const names = this.runs.map(({ name }) => name);
      const run = this.choice("Run", names, names[0], () => {
        this.take(this.runs[run.selectedIndex]);
      });
      bar.append(run);
    }
    this.play = makeButton("Play", "Run through the rounds", () => {
      if (this.timer) { this.pause(); } else { this.start(); }
    });
    this.slider = document.createElement("input");
    Object.assign(this.slider, { type: "range", min: 0, value: 0 });
    this.slider.setAttribute("aria-label", "Round");
    this.slider.addEventListener("input", () => { this.pause(); this.show(+this.slider.value); });
    this.speed = this.choice("Speed", Object.keys(SPEEDS), "normal", () => {
      if (this.timer) { this.pause(); this.start(); }
    });
    const tones = this.choice("Tone of the nodes", ["w", "accuracy"], this.tone, () => {
      this.tone = tones.value;
      this.show(this.frame);
    });
    bar.append(this.play, this.slider, this.speed, tones);
  }

  choice(title, names, chosen, action) {
    const select = document.createElement("select");
    select.title = title;
    select.setAttribute("aria-label", title);
    names.forEach((name) => select.add(new Option(name, name, name === chosen, name === chosen)));
    select.className = "control";
    select.addEventListener("change", action);
    return select;
  }

  addDrawing() {
    const margin = 2.5 * this.radius;
    const { places, trails, buildings, scale } = this.animation;
    const shown = places.flat().filter((_, index) => index % 2 === 1).filter((y) => y >= 0);
    const top = shown.reduce((a, b) => Math.min(a, b), PLACES);
    const bottom = shown.reduce((a, b) => Math.max(a, b), top);
    this.svg = makeSvg("svg", {
      class: "animation", role: "img", "aria-label": "The network in the chosen rounds",
      viewBox: `${-margin} ${top - margin} ${PLACES + 2 * margin} ${bottom - top + 2 * margin}`,
    });
    this.picture.replaceChildren(this.svg);
    const defs = makeSvg("defs", {}, this.svg);
    for (const kind of ["sent", "lost"]) {
      const marker = makeSvg("marker", {
        id: `${this.slug}-arrow-${kind}`, class: kind,
        viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto",
        markerUnits: "userSpaceOnUse",
      }, defs);
      makeSvg("path", { d: "M0 0.8 8 4 0 7.2z" }, marker);
      marker.setAttribute("markerWidth", 0.8 * this.radius);
      marker.setAttribute("markerHeight", 0.8 * this.radius);
      this[`${kind}Marker`] = this.animation.nodes <= MOST_ARROWS ? `url(#${marker.id})` : null;
    }
    for (const [x, y, right, bottom] of buildings) {
      makeSvg("rect", { class: "building", x, y, width: right - x, height: bottom - y }, this.svg);
    }
    for (const way of trails) {
      makeSvg("polyline", { class: "trail", points: way.join(" ") }, this.svg);
    }
    this.addScale(scale, bottom + 1.6 * this.radius);
    this.graph = makeSvg("g", { class: "links graph" }, this.svg);
    this.lines = makeSvg("g", { class: "links" }, this.svg);
    this.nodes = [];
    const group = makeSvg("g", { class: "nodes" }, this.svg);
    for (let node = 0; node < this.animation.nodes; ++node) {
      const element = makeSvg("g", { class: "node" }, group);
      makeSvg("circle", { r: this.radius, class: "back" }, element);
      const face = makeSvg("circle", { r: this.radius, class: "face" }, element);
      if (this.radius >= 14) {
        const text = makeSvg("text", { "text-anchor": "middle", dy: "0.35em" }, element);
        text.setAttribute("font-size", 0.85 * this.radius);
        text.textContent = node;
      }
      element.addEventListener("pointermove", (event) => this.tellNode(node, event));
      element.addEventListener("pointerleave", () => tooltip.hide());
      this.nodes.push({ element, face });
    }
  }

  // A bar as long as a round number of metres.
  addScale([length, metres], y) {
    if (metres) {
      makeSvg("path", { class: "scale", d: `M0 ${y}h${length * PLACES}` }, this.svg);
      const text = makeSvg("text", { x: length * PLACES + 10, y, dy: "0.35em" }, this.svg);
      text.setAttribute("font-size", 15 * this.narrow);
      text.textContent = `${metres} m`;
    }
  }

  place(node) {
    const all = this.animation.places[Math.min(this.frame, this.animation.places.length - 1)];
    return all[2 * node] < 0 ? null : { x: all[2 * node], y: all[2 * node + 1] };
  }

  start() {
    this.play.textContent = "Pause";
    if (this.frame === this.animation.frames.length - 1) {
      this.show(0);
    }
    this.timer = setInterval(() => {
      if (this.frame + 1 >= this.animation.frames.length) {
        this.pause();
      } else {
        this.show(this.frame + 1);
      }
    }, SPEEDS[this.speed.value]);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.play.textContent = "Play";
  }

  show(index) {
    this.frame = index;
    this.slider.value = index;
    const frame = this.animation.frames[index];
    const rounds = frame.first >= frame.last
      ? `Round ${frame.first}` : `Rounds ${frame.first} to ${frame.last}`;
    this.slider.setAttribute("aria-valuetext", rounds);
    this.drawGraph();
    this.drawLinks(frame);
    this.drawNodes(frame);
    const time = frame.time === null ? "" : ` from ${Number(frame.time.toPrecision(4))} s`;
    const failures = frame.events.length ? ` In force: ${frame.events.join("; ")}.` : "";
    const lost = this.animation.recorded
      ? `${frame.lost} of ${frame.sent} messages lost.` : "single messages were not recorded.";
    this.said.textContent = `${rounds}${time}: ${lost}${failures}`;
    this.legend.textContent = this.legendText();
  }

  legendText() {
    if (this.tone === "w") {
      return "";
    }
    const percent = (value) => `${(100 * value).toFixed(1)} %`;
    return this.range[0] > this.range[1] ? "No node's accuracy was recorded."
      : "Nodes: the stronger their green, the higher their accuracy, from "
        + `${percent(this.range[0])} to ${percent(this.range[1])}.`;
  }

  isDown(source, target, frame) {
    const fits = (pattern, node) => pattern === null || pattern === node;
    return frame.down.some(([from, to]) => fits(from, source) && fits(to, target));
  }

  // All links, behind those that lost messages; once, if nothing moves.
  drawGraph() {
    const { graph, links, places } = this.animation;
    if (!graph || (places.length === 1 && this.graph.childElementCount)) {
      return;
    }
    const parts = [];
    for (let at = 0; at < links.length; at += 2) {
      const [from, to] = [this.place(links[at]), this.place(links[at + 1])];
      if (from && to) {
        parts.push(`M${from.x} ${from.y}L${to.x} ${to.y}`);
      }
    }
    this.graph.replaceChildren();
    makeSvg("path", { d: parts.join("") }, this.graph);
  }

  drawLinks(frame) {
    this.lines.replaceChildren();
    const draw = (link, sent, lost) => {
      const [source, target] = this.animation.links.slice(2 * link, 2 * link + 2);
      const [from, to] = [this.place(source), this.place(target)];
      if (!from || !to) {
        return;
      }
      const path = makeSvg("path", { d: this.curve(from, to) }, this.lines);
      path.setAttribute("class", lost ? "lost" : "sent");
      path.classList.toggle("down", this.isDown(source, target, frame));
      path.style.strokeOpacity = lost ? 0.4 + (0.6 * lost) / sent : "";
      const marker = lost ? this.lostMarker : this.sentMarker;
      if (marker) {
        path.setAttribute("marker-end", marker);
      }
      const text = `${source} \u2192 ${target}: ${lost} of ${sent} messages lost`;
      path.addEventListener("pointermove", (event) => {
        tooltip.show(event.clientX, event.clientY, "", [{ text }]);
      });
      path.addEventListener("pointerleave", () => tooltip.hide());
    };
    for (let at = 0; at < frame.links.length; at += 3) {
      draw(...frame.links.slice(at, at + 3));
    }
  }

  // A bend to the left of the direction keeps both directions of a link apart.
  curve(from, to) {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(dx, dy) || 1;
    const [mx, my] = [(from.x + to.x) / 2 + BEND * dy, (from.y + to.y) / 2 - BEND * dx];
    const [ex, ey] = [to.x - mx, to.y - my];
    const end = Math.hypot(ex, ey) || 1;
    const gap = Math.min(this.radius + 1, length / 2);
    const tip = { x: to.x - (ex / end) * gap, y: to.y - (ey / end) * gap };
    const bend = `${mx.toFixed(1)} ${my.toFixed(1)}`;
    return `M${from.x} ${from.y}Q${bend} ${tip.x.toFixed(1)} ${tip.y.toFixed(1)}`;
  }

  drawNodes(frame) {
    const known = frame[this.tone].filter((value) => value !== null);
    const mean = known.reduce((sum, value) => sum + value, 0) / (known.length || 1);
    this.nodes.forEach(({ element, face }, node) => {
      const place = this.place(node);
      element.style.display = place ? "" : "none";
      if (place) {
        element.setAttribute("transform", `translate(${place.x} ${place.y})`);
      }
      element.classList.toggle("off", frame.off.includes(node));
      const [colour, strength] = this.toneOf(frame[this.tone][node], mean);
      face.style.fill = `var(${colour})`;
      face.style.fillOpacity = strength.toFixed(2);
      element.classList.toggle("strong", strength > STRONG);
    });
  }

  toneOf(value, mean) {
    if (value === null) {
      return ["--grid", 0.4];
    }
    if (this.tone === "w") {
      const far = value > 0 ? Math.min(1, Math.abs(Math.log2(value / mean)) / 2) : 1;
      return [value < mean ? "--heat" : "--run-0", far];
    }
    const [low, high] = this.range;
    return ["--run-2", high > low ? 0.05 + (0.95 * (value - low)) / (high - low) : 0.6];
  }

  tellNode(node, event) {
    const frame = this.animation.frames[this.frame];
    const accuracy = frame.accuracy[node];
    const rows = [{ text: `w: ${frame.w[node] ?? "not recorded"}` }];
    if (accuracy !== null) {
      rows.push({ text: `accuracy: ${(100 * accuracy).toFixed(1)} %` });
    }
    if (frame.off.includes(node)) {
      rows.push({ text: "takes no part" });
    }
    tooltip.show(event.clientX, event.clientY, `node ${node}`, rows);
  }
}
