// What all elements share: nodes, and numbers and times for people.
const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "g", "path", "circle", "rect", "line", "text", "title", "image"]);

/** A node of HTML or SVG; an attribute that is a function listens to the event of its name. */
export function make(tag, attributes = {}, ...children) {
  const node = DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** A small drawing for a button, of one path in a square of 16. */
export function icon(path) {
  return make("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, make("path", { d: path }));
}

/** 3,233 or -1.5; infinity and what is no number come as texts and stay it. */
export function number(value, digits = 3) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (typeof value !== "number" || !isFinite(value)) return String(value).replace(/-?inf(inity)?/i, (found) => found[0] === "-" ? "−∞" : "∞");
  if (size >= 1e10 || (size > 0 && size < 1e-3)) return value.toExponential(2).replace("-", "−");
  return value.toLocaleString("en", { maximumFractionDigits: digits }).replace("-", "−");
}

/** 950, 12.4 k, 3.05 M: a count in a narrow place. */
export function short(count) {
  if (count === null || count === undefined) return "–";
  for (const [size, name] of [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e4, " k"]]) {
    const unit = size === 1e4 ? 1e3 : size;
    if (count >= size) return (count / unit).toPrecision(count / unit >= 100 ? 4 : 3) + name;
  }
  return Math.round(count).toLocaleString("en");
}

/** 0.4 s, 12 s, 3:05, 2:00:00: a time. */
export function clock(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 60) return (seconds < 10 ? seconds.toFixed(1) : Math.floor(seconds)) + " s";
  const two = (n) => String(Math.floor(n)).padStart(2, "0");
  const minutes = seconds / 60;
  if (minutes < 60) return `${Math.floor(minutes)}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** Whether nothing should move by itself. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
