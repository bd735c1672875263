/* What was done on the real board stays ticked on this phone; holding a line leads to where it is corrected. */

import { kept } from "./companion.js";

const LISTS = 20; // that this device remembers
const list = document.querySelector("[data-ticks]");
const remembered = () => kept.readList("board-ticks").filter(Array.isArray);
if (list) {
  const name = list.dataset.ticks;
  const ticks = [...list.querySelectorAll("input")];
  const done = remembered().find(([one]) => one === name)?.[1] ?? [];
  ticks.forEach((tick) => {
    tick.checked = done.includes(tick.value);
  });
  list.addEventListener("change", () => {
    const now = ticks.filter((tick) => tick.checked).map((tick) => tick.value);
    kept.writeData("board-ticks", [...remembered().filter(([one]) => one !== name), [name, now]].slice(-LISTS));
  });
  list.addEventListener("contextmenu", (event) => {
    const link = event.target.closest("li")?.querySelector(".not-so");
    if (!link || event.target.closest("a")) return;
    event.preventDefault();
    link.click();
  });
}
