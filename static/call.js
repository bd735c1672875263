/* Whoever is waited for since another one has done something is called, on that phone and no other: the edge of the
   page lights up, the tab says so, and it is heard and felt where that is switched on. A call stands until the page is
   touched. What was seen is not called again, also after the page was loaded anew. */

import { bring } from "./awake.js";
import { entitle, get, make, sound } from "./companion.js";
import { begin } from "./recap.js";
import { remembered } from "./remembered.js";

const AGAIN = 60_000; // milliseconds after which a call that stands is heard once more
const OFTEN = 5; // times in all
const PAGES = 40; // of which this device remembers what was seen, and so many calls of each
const LIT = { duration: 500, iterations: 3, direction: "alternate", easing: "ease-in-out" };
const MARK = "\u25cf ";
const BADGE = '<circle cx="36" cy="12" r="10.5" fill="#e0483e" stroke="#fff" stroke-width="3"/></svg>';
const still = matchMedia("(prefers-reduced-motion: reduce)");
const here = location.pathname;

const called = remembered("called", PAGES);
let seen = []; // also where nothing can be kept
const known = () => [...seen, ...called.read(here) ?? []];
const remember = (calls) => {
  seen = [...new Set([...known(), ...calls])].slice(-PAGES);
  called.write(here, seen);
};
const calls = () => [...document.querySelectorAll("[data-call]")].map((one) => one.dataset.call);
const unseen = () => {
  const before = known();
  return calls().filter((call) => !before.includes(call));
};

// The tab: its title begins with a mark, and its picture wears one.
const picture = document.querySelector("link[rel=icon]");
const plain = picture.href;
const worn = () => {
  const [kind, drawn] = plain.split(/,(.*)/s);
  return `${kind},${encodeURIComponent(decodeURIComponent(drawn).replace("</svg>", BADGE))}`;
};
const mark = (on) => {
  entitle(on ? MARK : "");
  const href = on ? worn() : plain;
  if (picture.href !== href) picture.href = href;
};

// The edge of the page: above all there is, and nothing that can be touched.
const edge = make("div", { className: "called", popover: "manual" });
edge.setAttribute("aria-hidden", "true"); // the strip says why
const light = () => {
  if (!document.querySelector("link[data-called]")?.sheet) return; // until its look has come
  if (!edge.isConnected) document.body.append(edge);
  edge.hidePopover?.();
  edge.showPopover?.();
  if (!still.matches) edge.animate([{ opacity: 1 }, { opacity: 0.15 }], LIT);
};
// The strip tells who listens that it is another one's turn; what leaves it as it is has to be told here.
const told = make("p", { className: "away" });
told.setAttribute("role", "status");
document.body.append(told); // before it says anything, or nobody listens
const strip = () => get("turn")?.textContent;
let said = strip();
const tell = () => {
  const asks = [...document.querySelectorAll(".knocks, .dock .ask p")].map((one) => one.textContent.trim());
  told.textContent = strip() === said ? asks.join(" ") : "";
};

let standing = []; // what is called now
let rings = 0;
let next = 0;
const ring = (heard) => {
  clearTimeout(next);
  if (document.hidden) return; // it is called once it is in sight
  rings += 1;
  requestAnimationFrame(() => {
    if (standing.length) light(); // as the page is laid out anyway
  });
  if (heard) sound("turn");
  if (rings < OFTEN) next = setTimeout(ring, AGAIN, true);
};
const look = () => {
  const now = unseen();
  const other = now.some((call) => !standing.includes(call));
  const dock = get("dock")?.dataset.call;
  // What comes with the dock is heard in its order among all that is heard (sound.js).
  const heard = !now.includes(dock) || standing.includes(dock);
  standing = now;
  mark(now.length > 0);
  if (!now.length) {
    clearTimeout(next);
    edge.remove();
    told.textContent = "";
  }
  if (other) {
    rings = 0;
    tell();
    ring(heard);
  }
  said = strip();
};
document.addEventListener("htmx:after:swap", look);
document.addEventListener("visibilitychange", () => {
  if (document.hidden || !standing.length) return;
  rings = 0;
  ring(true);
});
addEventListener("storage", look); // it was seen in another tab
// What the other seats of this phone have to do is asked for as soon as anything has changed.
document.addEventListener("htmx:sse:after:message", () => {
  for (const seat of document.querySelectorAll("#knocks > *")) seat.dispatchEvent(new Event("again"));
});
for (const touch of ["pointerdown", "keydown"]) {
  document.addEventListener(touch, () => {
    if (!standing.length) return;
    remember(calls());
    look();
  }, true);
}
look();
begin();
bring().then(() => {
  if (standing.length) light();
});
