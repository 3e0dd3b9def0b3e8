// <lab-board>: the picture of a state with marks over it. The picture is an image: nothing in it
// can run. The marks have its units, so that a move's points are where the picture has them.
import { make } from "./elements.js";

const place = ([x, y]) => `${x} ${y}`;

export class LabBoard extends HTMLElement {
  connectedCallback() {
    if (this.stage) return;
    this.image = make("img", { alt: "", draggable: "false" });
    this.ghost = make("img", { alt: "", class: "ghost", hidden: true });
    this.words = make("pre", { hidden: true, tabindex: "0" });
    this.over = make("svg", { class: "over", role: "group", "aria-label": "moves on the board" });
    this.stage = make("div", { class: "stage" }, this.image, this.ghost, this.words, this.over);
    this.append(this.stage);
    this.box = [0, 0, 100, 100];
    this.unit = 1;
  }

  /** Show a picture, or its text where there is none; `name` is for those who hear the page. */
  async show(svg, name, text = "") {
    this.connectedCallback();
    this.words.hidden = Boolean(svg);
    this.image.hidden = this.over.hidden = !svg;
    this.over.toggleAttribute("hidden", !svg);
    this.stage.classList.toggle("text", !svg);
    if (!svg) {
      this.words.textContent = text;
      this.words.setAttribute("aria-label", name);
      return;
    }
    this.fit(svg);
    this.image.alt = name;
    await this.paint(this.image, svg);
  }

  /** Another picture over it, half seen: what a variation leads to. */
  async haunt(svg) {
    this.ghost.hidden = !svg;
    if (svg) await this.paint(this.ghost, svg);
  }

  async paint(image, svg) {
    if (image.svg === svg) return;
    image.svg = svg;
    const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    const before = image.src;
    image.src = address;
    await image.decode().catch(() => {});
    if (before.startsWith("blob:")) URL.revokeObjectURL(before);
  }

