// What every page needs: the API, one stream of events, the frame with its keys, words read out.
import { make } from "./elements.js";

export const $ = (selector, root = document) => root.querySelector(selector);

/** Ask the lab; an answer that is an error is thrown with its sentence. */
export async function ask(path, body) {
  const how = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(path, how);
  } catch {
    throw new Error("The lab does not answer.");
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(data.error ?? answer.statusText), { status: answer.status });
  return data;
}

/** Send a command to a task, and show what it refuses. */
export async function command(id, what, more = {}) {
  try {
    return await ask(`/api/tasks/${id}`, { command: what, ...more });
  } catch (error) {
    complain(error.message);
    return null;
  }
}

/**
 * Watch a stream. It is closed while nobody sees the page, and tried again while the lab is away;
 * `gone` is called if there is no such thing.
 */
export function watch(path, take, gone = () => {}) {
  let source = null, timer = null, ended = false;
  const lost = (is) => { $("#lost").hidden = !is; };
  const close = () => { clearTimeout(timer); source?.close(); source = null; };
  const open = () => {
    if (source || document.hidden || ended) return;
    source = new EventSource(path);
    source.onopen = () => lost(false);
    source.onmessage = (message) => { lost(false); take(JSON.parse(message.data)); };
    source.onerror = () => {
      lost(true);
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      fetch(path.replace(/\/events$/, "")).then((answer) => {
        if (answer.status === 404) { ended = true; lost(false); gone(); }
      }).catch(() => {});
      timer = setTimeout(open, 1000);
    };
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}

// A task: `head` is told its summary whenever that or its status changes, `take` all that is new of it.
export function watchTask(id, head, take, gone) {
  let summary = null;
  const tell = (now) => { summary = now; head(now); };
  watch(`/api/tasks/${id}/events`, (update) => {
    if (update.summary) tell(update.summary);
    if (update.status && summary) tell({ ...summary, status: update.status });
    take(update);
  }, gone);
}

let spoken = 0;
/** Have something read out; what is not urgent waits for ten seconds of silence. */
export function say(words, urgent = true) {
  const now = performance.now();
  if (!urgent && now - spoken < 10_000) return;
  spoken = now;
  $("#said").textContent = words;
}

export function complain(words) {
  const note = $("#complaint");
  note.querySelector("span").textContent = words;
  note.hidden = false;
  say(words);
}

const PAGES = [
  ["search", "Search", "s"], ["play", "Play", "p"], ["compare", "Compare", "c"],
  ["store", "Store", "t"], ["papers", "Papers", "a"], ["matches", "Matches", "m"],
];
const keys = [];
let typing = null;

/** What a page does with keys before all others: moves that are typed. */
export function typed(take) { typing = take; }

/** A key of this page: what it does, and the words of the list that `?` shows. */
export function key(name, words, act) { keys.push({ name, words, act }); }

/** The frame of a page: head, notes, keys. */
export function frame(current) {
  const links = PAGES.map(([name, words]) => make("a", { href: `/${name}`, "aria-current": name === current && "page" }, words));
  const theme = make("button", { type: "button", class: "plain", click: turnTheme, "aria-label": "light or dark", title: "light or dark" }, "◐");
  const help = make("button", { type: "button", class: "plain", click: showKeys, "aria-label": "keys", title: "keys (?)" }, "?");
  const mark = make("a", { class: "mark-home", href: "/", "aria-current": current === "home" && "page" },
    make("img", { src: "/static/icon.svg", alt: "", width: 26, height: 26 }), make("b", {}, "Playout"), " lab");
  document.body.prepend(
    make("a", { class: "skip", href: "#main" }, "To the content"),
    make("header", {}, mark, make("nav", { "aria-label": "Pages" }, ...links), make("span", { class: "tools" }, theme, help)),
    make("p", { id: "lost", class: "banner", role: "alert", hidden: true }, "The lab does not answer. It is tried again …"),
    make("p", { id: "complaint", class: "banner", hidden: true }, make("span"), " ",
      make("button", { type: "button", class: "plain", click: () => { $("#complaint").hidden = true; } }, "Close")),
    make("p", { id: "said", class: "hidden", role: "status", "aria-live": "polite" }),
  );
  let before = "";
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input:not([type=range]):not([type=checkbox]), select, textarea, dialog")) return;
    if (typing?.(event)) { before = ""; return event.preventDefault(); }
    const pressed = before === "g" ? `g ${event.key}` : event.key;
    before = event.key;
    const found = keys.find(({ name }) => name.split(" or ").includes(pressed));
    if (found && found.act(event) !== false) event.preventDefault();
  });
  key("?", "this list", showKeys);
  key("/", "the first field of the form", () => $("form select, form input")?.focus());
  key("g h", "home", () => location.assign("/"));
  for (const [name, words, letter] of PAGES) key(`g ${letter}`, words, () => location.assign(`/${name}`));
}

