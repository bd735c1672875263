/* A long table: who is next is in sight when the turn is another one, and a tracker is one tap away. A jump leaves
   nothing behind in the history. */

import { get } from "./companion.js";

let turnShown = "";
const followTurn = () => {
  const [stage, turn] = [document.querySelector(".play-main"), document.querySelector("#turn h2")?.textContent];
  const types = document.activeElement?.matches(".play-main :is(input, select, textarea)");
  const next = turn === turnShown || types ? [] : [...document.querySelectorAll(".play-main .now-at")];
  if (next.length === 1 && getComputedStyle(stage).overflowY === "auto") next[0].scrollIntoView({ block: "nearest" });
  turnShown = turn;
};
document.addEventListener("htmx:after:swap", followTurn);
followTurn();
document.addEventListener("click", (event) => {
  const jump = event.target.closest(".by-name a");
  if (!jump) return;
  event.preventDefault();
  const tracker = get(jump.hash.slice(1));
  const fold = tracker.querySelector(":scope > .fold-of");
  if (fold) fold.open = true;
  tracker.scrollIntoView();
  tracker.focus({ preventScroll: true });
});
