// Forms made of what the lab knows: problems, instances, algorithms, games and their options.
import { ask, complain } from "./common.js";
import { make } from "./elements.js";

/** A field with its name. */
export function field(words, node, hint = "") {
  return make("label", { title: hint || null }, words, node);
}

/** A list to choose from, of [value, words]. */
export function choice(name, entries, chosen) {
  return make("select", { name }, ...entries.map(([value, words]) =>
    make("option", { value, selected: String(value) === String(chosen) }, words ?? value)));
}

/** A field for each option; `values()` has those that were changed. */
export function optionFields(options, chosen = {}) {
  const inputs = options.map((option) => [option, optionInput(option, chosen[option.name])]);
  const node = make("div", { class: "options" }, ...inputs.map(([option, input]) =>
    field(option.name, input, [option.help, option.expected].filter(Boolean).join("; "))));
  node.values = () => Object.fromEntries(inputs.filter(([option, input]) => input.value !== "" && input.value !== usual(option))
    .map(([option, input]) => [option.name, typed(option, input.value)]));
  node.hidden = options.length === 0;
  return node;
}

const usual = ({ default: value }) => (value === null || value === undefined ? "" : Array.isArray(value) ? value.join(",") : String(value));

function optionInput(option, chosen) {
  const value = chosen === undefined ? usual(option) : usual({ default: chosen });
  if (option.choices) return choice(option.name, option.choices.map((one) => [one, one]), value);
  if (option.kind === "bool") return choice(option.name, [["true", "yes"], ["false", "no"]], value);
  const numeric = (option.kind === "int" || option.kind === "float") && !option.levels;
  return make("input", {
    name: option.name, type: numeric ? "number" : "text", step: option.kind === "float" ? "any" : null,
    min: numeric ? option.low : null, max: numeric ? option.high : null, size: 10, value, placeholder: usual(option) || "none",
  });
}

function typed(option, text) {
  if (option.kind === "bool") return text === "true";
  return (option.kind === "int" || option.kind === "float") && !option.levels ? Number(text) : text;
}

/** A problem with its instance and options. `task()` is the part of a task that says it. */
export function problemFields(known, chosen = {}, changed = () => {}) {
  const problems = choice("problem", known.problems.map(({ name }) => [name]), chosen.problem ?? "samegame");
  const about = make("p", { class: "hint" }), more = make("div"), place = make("span");
  let instance, seed, options, uploaded = null;
  const node = make("div", { class: "row ends" }, field("problem", problems), place);
  const build = (first) => {
    const problem = known.problems.find(({ name }) => name === problems.value);
    const given = first ? chosen.instance ?? null : null;
    about.textContent = problem.about;
    const listed = (problem.instances ?? []).map((one) => [`listed ${one.number}`, one.name]);
    const entries = [["", "the default one"], ...(problem.random ? [["random", "drawn at random"]] : []), ...listed, ...(problem.upload ? [["upload", "a file of mine …"]] : [])];
    const value = given?.random !== undefined ? "random" : given?.listed !== undefined ? `listed ${given.listed}` : "";
    instance = choice("instance", entries, value);
    seed = make("input", { type: "number", name: "drawn", min: 0, value: given?.random ?? 1 });
    const seedField = field("drawn by seed", seed);
    const file = make("input", { type: "file", "aria-label": "instance file", change: () => upload(problem, file) });
    const show = () => { seedField.hidden = instance.value !== "random"; file.hidden = instance.value !== "upload"; };
    instance.addEventListener("change", show);
    show();
    place.className = "row ends";
    place.replaceChildren(field("instance", instance), seedField, file);
    options = optionFields(problem.options ?? [], first ? chosen.problem_options : {});
    more.replaceChildren(...(options.hidden ? [] : [make("h3", {}, `Options of ${problem.name}`), options]));
    changed();
  };
  const upload = async (problem, file) => {
    try {
      const [one] = file.files;
      uploaded = (await ask("/api/uploads", { problem: problem.name, name: one.name, text: await one.text() })).upload;
      changed();
    } catch (error) { complain(error.message); }
  };
  problems.addEventListener("change", () => { uploaded = null; build(false); });
  build(true);
  return {
    node, about, more,
    task: () => {
      const [kind, entry] = instance.value.split(" ");
      const which = { random: { random: Number(seed.value) }, listed: { listed: Number(entry) }, upload: uploaded === null ? null : { upload: uploaded } };
      return { problem: problems.value, instance: which[kind] ?? null, problem_options: options.values() };
    },
  };
}

/** An algorithm with its options. */
export function algorithmFields(known, chosen = {}, changed = () => {}) {
  const usualOne = known.algorithms.find(({ recommended }) => recommended)?.name;
  const algorithms = choice("algorithm", known.algorithms.map(({ name }) => [name]), chosen.algorithm ?? usualOne);
  const about = make("p", { class: "hint" }), more = make("div");
  let options;
  const build = (first) => {
    const algorithm = known.algorithms.find(({ name }) => name === algorithms.value);
    about.textContent = algorithm.about;
    options = optionFields(algorithm.options ?? [], first ? chosen.options : {});
    more.replaceChildren(...(options.hidden ? [] : [make("h3", {}, `Options of ${algorithm.name}`), options]));
    changed();
  };
  algorithms.addEventListener("change", () => build(false));
  build(true);
  return { node: field("algorithm", algorithms), about, more, task: () => ({ algorithm: algorithms.value, options: options.values() }) };
}

/** A number that may be left out. */
export function count(name, value, attributes = {}) {
  return make("input", { type: "number", name, value, min: 0, step: "any", ...attributes });
}

/** The numbers of some fields that are filled in. */
export function filled(inputs) {
  return Object.fromEntries(inputs.filter((input) => input.value !== "").map((input) => [input.name, Number(input.value)]));
}
