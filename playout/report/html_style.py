"""The look of a report's page, and the script that shows the curves' values at the pointer.

The page is complete without the script. It has no reference to anything outside of it.
"""

from __future__ import annotations

STYLE = """
:root{color-scheme:light dark;--page:#fff;--ink:#1f2328;--soft:#59636e;--rule:#d1d9e0;
--head:#f4f6f8;--stripe:#fafbfc;--better:#0a6b50;--better-ground:#dff3ec;
--worse:#a83c00;--worse-ground:#fdeadf;--equal:#59636e;--equal-ground:#eceff2;--warn:#fff4d6}
@media screen and (prefers-color-scheme:dark){:root{--page:#14181d;--ink:#e6edf3;--soft:#9da7b3;
--rule:#343b44;--head:#1e242b;--stripe:#191e24;--better:#4fd6ac;--better-ground:#12362c;
--worse:#ff9a66;--worse-ground:#432313;--equal:#aab4bf;--equal-ground:#2a3139;--warn:#3b3110}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem clamp(1rem,3vw,2.5rem) 4rem;max-width:90rem;
background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
h1{font-size:1.7rem;line-height:1.25;margin:0 0 .4rem}
h2{font-size:1.25rem;line-height:1.3;margin:0 0 .4rem}
p{margin:.3rem 0;max-width:75ch;overflow-wrap:anywhere}
.soft{color:var(--soft)}
a{color:inherit;text-decoration-color:var(--soft);text-underline-offset:.2em}
nav ul{list-style:none;margin:1rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1.4rem}
section{margin-top:2.6rem;scroll-margin-top:1rem}
section li{overflow-wrap:anywhere;max-width:85ch}
.warnings{background:var(--warn);border-radius:.5rem;padding:.7rem 1rem;margin-top:1rem}
.warnings ul{margin:.2rem 0 0;padding-left:1.2rem}
.scroll{position:relative;overflow:auto;max-height:min(85vh,60rem);margin:.9rem 0 .5rem;
border:1px solid var(--rule);border-radius:.5rem;width:fit-content;max-width:100%}
table{border-collapse:separate;border-spacing:0;font-size:.9rem;font-variant-numeric:tabular-nums}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:.28rem .7rem;text-align:right;white-space:nowrap;font-weight:400}
thead th{background:var(--head);position:sticky;z-index:2;font-weight:600}
thead tr:first-child th{top:0;height:2.1rem}
thead tr:nth-child(2) th{top:2.1rem;font-weight:400;color:var(--soft);font-size:.82rem}
thead tr:last-child th,thead th[rowspan]{border-bottom:1px solid var(--rule)}
th.group{text-align:center;max-width:22rem;overflow:hidden;text-overflow:ellipsis}
th.line{text-align:left;position:sticky;left:0;z-index:1;background:var(--head);
border-right:1px solid var(--rule);max-width:18rem;overflow:hidden;text-overflow:ellipsis}
thead th.line{z-index:3;vertical-align:bottom}
.first{border-left:1px solid var(--rule)}
tbody tr:nth-child(even) td{background:var(--stripe)}
tbody tr:hover td{background:var(--head)}
.spread,.theirs,.runs{color:var(--soft)}
.spread{display:inline-block;text-align:left}
.theirs .value{color:var(--ink)}
.mark{display:inline-block;min-width:1.25em;margin-left:.4em;border-radius:.25em;text-align:center;
font-weight:700;line-height:1.25}
.mark.none{visibility:hidden}
.better{color:var(--better);background:var(--better-ground)}
.equal{color:var(--equal);background:var(--equal-ground)}
.worse{color:var(--worse);background:var(--worse-ground)}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;list-style:none;padding:0;margin:.4rem 0;
font-size:.9rem}
.legend .mark{margin:0 .5em 0 0}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.pictures{display:grid;gap:1rem;margin-top:1rem;
grid-template-columns:repeat(auto-fit,minmax(min(100%,34rem),1fr))}
figure{margin:0;position:relative;max-width:56rem;overflow-x:auto}
figure svg{display:block;width:100%;min-width:30rem}
.readout{position:absolute;top:2.2rem;z-index:4;pointer-events:none;background:var(--page);
border:1px solid var(--rule);border-radius:.4rem;padding:.3rem .6rem;font-size:.78rem;
line-height:1.35;box-shadow:0 2px 10px #0003;font-variant-numeric:tabular-nums;opacity:.96}
.readout div{display:flex;justify-content:space-between;gap:1.2em}
.pointer{stroke:var(--soft);stroke-dasharray:3 3;pointer-events:none}
footer{margin-top:3rem;color:var(--soft);font-size:.85rem}
@page{size:landscape;margin:12mm}
@media print{body{max-width:none;padding:0;font-size:10pt}nav,.readout{display:none}
.scroll{max-height:none;overflow:visible;border:0}thead th,th.line{position:static}
table{font-size:var(--print)}th,td{padding:.2em .5em}
thead tr:first-child th,thead tr:nth-child(2) th{font-size:inherit;height:auto}
.tight .spread{display:block;text-align:right}.tight .ours{position:relative}
.tight .ours:has(.mark){padding-right:2em}
.tight .ours .mark{position:absolute;right:.3em;top:.3em;margin:0}
figure{max-width:170mm}figure svg{min-width:0}
.pictures{grid-template-columns:1fr 1fr}.pictures :only-child{grid-column:1/3}
section{margin-top:1.5rem}tr,figure,.legend{break-inside:avoid}h2,p{break-after:avoid}
.mark{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""

SCRIPT = """
"use strict";
for (const chart of document.querySelectorAll("svg.chart")) {
  const spots = [...chart.querySelectorAll("g.curve")].map(
    (curve) => [curve, [...curve.querySelectorAll("circle")]]);
  if (!spots.length) continue;
  const box = document.createElement("div");
  box.className = "readout";
  box.hidden = true;
  chart.parentNode.append(box);
  const pointer = document.createElementNS("http://www.w3.org/2000/svg", "path");
  pointer.setAttribute("class", "pointer");
  chart.append(pointer);
  const axis = chart.querySelector(".axis").getBBox();
  const top = 40, place = (spot) => Number(spot.getAttribute("cx"));
  const hide = () => { box.hidden = true; pointer.removeAttribute("d"); };
  chart.addEventListener("pointerleave", hide);
  chart.addEventListener("pointermove", (event) => {
    const frame = chart.getBoundingClientRect();
    const scale = chart.viewBox.baseVal.width / frame.width;
    const x = (event.clientX - frame.left) * scale;
    if (x < axis.x - 8 || x > axis.x + axis.width + 8) return hide();
    const near = spots.map(([curve, circles]) => [curve, circles.reduce(
      (a, b) => Math.abs(place(b) - x) < Math.abs(place(a) - x) ? b : a)]);
    const best = near.reduce(
      (a, b) => Math.abs(place(b[1]) - x) < Math.abs(place(a[1]) - x) ? b : a)[1];
    const at = place(best);
    const lines = near.filter(([, spot]) => Math.abs(place(spot) - at) < 12)
      .sort(([, a], [, b]) => a.getAttribute("cy") - b.getAttribute("cy"));
    const head = document.createElement("strong");
    head.textContent = best.dataset.at;
    box.replaceChildren(head, ...lines.map(([curve, spot]) => {
      const line = document.createElement("div"), name = document.createElement("span");
      name.textContent = "\\u25cf " + curve.dataset.name;
      name.style.color = getComputedStyle(curve).color;
      const value = document.createElement("span");
      value.textContent = spot.dataset.value;
      line.append(name, value);
      return line;
    }));
    pointer.setAttribute("d", `M${at} ${top}V${axis.y}`);
    box.hidden = false;
    const left = at / scale;
    box.style.left = (left + box.offsetWidth + 24 < frame.width
      ? left + 12 : Math.max(0, left - box.offsetWidth - 12)) + "px";
  });
}
"""
