// A report of the store or of a paper: the frame around the page that `playout report` writes, and
// the runs behind it.
import { $, ask, frame } from "./common.js";
import { make, number } from "./elements.js";

const kind = location.pathname.split("/")[1], name = document.body.dataset.name;
frame(kind);
const list = make("div"), box = make("details", { class: "more", toggle: fill }, make("summary", {}, make("h2", {}, "Single runs")), list);
$("#main").append(make("section", { class: "card" }, box));

async function fill() {
  if (!box.open || list.children.length) return;
  const { runs } = await ask(`/api/store/${encodeURIComponent(name)}/runs`).catch((error) => {
    list.replaceChildren(make("p", { class: "error" }, error.message));
    return { runs: null };
  });
  if (runs === null) return;
  const rows = runs.map((run) => make("tr", {},
    make("td", {}, make("a", { href: run.page }, run.cell), run.film ? make("span", { class: "hint" }, " · film") : null),
    ...[run.seed, number(run.score), number(run.playouts), run.seconds.toFixed(1), run.verified ? "agrees" : "−"].map((text) => make("td", {}, String(text)))));
  list.replaceChildren(make("div", { class: "scroll" }, make("table", {}, make("caption", { class: "hidden" }, "Runs, the newest first"),
    make("thead", {}, make("tr", {}, ...["run", "seed", "score", "playouts", "seconds", "replay"].map((words) => make("th", { scope: "col" }, words)))), make("tbody", {}, ...rows))));
}
