/* Lookups on this device: the address follows the facts, so that it can be kept, and the list begins with the last ones. */
(() => {
  "use strict";
  const KEPT = "lookups", MOST = 4;
  const read = () => { try { return JSON.parse(localStorage.getItem(KEPT)) ?? []; } catch { return []; } };

  document.addEventListener("htmx:after:swap", () => {
    const address = document.querySelector("[data-address]")?.dataset.address;
    if (!address) return;
    history.replaceState(null, "", address);
    document.querySelectorAll(".menu .switch a").forEach((link) => { // another language, the same facts
      const there = new URL(location.href);
      there.searchParams.set(...[...new URL(link.href).searchParams].at(-1));
      link.href = there;
    });
  });

  // What only counts with certain facts is asked for with those.
  const fit = () => document.querySelectorAll("[data-when]").forEach((part) => {
    const form = part.closest("form"), name = part.dataset.when;
    const unasked = form.querySelector(`[name="${name}"]`).closest("[data-when]")?.hidden;
    part.hidden = unasked || !part.dataset.is.split(" ").includes(form.elements[name].value);
  });
  document.addEventListener("input", fit);
  fit();

  const [, , game, lookup] = location.pathname.split("/");
  if (lookup) {
    const here = `/quick/${game}/${lookup}`;
    try {
      localStorage.setItem(KEPT, JSON.stringify([here, ...read().filter((other) => other !== here)].slice(0, MOST)));
    } catch { /* private windows keep nothing */ }
  }

  const lately = document.getElementById("lately");
  const rows = lately && read().map((place) => document.querySelector(`main a[href="${CSS.escape(place)}"]`)).filter(Boolean);
  if (!rows?.length) return;
  lately.querySelector("ul").append(...rows.map((row) => {
    const copy = row.closest("li").cloneNode(true), about = copy.querySelector("small") ?? document.createElement("small");
    about.textContent = row.closest("section").querySelector("h2").textContent; // two games may have a melee each
    copy.querySelector(".grow").append(about);
    return copy;
  }));
  lately.hidden = false;
})();
