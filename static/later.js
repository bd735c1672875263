/* What comes after the page, or when it is wanted: scripts that no page waits for. */

import { get, make, storage } from "./base.js";
import { showUnsent } from "./live.js";

// What did not get through is said where it was tapped, and can be sent again: what does so comes after the page.
const unsent = get("unsent");
// A module that did not come is asked for by another name: browsers remember that of one that failed.
let tries = 0;
const bringUnsent = () => import(`${unsent.dataset.brings}#${tries}`).catch((why) => {
  tries += 1;
  throw why;
});
export const notSent = (what, late = false) => bringUnsent().then(({ failed }) => failed(what, late), () => {
  showUnsent(true);
  document.addEventListener("reached", () => notSent(what, true), { once: true });
});
const opensSheet = (ctx) => ctx?.target?.id === "sheet-body";
const does = (ctx) => ctx?.request?.method === "POST";
document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
  if (opensSheet(ctx) || (does(ctx) && !ctx.sent)) notSent(ctx);
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (opensSheet(ctx) || does(ctx)) showUnsent(false);
});

// What makes sounds comes where they are switched on, with the menu that has the switches, or with the first tap at a
// table, where it asks.
const { sounds } = document.querySelector("[data-sounds]").dataset;
const bringSounds = () => import(sounds).catch(() => {});
const isHeard = () => [storage.read("sound"), storage.read("buzz")].includes("on");
export const sound = async (what) => {
  if (isHeard()) (await bringSounds())?.play(what);
};
get("menu")?.addEventListener("toggle", bringSounds, { once: true });
if (get("state") && isHeard()) bringSounds();
else if (get("state") && !storage.read("sound")) document.addEventListener("click", bringSounds, { once: true });
// What a finger does to a hand comes after the page, where there are fingers.
const bringHand = () => {
  const { swipes } = get("hands")?.dataset ?? {};
  if (swipes && matchMedia("(pointer: coarse)").matches) import(swipes).catch(() => {});
};
// And what calls whoever is waited for; what plays a clash, and its look, which the first would wait for; and what is
// kept for when there is no network, which browsers do over https.
const { install } = document.querySelector("[data-install]")?.dataset ?? {};
const bringLater = () => {
  bringHand();
  bringUnsent().catch(() => {});
  const { calls, scenes, looks } = get("main")?.dataset ?? {};
  if (calls) import(calls).catch(() => {});
  if (scenes) import(scenes).catch(() => {});
  if (looks) document.head.append(make("link", { rel: "prefetch", as: "style", href: looks }));
  if (install) import(install).catch(() => {});
};
if (document.readyState === "complete") bringLater();
else addEventListener("load", bringLater);
