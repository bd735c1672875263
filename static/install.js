/* Over https a phone keeps what it may read when Companion is out of reach (worker.js). It comes after the page. */

import { get } from "./companion.js";

const root = document.documentElement;
const LATER = 1000; // milliseconds after which what changed is kept: a table may change several times in one
const MOST_SEATS = 8;
const main = document.querySelector("body.at-table [hx-sse\\:connect]");
const READS = ".pick, .pick-card, .pick-of-many, .hide-cards, #card-none, #pick-none"; // what only looks closer
const ACTS = `button, a:is(.button, .way), select, textarea, details.offer, .about .legend, input:not(${READS})`;
const AROUND = "script, noscript, template, dialog, .notices, #knocks, .unsent, .skip, .seek, .menu, .open-more, "
  + ".more-head, .curtain, #ending, #clash-now"; // a scene lies over the table

// The page of a seat as it is, and nothing in it that could be tapped to act.
const still = () => {
  const page = root.cloneNode(true);
  page.classList.remove("scripted");
  page.querySelectorAll(".hide-cards").forEach((hand) => hand.toggleAttribute("checked", hand.checked));
  const dock = page.querySelector("#dock"); // of all that is done there only one's own cards are read
  dock?.replaceChildren(...dock.querySelectorAll(".spread"));
  // What opens, and has nothing to read once it can not be sent.
  for (const box of page.querySelectorAll("details:has(form, a, button)")) {
    const read = box.cloneNode(true);
    read.querySelectorAll("summary, form, .corrections, a, button").forEach((one) => one.remove());
    if (!read.textContent.trim()) box.remove();
  }
  page.querySelectorAll(`${AROUND}, ${ACTS}`).forEach((one) => one.remove());
  page.querySelectorAll("a").forEach((link) => link.removeAttribute("href"));
  for (const one of page.querySelectorAll("*")) {
    for (const name of one.getAttributeNames()) {
      if (/^(?:hx-|on|action$|formaction$)/.test(name)) one.removeAttribute(name);
    }
  }
  return `<!doctype html>${page.outerHTML}`;
};
const seats = () => {
  const build = new URL(main.getAttribute("hx-sse:connect"), location).searchParams.get("build");
  return caches.open(`seats ${build}`);
};
const here = location.pathname;
let lost = false;
let due = 0;
const keep = async () => {
  due = 0;
  if (lost) return;
  const pictures = [...document.querySelectorAll("#main img[src^='/t/']")].map((one) => one.getAttribute("src"));
  const page = still();
  const title = encodeURIComponent(/<title>([^<]*)/.exec(page)[1]);
  const about = { "X-Keep": root.lang, "X-Kept-At": Date.now(), "X-Title": title };
  const headers = { "Content-Type": "text/html; charset=utf-8", ...about };
  const cache = await seats();
  await cache.put(here, new Response(page, { headers }));
  for (const one of new Set(pictures)) {
    if (!await cache.match(one)) await cache.add(one).catch(() => {});
  }
  const pages = (await cache.keys()).filter(({ url }) => new URL(url).pathname.split("/").length === 4);
  await Promise.all(pages.slice(0, -MOST_SEATS).map((old) => cache.delete(old)));
  if (lost) await cache.delete(here);
};
const soon = () => {
  due ||= setTimeout(() => keep().catch(() => {}), LATER);
};
const forget = async () => {
  lost = true;
  await (await seats()).delete(here);
};

// Files that came before somebody was there to keep them come once more, out of the browser's own memory.
const comeAgain = async () => {
  const files = performance.getEntriesByType("resource").map(({ name }) => name);
  const ours = files.filter((name) => name.startsWith(`${location.origin}/static/`));
  await Promise.all([...new Set(ours)].map((name) => fetch(name)));
  if (!get("state")) await fetch(location.href);
};
const begin = async () => {
  const workers = navigator.serviceWorker;
  const first = !workers.controller;
  const taken = new Promise((then) => workers.addEventListener("controllerchange", then, { once: true }));
  await workers.register("/sw.js");
  if (first) {
    await (workers.controller ?? taken);
    await comeAgain();
  }
  root.dataset.keeps = "";
};

if (isSecureContext && location.protocol === "https:" && navigator.serviceWorker) {
  begin().catch(() => {}); // a private window keeps nothing
  if (main) {
    keep().catch(() => {});
    document.addEventListener("htmx:after:swap", soon);
    document.addEventListener("change", ({ target }) => target.matches(".hide-cards") && soon());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden && due) keep().catch(() => {});
    });
    document.addEventListener("gone", () => forget().catch(() => {}));
  }
}
