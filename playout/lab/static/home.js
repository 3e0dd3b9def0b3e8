// Home: what is at work, its board replayed, and what can be started.
import { $, ask, AT_WORK, command, complain, frame, say, showStatus, watch, whatIsKnown } from "./common.js";
import { clock, make, number, short, still } from "./elements.js";
import "./board.js";

frame("home");
let shown = null, film = null, at = 0, fetched = 0;
const board = make("lab-board"), score = make("p", { class: "score" }), status = make("span"), facts = make("p", { class: "soft" });
const name = make("a", {}), hero = make("div", { class: "hero" }, board, make("div", {}, make("h2", {}, name), status, score, facts));

watch("/api/events", ({ tasks, faults }) => { show(tasks); if (faults?.length) complain(faults.join(" ")); });
fill();
setInterval(step, 280);

async function fill() {
  const known = await whatIsKnown();
  const about = (list, wanted) => wanted.map((one) => list.find((entry) => entry.name === one)).filter(Boolean);
  const entry = (href, title, words) => make("li", {}, make("a", { href }, make("b", {}, title), make("span", {}, words ?? "")));
  $("#problems").replaceChildren(...about(known.problems, known.start.problems).map((one) => entry(`/search?problem=${one.name}`, one.name, one.about)));
  $("#games").replaceChildren(...about(known.games, known.start.games).map((one) => entry(`/play?game=${one.name}`, one.name, one.about)));
  $("#papers").replaceChildren(...about(known.papers, known.start.papers).map((one) => entry(`/papers#${one.name}`, one.title ?? one.name, one.paper)));
}

function show(tasks) {
  const searches = tasks.filter((task) => task.kind === "solve" && task.film?.length);
  const best = searches.find((task) => AT_WORK.has(task.status)) ?? searches[0];
  if (best) lead(best);
  else empty(tasks);
  const others = tasks.filter((task) => task !== best);
  $("#others").hidden = others.length === 0;
  $("#tasks").replaceChildren(...others.slice(0, 12).map(row));
}

function lead(task) {
  if (!hero.isConnected) $("#hero").replaceChildren(hero);
  if (shown?.id !== task.id) film = null;
  if (shown && shown.id === task.id && shown.best !== task.best && task.best !== null) say(`best score ${number(task.best)}`, false);
  shown = task;
  name.href = task.page;
  name.textContent = task.title;
  showStatus(status, task.status);
  score.textContent = number(task.best);
  facts.textContent = `${short(task.playouts)} playouts in ${clock(task.seconds)}`;
  load();
}

function empty(tasks) {
  if (tasks.some((task) => AT_WORK.has(task.status))) {
    $("#hero").replaceChildren(make("div", { class: "empty" }, make("h2", {}, "A search begins …"), make("p", { class: "soft" }, "The first one of a kind is compiled, for about ten seconds, once.")));
    return;
  }
  const begin = async () => {
    const task = { kind: "solve", problem: "samegame", instance: null, problem_options: {}, algorithm: "gnrpa", options: {}, stop: { seconds: 30 }, seed: 1, workers: 1 };
    location.assign((await ask("/api/tasks", task)).page);
  };
  $("#hero").replaceChildren(make("div", { class: "empty" }, make("h2", {}, "Nothing is at work."),
    make("p", { class: "soft" }, "A search shows its rising score here, and its best solution move by move."),
    make("button", { type: "button", class: "main", click: begin }, "Search a SameGame board, 30 s")));
}

function row(task) {
  const state = make("span");
  showStatus(state, task.status);
  const words = task.kind === "solve" && task.best !== null ? `best ${number(task.best)}, ${short(task.playouts)} playouts` : task.kind;
  const stopped = task.kind !== "game" && (task.status === "paused" || task.status === "killed");
  const act = stopped ? ["Go on", "go on"] : AT_WORK.has(task.status) && task.kind !== "game" ? ["Pause", "stop"] : null;
  return make("div", { class: "task" }, make("span", {}, make("a", { href: task.page }, task.title), " ", state),
    act ? make("button", { type: "button", click: () => command(task.id, act[1]), "aria-label": `${act[0]}: ${task.title}` }, act[0]) : make("span"),
    make("span", { class: "hint" }, task.error || words));
}

// the board, replayed: a new film when the last has ended, and no more often than every three seconds

async function load() {
  const { id, film: newest } = shown;
  if (!newest?.length || film?.version === newest.version || (film && at < film.steps.length - 1 && Date.now() - fetched < 8000) || Date.now() - fetched < 3000) return;
  fetched = Date.now();
  const found = await ask(`/api/tasks/${id}/film`).catch(() => null);
  if (found && shown.id === id) {
    film = { ...found, id };
    at = still() ? Math.floor(film.steps.length / 3) : 0;
    step();
  }
}

let busy = false, wait = 0;
async function step() {
  if (!film || busy || document.hidden || wait-- > 0) return;
  busy = true;
  const { id, version, steps } = film, number = at;
  const name = `${shown.title}: the best solution, move ${number} of ${steps.length - 1}`;
  const answer = steps[number].drawn ? await fetch(`/api/tasks/${id}/film/${version}/${number}.svg`).catch(() => null) : null;
  if (answer && !answer.ok) film = null; // forgotten: the newest one
  else {
    await board.show(answer ? await answer.text() : "", name, steps[number].text);
    board.mark(steps[number].points);
  }
  busy = false;
  if (!film || still()) { wait = still() ? 1e9 : 0; return; }
  at = number + 1 < steps.length ? number + 1 : 0;
  if (at === 0) { wait = 6; load(); }
}
