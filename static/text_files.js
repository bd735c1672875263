/* A text that is as long as a file: it can be brought from one and saved as one. */

import { get } from "./companion.js";
import { withName } from "./forget_button.js";
import { fileName, saveFile } from "./save_file.js";

const MARKS = [["utf-16le", 0xff, 0xfe], ["utf-16be", 0xfe, 0xff]];
// Spreadsheets save in the letters of their country: what is not UTF-8 is taken for those of western Europe.
const decoded = (bytes) => {
  const marked = MARKS.find(([, ...mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return new TextDecoder(marked[0]).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
};
let opening = null;
const open = async (target) => {
  const { into } = target.dataset ?? {};
  const limit = get(into ?? "")?.maxLength;
  const [file] = (limit && target.files) || [];
  if (!file) return;
  const say = (what) => {
    const status = get(`${into}-status`);
    status.textContent = withName(status.dataset[what], file.name);
  };
  const reading = { into, sent: null };
  opening = reading;
  say("reading");
  const most = limit + 1; // what is longer is told so by the table
  const bytes = await file.slice(0, 4 * most).arrayBuffer().catch(() => null);
  if (opening !== reading) return; // another was chosen meanwhile, or the form was closed
  opening = null;
  target.value = "";
  const area = get(into); // the form may have come anew
  if (!area) return;
  if (!bytes) {
    say("unread");
    return;
  }
  area.value = decoded(new Uint8Array(bytes)).slice(0, most);
  area.dispatchEvent(new Event("input", { bubbles: true }));
  say("filled");
  const { submitter } = reading.sent ?? {};
  if (reading.sent) area.form.requestSubmit(submitter?.form === area.form ? submitter : null);
};
// What is sent while its file is being read waits for it: the text before is not what was chosen.
window.addEventListener("submit", (event) => {
  if (!opening || !event.target.contains(get(opening.into))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  opening.sent = event;
}, true);
document.addEventListener("close", () => {
  opening = null;
}, true);
document.addEventListener("change", ({ target }) => open(target));
// This script comes with the form: a quick finger may have chosen its file before.
for (const input of document.querySelectorAll("input[data-into]")) open(input);
document.documentElement.classList.add("opens-files");
const kind = (text) => {
  if (/^\s*\{/.test(text)) return "json";
  return /^\W*record\b(?!\s*=)|^[^=[{#\n]*[,;\t]"?record\b/.test(text) ? "csv" : "toml";
};
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-file]");
  if (!button) return;
  const text = get(button.dataset.from).value;
  saveFile(text, `${fileName(button.dataset.file)}.${kind(text)}`, "text/plain;charset=utf-8");
});
