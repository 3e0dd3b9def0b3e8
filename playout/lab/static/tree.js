// <lab-tree>: the top of a search tree, a list in a list; what was unfolded stays so.
import { make, number, short } from "./elements.js";

export class LabTree extends HTMLElement {
  open = new Set();

  /** Branches: move, player, visits, share, value, proven, main, branches, more. */
  show(branches) { this.replaceChildren(branches.length ? this.list(branches, "") : make("p", { class: "soft" }, "The tree has only its root.")); }

  list(branches, above) {
    return make("ul", { role: "list" }, ...branches.map((branch) => this.item(branch, `${above} ${branch.move}`)));
  }

  item(branch, path) {
    const row = make("div", { class: "branch" }, make("span", { class: branch.main && "main" }, branch.move), make("span", { class: `c${branch.player % 8}` }, bar(branch.share)),
      make("span", {}, `${short(branch.visits)} visits`), make("span", {}, worth(branch)));
    if (!branch.branches?.length) return make("li", {}, row);
    const open = this.open.has(path) || (branch.main && !this.open.has(`-${path}`));
    const fold = make("details", { open, toggle: () => { this.open.delete(`${fold.open ? "-" : ""}${path}`); this.open.add(`${fold.open ? "" : "-"}${path}`); } },
      make("summary", { "aria-label": `${branch.move}, ${short(branch.visits)} visits, ${worth(branch)}` }, row), this.list(branch.branches, path));
    row.style.display = "inline-grid";
    return make("li", {}, fold);
  }
}

function bar(share) {
  const node = make("i");
  node.style.width = `${Math.round(100 * share)}%`;
  return node;
}

const worth = ({ value, proven }) => (proven === null || proven === undefined ? value.toFixed(3) : `proven ${number(proven)}`);

customElements.define("lab-tree", LabTree);
