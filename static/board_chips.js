/* Who can act but is out of sight has a chip above the board: a tap on it picks that piece, and leads to it. */

import { pieceOf, portrait } from "./board_squares.js";
import { get, make } from "./companion.js";

const unseen = () => {
  // A map that is higher than its stage is moved with it.
  const view = get("board-view") ?? document.querySelector(".board.hexes")?.closest(".play-main");
  const able = ".overlay[action$='/act'] > label:not(.look, .quiet, .away)";
  const box = view?.getBoundingClientRect();
  return view ? [...document.querySelectorAll(able)].filter((label) => {
    const { left, right, top, bottom } = label.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return x < box.left || x > box.right || y < box.top || y > box.bottom;
  }) : [];
};
const chip = (label) => {
  const words = label.textContent.trim().replace(/\s+/g, " ");
  const button = make("button", { type: "button" }, portrait(get(label.htmlFor)), words.split(" ").at(-1));
  button.setAttribute("aria-label", words);
  button.addEventListener("click", () => {
    const pick = get(label.htmlFor);
    pick.checked = true;
    pick.focus({ preventScroll: true });
    label.scrollIntoView({ block: "center", inline: "center" });
    pick.dispatchEvent(new Event("change", { bubbles: true }));
  });
  return button;
};
const chips = () => {
  const place = get("chips");
  if (!place) return;
  const all = unseen();
  const shown = all.map(({ htmlFor, textContent }) => `${textContent} ${pieceOf(get(htmlFor))?.outerHTML}`).join();
  place.hidden = !all.length;
  if (place.dataset.shown === shown && place.childElementCount) return;
  place.dataset.shown = shown;
  place.replaceChildren(...all.map(chip));
};
let due = 0;
const chipsSoon = () => {
  cancelAnimationFrame(due);
  due = requestAnimationFrame(chips);
};
document.addEventListener("scroll", chipsSoon, { capture: true, passive: true });
document.addEventListener("htmx:after:swap", chipsSoon);
document.addEventListener("change", chipsSoon);
chipsSoon();
