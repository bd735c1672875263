/* Find a value among all that can be corrected: what is not meant goes out of the way. Every value can be found without
   it. */

import { get } from "./companion.js";

const NAMES = "summary, .correction > label, .tick label, .steps label, .correction > fieldset > legend";

const find = get("find");
const plain = (words) => words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const groups = [...document.querySelectorAll(".mending > details")].map((group) => {
  const part = group.parentElement.querySelector("h2")?.textContent ?? "";
  const named = [...group.querySelectorAll(NAMES)];
  return { group, words: plain([part, ...named.map((one) => one.textContent)].join(" ")), open: group.open };
});
find.addEventListener("input", () => {
  const wanted = plain(find.value).split(/\s+/).filter(Boolean);
  const found = groups.filter(({ words }) => wanted.every((word) => words.includes(word)));
  groups.forEach((one) => {
    one.group.hidden = !found.includes(one);
    one.group.open = wanted.length && found.length < 3 ? found.includes(one) : one.open;
  });
  document.querySelectorAll(".mending").forEach((part) => {
    part.hidden = !part.querySelector(":scope > details:not([hidden])");
  });
  document.querySelectorAll(".jumps").forEach((one) => {
    one.hidden = wanted.length > 0;
  });
  get("none-found").hidden = found.length > 0;
});
