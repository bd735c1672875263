/* Lists that are saved on this phone: under one name for each kind of each game, a list by its own name. */

import { storage } from "./companion.js";
import { forgetsTwice, withName } from "./forget_button.js";
import { fileName, saveFile } from "./save_file.js";

const about = (box) => JSON.parse(box.dataset.list);
const place = (box) => `kept/${about(box).game}/${about(box).list}`;
const lists = (box) => storage.readData(place(box)) ?? {};
const tell = (box, words, name = "") => {
  box.querySelector(".wrong")?.remove();
  box.querySelector("[role=status]").textContent = withName(box.dataset[words], name);
};
const write = (box, all, words, name) => {
  if (storage.writeData(place(box), all)) tell(box, words, name);
  else tell(box, "full");
  showLists(box);
};
const showLists = (box) => {
  const row = box.querySelector("template").content;
  box.querySelector(".kept-lists").replaceChildren(...Object.entries(lists(box)).map(([name, values]) => {
    const made = row.cloneNode(true);
    const [use, forget] = made.querySelectorAll("button");
    use.textContent = name;
    use.addEventListener("click", () => fill(box, JSON.stringify({ ...about(box), name, values })));
    forgetsTwice(forget, name, () => {
      const left = lists(box);
      delete left[name];
      write(box, left, "gone", name);
    });
    return made;
  }));
};
const LONGEST = 4001; // what is longer than 4,000 characters is no list, and is told so
// The table looks whether a list fits, and fills it in or says why not.
const fill = (box, list) => {
  const sent = box.querySelector("[name=kept]");
  sent.value = list.slice(0, LONGEST);
  sent.form.requestSubmit(box.querySelector("[data-plan]"));
  sent.value = "";
};
const READ = {
  number: (sent) => sent.at(-1) && Number(sent.at(-1)),
  yes_no: (sent) => sent.at(-1) === "1",
  many: (sent) => sent,
};
const values = (box) => {
  const form = new FormData(box.closest("form"));
  const read = ([name, kind]) => [name, (READ[kind] ?? ((sent) => sent.at(-1)))(form.getAll(`f.${name}`))];
  const filled = Object.entries(JSON.parse(box.dataset.kinds)).map(read).filter(([, value]) => (value ?? "") !== "");
  return { ...about(box).values, ...Object.fromEntries(filled) };
};
const named = (box) => box.querySelector("[type=text]").value.trim();
const keep = (box) => {
  if (!named(box)) {
    tell(box, "nameless");
    box.querySelector("[type=text]").focus();
    return;
  }
  write(box, { ...lists(box), [named(box)]: values(box) }, "keptAs", named(box));
};
const save = (box) => {
  const list = JSON.stringify({ ...about(box), name: named(box), values: values(box) }, null, 2);
  saveFile(list, `${fileName(named(box)) || about(box).list}.json`, "application/json");
};
const within = ({ target }) => target.closest?.(".keeping");
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-keep]")) keep(within(event));
  if (event.target.closest("[data-save]")) save(within(event));
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !within(event) || event.target.type !== "text") return;
  event.preventDefault();
  keep(within(event));
});
document.addEventListener("change", async (event) => {
  const [file] = (within(event) && event.target.files) || [];
  if (!file) return;
  const list = await file.slice(0, 4 * LONGEST).text().catch(() => "-"); // a character is four bytes at most
  event.target.value = "";
  fill(within(event), list);
});

// What opens lies under the foot of the sheet: it comes into sight.
document.addEventListener("toggle", ({ target }) => {
  if (target.matches?.(".keeping[open]")) target.scrollIntoView();
}, true);

const fresh = () => document.querySelectorAll(".keeping").forEach(showLists);
document.addEventListener("htmx:after:swap", fresh);
fresh();
