/* A card and its squares are picked and let go together, and instead of a piece. By keys its squares may come first. */

import { paint } from "./board_paint.js";
import { targets } from "./board_squares.js";
import { correction } from "./board_state.js";
import { alongWith, waysOfCard } from "./board_ways.js";
import { get } from "./companion.js";

const ofCard = (pick) => pick.id.startsWith("pick-card-");
export const layDown = () => {
  const card = document.querySelector(".pick-card:checked");
  if (card) card.checked = false;
};
document.addEventListener("change", ({ target }) => {
  if (target.closest("[data-with]")) paint();
  if (!target.matches(".pick")) return;
  correction.corrected = null;
  const ways = ofCard(target) && document.querySelector(`[data-pick="${target.id}"]`)?.closest(".card-ways");
  if (!ways || !target.checked) layDown();
  else ways.previousElementSibling.previousElementSibling.checked = true;
  paint();
});
// A card lights its squares up as soon as it is picked, where one way of it leads to the board; its link lists them.
export const light = () => {
  const links = document.querySelectorAll(`${waysOfCard} [data-pick]`);
  const pick = links.length === 1 && get(links[0].dataset.pick);
  const now = document.querySelector(".pick:checked");
  const reads = document.querySelector(".pick-card:checked");
  if (pick ? pick === now : !now || (!reads && !ofCard(now))) return;
  if (pick) pick.checked = true;
  else now.checked = false;
  paint();
  const first = pick ? targets(pick).querySelector(".reach :is(a, button)") : null;
  first?.scrollIntoView({ block: "nearest", inline: "nearest" });
};
document.addEventListener("change", ({ target }) => {
  if (target.matches("[name='card']")) light();
});
document.addEventListener("click", ({ target }) => {
  const link = target.closest("[data-pick]");
  if (!link) return;
  link.dataset.do ??= new URL(link.href).searchParams.get("do");
  link.search = `?do=${encodeURIComponent(link.dataset.do + alongWith(link.dataset.pick))}`;
}, true);
