/* The replay: a step, the slider and the keys swap the stage in place, with one request at a time. Without it all are
   links. */

import { get } from "./companion.js";

let going = ""; // what is on its way
let wanted = ""; // what comes next

const slider = () => get("replay-slider");

const load = async (address) => {
  wanted = address;
  if (going) return;
  while (wanted) {
    going = wanted;
    wanted = "";
    try {
      await window.htmx.ajax("GET", going, { source: "#main", target: "#main", swap: "innerMorph" });
      history.replaceState(null, "", going);
    } catch {
      wanted = "";
    }
  }
  going = "";
};

// A choice is about what was asked for last, be it still on its way.
const other = (name, value) => {
  const address = new URL(wanted || going || location.href, location.href);
  if (!going) address.searchParams.set("at", get("state").dataset.at);
  address.searchParams.set(name, value);
  return `${address.pathname}${address.search}`;
};

document.addEventListener("input", ({ target }) => {
  if (target.id === "replay-slider") load(other("at", target.value));
  if (target.id !== "replay-eyes") return;
  // What a shared screen sees is another page than what a seat does.
  const seen = target.querySelector("[selected]")?.value;
  const whole = "whole" in target.dataset && [seen, target.value].includes("screen");
  if (whole) location.assign(other("eyes", target.value));
  else load(other("eyes", target.value));
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".replay-steps a[rel]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  load(`${link.pathname}${link.search}`);
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, dialog")) return;
  const link = get({ ArrowLeft: "replay-before", ArrowRight: "replay-after" }[event.key] ?? "");
  if (!link) return;
  event.preventDefault();
  load(`${link.pathname}${link.search}`);
});

// The slider keeps what was typed where its page was loaded again: it shows the entry that is seen.
const shown = get("state")?.dataset.at;
if (slider() && shown) slider().value = shown;
