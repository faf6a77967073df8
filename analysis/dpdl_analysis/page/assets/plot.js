// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

const SVG_NUMBERS = /(-?[\d.]+(?:e-?\d+)?) (-?[\d.]+(?:e-?\d+)?)/g;
const LEAST_DRAG = 6;
const MOST_ZOOM = 400;

// One axes of a drawing: reads values off under the pointer, and zooms into it by moving the points
// of the drawing itself.
class Plot {
  constructor(svg, slug, info) {
    this.svg = svg;
    this.info = info;
    const [x, y, width, height] = info.box;
    this.box = { x, y, width, height };
    this.view = { ...this.box };
    this.scaleX = new Scale(info.x, x, x + width);
    this.scaleY = new Scale(info.y, y + height, y);
    this.group = svg.querySelector(`[id="${slug}-axes_${info.axes}"]`);
    this.marks = null;
    this.overlay = makeSvg("g", { class: "overlay" }, this.group);
    this.series = info.series.map((series) => ({
      ...series,
      points: series.x
        .map((value, index) => ({ value, y: series.y[index] }))
        .filter((point) => point.value !== null && point.y !== null)
        .map((point) => ({
          ...point, placeX: this.scaleX.place(point.value), placeY: this.scaleY.place(point.y),
        }))
        .sort((a, b) => a.placeX - b.placeX),
    }));
  }

  // Where the pointer is in the drawing, wherever the axes stand.
  place(event) {
    return new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(this.group.getScreenCTM().inverse());
  }

  holds({ x, y }) {
    return x >= this.box.x && x <= this.box.x + this.box.width &&
      y >= this.box.y && y <= this.box.y + this.box.height;
  }

  // From a place of the whole drawing to where it is in the zoomed one.
  moved(x, y) {
    return {
      x: this.box.x + ((x - this.view.x) * this.box.width) / this.view.width,
      y: this.box.y + ((y - this.view.y) * this.box.height) / this.view.height,
    };
  }

  original({ x, y }) {
    return {
      x: this.view.x + ((x - this.box.x) * this.view.width) / this.box.width,
      y: this.view.y + ((y - this.box.y) * this.view.height) / this.box.height,
    };
  }

