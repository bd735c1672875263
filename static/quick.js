/* Lookups on this device: the address follows the facts, so that it can be kept, and the list begins with the last
   ones. */

import { get, make, storage } from "./companion.js";

const KEPT = "lookups";
const MOST = 4;
const read = () => storage.readList(KEPT);

document.addEventListener("htmx:after:swap", () => {
  const address = document.querySelector("[data-address]")?.dataset.address;
  if (!address) return;
  history.replaceState(null, "", address);
  // Another language, the same facts.
  document.querySelectorAll(".menu .switch a").forEach((link) => {
    const there = new URL(location.href);
    there.searchParams.set(...[...new URL(link.href).searchParams].at(-1));
    link.href = there;
  });
});

// What only counts with certain facts is asked for with those.
const fit = () => document.querySelectorAll("[data-when]").forEach((part) => {
  const form = part.closest("form");
  const name = part.dataset.when;
  const unasked = form.querySelector(`[name="${name}"]`).closest("[data-when]")?.hidden;
  part.hidden = unasked || !part.dataset.is.split(" ").includes(form.elements[name].value);
});
document.addEventListener("input", fit);
fit();

const [, , game, lookup] = location.pathname.split("/");
if (lookup) {
  const here = `/quick/${game}/${lookup}`;
  storage.writeData(KEPT, [here, ...read().filter((other) => other !== here)].slice(0, MOST));
}

const lately = get("lately");
const linkTo = (place) => document.querySelector(`main a[href="${CSS.escape(place)}"]`);
const rows = lately ? read().map(linkTo).filter(Boolean) : [];
if (rows.length) {
  lately.querySelector("ul").append(...rows.map((row) => {
    const copy = row.closest("li").cloneNode(true);
    const about = copy.querySelector("small") ?? make("small");
    about.textContent = row.closest("section").querySelector("h2").textContent; // two games may have a melee each
    copy.querySelector(".grow").append(about);
    return copy;
  }));
  lately.hidden = false;
}
