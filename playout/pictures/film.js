// <lab-film>: a sequence of moves, stepped through and replayed: picture, buttons, slider, moves.
//
// A film has `steps`, one a state: its `move` (the next one, empty at the end), the move's `points`
// and the state's `text`; and `show(board, number)`, which draws a state. `every` is the time of a
// step in milliseconds.
import { icon, make, still } from "./elements.js";

const ICONS = {
  back: "M10.5 3 5.5 8l5 5", on: "M5.5 3l5 5-5 5", play: "M5 3.2v9.6L12.5 8z", stop: "M5 3.5v9M11 3.5v9",
};
const SPEEDS = [["slow", 2.5], ["usual", 1], ["fast", 0.4], ["very fast", 0.15]];
const PAUSE = 1800; // before it begins again

export class LabFilm extends HTMLElement {
  film = null; at = 0; timer = null; loop = false;

  connectedCallback() {
    if (this.board) return;
    const button = (name, path, press) =>
      make("button", { type: "button", "aria-label": name, title: name, click: press }, icon(path));
    this.board = make("lab-board");
    this.back = button("one move back", ICONS.back, () => this.touch(this.at - 1));
    this.run = button("replay", ICONS.play, () => this.turn());
    this.on = button("one move on", ICONS.on, () => this.touch(this.at + 1));
    this.slider = make("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "move", input: () => this.touch(+this.slider.value) });
    this.speed = make("select", { "aria-label": "speed" }, ...SPEEDS.map(([name, factor]) => make("option", { value: factor, selected: factor === 1 }, name)));
    this.note = make("output", {});
    this.list = make("ol", { class: "moves", "aria-label": "moves" });
    this.words = make("pre", { tabindex: "0", "aria-label": "the board as text" });
    this.text = make("details", { class: "as-text", toggle: () => this.tell() }, make("summary", {}, "The board as text"), this.words);
    this.append(this.board, make("div", { class: "steps" }, this.back, this.run, this.on, this.slider, this.speed), this.note, this.list, this.text);
    this.list.addEventListener("click", (event) => {
      const chosen = event.target.closest("button");
      if (chosen) this.touch(+chosen.dataset.step);
    });
    this.addEventListener("keydown", (event) => this.key(event));
  }

  disconnectedCallback() { this.stop(); }

  /** Take another film; the replay goes on where it was, or at the start. */
  take(film) {
    this.connectedCallback();
    this.film = film;
    this.slider.max = this.last;
    this.list.replaceChildren(...film.steps.slice(0, -1).map(({ move }, step) =>
      make("li", {}, make("button", { type: "button", "data-step": step }, move))));
    this.text.hidden = !film.steps.some((step) => step.text);
    this.go(Math.min(this.at, this.last));
  }

  get last() { return this.film.steps.length - 1; }

  /** Show a state. */
  async go(step) {
    if (!this.film) return;
    this.at = Math.min(Math.max(0, step), this.last);
    this.slider.value = this.at;
    this.tell();
    const film = this.film, at = this.at;
    await film.show(this.board, at);
    if (film === this.film && at === this.at) this.board.mark(film.steps[at].points);
  }

  tell() {
    const step = this.film?.steps[this.at];
    if (!step) return;
    const words = step.note ?? (this.at === this.last ? `the end, after ${this.last} moves` : `move ${this.at + 1} of ${this.last}: ${step.move}`);
    this.note.textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
    this.back.disabled = this.at === 0;
    this.on.disabled = this.at === this.last;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const chip = this.list.children[this.at]?.firstChild;
    chip?.setAttribute("aria-current", "step");
    if (chip) this.list.scrollTop = Math.max(0, chip.offsetTop - this.list.offsetTop - this.list.clientHeight / 2);
    if (this.text.open) this.words.textContent = step.text;
  }

  /** A step that a person asked for: it ends the replay. */
  touch(step) { this.stop(); this.go(step); }

  turn() { if (this.timer) this.stop(); else this.play(); }

  /** Replay without being asked to: not where motion is not wanted. */
  begin(loop = false) { if (!still()) this.play(loop); }

  /** Replay from here, or from the start at the end; `loop`: again and again. */
  play(loop = false) {
    if (!this.film || this.timer) return;
    this.loop = loop;
    this.look("stop", "stop the replay");
    const next = () => {
      if (this.at >= this.last && !this.loop) return this.stop();
      const step = this.at >= this.last ? 0 : this.at + 1;
      if (!document.hidden) this.go(step);
      this.timer = setTimeout(next, step === this.last ? PAUSE : (this.film.every ?? 260) * this.speed.value);
    };
    if (this.at >= this.last) this.go(0);
    this.timer = setTimeout(next, (this.film.every ?? 260) * this.speed.value);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.loop = false;
    if (this.run) this.look("play", "replay");
  }

  look(name, words) {
    this.run.replaceChildren(icon(ICONS[name]));
    this.run.setAttribute("aria-label", words);
    this.run.title = words;
  }

  /** Keys: arrows, Home and End, space. Fields keep theirs. Whether the key was one of them. */
  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.film) return false;
    const target = event.target;
    if (target.matches?.("select, textarea, input:not([type=range])")) return false;
    if (event.key === " " && target.closest?.("button, summary, input, [role=button]")) return false;
    const steps = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last };
    if (event.key in steps) this.touch(steps[event.key]);
    else if (event.key === " ") this.turn();
    else return false;
    event.preventDefault();
    return true;
  }
}

customElements.define("lab-film", LabFilm);
