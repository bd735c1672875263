/* A text that is as long as a file: it can be brought from one and saved as one. The form works without it. */
(() => {
  "use strict";
  const MARKS = [["utf-16le", 0xff, 0xfe], ["utf-16be", 0xfe, 0xff]];
  // Spreadsheets save in the letters of their country: what is not UTF-8 is taken for those of western Europe.
  const decoded = (bytes) => {
    const marked = MARKS.find(([, ...mark]) => mark.every((byte, at) => bytes[at] === byte));
    if (marked) return new TextDecoder(marked[0]).decode(bytes);
    try { return new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { return new TextDecoder("windows-1252").decode(bytes); }
  };
  let opening = null;
  const open = async (target) => {
    const { into } = target.dataset ?? {};
    const limit = document.getElementById(into ?? "")?.maxLength;
    const [file] = (limit && target.files) || [];
    if (!file) return;
    const say = (what) => {
      const status = document.getElementById(`${into}-status`);
      status.textContent = status.dataset[what].replace("{name}", () => file.name);
    };
    const reading = { into, sent: null };
    opening = reading;
    say("reading");
    const most = limit + 1; // what is longer is told so by the table
    const bytes = await file.slice(0, 4 * most).arrayBuffer().catch(() => null);
    if (opening !== reading) return; // another was chosen meanwhile, or the form was closed
    opening = null;
    target.value = "";
    const area = document.getElementById(into); // the form may have come anew
    if (!area) return;
    if (!bytes) return say("unread");
    area.value = decoded(new Uint8Array(bytes)).slice(0, most);
    area.dispatchEvent(new Event("input", { bubbles: true }));
    say("filled");
    if (reading.sent) area.form.requestSubmit(reading.sent.submitter?.form === area.form ? reading.sent.submitter : null);
  };
  // What is sent while its file is being read waits for it: the text before is not what was chosen.
  window.addEventListener("submit", (event) => {
    if (!opening || !event.target.contains(document.getElementById(opening.into))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    opening.sent = event;
  }, true);
  document.addEventListener("close", () => { opening = null; }, true);
  document.addEventListener("change", ({ target }) => open(target));
  // This program comes with the form: a quick finger may have chosen its file before.
  for (const input of document.querySelectorAll("input[data-into]")) open(input);
  document.documentElement.classList.add("opens-files");
  const kind = (text) => (/^\s*\{/.test(text) ? "json" : /^\W*record\b(?!\s*=)|^[^=[{#\n]*[,;\t]"?record\b/.test(text) ? "csv" : "toml");
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-file]");
    if (!button) return;
    const text = document.getElementById(button.dataset.from).value;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
    link.download = `${button.dataset.file.replace(/[^\p{L}\p{N}]+/gu, "-")}.${kind(text)}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
})();
