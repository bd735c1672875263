/* The line of moves: one is sent at a time, in the order of the taps; the next piece need not wait. */

import { paint } from "./board_paint.js";
import { name, overlay, picked, targets } from "./board_squares.js";
import { correction, line } from "./board_state.js";
import { get, hasHtmx, make, notSent } from "./companion.js";

let sending = false;
let stuck = false; // a move that did not get through waits for somebody's word, not for the next answer of any kind
let passing = null;
export const enqueue = (pick, value, place = "", glides = false) => {
  const puts = correction.misplaced && place;
  const form = puts ? get("corrections-board") : overlay();
  if (puts) correction.corrected = correction.misplaced;
  correction.misplaced = null;
  if (!line.length) get("told").replaceChildren();
  const said = pick ? `${name(pick)}${place && ` → ${place}`}` : "";
  line.push({
    to: form.getAttribute("action"),
    pick: pick?.id,
    card: document.querySelector(".pick-card:checked")?.id,
    place,
    glides,
    said,
    values: { do: value, key: form.elements.key.value, seen: form.elements.seen.value },
  });
  paint();
  goAgain();
};
const goAgain = () => {
  stuck = false;
  pump();
};
const pump = () => {
  const [next] = line;
  if (sending || !next || !hasHtmx() || document.querySelector("form.htmx-request")) return;
  if (next.form) {
    line.shift();
    passing = next.form;
    if (passing.isConnected) passing.requestSubmit(next.by?.isConnected ? next.by : null);
    passing = null;
    setTimeout(pump);
    return;
  }
  sending = true;
  const into = { target: "#main", swap: "innerMorph", headers: { "HX-Target": "main#main" } };
  htmx.ajax("POST", next.to, { sent: next, values: next.values, ...into });
};
get("htmx").addEventListener("load", () => pump());
const came = ({ sent, status, response }) => {
  sending = false;
  if (status.startsWith("error") || !response || response.status >= 500) {
    stuck = true;
    notSent(goAgain);
    return false;
  }
  line.shift();
  if (response.status >= 400) refused(sent);
  else letGo(sent);
  paint();
  goOn(sent);
  return true;
};
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (ctx?.sent ? came(ctx) : !stuck) setTimeout(pump);
});
// A form waits for moves that are on their way; after a refusal it is not sent.
document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (target.id === "corrections-board") correction.corrected = picked()?.id;
  if (!line.length || target === passing || target.method !== "post") return;
  if (submitter?.matches("[data-plan]") || !target.checkValidity()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (line.at(-1).form !== target) line.push({ form: target, by: submitter });
}, true);

// What was refused is said with the name of its piece: the next one may be picked already.
const refused = (sent) => {
  line.splice(0, line.length, ...line.filter(({ form }) => !form));
  const why = get("refused")?.querySelector(".wrong");
  if (!why) return;
  const close = get("sheet").querySelector(".close").cloneNode(true);
  close.type = "button";
  close.addEventListener("click", () => close.parentElement.remove());
  why.querySelector("span").prepend(make("b", { textContent: `${sent.said}: ` }));
  why.append(close);
  get("told").append(why);
};
// A piece stays picked for its next step, unless that is the same again (setting up).
const actionOf = (step) => new URLSearchParams(step).get("action");
const letGo = ({ pick, values }) => {
  const it = pick && get(pick);
  const again = (link) => actionOf(new URL(link.href).searchParams.get("do")) === actionOf(values.do);
  if (it?.checked && [...targets(it).querySelectorAll(".way.key-go:not([data-looked])")].some(again)) {
    it.checked = false;
  }
};
// Who plays with the keyboard goes on at the piece that was moved, or at the next one.
const goOn = ({ by, pick, after }) => {
  if (!by) return;
  const next = [pick, after].map(get).find((one) => one?.matches(".pick:not(.look)")) ?? get("dock");
  next?.focus({ preventScroll: true });
};
