/* Whoever takes a copy of a table reads what was saved. Without it the browser alone tells. */

import { get } from "./companion.js";
import { saveFile } from "./save_file.js";

const save = async (form) => {
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  if (!answer.ok) throw new Error(answer.statusText);
  saveFile(await answer.blob(), form.dataset.saves);
  get("saved").hidden = false;
};
document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-saves]");
  if (!form) return;
  event.preventDefault();
  // What went wrong is said by the page that comes; a key that was used already takes no second copy.
  save(form).catch(() => form.submit());
});
