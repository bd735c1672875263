/* What could not be sent. It is said once, and goes by itself where the connection is back soon and the table is still
   where it was when it was tapped. Else it stands as it was picked, and somebody is asked. */

import { get, open, showUnsent, shownVersion } from "./companion.js";

const SOON = 10000; // milliseconds after the tap in which it goes by itself
const unsent = get("unsent");
const sheet = get("sheet");
const [words, button] = unsent.querySelectorAll("span, button");
const alarm = words.textContent;
const tryAgain = button.textContent;
const close = sheet.querySelector(".close").getAttribute("aria-label");
const now = () => performance.now();
button.hidden = false;
let tap = null; // what was tapped last, and did not get through: when, at which version, and how it goes again
let queued = null; // the newest of a line of moves, each of which keeps its own key
let due = null; // what goes by itself with the next request
let renewed = 0; // when the connection was back last
let begins = false; // whether the first word of a connection is still to come
let touched = 0; // when somebody last picked or typed something

// What was tapped at another version may have been done, or be another thing now.
const moved = () => !tap.lasting && tap.version !== undefined && tap.version !== shownVersion();
const say = (sentence, calm = true) => {
  words.textContent = sentence;
  button.textContent = moved() ? close : tryAgain;
  unsent.classList.toggle("is-back", calm);
  showUnsent(true);
};
const ask = () => say(moved() ? words.dataset.moved : words.dataset.back);
const goOrAsk = () => {
  const same = tap.version === shownVersion() && (tap.lasting || (touched <= tap.at && tap.form.isConnected));
  if (!same || !(now() - tap.at < SOON)) {
    ask();
    return;
  }
  due = tap;
  tap.tried = now();
  tap.again();
};

// A form is sent again as it stands, by the button that was tapped.
const again = ({ request, sourceElement: form, sourceEvent }) => {
  const submitter = sourceEvent?.submitter;
  if (request.method !== "POST") open(request.action);
  else if (form.isConnected) form.requestSubmit(submitter?.form === form ? submitter : null);
};
export const failed = (what, late) => {
  const lasting = typeof what === "function";
  tap = Object.assign((lasting ? queued : what.tap) ?? {}, { lasting, again: lasting ? what : () => again(what) });
  (sheet.open ? sheet : get("notices") ?? document.body).append(unsent);
  if (late || moved()) ask();
  else say(alarm, false);
  unsent.scrollIntoView({ block: "nearest" });
  // The answer was awaited on a connection that had ended, and there is another one already.
  if (renewed > (tap.tried ?? tap.at)) goOrAsk();
};

// What goes by itself is refused by the table where somebody else was faster.
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (ctx.request.method !== "POST") return;
  const itself = due && (due.lasting ? ctx.sent : ctx.sourceElement === due.form) ? due : null;
  if (itself) ctx.request.headers["X-Only-At"] = itself.version;
  ctx.tap = itself ?? { at: now(), version: shownVersion(), form: ctx.sourceElement };
  due = null;
  if (ctx.sent) queued = ctx.tap;
});
const starts = () => {
  begins = true;
};
document.addEventListener("reached", starts);
document.addEventListener("htmx:sse:after:connection", starts);
document.addEventListener("htmx:sse:after:message", () => {
  if (!begins) return;
  begins = false;
  renewed = now();
  if (tap && !unsent.hidden) goOrAsk();
});
document.addEventListener("htmx:after:swap", () => {
  if (tap && !unsent.hidden && moved()) ask();
});
for (const kind of ["change", "input"]) {
  document.addEventListener(kind, () => {
    touched = now();
  });
}
sheet.addEventListener("close", () => showUnsent(false));
button.addEventListener("click", () => {
  showUnsent(false);
  if (!moved()) tap.again();
});

// Whose phone is away is shown on few pages, which name what does that.
const { brings } = get("phone-away")?.dataset ?? {};
if (brings) import(brings).catch(() => {});
