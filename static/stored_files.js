/* Texts that are as long as files, such as decks, are kept on this phone, and filled in at another table. */

import { get, make, storage } from "./companion.js";
import { forgetsTwice, withName } from "./forget_button.js";

const place = (box) => {
  const action = new URLSearchParams(get(box.dataset.into).form.elements.do?.value).get("action");
  return action && box.dataset.keptFiles ? `files/${box.dataset.keptFiles}/${action}` : "";
};
const texts = (box) => storage.readData(place(box)) ?? {};
const tell = (box, words, name) => {
  get(`${box.dataset.into}-status`).textContent = withName(box.dataset[words], name);
};
// A file says itself what it is called: in TOML, JSON or CSV.
const NAMED = /^[\s{"]*(?:record,name[^\n]*\n[^,\n]*,|"?name"?\s*[=:]\s*)"?([^"\n,]{1,80})/m;
const named = (text) => NAMED.exec(text)?.[1].trim();
const write = (box, all, words, name) => {
  tell(box, storage.writeData(place(box), all) ? words : "full", name);
  show(box);
};
const row = (box, name, text) => {
  const use = make("button", { type: "button", className: "button", textContent: name });
  use.addEventListener("click", () => {
    const area = get(box.dataset.into);
    area.value = text;
    area.dispatchEvent(new Event("input", { bubbles: true }));
    const status = get(`${box.dataset.into}-status`);
    status.textContent = withName(status.dataset.filled, name);
  });
  const forget = make("button", { type: "button", className: "button quiet", textContent: "✕" });
  forget.setAttribute("aria-label", box.dataset.forget);
  forget.dataset.sure = box.dataset.sure;
  forgetsTwice(forget, name, () => {
    const left = texts(box);
    delete left[name];
    write(box, left, "gone", name);
  });
  return make("li", {}, use, forget);
};
const show = (box) => {
  const all = Object.entries(texts(box));
  const keep = make("button", { type: "button", className: "button", textContent: box.dataset.keeping });
  keep.addEventListener("click", () => {
    const { value } = get(box.dataset.into);
    const name = named(value) ?? new Date().toLocaleString(document.documentElement.lang);
    if (value.trim()) write(box, { ...texts(box), [name]: value }, "keptAs", name);
  });
  const list = make("ul", { className: "kept-lists" }, ...all.map(([name, text]) => row(box, name, text)));
  list.setAttribute("aria-label", box.dataset.kept);
  box.replaceChildren(...(all.length ? [list] : []), make("div", { className: "buttons" }, keep));
  box.hidden = !place(box);
};
const fresh = () => document.querySelectorAll("[data-kept-files]").forEach(show);
document.addEventListener("htmx:after:swap", fresh);
fresh();
