// The experiments that are stored: runs, best, last change; a filter.
import { $, ask, frame } from "./common.js";
import { make, number } from "./elements.js";

frame("store");
const found = await ask("/api/store").catch((error) => ({ error: error.message, experiments: [] }));
$("#store").textContent = found.error || found.store || "";
$("#store").className = found.error ? "error" : "soft";
if (found.experiments.length) list(found.experiments);
else $("#list").replaceChildren(make("div", { class: "empty" }, make("h2", {}, "No experiment in this store."), make("p", { class: "soft" }, "A comparison fills it."),
  make("a", { class: "button main", href: "/compare" }, "Compare algorithms")));

function list(experiments) {
  const rows = experiments.map((one) => [`${one.name} ${one.title}`.toLowerCase(), make("tr", {}, make("td", {}, make("a", { href: one.page }, one.title || one.name)),
    make("td", {}, number(one.runs)), make("td", {}, number(one.best)), make("td", {}, (one.changed ?? "").slice(0, 16).replace("T", " ")))]);
  const filter = make("input", { type: "search", "aria-label": "only those with", placeholder: "filter", input: () => {
    for (const [text, row] of rows) row.hidden = !text.includes(filter.value.toLowerCase());
  } });
  $("#list").replaceChildren(make("form", { role: "search", submit: (event) => event.preventDefault() }, filter), make("div", { class: "scroll" }, make("table", {}, make("caption", { class: "hidden" }, "Experiments"),
    make("thead", {}, make("tr", {}, ...["experiment", "runs", "best", "changed"].map((words) => make("th", { scope: "col" }, words)))), make("tbody", {}, ...rows.map(([, row]) => row)))));
}