  // The point of each series that is nearest along x.
  nearest(place) {
    return this.series.flatMap((series) => {
      const { points } = series;
      if (points.length === 0) {
        return [];
      }
      let [low, high] = [0, points.length - 1];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (points[middle].placeX < place) { low = middle; } else { high = middle; }
      }
      const near = place - points[low].placeX < points[high].placeX - place ? low : high;
      return [{ series, point: points[near] }];
    });
  }

  pointAt(place, clientX, clientY) {
    const found = this.nearest(this.original(place).x);
    this.overlay.replaceChildren();
    if (found.length === 0) {
      return;
    }
    const distance = (one) => Math.abs(this.moved(one.point.placeX, 0).x - place.x);
    const closest = found.reduce((a, b) => (distance(b) < distance(a) ? b : a)).point;
    const line = this.moved(closest.placeX, 0).x;
    makeSvg("line", {
      class: "cross", x1: line, x2: line, y1: this.box.y, y2: this.box.y + this.box.height,
    }, this.overlay);
    const rows = found.map(({ series, point }) => {
      const at = this.moved(point.placeX, point.placeY);
      if (this.holds(at)) {
        makeSvg("circle", { cx: at.x, cy: at.y, r: 2.8, style: `fill: var(${series.colour})` },
          this.overlay);
      }
      const here = point.value === closest.value;
      const elsewhere = here ? "" : ` (at ${this.scaleX.show(point.value)})`;
      const text = `${series.name}: ${this.scaleY.show(point.y)}${elsewhere}`;
      return { colour: series.colour, text };
    });
    const head = `${this.info.xLabel || "x"}: ${this.scaleX.show(closest.value)}`;
    tooltip.show(clientX, clientY, head, rows.slice(0, 14));
  }

  clear() {
    this.overlay.replaceChildren();
    tooltip.hide();
  }

  get zoomed() {
    return this.view.width < this.box.width || this.view.height < this.box.height;
  }

  zoomBy(factor, centre) {
    const { x, y } = this.original(centre ?? {
      x: this.box.x + this.box.width / 2, y: this.box.y + this.box.height / 2,
    });
    this.zoomTo({
      x: x - (x - this.view.x) / factor,
      y: y - (y - this.view.y) / factor,
      width: this.view.width / factor,
      height: this.view.height / factor,
    });
  }

  zoomTo(view) {
    const clamp = (start, size, from, whole) => {
      const kept = Math.min(whole, Math.max(whole / MOST_ZOOM, size));
      return [Math.min(from + whole - kept, Math.max(from, start)), kept];
    };
    const [x, width] = clamp(view.x, view.width, this.box.x, this.box.width);
    const [y, height] = clamp(view.y, view.height, this.box.y, this.box.height);
    this.view = { x, y, width, height };
    this.redraw();
  }

  reset() {
    this.zoomTo({ ...this.box });
  }

  // What moves when zooming, found and wrapped in its clip path the first time.
  collect() {
    const marks = { paths: [], uses: [], ticks: [] };
    for (const child of this.group.children) {
      if (/matplotlib\.axis_\d+$/.test(child.id)) {
        marks.ticks.push(...child.querySelectorAll(":scope > g[id*='tick_']"));
        continue;
      }
      for (const clipped of child.querySelectorAll("[clip-path]")) {
        const wrapper = makeSvg("g", { "clip-path": clipped.getAttribute("clip-path") });
        clipped.replaceWith(wrapper);
        wrapper.append(clipped);
        clipped.removeAttribute("clip-path");
        this.collectMark(clipped, marks);
      }
    }
    return marks;
  }

  collectMark(mark, marks) {
    const paths = mark.matches("path") ? [mark] : [...mark.querySelectorAll("path")];
    marks.paths.push(...paths.map((path) => ({ path, d: path.getAttribute("d"), x: 0, y: 0 })));
    for (const use of mark.querySelectorAll("use")) {
      const [x, y] = ["x", "y"].map((name) => Number(use.getAttribute(name)));
      if (use.closest("[id*='PolyCollection'], [id*='FillBetween']")) {
        const path = this.svg.querySelector(`[id="${use.getAttribute("href").slice(1)}"]`);
        marks.paths.push({ path, d: path.getAttribute("d"), x, y });
      } else {
        marks.uses.push({ use, x, y });
      }
    }
  }

  redraw() {
    this.marks ??= this.collect();
    for (const { path, d, x, y } of this.marks.paths) {
      path.setAttribute("d", d.replace(SVG_NUMBERS, (_, first, second) => {
        const at = this.moved(Number(first) + x, Number(second) + y);
        return `${(at.x - x).toFixed(2)} ${(at.y - y).toFixed(2)}`;
      }));
    }
    for (const { use, x, y } of this.marks.uses) {
      const at = this.moved(x, y);
      use.setAttribute("x", at.x);
      use.setAttribute("y", at.y);
    }
    this.marks.ticks.forEach((tick) => { tick.style.display = this.zoomed ? "none" : ""; });
    this.axes?.remove();
    this.axes = this.zoomed ? this.drawAxes() : null;
  }

  drawAxes() {
    const { x, y, width, height } = this.box;
    const group = makeSvg("g", { class: "axes" });
    const labelled = (axis) => this.marks.ticks.some(
      (tick) => tick.id.includes(`${axis}tick_`) && tick.querySelector("text"));
    const [across, up] = [labelled("x"), labelled("y")];
    const corner = { x: this.view.x + this.view.width, y: this.view.y + this.view.height };
    for (const value of this.scaleX.ticks(this.view.x, corner.x, 5)) {
      const at = this.moved(this.scaleX.place(value), 0).x;
      makeSvg("line", { x1: at, x2: at, y1: y, y2: y + height }, group);
      if (across) {
        const text = makeSvg("text", { x: at, y: y + height + 13, "text-anchor": "middle" }, group);
        text.textContent = this.scaleX.show(value);
      }
    }
    for (const value of this.scaleY.ticks(corner.y, this.view.y, 5)) {
      const at = this.moved(0, this.scaleY.place(value)).y;
      makeSvg("line", { x1: x, x2: x + width, y1: at, y2: at }, group);
      if (up) {
        const text = makeSvg("text", { x: x - 4, y: at + 3, "text-anchor": "end" }, group);
        text.textContent = this.scaleY.show(value);
      }
    }
    this.group.prepend(group);
    return group;
  }
}

// The gestures of a drawing: pointing, a rectangle to zoom into, keys and buttons.
class PlotFigure {
  constructor(figure, slug, infos) {
    this.area = figure.querySelector(".plot");
    this.svg = this.area.querySelector("svg.figure");
    this.plots = infos.map((info) => new Plot(this.svg, slug, info));
    this.drag = null;
    this.key = { plot: 0, step: -1 };
    this.svg.classList.add("live");
    this.area.tabIndex = 0;
    this.area.setAttribute("role", "group");
    this.area.setAttribute("aria-label", "Left and right arrow keys read the curves off");
    this.addButtons(figure);
    this.addPointer();
    this.area.addEventListener("keydown", (event) => this.onKey(event));
    this.area.addEventListener("blur", () => this.clear());
    addEventListener("beforeprint", () => this.reset());
  }

