/* A tableau may be longer than the stage: what a card says is brought into sight, and who can act. */

import { get, measure } from "./companion.js";

// What a card may do is read above what lies over the foot of the page.
document.addEventListener("toggle", ({ target }) => {
  if (!target.open || !target.matches(".lying > details")) return;
  measure();
  for (const part of [target.firstElementChild, target.lastElementChild.lastElementChild]) {
    part.scrollIntoView({ block: "nearest" });
  }
}, true);
// Who can act is looked for as a phase begins, unless somebody reads what a card says.
let phase = "";
const bringIntoSight = () => {
  const now = get("turn")?.textContent ?? "";
  const able = now === phase ? [] : [...document.querySelectorAll(".tableau .can-act")];
  phase = now;
  const stage = document.querySelector(".play-main");
  if (!able.length || stage.querySelector(".lying > [open]")) return;
  const { top, bottom } = stage.getBoundingClientRect();
  const boxes = able.map((one) => one.getBoundingClientRect());
  if (boxes.some((box) => box.top >= top && box.bottom <= bottom)) return;
  stage.scrollBy(0, Math.min(boxes[0].bottom - bottom + 6, boxes[0].top - top));
};
document.addEventListener("htmx:after:swap", bringIntoSight);
addEventListener("load", bringIntoSight);
bringIntoSight();
