/* The scene of a clash: what has just come takes the place of the board for a moment, and dice that lay there already
   lie still. Whoever taps is not kept waiting. */

import { began, get } from "./companion.js";

const SEEN = 3200; // milliseconds in which a result is seen: it stays in what happened
const faces = () => get("recap")?.querySelector(".clash")?.dataset.faces.split(" ").filter(Boolean) ?? [];
const result = () => Number(get("recap")?.querySelector("[data-clash]")?.dataset.clash ?? 0);
const ruled = () => Number(get("recap")?.dataset.ruling ?? 0);
let known = began;
let lay = ruled() === began ? faces() : [];
let folding = 0;

// What a tap is meant for that comes too late must not do anything on the board.
const hush = () => {
  const stage = get("stage");
  if (!stage || stage.contains(document.activeElement)) return;
  stage.inert = true;
  setTimeout(() => {
    stage.inert = false;
  }, 400);
};
const fold = () => {
  clearTimeout(folding);
  folding = 0;
  get("recap")?.classList.remove("is-fresh");
  const scene = get("last-why") ?? document.querySelector("#clash-now:has([data-aside])");
  if (scene) scene.open = false;
};
const rest = (thrown) => {
  const same = thrown.findIndex((face, at) => face !== lay[at]);
  const still = same < 0 ? thrown.length : same;
  [...get("recap").querySelectorAll(".lies:not(:has(.slot, .typed))")].forEach((die, at) => {
    die.classList.toggle("is-still", at < still);
  });
};
// Of what is asked about squares the dice are seen first.
const fresh = () => {
  const thrown = faces();
  const now = result();
  const aside = document.querySelector("#clash-now:has([data-aside])");
  const shown = now ? now > known && get("last-why") : aside && String(thrown) !== String(lay) && aside;
  rest(thrown);
  if (shown) {
    clearTimeout(folding);
    folding = setTimeout(() => {
      fold();
      hush();
    }, SEEN);
    shown.open = true;
  } else if (folding && !now && !aside) fold();
  if (folding && now) get("recap").classList.add("is-fresh");
  known = Math.max(known, ruled()); // what is undone is looked at by nobody anew
  lay = now ? [] : thrown;
};
document.addEventListener("htmx:after:swap", fresh);
document.addEventListener("click", (event) => {
  if (!folding) return;
  if (get("recap").contains(event.target)) event.preventDefault();
  setTimeout(fold); // what is tapped beside it is done first, where it lies
}, true);
document.addEventListener("keydown", () => {
  if (folding) fold();
});
fresh();
