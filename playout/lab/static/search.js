// A search: the form that starts it, its curve, its best solution replayed, its command.
import { $, AT_WORK, ask, calm, command, commandBox, frame, key, openForm, part, say, showStatus, watchTask } from "./common.js";
import { algorithmFields, count, field, filled, choice, problemFields } from "./forms.js";
import { clock, make, number, short } from "./elements.js";
import "./board.js";
import "./curve.js";
import "./film.js";

frame("search");
const id = part(1), curve = $("lab-curve"), film = $("lab-film"), code = commandBox();
let points = [], summary = null, version = -1, wanted = null, fetching = false, earlier = false;

if (id === null) start();
else follow();

// the form

async function start(chosen = Object.fromEntries(new URLSearchParams(location.search))) {
  const { known, form } = await openForm(id === null), box = commandBox();
  const changed = calm(check, 250);
  const problem = problemFields(known, chosen, changed), algorithm = algorithmFields(known, chosen, changed);
  const stop = chosen.stop ?? { seconds: 30 };
  const stops = [["seconds", "seconds"], ["playouts", "playouts"], ["target", "a score of"], ["stagnation", "playouts without a better score"]]
    .map(([name, words]) => [words, count(name, stop[name] ?? "", { min: name === "target" ? null : 0 })]);
  const [seed, workers] = [count("seed", chosen.seed ?? 1, { step: 1 }), count("workers", chosen.workers ?? 1, { step: 1, min: 1, max: known.limits.workers })];
  const parallel = choice("parallel", [["root", "each a search of its own"], ["leaf", "one search together"]], chosen.parallel);
  const wrong = make("p", { class: "error", role: "alert", hidden: true });
  const more = make("details", { class: "more" }, make("summary", {}, "More options"),
    make("div", { class: "options" }, ...stops.slice(1).map(([words, input]) => field(`or until: ${words}`, input))),
    make("div", { class: "options" }, field("workers", workers), field("workers make", parallel)), problem.more, algorithm.more);
  form.replaceChildren(
    make("div", { class: "row ends" }, problem.node, algorithm.node, field("seconds", stops[0][1]), field("seed", seed), make("button", { class: "main" }, "Start")),
    problem.about, algorithm.about, ...(known.notes ?? []).map((note) => make("p", { class: "hint" }, note)), more, wrong, box);
  const task = () => ({
    kind: "solve", ...problem.task(), ...algorithm.task(), stop: filled(stops.map(([, input]) => input)),
    ...filled([seed, workers]), parallel: parallel.value,
  });
  async function check() {
    try {
      box.take(await ask("/api/check", task()));
      wrong.hidden = true;
    } catch (error) {
      wrong.textContent = error.message;
      wrong.hidden = false;
    }
  }
  form.addEventListener("input", changed);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const { page } = await ask("/api/tasks", task());
      location.assign(page);
    } catch (error) {
      wrong.textContent = error.message;
      wrong.hidden = false;
    }
  });
}

// a search that is there

function follow() {
  $("#command").append(code);
  $("#run").hidden = $("#solution").hidden = false;
  $("#stop").addEventListener("click", () => command(id, "stop"));
  $("#go-on").addEventListener("click", goOn);
  $("#remove").addEventListener("click", async () => { if (await command(id, "remove")) location.assign("/"); });
  $("#axis").addEventListener("change", () => draw(true));
  $("#log").addEventListener("change", () => draw(true));
  $("#form-box").addEventListener("toggle", () => { if ($("#form-box").open && !$("#start").children.length) start(summary?.task); });
  $("#latest").addEventListener("click", () => { earlier = false; $("#moment").hidden = true; load(wanted); });
  curve.addEventListener("pick", ({ detail }) => pick(detail.index));
  key("s", "pause, or go on", () => (AT_WORK.has(summary?.status) ? command(id, "stop") : goOn()));
  for (const [name, words] of [["ArrowLeft", "one move back"], ["ArrowRight", "one move on"], ["Home", "to the start"], ["End", "to the end"], [" ", "replay"]]) {
    key(name, words, (event) => film.key(event));
  }
  watchTask(id, head, take, () => {
    $("#run").replaceChildren(make("h1", {}, `There is no search ${id}.`), make("p", {}, "It was removed. ", make("a", { href: "/" }, "Home")));
    $("#solution").hidden = true;
  });
}

function take(update) {
  if (update.curve) {
    points = [...points.slice(0, update.curve.from), ...update.curve.points];
    draw();
    if (points.length) say(`best score ${number(points.at(-1)[2])}`, false);
  }
  const { progress, finished, failed } = update.news ?? {};
  if (progress) figures(progress);
  if (finished) verdict(finished);
  if (failed) wrong(failed);
  if (update.film) { wanted = update.film; load(wanted); }
}

