// The papers: how much of each is there, its report, more of it, and what of it is under way.
import { $, AT_WORK, ask, command, complain, frame, showStatus, watch } from "./common.js";
import { make, number } from "./elements.js";

frame("papers");
const rows = new Map();
const papers = await ask("/api/papers").catch((error) => { complain(error.message); return []; });
$("#list").replaceChildren(...papers.map(entry));
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
watch("/api/events", ({ tasks }) => {
  for (const [name, follow] of rows) follow(tasks.find((task) => task.kind === "paper" && task.task.paper === name));
});

function entry({ name, title, paper, done, total, scale, page }) {
  const share = make("progress", { max: total || 1, value: done || 0, hidden: !total, "aria-label": `runs of ${name} that are done` });
  const size = make("input", { type: "number", step: "any", min: 0, max: 1, value: scale ?? 0.002, "aria-label": `scale of ${name}` });
  const count = make("span", { class: "hint" }, total ? `${number(done)} of ${number(total)} runs` : "not run yet");
  const more = async () => {
    try {
      await ask("/api/tasks", { kind: "paper", paper: name, scale: Number(size.value) });
    } catch (error) { complain(error.message); }
  };
  let now = null;
  const link = (words) => make("a", { href: page || `/papers/${encodeURIComponent(name)}` }, words);
  const heading = make("span", { class: "heading" }, page ? link(title || name) : make("b", {}, title || name));
  const run = make("button", { type: "button", click: more }, "Run more"), stop = make("button", { type: "button", hidden: true, click: () => command(now.id, "stop") }, "Pause");
  const status = make("span", { hidden: true }), at = make("a", { hidden: true }, "watch");
  rows.set(name, (task) => {
    now = task;
    const working = task !== undefined && AT_WORK.has(task.status);
    stop.hidden = !working;
    run.hidden = working;
    status.hidden = at.hidden = !task;
    if (!task) return;
    showStatus(status, task.status);
    at.href = task.page;
    if (task.error) status.textContent = task.error;
    if (!task.total) return;
    share.hidden = false;
    share.max = task.total;
    share.value = task.done;
    count.textContent = `${number(task.done)} of ${number(task.total)} runs`;
    if (task.done && !heading.querySelector("a")) heading.replaceChildren(link(title || name));
  });
  return make("div", { class: "task paper", id: name }, make("span", {}, heading, make("p", { class: "hint" }, paper ?? "")),
    make("span", { class: "row" }, make("label", { class: "inline" }, "scale", size), run, stop),
    make("span", { class: "row" }, count, status, at), share);
}
