// A game against a search: the board with what the search sees on it, and its account beside it.
import { $, AT_WORK, ask, calm, command, commandBox, complain, frame, key, openForm, part, say, showStatus, typed, watchTask } from "./common.js";
import { choice, count, field, optionFields } from "./forms.js";
import { make, number, short } from "./elements.js";
import "./board.js";
import "./curve.js";
import "./tree.js";

frame("play");
const id = part(1), board = $("lab-board"), code = commandBox(), chances = new Map();
let summary = null, position = null, view = null, looked = null, written = "";

if (id === null) start();
else follow();

// the form

async function start(chosen = Object.fromEntries(new URLSearchParams(location.search))) {
  const { known, form } = await openForm(id === null), wrong = make("p", { class: "error", role: "alert", hidden: true });
  const games = choice("game", known.games.map(({ name }) => [name]), chosen.game ?? "connectfour");
  const searches = choice("search", known.searches.map(({ name }) => [name]), chosen.search ?? "uct");
  const seconds = count("seconds", chosen.budget?.seconds ?? 1), seat = choice("seat", [[0, "first"], [1, "second"]], chosen.seat ?? 0);
  const size = make("input", { name: "size", size: 6, placeholder: "usual", value: chosen.size ?? "" }), sizeField = field("size", size);
  const level = count("level", chosen.level ?? 0, { step: 1, min: 0 }), levelField = field("level", level), seatField = field("you move", seat);
  const about = make("p", { class: "hint" }), against = make("p", { class: "hint" }), more = make("div");
  let gameOptions, searchOptions;
  const build = (first) => {
    const game = known.games.find(({ name }) => name === games.value);
    if (!first && game.search && [...searches.options].some((one) => one.value === game.search)) searches.value = game.search;
    const search = known.searches.find(({ name }) => name === searches.value);
    about.textContent = game.about;
    against.textContent = search?.about ?? "";
    sizeField.hidden = !game.sized;
    levelField.hidden = !game.levels;
    level.max = (game.levels ?? 1) - 1;
    seatField.hidden = game.players === 1;
    gameOptions = optionFields(game.options ?? [], first ? chosen.game_options : {});
    searchOptions = optionFields(search?.options ?? [], first ? chosen.search_options : {});
    more.replaceChildren(make("h3", {}, `Options of ${game.name}`), gameOptions, make("h3", {}, `Options of ${searches.value}`), searchOptions);
  };
  games.addEventListener("change", () => { size.value = ""; level.value = 0; build(false); });
  searches.addEventListener("change", () => build(true));
  build(!chosen.game || Boolean(chosen.kind));
  form.replaceChildren(
    make("div", { class: "row ends" }, field("game", games), sizeField, field("against", searches), field("seconds a move", seconds), seatField, levelField, make("button", { class: "main" }, "New game")),
    about, against, make("details", { class: "more" }, make("summary", {}, "More options"), more), wrong);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const task = {
      kind: "game", game: games.value, search: searches.value, game_options: gameOptions.values(), search_options: searchOptions.values(),
      budget: { seconds: Number(seconds.value) }, seat: seatField.hidden ? 0 : Number(seat.value), ...(size.value && !sizeField.hidden ? { size: size.value } : {}),
      ...(levelField.hidden ? {} : { level: Number(level.value) }),
    };
    begin(task).catch((error) => { wrong.textContent = error.message; wrong.hidden = false; });
  });
}

async function begin(task) { location.assign((await ask("/api/tasks", task)).page); }

// a game that is there

function follow() {
  $("#table").hidden = $("#thoughts").hidden = false;
  $("#command").append(code);
  const press = (name, act) => $(name).addEventListener("click", act);
  press("#undo", () => command(id, "undo"));
  press("#now", () => command(id, "move now"));
  press("#think", () => command(id, AT_WORK.has(summary?.status) ? "stop" : "think", AT_WORK.has(summary?.status) ? {} : { seconds: 20 }));
  press("#resume", () => command(id, "go on"));
  press("#resign", () => command(id, "resign"));
  press("#again", () => begin(summary.task).catch((error) => complain(error.message)));
  $("#view").addEventListener("change", draw);
  $("#form-box").addEventListener("toggle", () => { if ($("#form-box").open && !$("#start").children.length) start(summary?.task); });
  $("#tree-box").addEventListener("toggle", () => command(id, "tree", { open: $("#tree-box").open }));
  $("#save").href = `/api/tasks/${id}/game.txt`;
  $("#sgf").href = `/api/tasks/${id}/game.sgf`;
  typed(typeMove);
  key("a move's letters", "play it", () => false);
  for (let n = 1; n <= 9; n++) key(String(n), n === 1 ? "to 9: play the most visited, the second, ..." : "", () => { const row = candidates()[n - 1]; if (row) play(row.move); });
  key("Backspace", "take back", () => command(id, "undo"));
  key("v", "the search's view on and off", () => { $("#view").click(); });
  key("r", "read the evaluation out", () => say(evaluation()));
  key("Escape", "forget what was begun", () => { written = ""; board.from = null; draw(); });
  watchTask(id, head, take, () => {
    $("#table").replaceChildren(make("h1", {}, `There is no game ${id}.`), make("p", {}, "It was removed. ", make("a", { href: "/play" }, "Play another")));
    $("#thoughts").hidden = true;
  });
}

