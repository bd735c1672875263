/* A tap on a square does what leads there, where that is one way; else the sheet asks which. */

import { enqueue } from "./board_line.js";
import { paint } from "./board_paint.js";
import { name, overlay, picked } from "./board_squares.js";
import { correction, line } from "./board_state.js";
import { calledBy, looked, same, step, tapped, tone, waysOf } from "./board_ways.js";
import { get, make } from "./companion.js";

const sheet = get("sheet");
export const take = (pick, ways) => {
  const [way] = ways;
  if (ways.length > 1) choose(pick, ways);
  else if (!looked(way)) enqueue(pick, way.does, way.place, tone(way) === "go");
  else {
    const link = step(way, way.words, "away");
    document.body.append(link);
    link.click();
    link.remove();
  }
};
const goal = (ways) => (same(ways) ? ways[0].words : ways[0].place);
const choose = (pick, ways, title = goal(ways), called = calledBy(ways)) => {
  const buttons = ways.map((way) => {
    const button = step(way, called(way), "button big");
    if (way.note) button.replaceChildren(make("span", {}, called(way), make("small", { textContent: way.note })));
    if (button.matches("button")) {
      button.type = "button";
      button.addEventListener("click", () => {
        sheet.close();
        take(pick, [way]);
      });
    }
    return button;
  });
  const heading = make("h2", { textContent: `${name(pick)} → ${title}` });
  const which = make("div", { className: "choose" }, heading, make("div", { className: "buttons" }, ...buttons));
  get("sheet-body").replaceChildren(which);
  sheet.showModal();
};
document.addEventListener("click", (event) => {
  const link = event.target.closest(".way.apart");
  if (!link) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const pick = picked();
  const ways = [...waysOf(pick).values()].flat().filter((way) => way.link === link);
  choose(pick, ways, link.textContent, ({ words }) => words);
}, true);
document.addEventListener("click", (event) => {
  const link = event.target.closest(".to-values");
  if (!link) return;
  event.preventDefault();
  const table = get(link.hash.slice(1));
  table.scrollIntoView({ block: "nearest" });
  table.focus({ preventScroll: true });
});
document.addEventListener("click", (event) => {
  const link = event.target.closest(".way[data-puts]");
  if (!link) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  correction.misplaced = correction.misplaced ? null : picked().id;
  paint();
}, true);
document.addEventListener("click", (event) => {
  const button = event.target.closest(".overlay[action$='/act'] button:not(.step)");
  if (!button) return;
  event.preventDefault();
  const pick = picked();
  const leads = ([, ways]) => ways.some((way) => way.does === button.value);
  const place = button.dataset.place ?? [...tapped(pick)].find(leads)?.[0];
  const picks = [...overlay().querySelectorAll(".pick:not(.look)")];
  if (place) take(pick, tapped(pick).get(place));
  else enqueue(pick, button.value);
  if (event.detail === 0 && line.length) {
    Object.assign(line.at(-1), { by: "keys", after: picks[(picks.indexOf(pick) + 1) % picks.length].id });
  }
}, true);

// A tap on a square where there is nothing to do lets go too.
document.addEventListener("click", (event) => {
  const nothing = event.target.closest(".let-go") || event.target.matches(".overlay");
  const pick = nothing && document.querySelector(".pick:checked");
  if (!pick) return;
  event.preventDefault();
  pick.checked = false;
  pick.dispatchEvent(new Event("change", { bubbles: true }));
});
document.addEventListener("keyup", (event) => {
  if (event.key === "Escape") paint();
});
