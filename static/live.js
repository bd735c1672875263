/* A page is right again by itself within seconds, and says so until it is: of what changed only the parts come, and a
   stream that fell silent begins anew. */

import { get, hasHtmx, shownVersion } from "./base.js";
import { reaches } from "./reaches.js";

// A fresh view leaves open what was opened.
get("htmx").addEventListener("load", () => htmx.registerExtension("companion", {
  htmx_before_morph_attr: (element, detail) => !(detail.attrName === "open" && element.tagName === "DETAILS"),
}));

// Of what changed only the parts come. What moves does so first, so that it stays what it is: picked, open, in focus.
const changeOf = (text) => {
  const [, from, version, moved] = /^<!--from (\d+) to (\d+) (.*)-->/.exec(text) ?? [];
  return from ? { from, version, moved: JSON.parse(moved) } : null;
};
const move = ([id, where, beside]) => {
  const other = get(beside);
  const row = other.parentNode;
  (row.moveBefore ?? row.insertBefore).call(row, get(id), where === "before" ? other : other.nextSibling);
};
document.addEventListener("htmx:before:swap", ({ detail: { ctx, tasks } }) => {
  const change = ctx.change = changeOf(ctx.text);
  if (!change) return;
  const there = tasks.every(({ target }) => target) && change.moved.every((ids) => get(ids[0]) && get(ids[2]));
  if (there && change.from === shownVersion()) {
    change.moved.forEach(move);
    return;
  }
  tasks.length = 0; // an answer or an event came in between, or the page is not what it was
  if (shown() < Number(change.version)) sayAgain();
  ctx.change = null;
});
// The page is at their version then, and a refusal is no news any more.
document.addEventListener("htmx:after:swap", ({ detail: { ctx: { change } } }) => {
  if (!change) return;
  const state = get("state");
  const old = state.dataset.version;
  state.dataset.version = change.version;
  for (const one of state.querySelectorAll(`[name="seen"][value="${old}"], [name="key"][value^="${old}-"]`)) {
    one.setAttribute("value", one.value.replace(old, change.version));
  }
  get("refused")?.replaceChildren();
});
const unsent = get("unsent");
const resting = get("resting");
// One line says that there is no connection.
export const showUnsent = (shows) => {
  unsent.hidden = !shows;
  if (resting) resting.hidden = shows || !away;
};

// A stream that says nothing for five seconds may be dead: one short question tells.
const SILENCE = 5000;
const OFTEN = 1000; // between two questions while nobody answers
const RARELY = 5000; // while somebody does, and the stream comes back by itself
const LATE = 1500; // a stream that is back sooner was never away
const main = document.querySelector("[hx-sse\\:connect]");
const now = () => performance.now(); // a phone's clock may be set meanwhile
let heard = now();
let askedAt = 0;
let answered = null; // whether the last question was, since the stream spoke
let stream = null;
let asking = null; // the request of the stream
let mute = false; // whether it is open, and nothing has come on it
let plain = "";
let away = false;
let late = 0;
const alive = () => {
  heard = now();
  answered = null;
  clearTimeout(late);
  late = 0;
  if (!away) return;
  away = false;
  showUnsent(!unsent.hidden);
  main.classList.remove("is-away");
  document.dispatchEvent(new Event("reached"));
};
const lost = () => {
  away = true;
  showUnsent(!unsent.hidden);
  main.classList.add("is-away");
};
const silent = () => now() - heard > SILENCE;
// What waits for its next try tries now; what fell silent, or hangs, is left for a new one.
const renew = () => {
  // What lies between may wait for the end of what is packed, which never comes.
  if (mute && silent() && !plain) {
    plain = "&packed=no";
    asking.action += plain;
  }
  if (stream?.reader) stream.reader.cancel();
  else if (stream?.delayCanceller) stream.delayCanceller();
  else if (stream) stream.abortController.abort();
  else if (hasHtmx()) htmx.trigger(main, "again");
};
let looking = null;
const look = (anew) => {
  looking ??= (async () => {
    askedAt = now();
    const before = answered;
    answered = Boolean(await reaches());
    looking = null;
    if (!answered) lost();
    else if (anew || (before !== true && (away || silent()))) renew();
  })();
};
const streamFailed = () => {
  late ||= setTimeout(lost, LATE);
  look();
};
// The stream begins anew, with all there is to see.
let anew = false;
export const sayAgain = () => {
  anew = true;
  stream?.reader?.cancel();
};
const versionOf = (view) => Number(/data-version="(\d+)"/.exec(view)?.[1] ?? -1);
const shown = () => Number(shownVersion() || -1);
let newest = shown();
if (main) {
  const build = new URL(main.getAttribute("hx-sse:connect"), location).searchParams.get("build");
  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    // An answer tells what changed since what is shown.
    if (ctx.request.method === "POST") {
      ctx.request.headers["X-Shown"] = `${shownVersion()} ${get("state")?.lang} ${build}`;
    }
    if (ctx.sourceElement !== main) return;
    // The page has come with all there is to see: the stream need not begin with it.
    ctx.request.headers["Last-Event-ID"] = anew ? "" : shownVersion();
    asking = ctx.request;
    asking.action += plain;
  });
  document.addEventListener("htmx:sse:after:connection", (event) => {
    stream = event.detail.connection;
    mute = true;
    alive();
  });
  document.addEventListener("htmx:sse:error", streamFailed);
  document.addEventListener("htmx:sse:before:connection", ({ detail: { connection } }) => {
    if (connection.attempt) streamFailed(); // it ended without an error
    connection.lastEventId = anew ? "" : shownVersion(); // what came may not have been shown
    anew = false;
  });
  document.addEventListener("htmx:sse:close", () => {
    stream = null;
    streamFailed();
    setTimeout(() => htmx.trigger(main, "again"));
  });
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    if (ctx?.sourceElement === main) streamFailed();
    else look();
  });
  document.addEventListener("resting", lost);
  document.addEventListener("gone", () => location.reload());
  document.addEventListener("away", ({ detail }) => {
    main.dataset.away = detail.data; // for what shows it, which may come later
  });
  document.addEventListener("htmx:sse:before:message", (event) => {
    mute = false;
    alive();
    const { data, event: name } = event.detail.message;
    if (name === "resting") lost();
    if (name) return;
    const told = changeOf(data);
    event.detail.cancelled = told ? told.from !== shownVersion() : versionOf(data) < shown();
    if (told && event.detail.cancelled && shown() < Number(told.version)) sayAgain();
  });
  // An answer that was overtaken by what others did shows what was: the stream says again what is.
  document.addEventListener("htmx:after:swap", () => {
    if (shown() < newest) sayAgain();
    newest = Math.max(newest, shown());
  });
  // A laptop without a network still reaches itself: the browser's word is only a reason to ask.
  addEventListener("offline", () => look());
  addEventListener("online", () => look(true));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    heard = now();
    look();
    setTimeout(() => stream?.delayCanceller?.()); // it waits for the page to be seen, and then a moment longer
  });
  setInterval(() => {
    if (document.hidden || !(away || late || silent())) return;
    if (now() - askedAt > (answered ? RARELY : OFTEN)) look();
  }, 500);
}
