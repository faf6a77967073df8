// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// An axis: values to places in the drawing and back, and round values to label.
class Scale {
  constructor(axis, start, end) {
    Object.assign(this, axis, { start, end });
  }

  warp(value) {
    return this.log ? Math.log10(value) : value;
  }

  place(value) {
    const [low, high] = [this.warp(this.low), this.warp(this.high)];
    return this.start + ((this.warp(value) - low) / (high - low)) * (this.end - this.start);
  }

  value(place) {
    const [low, high] = [this.warp(this.low), this.warp(this.high)];
    const warped = low + ((place - this.start) / (this.end - this.start)) * (high - low);
    return this.log ? 10 ** warped : warped;
  }

  // About `count` values between the places `from` and `to`.
  ticks(from, to, count) {
    const ends = [this.value(from), this.value(to)].sort((a, b) => a - b);
    return this.log && ends[1] / ends[0] > 8 ? this.decades(ends) : this.steps(ends, count);
  }

  decades([low, high]) {
    const factors = high / low > 1e4 ? [1] : [1, 2, 5];
    const found = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power) {
      found.push(...factors.map((factor) => factor * 10 ** power));
    }
    return found.filter((value) => value >= low && value <= high);
  }

  steps([low, high], count) {
    const rough = (high - low) / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
    const found = [];
    for (let index = Math.ceil(low / step); index * step <= high; ++index) {
      found.push(index * step);
    }
    return found;
  }

  show(value) {
    if (value === null || !Number.isFinite(value)) {
      return "-";
    }
    const text = String(Number((this.percent ? 100 * value : value).toPrecision(5)));
    return this.percent ? `${text} %` : text;
  }
}
