/* The scene of a clash: what has just come takes the place of the board for a moment, and dice that lay there already
   lie still. Whoever taps is not kept waiting. */

import { began, get } from "./companion.js";

const SEEN = 3200; // milliseconds in which a result is seen: it stays in what happened
const faces = () => get("recap")?.querySelector(".clash")?.dataset.faces.split(" ").filter(Boolean) ?? [];
const result = () => get("recap")?.querySelector("[data-clash]")?.dataset.clash ?? "";
let known = get("state").dataset.version === began ? result() : "";
let lay = known ? faces() : [];
let folding = 0;

const fold = () => {
  clearTimeout(folding);
  folding = 0;
  get("recap")?.classList.remove("is-fresh");
  if (get("last-why")) get("last-why").open = false;
};
const rest = (thrown) => {
  const same = thrown.findIndex((face, at) => face !== lay[at]);
  const still = same < 0 ? thrown.length : same;
  [...get("recap").querySelectorAll(".lies:not(:has(.slot))")].forEach((die, at) => {
    die.classList.toggle("is-still", at < still);
  });
};
const fresh = () => {
  const thrown = faces();
  const now = result();
  if (now && now !== known) {
    rest(thrown);
    clearTimeout(folding);
    folding = setTimeout(fold, SEEN);
    get("last-why").open = true;
  } else if (!now && folding) fold();
  if (folding) get("recap").classList.add("is-fresh");
  if (!now) rest(thrown);
  known = now || known;
  lay = now ? [] : thrown;
};
document.addEventListener("htmx:after:swap", fresh);
document.addEventListener("pointerdown", ({ target }) => {
  if (folding && !get("recap").contains(target)) fold();
});
document.addEventListener("click", (event) => {
  if (!folding || !get("recap").contains(event.target)) return;
  event.preventDefault();
  fold();
}, true);
document.addEventListener("keydown", () => {
  if (folding) fold();
});
fresh();
