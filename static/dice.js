/* The tray: taps that do not leave the page, favourites and throws that this phone keeps. Every throw works without
   it. */

import { get, hasHtmx, make, sound, storage } from "./companion.js";
import { forgetsTwice, withName } from "./forget_button.js";

const FAVOURITES = "dice/favourites";
const THROWN = "dice/thrown";
const THROWING = "dice/throwing";
const MOST = 50; // throws that are remembered
const read = storage.readList;
const write = storage.writeData;

// Taps one after the other: each goes on from what the one before has made.
let before = Promise.resolve();
document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (form.id !== "tray" || submitter?.name !== "tap" || !hasHtmx()) return;
  event.preventDefault();
  const tapped = submitter.value;
  before = before.then(() => {
    const asked = new URLSearchParams({ n: get("notation").value, tap: tapped });
    const into = { source: "#tray", target: "#dice", select: "#dice", swap: "outerMorph" };
    return htmx.ajax("GET", `${form.getAttribute("action")}?${asked}`, into);
  }).catch(() => {});
});

// A throw that was asked for here is remembered once its result is there; looking at it again is none.
document.addEventListener("submit", ({ target, submitter }) => {
  const throws = target.matches("[data-throws]") || (target.id === "tray" && submitter?.formMethod === "post");
  try {
    if (throws) sessionStorage.setItem(THROWING, "yes");
  } catch {
    // Private windows keep nothing.
  }
});
const remember = () => {
  let asked = null;
  try {
    asked = sessionStorage.getItem(THROWING);
    sessionStorage.removeItem(THROWING);
  } catch {
    // Private windows keep nothing.
  }
  const result = get("result");
  if (!asked || !result) return;
  sound("dice");
  const newest = { at: Date.now(), said: result.dataset.said, where: get("dice").dataset.address };
  write(THROWN, [newest, ...read(THROWN)].slice(0, MOST));
};
const thrown = () => {
  const list = get("thrown-before");
  const day = (at) => new Date(at).toDateString() === new Date().toDateString();
  list?.replaceChildren(...read(THROWN).map(({ at, said, where }) => {
    const how = day(at) ? { timeStyle: "short" } : { dateStyle: "short", timeStyle: "short" };
    const words = new Intl.DateTimeFormat(document.documentElement.lang, how).format(at);
    const time = make("time", { textContent: words, dateTime: new Date(at).toISOString() });
    const link = make("a", { href: String(where).startsWith("/dice?") ? where : "/dice" }, time);
    link.append(make("b", { textContent: said, className: "grow" }));
    return make("li", {}, link);
  }));
  const forget = document.querySelector("[data-forget-all]");
  if (forget) forget.hidden = !list.firstChild;
};

const tell = (words, name = "") => {
  const box = get("favourites");
  box.querySelector("[role=status]").textContent = withName(box.dataset[words], name);
};
const favourites = () => {
  const named = read(FAVOURITES);
  document.querySelectorAll(".is-favourite").forEach((button) => button.remove());
  get("at-once")?.prepend(...named.map(({ name, n }) => make("button", {
    className: "button is-favourite",
    name: "n",
    value: n,
    textContent: name,
    title: n,
  })));
  const box = get("favourites");
  box?.querySelector(".kept-lists").replaceChildren(...named.map(({ name, n }) => {
    const made = box.querySelector("template").content.cloneNode(true);
    made.querySelector(".grow").textContent = name === n ? n : `${name} · ${n}`;
    forgetsTwice(made.querySelector("button"), name, () => {
      if (!write(FAVOURITES, read(FAVOURITES).filter((one) => one.name !== name))) return;
      favourites();
      tell("gone", name);
    });
    return made;
  }));
};
const keep = () => {
  const field = get("favourite");
  const n = field.dataset.notation;
  const name = field.value.trim() || n;
  const others = read(FAVOURITES).filter((one) => one.name !== name);
  const done = write(FAVOURITES, [...others, { name, n }]);
  favourites();
  tell(done ? "keptAs" : "full", name);
};
document.addEventListener("click", ({ target }) => {
  if (target.closest("#favourites [data-keep]")) keep();
  if (target.closest("[data-forget-all]")) {
    write(THROWN, []);
    thrown();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.id !== "favourite") return;
  event.preventDefault();
  keep();
});

const fresh = () => {
  favourites();
  thrown();
};
document.addEventListener("htmx:after:swap", () => {
  const notation = get("notation");
  if (notation && document.activeElement !== notation) notation.value = notation.getAttribute("value");
  const address = get("dice")?.dataset.address;
  if (address) globalThis.history.replaceState(null, "", address);
  fresh();
});
remember();
fresh();
