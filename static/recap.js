/* What others did while this page was out of sight, in one line on the stage: it opens the recap, and goes at a tap or
   when one acts. This device remembers which version of each table was last in sight. */

import { get, make, shownVersion } from "./companion.js";
import { remembered } from "./remembered.js";

const PAGES = 40; // of which this device remembers what was in sight
const here = location.pathname;
const looked = remembered("looked", PAGES);
const leave = () => {
  if (shownVersion()) looked.write(here, shownVersion());
};
let line = null;
const drop = () => {
  line?.remove();
  line = null;
};
const place = () => {
  const stage = get("stage")?.getBoundingClientRect();
  if (!line || !stage) return;
  line.style.top = `${Math.max(0, stage.top)}px`;
  line.style.left = `${stage.left}px`;
  line.style.width = `${stage.width}px`;
};
const show = (words) => {
  drop();
  line = make("div", { className: "away-line" });
  line.setAttribute("role", "status");
  document.body.append(line);
  line.hidden = true; // until its look has come
  place();
  line.innerHTML = words;
  const shows = line;
  line.querySelector("link").addEventListener("load", () => {
    shows.hidden = false;
  });
};
let late = null; // the version since which is still to be asked, where there was no connection
const ask = async (since) => {
  late = null;
  try {
    const answer = await fetch(`${here}/recap?since=${since}`, { headers: { "HX-Request": "true" } });
    if (answer.status === 200) show(await answer.text());
  } catch {
    late = since;
  }
};
const comeBack = () => {
  const since = looked.read(here);
  if (since && !document.hidden) ask(since);
};
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    drop();
    leave();
  } else comeBack();
});
addEventListener("resize", place);
addEventListener("pagehide", leave);
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) comeBack();
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (ctx?.request?.method === "POST" || get("ending")) drop();
  if (late && !document.hidden) ask(late);
});
document.addEventListener("pointerdown", ({ target }) => {
  if (!target.closest(".away-line")) drop();
}, true);
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") drop();
});
export const begin = comeBack;
