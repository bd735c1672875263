/* How large the places of a page are, measured for what lies over them or fills them. */

import { get } from "./base.js";

// What is measured is said of what uses it alone, and not inherited there (@property in play.css). Browsers from before
// 2023 have no sheets made by scripts.
const made = "adoptedStyleSheets" in document && CSS.supports("selector(:is(a))") ? new CSSStyleSheet() : null;
if (made) document.adoptedStyleSheets = [made];
const saidOf = (selector) => (
  made ? made.cssRules[made.insertRule(`${selector} { }`)] : document.documentElement
).style;
const aboutRule = saidOf(".about");
export const sizes = {
  "--stage": saidOf(".play, .board, .recap, .told-why"),
  "--below": aboutRule,
  "--free": aboutRule,
  "--acts": saidOf(".play-more"),
  "--dock": saidOf(".board, .overlay :is(input, label, button, a), .tableau :is(details, summary, form, button, a)"),
};
const size = (name, pixels) => {
  const value = `${Math.max(0, pixels)}px`;
  const other = sizes[name].getPropertyValue(name) !== value;
  if (other) sizes[name].setProperty(name, value);
  return other;
};
// What a picked piece says lies over all that is below the stage, and over no more of it than it must.
export const measure = () => {
  const stage = document.querySelector(".play-main");
  const about = document.querySelector(".pick:checked + label + .targets .about");
  const { bottom: foot, right } = stage?.getBoundingClientRect() ?? { bottom: innerHeight, right: 0 };
  const { top, left } = about?.offsetHeight ? about.getBoundingClientRect() : { top: foot, left: 0 };
  const dock = get("dock")?.getBoundingClientRect();
  const acts = (dock?.bottom ?? innerHeight) + scrollY;
  // A card that is read may cover the foot of the board: its squares stay where they are.
  const high = !document.querySelector(".pick-card:checked") && stage?.clientHeight;
  if (high && size("--stage", high)) document.dispatchEvent(new Event("measured"));
  size("--below", innerHeight - foot);
  size("--free", innerHeight - acts);
  size("--acts", dock?.height ?? 0);
  size("--dock", left < right ? foot - top : 0);
};
export const showBoard = () => {
  measure();
  get("board")?.scrollIntoView({ block: "nearest" });
};
addEventListener("resize", measure);
// A stage that gives way or grows, as where a story opens, takes its board with it.
const watched = new ResizeObserver(measure);
const watch = () => {
  const stage = document.querySelector(".play-main");
  if (stage) watched.observe(stage);
  if (get("dock")) watched.observe(get("dock"));
};
document.addEventListener("htmx:after:swap", watch);
watch();
measure(); // a page is right from its first picture: what is watched is told of later
