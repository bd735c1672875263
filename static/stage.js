/* What lies over the stage of a table and what is in sight there: picked pieces and cards, dice that fell, a question,
   what is seldom looked for. */

import { get } from "./base.js";
import { measure, showBoard, sizes } from "./measure.js";

// What is seldom looked for leaves nothing behind in the history: the phone's own way back must not open it again.
const closeMore = () => {
  if (location.hash === "#more") location.replace("#dock");
};
document.addEventListener("click", (event) => {
  if (!event.target.closest(".more-head .close, .curtain")) return;
  event.preventDefault();
  closeMore();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  document.querySelectorAll(":is(.pick, .pick-card):checked").forEach((one) => {
    one.checked = false;
  });
  closeMore();
  if (get("menu")) get("menu").open = false;
});
// What opens there or on the stage may lie under the foot of it: it comes into sight.
document.addEventListener("toggle", ({ target }) => {
  if (target.matches?.("details.offer[open]")) target.scrollIntoView({ block: "nearest" });
}, true);
// Nothing lies over the end of a game when it comes.
let ended = Boolean(get("ending"));
document.addEventListener("htmx:after:swap", () => {
  const before = ended;
  ended = Boolean(get("ending"));
  if (ended && !before) closeMore();
});

// A second tap lets a piece or a card go, and so do dice or a question, which they would lie over.
const letGo = () => {
  const card = document.querySelector(".pick-card:checked");
  if (card) card.checked = false;
  const pick = document.querySelector(".pick:checked");
  if (!pick) return;
  pick.checked = false;
  pick.dispatchEvent(new Event("change", { bubbles: true }));
};
let held = null;
document.addEventListener("pointerdown", (event) => {
  const label = event.target.closest("label");
  const input = label?.htmlFor ? get(label.htmlFor) : null;
  held = input?.matches(".pick, .pick-card") && input.checked ? input : null;
});
document.addEventListener("click", (event) => {
  const label = event.target.closest("label");
  if (held && label?.htmlFor === held.id) {
    event.preventDefault();
    held.checked = false;
    held.dispatchEvent(new Event("change", { bubbles: true }));
    held = null;
  }
});

// A roll is new where its ruling is, and where it was not seen before that was made; undone, an older one is none.
export const newer = (now = "", before = "") => {
  const [at, faces] = now.split(":");
  const [last, lay] = before.split(":");
  const later = Number(at || -1) - Number(last || -1);
  return later > 0 ? faces !== lay || Number.isInteger(Number(last || 0)) : later === 0 && faces !== lay;
};
const newestThrow = () => document.querySelector("[data-throw]")?.dataset.throw;
let lastThrow = newestThrow();
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  ctx.card = ctx.sent ? ctx.sent.card : document.querySelector(".pick-card:checked")?.id;
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (get("scan")) get("scan").hidden = !document.querySelector(".is-open");
  const newest = newestThrow();
  const thrown = newer(newest, lastThrow);
  if (thrown) {
    letGo();
    document.querySelector("[data-throw]").classList.add("has-rolled");
  }
  const done = ctx?.request?.method === "POST";
  if (thrown || done) get("dock")?.scrollIntoView({ block: "nearest" });
  // A card that was played may still be in the hand: it lies down again, and the next step is back. What was filled in
  // wrongly is still about it, and one that was picked meanwhile stays.
  const status = ctx?.response?.status;
  const card = done && !(status >= 400 && status !== 409) && ctx.card && get(ctx.card);
  if (card) card.checked = false;
  // Why a piece can not be corrected now is read where its sheet was.
  if (status >= 400 && ctx.sourceElement?.id === "corrections-board") letGo();
  lastThrow = newest ?? lastThrow;
});
// What can be corrected once a question is answered says so in its place.
document.addEventListener("click", (event) => {
  const wait = get("wait");
  if (!wait || !event.target.closest(".step, .way.place")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  letGo();
  wait.className = "wrong";
  wait.tabIndex = -1;
  wait.focus();
}, true);
document.addEventListener("change", (event) => {
  if (event.target.matches(".pick")) {
    measure();
    const label = event.target.nextElementSibling;
    if (!label?.matches(".away")) label?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  // A picked card and what it may do are in sight, however many cards there are.
  if (event.target.matches(".pick-card:checked")) {
    const card = event.target.nextElementSibling;
    for (const part of [card, card.nextElementSibling]) part.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
});

const told = () => (get("last") ?? get("newest"))?.textContent;
// To scroll what lies at its head would lay the page out once more.
let scrolled = get("dock")?.scrollTop > 0;
document.addEventListener("scroll", ({ target }) => {
  if (target.id === "dock") scrolled = target.scrollTop > 0;
}, { capture: true, passive: true });
const filling = () => get("dock")?.contains(document.activeElement?.closest("input, select, textarea"));
let said = told();
let asked = null;
let waited = null;
// The second tap of a double one must not answer what nobody has read.
let hushed = 0;
const hush = () => {
  document.querySelectorAll("#dock form[action$='/answer']").forEach((form) => {
    form.inert = hushed > 0;
  });
};
const fresh = () => {
  const question = document.querySelector("form[action$='/answer']") ? get("state").dataset.version : null;
  const waiting = document.querySelector("#dock .waiting");
  if ((question && question !== asked) || (waiting && !waited)) letGo();
  if (question && question !== asked) closeMore();
  // What else changes its size is watched.
  if (document.querySelector(".pick:checked") || parseFloat(sizes["--dock"].getPropertyValue("--dock"))) measure();
  if (scrolled && (question !== asked || (told() !== said && !filling()))) get("dock")?.scrollTo(0, 0);
  if (question && question !== asked) {
    showBoard();
    // where the page scrolls the answers too, but the question first
    for (const place of ["#dock form[action$='/answer']", "#dock > .now"]) {
      document.querySelector(place)?.scrollIntoView({ block: "nearest" });
    }
    hushed += 1;
    setTimeout(() => {
      hushed -= 1;
      hush();
    }, 400);
  }
  hush();
  asked = question;
  waited = waiting;
  said = told();
};
document.addEventListener("htmx:after:swap", fresh);
if (get("state")) fresh();
