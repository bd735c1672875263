/* Whoever takes a copy of a table reads what was saved. Without it the browser alone tells. */

import { get, make } from "./companion.js";

const LONG = 60_000; // milliseconds that a browser may take to save a file

const save = async (form) => {
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  if (!answer.ok) throw new Error(answer.statusText);
  const href = URL.createObjectURL(await answer.blob());
  make("a", { href, download: form.dataset.saves }).click();
  setTimeout(() => URL.revokeObjectURL(href), LONG);
  get("saved").hidden = false;
};
document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-saves]");
  if (!form) return;
  event.preventDefault();
  // What went wrong is said by the page that comes; a key that was used already takes no second copy.
  save(form).catch(() => form.submit());
});
