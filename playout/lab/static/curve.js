// <lab-curve>: one or several curves over time or playouts, with their bands. Pointing or the arrow
// keys tell values, dragging zooms in, a double click zooms out, a click picks a point.
import { clock, make, number, short } from "./elements.js";

const HEIGHT = 270, TOP = 10, BOTTOM = 30, RIGHT = 12;
const nice = (step) => {
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 2.5, 5, 10].find((factor) => factor * power >= step * 0.999) * power;
};

export class LabCurve extends HTMLElement {
  series = []; axis = "seconds"; log = false; range = null; now = null; queued = false; drawn = 0; at = null;

  connectedCallback() {
    if (this.svg) return;
    this.svg = make("svg", { class: "curves", tabindex: "0", role: "img" });
    this.readout = make("div", { class: "readout", hidden: true });
    this.again = make("button", { type: "button", class: "zoom", hidden: true, click: () => this.zoom(null) }, "Whole curve");
    this.append(this.svg, this.readout, this.again);
    new ResizeObserver(() => this.draw()).observe(this);
    this.svg.addEventListener("pointerdown", (event) => this.press(event));
    this.svg.addEventListener("pointermove", (event) => this.move(event));
    this.svg.addEventListener("pointerup", (event) => this.release(event));
    this.svg.addEventListener("pointerleave", () => this.tell(null));
    this.svg.addEventListener("blur", () => this.tell(null));
    this.svg.addEventListener("dblclick", () => this.zoom(null));
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  /** Curves: `name`, `points` of [x, y] or [x, mean, low, high], `steps` if it jumps to its values. */
  show(series, options = {}) {
    Object.assign(this, options, { series });
    this.draw();
  }

  /** How far the last curve reaches by now: it is drawn once a second. */
  reach(x) {
    this.now = x;
    if (performance.now() - this.drawn > 1000) this.draw();
  }

  zoom(range) { this.range = range; this.again.hidden = !range; this.draw(); }

  draw() { // once a frame at most
    if (this.queued || !this.isConnected) return;
    this.queued = true;
    requestAnimationFrame(() => { this.queued = false; this.drawn = performance.now(); this.paint(); });
  }

  curves() { // what can be drawn: numbers, and nothing at or below zero on a logarithmic axis
    return this.series.map((one, index) => {
      const points = one.points.filter((p) => p.slice(0, 2).every(Number.isFinite) && (!this.log || p[0] > 0));
      const last = points.at(-1);
      const end = one.steps && this.now !== null && last && this.now > last[0] ? [[this.now, last[1]]] : [];
      return { ...one, index, points, line: [...points, ...end] };
    }).filter((one) => one.points.length);
  }

  paint() {
    const curves = this.curves(), width = Math.max(240, this.clientWidth), all = curves.flatMap((one) => one.line);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.svg.setAttribute("aria-label", this.summary(curves));
    this.found = curves;
    if (!all.length) return this.svg.replaceChildren(make("text", { x: width / 2, y: HEIGHT / 2, class: "middle" }, this.empty ?? "No score yet."));
    let [x0, x1] = this.range ?? [Math.min(...all.map((p) => p[0])), Math.max(...all.map((p) => p[0]))];
    if (!this.range && !this.log && this.axis !== "moves") x0 = 0;
    if (!(x1 > x0)) [x0, x1] = this.log ? [x0 / 2, x0 * 2] : [x0 - 0.5, x0 + 0.5];
    const inside = curves.flatMap(({ line, steps }) => line.filter((p, i) =>
      p[0] <= x1 && (p[0] >= x0 || (steps && (line[i + 1]?.[0] ?? Infinity) > x0))));
    const ys = (inside.length ? inside : all).flatMap((p) => p.slice(1, 4)).filter((y) => Number.isFinite(y) && !this.far(curves, y));
    let [y0, y1] = this.bounds ?? [Math.min(...ys), Math.max(...ys)];
    const room = (y1 - y0) * 0.07 || Math.abs(y1) * 0.05 || 1;
    if (!this.bounds) [y0, y1] = [y0 - room, y1 + room];
    const step = nice((y1 - y0) / 5), marks = [];
    for (let y = Math.ceil(y0 / step) * step; y <= y1 + step * 1e-6; y += step) marks.push(Math.abs(y) < step * 1e-6 ? 0 : y);
    const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9) + (step / 10 ** Math.floor(Math.log10(step) + 1e-9) === 2.5 ? 1 : 0)));
    const labels = marks.map((y) => (Math.max(Math.abs(y0), Math.abs(y1)) < 1e7 ? number(y, digits) : (y < 0 ? "−" : "") + short(Math.abs(y))));
    const left = 14 + 7.2 * Math.max(...labels.map((label) => label.length));
    const warp = this.log ? Math.log : (x) => x;
    this.across = (x) => left + (width - left - RIGHT) * (warp(x) - warp(x0)) / (warp(x1) - warp(x0));
    this.up = (y) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (y - y0) / (y1 - y0));
    this.back = (place) => {
      const share = (place - left) / (width - left - RIGHT), value = warp(x0) + share * (warp(x1) - warp(x0));
      return this.log ? Math.exp(value) : value;
    };
    this.frame = { left, width };
    const parts = marks.flatMap((y, i) => [make("path", { class: "grid", d: `M${left} ${this.up(y)}H${width - RIGHT}` }),
      make("text", { class: "end", x: left - 7, y: this.up(y) + 4 }, labels[i])]);
    parts.push(...this.ticks(x0, x1, Math.max(2, Math.floor((width - left) / 74))).flatMap((x) => [
      make("path", { class: "grid", d: `M${this.across(x)} ${TOP}V${HEIGHT - BOTTOM}` }),
      make("text", { class: "middle", x: this.across(x), y: HEIGHT - BOTTOM + 17 }, this.label(x))]));
    parts.push(make("path", { class: "axis", d: `M${left} ${HEIGHT - BOTTOM}H${width - RIGHT}` }));
    const clip = make("svg", { x: left, y: 0, width: width - left - RIGHT + 4, height: HEIGHT - BOTTOM + 1, viewBox: `${left} 0 ${width - left - RIGHT + 4} ${HEIGHT - BOTTOM + 1}` });
    clip.append(...curves.map((one) => this.band(one)).filter(Boolean), ...curves.map((one) => make("path", { class: `line c${one.index % 8}`, d: this.path(one) })));
    this.pointer = make("path", { class: "pointer" });
    this.box = make("rect", { class: "drag", y: TOP, height: HEIGHT - TOP - BOTTOM, width: 0 });
    this.svg.replaceChildren(...parts, clip, this.box, this.pointer);
  }

  far(curves, y) { // a first score a thousand times as far from the end as two later ones would hide them
    return curves.length > 0 && curves.every(({ points, steps }) => {
      const end = points.at(-1)[1], near = Math.abs(points[0][1] - end) / 1000;
      return steps && points.filter((p) => Math.abs(p[1] - end) <= near).length > 2 && Math.abs(y - end) > near;
    });
  }

  path({ line, steps }) {
    let d = "", before = null;
    for (const [x, y] of line) {
      const at = `${this.across(x).toFixed(1)} ${this.up(y).toFixed(1)}`;
      d += before === null ? `M${at}` : steps ? `H${this.across(x).toFixed(1)}V${this.up(y).toFixed(1)}` : `L${at}`;
      before = y;
    }
    return line.length === 1 ? `${d}h.1` : d;
  }

  band({ points, index }) {
    const wide = points.filter((p) => Number.isFinite(p[2]) && Number.isFinite(p[3]));
    if (wide.length < 2) return null;
    const at = (p, i) => `${this.across(p[0]).toFixed(1)} ${this.up(p[i]).toFixed(1)}`;
    return make("path", { class: `band c${index % 8}`, d: `M${[...wide.map((p) => at(p, 3)), ...wide.reverse().map((p) => at(p, 2))].join("L")}Z` });
  }

  ticks(x0, x1, most) {
    if (!this.log) {
      const step = Math.max(this.axis === "moves" ? 1 : 0, nice((x1 - x0) / most)), found = [];
      for (let x = Math.ceil(x0 / step) * step; x <= x1 + step * 1e-6; x += step) found.push(Math.abs(x) < step * 1e-6 ? 0 : x);
      return found;
    }
    for (const factors of [[1, 2, 5], [1]]) {
      const found = [];
      for (let k = Math.floor(Math.log10(x0)); k <= Math.log10(x1); k++) for (const f of factors) found.push(f * 10 ** k);
      const shown = found.filter((x) => x >= x0 && x <= x1);
      if (shown.length <= most) return shown;
    }
    return [x0, x1];
  }

  label(x) {
    if (this.axis === "seconds") return x < 1 && x > 0 ? `${number(x * 1000, 1)} ms` : x < 60 ? `${number(x, 2)} s` : clock(x);
    return this.axis === "moves" ? number(x, 0) : short(x);
  }

  value(one, x) { // of a curve at x, and the index of the point that tells it
    const { points, steps } = one;
    let index = points.findLastIndex((p) => p[0] <= x * (1 + 1e-9));
    if (!steps && index >= 0 && index + 1 < points.length && x - points[index][0] > points[index + 1][0] - x) index++;
    return index < 0 ? (steps ? null : 0) : index;
  }

  tell(x) { // the values at x, beside the pointer
    this.at = x;
    this.readout.hidden = x === null || !this.found?.length;
    if (this.readout.hidden || !this.pointer) return this.pointer?.removeAttribute("d");
    const rows = this.found.map((one) => [one, this.value(one, x)]).filter(([, index]) => index !== null);
    const spread = ([, y, low, high]) => number(y) + (Number.isFinite(low) && high > low ? ` [${number(low)}, ${number(high)}]` : "");
    this.readout.replaceChildren(make("strong", {}, this.label(x)), ...rows.map(([one, index]) => make("div", {},
      make("i", { class: `dot c${one.index % 8}` }), make("span", {}, one.name), make("b", {}, spread(one.points[index])))));
    const at = this.across(x);
    this.pointer.setAttribute("d", `M${at} ${TOP}V${HEIGHT - BOTTOM}`);
    this.readout.style.left = `${at + this.readout.offsetWidth + 18 < this.frame.width ? at + 12 : Math.max(0, at - this.readout.offsetWidth - 12)}px`;
  }

  place(event) { return (event.clientX - this.svg.getBoundingClientRect().left) * this.frame.width / this.svg.clientWidth; }

  press(event) { if (this.frame && event.button === 0) { this.from = this.place(event); this.svg.setPointerCapture(event.pointerId); } }

  move(event) {
    if (!this.frame || !this.back) return;
    const at = Math.min(Math.max(this.place(event), this.frame.left), this.frame.width - RIGHT);
    this.tell(this.back(at));
    if (this.from === undefined) return;
    this.box.setAttribute("x", Math.min(at, this.from));
    this.box.setAttribute("width", Math.abs(at - this.from));
  }

  release(event) {
    if (this.from === undefined) return;
    const [a, b] = [this.from, Math.min(Math.max(this.place(event), this.frame.left), this.frame.width - RIGHT)].sort((p, q) => p - q);
    this.from = undefined;
    if (b - a > 8) return this.zoom([this.back(Math.max(a, this.frame.left)), this.back(b)]);
    const one = this.found?.[0], index = one ? this.value(one, this.back(b)) : null;
    if (index !== null) this.dispatchEvent(new CustomEvent("pick", { detail: { index, curve: one.index } }));
  }

  key(event) {
    const points = this.found?.[0]?.points;
    if (!points || !["ArrowLeft", "ArrowRight", "Escape", "Enter"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") { this.tell(null); return this.zoom(null); }
    const here = this.at === null ? points.length : this.value(this.found[0], this.at) ?? 0;
    if (event.key === "Enter") return this.dispatchEvent(new CustomEvent("pick", { detail: { index: Math.min(here, points.length - 1), curve: 0 } }));
    const next = Math.min(Math.max(here + (event.key === "ArrowLeft" ? -1 : 1), 0), points.length - 1);
    this.tell(points[next][0]);
    this.svg.setAttribute("aria-label", this.readout.textContent);
  }

  summary(curves) {
    if (!curves.length) return this.empty ?? "No score yet";
    return curves.map(({ name, points }) => `${name}: ${number(points.at(-1)[1])} at ${this.label(points.at(-1)[0])}, ${points.length} points`).join("; ");
  }
}

customElements.define("lab-curve", LabCurve);
