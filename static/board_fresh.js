/* A fresh view: a piece that has done all it could is let go; one that was looked at or corrected stays. */

import { light } from "./board_cards.js";
import { paint } from "./board_paint.js";
import { correction } from "./board_state.js";
import { get } from "./companion.js";

let acting = null;
document.addEventListener("htmx:before:swap", () => {
  acting = document.querySelector(".pick:checked:not(.look)")?.id;
});
document.addEventListener("htmx:after:swap", () => {
  const it = acting && get(acting);
  if (it?.matches(".look") && acting !== correction.corrected) it.checked = false;
  document.querySelectorAll("[data-with] :checked:disabled").forEach((one) => {
    one.checked = false;
  });
  light();
  paint();
});
