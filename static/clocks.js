/* Clocks that run: by the table's time, for a phone's own clock may be wrong. Without scripts a page says since
   when. */

import { make, sound } from "./companion.js";
import { askNow } from "./now.js";

const SOON = 10_000;
const EVERY = 200;
const TWICE = 500; // milliseconds within which two taps are one
const SLEPT = 3_000; // milliseconds between two looks after which the phone slept, or its clock was set
let ahead = null; // milliseconds that the table's clock is ahead of this phone's
let asking = false;
let asked = 0;
let looked = 0;
let ticking = 0;
let known = null; // what each clock did when it was last looked at
const announced = make("div", { className: "away" });
announced.setAttribute("role", "status");

const learn = async () => {
  if (asking) return;
  asking = true;
  asked = Date.now();
  ahead = (await askNow(AbortSignal.timeout?.(SLEPT))) ?? ahead;
  document.documentElement.classList.toggle("on-time", ahead !== null);
  asking = false;
  showClocks();
};

// As Clock.says in companion/kit/panels.py.
const says = (left, upward) => {
  const shown = upward ? -left : left;
  const seconds = shown > 0 && !upward ? Math.ceil(shown / 1000) : Math.floor(Math.abs(shown) / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const sign = shown < 0 && seconds ? "\u2212" : "";
  const hours = minutes < 60 ? `${minutes}:` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:`;
  return sign + hours + two(seconds % 60);
};
const doing = (clock, left) => {
  if (!clock.dataset.since) return "stands";
  if ("upward" in clock.dataset || left > SOON) return "runs";
  return left > 0 ? "soon" : "out";
};
const announce = (clock, before) => {
  const now = known.get(clock.dataset.clock);
  if (before === now || now === "stands") return;
  const words = before === "stands" && now === "soon" ? "runs" : now;
  announced.textContent = clock.dataset[words];
  if (words !== "runs") sound("turn");
};
const showClock = (clock) => {
  const { left, since } = clock.dataset;
  const now = Number(left) - (since ? Math.max(0, Date.now() + ahead - since) : 0);
  const upward = "upward" in clock.dataset;
  const time = clock.querySelector("time");
  const words = says(now, upward);
  if (time.textContent !== words) time.textContent = words;
  clock.classList.toggle("is-soon", !upward && now > 0 && now <= SOON);
  clock.classList.toggle("is-out", !upward && now <= 0);
  return doing(clock, now);
};
const showClocks = () => {
  const clocks = [...document.querySelectorAll("[data-clock]")];
  const runs = clocks.some((clock) => clock.dataset.since);
  const passed = Date.now() - looked;
  looked = Date.now();
  if (runs && !ticking) ticking = setInterval(showClocks, EVERY);
  else if (!runs) {
    clearInterval(ticking);
    ticking = 0;
  }
  if (!clocks.length && known === null) return; // on this page there was no clock yet
  if (ahead === null ? Date.now() - asked > SLEPT : runs && (passed < 0 || passed > SLEPT)) learn();
  if (ahead === null || asking) return; // a clock that may be wrong warns nobody
  if (!announced.isConnected) document.body.append(announced);
  const before = known;
  known = new Map(clocks.map((clock) => [clock.dataset.clock, showClock(clock)]));
  if (before) clocks.forEach((clock) => announce(clock, before.get(clock.dataset.clock) ?? "stands"));
};

// Whoever is next stands where whose turn it was stood: the second tap of a double one would give the turn back.
let passedOn = -TWICE;
document.addEventListener("click", (event) => {
  if (!event.target.closest("button[value^='action=press_clock']")) return;
  const now = performance.now(); // a phone's clock may be set meanwhile
  if (now - passedOn < TWICE) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else passedOn = now;
}, true);

document.addEventListener("htmx:after:swap", showClocks);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && document.querySelector("[data-clock]")) learn();
});
showClocks();
