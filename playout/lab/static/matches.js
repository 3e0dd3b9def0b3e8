// Matches: transcripts with their scores, live while they are played; each game stepped through.
import { $, ask, complain, frame, part, watch } from "./common.js";
import { make, number } from "./elements.js";
import "./board.js";
import "./film.js";

frame("matches");
const match = part(1), game = part(2), film = $("lab-film");
const VERDICTS = { H0: "not stronger", H1: "stronger" };
const tested = (sprt) => (sprt ? VERDICTS[sprt.decision] ?? `open, ${number(sprt.llr, 2)}` : "");
const fail = (error) => $("#list").replaceChildren(make("p", { class: "error" }, error.message), make("a", { href: "/matches" }, "All matches"));
try {
  if (match === null) all(await ask("/api/matches"));
  else {
    one(await ask(`/api/matches/${match}`));
    watch(`/api/matches/${match}/events`, (update) => (update.match ? one(update.match) : complain(update.error)));
  }
  if (game !== null) show(await ask(`/api/matches/${match}/${game}/film`));
} catch (error) { fail(error); }

function table(words, rows) {
  return make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...words.map((word) => make("th", { scope: "col" }, word)))), make("tbody", {}, ...rows)));
}

function all({ transcripts, folders }) {
  if (!transcripts.length) {
    $("#list").replaceChildren(make("div", { class: "empty" }, make("h2", {}, "No transcript."),
      make("p", { class: "soft" }, folders ? "There is none in the folders that the lab was given." : "Name folders with transcripts when the lab starts:"), make("pre", {}, "playout match hex uct rave --games 100 --record matches/hex.jsonl\nplayout lab matches/")));
    return;
  }
  const range = (pair) => (pair ? `${number(pair[0], 2)} to ${number(pair[1], 2)}` : "");
  $("#list").replaceChildren(table(["match", "game", "games", "score", "95% interval", "SPRT 0 : 10 Elo"], transcripts.map((one) => make("tr", {},
    make("td", {}, make("a", { href: `/matches/${one.number}` }, one.name), make("div", { class: "hint" }, one.error || (one.players ?? []).join(" against "))),
    ...[one.game ?? "", number(one.games), number(one.score), range(one.interval), tested(one.sprt)].map((text) => make("td", {}, text))))));
}

function one(found) {
  $("#title").textContent = found.name ?? `Match ${match}`;
  const words = (pair) => (pair ?? []).join(" against ");
  $("#list").replaceChildren(make("pre", { class: "standing", tabindex: "0", "aria-label": "how the match stands" }, found.text),
    table(["game", "players", "moves", "result"], found.list.map((entry) => make("tr", { class: String(entry.game) === game && "best" },
      make("td", {}, make("a", { href: `/matches/${match}/${entry.game}`, "aria-current": String(entry.game) === game && "page" }, `game ${entry.game + 1}`)),
      ...[words(entry.players), number(entry.moves), (entry.rewards ?? []).map((value) => number(value)).join(" : ")].map((text) => make("td", {}, text))))));
}

function show(found) {
  $("#game").hidden = false;
  $("#list").parentElement.classList.remove("wide");
  $("#game-title").textContent = `Game ${Number(game) + 1}`;
  film.take({
    steps: found.steps,
    show: async (board, at) => {
      const answer = await fetch(`/api/matches/${match}/${game}/film/${at}.svg`);
      await board.show(answer.ok ? await answer.text() : "", `board after ${at} moves`, found.steps[at].text);
    },
  });
  $("#analyse").addEventListener("click", () => {
    const from = { match: Number(match), game: Number(game), move: film.at };
    ask("/api/tasks", { kind: "game", from }).then(({ page }) => location.assign(`${page}#analyse`), (error) => complain(error.message));
  });
  document.addEventListener("keydown", (event) => film.key(event));
}