function head(now) {
  if (summary?.status !== now.status && summary) say(`the search is ${now.status}`);
  summary = now;
  document.title = `${now.title} · Playout lab`;
  $("#title").textContent = now.title;
  const compiling = now.status === "compiling" ? "compiling, about ten seconds, once" : undefined;
  showStatus($("#status"), now.status, compiling);
  const working = AT_WORK.has(now.status);
  $("#stop").hidden = !working;
  $("#stop").disabled = now.status === "stopping";
  $("#go-on").hidden = working || !(now.goes_on ?? true);
  $("#go-on").replaceChildren(now.status === "finished" ? "Go on as long again" : now.status === "failed" && !now.playouts ? "Try again" : "Go on");
  $("#no-film").textContent = now.status === "failed" ? "There is none: the search failed before it." : "It is shown here as soon as there is one.";
  code.take(now);
  if (working) { $("#error").hidden = true; $("#verdict").hidden = true; }
  if (now.error) wrong(now);
  if (now.film && !wanted) { wanted = now.film; load(wanted); }
  if (now.best !== null && now.best !== undefined) $("#best").textContent = number(now.best);
  if (now.playouts) figures(now);
}

function figures({ best, playouts, rate, seconds, left }) {
  if (best !== null && best !== undefined) $("#best").textContent = number(best);
  $("#playouts").textContent = short(playouts);
  $("#playouts").title = number(playouts, 0);
  $("#rate").textContent = short(rate ?? (seconds > 0 ? playouts / seconds : null));
  const limit = summary?.task?.stop ?? {};
  $("#time").textContent = clock(seconds);
  $("#limit").textContent = limit.seconds ? `time, of ${clock(limit.seconds).replace(".0", "")}` : "time";
  const share = Math.max(limit.seconds ? seconds / limit.seconds : 0, limit.playouts ? playouts / limit.playouts : 0);
  $("#share").hidden = share === 0;
  $("#share").value = Math.min(1, share);
  curve.reach($("#axis").value === "seconds" ? seconds : playouts);
}

function draw(fresh = false) {
  const axis = $("#axis").value, at = axis === "seconds" ? 0 : 1;
  if (fresh) { curve.range = null; curve.now = null; curve.again.hidden = true; }
  curve.show([{ name: "best score", steps: true, points: points.map((p) => [p[at], p[2]]) }], { axis, log: $("#log").checked });
}

function verdict(result) {
  $("#verdict").hidden = false;
  $("#verdict").textContent = result.verified
    ? `${number(result.score)}: the replay by the rules agrees.` : "The replay by the rules does NOT agree.";
  say($("#verdict").textContent);
}

function wrong({ error, where }) {
  $("#error").hidden = !error;
  $("#error").textContent = [error, where].filter(Boolean).join(" · ");
}

async function goOn() {
  const limit = { ...summary.task.stop };
  if (summary.status !== "finished") return command(id, "go on");
  if (limit.seconds) limit.seconds = summary.seconds + limit.seconds;
  if (limit.playouts) limit.playouts = summary.playouts + limit.playouts;
  return command(id, "go on", { stop: limit });
}

// the solution: while the search runs it is replayed again and again, until somebody touches it

async function load(which) {
  if (fetching || earlier || !which?.length || which.version === version) return;
  fetching = true;
  try {
    await show(await ask(`/api/tasks/${id}/film`));
  } catch { /* another one comes */ }
  setTimeout(() => { fetching = false; load(wanted); }, 1500);
}

async function show(found) {
  const pictures = new Map(), first = film.film === null;
  version = found.version;
  const picture = (at) => {
    if (!found.steps[at].drawn) return "";
    if (!pictures.has(at)) pictures.set(at, fetchPicture(`/api/tasks/${id}/film/${found.version}/${at}.svg`));
    return pictures.get(at);
  };
  const looping = first || film.loop;
  film.hidden = false;
  $("#no-film").hidden = true;
  film.take({
    steps: found.steps,
    show: async (board, at) => {
      const { move, text } = found.steps[at];
      await board.show(await picture(at), move ? `board before move ${at + 1}, ${move}` : "board at the end", text);
    },
  });
  if (looping) film.begin(true);
}

async function fetchPicture(path) {
  const answer = await fetch(path).catch(() => null);
  if (answer?.ok) return answer.text();
  version = -1; // forgotten by now: the newest one
  load(wanted);
  return "";
}

async function pick(index) {
  try {
    const found = await ask(`/api/tasks/${id}/film?at=${index}`);
    earlier = index < points.length - 1;
    $("#moment").hidden = !earlier;
    film.stop();
    film.at = 0;
    await show(found);
    film.play();
  } catch { say("the solution of that moment was not kept"); }
}
