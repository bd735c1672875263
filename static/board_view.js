/* A board of many squares: seen from near it is moved with a finger, seen whole a tap goes near. What else hears of
   taps comes after it, and must not hear of such a one. */

import { get } from "./companion.js";

const root = document.documentElement;
export const isFar = () => !root.classList.contains("fits") && Boolean(get("whole")?.checked);

let measured = "";
const measureView = () => {
  const view = get("board-view");
  measured = get("board")?.className;
  const style = view && getComputedStyle(view);
  const [files, ranks] = ["--f", "--r"].map((name) => Number(style?.getPropertyValue(name)));
  const fits = get("board")?.matches(".hexes")
    ? (width, height) => width >= (files * 3 + 1) * 12.8 && height >= (ranks + 0.5) * 44.4
    : (width) => width >= files * 44;
  root.classList.toggle("fits", Boolean(view) && fits(view.clientWidth, parseFloat(style.maxHeight)));
};
// It begins where its reader's pieces are, or most of them.
const boxes = (all) => [...all].map((one) => one.getBoundingClientRect());
const ownPieces = (view) => view.querySelectorAll(".overlay > label:not(.away):is(.own, :not(.look))");
const answerSquares = (view) => view.querySelectorAll(".overlay button[name='value']");
const together = (all, width, height) => {
  const within = (left, top) => all.filter((one) => (
    one.left >= left && one.right <= left + width && one.top >= top && one.bottom <= top + height
  ));
  return all
    .flatMap(({ left }) => all.map(({ top }) => within(left, top)))
    .reduce((most, some) => (some.length > most.length ? some : most));
};
const centre = () => {
  const view = get("board-view");
  if (!view) return;
  const box = view.getBoundingClientRect();
  const found = boxes(answerSquares(view).length ? answerSquares(view) : ownPieces(view));
  const shown = found.length ? together(found, box.width, box.height) : [];
  const least = (side) => Math.min(...shown.map((one) => one[side]));
  const most = (side) => Math.max(...shown.map((one) => one[side]));
  const [x, y] = shown.length
    ? [(least("left") + most("right")) / 2, (least("top") + most("bottom")) / 2]
    : [box.left + view.scrollWidth / 2, box.bottom + view.scrollHeight];
  view.scrollBy(x - box.left - box.width / 2, y - box.top - box.height / 2);
};
// And again when its reader's turn begins or the pieces come, but not under a finger.
let fingers = 0;
for (const name of ["touchstart", "touchend", "touchcancel"]) {
  document.addEventListener(name, (event) => {
    fingers = event.touches.length;
  }, { passive: true });
}
const phase = () => document.querySelector("#turn small")?.textContent;
const turn = () => {
  const view = get("board-view");
  const asks = document.querySelector("form[action$='/answer']");
  return view && !asks && get("dock").matches(".is-mine") && ownPieces(view).length ? phase() ?? "mine" : null;
};
const goNear = (squares, clientX, clientY) => {
  const [box, view] = [squares.getBoundingClientRect(), get("board-view")];
  const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
  get("whole").checked = false;
  view.scrollTo(x * view.scrollWidth - view.clientWidth / 2, y * view.scrollHeight - view.clientHeight / 2);
};
document.addEventListener("click", (event) => {
  const squares = event.target.closest(".squares");
  if (!squares || root.classList.contains("fits") || !get("whole")?.checked) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  goNear(squares, event.clientX, event.clientY);
}, true);
// Two fingers that close show it whole, two that open go near between them.
let began = 0;
const between = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
document.addEventListener("touchstart", ({ touches }) => {
  const there = [...touches].filter(({ target }) => target.closest?.("#board-view"));
  const pinches = touches.length === 2 && there.length === 2 && !root.classList.contains("fits");
  began = pinches ? between(touches) : 0;
}, { passive: true });
document.addEventListener("touchmove", ({ touches, target }) => {
  const whole = get("whole");
  const grown = began && touches.length === 2 ? between(touches) / began : 1;
  if (whole?.checked ? grown < 1.25 : grown > 0.8) return;
  began = 0;
  if (!whole.checked) whole.checked = true;
  else {
    const [one, other] = touches;
    const [x, y] = [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2];
    goNear(target.closest(".squares"), x, y);
  }
  whole.dispatchEvent(new Event("change", { bubbles: true }));
}, { passive: true });
// A question leads to where it is answered, and back.
let questioned = false;
let lookedAt = null;
let turnBegun = turn();
document.addEventListener("htmx:after:swap", () => {
  if (get("board")?.className !== measured) measureView();
  const asks = Boolean(document.querySelector(".overlay button[name='value']"));
  const now = turn();
  const view = get("board-view");
  if (asks && !questioned && view) lookedAt = [view.scrollLeft, view.scrollTop];
  if (((asks && !questioned) || (now && now !== turnBegun)) && !fingers) centre();
  else if (!asks && questioned && lookedAt && !fingers) view?.scrollTo(...lookedAt);
  questioned = asks;
  turnBegun = now ?? (phase() ? turnBegun : null);
});
addEventListener("resize", measureView);
document.addEventListener("measured", measureView); // how high hexagons may be depends on what is asked
measureView();
centre();