function turnTheme() {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark"
    || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("theme", document.documentElement.dataset.theme); } catch { /* for this page only */ }
}

const NAMES = { ArrowLeft: "←", ArrowRight: "→", " ": "space", Backspace: "⌫", Escape: "Esc" };

function showKeys() {
  $("#keys")?.remove();
  const rows = keys.filter(({ words }) => words).map(({ name, words }) => make("tr", {}, make("td", {}, make("kbd", {}, NAMES[name] ?? name)), make("td", {}, words)));
  const list = make("dialog", { id: "keys", "aria-labelledby": "keys-title" }, make("h2", { id: "keys-title" }, "Keys"),
    make("table", {}, make("tbody", {}, ...rows)), make("form", { method: "dialog" }, make("button", { class: "main" }, "Close")));
  document.body.append(list);
  list.showModal();
}

const STATUS = {
  waiting: "waits for a core", starting: "starting", compiling: "compiling, once", running: "running", stopping: "stopping",
  paused: "paused", finished: "finished", failed: "failed", killed: "its process was killed", ready: "your move",
  thinking: "thinking", over: "over", closed: "closed",
};
export const AT_WORK = new Set(["waiting", "starting", "compiling", "running", "stopping", "thinking"]);

/** A status for a person, and its look. */
export function showStatus(node, status, words) {
  node.className = "status";
  node.dataset.status = status;
  node.textContent = words ?? STATUS[status] ?? status;
}

/** A command line and its Python, each to be copied. */
export function commandBox() {
  const code = make("code"), box = make("pre", { tabindex: "0", "aria-label": "command" }, code);
  const texts = { command: "", python: "" };
  let shown = "command";
  const choose = (name) => () => { shown = name; draw(); };
  const tabs = Object.fromEntries([["command", "Command"], ["python", "Python"]].map(([name, words]) =>
    [name, make("button", { type: "button", class: "plain", click: choose(name) }, words)]));
  const copy = make("button", { type: "button", class: "plain", click: async () => {
    await navigator.clipboard?.writeText(texts[shown]).catch(() => {});
    copy.textContent = "Copied";
    say("copied");
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  } }, "Copy");
  const draw = () => {
    code.textContent = texts[shown];
    for (const [name, tab] of Object.entries(tabs)) tab.setAttribute("aria-pressed", name === shown);
  };
  const node = make("div", { class: "command" }, make("div", { class: "row" }, tabs.command, tabs.python, copy), box);
  node.take = ({ command: line, python }) => { Object.assign(texts, { command: line ?? "", python: python ?? "" }); draw(); };
  draw();
  return node;
}

/** What a page's address says after its name: `/search/3` has 3, `/search` nothing. */
export const part = (number) => location.pathname.split("/")[number + 1] || null;

/** Call at most so often, and always with the last. */
export function calm(act, wait) {
  let timer = null;
  return (...given) => { clearTimeout(timer); timer = setTimeout(() => act(...given), wait); };
}

let known = null;
export const whatIsKnown = () => (known ??= ask("/api/known"));

/** The form of a page, and all that can be named in it; `alone` where the page has nothing else. */
export async function openForm(alone) {
  const box = $("#form-box"), form = $("#start");
  form.replaceChildren(make("p", { class: "soft" }, "one moment …"));
  if (alone) {
    box.open = true;
    box.classList.add("only");
    $("summary", box).tabIndex = -1;
  }
  return { known: await whatIsKnown(), form };
}
