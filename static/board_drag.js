/* Dragging: a piece follows the pointer, and goes back where it may not be dropped. */

import { layDown } from "./board_cards.js";
import { paint } from "./board_paint.js";
import { labelOf, overlay, pieceOf, placeUnder, portrait, spot, spotOf, targets } from "./board_squares.js";
import { lifted, line } from "./board_state.js";
import { take } from "./board_taps.js";
import { isFar } from "./board_view.js";
import { waysOf } from "./board_ways.js";
import { get } from "./companion.js";

const root = document.documentElement;
let drag = null;
const lift = () => {
  const pick = get(drag.pick);
  const ghost = portrait(pick);
  ghost.setAttribute("class", "ghost");
  drag.size = labelOf(pick).getBoundingClientRect().height * 1.3;
  ghost.style.width = ghost.style.height = `${drag.size}px`;
  document.body.append(ghost);
  drag.ghost = ghost;
  lifted.pick = drag.pick;
  pick.checked = true;
  layDown();
  root.classList.add("is-dragging");
  paint();
};
const over = (place) => {
  document.querySelectorAll(".is-over").forEach((square) => square.classList.remove("is-over"));
  if (!place) return;
  targets(get(drag.pick)).querySelector(`.reach .${spot(place).replaceAll(" ", ".")}`)?.classList.add("is-over");
};
const follow = (event) => {
  const above = event.pointerType === "touch" ? 0.85 : 0.5;
  const [x, y] = [event.clientX - drag.size / 2, event.clientY - drag.size * above];
  drag.ghost.style.transform = `translate(${x}px, ${y}px)`;
  over(placeUnder(event));
  const view = get("board-view");
  if (!view) return;
  const box = view.getBoundingClientRect();
  const push = (at, low, high) => (at < low + 32 ? -12 : at > high - 32 ? 12 : 0);
  view.scrollBy(push(event.clientX, box.left, box.right), push(event.clientY, box.top, box.bottom));
};
const drop = () => {
  drag?.ghost?.remove();
  drag = null;
  const was = Boolean(lifted.pick);
  lifted.pick = null;
  root.classList.remove("is-dragging");
  if (was) paint();
  return was;
};
let swallow = false;
document.addEventListener("pointerdown", (event) => {
  swallow = false;
  if (drag?.ghost) {
    get(drag.pick).checked = false;
    drop();
  }
  const label = event.target.closest?.(".overlay[action$='/act'] > label:not(.look)");
  const pick = label && get(label.htmlFor);
  if (!pick || !event.isPrimary || event.button !== 0 || isFar() || line.some((one) => one.pick === pick.id)) return;
  drag = { pick: pick.id, pointer: event.pointerId, x: event.clientX, y: event.clientY };
});
document.addEventListener("pointermove", (event) => {
  if (drag?.pointer !== event.pointerId) return;
  if (!get(drag.pick) || !pieceOf(get(drag.pick))) drop();
  else if (drag.ghost || Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 8) {
    if (!drag.ghost) lift();
    follow(event);
  }
});
document.addEventListener("pointerup", (event) => {
  if (drag?.pointer !== event.pointerId) return;
  const pick = get(drag.pick);
  if (!drop()) return;
  const place = pick && overlay() && placeUnder(event);
  const ways = place && waysOf(pick).get(place);
  if (ways) take(pick, ways);
  else if (pick && (!place || spot(place) !== spotOf(labelOf(pick)))) pick.checked = false;
  paint();
  swallow = true;
});
document.addEventListener("pointercancel", drop);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") drop();
});
document.addEventListener("click", (event) => {
  if (!swallow) return;
  swallow = false;
  event.preventDefault();
  event.stopPropagation();
}, true);