function take(update) {
  const { position: now, view: seen, tree, line, refused, failed } = update.news ?? {};
  if (refused) complain(refused.error);
  if (failed) { $("#error").hidden = false; $("#error").textContent = [failed.error, failed.where].filter(Boolean).join(" · "); }
  if (now) {
    place(now);
    if (location.hash === "#analyse" && now.you) {
      history.replaceState(null, "", location.pathname);
      command(id, "think", { seconds: 20 });
    }
  }
  if (seen && position) {
    if (seen.moves === position.moves.length) view = seen; // else it saw the board as it was
    think(seen);
    draw();
  }
  if (tree) $("lab-tree").show(tree.branches);
  if (line && looked !== null && line.moves[0] === looked) { board.haunt(line.svgs.at(-1)); board.number(line.points); }
}

function head(now) {
  summary = now;
  document.title = `${now.title} · Playout lab`;
  $("#title").textContent = now.title;
  showStatus($("#status"), now.status);
  const working = AT_WORK.has(now.status);
  $("#think").textContent = working ? "Stop thinking" : "Analyse";
  const asleep = now.status === "closed" || now.status === "killed";
  $("#closed").hidden = !asleep;
  for (const name of ["#undo", "#now", "#think", "#resign"]) $(name).disabled = asleep || (now.status === "over" && name !== "#undo");
  $("#sgf").hidden = now.task?.game !== "go";
  code.take(now);
}

async function place(now) {
  const mine = position && now.moves.length > position.moves.length ? now.moves.at(-1) : null;
  position = now;
  view = null;
  looked = null;
  board.from = null;
  const last = now.moves.length - 1, players = now.names?.length ?? 2, whose = now.names?.[now.turn] ?? `player ${now.turn + 1}`;
  const words = now.result ? `${now.result}.` : now.you ? "Your move." : `${whose} is to move.`;
  $("#turn").textContent = words;
  $("#again").hidden = !now.rewards;
  say(`${mine ? `${now.names?.[now.seats?.[last]] ?? "the other"} played ${mine}. ` : ""}${words}`);
  $("#moves").textContent = now.moves.map((move, i) => (i % players ? move : `${i / players + 1}. ${move}`)).join("  ");
  $("#text").textContent = now.text;
  board.haunt("");
  const drawn = board.show(now.svg, `board after ${now.moves.length} moves`, now.text);
  draw();
  await drawn;
}

const candidates = (seen = view) => (seen?.rows ?? []).filter((row) => row.visits > 0);

function draw() {
  if (!position) return;
  const shown = $("#view").checked ? candidates().slice(0, 12) : [], most = Math.max(1, ...shown.map((row) => row.visits));
  const total = shown.reduce((sum, row) => sum + row.visits, 0) || 1;
  const rows = new Map(shown.map((row) => [row.move, row]));
  const moves = position.legal.map(({ move, points }) => {
    const row = rows.get(move);
    return { move, points, view: row && {
      share: row.visits / most, best: row.move === view.best, value: shownValue(row),
      name: `${move}: ${worth(row)}, ${short(row.visits)} visits, ${Math.round(100 * row.visits / total)}% of them`,
    } };
  });
  board.spots(position.you || !position.rewards ? moves : [], play, look);
  if (position.last?.length) board.mark(position.last, "last");
  const buttons = position.legal.filter(({ points }) => !points.length);
  $("#buttons").replaceChildren(...buttons.map(({ move }) => make("button", { type: "button", click: () => play(move) }, move)));
  $("#typed").hidden = !written;
  $("#typed").textContent = `typed: ${written}`;
}

const percent = (value) => `${(100 * value).toFixed(1)}%`;
let shares = true; // whether values are chances, from 0 to 1
const whole = () => shares;
const proof = (value) => (value >= 1 ? "win" : value <= 0 ? "loss" : "draw");
const worth = ({ value, proven }) => (proven === null || proven === undefined ? (whole() ? percent(value) : number(value)) : whole() ? `✓ ${proof(proven)}` : `✓ ${number(proven)}`);
const shownValue = (row) => (row.proven !== null && row.proven !== undefined ? (whole() ? { win: "✓", loss: "✗", draw: "=" }[proof(row.proven)] : number(row.proven, 0)) : whole() ? Math.round(100 * row.value) : number(row.value, 1));

