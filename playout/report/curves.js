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
      name.textContent = "\u25cf " + curve.dataset.name;
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
