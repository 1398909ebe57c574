// Single points: found by the pointer or the keyboard, and described.

const REACH = 30; // pixels from the pointer
let points = [], active = -1; // those drawn, from left to right, and the one that is shown

// Facets are moved within the picture; after that points can be found by where the pointer is.
function locate(chart) {
  const offsets = new Map();
  for (const point of points) {
    if (!offsets.has(point.part)) {
      const { e, f } = point.part.getCTM();
      offsets.set(point.part, [e, f]);
    }
    const [x, y] = offsets.get(point.part);
    point.x += x;
    point.y += y;
  }
  points.sort((a, b) => a.x - b.x || a.y - b.y);
  chart.ariaHidden = "true";
}

function nearest(event) {
  const svg = byId("chart").querySelector("svg");
  if (!svg) return -1;
  const { left, top } = svg.getBoundingClientRect();
  const x = event.clientX - left, y = event.clientY - top;
  const found = d3.leastIndex(points, (a, b) => (a.x - x) ** 2 + (a.y - y) ** 2 - (b.x - x) ** 2 - (b.y - y) ** 2);
  return found >= 0 && Math.hypot(points[found].x - x, points[found].y - y) <= REACH ? found : -1;
}

// Show what is known of a point beside it.
function point(at, spoken = false) {
  const place = byId("chart"), svg = place.querySelector("svg"), tip = place.querySelector(".tip");
  active = at;
  svg?.querySelector(".active")?.remove();
  if (tip) tip.hidden = at < 0;
  if (!tip || at < 0) return;
  const { row, x, y } = points[at];
  svg.append(shape("circle", { class: "active", cx: x, cy: y, r: 9, fill: "none", stroke: "currentColor", "stroke-width": 2 }));
  const lines = described(row);
  tip.replaceChildren(make("b", {}, lines[0]), ...lines.slice(1).map((line) => make("div", {}, line)));
  tip.style.left = `${Math.max(0, Math.min(x + 14, place.clientWidth - tip.offsetWidth - 4))}px`;
  tip.style.top = `${y + 16 + tip.offsetHeight > place.clientHeight ? Math.max(0, y - tip.offsetHeight - 14) : y + 16}px`;
  if (spoken) place.querySelector("[aria-live]").textContent = lines.join(", ");
}

// The lines of a tip: algorithm, graph, every parameter, the values of the axes, interval, status and flags.
function described(row) {
  const text = (name) => written(fields.get(name), fields.get(name)?.values[row]);
  const axes = runs.axes.filter((name) => text(name)).map((name) => `${name} ${text(name)}`);
  const divisor = divisors();
  const shown = [axisOf("y", divisor), axisOf("x", divisor)].map((axis) => {
    const value = axis.value(row);
    return value === null ? "" : `${axis.label}: ${axis.wording(value)}`;
  });
  const interval = text("low_ms") && `${text("interval")}: ${text("low_ms")} to ${text("high_ms")}, ${text("samples")} samples`;
  return [
    `${text("algorithm")} (${text("device_label")})`,
    `${text("graph")}: ${count(fields.get("vertices")?.values[row] ?? 0)} vertices, ${count(fields.get("arcs")?.values[row] ?? 0)} arcs`,
    `launch ${text("launch")}${axes.length ? `: ${axes.join(", ")}` : ""}`,
    text("median_ms") && `median ${text("median_ms")}`,
    interval,
    ...shown.filter((line) => line && !line.startsWith("median time: ")),
    text("status") === "ok" ? "" : text("status"),
    text("flags") ? `flags: ${text("flags")}` : "no flags",
  ].filter(Boolean);
}

function moveTo(event) {
  const steps = { ArrowRight: active + 1, ArrowDown: active + 1, ArrowLeft: active - 1, ArrowUp: active - 1, Home: 0, End: points.length - 1 };
  if (event.key in steps && points.length) point(Math.max(0, Math.min(points.length - 1, steps[event.key])), true);
  else if (event.key === "Enter" && active >= 0) choose({ run: nameOf(points[active].row) });
  else if (event.key === "Escape") point(-1);
  else return;
  event.preventDefault();
}