  fit(svg) {
    const root = svg.slice(0, svg.indexOf(">", svg.indexOf("<svg")));
    const numbers = /viewBox="([^"]*)"/.exec(root)?.[1].trim().split(/[\s,]+/).map(Number);
    const size = (name) => parseFloat(new RegExp(`\\s${name}="([^"]*)"`).exec(root)?.[1]);
    this.box = numbers?.length === 4 ? numbers : [0, 0, size("width") || 300, size("height") || 150];
    this.over.setAttribute("viewBox", this.box.join(" "));
    this.stage.style.aspectRatio = `${this.box[2]} / ${this.box[3]}`;
    this.stage.style.setProperty("--ratio", this.box[2] / this.box[3]);
    this.unit = Math.min(this.box[2], this.box[3]) / 100;
  }

  clear() { this.over.replaceChildren(); }

  /** Where a move is: a ring for a place, an arrow for from and to. */
  mark(points, kind = "next") {
    for (const old of this.over.querySelectorAll(`.mark.${kind}`)) old.remove();
    if (!points?.length) return;
    const [from, to] = [points[0], points.at(-1)], u = this.unit;
    const shape = points.length > 1
      ? make("path", { d: arrow(from, to, 3.2 * u) })
      : make("circle", { cx: to[0], cy: to[1], r: 2.4 * u });
    const under = shape.cloneNode();
    under.setAttribute("class", "halo");
    under.setAttribute("stroke-width", 1.5 * u);
    this.over.append(make("g", { class: `mark ${kind}`, "stroke-width": 0.7 * u }, under, shape));
  }

  /**
   * Moves that can be clicked. Each has `move`, `points` and perhaps a `view`: `share` of the visits
   * (0 to 1), `value` as text, `best`, `name` to be read out. `chosen` is called with the move,
   * `looked` with the one under the pointer or the keyboard, or with null.
   */
  spots(moves, chosen, looked = () => {}) {
    const focused = this.over.querySelector(":focus")?.dataset.move;
    const placed = moves.filter((one) => one.points?.length);
    this.clear();
    const size = this.spacing(placed.map((one) => one.points.at(-1)));
    const starts = new Set(placed.filter((one) => one.points.length > 1).map((one) => place(one.points[0])));
    if (this.from && !starts.has(this.from)) this.from = null;
    const shown = placed.filter((one) => one.points.length === 1 || (this.from
      ? place(one.points[0]) === this.from : one.view));
    for (const one of [...shown].sort((a, b) => (a.view?.share ?? 0) - (b.view?.share ?? 0))) {
      this.over.append(this.spot(one, size, chosen, looked));
    }
    if (!this.from) for (const start of starts) this.over.append(this.start(start, size, () => this.spots(moves, chosen, looked)));
    else this.mark([this.from.split(" ").map(Number)], "from");
    if (focused !== undefined) [...this.over.querySelectorAll("[data-move]")].find((node) => node.dataset.move === focused)?.focus();
  }

  spot({ move, points, view }, size, chosen, looked) {
    const [x, y] = points.at(-1), u = this.unit;
    const parts = [make("circle", { class: "reach", cx: x, cy: y, r: size })];
    if (view) {
      const r = size * (0.42 + 0.5 * Math.sqrt(view.share));
      if (points.length > 1) parts.unshift(make("path", { class: "way", d: arrow(points[0], [x, y], 2.4 * u), "stroke-width": (0.4 + 1.2 * view.share) * u }));
      parts.push(make("circle", { class: "disc", cx: x, cy: y, r }));
      if (view.best) parts.push(make("circle", { class: "best", cx: x, cy: y, r: r + 0.5 * u, "stroke-width": 0.6 * u }));
      parts.push(make("text", { x, y: y + size * 0.19, "font-size": size * 0.55 }, view.value));
    }
    return make("g", {
      class: view ? "spot seen" : points.length > 1 ? "spot target" : "spot", role: "button", tabindex: "0", "data-move": move,
      "aria-label": view?.name ?? `play ${move}`,
      click: () => { this.from = null; looked(null); chosen(move); },
      keydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        chosen(move);
      },
      pointerenter: () => looked(move), pointerleave: () => looked(null),
      focus: () => looked(move), blur: () => looked(null),
    }, make("title", {}, view?.name ?? move), ...parts);
  }

  start(at, size, again) {
    const [x, y] = at.split(" ").map(Number);
    const choose = () => { this.from = at; again(); };
    return make("g", {
      class: "spot start", role: "button", tabindex: "0", "data-move": `from ${at}`,
      "aria-label": `move the piece at ${this.names?.(at) ?? at}`, click: choose,
      keydown: (event) => { if (event.key === "Enter") { event.stopPropagation(); choose(); } },
    }, make("circle", { class: "reach", cx: x, cy: y, r: size }));
  }

  /** The order of the moves of a variation, each where it is played. */
  number(places) {
    for (const old of this.over.querySelectorAll(".count")) old.remove();
    const u = this.unit;
    this.over.append(...places.map((points, i) => points?.length && make("text", {
      class: "count", x: points.at(-1)[0], y: points.at(-1)[1] + 1.6 * u, "font-size": 4.6 * u, "stroke-width": 0.9 * u,
    }, String(i + 1))).filter(Boolean));
  }

  /** Half the least distance between two places: how large a spot may be. */
  spacing(points) {
    const apart = [...new Map(points.map((point) => [place(point), point])).values()];
    let least = 14 * this.unit;
    for (const [i, [x, y]] of apart.entries()) {
      for (const [a, b] of apart.slice(i + 1)) least = Math.min(least, Math.hypot(x - a, y - b));
    }
    return Math.max(least * 0.46, 1.5 * this.unit);
  }
}

function arrow([x, y], [a, b], head) {
  const length = Math.hypot(a - x, b - y) || 1, dx = (a - x) / length, dy = (b - y) / length;
  const wing = (side) => `M${a} ${b}L${a - head * (dx + side * dy * 0.6)} ${b - head * (dy - side * dx * 0.6)}`;
  return `M${x} ${y}L${a} ${b}${wing(1)}${wing(-1)}`;
}

customElements.define("lab-board", LabBoard);
