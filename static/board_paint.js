/* What is drawn over a board: squares to tap for the piece that is picked, and moves on their way. What a fresh view
   took away is laid over it again. */

import { labelOf, overlay, picked, pieceOf, spot, targets } from "./board_squares.js";
import { correction, lifted, line } from "./board_state.js";
import { calledBy, same, step, tapped, tone, waysOf } from "./board_ways.js";
import { get, make, measure } from "./companion.js";

// What no piece begins, such as placing a tile, is begun where there is nothing else to pick.
const begun = () => {
  const able = document.querySelectorAll(".overlay[action$='/act'] .pick:not(.look)");
  return able.length === 1 && able[0].matches(".begins") ? able[0] : null;
};

const reach = (pick) => {
  const all = make("div", { className: "reach" });
  const groups = new Map();
  (lifted.pick ? waysOf : tapped)(pick).forEach((ways, place) => {
    const bare = ways.every((way) => way.bare && tone(way) === "fight") ? " bare" : "";
    const looks = `${[...new Set(ways.map(tone))].join(" ")}${bare} ${spot(place)}`;
    const [first] = ways;
    if (ways.length > 1) {
      const words = `${same(ways) ? `${first.words}: ` : ""}${ways.map(calledBy(ways)).join(", ")}`;
      const which = make("button", { type: "button", className: looks, textContent: words });
      which.dataset.place = place;
      all.append(which);
      return;
    }
    if (!groups.has(first.link)) {
      const group = make("div");
      group.setAttribute("role", "group");
      group.setAttribute("aria-label", first.link.textContent);
      groups.set(first.link, group);
      all.append(group);
    }
    groups.get(first.link).append(step(first, first.words, looks));
  });
  return all;
};

let focused = null;
export const paint = () => {
  document.querySelectorAll(".overlay :is(.reach, .sent)").forEach((old) => old.remove());
  document.querySelectorAll(".piece[transform]").forEach((piece) => piece.removeAttribute("transform"));
  document.querySelectorAll(".lifted").forEach((piece) => piece.classList.remove("lifted"));
  if (!overlay()) return;
  const lone = begun();
  // Its button is gone from beneath the stage: that is seen when the page is laid out anyway.
  if (overlay().classList.toggle("begun", Boolean(lone))) requestAnimationFrame(measure);
  const pick = picked() ?? lone;
  const { misplaced } = correction;
  if (misplaced && (pick?.id !== misplaced || !targets(pick).querySelector("[data-puts]"))) correction.misplaced = null;
  overlay().classList.toggle("placing", Boolean(correction.misplaced));
  if (pick && !line.some((one) => one.pick === pick.id)) {
    pick.checked = true;
    targets(pick).append(reach(pick));
    if (focused) [...targets(pick).querySelectorAll(".reach [class]")].find((one) => does(one) === focused)?.focus();
  }
  line.filter(({ place }) => place).forEach((one) => {
    const goal = make("i", { className: `sent ${spot(one.place)}` });
    overlay().append(goal);
    const from = get(one.pick);
    const piece = from && pieceOf(from);
    if (!one.glides || !piece) return;
    const [here, there] = [labelOf(from), goal].map((cell) => cell.getBoundingClientRect());
    const scale = piece.getScreenCTM().a;
    const [x, y] = [(there.left - here.left) / scale, (there.top - here.top) / scale];
    piece.setAttribute("transform", `translate(${x} ${y})`);
  });
  const dragged = lifted.pick && get(lifted.pick);
  if (dragged) pieceOf(dragged)?.classList.add("lifted");
};
const does = (element) => element.value || element.getAttribute("href");
document.addEventListener("htmx:before:swap", () => {
  const at = document.activeElement?.closest(".reach") && document.activeElement;
  focused = at ? does(at) : null;
});

paint();