function think(seen) {
  $("#no-view").hidden = true;
  shares = seen.rows.every((row) => row.value >= -1e-9 && row.value <= 1 + 1e-9);
  if (seen.done && yours(seen) !== null) chances.set(seen.moves, yours(seen));
  const mine = yours(seen), names = position.names ?? ["you", "the search"];
  $("#winbar").hidden = mine === null;
  if (mine !== null) {
    const [left, right] = $("#winbar").children;
    left.style.flexBasis = `${100 * mine}%`;
    left.textContent = percent(mine);
    right.textContent = percent(1 - mine);
    $("#winbar").setAttribute("aria-label", `your chances ${percent(mine)}`);
    const before = chances.get(seen.moves - 2), tick = $("#winbar i");
    tick.hidden = before === undefined;
    if (before !== undefined) { tick.style.left = `${100 * before}%`; tick.title = `two moves ago ${percent(before)}`; }
  }
  const kept = seen.kept ? ` (${short(seen.kept)} of them kept)` : "", who = seen.player === position.seat ? "you" : names[seen.player] ?? "";
  $("#cost").textContent = `${short(seen.simulations)} visits${kept}, ${short(seen.rate)} a second, ${short(seen.nodes)} nodes; values for ${who}`;
  $("#variation").textContent = seen.variation?.length ? `expected: ${seen.variation.join(" ")}` : "";
  const rows = candidates(seen), most = Math.max(1, ...rows.map((row) => row.visits));
  $("#rows").closest(".scroll").hidden = rows.length === 0;
  $("#rows").replaceChildren(...rows.slice(0, 12).map((row) => {
    const bar = make("i");
    bar.style.width = `${100 * row.visits / most}%`;
    return make("tr", { class: row.move === seen.best && "best" }, make("td", {}, row.move), make("td", { class: "bar" }, bar), make("td", {}, short(row.visits)), make("td", {}, worth(row)));
  }));
  const points = [...chances].sort(([a], [b]) => a - b);
  $("#graph").hidden = points.length < 2;
  if (points.length >= 2) $("lab-curve").show([{ name: "your chances", points }], { axis: "moves", bounds: [0, 1], empty: "No view yet." });
}

/** What a view is worth to the person, from 0 to 1; null if it cannot be said so. */
function yours({ value, player, rows }) {
  if ((position?.names?.length ?? 2) !== 2 || !(value >= 0 && value <= 1) || rows.some((row) => row.value < 0 || row.value > 1)) return null;
  return player === position.seat ? value : 1 - value;
}

function evaluation() {
  if (!view) return "no view yet";
  const mine = yours(view), best = candidates()[0];
  return `${mine === null ? `value ${number(view.value)}` : `your chances ${percent(mine)}`}, best ${view.best}${best ? `, ${worth(best)}` : ""}, expected ${view.variation?.slice(0, 5).join(" ") ?? ""}`;
}

function play(move) {
  written = "";
  if (!position.you && summary?.status !== "ready") return;
  command(id, "play", { move });
}

const askLine = calm((moves) => { if (looked === moves[0]) command(id, "variation", { moves }); }, 180);

function look(move) {
  looked = move;
  if (move === null || !$("#view").checked || !view) { board.haunt(""); board.number([]); return; }
  askLine(move === view.best && view.variation?.[0] === move ? view.variation.slice(0, 8) : [move]);
}

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", " ": "use" };

/** Keys that begin a legal move are the move's; in video games, arrows and blank. */
function typeMove(event) {
  const arrow = ARROWS[event.key];
  if (arrow && position?.you && position.legal.some(({ move }) => move === arrow) && !event.target.closest?.("button, summary, a")) {
    play(arrow);
    return true;
  }
  if (!position?.you || event.key.length !== 1 && event.key !== "Enter" || event.key === " ") return false;
  const bare = (text) => text.replace(/\s+/g, "").toLowerCase();
  const all = position.legal.map(({ move }) => move);
  if (event.key === "Enter") {
    const exact = all.find((move) => bare(move) === written);
    if (!exact || !written) return false;
    play(exact);
    return true;
  }
  const longer = written + event.key.toLowerCase(), fits = all.filter((move) => bare(move).startsWith(longer));
  if (!fits.length) { if (written) { written = ""; draw(); } return false; }
  if (fits.length === 1 && bare(fits[0]) === longer) play(fits[0]);
  else { written = longer; draw(); }
  return true;
}
