/* What was done on the real board stays ticked on this phone; holding a line leads to where it is corrected. */

import { remembered } from "./remembered.js";

const LISTS = 20; // that this device remembers
const LONG = 500; // milliseconds that a finger rests until it holds
const STILL = 10; // pixels that a finger which rests may stray
const list = document.querySelector("[data-ticks]");
const boards = remembered("board-ticks", LISTS);
if (list) {
  const name = list.dataset.ticks;
  const ticks = [...list.querySelectorAll("input")];
  const done = boards.read(name) ?? [];
  const keep = () => boards.write(name, ticks.filter((tick) => tick.checked).map((tick) => tick.value));
  const early = ticks.some((tick) => tick.checked); // before this came
  ticks.forEach((tick) => {
    tick.checked ||= done.includes(tick.value);
  });
  if (early) keep();
  list.addEventListener("change", keep);

  // Not every phone opens a menu for a finger that rests: what counts is how long it does, or the menu, once.
  let press = null;
  let led = false;
  const letGo = () => {
    clearTimeout(press?.timer);
    press?.line.classList.remove("is-pressed");
    press = null;
  };
  const lead = (line) => {
    letGo();
    const link = line.querySelector(".not-so");
    if (!link || led) return;
    led = true;
    link.click();
  };
  const lineOf = ({ target }) => (target.closest(".not-so") ? null : target.closest(".ticks > li"));
  list.addEventListener("pointerdown", (event) => {
    letGo();
    const line = lineOf(event);
    if (!line?.querySelector(".not-so") || !event.isPrimary || event.button) return;
    line.classList.add("is-pressed");
    press = { line, x: event.clientX, y: event.clientY, timer: setTimeout(lead, LONG, line) };
  });
  addEventListener("pointermove", ({ clientX, clientY }) => {
    if (press && Math.hypot(clientX - press.x, clientY - press.y) > STILL) letGo();
  });
  for (const end of ["pointerup", "pointercancel", "scroll", "blur"]) addEventListener(end, letGo, true);
  list.addEventListener("contextmenu", (event) => {
    const line = lineOf(event);
    if (!line) return;
    event.preventDefault();
    lead(line);
  });
  // The finger that held goes up before the other page has come: it ticks nothing.
  list.addEventListener("click", (event) => {
    if (led && lineOf(event)) event.preventDefault();
  });
  addEventListener("pageshow", () => {
    led = false;
  });
}
