// Algorithms compared: curves with their bands and a table, while the runs are made.
import { $, AT_WORK, ask, calm, command, commandBox, frame, key, openForm, part, say, showStatus, watchTask } from "./common.js";
import { algorithmFields, choice, count, field, problemFields } from "./forms.js";
import { clock, make, number } from "./elements.js";
import "./curve.js";

frame("compare");
const id = part(1), code = commandBox();
let summary = null, runs = null;

if (id === null) start();
else follow();

async function start(chosen = Object.fromEntries(new URLSearchParams(location.search))) {
  const { known, form } = await openForm(id === null), box = commandBox(), rows = make("div", { class: "picks" }), algorithms = [];
  const wrong = make("p", { class: "error", role: "alert", hidden: true }), changed = calm(check, 250);
  const problem = problemFields(known, chosen, changed);
  const add = (one) => {
    const fields = algorithmFields(known, one, changed);
    const away = make("button", { type: "button", class: "plain", click: () => { line.remove(); algorithms.splice(algorithms.indexOf(fields), 1); changed(); }, "aria-label": "leave this algorithm out" }, "✕");
    const line = make("div", {}, make("div", { class: "row ends" }, fields.node, away), make("details", { class: "more" }, make("summary", {}, "Options"), fields.more));
    algorithms.push(fields);
    rows.append(line);
    changed();
  };
  const amount = count("amount", chosen.budget?.seconds ?? chosen.budget?.playouts ?? 2), unit = choice("unit", [["seconds", "seconds"], ["playouts", "playouts"]], chosen.budget?.playouts ? "playouts" : "seconds");
  const runsOfEach = count("runs", chosen.runs ?? 5, { step: 1, min: 2 }), workers = count("workers", chosen.workers ?? 1, { step: 1, min: 1, max: known.limits.workers });
  for (const one of chosen.algorithms ?? [{ algorithm: "nrpa" }, { algorithm: "gnrpa" }]) add(one);
  form.replaceChildren(problem.node, problem.about, rows,
    make("button", { type: "button", click: () => add({}) }, "Another algorithm"),
    make("div", { class: "row ends" }, field("each run", amount), field("unit", unit), field("runs of each", runsOfEach), field("workers", workers), make("button", { class: "main" }, "Compare")),
    make("details", { class: "more" }, make("summary", {}, "More options"), problem.more), wrong, box);
  const task = () => ({
    kind: "compare", ...problem.task(), algorithms: algorithms.map((one) => one.task()),
    budget: { [unit.value]: Number(amount.value) }, runs: Number(runsOfEach.value), workers: Number(workers.value),
  });
  const refuse = (error) => { wrong.textContent = error.message; wrong.hidden = false; };
  async function check() {
    if (!form.isConnected || !algorithms.length) return;
    await ask("/api/check", task()).then((found) => { box.take(found); wrong.hidden = true; }, refuse);
  }
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask("/api/tasks", task()).then(({ page }) => location.assign(page), refuse);
  });
}

function follow() {
  $("#run").hidden = false;
  $("#command").append(code);
  $("#stop").addEventListener("click", () => command(id, "stop"));
  $("#go-on").addEventListener("click", () => command(id, "go on"));
  $("#remove").addEventListener("click", async () => { if (await command(id, "remove")) location.assign("/"); });
  $("#log").addEventListener("change", draw);
  $("#form-box").addEventListener("toggle", () => { if ($("#form-box").open && !$("#start").children.length) start(summary?.task); });
  key("s", "pause, or go on", () => command(id, AT_WORK.has(summary?.status) ? "stop" : "go on"));
  watchTask(id, head, take, () => $("#run").replaceChildren(make("h1", {}, `There is no comparison ${id}.`), make("a", { href: "/" }, "Home")));
}

function take(update) {
  const { standing, runs: now, failed } = update.news ?? {};
  if (standing) {
    const left = standing.left ? `, ${clock(standing.left)} to go` : "", doing = standing.done < standing.total && standing.text ? `: ${standing.text}` : "";
    $("#standing").textContent = `${standing.done} of ${standing.total} runs${left}${doing}`;
    $("#share").value = standing.total ? standing.done / standing.total : 0;
    if (summary?.kind === "paper") $("#report").hidden = !standing.done;
  }
  if (failed) { $("#error").hidden = false; $("#error").textContent = failed.error; }
  if (now) { runs = now; draw(); }
}

/** A paper has tables, and its report shows them. */
function paper(now) {
  for (const node of [$("lab-curve"), $("#log").parentElement, $("#rows").closest(".scroll"), $("#form-box").parentElement]) node.hidden = true;
  $("#report").hidden = !now.done;
  $("#report").href = `/papers/${encodeURIComponent(now.task.paper)}`;
}

function head(now) {
  if (now.kind === "paper") paper(now);
  if (summary && summary.status !== now.status) say(`the comparison is ${now.status}`);
  summary = now;
  document.title = `${now.title} · Playout lab`;
  $("#title").textContent = now.title;
  showStatus($("#status"), now.status);
  const working = AT_WORK.has(now.status);
  $("#stop").hidden = !working;
  $("#go-on").hidden = working || !now.goes_on || now.status === "finished";
  $("#error").hidden = !now.error;
  $("#error").textContent = now.error;
  code.take(now);
}

const VERDICTS = { better: "+ better", worse: "− worse", equal: "= not told apart" };

/** The digits that mean something: two of the interval. */
const digits = ({ low, high }) => (high > low ? Math.max(0, 1 - Math.floor(Math.log10((high - low) / 2))) : 3);

function draw() {
  if (!runs) return;
  $("lab-curve").show(runs.curves.map(({ name, points }) => ({ name, points })), { axis: runs.unit, log: $("#log").checked, empty: "No run has ended yet." });
  $("#rows").replaceChildren(...runs.rows.map((row, i) => make("tr", {}, make("td", {}, make("i", { class: `dot c${i % 8}` }), row.algorithm), make("td", {}, String(row.runs)),
    make("td", {}, number(row.mean, digits(row))), make("td", {}, row.low === null || row.low === undefined ? "–" : `${number(row.low, digits(row))} to ${number(row.high, digits(row))}`), make("td", {}, VERDICTS[row.verdict] ?? "–"))));
  $("#report").hidden = !runs.report;
  if (runs.report) $("#report").href = runs.report;
}
