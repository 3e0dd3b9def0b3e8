// The papers: how much of each is there, its report, and more of it.
import { $, ask, complain, frame } from "./common.js";
import { make, number } from "./elements.js";

frame("papers");
const papers = await ask("/api/papers").catch((error) => { complain(error.message); return []; });
$("#list").replaceChildren(...papers.map(entry));
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();

function entry({ name, title, paper, done, total, scale, page }) {
  const share = total ? make("progress", { max: total, value: done, "aria-label": `${done} of ${total} runs` }) : null;
  const size = make("input", { type: "number", step: "any", min: 0, max: 1, value: scale ?? 0.002, "aria-label": `scale of ${name}` });
  const more = async () => {
    try {
      location.assign((await ask("/api/tasks", { kind: "paper", paper: name, scale: Number(size.value) })).page);
    } catch (error) { complain(error.message); }
  };
  const heading = done ? make("a", { href: page ?? `/papers/${name}` }, title || name) : make("b", {}, title || name);
  return make("div", { class: "task", id: name }, make("span", {}, heading, make("p", { class: "hint" }, paper ?? "")),
    make("span", { class: "row" }, make("label", { class: "inline" }, "scale", size), make("button", { type: "button", click: more }, "Run more")),
    make("span", { class: "hint" }, total ? `${number(done)} of ${number(total)} runs` : "not run yet"), share);
}