  addButtons(figure) {
    const bar = document.createElement("div");
    bar.className = "controls";
    const all = (action) => () => { this.clear(); this.plots.forEach(action); this.mark(); };
    bar.append(
      makeButton("+", "Zoom in (or draw a rectangle)", all((plot) => plot.zoomBy(1.6))),
      makeButton("\u2212", "Zoom out", all((plot) => plot.zoomBy(1 / 1.6))),
      makeButton("Reset", "Show all (or double click)", () => this.reset()),
    );
    this.area.append(bar);
  }

  reset() {
    this.clear();
    this.plots.filter((plot) => plot.zoomed).forEach((plot) => plot.reset());
    this.mark();
  }

  mark() {
    this.area.classList.toggle("zoomed", this.plots.some((plot) => plot.zoomed));
  }

  clear() {
    this.plots.forEach((plot) => plot.clear());
  }

  plotAt(event) {
    return this.plots.find((plot) => plot.holds(plot.place(event)));
  }

  addPointer() {
    this.svg.addEventListener("pointerdown", (event) => {
      const plot = this.plotAt(event);
      if (plot && event.button === 0 && event.pointerType === "mouse") {
        const frame = makeSvg("rect", { class: "frame" }, plot.group);
        this.drag = { plot, start: plot.place(event), frame };
        this.svg.setPointerCapture(event.pointerId);
        event.preventDefault();
        this.area.focus({ preventScroll: true });
      }
    });
    this.svg.addEventListener("pointermove", (event) => this.onMove(event));
    this.svg.addEventListener("pointerup", (event) => this.onRelease(event));
    this.svg.addEventListener("pointercancel", () => this.endDrag());
    this.svg.addEventListener("pointerleave", () => { if (!this.drag) { this.clear(); } });
    this.svg.addEventListener("dblclick", () => this.reset());
    this.svg.addEventListener("wheel", (event) => {
      const plot = this.plotAt(event);
      if (plot && event.ctrlKey) {
        event.preventDefault();
        plot.zoomBy(event.deltaY < 0 ? 1.25 : 0.8, plot.place(event));
        this.mark();
      }
    }, { passive: false });
  }

  // The rectangle drawn so far; one that is flat takes all of the axes in that direction.
  rectangle(event) {
    const { plot, start } = this.drag;
    const end = plot.place(event);
    const part = (axis, size) => {
      const low = plot.box[axis];
      const high = low + plot.box[size];
      const ends = [start[axis], end[axis]].sort((a, b) => a - b)
        .map((value) => Math.min(high, Math.max(low, value)));
      const [from, to] = ends;
      return to - from < LEAST_DRAG ? [low, high - low, true] : [from, to - from, false];
    };
    const [x, width, flatX] = part("x", "width");
    const [y, height, flatY] = part("y", "height");
    return { x, y, width, height, none: flatX && flatY };
  }

  onMove(event) {
    if (this.drag) {
      const { none, ...frame } = this.rectangle(event);
      this.drag.frame.style.display = none ? "none" : "";
      Object.entries(frame).forEach(([name, value]) => this.drag.frame.setAttribute(name, value));
      return;
    }
    const plot = this.plotAt(event);
    this.clear();
    plot?.pointAt(plot.place(event), event.clientX, event.clientY);
  }

  onRelease(event) {
    if (!this.drag) {
      return;
    }
    const frame = this.rectangle(event);
    const { plot } = this.drag;
    this.endDrag();
    if (!frame.none) {
      const corner = plot.original(frame);
      const end = plot.original({ x: frame.x + frame.width, y: frame.y + frame.height });
      plot.clear();
      plot.zoomTo({ ...corner, width: end.x - corner.x, height: end.y - corner.y });
      this.mark();
    }
  }

  endDrag() {
    this.drag?.frame.remove();
    this.drag = null;
  }

  onKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") {
      this.reset();
    }
    if (!step) {
      return;
    }
    event.preventDefault();
    const points = (index) => [...new Set(
      this.plots[index].series.flatMap((series) => series.points.map((point) => point.placeX)),
    )].sort((a, b) => a - b);
    let { plot, step: at } = this.key;
    at += step;
    if (at < 0 || at >= points(plot).length) {
      plot = (plot + step + this.plots.length) % this.plots.length;
      at = step > 0 ? 0 : points(plot).length - 1;
    }
    this.key = { plot, step: at };
    const chosen = this.plots[plot];
    const { y, height } = chosen.box;
    const place = { ...chosen.moved(points(plot)[at], 0), y: y + height / 2 };
    const client = new DOMPoint(place.x, place.y).matrixTransform(chosen.group.getScreenCTM());
    this.clear();
    chosen.pointAt(place, client.x, client.y);
  }
}
