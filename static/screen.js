/* The shared screen: where there is more than fits, pages turn by themselves, all together, so that it stays calm.
   Each lies in columns as wide as its place: the first shows what matters most, and stays where nothing may move. */

import { get } from "./companion.js";
import { askNow } from "./now.js";

const READ = 9000; // milliseconds in which a page is read from three metres
const still = matchMedia("(prefers-reduced-motion: reduce)");
const shown = new WeakMap(); // the page that each place shows, from 0
const places = () => [...document.querySelectorAll(".pages")];
// In parts of a pixel: rounded, the tenth page would be some pixels off.
const step = (place) => place.getBoundingClientRect().width + (parseFloat(getComputedStyle(place).columnGap) || 0);
const count = (place) => Math.max(1, Math.ceil((place.scrollWidth - 2) / step(place)));

const show = (place, page) => {
  const all = count(place);
  const turner = place.parentElement.querySelector(":scope > .turner");
  shown.set(place, page % all);
  place.scrollLeft = shown.get(place) * step(place);
  if (turner) turner.lastElementChild.textContent = `${shown.get(place) + 1} / ${all}`;
};

const layAll = () => places().forEach((place) => {
  const turner = place.parentElement.querySelector(":scope > .turner");
  if (turner) {
    turner.hidden = true;
    turner.hidden = count(place) === 1; // it takes room itself, so the pages are counted again
  }
  show(place, Math.min(shown.get(place) ?? 0, count(place) - 1));
});
// A scene is seen whole: where there is little room for it, what is small beside the dice gives way, step by step.
const lay = () => {
  const event = document.querySelector(".event:has(.clash)");
  const steps = ["is-tight", "is-tightest"];
  event?.classList.remove(...steps);
  layAll();
  for (const step of event ? steps : []) {
    const [scene, page] = [".clash", ".pages"].map((one) => event.querySelector(one).getBoundingClientRect());
    if (scene.right <= page.right + 1 && scene.bottom <= page.bottom + 1) return;
    event.classList.add(step);
    layAll();
  }
};

// Pages of a result turn alone: whoever reads it would lose the line to what turns beside it.
const turning = () => {
  const result = document.querySelector(".ending > .pages");
  return result && count(result) > 1 ? [result] : places();
};

const turn = (place) => {
  if (count(place) === 1) return;
  show(place, shown.get(place) + 1);
  if (!still.matches) place.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 400 });
};

setInterval(() => {
  if (!still.matches && !document.hidden) turning().forEach(turn);
}, READ);
document.addEventListener("click", ({ target }) => {
  const turner = target.closest(".turner");
  if (turner) turn(turner.parentElement.querySelector(":scope > .pages"));
});

// Who looks on goes along to the rematch that is made meanwhile; where it was made before, its link waits for a tap.
const link = () => document.querySelector("a[data-next]");
let followed = Boolean(link());
const follow = () => {
  if (followed || !link()) return;
  followed = true;
  location.assign(link().href);
};

// Since when somebody is waited for: in minutes by the table's time, for a screen's own clock may be wrong.
const MINUTE = 60_000;
const SLEPT = 15_000; // milliseconds between two looks after which the screen slept, or its clock was set
let ahead = null; // milliseconds that the table's clock is ahead of this one
let looked = 0;
const tellWait = async () => {
  const passed = Date.now() - looked;
  looked = Date.now();
  if (ahead === null || passed < 0 || passed > SLEPT) ahead = (await askNow()) ?? ahead;
  const since = document.querySelector(".since");
  if (!since || ahead === null) return;
  const minutes = Math.floor((Date.now() + ahead - Date.parse(since.dateTime)) / MINUTE);
  const words = since.dataset.for.replace("{count}", minutes);
  if (minutes >= 1 && since.textContent !== words) since.textContent = words;
};
setInterval(tellWait, SLEPT / 3);
document.addEventListener("htmx:after:swap", tellWait);
tellWait();

let version = get("state")?.dataset.version;
const fresh = () => {
  get("scan")?.classList.toggle("large", Boolean(document.querySelector(".is-lobby")));
  const now = get("state")?.dataset.version;
  if (now !== version) places().forEach((place) => shown.set(place, 0)); // what is new is on the first page
  version = now;
  lay();
  follow();
};
document.addEventListener("htmx:after:swap", fresh);
addEventListener("resize", lay);
document.addEventListener("load", ({ target }) => {
  if (target.matches?.("link")) lay(); // styles that came with a panel
}, true);
fresh();
