/* The sheet, where a link marked data-sheet opens; forms that foretell what they would come to; boxes that fold up. */

import { get, hasHtmx } from "./base.js";
import { showBoard } from "./measure.js";

const sheet = get("sheet");
export const open = (href, same = false) => {
  const body = get("sheet-body");
  body.setAttribute("aria-busy", "true");
  const how = { source: "#sheet-body", target: "#sheet-body", swap: same ? "innerMorph" : "innerHTML" };
  htmx.ajax("GET", href, how).finally(() => {
    body.removeAttribute("aria-busy");
    if (!same) sheet.scrollTop = 0;
  });
  if (!sheet.open) {
    body.replaceChildren(); // what was read before is not the answer
    sheet.showModal();
  }
};
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-sheet]");
  if (link && hasHtmx() && !event.ctrlKey && !event.metaKey && !event.shiftKey && sheet?.showModal) {
    event.preventDefault();
    boxed(link);
    open(link.getAttribute("href"));
  }
  if (event.target === sheet) sheet.close();
  const menu = get("menu");
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});
// What is left to choose changes the odds, or what else can be chosen: ask again.
// A list that is filled in is sent once and no part of the form.
const filled = (form) => String(new URLSearchParams([...new FormData(form)].filter(([name]) => name !== "kept")));
let foreseen = {}; // the form for which an answer is on its way, and what was in it
const foresee = (form, changed) => {
  const plan = form?.querySelector("[data-plan]");
  if (!plan || (changed && plan.dataset.plan && plan.dataset.plan !== changed.name)) return;
  foreseen = { form, fields: filled(form) };
  open(`${plan.getAttribute("formaction")}?${new URLSearchParams(new FormData(form))}`, true);
};
// An answer that was overtaken by what was tapped since would take it away again.
document.addEventListener("htmx:before:swap", (event) => {
  const { form, fields } = foreseen;
  if (event.detail.ctx.sourceElement?.id !== "sheet-body" || !form?.isConnected || filled(form) === fields) return;
  event.preventDefault();
  foresee(form);
});
document.addEventListener("change", ({ target }) => foresee(target.closest("#sheet form"), target));
// A plan is filled in as it comes, whatever was typed before.
const planned = ({ target } = {}) => target === "#plan" || target?.id === "plan" || target?.id === "sheet-body";
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (planned(ctx)) get("plan")?.querySelector("form")?.reset();
});
// Asking for the odds is no attack: the form itself must not hear of it.
document.addEventListener("submit", (event) => {
  if (!event.submitter?.matches("#sheet [data-plan]")) return;
  event.preventDefault();
  event.stopPropagation();
  foresee(event.target);
}, true);
const hasTable = () => Boolean(get("board") ?? document.querySelector(".tableau"));
let boarded = hasTable();
let box = null; // its form may be gone when the answer is there
let below = false; // whether it lies in a tableau
const boxed = (from) => {
  if (sheet?.contains(from)) return;
  box = from.closest("details.offer, .lying > details");
  below = Boolean(from.closest(".tableau"));
};
document.addEventListener("submit", ({ target }) => boxed(target), true);
document.addEventListener("htmx:after:swap", (event) => {
  const target = event.detail.ctx?.target;
  // A box folds up, unless what it says was refused.
  const { request: how, response: came, sourceElement } = event.detail.ctx ?? {};
  const inSheet = sheet?.open && how?.method === "POST" && sheet.contains(sourceElement);
  if (inSheet && !planned(event.detail.ctx)) sheet.close();
  if (how?.method === "POST" && came?.status < 400) {
    if (box) box.open = false;
    if (below) showBoard();
    below = false;
  }
  if (target?.id !== "main") return;
  // A board that comes is seen.
  if (!boarded && hasTable()) {
    window.scrollTo(0, 0);
    document.querySelector(".play-main")?.scrollTo(0, 0);
  }
  boarded = hasTable();
  // Who listens or types goes on where the next step is.
  if (event.detail.ctx.request?.method === "POST" && document.activeElement === document.body) {
    get("dock")?.focus({ preventScroll: true });
  }
});
