// The page of a video game that was played: each tick's sprites on a canvas, from what it changed.
const data = JSON.parse(document.getElementById("film").textContent);
const film = document.querySelector("lab-film");
const canvas = make("canvas", { width: data.width, height: data.height, role: "img" });
const pen = canvas.getContext("2d");
let at = -1, sprites = new Map();

function sprite([kind, x, y]) {
  pen.fillStyle = data.colours[kind];
  pen.fillRect(x, y, data.block, data.block);
}

function draw(board, tick) {
  if (!canvas.isConnected) {
    board.stage.replaceChildren(canvas);
    board.stage.style.setProperty("--ratio", data.width / data.height);
  }
  if (tick < at) [at, sprites] = [-1, new Map()];
  while (at < tick) {
    const [made, gone] = data.changes[++at];
    for (const serial of gone) sprites.delete(serial);
    for (const [serial, ...rest] of made) sprites.set(serial, rest);
  }
  pen.fillStyle = "#000";
  pen.fillRect(0, 0, data.width, data.height);
  const all = data.still.concat([...sprites.values()]);
  for (const kind of data.order) all.filter((one) => one[0] === kind).forEach(sprite);
  canvas.setAttribute("aria-label", note(tick));
}

function note(tick) {
  const [score, ended, won] = data.notes[tick], next = data.decisions[tick];
  let text = `tick ${tick} of ${data.notes.length - 1}, score ${score}`;
  if (ended) text += won ? ", won" : ", lost";
  if (!next) return text;
  const [move, simulations, calls, value, late] = next;
  return `${text}; then ${move} (${simulations} simulations, ${calls} calls, value ${value}${late ? ", late" : ""})`;
}

film.take({
  steps: data.notes.map((_, tick) => ({ move: data.decisions[tick]?.[0] ?? "", points: [], note: note(tick) })),
  show: draw, every: 80,
});
document.addEventListener("keydown", (event) => film.key(event));
film.begin();
