/* The replay: a step, the slider and the keys swap the stage in place, with one request at a time. Without it all are
   links. */

import { get } from "./companion.js";

let loading = false;
let wanted = "";

const slider = () => get("replay-slider");

const load = async (address) => {
  wanted = address;
  if (loading) return; // what is wanted last comes next
  loading = true;
  while (wanted) {
    const now = wanted;
    wanted = "";
    try {
      await window.htmx.ajax("GET", now, { source: "#main", target: "#main", swap: "innerMorph" });
      history.replaceState(null, "", now);
    } catch {
      wanted = "";
    }
  }
  loading = false;
};

const other = (name, value) => {
  const address = new URL(location.href);
  address.searchParams.set("at", get("state").dataset.at);
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
