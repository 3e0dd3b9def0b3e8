// One run of the store: its figures, its curve, and what it found move by move.
import { $, ask, frame } from "./common.js";
import { make, number } from "./elements.js";
import "./board.js";
import "./curve.js";
import "./film.js";

frame("store");
const here = location.pathname, api = `/api${here}`, film = $("lab-film");
$("#back").href = here.replace(/\/runs\/[0-9]+$/, "");
try {
  await show(await ask(api));
} catch (error) {
  $("#error").textContent = error.message;
  $("#error").hidden = false;
}

async function show(run) {
  document.title = `${run.cell} · Playout lab`;
  $("#title").textContent = run.cell;
  const figures = [["score", number(run.score)], ["playouts", number(run.playouts)], ["seconds", run.seconds.toFixed(1)], ["seed", String(run.seed)], ["replay", run.verified ? "agrees" : "differs"]];
  $("#figures").replaceChildren(...figures.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
  $("#finished").textContent = `finished ${run.finished.slice(0, 16).replace("T", " ")}`;
  const points = run.curve.map(([, playouts, score]) => [playouts, score]);
  $("lab-curve").show([{ name: "score", steps: true, points: [...points, [run.playouts, run.score]] }], { axis: "playouts", log: true, empty: "No curve." });
  if (!run.film) return;
  const found = await ask(`${api}/film`).catch((error) => ({ note: error.message, steps: null }));
  $("#solution").hidden = false;
  $("#note").textContent = found.note;
  film.hidden = !found.steps;
  if (!found.steps) return;
  film.take({
    steps: found.steps,
    show: async (board, at) => {
      const answer = await fetch(`${api}/film/${at}.svg`);
      await board.show(answer.ok ? await answer.text() : "", `board after ${at} moves`, found.steps[at].text);
    },
  });
  document.addEventListener("keydown", (event) => film.key(event));
}
