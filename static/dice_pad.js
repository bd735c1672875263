/* Dice to tap: a few faces stand for the rows of choices beneath, which still are what is sent. Where a scene shows the
   dice that are asked for, they lie in its places. */

import { get, make } from "./companion.js";

const SURE = 1500; // milliseconds in which the last die can be touched again
const SEEN = 700; // milliseconds that a finger on its way to send needs to see that they were sent by themselves
let sending = 0;
let alone = false;
const waitAgain = () => {
  clearTimeout(sending);
  document.querySelectorAll(".is-sending").forEach((send) => send.classList.remove("is-sending"));
  document.querySelectorAll("[data-sending] > b").forEach((told) => told.remove());
};
const sendSoon = (entry) => {
  const form = entry.closest(".typing");
  const send = form?.querySelector(":scope > button");
  if (!send) return;
  waitAgain();
  send.classList.add("is-sending");
  const told = form.querySelector("[data-sending]");
  if (told) told.append(make("b", { textContent: told.dataset.sending }));
  sending = setTimeout(() => {
    if (!send.isConnected || form.inert) return;
    alone = true;
    form.requestSubmit(send);
  }, SURE);
};
// The next button stands where this one did: it is not tapped by whoever meant to send.
const rest = () => {
  if (!alone) return;
  alone = false;
  if (document.querySelector("#dock [data-pad]")) return; // the next dice may be touched at once
  const { style } = get("dock");
  style.pointerEvents = "none";
  setTimeout(() => { style.pointerEvents = ""; }, SEEN);
};
// Whoever does something else has not done with the dice.
document.addEventListener("submit", () => waitAgain(), true);
document.addEventListener("pointerdown", ({ target }) => {
  if (!target.closest(".typing, .clash")) waitAgain();
});
const places = (count) => {
  const asked = [...document.querySelectorAll("#clash-now[open] .is-asked .lies")];
  return asked.length === count ? asked : null;
};
const pads = new WeakMap();
const layPad = (entry) => {
  const rows = [...entry.querySelectorAll(".die-row")];
  const die = (face) => entry.querySelector(`input[value="${face}"] + label .die`).cloneNode(true);
  const thrown = make("div", { className: "pad-thrown" });
  thrown.setAttribute("aria-live", "polite");
  const faces = make("div", { className: "pad-faces" });
  const pad = make("div", { className: "pad" }, thrown, faces);
  const show = () => {
    const lie = entry.closest(".typing") && places(rows.length);
    const typed = rows.map((row) => {
      const chosen = row.querySelector("input:checked");
      if (!chosen) return make("span", { className: lie ? "die slot typed" : "empty typed" });
      const button = make("button", { type: "button", className: "typed" }, die(chosen.value));
      button.setAttribute("aria-label", `${chosen.value} ✕`);
      button.addEventListener("click", () => {
        waitAgain();
        chosen.checked = false;
        show();
      });
      return button;
    });
    thrown.hidden = Boolean(lie);
    if (lie) lie.forEach((place, at) => place.replaceChildren(typed[at]));
    thrown.replaceChildren(...(lie ? [] : typed));
    const full = rows.every((row) => row.querySelector("input:checked"));
    faces.querySelectorAll("button").forEach((button) => {
      button.disabled = full;
    });
    return full;
  };
  for (let face = 1; face <= Number(entry.dataset.pad); face += 1) {
    const button = make("button", { type: "button" }, die(face));
    button.setAttribute("aria-label", String(face));
    faces.append(button);
    button.addEventListener("click", ({ detail }) => {
      const row = rows.find((one) => !one.querySelector("input:checked"));
      if (row) row.querySelector(`input[value="${face}"]`).checked = true;
      if (entry.closest("#dock")) get("refused").replaceChildren(); // that faces are missing is no news any more
      // Whoever uses keys, or listens, says himself when it is right.
      if (show() && row && detail) sendSoon(entry);
    });
  }
  entry.classList.add("has-pad", "away");
  entry.before(pad);
  pads.set(entry, show);
};
const layPads = () => {
  document.querySelectorAll("[data-pad]:not(.has-pad)").forEach(layPad);
  document.querySelectorAll("[data-pad]").forEach((entry) => pads.get(entry)?.());
};
document.addEventListener("htmx:after:swap", () => {
  rest();
  layPads();
});
document.addEventListener("toggle", ({ target }) => {
  if (target.id === "clash-now") layPads();
}, true);
layPads();
