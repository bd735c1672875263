/* What this phone keeps goes into one file with a table's set-up, and comes out of one. Without it the file has what
   the table knows. */

import { get, storage } from "./companion.js";

const FAVOURITES = "dice/favourites";
const names = () => {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
};
const places = (kind) => names().map((name) => name.split("/")).filter((parts) => parts[0] === kind && parts[2]);
const within = (place) => Object.entries(storage.readData(place) ?? {});
const mine = () => ({
  files: places("files").flatMap(([kind, game, action]) => within(`${kind}/${game}/${action}`)
    .map(([name, text]) => ({ game, action, name, text }))),
  lists: places("kept").flatMap(([kind, game, list]) => within(`${kind}/${game}/${list}`)
    .map(([name, values]) => ({ game, list, name, values }))),
  favourites: storage.readList(FAVOURITES).map(({ name, n }) => ({ name, n })),
});
document.addEventListener("submit", ({ target }) => {
  if (target.matches("[data-bundle]")) target.elements.kept.value = JSON.stringify(mine());
}, true);

// Beside what is there: what is called the same and is another thing gets a number.
const free = (called, name, thing) => {
  const same = (other) => JSON.stringify(called[other]) === JSON.stringify(thing);
  let number = 1;
  let tried = name;
  while (Object.hasOwn(called, tried) && !same(tried)) {
    number += 1;
    tried = `${name} (${number})`;
  }
  return tried;
};
const add = (place, name, thing) => {
  const all = storage.readData(place) ?? {};
  return storage.writeData(place, { ...all, [free(all, name, thing)]: thing });
};
const addFavourite = ({ name, n }) => {
  const all = storage.readList(FAVOURITES);
  const called = Object.fromEntries(all.map((one) => [one.name, one.n]));
  const tried = free(called, name, n);
  return Object.hasOwn(called, tried) || storage.writeData(FAVOURITES, [...all, { name: tried, n }]);
};
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-take]");
  if (!link) return;
  const { files = [], lists = [], favourites = [] } = JSON.parse(link.dataset.take);
  const done = [
    ...files.map(({ game, action, name, text }) => add(`files/${game}/${action}`, name, text)),
    ...lists.map(({ game, list, name, values }) => add(`kept/${game}/${list}`, name, values)),
    ...favourites.map(addFavourite),
  ];
  if (done.every(Boolean)) return;
  event.preventDefault();
  get("taken").textContent = get("taken").dataset.full;
});
